//! Learning from tables on another thread.

use crate::attend::{listen, receive};
use crate::error::{diagnostics, raised};
use crate::run::{PATIENCE, Standing, Wishes, standing};
use crate::schema::Schema;
use crate::table::Table;
use crate::table_model::TableModel;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ops::ControlFlow;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use symsnap::internals::run::watchdog::start;
use symsnap::{Cancel, Diagnostic, Event, Learned, Result, StopReason};
use symsnap_tables::{
    ColumnSchema, Dataset, ExampleOptions, Kind, Purpose, TableEnded, TableLearn, TableSchema, Target,
    describe_features,
};

/// What is to be predicted; Python has checked it.
#[derive(FromPyObject)]
struct Wanted {
    /// The title of the column with the labels.
    target: String,
    /// The title of the column with the weights.
    weight: Option<String>,
    /// The labels, in the order of Python's classes.
    classes: Vec<String>,
    /// How much the examples of each class weigh, in the same order.
    counts: Vec<usize>,
    /// The title of the column with keys, and the table of the database that they are keys of.
    key: Option<(String, String)>,
    /// Whether classes are given weights so that they weigh the same.
    balanced: bool,
}

impl Wanted {
    /// The model with the weights of classes in the place of their numbers of rows: a weight is a repetition of a row.
    fn weighed(&self, mut model: symsnap_tables::TableModel) -> symsnap_tables::TableModel {
        let origin = &mut model.origin;
        for (label, count) in origin.labels.iter().zip(&mut origin.counts) {
            if let Some(at) = self.classes.iter().position(|class| class == label) {
                *count = self.counts[at];
            }
        }
        model
    }

    fn target(&self, table: &str) -> Target {
        let target = Target {
            table: table.to_owned(),
            column: Some(self.target.clone()),
            weight: self.weight.clone(),
            ..Target::default()
        };
        match self.classes.as_slice() {
            [negative, positive] => {
                Target { positive: Some(positive.clone()), negative: Some(negative.clone()), ..target }
            }
            classes => Target { classes: classes.to_vec(), ..target },
        }
    }

    /// What the table with the labels means: its columns are features, or one of them names rows of the database.
    fn examples(&self, table: &symsnap_tables::Table) -> Result<(TableSchema, Vec<Diagnostic>)> {
        let (mut schema, warnings) = match &self.key {
            None => describe_features(table)?,
            Some((column, to)) => {
                let key = ColumnSchema { to: Some(to.clone()), ..ColumnSchema::new(column, Kind::Key) };
                let titles = [Some(&self.target), self.weight.as_ref()].into_iter().flatten();
                let others = titles.map(|title| ColumnSchema::new(title, Kind::Category));
                let columns = std::iter::once(key).chain(others).collect();
                (TableSchema { name: table.name().to_owned(), columns, ..TableSchema::default() }, Vec::new())
            }
        };
        for column in &mut schema.columns {
            if column.name == self.target {
                column.kind = Kind::Category;
            } else if Some(&column.name) == self.weight.as_ref() {
                column.kind = Kind::Float;
            }
        }
        let own = |finding: &Diagnostic| {
            let quoted = |title: &String| finding.message.contains(&format!("column `{title}`"));
            quoted(&self.target) || self.weight.as_ref().is_some_and(quoted)
        };
        Ok((schema, warnings.into_iter().filter(|finding| !own(finding)).collect()))
    }

    fn dataset(
        &self,
        table: symsnap_tables::Table,
        mut tables: Vec<symsnap_tables::Table>,
        database: Vec<TableSchema>,
        max_body: Option<usize>,
    ) -> Result<Dataset> {
        let (examples, mut warnings) = self.examples(&table)?;
        let mut described = vec![examples];
        described.extend(database);
        let mut schema = symsnap_tables::Schema {
            target: self.target(table.name()),
            tables: described,
            ..symsnap_tables::Schema::default()
        };
        schema.rules.max_body = max_body.and_then(|body| u16::try_from(body).ok());
        // What contradicts itself is found when a schema is read.
        let schema = symsnap_tables::Schema::parse("schema", &schema.to_toml())?;
        tables.insert(0, table);
        let mut data = Dataset::new(schema, tables, Purpose::Learning)?;
        warnings.append(&mut data.warnings);
        data.warnings = warnings;
        Ok(data)
    }
}

/// What came of the runs, one for each class, and what is odd about the tables.
struct Done {
    learned: Vec<Learned>,
    model: Option<symsnap_tables::TableModel>,
    warnings: Vec<Diagnostic>,
}

/// Runs on tables that were started.
#[pyclass(frozen, module = "symsnap._core")]
pub struct TableRun {
    cancel: Cancel,
    latest: Arc<Mutex<Option<Standing>>>,
    ended: Mutex<Receiver<Result<Option<Done>>>>,
    /// What has ended, until it is taken.
    done: Mutex<Option<Result<Option<Done>>>>,
}

/// Hears how runs stand that follow each other, and adds up what they have used.
struct Listener {
    begun: Instant,
    latest: Arc<Mutex<Option<Standing>>>,
    /// What runs that have ended had tested and found.
    before: (u64, usize),
}

