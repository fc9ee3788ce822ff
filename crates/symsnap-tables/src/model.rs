//! Models of tables: what a model file holds beside the model, so that new tables are read as the old ones were.
//!
//! With two labels it is the file of any other model with one more section, `tables`; whatever reads models reads it. With
//! several classes it holds a model for each in `classes`, and no rules of its own.

use crate::findings::{list, quoted};
use crate::fit::Dataset;
use crate::kind::Kind;
use crate::labels::meant;
use crate::schema::Schema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use symsnap::{Diagnostic, Model, Result};

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
        TableOrigin { schema: data.schema.to_toml(), files, labels, counts, categories }
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
