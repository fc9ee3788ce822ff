//! Run Datalog rules bottom-up to their least model, semi-naively (Bancilhon and Ramakrishnan, SIGMOD 1986).
//!
//! One group of mutually recursive predicates at a time; everything else they use is a table already. A round joins
//! each rule once for each of its recursive goals, which then ranges over the rows of the last round only; goals
//! before it range over all rows so far and goals after it over those before the last round, so no combination is
//! tried twice. Goals are joined in their written order: background rules are few, run once, and their authors wrote
//! them to be run that way. The coverage planner is for rules that are run millions of times.

use super::datalog::{BoundComparison, DatalogArg, DatalogAtom, DatalogGoal, DatalogRule, compare_numbers};
use super::index::{Columns, Index};
use super::tuples::Tuples;
use crate::budget::Budget;
use crate::index::narrow;
use crate::logic::{Pred, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Why a group of predicates was not materialised.
pub(super) type Refusal = &'static str;

/// What all materialisation together may use.
#[derive(Debug)]
pub(super) struct Allowance<'b> {
    pub(super) steps: u64,
    /// Numbers held in materialised tables.
    pub(super) cells: usize,
    pub(super) budget: &'b Budget,
    /// Whether the budget ended before all was done.
    pub(super) stopped: bool,
}

impl Allowance<'_> {
    fn step(&mut self) -> Result<(), Refusal> {
        if self.steps.is_multiple_of(1 << 16) && self.budget.check().is_some() {
            (self.steps, self.stopped) = (0, true);
        }
        self.steps = self.steps.checked_sub(1).ok_or("takes too many steps to run bottom-up")?;
        Ok(())
    }
}

/// A relation under construction, with an index for each pattern that a goal looks it up by.
#[derive(Debug)]
struct GrowingRelation {
    rows: Tuples,
    /// How many rows are older than the last round.
    old: u32,
    indexes: Vec<GrowingIndex>,
}

#[derive(Debug)]
struct GrowingIndex {
    columns: Columns,
    keys: Tuples,
    /// Row numbers per key, ascending.
    rows: Vec<Vec<u32>>,
}

impl GrowingRelation {
    fn insert(&mut self, row: &[u32]) -> bool {
        let (place, new) = self.rows.insert(row);
        if new {
            for index in &mut self.indexes {
                let key: Vec<u32> = index.columns.iter().map(|column| row[column]).collect();
                let (group, fresh) = index.keys.insert(&key);
                if fresh {
                    index.rows.push(Vec::new());
                }
                index.rows[group as usize].push(place);
            }
        }
        new
    }
}

/// Which rows of a growing relation a goal ranges over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Range {
    Old,
    Last,
    All,
}

/// A goal with the places of what it looks up.
#[derive(Debug)]
enum JoinStep {
    /// A table: key, outputs.
    Table {
        index: Arc<Index>,
        key: Vec<DatalogArg>,
        outputs: Vec<ColumnUse>,
    },
    /// A relation of the group itself.
    Recursive {
        relation: usize,
        index: usize,
        key: Vec<DatalogArg>,
        outputs: Vec<(usize, ColumnUse)>,
    },
    /// No row with this key.
    Absent {
        index: Arc<Index>,
        key: Vec<DatalogArg>,
    },
    Compare(BoundComparison, DatalogArg, DatalogArg),
    Bind(u32, DatalogArg),
}

#[derive(Debug, Clone, Copy)]
enum ColumnUse {
    Bind(u32),
    Check(u32),
}

struct Compiled {
    head: usize,
    args: Box<[DatalogArg]>,
    steps: Vec<JoinStep>,
    variables: usize,
}

