//! Tables with constants in some arguments: `color(V,red)` as a table of its own.
//!
//! A selection and a projection in Codd's terms. Miners and joins then see predicates over variables alone, and need not know
//! that a bias allows constants. Of the arguments that may be constants every set is tried but that of all arguments, and for
//! each every tuple of values that some row has.
//!
//! *Rejected*: constants as tests `V = red` on a variable (a comparison of size nothing breaks the order of the search, which
//! goes by size), selections made where a rule needs them (the same table is then made in many places).

use super::relation::{PredIx, Relation};
use super::tuples::Tuples;
use super::{Columns, Database, Evaluation, PredicateEntry};
use crate::logic::{Pred, TermId};
use crate::task::Bias;
use rustc_hash::FxHashMap;

/// A table with constants in some arguments.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The predicate.
    pub pred: Pred,
    /// The constants, and `None` for the arguments that the table has.
    pub args: Box<[Option<TermId>]>,
    /// Where the table is.
    pub place: PredIx,
}

/// Selections that are made. A million facts with a column of names would otherwise become a million tables.
const MOST_SELECTIONS: usize = 20_000;

/// Sets of arguments of one predicate that may be constants; predicates with more such arguments are taken to have fewer.
const MOST_ARGUMENTS: usize = 5;

impl Database {
    /// Make the selections that `bias` allows of body predicates that are tables.
    pub(super) fn select(&mut self, bias: &Bias) {
        self.named = self.entries.len();
        if bias.constants.is_empty() {
            return;
        }
        for &pred in &bias.body {
            let allowed: Vec<usize> =
                (0..pred.arity as usize).filter(|&at| bias.constants.allows(bias, pred, at)).collect();
            if allowed.is_empty() {
                continue;
            }
            let table = self.place(pred).and_then(|place| self.table(place).map(|_| place));
            let Some(place) = table else {
                // What a call answers for a constant is not known before it is called.
                self.selected_all &= matches!(self.evaluation(pred), Evaluation::Undefined);
                continue;
            };
            self.selected_all &= allowed.len() <= MOST_ARGUMENTS;
            let allowed = &allowed[..allowed.len().min(MOST_ARGUMENTS)];
            for subset in 1u32..1 << allowed.len() {
                let chosen = allowed.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1);
                let fixed = chosen.fold(Columns::default(), |set, (_, &at)| set.with(at));
                let within = bias.constants.most.is_none_or(|most| fixed.len() <= most);
                if within && fixed.len() < pred.arity as usize {
                    self.select_by(pred, place, fixed);
                }
            }
        }
    }

    /// One selection for each tuple of values of the columns `fixed`.
    fn select_by(&mut self, pred: Pred, place: PredIx, fixed: Columns) {
        let table = self.table(place).expect("the caller has looked");
        let columns: Vec<usize> = (0..pred.arity as usize).collect();
        let (keys, rest): (Vec<usize>, Vec<usize>) = columns.iter().partition(|&&at| fixed.contains(at));
        let mut known = Tuples::new(keys.len());
        let mut rows: Vec<Tuples> = Vec::new();
        for at in 0..table.len() {
            let values = |of: &[usize]| of.iter().map(|&column| table.column(column)[at]).collect::<Vec<u32>>();
            let (group, new) = known.insert(&values(&keys));
            if new {
                rows.push(Tuples::new(rest.len()));
            }
            rows[group as usize].insert(&values(&rest));
        }
        for (group, rows) in rows.into_iter().enumerate() {
            if self.selections.len() >= MOST_SELECTIONS {
                self.selected_all = false;
                return;
            }
            let place = PredIx::new(self.entries.len());
            let values: FxHashMap<usize, u32> = keys.iter().copied().zip(known.row(group).iter().copied()).collect();
            let args = columns.iter().map(|at| values.get(at).map(|&value| TermId::from_index(value))).collect();
            let evaluation = Evaluation::Materialised { rows: rows.len() };
            self.entries.push(PredicateEntry { pred, evaluation, table: Some(Relation::new(rows)) });
            self.selections.push(Selection { pred, args, place });
        }
    }

    /// The tables with constants in some arguments.
    pub fn selections(&self) -> &[Selection] {
        &self.selections
    }

    /// Whether there is one for every literal with constants that the bias allows and some example could satisfy.
    pub fn has_all_selections(&self) -> bool {
        self.selected_all
    }
}
