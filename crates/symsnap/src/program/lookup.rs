//! Background literals, answered from tables or from the answers of earlier calls, without a lock.
//!
//! Calls build new terms (longer lists, larger numbers), and recursion over them may never end. So each new term has an
//! **age**: one more than the oldest argument of the call that built it, where the terms of the task have age 0. Answers
//! older than the task's own terms are large do not count. That bounds every recursion, it is a property of the
//! background and not of a program, and a program that is meant to compute the examples is far from it.
//!
//! *Rejected*: a limit on calls or steps for each program. It is reached late, and when many programs are tested in one
//! run it makes the result for one depend on the others.

use crate::database::{Columns, Database, Index, Outcome, PredIx, Tuples};
use crate::logic::{Term, TermId, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The value of a variable that nothing has bound.
pub(super) const UNBOUND: u32 = u32::MAX;
/// The value of a variable of which only a rule that is not whole yet knows nothing: it may have any value.
pub(super) const ANY: u32 = u32::MAX - 1;

/// Numbers kept before the answers to calls are forgotten: 512 MB.
const MOST_VALUES: usize = 1 << 27;

/// Where the answers to a literal lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows {
    pattern: u32,
    start: u32,
    /// How many there are.
    pub(super) count: u32,
    width: u32,
}

#[derive(Debug)]
enum Source {
    Table(Arc<Index>),
    Called { keys: Tuples, spans: Vec<(u32, u32)>, values: Vec<u32> },
}

/// Answers by predicate and bound arguments.
#[derive(Debug)]
pub(super) struct Lookup<'d> {
    database: &'d Database,
    patterns: Vec<(PredIx, Columns, Source)>,
    by_pattern: FxHashMap<(PredIx, Columns), u32>,
    held: usize,
    /// Terms from this number on are not of the task.
    known: usize,
    /// The ages of those.
    ages: Vec<u16>,
    oldest: u16,
    /// Whether answers have been left out because of their age.
    pub(super) bounded: bool,
}

impl<'d> Lookup<'d> {
    pub(super) fn new(database: &'d Database, oldest: u16) -> Self {
        Lookup {
            database,
            patterns: Vec::new(),
            by_pattern: FxHashMap::default(),
            held: 0,
            known: database.values(),
            ages: Vec::new(),
            oldest,
            bounded: false,
        }
    }

    /// The answers of the predicate at `place` with `key` for the arguments of `bound`; `free` others are not bound. A
    /// call that raises an error or leaves an answer open has none here.
    pub(super) fn rows(&mut self, place: PredIx, bound: u64, key: &[u32], free: usize) -> Rows {
        let bound = Columns(bound);
        let at = match self.by_pattern.get(&(place, bound)) {
            Some(&at) => at,
            None => self.add(place, bound, key.len(), free),
        };
        let (start, count) = match &mut self.patterns[at as usize].2 {
            Source::Table(index) if free == 0 => (0, u32::from(index.contains(key))),
            Source::Table(index) => {
                let range = index.range(key);
                (range.start as u32, (range.len() / free) as u32)
            }
            Source::Called { keys, spans, values } => match keys.get(key) {
                Some(known) => spans[known as usize],
                None => {
                    let answers = self.database.answers_at(place, bound, key);
                    let mut ages = Ages { known: self.known, ages: &mut self.ages, oldest: self.oldest };
                    let start = values.len() as u32;
                    let mut count = 0;
                    if free == 0 && *answers.outcome() == Outcome::Exact {
                        count = answers.len() as u32;
                    } else if *answers.outcome() == Outcome::Exact {
                        let age = key.iter().map(|&value| ages.get(value)).max().unwrap_or(0) + 1;
                        for row in answers.values().chunks(free) {
                            if row.iter().all(|&value| ages.admit(value, age)) {
                                values.extend_from_slice(row);
                                count += 1;
                            } else {
                                self.bounded = true;
                            }
                        }
                    }
                    keys.insert(key);
                    spans.push((start, count));
                    self.held += key.len() + count as usize * free + 4;
                    (start, count)
                }
            },
        };
        Rows { pattern: at, start, count, width: free as u32 }
    }

