//! Examples that hypotheses were not learned from, to choose and weigh them by.
//!
//! Where the caller has held out examples, it is those, and the pool is the caller's. Otherwise the learner runs again on
//! four fifths of the examples, and the other fifth is held out; the ensemble is then made of that run's pool, because
//! no hypothesis can be judged by examples it was learned from.

use super::{Training, Voter};
use crate::cost::Confusion;
use crate::error::Result;
use crate::sets::Cover;
use crate::snapshot::SnapshotPool;
use crate::task::Examples;
use std::borrow::Cow;

/// Why nothing was held out.
const TOO_FEW: &str = "there are too few examples to hold some out";

/// A pool with what its members do with examples that it was not learned from.
pub(super) struct Held<'t> {
    pub pool: Cow<'t, SnapshotPool>,
    pub examples: Cow<'t, Examples>,
    pub covers: Vec<Cover>,
}

impl<'t> Held<'t> {
    /// With the examples held out by the caller, or by learning again; otherwise why there are none.
    ///
    /// # Errors
    /// As the learner's.
    pub(super) fn new(training: &Training<'t>) -> Result<std::result::Result<Self, &'static str>> {
        if let Some(examples) = training.held_out() {
            let covers = training.held_out_covers().to_vec();
            return Ok(Ok(Held { pool: Cow::Borrowed(training.pool()), examples: Cow::Borrowed(examples), covers }));
        }
        let mut parts = training.task().examples.split(&[4, 1], training.seed()).into_iter();
        let (Some(rest), Some(held)) = (parts.next(), parts.next()) else { return Ok(Err(TOO_FEW)) };
        if held.positives() + held.negatives() == 0 {
            return Ok(Err(TOO_FEW));
        }
        if !training.has_learner() {
            return Ok(Err("there is no learner to run without the examples to hold out"));
        }
        let Some((pool, _)) = training.learn(rest, 1)? else {
            return Ok(Err("there was no time to learn from four fifths of the examples"));
        };
        if pool.members().is_empty() {
            return Ok(Err("learning from four fifths of the examples found nothing"));
        }
        let covers = training.covers_of(&pool, &held);
        Ok(Ok(Held { pool: Cow::Owned(pool), examples: Cow::Owned(held), covers }))
    }

    /// A member with its share of the vote, and its figures on the training examples of the caller.
    pub(super) fn voter(&self, training: &Training<'_>, at: usize, weight: f64) -> Voter {
        let member = &self.pool.members()[at];
        match &self.pool {
            Cow::Borrowed(_) => Voter::of(member, weight),
            Cow::Owned(_) => training.voter(member.hypothesis().clone(), weight),
        }
    }

    /// What each member does with the held-out examples.
    pub(super) fn confusions(&self) -> Vec<Confusion> {
        self.covers.iter().map(|cover| self.examples.confusion(cover)).collect()
    }
}
