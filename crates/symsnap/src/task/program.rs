//! The background program, predicate by predicate.

use crate::index::narrow;
use crate::logic::{Clause, Open, Pred, Summarised, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Ground facts of one predicate in columns: the form in which hundreds of thousands of them stay cheap. The columns hold
/// [`TermId`]s as plain numbers, as tables do, so that a table of different facts need not be another copy.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    columns: Vec<Vec<u32>>,
    len: usize,
}

impl Facts {
    /// No facts for a predicate of `arity` arguments.
    pub fn new(arity: usize) -> Self {
        Facts { columns: vec![Vec::new(); arity], len: 0 }
    }

    /// Add a fact.
    pub fn push(&mut self, row: &[TermId]) {
        debug_assert_eq!(row.len(), self.columns.len(), "a fact has as many arguments as its predicate");
        for (column, &id) in self.columns.iter_mut().zip(row) {
            column.push(narrow(id.index()));
        }
        self.len += 1;
    }

    /// Add facts, which have arguments and stand one behind the other.
    pub(super) fn extend(&mut self, rows: &[TermId]) {
        let arity = self.columns.len();
        if rows.len() == arity {
            return self.push(rows);
        }
        for (at, column) in self.columns.iter_mut().enumerate() {
            column.extend(rows.chunks_exact(arity).map(|row| narrow::<_, u32>(row[at].index())));
        }
        self.len += rows.len() / arity;
    }

    /// How many facts there are, repetitions included.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The facts by column, a term's number for each fact.
    pub fn columns(&self) -> &[Vec<u32>] {
        &self.columns
    }

    /// One argument of all facts.
    pub fn column(&self, argument: usize) -> impl Iterator<Item = TermId> + '_ {
        self.columns[argument].iter().map(|&number| TermId::from_index(number))
    }

    /// One argument of one fact.
    #[inline]
    pub fn get(&self, at: usize, argument: usize) -> TermId {
        TermId::from_index(self.columns[argument][at])
    }

    /// One fact.
    pub fn row(&self, at: usize) -> impl Iterator<Item = TermId> + '_ {
        (0..self.columns.len()).map(move |argument| self.get(at, argument))
    }
}

/// How a predicate is given.
#[derive(Debug, Clone)]
pub enum Definition {
    /// Only ground facts, shared by the copies of a program and its tables.
    Facts(Arc<Facts>),
    /// At least one clause that is not a ground fact; all clauses in the order of the text (it matters to the cut).
    Clauses(Vec<Clause>),
}

/// A predicate of the background program.
#[derive(Debug, Clone)]
pub struct Predicate {
    /// Name and arity.
    pub pred: Pred,
    /// Its facts or clauses.
    pub definition: Definition,
}

/// The background program: predicates in the order of their first clause or declaration.
#[derive(Debug, Clone, Default)]
pub struct Program {
    predicates: Vec<Predicate>,
    index: FxHashMap<Pred, usize>,
    tabled: Vec<Pred>,
    tabled_set: FxHashSet<Pred>,
}

impl Program {
    /// Declare a predicate that may have no clause at all (`:- dynamic p/1.`).
    pub fn declare(&mut self, pred: Pred) {
        self.entry(pred);
    }

    /// Mark a predicate as tabled (`:- table p/1.`).
    pub fn table(&mut self, pred: Pred) {
        if self.tabled_set.insert(pred) {
            self.tabled.push(pred);
        }
    }

    /// The tabled predicates.
    pub fn tabled(&self) -> &[Pred] {
        &self.tabled
    }

    /// Add a ground fact. `clause` gives it as a clause too, which is needed only where the predicate has rules.
    pub fn add_fact(&mut self, pred: Pred, row: &[TermId], clause: impl FnOnce() -> Clause) {
        match &mut self.entry(pred).definition {
            Definition::Facts(facts) => Arc::make_mut(facts).push(row),
            Definition::Clauses(clauses) => clauses.push(clause()),
        }
    }

    /// The place of a predicate, which is declared if need be.
    pub(super) fn place(&mut self, pred: Pred) -> usize {
        self.entry(pred);
        self.index[&pred]
    }

    /// Whether the predicate at `place` has clauses that are no ground facts.
    pub(super) fn has_rules(&self, place: usize) -> bool {
        matches!(self.predicates[place].definition, Definition::Clauses(_))
    }

    /// Add ground facts, which have arguments and stand one behind the other, to the predicate at `place`. `clause` gives one
    /// of them as a clause.
    pub(super) fn add_facts(&mut self, place: usize, rows: &[TermId], mut clause: impl FnMut(usize) -> Clause) {
        let Predicate { pred, definition } = &mut self.predicates[place];
        match definition {
            Definition::Facts(facts) => Arc::make_mut(facts).extend(rows),
            Definition::Clauses(clauses) => clauses.extend((0..rows.len() / pred.arity as usize).map(&mut clause)),
        }
    }

    /// Add a clause that is not a ground fact.
    pub fn add_clause(&mut self, pred: Pred, clause: Clause, terms: &mut Terms) {
        let predicate = self.entry(pred);
        if let Definition::Facts(facts) = &predicate.definition {
            let truth = Open::Ground(terms.atom_named("true"));
            let clauses = (0..facts.len())
                .map(|at| {
                    let row: Vec<TermId> = facts.row(at).collect();
                    Clause {
                        head: Open::Ground(terms.compound(pred.name, &row)),
                        body: truth.clone(),
                        variables: Vec::new(),
                        location: clause.location.clone(),
                    }
                })
                .collect();
            predicate.definition = Definition::Clauses(clauses);
        }
        if let Definition::Clauses(clauses) = &mut predicate.definition {
            clauses.push(clause);
        }
    }

    /// Define a summary.
    pub fn summarise(&mut self, summarised: &Summarised, terms: &mut Terms) {
        let pred = summarised.pred(terms);
        if self.get(pred).is_none() {
            let clause = summarised.clause(terms);
            self.add_clause(pred, clause, terms);
        }
    }

    /// All predicates, in the order of first mention.
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// One predicate, if the program defines or declares it.
    pub fn get(&self, pred: Pred) -> Option<&Predicate> {
        self.index.get(&pred).map(|&at| &self.predicates[at])
    }

    fn entry(&mut self, pred: Pred) -> &mut Predicate {
        let at = *self.index.entry(pred).or_insert_with(|| {
            let facts = Facts::new(pred.arity as usize);
            self.predicates.push(Predicate { pred, definition: Definition::Facts(Arc::new(facts)) });
            self.predicates.len() - 1
        });
        &mut self.predicates[at]
    }
}
