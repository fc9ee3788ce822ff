//! The curve of beta calibration, by penalised maximum likelihood. Three parameters and a convex objective: Newton's method.

use std::collections::BTreeMap;

/// Shares are moved this far from 0 and 1, whose logarithms are infinite. Not less: the curve is fitted to votes of the samples
/// that leave an example out, about nine of 25, and a share of 0 among nine says less than one among 25.
const MARGIN: f64 = 0.05;
/// What is made up on either side, in examples of that label.
const MADE_UP: f64 = 0.5;
/// How much the prior counts, in examples.
const PRIOR: f64 = 1.0;
const MOST_STEPS: usize = 100;

/// What a vote said about an example whose label is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ballot {
    /// The share of the weight that voted positive.
    pub(super) share: f64,
    pub(super) positive: bool,
    pub(super) weight: f64,
}

/// `logit p = a ln s - b ln(1 - s) + c`, all times how far it is to be trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BetaCurve {
    parameters: [f64; 3],
    trust: f64,
}

/// Examples with one share of the vote: how much they weigh by label.
#[derive(Default, Clone, Copy)]
struct Weights {
    positive: f64,
    negative: f64,
}

/// The examples of one label.
#[derive(Default, Clone, Copy)]
struct SideSum {
    weight: f64,
    count: usize,
}

impl SideSum {
    /// What one of them weighs in the mean, in this unit: what is made up is like the others of its label.
    fn mean(self, unit: f64) -> f64 {
        if self.count > 0 { self.weight * unit / self.count as f64 } else { 1.0 }
    }
}

impl BetaCurve {
    /// The curve that makes these votes most probable.
    pub(super) fn fit(ballots: impl IntoIterator<Item = Ballot>) -> Self {
        let mut groups: BTreeMap<u64, Weights> = BTreeMap::new();
        let (mut of_pos, mut of_neg) = (SideSum::default(), SideSum::default());
        for ballot in ballots {
            // Shares are not negative, so their bits are ordered as they are.
            let group = groups.entry(ballot.share.to_bits()).or_default();
            let (sum, side) = match ballot.positive {
                true => (&mut group.positive, &mut of_pos),
                false => (&mut group.negative, &mut of_neg),
            };
            *sum += ballot.weight;
            (side.weight, side.count) = (side.weight + ballot.weight, side.count + 1);
        }
        // Weights are relative: an example of average weight counts as one.
        let weight = of_pos.weight + of_neg.weight;
        let unit = if weight > 0.0 { (of_pos.count + of_neg.count) as f64 / weight } else { 1.0 };
        groups.values_mut().for_each(|group| {
            (group.positive, group.negative) = (group.positive * unit, group.negative * unit);
        });
        groups.entry(0f64.to_bits()).or_default().positive += MADE_UP * of_pos.mean(unit);
        groups.entry(1f64.to_bits()).or_default().negative += MADE_UP * of_neg.mean(unit);
        let groups: Vec<([f64; 3], Weights)> =
            groups.into_iter().map(|(share, weights)| (features(f64::from_bits(share)), weights)).collect();
        let mut free = [true; 3];
        let mut parameters = newton(&groups, free);
        // More votes never mean less: a slope that wants to be negative is none.
        while let Some(at) = (0..2).find(|&at| free[at] && parameters[at] < 0.0) {
            free[at] = false;
            parameters = newton(&groups, free);
        }
        BetaCurve { parameters, trust: 1.0 }
    }

    /// The probability at this share of the vote.
    pub(super) fn probability(&self, share: f64) -> f64 {
        sigmoid(self.trust * dot(&self.parameters, &features(share)))
    }

    /// Trust it less, until it expects this share of wrong votes among `ballots`; it is never trusted more.
    pub(super) fn temper(&mut self, ballots: &[Ballot], error: f64) {
        let weight: f64 = ballots.iter().map(|ballot| ballot.weight).sum();
        let mut expected = |trust: f64| {
            self.trust = trust;
            let unsure = ballots.iter().map(|ballot| {
                let probability = self.probability(ballot.share);
                ballot.weight * probability.min(1.0 - probability)
            });
            unsure.sum::<f64>() / weight.max(f64::MIN_POSITIVE)
        };
        let (mut low, mut high) = (0.0, 1.0);
        if expected(high) >= error {
            return;
        }
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if expected(middle) >= error { low = middle } else { high = middle }
        }
        self.trust = low;
    }
}

