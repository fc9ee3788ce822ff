//! Rules over tables in words: `active if it has an atom with element = n and charge >= 0.32 that is atom1 of a bond ...`.
//!
//! A rule is told from the row that is predicted outwards, each row where it is first met: its cells, then the rows that hang
//! on it. Rows that are met again have a letter. Brackets stand where it would not be clear where a row's story ends. Whatever
//! a rule says that is not about cells is quoted as Prolog.

use crate::dates::{first_from, last_until};
use crate::kind::Kind;
use crate::labels::means_yes;
use crate::relations::Relations;
use crate::rule_rows::RuleRows;
use crate::schema::{ColumnSchema, Schema};
use crate::titles::singular;
use std::collections::HashSet;
use symsnap::internals::logic::Number;
use symsnap::{Arg, Rule, Terms, Var};

/// What a label of the target means: `active` for yes, `species = Gentoo` otherwise.
pub fn label_in_words(schema: &Schema, label: &str) -> String {
    let title = schema.target.column.as_ref().unwrap_or(&schema.target.table);
    if means_yes(label) { title.clone() } else { format!("{title} = {label}") }
}

/// What a rule says, in words; `label` is what it predicts.
pub fn rule_in_words(schema: &Schema, label: &str, rule: &Rule, terms: &Terms) -> String {
    let rows = RuleRows::of(rule, terms, schema, &Relations::of(schema));
    let mut story = Story { schema, rows: &rows, terms, told: vec![false; rows.rows.len()], met: HashSet::new() };
    let mut parts: Vec<String> = Vec::new();
    for &var in &rows.head {
        let (own, its) = match rows.head.len() {
            1 => ("it".to_owned(), "its ".to_owned()),
            _ => (story.letter(var), format!("{}'s ", story.letter(var))),
        };
        story.met.insert(var);
        let its = if rows.head.len() == 1 { String::new() } else { its };
        parts.extend(story.properties(Some(var), None).iter().map(|property| format!("{its}{property}")));
        parts
            .extend(story.relations(Some(var), None, false, None).into_iter().map(|(_, text)| format!("{own} {text}")));
    }
    // What does not hang on the head.
    while let Some(row) = story.told.iter().position(|told| !told) {
        let text = story.told_row(row, None);
        parts.push(format!("there is {text}"));
    }
    parts.extend(rows.others.iter().map(|literal| format!("`{literal}`")));
    let who = match rows.head.len() {
        2 => format!("{label} of {} and {}", story.letter(rows.head[0]), story.letter(rows.head[1])),
        _ => label.to_owned(),
    };
    if parts.is_empty() { format!("{who} always") } else { format!("{who} if {}", parts.join(" and ")) }
}

/// A link, by its row and column.
type Way = (usize, usize);

/// A rule as far as it has been told.
struct Story<'r> {
    schema: &'r Schema,
    rows: &'r RuleRows,
    terms: &'r Terms,
    /// Rows whose cells have been told.
    told: Vec<bool>,
    /// Variables that name rows and have been met.
    met: HashSet<Var>,
}

impl<'r> Story<'r> {
    /// The rows that a variable names, or one row without a name.
    fn rows_of(&self, var: Option<Var>, row: Option<usize>) -> Vec<usize> {
        match var {
            Some(_) => (0..self.rows.rows.len()).filter(|&at| self.rows.rows[at].var == var).collect(),
            None => row.into_iter().collect(),
        }
    }

