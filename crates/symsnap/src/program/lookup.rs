//! Background literals, answered from tables or from the answers of earlier calls, without a lock.

use crate::database::{Columns, Database, Index, Outcome, PredIx, Tuples};
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
}

impl<'d> Lookup<'d> {
    pub(super) fn new(database: &'d Database) -> Self {
        Lookup { database, patterns: Vec::new(), by_pattern: FxHashMap::default(), held: 0 }
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
                    let count = if *answers.outcome() == Outcome::Exact { answers.len() } else { 0 };
                    let span = (values.len() as u32, count as u32);
                    values.extend_from_slice(&answers.values()[..count * free]);
                    keys.insert(key);
                    spans.push(span);
                    self.held += key.len() + count * free + 4;
                    span
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
