//! Whether a schema contradicts itself: names that nothing has, links without a key, a target that is not there.

use crate::cells::DELIMITERS;
use crate::findings::{self, list, quoted};
use crate::kind::Kind;
use crate::schema::{ColumnSchema, ROW, RelationSchema, Schema, TableSchema};
use std::collections::{HashMap, HashSet};

/// The most columns of a relation: the search packs a literal into a few words.
const MOST_ARGUMENTS: usize = 12;
/// The most variables of a rule.
const MOST_VARS: u16 = 63;
/// The most literals of a body that can be asked for, as on the command line.
const MOST_BODY: u16 = 250;

/// Something wrong in a schema.
#[derive(Debug)]
pub(crate) struct Slip {
    /// Tables and keys that lead to it.
    pub(crate) path: Vec<String>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// Collects slips.
#[derive(Default)]
struct Slips(Vec<Slip>);

impl Slips {
    fn add(&mut self, path: &[&str], message: String, help: Option<String>) {
        self.0.push(Slip { path: path.iter().map(|&part| part.to_owned()).collect(), message, help });
    }
}

/// Which known name was meant, or which there are.
fn meant<'k>(name: &str, known: impl Iterator<Item = &'k str> + Clone) -> Option<String> {
    Some(findings::meant(name, known, "there are"))
}

impl Schema {
    /// Everything that is wrong with the schema by itself.
    pub(crate) fn slips(&self) -> Vec<Slip> {
        let mut slips = Slips::default();
        if self.tables.is_empty() {
            slips.add(&[], "a schema has at least one [[table]]".to_owned(), None);
        }
        self.check_limits(&mut slips);
        self.check_tables(&mut slips);
        // What follows asks tables by name.
        if slips.0.is_empty() {
            self.check_links(&mut slips);
            self.check_target(&mut slips);
            self.check_predicates(&mut slips);
            self.check_kin(&mut slips);
        }
        slips.0
    }

    fn check_limits(&self, slips: &mut Slips) {
        let limits = [("max_vars", self.rules.max_vars, MOST_VARS), ("max_body", self.rules.max_body, MOST_BODY)];
        for (key, limit, most) in limits {
            if limit.is_some_and(|limit| !(1..=most).contains(&limit)) {
                slips.add(&["rules", key], format!("`{key}` must be a number from 1 to {most}"), None);
            }
        }
    }

    fn check_tables(&self, slips: &mut Slips) {
        let mut names = HashSet::new();
        for (at, table) in self.tables.iter().enumerate() {
            let number = at.to_string();
            if table.name.is_empty() {
                slips.add(&["table", &number, "name"], "a table has no name".to_owned(), None);
            } else if !names.insert(&table.name) {
                slips.add(&["table", &number, "name"], format!("two tables are called {}", quoted(&table.name)), None);
            }
            if table.delimiter.is_some_and(|delimiter| !DELIMITERS.map(char::from).contains(&delimiter)) {
                let help = "cells are separated by \",\", \";\", \"\\t\" or \"|\"".to_owned();
                slips.add(&["table", &number, "delimiter"], "this is no delimiter".to_owned(), Some(help));
            }
            let mut titles = HashSet::new();
            let mut key: Option<&ColumnSchema> = None;
            for (place, column) in table.columns.iter().enumerate() {
                let place = place.to_string();
                let path = ["table", &number, "columns", &place, "name"];
                if column.name.is_empty() {
                    slips.add(&path, "a column has no name".to_owned(), None);
                } else if !titles.insert(&column.name) {
                    slips.add(&path, format!("two columns are called {}", quoted(&column.name)), None);
                }
                match column.decimal {
                    Some(mark) if ![',', '.'].contains(&mark) => {
                        let path = ["table", &number, "columns", &place, "decimal"];
                        slips.add(&path, "fractions stand behind \",\" or \".\"".to_owned(), None);
                    }
                    Some(_) if column.kind != Kind::Float => {
                        let path = ["table", &number, "columns", &place, "decimal"];
                        let help = "its kind is \"float\" if it has numbers with fractions".to_owned();
                        slips.add(
                            &path,
                            format!("{} has `decimal`, but no fractions", quoted(&column.name)),
                            Some(help),
                        );
                    }
                    _ => {}
                }
                if column.kind == Kind::Key
                    && let Some(first) = key.replace(column)
                {
                    let both = format!("{} and {}", quoted(&first.name), quoted(&column.name));
                    slips.add(&path, format!("a table has one key, but this one has {both}"), None);
                }
            }
        }
    }

