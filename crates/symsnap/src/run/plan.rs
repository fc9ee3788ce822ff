//! How the time of a run is shared between learning and making the ensemble.
//!
//! The ensemble is made within the limit, too, so learning ends a while before it: the longer, the more examples there
//! are to test rules on ([`Method::takes`]), because on a large task an ensemble needs more than a second. Where learning
//! ended late (a busy machine, a long stretch without a look at the clock) or Ctrl-C ended it, the ensemble still gets
//! half a second: methods do what they can in the time they have.
//!
//! Under a tick limit the clock decides nothing, so that a run repeats exactly. Should the time limit come all the same,
//! whoever waits for the run goes on without it ([`watchdog`](super::watchdog)).

use crate::budget::{Budget, StopReason};
use crate::ensemble::Method;
use std::time::Duration;

/// A tenth of the time is kept for the ensemble, but at least the first and at most the second of these, unless a large task
/// needs more.
const RESERVE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));
/// What the ensemble takes on an idle machine, times this, is kept for it.
const SAFETY: u32 = 3;
/// The ensemble has this much time even if learning has used up the limit.
pub const LEAST: Duration = Duration::from_millis(500);

/// The shares of one run.
#[derive(Debug, Clone, Copy)]
pub struct TimePlan {
    limit: Duration,
    /// How often the learner runs.
    runs: u32,
    reserve: Duration,
}

impl TimePlan {
    /// For a run with this time limit in which the learner is used `runs` times; `method` makes the ensemble, if one is
    /// wanted, from this number of examples.
    pub fn new(limit: Duration, runs: u32, method: Option<&dyn Method>, examples: usize) -> Self {
        let reserve = method.map_or(Duration::ZERO, |method| {
            let usual = (limit / 10).clamp(RESERVE.0, RESERVE.1);
            // Without learning there is nothing to make an ensemble of.
            usual.max(method.takes(examples).saturating_mul(SAFETY).min(limit / 3)).min(limit / 2)
        });
        TimePlan { limit, runs, reserve }
    }

    /// The same with time to test the snapshots again.
    pub fn with_verification(mut self) -> Self {
        self.reserve = (self.reserve + (self.limit / 10).clamp(RESERVE.0, RESERVE.1)).min(self.limit / 2);
        self
    }

    /// The limits of the first use of the learner.
    pub fn learning(&self, budget: &Budget) -> Budget {
        budget.no_later_than((self.limit / self.runs).saturating_sub(self.reserve))
    }

    /// The limits of making the ensemble, after learning stopped for this reason.
    pub fn fitting(&self, budget: &Budget, stop: StopReason) -> Budget {
        let rest = budget.for_the_rest(LEAST);
        if budget.tick_limit().is_some() && stop != StopReason::Time {
            return rest.without_time();
        }
        let end = self.limit.max(budget.elapsed() + LEAST);
        rest.with_time(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::{Resampled, Single};

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn reserve(limit: f64, method: &dyn Method, examples: usize) -> f64 {
        TimePlan::new(seconds(limit), 1, Some(method), examples).reserve.as_secs_f64()
    }

    #[test]
    fn more_time_is_kept_for_ensembles_of_large_tasks_and_never_all() {
        let resampled = &Resampled::DEFAULT;
        assert_eq!(reserve(600.0, resampled, 100), 5.0);
        assert_eq!(reserve(600.0, &Single, 1_000_000), 5.0);
        assert!((0.5..0.7).contains(&reserve(2.0, resampled, 100)));
        let large = reserve(10.0, resampled, 24_649);
        assert!((1.5..3.4).contains(&large), "{large}");
        assert!(reserve(600.0, resampled, 1_000_000) > 60.0);
        assert!(reserve(0.1, resampled, 1_000_000) <= 0.05);
        assert_eq!(TimePlan::new(seconds(9.0), 3, None, 5).reserve, Duration::ZERO);
    }

    #[test]
    fn the_ensemble_has_half_a_second_however_late_learning_ended() {
        let budget = Budget::unlimited().with_time(Duration::ZERO);
        let plan = TimePlan::new(Duration::ZERO, 1, Some(&Resampled::DEFAULT), 10);
        let left = plan.fitting(&budget, StopReason::Time).remaining().unwrap();
        assert!(left > seconds(0.3) && left <= LEAST, "{left:?}");
        let early = TimePlan::new(seconds(60.0), 1, Some(&Resampled::DEFAULT), 10);
        let left =
            early.fitting(&Budget::unlimited().with_time(seconds(60.0)), StopReason::Proved).remaining().unwrap();
        assert!(left > seconds(50.0), "{left:?}");
    }

    #[test]
    fn under_a_tick_limit_the_clock_does_not_decide() {
        let budget = Budget::unlimited().with_time(seconds(60.0)).with_ticks(10);
        let plan = TimePlan::new(seconds(60.0), 1, Some(&Resampled::DEFAULT), 10);
        assert_eq!(plan.fitting(&budget, StopReason::Ticks).remaining(), None);
        assert!(plan.fitting(&budget, StopReason::Time).remaining().is_some());
    }
}
