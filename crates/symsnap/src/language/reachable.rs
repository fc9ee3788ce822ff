//! The rows of tables that a body can meet, where predicates have directions.
//!
//! A literal runs once its inputs are bound, by the head or by literals that ran before it. So begin with the values of an
//! example's head, and add what rows give whose inputs are there, until nothing new comes: on this example, no body that can
//! be run meets any other row. This is the saturation of the example (Muggleton 1995), of any depth.
//!
//! Rows that are met on no example can go, and every rule covers the same examples. That pays where the background says
//! much that no example is about: the distances between all squares of a chess board, for boards with three pieces. A miner
//! that puts literals together before it knows what binds their inputs would join all of them.

use super::predicates::Language;
use crate::database::{PredIx, Relation};
use crate::index::narrow;
use crate::logic::Symbol;
use crate::task::Examples;
use rustc_hash::FxHashSet;

/// Rows looked at for each row that there is, and beside that, before it is given up: about what indexing them takes.
const LOOKS_PER_ROW: usize = 8;
const LOOKS: usize = 100_000;

/// With more tables than these it is written down in which ones a value is: constants make thousands of tables with a row each.
const FEW_TABLES: usize = 64;

impl Language<'_> {
    /// For each table, the rows that bodies can meet on some example. `None` if nearly all can be met, if that would take
    /// long to find out, or if predicates that are called may give any value.
    pub fn reachable(&self, examples: &Examples) -> Option<Vec<(PredIx, Vec<bool>)>> {
        if !self.directed() || self.has_cuts() {
            return None;
        }
        Saturation::new(self)?.of(examples, &self.head_types())
    }
}

/// A table with the rows that were met.
struct MetTable<'d> {
    place: PredIx,
    rows: &'d Relation,
    kinds: Vec<u32>,
    /// The sets of inputs of its directions.
    modes: &'d [u64],
    /// Rows met on some example.
    kept: Vec<bool>,
    /// The example on which each row was met last.
    last: Vec<u32>,
}

/// Where values stand as inputs: (type, value, table, column), sorted.
type Places = Vec<(u32, u32, u32, u32)>;

/// What is known to be met.
struct Saturation<'d> {
    tables: Vec<MetTable<'d>>,
    /// How many rows the tables have.
    rows: usize,
    /// Where each value stands, if there are many tables.
    places: Option<Places>,
    /// The types, or one for all if some are not declared, because then any two may agree.
    types: Option<Vec<Symbol>>,
    /// Types and values that any body can have, and that bodies can have on the example at hand.
    always: FxHashSet<(u32, u32)>,
    given: FxHashSet<(u32, u32)>,
    waiting: Vec<(u32, u32)>,
    example: u32,
    met: usize,
    looks: usize,
}

impl<'d> Saturation<'d> {
    fn new(language: &'d Language<'_>) -> Option<Self> {
        let relations = language.tables()?;
        let head = language.head_types();
        let all = || language.preds.iter().flat_map(|pred| pred.types.iter()).chain(&head);
        let mut types: Option<Vec<Symbol>> = all().copied().collect();
        if let Some(types) = &mut types {
            types.sort_unstable();
            types.dedup();
        }
        let mut saturation = Saturation {
            tables: Vec::new(),
            rows: 0,
            places: None,
            types,
            always: FxHashSet::default(),
            given: FxHashSet::default(),
            waiting: Vec::new(),
            example: 0,
            met: 0,
            looks: 0,
        };
        for (pred, rows) in language.preds.iter().zip(relations) {
            let kinds = saturation.kinds(&pred.types);
            let (kept, last) = (vec![false; rows.len()], vec![0; rows.len()]);
            saturation.rows += rows.len();
            saturation.tables.push(MetTable { place: pred.place, rows, kinds, modes: &pred.modes, kept, last });
        }
        saturation.places = (saturation.tables.len() > FEW_TABLES).then(|| saturation.all_places());
        Some(saturation)
    }

