//! How a literal is looked up: in the index of a table, or by a call whose answers the database keeps.

use super::body_pred::BodyPred;
use super::calls::{CallLog, CallPattern};
use super::literal::{MAX_ARITY, PredNo};
use crate::database::{Answers, CallOutcome, Columns, Database, Index, PredIx, Want, digest_of};
use crate::logic::{Computation, Number};
use crate::prolog::Fault;
use std::sync::Arc;

/// How a literal is looked up, given values for its bound arguments.
pub enum Access<'d> {
    /// In a table.
    Table(Arc<Index>),
    /// By a call, whose answers the database keeps.
    Called {
        /// Who answers.
        database: &'d Database,
        /// What is called.
        place: PredIx,
        /// Which arguments are bound.
        bound: Columns,
        /// An argument that is a constant, and the constant.
        chosen: Option<(usize, u32)>,
        /// What it computes, if both its operands are bound.
        computes: Option<Computation>,
        /// Its number, for the log.
        no: PredNo,
        /// What is known of it.
        known: &'d BodyPred,
        /// Where it is written down what became of calls.
        log: &'d CallLog,
    },
}

impl Access<'_> {
    /// Whether some tuple has this key. `negatives` tells whether negative examples depend on it.
    #[inline]
    pub fn exists(&self, key: &[u32], negatives: impl Fn() -> bool) -> bool {
        match self {
            Access::Table(index) => index.contains(key),
            Access::Called { .. } => self
                .computes(key)
                .unwrap_or_else(|| self.call(key, Want::One, negatives).is_some_and(|answers| !answers.is_empty())),
        }
    }

    /// A digest of the set of the fresh arguments' values for this key, `fresh` each.
    #[inline]
    pub fn digest(&self, key: &[u32], fresh: usize, negatives: impl Fn() -> bool) -> u64 {
        if let Access::Table(index) = self {
            return index.digest(key);
        }
        if let Some(value) = self.gives(key, fresh) {
            return digest_of(&[value], fresh);
        }
        let answers = self.call(key, Want::All, negatives);
        digest_of(answers.as_ref().map_or(&[], |answers| answers.values()), fresh)
    }

    /// The values of the fresh arguments for this key, `fresh` each, appended to `found`; returns how many tuples.
    #[inline]
    pub fn matches(&self, key: &[u32], fresh: usize, found: &mut Vec<u32>, negatives: impl Fn() -> bool) -> usize {
        match self {
            Access::Table(index) if fresh == 0 => usize::from(index.contains(key)),
            Access::Table(index) => {
                let range = index.range(key);
                found.extend_from_slice(&index.values()[range.clone()]);
                range.len() / fresh
            }
            Access::Called { .. } if fresh == 0 => usize::from(self.exists(key, negatives)),
            Access::Called { .. } => {
                if let Some(value) = self.gives(key, fresh) {
                    found.push(value);
                    return 1;
                }
                let Some(answers) = self.call(key, Want::All, negatives) else { return 0 };
                found.extend_from_slice(answers.values());
                answers.len()
            }
        }
    }

    /// What a computation gives for this key, without a call, and the value of its result if that is bound; `None` if it is no
    /// computation, or only a call can tell.
    #[inline]
    fn computed(&self, key: &[u32]) -> Option<(Number, Option<u32>)> {
        let Access::Called { database, chosen, computes, .. } = self else { return None };
        let computation = (*computes)?;
        // A constant is the first operand.
        let (a, b, rest) = match (chosen, key) {
            (None, [a, b, rest @ ..]) => (*a, *b, rest),
            (Some((0, a)), [b, rest @ ..]) => (*a, *b, rest),
            _ => return None,
        };
        let number = computation.of_numbers(database.number(a)?, database.number(b)?)?;
        Some((number, rest.first().copied()))
    }

    /// Whether a computation holds for this key; `None` if only a call can tell.
    #[inline]
    fn computes(&self, key: &[u32]) -> Option<bool> {
        let Access::Called { database, .. } = self else { return None };
        let (number, result) = self.computed(key)?;
        Some(result.is_none_or(|result| database.number(result) == Some(number)))
    }

    /// The value that a computation gives for this key, whose result is not bound; `None` if only a call can tell.
    #[inline]
    fn gives(&self, key: &[u32], fresh: usize) -> Option<u32> {
        let Access::Called { database, .. } = self else { return None };
        let (number, _) = self.computed(key).filter(|(_, result)| fresh == 1 && result.is_none())?;
        database.value_of_computed(number)
    }

    /// The answers to a call; `None` if the pattern has failed too often to be asked again.
    fn call(&self, key: &[u32], want: Want, negatives: impl Fn() -> bool) -> Option<Arc<Answers>> {
        let Access::Called { database, place, bound, chosen, no, known, log, .. } = self else { return None };
        let mut whole = [0u32; MAX_ARITY];
        let key = match chosen {
            None => key,
            Some((at, value)) => {
                // The constant comes where its argument is among those that are bound.
                let before = bound.count_below(*at);
                whole[..before].copy_from_slice(&key[..before]);
                whole[before] = *value;
                whole[before + 1..=key.len()].copy_from_slice(&key[before..]);
                &whole[..=key.len()]
            }
        };
        let pattern: CallPattern = (*no, *bound, want);
        if log.is_hopeless(pattern) {
            return None;
        }
        let answers = database.ask_within(*place, *bound, key, want, log.steps());
        // An error matters if it may end the proof of a negative, or if it lost an answer that came before it.
        let lost = || {
            let one = || database.ask_within(*place, *bound, key, Want::One, log.steps());
            want == Want::All && (!one().is_empty() || *one().outcome() == CallOutcome::Fault(Fault::Steps))
        };
        log.note(pattern, &answers, || negatives() || lost());
        if let Some(cause) = known.sensitive
            && *answers.outcome() == CallOutcome::Exact
        {
            match known.is_steady(key, *bound, &answers, |inputs, key| {
                database.ask_within(*place, inputs, key, Want::All, log.steps())
            }) {
                Some(true) => {}
                Some(false) => log.suspect(*no, cause),
                None => log.put_off(pattern),
            }
        }
        Some(answers)
    }
}
