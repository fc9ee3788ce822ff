//! All methods by name. A new one is a file of its own and a line here.

use super::{
    AdaBoost, Bagging, Compress, Confidence, LogLikelihood, Method, Paper, Resampled, Single, Skimmed, Tuned, Validated,
};

/// All methods with their default settings: those for use, then those for comparison.
pub static METHODS: [&dyn Method; 11] = [
    &Resampled::DEFAULT,
    &Compress::DEFAULT,
    &Validated,
    &Single,
    &Paper::DEFAULT,
    &Bagging::DEFAULT,
    &AdaBoost::DEFAULT,
    &Confidence::DEFAULT,
    &Skimmed::DEFAULT,
    &Tuned::DEFAULT,
    &LogLikelihood::DEFAULT,
];

/// The method that is used unless another is asked for.
pub const DEFAULT_METHOD: &str = "resampled";

/// The method with that name, with its default settings; `None` if there is none.
pub fn method_named(name: &str) -> Option<&'static dyn Method> {
    METHODS.into_iter().find(|method| method.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::Purpose;

    #[test]
    fn methods_for_use_come_first_and_the_default_before_all() {
        let uses: Vec<bool> = METHODS.iter().map(|method| method.purpose() == Purpose::Use).collect();
        assert_eq!(uses, [[true; 3].as_slice(), &[false; 8]].concat());
        assert_eq!(METHODS[0].name(), DEFAULT_METHOD);
    }
}
