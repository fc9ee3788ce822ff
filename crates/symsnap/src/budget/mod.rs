//! How long a run may go on: seconds, ticks (rules tested), bytes, and a flag that anyone may raise to cancel it.
//!
//! Long loops call [`Budget::check`] every few thousand steps; it is cheap enough for that and not for every step.
//! A tick limit makes a run repeat exactly on any machine; a time limit does not.
//!
//! A [`Watch`] measures memory, tells the budget ([`Budget::out_of_memory`]) and so ends every loop that looks at it.
//! Whoever starts a learner puts one over its budget, so that no learner need know how memory is measured.

mod memory;

pub use memory::{Watch, ceiling, machine_bytes, resident_bytes};

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Why a run ended: because there was nothing left to do, at a limit, or because someone asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// The best hypothesis is proved optimal (and its ties are enumerated, where asked for).
    Proved,
    /// The space is exhausted.
    Exhausted,
    /// The time limit.
    Time,
    /// The tick limit.
    Ticks,
    /// The memory limit.
    Memory,
    /// Someone raised the cancel flag (Ctrl-C, for example).
    Cancelled,
    /// The observer asked to stop.
    Observer,
}

impl StopReason {
    /// All reasons.
    #[doc(hidden)]
    pub const ALL: [StopReason; 7] = [
        StopReason::Proved,
        StopReason::Exhausted,
        StopReason::Time,
        StopReason::Ticks,
        StopReason::Memory,
        StopReason::Cancelled,
        StopReason::Observer,
    ];

    /// The word that JSON output and messages use.
    #[doc(hidden)]
    pub fn word(self) -> &'static str {
        match self {
            StopReason::Proved => "proved",
            StopReason::Exhausted => "exhausted",
            StopReason::Time => "time",
            StopReason::Ticks => "ticks",
            StopReason::Memory => "memory",
            StopReason::Cancelled => "cancelled",
            StopReason::Observer => "observer",
        }
    }

    /// What it means, for people.
    #[doc(hidden)]
    pub fn words(self) -> &'static str {
        match self {
            StopReason::Proved => "nothing better exists",
            StopReason::Exhausted => "nothing left to try",
            StopReason::Time => "time limit",
            StopReason::Ticks => "tick limit",
            StopReason::Memory => "memory limit",
            StopReason::Cancelled => "interrupted",
            StopReason::Observer => "told to stop",
        }
    }
}

/// A flag shared between a run and whoever may want to end it: clone it, give one to [`Learn::cancel`](crate::Learn::cancel)
/// and raise the other, from any thread. It knows when it was raised.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<OnceLock<Instant>>);

impl Cancel {
    /// Ask the run to stop at its next check.
    pub fn raise(&self) {
        // Asked twice is asked once, at the earlier time.
        let _ = self.0.set(Instant::now());
    }

    /// Whether someone asked.
    #[doc(hidden)]
    pub fn is_raised(&self) -> bool {
        self.0.get().is_some()
    }

    /// How long ago someone asked, if so.
    pub(crate) fn since(&self) -> Option<Duration> {
        self.0.get().map(Instant::elapsed)
    }
}

/// The limits of one run, with its clock, which starts when the budget is made. For several limits at once, or to keep the
/// limits of [`Learned::verify`](crate::Learned::verify); for one limit [`Learn`](crate::Learn) has methods of its own.
#[derive(Debug, Clone)]
pub struct Budget {
    started: Instant,
    time: Option<Duration>,
    ticks: Option<u64>,
    memory: Option<u64>,
    /// Whether tables and lists are kept small for the memory limit.
    frugal: bool,
    /// Whether a [`Watch`] looks after the memory.
    watched: bool,
    full: Cancel,
    cancel: Cancel,
    /// How long the budget goes on after the cancel flag was raised.
    grace: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Budget::unlimited()
    }
}

impl Budget {
    /// No limit; the clock starts now.
    pub fn unlimited() -> Self {
        Budget {
            started: Instant::now(),
            time: None,
            ticks: None,
            memory: None,
            frugal: false,
            watched: false,
            full: Cancel::default(),
            cancel: Cancel::default(),
            grace: Duration::ZERO,
        }
    }

    /// The same budget with a time limit, counted from the budget's creation.
    #[must_use]
    pub fn with_time(mut self, limit: Duration) -> Self {
        self.time = Some(limit);
        self
    }

