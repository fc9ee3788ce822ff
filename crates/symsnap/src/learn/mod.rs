//! The anytime loop: rules come from [`mine`](crate::mine), sets of them from [`combine`](crate::covering), and
//! every set that is at most as costly as the best so far goes to an [`Observer`].
//!
//! [`Learner`] is the paper's `NextCandidate` turned inside out: the learner calls, the observer answers whether to go
//! on. So a learner needs no state machine, and any other that can call back may stand behind the same trait.

mod advice;
mod candidate;
mod functional;
mod memory;
mod passes;
mod programs;
mod ties;
mod why;
mod written;

pub use advice::{Change, Next, Reason, Told};
pub use candidate::{Candidate, Observer, Progress, Source};
pub use memory::{machine_bytes, resident_bytes};
pub use ties::Ties;

use crate::budget::{Budget, StopReason};
use crate::cost::{Confusion, Cost, CostValue};
use crate::covering::theorems::level_bound::lower_bound;
use crate::covering::{Columns, LocalSearch, Pruner, Solution, diverse, prove, prove_and_list};
use crate::database::Database;
use crate::error::Result;
use crate::index::whole;
use crate::language::Taint;
use crate::logic::{Hypothesis, Rule, Terms, canonical_hypothesis};
use crate::mine::{Found, Mine, Parts, merged};
use crate::space::Space;
use crate::task::{Examples, Task};
use functional::Functional;
use programs::Recursion;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;
use why::{Inquest, Tested};
use written::Written;

/// What a learner may be told.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What to minimise.
    pub cost: Cost,
    /// How many threads to use; at least 1.
    pub threads: usize,
    /// For the random choices of the local search.
    pub seed: u64,
    /// How many optima to list, the first included; with 0 or 1 no others are looked for.
    pub optima: usize,
    /// After a proof, look for other optima until all are known or the budget ends, not only for a short while.
    pub until_limit: bool,
    /// How many of the rules found to hand to the observer at the end, for ensembles.
    pub keep: usize,
    /// Leave out hypotheses that give another output for the inputs of a positive than a positive has.
    pub functional: bool,
    /// Mine parts of rules with tables of bindings even where branches would do: slower, the twin to compare with.
    pub tables: bool,
    /// When to set prices on positives.
    pub pricing: Pricing,
    /// Say why, if nothing is found.
    pub explain: bool,
}

/// When prices are set on positives, which leave out rules that are not worth them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pricing {
    /// When the best hypothesis seems to stay and prices seem to be of use.
    #[default]
    Late,
    /// As soon as it can be done, which tends to be too soon.
    Early,
    /// Not at all.
    Never,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            cost: Cost::Mdl,
            threads: 1,
            seed: 1,
            optima: 1000,
            until_limit: false,
            keep: 1000,
            functional: false,
            tables: false,
            pricing: Pricing::default(),
            explain: true,
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The best hypothesis found, if one is better than the empty one.
    pub best: Option<Candidate>,
    /// The cost of the best hypothesis, empty or not.
    pub value: CostValue,
    /// No hypothesis of the space costs less than this.
    pub lower: CostValue,
    /// Whether the best hypothesis is proved to be one: exactly if nothing costs less than it does.
    pub optimal: bool,
    /// Whether the observer was given all hypotheses that cost what the best one does.
    pub ties: Ties,
    /// What was not evaluated to its end, in words: calls that were cut short, errors that may hide a better rule, limits
    /// that recursive programs met ([`program`](crate::program)). Nothing is proved if there is any.
    pub limits: Vec<String>,
    /// What users of the best hypothesis should know, such as a rule that raises an error on some examples.
    pub notes: Vec<String>,
    /// Why the run ended.
    pub stop: StopReason,
    /// Rules tested.
    pub ticks: u64,
    /// When the first candidate was found.
    pub first: Option<Duration>,
    /// How long it took.
    pub elapsed: Duration,
    /// What a run that found nothing learned about why; empty if it found something.
    pub why: Vec<Reason>,
}

