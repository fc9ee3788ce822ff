//! The background knowledge in the form that joins want: ground relations in columns of `u32`.
//!
//! Each predicate is evaluated in one of three ways, chosen once and reported by [`Database::evaluation`]: ground facts
//! become a [`Relation`] as they are; rules that are Datalog with stratified negation are materialised bottom-up; all
//! else is called through the embedded evaluator, one call pattern at a time, and the answers are kept. A predicate
//! that nothing defines is empty.
//!
//! A database is immutable but for caches, and shared by threads. It knows nothing of examples or rules to learn.

mod called;
mod datalog;
mod distinct;
mod incidence;
mod index;
mod keyed_rows;
mod materialise;
mod relation;
mod selections;
mod seminaive;
mod steadfast;
#[cfg(test)]
mod tests;
mod tuples;
mod undefined;

pub use called::{Answers, CallOutcome, Want};
pub use distinct::values_of;
pub use incidence::{Incidence, Projection};
pub use index::{Columns, Index, digest_of};
pub use relation::{PredIx, Relation};
pub use selections::Selection;
pub use tuples::Tuples;
pub use undefined::{redefined, undefined};

use crate::budget::Budget;
use crate::index::narrow;
use crate::logic::{Arg, Comparison, Computation, Number, Pred, TermId, Terms};
use crate::prolog::{Engine, Limits};
use crate::task::{Definition, Program, Task};
use called::CallMemory;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock, RwLock};

/// How a predicate is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evaluation {
    /// Its facts, without repetition, are a table.
    Facts {
        /// Distinct facts.
        rows: usize,
    },
    /// Its rules were run bottom-up, and all that follows is a table.
    Materialised {
        /// Rows derived.
        rows: usize,
    },
    /// It is called when needed.
    Called {
        /// Why it is not a table, in a few words.
        why: &'static str,
    },
    /// Nothing defines it; it has no answers.
    Undefined,
}

#[derive(Debug)]
struct PredicateEntry {
    pred: Pred,
    evaluation: Evaluation,
    table: Option<Relation>,
}

/// The indexes built so far.
#[derive(Debug, Default)]
struct Indexes {
    built: FxHashMap<(PredIx, Columns, Columns), Arc<Index>>,
    bytes: usize,
}

/// Indexes held before all are forgotten (those in use live on): wide relations have more patterns than memory.
pub const MOST_INDEX_BYTES: usize = 512 << 20;

/// The background knowledge of a task, ready for joins.
#[derive(Debug)]
pub struct Database {
    entries: Vec<PredicateEntry>,
    by_pred: FxHashMap<Pred, PredIx>,
    indexes: RwLock<Indexes>,
    values: usize,
    /// What engines are made of.
    terms: Arc<Terms>,
    program: Arc<Program>,
    caller: OnceLock<Mutex<CallMemory>>,
    finished: bool,
    /// How many entries are predicates of the task; those of selections follow.
    named: usize,
    selections: Vec<Selection>,
    selected_all: bool,
}

impl Database {
    /// Evaluate the background knowledge of `task` as far as it is worth doing ahead of time.
    pub fn new(task: &Task) -> Self {
        Database::within(task, &Budget::unlimited())
    }

    /// [`Database::new`] that goes no further ahead of time when the budget is used up.
    pub fn within(task: &Task, budget: &Budget) -> Self {
        let mut database = Database {
            entries: Vec::new(),
            by_pred: FxHashMap::default(),
            indexes: RwLock::default(),
            values: task.terms.len(),
            terms: Arc::new(task.terms.clone()),
            program: Arc::new(task.program.clone()),
            caller: OnceLock::new(),
            finished: true,
            named: 0,
            selections: Vec::new(),
            selected_all: true,
        };
        for predicate in task.program.predicates() {
            let (evaluation, table) = match &predicate.definition {
                _ if predicate.pred.arity as usize > Columns::MAX => {
                    (Evaluation::Called { why: "has more arguments than joins handle" }, None)
                }
                Definition::Facts(facts) => {
                    let table = Relation::of_facts(facts);
                    (Evaluation::Facts { rows: table.len() }, Some(table))
                }
                Definition::Clauses(_) => (Evaluation::Called { why: "is not used by the bias" }, None),
            };
            database.add(predicate.pred, evaluation, table);
        }
        database.finished = materialise::run(&mut database, task, budget);
        let product = task.bias.cuts.multiples.iter().map(|multiples| multiples.product);
        let called: Vec<Pred> = task.bias.body.iter().copied().chain(product).collect();
        database.add_undefined(&called);
        database.select(task);
        database
    }

