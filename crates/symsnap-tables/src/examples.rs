//! The examples of a dataset: rows with a label, or pairs of rows.

use crate::findings::{count, meant, quoted};
use crate::fit::Dataset;
use crate::labels::{Labels, names, unlabelled};
use crate::pairs::draw;
use crate::schema::Target;
use crate::value;
use crate::weights::{balance, of_rows};
use std::collections::{HashMap, HashSet};
use symsnap::{Diagnostic, Result, Value};

/// How examples are made of rows.
#[derive(Debug, Clone, Copy)]
pub struct ExampleOptions {
    /// Whether classes are given weights so that they weigh the same.
    pub balanced: bool,
    /// For pairs without labels: negatives drawn for each positive.
    pub negatives: f64,
    /// The seed of these draws.
    pub seed: u64,
}

impl Default for ExampleOptions {
    fn default() -> Self {
        ExampleOptions { balanced: false, negatives: 1.0, seed: 1 }
    }
}

/// An example: what it is about, and its label.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Example<'d> {
    /// The row, or the first row of a pair.
    pub(crate) one: Value<'d>,
    /// The second row of a pair.
    pub(crate) other: Option<Value<'d>>,
    /// The row of the table with the labels, if it is in one: negatives that were drawn are not.
    pub(crate) row: Option<usize>,
    /// The place of its label.
    pub(crate) label: usize,
    pub(crate) weight: u32,
}

impl<'d> Example<'d> {
    pub(crate) fn arguments(&self) -> impl Iterator<Item = Value<'d>> + use<'d> {
        std::iter::once(self.one).chain(self.other)
    }
}

/// The labelled rows of a dataset.
#[derive(Debug, Clone)]
pub struct LabelledRows<'d> {
    /// The labels: the positive and the negative one, or all classes.
    pub labels: Vec<String>,
    pub(crate) examples: Vec<Example<'d>>,
    balanced: bool,
    /// What is odd about them.
    pub warnings: Vec<Diagnostic>,
}

impl<'d> LabelledRows<'d> {
    /// Some of them, by their numbers.
    pub(crate) fn some(mut self, numbers: &[usize]) -> Self {
        self.examples = numbers.iter().map(|&at| self.examples[at]).collect();
        self
    }

    /// What each is about.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = Vec<Value<'d>>> {
        self.examples.iter().map(|example| example.arguments().collect())
    }

    /// How many rows have each label.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.labels.len()];
        self.examples.iter().for_each(|example| counts[example.label] += 1);
        counts
    }

    /// What the weights of examples with this label, and of all others, are multiplied with.
    pub(crate) fn factors(&self, label: usize) -> (u32, u32) {
        if !self.balanced {
            return (1, 1);
        }
        let weight = |positive: bool| -> u64 {
            let some = self.examples.iter().filter(|example| (example.label == label) == positive);
            some.map(|example| u64::from(example.weight)).sum()
        };
        balance(weight(true), weight(false))
    }
}

