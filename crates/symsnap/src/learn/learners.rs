//! All learners by name. A new one is a file of its own and a line here.

use super::exact::Symsnap;
use super::learner::Learner;
use super::settings::Settings;

/// A learner that can be chosen by name, one of [`LEARNERS`].
#[derive(Debug)]
pub struct NamedLearner {
    /// The name that the command line uses.
    pub name: &'static str,
    /// What it does, in a few words without a full stop.
    pub summary: &'static str,
    make: fn(Settings) -> Box<dyn Learner>,
}

impl NamedLearner {
    /// The learner, told this.
    pub(crate) fn make(&self, settings: Settings) -> Box<dyn Learner> {
        (self.make)(settings)
    }
}

/// All learners, the default first.
pub static LEARNERS: [NamedLearner; 1] = [NamedLearner {
    name: "exact",
    summary: "complete over the rules of the space, with a proof or a bound",
    make: |settings| Box::new(Symsnap { settings }),
}];

/// The learner with that name.
pub fn learner_named(name: &str) -> Option<&'static NamedLearner> {
    LEARNERS.iter().find(|learner| learner.name == name)
}
