//! Work on another thread while this one attends to the interpreter: the lock is released, and every 50 ms Python may run the
//! handlers of signals that came, so that Ctrl-C is heard whatever the work does.
//!
//! What Ctrl-C means differs: a run of the learner is cancelled and its best hypothesis taken ([`run`](crate::run)); other work has
//! no part of an answer, so it is left behind and `KeyboardInterrupt` is raised. A thread cannot be ended from outside; one that is
//! left behind ends with its work, and nobody hears of it.

use crate::error::raised;
use pyo3::prelude::*;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use symsnap::internals::run::watchdog::start;
use symsnap::{Diagnostic, Result};

/// The pause between two looks at signals.
const PAUSE: Duration = Duration::from_millis(50);

/// The next thing that another thread sends; nothing if it has ended and sends no more.
///
/// # Errors
/// What the handler of a signal raises meanwhile.
pub fn receive<T: Send>(py: Python<'_>, from: &Mutex<Receiver<T>>) -> PyResult<Option<T>> {
    loop {
        let next = py.detach(|| from.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PAUSE));
        match next {
            Ok(value) => return Ok(Some(value)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}

/// The same, but wait no longer than until the next look at signals. The second value says whether the other thread has ended.
///
/// # Errors
/// As [`receive`].
pub fn poll<T: Send>(py: Python<'_>, from: &Mutex<Receiver<T>>) -> PyResult<(Option<T>, bool)> {
    let heard = listen(py, from);
    py.check_signals()?;
    Ok(heard)
}

/// The same without a look at signals, for what must be put away before one of them raises.
pub fn listen<T: Send>(py: Python<'_>, from: &Mutex<Receiver<T>>) -> (Option<T>, bool) {
    match py.detach(|| from.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PAUSE)) {
        Ok(value) => (Some(value), false),
        Err(reason) => (None, reason == RecvTimeoutError::Disconnected),
    }
}

/// Do the work, and raise what a signal handler raises meanwhile; the work is left behind then.
///
/// # Errors
/// Those of the work, and of signal handlers.
pub fn attend<T: Send + 'static>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send + 'static) -> PyResult<T> {
    let result = Mutex::new(start(work).map_err(|error| raised(py, &error))?);
    let lost = || raised(py, &Diagnostic::error("the work has failed: this is a bug in symsnap").into());
    receive(py, &result)?.ok_or_else(lost)?.map_err(|error| raised(py, &error))
}