/// A learner that calls an observer for every candidate: the paper's `NextCandidate`.
pub trait Learner {
    /// Learn until the space is exhausted, the budget ends or the observer asks to stop.
    ///
    /// # Errors
    /// If the task cannot be learned from at all (weights out of range, for example).
    fn learn(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome>;
}

/// Our learner: complete over the rules of the space, anytime, with a proof at the end.
#[derive(Debug, Clone, Default)]
pub struct Symsnap {
    /// What it is told.
    pub settings: Settings,
}

impl Learner for Symsnap {
    fn learn(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
        let watch = memory::Watch::over(budget);
        let (limits, budget) = (budget, &ties::reserving(budget, self.settings.optima));
        let space = Space::new(task);
        let database = Database::within(task, budget);
        let plain = !task.bias.recursion && !task.bias.invention;
        let merged = if plain { merged(task, &database) } else { None };
        let examples = merged.as_ref().unwrap_or(&task.examples);
        let mut mine = Mine::new(task, examples, &space, &database, self.settings.threads, budget.clone());
        if self.settings.tables {
            mine.use_tables();
        }
        let columns = Columns::new(self.settings.cost, examples.weights())?;
        let mut run = Run::new(mine, columns, examples, &self.settings, (budget, limits), observer);
        if run.mine.calls() {
            run.written = Some(Box::new(Written::new(&database, examples, budget)));
        }
        run.recursion = Recursion::new(task, &space, &database, *run.columns.problem().objective(), budget);
        if self.settings.functional {
            let functional = Functional::new(task, &database);
            if let Some(recursion) = &mut run.recursion {
                recursion.set_functional(functional.queries());
            }
            run.functional = Some(functional);
        }
        run.plain = plain;
        run.watched = watch.is_some();
        let stop = run.search().or_else(|| run.search_programs(None));
        let whole = run.plain
            || run.recursion.as_ref().is_some_and(|recursion| recursion.is_exhausted(self.settings.cost, &run.value));
        let stop = run.finish(stop, whole);
        let unevaluated = run.taints().iter().map(|taint| taint.show(&task.terms)).collect();
        run.hand_over();
        let closest = run.closest();
        let notes = run.troubles(&task.terms);
        let mut outcome = run.outcome(stop, unevaluated, notes);
        if outcome.best.is_none() && self.settings.explain {
            let (settings, ticks, optimal) = (&self.settings, outcome.ticks, outcome.optimal);
            let inquest = Inquest { task, space: &space, database: &database, settings, closest, ticks, optimal };
            outcome.why = inquest.reasons(outcome.stop, limits);
            outcome.elapsed = budget.elapsed();
        }
        Ok(outcome)
    }
}

/// Rows weighed by the local search for a batch that met so many rules, of which so many are new. Under lexicographic
/// costs the exact solver does better between levels, so little is enough. Under `mdl` much is, but not at once: early in
/// a run new rules do more than a better choice among few.
fn effort(cost: Cost, met: usize, new: usize, ticks: u64) -> u64 {
    if cost.size_breaks_ties() {
        4_000 + 200 * new as u64
    } else {
        20_000 + (4_000 * met as u64).min(EFFORT_PER_TICK * ticks)
    }
}

/// At least such a part of it is made.
const LEAST_EFFORT: f64 = 0.2;

/// And between two levels, under `mdl`.
const EFFORT_PER_LEVEL: u64 = 1_000_000;

/// Neither is more than this for each rule tested so far.
const EFFORT_PER_TICK: u64 = 200;

struct Run<'r, 't> {
    mine: Mine<'t>,
    columns: Columns<Parts>,
    /// Where the bias allows recursion.
    recursion: Option<Box<Recursion<'t>>>,
    examples: &'t Examples,
    functional: Option<Functional>,
    local: LocalSearch,
    settings: &'r Settings,
    budget: &'r Budget,
    /// The budget with what is kept for ties.
    limits: &'r Budget,
    observer: &'r mut dyn Observer,
    seen: FxHashSet<Hypothesis>,
    best: Option<Candidate>,
    value: CostValue,
    lower: CostValue,
    first: Option<Duration>,
    /// Hypotheses handed over that cost what the best one does.
    tied: usize,
    ties: Ties,
    broken_off: bool,
    /// How many rules the last look between levels saw.
    settled: usize,
    /// Where background predicates are called: rules as they are written.
    written: Option<Box<Written<'t>>>,
    /// Whether a program covered something else than the search for programs says.
    differed: bool,
    /// How often the search had begun anew when the bound was last set.
    restarts: u32,
    /// Whether the space has neither recursion nor invented predicates.
    plain: bool,
    /// Whether a watch looks after the memory.
    watched: bool,
}

impl<'r, 't> Run<'r, 't> {
    fn new(
        mine: Mine<'t>,
        columns: Columns<Parts>,
        examples: &'t Examples,
        settings: &'r Settings,
        (budget, limits): (&'r Budget, &'r Budget),
        observer: &'r mut dyn Observer,
    ) -> Self {
        let value = columns.problem().evaluate([]).value;
        let lower = settings.cost.value(&Confusion::default(), 0);
        let local = LocalSearch::new(settings.seed);
        Run {
            mine,
            columns,
            recursion: None,
            examples,
            functional: None,
            local,
            settings,
            budget,
            limits,
            observer,
            seen: FxHashSet::default(),
            best: None,
            value,
            lower,
            first: None,
            tied: 0,
            ties: Ties::NotSought,
            broken_off: false,
            settled: 0,
            written: None,
            differed: false,
            restarts: 0,
            plain: true,
            watched: false,
        }
    }

