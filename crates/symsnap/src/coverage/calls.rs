//! An evaluator's own copy of answers that the database has given: lookups without a lock.

use crate::database::{CallOutcome, Columns, Database, PredIx, Tuples, Want};
use crate::index::narrow;
use rustc_hash::FxHashMap;

/// Where an answered call's rows lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answered {
    start: u32,
    width: u32,
    /// How many there are.
    pub(super) rows: u32,
    exact: bool,
}

/// Answers by call pattern and arguments.
#[derive(Debug, Default)]
pub(super) struct RememberedCalls {
    patterns: Vec<PatternAnswers>,
    values: Vec<u32>,
}

#[derive(Debug)]
struct PatternAnswers {
    keys: Tuples,
    answered: Vec<Answered>,
    /// For some of the arguments, whether looking for further answers raises no error.
    ends: FxHashMap<u32, bool>,
    /// How many of these raise one, or have no end.
    endless: u32,
}

/// Calls of a pattern that raised an error or had no end before all further ones are expected to do the same.
const PATIENCE: u32 = 32;

/// Numbers kept of all answers, 128 MB; then everything is forgotten, so that endless new arguments cannot fill the memory.
const MOST_VALUES: usize = 1 << 25;

impl RememberedCalls {
    /// The answers of a call, `None` if they are not exact. `slot` numbers the pattern within this evaluator.
    pub(super) fn answers(
        &mut self,
        database: &Database,
        slot: u32,
        (place, bound, want): (PredIx, Columns, Want),
        key: &[u32],
    ) -> Option<Answered> {
        let slot = slot as usize;
        while self.patterns.len() <= slot {
            // The width of patterns in between is set when they are first used.
            self.patterns.push(PatternAnswers {
                keys: Tuples::new(0),
                answered: Vec::new(),
                ends: FxHashMap::default(),
                endless: 0,
            });
        }
        let pattern = &mut self.patterns[slot];
        if pattern.answered.is_empty() && pattern.keys.width() != key.len() {
            pattern.keys = Tuples::new(key.len());
        }
        let answered = match pattern.keys.get(key) {
            Some(at) => pattern.answered[at as usize],
            None if self.values.len() > 2 * MOST_VALUES => return None,
            None => {
                let answers = database.ask(place, bound, key, want);
                let answered = Answered {
                    start: narrow(self.values.len()),
                    width: narrow(answers.width()),
                    rows: narrow(answers.len()),
                    exact: matches!(answers.outcome(), CallOutcome::Exact),
                };
                self.values.extend_from_slice(answers.values());
                pattern.keys.insert(key);
                pattern.answered.push(answered);
                answered
            }
        };
        answered.exact.then_some(answered)
    }

    /// Whether a call that was answered comes to its end without an error when what follows it fails and Prolog looks
    /// for its further answers.
    pub(super) fn ends_well(
        &mut self,
        database: &Database,
        slot: u32,
        (place, bound, _): (PredIx, Columns, Want),
        key: &[u32],
    ) -> bool {
        let Some(pattern) = self.patterns.get_mut(slot as usize) else { return false };
        let Some(at) = pattern.keys.get(key) else { return false };
        if let Some(&ends) = pattern.ends.get(&at) {
            return ends;
        }
        // One that has no end takes as many steps as a call may. Resolution, which is asked next, counts those.
        let ends = pattern.endless < PATIENCE && database.ends_well(place, bound, key);
        pattern.endless += u32::from(!ends);
        pattern.ends.insert(at, ends);
        ends
    }

    /// Copy one row of an answer.
    #[inline]
    pub(super) fn copy_row(&self, answered: &Answered, at: usize, row: &mut [u32]) {
        let start = answered.start as usize + at * answered.width as usize;
        row.copy_from_slice(&self.values[start..start + answered.width as usize]);
    }

    /// Forget everything if it has grown too much; between rules only.
    pub(super) fn trim(&mut self) {
        let keys: usize = self.patterns.iter().map(|pattern| pattern.keys.bytes() / 4).sum();
        if self.values.len() + keys > MOST_VALUES {
            *self = RememberedCalls::default();
        }
    }
}