    fn column(&self, row: usize, column: usize) -> &'r ColumnSchema {
        &self.schema.tables[self.rows.rows[row].table].columns[column]
    }

    /// What the cells of a row are, links to other rows aside.
    fn properties(&mut self, var: Option<Var>, row: Option<usize>) -> Vec<String> {
        let mut texts = Vec::new();
        for row in self.rows_of(var, row) {
            self.told[row] = true;
            for (at, cell) in self.rows.cells.iter().enumerate().filter(|(_, cell)| cell.row == row) {
                let column = self.column(row, cell.column);
                if column.kind != Kind::Link {
                    texts.push(self.property(at, column));
                }
            }
            let missing = self.rows.missing.iter().filter(|it| it.0 == row);
            texts.extend(missing.map(|it| format!("no {}", self.column(row, it.1).name)));
        }
        texts
    }

    fn property(&self, at: usize, column: &ColumnSchema) -> String {
        let title = &column.name;
        let var = match &self.rows.cells[at].value {
            Arg::Const(name) => return format!("{title} = {}", self.terms.show(*name)),
            Arg::Number(number) => return format!("{title} = {number}"),
            Arg::Var(var) => *var,
        };
        let first = self.rows.cells.iter().position(|cell| cell.value == Arg::Var(var));
        if let Some(first) = first.filter(|&first| first != at) {
            let other = &self.rows.cells[first];
            let whose = match self.rows.rows[other.row].var {
                Some(var) if self.rows.head == [var] => "its".to_owned(),
                Some(var) => format!("{}'s", self.letter(var)),
                None => "that".to_owned(),
            };
            return format!("{title} = {whose} {}", self.column(other.row, other.column).name);
        }
        let shown = |number: Number, at_least: bool| match number.as_int() {
            Some(digits) if matches!(column.kind, Kind::Date | Kind::DateTime) => {
                if at_least {
                    first_from(digits, column.kind)
                } else {
                    last_until(digits, column.kind)
                }
            }
            _ => number.to_string(),
        };
        match self.rows.bounds(var) {
            (Some(low), Some(high)) => format!("{title} from {} to {}", shown(low, true), shown(high, false)),
            (Some(low), None) => format!("{title} >= {}", shown(low, true)),
            (None, Some(high)) => format!("{title} <= {}", shown(high, false)),
            (None, None) => format!("a known {title}"),
        }
    }

    /// The rows that hang on a row: links that lead away from it, and those of rows not told yet that lead to it. Each with whether
    /// it ends with the story of another row. As parts of another row's story they begin with `that` or `whose`; `via` is the link
    /// by which that came here.
    fn relations(
        &mut self,
        var: Option<Var>,
        row: Option<usize>,
        inside: bool,
        via: Option<Way>,
    ) -> Vec<(bool, String)> {
        let that = if inside { "that " } else { "" };
        let mut texts = Vec::new();
        for row in self.rows_of(var, row) {
            for cell in self.rows.cells.iter().filter(|cell| cell.row == row) {
                let column = self.column(row, cell.column);
                let (Kind::Link, Arg::Var(to)) = (column.kind, &cell.value) else { continue };
                let title = column.name.clone();
                if self.met.contains(to) {
                    if via != Some((row, cell.column)) {
                        let name = self.name(*to);
                        let text =
                            if inside { format!("whose {title} is {name}") } else { format!("has {name} as {title}") };
                        texts.push((false, text));
                    }
                } else {
                    let (ends, phrase) = self.phrase(*to, column.to.as_deref(), None);
                    let text =
                        if inside { format!("whose {title} is {phrase}") } else { format!("has {phrase} as {title}") };
                    texts.push((ends, text));
                }
            }
        }
        let Some(var) = var else { return texts };
        let leading: Vec<(usize, usize)> = self
            .rows
            .cells
            .iter()
            .filter(|cell| cell.value == Arg::Var(var))
            .map(|cell| (cell.row, cell.column))
            .collect();
        for (row, column) in leading {
            if self.told[row] || self.column(row, column).kind != Kind::Link {
                continue;
            }
            let described = self.column(row, column).clone();
            let table = &self.schema.tables[self.rows.rows[row].table];
            let alone = table.links().filter(|link| link.to == described.to).count() == 1;
            let text = self.told_row(row, Some((row, column)));
            let text =
                if alone { format!("{that}has {text}") } else { format!("{that}is {} of {text}", described.name) };
            texts.push((true, text));
        }
        texts
    }

    /// A row that is met for the first time, with all that hangs on it.
    fn told_row(&mut self, row: usize, via: Option<Way>) -> String {
        match self.rows.rows[row].var {
            Some(var) => {
                let table = self.schema.tables[self.rows.rows[row].table].name.clone();
                self.phrase(var, Some(&table), via).1
            }
            None => {
                let noun = singular(&self.schema.tables[self.rows.rows[row].table].name);
                self.with_story(&article(&noun), None, Some(row), via).1
            }
        }
    }

    /// A row that a variable names, met for the first time.
    fn phrase(&mut self, var: Var, table: Option<&str>, via: Option<Way>) -> (bool, String) {
        self.met.insert(var);
        let noun = table.map_or_else(|| "row".to_owned(), |table| singular(self.schema.home(table)));
        let letter = if self.is_met_again(var) { format!(" {}", self.letter(var)) } else { String::new() };
        self.with_story(&format!("{}{letter}", article(&noun)), Some(var), None, via)
    }

    fn with_story(&mut self, name: &str, var: Option<Var>, row: Option<usize>, via: Option<Way>) -> (bool, String) {
        let properties = self.properties(var, row);
        let relations = self.relations(var, row, true, via);
        let mut text = name.to_owned();
        if let Some((last, others)) = properties.split_last() {
            text += " with ";
            if !others.is_empty() {
                text += &format!("{} and ", others.join(", "));
            }
            text += last;
        }
        let ends = !properties.is_empty() || !relations.is_empty();
        let last = relations.len().saturating_sub(1);
        for (at, (open, relation)) in relations.into_iter().enumerate() {
            let relation = if open && at < last { format!("({relation})") } else { relation };
            text += &format!("{}{relation}", if at == 0 { " " } else { " and " });
        }
        (ends, text)
    }

    /// How often a row is spoken of beside the place where it is met first.
    fn is_met_again(&self, var: Var) -> bool {
        let links = self
            .rows
            .cells
            .iter()
            .filter(|cell| cell.value == Arg::Var(var) && self.column(cell.row, cell.column).kind == Kind::Link);
        let shared = self.rows.cells.iter().any(|cell| {
            let own = self.rows.rows[cell.row].var == Some(var);
            own && matches!(&cell.value, Arg::Var(value) if self.rows.uses(*value) > 1 && self.column(cell.row, cell.column).kind != Kind::Link)
        });
        links.count() > 1 || shared
    }

    /// What a row that has been met is called.
    fn name(&self, var: Var) -> String {
        if self.rows.head == [var] { "it".to_owned() } else { self.letter(var) }
    }

    fn letter(&self, var: Var) -> String {
        let number = var.0;
        let letter = char::from(b'A' + number % 26);
        if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26) }
    }
}

