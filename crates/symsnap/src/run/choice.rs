//! Which cost to minimise where nobody has said: errors first (`errorsize`), or description length (`mdl`).
//!
//! Without noise errors first is right: a hypothesis without errors is what people expect to see, however few examples
//! there are, and description length does not pay for it (two positives are worth no rule of three literals). With noise
//! it is wrong: it buys every mislabelled example with a rule. So the learner minimises errors first, for a share of the
//! run, and then the data decide: of the rules found the best sets are chosen for bootstrap samples, once under either
//! cost, and their votes on the examples outside the samples say which cost is right more often, as for the default
//! ensemble ([`Resampled`](crate::ensemble::Resampled)). A hypothesis without errors has the benefit of the doubt: it is
//! given up only where votes under `mdl` are wrong less often by more than chance.
//!
//! Votes outside the samples are about sets of rules; the rules themselves were found on all examples. Where rules have learned
//! numbers, that flatters errors first: a number chosen to leave out one negative says something of an example outside the
//! sample. Of diabetes patients (MASS's `Pima`), 154 literals had no error on 316, votes outside samples had 39 errors under
//! `errorsize` and 80 under `mdl`, and on 316 others it was 96 and 81. So with learned numbers errors come first only where there
//! is a hypothesis without errors, and it must also take fewer bits to write than the labels that it explains: the more time
//! there is, the sooner long rules tell all training examples apart. (Of 400 points on either side of a noisy line in ten
//! dimensions, after ten seconds dozens of numbers had no error; its ensemble was right on 67 % of 800 others, and under `mdl` on 78 %.
//! Of loans,
//! modeldata's `credit_data`, errors first was chosen by votes, and 576 conditions were right on 74.7 % of others; under `mdl` 79 on
//! 77.2 %: bench/results/TABLES.md.)
//!
//! Nor does a newcomer know how long rules must be. Where nobody has said, bodies have at most [`Bias::MAX_BODY`]
//! literals, which is quick; where no hypothesis of such rules is without errors, up to [`WIDE`] are tried within the
//! share, and kept if they are.
//!
//! *Rejected*: a hypothesis without errors whenever there is one (with a rich language there is one behind noise, too);
//! one cost with errors at a price (no price is right for two positives and for a thousand); ten literals from the start,
//! as Popper 5 has it (proofs of tasks that six solve take ten to a hundred times as long).

use super::heard::Ear;
use crate::budget::{Budget, StopReason};
use crate::cost::Cost;
use crate::ensemble::{Training, out_of_bag_errors};
use crate::error::Result;
use crate::instance::Instance;
use crate::learn::{Candidate, KeptRule, Learner, NamedLearner, Observer, Outcome, Progress, Settings};
use crate::logic::Rule;
use crate::snapshot::{Selection, SnapshotPool};
use crate::task::{Bias, Examples, Task};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Until the choice a run takes at most one part in this of its limit, and at most [`LONGEST`]: of long runs nearly all is left
/// for the cost that is chosen.
const SHARE: u32 = 2;
/// The votes that decide may take one part in this of what is left then, and at most [`LONGEST`].
const VOTES: u32 = 4;
/// The longest that either stage before the choice may take.
const LONGEST: Duration = Duration::from_secs(15);

/// Body literals of the second attempt at a hypothesis without errors: what Popper 5 allows by default.
const WIDE: usize = 10;

/// Why `mdl` was not chosen where it was not tried.
const NO_TIME: &str = "the run ended before mdl could be tried";

/// What to minimise: a cost, or whichever of two the data speak for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CostChoice {
    /// This one.
    #[doc(hidden)]
    Fixed(Cost),
    /// `errorsize` or `mdl`.
    #[default]
    Auto,
}

impl CostChoice {
    /// The name of the choice that is left to the data.
    #[doc(hidden)]
    pub const AUTO: &str = "auto";

    /// All choices by name.
    #[doc(hidden)]
    pub fn names() -> Vec<&'static str> {
        std::iter::once(CostChoice::AUTO).chain(Cost::ALL.iter().map(|cost| cost.name())).collect()
    }

    /// The choice with that name.
    #[doc(hidden)]
    pub fn from_name(name: &str) -> Option<Self> {
        if name == CostChoice::AUTO { Some(CostChoice::Auto) } else { Cost::from_name(name).map(CostChoice::Fixed) }
    }

    /// What is minimised first: the cost that is given, or errors.
    pub(super) fn first(self) -> Cost {
        self.fixed().unwrap_or(Cost::ErrorSize)
    }

    /// The cost, if it is given.
    #[doc(hidden)]
    pub fn fixed(self) -> Option<Cost> {
        match self {
            CostChoice::Fixed(cost) => Some(cost),
            CostChoice::Auto => None,
        }
    }
}

