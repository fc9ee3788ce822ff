//! What hypotheses from outside do with the examples of a task.
//!
//! Hypotheses come in parcels, as a learner writes them. Their constants, and predicates that the bias does not name, join
//! the task; rules that are not flat are made so, where that can be said. The background is evaluated anew only when a
//! hypothesis calls a predicate that none before it did.

use super::flatten::flatten;
use super::reader::{Reported, Skipped};
use crate::budget::Budget;
use crate::cost::{Cost, CostValue};
use crate::coverage::{CoverCache, Evaluator};
use crate::database::Database;
use crate::ensemble::members::{declare_bodies, flat_hypothesis};
use crate::error::Error;
use crate::instance::Instance;
use crate::learn::{Candidate, Source};
use crate::logic::{Arg, Hypothesis, Pred, Summarised};
use crate::parse::Text;
use crate::prolog::BuiltIns;
use crate::sets::Cover;
use crate::task::{GivenRule, Task};
use std::time::Duration;

/// What came of a hypothesis.
#[derive(Debug)]
pub enum Scored {
    /// It was tested. A rule of a dump is here with those that it joined.
    Candidate(Candidate),
    /// A rule of a dump that would make the rules taken before worse.
    Needless,
    /// It was not tested.
    Skipped(Skipped),
}

/// Tests hypotheses from outside on the examples of a task.
#[derive(Debug)]
pub struct Scorer {
    task: Task,
    cost: Cost,
    database: Option<Database>,
    /// What the database was made for: how many predicates the bias and the program had.
    made_for: (usize, usize),
    cache: CoverCache,
    known: Known,
    undefined: Vec<String>,
    /// The rules of a dump that were taken.
    joined: Option<(Hypothesis, CostValue)>,
    scored: u64,
}

/// Which predicates Prolog has.
#[derive(Default)]
struct Known(BuiltIns);

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Known")
    }
}

impl Scorer {
    /// Nothing has been tested yet.
    pub fn new(task: Task, cost: Cost) -> Self {
        Scorer {
            task,
            cost,
            database: None,
            made_for: (0, 0),
            cache: CoverCache::default(),
            known: Known::default(),
            undefined: Vec::new(),
            joined: None,
            scored: 0,
        }
    }

    /// The task, with what hypotheses have added to it.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The task alone.
    pub fn into_task(self) -> Task {
        self.task
    }

    /// Whether `on`, whose terms this scorer began with, has all constants and predicates of a hypothesis that was read here.
    pub fn is_known_to(&self, on: &Instance<'_>, hypothesis: &Hypothesis) -> bool {
        let own = |pred: Pred| hypothesis.rules.iter().any(|rule| rule.head.pred == pred);
        let named = |pred: Pred| on.terms().symbols().get(self.task.terms.name(pred.name)).is_some();
        let declared = |pred: Pred| named(pred) && (own(pred) || on.bias().body.contains(&pred));
        let known = |arg: &Arg| !matches!(arg, Arg::Const(id) if id.index() >= on.terms().len());
        hypothesis.rules.iter().all(|rule| {
            named(rule.head.pred)
                && rule.head.args.iter().all(known)
                && rule.body.iter().all(|literal| declared(literal.pred) && literal.args.iter().all(known))
        })
    }

    /// The predicates that hypotheses call and nothing defines, each once.
    pub fn undefined(&self) -> &[String] {
        &self.undefined
    }