    /// One row of an answer: the values of the arguments that were not bound.
    #[inline]
    pub(super) fn row(&self, rows: Rows, at: u32) -> &[u32] {
        let start = (rows.start + at * rows.width) as usize;
        let values = match &self.patterns[rows.pattern as usize].2 {
            Source::Table(index) => index.values(),
            Source::Called { values, .. } => values,
        };
        &values[start..start + rows.width as usize]
    }

    /// Forget answers if there are too many; not while any [`Rows`] are in use.
    pub(super) fn trim(&mut self) {
        if self.held > MOST_VALUES {
            self.patterns.clear();
            self.by_pattern.clear();
            self.held = 0;
        }
    }

    fn add(&mut self, place: PredIx, bound: Columns, width: usize, free: usize) -> u32 {
        let source = if self.database.table(place).is_some() {
            let columns = (0..width + free).filter(|&column| !bound.contains(column));
            Source::Table(self.database.index(place, bound, columns.fold(Columns::default(), Columns::with)))
        } else {
            Source::Called { keys: Tuples::new(width), spans: Vec::new(), values: Vec::new() }
        };
        self.patterns.push((place, bound, source));
        let at = u32::try_from(self.patterns.len() - 1).expect("predicates have few patterns");
        self.by_pattern.insert((place, bound), at);
        at
    }
}

struct Ages<'a> {
    known: usize,
    ages: &'a mut Vec<u16>,
    oldest: u16,
}

impl Ages<'_> {
    fn get(&self, value: u32) -> u16 {
        (value as usize).checked_sub(self.known).and_then(|at| self.ages.get(at)).copied().unwrap_or(0)
    }

    /// Whether a value counts that is built at `age`, unless it is known to be younger.
    fn admit(&mut self, value: u32, age: u16) -> bool {
        let Some(at) = (value as usize).checked_sub(self.known) else { return true };
        if self.ages.len() <= at {
            self.ages.resize(at + 1, u16::MAX);
        }
        self.ages[at] = self.ages[at].min(age);
        self.ages[at] <= self.oldest
    }
}

/// The age that answers may have for these terms: as many as it takes to build the largest of them, and some more.
pub(super) fn oldest(terms: &Terms, given: impl Iterator<Item = TermId>) -> u16 {
    let mut todo: Vec<(TermId, u16)> = given.map(|id| (id, 0)).collect();
    let mut seen: FxHashMap<TermId, u16> = FxHashMap::default();
    let mut most = LEAST_AGE;
    while let Some((id, depth)) = todo.pop() {
        if depth == MOST_AGE || seen.get(&id).is_some_and(|&known| known >= depth) {
            continue;
        }
        seen.insert(id, depth);
        most = most.max(depth);
        match terms.get(id) {
            Term::Int(value) => most = most.max(u16::try_from(value.unsigned_abs()).unwrap_or(0).min(LARGE_NUMBER)),
            Term::Compound(_, arguments) => todo.extend(arguments.iter().map(|&argument| (argument, depth + 1))),
            _ => {}
        }
    }
    most + MARGIN
}

/// How large terms are: their cells, up to some number.
pub(super) fn extent(terms: &Terms, given: &[TermId]) -> usize {
    let mut todo = given.to_vec();
    let mut cells = 0;
    while let Some(id) = todo.pop() {
        cells += 1;
        if let (Term::Compound(_, arguments), true) = (terms.get(id), cells < MOST_AGE as usize) {
            todo.extend_from_slice(arguments);
        }
    }
    cells
}

/// Answers may always have this age, and never more than that, with some margin.
const LEAST_AGE: u16 = 24;
const MOST_AGE: u16 = 10_000;
const MARGIN: u16 = 8;
/// Numbers up to this are taken for distances that recursion may go; larger ones are taken for mere values.
const LARGE_NUMBER: u16 = 128;