impl From<Cost> for CostChoice {
    fn from(cost: Cost) -> Self {
        CostChoice::Fixed(cost)
    }
}

/// What came of learning under a cost that was chosen on the way.
pub(super) struct Chosen {
    /// The task, with the limits that it was searched with.
    pub(super) task: Arc<Task>,
    pub(super) cost: Cost,
    /// Why that cost, in words.
    pub(super) reason: String,
    pub(super) outcome: Outcome,
}

/// Learn from `task`, whose instance is `on`, errors first for a share of `budget`; choose, and go on with what is chosen.
pub(super) fn learn(
    (task, on): (&Arc<Task>, &Instance<'_>),
    settings: &Settings,
    learner: &NamedLearner,
    budget: &Budget,
    ear: &mut Ear,
) -> Result<Chosen> {
    // The share is no place to wait for further ties.
    let scout = learner.make(Settings { cost: Cost::ErrorSize, until_limit: false, ..settings.clone() });
    let first = Attempt::errors_first((task, on), &*scout, budget, ear)?;
    let rest = match budget.remaining() {
        Some(left) if budget.tick_limit().is_none() => budget.no_later_than((left / VOTES).min(LONGEST)),
        _ => budget.clone().without_time(),
    };
    let pool = ear.pool();
    let training = Training::new(&first.task, &pool, Cost::ErrorSize).with_seed(settings.seed);
    let verdict = judge(&first.outcome, &training.with_budget(rest).sharing(on))?;
    let errors_first = verdict.errors_first;
    ear.choose(&verdict.reason);
    let ended = matches!(first.outcome.stop, StopReason::Proved | StopReason::Exhausted);
    let spent = stopped_for_good(&first.outcome) || budget.check_ticks(first.ticks).is_some();
    if spent || (ended && errors_first && !settings.until_limit) {
        let reason = if errors_first { verdict.reason } else { NO_TIME.to_owned() };
        let outcome = Outcome { ticks: first.ticks, ..first.outcome };
        return Ok(Chosen { task: first.task, cost: Cost::ErrorSize, reason, outcome });
    }
    // Rules of a wide body were worth it only for a hypothesis without errors.
    let (original, task) = (task, if errors_first { first.task } else { Arc::clone(task) });
    let cost = if errors_first { Cost::ErrorSize } else { Cost::Mdl };
    ear.begin(&task, cost);
    let rest = match budget.tick_limit() {
        Some(limit) => budget.clone().with_ticks(limit.saturating_sub(first.ticks)),
        None => budget.clone(),
    };
    let same = Arc::ptr_eq(&task, original);
    let on = if same { on.clone() } else { on.with_bias(task.bias.clone(), &rest) };
    let outcome = learner.make(Settings { cost, ..settings.clone() }).learn(&on, &rest, ear)?;
    let outcome = with_earlier(Outcome { ticks: first.ticks + outcome.ticks, ..outcome }, &task, &ear.pool());
    Ok(Chosen { task, cost, reason: verdict.reason, outcome })
}

/// The outcome of a run that was begun anew, with what the pool has of the run before: it repeats that run and so finds
/// nothing worse, unless the machine was busier.
fn with_earlier(mut outcome: Outcome, task: &Task, pool: &SnapshotPool) -> Outcome {
    outcome.first = pool.members().first().map(|member| member.candidate.elapsed);
    if let Some(best) = pool.select(Selection::Baseline).first()
        && best.candidate.value < outcome.value
    {
        outcome.value = best.candidate.value.clone();
        outcome.best = Some(best.candidate.clone());
        outcome.optimal = outcome.lower >= outcome.value;
        // What was noted is about the hypothesis that this one replaces.
        let unseen = "there was no time to look for errors that rules raise".to_owned();
        outcome.notes = Vec::from_iter(task.may_raise().then_some(unseen));
    }
    outcome
}

/// Whether something other than a limit on this part of the run ended it.
fn stopped_for_good(outcome: &Outcome) -> bool {
    matches!(outcome.stop, StopReason::Cancelled | StopReason::Memory | StopReason::Observer)
}

/// The first part of a run: errors first.
struct Attempt {
    outcome: Outcome,
    /// With the limits that the outcome is about.
    task: Arc<Task>,
    ticks: u64,
}

impl Attempt {
    fn errors_first(
        (task, on): (&Arc<Task>, &Instance<'_>),
        learner: &dyn Learner,
        budget: &Budget,
        ear: &mut Ear,
    ) -> Result<Self> {
        let share = Self::share(budget);
        let outcome = learner.learn(on, &share, ear)?;
        let ticks = outcome.ticks;
        ear.add_ticks(ticks);
        let narrow = Attempt { outcome, task: Arc::clone(task), ticks };
        let ended = matches!(narrow.outcome.stop, StopReason::Proved | StopReason::Exhausted);
        let may_widen = !task.bias.max_body_given && task.bias.max_body == Bias::MAX_BODY;
        if !ended || errors(&narrow.outcome) == 0 || !may_widen || share.check_ticks(ticks).is_some() {
            return Ok(narrow);
        }
        let mut wide = Task::clone(task);
        wide.bias.max_body = WIDE;
        let wide = Arc::new(wide);
        let rest = match share.tick_limit() {
            Some(limit) => share.with_ticks(limit - ticks),
            None => share,
        };
        let mut aside = Aside { found: Vec::new(), rules: Vec::new(), ear };
        let outcome = learner.learn(&on.with_bias(wide.bias.clone(), &rest), &rest, &mut aside)?;
        let Aside { found, rules, ear } = aside;
        let ticks = ticks + outcome.ticks;
        if errors(&outcome) == 0 {
            ear.begin(&wide, Cost::ErrorSize);
            // Who wants to stop will say so again.
            found.iter().for_each(|candidate| _ = ear.candidate(candidate));
            ear.rules(&rules, &wide.examples);
        }
        ear.add_ticks(outcome.ticks);
        if errors(&outcome) > 0 { Ok(Attempt { ticks, ..narrow }) } else { Ok(Attempt { outcome, task: wide, ticks }) }
    }

    /// The limits of the first part of a run with these limits.
    fn share(budget: &Budget) -> Budget {
        let share = match budget.tick_limit() {
            Some(limit) => budget.clone().with_ticks(limit / u64::from(SHARE)),
            None => budget.clone(),
        };
        match budget.remaining() {
            // Under a tick limit the clock decides nothing, so that a run repeats.
            Some(left) if budget.tick_limit().is_none() => share.no_later_than((left / SHARE).min(LONGEST)),
            _ => share,
        }
    }
}

/// Keeps what an attempt finds until it is known whether it counts.
struct Aside<'e> {
    found: Vec<Candidate>,
    rules: Vec<KeptRule>,
    ear: &'e mut Ear,
}

impl Observer for Aside<'_> {
    fn candidate(&mut self, candidate: &Candidate) -> ControlFlow<()> {
        self.found.push(candidate.clone());
        ControlFlow::Continue(())
    }

    fn rules(&mut self, rules: &[KeptRule], _examples: &Examples) {
        self.rules = rules.to_vec();
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.ear.progress(progress)
    }
}

