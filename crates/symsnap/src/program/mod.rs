//! Programs: rules that call what they define. Smallest programs first, each tested once, all base rules at a time.
//!
//! A recursive program has base rules, which call the background alone, and rules that call the program. Both are
//! enumerated without repetition, literal by literal ([`bases`], [`growth`]). A program is never tested by itself: one
//! least fixpoint ([`fixpoint`]) tells for one rule that calls the program, and all base rules at once, which examples
//! follow.
//!
//! # What a test rules out
//! Programs are definite, so their least model grows with each rule and shrinks with each literal. Hence, with the cost
//! of the best hypothesis as the [incumbent](Incumbent):
//! - *Incomplete*: if base `b` and rule `r` miss so many positives that even without false positives they cannot get
//!   below the incumbent, neither can `b` and any rule with the literals of `r` and more (a specialisation). The same holds
//!   for a beginning of a rule, calls that are not there yet counting as answered. The pair is dropped, and with it all
//!   its extensions.
//! - *Inconsistent*: a program covers what its base rules cover alone. A base rule that covers more negatives than the
//!   incumbent allows is in no program that is sought; nor is a set of rules that contains one (a generalisation).
//! - *Alike*: base rules that answer every call alike that any program tested so far has made are interchangeable; the
//!   smallest stands for all.
//! - *Size*: sizes are exhausted one after the other, so the first program without errors is the smallest one.
//!
//! # Limits
//! Recursion may lead to endlessly many calls, so two things do not count: answers of the background with terms far
//! larger than those of the examples ([`lookup`]), and what one program derives for one example only after more calls or
//! steps than [`fixpoint`] allows. Both say what a *program* covers, whatever it is tested together with, so a search that
//! is done has found the best program up to these limits; [`Programs::taints`] tells whether they have been met.
//!
//! *Rejected*: testing programs one by one with the embedded evaluator (a thousand a second); pairing base and recursive
//! rules after testing each (nothing can be said of a recursive rule alone); an answer-set solver that is told what
//! failed, as Popper does (constraints pile up, and each program is still tested alone).
//!
//! Not for: rules that call nothing but the background. [`mine`](crate::mine) has those.

mod bases;
mod bits;
mod calls;
mod fixpoint;
mod growth;
mod lookup;
mod several;
mod stage;
mod test;
mod words;

use crate::budget::Budget;
use crate::cost::{CostValue, Incumbent, Objective};
use crate::database::Database;
use crate::index::narrow;
use crate::language::Taint;
use crate::logic::{Hypothesis, Pred, TermId};
use crate::space::Space;
use crate::task::{Bias, Task};
use bases::Bases;
use calls::{CallIx, Calls, EXAMPLE};
use fixpoint::Fixpoint;
use growth::Growth;
use lookup::{Lookup, Reach};
use several::Several;
use stage::Stage;
use std::collections::VecDeque;
use test::Tested;
use words::Words;

/// A program that costs at most as much as the best so far.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its rules, base rules first.
    pub hypothesis: Hypothesis,
    /// Its cost, as the search sees it.
    pub value: CostValue,
}

/// The inputs of positives, and the outputs that positives have for them.
#[derive(Debug, Clone)]
pub struct Query {
    /// The arguments of the head; outputs are open.
    pub args: Box<[Option<TermId>]>,
    /// Right values for the open ones.
    pub right: Vec<Box<[TermId]>>,
}

/// Which programs are sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// As [`Kind::Ambitious`], of rules that use each variable twice: few, and most that people would write.
    Tight,
    /// Recursive ones that miss few positives: none under the lexicographic costs. There are far fewer, so they are
    /// found sooner, and where one without errors is known no others matter.
    Ambitious,
    /// All recursive ones that are better than the best.
    Recursive,
    /// Ones that define and call this predicate.
    Inventing(Pred),
}

/// The search over programs: call [`Programs::step`] until [`Programs::done`].
pub struct Programs<'t> {
    task: &'t Task,
    space: &'t Space,
    invented: Option<Pred>,
    ambitious: bool,
    tight: bool,
    objective: Objective,
    budget: Budget,
    words: Words,
    base_words: Words,
    calls: Calls,
    lookup: Lookup<'t>,
    fixpoint: Fixpoint,
    /// The examples as calls, with their weights; positives from small to large terms.
    pos: Vec<(CallIx, u64)>,
    neg: Vec<(CallIx, u64)>,
    /// The order in which positives are tried, with how often each was and how many tables it took.
    order: Vec<(usize, u64, u64)>,
    /// One for each size of base rules, from 2 on, and one more where there may be several.
    stages: Vec<Stage<'t>>,
    /// Those of this size that come next.
    planned: VecDeque<Planned>,
    /// The size of the programs that are being tested, and the stage at work.
    size: usize,
    at: usize,
    several: Several,
    /// Calls with the outputs that are right, where programs must be functional.
    queries: Vec<(CallIx, Vec<Box<[u32]>>)>,
    /// Tests of rules that need not cover enough by themselves.
    relaxed_tests: u64,
    /// The weight of all positives.
    total: u64,
    tests: u64,
    /// How many tests there may be at the end of the step.
    end: u64,
    /// Base rules listed in stages that are gone, and whether some were left out.
    listed: u64,
    truncated: bool,
    /// Whether all programs with one rule that calls the program are through.
    alone: bool,
    done: bool,
    complete: bool,
    limited: bool,
}

