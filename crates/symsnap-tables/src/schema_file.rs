//! `schema.toml`: a schema as a text that people read and edit, and back.
//!
//! It is written by hand, one line for each column, because a serialiser would spread a column over six. What is wrong is found in
//! the schema as it was read, where nothing knows its line any more; so a [`Slip`] says which entry it is, and the entry is looked
//! up in the text again.

use crate::findings::count;
use crate::kind::Kind;
use crate::schema::{ColumnSchema, Schema, TableSchema};
use crate::schema_check::Slip;
use crate::table::location;
use std::fmt::Write;
use std::path::Path;
use symsnap::{Diagnostic, Error, Result};
use toml::de::{DeTable, DeValue};

/// Errors told at once.
const MOST_ERRORS: usize = 20;

impl Schema {
    /// Read a schema file.
    ///
    /// # Errors
    /// As [`Schema::parse`], or if the file cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let text = String::from_utf8(symsnap::internals::file::read(path)?).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(&error.as_bytes()[..good]).into_owned();
            Diagnostic::error("this is not UTF-8 text").at(location(&name, &text, good))
        })?;
        Schema::parse(&name, &text)
    }

    /// The schema that `text` describes; `file` is named in errors.
    ///
    /// # Errors
    /// If it is not TOML, not a schema, or contradicts itself: all that is wrong, each with its line and column.
    pub fn parse(file: &str, text: &str) -> Result<Self> {
        let schema: Schema = toml::from_str(text).map_err(|error| {
            let message = error.message().trim().replace('\n', "; ");
            let start = error.span().map_or(0, |span| span.start.min(text.len()));
            Error::from(Diagnostic::error(format!("this is not a schema: {message}")).at(location(file, text, start)))
        })?;
        let slips = schema.slips();
        if slips.is_empty() {
            return Ok(schema);
        }
        Err(Error::Input(slips.into_iter().take(MOST_ERRORS).map(|slip| finding(slip, file, text)).collect()))
    }

    /// The text of the schema file.
    pub fn to_toml(&self) -> String {
        let mut text = "# How tables become a task. Read by `symsnap learn --schema FILE` and kept in models; it may be edited.\n\
             # Kinds of columns: key, link (to a table), integer, float, boolean, date, datetime, category; text and ignore\n\
             # are left out. docs/TABLES.md has the rest.\n"
            .to_owned();
        if let Some(missing) = &self.missing {
            let _ = writeln!(text, "missing = [{}]", strings(missing));
        }
        let target = &self.target;
        let _ = write!(text, "\n[target]\ntable = {}\n", string(&target.table));
        if let Some(pair) = &target.pair {
            let _ = writeln!(text, "pair = [{}]", strings(pair));
        }
        let singles = [
            ("column", &target.column),
            ("positive", &target.positive),
            ("negative", &target.negative),
            ("weight", &target.weight),
        ];
        for (key, value) in singles {
            value.iter().for_each(|value| _ = writeln!(text, "{key} = {}", string(value)));
        }
        if !target.classes.is_empty() {
            let _ = writeln!(text, "classes = [{}]", strings(&target.classes));
        }
        let limits = [("max_vars", self.rules.max_vars), ("max_body", self.rules.max_body)];
        if limits.iter().any(|(_, limit)| limit.is_some()) {
            text.push_str("\n[rules]\n");
            for (key, limit) in limits {
                limit.iter().for_each(|limit| _ = writeln!(text, "{key} = {limit}"));
            }
        }
        self.tables.iter().for_each(|table| write_table(&mut text, table));
        for relation in &self.relations {
            let _ = write!(text, "\n[[relation]]\npredicate = {}\n", string(&relation.predicate));
            let _ = writeln!(text, "table = {}\ncolumns = [{}]", string(&relation.table), strings(&relation.columns));
        }
        text
    }

    /// How many tables, columns and links there are, in words.
    pub fn summary(&self) -> String {
        let used = self.tables.iter().flat_map(|table| &table.columns).filter(|column| column.kind.is_used()).count();
        let links = self.tables.iter().flat_map(|table| &table.columns).filter(|column| column.to.is_some()).count();
        format!("{}, {} used, {}", count(self.tables.len(), "table"), count(used, "column"), count(links, "link"))
    }
}

