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
//! (out of bag; the own cost of equals). Where rules have learned numbers or constants, which fit the training examples
//! better than others, they are tried with a price on these as well ([`fair_price`](crate::task::Task)). That needs no examples held out, because a sample leaves out a third of them.

use super::bag_cost::BagCost;
use super::bags::bag_seed;
use super::method::small_count;
use super::out_of_bag::OutOfBag;
use super::rulebase::resample;
use super::stock::Stock;
use super::voter::{all, figures};
use super::{Method, Paper, Purpose, Training, Voter};
use crate::cost::Cost;
use crate::error::Result;
use crate::index::narrow;
use crate::logic::{DistinctRules, Hypothesis};
use crate::sets::Cover;
use crate::task::Random;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// Votes of fewer samples than this are worse than the best snapshot, so snapshots have the votes that are missing.
const LEAST: usize = 7;
/// About what fitting takes, whatever the task and for each example. It depends as much on how many rules there are and
/// how they overlap, which nobody knows before learning: 548 examples took 0.3 s, 4,215 took 1.7 s, and 24,649 of
/// another task 0.8 s.
const TAKES: (Duration, Duration) = (Duration::from_millis(200), Duration::from_micros(40));
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

    /// The bags of the objective whose votes are right most often out of the bag. Those of the run's own cost come first
    /// and count one by one; those of another objective count only if there was time for all of them, because votes of
    /// fewer bags look worse than they are. `None` if there was no time for a single bag.
    fn best_bags(&self, training: &Training<'_>, stock: &Stock, stopped: &dyn Fn() -> bool) -> Result<Option<Bags>> {
        let objectives = self.objectives(training, stock);
        let (mut best, mut tried): (Option<Bags>, usize) = (None, 0);
        let mut longest = Duration::ZERO;
        for &objective in &objectives {
            if best.is_some() && training.budget().remaining().is_some_and(|left| left < longest) {
                break;
            }
            let started = Instant::now();
            let found = Bags::new(training, stock, self, objective, stopped)?;
            longest = longest.max(started.elapsed());
            if found.chosen.is_empty() || (best.is_some() && found.chosen.len() < self.bags) {
                break;
            }
            tried += 1;
            let whole = found.chosen.len() == self.bags;
            if best.as_ref().is_none_or(|best| found.errors < best.errors) {
                best = Some(found);
            }
            if !whole {
                break;
            }
        }
        if best.as_ref().is_some_and(|best| best.chosen.len() == self.bags) && tried < objectives.len() {
            training.note(format!("there was time to try {tried} of {} prices of an error", objectives.len()));
        }
        Ok(best)
    }

    fn objectives(&self, training: &Training<'_>, stock: &Stock) -> Vec<BagCost> {
        let constant = training.task().bias.price_of_constant();
        if self.price > 0 {
            return vec![BagCost { cost: Cost::Mdl, example: self.price, literal: 1, constant }];
        }
        let own = BagCost { cost: training.cost(), example: 1, literal: 1, constant };
        let others = PRICES.iter().map(|&(example, literal)| BagCost { cost: Cost::Mdl, example, literal, constant });
        let mut objectives: Vec<BagCost> = std::iter::once(own).chain(others).collect();
        // Without a price of their own, numbers and constants are tried with one, too.
        let fair = if constant == 0 && stock.has_constants() { training.task().fair_price() } else { 0 };
        let priced = [training.cost(), Cost::Mdl].map(|cost| BagCost { cost, example: 1, literal: 1, constant: fair });
        objectives.extend(priced.into_iter().filter(|_| fair > 0));
        let mut first = 0;
        objectives.retain(|objective| {
            first += 1;
            first == 1 || *objective != own
        });
        objectives.dedup();
        objectives
    }
}

