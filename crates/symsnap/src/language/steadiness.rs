//! Whether predicates that can tell bound from unbound arguments answer, with their outputs bound, more than their declared
//! direction gives.
//!
//! With `direction(chk,(in,out))` and `chk(L,X) :- memberchk(X,L)` a call gives the first element and a test holds of any. A rule
//! in which another literal binds `X` first covers more than the join with what the call gives, and the search would not
//! see it. Whether there are such values cannot be decided; where a sample of those that the task knows has one, nothing is proved.

use super::body_pred::BodyPred;
use super::literal::PredNo;
use super::predicates::Language;
use crate::database::{CallOutcome, Columns, Want};
use crate::index::narrow;
use crate::logic::{Symbol, TermId};
use crate::task::Examples;
use std::collections::BTreeSet;

/// Values that are tried for an argument.
const VALUES: usize = 8;
/// Tuples of values that are tried for the inputs of a call, and for its outputs.
const TUPLES: usize = 32;
/// Rows of a table, and examples, in which values are looked for.
const ROWS: usize = 200;

impl Language<'_> {
    /// Ask predicates that can tell bound from unbound arguments for values that they do not give, and take down which hold.
    pub fn sample_steadiness(&self, examples: &Examples) {
        for (at, known) in self.preds.iter().enumerate().filter(|(_, known)| !known.table && known.chosen.is_none()) {
            let Some(cause) = known.sensitive else { continue };
            let values: Vec<Vec<u32>> = known.types.iter().map(|kind| self.values_of(*kind, examples)).collect();
            if known.declared.iter().any(|&inputs| self.has_more_than_it_gives(known, inputs, &values)) {
                self.log.suspect(PredNo::new(at), cause);
            }
        }
    }

    /// Whether a call with these inputs holds for outputs that it does not give.
    fn has_more_than_it_gives(&self, known: &BodyPred, inputs: u64, values: &[Vec<u32>]) -> bool {
        let arity = values.len();
        let (given, wanted): (Vec<usize>, Vec<usize>) = (0..arity).partition(|at| inputs >> at & 1 == 1);
        if wanted.is_empty() {
            return false;
        }
        let all = (0..arity).fold(Columns::default(), Columns::with);
        let steps = self.log.steps();
        tuples(values, &given).any(|input| {
            let answers = self.database.ask_within(known.place, Columns(inputs), &input, Want::All, steps);
            *answers.outcome() == CallOutcome::Exact
                && tuples(values, &wanted).any(|output| {
                    let mut key = vec![0; arity];
                    given
                        .iter()
                        .zip(&input)
                        .chain(wanted.iter().zip(&output))
                        .for_each(|(&at, &value)| key[at] = value);
                    let is_given = answers.values().chunks(wanted.len()).any(|row| *row == *output);
                    !is_given && !self.database.ask_within(known.place, all, &key, Want::One, steps).is_empty()
                })
        })
    }

    /// Some values of a type that tables and examples have; of any, if it is not known.
    fn values_of(&self, kind: Option<Symbol>, examples: &Examples) -> Vec<u32> {
        let fits = |other: Option<Symbol>| kind.is_none() || other.is_none() || other == kind;
        let mut values = BTreeSet::new();
        for known in self.preds.iter().filter(|known| known.constants.is_empty()) {
            let Some(table) = self.database.table(known.place) else { continue };
            for (at, _) in known.types.iter().enumerate().filter(|(_, other)| fits(**other)) {
                values.extend((0..table.len().min(ROWS)).map(|row| table.row(row)[at]));
            }
        }
        let id = |term: &TermId| narrow::<_, u32>(term.index());
        for (at, _) in self.head_types().iter().enumerate().filter(|(_, other)| fits(**other)) {
            values.extend((0..examples.positives().min(ROWS)).map(|example| id(&examples.positive(example)[at])));
            values.extend((0..examples.negatives().min(ROWS)).map(|example| id(&examples.negative(example)[at])));
        }
        let step = values.len().div_ceil(VALUES).max(1);
        values.into_iter().step_by(step).collect()
    }
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
