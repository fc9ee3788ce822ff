//! What a hypothesis that a user gives as text covers, whole and rule by rule.
//!
//! Rules of the shape that is learned, over relations of the task, go the fast way, by joins. As soon as one rule has
//! more in it (compounds, negation, built-ins, helpers, recursion) all of them are left to resolution by the embedded
//! evaluator, with the head predicate and the helpers tabled.
//!
//! Rules that do not call what they define cover what each of them covers by itself: an error ends the proof of an
//! example by the rule that raises it, and other rules are still tried. Rules that do are one program.

use super::{Evaluator, Notes};
use crate::database::Database;
use crate::logic::{Clause, Open, Pred, Rule, TermId, Terms};
use crate::prolog::Engine;
use crate::sets::Cover;
use crate::task::{GivenRule, Task};
use rustc_hash::FxHashSet;

/// Examples that may reach a limit of the evaluator before the rest is not tried: each of them may take seconds.
const PATIENCE: u64 = 4;

/// What a given hypothesis covers.
#[derive(Debug, Clone)]
pub struct Assessment {
    /// What the rules cover together.
    pub whole: Cover,
    /// For each rule of the head predicate, what it derives itself while the others stand; `None` for helpers.
    pub rules: Vec<Option<Cover>>,
    /// What happened on the way to `whole`.
    pub notes: Notes,
}

/// What `rules`, as [`Task::read_rules`] read them, cover of the examples of `task`.
pub fn assess(task: &Task, rules: &[GivenRule]) -> Assessment {
    let flat: Option<Vec<Rule>> = rules.iter().map(|given| joinable(task, &given.clause)).collect();
    match flat.filter(|_| task.program.get(task.bias.head).is_none()) {
        Some(flat) => by_joins(task, &flat),
        None => by_resolution(task, rules),
    }
}

/// The clause as a rule for the head predicate over relations of the task, if it is one.
fn joinable(task: &Task, clause: &Clause) -> Option<Rule> {
    let rule = clause.as_rule(&task.terms)?;
    let known = |pred: Pred| task.program.get(pred).is_some() || task.bias.body.contains(&pred);
    let plain = rule.body.iter().all(|literal| literal.pred != task.bias.head && known(literal.pred));
    (rule.head.pred == task.bias.head && plain).then_some(rule)
}

fn by_joins(task: &Task, rules: &[Rule]) -> Assessment {
    let database = Database::new(task);
    let mut evaluator = Evaluator::new(&database, &task.examples).meeting_all_errors();
    let covers: Vec<Cover> = rules.iter().map(|rule| evaluator.rule(rule)).collect();
    let mut whole = Cover::empty(task.examples.sides());
    covers.iter().for_each(|cover| whole.union_with(cover));
    Assessment { whole, rules: covers.into_iter().map(Some).collect(), notes: evaluator.notes().clone() }
}

fn by_resolution(task: &Task, rules: &[GivenRule]) -> Assessment {
    let mut engine = Database::new(task).engine();
    let terms = engine.terms_mut();
    let mut clauses: Vec<Clause> = rules.iter().map(|given| given.clause.clone()).collect();
    let mut own = Vec::with_capacity(rules.len());
    for (at, GivenRule { clause, .. }) in rules.iter().enumerate() {
        own.push((clause.head.pred(terms) == Some(task.bias.head)).then(|| {
            let pred = Pred::new(terms.intern(&format!("rule {}", at + 1)), task.bias.head.arity);
            let mut alone = clause.clone();
            alone.head = match &clause.head {
                Open::Compound(_, arguments) => Open::Compound(pred.name, arguments.clone()),
                ground => {
                    let row: Vec<TermId> = ground
                        .arguments(terms)
                        .into_iter()
                        .map(|argument| match argument {
                            Open::Ground(id) => id,
                            _ => unreachable!("arguments of a ground term are ground"),
                        })
                        .collect();
                    Open::Ground(terms.compound(pred.name, &row))
                }
            };
            clauses.push(alone);
            pred
        }));
    }
    engine.set_clauses(&clauses);
    let mut resolution = Resolution { task, engine, notes: Notes::default(), limits: 0 };
    let program = calls_itself(rules, &task.terms).then(|| resolution.cover(task.bias.head));
    let program_notes = program.is_some().then(|| resolution.notes.clone());
    let rules: Vec<Option<Cover>> = own.into_iter().map(|pred| pred.map(|pred| resolution.cover(pred))).collect();
    let whole = program.unwrap_or_else(|| {
        let mut whole = Cover::empty(task.examples.sides());
        rules.iter().flatten().for_each(|cover| whole.union_with(cover));
        whole
    });
    Assessment { whole, rules, notes: program_notes.unwrap_or(resolution.notes) }
}

/// Whether some clause mentions, as a goal or inside of one, a predicate that the clauses define.
fn calls_itself(rules: &[GivenRule], terms: &Terms) -> bool {
    let defined: FxHashSet<Pred> = rules.iter().filter_map(|given| given.clause.head.pred(terms)).collect();
    let mut todo: Vec<Open> = rules.iter().map(|given| given.clause.body.clone()).collect();
    while let Some(term) = todo.pop() {
        if term.pred(terms).is_some_and(|pred| defined.contains(&pred)) {
            return true;
        }
        todo.extend(term.arguments(terms));
    }
    false
}

/// Proves examples one by one.
struct Resolution<'t> {
    task: &'t Task,
    engine: Engine,
    notes: Notes,
    /// Proofs that met a limit.
    limits: u64,
}

impl Resolution<'_> {
    /// The examples whose arguments `pred` accepts.
    fn cover(&mut self, pred: Pred) -> Cover {
        let examples = &self.task.examples;
        let mut cover = Cover::empty(examples.sides());
        (0..examples.positives()).filter(|&at| self.prove(pred, examples.positive(at))).for_each(|at| cover.insert(at));
        (0..examples.negatives())
            .filter(|&at| self.prove(pred, examples.negative(at)))
            .for_each(|at| cover.insert_negative(at));
        cover
    }

    fn prove(&mut self, pred: Pred, args: &[TermId]) -> bool {
        if self.limits >= PATIENCE {
            self.notes.unfinished += 1;
            return false;
        }
        self.engine.prove(pred, args).unwrap_or_else(|fault| {
            self.limits += u64::from(fault.is_limit());
            self.notes.fault(&fault);
            false
        })
    }
}
