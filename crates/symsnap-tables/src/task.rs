//! Dataset to task: facts, bias and examples, in memory or as the three files of a task folder.

use crate::examples::LabelledRows;
use crate::findings::{count, list, quoted};
use crate::fit::Dataset;
use crate::labels::means_yes;
use crate::relations::{Argument, Relation, Relations};
use std::fmt::Write;
use symsnap::internals::logic::write_atom;
use symsnap::{Background, Diagnostic, Error, Result, Task, TaskBuilder, TermId, Terms, Value};

/// The values of a dataset as terms: for each table, its row numbers if it needs them and, for each column of the schema, the term
/// of each different text.
struct DatasetTerms {
    rows: Vec<Vec<TermId>>,
    columns: Vec<Vec<Vec<TermId>>>,
}

/// A dataset with the predicates that it defines.
#[derive(Debug)]
pub struct TableTask<'d> {
    data: &'d Dataset,
    relations: Relations,
    /// Rows that are no facts because they lack a value, counted for each predicate that this can befall.
    pub(crate) incomplete: Vec<Diagnostic>,
}

/// The three files of a task folder.
#[derive(Debug, Clone)]
pub struct TaskTexts {
    /// The background, `bk.pl`.
    pub bk: String,
    /// The examples, `exs.pl`.
    pub exs: String,
    /// The bias, `bias.pl`.
    pub bias: String,
}

impl<'d> TableTask<'d> {
    /// What the dataset says.
    pub fn new(data: &'d Dataset) -> Self {
        let relations = Relations::of(&data.schema);
        let incomplete = relations.all.iter().filter_map(|relation| incomplete(data, relation)).collect();
        TableTask { data, relations, incomplete }
    }

    /// The task of telling the examples with one label from all others.
    ///
    /// # Errors
    /// As [`TaskBuilder::build`].
    pub fn task(&self, rows: &LabelledRows<'_>, label: usize) -> Result<Task> {
        let mut warnings = self.data.warnings.clone();
        warnings.extend(self.relations.unreached.iter().map(|table| {
            let target = &self.data.schema.target.table;
            let message = format!("no links lead from {} to {}, which is not used", quoted(target), quoted(table));
            let help = "columns are proposed as links by their titles, as in `molecule_id`; a schema can declare them";
            Diagnostic::warning(message).with_help(help)
        }));
        warnings.extend(self.incomplete.iter().chain(&rows.warnings).cloned());
        if self.relations.all.is_empty() {
            let nothing = Diagnostic::error("no column is left that rules could speak of")
                .with_help("beside the target there must be numbers, dates, truth values, categories or links");
            // The warnings say why.
            return Err(Error::Input(std::iter::once(nothing).chain(warnings).collect()));
        }
        let mut builder = TaskBuilder::new(self.bias(&rows.labels, label).as_str());
        let terms = self.terms(builder.terms());
        for relation in &self.relations.all {
            let mut empty = true;
            self.rows(relation, &terms, &mut |row| {
                builder.fact(&relation.name, row.iter().copied());
                empty = false;
            });
            if empty {
                builder.background(declared(relation).as_str());
            }
        }
        let (positive, negative) = rows.factors(label);
        for example in &rows.examples {
            let is_positive = example.label == label;
            let weight = example.weight.saturating_mul(if is_positive { positive } else { negative });
            builder.example(is_positive, example.arguments(), weight);
        }
        let mut task = builder.build()?;
        warnings.append(&mut task.warnings);
        task.warnings = warnings;
        Ok(task)
    }

    /// The facts alone, to ask a model about.
    pub fn background(&self) -> Background {
        let mut background = Background::new();
        let terms = self.terms(background.terms());
        for relation in &self.relations.all {
            let mut empty = true;
            self.rows(relation, &terms, &mut |row| {
                background.fact(&relation.name, row.iter().copied());
                empty = false;
            });
            if empty {
                background.text(declared(relation).as_str());
            }
        }
        background
    }