/// The weight of examples that the votes of samples without them get wrong, where each sample minimises one of `costs`,
/// for each of them. `None` if the rules found mean nothing alone, or if there was no time for all samples.
///
/// # Errors
/// If the weights of the examples are too large for a cost.
pub(crate) fn out_of_bag_errors(training: &Training<'_>, costs: &[Cost]) -> Result<Option<Vec<u64>>> {
    let stock = Stock::new(training);
    if stock.is_empty() || matches!(stock, Stock::Members(_)) {
        return Ok(None);
    }
    let stopped = || training.budget().check().is_some();
    let settings = Resampled::DEFAULT;
    let mut errors = Vec::with_capacity(costs.len());
    for &cost in costs {
        let constant = training.task().bias.price_of_constant();
        let objective = BagCost { cost, example: 1, literal: 1, constant };
        let bags = Bags::new(training, &stock, &settings, objective, &stopped)?;
        if bags.chosen.len() < settings.bags {
            return Ok(None);
        }
        errors.push(bags.errors);
    }
    Ok(Some(errors))
}

/// What samples say about the examples that they leave out, if each minimises the cost of the run. `None` if the rules found mean
/// nothing alone, or if there was no time for all samples.
///
/// # Errors
/// If the weights of the examples are too large for a cost.
pub(super) fn out_of_bag(training: &Training<'_>) -> Result<Option<OutOfBag>> {
    let stock = Stock::new(training);
    if stock.is_empty() {
        return Ok(None);
    }
    let stopped = || training.budget().check().is_some();
    let constant = training.task().bias.price_of_constant();
    let objective = BagCost { cost: training.cost(), example: 1, literal: 1, constant };
    let bags = Bags::new(training, &stock, &Resampled::DEFAULT, objective, &stopped)?;
    Ok((bags.chosen.len() == Resampled::DEFAULT.bags).then_some(bags.votes))
}

/// What is best for the samples.
struct Bags {
    chosen: Vec<Vec<usize>>,
    /// What bags say about the examples that they leave out.
    votes: OutOfBag,
    /// Weight of examples that these votes get wrong.
    errors: u64,
}

impl Bags {
    /// As many bags as there is time for. One that the end of the time cuts short does not count.
    fn new(
        training: &Training<'_>,
        stock: &Stock,
        settings: &Resampled,
        objective: BagCost,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Self> {
        let examples = &training.task().examples;
        let mut chosen = Vec::with_capacity(settings.bags);
        let mut votes = OutOfBag::new(examples);
        for bag in 0..settings.bags {
            if stopped() {
                break;
            }
            let seed = bag_seed(training.seed(), bag);
            let (pos, neg) = resample(examples, seed);
            let choice = stock.best(objective, (&pos, &neg), seed, training.budget())?;
            if stopped() {
                break;
            }
            let mut cover = Cover::empty(examples.sides());
            choice.iter().for_each(|&number| cover.union_with(stock.cover(number)));
            votes.count(&cover, &pos, &neg);
            chosen.push(choice);
        }
        Ok(Bags { chosen, errors: votes.errors(examples), votes })
    }
}

impl Method for Resampled {
    fn name(&self) -> &'static str {
        "resampled"
    }

    fn summary(&self) -> &'static str {
        "for each of many bootstrap samples, the best set of the rules found votes"
    }

    fn purpose(&self) -> Purpose {
        Purpose::Use
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("bags", self.bags as f64), ("price", f64::from(self.price))]
    }

    fn with_setting(&self, name: &str, value: f64) -> Option<Box<dyn Method>> {
        let changed = match name {
            "bags" => Resampled { bags: small_count(value)?, ..*self },
            "price" if value == 0.0 => Resampled { price: 0, ..*self },
            "price" => Resampled { price: narrow(small_count(value)?), ..*self },
            _ => return None,
        };
        Some(Box::new(changed))
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn takes(&self, examples: usize) -> Duration {
        TAKES.0 + TAKES.1 * u32::try_from(examples).unwrap_or(u32::MAX)
    }

    fn is_sampled(&self) -> bool {
        true
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        self.fit_until(training, &|| training.budget().check().is_some())
    }
}

