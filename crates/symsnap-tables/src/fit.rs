//! Whether tables are as a schema says: that each column is there, that each cell is of its kind, that keys name one row each and
//! links lead somewhere.

use crate::decimal;
use crate::findings::{Findings, count, list, meant, quoted};
use crate::kind::Kind;
use crate::links::{Names, dangling, names_wholes};
use crate::schema::{ColumnSchema, Schema, TableSchema};
use crate::table::{Table, shown};
use symsnap::{Diagnostic, Result};

/// What a number looks like in a column with decimal commas.
const WITH_COMMA: &str = "a finite number, with a comma before its fraction";

/// What the tables are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To learn from: labels are needed.
    Learning,
    /// To predict: labels and weights may be missing, and links may lead to rows that are not there.
    Predicting,
}

/// Tables that are as a schema says, in its order.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// What they mean.
    pub schema: Schema,
    tables: Vec<Table>,
    /// For each column of the schema its place in the table; nothing if it is not needed and not there.
    places: Vec<Vec<Option<usize>>>,
    /// For each table the place of its key.
    keys: Vec<Option<usize>>,
    /// What is odd about them.
    pub warnings: Vec<Diagnostic>,
}

impl Dataset {
    /// `tables`, matched with those of the schema by name.
    ///
    /// # Errors
    /// Everything that is not as the schema says.
    pub fn new(schema: Schema, tables: Vec<Table>, purpose: Purpose) -> Result<Self> {
        let mut findings = Findings::default();
        let mut tables: Vec<Option<Table>> = tables.into_iter().map(Some).collect();
        let mut ordered = Vec::with_capacity(tables.len());
        for described in &schema.tables {
            let found =
                tables.iter_mut().find(|table| table.as_ref().is_some_and(|table| table.name() == described.name));
            match found.and_then(Option::take) {
                Some(table) => ordered.push(table),
                None => findings.add(Diagnostic::error(format!("the table {} is missing", quoted(&described.name)))),
            }
        }
        for table in tables.into_iter().flatten() {
            let names = list(schema.tables.iter().map(|table| table.name.as_str()));
            let finding =
                Diagnostic::error(format!("the schema has no table {} ({})", quoted(table.name()), table.file()));
            findings.add(finding.with_help(format!("it has {names}")));
        }
        let warnings = findings.finish()?;
        let mut dataset = Dataset { schema, tables: ordered, places: Vec::new(), keys: Vec::new(), warnings };
        dataset.places = dataset.check_columns(purpose)?;
        let key = |(at, table): (usize, &TableSchema)| dataset.place_named(at, &table.key()?.name);
        dataset.keys = dataset.schema.tables.iter().enumerate().map(key).collect();
        dataset.check_links(purpose)?;
        Ok(dataset)
    }

    /// The table with that number in the schema.
    pub(crate) fn table(&self, at: usize) -> &Table {
        &self.tables[at]
    }

    /// The place of a column of the schema in its table.
    pub(crate) fn place(&self, table: usize, column: usize) -> Option<usize> {
        self.places[table][column]
    }

    /// The place of a column in its table, by its title.
    pub(crate) fn place_named(&self, table: usize, title: &str) -> Option<usize> {
        let column = self.schema.tables[table].columns.iter().position(|column| column.name == title)?;
        self.place(table, column)
    }

    /// The place of the key in its table.
    pub(crate) fn key(&self, table: usize) -> Option<usize> {
        self.keys[table]
    }

    fn check_columns(&mut self, purpose: Purpose) -> Result<Vec<Vec<Option<usize>>>> {
        let mut findings = Findings::default();
        let mut places = Vec::with_capacity(self.tables.len());
        for (table, described) in self.tables.iter().zip(&self.schema.tables) {
            let mut found = Vec::with_capacity(described.columns.len());
            for column in &described.columns {
                let at = table.column(&column.name).map(|(at, _)| at);
                found.push(at);
                let spared = self.schema.is_spared(&described.name, &column.name) && !column.kind.names_rows();
                let needed = if spared { purpose == Purpose::Learning } else { column.kind.is_used() };
                match at {
                    Some(at) if column.kind.is_used() && !spared => findings.extend(misfit(table, at, column)),
                    None if needed => findings.add(absent(table, column)),
                    _ => {}
                }
            }
            places.push(found);
        }
        self.warnings.extend(findings.finish()?);
        Ok(places)
    }

