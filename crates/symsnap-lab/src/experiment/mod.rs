//! From a suite to results: what to run ([`Suite`]), as which jobs ([`Job`]), one job ([`run_job`]), all of them on this
//! machine ([`run_all`]), and the folder that keeps what came of it ([`Folder`]).
//!
//! A job is one use of the learner: a task, a split, a cost, a trial and a learner. All methods that weigh the snapshots
//! of one run are evaluated on that run; methods that learn several times (bagging) are jobs of their own.

mod check;
mod folder;
mod learner;
mod methods;
mod plan;
mod replay;
mod replay_table;
mod result;
mod rows;
mod run;
mod schedule;
mod suite;
mod tables;
mod votes;
mod who;

pub use check::MOST_JOBS;
pub use folder::Folder;
pub use learner::{OutsideLearner, SuiteLearner};
pub use methods::{BAGGING, BASELINE, ONE_OPTIMUM, ONLY_OPTIMA, PAPER, known_methods};
pub use plan::{Job, SNAPSHOTS, plan};
pub use replay::{RecordedRun, ReplayMethod, Replayed, recorded_runs, replayable};
pub use replay_table::{ReplayedRuns, replay_csv, replay_json, replay_text};
pub use result::{Anytime, Checkpoint, Counts, JobResult, PoolMember, Row, Run, Spread, SweepPoint};
pub use rows::{rows_csv, runs_csv};
pub use run::run_job;
pub use schedule::{JobProgress, Worker, run_all};
pub use suite::{Limits, SHIPPED, SplitKind, Suite, TaskSource};
