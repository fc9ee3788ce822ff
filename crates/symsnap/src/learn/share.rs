//! How rules and programs share a run where the bias allows both.
//!
//! Most tasks that allow recursion or invented predicates are solved by rules alone, and the test of one program may take as
//! long as those of ten thousand rules. So rules come first, and programs never have more than rules have had, of whatever the
//! run is limited by: of its time or, where tests are counted or nothing is, of its tests. The best set of rules is then found
//! at most twice as late as without programs, and the best program at most twice as late as without rules.
//!
//! *Rejected*: tests as the measure of all runs (umls-affects with `enable_recursion`: 671 tests of programs in nine seconds,
//! and no rule of two literals after ten); counting the steps of fixpoints and the rows of joins instead of time (what a step
//! takes differs by a factor of ten between tasks).

use crate::budget::Budget;
use std::time::Instant;

/// What rules and programs have had so far.
#[derive(Debug)]
pub(super) struct Share {
    /// When the run began, where time is what is shared.
    clock: Option<Instant>,
    rules: u64,
    programs: u64,
}

impl Share {
    /// Nobody has had anything of a run with this budget.
    pub(super) fn new(budget: &Budget) -> Self {
        let timed = budget.tick_limit().is_none() && budget.time_limit().is_some();
        Share { clock: timed.then(Instant::now), rules: 0, programs: 0 }
    }

    /// What has been spent so far by all: time in nanoseconds, or `tests`.
    pub(super) fn reading(&self, tests: u64) -> u64 {
        self.clock.map_or(tests, |began| u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }

    /// Rules have had all since `before`, up to `now`.
    pub(super) fn note_rules(&mut self, before: u64, now: u64) {
        self.rules += now - before;
    }

    /// Programs have had all since `before`, up to `now`.
    pub(super) fn note_programs(&mut self, before: u64, now: u64) {
        self.programs += now - before;
    }

    /// Whether it is the turn of programs.
    pub(super) fn is_programs_turn(&self) -> bool {
        self.programs < self.rules
    }

    /// When a turn of programs that begins now must end, where time is shared.
    pub(super) fn end_of_turn(&self) -> Option<Instant> {
        let left = std::time::Duration::from_nanos(self.rules.saturating_sub(self.programs));
        self.clock.map(|_| Instant::now() + left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn tests_are_shared_where_they_are_counted_or_nothing_is() {
        for budget in [Budget::unlimited(), Budget::unlimited().with_ticks(9).with_time(Duration::from_secs(9))] {
            let mut share = Share::new(&budget);
            assert!(!share.is_programs_turn(), "rules come first");
            share.note_rules(0, share.reading(5));
            assert!(share.is_programs_turn());
            share.note_programs(5, share.reading(10));
            assert!(!share.is_programs_turn());
            assert_eq!(share.end_of_turn(), None);
        }
    }

    #[test]
    fn time_is_shared_where_it_is_limited() {
        let mut share = Share::new(&Budget::unlimited().with_time(Duration::from_secs(9)));
        std::thread::sleep(Duration::from_millis(2));
        assert!(share.reading(7) >= 2_000_000, "nanoseconds, whatever was tested");
        share.note_rules(0, 5_000_000_000);
        let end = share.end_of_turn().expect("a turn ends");
        assert!(share.is_programs_turn() && end > Instant::now() + Duration::from_secs(3));
    }
}