impl Dataset {
    /// What names a row of a table: its key, or its number.
    pub(crate) fn row_name(&self, table: usize, row: usize) -> Value<'_> {
        match self.key(table).and_then(|key| self.table(table).columns()[key].text(row)) {
            Some(text) => value::name(text),
            None => Value::Int(i64::try_from(row).unwrap_or(i64::MAX).saturating_add(1)),
        }
    }

    /// What names a row of the table that has the target; nothing if there is no such row.
    pub fn target_row_name(&self, row: usize) -> Option<Value<'_>> {
        let table = self.target_table();
        (row < self.table(table).rows()).then(|| self.row_name(table, row))
    }

    /// The place in the schema of the table that has the target.
    pub(crate) fn target_table(&self) -> usize {
        self.schema.position(&self.schema.target.table).unwrap_or(0)
    }

    /// The titles of what names an example.
    pub(crate) fn key_titles(&self) -> Vec<String> {
        let table = &self.schema.tables[self.target_table()];
        match (&self.schema.target.pair, table.key()) {
            (Some(pair), _) => pair.to_vec(),
            (None, Some(key)) => vec![key.name.clone()],
            (None, None) => vec!["row".to_owned()],
        }
    }

    /// Numbers for the examples, the same for rows with the same value of a column; rows without a value are by themselves.
    pub(crate) fn groups(&self, title: &str, options: &ExampleOptions) -> Result<Vec<usize>> {
        let table = self.table(self.target_table());
        let Some((_, column)) = table.column(title) else {
            let finding = Diagnostic::error(format!("{} has no column {}", table.file(), quoted(title)));
            let titles: Vec<&str> = table.titles().collect();
            return Err(finding.with_help(meant(title, titles.into_iter(), "it has")).into());
        };
        let rows = self.examples(options)?;
        let mut next = column.dictionary.len();
        let number = |example: &Example<'_>| match example.row.and_then(|row| column.code(row)) {
            Some(code) => code as usize,
            None => {
                next += 1;
                next - 1
            }
        };
        let numbers: Vec<usize> = rows.examples.iter().map(number).collect();
        // From 0 on without gaps: labels may be missing in some rows.
        let mut places: HashMap<usize, usize> = HashMap::new();
        let place = |number| {
            let next = places.len();
            *places.entry(number).or_insert(next)
        };
        Ok(numbers.into_iter().map(place).collect())
    }

    /// The examples.
    ///
    /// # Errors
    /// If a label is not in the schema, a weight is wrong, or there is nothing to tell apart.
    pub fn examples(&self, options: &ExampleOptions) -> Result<LabelledRows<'_>> {
        let target = &self.schema.target;
        let at = self.target_table();
        let table = self.table(at);
        let column = target.column.as_deref().and_then(|title| self.place_named(at, title));
        let labels = match column {
            Some(column) => Labels::read(table, column, target, true)?,
            None => Labels { names: pair_labels(), of_rows: vec![Some(0); table.rows()] },
        };
        let weights = target.weight.as_deref().and_then(|title| self.place_named(at, title));
        let weights = weights.map(|column| of_rows(table, column)).transpose()?;
        let weight = |row: usize| weights.as_ref().map_or(1, |weights| weights.of_rows[row]);
        let usual = weights.as_ref().map_or(1, |weights| weights.usual);
        let mut warnings: Vec<Diagnostic> = column.and_then(|column| unlabelled(table, column)).into_iter().collect();
        let labelled = labels.of_rows.iter().enumerate().filter_map(|(row, label)| Some((row, (*label)?)));
        let examples: Vec<Example<'_>> = match self.pair_columns(at) {
            None => labelled
                .map(|(row, label)| Example {
                    one: self.row_name(at, row),
                    other: None,
                    row: Some(row),
                    label,
                    weight: weight(row),
                })
                .collect(),
            Some(pair) => {
                let text = |row: usize, column: usize| table.columns()[column].text(row);
                let mut examples: Vec<Example<'_>> = labelled
                    .filter_map(|(row, label)| {
                        let (one, other) = (text(row, pair[0])?, text(row, pair[1])?);
                        Some(Example {
                            one: value::name(one),
                            other: Some(value::name(other)),
                            row: Some(row),
                            label,
                            weight: weight(row),
                        })
                    })
                    .collect();
                let gaps = table.rows() - examples.len();
                if gaps > 0 && column.is_none() {
                    let verb = if gaps == 1 { "names" } else { "name" };
                    warnings.push(Diagnostic::warning(format!(
                        "{} of {} {verb} only one row",
                        count(gaps, "pair"),
                        table.file()
                    )));
                }
                if column.is_none() {
                    let drawn = self.draw(at, pair, usual, options);
                    if drawn.is_empty() {
                        let finding =
                            Diagnostic::error(format!("no negatives can be drawn: {} has all pairs", table.file()));
                        return Err(finding.with_help("add a column with labels").into());
                    }
                    let wanted = wanted(options.negatives, examples.len());
                    if drawn.len() < wanted {
                        let message = format!("only {} could be drawn, not {wanted}", count(drawn.len(), "negative"));
                        warnings.push(Diagnostic::warning(message));
                    }
                    examples.extend(drawn);
                }
                examples
            }
        };
        let rows = LabelledRows { labels: labels.names, examples, balanced: options.balanced, warnings };
        let counts = rows.counts();
        if counts.iter().filter(|&&count| count > 0).count() < 2 {
            let title = target.column.as_deref().unwrap_or(&target.table);
            let all = rows.labels.iter().zip(&counts).find(|(_, count)| **count > 0);
            let message = match all {
                Some((label, _)) => format!(
                    "all examples of the target {} are {}: there is nothing to tell apart",
                    quoted(title),
                    quoted(label)
                ),
                None => format!("the target {} has no values", quoted(title)),
            };
            return Err(Diagnostic::error(message).into());
        }
        Ok(rows)
    }

    /// The places of the two columns of pairs.
    pub(crate) fn pair_columns(&self, table: usize) -> Option<[usize; 2]> {
        let [one, other] = self.schema.target.pair.as_ref()?;
        Some([self.place_named(table, one)?, self.place_named(table, other)?])
    }

    /// Negatives for a table of pairs that are all positive.
    fn draw(&self, at: usize, pair: [usize; 2], weight: u32, options: &ExampleOptions) -> Vec<Example<'_>> {
        let table = self.table(at);
        let homes = self.pair_homes();
        let numbers = homes.map(|home| {
            let key = self.key(home).map(|key| &self.table(home).columns()[key]);
            let rows = key
                .into_iter()
                .flat_map(|key| key.codes().flatten().zip(0u32..).map(|(code, row)| (key.dictionary.get(code), row)));
            rows.collect::<HashMap<&str, u32>>()
        });
        let row = |side: usize, row: usize| {
            table.columns()[pair[side]].text(row).and_then(|text| numbers[side].get(text).copied())
        };
        let known: HashSet<(u32, u32)> = (0..table.rows()).filter_map(|at| Some((row(0, at)?, row(1, at)?))).collect();
        let sizes = (self.table(homes[0]).rows(), self.table(homes[1]).rows());
        let drawn = draw(&known, sizes, homes[0] == homes[1], wanted(options.negatives, known.len()), options.seed);
        let name = |side: usize, row: u32| self.row_name(homes[side], row as usize);
        let negative =
            |(one, other)| Example { one: name(0, one), other: Some(name(1, other)), row: None, label: 1, weight };
        drawn.into_iter().map(negative).collect()
    }

    /// The tables whose rows the pairs are of.
    fn pair_homes(&self) -> [usize; 2] {
        let columns = &self.schema.tables[self.target_table()];
        let home = |title: &String| {
            let to = columns.column(title).and_then(|column| column.to.as_deref());
            to.and_then(|to| self.schema.position(to)).unwrap_or(0)
        };
        self.schema.target.pair.as_ref().map_or([0, 0], |[one, other]| [home(one), home(other)])
    }
}

/// The labels of pairs that have none.
fn pair_labels() -> Vec<String> {
    vec!["yes".to_owned(), "no".to_owned()]
}

/// The labels of a target, those of pairs without labels included.
pub(crate) fn label_names(target: &Target) -> Vec<String> {
    if target.column.is_none() { pair_labels() } else { names(target) }
}

/// How many negatives are wanted.
fn wanted(ratio: f64, positives: usize) -> usize {
    // Ratios are small positive numbers, and there are no more pairs than rows.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let wanted = (ratio * positives as f64).round().clamp(0.0, 1e9) as usize;
    wanted
}