    /// The task of one label as the texts of a task folder.
    pub fn texts(&self, rows: &LabelledRows<'_>, label: usize) -> TaskTexts {
        let mut terms = Terms::default();
        let values = self.terms(&mut terms);
        let mut bk = String::new();
        for relation in &self.relations.all {
            let name = atom(&relation.name);
            let before = bk.len();
            self.rows(relation, &values, &mut |row| {
                bk.push_str(&name);
                for (at, &value) in row.iter().enumerate() {
                    bk.push(if at == 0 { '(' } else { ',' });
                    bk.push_str(&terms.show(value));
                }
                bk.push_str(").\n");
            });
            if bk.len() == before {
                bk.push_str(&declared(relation));
            }
        }
        let head = atom(&self.head(&rows.labels, label));
        let (positive, negative) = rows.factors(label);
        let mut exs = String::new();
        for is_positive in [true, false] {
            for example in rows.examples.iter().filter(|example| (example.label == label) == is_positive) {
                let arguments: Vec<String> = example.arguments().map(|value| shown(value, &mut terms)).collect();
                let word = if is_positive { "pos" } else { "neg" };
                let weight = example.weight.saturating_mul(if is_positive { positive } else { negative });
                let weight = if weight == 1 { String::new() } else { format!(",{weight}") };
                let _ = writeln!(exs, "{word}({head}({}){weight}).", arguments.join(","));
            }
        }
        TaskTexts { bk, exs, bias: self.bias(&rows.labels, label) }
    }

    /// What is predicted, as a predicate: the title of the target, with the label unless that is as good as yes.
    pub fn head(&self, labels: &[String], label: usize) -> String {
        let target = &self.data.schema.target;
        let title = match &target.pair {
            Some(_) => &target.table,
            None => target.column.as_ref().unwrap_or(&target.table),
        };
        let plain = labels.len() == 2 && means_yes(&labels[label]);
        let mut name = if plain { title.clone() } else { format!("{title}_{}", labels[label]) };
        let arity = self.relations.head.len();
        // The target's own title may be that of a column elsewhere.
        while self.relations.all.iter().any(|relation| relation.name == name && relation.arity() == arity) {
            name += "_target";
        }
        if name.chars().any(char::is_alphanumeric) { name } else { format!("target_{name}") }
    }

    /// What rules may be made of.
    fn bias(&self, labels: &[String], label: usize) -> String {
        let Relations { all, numeric, named, head, vars, .. } = &self.relations;
        let rules = &self.data.schema.rules;
        let mut text = String::new();
        let name = atom(&self.head(labels, label));
        let _ = writeln!(text, "head_pred({name},{}).", head.len());
        for relation in all {
            let _ = writeln!(text, "body_pred({},{}).", atom(&relation.name), relation.arity());
        }
        let _ = writeln!(text, "max_vars({}).", rules.max_vars.map_or(*vars, usize::from));
        if let Some(body) = rules.max_body {
            let _ = writeln!(text, "max_body({body}).");
        }
        let _ = writeln!(text, "\ntype({name},{}).", tuple(head.iter().map(|kind| atom(kind))));
        for relation in all {
            let kinds = relation.types.iter().map(|kind| atom(kind));
            let _ = writeln!(text, "type({},{}).", atom(&relation.name), tuple(kinds));
        }
        text.push('\n');
        for relation in all {
            for &input in &relation.inputs {
                let modes = (0..relation.arity()).map(|at| if at == input { "in" } else { "out" }.to_owned());
                let _ = writeln!(text, "direction({},{}).", atom(&relation.name), tuple(modes));
            }
        }
        text.push('\n');
        numeric.iter().for_each(|kind| _ = writeln!(text, "numeric({}).", atom(kind)));
        named.iter().for_each(|kind| _ = writeln!(text, "constants({}).", atom(kind)));
        text
    }

    fn terms(&self, terms: &mut Terms) -> DatasetTerms {
        let data = self.data;
        let mut all = DatasetTerms { rows: Vec::new(), columns: Vec::new() };
        for (at, described) in data.schema.tables.iter().enumerate() {
            let numbered = described.key().is_none();
            let numbers = 1..=if numbered { i64::try_from(data.table(at).rows()).unwrap_or(0) } else { 0 };
            all.rows.push(numbers.map(|number| terms.int(number)).collect());
            let mut columns = Vec::with_capacity(described.columns.len());
            for (column, described) in described.columns.iter().enumerate() {
                let place = data.place(at, column).filter(|_| described.kind.is_used());
                let read = place.map(|place| &data.table(at).columns()[place]);
                let values = read.into_iter().flat_map(|read| read.dictionary.iter().map(|text| (text, read.cells)));
                // Labels and weights are not read as what the schema says they are, and are in no fact.
                let values = values.map(|(text, cells)| described.value(text, cells).unwrap_or(Value::Atom(text)));
                columns.push(values.map(|value| interned(value, terms)).collect());
            }
            all.columns.push(columns);
        }
        all
    }

