//! Anytime inductive logic programming with snapshot ensembles.
//!
//! Load or build a task, learn from it within limits, hear of every hypothesis that was the best so far, make an
//! ensemble of them, and ask it. Nothing here prints, exits or keeps global state; errors are values that know their
//! file, line and column.
//!
//! ```
//! use std::time::Duration;
//! use symsnap::{Predictor, Resampled, Learn, Task};
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
//! # Ok::<(), symsnap::Error>(())
//! ```
//!
//! Everything that a user of the library needs has its name here, at the root. Behind it lie the rooms that ARCHITECTURE.md
//! lists in the order in which data flows through them; a room uses only those above it.

// Numbers become narrower in `index`, checked, and nowhere else. Those of tests are small.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod budget;
mod cost;
mod coverage;
mod covering;
mod database;
mod ensemble;
mod error;
mod evaluate;
mod file;
mod index;
mod language;
mod learn;
mod logic;
mod mine;
mod parse;
mod program;
mod prolog;
mod random;
mod run;
mod sets;
mod snapshot;
mod space;
mod task;

pub use budget::{Budget, Cancel, StopReason};
pub use cost::{Confusion, Cost, CostValue};
pub use ensemble::{Compress, Paper, Resampled, Single, Validated};
pub use ensemble::{DEFAULT_METHOD, METHODS, Method, Needs, Purpose, Training, Voter, method_named};
pub use ensemble::{Head, Member, Model, Predictions, Predictor, Why};
pub use ensemble::{Sql, export_prolog, export_sql};
pub use error::{Diagnostic, Error, Location, Result, Severity};
pub use learn::{Candidate, Observer, Outcome, Progress, Reason, Settings, Source, Ties};
pub use learn::{LEARNERS, Learner, NamedLearner, learner_named};
pub use logic::{Arg, Hypothesis, Literal, Pred, Rule, Symbol, Term, TermId, Terms, Var};
pub use parse::Text;
pub use run::{CostChoice, Ended, Event, Learn, Learned, Running, Verified};
pub use snapshot::{Snapshot, SnapshotPool, Variant};
pub use task::{Background, Bias, Examples, Task, TaskBuilder, Value};

/// The rooms, for the tests, benchmarks and fuzzers of this repository and for what its binary and its experiments share
/// with the library. Nothing here is promised to stay.
#[doc(hidden)]
pub mod internals {
    macro_rules! rooms {
        ($($room:ident)*) => { $(pub mod $room { pub use crate::$room::*; })* };
    }
    rooms! {
        budget cost coverage covering database ensemble error evaluate file language learn logic mine parse program prolog
        random run sets snapshot space task
    }
}