fn write_table(text: &mut String, table: &TableSchema) {
    let _ = write!(text, "\n[[table]]\nname = {}\n", string(&table.name));
    table.file.iter().for_each(|file| _ = writeln!(text, "file = {}", string(file)));
    table.delimiter.iter().for_each(|delimiter| _ = writeln!(text, "delimiter = {}", string(&delimiter.to_string())));
    text.push_str("columns = [\n");
    for column in &table.columns {
        let ColumnSchema { name, kind, to, predicate, kin, decimal, missing } = column;
        let _ = write!(text, "  {{ name = {}, kind = \"{}\"", string(name), kind.word());
        for (key, value) in [("to", to), ("predicate", predicate), ("type", kin)] {
            value.iter().for_each(|value| _ = write!(text, ", {key} = {}", string(value)));
        }
        decimal.iter().for_each(|mark| _ = write!(text, ", decimal = {}", string(&mark.to_string())));
        text.push_str(if *missing { ", missing = true },\n" } else { " },\n" });
    }
    text.push_str("]\n");
}

/// A string as TOML writes it: as JSON does, but for the one control character that JSON leaves as it is.
fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

fn strings(texts: &[String]) -> String {
    texts.iter().map(|text| string(text)).collect::<Vec<_>>().join(", ")
}

/// What is wrong, with the place of its entry in the text; of an entry that is not there, the place of what should have it.
fn finding(slip: Slip, file: &str, text: &str) -> Diagnostic {
    let mut start = 0;
    if let Ok(table) = DeTable::parse(text) {
        let mut value: Option<&toml::Spanned<DeValue<'_>>> = None;
        for part in &slip.path {
            let inside = match (value.map(toml::Spanned::get_ref), part.parse::<usize>()) {
                (None, _) => table.get_ref().get(part.as_str()),
                (Some(DeValue::Array(items)), Ok(at)) => items.get(at),
                (Some(DeValue::Table(entries)), _) => entries.get(part.as_str()),
                _ => None,
            };
            let Some(inside) = inside else { break };
            value = Some(inside);
        }
        start = value.map_or(0, |value| value.span().start);
    }
    let finding = Diagnostic::error(slip.message).at(location(file, text, start));
    match slip.help {
        Some(help) => finding.with_help(help),
        None => finding,
    }
}

impl Kind {
    /// All kinds, as schemas write them.
    pub const ALL: [Kind; 10] = [
        Kind::Key,
        Kind::Link,
        Kind::Integer,
        Kind::Float,
        Kind::Boolean,
        Kind::Date,
        Kind::DateTime,
        Kind::Category,
        Kind::Text,
        Kind::Ignore,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{RelationSchema, Rules, Target};
    use proptest::prelude::*;

    #[test]
    fn kinds_are_the_words_of_the_file() {
        for kind in Kind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.word());
        }
    }

    proptest! {
        #[test]
        fn a_schema_reads_back_as_it_was_written(names in prop::collection::vec(".{1,8}", 8), large in any::<bool>()) {
            let name = |at: usize| format!("{at}{}", names[at]);
            let column = |at: usize, kind| ColumnSchema::new(&name(at), kind);
            let link = ColumnSchema { to: Some(name(0)), ..column(4, Kind::Link) };
            let value = ColumnSchema { predicate: Some(name(6)), kin: Some(name(7)), missing: true, ..column(2, Kind::Category) };
            let schema = Schema {
                missing: large.then(|| vec![String::new(), name(5)]),
                target: Target {
                    table: name(0), column: Some(name(3)), positive: Some(name(5)), negative: Some(name(6)), ..Target::default()
                },
                rules: Rules { max_vars: large.then_some(7), max_body: None },
                tables: vec![
                    TableSchema {
                        name: name(0), file: Some(name(7)), delimiter: Some('\t'),
                        columns: vec![column(1, Kind::Key), value, column(3, Kind::Boolean)],
                    },
                    TableSchema { name: name(1), file: None, delimiter: None, columns: vec![link, ColumnSchema { decimal: large.then_some(','), ..column(5, Kind::Float) }] },
                ],
                relations: vec![RelationSchema {
                    predicate: name(4), table: name(1), columns: vec![name(4), name(5)],
                }],
            };
            let text = schema.to_toml();
            prop_assert_eq!(Schema::parse("schema.toml", &text).map_err(|error| error.to_string()), Ok(schema), "{}", text);
        }
    }
}