/// The rows of each predicate of `group`, in its order.
pub(super) fn run(
    group: &[Pred],
    rules: &[DatalogRule],
    tables: impl Fn(Pred, Columns, Columns) -> Arc<Index>,
    terms: &Terms,
    allowance: &mut Allowance<'_>,
) -> Result<Vec<Tuples>, Refusal> {
    let places: FxHashMap<Pred, usize> = group.iter().enumerate().map(|(at, &pred)| (pred, at)).collect();
    let mut growing: Vec<GrowingRelation> = group
        .iter()
        .map(|pred| GrowingRelation { rows: Tuples::new(pred.arity as usize), old: 0, indexes: Vec::new() })
        .collect();
    let compiled: Vec<Compiled> = rules.iter().map(|rule| compile(rule, &places, &mut growing, &tables)).collect();
    let mut derived: Vec<Tuples> = group.iter().map(|pred| Tuples::new(pred.arity as usize)).collect();
    let mut first = true;
    loop {
        for rule in &compiled {
            let recursive: Vec<usize> =
                (0..rule.steps.len()).filter(|&at| matches!(rule.steps[at], JoinStep::Recursive { .. })).collect();
            let turns: &[Option<usize>] = &if recursive.is_empty() {
                if first { vec![None] } else { Vec::new() }
            } else {
                recursive.into_iter().map(Some).collect()
            };
            for &turn in turns {
                let mut join =
                    ClauseJoin { rule, turn, growing: &growing, terms, allowance, out: &mut derived[rule.head] };
                join.solve(0, &mut vec![0; rule.variables])?;
            }
        }
        first = false;
        let mut changed = false;
        for (relation, derived) in growing.iter_mut().zip(&mut derived) {
            relation.old = narrow(relation.rows.len());
            for at in 0..derived.len() {
                changed |= relation.insert(derived.row(at));
            }
            *derived = Tuples::new(derived.width());
        }
        let total: usize = growing.iter().map(|relation| cells(&relation.rows)).sum();
        if total > allowance.cells {
            return Err(TOO_LARGE);
        }
        if !changed {
            allowance.cells -= total;
            break;
        }
    }
    Ok(growing.into_iter().map(|relation| relation.rows).collect())
}

fn compile(
    rule: &DatalogRule,
    places: &FxHashMap<Pred, usize>,
    growing: &mut [GrowingRelation],
    tables: &impl Fn(Pred, Columns, Columns) -> Arc<Index>,
) -> Compiled {
    let mut bound = 0u64;
    let mut steps = Vec::with_capacity(rule.body.len());
    for goal in &rule.body {
        steps.push(match goal {
            DatalogGoal::Compare(comparison, a, b) => JoinStep::Compare(*comparison, *a, *b),
            DatalogGoal::Bind(var, operand) => {
                bound |= 1 << var;
                JoinStep::Bind(*var, *operand)
            }
            DatalogGoal::Fails(atom) => {
                // Variables that are not bound are projected away: no row at all may match.
                let (keys, _, key, _) = access(atom, bound);
                JoinStep::Absent { index: tables(atom.pred, keys, Columns::default()), key }
            }
            DatalogGoal::Holds(atom) => {
                let (keys, values, key, outputs) = access(atom, bound);
                bound |= outputs.iter().fold(0, |vars, (_, output)| match output {
                    ColumnUse::Bind(var) | ColumnUse::Check(var) => vars | 1 << var,
                });
                match places.get(&atom.pred) {
                    None => {
                        let outputs = outputs.into_iter().map(|(_, output)| output).collect();
                        JoinStep::Table { index: tables(atom.pred, keys, values), key, outputs }
                    }
                    Some(&relation) => {
                        let indexes = &mut growing[relation].indexes;
                        let index = indexes.iter().position(|index| index.columns == keys).unwrap_or_else(|| {
                            indexes.push(GrowingIndex {
                                columns: keys,
                                keys: Tuples::new(keys.len()),
                                rows: Vec::new(),
                            });
                            indexes.len() - 1
                        });
                        JoinStep::Recursive { relation, index, key, outputs }
                    }
                }
            }
        });
    }
    Compiled { head: places[&rule.head.pred], args: rule.head.args.clone(), steps, variables: rule.variables }
}

/// Key columns, value columns, what makes the key, and what to do with each other column.
fn access(atom: &DatalogAtom, bound: u64) -> (Columns, Columns, Vec<DatalogArg>, Vec<(usize, ColumnUse)>) {
    let (mut keys, mut values) = (Columns::default(), Columns::default());
    let (mut key, mut outputs) = (Vec::new(), Vec::new());
    let mut here = 0u64;
    for (column, &arg) in atom.args.iter().enumerate() {
        match arg {
            DatalogArg::Var(var) if bound >> var & 1 == 0 => {
                values = values.with(column);
                outputs.push((column, if here >> var & 1 == 1 { ColumnUse::Check(var) } else { ColumnUse::Bind(var) }));
                here |= 1 << var;
            }
            _ => {
                keys = keys.with(column);
                key.push(arg);
            }
        }
    }
    (keys, values, key, outputs)
}