    /// The tables of some predicates with some of their rows, told by a bit for each, and no other tables.
    ///
    /// # Panics
    /// If one of them has no table.
    #[must_use]
    pub fn keeping(&self, rows: &[(PredIx, Vec<bool>)]) -> Database {
        let bare = |entry: &PredicateEntry| PredicateEntry { table: None, ..*entry };
        let mut entries: Vec<PredicateEntry> = self.entries.iter().map(bare).collect();
        for (place, kept) in rows {
            let table = self.table(*place).expect("rows are kept of tables");
            entries[place.index()].table = Some(table.keeping(kept));
        }
        Database {
            entries,
            by_pred: self.by_pred.clone(),
            indexes: RwLock::default(),
            values: self.values,
            terms: Arc::clone(&self.terms),
            program: Arc::clone(&self.program),
            caller: OnceLock::new(),
            finished: self.finished,
            named: self.named,
            selections: self.selections.clone(),
            selected_all: self.selected_all,
        }
    }

    /// Whether the budget allowed for all that is worth doing ahead of time. If not, some predicates are called that would
    /// be tables: right, and slower, so such a database is not one to keep for further runs.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// How `pred` is evaluated.
    pub fn evaluation(&self, pred: Pred) -> Evaluation {
        self.entry(pred).map_or(Evaluation::Undefined, |entry| entry.evaluation)
    }

    /// How the predicate at `place` is evaluated.
    pub fn evaluation_at(&self, place: PredIx) -> Evaluation {
        self.entries[place.index()].evaluation
    }