    fn check_links(&self, slips: &mut Slips) {
        for (at, table) in self.tables.iter().enumerate() {
            for (place, column) in table.columns.iter().enumerate() {
                let (number, place) = (at.to_string(), place.to_string());
                let path = ["table", &number, "columns", &place];
                let name = quoted(&column.name);
                match (&column.to, column.kind) {
                    (None, Kind::Link) => {
                        let help = "to = \"TABLE\" says which rows it names".to_owned();
                        slips.add(&path, format!("the link {name} leads nowhere"), Some(help));
                    }
                    (Some(_), kind) if !kind.names_rows() => {
                        let help = "its kind is \"link\" if it names rows of another table".to_owned();
                        slips.add(&path, format!("{name} is no link, but has `to`"), Some(help));
                    }
                    (Some(to), kind) => {
                        let path = ["table", &number, "columns", &place, "to"];
                        let names = self.tables.iter().map(|table| table.name.as_str());
                        match self.table(to) {
                            None => slips.add(&path, format!("there is no table {}", quoted(to)), meant(to, names)),
                            Some(other) if other.key().is_none() => {
                                let help = "one of its columns must be of kind \"key\"".to_owned();
                                slips.add(&path, format!("the table {} has no key to link to", quoted(to)), Some(help));
                            }
                            Some(_) if kind == Kind::Key && self.home(&table.name) == table.name => {
                                slips.add(&path, format!("the key {name} leads back to its own table"), None);
                            }
                            Some(_) => {}
                        }
                    }
                    (None, _) => {}
                }
                if column.missing && column.kind == Kind::Key {
                    slips.add(&path, format!("{name} is a key, which is never missing"), None);
                }
            }
        }
    }

    fn check_target(&self, slips: &mut Slips) {
        let target = &self.target;
        let Some(table) = self.table(&target.table) else {
            let names = self.tables.iter().map(|table| table.name.as_str());
            let message = format!("there is no table {}", quoted(&target.table));
            return slips.add(&["target", "table"], message, meant(&target.table, names));
        };
        let titles = table.columns.iter().map(|column| column.name.as_str());
        for (key, title) in [("column", &target.column), ("weight", &target.weight)] {
            let Some(title) = title else { continue };
            match table.column(title) {
                None => {
                    let message = format!("the table {} has no column {}", quoted(&table.name), quoted(title));
                    slips.add(&["target", key], message, meant(title, titles.clone()));
                }
                Some(column) if column.kind.names_rows() => {
                    let message =
                        format!("{} is a {}, and cannot be the {key} of the target", quoted(title), column.kind.word());
                    slips.add(&["target", key], message, None);
                }
                Some(_) => {}
            }
        }
        if target.column.is_some() && target.column == target.weight {
            slips.add(&["target", "weight"], "target and weight are the same column".to_owned(), None);
        }
        if let Some(pair) = &target.pair {
            for (at, title) in pair.iter().enumerate() {
                if table.column(title).is_none_or(|column| column.kind != Kind::Link) {
                    let links = list(table.links().map(|column| column.name.as_str()));
                    let message = format!("the table {} has no link {}", quoted(&table.name), quoted(title));
                    slips.add(&["target", "pair", &at.to_string()], message, Some(format!("its links are {links}")));
                }
            }
            if pair[0] == pair[1] {
                slips.add(&["target", "pair"], "a pair is made of two columns".to_owned(), None);
            }
        } else if target.column.is_none() {
            let help = "column = \"TITLE\" names the column with the labels".to_owned();
            slips.add(&["target"], "the target has neither `column` nor `pair`".to_owned(), Some(help));
        }
        self.check_labels(slips);
    }

    fn check_labels(&self, slips: &mut Slips) {
        let target = &self.target;
        match (&target.column, &target.positive, target.classes.as_slice()) {
            (Some(_), None, []) => {
                let help = "positive = \"LABEL\" for two labels, classes = [\"A\", \"B\", \"C\"] for more".to_owned();
                slips.add(&["target"], "the target has neither `positive` nor `classes`".to_owned(), Some(help));
            }
            (None, None, []) => {}
            (None, ..) => slips.add(&["target"], "labels without a column that has them".to_owned(), None),
            (_, Some(_), [_, ..]) => {
                slips.add(&["target", "classes"], "`positive` and `classes` exclude each other".to_owned(), None);
            }
            (_, None, [_]) => {
                slips.add(&["target", "classes"], "one class is nothing to tell apart".to_owned(), None);
            }
            (_, None, classes) => {
                let mut seen = HashSet::new();
                if let Some((at, class)) = classes.iter().enumerate().find(|(_, class)| !seen.insert(*class)) {
                    slips.add(
                        &["target", "classes", &at.to_string()],
                        format!("the class {} is listed twice", quoted(class)),
                        None,
                    );
                }
            }
            (_, Some(positive), []) => {
                if target.negative.as_ref() == Some(positive) {
                    let message = format!("{} is both the positive and the negative label", quoted(positive));
                    slips.add(&["target", "negative"], message, None);
                }
            }
        }
    }

