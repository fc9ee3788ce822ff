//! Models of tables: what a model file holds beside the model, so that new tables are read as the old ones were.
//!
//! With two labels it is the file of any other model with one more section, `tables`; whatever reads models reads it. With
//! several classes it holds a model for each in `classes`, and no rules of its own.

use crate::examples::ExampleOptions;
use crate::findings::{list, quoted};
use crate::fit::Dataset;
use crate::kind::Kind;
use crate::labels::meant;
use crate::schema::Schema;
use crate::task::TableTask;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use symsnap::internals::ensemble::Fingerprint;
use symsnap::{Diagnostic, Model, Predictions, Predictor, Result};

/// Categories that are remembered of a column, to tell those that are new.
const MOST_REMEMBERED: usize = 256;

/// What is known about the tables that a model was learned from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableOrigin {
    /// The schema, as its file has it.
    schema: String,
    /// The files, as they were named.
    pub files: Vec<String>,
    /// The labels: the positive and the negative one, or all classes.
    pub labels: Vec<String>,
    /// How many rows had each label.
    pub counts: Vec<usize>,
    /// The categories of each column, by table and column.
    categories: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// A hash of what each table held in the columns of the schema, whatever file it was in. Older files have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    digests: Vec<String>,
}

impl TableOrigin {
    /// What is to be remembered of a dataset.
    pub fn new(data: &Dataset, labels: Vec<String>, counts: Vec<usize>) -> Self {
        let mut categories: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
        for (at, table) in data.schema.tables.iter().enumerate() {
            for (place, column) in table.columns.iter().enumerate().filter(|(_, column)| column.kind == Kind::Category)
            {
                let texts = data.place(at, place).map(|place| &data.table(at).columns()[place].dictionary);
                if let Some(texts) = texts.filter(|texts| texts.len() <= MOST_REMEMBERED)
                    && !data.schema.is_spared(&table.name, &column.name)
                {
                    let texts = texts.iter().map(str::to_owned).collect();
                    categories.entry(table.name.clone()).or_default().insert(column.name.clone(), texts);
                }
            }
        }
        let files = (0..data.schema.tables.len()).map(|at| data.table(at).file().to_owned()).collect();
        let digests = (0..data.schema.tables.len()).map(|at| digest(data, at)).collect();
        TableOrigin { schema: data.schema.to_toml(), files, labels, counts, categories, digests }
    }

    /// The names of the tables of a dataset that hold other things than they did in training, as far as that is known.
    pub fn changed<'d>(&self, data: &'d Dataset) -> Vec<&'d str> {
        let tables = data.schema.tables.iter().zip(&self.digests).enumerate();
        let changed = tables.filter(|(at, (_, before))| digest(data, *at) != **before);
        changed.map(|(at, _)| data.table(at).file()).collect()
    }

    /// Whether it is known what the tables held.
    pub fn has_digests(&self) -> bool {
        !self.digests.is_empty()
    }

    /// The categories that a column had.
    pub(crate) fn categories(&self, table: &str, column: &str) -> Option<&[String]> {
        self.categories.get(table)?.get(column).map(Vec::as_slice)
    }

    /// The schema.
    ///
    /// # Errors
    /// If somebody has broken it.
    pub fn schema(&self, file: &str) -> Result<Schema> {
        Schema::parse(&format!("{file}, tables.schema"), &self.schema)
    }
}

/// A hash of what a table holds in the columns that its schema uses: their titles, their different texts and, for each row, which it has.
fn digest(data: &Dataset, at: usize) -> String {
    let mut all = Vec::new();
    for (place, column) in data.schema.tables[at].columns.iter().enumerate().filter(|(_, column)| column.kind.is_used())
    {
        let Some(place) = data.place(at, place) else { continue };
        let read = &data.table(at).columns()[place];
        let mut bytes = column.name.clone().into_bytes();
        for text in read.dictionary.iter() {
            bytes.push(0);
            bytes.extend(text.as_bytes());
        }
        bytes.push(0);
        bytes.extend(read.codes().flat_map(|code| code.unwrap_or(u32::MAX).to_le_bytes()));
        all.extend(Fingerprint::hash(&bytes).into_bytes());
    }
    Fingerprint::hash(&all)
}