struct ClauseJoin<'a, 'b> {
    rule: &'a Compiled,
    turn: Option<usize>,
    growing: &'a [GrowingRelation],
    terms: &'a Terms,
    allowance: &'a mut Allowance<'b>,
    out: &'a mut Tuples,
}

impl<'a> ClauseJoin<'a, '_> {
    fn solve(&mut self, at: usize, values: &mut Vec<u32>) -> Result<(), Refusal> {
        self.allowance.step()?;
        let rule: &'a Compiled = self.rule;
        let Some(step) = rule.steps.get(at) else {
            let row: Vec<u32> = rule.args.iter().map(|&arg| value(arg, values)).collect();
            self.out.insert(&row);
            return if cells(self.out) > self.allowance.cells { Err(TOO_LARGE) } else { Ok(()) };
        };
        match step {
            JoinStep::Compare(comparison, a, b) => {
                let (a, b) = (value(*a, values), value(*b, values));
                let holds = match comparison {
                    BoundComparison::Same => a == b,
                    BoundComparison::Different => a != b,
                    BoundComparison::Number(test) => {
                        compare_numbers(*test, a, b, self.terms).ok_or("compares something that is no number")?
                    }
                };
                if holds { self.solve(at + 1, values) } else { Ok(()) }
            }
            JoinStep::Bind(var, operand) => {
                values[*var as usize] = value(*operand, values);
                self.solve(at + 1, values)
            }
            JoinStep::Absent { index, key } => {
                let key: Vec<u32> = key.iter().map(|&part| value(part, values)).collect();
                if index.contains(&key) { Ok(()) } else { self.solve(at + 1, values) }
            }
            JoinStep::Table { index, key, outputs } => {
                let key: Vec<u32> = key.iter().map(|&part| value(part, values)).collect();
                if outputs.is_empty() {
                    return if index.contains(&key) { self.solve(at + 1, values) } else { Ok(()) };
                }
                for row in index.values()[index.range(&key)].chunks_exact(outputs.len()) {
                    if outputs.iter().zip(row).all(|(output, &value)| take(*output, value, values)) {
                        self.solve(at + 1, values)?;
                    }
                }
                Ok(())
            }
            JoinStep::Recursive { relation, index, key, outputs } => {
                let relation = &self.growing[*relation];
                let key: Vec<u32> = key.iter().map(|&part| value(part, values)).collect();
                let index = &relation.indexes[*index];
                let Some(group) = index.keys.get(&key) else { return Ok(()) };
                let range = match self.turn {
                    Some(turn) if turn == at => Range::Last,
                    Some(turn) if turn < at => Range::Old,
                    _ => Range::All,
                };
                let places = &index.rows[group as usize];
                let old = places.partition_point(|&place| place < relation.old);
                let places = match range {
                    Range::Old => &places[..old],
                    Range::Last => &places[old..],
                    Range::All => places,
                };
                for &place in places {
                    let row = relation.rows.row(place as usize);
                    if outputs.iter().all(|&(column, output)| take(output, row[column], values)) {
                        self.solve(at + 1, values)?;
                    }
                }
                Ok(())
            }
        }
    }
}

const TOO_LARGE: Refusal = "has too many answers to hold";

fn cells(rows: &Tuples) -> usize {
    rows.len() * rows.width().max(1)
}

fn value(operand: DatalogArg, values: &[u32]) -> u32 {
    match operand {
        DatalogArg::Var(var) => values[var as usize],
        DatalogArg::Value(value) => value,
    }
}

/// Bind or compare; whether the answer still fits.
fn take(output: ColumnUse, value: u32, values: &mut [u32]) -> bool {
    match output {
        ColumnUse::Bind(var) => {
            values[var as usize] = value;
            true
        }
        ColumnUse::Check(var) => values[var as usize] == value,
    }
}
