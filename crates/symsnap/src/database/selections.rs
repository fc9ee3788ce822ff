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
use crate::index::narrow;
use crate::logic::{Pred, TermId};
use crate::task::Task;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

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

/// Selections that are made. A million facts with a column of names would otherwise become a million tables. If there could be
/// more, those of rows with a value of a positive's head come first, because a rule is wanted only if it covers positives, and
/// then those of most rows.
const MOST_SELECTIONS: usize = 20_000;

/// Sets of arguments of one predicate that may be constants; predicates with more such arguments are taken to have fewer.
const MOST_ARGUMENTS: usize = 5;

/// Less is better.
type Rank = (bool, Reverse<u32>, usize, usize);

/// The selections of one table by one set of columns.
struct Grouping {
    pred: Pred,
    place: PredIx,
    /// The columns with constants, and the others.
    keys: Vec<usize>,
    rest: Vec<usize>,
    /// The values that the columns with constants have, how many rows have them, and whether one of these rows is about a
    /// positive.
    groups: Tuples,
    rows: Vec<u32>,
    linked: Vec<bool>,
}

impl Grouping {
    fn new(pred: Pred, place: PredIx, table: &Relation, fixed: Columns, positives: &FxHashSet<u32>) -> Self {
        let (keys, rest): (Vec<usize>, Vec<usize>) = (0..pred.arity as usize).partition(|&at| fixed.contains(at));
        let mut grouping =
            Grouping { pred, place, groups: Tuples::new(keys.len()), keys, rest, rows: Vec::new(), linked: Vec::new() };
        for at in 0..table.len() {
            let (group, new) = grouping.groups.insert(&grouping.values(table, at));
            if new {
                grouping.rows.push(0);
                grouping.linked.push(false);
            }
            grouping.rows[group as usize] += 1;
            grouping.linked[group as usize] |= table.row(at).any(|value| positives.contains(&value));
        }
        grouping
    }

    /// What the columns with constants have in a row.
    fn values(&self, table: &Relation, row: usize) -> Vec<u32> {
        self.keys.iter().map(|&key| table.column(key)[row]).collect()
    }

    /// Which groups come first if not all can be selected: those about positives, then those with most rows, then those that
    /// were found first. This grouping is the one of this number.
    fn ranks(&self, number: usize) -> impl Iterator<Item = Rank> + '_ {
        let ranks = self.linked.iter().zip(&self.rows).enumerate();
        ranks.map(move |(group, (&linked, &rows))| (!linked, Reverse(rows), number, group))
    }
}

impl Database {
    /// Make the selections that the bias of `task` allows of body predicates that are tables.
    pub(super) fn select(&mut self, task: &Task) {
        self.named = self.entries.len();
        let bias = &task.bias;
        if bias.constants.is_empty() {
            return;
        }
        let examples = &task.examples;
        let positives = (0..examples.positives()).flat_map(|at| examples.positive(at));
        let positives: FxHashSet<u32> = positives.map(|id| narrow(id.index())).collect();
        let mut groupings = Vec::new();
        for &pred in &bias.body {
            let allowed: Vec<usize> =
                (0..pred.arity as usize).filter(|&at| bias.constants.allows(bias, pred, at)).collect();
            if allowed.is_empty() {
                continue;
            }
            let Some((place, table)) = self.place(pred).and_then(|place| Some((place, self.table(place)?))) else {
                // What a call answers for a constant is not known before it is called.
                self.selected_all &= matches!(self.evaluation(pred), Evaluation::Undefined);
                continue;
            };
            let few = &allowed[..allowed.len().min(MOST_ARGUMENTS)];
            for subset in 1u32..1 << few.len() {
                let chosen = few.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1);
                let fixed = chosen.fold(Columns::default(), |set, (_, &at)| set.with(at));
                let within = bias.constants.most.is_none_or(|most| fixed.len() <= most);
                if within && fixed.len() < pred.arity as usize {
                    groupings.push(Grouping::new(pred, place, table, fixed, &positives));
                }
            }
            self.selected_all &= allowed.len() <= MOST_ARGUMENTS;
        }
        let ranks = groupings.iter().enumerate().flat_map(|(number, grouping)| grouping.ranks(number));
        let mut ranks: Vec<Rank> = ranks.collect();
        let mut first_left_out = None;
        if ranks.len() > MOST_SELECTIONS {
            self.selected_all = false;
            first_left_out = Some(*ranks.select_nth_unstable(MOST_SELECTIONS).1);
        }
        for (number, grouping) in groupings.iter().enumerate() {
            let wanted = grouping.ranks(number).map(|rank| first_left_out.is_none_or(|end| rank < end));
            self.make_selections(grouping, wanted);
        }
    }

    /// The selections of the groups that are wanted.
    fn make_selections(&mut self, of: &Grouping, wanted: impl Iterator<Item = bool>) {
        let mut rows: Vec<Option<Tuples>> = wanted.map(|wanted| wanted.then(|| Tuples::new(of.rest.len()))).collect();
        let table = self.table(of.place).expect("a table that is grouped is there");
        for at in 0..table.len() {
            if let Some(rows) = of.groups.get(&of.values(table, at)).and_then(|group| rows[group as usize].as_mut()) {
                rows.insert(&of.rest.iter().map(|&column| table.column(column)[at]).collect::<Vec<u32>>());
            }
        }
        for (group, rows) in rows.into_iter().enumerate() {
            let Some(rows) = rows else { continue };
            let place = PredIx::new(self.entries.len());
            let values: FxHashMap<usize, u32> =
                of.keys.iter().copied().zip(of.groups.row(group).iter().copied()).collect();
            let columns = 0..of.pred.arity as usize;
            let args = columns.map(|at| values.get(&at).map(|&value| TermId::from_index(value))).collect();
            let evaluation = Evaluation::Materialised { rows: rows.len() };
            self.entries.push(PredicateEntry { pred: of.pred, evaluation, table: Some(Relation::new(rows)) });
            self.selections.push(Selection { pred: of.pred, args, place });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_more_constants_than_are_tried_those_of_positives_come_first_and_then_the_frequent() {
        let count = MOST_SELECTIONS + 100;
        let facts: String = (0..count).map(|at| format!("p(e{at},v{at}). ")).collect();
        let often = format!("p(a,v{0}). p(b,v{0}).", count - 2);
        let exs = format!("pos(f(e{})). neg(f(e0)).", count - 1);
        let bias = "head_pred(f,1). body_pred(p,2). type(f,(e,)). type(p,(e,v)). constants(v).";
        let task = Task::from_texts(&(facts + &often), &exs, bias).unwrap();
        let database = Database::new(&task);
        assert_eq!(database.selections().len(), MOST_SELECTIONS);
        assert!(!database.has_all_selections());
        let args = database.selections().iter().filter_map(|selection| selection.args[1]);
        let names: FxHashSet<String> = args.map(|id| task.terms.show(id).to_string()).collect();
        let tried = [0, count - 3, count - 2, count - 1].map(|value| names.contains(&format!("v{value}")));
        assert_eq!(tried, [true, false, true, true]);
    }
}