impl Resampled {
    /// [`Method::fit`] with as many bags as are finished when `stopped` is first true; it is asked before and after each.
    fn fit_until(&self, training: &Training<'_>, stopped: &dyn Fn() -> bool) -> Result<Vec<Voter>> {
        if training.best().is_none() {
            return Ok(Vec::new());
        }
        let stock = Stock::new(training);
        if stock.is_empty() {
            return Ok(training.fall_back("there was no time to test rules for the samples of `resampled`"));
        }
        let Some(bags) = self.best_bags(training, &stock, stopped)? else {
            return Ok(training.fall_back("there was no time for the samples of `resampled`"));
        };
        let missing = LEAST.min(self.bags).saturating_sub(bags.chosen.len());
        if bags.chosen.len() < self.bags {
            let filled = match missing {
                0 => String::new(),
                _ => format!("; snapshots, weighted as `paper` weighs them, have {missing} votes beside theirs"),
            };
            training.note(format!("there was time for {} of {} samples{filled}", bags.chosen.len(), self.bags));
        }
        let total = (bags.chosen.len() + missing) as f64;
        let mut votes = Votes::default();
        for (bag, choice) in bags.chosen.iter().enumerate() {
            votes.add(stock.draw(choice, &mut Random::new(bag_seed(training.seed(), bag))));
        }
        if missing == 0 && votes.0.iter().all(|(hypothesis, _)| hypothesis.rules.is_empty()) {
            return Ok(training.fall_back("on every sample nothing is better than no rule at all"));
        }
        if missing == 0 {
            training.remember_out_of_bag(bags.votes);
        }
        let weigh = |(hypothesis, count): (Hypothesis, usize)| training.voter(hypothesis, count as f64 / total);
        let mut voters: Vec<Voter> = votes.0.into_iter().map(weigh).collect();
        if missing > 0 {
            let shares = Paper::DEFAULT.weights(&figures(training.pool()));
            let shares: Vec<f64> = shares.iter().map(|share| share * missing as f64 / total).collect();
            voters.extend(all(training.pool(), &shares));
        }
        Ok(voters)
    }
}

/// How often each different hypothesis was chosen.
#[derive(Default)]
struct Votes(Vec<(Hypothesis, usize)>, FxHashMap<Vec<usize>, usize>, DistinctRules);

impl Votes {
    fn add(&mut self, hypothesis: Hypothesis) {
        let Votes(votes, places, distinct) = self;
        let mut key: Vec<usize> = hypothesis.rules.iter().map(|rule| distinct.number(rule)).collect();
        key.sort_unstable();
        key.dedup();
        let place = *places.entry(key).or_insert(votes.len());
        if place == votes.len() {
            votes.push((hypothesis, 0));
        }
        votes[place].1 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Budget, Cancel};
    use crate::ensemble::{Model, OutsideHypothesis, evaluate};
    use crate::learn::{Learner, Settings, Symsnap};
    use crate::snapshot::SnapshotPool;
    use crate::task::Task;
    use std::cell::Cell;

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

    fn learned(task: &Task, cost: Cost) -> SnapshotPool {
        let mut pool = SnapshotPool::default();
        let learner = Symsnap { settings: Settings { cost, ..Settings::default() } };
        learner.learn_task(task, &Budget::unlimited(), &mut pool).unwrap();
        assert!(!pool.rules().is_empty(), "{cost:?}");
        pool
    }

    fn sum(voters: &[Voter]) -> f64 {
        voters.iter().map(|voter| voter.weight).sum()
    }

    #[test]
    fn bags_vote_for_the_concept_behind_noise() {
        let task = noisy();
        for cost in Cost::ALL {
            let pool = learned(&task, cost);
            let training = Training::new(&task, &pool, cost);
            let voters = Resampled::DEFAULT.fit(&training).unwrap();
            assert!((sum(&voters) - 1.0).abs() < 1e-9);
            assert!(voters.iter().any(|voter| voter.confusion.fn_ + voter.confusion.fp <= 9), "{cost:?}");
            assert!(training.notes().is_empty(), "{:?}", training.notes());
        }
    }

