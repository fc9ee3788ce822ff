//! What a test says when something that it needs is missing. `scripts/test` counts these notes in its last lines, so
//! that nobody takes a test that did nothing for one that passed.
#![allow(clippy::print_stderr, dead_code)] // the test that uses it says what it lacks; each uses a part

use std::io::Write as _;
use std::process::{Command, Stdio};

/// Note that the test which calls this did not do `what`: on standard error, and as a line in the file that
/// `SYMSNAP_SKIPS` names.
///
/// # Panics
/// If that file cannot be written: a skip that is not counted is worse than a failure.
pub fn skip(what: &str) {
    // The harness names the thread of a test after it.
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let program = env!("CARGO_CRATE_NAME");
    eprintln!("SKIPPED: {what} ({program}: {test})");
    if let Some(path) = std::env::var_os("SYMSNAP_SKIPS").filter(|path| !path.is_empty()) {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
        let mut file = file.unwrap_or_else(|error| panic!("SYMSNAP_SKIPS: {error}"));
        // One write: tests run side by side.
        file.write_all(format!("{what}\t{program}: {test}\n").as_bytes()).expect("a file that opens can be written");
    }
}

/// Whether `program` can be run. Notes what is skipped if not.
pub fn has(program: &str) -> bool {
    let version = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = version.is_ok_and(|status| status.success());
    if !found {
        skip(&format!("{program} is not installed"));
    }
    found
}

/// Whether the Python `python` has `module`. Notes what is skipped if not.
pub fn has_module(python: &str, module: &str) -> bool {
    let found = Command::new(python).args(["-c", &format!("import {module}")]).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        skip(&format!("{python} has no module {module}"));
    }
    found
}