    /// What came of each; what there was no time for stays where it was.
    pub fn score(&mut self, read: &mut Vec<Result<Reported, Skipped>>, budget: &Budget) -> Vec<Scored> {
        if read.is_empty() {
            return Vec::new();
        }
        let parsed: Vec<Result<(Hypothesis, Reported), Skipped>> =
            read.drain(..).map(|read| read.and_then(|found| Ok((self.parse(&found)?, found)))).collect();
        let size = (self.task.bias.body.len(), self.task.program.predicates().len());
        match &mut self.database {
            Some(database) if self.made_for == size => database.learn_terms(&self.task.terms),
            _ => {
                self.database = Some(Database::within(&self.task, budget));
                self.made_for = size;
            }
        }
        let database = self.database.as_ref().expect("it was made");
        let (task, cost, cache, joined) = (&self.task, self.cost, &mut self.cache, &mut self.joined);
        let mut evaluator = Evaluator::new(database, &task.examples).with_budget(budget.clone());
        let empty = cost.value(&task.examples.confusion(&Cover::empty(task.examples.sides())), 0);
        let mut scored = Vec::with_capacity(parsed.len());
        let mut parsed = parsed.into_iter();
        while let Some(next) = parsed.next() {
            let (mut hypothesis, found) = match next {
                Ok(parsed) => parsed,
                Err(skipped) => {
                    scored.push(Scored::Skipped(skipped));
                    continue;
                }
            };
            let before = joined.get_or_insert_with(|| (Hypothesis::default(), empty.clone()));
            if found.joins {
                hypothesis.rules.splice(0..0, before.0.rules.iter().cloned());
            }
            let stopped = || budget.check().is_some();
            let Some(tested) = cache.hypothesis_unless(&mut evaluator, &hypothesis, &stopped) else {
                read.push(Ok(found));
                read.extend(parsed.map(|next| next.map(|(_, found)| found)));
                break;
            };
            let confusion = task.examples.confusion(&tested.cover);
            let size = hypothesis.size();
            let value = cost.value(&confusion, size + task.bias.price(&hypothesis.rules));
            if found.joins {
                if value >= before.1 {
                    scored.push(Scored::Needless);
                    continue;
                }
                *before = (hypothesis.clone(), value.clone());
            }
            let (source, elapsed, ticks) = (Source::OUTSIDE, found.elapsed.unwrap_or(Duration::ZERO), self.scored);
            self.scored += 1;
            scored.push(Scored::Candidate(Candidate { hypothesis, value, confusion, size, elapsed, ticks, source }));
        }
        scored
    }

    /// The hypothesis as flat rules.
    fn parse(&mut self, found: &Reported) -> Result<Hypothesis, Skipped> {
        let skipped = |reason: String| Skipped::new(found.line, &found.rules, reason);
        let given = self.task.read_rules(&Text::new("<hypothesis>", &found.rules));
        let given = given.map_err(|error| skipped(reason(&error)))?;
        if given.is_empty() {
            return Err(skipped("it has no rules".to_owned()));
        }
        let mut flat = Vec::with_capacity(given.len());
        for GivenRule { clause, text } in given {
            let clauses = flatten(&clause, &mut self.task.terms).map_err(skipped)?;
            flat.extend(clauses.into_iter().map(|clause| GivenRule { clause, text: text.clone() }));
        }
        let hypothesis = flat_hypothesis(&flat, &mut self.task).map_err(|error| skipped(reason(&error)))?;
        declare_bodies(std::slice::from_ref(&hypothesis), &mut self.task);
        self.note_undefined(&hypothesis);
        Ok(hypothesis)
    }

    fn note_undefined(&mut self, hypothesis: &Hypothesis) {
        let own = |pred: Pred| hypothesis.rules.iter().any(|rule| rule.head.pred == pred);
        for literal in hypothesis.rules.iter().flat_map(|rule| &rule.body) {
            let pred = Summarised::asked(literal.pred, &self.task.terms);
            let name = self.task.terms.name(pred.name);
            if !own(pred) && self.task.program.get(pred).is_none() && !self.known.0.have(name, pred.arity) {
                let shown = pred.show(&self.task.terms);
                if !self.undefined.contains(&shown) {
                    self.undefined.push(shown);
                }
            }
        }
    }
}

/// The first thing that is wrong, without its place, which is within the hypothesis.
fn reason(error: &Error) -> String {
    match error {
        Error::Input(findings) => findings.first().map_or_else(|| error.to_string(), |it| it.message.clone()),
        _ => error.to_string(),
    }
}