/// The weight of the examples that the best hypothesis gets wrong.
fn errors(outcome: &Outcome) -> u64 {
    outcome.value.0[0]
}

/// Rules that are no list of examples, however few they explain: on a handful of examples people expect to see a rule.
const FEW_RULES: usize = 3;

/// Whether the best hypothesis takes more bits than the labels that it explains: it has more than few rules, and to write these,
/// each literal one of as many as there are predicates and comparisons, each number as many literals as the values that it could
/// be, takes more than to say of each example which label it has.
fn outweighs_labels(outcome: &Outcome, task: &Task) -> bool {
    let Some(best) = outcome.best.as_ref().filter(|best| best.hypothesis.rules.len() > FEW_RULES) else { return false };
    let constants: usize = best.hypothesis.rules.iter().map(Rule::constants).sum();
    let literals = best.hypothesis.size() + constants * task.fair_price() as usize;
    let sum = |weights: &[u32]| weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
    let (pos, neg) = (sum(task.examples.positive_weights()), sum(task.examples.negative_weights()));
    let bits = |of: f64| if of > 0.0 { of * ((pos + neg) / of).log2() } else { 0.0 };
    literals as f64 * (task.words() as f64).log2() > bits(pos) + bits(neg)
}

/// What to minimise, and why.
struct CostVerdict {
    /// Whether errors come before description length.
    errors_first: bool,
    reason: String,
}