    /// What a predicate that is called uses that can tell bound from unbound arguments; `None` if nothing, or if it is a
    /// table. Such a predicate may answer otherwise when its arguments are bound later.
    pub fn sensitive(&self, place: PredIx) -> Option<&'static str> {
        let PredicateEntry { pred, evaluation, .. } = &self.entries[place.index()];
        let called = matches!(evaluation, Evaluation::Called { .. });
        called.then(|| steadfast::sensitive(&self.program, *pred, &self.terms)).flatten()
    }

    /// The predicate at `place`.
    pub fn pred_at(&self, place: PredIx) -> Pred {
        self.entries[place.index()].pred
    }

    /// The predicates that the background program or the bias names, in the order of first mention.
    pub fn predicates(&self) -> impl Iterator<Item = (Pred, Evaluation)> + '_ {
        self.entries[..self.named].iter().map(|entry| (entry.pred, entry.evaluation))
    }

    /// The table of `pred`, if it has one.
    pub fn relation(&self, pred: Pred) -> Option<&Relation> {
        self.entry(pred).and_then(|entry| entry.table.as_ref())
    }

    /// All values in tables are below this number, which is the number of terms of the task.
    pub fn values(&self) -> usize {
        self.values
    }

    /// Let calls and resolution know terms that were made since: `terms` begins with the terms of the task. Answers to
    /// calls so far are forgotten, and whoever kept some must do so too; tables stay.
    pub fn learn_terms(&mut self, terms: &Terms) {
        self.values = terms.len();
        self.terms = Arc::new(terms.clone());
        self.caller = OnceLock::new();
    }

    /// The number that a value is, be it of a table or of an answer; `None` if it is none, or one beyond 64 bits.
    pub fn number(&self, value: u32) -> Option<Number> {
        let id = TermId::from_index(value);
        if id.index() < self.terms.len() {
            Number::of(id, &self.terms)
        } else {
            self.with_answer_terms(|terms| Number::of(id, terms))
        }
    }

    /// The value of a number that calls may be made with.
    pub fn value_for_calls(&self, number: Number) -> u32 {
        let caller = self.caller.get_or_init(|| Mutex::new(CallMemory::new(self.engine())));
        caller.lock().expect("no thread panics while it holds the lock").value_of(number)
    }

    /// The value of a number that was computed, as a call would have answered it; `None` if there is no room for more.
    pub fn value_of_computed(&self, number: Number) -> Option<u32> {
        let caller = self.caller.get_or_init(|| Mutex::new(CallMemory::new(self.engine())));
        caller.lock().expect("no thread panics while it holds the lock").value_of_computed(number)
    }

    /// The computation that the predicate at `place` is.
    pub fn computation(&self, place: PredIx) -> Option<Computation> {
        Computation::of(self.pred_at(place), &self.terms)
    }

    /// The value that a number is in tables and calls, if it is one.
    pub fn value_of(&self, number: Number) -> Option<u32> {
        number.find(&self.terms).map(|id| narrow(id.index()))
    }

    /// A value as an argument of a literal, if it is a term of the task or a number.
    pub fn argument(&self, value: u32) -> Option<Arg> {
        let id = TermId::from_index(value);
        if id.index() < self.terms.len() {
            Some(Arg::ground(id, &self.terms))
        } else {
            self.number(value).map(Arg::Number)
        }
    }

    /// The comparison that `pred` is, unless the background defines it.
    pub fn comparison(&self, pred: Pred) -> Option<Comparison> {
        if self.program.get(pred).is_some() { None } else { Comparison::of(pred, &self.terms) }
    }

    /// The place of `pred`, if the database has it.
    pub fn place(&self, pred: Pred) -> Option<PredIx> {
        self.by_pred.get(&pred).copied()
    }

    /// The index of a table from `keys` to `values`, built when first asked for. Whoever needs it often keeps it.
    ///
    /// # Panics
    /// If the predicate has no table.
    pub fn index(&self, place: PredIx, keys: Columns, values: Columns) -> Arc<Index> {
        let of = (place, keys, values);
        let known = self.indexes.read().expect("no thread panics while it holds the lock").built.get(&of).cloned();
        known.unwrap_or_else(|| {
            let table = self.table(place).expect("only tables are indexed");
            let index = Arc::new(Index::new(table, keys, values));
            let mut indexes = self.indexes.write().expect("no thread panics while it holds the lock");
            if indexes.bytes > MOST_INDEX_BYTES {
                *indexes = Indexes::default();
            }
            indexes.bytes += index.bytes();
            indexes.built.insert(of, Arc::clone(&index));
            index
        })
    }

    /// The table at `place`, if it has one.
    pub fn table(&self, place: PredIx) -> Option<&Relation> {
        self.entries[place.index()].table.as_ref()
    }

    /// All answers of `pred`, called with some arguments bound. Tables answer too, so that a caller need not care.
    ///
    /// # Panics
    /// If there are not as many arguments as the predicate takes, or more than [`Columns::MAX`].
    pub fn answers(&self, pred: Pred, args: &[Option<TermId>]) -> Arc<Answers> {
        assert_eq!(args.len(), pred.arity as usize, "a call has as many arguments as its predicate takes");
        let bound = (0..args.len()).filter(|&at| args[at].is_some()).fold(Columns::default(), Columns::with);
        let key: Vec<u32> = args.iter().flatten().map(|id| narrow(id.index())).collect();
        match self.place(pred) {
            Some(place) => self.answers_at(place, bound, &key),
            None => Arc::new(Answers::exact(Vec::new(), 0, args.len() - key.len())),
        }
    }

    /// [`Database::answers`] of the predicate at `place`, with `key` for the `bound` columns.
    ///
    /// # Panics
    /// If `key` has not one value for each column.
    pub fn answers_at(&self, place: PredIx, bound: Columns, key: &[u32]) -> Arc<Answers> {
        self.ask(place, bound, key, Want::All)
    }

    /// [`Database::answers_at`], or only whether there is an answer.
    ///
    /// # Panics
    /// If `key` has not one value for each column.
    pub fn ask(&self, place: PredIx, bound: Columns, key: &[u32], want: Want) -> Arc<Answers> {
        self.ask_within(place, bound, key, want, Database::MOST_STEPS)
    }

    /// Steps that a call may take.
    pub const MOST_STEPS: u64 = Limits::STEPS;

    /// [`Database::ask`] with fewer steps for a call. Whether they suffice does not depend on what was asked before.
    ///
    /// # Panics
    /// If `key` has not one value for each column.
    pub fn ask_within(&self, place: PredIx, bound: Columns, key: &[u32], want: Want, steps: u64) -> Arc<Answers> {
        assert_eq!(bound.len(), key.len(), "one value for each bound column");
        let pred = self.entries[place.index()].pred;
        let width = if want == Want::One { 0 } else { pred.arity as usize - key.len() };
        match self.evaluation_at(place) {
            Evaluation::Called { .. } => {
                let caller = self.caller.get_or_init(|| Mutex::new(CallMemory::new(self.engine())));
                let mut caller = caller.lock().expect("no thread panics while it holds the lock");
                caller.answers((place, pred), bound, key, want, steps)
            }
            Evaluation::Undefined => Arc::new(Answers::exact(Vec::new(), 0, width)),
            Evaluation::Facts { .. } | Evaluation::Materialised { .. } => {
                let free = (0..pred.arity as usize).filter(|&column| width > 0 && !bound.contains(column));
                let index = self.index(place, bound, free.fold(Columns::default(), Columns::with));
                let values = index.values()[index.range(key)].to_vec();
                let rows = values.len().checked_div(width).unwrap_or_else(|| usize::from(index.contains(key)));
                Arc::new(Answers::exact(values, rows, width))
            }
        }
    }

    /// Whether a call of the predicate at `place` comes to its end without an error when all its answers are asked for,
    /// as Prolog does when what follows the call fails.
    pub fn ends_well(&self, place: PredIx, bound: Columns, key: &[u32]) -> bool {
        let Evaluation::Called { .. } = self.evaluation_at(place) else { return true };
        let caller = self.caller.get_or_init(|| Mutex::new(CallMemory::new(self.engine())));
        let mut caller = caller.lock().expect("no thread panics while it holds the lock");
        caller.ends_well(self.entries[place.index()].pred, bound, key)
    }

    /// Look at the terms that answers of calls refer to, those that calls have built included.
    pub fn with_answer_terms<T>(&self, look: impl FnOnce(&Terms) -> T) -> T {
        let caller = self.caller.get_or_init(|| Mutex::new(CallMemory::new(self.engine())));
        look(caller.lock().expect("no thread panics while it holds the lock").terms())
    }

    /// A fresh embedded evaluator over the background program, for resolution of whole rules.
    pub fn engine(&self) -> Engine {
        Engine::new(Terms::clone(&self.terms), &self.program, Limits::default())
    }

    fn entry(&self, pred: Pred) -> Option<&PredicateEntry> {
        self.place(pred).map(|place| &self.entries[place.index()])
    }

    /// Give body predicates that the program does not mention their evaluation: built-ins and library predicates are
    /// called, the others are empty, for resolution too.
    fn add_undefined(&mut self, body: &[Pred]) {
        let unknown: Vec<Pred> = body.iter().copied().filter(|pred| !self.by_pred.contains_key(pred)).collect();
        if unknown.is_empty() {
            return;
        }
        let mut engine = self.engine();
        for pred in unknown {
            if engine.defines(pred) {
                self.add(pred, Evaluation::Called { why: "is built in" }, None);
            } else {
                Arc::make_mut(&mut self.program).declare(pred);
                self.add(pred, Evaluation::Undefined, None);
            }
        }
    }

    fn set(&mut self, pred: Pred, evaluation: Evaluation, table: Option<Relation>) {
        let place = self.place(pred).expect("predicates of the program have a place");
        self.entries[place.index()] = PredicateEntry { pred, evaluation, table };
    }

    fn add(&mut self, pred: Pred, evaluation: Evaluation, table: Option<Relation>) {
        let place = PredIx::new(self.entries.len());
        self.by_pred.insert(pred, place);
        self.entries.push(PredicateEntry { pred, evaluation, table });
    }
}
