//! The anytime loop: columns come from [`mine`](crate::mine), sets of them from [`covering`](crate::covering), and
//! every set that is at most as costly as the best so far goes to an [`Observer`].
//!
//! [`Learner`] is the paper's `NextCandidate` turned inside out: the learner calls, the observer answers whether to go
//! on. So a learner needs no state machine, and any other that can call back may stand behind the same trait. Ours is
//! [`Symsnap`]; its loop is one page of `exact.rs`.

mod aims;
mod assembly;
mod audience;
mod candidate;
mod centred;
mod certificate;
mod certify;
mod exact;
mod foil;
mod functional;
mod hand_over;
mod improve;
mod known;
mod learner;
mod learners;
mod linear;
mod local;
mod outcome;
mod pricing;
mod progol;
mod programs;
mod recursion;
mod rules;
mod run;
mod settings;
mod share;
mod small_to_large;
mod testbed;
mod theory;
mod ties;
mod tilde;
mod written;

pub use candidate::{Candidate, KeptRule, Observer, Progress, Source};
pub use certificate::Certificate;
pub use exact::Symsnap;
pub use learner::Learner;
pub use learners::{LEARNERS, NamedLearner, learner_named};
pub use outcome::{Closest, Outcome, Ties};
pub use settings::{Pricing, Settings};
pub use testbed::Testbed;
