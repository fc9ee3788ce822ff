//! Examples in columns: positives first, then negatives, each with a weight.

use crate::cost::Confusion;
use crate::logic::{Pred, TermId};
use crate::random::{STEP, mix};
use crate::sets::{Cover, Sides, Weights};
use rustc_hash::FxHashSet;

/// How often examples repeat and contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Repetitions {
    /// Positives that repeat an earlier positive.
    pub positives: usize,
    /// Negatives that repeat an earlier negative.
    pub negatives: usize,
    /// Atoms that are both positive and negative.
    pub contradictions: usize,
}

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
    #[doc(hidden)]
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
    #[doc(hidden)]
    pub fn pred(&self) -> Pred {
        self.pred
    }

    /// Add an example.
    ///
    /// # Panics
    /// If it has not as many arguments as the predicate, or weighs nothing: then a set that weighs nothing would not be
    /// empty.
    #[doc(hidden)]
    pub fn push(&mut self, positive: bool, args: &[TermId], weight: u32) {
        assert!(weight > 0, "an example has a weight");
        assert_eq!(args.len(), self.pred.arity as usize, "an example has as many arguments as its predicate");
        let (rows, weights) = if positive {
            (&mut self.positives, &mut self.positive_weights)
        } else {
            (&mut self.negatives, &mut self.negative_weights)
        };
        rows.extend_from_slice(args);
        weights.push(weight);
    }

    /// Add all examples of `other`, which are of the same predicate and over the same terms.
    pub(crate) fn append(&mut self, other: &Examples) {
        debug_assert_eq!(self.pred, other.pred, "examples of one task are of one predicate");
        self.positives.extend_from_slice(&other.positives);
        self.negatives.extend_from_slice(&other.negatives);
        self.positive_weights.extend_from_slice(&other.positive_weights);
        self.negative_weights.extend_from_slice(&other.negative_weights);
    }

    /// Count repeated and contradicting examples.
    #[doc(hidden)]
    pub fn repetitions(&self) -> Repetitions {
        let positives: FxHashSet<&[TermId]> = (0..self.positives()).map(|at| self.positive(at)).collect();
        let negatives: FxHashSet<&[TermId]> = (0..self.negatives()).map(|at| self.negative(at)).collect();
        Repetitions {
            positives: self.positives() - positives.len(),
            negatives: self.negatives() - negatives.len(),
            contradictions: negatives.intersection(&positives).count(),
        }
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
    #[doc(hidden)]
    pub fn positive_weights(&self) -> &[u32] {
        &self.positive_weights
    }

    /// The weights of the negatives.
    #[doc(hidden)]
    pub fn negative_weights(&self) -> &[u32] {
        &self.negative_weights
    }

    /// How many there are of each kind, and so where each one's bit is in a [`Cover`].
    #[doc(hidden)]
    pub fn sides(&self) -> Sides {
        Sides::new(self.positives(), self.negatives())
    }

    /// All weights, ready to weigh sets.
    pub(crate) fn weights(&self) -> Weights {
        Weights::new(&self.positive_weights, &self.negative_weights)
    }

    /// A number that other examples over the same terms have by chance only. Weights do not count: what is covered does
    /// not depend on them.
    #[doc(hidden)]
    pub fn digest(&self) -> u64 {
        let lengths = [self.positives.len() as u64, self.negatives.len() as u64];
        let ids = self.positives.iter().chain(&self.negatives).map(|id| id.index() as u64);
        lengths.into_iter().chain(ids).fold(STEP, |digest, number| mix(digest ^ number).wrapping_add(STEP))
    }

    /// The confusion of a hypothesis that covers exactly these examples.
    #[doc(hidden)]
    pub fn confusion(&self, cover: &Cover) -> Confusion {
        let total = |weights: &[u32]| weights.iter().map(|&weight| u64::from(weight)).sum::<u64>();
        let tp = cover.pos().iter().map(|at| u64::from(self.positive_weights[at])).sum::<u64>();
        let fp = cover.neg().iter().map(|at| u64::from(self.negative_weights[at])).sum::<u64>();
        let (positives, negatives) = (total(&self.positive_weights), total(&self.negative_weights));
        Confusion { tp, fn_: positives - tp, tn: negatives - fp, fp }
    }
}

fn row(rows: &[TermId], arity: usize, at: usize) -> &[TermId] {
    &rows[at * arity..(at + 1) * arity]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Task;

    #[test]
    fn other_examples_have_another_digest_and_other_weights_the_same() {
        let exs = "pos(f(a)). pos(f(b)). neg(f(c)).";
        let task = Task::from_texts("p(a).", exs, "head_pred(f,1). body_pred(p,1).").unwrap();
        let [a, b, c] = [task.examples.positive(0), task.examples.positive(1), task.examples.negative(0)];
        let digest = |rows: &[(bool, &[TermId], u32)]| {
            let mut examples = Examples::new(task.bias.head);
            rows.iter().for_each(|(positive, args, weight)| examples.push(*positive, args, *weight));
            examples.digest()
        };
        let one = task.examples.digest();
        assert_eq!(digest(&[(true, a, 7), (true, b, 1), (false, c, 2)]), one);
        let turned = digest(&[(true, b, 1), (true, a, 1), (false, c, 1)]);
        let moved = digest(&[(true, a, 1), (false, b, 1), (false, c, 1)]);
        let fewer = digest(&[(true, a, 1), (true, b, 1)]);
        assert!([turned, moved, fewer].iter().all(|other| *other != one));
    }
}
