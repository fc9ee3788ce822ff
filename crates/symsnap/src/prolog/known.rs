//! Which predicates there are without any program.

use super::control;
use super::procedure::Standing;
use super::{Engine, Limits, builtins};
use crate::logic::{Pred, Terms};
use crate::task::Program;

/// Answers where a predicate stands without any program.
#[derive(Default)]
pub struct BuiltIns {
    /// For the library, which is read when first asked about.
    library: Option<Engine>,
}

impl BuiltIns {
    /// Where `name/arity` stands.
    pub fn standing(&mut self, name: &str, arity: u32) -> Standing {
        if control::find(name, arity).is_some() || builtins::find(name, arity).is_some() {
            return Standing::Available;
        }
        let engine = || Engine::new(Terms::default(), &Program::default(), Limits::default());
        let engine = self.library.get_or_insert_with(engine);
        let pred = Pred::new(engine.terms_mut().intern(name), arity);
        engine.standing(pred)
    }

    /// Whether SWI-Prolog refuses programs that define `name/arity`.
    pub fn are_protected(name: &str, arity: u32) -> bool {
        builtins::is_protected(name, arity)
    }

    /// Whether Prolog has `name/arity`, available here or not.
    pub fn have(&mut self, name: &str, arity: u32) -> bool {
        self.standing(name, arity) != Standing::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_available_missing_or_unknown() {
        let mut known = BuiltIns::default();
        let cases = [
            (Standing::Available, &[(",", 2), ("is", 2), ("append", 3), ("findall", 3), ("maplist", 4)][..]),
            (Standing::Missing, &[("open", 3), ("current_op", 3)]),
            (Standing::Unknown, &[("is", 3), ("appendd", 3), ("charge", 2)]),
        ];
        for (standing, predicates) in cases {
            for &(name, arity) in predicates {
                assert_eq!(known.standing(name, arity), standing, "{name}/{arity}");
            }
        }
    }
}
