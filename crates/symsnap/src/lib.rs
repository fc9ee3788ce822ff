//! Anytime inductive logic programming with snapshot ensembles.
//!
//! Load or build a task, learn from it within limits, hear of every hypothesis that was the best so far, make an
//! ensemble of them, and ask it. Nothing here prints, exits or keeps global state; errors are values that know their
//! file, line and column.
//!
//! ```
//! use std::time::Duration;
//! use symsnap::{Learn, METHODS, Predictor, Task};
//!
//! let task = Task::from_dir("../../examples/family")?;
//! let learned = Learn::new(task).timeout(Duration::from_secs(10)).run()?;
//! let best = learned.best().expect("there are rules for grandmothers");
//! assert_eq!(best.hypothesis.rules[0].show(&learned.task.terms),
//!            "grandmother(V0,V1) :- mother(V0,V2), parent(V2,V1).");
//! assert!(learned.outcome.optimal);
//!
//! let model = learned.ensemble(METHODS[0])?;
//! let answer = Predictor::new(&model, &*learned.task)?.ask([["ada", "ines"], ["ines", "ada"]])?;
//! assert_eq!(answer.labels, [true, false]);
//! # Ok::<(), symsnap::Error>(())
//! ```
//!
//! # A tour
//!
//! - **Load or build.** [`Task::from_dir`] reads the three files of a task folder, [`TaskBuilder`] takes texts, facts and
//!   examples from code. Either checks everything and reports all that is wrong at once ([`Error`], [`Diagnostic`]).
//! - **Learn.** [`Learn`] is a run that is about to be made: what to minimise ([`Cost`]), for how long ([`Learn::timeout`],
//!   [`Learn::ticks`], [`Budget`]), with how many threads. [`Learn::run`] makes it on this thread; [`Learn::spawn`] on another
//!   one, so that whoever waits keeps the limits.
//! - **Observe.** [`Learn::observe`] is told of every hypothesis that is at most as costly as all before ([`Event`]), and may
//!   end the run; so may whoever holds its [`Cancel`] flag.
//! - **See what was found.** [`Learned`] has the best hypothesis with the proof that nothing is better, or how far it is from
//!   one ([`Outcome`]); and the pool of all that were best for a while ([`SnapshotPool`]). Where nothing was found it says why
//!   ([`Reason`]).
//! - **Ensemble.** [`Learned::ensemble`], or [`Learn::ensemble`] within the limits of the run, makes a [`Model`] of the pool by
//!   one of the [`METHODS`], of which the first is the default. [`Model::write`] and [`Model::read`] keep it in a file.
//! - **Predict.** A [`Predictor`] is a model over a [`Background`]: [`Predictor::ask`] gives labels and probabilities.
//! - **Explain.** [`Predictor::explain`] says of each member why it votes as it does: a proof, or how far its closest rule came.
//! - **Learn otherwise.** A [`Learner`] of one's own is handed to [`Learn::learner`], and all of the above works with it.
//! - **Export.** [`EXPORTS`] lists the systems that a model can be written for as a program that says the same.
//!
//! Behind these names lie the rooms that ARCHITECTURE.md lists in the order in which data flows through them; a room uses only
//! those above it.

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
mod instance;
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
pub use ensemble::{EXPORTS, Export, Exported};
pub use ensemble::{Failure, RuleInstance, Why};
pub use ensemble::{Head, Member, Model, Predictions, Predictor};
pub use ensemble::{METHODS, Method, method_named};
pub use error::{Diagnostic, Error, Location, Result, Severity};
pub use instance::Instance;
pub use learn::{Candidate, Outcome, Progress, Source, Ties};
pub use learn::{LEARNERS, Learner, NamedLearner, Observer, Settings, Testbed};
pub use logic::{Arg, Hypothesis, Literal, Pred, Rule, Symbol, TermId, Terms, Var};
pub use parse::Text;
pub use run::{CostChoice, Ended, Event, Learn, Learned, Reason, Running, Verified};
pub use snapshot::{Snapshot, SnapshotPool};
pub use task::{Background, Bias, Examples, Task, TaskBuilder, Value};

