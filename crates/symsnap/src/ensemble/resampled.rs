//! Bagging without learning again: bootstrap samples of the examples, and for each the best set of the rules found.
//!
//! A hypothesis that is best on the training examples is one of many that are nearly as good, and which of them comes
//! out on top is chance. What varies with the sample is mostly which rules go together, not which rules there are; so
//! the rules are searched once and only the covering problem is solved again, in milliseconds, for each sample. Rules
//! that cover the same training examples take turns, because they may differ on new ones.
//!
//! *Rejected*: hiding half of the rules from each sample, as random forests do (a point worse on noisy tasks);
//! further votes for the best set on all examples (half a point worse).
//!
//! **Why it gains where votes of snapshots do not.** Snapshots are the path to one hypothesis: early ones are worse in
//! every respect, and the late ones differ in a rule or two. Near-optimal hypotheses of equal standing disagree exactly
//! where the data leaves the answer open, and there the mean of many is better than one of them.
//!
//! **What is best?** A lexicographic cost buys the last training example at any length, which is right where there is no
//! noise and wrong where there is. So several objectives are tried, the run's own cost and description length with
//! errors at different prices, and the one whose votes are right most often on examples outside their samples is taken
//! (out of bag; the own cost of equals). That needs no examples held out, because a sample leaves out a third of them.

use super::bagging::bag_seed;
use super::method::small_count;
use super::rulebase::{RuleBase, resample};
use super::{Method, Single, Training, Voter};
use crate::budget::Budget;
use crate::combine::LocalSearch;
use crate::cost::Cost;
use crate::coverage::Cover;
use crate::error::Result;
use crate::logic::{Hypothesis, canonical_hypothesis};
use crate::task::{Examples, Random};
use rustc_hash::FxHashMap;

/// Rows that the local search weighs for each rule of a sample.
const EFFORT_PER_RULE: u64 = 60;
/// Votes of fewer samples than this are worse than the best snapshot.
const LEAST: usize = 7;
/// Prices that are tried beside the run's own cost: how often an example counts and how often a literal does.
const PRICES: [(u32, u32); 4] = [(1, 1), (1, 2), (2, 1), (4, 1)];

/// Equal votes of the best sets of known rules for bootstrap samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resampled {
    /// How many samples.
    pub bags: usize,
    /// What an error costs, in literals; 0 to let out-of-bag errors decide.
    pub price: u32,
}

impl Resampled {
    /// The method with its default settings.
    pub const DEFAULT: Resampled = Resampled { bags: 25, price: 0 };

    fn objectives(&self, own: Cost) -> Vec<Objective> {
        if self.price > 0 {
            return vec![Objective { cost: Cost::Mdl, example: self.price, literal: 1 }];
        }
        let prices = PRICES.iter().filter(|&&price| own != Cost::Mdl || price != (1, 1));
        let others = prices.map(|&(example, literal)| Objective { cost: Cost::Mdl, example, literal });
        [Objective { cost: own, example: 1, literal: 1 }].into_iter().chain(others).collect()
    }
}

/// What a sample's best set minimises.
#[derive(Debug, Clone, Copy)]
struct Objective {
    cost: Cost,
    /// The weights of examples count so many times.
    example: u32,
    /// Literals count so many times.
    literal: u32,
}

impl Objective {
    /// The best classes of rules for examples with these weights.
    fn best(self, base: &RuleBase, pos: &[u32], neg: &[u32], seed: u64, budget: &Budget) -> Result<Vec<usize>> {
        let priced = |weights: &[u32]| -> Vec<u32> {
            weights.iter().map(|weight| weight.saturating_mul(self.example)).collect()
        };
        let problem = base.problem(self.cost, self.literal, &priced(pos), &priced(neg))?;
        let effort = EFFORT_PER_RULE * problem.len() as u64;
        let best = LocalSearch::new(seed).improve(&problem, effort, budget, &mut |_| ());
        Ok(best.chosen.iter().map(|id| id.index()).collect())
    }
}

