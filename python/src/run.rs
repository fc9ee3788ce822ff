//! A run of the learner on another thread: snapshots as they come, figures in between, and how it ended.

use crate::attend::{poll, receive};
use crate::error::raised;
use crate::learned::{Learned, Snapshot};
use crate::model::method_with;
use crate::task::Task;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use symsnap::internals::run::watchdog::start;
use symsnap::{Budget, Cancel, CostChoice, Diagnostic, Ended, Event, Learn, Progress, Settings};

/// How long a run may take to end after Ctrl-C before it is left behind: with the pause between two looks at signals, less than
/// the fifth of a second that is promised.
pub const PATIENCE: Duration = Duration::from_millis(100);

/// What the arguments of `learn` say; Python has checked them.
#[derive(FromPyObject)]
pub struct Wishes {
    cost: String,
    method: Option<String>,
    settings: Vec<(String, f64)>,
    timeout: Option<f64>,
    ticks: Option<u64>,
    max_memory: Option<u64>,
    threads: Option<usize>,
    pub seed: u64,
    optima: usize,
    strict: bool,
    until_limit: bool,
    functional: bool,
    max_vars: Option<usize>,
    pub max_body: Option<usize>,
    max_clauses: Option<usize>,
}

impl Wishes {
    /// The task with the limits on rules that stand instead of those of its bias.
    fn limited(&self, task: &Arc<symsnap::Task>) -> Arc<symsnap::Task> {
        if self.max_vars.is_none() && self.max_body.is_none() && self.max_clauses.is_none() {
            return Arc::clone(task);
        }
        let mut task = symsnap::Task::clone(task);
        let bias = &mut task.bias;
        if let Some(body) = self.max_body {
            (bias.max_body, bias.max_body_given) = (body, true);
        }
        bias.max_vars = self.max_vars.unwrap_or(bias.max_vars);
        bias.max_clauses = self.max_clauses.unwrap_or(bias.max_clauses);
        Arc::new(task)
    }

    /// The limits, with a clock that runs from now.
    pub fn budget(&self, cancel: &Cancel) -> Budget {
        let mut budget = Budget::unlimited().with_cancel(cancel.clone());
        if let Some(seconds) = self.timeout {
            budget = budget.with_time(Duration::from_secs_f64(seconds));
        }
        if let Some(ticks) = self.ticks {
            budget = budget.with_ticks(ticks);
        }
        budget.within_memory(self.max_memory)
    }

    /// The run with everything but its budget.
    pub fn set_up(&self, learn: Learn) -> symsnap::Result<Learn> {
        let cost = CostChoice::from_name(&self.cost)
            .ok_or_else(|| Diagnostic::error(format!("there is no cost `{}`", self.cost)))?;
        let mut learn = learn.cost(cost).settings(self.settings());
        if self.strict {
            learn = learn.strict();
        }
        Ok(match &self.method {
            Some(method) => learn.ensemble(method_with(method, &self.settings)?),
            // Ensembles may be made later.
            None => learn.keeping_rules(),
        })
    }

    fn settings(&self) -> Settings {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Settings {
            threads: self.threads.unwrap_or_else(cores),
            seed: self.seed,
            optima: self.optima,
            until_limit: self.until_limit,
            functional: self.functional,
            ..Settings::default()
        }
    }
}

/// Rules tested, seconds, snapshots, the cost of the best hypothesis and the bound below it.
pub type Standing = (u64, f64, usize, Vec<u64>, Vec<u64>);

/// What a run says of itself, with its number of snapshots, as Python has it.
pub fn standing(progress: &Progress, snapshots: usize) -> Standing {
    let Progress { ticks, elapsed, best, lower, .. } = progress;
    (*ticks, elapsed.as_secs_f64(), snapshots, best.0.clone(), lower.0.clone())
}

/// A run that was started.
#[pyclass(frozen, module = "symsnap._core")]
pub struct Run {
    cancel: Cancel,
    snapshots: Mutex<Receiver<Snapshot>>,
    progress: Arc<Mutex<Option<Standing>>>,
    ended: Mutex<Receiver<symsnap::Result<Ended>>>,
    folder: Option<PathBuf>,
}

/// Nobody waits for a run that Python has let go of.
impl Drop for Run {
    fn drop(&mut self) {
        self.cancel.raise();
    }
}

#[pymethods]
impl Run {
    #[new]
    fn new(py: Python<'_>, task: &Task, wishes: Wishes) -> PyResult<Self> {
        let cancel = Cancel::default();
        let learn = Learn::new(wishes.limited(&task.task)).budget(wishes.budget(&cancel));
        let mut learn = wishes.set_up(learn).map_err(|error| raised(py, &error))?;
        let (send, snapshots) = channel();
        let progress = Arc::new(Mutex::new(None));
        let (latest, mut begun) = (Arc::clone(&progress), None);
        learn = learn.observe(move |event| {
            match event {
                Event::Begun { task, cost } => begun = Some((Arc::clone(task), *cost)),
                Event::Snapshot { snapshot, improves } => {
                    if let Some((task, cost)) = &begun {
                        // Nobody may listen any more; the result counts all the same.
                        let _ = send.send(Snapshot::of(snapshot, *cost, &task.terms, *improves));
                    }
                }
                Event::Progress { progress, snapshots } => {
                    *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(standing(progress, *snapshots));
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
        let running = learn.spawn().map_err(|error| raised(py, &error))?;
        let ended = start(move || running.wait_impatiently(PATIENCE)).map_err(|error| raised(py, &error))?;
        let folder = task.folder.clone();
        Ok(Run { cancel, snapshots: Mutex::new(snapshots), progress, ended: Mutex::new(ended), folder })
    }

    /// A new snapshot, if one comes soon, and whether there will be no more.
    fn poll(&self, py: Python<'_>) -> PyResult<(Option<Snapshot>, bool)> {
        poll(py, &self.snapshots)
    }

    /// Tell the run to end.
    fn cancel(&self) {
        self.cancel.raise();
    }

    /// How the run stands, if it has said.
    fn progress(&self) -> Option<Standing> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was learned, once; nothing if a limit came while the task was read.
    fn wait(&self, py: Python<'_>) -> PyResult<Option<Learned>> {
        let taken = || PyRuntimeError::new_err("the result of this run was taken before");
        match receive(py, &self.ended)?.ok_or_else(taken)?.map_err(|error| raised(py, &error))? {
            Ended::Unread(_) => Ok(None),
            Ended::Learned(learned) => {
                Learned::new(*learned, self.folder.as_deref()).map(Some).map_err(|error| raised(py, &error))
            }
        }
    }
}
