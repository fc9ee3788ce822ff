//! Models of tables: one for two labels, one for each of several classes.

use crate::attend::attend;
use crate::error::{diagnostics, raised};
use crate::explain::Explained;
use crate::model::Model;
use crate::table::Table;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;
use symsnap::{Diagnostic, Predictor, Result, Value};
use symsnap_tables::{Dataset, Purpose, ReadableRule, TablePredictor, TableTask, readable_rules};

/// Rows that are predicted at once.
const BATCH: usize = 1 << 16;

/// A model of tables.
#[pyclass(frozen, module = "symsnap._core")]
pub struct TableModel {
    model: Arc<symsnap_tables::TableModel>,
}

impl TableModel {
    pub fn new(model: symsnap_tables::TableModel) -> Self {
        TableModel { model: Arc::new(model) }
    }
}

#[pymethods]
impl TableModel {
    #[staticmethod]
    fn from_json(py: Python<'_>, file: &str, text: &[u8]) -> PyResult<Self> {
        let read = symsnap_tables::TableModel::from_json(file, text).and_then(|model| {
            let none = || Diagnostic::error(format!("{file} is no model of tables"));
            model.ok_or_else(|| none().with_help("Model.load reads models of task folders").into())
        });
        read.map(TableModel::new).map_err(|error| raised(py, &error))
    }

    fn to_json(&self) -> String {
        self.model.to_json()
    }

    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let model = Arc::clone(&self.model);
        attend(py, move || symsnap::internals::file::write(&path, &model.to_json()))
    }

    /// The labels, in the order of probabilities.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.model.origin.labels.clone()
    }

    /// The models: that of the first label, or one for each.
    #[getter]
    fn models(&self) -> Vec<Model> {
        self.model.models.iter().map(|model| Model { model: Arc::new(model.clone()) }).collect()
    }

    /// The different rules of one of the models for people.
    fn rules(&self, py: Python<'_>, class: usize) -> PyResult<Vec<Readable>> {
        readable(&self.model, class).map_err(|error| raised(py, &error))
    }

    /// The probabilities of the labels, row by row, as the bytes of numbers; and what is odd about the tables.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        table: &Table,
        database: Vec<PyRef<'py, Table>>,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<Bound<'py, PyTuple>>)> {
        let (model, tables) = (Arc::clone(&self.model), all_tables(table, &database));
        let (bytes, warnings) = attend(py, move || {
            let mut predictor = TablePredictor::new(&model, "the model", tables)?;
            let mut bytes = Vec::with_capacity(predictor.rows() * model.origin.labels.len() * 8);
            for first in (0..predictor.rows()).step_by(BATCH) {
                let rows = first..predictor.rows().min(first + BATCH);
                for said in predictor.predict(rows)? {
                    said.probabilities.iter().for_each(|share| bytes.extend_from_slice(&share.to_le_bytes()));
                }
            }
            Ok((bytes, predictor.warnings))
        })?;
        Ok((PyBytes::new(py, &bytes), diagnostics(py, &warnings)?))
    }

    /// Why each member of one of the models votes as it does about a row.
    fn explain(
        &self,
        py: Python<'_>,
        table: &Table,
        database: Vec<PyRef<'_, Table>>,
        row: usize,
        class: usize,
    ) -> PyResult<Explained> {
        let (model, tables) = (Arc::clone(&self.model), all_tables(table, &database));
        attend(py, move || explain(&model, tables, row, class))
    }
}

/// A rule in Prolog, the weight of the members that have it, the rule in words and as a query for the rows that it covers, how
/// many training examples it covers if the model knows, which share of them is positive, and the lift of that.
type Readable = (String, f64, String, Option<String>, Option<u64>, Option<f64>, Option<f64>);

fn readable(model: &symsnap_tables::TableModel, class: usize) -> Result<Vec<Readable>> {
    let asked = model.models.get(class).ok_or_else(|| Diagnostic::error("there is no such class"))?;
    let rules = readable_rules(asked, Some((&model.origin, &model.origin.labels[class])), "the model")?;
    let readable = |it: ReadableRule| {
        let (support, precision) = (it.figures.as_ref().map(|it| it.tp + it.fp), it.precision());
        (it.rule, it.weight, it.words.unwrap_or_default(), it.sql, support, precision, it.lift)
    };
    Ok(rules.into_iter().map(readable).collect())
}

fn all_tables(table: &Table, database: &[PyRef<'_, Table>]) -> Vec<symsnap_tables::Table> {
    std::iter::once(table.table.clone()).chain(database.iter().map(|table| table.table.clone())).collect()
}

fn explain(
    model: &symsnap_tables::TableModel,
    tables: Vec<symsnap_tables::Table>,
    row: usize,
    class: usize,
) -> Result<Explained> {
    let data = Dataset::new(model.origin.schema("the model")?, tables, Purpose::Predicting)?;
    let asked = model.models.get(class).ok_or_else(|| Diagnostic::error("there is no such class"))?;
    let mut predictor = Predictor::new(asked, TableTask::new(&data).background())?;
    let name = data.target_row_name(row).ok_or_else(|| Diagnostic::error(format!("there is no row {row}")))?;
    let said = predictor.ask([[name]])?;
    let why = predictor.explain([name])?;
    let atom = match name {
        Value::Int(number) => format!("{}({number})", asked.head.name),
        Value::Atom(key) => format!("{}({key})", asked.head.name),
        // Rows have no other names.
        _ => asked.head.name.clone(),
    };
    let votes = said.votes.iter().map(|votes| votes.contains(0)).collect();
    Ok(Explained { atom, label: said.labels[0], probability: said.probabilities[0], votes, why })
}
