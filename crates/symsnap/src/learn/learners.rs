//! All learners by name. A new one is a file of its own and a line here.

use super::exact::Symsnap;
use super::foil::Foil;
use super::learner::Learner;
use super::local::Local;
use super::progol::{Aleph, Progol};
use super::settings::Settings;
use super::small_to_large::SmallToLarge;
use super::tilde::Tilde;
use crate::error::nearest;

/// A learner that can be chosen by name, and made once it is known what to tell it. The front door
/// ([`run`](crate::run)) takes one that is not in the list, too.
#[derive(Debug)]
pub struct NamedLearner {
    /// The name that the command line uses.
    pub name: &'static str,
    /// What it does, in a few words without a full stop.
    pub summary: &'static str,
    make: fn(Settings) -> Box<dyn Learner>,
    has_cycles: bool,
}

impl NamedLearner {
    /// A learner that `make` makes, for [`Learn::learner`](crate::Learn::learner).
    pub const fn new(name: &'static str, summary: &'static str, make: fn(Settings) -> Box<dyn Learner>) -> Self {
        NamedLearner { name, summary, make, has_cycles: false }
    }

    /// The same for a learner that tells where its cycles end.
    const fn with_cycles(mut self) -> Self {
        self.has_cycles = true;
        self
    }

    /// Whether it tells where its cycles end, of which an ensemble can be made.
    #[doc(hidden)]
    pub fn has_cycles(&self) -> bool {
        self.has_cycles
    }

    /// The learner, told this.
    #[doc(hidden)]
    pub fn make(&self, settings: Settings) -> Box<dyn Learner> {
        (self.make)(settings)
    }
}

/// All learners, the default first.
pub static LEARNERS: &[NamedLearner] = &[
    NamedLearner::new("exact", "complete over the rules of the space, with a proof or a bound", |settings| {
        Box::new(Symsnap { settings })
    }),
    NamedLearner::new("foil", "rule after rule by information gain, without a proof", |settings| {
        Box::new(Foil { settings })
    }),
    NamedLearner::new(
        "small-to-large",
        "all rules by size, the best set of them at each, without a proof",
        |settings| Box::new(SmallToLarge { settings }),
    ),
    NamedLearner::new(
        "progol",
        "a rule for each seed, below its bottom clause, by compression, without a proof",
        |settings| Box::new(Progol { settings, aleph: Aleph::DEFAULT }),
    ),
    NamedLearner::new(
        "local",
        "random changes under a temperature that rises and falls, without a proof",
        |settings| Box::new(Local { settings }),
    )
    .with_cycles(),
    NamedLearner::new("tilde", "decision trees over queries, their leaves as rules, without a proof", |settings| {
        Box::new(Tilde { settings, sampled: 0 })
    }),
    NamedLearner::new("forest", "as `tilde`, with trees over samples of the examples, without a proof", |settings| {
        Box::new(Tilde { settings, sampled: Tilde::FOREST })
    }),
];

/// The learner with that name.
///
/// # Errors
/// If there is none, in words that list those there are.
pub fn learner_named(name: &str) -> Result<&'static NamedLearner, String> {
    LEARNERS.iter().find(|learner| learner.name == name).ok_or_else(|| {
        let names = || LEARNERS.iter().map(|learner| learner.name);
        let meant = nearest(name, names()).map_or_else(String::new, |meant| format!(" (did you mean `{meant}`?)"));
        format!("there is no learner `{name}`{meant}; there are {}", names().collect::<Vec<_>>().join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_learner_is_found_by_its_name_and_a_slip_of_the_pen_is_undone() {
        assert!(LEARNERS.iter().all(|learner| learner_named(learner.name).is_ok_and(|it| it.name == learner.name)));
        let message = learner_named("exat").unwrap_err();
        assert!(
            message.starts_with("there is no learner `exat` (did you mean `exact`?); there are exact"),
            "{message}"
        );
        assert!(!learner_named("quinlan").unwrap_err().contains("did you mean"));
    }
}
