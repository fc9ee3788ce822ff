//! What all commands have in common: JSON, limits, and care with files.
#![allow(clippy::unwrap_used)]

mod formats;
mod json;
mod limits;
mod run;
#[path = "../../../symsnap/tests/skip/mod.rs"]
mod skip;
#[cfg(unix)]
mod writing;