    fn check_links(&mut self, purpose: Purpose) -> Result<()> {
        let mut findings = Findings::default();
        let mut whole: Vec<(usize, Table)> = Vec::new();
        for (number, described) in self.schema.tables.iter().enumerate() {
            for (column, at) in described.columns.iter().zip(&self.places[number]) {
                let (Some(to), Some(at)) = (&column.to, *at) else { continue };
                let Some(to) = self.schema.position(to) else { continue };
                let Some(key) = self.key(to) else { continue };
                let keys = &self.tables[to].columns()[key];
                let names = Names::of(keys);
                let table = &self.tables[number];
                let Some((strange, text, row)) = dangling(table, at, &names) else { continue };
                let known = whole.iter().rposition(|(table, _)| *table == number);
                let table = known.map_or(table, |known| &whole[known].1);
                if let Some(table) = names_wholes(table, at, &names) {
                    whole.push((number, table));
                    continue;
                }
                let number = strange;
                let message = format!(
                    "{} of column {} {} not in {} of {}, the first is {}",
                    count(number, "value"),
                    quoted(&column.name),
                    if number == 1 { "is" } else { "are" },
                    quoted(&keys.name),
                    self.tables[to].file(),
                    quoted(text)
                );
                let finding = match purpose {
                    Purpose::Learning => Diagnostic::error(message),
                    Purpose::Predicting => Diagnostic::warning(message),
                };
                findings.add(finding.at(table.place(row, at)));
            }
        }
        self.warnings.extend(findings.finish()?);
        // The last of a table has all of its columns that were changed.
        whole.into_iter().for_each(|(number, table)| self.tables[number] = table);
        Ok(())
    }
}

/// A column that is not there.
fn absent(table: &Table, column: &ColumnSchema) -> Diagnostic {
    let message = format!("{} has no column {}, which the schema asks for", table.file(), quoted(&column.name));
    let titles = table.columns().iter().map(|column| column.name.as_str());
    let help = match table.columns() {
        [_] if table.is_text() => {
            format!("it has one column, {}; cells are separated by {}", list(titles), shown(table.delimiter()))
        }
        _ => meant(&column.name, titles, "it has"),
    };
    Diagnostic::error(message).with_help(help)
}

/// The first cell that is not of the kind of its column, or the first row that a key does not tell from others.
fn misfit(table: &Table, at: usize, column: &ColumnSchema) -> Option<Diagnostic> {
    let read = &table.columns()[at];
    let name = quoted(&column.name);
    if column.kind == Kind::Key {
        if let Some((code, first, second)) = read.first_repeated() {
            let (text, before) = (quoted(read.dictionary.get(code)), table.row_words(first));
            let message = format!("the key {name} repeats {text}, which is in {before} already");
            return Some(Diagnostic::error(message).at(table.place(second, at)));
        }
        let row = read.codes().position(|code| code.is_none())?;
        return Some(Diagnostic::error(format!("the key {name} has no value here")).at(table.place(row, at)));
    }
    let wrong = |text: &str| column.value(text, read.cells).is_none();
    let (text, code) = read.dictionary.iter().zip(0..).find(|(text, _)| wrong(text))?;
    let others = read.dictionary.iter().filter(|text| wrong(text)).count() - 1;
    let row = read.first_row(code)?;
    let more = match others {
        0 => String::new(),
        _ => format!(
            ", nor {} {} other value{}",
            if others == 1 { "is" } else { "are" },
            others,
            if others == 1 { "" } else { "s" }
        ),
    };
    let message = format!("{} in column {name} is not {}{more}", quoted(text), article(column.kind));
    let expected = if column.decimal == Some(',') { WITH_COMMA } else { column.kind.example() };
    let mut help = format!("expected {expected}; a missing value is an empty cell");
    if column.kind == Kind::Float && column.decimal.is_none() && decimal::float(text).is_some() {
        help += "; `decimal = \",\"` beside its kind reads decimal commas";
    }
    Some(Diagnostic::error(message).at(table.place(row, at)).with_help(help))
}

