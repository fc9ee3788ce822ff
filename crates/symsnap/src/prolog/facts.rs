//! Ground facts in columns, with a hash index for each argument that some call has bound.
//!
//! An index is built the first time a call binds its argument. A call that binds several arguments uses the one that
//! leaves the fewest rows; an index for each pair of arguments would leave fewer still, at many times the memory.

use crate::index::narrow;
use crate::logic::TermId;
use crate::task::Facts;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Up to this number of facts, a call tries them all: that is as fast as a look into an index.
const SCAN: usize = 8;

/// Which rows of a [`FactTable`] a call has to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FactRows {
    /// All.
    All,
    /// A stretch of the index of this argument.
    Indexed {
        /// Which argument.
        arg: u32,
        /// Where its rows begin.
        start: u32,
        /// Where they end.
        end: u32,
    },
}

#[derive(Debug)]
struct FactIndex {
    places: FxHashMap<TermId, (u32, u32)>,
    rows: Vec<u32>,
}

#[derive(Debug)]
pub(super) struct FactTable {
    facts: Arc<Facts>,
    indexes: Vec<Option<FactIndex>>,
}

impl FactTable {
    pub fn new(facts: Arc<Facts>) -> Self {
        let indexes = facts.columns().iter().map(|_| None).collect();
        FactTable { facts, indexes }
    }

    /// The rows that may match, where `known` has the bound arguments; `None` if there is none.
    pub fn select(&mut self, known: &[Option<TermId>]) -> Option<FactRows> {
        if self.facts.is_empty() {
            return None;
        }
        if self.facts.len() <= SCAN {
            return Some(FactRows::All);
        }
        let mut best = FactRows::All;
        let mut fewest = narrow(self.facts.len());
        for (arg, id) in known.iter().enumerate() {
            let Some(id) = id else { continue };
            let index = self.indexes[arg].get_or_insert_with(|| FactIndex::new(&self.facts.columns()[arg]));
            let &(start, end) = index.places.get(id)?;
            if end - start < fewest {
                fewest = end - start;
                best = FactRows::Indexed { arg: narrow(arg), start, end };
            }
            if fewest == 1 {
                break;
            }
        }
        Some(best)
    }

    /// The first row at or after `from` (a position within `rows`) that agrees with `known`: its position and number.
    pub fn next(&self, rows: FactRows, from: u32, known: &[Option<TermId>], fuel: &mut i64) -> Option<(u32, u32)> {
        let (list, end) = match rows {
            FactRows::All => (None, narrow(self.facts.len())),
            FactRows::Indexed { arg, start, end } => {
                let index = self.indexes[arg as usize].as_ref().expect("`select` built it");
                (Some(&index.rows[start as usize..end as usize]), end - start)
            }
        };
        for at in from..end {
            *fuel -= 1;
            let row = list.map_or(at, |list| list[at as usize]);
            let agrees = |(arg, id): (usize, &Option<TermId>)| id.is_none_or(|id| self.get(row, arg) == id);
            if known.iter().enumerate().all(agrees) {
                return Some((at, row));
            }
        }
        None
    }

    /// One argument of one row.
    pub fn get(&self, row: u32, arg: usize) -> TermId {
        self.facts.get(row as usize, arg)
    }
}

impl FactIndex {
    fn new(column: &[u32]) -> Self {
        let mut places: FxHashMap<TermId, (u32, u32)> = FxHashMap::default();
        for &id in column {
            places.entry(TermId::from_index(id)).or_insert((0, 0)).1 += 1;
        }
        // Stretches in the order of first occurrence; `0` becomes where the stretch begins, `1` where it is filled to.
        let mut next = 0;
        let mut rows = vec![0; column.len()];
        let mut begun: FxHashMap<TermId, u32> = FxHashMap::default();
        for (row, &id) in column.iter().enumerate() {
            let id = TermId::from_index(id);
            let fill = *begun.entry(id).or_insert_with(|| {
                let place = places.get_mut(&id).expect("it was counted");
                let start = next;
                next += place.1;
                *place = (start, next);
                start
            });
            rows[fill as usize] = narrow(row);
            begun.insert(id, fill + 1);
        }
        FactIndex { places, rows }
    }
}