/// The sets of rules that are best for the samples, as classes of a rule base.
struct Bags {
    chosen: Vec<Vec<usize>>,
    /// Weight of examples that bags without them get wrong by their vote.
    errors: u64,
}

impl Bags {
    fn new(training: &Training<'_>, base: &RuleBase, settings: &Resampled, objective: Objective) -> Result<Self> {
        let examples = &training.task().examples;
        let mut chosen = Vec::with_capacity(settings.bags);
        let mut ballot = Ballot::new(examples);
        for bag in 0..settings.bags {
            if training.budget().check().is_some() {
                break;
            }
            let seed = bag_seed(training.seed(), bag);
            let (pos, neg) = resample(examples, seed);
            let classes = objective.best(base, &pos, &neg, seed, training.budget())?;
            let mut cover = Cover::empty(examples);
            classes.iter().for_each(|&class| cover.union_with(base.cover(class)));
            ballot.count(&cover, &pos, &neg);
            chosen.push(classes);
        }
        Ok(Bags { chosen, errors: ballot.errors(examples) })
    }
}

/// For each example, how many bags without it there are, and how many of these cover it.
struct Ballot {
    pos: Vec<(u32, u32)>,
    neg: Vec<(u32, u32)>,
}

impl Ballot {
    fn new(examples: &Examples) -> Self {
        Ballot { pos: vec![(0, 0); examples.positives()], neg: vec![(0, 0); examples.negatives()] }
    }

    fn count(&mut self, cover: &Cover, pos: &[u32], neg: &[u32]) {
        for (counts, weights, covered) in [(&mut self.pos, pos, &cover.pos), (&mut self.neg, neg, &cover.neg)] {
            for (at, (count, _)) in counts.iter_mut().zip(weights).enumerate().filter(|(_, (_, weight))| **weight == 0)
            {
                count.0 += 1;
                count.1 += u32::from(covered.contains(at));
            }
        }
    }

    fn errors(&self, examples: &Examples) -> u64 {
        let positive = |&(bags, covering): &(u32, u32)| 2 * covering >= bags;
        let missed =
            self.pos.iter().zip(examples.positive_weights()).filter(|(count, _)| count.0 > 0 && !positive(count));
        let covered =
            self.neg.iter().zip(examples.negative_weights()).filter(|(count, _)| count.0 > 0 && positive(count));
        missed.chain(covered).map(|(_, &weight)| u64::from(weight)).sum()
    }
}

