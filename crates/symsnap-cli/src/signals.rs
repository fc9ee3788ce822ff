//! Ctrl-C, and the signals with which other programs end this one.
//!
//! A command that can give what it has so far asks for [`cancel`]: the first signal raises it, and the command ends by
//! itself. GNU `timeout` sends its signal twice, to the process and to its group, so whatever comes within a second of
//! the first is the same wish; whoever asks again later does not want to wait. All other commands end at the first
//! signal. Whenever the process ends here, half-written files are removed.

use crate::Exit;
use crate::files::PARTIALS;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};
use symsnap::{Cancel, Diagnostic, Result};

/// Signals within this time of the first one are the same wish: GNU `timeout` sends its signal twice.
const SAME_WISH: Duration = Duration::from_secs(1);

/// What the signals of this process do.
#[derive(Default)]
struct Signals {
    cancel: Cancel,
    /// Whether the command looks at `cancel`.
    heeded: AtomicBool,
    first: Mutex<Option<Instant>>,
}

static SIGNALS: LazyLock<Signals> = LazyLock::new(Signals::default);

/// Listen for signals from now on.
pub fn listen() -> Result<()> {
    // A limit on the size of files (`ulimit -f`) ends a process that meets it, and the result would be lost. If the signal is heard,
    // writing fails instead, as on a full disk.
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())
        .map_err(|error| Diagnostic::error(format!("cannot listen for signals: {error}")))?;
    let heard = || {
        if SIGNALS.ends(Instant::now()) {
            end();
        }
    };
    ctrlc::set_handler(heard).map_err(|error| Diagnostic::error(format!("cannot listen for Ctrl-C: {error}")).into())
}

/// The flag that the first signal raises, for a command that ends by itself when it is raised.
pub fn cancel() -> Cancel {
    SIGNALS.heeded.store(true, Ordering::Relaxed);
    SIGNALS.cancel.clone()
}

/// End the process as interrupted, without half-written files.
pub fn end() -> ! {
    PARTIALS.sweep();
    std::process::exit(i32::from(Exit::Interrupted as u8));
}

impl Signals {
    /// Note a signal that came at `now`; whether it ends the process at once.
    fn ends(&self, now: Instant) -> bool {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        match *first {
            None if self.heeded.load(Ordering::Relaxed) => {
                *first = Some(now);
                self.cancel.raise();
                false
            }
            Some(first) => now.duration_since(first) >= SAME_WISH,
            None => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_within_a_second_of_the_first_are_one_wish_and_a_later_one_ends_the_process() {
        let signals = Signals::default();
        signals.heeded.store(true, Ordering::Relaxed);
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        assert!(!signals.ends(start) && signals.cancel.is_raised());
        assert!(!signals.ends(after(20)) && !signals.ends(after(999)));
        assert!(signals.ends(after(1000)));
    }

    #[test]
    fn a_command_that_does_not_look_at_the_flag_ends_at_the_first_signal() {
        assert!(Signals::default().ends(Instant::now()));
    }
}
