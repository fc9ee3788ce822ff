//! Calls of the predicate that a program defines: which arguments are bound, and to what.

use crate::database::Tuples;
use crate::index::{index_type, narrow};

index_type! {
    /// A call, by number.
    pub(super) struct CallIx;
}

/// In the set of bound arguments of a call: it is an example, and the program's own predicate is another.
pub(super) const EXAMPLE: u64 = 1 << 63;

/// All calls met so far, numbered in the order of first occurrence.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// For each set of bound arguments the calls with it, and their numbers.
    patterns: Vec<(u64, Tuples, Vec<CallIx>)>,
    /// Where each call is: its pattern and its row there.
    places: Vec<(u32, u32)>,
}

impl Calls {
    /// The number of the call with `key` for the arguments of `bound`.
    pub(super) fn intern(&mut self, bound: u64, key: &[u32]) -> CallIx {
        let pattern = self.patterns.iter().position(|(mask, ..)| *mask == bound).unwrap_or_else(|| {
            self.patterns.push((bound, Tuples::new(key.len()), Vec::new()));
            self.patterns.len() - 1
        });
        let (_, tuples, numbers) = &mut self.patterns[pattern];
        let (row, new) = tuples.insert(key);
        if new {
            numbers.push(CallIx::new(self.places.len()));
            self.places.push((narrow(pattern), row));
        }
        numbers[row as usize]
    }

    /// The bound arguments of a call and their values.
    pub(super) fn get(&self, call: CallIx) -> (u64, &[u32]) {
        let (pattern, row) = self.places[call.index()];
        let (bound, tuples, _) = &self.patterns[pattern as usize];
        (*bound & !EXAMPLE, tuples.row(row as usize))
    }

    /// Whether the call is an example of a predicate that only calls the program's own.
    pub(super) fn is_example(&self, call: CallIx) -> bool {
        self.patterns[self.places[call.index()].0 as usize].0 & EXAMPLE != 0
    }

    /// Set the registers of the head's variables to what the call binds.
    pub(super) fn bind(&self, call: CallIx, arity: usize, registers: &mut [u32]) {
        let (bound, key) = self.get(call);
        let mut key = key.iter();
        for (at, register) in registers.iter_mut().enumerate().take(arity) {
            *register = if bound >> at & 1 == 1 {
                *key.next().expect("a key has a value for each bound argument")
            } else {
                super::lookup::UNBOUND
            };
        }
    }
}
