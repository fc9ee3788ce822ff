//! What a run knows so far: the best hypothesis, its cost, a bound, and what else costs as little.

use super::candidate::Candidate;
use super::outcome::Ties;
use crate::cost::CostValue;

/// What is known so far.
pub(super) struct Known {
    /// The best hypothesis, if one is better than the empty one.
    pub(super) best: Option<Candidate>,
    /// Its cost, or that of the empty hypothesis.
    pub(super) value: CostValue,
    /// No hypothesis of the space costs less, if nothing taints what that was concluded from.
    pub(super) lower: CostValue,
    /// Hypotheses handed over that cost what the best one does.
    pub(super) tied: usize,
    /// What is known of others that do.
    pub(super) ties: Ties,
}

impl Known {
    /// Nothing but the cost of the empty hypothesis, and what no hypothesis costs less than.
    pub(super) fn new(value: CostValue, lower: CostValue) -> Self {
        Known { best: None, value, lower, tied: 0, ties: Ties::NotSought }
    }

    /// Take in a hypothesis that costs at most as much as the best so far.
    pub(super) fn take(&mut self, candidate: Candidate) {
        self.tied += 1;
        if candidate.value < self.value {
            self.tied = 1;
            self.value = candidate.value.clone();
            self.best = Some(candidate);
        }
    }
}
