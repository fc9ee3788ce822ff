//! The tables of a fixpoint: which answers each call has, and from which units each answer follows.
//!
//! This is tabling, as Prolog systems have it: a call that is met again is not run again but takes its answers from its
//! table. Rules are not known here. Tables are many and short-lived, so nothing is freed between runs: a run writes over
//! what the one before has left.

use super::bits::words_for;
use super::calls::CallIx;
use crate::index::{index_type, narrow};
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

index_type! {
    /// A table of this run, by number: in the order in which calls were met.
    pub(super) struct TableIx;
}

/// An answer: where its values and its units begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    values: u32,
    units: u32,
}

#[derive(Debug)]
struct Table {
    call: CallIx,
    /// How many arguments the call leaves open: that many values has each answer.
    width: usize,
    answers: Vec<Entry>,
    /// Tables that have used this one.
    users: Vec<TableIx>,
    /// Whether it is in the queue.
    waiting: bool,
    /// Whether its ways are all known.
    expanded: bool,
    ways: Ways,
}

/// Ways to make a call without open arguments true: the calls of each, all of which must be.
#[derive(Debug, Default)]
struct Ways {
    tables: Vec<TableIx>,
    /// Where each way ends in `tables`; the next begins there.
    ends: Vec<u32>,
}

/// The tables of one run.
///
/// What holds between any two of its methods:
/// - A call has at most one table, the first `used` are the run's, and `of_call` leads to those whose stamp is the run's.
/// - The answers of a table have different values, and no answer loses a unit: that makes the fixpoint the least.
/// - When a table gains something, every table that has used it is in the queue, once.
#[derive(Default)]
pub(super) struct Tables {
    tables: Vec<Table>,
    used: usize,
    /// The table of each call, with the stamp of the run that made it; 0 is no run's.
    of_call: Vec<(u32, TableIx)>,
    stamp: u32,
    /// The values and the units of all answers.
    values: Vec<u32>,
    units: Vec<u64>,
    /// How many words a set of units has.
    words: usize,
    /// For tables with more than [`FEW`] answers: which answer has these values.
    index: FxHashMap<(TableIx, Box<[u32]>), u32>,
    /// Tables to be run, the newest first: a chain of calls is then walked down once and up once.
    queue: BinaryHeap<TableIx>,
}

/// The answers of a table are compared one by one up to this number; beyond it a hash finds them.
const FEW: usize = 12;

impl Tables {
    /// Begin a run with this number of units.
    pub(super) fn begin(&mut self, units: usize) {
        self.used = 0;
        self.stamp += 1;
        self.values.clear();
        self.units.clear();
        self.index.clear();
        self.queue.clear();
        self.words = words_for(units);
    }

    /// Go on without the tables so far: those in the queue are not complete and must not be taken for it.
    pub(super) fn abandon(&mut self) {
        self.queue.clear();
        self.of_call.iter_mut().for_each(|entry| entry.0 = 0);
    }

    /// How many tables the run has.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// How many words a set of units has.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The table of a call, if it has one.
    pub(super) fn of(&self, call: CallIx) -> Option<TableIx> {
        let &(stamp, table) = self.of_call.get(call.index())?;
        (stamp == self.stamp).then_some(table)
    }

    /// Make a table for a call that has none, without answers, and let it wait for being run if `waiting`.
    pub(super) fn open(&mut self, call: CallIx, width: usize, waiting: bool) -> TableIx {
        let at = TableIx::new(self.used);
        if self.used == self.tables.len() {
            let (answers, users, ways) = (Vec::new(), Vec::new(), Ways::default());
            self.tables.push(Table { call, width, answers, users, waiting, expanded: false, ways });
        } else {
            let table = &mut self.tables[self.used];
            (table.call, table.width, table.waiting, table.expanded) = (call, width, waiting, false);
            table.answers.clear();
            table.users.clear();
            table.ways.tables.clear();
            table.ways.ends.clear();
        }
        self.used += 1;
        if waiting {
            self.queue.push(at);
        }
        if self.of_call.len() <= call.index() {
            self.of_call.resize(call.index() + 1, (0, TableIx(0)));
        }
        self.of_call[call.index()] = (self.stamp, at);
        at
    }

    /// Take a table from the queue.
    pub(super) fn next(&mut self) -> Option<TableIx> {
        let at = self.queue.pop()?;
        self.tables[at.index()].waiting = false;
        Some(at)
    }

    pub(super) fn call(&self, at: TableIx) -> CallIx {
        self.tables[at.index()].call
    }

    /// Whether the call leaves no argument open, so that it is true or not.
    pub(super) fn is_ground(&self, at: TableIx) -> bool {
        self.tables[at.index()].width == 0
    }