    /// The same budget with a limit on ticks (rules tested).
    #[must_use]
    pub fn with_ticks(mut self, limit: u64) -> Self {
        self.ticks = Some(limit);
        self
    }

    /// The same budget, stopped when the process holds `bytes` of memory. Unlike [`Budget::with_memory`] this leaves what is
    /// done until then as it is, so runs on machines of different sizes differ only in where they end.
    #[must_use]
    #[doc(hidden)]
    pub fn with_memory_guard(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self.frugal = false;
        self
    }

    /// The same budget with a limit on resident memory, in bytes.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self.frugal = true;
        self
    }

    /// The same with a limit of `megabytes`; where nobody has set one, with a guard against filling the machine, at three quarters
    /// of its memory.
    #[must_use]
    #[doc(hidden)]
    pub fn within_memory(self, megabytes: Option<u64>) -> Self {
        match (megabytes, machine_bytes()) {
            (Some(megabytes), _) => self.with_memory(megabytes.saturating_mul(1 << 20)),
            (None, Some(bytes)) => self.with_memory_guard(bytes / 4 * 3),
            (None, None) => self,
        }
    }

    /// A budget that ends after `limit` from now, or when this one does.
    #[must_use]
    #[doc(hidden)]
    pub fn no_later_than(&self, limit: Duration) -> Self {
        let end = self.started.elapsed() + limit;
        Budget { time: Some(self.time.map_or(end, |time| time.min(end))), ..self.clone() }
    }

    /// The budget of one of `runs` equal runs, of which `left` are still to come, this one included: its share of the ticks,
    /// and of the time that is left, with a clock of its own.
    #[must_use]
    #[doc(hidden)]
    pub fn share(&self, runs: usize, left: usize) -> Self {
        let time = self.time.map(|limit| limit.saturating_sub(self.started.elapsed()));
        let left = u32::try_from(left.max(1)).unwrap_or(u32::MAX);
        Budget {
            started: Instant::now(),
            time: time.map(|time| time / left),
            ticks: self.ticks.map(|ticks| (ticks / runs.max(1) as u64).max(1)),
            watched: false,
            full: Cancel::default(),
            ..self.clone()
        }
    }

    /// The same budget, cancelled by `cancel`.
    #[must_use]
    #[doc(hidden)]
    pub fn with_cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// The same budget without a time limit.
    #[must_use]
    pub(crate) fn without_time(mut self) -> Self {
        self.time = None;
        self
    }

    /// The same budget for work that comes after the work it was made for. That the memory limit was reached before is
    /// forgotten. The cancel flag ends it after `grace` only, counted from now if the flag is raised already: so that
    /// something can be made of what the cancelled work has found.
    #[must_use]
    pub(crate) fn for_the_rest(&self, grace: Duration) -> Self {
        let grace = grace + self.cancel.since().unwrap_or_default();
        Budget { full: Cancel::default(), watched: false, grace, ..self.clone() }
    }

    /// Time since the budget was made.
    #[doc(hidden)]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The tick limit, if there is one.
    pub(crate) fn tick_limit(&self) -> Option<u64> {
        self.ticks
    }

    /// The time limit, if there is one.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        self.time
    }

    /// The memory limit in bytes, if there is one.
    pub(crate) fn memory_limit(&self) -> Option<u64> {
        self.memory
    }

    /// The memory limit in bytes, if tables and lists are to be kept small for it.
    pub(crate) fn memory_allowance(&self) -> Option<u64> {
        self.memory.filter(|_| self.frugal)
    }

    /// Whether a [`Watch`] looks after the memory: then nobody else need do so.
    pub(crate) fn is_watched(&self) -> bool {
        self.watched
    }

    /// Say that the memory limit is reached: every clone of the budget reports it from now on.
    #[doc(hidden)]
    pub fn out_of_memory(&self) {
        self.full.raise();
    }

    /// How much time is left; `None` if there is no end to it. A flag that is raised later may make it less.
    pub(crate) fn remaining(&self) -> Option<Duration> {
        if self.full.is_raised() {
            return Some(Duration::ZERO);
        }
        let time = self.time.map(|limit| limit.saturating_sub(self.started.elapsed()));
        let cancelled = self.cancel.since().map(|since| self.grace.saturating_sub(since));
        time.into_iter().chain(cancelled).min()
    }

    /// Whether of the time that there was at `start`, or when the cancel flag was raised if that was later, no more
    /// than half is left: for work that others are to follow.
    pub(crate) fn is_half_gone(&self, start: Instant) -> bool {
        let gone = start.elapsed().min(self.cancel.since().unwrap_or(Duration::MAX));
        self.remaining().is_some_and(|left| left <= gone)
    }

    /// Why the run must stop now, if it must: cancel flag, memory and clock. Ticks are counted by the caller, who
    /// knows them; see [`Budget::check_ticks`].
    #[doc(hidden)]
    pub fn check(&self) -> Option<StopReason> {
        if self.cancel.since().is_some_and(|since| since >= self.grace) {
            Some(StopReason::Cancelled)
        } else if self.full.is_raised() {
            Some(StopReason::Memory)
        } else if self.time.is_some_and(|limit| self.started.elapsed() >= limit) {
            Some(StopReason::Time)
        } else {
            None
        }
    }

    /// [`Budget::check`], after `ticks` rules tested.
    pub(crate) fn check_ticks(&self, ticks: u64) -> Option<StopReason> {
        if self.ticks.is_some_and(|limit| ticks >= limit) { Some(StopReason::Ticks) } else { self.check() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_flag_stops_every_clone_of_the_budget() {
        let cancel = Cancel::default();
        let budget = Budget::unlimited().with_cancel(cancel.clone());
        let copy = budget.clone();
        assert_eq!(copy.check(), None);
        cancel.raise();
        assert_eq!(copy.check(), Some(StopReason::Cancelled));
    }

    #[test]
    fn a_share_is_equal_in_ticks_and_what_is_left_of_the_time() {
        let budget = Budget::unlimited().with_time(Duration::from_secs(60)).with_ticks(10);
        let second = budget.share(3, 2);
        assert_eq!(second.tick_limit(), Some(3));
        let time = second.time_limit().unwrap();
        assert!(time <= Duration::from_secs(30) && time > Duration::from_secs(29), "{time:?}");
        let unlimited = Budget::unlimited().share(3, 3);
        assert_eq!((unlimited.tick_limit(), unlimited.time_limit()), (None, None));
        assert_eq!(budget.share(100, 1).tick_limit(), Some(1), "none would be no limit's worth of work");
    }

    #[test]
    fn the_rest_has_a_while_after_the_flag_was_raised_and_forgets_that_memory_was_full() {
        let cancel = Cancel::default();
        let budget = Budget::unlimited().with_cancel(cancel.clone());
        budget.out_of_memory();
        let (long, none) = (budget.for_the_rest(Duration::from_secs(60)), budget.for_the_rest(Duration::ZERO));
        assert_eq!((long.check(), long.remaining()), (None, None));
        cancel.raise();
        assert_eq!((none.check(), long.check()), (Some(StopReason::Cancelled), None));
        assert!(long.remaining().is_some_and(|left| left > Duration::from_secs(50)), "{long:?}");
        let later = budget.for_the_rest(Duration::from_secs(60));
        assert!(later.check().is_none() && later.remaining() > long.remaining(), "a while from now, not from then");
        assert_eq!(Budget::unlimited().with_time(Duration::ZERO).remaining(), Some(Duration::ZERO));
        assert_eq!(Budget::unlimited().with_time(Duration::ZERO).without_time().remaining(), None);
    }

    #[test]
    fn a_guard_limits_memory_without_making_anything_smaller() {
        let (limited, guarded) = (Budget::unlimited().with_memory(5), Budget::unlimited().with_memory_guard(5));
        assert_eq!((limited.memory_limit(), limited.memory_allowance()), (Some(5), Some(5)));
        assert_eq!((guarded.memory_limit(), guarded.memory_allowance()), (Some(5), None));
    }

    #[test]
    fn memory_that_ran_out_stops_every_clone_of_the_budget() {
        let budget = Budget::unlimited();
        let copy = budget.clone();
        budget.out_of_memory();
        assert_eq!(copy.check(), Some(StopReason::Memory));
    }

    #[test]
    fn tick_and_time_limits_are_reported_as_such() {
        let budget = Budget::unlimited().with_ticks(10);
        assert_eq!(budget.check_ticks(9), None);
        assert_eq!(budget.check_ticks(10), Some(StopReason::Ticks));
        assert_eq!(Budget::unlimited().with_time(Duration::ZERO).check(), Some(StopReason::Time));
    }
}
