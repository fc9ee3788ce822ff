//! All methods by name. A new one is a file of its own and a line here.

use super::{
    AdaBoost, Bagging, Clustered, Compress, Confidence, Greedy, LogLikelihood, Method, Paper, Resampled, Single,
    Skimmed, Stacking, Tuned, Validated,
};

/// All methods with their default settings.
pub static METHODS: [&dyn Method; 15] = [
    &Paper::DEFAULT,
    &Single,
    &LogLikelihood::DEFAULT,
    &Clustered::DEFAULT,
    &Resampled::DEFAULT,
    &Compress::DEFAULT,
    &Confidence::DEFAULT,
    &Tuned::DEFAULT,
    &Validated,
    &Greedy::DEFAULT,
    &Stacking::PseudoBma,
    &Stacking::Mixture,
    &Bagging::DEFAULT,
    &Skimmed::DEFAULT,
    &AdaBoost::DEFAULT,
];

/// The method that is used unless another is asked for.
pub const DEFAULT_METHOD: &str = "resampled";

/// The method with that name, with its default settings.
pub fn method_named(name: &str) -> Option<&'static dyn Method> {
    METHODS.into_iter().find(|method| method.name() == name)
}