/// What a model says about the examples that it was made of.
#[derive(Debug)]
pub struct OnTrainingRows {
    /// What it says.
    pub said: Predictions,
    /// Whether each is positive, and its weight.
    pub truth: Vec<(bool, u32)>,
}

/// A model, or one for each class, learned from tables.
#[derive(Debug, Clone)]
pub struct TableModel {
    /// What it was learned from.
    pub origin: TableOrigin,
    /// The model of the positive label, or those of all classes, in the order of the labels.
    pub models: Vec<Model>,
}

/// The file of several models.
#[derive(Serialize, Deserialize)]
struct ClassesFile {
    format: u64,
    symsnap: String,
    tables: TableOrigin,
    classes: Vec<ClassEntry>,
}

#[derive(Serialize, Deserialize)]
struct ClassEntry {
    label: String,
    model: serde_json::Value,
}

impl TableModel {
    /// The model of one class; `file` is named in errors.
    ///
    /// # Errors
    /// If it is not said which, or there is no such class.
    pub fn of_class(&self, label: Option<&str>, file: &str) -> Result<Model> {
        let labels: Vec<&str> = self.origin.labels.iter().map(String::as_str).collect();
        let Some(label) = label else {
            let finding = Diagnostic::error(format!("{file} has a model for each of {} classes", labels.len()));
            return Err(finding.with_help(format!("choose one with --class: {}", list(labels))).into());
        };
        match labels.iter().position(|have| *have == label).and_then(|at| self.models.get(at)) {
            Some(model) => Ok(model.clone()),
            None => {
                let finding = Diagnostic::error(format!("{file} has no class {}", quoted(label)));
                Err(finding.with_help(meant(label, &labels)).into())
            }
        }
    }

    /// What the model of one label says about the examples that it was made of; nothing if `data` is not what it was made of, or if
    /// some of these were drawn, which is not done twice in the same way.
    ///
    /// # Errors
    /// If a rule cannot be read.
    pub fn on_training_rows(&self, label: usize, data: &Dataset) -> Result<Option<OnTrainingRows>> {
        let drawn = data.schema.target.column.is_none();
        let Some(model) = self.models.get(label).filter(|_| !drawn && self.origin.has_digests()) else {
            return Ok(None);
        };
        if !self.origin.changed(data).is_empty() {
            return Ok(None);
        }
        let rows = data.examples(&ExampleOptions::default())?;
        let said = Predictor::new(model, TableTask::new(data).background())?.ask(rows.arguments())?;
        let truth = rows.examples.iter().map(|example| (example.label == label, example.weight)).collect();
        Ok(Some(OnTrainingRows { said, truth }))
    }

    /// The same without what is only about its training: names of files, hashes.
    #[must_use]
    pub fn without_training(&self) -> Self {
        let origin = TableOrigin { files: Vec::new(), digests: Vec::new(), ..self.origin.clone() };
        let mut models = self.models.clone();
        models.iter_mut().for_each(|model| (model.task, model.fingerprint) = (None, None));
        TableModel { origin, models }
    }

    /// The text of the model file.
    pub fn to_json(&self) -> String {
        const WHY: &str = "a model has only finite numbers and text keys";
        let value = match self.models.as_slice() {
            [model] => {
                let mut value = serde_json::to_value(model).expect(WHY);
                value["tables"] = serde_json::to_value(&self.origin).expect(WHY);
                value
            }
            models => {
                let entry = |(model, label): (&Model, &String)| ClassEntry {
                    label: label.clone(),
                    model: serde_json::to_value(model).expect(WHY),
                };
                let file = ClassesFile {
                    format: 1,
                    symsnap: env!("CARGO_PKG_VERSION").to_owned(),
                    tables: self.origin.clone(),
                    classes: models.iter().zip(&self.origin.labels).map(entry).collect(),
                };
                serde_json::to_value(file).expect(WHY)
            }
        };
        serde_json::to_string_pretty(&value).expect(WHY) + "\n"
    }