fn features(share: f64) -> [f64; 3] {
    let share = MARGIN + (1.0 - 2.0 * MARGIN) * share;
    [share.ln(), -(1.0 - share).ln(), 1.0]
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Minimise the negative log-likelihood plus the prior over the free parameters; the others are 0. Steps are halved until they
/// help.
fn newton(groups: &[([f64; 3], Weights)], free: [bool; 3]) -> [f64; 3] {
    let mean = [1.0, 1.0, 0.0];
    let mut at = [0, 1, 2].map(|i| if free[i] { mean[i] } else { 0.0 });
    let loss = |at: &[f64; 3]| {
        let data: f64 = groups
            .iter()
            .map(|(x, weights)| {
                let z = dot(at, x);
                weights.positive * softplus(-z) + weights.negative * softplus(z)
            })
            .sum();
        data + PRIOR / 2.0 * (0..3).map(|i| (at[i] - mean[i]).powi(2)).sum::<f64>()
    };
    let mut best = loss(&at);
    for _ in 0..MOST_STEPS {
        let mut gradient = [0, 1, 2].map(|i| PRIOR * (at[i] - mean[i]));
        let mut hessian = [[0.0; 3]; 3];
        (0..3).for_each(|i| hessian[i][i] = PRIOR);
        for (x, weights) in groups {
            let p = sigmoid(dot(&at, x));
            let all = weights.positive + weights.negative;
            for i in 0..3 {
                gradient[i] += x[i] * (all * p - weights.positive);
                for j in 0..3 {
                    hessian[i][j] += x[i] * x[j] * all * p * (1.0 - p);
                }
            }
        }
        for i in (0..3).filter(|&i| !free[i]) {
            (gradient[i], hessian[i]) = (0.0, [0.0; 3]);
            (0..3).for_each(|j| hessian[j][i] = 0.0);
            hessian[i][i] = 1.0;
        }
        let step = solve(hessian, gradient);
        let mut length = 1.0;
        let next = loop {
            let next = [0, 1, 2].map(|i| at[i] - length * step[i]);
            if loss(&next) <= best || length < 1e-6 {
                break next;
            }
            length /= 2.0;
        };
        let gain = best - loss(&next);
        if gain <= 1e-12 * best.abs().max(1.0) {
            break;
        }
        (at, best) = (next, best - gain);
    }
    at
}

/// `ln(1 + e^x)` without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The solution of three linear equations whose matrix is positive definite, by Cramer's rule.
fn solve(m: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    let determinant = |m: &[[f64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let whole = determinant(&m);
    [0, 1, 2].map(|column| {
        let mut replaced = m;
        (0..3).for_each(|row| replaced[row][column] = v[row]);
        determinant(&replaced) / whole
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ballots(votes: &[(f64, bool, f64)]) -> Vec<Ballot> {
        votes.iter().map(|&(share, positive, weight)| Ballot { share, positive, weight }).collect()
    }

    #[test]
    fn many_votes_of_one_share_are_worth_what_they_turned_out_to_be() {
        let mut votes = vec![(1.0, true, 1.0); 800];
        votes.extend(vec![(1.0, false, 1.0); 200]);
        votes.extend(vec![(0.0, true, 1.0); 50]);
        votes.extend(vec![(0.0, false, 1.0); 950]);
        let curve = BetaCurve::fit(ballots(&votes));
        assert!((curve.probability(1.0) - 0.8).abs() < 0.01, "{}", curve.probability(1.0));
        assert!((curve.probability(0.0) - 0.05).abs() < 0.01, "{}", curve.probability(0.0));
    }

    #[test]
    fn without_an_error_nothing_is_certain_and_the_more_examples_the_surer_it_is() {
        let fit = |count: usize| {
            let mut votes = vec![(1.0, true, 1.0); count];
            votes.extend(vec![(0.0, false, 1.0); count]);
            BetaCurve::fit(ballots(&votes)).probability(1.0)
        };
        let sure: Vec<f64> = [0, 3, 10, 100, 10_000].map(fit).to_vec();
        assert!(sure.windows(2).all(|pair| pair[0] < pair[1]) && sure[4] < 1.0, "{sure:?}");
        assert!((0.75..0.97).contains(&sure[1]), "{sure:?}");
        assert!(sure[4] > 0.999, "{sure:?}");
    }

    #[test]
    fn weights_are_relative() {
        let votes = [(1.0, true, 1.0), (0.4, true, 2.0), (0.4, false, 1.0), (0.0, false, 3.0)];
        let heavier = votes.map(|(share, positive, weight)| (share, positive, 100.0 * weight));
        let (one, other) = (BetaCurve::fit(ballots(&votes)), BetaCurve::fit(ballots(&heavier)));
        for step in 0..=10 {
            let share = f64::from(step) / 10.0;
            assert!((one.probability(share) - other.probability(share)).abs() < 1e-9);
        }
    }

    #[test]
    fn a_tempered_curve_expects_the_errors_it_is_told_of_and_is_never_surer() {
        let mut votes = vec![(1.0, true, 1.0); 100];
        votes.extend(vec![(0.0, false, 1.0); 100]);
        let votes = ballots(&votes);
        let fitted = BetaCurve::fit(votes.clone());
        let mut tempered = fitted;
        tempered.temper(&votes, 0.2);
        assert!((tempered.probability(1.0) - 0.8).abs() < 0.02, "{}", tempered.probability(1.0));
        let mut same = fitted;
        same.temper(&votes, 0.0);
        assert_eq!(same, fitted);
    }

    proptest! {
        /// The obvious twin of Newton's method: no small step from the optimum makes the votes more probable.
        #[test]
        fn no_other_curve_nearby_is_better_and_more_votes_never_mean_less(
            votes in prop::collection::vec((0u32..10, any::<bool>(), 1u32..4), 1..40),
        ) {
            let votes: Vec<(f64, bool, f64)> =
                votes.iter().map(|&(share, positive, weight)| (f64::from(share) / 9.0, positive, f64::from(weight))).collect();
            let curve = BetaCurve::fit(ballots(&votes));
            let mean = votes.iter().map(|vote| vote.2).sum::<f64>() / votes.len() as f64;
            // What an example of a label weighs in the mean.
            let of = |label: bool| {
                let weights: Vec<f64> = votes.iter().filter(|vote| vote.1 == label).map(|vote| vote.2).collect();
                if weights.is_empty() { mean } else { weights.iter().sum::<f64>() / weights.len() as f64 }
            };
            let objective = |at: [f64; 3]| {
                let curve = BetaCurve { parameters: at, trust: 1.0 };
                let made_up = [(0.0, true, MADE_UP * of(true)), (1.0, false, MADE_UP * of(false))];
                let data: f64 = votes.iter().chain(&made_up).map(|&(share, positive, weight)| {
                    let p = curve.probability(share);
                    -weight / mean * if positive { p.ln() } else { (1.0 - p).ln() }
                }).sum();
                data + PRIOR / 2.0 * ((at[0] - 1.0).powi(2) + (at[1] - 1.0).powi(2) + at[2].powi(2))
            };
            let best = objective(curve.parameters);
            for i in 0..3 {
                for step in [-1e-3, 1e-3] {
                    let mut other = curve.parameters;
                    other[i] += step;
                    let allowed = other[0] >= 0.0 && other[1] >= 0.0;
                    prop_assert!(!allowed || objective(other) >= best - 1e-9, "{:?} {other:?}", curve.parameters);
                }
            }
            for step in 0..20 {
                let (low, high) = (curve.probability(f64::from(step) / 20.0), curve.probability(f64::from(step + 1) / 20.0));
                prop_assert!(low <= high && low > 0.0 && high < 1.0);
            }
        }
    }
}
