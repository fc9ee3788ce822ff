//! What somebody asks for, with files and options, and the dataset that it is.

use crate::columnar;
use crate::findings::list;
use crate::fit::{Dataset, Purpose};
use crate::infer::{Wish, infer};
use crate::schema::Schema;
use crate::sources::{Source, read_tables, sources_of};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use symsnap::{Diagnostic, Result};

/// The name of the schema in a folder of tables.
const SCHEMA: &str = "schema.toml";

/// Tables to learn from: files, and what is to be predicted.
#[derive(Debug, Clone, Default)]
pub struct TableRequest {
    /// The table with the labels, or a folder with a schema.
    pub first: PathBuf,
    /// Other tables, `FILE` or `NAME=FILE`.
    pub tables: Vec<String>,
    /// What the tables mean; inferred if not given.
    pub schema: Option<PathBuf>,
    /// The column with the labels, or a file with pairs of keys.
    pub target: Option<String>,
    /// The label that counts as positive.
    pub positive: Option<String>,
    /// The column with the weights of rows.
    pub weight: Option<String>,
}

/// Whether a path is a table by its name.
pub fn is_table_file(path: &Path) -> bool {
    let text = |extension: &OsStr| ["csv", "tsv"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    path.extension().is_some_and(text) || columnar::by_name(path).is_some()
}

/// Whether a folder has tables: a schema, and no task.
pub fn is_table_folder(path: &Path) -> bool {
    path.join(SCHEMA).is_file() && !path.join("bias.pl").exists()
}

impl TableRequest {
    /// The files that are read, as far as they are known before any is.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = vec![self.first.clone()];
        files.extend(self.tables.iter().map(|table| Source::parse(table).path));
        files.extend(self.schema.clone());
        files.extend(self.target.iter().map(PathBuf::from).filter(|target| is_table_file(target)));
        if let Some(schema) = self.schema_file()
            && let Ok(read) = Schema::read(&schema)
        {
            files.extend(sources_of(&read, folder_of(&schema)).into_iter().flatten().map(|source| source.path));
            files.push(schema);
        }
        files
    }

    /// Read the tables and find out what they mean. `progress` is told the file and which part of it has been read.
    ///
    /// # Errors
    /// If a file cannot be read, is no table, or does not fit its schema; or if there is nothing to predict.
    pub fn load(&self, progress: &mut dyn FnMut(&Path, f64)) -> Result<Dataset> {
        match self.schema_file() {
            Some(path) => self.load_with(&path, progress),
            None => self.load_inferred(progress),
        }
    }

    fn schema_file(&self) -> Option<PathBuf> {
        let inside = || Some(self.first.join(SCHEMA)).filter(|file| file.is_file());
        self.schema.clone().or_else(inside)
    }

    fn load_with(&self, path: &Path, progress: &mut dyn FnMut(&Path, f64)) -> Result<Dataset> {
        let options = [("--target", &self.target), ("--positive", &self.positive), ("--weight", &self.weight)];
        if let Some((option, _)) = options.iter().find(|(_, given)| given.is_some()) {
            let finding = Diagnostic::error(format!("{option} cannot go with a schema, which says it in [target]"));
            return Err(finding.with_help(format!("edit {}, or leave out {option}", path.display())).into());
        }
        let schema = Schema::read(path)?;
        let mut given: Vec<Source> = self.tables.iter().map(|table| Source::parse(table)).collect();
        if !self.first.is_dir() {
            given.insert(0, Source { name: None, path: self.first.clone() });
        }
        let mut tables = read_tables(&given, Some(&schema), progress)?;
        let lacking = Schema {
            tables: schema
                .tables
                .iter()
                .filter(|table| tables.iter().all(|read| read.name() != table.name))
                .cloned()
                .collect(),
            ..schema.clone()
        };
        let others = read_tables(&sources_of(&lacking, folder_of(path))?, Some(&schema), progress)?;
        tables.extend(others);
        Dataset::new(schema, tables, Purpose::Learning)
    }

    fn load_inferred(&self, progress: &mut dyn FnMut(&Path, f64)) -> Result<Dataset> {
        if self.first.is_dir() {
            let finding = Diagnostic::error(format!("{} has no {SCHEMA}", self.first.display()));
            return Err(finding.with_help("name the file of the table with the labels").into());
        }
        let mut sources = vec![Source { name: None, path: self.first.clone() }];
        sources.extend(self.tables.iter().map(|table| Source::parse(table)));
        let mut tables = read_tables(&sources, None, progress)?;
        let Some(target) = &self.target else {
            let finding = Diagnostic::error("it is not said what to predict");
            return Err(finding
                .with_help(format!("--target COLUMN does; {} has {}", tables[0].file(), list(tables[0].titles())))
                .into());
        };
        let pairs = is_table_file(Path::new(target)) && tables[0].column(target).is_none();
        if pairs {
            let source = Source { name: None, path: PathBuf::from(target) };
            if let Some(before) = tables.iter().find(|table| Path::new(table.file()) == source.path) {
                let finding = Diagnostic::error(format!("{} cannot be both a table and the target", before.file()));
                return Err(finding.with_help("what is predicted is no feature; leave it out as a table").into());
            }
            tables.extend(read_tables(&[source], None, progress)?);
        }
        let column = (!pairs).then(|| target.clone());
        let wish = Wish { column, positive: self.positive.clone(), weight: self.weight.clone() };
        let (schema, warnings) = infer(&tables, &wish)?;
        let mut data = Dataset::new(schema, tables, Purpose::Learning)?;
        data.warnings.splice(0..0, warnings);
        Ok(data)
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
