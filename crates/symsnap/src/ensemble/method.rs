//! How a pool becomes an ensemble: which hypotheses vote, with which weights.

use super::{Training, Voter};
use crate::error::Result;
use crate::index::{narrow, whole};
use std::fmt::Debug;
use std::time::Duration;

/// What a method cannot do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing but the pool.
    Pool,
    /// Examples that the pool was not learned from, or a learner that learns from some and leaves others out.
    HeldOut,
    /// A learner to run again.
    Learner,
}

/// What a method is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be used.
    Use,
    /// To be compared with: the published method, and what others do.
    Comparison,
}

/// A way to choose and weigh the hypotheses of a pool: one of [`METHODS`](super::METHODS), as it is or with settings of its own
/// ([`Method::with_setting`]). Not for implementing outside this crate; CONTRIBUTING.md says how to add one.
///
/// The same pool, seed and settings give the same ensemble, and so does the same learner where it repeats itself.
pub trait Method: Debug + Send + Sync {
    /// The name that the command line and model files use.
    fn name(&self) -> &'static str;

    /// What it does, in a few words without a full stop, for lists of methods.
    fn summary(&self) -> &'static str;

    /// Its settings, by name, for the record; most methods have some.
    fn settings(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// The same method with one of its settings changed; `None` if it has no such setting or cannot take that value.
    fn with_setting(&self, _name: &str, _value: f64) -> Option<Box<dyn Method>> {
        None
    }

    /// The same method with the same settings.
    #[doc(hidden)]
    fn boxed(&self) -> Box<dyn Method>;

    /// What it is for.
    #[doc(hidden)]
    fn purpose(&self) -> Purpose {
        Purpose::Comparison
    }

    /// What must be there for [`Method::fit`].
    #[doc(hidden)]
    fn needs(&self) -> Needs {
        Needs::Pool
    }

    /// How often the learner is run again at most, if there are no examples held out.
    #[doc(hidden)]
    fn runs(&self) -> usize {
        usize::from(self.needs() != Needs::Pool)
    }

    /// About how long [`Method::fit`] takes on this number of examples and an idle machine, beside runs of the learner.
    #[doc(hidden)]
    fn takes(&self, _examples: usize) -> Duration {
        Duration::ZERO
    }

    /// Whether those who vote are the hypotheses of samples, and it was counted what samples say about the examples they leave out
    /// ([`Training::remember_out_of_bag`]): the votes on new examples will be like these.
    #[doc(hidden)]
    fn is_sampled(&self) -> bool {
        false
    }

    /// The hypotheses that vote, with weights that sum to 1. Nobody votes for an empty pool, unless the learner finds
    /// something when it runs again.
    ///
    /// # Errors
    /// As the learner's.
    #[doc(hidden)]
    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>>;
}

/// A whole number from 1 to 1000, as counts in settings are.
pub(super) fn small_count(value: f64) -> Option<usize> {
    (value.fract() == 0.0 && (1.0..=1000.0).contains(&value)).then(|| narrow(whole(value)))
}