    /// Go through the facts of a relation. A row without one of the values is no fact.
    fn rows(&self, relation: &Relation, terms: &DatasetTerms, take: &mut dyn FnMut(&[TermId])) {
        let (data, at) = (self.data, relation.table);
        let table = data.table(at);
        let mut row: Vec<TermId> = Vec::with_capacity(relation.arguments.len());
        for number in 0..table.rows() {
            row.clear();
            for argument in &relation.arguments {
                match *argument {
                    Argument::Row => row.push(terms.rows[at][number]),
                    Argument::Column(column) => {
                        let code = data.place(at, column).and_then(|place| table.columns()[place].code(number));
                        row.extend(code.map(|code| terms.columns[at][column][code as usize]));
                    }
                }
            }
            // Of what is missing, the row has all but that.
            if row.len() == relation.arity() {
                take(&row);
            }
        }
    }
}

/// That rows of a predicate over several columns are no facts because they lack one of them. Where a column is a predicate of a row
/// and its value, nothing else is lost with a value.
fn incomplete(data: &Dataset, relation: &Relation) -> Option<Diagnostic> {
    if relation.arity() < 3 {
        return None;
    }
    let table = data.table(relation.table);
    let places = relation.arguments.iter().filter_map(|argument| match argument {
        Argument::Row => None,
        Argument::Column(column) => data.place(relation.table, *column),
    });
    let places: Vec<usize> = places.filter(|&place| table.columns()[place].missing() > 0).collect();
    let lacks = |row: usize| places.iter().copied().find(|&place| table.columns()[place].code(row).is_none());
    let mut lacking = (0..table.rows()).filter_map(|row| Some((row, lacks(row)?)));
    let (row, place) = lacking.next()?;
    let rows = lacking.count() + 1;
    let titles = list(places.iter().map(|&place| table.columns()[place].name.as_str()));
    let (has, are) = if rows == 1 { ("has", "is no fact") } else { ("have", "are no facts") };
    let name = quoted(&relation.name);
    let message = format!("{} {has} no value in {titles} and {are} of {name}", count(rows, "row"));
    let help = "a schema that leaves these columns out of it keeps the rows";
    Some(Diagnostic::warning(message).at(table.place(row, place)).with_help(help))
}

fn interned(value: Value<'_>, terms: &mut Terms) -> TermId {
    match value {
        Value::Int(number) => terms.int(number),
        Value::Float(number) => terms.float(number),
        Value::Atom(name) => terms.atom_named(name),
        Value::Term(term) => term,
        // Cells are none of the other values.
        _ => terms.nil(),
    }
}

fn shown(value: Value<'_>, terms: &mut Terms) -> String {
    let term = interned(value, terms);
    terms.show(term)
}

/// The text that declares a predicate without facts.
fn declared(relation: &Relation) -> String {
    format!(":- dynamic {}/{}.\n", atom(&relation.name), relation.arity())
}

/// A name as bias files write it, in which `not` is no name unless it is quoted.
fn atom(name: &str) -> String {
    if name == "not" {
        return "'not'".to_owned();
    }
    let mut text = String::new();
    write_atom(&mut text, name);
    text
}

fn tuple(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match items.as_slice() {
        [one] => format!("({one},)"),
        _ => format!("({})", items.join(",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::ExampleOptions;
    use crate::fit::Purpose;
    use crate::infer::{Wish, infer};
    use crate::table::table;

    #[test]
    fn odd_titles_and_values_are_quoted_and_read_back() {
        let text = "Sepal.Length,'a''s \\ (mm),Ünder Über,[],Ok?\n1.5,2,it's,[],\"No, never\"\n2.5,3,A b,{},Yes\n3.5,4,A b,[],\"No, never\"\n";
        let tables = vec![table("my data", text)];
        let wish = Wish { column: Some("Ok?".to_owned()), ..Wish::default() };
        let (schema, _) = infer(&tables, &wish).unwrap();
        let data = Dataset::new(schema, tables, Purpose::Learning).unwrap();
        let rows = data.examples(&ExampleOptions::default()).unwrap();
        let made = TableTask::new(&data);
        let texts = made.texts(&rows, 0);
        assert!(texts.bk.contains("'Sepal.Length'(1,1.5)."), "{}", texts.bk);
        assert_eq!(texts.exs, "pos('Ok?'(2)).\nneg('Ok?'(1)).\nneg('Ok?'(3)).\n");
        let (read, task) =
            (Task::from_texts(&texts.bk, &texts.exs, &texts.bias).unwrap(), made.task(&rows, 0).unwrap());
        assert_eq!(read.bias.body.len(), task.bias.body.len());
        assert!(read.warnings.is_empty() && task.warnings.is_empty(), "{:?} {:?}", read.warnings, task.warnings);
        assert_eq!(made.head(&rows.labels, 1), "Ok?_No, never");
    }
}
