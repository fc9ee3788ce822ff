//! What a hypothesis does with the examples.

/// How a hypothesis classifies the examples, in weights (one per example unless the task says otherwise). Of training
/// examples wherever the library gives one.
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
    #[doc(hidden)]
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

/// Description length, `fp + fn + size`, whatever the cost in use.
pub fn mdl(confusion: &Confusion, size: usize) -> u64 {
    confusion.fp + confusion.fn_ + size as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_precision_and_recall_of_nothing_are_defined() {
        let nothing = Confusion::default();
        assert_eq!((nothing.accuracy(), nothing.precision(), nothing.recall()), (1.0, None, None));
    }
}
