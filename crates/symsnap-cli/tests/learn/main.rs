//! `symsnap learn` at its edges: limits, interruption, determinism, files and the JSON contract. What it prints is in
//! the transcripts (`tests/cli/learn.txt`, `tests/cli/nothing.txt`).
#![allow(clippy::unwrap_used)]

mod determinism;
mod ensembles;
mod files;
mod interrupt;
mod json;
mod limits;
mod run;
#[path = "../../../symsnap/tests/skip/mod.rs"]
mod skip;
mod ties;
