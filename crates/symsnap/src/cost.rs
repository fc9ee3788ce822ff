//! What makes a hypothesis good: its confusion with the examples, its size, and the three costs of the paper.
//!
//! All numbers are whole. A lexicographic cost is a tuple compared from the left; [`CostValue`] is that tuple.

/// How a hypothesis classifies the examples, in weights (one per example unless the task says otherwise).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Confusion {
    /// Positives that are covered.
    pub tp: u64,
    /// Positives that are not.
    pub fn_: u64,
    /// Negatives that are not covered.
    pub tn: u64,
    /// Negatives that are.
    pub fp: u64,
}

impl Confusion {
    /// The sum of all four.
    pub fn total(&self) -> u64 {
        self.tp + self.fn_ + self.tn + self.fp
    }

    /// The fraction of examples classified correctly (1 for no examples): the paper's `coverage`.
    pub fn accuracy(&self) -> f64 {
        if self.total() == 0 { 1.0 } else { (self.tp + self.tn) as f64 / self.total() as f64 }
    }

    /// The fraction of covered examples that are positive; `None` if nothing is covered.
    pub fn precision(&self) -> Option<f64> {
        (self.tp + self.fp > 0).then(|| self.tp as f64 / (self.tp + self.fp) as f64)
    }

    /// The fraction of positives that are covered; `None` if there are none.
    pub fn recall(&self) -> Option<f64> {
        (self.tp + self.fn_ > 0).then(|| self.tp as f64 / (self.tp + self.fn_) as f64)
    }
}

/// A cost function: what the learner minimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Cost {
    /// `fp + fn + size`.
    #[default]
    Mdl,
    /// `fp + fn`, then size.
    ErrorSize,
    /// `fn`, then `fp`, then size.
    LexFnSize,
}

impl Cost {
    /// All three.
    pub const ALL: [Cost; 3] = [Cost::Mdl, Cost::ErrorSize, Cost::LexFnSize];

    /// The name that the command line and JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Cost::Mdl => "mdl",
            Cost::ErrorSize => "errorsize",
            Cost::LexFnSize => "lexfnsize",
        }
    }

    /// The cost with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Cost::ALL.into_iter().find(|cost| cost.name() == name)
    }

    /// The cost of a hypothesis with this confusion and size.
    pub fn value(self, confusion: &Confusion, size: usize) -> CostValue {
        let size = size as u64;
        CostValue(match self {
            Cost::Mdl => vec![confusion.fp + confusion.fn_ + size],
            Cost::ErrorSize => vec![confusion.fp + confusion.fn_, size],
            Cost::LexFnSize => vec![confusion.fn_, confusion.fp, size],
        })
    }
}

/// The value of a [`Cost`], ordered as the cost orders hypotheses.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CostValue(pub Vec<u64>);

impl std::fmt::Display for CostValue {
    /// The number, or the levels in brackets: `126`, `(0, 0, 11)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.as_slice() {
            [one] => write!(f, "{one}"),
            levels => {
                let levels: Vec<String> = levels.iter().map(u64::to_string).collect();
                write!(f, "({})", levels.join(", "))
            }
        }
    }
}

/// Description length, `fp + fn + size`, whatever the cost in use.
pub fn mdl(confusion: &Confusion, size: usize) -> u64 {
    confusion.fp + confusion.fn_ + size as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_costs_are_those_of_the_paper() {
        let confusion = Confusion { tp: 5, fn_: 2, tn: 7, fp: 3 };
        assert_eq!(Cost::Mdl.value(&confusion, 4), CostValue(vec![9]));
        assert_eq!(Cost::ErrorSize.value(&confusion, 4), CostValue(vec![5, 4]));
        assert_eq!(Cost::LexFnSize.value(&confusion, 4), CostValue(vec![2, 3, 4]));
        assert!(
            Cost::LexFnSize.value(&confusion, 4) < Cost::LexFnSize.value(&Confusion { fn_: 3, fp: 0, ..confusion }, 1)
        );
    }

    #[test]
    fn accuracy_precision_and_recall_of_nothing_are_defined() {
        let nothing = Confusion::default();
        assert_eq!((nothing.accuracy(), nothing.precision(), nothing.recall()), (1.0, None, None));
    }
}