impl Listener {
    fn hear(&mut self, event: &Event<'_>) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Begun { .. } => {
                self.before = latest.as_ref().map_or((0, 0), |(ticks, _, snapshots, ..)| (*ticks, *snapshots));
            }
            Event::Progress { progress, snapshots } => {
                let (ticks, _, snapshots, best, lower) = standing(progress, *snapshots);
                let seconds = self.begun.elapsed().as_secs_f64();
                *latest = Some((ticks + self.before.0, seconds, snapshots + self.before.1, best, lower));
            }
            _ => {}
        }
    }
}

/// Ctrl-C may come after the runs were started and before anyone waits for them; nobody could end them then.
impl Drop for TableRun {
    fn drop(&mut self) {
        self.cancel.raise();
    }
}

#[pymethods]
impl TableRun {
    #[new]
    fn new(
        py: Python<'_>,
        table: &Table,
        database: Vec<PyRef<'_, Table>>,
        schema: Option<&Schema>,
        wanted: Wanted,
        wishes: Wishes,
    ) -> PyResult<Self> {
        let cancel = Cancel::default();
        let budget = wishes.budget(&cancel);
        let table = table.table.clone();
        let tables: Vec<symsnap_tables::Table> = database.iter().map(|table| table.table.clone()).collect();
        let described = schema.map_or_else(Vec::new, |schema| schema.tables.clone());
        let latest = Arc::new(Mutex::new(None));
        let listener = Listener { begun: Instant::now(), latest: Arc::clone(&latest), before: (0, 0) };
        let listener = Arc::new(Mutex::new(listener));
        let work = move || -> Result<Option<Done>> {
            let data = Arc::new(wanted.dataset(table, tables, described, wishes.max_body)?);
            let options = ExampleOptions { balanced: wanted.balanced, seed: wishes.seed, ..ExampleOptions::default() };
            let runs = TableLearn::new(Arc::clone(&data), options)?.impatient(PATIENCE);
            let ended = runs.run(&budget, |_, learn| {
                let listener = Arc::clone(&listener);
                Ok(wishes.set_up(learn)?.observe(move |event| {
                    listener.lock().unwrap_or_else(PoisonError::into_inner).hear(event);
                    ControlFlow::Continue(())
                }))
            })?;
            let TableEnded::Learned(learned) = ended else { return Ok(None) };
            let model = runs.model(&learned).map(|model| wanted.weighed(model));
            Ok(Some(Done { learned, model, warnings: data.warnings.clone() }))
        };
        let ended = start(work).map_err(|error| raised(py, &error))?;
        Ok(TableRun { cancel, latest, ended: Mutex::new(ended), done: Mutex::new(None) })
    }

    /// Tell the runs to end.
    fn cancel(&self) {
        self.cancel.raise();
    }

    /// Wait until the next look at signals; whether the runs have ended.
    fn poll(&self, py: Python<'_>) -> PyResult<bool> {
        let (done, lost) = listen(py, &self.ended);
        let ended = done.is_some() || lost;
        if done.is_some() {
            *self.done.lock().unwrap_or_else(PoisonError::into_inner) = done;
        }
        py.check_signals()?;
        Ok(ended)
    }

    /// How the runs stand, if they have said: rules tested, seconds and snapshots of all together, the costs of the one that is on.
    fn progress(&self) -> Option<Standing> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The model, what each run says, and warnings; once. Nothing if a limit came before anything was learned from.
    #[allow(clippy::type_complexity)]
    fn wait<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<(TableModel, Vec<Bound<'py, PyDict>>, Vec<Bound<'py, PyTuple>>)>> {
        let taken = || PyRuntimeError::new_err("the result of these runs was taken before");
        let polled = self.done.lock().unwrap_or_else(PoisonError::into_inner).take();
        let done = match polled {
            Some(done) => done,
            None => receive(py, &self.ended)?.ok_or_else(taken)?,
        };
        let done = done.map_err(|error| raised(py, &error))?;
        let Some(Done { learned, model: Some(model), warnings }) = done else { return Ok(None) };
        let said: PyResult<Vec<Bound<'py, PyDict>>> = learned.iter().map(|one| outcome(py, one)).collect();
        Ok(Some((TableModel::new(model), said?, diagnostics(py, &warnings)?)))
    }
}

/// How one run ended.
fn outcome<'py>(py: Python<'py>, learned: &Learned) -> PyResult<Bound<'py, PyDict>> {
    let said = PyDict::new(py);
    let outcome = &learned.outcome;
    said.set_item("found", outcome.best.is_some())?;
    said.set_item("cost", learned.cost.name())?;
    said.set_item("optimal", outcome.optimal)?;
    said.set_item("stop_words", outcome.stop.words())?;
    said.set_item("cancelled", outcome.stop == StopReason::Cancelled)?;
    said.set_item("ticks", outcome.ticks)?;
    said.set_item("elapsed", outcome.elapsed.as_secs_f64())?;
    said.set_item("snapshots", learned.pool.members().len())?;
    said.set_item("why", learned.why.iter().map(|reason| reason.text.as_str()).collect::<Vec<_>>())?;
    Ok(said)
}
