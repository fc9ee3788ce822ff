//! What a task was made of, and what the model and the report say about that.

use serde_json::{Value, json};
use std::path::Path;
use symsnap::{Learned, Model, Result};
use symsnap_tables::{Schema, TableModel, TableOrigin, dates_in_words};

/// What a task was made of.
pub(super) enum Origin<'o> {
    /// A task folder, which the model remembers.
    Folder,
    /// Tables.
    Tables(&'o TableRun),
}

/// What is known about the tables of a run.
pub(super) struct TableRun {
    pub(super) origin: TableOrigin,
    pub(super) schema: Schema,
    /// What there is to say about their labels.
    pub(super) labels: String,
}

impl Origin<'_> {
    /// The text of the model's file.
    pub(super) fn model_text(&self, model: Model, task: &Path) -> Result<String> {
        match self {
            Origin::Folder => Ok(model.learned_from(task)?.to_json()),
            Origin::Tables(run) => Ok(TableModel { origin: run.origin.clone(), models: vec![model] }.to_json()),
        }
    }
}

/// The labels of tables and how many rows have each, the positive one first.
pub(super) fn labels_json(origin: &TableOrigin) -> Value {
    let each = origin.labels.iter().zip(&origin.counts);
    each.map(|(label, count)| json!({ "label": label, "rows": count })).collect()
}

impl TableRun {
    /// What comparisons with dates in the best hypothesis mean.
    pub(super) fn dates(&self, learned: &Learned) -> Vec<String> {
        let best = learned.best().map(|best| dates_in_words(&self.schema, &best.hypothesis, &learned.task.terms));
        best.unwrap_or_default()
    }
}