    /// The model in a file, if it was learned from tables.
    ///
    /// # Errors
    /// If the file cannot be read, or what it says of tables is wrong. Files that are no models at all are left to
    /// [`Model::read`], which says so.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        TableModel::from_json(&path.display().to_string(), &symsnap::internals::file::read(path)?)
    }

    /// The model that a text describes, if it was learned from tables.
    ///
    /// # Errors
    /// As [`TableModel::read`].
    pub fn from_json(file: &str, text: &[u8]) -> Result<Option<Self>> {
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(text) else { return Ok(None) };
        let Some(tables) = value.get("tables") else { return Ok(None) };
        let broken = |error: &dyn std::fmt::Display| {
            Diagnostic::error(format!("{file}: what it says of tables is wrong: {error}"))
        };
        let origin = TableOrigin::deserialize(tables).map_err(|error| broken(&error))?;
        let models = match value.get("classes").and_then(serde_json::Value::as_array) {
            None => vec![Model::from_json(file, text)?],
            Some(classes) => {
                let mut models = Vec::with_capacity(classes.len());
                for entry in classes {
                    let model = entry.get("model").unwrap_or(&serde_json::Value::Null);
                    models.push(Model::from_json(file, model.to_string().as_bytes())?);
                }
                models
            }
        };
        let expected = if models.len() == 1 { 2 } else { models.len() };
        if models.is_empty() || origin.labels.len() != expected || origin.counts.len() != expected {
            return Err(broken(&"labels and models do not match").into());
        }
        Ok(Some(TableModel { origin, models }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = r#"{"format": 1, "symsnap": "0", "task": null, "fingerprint": null, "head": {"name": "y", "arity": 1},
        "cost": "mdl", "method": "single", "settings": {}, "seed": 1, "members": []}"#;
    const TABLES: &str = r#"{"schema": "", "files": [], "labels": ["yes", "no"], "counts": [1, 2], "categories": {}}"#;

    fn read(text: &str) -> Result<Option<TableModel>> {
        TableModel::from_json("m.json", text.as_bytes())
    }

    #[test]
    fn models_read_back_as_they_were_written() {
        let one = read(&MODEL.replacen('{', &format!("{{\"tables\": {TABLES},"), 1)).unwrap().unwrap();
        let again = read(&one.to_json()).unwrap().unwrap();
        assert_eq!((&again.origin, &again.models), (&one.origin, &one.models));
        let labels = ["a", "b", "c"].map(str::to_owned).to_vec();
        let origin = TableOrigin { labels, counts: vec![1, 2, 3], ..one.origin };
        let several = TableModel { origin, models: vec![one.models[0].clone(); 3] };
        let again = read(&several.to_json()).unwrap().unwrap();
        assert_eq!((&again.origin, &again.models), (&several.origin, &several.models));
        assert!(
            Model::from_json("m.json", several.to_json().as_bytes()).is_err(),
            "no other reader takes it for one model"
        );
    }

    #[test]
    fn other_files_are_left_alone_and_broken_ones_are_told() {
        assert!(read(MODEL).unwrap().is_none());
        assert!(read("no JSON").unwrap().is_none());
        let broken = |text: &str| read(text).unwrap_err().to_string();
        let without = "error: m.json: what it says of tables is wrong: missing field `schema`";
        assert_eq!(broken(r#"{"tables": {}}"#), without);
        let none = format!(r#"{{"tables": {TABLES}, "classes": []}}"#);
        assert_eq!(broken(&none), "error: m.json: what it says of tables is wrong: labels and models do not match");
        let empty = format!(r#"{{"tables": {TABLES}, "classes": [{{}}]}}"#);
        assert!(broken(&empty).contains("this is not a model"));
    }
}
