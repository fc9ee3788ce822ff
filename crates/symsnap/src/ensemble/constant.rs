//! Votes with another threshold than one half, or with rules that abstain, written as a weighted majority.
//!
//! A model file knows one vote: positive if members with at least half of the weight cover the atom. "Positive if the
//! covering members weigh at least `threshold`" is that vote with one more member that always says the same: with no
//! rules (always negative) if the threshold is above half of the weights, with a rule without body (always positive)
//! if it is below. So boosting with abstaining rules needs no second kind of model.

use crate::index::variables;
use crate::logic::{Hypothesis, Literal, Pred, Rule};

/// Weights that sum to 1 and the weight of a constant member (negative for one that always votes negative), such that
/// members with at least `threshold` of the given weights are at least half.
pub(super) fn with_threshold(weights: &[f64], threshold: f64) -> (Vec<f64>, f64) {
    let sum: f64 = weights.iter().sum();
    let constant = sum - 2.0 * threshold;
    let total = sum + constant.abs();
    if total <= 0.0 {
        return (weights.to_vec(), 0.0);
    }
    (weights.iter().map(|weight| weight / total).collect(), constant / total)
}

/// A hypothesis that always says the same.
pub(super) fn always(positive: bool, head: Pred) -> Hypothesis {
    let vars = variables(head.arity);
    let rule = Rule { head: Literal::over(head, &vars), body: Vec::new() };
    Hypothesis { rules: if positive { vec![rule] } else { Vec::new() } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::vote;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_majority_with_a_constant_member_is_the_vote_with_the_threshold(
            votes in prop::collection::vec((1u32..20, any::<bool>()), 1..8), threshold in 0u32..100,
        ) {
            let weights: Vec<f64> = votes.iter().map(|(weight, _)| f64::from(*weight)).collect();
            let covering: u32 = votes.iter().filter(|(_, covers)| *covers).map(|(weight, _)| weight).sum();
            let (mut shares, constant) = with_threshold(&weights, f64::from(threshold));
            shares.push(constant.abs());
            let said = votes.iter().map(|(_, covers)| *covers).chain([constant > 0.0]);
            prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert_eq!(vote(&shares, said).1, covering >= threshold);
        }
    }
}
