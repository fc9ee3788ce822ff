//! What a learner may be told.

use crate::cost::Cost;

/// What a learner may be told. One that cannot heed something may ignore it.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What to minimise.
    pub cost: Cost,
    /// How many threads to use; at least 1.
    pub threads: usize,
    /// For random choices.
    pub seed: u64,
    /// How many optima to list, the first included; with 0 or 1 no others are looked for.
    #[doc(hidden)]
    pub optima: usize,
    /// After a proof, look for other optima until all are known or the budget ends, not only for a short while.
    #[doc(hidden)]
    pub until_limit: bool,
    /// How many of the rules found to hand to the observer at the end, for ensembles.
    #[doc(hidden)]
    pub keep: usize,
    /// Leave out hypotheses that give another output for the inputs of a positive than a positive has.
    #[doc(hidden)]
    pub functional: bool,
    /// Mine parts of rules with tables of bindings even where branches would do: slower, the twin to compare with.
    #[doc(hidden)]
    pub tables: bool,
    /// When to set prices on positives.
    #[doc(hidden)]
    pub pricing: Pricing,
    /// Make a certificate of the bound on the rules found, if the learner can.
    #[doc(hidden)]
    pub certificate: bool,
}

/// When prices are set on positives, which leave out rules that are not worth them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pricing {
    /// When the best hypothesis seems to stay and prices seem to be of use.
    #[default]
    Late,
    /// As soon as it can be done, which tends to be too soon.
    Early,
    /// Not at all.
    Never,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            cost: Cost::Mdl,
            threads: 1,
            seed: 1,
            optima: 1000,
            until_limit: false,
            keep: 1000,
            functional: false,
            tables: false,
            pricing: Pricing::default(),
            certificate: false,
        }
    }
}