/// What the tests, benchmarks and fuzzers of this repository look into, and what its binary and its experiments share with the
/// library, room by room and name by name. Nothing here is promised to stay.
#[doc(hidden)]
pub mod internals {
    pub mod budget {
        // Tests of the memory limit.
        pub use crate::budget::resident_bytes;
    }
    pub mod cost {
        // The binary, for `test`; the test of the examples.
        pub use crate::cost::mdl;
    }
    pub mod coverage {
        // The binary, for `test`: what a hypothesis of any form covers.
        pub use crate::coverage::{Assessment, Notes, assess};
        // The binary, for `learn`: how far numbers may be moved.
        pub use crate::coverage::{FreeNumber, FreeNumbers};
        // Experiments and benchmarks; oracle tests compare the two evaluators.
        pub use crate::coverage::{CoverCache, Evaluator, SlowEvaluator};
    }
    pub mod covering {
        // The benchmark of the solvers, and the examples in their documentation.
        pub use crate::covering::{LocalSearch, Problem, ProofOutcome, prove};
    }
    pub mod database {
        // The binary, for `check`, and whoever evaluates.
        pub use crate::database::{Database, Evaluation, redefined, undefined};
    }
    pub mod ensemble {
        // The binary, for `--help-methods`, `explain`, `predict`, `export` and `ensemble --from`.
        pub use crate::ensemble::{
            DEFAULT_METHOD, Explainer, Fingerprint, Justification, Needs, Purpose, RuleFigures, export_named,
        };
        pub use crate::ensemble::{FORMATS, Format, Reported, Scored, Scorer, Skipped, Transcript, format_named};
        pub use crate::ensemble::{Strangers, Undefined};
        // Records of the benchmark, and tests: hypotheses as texts that are known to be good.
        pub use crate::ensemble::{OutsideHypothesis, evaluate};
        // Experiments and the benchmark of the methods: votes over a training set that is put together by hand.
        pub use crate::ensemble::{Paper, Training, VoteFigures, Voter, ensemble_size, read_hypothesis, vote};
        // Tests of the front door, with methods that behave differently there.
        pub use crate::ensemble::{Bagging, Resampled, Single};
    }
    pub mod error {
        // Experiments, for names in suites.
        pub use crate::error::nearest;
    }
    pub mod evaluate {
        // Reports of experiments; SciPy checks the figures.
        pub use crate::evaluate::{Differences, Fraction, Interval, Metrics, PairedComparison, Ranking, TestResult};
        pub use crate::evaluate::{compare_paired, friedman, holm, mean, median, paired_t, pearson, regression};
        pub use crate::evaluate::{shapiro_wilk, spearman, t_interval, wilcoxon};
        // The binary, for predictions of examples whose labels are known, and cross-validation.
        pub use crate::evaluate::{FoldScores, Judged, ProbabilityScore, ReliabilityBin, auc};
        pub use crate::evaluate::{corrected_interval, stratified_folds};
    }
    pub mod file {
        // The binary, experiments and the Python package, which read and write files.
        pub use crate::file::{Identity, Output, Partials, read, write};
    }
    pub mod learn {
        // The binary and experiments, which choose a learner by name.
        pub use crate::learn::learner_named;
        // The binary, for `learn --certificate`.
        pub use crate::learn::Certificate;
        // Brute-force tests and benchmarks, which run the learner without the front door.
        pub use crate::learn::{KeptRule, Pricing, Symsnap};
    }
    pub mod logic {
        // The binary, for exports; tests that compare rules up to renaming, and terms and constants with SWI-Prolog's.
        pub use crate::logic::{Constant, Number, Term, canonical_hypothesis, canonical_rule, write_atom};
    }
    pub mod parse {
        // Fuzzers, and the tests that compare parsers with SWI-Prolog's.
        pub use crate::parse::{Dialect, Fact, Form, Lexer, NodeId, Reader, TokenKind, Tree};
    }
    pub mod prolog {
        // The tests that compare the evaluator with SWI-Prolog.
        pub use crate::prolog::{Engine, Fault, Limits};
    }
    pub mod random {
        // Generators of tasks and tests, which must repeat.
        pub use crate::random::Random;
    }
    pub mod run {
        // The binary, for the watchdog over its other commands and for what is said when nothing was learned.
        pub use crate::run::{Next, Told, empty_confusion, watchdog};
    }
    pub mod sets {
        // Whoever evaluates: covers.
        pub use crate::sets::{Bitset, Cover, Sides};
    }
    pub mod snapshot {
        // The binary, for `--pool`, and experiments.
        pub use crate::snapshot::{Selection, Stretch};
    }
    pub mod space {
        // Brute-force tests and benchmarks, which enumerate it.
        pub use crate::space::Space;
    }
    pub mod task {
        // The binary: atoms in batches, rules given as text, and what `check` says about a bias.
        pub use crate::task::{Batch, Bounds, Direction, GivenRule, Queries};
        // Tests, benchmarks and fuzzers of what is read.
        pub use crate::task::{Constraints, Definition, Program};
    }
}
