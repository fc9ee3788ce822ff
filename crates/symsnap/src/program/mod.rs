//! Programs: rules that call what they define. Smallest programs first, each tested once, all base rules at a time.
//!
//! A recursive program has base rules, which call the background alone, and rules that call the program. Both are
//! enumerated without repetition, literal by literal ([`bases`], [`growth`]). A program is never tested by itself: one
//! least fixpoint ([`fixpoint`]) tells for one rule that calls the program, and all base rules at once, which examples
//! follow.
//!
//! # What a test rules out
//! Programs are definite, so their least model grows with each rule and shrinks with each literal. Hence, with the cost
//! of the best hypothesis as the [`bar`]:
//! - *Incomplete*: if base `b` and rule `r` miss so many positives that even without false positives they cannot get
//!   below the bar, neither can `b` and any rule with the literals of `r` and more (a specialisation). The same holds
//!   for a beginning of a rule, calls that are not there yet counting as answered. The pair is dropped, and with it all
//!   its extensions.
//! - *Inconsistent*: a program covers what its base rules cover alone. A base rule that covers more negatives than the
//!   bar allows is in no program that is sought; nor is a set of rules that contains one (a generalisation).
//! - *Alike*: base rules that answer every call alike that any program tested so far has made are interchangeable; the
//!   smallest stands for all.
//! - *Size*: sizes are exhausted one after the other, so the first program without errors is the smallest one.
//!
//! Where recursion leads to endlessly many calls, an example that is not derived within a number of calls counts as not
//! covered ([`Programs::bounded`]).
//!
//! *Rejected*: testing programs one by one with the embedded evaluator (a thousand a second); pairing base and recursive
//! rules after testing each (nothing can be said of a recursive rule alone); an answer-set solver that is told what
//! failed, as Popper does (constraints pile up, and each program is still tested alone).
//!
//! Not for: rules that call nothing but the background. [`search`](crate::search) has those.

mod bar;
mod bases;
mod bits;
mod calls;
mod fixpoint;
mod growth;
mod lookup;
mod test;
mod words;

use crate::budget::Budget;
use crate::cost::{Cost, CostValue};
use crate::database::Database;
use crate::logic::Hypothesis;
use crate::space::Space;
use crate::task::Task;
use bar::Bar;
use bases::Bases;
use calls::{CallIx, Calls};
use fixpoint::Fixpoint;
use growth::Growth;
use lookup::Lookup;
use words::Words;

/// A program that costs at most as much as the best so far.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its rules, base rules first.
    pub hypothesis: Hypothesis,
    /// Its cost, as the search sees it.
    pub value: CostValue,
}

/// The search over programs: call [`Programs::step`] until [`Programs::done`].
pub struct Programs<'t> {
    task: &'t Task,
    space: &'t Space,
    cost: Cost,
    budget: Budget,
    words: Words,
    base_words: Words,
    calls: Calls,
    lookup: Lookup<'t>,
    fixpoint: Fixpoint,
    /// The examples as calls, with their weights; positives from small to large terms.
    pos: Vec<(CallIx, u64)>,
    neg: Vec<(CallIx, u64)>,
    /// One for each size of base rules, from 2 on.
    stages: Vec<Stage<'t>>,
    /// The size of the programs that are being tested, and the stage at work.
    size: usize,
    at: usize,
    tests: u64,
    done: bool,
    complete: bool,
    bounded: bool,
}

/// Base rules of one size, and the rules that are grown for them.
struct Stage<'t> {
    /// Base rules of up to that size: smaller ones stand for those that are no better.
    bases: Bases<'t>,
    growth: Growth,
    /// The weight of the negatives that each base class covers by itself, for a version of the classes.
    harm: Vec<u64>,
    harm_version: u32,
}

/// Rules tested between two reports.
const BATCH: usize = 64;