    /// The rows that are met on some example, for each table; `None` if that is futile.
    fn of(mut self, examples: &Examples, head: &[Option<Symbol>]) -> Option<Vec<(PredIx, Vec<bool>)>> {
        self.begin();
        let head = self.kinds(head);
        let positives = (0..examples.positives()).map(|at| examples.positive(at));
        for args in positives.chain((0..examples.negatives()).map(|at| examples.negative(at))) {
            self.next_example();
            for (&kind, id) in head.iter().zip(args) {
                self.give(kind, narrow(id.index()));
            }
            self.spread();
            if self.is_futile() {
                return None;
            }
        }
        Some(self.tables.into_iter().map(|table| (table.place, table.kept)).collect())
    }

    fn all_places(&self) -> Places {
        let mut places = Vec::new();
        for (at, table) in self.tables.iter().enumerate() {
            let inputs = table.modes.iter().fold(0, |all, mode| all | mode);
            for column in (0..table.kinds.len()).filter(|column| inputs >> column & 1 == 1) {
                let values = table.rows.column(column).iter().copied();
                places.extend(values.map(|value| (table.kinds[column], value, narrow(at), narrow(column))));
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    fn kinds(&self, types: &[Option<Symbol>]) -> Vec<u32> {
        let number = |kind: &Option<Symbol>| {
            let known = kind.zip(self.types.as_ref()).and_then(|(kind, known)| known.binary_search(&kind).ok());
            known.map_or(0, narrow)
        };
        types.iter().map(number).collect()
    }

    /// What bodies can meet on any example: literals that need no input, and what they lead to.
    fn begin(&mut self) {
        self.next_example();
        for at in 0..self.tables.len() {
            if self.tables[at].modes.contains(&0) {
                (0..self.tables[at].rows.len()).for_each(|row| self.meet(at, row));
            }
        }
        self.spread();
        self.always = std::mem::take(&mut self.given);
    }

    fn next_example(&mut self) {
        self.example += 1;
        self.given.clear();
    }

    fn has(&self, kind: u32, value: u32) -> bool {
        self.given.contains(&(kind, value)) || self.always.contains(&(kind, value))
    }

    fn give(&mut self, kind: u32, value: u32) {
        if !self.always.contains(&(kind, value)) && self.given.insert((kind, value)) {
            self.waiting.push((kind, value));
        }
    }

    /// A row is met, and gives its values.
    fn meet(&mut self, table: usize, row: usize) {
        let of = &mut self.tables[table];
        of.last[row] = self.example;
        if !std::mem::replace(&mut of.kept[row], true) {
            self.met += 1;
        }
        let rows = of.rows;
        for column in 0..rows.arity() {
            self.give(self.tables[table].kinds[column], rows.column(column)[row]);
        }
    }

    /// Meet the rows whose inputs are given, until there are no more.
    fn spread(&mut self) {
        while let Some((kind, value)) = self.waiting.pop() {
            if self.is_futile() {
                continue;
            }
            if let Some(places) = self.places.take() {
                let from = places.partition_point(|place| (place.0, place.1) < (kind, value));
                for place in places[from..].iter().take_while(|place| (place.0, place.1) == (kind, value)) {
                    self.follow(place.2 as usize, place.3 as usize, value);
                }
                self.places = Some(places);
                continue;
            }
            for table in 0..self.tables.len() {
                for column in 0..self.tables[table].kinds.len() {
                    if self.tables[table].kinds[column] == kind {
                        self.follow(table, column, value);
                    }
                }
            }
        }
    }

    /// Meet the rows with this value as an input whose other inputs are given, too.
    fn follow(&mut self, table: usize, column: usize, value: u32) {
        let MetTable { rows, modes, .. } = self.tables[table];
        for mode in modes.iter().filter(|&mode| mode >> column & 1 == 1) {
            for &row in rows.rows(column, value) {
                let row = row as usize;
                self.looks += 1;
                let of = &self.tables[table];
                let input = |at: usize| mode >> at & 1 == 0 || self.has(of.kinds[at], rows.column(at)[row]);
                if of.last[row] != self.example && (0..rows.arity()).all(input) {
                    self.meet(table, row);
                }
            }
        }
    }

    /// Whether so much has been met, or looked at, that nothing is to be gained.
    fn is_futile(&self) -> bool {
        self.met * 8 > self.rows * 7 || self.looks > self.rows * LOOKS_PER_ROW + LOOKS
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, Saturation};
    use crate::coverage::Evaluator;
    use crate::instance::Instance;
    use crate::task::Task;

    const BIAS: &str = "head_pred(f,1). direction(f,(in,)). body_pred(at,2). direction(at,(in,out)). \
        body_pred(far,3). direction(far,(in,in,out)). body_pred(one,1). direction(one,(in,)). max_vars(4). \
        type(f,(board,)). type(at,(board,square)). type(far,(square,square,number)). type(one,(number,)).";

    fn task(bias: &str) -> Task {
        let mut bk = "one(1). at(a,3). at(a,4). at(b,5). at(b,9). at(c,20).\n".to_owned();
        for (from, to) in (0..30).flat_map(|from| (0..30).map(move |to| (from, to))) {
            bk += &format!("far({from},{to},{}).\n", i32::abs(from - to));
        }
        Task::from_texts(&bk, "pos(f(a)). neg(f(b)).", bias).unwrap()
    }

    #[test]
    fn rows_are_kept_whose_inputs_an_example_leads_to() {
        let task = task(BIAS);
        let instance = Instance::new(&task);
        let (all, left) = (instance.database(), instance.reachable());
        let rows = |database: &crate::database::Database| -> Vec<usize> {
            task.bias.body.iter().map(|&pred| database.relation(pred).map_or(0, |table| table.len())).collect()
        };
        assert_eq!(rows(all), [5, 900, 1]);
        // Two squares of each of two boards, in both orders and with themselves; the board of no example goes.
        assert_eq!(rows(left), [4, 8, 1]);
        let rule = "f(A) :- at(A,B), at(A,C), far(B,C,D), one(D).";
        let mut task = task.clone();
        let given = task.read_rules(&crate::parse::Text::new("rule", rule)).unwrap();
        let rule = given[0].clause.as_rule(&task.terms).unwrap();
        assert_eq!(
            Evaluator::new(all, &task.examples).rule(&rule),
            Evaluator::new(left, &task.examples).rule(&rule),
            "one of the boards has neighbours"
        );
    }

    /// Constants make a table for each number, more than are scanned one by one.
    #[test]
    fn where_values_are_written_down_the_same_rows_are_met() {
        let task = task(&format!("{BIAS} constants(number). constants(square)."));
        let database = crate::database::Database::new(&task);
        let language = Language::new(&task.bias, &database);
        let written = Saturation::new(&language).unwrap();
        assert!(written.places.is_some(), "{} tables", written.tables.len());
        let scanned = Saturation { places: None, ..Saturation::new(&language).unwrap() };
        let head = language.head_types();
        let of = |saturation: Saturation<'_>| saturation.of(&task.examples, &head).unwrap();
        let (written, scanned) = (of(written), of(scanned));
        assert!(
            scanned.iter().any(|(_, kept)| kept.contains(&true))
                && scanned.iter().any(|(_, kept)| kept.contains(&false))
        );
        assert!(written == scanned);
    }

    #[test]
    fn without_directions_everything_can_be_met() {
        let undirected = BIAS.replace("direction(far,(in,in,out)). ", "");
        let task = task(&undirected);
        let instance = Instance::new(&task);
        assert!(std::ptr::eq(instance.reachable(), instance.database()));
    }
}
