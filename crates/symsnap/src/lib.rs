//! Anytime inductive logic programming with snapshot ensembles.
//!
//! Load or build a task, learn from it within limits, hear of every hypothesis that was the best so far, make an
//! ensemble of them, and ask it. Nothing here prints, exits or keeps global state; errors are values that know their
//! file, line and column.
//!
//! ```
//! use std::time::Duration;
//! use symsnap::ensemble::{Predictor, Resampled};
//! use symsnap::run::Learn;
//! use symsnap::task::Task;
//!
//! let task = Task::from_dir("../../examples/family")?;
//! let learned = Learn::new(task).timeout(Duration::from_secs(10)).run()?;
//! let best = learned.best().expect("there are rules for grandmothers");
//! assert_eq!(best.hypothesis.rules[0].show(&learned.task.terms),
//!            "grandmother(V0,V1) :- mother(V0,V2), parent(V2,V1).");
//! assert!(learned.outcome.optimal);
//!
//! let model = learned.ensemble(&Resampled::DEFAULT)?;
//! let answer = Predictor::new(&model, &*learned.task)?.ask([["ada", "ines"], ["ines", "ada"]])?;
//! assert_eq!(answer.labels, [true, false]);
//! # Ok::<(), symsnap::error::Error>(())
//! ```
//!
//! [`run`] is the front door. Behind it lie the rooms that ARCHITECTURE.md lists in the order in which data flows through
//! them; a room uses only those above it.

// Numbers become narrower in `index`, checked, and nowhere else. Those of tests are small.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub mod budget;
pub mod cost;
pub mod coverage;
pub mod covering;
pub mod database;
pub mod ensemble;
pub mod error;
pub mod evaluate;
pub mod file;
mod index;
pub mod instance;
pub mod language;
pub mod learn;
pub mod logic;
pub mod mine;
pub mod parse;
pub mod program;
pub mod prolog;
pub mod random;
pub mod run;
pub mod sets;
pub mod snapshot;
pub mod space;
pub mod task;