/// An ambitious search leaves out what misses more than this part of what it may.
const AMBITION: u64 = 3;

/// Rules that need not cover enough by themselves get this share of the tests, in per cent, and some at the beginning.
const RELAXED_SHARE: u64 = 70;
const RELAXED_FIRST: u64 = 2_000;

/// They are looked for with base rules of up to this size.
const RELAXED_BASE: usize = 4;

/// Rules tested between two reports.
const BATCH: usize = 64;

impl<'t> Programs<'t> {
    /// A search over the programs of `space` that has not begun. `None` if the bias allows none, or predicates have more
    /// arguments than the search handles.
    pub fn new(
        task: &'t Task,
        space: &'t Space,
        database: &'t Database,
        kind: Kind,
        objective: Objective,
        budget: Budget,
    ) -> Option<Self> {
        let invented = if let Kind::Inventing(pred) = kind { Some(pred) } else { None };
        let bias = &task.bias;
        let allowed = if invented.is_some() { bias.invention } else { bias.recursion };
        if !allowed || bias.max_clauses < 2 || bias.max_vars > MOST_VARS {
            return None;
        }
        let defined = invented.unwrap_or(bias.head);
        let words = Words::new(bias, database, bias.head, Some(defined))?;
        let base_words = Words::new(bias, database, defined, None)?;
        let mut calls = Calls::default();
        let examples = &task.examples;
        let all = ((1u64 << bias.head.arity) - 1) | if invented.is_some() { EXAMPLE } else { 0 };
        let mut call = |args: &[TermId]| {
            let key: Vec<u32> = args.iter().map(|id| narrow(id.index())).collect();
            calls.intern(all, &key)
        };
        let mut pos: Vec<(usize, CallIx, u64)> = (0..examples.positives())
            .map(|at| (examples.positive(at), examples.positive_weights()[at]))
            .map(|(args, weight)| (lookup::extent(&task.terms, args), call(args), u64::from(weight)))
            .collect();
        // Small ones first: what fails, fails soon, and on calls that others have made.
        pos.sort_by_key(|&(extent, ..)| extent);
        let pos: Vec<(CallIx, u64)> = pos.into_iter().map(|(_, call, weight)| (call, weight)).collect();
        let neg = (0..examples.negatives())
            .map(|at| (call(examples.negative(at)), u64::from(examples.negative_weights()[at])))
            .collect();
        let positives = (0..examples.positives()).flat_map(|at| examples.positive(at));
        let negatives = (0..examples.negatives()).flat_map(|at| examples.negative(at));
        let reach = Reach::around(&task.terms, positives.chain(negatives).copied());
        let several_directions = bias.directions.get(&bias.head).is_some_and(|ways| ways.len() > 1);
        let defined_already = task.program.get(bias.head).is_some();
        Some(Programs {
            task,
            space,
            invented,
            ambitious: matches!(kind, Kind::Tight | Kind::Ambitious),
            tight: kind == Kind::Tight,
            objective,
            budget,
            words,
            base_words,
            calls,
            lookup: Lookup::new(database, reach),
            fixpoint: Fixpoint::new(),
            order: (0..pos.len()).map(|at| (at, 1, 1)).collect(),
            pos,
            neg,
            stages: Vec::new(),
            planned: VecDeque::new(),
            size: 3,
            at: 0,
            several: Several::default(),
            queries: Vec::new(),
            relaxed_tests: 0,
            total: examples.positive_weights().iter().map(|&weight| u64::from(weight)).sum(),
            tests: 0,
            end: u64::MAX,
            listed: 0,
            truncated: false,
            alone: false,
            done: false,
            complete: if invented.is_some() {
                unfolds(bias)
            } else {
                // Base rules that answer nothing are not tried as one of several.
                let idle = bias.max_clauses > 2 && space.needs_idle_rules();
                kind != Kind::Tight && bias.max_clauses <= 3 && !several_directions && !defined_already && !idle
            },
            limited: false,
        })
    }

