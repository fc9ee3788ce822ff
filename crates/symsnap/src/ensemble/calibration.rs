//! From shares of a vote to probabilities. A vote of 25 hypotheses that are unanimous on most examples says 0 or 1 there, and is
//! wrong on more of them than never; what a share is worth is learned from votes on examples that the voters were not made
//! from, where there are such votes ([`OutOfBag`]).
//!
//! The curve is that of beta calibration (Kull, Silva Filho and Flach, AISTATS 2017): the log-odds of the probability are
//! `a ln s - b ln(1 - s) + c`, with `a` and `b` not negative, so that more votes never mean less. Three parameters bend it
//! differently near 0 and near 1, which logistic scaling of the share cannot (Platt 1999), and a dozen examples do not
//! bend it out of shape, as they do isotonic regression. As a prior it is the share itself, worth an example, and two
//! examples are made up, half of one positive that nobody votes for and half of one negative that all do: nothing is certain.
//!
//! A model keeps the curve as points with straight lines between them, which other systems can compute, too. The label stays
//! that of the vote, and the probability is on its side of one half.
//!
//! *Rejected*: the mean of the members' precisions (it is what they reach on the examples they were made from), a label by the
//! probability instead of the vote (exports and proofs speak of votes).

use super::Voter;
use super::beta_curve::{Ballot, BetaCurve};
use super::out_of_bag::OutOfBag;
use super::resampled::out_of_bag;
use super::training::Training;
use crate::error::{Diagnostic, Result};
use crate::task::Examples;
use serde::{Deserialize, Serialize};

/// Steps of the share between two points of a curve that is fitted.
const STEPS: u32 = 20;
/// Points that a model file may have: its reader goes through them for each prediction.
const MOST_POINTS: usize = 1000;
/// The probability of a positive vote is at least this, that of a negative one as far below one half at the most.
const POSITIVE: f64 = 0.5 + 1e-6;

/// Where a curve comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// Votes on examples that the voters were not made from.
    OutOfBag,
    /// Votes on the training examples, made less certain until they expect the errors of votes on examples left out.
    Tempered,
    /// Votes on the training examples alone: surer than they should be.
    Training,
}

/// How shares of the vote become probabilities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Where it comes from.
    pub evidence: Evidence,
    /// Shares from 0 to 1, rising, and the probability of each; straight lines between them.
    points: Vec<(f64, f64)>,
}

impl Calibration {
    /// The curve for `voters`, made by a method whose voters are those of the samples that were counted if `sampled`. Nothing if
    /// there is nobody to vote.
    pub(super) fn of(training: &Training<'_>, voters: &[Voter], sampled: bool) -> Result<Option<Self>> {
        if voters.iter().all(|voter| voter.weight <= 0.0) {
            return Ok(None);
        }
        let examples = &training.task().examples;
        if let Some(votes) = training.out_of_bag().filter(|_| sampled) {
            return Ok(Some(Calibration::fitted(Evidence::OutOfBag, &BetaCurve::fit(votes.ballots(examples)))));
        }
        let Some(ballots) = ballots(training, voters) else { return Ok(Some(Calibration::of_figures(voters))) };
        let mut curve = BetaCurve::fit(ballots.iter().copied());
        let counted = if training.out_of_bag().is_none() { out_of_bag(training)? } else { None };
        let Some(votes) = training.out_of_bag().or(counted.as_ref()) else {
            return Ok(Some(Calibration::fitted(Evidence::Training, &curve)));
        };
        curve.temper(&ballots, expected_error(votes, examples, voters));
        Ok(Some(Calibration::fitted(Evidence::Tempered, &curve)))
    }

    /// Where there is no time to look at examples: what all members say together is as good as their precision, smoothed, in the
    /// mean, and what none of them says as their false omission rate.
    pub(super) fn of_figures(voters: &[Voter]) -> Self {
        let total: f64 = voters.iter().map(|voter| voter.weight).sum();
        let smoothed = |right: u64, wrong: u64| (right as f64 + 1.0) / ((right + wrong) as f64 + 2.0);
        let mean = |of: &dyn Fn(&Voter) -> f64| {
            voters.iter().map(|voter| voter.weight * of(voter)).sum::<f64>() / total.max(f64::MIN_POSITIVE)
        };
        let covered = mean(&|voter| smoothed(voter.confusion.tp, voter.confusion.fp));
        let left = mean(&|voter| smoothed(voter.confusion.fn_, voter.confusion.tn));
        Calibration { evidence: Evidence::Training, points: vec![(0.0, left.min(covered)), (1.0, covered)] }
    }

