//! Choose the background predicates that are run bottom-up, and in which order.
//!
//! Only what the bias can reach is considered. Mutually recursive predicates form a group (a strongly connected
//! component of the call graph); groups are taken callees first. A group is materialised if all its clauses are
//! [Datalog](super::datalog), all that it calls is a table by then, and no predicate negates one of its own group. A
//! group that runs into a limit is called instead, and so is all that depends on it: never a wrong table.

use super::datalog::{DatalogGoal, DatalogRule, parts, recognise};
use super::relation::Relation;
use super::seminaive::{self, Allowance};
use super::{Columns, Database, Evaluation};
use crate::budget::Budget;
use crate::logic::{Clause, Open, Pred, Terms};
use crate::prolog::BuiltIns;
use crate::task::{Definition, Program, Task};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Goals solved, about a second of work, before the predicates that are left are called instead.
const STEPS: u64 = 20_000_000;
/// Numbers held, 128 MB with indexes, before the predicates that are left are called instead.
const CELLS: usize = 8_000_000;

/// Give every rule-defined predicate that the bias can reach its evaluation. Returns whether the budget allowed for all of it.
pub(super) fn run(database: &mut Database, task: &Task, budget: &Budget) -> bool {
    let mut allowance = Allowance { steps: STEPS, cells: CELLS, budget, stopped: false };
    let mut known = BuiltIns::default();
    for group in groups(&task.program, &task.bias.body, &task.terms) {
        let (evaluation, tables) = match group_tables(database, task, &group, &mut known, &mut allowance) {
            Ok(tables) => (None, tables),
            Err(why) => (Some(Evaluation::Called { why }), Vec::new()),
        };
        let mut tables = tables.into_iter();
        for pred in group {
            let table = tables.next();
            let rows = table.as_ref().map_or(0, Relation::len);
            database.set(pred, evaluation.unwrap_or(Evaluation::Materialised { rows }), table);
        }
    }
    !allowance.stopped
}

fn group_tables(
    database: &Database,
    task: &Task,
    group: &[Pred],
    known: &mut BuiltIns,
    allowance: &mut Allowance<'_>,
) -> Result<Vec<Relation>, &'static str> {
    let mut rules: Vec<DatalogRule> = Vec::new();
    for &pred in group {
        if pred.arity as usize > Columns::MAX {
            return Err("has more arguments than joins handle");
        }
        for clause in clauses(&task.program, pred) {
            rules.push(recognise(clause, &task.program, &task.terms, known)?);
        }
    }
    for goal in rules.iter().flat_map(|rule| &rule.body) {
        match goal {
            DatalogGoal::Fails(atom) if group.contains(&atom.pred) => return Err("depends on its own negation"),
            DatalogGoal::Holds(atom) | DatalogGoal::Fails(atom) => {
                if !group.contains(&atom.pred) && database.relation(atom.pred).is_none() {
                    return Err("uses a predicate that is called");
                }
            }
            DatalogGoal::Compare(..) | DatalogGoal::Bind(..) => {}
        }
    }
    let tables = |pred, keys, values| {
        let place = database.place(pred).expect("all predicates outside the group have tables");
        database.index(place, keys, values)
    };
    let rows = seminaive::run(group, &rules, tables, &task.terms, allowance)?;
    Ok(rows.into_iter().map(Relation::new).collect())
}

fn clauses(program: &Program, pred: Pred) -> &[Clause] {
    match program.get(pred).map(|predicate| &predicate.definition) {
        Some(Definition::Clauses(clauses)) => clauses,
        _ => &[],
    }
}

/// The rule-defined predicates that the program has under any functor in a clause's body: a superset of what it calls.
fn callees(program: &Program, pred: Pred, terms: &Terms) -> Vec<Pred> {
    let mut found = Vec::new();
    for clause in clauses(program, pred) {
        let mut pending = vec![Cow::Borrowed(&clause.body)];
        while let Some(term) = pending.pop() {
            if let Some(called) = term.pred(terms)
                && !clauses(program, called).is_empty()
                && !found.contains(&called)
            {
                found.push(called);
            }
            // Ground terms hold calls only as whole goals; lists and data in them are not worth walking.
            let is_control =
                term.pred(terms).is_some_and(|pred| [",", ";", "->", "\\+"].contains(&terms.name(pred.name)));
            if is_control || matches!(&*term, Open::Compound(..)) {
                pending.extend(parts(&term, terms));
            }
        }
    }
    found
}

/// The strongly connected components of the call graph below `roots`, callees first (Tarjan's algorithm, iterative).
fn groups(program: &Program, roots: &[Pred], terms: &Terms) -> Vec<Vec<Pred>> {
    struct Visit {
        pred: Pred,
        callees: Vec<Pred>,
        next: usize,
    }
    const DONE: usize = usize::MAX;
    let mut order: FxHashMap<Pred, usize> = FxHashMap::default();
    let mut low: FxHashMap<Pred, usize> = FxHashMap::default();
    let (mut stack, mut groups, mut count) = (Vec::new(), Vec::new(), 0);
    for &root in roots {
        if clauses(program, root).is_empty() || order.contains_key(&root) {
            continue;
        }
        let mut visits: Vec<Visit> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(pred) = enter.take() {
                order.insert(pred, count);
                low.insert(pred, count);
                count += 1;
                stack.push(pred);
                visits.push(Visit { pred, callees: callees(program, pred, terms), next: 0 });
            }
            let Some(visit) = visits.last_mut() else { break };
            let pred = visit.pred;
            if let Some(&callee) = visit.callees.get(visit.next) {
                visit.next += 1;
                match order.get(&callee) {
                    None => enter = Some(callee),
                    Some(&DONE) => {}
                    Some(&seen) => {
                        let least = low[&pred].min(seen);
                        low.insert(pred, least);
                    }
                }
                continue;
            }
            visits.pop();
            if let Some(caller) = visits.last() {
                let least = low[&caller.pred].min(low[&pred]);
                low.insert(caller.pred, least);
            }
            if low[&pred] == order[&pred] {
                let from = stack.iter().rposition(|&member| member == pred).expect("a visited predicate is stacked");
                let group: Vec<Pred> = stack.split_off(from);
                group.iter().for_each(|&member| {
                    order.insert(member, DONE);
                });
                groups.push(group);
            }
        }
    }
    groups
}
