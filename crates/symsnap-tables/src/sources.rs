//! Which file is which table: by name where a schema is known, or by its columns.

use crate::findings::{list, quoted};
use crate::kind::Kind;
use crate::schema::{Schema, TableSchema};
use crate::table::{ReadOptions, Table};
use std::path::{Path, PathBuf};
use symsnap::{Diagnostic, Result};

/// A file to read, and the table that it is, if that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name of the table.
    pub name: Option<String>,
    /// The file.
    pub path: PathBuf,
}

impl Source {
    /// `FILE` or `NAME=FILE`.
    pub fn parse(text: &str) -> Self {
        match text.split_once('=') {
            // A file that has such a name is meant by it.
            Some((name, path)) if !name.is_empty() && !name.contains(['/', '\\']) && !Path::new(text).exists() => {
                Source { name: Some(name.to_owned()), path: PathBuf::from(path) }
            }
            _ => Source { name: None, path: PathBuf::from(text) },
        }
    }

    fn table_name(&self) -> String {
        let stem = || self.path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        self.name.clone().unwrap_or_else(stem)
    }
}

/// Read tables. With a schema, each is the table of its name, or the only one whose columns it has; `progress` is told the file and
/// which part of it has been read.
///
/// # Errors
/// If a file is no table, or no table of the schema, or one is there twice.
pub fn read_tables(
    sources: &[Source],
    schema: Option<&Schema>,
    progress: &mut dyn FnMut(&Path, f64),
) -> Result<Vec<Table>> {
    let mut tables: Vec<Table> = Vec::with_capacity(sources.len());
    for source in sources {
        let name = source.table_name();
        let described = schema.and_then(|schema| schema.table(&name));
        let mut options = ReadOptions::default();
        if let Some(missing) = schema.and_then(|schema| schema.missing.as_ref()) {
            // An empty cell has no value, whatever else stands for that.
            options.missing = Some(missing.iter().cloned().chain([String::new()]).collect());
        }
        options.columns = schema.map(needed);
        options.delimiter = described.and_then(|table| table.delimiter).and_then(|char| u8::try_from(char).ok());
        let table = Table::read(&source.path, &options, &mut |part| progress(&source.path, part))?;
        let name = match (schema, described) {
            (Some(schema), None) => match only_fitting(schema, &table, source.name.as_deref())? {
                Some(fitting) => fitting.name.clone(),
                None => name,
            },
            _ => name,
        };
        tables.push(table.renamed(&name));
    }
    crate::infer::check_names(&tables)?;
    Ok(tables)
}

/// The titles of all columns that a schema speaks of.
fn needed(schema: &Schema) -> Vec<String> {
    let columns = schema.tables.iter().flat_map(|table| &table.columns);
    columns.filter(|column| column.kind.is_used()).map(|column| column.name.clone()).collect()
}

/// The only table of the schema whose columns a table has.
fn only_fitting<'s>(schema: &'s Schema, table: &Table, said: Option<&str>) -> Result<Option<&'s TableSchema>> {
    let needed = |described: &TableSchema| {
        let columns = described.columns.iter().filter(|column| column.kind.is_used());
        let columns =
            columns.filter(|column| !schema.is_spared(&described.name, &column.name) || column.kind == Kind::Link);
        columns.map(|column| column.name.clone()).collect::<Vec<_>>()
    };
    if let (Some(said), names) = (said, schema.tables.iter().map(|table| table.name.as_str())) {
        let finding = Diagnostic::error(format!("there is no table {}", quoted(said)));
        return Err(finding.with_help(format!("there are {}", list(names))).into());
    }
    if let [only] = schema.tables.as_slice() {
        return Ok(Some(only));
    }
    let fits = |described: &&TableSchema| {
        let needed = needed(described);
        !needed.is_empty() && needed.iter().all(|title| table.column(title).is_some())
    };
    let fitting: Vec<&TableSchema> = schema.tables.iter().filter(fits).collect();
    match fitting.as_slice() {
        [only] => Ok(Some(only)),
        _ => {
            let names = list(schema.tables.iter().map(|table| table.name.as_str()));
            let why = if fitting.is_empty() { "has the columns of none of them" } else { "could be several of them" };
            let message = format!("it is not clear which table {} is: it {why}", table.file());
            Err(Diagnostic::error(message)
                .with_help(format!("say so with NAME={}; there are {names}", table.file()))
                .into())
        }
    }
}

/// The sources that a schema names, seen from the folder that it is in.
///
/// # Errors
/// If it does not say where a table is.
pub fn sources_of(schema: &Schema, folder: &Path) -> Result<Vec<Source>> {
    let source = |table: &TableSchema| {
        let Some(file) = &table.file else {
            let finding =
                Diagnostic::error(format!("the schema does not say where the table {} is", quoted(&table.name)));
            return Err(finding.with_help("file = \"FILE\" does").into());
        };
        Ok(Source { name: Some(table.name.clone()), path: folder.join(file) })
    };
    schema.tables.iter().map(source).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_be_said() {
        let source = |name: Option<&str>, path: &str| Source { name: name.map(str::to_owned), path: path.into() };
        assert_eq!(Source::parse("a.csv"), source(None, "a.csv"));
        assert_eq!(Source::parse("atoms=new/a.csv"), source(Some("atoms"), "new/a.csv"));
        assert_eq!(Source::parse("a=b/c=d.csv"), source(Some("a"), "b/c=d.csv"));
        assert_eq!(Source::parse("x/a=b.csv"), source(None, "x/a=b.csv"));
        assert_eq!(Source::parse("x/atoms.csv").table_name(), "atoms");
    }
}