fn article(kind: Kind) -> String {
    let article = if kind == Kind::Integer { "an" } else { "a" };
    format!("{article} {}", kind.word())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::{Wish, infer};
    use crate::table::table;

    fn schema() -> Schema {
        let tables = tables(["m1,1.5,yes", "m2,2.5,no"], ["1,m1,c,3", "2,m1,n,4", "3,m2,c,5"]);
        infer(&tables, &Wish { column: Some("active".to_owned()), ..Wish::default() }).unwrap().0
    }

    fn tables<const A: usize, const B: usize>(molecules: [&str; A], atoms: [&str; B]) -> Vec<Table> {
        vec![
            table("molecules", &format!("id,logp,active\n{}\n", molecules.join("\n"))),
            table("atoms", &format!("id,mol_id,element,age\n{}\n", atoms.join("\n"))),
        ]
    }

    fn message(tables: Vec<Table>, purpose: Purpose) -> String {
        Dataset::new(schema(), tables, purpose).unwrap_err().to_string()
    }

    #[test]
    fn tables_that_fit_are_taken_in_the_order_of_the_schema() {
        let mut tables = tables(["m7,1.5,yes"], ["1,m7,c,3"]);
        tables.reverse();
        let dataset = Dataset::new(schema(), tables, Purpose::Learning).unwrap();
        assert_eq!((dataset.table(0).name(), dataset.table(1).name()), ("molecules", "atoms"));
        assert_eq!((dataset.key(0), dataset.place_named(1, "mol_id")), (Some(0), Some(1)));
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_place() {
        assert_eq!(
            message(tables(["m1,x,yes", "m2,y,no"], ["1,m1,c,3"]), Purpose::Learning),
            "molecules.csv:2:4: error: `x` in column `logp` is not a float, nor is 1 other value\n  \
             help: expected a finite number, with a point before its fraction; a missing value is an empty cell"
        );
        assert_eq!(
            message(tables(["m1,1,yes", "m1,2,no"], ["1,m1,c,3"]), Purpose::Learning),
            "molecules.csv:3:1: error: the key `id` repeats `m1`, which is in line 2 already"
        );
        assert_eq!(
            message(tables(["m1,1,yes", ",2,no"], ["1,m1,c,3"]), Purpose::Learning),
            "molecules.csv:3:1: error: the key `id` has no value here"
        );
        assert_eq!(
            message(tables(["m1,1,yes"], ["1,m1,c,3", "2,m9,c,3"]), Purpose::Learning),
            "atoms.csv:3:3: error: 1 value of column `mol_id` is not in `id` of molecules.csv, the first is `m9`"
        );
        let fewer = vec![table("molecules", "id,logpp\nm1,1.5\n"), table("atoms", "id,mol_id,element,age\n1,m1,c,3\n")];
        assert_eq!(
            message(fewer.clone(), Purpose::Predicting),
            "error: molecules.csv has no column `logp`, which the schema asks for\n  help: did you mean `logpp`?"
        );
        assert!(message(fewer[..1].to_vec(), Purpose::Predicting).contains("the table `atoms` is missing"));
        assert!(
            message([fewer, vec![table("z", "a\n1\n")]].concat(), Purpose::Predicting)
                .contains("the schema has no table `z` (z.csv)")
        );
    }

    #[test]
    fn new_tables_need_no_labels_and_may_dangle() {
        let new = vec![table("molecules", "id,logp\nm1,1.5\n"), table("atoms", "id,mol_id,element,age\n1,m9,c,3\n")];
        assert!(Dataset::new(schema(), new.clone(), Purpose::Learning).is_err());
        let dataset = Dataset::new(schema(), new, Purpose::Predicting).unwrap();
        assert_eq!(dataset.warnings.len(), 1);
    }
}
