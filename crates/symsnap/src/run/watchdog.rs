//! Waiting for work on another thread, but not much longer than its limits allow.
//!
//! The library looks at its budget in every long loop and ends by itself. Should a stretch without a look be long all
//! the same (reading a file of gigabytes, one join that is larger than all others), whoever waits goes on without the
//! work, with what it has handed over so far. A thread cannot be ended from outside: it runs on until its next look at
//! the budget, or takes its memory along when the process ends. So a caller that stays, such as a server, should leave
//! work behind seldom.

use crate::budget::{Budget, StopReason, resident_bytes};
use crate::error::{Diagnostic, Result};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The pause between two looks at the budget.
const PAUSE: Duration = Duration::from_millis(20);
/// The same near a memory limit, where a longer pause would let the process grow by many megabytes unseen.
const PAUSE_NEAR_MEMORY_LIMIT: Duration = Duration::from_millis(3);

/// A process that holds all but this many bytes of its memory limit is near it.
const NEAR: u64 = 256 << 20;

/// How long a run may take to end after it was told to.
pub const GRACE: Duration = Duration::from_millis(300);

/// The stack of the thread that works, as large as the main thread's usually is.
const STACK: usize = 8 << 20;

/// Work on a thread of its own; what comes of it is to be waited for.
pub fn start<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<Receiver<T>> {
    let (send, run) = channel();
    let work = move || {
        // Nobody listens any more if the run is overdue.
        let _ = send.send(work());
    };
    let thread = std::thread::Builder::new().name("work".to_owned()).stack_size(STACK).spawn(work);
    thread.map_err(|error| Diagnostic::error(format!("cannot start a thread: {error}")))?;
    Ok(run)
}

/// How waiting ended.
pub enum Waited<T> {
    /// With a result.
    Done(T),
    /// Without: the run was told to stop for this reason and did not in time.
    Overdue(StopReason),
    /// The run has died; its thread has said why.
    Lost,
}

/// Wait until something comes from the run, or until the run is overdue.
pub fn wait<T>(run: &Receiver<T>, budget: &Budget) -> Waited<T> {
    wait_longer(run, budget, GRACE)
}

/// The same for a run that needs more time to end after it was told to.
pub fn wait_longer<T>(run: &Receiver<T>, budget: &Budget, grace: Duration) -> Waited<T> {
    let grace = grace.max(budget.time_limit().unwrap_or_default() / 100);
    wait_by_reason(run, budget, |_| grace)
}

/// The same with a time to end that depends on why the run was told to: who presses Ctrl-C waits less gladly than who set a limit.
pub fn wait_by_reason<T>(run: &Receiver<T>, budget: &Budget, grace: impl Fn(StopReason) -> Duration) -> Waited<T> {
    let mut pause = if budget.memory_limit().is_some() { PAUSE_NEAR_MEMORY_LIMIT } else { PAUSE };
    let mut told: Option<(Instant, StopReason)> = None;
    loop {
        match run.recv_timeout(pause) {
            Ok(result) => return Waited::Done(result),
            Err(RecvTimeoutError::Disconnected) => return Waited::Lost,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some((limit, held)) = budget.memory_limit().zip(resident_bytes()) {
            if held > limit {
                return Waited::Overdue(StopReason::Memory);
            }
            pause = if held + NEAR > limit { PAUSE_NEAR_MEMORY_LIMIT } else { PAUSE };
        }
        told = told.or_else(|| Some((Instant::now(), budget.check()?)));
        if let Some((since, reason)) = told
            && since.elapsed() > grace(reason)
        {
            return Waited::Overdue(reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_does_not_listen_is_left_behind() {
        let (_silent, run) = channel::<()>();
        let budget = Budget::unlimited().with_time(Duration::from_millis(50));
        assert!(matches!(wait(&run, &budget), Waited::Overdue(StopReason::Time)));
        assert!(budget.elapsed() < Duration::from_secs(2), "{:?}", budget.elapsed());
    }

    #[test]
    fn a_run_that_ends_in_time_is_heard() {
        let (run, heard) = channel();
        std::thread::spawn(move || run.send(7));
        assert!(matches!(wait(&heard, &Budget::unlimited()), Waited::Done(7)));
    }

    #[test]
    fn a_run_that_died_is_not_waited_for() {
        let (run, heard) = channel::<()>();
        drop(run);
        assert!(matches!(wait(&heard, &Budget::unlimited()), Waited::Lost));
    }
}
