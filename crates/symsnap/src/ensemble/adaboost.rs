//! AdaBoost over rule sets (Quinlan 1996, for first-order learning): learn again with more weight on what the last
//! hypothesis got wrong, and weigh votes by `ln((1 - e) / e)` of the weighted error `e`.
//!
//! The learner takes whole weights. Under `mdl` a literal is worth one example, so weights keep their sum: each example
//! gets its share of `n`, rounded down or up at random such that the sum is `n` (systematic resampling). The
//! lexicographic costs only compare errors, so there weights are a hundred times finer.
//!
//! The first round is the pool's best hypothesis, or is learned where the pool has none. A round that is wrong about half of
//! the weight ends the run. Where time ends it before there is a second one, the snapshots vote: one hypothesis is no ensemble.

use super::bags::best_of;
use super::method::small_count;
use super::{Method, Needs, Training, Voter};
use crate::budget::StopReason;
use crate::error::Result;
use crate::index;
use crate::logic::Hypothesis;
use crate::sets::Cover;
use crate::task::{Examples, Random};

/// Boosted rule sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdaBoost {
    /// How many hypotheses, the first included.
    pub rounds: usize,
}

impl AdaBoost {
    /// The method with its default setting.
    pub const DEFAULT: AdaBoost = AdaBoost { rounds: 5 };
}

/// The share of each example in the weight, positives first; they sum to 1.
struct Shares(Vec<f64>);

impl Shares {
    fn new(examples: &Examples) -> Self {
        let weights = examples.positive_weights().iter().chain(examples.negative_weights());
        let weights: Vec<f64> = weights.map(|&weight| f64::from(weight)).collect();
        let sum: f64 = weights.iter().sum();
        Shares(weights.iter().map(|weight| weight / sum.max(1.0)).collect())
    }

    /// The share that something with this cover gets wrong.
    fn wrong(&self, cover: &Cover) -> f64 {
        self.0.iter().enumerate().filter(|(at, _)| is_wrong(cover, *at)).map(|(_, share)| share).sum()
    }

    /// Give what is wrong half of the weight.
    fn turn(&mut self, cover: &Cover, error: f64) {
        for (at, share) in self.0.iter_mut().enumerate() {
            *share /= 2.0 * if is_wrong(cover, at) { error } else { 1.0 - error };
        }
    }

    /// Whole weights that sum to about `total`, each its share of that rounded down or up.
    fn whole(&self, total: f64, random: &mut Random) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        random.shuffle(&mut order);
        let mut whole = vec![0; self.0.len()];
        let mut sum = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        for at in order {
            let next = sum + self.0[at] * total;
            whole[at] = u32::try_from(index::whole(next.floor() - sum.floor())).unwrap_or(u32::MAX);
            sum = next;
        }
        whole
    }
}

fn is_wrong(cover: &Cover, at: usize) -> bool {
    cover.contains(at) != (at < cover.sides().positives())
}

/// The same examples with other weights; those with weight 0 are left out.
fn reweighted(examples: &Examples, weights: &[u32]) -> Examples {
    let mut changed = Examples::new(examples.pred());
    for (at, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
        let positive = at < examples.positives();
        let row = if positive { examples.positive(at) } else { examples.negative(at - examples.positives()) };
        changed.push(positive, row, weight);
    }
    changed
}

