//! Phases 2 and 3 of the paper: weights for the members of a pool, their vote, and models that keep both.
//!
//! A [`Method`] chooses members of a pool and weighs them, a [`Model`] is the result as a file, and a [`Predictor`]
//! is a model over a background. An [`Explainer`] says why a member votes as it does, and [`read_outside`] takes
//! hypotheses from other learners.

mod explain;
mod fingerprint;
mod likelihood;
mod members;
mod method;
mod model;
mod outside;
mod predict;
mod weights;

pub use explain::{Explainer, Failure, Instance, Reason, Step, Why};
pub use fingerprint::Fingerprint;
pub use likelihood::LogLikelihood;
pub use members::read_hypothesis;
pub use method::{METHODS, Method, Single, method_named};
pub use model::{FORMAT, Head, Member, Model};
pub use outside::{Found, evaluate, read_outside};
pub use predict::{Predictions, Predictor};
pub use weights::{Paper, vote};
