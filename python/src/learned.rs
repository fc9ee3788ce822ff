//! What a run found: snapshots, how it ended, and the ensembles that are made of its pool.

use crate::attend::attend;
use crate::error::diagnostics;
use crate::model::{Model, method_with};
use crate::task::Task;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use symsnap::internals::run::empty_confusion;
use symsnap::{Budget, Confusion, Cost, Result, Terms};

/// A hypothesis with its figures.
#[pyclass(frozen, get_all, module = "symsnap._core")]
pub struct Snapshot {
    index: usize,
    rules: Vec<String>,
    cost: &'static str,
    value: Vec<u64>,
    confusion: (u64, u64, u64, u64),
    size: usize,
    elapsed: f64,
    ticks: u64,
    source: String,
    improves: bool,
}

impl Snapshot {
    /// The snapshot with its rules as texts.
    pub fn of(snapshot: &symsnap::Snapshot, cost: Cost, terms: &Terms, improves: bool) -> Self {
        let candidate = &snapshot.candidate;
        Snapshot {
            index: snapshot.index,
            rules: candidate.hypothesis.rules.iter().map(|rule| rule.show(terms)).collect(),
            cost: cost.name(),
            value: candidate.value.0.clone(),
            confusion: figures(&candidate.confusion),
            size: candidate.size,
            elapsed: candidate.elapsed.as_secs_f64(),
            ticks: candidate.ticks,
            source: candidate.source.word().to_owned(),
            improves,
        }
    }
}

/// True positives, false negatives, true negatives, false positives.
pub fn figures(confusion: &Confusion) -> (u64, u64, u64, u64) {
    (confusion.tp, confusion.fn_, confusion.tn, confusion.fp)
}

/// What a run found.
#[pyclass(frozen, module = "symsnap._core")]
pub struct Learned {
    learned: Arc<symsnap::Learned>,
    model: Option<Arc<symsnap::Model>>,
    folder: Option<PathBuf>,
}

impl Learned {
    /// What was learned from the task in `folder`, if it came from one.
    pub fn new(learned: symsnap::Learned, folder: Option<&Path>) -> Result<Self> {
        let model = learned.model_to_keep().map(|model| from_folder(model, folder)).transpose()?;
        Ok(Learned { model: model.map(Arc::new), learned: Arc::new(learned), folder: folder.map(Path::to_owned) })
    }
}

fn from_folder(model: symsnap::Model, folder: Option<&Path>) -> Result<symsnap::Model> {
    match folder {
        Some(folder) => model.learned_from(folder),
        None => Ok(model),
    }
}

#[pymethods]
impl Learned {
    /// The task, with the limits that it was searched with.
    #[getter]
    fn task(&self) -> Task {
        Task { task: Arc::clone(&self.learned.task), folder: self.folder.clone() }
    }

    #[getter]
    fn model(&self) -> Option<Model> {
        self.model.as_ref().map(|model| Model { model: Arc::clone(model) })
    }

    /// The snapshots, in the order in which they were found.
    fn pool(&self) -> Vec<Snapshot> {
        let (terms, cost) = (&self.learned.task.terms, self.learned.cost);
        let mut best = None;
        let members = self.learned.pool.members().iter().map(|member| {
            let value = &member.candidate.value;
            let improves = best.as_ref().is_none_or(|best| value < best);
            best = Some(value.clone());
            Snapshot::of(member, cost, terms, improves)
        });
        members.collect()
    }

    /// The rules of the best hypothesis, with its figures; nothing if none is better than the empty one.
    fn best(&self) -> Option<Snapshot> {
        let best = self.learned.best()?;
        let found = self.learned.pool.members().iter().find(|member| member.candidate.hypothesis == best.hypothesis)?;
        Some(Snapshot::of(found, self.learned.cost, &self.learned.task.terms, true))
    }

    /// How the run ended, in figures and words.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let symsnap::Learned { cost, choice, outcome, why, task, .. } = &*self.learned;
        let said = PyDict::new(py);
        said.set_item("cost", cost.name())?;
        said.set_item("choice", choice)?;
        said.set_item("value", &outcome.value.0)?;
        said.set_item("lower_bound", &outcome.lower.0)?;
        said.set_item("optimal", outcome.optimal)?;
        said.set_item("ties", outcome.ties.words())?;
        said.set_item("limits", &outcome.limits)?;
        said.set_item("notes", &outcome.notes)?;
        said.set_item("stop", outcome.stop.word())?;
        said.set_item("stop_words", outcome.stop.words())?;
        said.set_item("ticks", outcome.ticks)?;
        said.set_item("elapsed", outcome.elapsed.as_secs_f64())?;
        said.set_item("why", why.iter().map(|reason| reason.text.as_str()).collect::<Vec<_>>())?;
        let confusion = self.learned.best().map_or_else(|| empty_confusion(task), |best| best.confusion);
        said.set_item("confusion", figures(&confusion))?;
        Ok(said)
    }

    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        diagnostics(py, &self.learned.task.warnings)
    }

    /// The ensemble that a method makes of the snapshots.
    fn ensemble(
        &self,
        py: Python<'_>,
        method: String,
        settings: Vec<(String, f64)>,
        timeout: Option<f64>,
    ) -> PyResult<Model> {
        let (learned, folder) = (Arc::clone(&self.learned), self.folder.clone());
        let model = attend(py, move || {
            let mut budget = Budget::unlimited();
            if let Some(seconds) = timeout {
                budget = budget.with_time(Duration::from_secs_f64(seconds));
            }
            let model = learned.ensemble_within(&*method_with(&method, &settings)?, &budget)?;
            from_folder(model, folder.as_deref())
        })?;
        Ok(Model { model: Arc::new(model) })
    }
}
