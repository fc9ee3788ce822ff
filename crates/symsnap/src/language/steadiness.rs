//! What called predicates do with values that the search may never call them with, found out by a sample of those that the
//! task knows.
//!
//! *Errors.* An error ends the proof of its example. In `p0(V1), many(V1), p1(V0,V1)` with `many(X) :- between(0,9,X)` it does so for
//! the first value of `p0/1` that is no integer, whatever comes after it, and so may leave a negative uncovered. The search
//! tests `many/1` on what both others have, and would not see it.
//!
//! *Outputs.* Predicates that can tell bound from unbound arguments may hold, with their outputs bound, of more than their declared
//! direction gives.
//! With `direction(chk,(in,out))` and `chk(L,X) :- memberchk(X,L)` a call gives the first element and a test holds of any. A rule
//! in which another literal binds `X` first covers more than the join with what the call gives, and the search would not
//! see it. Whether there are such values cannot be decided; where a sample of those that the task knows has one, nothing is proved.

use super::body_pred::BodyPred;
use super::literal::PredNo;
use super::predicates::Language;
use crate::database::{Answers, CallOutcome, Columns, Want};
use crate::index::narrow;
use crate::logic::{Symbol, TermId};
use crate::task::Examples;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Values that are tried for an argument.
const VALUES: usize = 8;
/// Tuples of values that are tried for the inputs of a call, and for its outputs.
const TUPLES: usize = 16;
/// Calls that are made for one predicate, and for all: of a sample, not more than what is hardly noticed.
const CALLS: (usize, usize) = (400, 2_000);
/// Rows of a table, and examples, in which values are looked for.
const ROWS: usize = 200;

