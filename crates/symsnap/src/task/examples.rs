//! Examples in columns: positives first, then negatives, each with a weight.

use crate::logic::{Pred, TermId};

/// The examples of a task. Repeated and contradicting examples are kept: each counts.
///
/// Weights are whole numbers so that costs stay exact; a front end with real weights scales them.
#[derive(Debug, Clone)]
pub struct Examples {
    pred: Pred,
    positives: Vec<TermId>,
    negatives: Vec<TermId>,
    positive_weights: Vec<u32>,
    negative_weights: Vec<u32>,
}

impl Examples {
    /// No examples of `pred`.
    pub fn new(pred: Pred) -> Self {
        Examples {
            pred,
            positives: Vec::new(),
            negatives: Vec::new(),
            positive_weights: Vec::new(),
            negative_weights: Vec::new(),
        }
    }

    /// The predicate that all examples are of.
    pub fn pred(&self) -> Pred {
        self.pred
    }

    /// Add an example.
    ///
    /// # Panics
    /// If it has not as many arguments as the predicate.
    pub fn push(&mut self, positive: bool, args: &[TermId], weight: u32) {
        assert_eq!(args.len(), self.pred.arity as usize, "an example has as many arguments as its predicate");
        let (rows, weights) = if positive {
            (&mut self.positives, &mut self.positive_weights)
        } else {
            (&mut self.negatives, &mut self.negative_weights)
        };
        rows.extend_from_slice(args);
        weights.push(weight);
    }

    /// How many positives there are.
    pub fn positives(&self) -> usize {
        self.positive_weights.len()
    }

    /// How many negatives there are.
    pub fn negatives(&self) -> usize {
        self.negative_weights.len()
    }

    /// The arguments of a positive.
    pub fn positive(&self, at: usize) -> &[TermId] {
        row(&self.positives, self.pred.arity as usize, at)
    }

    /// The arguments of a negative.
    pub fn negative(&self, at: usize) -> &[TermId] {
        row(&self.negatives, self.pred.arity as usize, at)
    }

    /// The weights of the positives.
    pub fn positive_weights(&self) -> &[u32] {
        &self.positive_weights
    }

    /// The weights of the negatives.
    pub fn negative_weights(&self) -> &[u32] {
        &self.negative_weights
    }
}

fn row(rows: &[TermId], arity: usize, at: usize) -> &[TermId] {
    &rows[at * arity..(at + 1) * arity]
}