/// The word with its article.
fn article(noun: &str) -> String {
    let vowel = noun.chars().next().is_some_and(|first| "aeiouAEIOU".contains(first));
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use symsnap::{Background, Model, Predictor};

    const SCHEMA: &str = r#"
        [target]
        table = "molecules"
        column = "active"
        positive = "yes"
        negative = "no"
        [[table]]
        name = "molecules"
        columns = [{ name = "id", kind = "key" }, { name = "logp", kind = "float", missing = true }, { name = "made", kind = "date" }, { name = "active", kind = "boolean" }]
        [[table]]
        name = "atoms"
        columns = [{ name = "id", kind = "key" }, { name = "mol_id", kind = "link", to = "molecules" }, { name = "element", kind = "category" }, { name = "charge", kind = "float" }]
        [[table]]
        name = "bonds"
        columns = [{ name = "atom1", kind = "link", to = "atoms" }, { name = "atom2", kind = "link", to = "atoms" }, { name = "order", kind = "category" }]
    "#;

    /// The words and the SQL of a rule.
    fn told(rule: &str) -> (String, Option<String>) {
        let schema = Schema::parse("schema.toml", SCHEMA).unwrap();
        let model = format!(
            r#"{{"format": 1, "symsnap": "", "head": {{"name": "active", "arity": 1}}, "cost": "mdl", "method": "single",
                "settings": {{}}, "seed": 1, "members": [{{"weight": 1.0, "size": 2, "value": [2],
                "rules": ["{rule}"], "confusion": {{"tp": 1, "fn": 0, "tn": 0, "fp": 0}}}}]}}"#
        );
        let model = Model::from_json("m.json", model.as_bytes()).unwrap();
        let predictor = Predictor::new(&model, Background::new()).unwrap();
        let (rule, terms) = (&predictor.hypotheses()[0].rules[0], predictor.terms());
        (rule_in_words(&schema, "active", rule, terms), crate::rule_as_sql(&schema, rule, terms))
    }

    fn words(rule: &str) -> String {
        told(rule).0
    }

    #[test]
    fn cells_of_the_row_come_first_and_numbers_are_ranges() {
        assert_eq!(words("active(V0) :- logp(V0,V1), V1 >= 1.5, V1 =< 2.5."), "active if logp from 1.5 to 2.5");
        assert_eq!(words("active(V0) :- logp(V0,V1)."), "active if a known logp");
        assert_eq!(words("active(V0) :- missing_logp(V0)."), "active if no logp");
        assert_eq!(words("active(V0) :- made(V0,V1), V1 >= 20240150."), "active if made >= 2024-02-01");
        assert_eq!(words("active(V0)."), "active always");
    }

    #[test]
    fn rows_are_told_where_they_hang() {
        assert_eq!(
            words("active(V0) :- mol_id(V1,V0), element(V1,n), charge(V1,V2), V2 >= 0.32."),
            "active if it has an atom with element = n and charge >= 0.32"
        );
        assert_eq!(
            words(
                "active(V0) :- mol_id(V1,V0), element(V1,n), bonds(V1,V3,double), element(V3,o), charge(V1,V2), V2 >= 0.32."
            ),
            "active if it has an atom with element = n and charge >= 0.32 that is atom1 of a bond with order = double whose \
             atom2 is an atom with element = o"
        );
        assert_eq!(
            words("active(V0) :- mol_id(V1,V0), mol_id(V2,V0), bonds(V1,V2,V3), element(V2,c)."),
            "active if it has an atom that is atom1 of a bond with a known order whose atom2 is an atom with element = c \
             whose mol_id is it"
        );
    }

    #[test]
    fn rows_that_are_met_again_have_letters_and_equal_cells_say_so() {
        assert_eq!(
            words("active(V0) :- mol_id(V1,V0), charge(V1,V2), mol_id(V3,V0), charge(V3,V2), bonds(V3,V1,_)."),
            "active if it has an atom B with a known charge that is atom2 of a bond with a known order whose atom1 is an atom \
             D with charge = B's charge whose mol_id is it"
        );
    }

    #[test]
    fn sql_is_about_the_tables_themselves() {
        let rule = "active(V0) :- mol_id(V1,V0), element(V1,n), bonds(V1,V3,double), charge(V1,V2), V2 >= 0.32.";
        assert_eq!(
            told(rule).1.unwrap(),
            "SELECT DISTINCT t2.\"id\"\nFROM \"atoms\" t0, \"bonds\" t1, \"molecules\" t2\nWHERE t0.\"element\" = 'n'\n  \
             AND t1.\"order\" = 'double'\n  AND t0.\"mol_id\" = t2.\"id\"\n  AND t1.\"atom1\" = t0.\"id\"\n  AND \
             t1.\"atom2\" IS NOT NULL\n  AND t0.\"charge\" >= 0.32;\n"
        );
    }
}