    /// What the best set so far makes needless.
    fn pruner(&mut self) -> Pruner {
        let target = self.target();
        self.columns.pruner(&self.value, &target, self.mine.unreachable(), self.mine.level() as u64 + 1)
    }

    /// The rule with what it covers as written.
    fn as_written(&mut self, found: Found) -> Found {
        match &mut self.written {
            Some(written) => written.settle(found, &mut self.mine),
            None => found,
        }
    }

    /// What was not evaluated to its end, each cause once.
    fn taints(&self) -> BTreeSet<Taint> {
        let mut taints: BTreeSet<Taint> = self.mine.taints().into_iter().collect();
        taints.extend(self.written.iter().flat_map(|written| written.taints.iter().cloned()));
        taints.extend(self.recursion.iter().flat_map(|recursion| recursion.taints()));
        if self.differed {
            taints.insert(Taint::Order);
        }
        taints
    }

    /// The rules of the best hypothesis that raise errors.
    fn troubles(&mut self, terms: &Terms) -> Vec<String> {
        let (Some(written), Some(best)) = (&mut self.written, &self.best) else { return Vec::new() };
        best.hypothesis.rules.iter().filter_map(|rule| written.trouble(rule, terms)).collect()
    }

    /// If the search has begun anew with other inputs, forget what was concluded from the levels it had done; whether
    /// it has.
    fn forget_levels(&mut self) -> bool {
        if self.restarts == self.mine.restarts() {
            return false;
        }
        self.restarts = self.mine.restarts();
        self.lower = self.settings.cost.value(&Confusion::default(), 0);
        self.columns.unset_prices();
        true
    }

