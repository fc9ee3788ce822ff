//! The paper's weights and vote.
//!
//! `raw = coverage^beta * exp(-alpha * mdl)`, normalised to sum to 1. Description lengths reach the 100,000s, where
//! `exp` of them is 0 for every member, so everything is done with logarithms: subtract the largest, then exponentiate.

use crate::cost::{Confusion, mdl};

/// The paper's weighting scheme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paper {
    /// How much description length counts against a member.
    pub alpha: f64,
    /// How much coverage (the fraction of training examples classified correctly) counts for it.
    pub beta: f64,
}

impl Default for Paper {
    fn default() -> Self {
        Paper::DEFAULT
    }
}

impl Paper {
    /// The published settings.
    pub const DEFAULT: Paper = Paper { alpha: 0.0017, beta: 2.0 };

    /// Weights for members with these confusions and sizes. A member with coverage 0 gets weight 0 (unless `beta` is
    /// 0, as `0^0 = 1`); if that leaves nothing, all weights are equal.
    pub fn weights(&self, members: &[(Confusion, usize)]) -> Vec<f64> {
        let logs: Vec<f64> = members
            .iter()
            .map(|(confusion, size)| {
                let likelihood = if self.beta == 0.0 { 0.0 } else { self.beta * confusion.accuracy().ln() };
                likelihood - self.alpha * mdl(confusion, *size) as f64
            })
            .collect();
        normalise(&logs)
    }
}

/// Weights in proportion to the exponentials of `logs`; equal ones if all of those are 0.
pub(super) fn normalise(logs: &[f64]) -> Vec<f64> {
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if top == f64::NEG_INFINITY {
        return vec![1.0 / logs.len() as f64; logs.len()];
    }
    let raw: Vec<f64> = logs.iter().map(|log| (log - top).exp()).collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|weight| weight / sum).collect()
}

/// The share of the weight that votes positive, and whether that is a positive vote: at least half, ties included.
/// Sums of weights that are half in exact arithmetic may miss it by rounding; a relative tolerance of 1e-9 keeps ties
/// ties. No members vote negative.
pub fn vote(weights: &[f64], votes: impl IntoIterator<Item = bool>) -> (f64, bool) {
    let total: f64 = weights.iter().sum();
    let positive: f64 = weights.iter().zip(votes).filter(|(_, vote)| *vote).map(|(weight, _)| weight).sum();
    is_positive(positive, total)
}

/// [`vote`], given the sums of the weights that vote positive and of all.
pub(super) fn is_positive(positive: f64, total: f64) -> (f64, bool) {
    if total <= 0.0 {
        return (0.0, false);
    }
    let share = (positive / total).clamp(0.0, 1.0);
    (share, share >= 0.5 * (1.0 - 1e-9))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn confusion(tp: u64, fn_: u64, tn: u64, fp: u64) -> Confusion {
        Confusion { tp, fn_, tn, fp }
    }

    fn close(a: &[f64], b: &[f64]) {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).for_each(|(x, y)| assert!((x - y).abs() < 1e-12, "{a:?} is not {b:?}"));
    }

    #[test]
    fn weights_are_those_computed_by_hand() {
        // coverage 0.8, mdl 1 + 1 + 3 = 5; coverage 0.5, mdl 2 + 3 + 2 = 7; alpha 0.1, beta 2.
        let members = [(confusion(4, 1, 4, 1), 3), (confusion(3, 2, 2, 3), 2)];
        let raw = [0.64 * (-0.5f64).exp(), 0.25 * (-0.7f64).exp()];
        let sum = raw[0] + raw[1];
        close(&Paper { alpha: 0.1, beta: 2.0 }.weights(&members), &[raw[0] / sum, raw[1] / sum]);
    }

    #[test]
    fn degenerate_pools_have_weights_too() {
        let right = (confusion(5, 0, 5, 0), 3);
        let wrong = (confusion(0, 5, 0, 5), 3);
        let paper = Paper::default();
        close(&paper.weights(&[]), &[]);
        close(&paper.weights(&[right]), &[1.0]);
        close(&paper.weights(&[right, right]), &[0.5, 0.5]);
        close(&paper.weights(&[right, wrong]), &[1.0, 0.0]);
        close(&paper.weights(&[wrong, wrong]), &[0.5, 0.5]);
        close(&Paper { alpha: 0.0, beta: 0.0 }.weights(&[right, wrong]), &[0.5, 0.5]);
        close(&Paper { alpha: 0.0, beta: 2.0 }.weights(&[right, (confusion(4, 1, 1, 4), 9)]), &[0.8, 0.2]);
        let many = vec![(confusion(0, 500_000, 500_000, 0), 100); 10_000];
        close(&paper.weights(&many), &vec![1e-4; 10_000]);
        let far = [(confusion(0, 400_000, 600_000, 0), 0), (confusion(0, 400_010, 599_990, 0), 0)];
        let ratio: f64 = ((0.6f64.ln() - 0.59999f64.ln()) * 2.0 + 0.0017 * 10.0).exp();
        close(&paper.weights(&far), &[ratio / (1.0 + ratio), 1.0 / (1.0 + ratio)]);
    }

    #[test]
    fn half_of_the_weight_is_a_positive_vote() {
        assert_eq!(vote(&[0.5, 0.5], [true, false]), (0.5, true));
        let thirds = [1.0 / 6.0; 6];
        assert!(vote(&thirds, [true, false, true, false, true, false]).1);
        assert!(!vote(&[0.49, 0.51], [true, false]).1);
        assert_eq!(vote(&[], []), (0.0, false));
    }

    proptest! {
        #[test]
        fn weights_sum_to_one_whatever_the_order(
            members in prop::collection::vec(((0u64..50, 0u64..50, 0u64..50, 0u64..50), 1usize..30), 1..40),
            alpha in 0.0..2.0f64, beta in 0.0..5.0f64, rotate in 0usize..40,
        ) {
            let members: Vec<_> = members.iter().map(|&((a, b, c, d), size)| (confusion(a, b, c, d), size)).collect();
            let paper = Paper { alpha, beta };
            let weights = paper.weights(&members);
            prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!(weights.iter().all(|weight| (0.0..=1.0 + 1e-12).contains(weight)));
            let by = rotate % members.len();
            let mut turned = members.clone();
            turned.rotate_left(by);
            let mut expected = weights.clone();
            expected.rotate_left(by);
            for (a, b) in paper.weights(&turned).iter().zip(&expected) {
                prop_assert!((a - b).abs() < 1e-9);
            }
        }

        #[test]
        fn a_member_without_weight_changes_no_vote(votes in prop::collection::vec((0.0..1.0f64, any::<bool>()), 1..20), extra in any::<bool>()) {
            let weights: Vec<f64> = votes.iter().map(|(weight, _)| *weight).collect();
            let said: Vec<bool> = votes.iter().map(|(_, vote)| *vote).collect();
            let mut more = weights.clone();
            more.push(0.0);
            let mut all = said.clone();
            all.push(extra);
            prop_assert_eq!(vote(&weights, said), vote(&more, all));
        }
    }
}