    /// Say that the ways of a table are all known; whether they were before.
    pub(super) fn set_expanded(&mut self, at: TableIx) -> bool {
        std::mem::replace(&mut self.tables[at.index()].expanded, true)
    }

    /// Note that one table uses another.
    pub(super) fn note_use(&mut self, callee: TableIx, user: TableIx) {
        let users = &mut self.tables[callee.index()].users;
        if !users.contains(&user) {
            users.push(user);
        }
    }

    /// Add a call to the way that is being written for a table.
    pub(super) fn add_to_way(&mut self, at: TableIx, callee: TableIx) {
        self.tables[at.index()].ways.tables.push(callee);
    }

    /// The way that was being written is whole.
    pub(super) fn end_way(&mut self, at: TableIx) {
        let ways = &mut self.tables[at.index()].ways;
        ways.ends.push(narrow(ways.tables.len()));
    }

    /// Forget the way that was being written.
    pub(super) fn drop_way(&mut self, at: TableIx) {
        let ways = &mut self.tables[at.index()].ways;
        let end = ways.ends.last().map_or(0, |&end| end as usize);
        ways.tables.truncate(end);
    }

    /// Add what the known ways make true of the units of `all`; `units` is room for as many.
    pub(super) fn follow_ways(&mut self, at: TableIx, all: &[u64], units: &mut [u64]) {
        let ways = std::mem::take(&mut self.tables[at.index()].ways);
        let mut start = 0;
        for &end in &ways.ends {
            units.copy_from_slice(all);
            for table in &ways.tables[start..end as usize] {
                match self.tables[table.index()].answers.first() {
                    Some(entry) => {
                        let known = &self.units[entry.units as usize..];
                        units.iter_mut().zip(known).for_each(|(all, one)| *all &= one);
                    }
                    None => units.fill(0),
                }
            }
            start = end as usize;
            self.add(at, &[], units);
        }
        self.tables[at.index()].ways = ways;
    }

    /// One of the answers that a table has now, in the order in which they came.
    pub(super) fn answer(&self, at: TableIx, place: usize) -> Option<Entry> {
        self.tables[at.index()].answers.get(place).copied()
    }

    /// All answers of a call: their values and the units from which they follow.
    pub(super) fn answers(&self, call: CallIx) -> impl Iterator<Item = (&[u32], &[u64])> {
        let table = self.of(call).map(|at| &self.tables[at.index()]);
        table.into_iter().flat_map(|table| {
            let pair = |&entry: &Entry| (&self.values(entry)[..table.width], self.units(entry));
            table.answers.iter().map(pair)
        })
    }

    /// The values of an answer, and what comes after them.
    pub(super) fn values(&self, entry: Entry) -> &[u32] {
        &self.values[entry.values as usize..]
    }

    /// The units of an answer.
    pub(super) fn units(&self, entry: Entry) -> &[u64] {
        &self.units[entry.units as usize..entry.units as usize + self.words]
    }

    /// Give a table an answer that it does not have.
    pub(super) fn push(&mut self, at: TableIx, values: &[u32], units: &[u64]) {
        let entry = Entry { values: narrow(self.values.len()), units: narrow(self.units.len()) };
        self.values.extend_from_slice(values);
        self.units.extend_from_slice(units);
        let table = &mut self.tables[at.index()];
        table.answers.push(entry);
        let new = match table.answers.len() {
            count if count <= FEW => 0..0,
            count if count == FEW + 1 => 0..count,
            count => count - 1..count,
        };
        for place in new {
            let start = table.answers[place].values as usize;
            self.index.insert((at, self.values[start..start + table.width].into()), narrow(place));
        }
    }

    /// Add that an answer follows from these units, and let the table's users wait if that is news.
    pub(super) fn add(&mut self, at: TableIx, values: &[u32], units: &[u64]) {
        let table = &self.tables[at.index()];
        let known = match values {
            [] => table.answers.first(),
            _ if table.answers.len() > FEW => {
                self.index.get(&(at, values.into())).map(|&place| &table.answers[place as usize])
            }
            _ => table.answers.iter().find(|entry| {
                values.iter().enumerate().all(|(place, value)| self.values[entry.values as usize + place] == *value)
            }),
        };
        let mut grown = false;
        match known {
            Some(entry) => {
                let known = &mut self.units[entry.units as usize..entry.units as usize + self.words];
                for (all, new) in known.iter_mut().zip(units) {
                    grown |= new & !*all != 0;
                    *all |= new;
                }
            }
            None => {
                grown = units.iter().any(|&word| word != 0);
                if grown {
                    self.push(at, values, units);
                }
            }
        }
        if grown {
            for user in 0..self.tables[at.index()].users.len() {
                let user = self.tables[at.index()].users[user];
                let table = &mut self.tables[user.index()];
                if !table.waiting {
                    table.waiting = true;
                    self.queue.push(user);
                }
            }
        }
    }
}
