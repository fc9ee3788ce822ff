//! How rules and programs share a run where the bias allows both.
//!
//! Most tasks that allow recursion or invented predicates are solved by rules alone, and the test of one program may take as
//! long as those of ten thousand rules. So rules come first, and while they are mined programs get no turn before rules have had
//! as much as they, of whatever the run is limited by: of its time or, where tests are counted or nothing is, of its tests. The best set of rules is then found
//! about twice as late as without programs, and the best program about twice as late as without rules. In its first moments a run
//! that is limited in time shares tests, too, so that runs of small tasks repeat exactly; and what base rules answer to one call
//! is not divided. So on umls-affects the best rules come after 0.9 s where they take 0.16 s alone.
//!
//! *Rejected*: tests as the measure of all runs (umls-affects with `enable_recursion`: 671 tests in nine seconds, and the
//! best rules not found after ten); counting steps of fixpoints and tests of rules, with a price for each (bench/results/LEARN.md has
//! tasks with 33,000 and with 8,800,000 tests of rules a second).

use crate::budget::Budget;
use std::time::{Duration, Instant};

/// For this long a run shares tests, whatever it is limited by. Of the recursive tasks in `examples/`, four take a quarter of it
/// or less (`evens`, `last`, `total`, `rumour`).
const FIRST: Duration = Duration::from_millis(200);

/// What somebody has had: of the run's tests, and of its time.
#[derive(Debug, Clone, Copy, Default)]
struct Had {
    tests: u64,
    time: Duration,
}

/// What rules and programs have had so far.
#[derive(Debug)]
pub(super) struct Share {
    /// When the run began.
    began: Instant,
    /// Whether time is what is shared, after the first moments.
    timed: bool,
    rules: Had,
    programs: Had,
}

/// How far the run was at some moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    tests: u64,
    at: Instant,
}

impl Reading {
    fn since(self, before: Reading) -> Had {
        Had { tests: self.tests - before.tests, time: self.at - before.at }
    }
}

impl Had {
    fn add(&mut self, more: Had) {
        self.tests += more.tests;
        self.time += more.time;
    }
}

impl Share {
    /// Nobody has had anything of a run with this budget.
    pub(super) fn new(budget: &Budget) -> Self {
        let timed = budget.tick_limit().is_none() && budget.time_limit().is_some();
        Share { began: Instant::now(), timed, rules: Had::default(), programs: Had::default() }
    }

    /// How far the run is after this number of tests.
    pub(super) fn reading(&self, tests: u64) -> Reading {
        Reading { tests, at: Instant::now() }
    }

    /// Rules have had all between two moments.
    pub(super) fn note_rules(&mut self, before: Reading, now: Reading) {
        self.rules.add(now.since(before));
    }

    /// Programs have had all between two moments.
    pub(super) fn note_programs(&mut self, before: Reading, now: Reading) {
        self.programs.add(now.since(before));
    }

    /// Whether it is the turn of programs.
    pub(super) fn is_programs_turn(&self) -> bool {
        if self.timed && self.began.elapsed() >= FIRST {
            self.programs.time < self.rules.time
        } else {
            self.programs.tests < self.rules.tests
        }
    }

    /// When a turn of programs that begins now must end, where time is shared.
    pub(super) fn end_of_turn(&self) -> Option<Instant> {
        let left = self.rules.time.saturating_sub(self.programs.time);
        self.timed.then(|| (self.began + FIRST).max(Instant::now() + left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_shared_where_they_are_counted_or_nothing_is() {
        for budget in [Budget::unlimited(), Budget::unlimited().with_ticks(9).with_time(Duration::from_secs(9))] {
            let mut share = Share::new(&budget);
            assert!(!share.is_programs_turn(), "rules come first");
            share.note_rules(share.reading(0), share.reading(5));
            assert!(share.is_programs_turn());
            share.note_programs(share.reading(5), share.reading(10));
            assert!(!share.is_programs_turn());
            assert_eq!(share.end_of_turn(), None);
        }
    }

    #[test]
    fn time_is_shared_where_it_is_limited_after_the_first_moments() {
        let mut share = Share::new(&Budget::unlimited().with_time(Duration::from_secs(9)));
        let (before, long) = (share.reading(0), Duration::from_secs(5));
        share.note_rules(before, Reading { tests: 7, at: before.at + long });
        share.note_programs(before, Reading { tests: 7, at: before.at });
        assert!(!share.is_programs_turn(), "they have had as many tests");
        share.began -= FIRST;
        assert!(share.is_programs_turn(), "and less time");
        let end = share.end_of_turn().expect("a turn ends");
        assert!(end > before.at + long && end < before.at + 2 * long);
    }
}
