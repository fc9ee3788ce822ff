//! Anytime inductive logic programming with snapshot ensembles.
//!
//! A [`Task`](task::Task) is background knowledge, examples and a bias, from three files
//! ([`Task::from_dir`](task::Task::from_dir)), from texts, or from code ([`TaskBuilder`](task::TaskBuilder)). Rules are
//! tested on its examples by joins on interned columns. Nothing here prints, exits or keeps global state; errors are
//! values that know their file, line and column.
//!
//! ```
//! use symsnap::coverage::assess;
//! use symsnap::parse::Source;
//! use symsnap::task::TaskBuilder;
//!
//! let mut builder = TaskBuilder::new("head_pred(grandparent,2). body_pred(parent,2).");
//! for (parent, child) in [("ann", "bea"), ("bea", "cid"), ("bea", "dan")] {
//!     builder.fact("parent", [parent, child]);
//! }
//! builder.positive(["ann", "cid"]).positive(["ann", "dan"]).negative(["ann", "bea"]);
//! let mut task = builder.build()?;
//!
//! let rules = task.read_rules(&Source::from("grandparent(X, Z) :- parent(X, Y), parent(Y, Z)."))?;
//! let covered = assess(&task, &rules).whole;
//! let confusion = task.examples.confusion(&covered);
//! assert_eq!((confusion.tp, confusion.fn_, confusion.tn, confusion.fp), (2, 0, 1, 0));
//! # Ok::<(), symsnap::error::Error>(())
//! ```
//!
//! ARCHITECTURE.md lists the modules in the order in which data flows; a module uses only those before it.

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
pub mod language;
pub mod learn;
pub mod logic;
pub mod mine;
pub mod parse;
pub mod program;
pub mod prolog;
pub mod random;
pub mod sets;
pub mod snapshot;
pub mod space;
pub mod task;
