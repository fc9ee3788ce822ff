//! Which predicates there are without any program.

use super::control;
use super::{Engine, Limits, builtins};
use crate::logic::{Pred, Terms};
use crate::task::Program;

/// Answers whether a predicate is there without any program: control, built-ins and the library. What is left out on
/// purpose counts: calling it is an error that says so.
#[derive(Default)]
pub struct BuiltIns {
    /// For the library, which is read when first asked about.
    library: Option<Engine>,
}

impl BuiltIns {
    /// Whether `name/arity` is there.
    pub fn have(&mut self, name: &str, arity: u32) -> bool {
        if control::find(name, arity).is_some() || builtins::find(name, arity).is_some() {
            return true;
        }
        let engine = || Engine::new(Terms::default(), &Program::default(), Limits::default());
        let engine = self.library.get_or_insert_with(engine);
        let pred = Pred::new(engine.terms_mut().intern(name), arity);
        engine.defines(pred)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_built_ins_the_library_and_what_is_forbidden_are_there() {
        let mut known = BuiltIns::default();
        for (name, arity) in [(",", 2), ("is", 2), ("append", 3), ("findall", 3), ("maplist", 4), ("open", 3)] {
            assert!(known.have(name, arity), "{name}/{arity}");
        }
        for (name, arity) in [("is", 3), ("appendd", 3), ("charge", 2)] {
            assert!(!known.have(name, arity), "{name}/{arity}");
        }
    }
}