    /// Leave out programs that give another output for the inputs of a positive than a positive has: `queries` are those
    /// inputs, with the outputs that are right.
    pub fn set_functional(&mut self, queries: &[Query]) {
        if self.invented.is_some() {
            return;
        }
        let number = |id: &TermId| -> u32 { narrow(id.index()) };
        self.queries = queries
            .iter()
            .map(|query| {
                let bound = query.args.iter().enumerate().filter(|(_, arg)| arg.is_some());
                let bound = bound.fold(0u64, |set, (at, _)| set | 1 << at);
                let key: Vec<u32> = query.args.iter().flatten().map(number).collect();
                let right = query.right.iter().map(|outputs| outputs.iter().map(number).collect()).collect();
                (self.calls.intern(bound, &key), right)
            })
            .collect();
    }

    /// Whether programs define another predicate than the examples'.
    pub fn is_inventing(&self) -> bool {
        self.invented.is_some()
    }

    /// Whether programs are left out that miss more than a few positives.
    pub fn is_ambitious(&self) -> bool {
        self.ambitious
    }

    /// Whether rules are left out that do not use each variable twice.
    pub fn is_tight(&self) -> bool {
        self.tight
    }

    /// The largest weight of positives that a program of this size may miss.
    fn most_missed(&self, size: usize, incumbent: &Incumbent) -> Option<u64> {
        let most = incumbent.most_missed(size)?;
        Some(match (self.ambitious, self.objective.cost().size_breaks_ties()) {
            (false, _) => most,
            (true, false) => most / AMBITION,
            (true, true) => 0,
        })
    }

    /// Whether every program has been tested or shown to be needless.
    pub fn done(&self) -> bool {
        self.done
    }

    /// Whether the search, once done, has left out nothing that is better than `best` but what it has shown to be
    /// needless.
    pub fn complete(&self, best: &CostValue) -> bool {
        let small =
            self.invented.is_none() || Incumbent::new(self.objective, best).most_missed(MOST_UNFOLDED).is_none();
        let truncated = self.truncated || self.several.truncated || self.stages.iter().any(|stage| stage.truncated());
        self.complete && small && !truncated
    }

    /// What was not evaluated to its end: calls without answers, and what was not derived because of the limits on
    /// recursion, because terms on the way had grown far beyond those of the examples or because one program took too many
    /// calls for one example.
    pub fn taints(&self) -> impl Iterator<Item = Taint> {
        let limits = (self.limited || self.lookup.limited).then_some(Taint::Recursion);
        self.lookup.taints().chain(limits)
    }

    /// The size of the programs that are being tested; all smaller ones have been.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many rules have been tested.
    pub fn tests(&self) -> u64 {
        self.tests + self.listed + self.stages.iter().map(|stage| stage.bases.tests).sum::<u64>()
    }

    /// Search on a little, for programs that are better than `best`, with about `most` tests at most; returns those found,
    /// which may be none. A search that has made as many has left something out and is not to go on.
    pub fn step(&mut self, best: &CostValue, most: u64) -> Vec<Program> {
        self.end = self.tests().saturating_add(most);
        self.stages.iter_mut().for_each(|stage| stage.bases.allow(most));
        let found = self.search_on(best);
        if self.done {
            // Others may go on for long: what this search remembers is of no use to them.
            self.listed += self.stages.iter().map(|stage| stage.bases.tests).sum::<u64>();
            self.truncated |= self.stages.iter().any(|stage| stage.truncated());
            self.stages = Vec::new();
            self.calls = Calls::default();
            self.fixpoint = Fixpoint::new();
            self.lookup.forget();
        }
        found
    }

    fn search_on(&mut self, best: &CostValue) -> Vec<Program> {
        let incumbent = Incumbent::new(self.objective, best);
        let mut found = Vec::new();
        if self.done {
            return found;
        }
        if self.wants_pairs() {
            return self.pair(&incumbent);
        }
        if incumbent.most_missed(self.size).is_none() {
            self.next_size(&incumbent);
            return found;
        }
        if self.at == self.stages.len() {
            match self.planned.pop_front() {
                Some(planned) => self.begin(planned),
                None => self.next_size(&incumbent),
            }
            return found;
        }
        if self.stages[self.at].relaxed && self.relaxed_tests > self.tests * RELAXED_SHARE / 100 + RELAXED_FIRST {
            self.at += 1;
            return found;
        }
        let growth = &self.stages[self.at].growth;
        // The longest rules are most of the work: those for the smallest base rules need not be longer than others.
        let base = if self.stages[self.at].relaxed { 3 } else { 2 }.max(self.stages[self.at].base);
        let level = (self.size - base - 1).min(self.task.bias.max_body);
        if growth.level_done() && growth.length.is_some_and(|length| growth.level == length && length < level) {
            let mut longer = Growth::tight(&self.words, growth.level + 1);
            let stage = &mut self.stages[self.at];
            if stage.sets.is_some() {
                longer.frontier[0].admit(stage.units());
            }
            stage.growth = longer;
            return found;
        }
        if growth.level >= level && growth.level_done() {
            self.at += 1;
            return found;
        }
        let mut growth = std::mem::replace(&mut self.stages[self.at].growth, Growth::hollow());
        if growth.level_done() {
            let stage = &self.stages[self.at];
            growth.sprout(&self.words, stage.sets.is_none().then_some(&stage.bases), self.space, &self.budget);
        }
        for _ in 0..BATCH {
            if growth.level_done() || self.over() || !found.is_empty() {
                break;
            }
            let node = growth.pending[growth.next].clone();
            growth.next += 1;
            self.tests += 1;
            self.relaxed_tests += u64::from(self.stages[self.at].relaxed);
            match self.test(node, &incumbent) {
                Tested::Worth(node, programs) => {
                    growth.frontier.push(node);
                    found.extend(programs);
                }
                Tested::Worthless => {}
                Tested::Stale => {
                    growth = Growth { length: growth.length, ..Growth::new(&self.words) };
                    growth.frontier[0].admit(self.stages[self.at].units());
                    break;
                }
            }
        }
        self.lookup.trim();
        self.stages[self.at].growth = growth;
        found
    }

