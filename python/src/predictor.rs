//! A model over a background: predictions and explanations.

use crate::attend::attend;
use crate::explain::Explained;
use crate::model::Model;
use crate::task::Task;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use symsnap::internals::ensemble::{Explainer, Fingerprint, Strangers};
use symsnap::internals::task::{Batch, Queries};
use symsnap::{Background, Diagnostic, Error, Result, TermId, Text};

/// A model over a background. Asking it makes terms, so one thread asks at a time.
#[pyclass(frozen, module = "symsnap._core")]
pub struct Predictor {
    predictor: Arc<Mutex<symsnap::Predictor>>,
    /// The hashes of the files of its background.
    #[pyo3(get)]
    hashes: Vec<String>,
}

/// An argument of an atom.
#[derive(FromPyObject)]
enum Argument {
    Int(i64),
    Float(f64),
    Name(String),
}

impl Predictor {
    /// The predictor, for another thread.
    pub fn share(&self) -> Arc<Mutex<symsnap::Predictor>> {
        Arc::clone(&self.predictor)
    }

    /// The predictor, when nobody else asks it.
    pub fn locked(predictor: &Mutex<symsnap::Predictor>) -> MutexGuard<'_, symsnap::Predictor> {
        predictor.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn new(predictor: symsnap::Predictor, hashes: Vec<String>) -> Self {
        Predictor { predictor: Arc::new(Mutex::new(predictor)), hashes }
    }
}

#[pymethods]
impl Predictor {
    /// The model over the background of a task.
    #[staticmethod]
    fn over_task(py: Python<'_>, model: &Model, task: &Task) -> PyResult<Self> {
        let (model, task) = (Arc::clone(&model.model), Arc::clone(&task.task));
        let predictor = attend(py, move || symsnap::Predictor::new(&model, &*task))?;
        Ok(Predictor::new(predictor, Vec::new()))
    }

    /// The model over what texts say; each has a name for messages.
    #[staticmethod]
    fn over_texts(py: Python<'_>, model: &Model, texts: Vec<(String, String)>) -> PyResult<Self> {
        let model = Arc::clone(&model.model);
        let predictor = attend(py, move || {
            let mut background = Background::new();
            texts.iter().for_each(|(name, text)| _ = background.text(Text::new(name.as_str(), text)));
            symsnap::Predictor::new(&model, background)
        })?;
        Ok(Predictor::new(predictor, Vec::new()))
    }

    /// The model over what files say.
    #[staticmethod]
    fn over_files(py: Python<'_>, model: &Model, files: Vec<PathBuf>) -> PyResult<Self> {
        let model = Arc::clone(&model.model);
        let (predictor, hashes) = attend(py, move || {
            let (mut background, mut hashes) = (Background::new(), Vec::with_capacity(files.len()));
            for file in files {
                let bytes = symsnap::internals::file::read(&file)?;
                hashes.push(Fingerprint::hash(&bytes));
                let text = Text::from_bytes(file.display().to_string(), &bytes);
                background.text(text.map_err(|finding| Error::from(*finding))?);
            }
            Ok((symsnap::Predictor::new(&model, background)?, hashes))
        })?;
        Ok(Predictor::new(predictor, hashes))
    }

    /// Predicates that rules call and nothing defines: name, member, rule, and a predicate of nearly that name.
    fn undefined(&self) -> Vec<(String, usize, String, Option<String>)> {
        let found = Predictor::locked(&self.predictor).undefined();
        found.into_iter().map(|it| (it.pred, it.member, it.rule, it.similar)).collect()
    }

    /// Labels and probabilities of atoms that a text holds, and a warning about constants that nothing knows.
    fn ask_text(&self, py: Python<'_>, text: String) -> PyResult<(Vec<bool>, Vec<f64>, Option<String>)> {
        let predictor = self.share();
        attend(py, move || {
            let mut predictor = Predictor::locked(&predictor);
            let mut queries = Queries::new("<atoms>", text.as_bytes(), predictor.head());
            let (mut labels, mut probabilities, mut strangers) = (Vec::new(), Vec::new(), Strangers::default());
            loop {
                let batch = queries.next(predictor.terms_for_batch())?;
                if batch.is_empty() {
                    return Ok((labels, probabilities, strangers.warning()));
                }
                let said = predictor.predict(&batch);
                strangers.count(&predictor, &batch);
                labels.extend(said.labels);
                probabilities.extend(said.probabilities);
            }
        })
    }

    /// The same for atoms that are given by their arguments.
    fn ask_rows(&self, py: Python<'_>, rows: Vec<Vec<Argument>>) -> PyResult<(Vec<bool>, Vec<f64>, Option<String>)> {
        let predictor = self.share();
        attend(py, move || {
            let mut predictor = Predictor::locked(&predictor);
            let mut strangers = Strangers::default();
            let batch = batch_of(&mut predictor, &rows)?;
            let said = predictor.predict(&batch);
            strangers.count(&predictor, &batch);
            Ok((said.labels, said.probabilities, strangers.warning()))
        })
    }

    /// Why each member votes as it does about an atom, given as text or by its arguments.
    fn explain(&self, py: Python<'_>, text: Option<String>, row: Option<Vec<Argument>>) -> PyResult<Explained> {
        let predictor = self.share();
        attend(py, move || {
            let mut predictor = Predictor::locked(&predictor);
            let batch = match (text, row) {
                (Some(text), _) => {
                    let mut queries = Queries::new("<atom>", text.as_bytes(), predictor.head());
                    queries.next(predictor.terms_for_batch())?
                }
                (None, row) => batch_of(&mut predictor, &[row.unwrap_or_default()])?,
            };
            if batch.len() != 1 {
                return Err(Diagnostic::error(format!("expected one atom, found {}", batch.len())).into());
            }
            Ok(explain_batch(&mut predictor, &batch))
        })
    }
}

/// Why each member votes as it does about the only atom of a batch.
pub fn explain_batch(predictor: &mut symsnap::Predictor, batch: &Batch) -> Explained {
    let said = predictor.predict(batch);
    let (head, mut explainer) = (predictor.head(), Explainer::new(predictor.database()));
    let why = predictor.hypotheses().iter().map(|it| explainer.why(it, head, batch.args(0))).collect();
    let votes = said.votes.iter().map(|votes| votes.contains(0)).collect();
    let terms = predictor.terms_to_keep();
    let atom = if head.arity == 0 {
        let name = terms.name(head.name).to_owned();
        terms.atom_named(&name)
    } else {
        terms.compound(head.name, batch.args(0))
    };
    Explained { atom: terms.show(atom), label: said.labels[0], probability: said.probabilities[0], votes, why }
}

/// The atoms with these arguments.
fn batch_of(predictor: &mut symsnap::Predictor, rows: &[Vec<Argument>]) -> Result<Batch> {
    let head = predictor.head();
    let terms = predictor.terms_for_batch();
    let mut batch = Batch::new(head.arity as usize);
    for (at, row) in rows.iter().enumerate() {
        if row.len() != head.arity as usize {
            let message = format!("atom {at} has {} arguments, but {} is asked for", row.len(), head.show(terms));
            return Err(Diagnostic::error(message).into());
        }
        let args = row.iter().map(|argument| match argument {
            Argument::Int(value) => terms.int(*value),
            Argument::Float(value) => terms.float(*value),
            Argument::Name(name) => terms.atom_named(name),
        });
        batch.push(&args.collect::<Vec<TermId>>());
    }
    Ok(batch)
}