    /// Between two levels: a better set from a longer local search or, under lexicographic costs, from the exact solver
    /// as far as it gets in a short while. Local search is weak where the first level of such a cost decides and most
    /// single changes leave it as it is.
    fn settle(&mut self) {
        if self.columns.len() == self.settled {
            return;
        }
        self.settled = self.columns.len();
        if !self.settings.cost.size_breaks_ties() {
            self.improve(EFFORT_PER_LEVEL.min(EFFORT_PER_TICK * self.ticks()));
            return;
        }
        let from = self.local.best(self.columns.problem()).chosen;
        // A share of the time so far; under a tick limit a share that does not depend on time.
        let (budget, mut rises) = if self.budget.tick_limit().is_some() {
            (self.budget.clone(), 32)
        } else {
            let share = self.budget.elapsed() / 5 + Duration::from_millis(5);
            (self.budget.no_later_than(share), u32::MAX)
        };
        let outcome = prove(self.columns.problem(), &from, &budget, &mut |_| {
            rises -= 1;
            if rises == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.local.suggest(self.columns.problem(), &outcome.best().chosen);
        self.offer(outcome.best(), Source::Exact);
        self.raise(outcome.lower());
    }

    /// Raise the bound, given one on the hypotheses of the rules found so far: any other holds a rule that is larger than
    /// all that have been looked for.
    fn raise(&mut self, known: &CostValue) {
        if !self.plain || !self.prices_hold() || self.tainted() {
            return;
        }
        let (unreachable, next) = (self.mine.unreachable(), self.mine.level() + 1);
        let lower = lower_bound(self.settings.cost, known, unreachable, next).min(self.value.clone());
        if lower > self.lower {
            self.lower = lower;
        }
    }

    fn stop(&self) -> Option<StopReason> {
        if self.broken_off {
            return Some(StopReason::Observer);
        }
        let held = || (self.mine.bytes() + self.columns.bytes()) as u64;
        let limit = self.budget.memory_limit().map(memory::ceiling);
        // Where there is a watch it has told the budget; where the system is silent we count, which is too little.
        if limit.is_some_and(|limit| !self.watched && held() > limit) {
            return Some(StopReason::Memory);
        }
        self.budget.check_ticks(self.ticks())
    }

    /// Rules tested.
    fn ticks(&self) -> u64 {
        self.mine.tests() + self.recursion.as_ref().map_or(0, |recursion| recursion.tests())
    }

    /// How many more rules may be tested.
    fn ticks_left(&self) -> u64 {
        self.budget.tick_limit().map_or(u64::MAX, |limit| limit.saturating_sub(self.ticks()))
    }

    /// Look for a better set with the local search, with less effort the longer the best has stood: a quarter of it once
    /// that is half of the run.
    fn improve(&mut self, effort: u64) {
        let ticks = self.ticks().max(1);
        let fresh = self.best.as_ref().map_or(ticks, |best| best.ticks) as f64 / ticks as f64;
        let effort = whole(effort as f64 * (fresh * fresh).max(LEAST_EFFORT));
        let mut better: Vec<Solution> = Vec::new();
        self.local.improve(self.columns.problem(), effort, self.budget, &mut |solution| better.push(solution.clone()));
        for solution in better {
            self.offer(&solution, Source::Local);
        }
    }

    /// Pass a solution on if it is at most as costly as the best and was not passed on before.
    fn offer(&mut self, solution: &Solution, source: Source) {
        let rules = solution.chosen.iter().map(|&id| self.mine.rule(self.columns.payload(id))).collect();
        self.offer_rules(rules, solution, source);
    }

    fn offer_rules(&mut self, rules: Vec<Rule>, solution: &Solution, source: Source) {
        self.offer_hypothesis(Hypothesis { rules }, solution.value.clone(), solution.confusion, source);
    }

    fn offer_hypothesis(&mut self, hypothesis: Hypothesis, value: CostValue, confusion: Confusion, source: Source) {
        if self.broken_off || hypothesis.rules.is_empty() || value > self.value {
            return;
        }
        if !self.seen.insert(canonical_hypothesis(&hypothesis)) {
            return;
        }
        if let Some(functional) = &mut self.functional
            && !functional.admits(&hypothesis, &value)
        {
            return;
        }
        let candidate = Candidate {
            size: hypothesis.size(),
            hypothesis,
            value,
            confusion,
            elapsed: self.budget.elapsed(),
            ticks: self.ticks(),
            source,
        };
        self.first.get_or_insert(candidate.elapsed);
        if self.observer.candidate(&candidate).is_break() {
            self.broken_off = true;
        }
        self.tied += 1;
        if candidate.value < self.value {
            self.tied = 1;
            self.value = candidate.value.clone();
            self.best = Some(candidate);
        }
    }

    fn report(&mut self) {
        let progress = Progress {
            best: self.value.clone(),
            lower: self.bound(),
            ticks: self.ticks(),
            rules: self.columns.len(),
            level: self.mine.level(),
            elapsed: self.budget.elapsed(),
        };
        if self.observer.progress(&progress).is_break() {
            self.broken_off = true;
        }
    }

    /// After the search: the exact best set of the rules found, and its ties. Returns why the run ended; the best can be
    /// proved to be one only if the rules searched are the `whole` space.
    fn finish(&mut self, stop: Option<StopReason>, whole: bool) -> StopReason {
        if let Some(stop) = stop {
            self.list_nearby();
            return stop;
        }
        let from = self.local.best(self.columns.problem()).chosen;
        let best = self.value.clone();
        let mut on_bound = |lower: &CostValue| {
            // Nothing is to be gained from rules alone once they cannot be better than a program that is known.
            if *lower >= best { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let problem = self.columns.problem();
        let (outcome, optima) = if self.seeks_ties() {
            prove_and_list(problem, &from, self.budget, &mut on_bound, || self.listing())
        } else {
            (prove(problem, &from, self.budget, &mut on_bound), None)
        };
        self.offer(outcome.best(), Source::Exact);
        let missed = self.functional.as_ref().is_some_and(|functional| functional.has_refused(&self.value));
        if whole && !missed {
            self.lower = self.lower.clone().max(outcome.lower().clone().min(self.value.clone()));
        }
        if !outcome.is_optimal() && *outcome.lower() < self.value {
            self.list_nearby();
            let ticks = self.budget.tick_limit().map(|_| StopReason::Ticks);
            return self.budget.check().or(ticks).unwrap_or(StopReason::Exhausted);
        }
        match optima {
            Some(optima) if outcome.best().value == self.value => self.list_ties(&optima),
            _ => self.list_nearby(),
        }
        if self.broken_off { StopReason::Observer } else { StopReason::Exhausted }
    }

    /// Whether something that was concluded may rest on what was not evaluated to its end.
    fn tainted(&self) -> bool {
        !self.taints().is_empty()
    }

    /// No hypothesis of the space costs less than this; where that cannot be trusted, nothing is said.
    fn bound(&self) -> CostValue {
        if self.tainted() { self.settings.cost.value(&Confusion::default(), 0) } else { self.lower.clone() }
    }

    /// Whether nothing in the space costs less than the best hypothesis. Every claim of a proof is this one.
    fn proved(&self) -> bool {
        self.bound() >= self.value
    }

    /// Rules that the observer may want, with their twins.
    fn hand_over(&mut self) {
        let cap = self.settings.keep;
        if cap == 0 || self.columns.is_empty() {
            return;
        }
        let mut handed: Vec<Rule> = Vec::new();
        for id in diverse(self.columns.problem(), cap) {
            if handed.len() >= cap {
                break;
            }
            handed.push(self.mine.rule(self.columns.payload(id)));
            handed.extend(self.verified_variants(id, TWINS).into_iter().skip(1).take(TWINS_HANDED));
        }
        self.observer.rules(&handed);
    }

    /// The rule that saves most, where none was worth being a hypothesis.
    fn closest(&self) -> Option<Tested> {
        if self.best.is_some() {
            return None;
        }
        let (id, solution) = self.columns.closest()?;
        Some(Tested { rule: self.mine.rule(self.columns.payload(id)), confusion: solution.confusion })
    }

    /// How the run ended.
    fn outcome(self, stop: StopReason, limits: Vec<String>, notes: Vec<String>) -> Outcome {
        let (ticks, optimal) = (self.ticks(), self.proved());
        Outcome {
            optimal,
            lower: self.bound(),
            ties: self.ties,
            limits,
            notes,
            stop: if optimal { StopReason::Proved } else { stop },
            best: self.best,
            value: self.value,
            ticks,
            first: self.first,
            elapsed: self.budget.elapsed(),
            why: Vec::new(),
        }
    }
}

/// Of so many twins of a rule the first are handed over with it.
const TWINS: usize = 16;
/// So many twins of a rule are handed over with it.
const TWINS_HANDED: usize = 3;
