//! Rules over tables as SQL over the same tables: a query for the rows that a rule covers.
//!
//! It speaks of the tables and columns of the files, not of the text tables that `export --to sql` makes for a whole model, so
//! that a rule can be tried where the data lives. Numbers are compared as numbers, dates as dates (`'2024-02-01'`), truth
//! values however they are written.

use crate::dates::{first_from, last_until};
use crate::kind::Kind;
use crate::relations::Relations;
use crate::rule_rows::RuleRows;
use crate::schema::Schema;
use symsnap::internals::logic::{Number, Term};
use symsnap::{Arg, Rule, TermId, Terms, Var};

/// What counts as true in a column of truth values; letters may be large or small.
const TRUE: &str = "('true','t','yes','y','1')";
const FALSE: &str = "('false','f','no','n','0')";

/// The query for the keys of the rows that a rule covers; nothing if it says something that the tables alone do not tell.
pub fn rule_as_sql(schema: &Schema, rule: &Rule, terms: &Terms) -> Option<String> {
    let mut rows = RuleRows::of(rule, terms, schema, &Relations::of(schema));
    if !rows.others.is_empty() {
        return None;
    }
    let mut homes = Vec::new();
    for (at, &var) in rows.head.clone().iter().enumerate() {
        let home = match &schema.target.pair {
            Some(pair) => {
                let pairs = &schema.tables[schema.position(&schema.target.table)?];
                schema.position(pairs.column(&pair[at])?.to.as_deref()?)?
            }
            None => schema.position(&schema.target.table)?,
        };
        homes.push((rows.row(home, Some(var)), home));
    }
    let query = Query { schema, terms, rows: &rows };
    let key = |&(row, home): &(usize, usize)| Some(query.cell(row, schema.tables[home].key_place()?));
    // A table without a key has no other names of its rows than its cells.
    let keys: Option<Vec<String>> = homes.iter().map(key).collect();
    let selected = keys.map_or_else(|| format!("t{}.*", homes[0].0), |keys| keys.join(", "));
    let from: Vec<String> = rows
        .rows
        .iter()
        .enumerate()
        .map(|(at, row)| format!("{} t{at}", quoted(&schema.tables[row.table].name)))
        .collect();
    let conditions = query.conditions()?;
    let conditions =
        if conditions.is_empty() { String::new() } else { format!("\nWHERE {}", conditions.join("\n  AND ")) };
    Some(format!("SELECT DISTINCT {selected}\nFROM {}{conditions};\n", from.join(", ")))
}

struct Query<'q> {
    schema: &'q Schema,
    terms: &'q Terms,
    rows: &'q RuleRows,
}

impl Query<'_> {
    fn cell(&self, row: usize, column: usize) -> String {
        let table = &self.schema.tables[self.rows.rows[row].table];
        format!("t{row}.{}", quoted(&table.columns[column].name))
    }

    fn kind(&self, row: usize, column: usize) -> Kind {
        self.schema.tables[self.rows.rows[row].table].columns[column].kind
    }

    fn conditions(&self) -> Option<Vec<String>> {
        let mut conditions = Vec::new();
        let mut vars: Vec<Var> = Vec::new();
        for cell in &self.rows.cells {
            let (place, kind) = (self.cell(cell.row, cell.column), self.kind(cell.row, cell.column));
            match &cell.value {
                Arg::Const(name) => conditions.push(self.equals(&place, kind, *name)?),
                Arg::Number(number) => conditions.push(format!("{place} = {number}")),
                Arg::Var(var) => {
                    if !vars.contains(var) {
                        vars.push(*var);
                    }
                }
            }
        }
        vars.extend(
            self.rows.rows.iter().filter_map(|row| row.var).filter(|var| !vars.contains(var)).collect::<Vec<_>>(),
        );
        for var in vars {
            let mut places: Vec<String> = Vec::new();
            for (at, row) in self.rows.rows.iter().enumerate().filter(|(_, row)| row.var == Some(var)) {
                match self.schema.tables[row.table].key_place() {
                    Some(key) => places.push(self.cell(at, key)),
                    // A row that is known by its number only cannot be what a cell says, and one row is itself.
                    None if self.rows.uses(var) > 0 => return None,
                    None => {}
                }
            }
            let cells = self.rows.cells.iter().filter(|cell| cell.value == Arg::Var(var));
            let cells: Vec<(String, Kind)> =
                cells.map(|cell| (self.cell(cell.row, cell.column), self.kind(cell.row, cell.column))).collect();
            places.extend(cells.iter().map(|cell| cell.0.clone()));
            places.dedup();
            conditions.extend(places.iter().skip(1).map(|place| format!("{place} = {}", places[0])));
            let Some((place, kind)) = cells.first() else { continue };
            let (low, high) = self.rows.bounds(var);
            conditions.extend(low.map(|low| format!("{place} >= {}", bound(low, *kind, true))));
            conditions.extend(high.map(|high| format!("{place} <= {}", bound(high, *kind, false))));
            if low.is_none() && high.is_none() && places.len() == 1 {
                conditions.push(format!("{place} IS NOT NULL"));
            }
        }
        let missing = self.rows.missing.iter().map(|&(row, column)| format!("{} IS NULL", self.cell(row, column)));
        conditions.extend(missing);
        Some(conditions)
    }

    /// That a cell is what a constant of rules stands for.
    fn equals(&self, place: &str, kind: Kind, name: TermId) -> Option<String> {
        let Term::Atom(symbol) = self.terms.get(name) else { return None };
        let text = self.terms.name(symbol);
        Some(match (kind, text) {
            (Kind::Boolean, "true") => format!("LOWER(CAST({place} AS VARCHAR)) IN {TRUE}"),
            (Kind::Boolean, "false") => format!("LOWER(CAST({place} AS VARCHAR)) IN {FALSE}"),
            (_, text) => format!("{place} = '{}'", text.replace('\'', "''")),
        })
    }
}

fn bound(number: Number, kind: Kind, at_least: bool) -> String {
    match (number.as_int(), kind, at_least) {
        (Some(digits), Kind::Date | Kind::DateTime, true) => format!("'{}'", first_from(digits, kind)),
        (Some(digits), Kind::Date | Kind::DateTime, false) => format!("'{}'", last_until(digits, kind)),
        _ => number.to_string(),
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