    /// Whether the step must end.
    fn over(&self) -> bool {
        self.tests() >= self.end || self.budget.check().is_some()
    }

    /// Go on to larger programs, if some can be better than the best.
    fn next_size(&mut self, incumbent: &Incumbent) {
        let max = self.task.bias.max_body + 1;
        if incumbent.most_missed(self.size).is_some() {
            self.size += 1;
        }
        self.at = 0;
        self.planned.clear();
        let most = self.task.bias.max_clauses;
        if self.size > most * max || incumbent.most_missed(self.size).is_none() {
            self.alone = true;
            self.done = !self.has_pairs();
            return;
        }
        let base = self.size - 2;
        let alone = Planned { base, depth: base - 1, most: 1, relaxed: false };
        if base <= max {
            self.planned.push_back(alone);
        }
        if most > 2 && base <= max.min(RELAXED_BASE) && self.tight {
            self.planned.push_back(Planned { relaxed: true, ..alone });
        }
        if most > 2 && base >= 4 && base <= (most - 1) * max {
            self.planned.push_back(Planned { depth: (base - 2).min(max) - 1, most: most - 1, ..alone });
        }
    }

    fn begin(&mut self, planned: Planned) {
        let mut bases = Bases::new(self.space, self.base_words.clone(), planned.depth);
        bases.allow(self.end.saturating_sub(self.tests()));
        if self.invented.is_none() {
            for &(call, _) in self.pos.iter().chain(&self.neg) {
                bases.meet(call, &self.calls, &mut self.lookup);
            }
        }
        let growth = if self.tight { Growth::tight(&self.words, 1) } else { Growth::new(&self.words) };
        let mut stage = Stage::new(bases, planned.base, planned.most, growth);
        stage.relaxed = planned.relaxed;
        self.stages.push(stage);
    }
}

/// A stage that has not begun: listing its base rules takes time and memory, and the best program may be found before.
#[derive(Debug, Clone, Copy)]
struct Planned {
    /// The total size of its base rules.
    base: usize,
    /// The literals that each of them may have.
    depth: usize,
    /// How many there are in a program.
    most: usize,
    relaxed: bool,
}

/// Whether programs with one invented predicate, called by one rule, are all that matter up to [`MOST_UNFOLDED`].
///
/// The others of up to three rules have an invented predicate with a single rule of one literal, called by a rule of one
/// literal; put in the place of the call it gives a program without it, which is smaller and in the space, as long as
/// neither types nor directions nor constraints tell them apart. With `non_datalog` it need not be in the space: the
/// variables of that literal come on top of those of the head, and may be too many.
fn unfolds(bias: &Bias) -> bool {
    let plain = bias.types.is_empty() && bias.directions.is_empty() && bias.constraints.is_empty();
    plain && !bias.non_datalog && !bias.recursion && bias.max_clauses <= 3 && bias.max_vars <= 4
}

/// Programs below this size with more than one invented predicate, or several rules that call one, are not needed.
const MOST_UNFOLDED: usize = 7;

/// The predicates that programs of a task may invent.
pub fn invented(task: &Task) -> Vec<Pred> {
    let bias = &task.bias;
    let Some(name) = task.terms.symbols().get(Bias::INVENTED).filter(|_| bias.invention) else { return Vec::new() };
    let widest = if unfolds(bias) { bias.max_vars } else { bias.max_vars.min(2) };
    let fresh = |pred: &Pred| task.program.get(*pred).is_none() && !bias.body.contains(pred) && *pred != bias.head;
    (1..=narrow(widest)).map(|arity| Pred::new(name, arity)).filter(fresh).collect()
}

/// More variables than this in a rule are not handled.
const MOST_VARS: usize = 60;
