//! Which model of a file: with several classes there is one for each.

use clap::Args;
use std::path::Path;
use symsnap::{Diagnostic, Model, Result};
use symsnap_tables::{ReadableRule, TableModel, readable_rules};

/// The class whose model is meant.
#[derive(Args, Clone, Default)]
pub struct ClassChoice {
    /// Of a model of several classes: the class to look at.
    #[arg(long, value_name = "LABEL")]
    pub class: Option<String>,
}

impl ClassChoice {
    /// The model in the file at `path`.
    ///
    /// # Errors
    /// If it is none, or if it is not said which class is meant.
    pub fn read(&self, path: &Path) -> Result<Model> {
        let found = TableModel::read(path)?;
        let several = found.filter(|model| model.models.len() > 1);
        match (several, &self.class) {
            (None, None) => Model::read(path),
            (None, Some(_)) => {
                Model::read(path)?;
                let finding = Diagnostic::error(format!("{} has one model, not one for each class", path.display()));
                Err(finding.with_help("leave out --class").into())
            }
            (Some(model), class) => model.of_class(class.as_deref(), &path.display().to_string()),
        }
    }

    /// The rules of `model`, which is that of the file at `path`, for people.
    ///
    /// # Errors
    /// If a rule cannot be read, or what the file says of tables is wrong.
    pub fn rules(&self, model: &Model, path: &Path) -> Result<Vec<ReadableRule>> {
        let found = TableModel::read(path)?;
        let origin = found.as_ref().map(|found| &found.origin);
        let tables = origin.map(|origin| (origin, self.class.as_deref().unwrap_or(&origin.labels[0])));
        readable_rules(model, tables, &path.display().to_string())
    }
}