impl Method for Resampled {
    fn name(&self) -> &'static str {
        "resampled"
    }

    fn summary(&self) -> &'static str {
        "for each of many bootstrap samples, the best set of the rules found votes"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("bags", self.bags as f64), ("price", f64::from(self.price))]
    }

    fn with_setting(&self, name: &str, value: f64) -> Option<Box<dyn Method>> {
        let changed = match name {
            "bags" => Resampled { bags: small_count(value)?, ..*self },
            "price" if value == 0.0 => Resampled { price: 0, ..*self },
            "price" => Resampled { price: small_count(value)? as u32, ..*self },
            _ => return None,
        };
        Some(Box::new(changed))
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        let base = RuleBase::new(training);
        if base.len() == 0 {
            return Single.fit(training);
        }
        let mut bags: Option<Bags> = None;
        for objective in self.objectives(training.cost()) {
            let found = Bags::new(training, &base, self, objective)?;
            // Where time is short the first objectives stand, and bags that are there.
            let whole = bags.is_none() || found.chosen.len() == self.bags;
            if whole && bags.as_ref().is_none_or(|known| found.errors < known.errors) {
                bags = Some(found);
            }
        }
        let enough = |bags: &Bags| bags.chosen.len() >= LEAST.min(self.bags);
        let Some(bags) = bags.filter(enough) else {
            training.note("there was no time for the samples of `resampled`: the best snapshot votes alone");
            return Single.fit(training);
        };
        if bags.chosen.len() < self.bags {
            training.note(format!("there was time for {} of {} samples", bags.chosen.len(), self.bags));
        }
        let mut votes: Vec<(Hypothesis, usize)> = Vec::new();
        let mut places: FxHashMap<Hypothesis, usize> = FxHashMap::default();
        for (bag, classes) in bags.chosen.into_iter().enumerate() {
            let mut random = Random::new(bag_seed(training.seed(), bag));
            let rules = classes.iter().map(|&class| base.any(class, &mut random).clone()).collect();
            let hypothesis = Hypothesis { rules };
            let place = *places.entry(canonical_hypothesis(&hypothesis)).or_insert(votes.len());
            if place == votes.len() {
                votes.push((hypothesis, 0));
            }
            votes[place].1 += 1;
        }
        if votes.iter().all(|(hypothesis, _)| hypothesis.rules.is_empty()) {
            return Single.fit(training);
        }
        let total: usize = votes.iter().map(|(_, count)| count).sum();
        let weigh = |(hypothesis, count): (Hypothesis, usize)| training.voter(hypothesis, count as f64 / total as f64);
        Ok(votes.into_iter().map(weigh).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Learner, Settings, Symsnap};
    use crate::snapshot::SnapshotPool;
    use crate::task::Task;
    use std::time::Duration;

    /// 60 examples of `p, or q and r`, every seventh with the wrong label.
    fn noisy() -> Task {
        let mut random = Random::new(5);
        let (mut bk, mut exs) = (String::from("none(none). "), String::new());
        for at in 0..60 {
            let has = [random.below(3) == 0, random.below(2) == 0, random.below(2) == 0];
            for (name, _) in ["p", "q", "r"].iter().zip(has).filter(|(_, has)| *has) {
                bk += &format!("{name}(x{at}). ");
            }
            let label = (has[0] || (has[1] && has[2])) != (at % 7 == 0);
            exs += &format!("{}(f(x{at})). ", if label { "pos" } else { "neg" });
        }
        let bias = "head_pred(f,1). body_pred(p,1). body_pred(q,1). body_pred(r,1). body_pred(none,1).";
        Task::from_texts(&bk, &exs, bias).unwrap()
    }

    #[test]
    fn bags_vote_for_the_concept_behind_noise_and_the_best_snapshot_stands_in_without_time() {
        let task = noisy();
        for cost in Cost::ALL {
            let mut pool = SnapshotPool::default();
            let learner = Symsnap { settings: Settings { cost, ..Settings::default() } };
            learner.learn(&task, &Budget::unlimited(), &mut pool).unwrap();
            assert!(!pool.rules().is_empty());
            let training = Training::new(&task, &pool, cost);
            let voters = Resampled::DEFAULT.fit(&training).unwrap();
            assert!((voters.iter().map(|voter| voter.weight).sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(voters.iter().any(|voter| voter.confusion.fn_ + voter.confusion.fp <= 9), "{cost:?}");
            let late = Training::new(&task, &pool, cost).with_budget(Budget::unlimited().with_time(Duration::ZERO));
            let alone = Resampled::DEFAULT.fit(&late).unwrap();
            assert_eq!(alone.len(), 1);
            assert!(training.notes().is_empty() && late.notes()[0].contains("no time"), "{:?}", late.notes());
            assert_eq!(alone[0].hypothesis, *training.best().unwrap().hypothesis());
        }
    }

    #[test]
    fn only_bags_without_an_example_judge_it() {
        let exs = "pos(f(1)). pos(f(2),3). neg(f(3)). neg(f(4)).";
        let task = Task::from_texts("p(1).", exs, "head_pred(f,1). body_pred(p,1).").unwrap();
        let mut ballot = Ballot::new(&task.examples);
        let mut cover = Cover::empty(&task.examples);
        cover.pos.insert(0);
        cover.neg.insert(0);
        // Both positives and the first negative are out of the bag: one right, two wrong, of weight 3 and 1.
        ballot.count(&cover, &[0, 0], &[0, 1]);
        assert_eq!(ballot.errors(&task.examples), 4);
        // A second bag that covers the second positive makes that a tie, which is positive.
        let mut other = Cover::empty(&task.examples);
        other.pos.insert(1);
        ballot.count(&other, &[5, 0], &[0, 0]);
        assert_eq!(ballot.errors(&task.examples), 1);
    }
}