/// Which cost the data speak for, after errors came first for a while with this outcome and what `training` has.
fn judge(outcome: &Outcome, training: &Training<'_>) -> Result<CostVerdict> {
    let wrong = errors(outcome);
    let bias = &training.task().bias;
    let body = bias.max_body;
    let found = match wrong {
        0 if body > Bias::MAX_BODY && !bias.max_body_given => {
            format!("there is a hypothesis without errors, of rules with up to {body} body literals")
        }
        0 => "there is a hypothesis without errors".to_owned(),
        _ => "no hypothesis without errors was found".to_owned(),
    };
    let verdict = |errors_first, reason| Ok(CostVerdict { errors_first, reason });
    if outcome.best.is_none() {
        let none = "no hypothesis has fewer errors than the empty one";
        let known = if outcome.optimal { none } else { "no hypothesis with fewer errors than the empty one was found" };
        return verdict(true, known.to_owned());
    }
    if stopped_for_good(outcome) {
        return verdict(true, NO_TIME.to_owned());
    }
    if !bias.cuts.is_empty() && outweighs_labels(outcome, training.task()) {
        let why = "the hypothesis with fewest errors takes more to write than the labels that it explains";
        return verdict(false, why.to_owned());
    }
    if !bias.cuts.is_empty() && wrong > 0 {
        let why = "no hypothesis without errors was found, and what learned numbers fit by chance votes do not show";
        return verdict(false, why.to_owned());
    }
    let Some(votes) = out_of_bag_errors(training, &[Cost::ErrorSize, Cost::Mdl])? else {
        return verdict(wrong == 0, found);
    };
    let (first, mdl) = (votes[0], votes[1]);
    let votes = format!("errors of votes outside their bootstrap samples: {first} under errorsize, {mdl} under mdl");
    verdict(prefers_errors_first(wrong, first, mdl), format!("{found}; {votes}"))
}

/// Whether errors come first, given how many the best hypothesis has and how many votes under either cost have out of the
/// bag. The examples on which the two votes differ are at most as many as both get wrong together, so chance moves their
/// difference by about the square root of that.
fn prefers_errors_first(wrong: u64, errors_first: u64, mdl: u64) -> bool {
    match errors_first.checked_sub(mdl) {
        None => true,
        Some(0) => wrong == 0,
        Some(more) => wrong == 0 && more * more <= errors_first + mdl,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hypothesis_without_errors_is_given_up_only_for_more_than_chance() {
        assert!(prefers_errors_first(0, 5, 5));
        assert!(prefers_errors_first(0, 7, 5));
        assert!(!prefers_errors_first(0, 60, 25));
        assert!(prefers_errors_first(3, 4, 5));
        assert!(!prefers_errors_first(3, 5, 5));
    }

    /// Things of one size with both labels: no hypothesis is without errors.
    #[test]
    fn where_learned_numbers_leave_errors_description_length_is_chosen_without_a_vote() {
        let bk: String = (0..40).map(|at| format!("size(e{at},{}). ", at / 2)).collect();
        let label = |at: u32| if at >= 20 || at == 4 { "pos" } else { "neg" };
        let exs: String = (0..40).map(|at| format!("{}(f(e{at})). ", label(at))).collect();
        let bias = "head_pred(f,1). body_pred(size,2). type(f,(thing,)). type(size,(thing,number)). numeric(number).";
        let learned = super::super::Learn::new(Task::from_texts(&bk, &exs, bias).unwrap()).ticks(50_000).run().unwrap();
        assert_eq!(learned.cost, Cost::Mdl);
        assert!(learned.choice.as_ref().is_some_and(|why| why.contains("fit by chance")), "{:?}", learned.choice);
    }

    /// Labels that have nothing to do with the number: a rule for each positive has no errors, and is no hypothesis.
    #[test]
    fn numbers_that_tell_examples_apart_one_by_one_speak_for_description_length() {
        let number = |at: u64| at * 37 % 101;
        let bk: String = (0..24).map(|at| format!("size(e{at},{}). ", number(at))).collect();
        let label = |at: u64| if number(at) % 2 == 0 { "pos" } else { "neg" };
        let exs: String = (0..24).map(|at| format!("{}(f(e{at})). ", label(at))).collect();
        let bias = "head_pred(f,1). body_pred(size,2). type(f,(thing,)). type(size,(thing,number)). numeric(number).";
        let learned = |exs: &str| {
            let task = Task::from_texts(&bk, exs, bias).unwrap();
            super::super::Learn::new(task).ticks(50_000).run().unwrap()
        };
        let list = learned(&exs);
        assert_eq!(list.cost, Cost::Mdl, "{:?}", list.choice);
        let handful = "pos(f(e0)). pos(f(e1)). neg(f(e2)). neg(f(e5)).";
        assert_eq!(learned(handful).cost, Cost::ErrorSize, "one rule is no list");
    }
}