impl Method for AdaBoost {
    fn name(&self) -> &'static str {
        "adaboost"
    }

    fn summary(&self) -> &'static str {
        "learn again with more weight on errors; hypotheses vote by their weighted error"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("rounds", self.rounds as f64)]
    }

    fn with_setting(&self, name: &str, value: f64) -> Option<Box<dyn Method>> {
        let rounds = small_count(value).filter(|_| name == "rounds")?;
        Some(Box::new(AdaBoost { rounds }))
    }

    fn needs(&self) -> Needs {
        Needs::Learner
    }

    fn runs(&self) -> usize {
        self.rounds - 1
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        let examples = &training.task().examples;
        let count = (examples.positives() + examples.negatives()) as f64;
        let known = training.best().is_some();
        let scale = if training.cost().size_breaks_ties() { 100.0 } else { 1.0 };
        let (mut shares, mut random) = (Shares::new(examples), Random::new(training.seed()));
        let mut voters: Vec<(Hypothesis, f64)> = Vec::new();
        let mut cut = false;
        for round in 0..self.rounds {
            let mut hypothesis = best_of(training.pool());
            if round > 0 || !known {
                let sample = match round {
                    0 => examples.clone(),
                    _ => reweighted(examples, &shares.whole(count * scale, &mut random)),
                };
                let Some((pool, stop)) = training.learn(sample, self.rounds - round)? else {
                    cut = true;
                    break;
                };
                (hypothesis, cut) = (best_of(&pool), matches!(stop, StopReason::Time | StopReason::Memory));
            }
            if voters.is_empty() && hypothesis.rules.is_empty() {
                break;
            }
            let cover = training.covers_on([&hypothesis], examples).remove(0);
            // An error of 0 would weigh infinitely: count half an example.
            let error = shares.wrong(&cover).max(0.5 / count);
            if error >= 0.5 - 1e-9 {
                if voters.is_empty() {
                    training.note("the first hypothesis errs on half of the examples, so there is no other to add");
                    voters.push((hypothesis, 1.0));
                }
                break;
            }
            cut = false;
            voters.push((hypothesis, ((1.0 - error) / error).ln()));
            if shares.wrong(&cover) == 0.0 {
                if round == 0 {
                    training.note("the first hypothesis makes no error on the examples, so there is no other to add");
                }
                break;
            }
            shares.turn(&cover, error);
        }
        // One hypothesis is no ensemble, unless it is all there is.
        if cut && voters.len() < 2 && known {
            return Ok(training.fall_back("there was no time for a second round of `adaboost`"));
        }
        if cut && !voters.is_empty() {
            training.note(format!("there was time for {} of {} rounds", voters.len(), self.rounds));
        }
        let total: f64 = voters.iter().map(|(_, weight)| weight).sum();
        Ok(voters.into_iter().map(|(hypothesis, weight)| training.voter(hypothesis, weight / total)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::cost::Cost;
    use crate::ensemble::{OutsideHypothesis, Paper, evaluate};
    use crate::instance::Instance;
    use crate::learn::{Learner, Observer, Outcome};
    use crate::snapshot::SnapshotPool;
    use crate::task::Task;

    /// Finds nothing, for this reason.
    struct Idle(StopReason);

    impl Learner for Idle {
        fn learn(&self, on: &Instance<'_>, budget: &Budget, _: &mut dyn Observer) -> Result<Outcome> {
            Ok(Outcome::unproved(None, Cost::Mdl, on.examples(), (self.0, 0), budget))
        }
    }

    #[test]
    fn snapshots_vote_where_time_ends_before_a_second_round_and_not_where_it_is_no_better_than_chance() {
        let bias = "head_pred(f,1). body_pred(p,1). body_pred(q,1).";
        let exs = "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)). neg(f(e)).";
        let mut task = Task::from_texts("p(a). p(d). q(a). q(b). q(d).", exs, bias).unwrap();
        let found =
            ["f(A) :- p(A).", "f(A) :- q(A)."].map(|rules| OutsideHypothesis { rules: rules.to_owned(), line: 1 });
        let mut pool = SnapshotPool::default();
        for candidate in evaluate("<test>", &found, &mut task, Cost::Mdl).unwrap() {
            pool.offer(&candidate);
        }
        let fit = |stop: StopReason| {
            let learner = Idle(stop);
            let training = Training::new(&task, &pool, Cost::Mdl).with_learner(&learner);
            let voters = AdaBoost::DEFAULT.fit(&training).unwrap();
            (voters.iter().map(|voter| voter.weight).collect::<Vec<_>>(), training.notes())
        };
        for stop in [StopReason::Time, StopReason::Memory, StopReason::Cancelled] {
            let (weights, notes) = fit(stop);
            assert_eq!(weights, Paper::DEFAULT.weights(&crate::ensemble::voter::figures(&pool)), "{stop:?}");
            assert!(notes[0].starts_with("there was no time for a second round of `adaboost`: the snap"), "{notes:?}");
        }
        // The empty hypothesis is right about the negatives, which by then have less than half of the weight.
        assert_eq!(fit(StopReason::Exhausted), (vec![1.0], Vec::new()));
    }

    #[test]
    fn after_a_round_what_it_got_wrong_has_half_of_the_weight() {
        let exs = "pos(f(1)). pos(f(2)). pos(f(3),2). neg(f(4)).";
        let task = Task::from_texts("p(1).", exs, "head_pred(f,1). body_pred(p,1).").unwrap();
        let mut shares = Shares::new(&task.examples);
        assert_eq!(shares.0, [0.2, 0.2, 0.4, 0.2]);
        let mut cover = Cover::empty(task.examples.sides());
        cover.insert(0);
        cover.insert(2);
        let error = shares.wrong(&cover);
        assert!((error - 0.2).abs() < 1e-12);
        shares.turn(&cover, error);
        // By hand: right shares are divided by 1.6, the wrong one by 0.4.
        let expected = [0.125, 0.5, 0.25, 0.125];
        assert!(shares.0.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{:?}", shares.0);
    }

    #[test]
    fn whole_weights_are_the_shares_rounded_down_or_up() {
        let shares = Shares(vec![0.05, 0.2, 0.25, 0.5]);
        for seed in 0..50 {
            let whole = shares.whole(10.0, &mut Random::new(seed));
            assert!((9..=11).contains(&whole.iter().sum::<u32>()), "{whole:?}");
            for (share, weight) in shares.0.iter().zip(whole) {
                assert!((share * 10.0 - f64::from(weight)).abs() < 1.0);
            }
        }
    }
}
