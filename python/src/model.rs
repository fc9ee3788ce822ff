//! Models, and the names of costs, methods and exports.

use crate::attend::attend;
use crate::error::raised;
use crate::learned::figures;
use crate::predictor::Predictor;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use symsnap::internals::ensemble::{DEFAULT_METHOD, export_named};
use symsnap::{CostChoice, Diagnostic, EXPORTS, Exported, METHODS, Method, Result, method_named};

/// A member: weight, rules, figures, size and cost.
type Member = (f64, Vec<String>, (u64, u64, u64, u64), usize, Vec<u64>);

/// An ensemble as it is kept in a file.
#[pyclass(frozen, module = "symsnap._core")]
pub struct Model {
    pub model: Arc<symsnap::Model>,
}

#[pymethods]
impl Model {
    #[staticmethod]
    fn from_json(py: Python<'_>, file: &str, text: &[u8]) -> PyResult<Self> {
        let model = symsnap::Model::from_json(file, text).map_err(|error| raised(py, &error))?;
        Ok(Model { model: Arc::new(model) })
    }

    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let model = attend(py, move || symsnap::Model::read(&path))?;
        Ok(Model { model: Arc::new(model) })
    }

    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let model = Arc::clone(&self.model);
        attend(py, move || model.write(&path))
    }

    fn to_json(&self) -> String {
        self.model.to_json()
    }

    #[getter]
    fn head(&self) -> (String, u32) {
        (self.model.head.name.clone(), self.model.head.arity)
    }

    #[getter]
    fn task(&self) -> Option<String> {
        self.model.task.clone()
    }

    /// The hash of the background file that it was learned with.
    #[getter]
    fn background_hash(&self) -> Option<String> {
        self.model.fingerprint.as_ref().map(|fingerprint| fingerprint.bk.clone())
    }

    #[getter]
    fn cost(&self) -> String {
        self.model.cost.clone()
    }

    #[getter]
    fn method(&self) -> String {
        self.model.method.clone()
    }

    #[getter]
    fn settings(&self) -> BTreeMap<String, f64> {
        self.model.settings.clone()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.model.notes.clone()
    }

    #[getter]
    fn members(&self) -> Vec<Member> {
        let member = |member: &symsnap::Member| {
            let symsnap::Member { weight, rules, confusion, size, value, .. } = member;
            (*weight, rules.clone(), figures(confusion), *size, value.clone())
        };
        self.model.members.iter().map(member).collect()
    }

    /// The model as a program for another system.
    fn export(&self, py: Python<'_>, to: String, predictor: &Predictor, facts: bool) -> PyResult<String> {
        let (model, predictor) = (Arc::clone(&self.model), predictor.share());
        attend(py, move || {
            let export = export_named(&to).ok_or_else(|| Diagnostic::error(format!("there is no export `{to}`")))?;
            let predictor = Predictor::locked(&predictor);
            export.write(&Exported { model: &model, predictor: &predictor, facts, examples: None })
        })
    }

    /// The model as a page.
    fn report(&self, name: &str) -> String {
        symsnap_lab::report::model_report(&self.model, name, None, &BTreeMap::new())
    }
}

/// The method of that name with these settings.
pub fn method_with(name: &str, settings: &[(String, f64)]) -> Result<Box<dyn Method>> {
    let found = method_named(name).ok_or_else(|| Diagnostic::error(format!("there is no method `{name}`")))?;
    settings.iter().try_fold(found.boxed(), |method, (name, value)| {
        let wrong = || {
            let known: Vec<String> = method.settings().iter().map(|(name, value)| format!("{name}={value}")).collect();
            let message = format!("the method `{}` has no setting {name}={value}", method.name());
            Diagnostic::error(message).with_help(match known.len() {
                0 => "it has no settings".to_owned(),
                _ => format!("its settings are {}, numbers of at least 0; counts are whole", known.join(", ")),
            })
        };
        method.with_setting(name, *value).ok_or_else(|| wrong().into())
    })
}

/// The names of costs, the default first.
#[pyfunction]
pub fn costs() -> Vec<String> {
    let mut names: Vec<String> = CostChoice::names().iter().map(|name| (*name).to_owned()).collect();
    names.sort_by_key(|name| name != CostChoice::AUTO);
    names
}

/// The names of ensemble methods with what they do, the default first.
#[pyfunction]
pub fn methods() -> Vec<(&'static str, &'static str)> {
    let mut methods: Vec<_> = METHODS.iter().map(|method| (method.name(), method.summary())).collect();
    methods.sort_by_key(|(name, _)| *name != DEFAULT_METHOD);
    methods
}

/// The names of exports, and whether they look at a background.
#[pyfunction]
pub fn exports() -> Vec<(&'static str, bool)> {
    EXPORTS.iter().map(|export| (export.name, export.background)).collect()
}