    #[test]
    fn weighted_snapshots_stand_in_where_there_is_no_time_at_all_and_the_model_says_so() {
        let task = noisy();
        let cancel = Cancel::default();
        cancel.raise();
        let expired = Budget::unlimited().with_time(Duration::ZERO);
        for (cost, budget) in
            Cost::ALL.into_iter().zip([expired.clone(), expired, Budget::unlimited().with_cancel(cancel)])
        {
            let pool = learned(&task, cost);
            let late = Training::new(&task, &pool, cost).with_budget(budget);
            let model = Model::fit(&late, &Resampled::DEFAULT).unwrap();
            assert_eq!(model.members.len(), pool.members().len());
            let weights: Vec<f64> = model.members.iter().map(|member| member.weight).collect();
            assert_eq!(weights, Paper::DEFAULT.weights(&figures(&pool)));
            let note = "there was no time to test rules for the samples of `resampled`: \
                        the snapshots vote, weighted as `paper` weighs them";
            assert_eq!(model.notes, [note]);
        }
    }

    #[test]
    fn every_finished_bag_counts_and_snapshots_have_the_votes_that_are_missing() {
        let task = noisy();
        let pool = learned(&task, Cost::Mdl);
        let whole = Resampled::DEFAULT.fit(&Training::new(&task, &pool, Cost::Mdl)).unwrap();
        for finished in [0usize, 1, 3, 7, 12, 25] {
            let training = Training::new(&task, &pool, Cost::Mdl);
            let asked = Cell::new(0);
            let stopped = || {
                asked.set(asked.get() + 1);
                asked.get() > 2 * finished
            };
            let voters = Resampled::DEFAULT.fit_until(&training, &stopped).unwrap();
            assert!((sum(&voters) - 1.0).abs() < 1e-9, "{finished}");
            assert!(voters.len() > 1, "{finished}");
            let notes = training.notes().join("; ");
            let snapshots = &pool.members()[0];
            let has_snapshots = voters.iter().any(|voter| &voter.hypothesis == snapshots.hypothesis());
            match finished {
                0 => assert!(notes.starts_with("there was no time for the samples of `resampled`"), "{notes}"),
                1 | 3 => {
                    assert!(
                        notes.starts_with(&format!("there was time for {finished} of 25 samples; snap")),
                        "{notes}"
                    );
                    assert!(has_snapshots);
                    let bags: f64 = voters[..voters.len() - pool.members().len()].iter().map(|it| it.weight).sum();
                    assert!((bags - finished as f64 / 7.0).abs() < 1e-9, "{bags}");
                }
                25 => assert_eq!(notes, "there was time to try 1 of 4 prices of an error"),
                _ => assert_eq!(notes, format!("there was time for {finished} of 25 samples")),
            }
        }
        assert!(whole.len() > 1);
    }

    #[test]
    fn members_whose_rules_call_each_other_are_chosen_whole() {
        let edges: String = (0..12).map(|at| format!("e({at},{}). ", at + 1)).collect();
        let exs: String = (0..12)
            .flat_map(|a| (0..12).map(move |b| format!("{}(f({a},{b})). ", if a < b { "pos" } else { "neg" })))
            .collect();
        let mut task = Task::from_texts(&edges, &exs, "head_pred(f,2). body_pred(e,2). enable_recursion.").unwrap();
        let texts = ["f(A,B) :- e(A,B).", "f(A,B) :- e(A,B).\nf(A,B) :- e(A,C), f(C,B)."];
        let found: Vec<OutsideHypothesis> =
            texts.iter().map(|&rules| OutsideHypothesis { rules: rules.to_owned(), line: 1 }).collect();
        let mut pool = SnapshotPool::default();
        evaluate("<test>", &found, &mut task, Cost::Mdl).unwrap().iter().for_each(|candidate| {
            pool.offer(candidate);
        });
        let training = Training::new(&task, &pool, Cost::Mdl);
        let voters = Resampled::DEFAULT.fit(&training).unwrap();
        assert_eq!(voters.len(), 1, "the transitive closure is best on every sample");
        assert_eq!(&voters[0].hypothesis, pool.members()[1].hypothesis());
        assert!(training.notes().is_empty(), "{:?}", training.notes());
    }
}
