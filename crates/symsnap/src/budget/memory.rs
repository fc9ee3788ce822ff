//! How much memory the process holds, and a watch over it.
//!
//! The watch is a thread that asks the system every few milliseconds, because one step of a search may take seconds and
//! hundreds of megabytes: looking between steps is too late. It runs only under a memory limit.
//!
//! *Rejected*: counting what we allocate (allocators round up, fragment and keep what is freed; the user's limit is
//! on what the process holds), a limit of the system (`setrlimit` ends the process, or a thread of it, without a result).

use super::Budget;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Between two looks, at least.
const PAUSE: Duration = Duration::from_millis(3);

/// Fresh pages come at about a gigabyte a second; no more than this is taken for granted.
const BYTES_PER_SECOND: u64 = 4 << 30;

/// Resident bytes as the system counts them; `None` where it does not say.
pub fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// The memory of the machine, or of the part of it that the process may use; `None` where the system does not say.
pub fn machine_bytes() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let machine = line.split_whitespace().next()?.parse::<u64>().ok()? * 1024;
    let groups = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let group = groups.iter().filter_map(|path| std::fs::read_to_string(path).ok()?.trim().parse().ok()).min();
    Some(machine.min(group.unwrap_or(u64::MAX)))
}

/// The memory a run may reach before it is told to stop: the limit, less what may come while it stops.
pub fn ceiling(limit: u64) -> u64 {
    limit - limit / 10
}

/// Ends a run whose process holds too much; ends itself when dropped.
#[derive(Debug)]
pub struct Watch {
    budget: Budget,
    /// Never sent on: the thread ends when it is gone.
    alive: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Watch over the run of `budget`. Where there is no memory limit, or the system does not say what the process holds,
    /// nothing is done, and the budget says that it is not watched.
    pub fn over(budget: &Budget) -> Self {
        let Some((alive, thread)) = Watch::start(budget) else {
            return Watch { budget: budget.clone(), alive: None, thread: None };
        };
        Watch { budget: Budget { watched: true, ..budget.clone() }, alive: Some(alive), thread: Some(thread) }
    }

    /// The budget of the run, which knows whether it is watched.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    fn start(budget: &Budget) -> Option<(Sender<()>, JoinHandle<()>)> {
        let ceiling = ceiling(budget.memory_limit()?);
        resident_bytes()?;
        let (alive, gone) = channel();
        let budget = budget.clone();
        let watch = move || {
            loop {
                let room = resident_bytes().map_or(Some(0), |held| ceiling.checked_sub(held));
                let Some(room) = room else { break };
                // Far from the limit there is no hurry.
                let pause = PAUSE.max(Duration::from_millis(room / (BYTES_PER_SECOND / 1000)));
                if gone.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
            budget.out_of_memory();
        };
        let thread = std::thread::Builder::new().name("memory".to_owned()).stack_size(64 << 10).spawn(watch).ok()?;
        Some((alive, thread))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.alive = None;
        if let Some(thread) = self.thread.take() {
            // It cannot panic, and if it did there would be nothing to do about it.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::StopReason;
    use std::time::Instant;

    fn wait(budget: &Budget) -> Option<StopReason> {
        let started = Instant::now();
        while budget.check().is_none() && started.elapsed() < Duration::from_secs(2) {
            std::thread::sleep(Duration::from_millis(1));
        }
        budget.check()
    }

    #[test]
    fn a_watch_ends_a_run_that_holds_too_much_and_only_that() {
        if resident_bytes().is_none() {
            println!("SKIPPED: the system does not say how much memory the process holds");
            return;
        }
        let (tight, ample) = (Budget::unlimited().with_memory(1 << 20), Budget::unlimited().with_memory(1 << 40));
        let watches = (Watch::over(&tight), Watch::over(&ample));
        assert_eq!(wait(&tight), Some(StopReason::Memory));
        assert_eq!(ample.check(), None);
        assert!(watches.0.budget().is_watched() && !watches.0.budget().for_the_rest(Duration::ZERO).is_watched());
        drop(watches);
        assert!(!Watch::over(&Budget::unlimited()).budget().is_watched());
    }
}
