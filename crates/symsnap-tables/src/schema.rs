//! What tables mean: which columns name rows, which are linked, what kind the others are, what is predicted, and which
//! predicates rules are made of. Inferred once, shown, edited by hand where that is needed, and kept with the model, so that new
//! tables are read as the old ones were.
//!
//! The file is `schema.toml`; [`Schema::parse`] checks all that can be checked without tables, and says where it is wrong.

use crate::column::CellType;
use crate::decimal;
use crate::kind::Kind;
use serde::{Deserialize, Serialize};
use symsnap::Value;

/// How tables become a task.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// The texts that stand for a value that is not known, beside the empty one; those of [`ReadOptions`](crate::ReadOptions) if
    /// not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<String>>,
    /// What is predicted.
    pub target: Target,
    /// Limits on rules.
    #[serde(default)]
    pub rules: Rules,
    /// The tables; that of the target first.
    #[serde(rename = "table")]
    pub tables: Vec<TableSchema>,
    /// Predicates over several columns, in the place of those that the columns of the same table would have.
    #[serde(default, rename = "relation")]
    pub relations: Vec<RelationSchema>,
}

/// What is predicted: a column of a table, or which rows of two tables belong together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The table.
    pub table: String,
    /// The column with the labels. Left out for pairs that are all positive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The two link columns of a table of pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<[String; 2]>,
    /// The label that counts as positive, where there are two kinds of examples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positive: Option<String>,
    /// What is said of the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub negative: Option<String>,
    /// The labels, where there are more than two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The column with the weights of the rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
}

/// Limits on rules; those of the learner where not given.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// At most this number of variables in a rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_vars: Option<u16>,
    /// At most this number of body literals in a rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_body: Option<u16>,
}

/// What a table means.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSchema {
    /// What it is called.
    pub name: String,
    /// Its file, seen from the folder of the schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What stands between cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Its columns. Others that the file has are not looked at.
    #[serde(default)]
    pub columns: Vec<ColumnSchema>,
}

/// What a column means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnSchema {
    /// Its title.
    pub name: String,
    /// What its cells are.
    pub kind: Kind,
    /// The table whose rows it names. For a key: the rows of this table are those of the other one, with more columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// What rules call it; its title if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicate: Option<String>,
    /// Columns with the same word here may be compared with each other in rules.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kin: Option<String>,
    /// What stands before the fractions of its numbers, if that is a comma.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
    /// Whether rules may ask that the value is missing.
    #[serde(default, skip_serializing_if = "is_false")]
    pub missing: bool,
}

/// A predicate over columns of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationSchema {
    /// Its name.
    pub predicate: String,
    /// The table.
    pub table: String,
    /// The columns of its arguments, in their order; `#` is the number of the row where the table has no key.
    pub columns: Vec<String>,
}

/// The name that a relation gives to the number of a row.
pub(crate) const ROW: &str = "#";

fn is_false(it: &bool) -> bool {
    !it
}

impl Schema {
    /// The table with that name.
    pub fn table(&self, name: &str) -> Option<&TableSchema> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// The place of the table with that name.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.tables.iter().position(|table| table.name == name)
    }

    /// Whether a column is predicted, or has weights, and is therefore no feature.
    pub(crate) fn is_spared(&self, table: &str, column: &str) -> bool {
        let target = &self.target;
        let spared = [target.column.as_deref(), target.weight.as_deref()];
        table == target.table && (target.pair.is_some() || spared.contains(&Some(column)))
    }

    /// The table that the rows of a table are rows of: the one that its key names, if it names another.
    pub(crate) fn home<'s>(&'s self, table: &'s str) -> &'s str {
        let mut home = table;
        // Checked schemas have no circles; where one is not checked, this ends all the same.
        for _ in 0..self.tables.len() {
            match self.table(home).and_then(TableSchema::key).and_then(|key| key.to.as_deref()) {
                Some(further) => home = further,
                None => break,
            }
        }
        home
    }
}

impl TableSchema {
    /// The column with that title.
    pub fn column(&self, name: &str) -> Option<&ColumnSchema> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The column that names its rows.
    pub fn key(&self) -> Option<&ColumnSchema> {
        self.columns.iter().find(|column| column.kind == Kind::Key)
    }

    /// The place of the column that names the rows.
    pub(crate) fn key_place(&self) -> Option<usize> {
        self.columns.iter().position(|column| column.kind == Kind::Key)
    }

    /// The columns that name rows of other tables.
    pub fn links(&self) -> impl Iterator<Item = &ColumnSchema> {
        self.columns.iter().filter(|column| column.kind == Kind::Link)
    }
}

impl ColumnSchema {
    /// A column of that kind, and nothing more said about it.
    pub fn new(name: &str, kind: Kind) -> Self {
        let name = name.to_owned();
        ColumnSchema { name, kind, to: None, predicate: None, kin: None, decimal: None, missing: false }
    }

    /// The value of a cell; nothing if it is not of this kind. `cells` is what is known of the column that it is in: numbers that were
    /// never text have no commas.
    pub(crate) fn value<'t>(&self, text: &'t str, cells: Option<CellType>) -> Option<Value<'t>> {
        match (self.decimal, self.kind) {
            (Some(','), Kind::Float) if cells.is_none() => decimal::float(text).map(Value::Float),
            (_, kind) => kind.value(text),
        }
    }
}