impl<'t> Programs<'t> {
    /// A search over the programs of `space` that has not begun; `None` if the bias allows none, or predicates have
    /// more arguments than the search handles.
    pub fn new(task: &'t Task, space: &'t Space, database: &'t Database, cost: Cost, budget: Budget) -> Option<Self> {
        let bias = &task.bias;
        if !bias.recursion || bias.max_clauses < 2 || bias.max_vars > MOST_VARS {
            return None;
        }
        let words = Words::new(bias, database, bias.head, Some(bias.head))?;
        let base_words = Words::new(bias, database, bias.head, None)?;
        let mut calls = Calls::default();
        let examples = &task.examples;
        let all = (1u64 << bias.head.arity) - 1;
        let mut call = |args: &[crate::logic::TermId]| {
            let key: Vec<u32> = args.iter().map(|id| id.index() as u32).collect();
            calls.intern(all, &key)
        };
        let mut pos: Vec<(usize, CallIx, u64)> = (0..examples.positives())
            .map(|at| (examples.positive(at), examples.positive_weights()[at]))
            .map(|(args, weight)| (lookup::extent(&task.terms, args), call(args), u64::from(weight)))
            .collect();
        // Small ones first: what fails, fails soon, and on calls that others have made.
        pos.sort_by_key(|&(extent, ..)| extent);
        let pos = pos.into_iter().map(|(_, call, weight)| (call, weight)).collect();
        let neg = (0..examples.negatives())
            .map(|at| (call(examples.negative(at)), u64::from(examples.negative_weights()[at])))
            .collect();
        let positives = (0..examples.positives()).flat_map(|at| examples.positive(at));
        let negatives = (0..examples.negatives()).flat_map(|at| examples.negative(at));
        let oldest = lookup::oldest(&task.terms, positives.chain(negatives).copied());
        let several_directions = bias.directions.get(&bias.head).is_some_and(|ways| ways.len() > 1);
        let defined_already = task.program.get(bias.head).is_some();
        Some(Programs {
            task,
            space,
            cost,
            budget,
            words,
            base_words,
            calls,
            lookup: Lookup::new(database, oldest),
            fixpoint: Fixpoint::new(MOST_CALLS),
            pos,
            neg,
            stages: Vec::new(),
            size: 3,
            at: 0,
            tests: 0,
            done: false,
            complete: bias.max_clauses == 2 && !bias.invention && !several_directions && !defined_already,
            bounded: false,
        })
    }

    /// Whether every program has been tested or shown to be needless.
    pub fn done(&self) -> bool {
        self.done
    }

    /// Whether the search, once done, has left out nothing but what it has shown to be needless.
    pub fn complete(&self) -> bool {
        self.complete && !self.stages.iter().any(|stage| stage.bases.truncated)
    }

    /// Whether something was not derived because the terms on the way had grown far beyond those of the examples.
    pub fn bounded(&self) -> bool {
        self.bounded || self.lookup.bounded
    }

    /// The size of the programs that are being tested; all smaller ones have been.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many rules have been tested.
    pub fn tests(&self) -> u64 {
        self.tests + self.stages.iter().map(|stage| stage.bases.tests).sum::<u64>()
    }

    /// Search on a little, for programs that are better than `best`; returns those found, which may be none.
    pub fn step(&mut self, best: &CostValue) -> Vec<Program> {
        let bar = Bar::new(self.cost, best);
        let mut found = Vec::new();
        if self.done {
            return found;
        }
        if self.at == self.stages.len() || bar.most_missed(self.size).is_none() {
            self.next_size(&bar);
            return found;
        }
        let growth = &self.stages[self.at].growth;
        let level = (self.size - growth.base - 1).min(self.task.bias.max_body);
        if growth.level >= level && growth.level_done() {
            self.at += 1;
            return found;
        }
        let mut growth = std::mem::replace(&mut self.stages[self.at].growth, Growth::hollow());
        if growth.level_done() {
            growth.sprout(&self.words, &self.stages[self.at].bases, self.space);
        }
        for _ in 0..BATCH {
            if growth.level_done() || self.budget.check_ticks(self.tests()).is_some() || !found.is_empty() {
                break;
            }
            let node = growth.pending[growth.next].clone();
            growth.next += 1;
            self.tests += 1;
            let (node, programs) = self.test(node, growth.base, &bar);
            growth.frontier.extend(node);
            found.extend(programs);
        }
        self.lookup.trim();
        self.stages[self.at].growth = growth;
        found
    }

    /// Go on to larger programs, if some can be better than the best.
    fn next_size(&mut self, bar: &Bar) {
        let max = self.task.bias.max_body + 1;
        self.size += 1;
        self.at = 0;
        if self.size > 2 * max || bar.most_missed(self.size).is_none() {
            self.done = true;
            return;
        }
        let base = self.size - 2;
        if base <= max {
            let mut bases = Bases::new(self.space, self.base_words.clone(), base - 1);
            for &(call, _) in self.pos.iter().chain(&self.neg) {
                bases.meet(call, &self.calls, &mut self.lookup);
            }
            let growth = Growth::new(base, &self.words);
            self.stages.push(Stage { bases, growth, harm: Vec::new(), harm_version: 0 });
        }
    }
}

/// More variables than this in a rule are not handled.
const MOST_VARS: usize = 60;

/// An example that is not derived within so many calls counts as not covered.
const MOST_CALLS: usize = 1_000;
