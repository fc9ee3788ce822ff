//! Tasks.

use crate::attend::attend;
use crate::error::diagnostics;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::PathBuf;
use std::sync::Arc;
use symsnap::internals::database::undefined;

/// A task, and the folder that it came from.
#[pyclass(frozen, module = "symsnap._core")]
pub struct Task {
    pub task: Arc<symsnap::Task>,
    pub folder: Option<PathBuf>,
}

/// The task with warnings about what nothing defines, and with what its bias could declare.
fn with_advice(mut task: symsnap::Task) -> Arc<symsnap::Task> {
    let more: Vec<symsnap::Diagnostic> = undefined(&task).into_iter().chain(task.suggestions()).collect();
    task.warnings.extend(more);
    Arc::new(task)
}

#[pymethods]
impl Task {
    #[staticmethod]
    fn from_dir(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let folder = Some(path.clone());
        let task = attend(py, move || symsnap::Task::from_dir(path).map(with_advice))?;
        Ok(Task { task, folder })
    }

    #[staticmethod]
    fn from_texts(py: Python<'_>, bk: String, exs: String, bias: String) -> PyResult<Self> {
        let task = attend(py, move || symsnap::Task::from_texts(&bk, &exs, &bias).map(with_advice))?;
        Ok(Task { task, folder: None })
    }

    #[getter]
    fn folder(&self) -> Option<String> {
        self.folder.as_ref().map(|folder| folder.display().to_string())
    }

    #[getter]
    fn head(&self) -> (String, u32) {
        let head = self.task.bias.head;
        (self.task.terms.name(head.name).to_owned(), head.arity)
    }

    #[getter]
    fn body(&self) -> Vec<(String, u32)> {
        let name = |pred: &symsnap::Pred| (self.task.terms.name(pred.name).to_owned(), pred.arity);
        self.task.bias.body.iter().map(name).collect()
    }

    #[getter]
    fn positives(&self) -> usize {
        self.task.examples.positives()
    }

    #[getter]
    fn negatives(&self) -> usize {
        self.task.examples.negatives()
    }

    #[getter]
    fn limits(&self) -> (usize, usize) {
        (self.task.bias.max_vars, self.task.bias.max_body)
    }

    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        diagnostics(py, &self.task.warnings)
    }
}
