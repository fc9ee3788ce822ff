//! Phases 2 and 3 of the paper: weights for the members of a pool, their vote, and models that keep both.
//!
//! A [`Method`] makes voters with weights of what [`Training`] has (a pool first of all), a [`Model`] is the result as a file, and a [`Predictor`]
//! is a model over a background. An [`Explainer`] says why a member votes as it does, and a [`Transcript`] with
//! a [`Scorer`] takes hypotheses from other learners.

mod adaboost;
mod bag_cost;
mod bagging;
mod bags;
mod beta_curve;
mod calibration;
mod compress;
mod confidence;
mod confusion_json;
mod constant;
mod explain;
mod export;
mod fingerprint;
mod held;
mod likelihood;
mod lopsided;
mod members;
mod method;
mod methods;
mod model;
mod out_of_bag;
mod outside;
mod predict;
mod published;
mod resampled;
mod rulebase;
mod skimmed;
mod stock;
mod strangers;
mod training;
mod troubles;
mod tuned;
mod undefined;
mod validated;
mod vote_cost;
mod voter;
mod weights;
mod witness;

pub use adaboost::AdaBoost;
pub use bagging::Bagging;
pub use calibration::Calibration;
pub use compress::Compress;
pub use confidence::Confidence;
pub use explain::{Explainer, Failure, Justification, RuleInstance, Why};
pub use export::{EXPORTS, Export, Exported, export_named};
pub use fingerprint::Fingerprint;
pub use likelihood::LogLikelihood;
pub use members::read_hypothesis;
pub use method::{Method, Needs, Purpose};
pub use methods::{DEFAULT_METHOD, METHODS, method_named};
pub use model::{Head, Member, Model, RuleFigures};
pub use outside::{FORMATS, Format, Reported, Scored, Scorer, Skipped, Transcript, format_named};
pub use outside::{OutsideHypothesis, evaluate};
pub use predict::{Predictions, Predictor};
pub use published::Single;
pub use resampled::Resampled;
pub(crate) use resampled::out_of_bag_errors;
pub use skimmed::Skimmed;
pub use strangers::Strangers;
pub use training::Training;
pub use tuned::Tuned;
pub use undefined::Undefined;
pub use validated::Validated;
pub use vote_cost::{VoteFigures, ensemble_size};
pub use voter::Voter;
pub use weights::{Paper, vote};