impl Language<'_> {
    /// Ask called predicates about values of their types, and take down which raise errors, and which hold for values that they
    /// do not give.
    pub fn sample_steadiness(&self, examples: &Examples) {
        let called = self.preds.iter().enumerate().filter(|(_, known)| !known.table && known.chosen.is_none());
        let mut all = CALLS.1;
        for (at, known) in called {
            let allowed = CALLS.0.min(all);
            let left = Cell::new(allowed / 2);
            let values: Vec<Vec<u32>> = known.types.iter().map(|kind| self.values_of(*kind, examples)).collect();
            if let Some(error) = self.raises(known, &values, &left) {
                self.log.note_raises(PredNo::new(at), error);
            }
            left.set(left.get() + allowed.div_ceil(2));
            let has_more = |&inputs: &u64| self.has_more_than_it_gives(known, inputs, &values, &left);
            if let Some(cause) = known.sensitive
                && known.declared.iter().any(has_more)
            {
                self.log.suspect(PredNo::new(at), cause);
            }
            all -= allowed - left.get();
        }
    }

    /// An error that a call raises for a value of an argument where it holds for others which the same column of a table has: with
    /// these, a rule may meet either first.
    fn raises(&self, known: &BodyPred, values: &[Vec<u32>], left: &Cell<usize>) -> Option<String> {
        let arity = values.len();
        let all = (0..arity).fold(Columns::default(), Columns::with);
        (0..arity).find_map(|place| {
            let others: Vec<usize> = (0..arity).filter(|at| *at != place).collect();
            let columns = self.columns_of(known.types[place]);
            columns.iter().find_map(|column| {
                tuples(values, &others).find_map(|given| {
                    let mut key = vec![0; arity];
                    others.iter().zip(&given).for_each(|(&at, &value)| key[at] = value);
                    let (mut holds, mut error) = (false, None);
                    for &value in column {
                        key[place] = value;
                        let answers = self.sample(known, (all, &key), Want::One, left)?;
                        match answers.outcome() {
                            CallOutcome::Fault(fault) if !fault.leaves_unknown() && !fault.is_instantiation() => {
                                error = error.or_else(|| Some(fault.to_string()));
                            }
                            _ => holds |= !answers.is_empty(),
                        }
                    }
                    error.filter(|_| holds)
                })
            })
        })
    }

    /// Whether a call with these inputs holds for outputs that it does not give.
    fn has_more_than_it_gives(&self, known: &BodyPred, inputs: u64, values: &[Vec<u32>], left: &Cell<usize>) -> bool {
        let arity = values.len();
        let (given, wanted): (Vec<usize>, Vec<usize>) = (0..arity).partition(|at| inputs >> at & 1 == 1);
        if wanted.is_empty() {
            return false;
        }
        let all = (0..arity).fold(Columns::default(), Columns::with);
        tuples(values, &given).any(|input| {
            let Some(answers) = self.sample(known, (Columns(inputs), &input), Want::All, left) else { return false };
            *answers.outcome() == CallOutcome::Exact
                && tuples(values, &wanted).any(|output| {
                    let mut key = vec![0; arity];
                    given
                        .iter()
                        .zip(&input)
                        .chain(wanted.iter().zip(&output))
                        .for_each(|(&at, &value)| key[at] = value);
                    let is_given = answers.values().chunks(wanted.len()).any(|row| *row == *output);
                    let holds = || self.sample(known, (all, &key), Want::One, left).is_some_and(|it| !it.is_empty());
                    !is_given && holds()
                })
        })
    }

    /// A call; `None` if there are no more to be made.
    fn sample(
        &self,
        known: &BodyPred,
        (bound, key): (Columns, &[u32]),
        want: Want,
        left: &Cell<usize>,
    ) -> Option<Arc<Answers>> {
        left.set(left.get().checked_sub(1)?);
        Some(self.database.ask_within(known.place, bound, key, want, self.log.steps()))
    }

    /// Some values of each column of a table that may have values of this type.
    fn columns_of(&self, kind: Option<Symbol>) -> Vec<Vec<u32>> {
        let mut columns = Vec::new();
        for known in self.preds.iter().filter(|known| known.constants.is_empty()) {
            let Some(table) = self.database.table(known.place) else { continue };
            for (at, _) in known.types.iter().enumerate().filter(|(_, other)| may_be(kind, **other)) {
                let values: BTreeSet<u32> = table.column(at).iter().take(ROWS).copied().collect();
                columns.push(some(values));
            }
        }
        columns
    }

    /// Some values of a type that tables and examples have; of any, if it is not known.
    fn values_of(&self, kind: Option<Symbol>, examples: &Examples) -> Vec<u32> {
        let mut values: BTreeSet<u32> = self.columns_of(kind).into_iter().flatten().collect();
        let id = |term: &TermId| narrow::<_, u32>(term.index());
        for (at, _) in self.head_types().iter().enumerate().filter(|(_, other)| may_be(kind, **other)) {
            values.extend((0..examples.positives().min(ROWS)).map(|example| id(&examples.positive(example)[at])));
            values.extend((0..examples.negatives().min(ROWS)).map(|example| id(&examples.negative(example)[at])));
        }
        some(values)
    }
}

/// Whether a variable may stand in arguments of both types.
fn may_be(kind: Option<Symbol>, other: Option<Symbol>) -> bool {
    kind.is_none() || other.is_none() || other == kind
}

/// At most [`VALUES`] of these, from all over.
fn some(values: BTreeSet<u32>) -> Vec<u32> {
    let step = values.len().div_ceil(VALUES).max(1);
    values.into_iter().step_by(step).collect()
}

/// The first tuples of the values of these arguments, the first argument's changing fastest.
fn tuples<'v>(values: &'v [Vec<u32>], of: &'v [usize]) -> impl Iterator<Item = Vec<u32>> + 'v {
    let all = of.iter().fold(1usize, |all, &at| all.saturating_mul(values[at].len()));
    (0..all.min(TUPLES)).map(move |mut number| {
        let value = |&at: &usize| {
            let place = number % values[at].len();
            number /= values[at].len();
            values[at][place]
        };
        of.iter().map(value).collect()
    })
}