    fn check_predicates(&self, slips: &mut Slips) {
        let mut taken: HashMap<(&str, usize), ()> = HashMap::new();
        for (at, relation) in self.relations.iter().enumerate() {
            let number = at.to_string();
            let (name, arity) = (relation.predicate.as_str(), relation.columns.len());
            check_name(name, &["relation", &number, "predicate"], slips);
            if taken.insert((name, arity), ()).is_some() {
                let message = format!("two predicates are called {} and have {arity} arguments", quoted(name));
                slips.add(&["relation", &number, "predicate"], message, None);
            }
            match self.table(&relation.table) {
                None => {
                    let names = self.tables.iter().map(|table| table.name.as_str());
                    let message = format!("there is no table {}", quoted(&relation.table));
                    slips.add(&["relation", &number, "table"], message, meant(&relation.table, names));
                }
                Some(table) => self.check_relation(relation, table, &number, slips),
            }
        }
        for (at, table) in self.tables.iter().enumerate() {
            for (place, column) in table.columns.iter().enumerate() {
                let Some(name) = &column.predicate else { continue };
                let (number, place) = (at.to_string(), place.to_string());
                let path = ["table", &number, "columns", &place, "predicate"];
                check_name(name, &path, slips);
                if taken.insert((name, 2), ()).is_some() {
                    slips.add(&path, format!("two predicates are called {} and have 2 arguments", quoted(name)), None);
                }
            }
        }
    }

    fn check_relation(&self, relation: &RelationSchema, table: &TableSchema, number: &str, slips: &mut Slips) {
        let path = ["relation", number, "columns"];
        if relation.columns.is_empty() || relation.columns.len() > MOST_ARGUMENTS {
            return slips.add(&path, format!("a relation has 1 to {MOST_ARGUMENTS} columns"), None);
        }
        let mut names_rows = false;
        for (at, title) in relation.columns.iter().enumerate() {
            let at = at.to_string();
            let path = ["relation", number, "columns", &at];
            if title == ROW {
                names_rows = true;
                if let Some(key) = table.key() {
                    let help = format!("its rows are named by {}", quoted(&key.name));
                    slips.add(&path, format!("the rows of {} have no numbers", quoted(&table.name)), Some(help));
                }
                continue;
            }
            let Some(column) = table.column(title) else {
                let message = format!("the table {} has no column {}", quoted(&table.name), quoted(title));
                slips.add(&path, message, meant(title, table.columns.iter().map(|column| column.name.as_str())));
                continue;
            };
            names_rows |= column.kind.names_rows();
            if !column.kind.is_used() {
                let message = format!("{} is of kind \"{}\", which is left out", quoted(title), column.kind.word());
                slips.add(&path, message, None);
            } else if self.is_spared(&table.name, title) && self.target.pair.is_none() {
                slips.add(&path, format!("{} is what is predicted, or a weight", quoted(title)), None);
            }
        }
        if !names_rows {
            let help = "without a key, a link or `#` among its columns, no rule could reach it".to_owned();
            slips.add(&path, "the relation names no rows".to_owned(), Some(help));
        }
    }

    /// Columns that are compared with each other must be comparable.
    fn check_kin(&self, slips: &mut Slips) {
        let mut first: HashMap<&str, &ColumnSchema> = HashMap::new();
        for (at, table) in self.tables.iter().enumerate() {
            for (place, column) in table.columns.iter().enumerate() {
                let Some(word) = &column.kin else { continue };
                let (number, place) = (at.to_string(), place.to_string());
                let path = ["table", &number, "columns", &place, "type"];
                if column.kind.names_rows() || !column.kind.is_used() {
                    slips.add(&path, format!("a {} has no `type`", column.kind.word()), None);
                    continue;
                }
                let other = *first.entry(word).or_insert(column);
                if other.kind.is_numeric() != column.kind.is_numeric()
                    || (other.kind != column.kind && is_time(other.kind) | is_time(column.kind))
                {
                    let (one, two) = (quoted(&other.name), quoted(&column.name));
                    let kinds = format!("\"{}\" and \"{}\"", other.kind.word(), column.kind.word());
                    slips.add(&path, format!("{one} and {two} cannot be compared: they are of kind {kinds}"), None);
                }
            }
        }
    }
}

fn is_time(kind: Kind) -> bool {
    matches!(kind, Kind::Date | Kind::DateTime)
}

/// A predicate needs a name that is not one of Prolog's operators.
fn check_name(name: &str, path: &[&str], slips: &mut Slips) {
    if !name.chars().any(char::is_alphanumeric) || name == "is" {
        slips.add(path, format!("{} is no name for a predicate", quoted(name)), None);
    }
}