    fn fitted(evidence: Evidence, curve: &BetaCurve) -> Self {
        let rounded = |value: f64| (value * 1e6).round() / 1e6;
        let points = (0..=STEPS).map(|step| {
            let share = f64::from(step) / f64::from(STEPS);
            (share, rounded(curve.probability(share)))
        });
        Calibration { evidence, points: points.collect() }
    }

    /// The points of the curve.
    #[doc(hidden)]
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// The probability of an atom that has this share of the vote and, by it, this label.
    pub(crate) fn probability(&self, share: f64, positive: bool) -> f64 {
        let value = self.value(share);
        if positive { value.max(POSITIVE) } else { value.min(1.0 - POSITIVE) }
    }

    /// What a share of the vote is worth, whatever the label.
    pub(super) fn value(&self, share: f64) -> f64 {
        let above = self.points.partition_point(|point| point.0 < share).clamp(1, self.points.len() - 1);
        let ((from, low), (to, high)) = (self.points[above - 1], self.points[above]);
        low + (high - low) * ((share - from) / (to - from)).clamp(0.0, 1.0)
    }

    /// The label that is the likelier whatever the share of the vote is, if one is.
    pub(super) fn one_side(&self) -> Option<bool> {
        let of = |point: Option<&(f64, f64)>| point.is_some_and(|point| point.1 >= 0.5);
        let (low, high) = (of(self.points.first()), of(self.points.last()));
        (low == high).then_some(low)
    }

    /// The same curve where a share `s` of the vote has become `from + scale * s`.
    pub(super) fn moved(&self, from: f64, scale: f64) -> Self {
        let first = self.points.first().filter(|_| from > 0.0).map(|point| (0.0, point.1));
        let last = self.points.last().filter(|_| from + scale < 1.0).map(|point| (1.0, point.1));
        let mut points: Vec<(f64, f64)> = self.points.iter().map(|point| (from + scale * point.0, point.1)).collect();
        // Sums of rounded shares may miss an end by a bit in the last place.
        if last.is_none()
            && let Some(end) = points.last_mut()
        {
            end.0 = 1.0;
        }
        Calibration { evidence: self.evidence, points: first.into_iter().chain(points).chain(last).collect() }
    }

    /// The bounds on either side of one half, negative and positive, for other systems.
    pub(super) const SIDES: (f64, f64) = (1.0 - POSITIVE, POSITIVE);

    /// Whether this can be a curve; `file` is named in errors.
    pub(super) fn check(&self, file: &str) -> Result<()> {
        let points = &self.points;
        let ends = points.first().is_some_and(|it| it.0 == 0.0) && points.last().is_some_and(|it| it.0 == 1.0);
        let rising = points.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
        let probable = points.iter().all(|point| (0.0..=1.0).contains(&point.1));
        if ends && rising && probable && points.len() <= MOST_POINTS {
            return Ok(());
        }
        let message = format!("{file}: its calibration is not a rising curve of shares and probabilities from 0 to 1");
        Err(Diagnostic::error(message).with_help("remove `calibration` to have shares of the vote instead").into())
    }
}

/// What the voters say about the training examples; nothing if there is no time to find that out.
fn ballots(training: &Training<'_>, voters: &[Voter]) -> Option<Vec<Ballot>> {
    let hypotheses: Vec<_> = voters.iter().map(|voter| voter.hypothesis.clone()).collect();
    let order: Vec<usize> = (0..hypotheses.len()).collect();
    let examples = &training.task().examples;
    let mut sums = vec![0.0; examples.positives() + examples.negatives()];
    for (tested, voter) in training.test_in_time(&hypotheses, &order).into_iter().zip(voters) {
        let cover = tested?.cover;
        (0..sums.len()).filter(|&at| cover.contains(at)).for_each(|at| sums[at] += voter.weight);
    }
    let total: f64 = voters.iter().map(|voter| voter.weight).sum();
    let weights = examples.positive_weights().iter().map(|weight| (true, weight));
    let weights = weights.chain(examples.negative_weights().iter().map(|weight| (false, weight)));
    let ballot = |(sum, (positive, &weight)): (f64, (bool, &u32))| Ballot {
        share: (sum / total).clamp(0.0, 1.0),
        positive,
        weight: f64::from(weight),
    };
    Some(sums.into_iter().zip(weights).map(ballot).collect())
}

/// How often the voters will be wrong: one alone as often as one sample's hypothesis, several as often as their vote.
fn expected_error(votes: &OutOfBag, examples: &Examples, voters: &[Voter]) -> f64 {
    let alone = voters.iter().filter(|voter| voter.weight > 0.0).count() == 1;
    if alone { votes.member_error(examples) } else { votes.vote_error(examples) }
}
