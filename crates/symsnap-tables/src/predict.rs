//! What a model says about the rows of new tables.

use crate::examples::label_names;
use crate::findings::{count, list, quoted};
use crate::fit::{Dataset, Purpose};
use crate::kind::Kind;
use crate::labels::Labels;
use crate::model::{TableModel, TableOrigin};
use crate::table::Table;
use crate::task::TableTask;
use crate::value;
use std::ops::Range;
use symsnap::{Diagnostic, Predictions, Predictor, Result, Value};

/// Unknown categories that a warning names.
const NAMED: usize = 3;

/// What is said about a row, or a pair of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct RowPrediction {
    /// What names it: its key, its number, or the keys of a pair.
    pub keys: Vec<String>,
    /// The place of its label.
    pub label: usize,
    /// The probability of each label; they sum to 1.
    pub probabilities: Vec<f64>,
    /// The share of the votes for each label, among those who vote about it.
    pub votes: Vec<f64>,
    /// The place of the label that the table gives it, if it gives one.
    pub truth: Option<usize>,
}

/// A model over new tables.
#[derive(Debug)]
pub struct TablePredictor {
    predictors: Vec<Predictor>,
    data: Dataset,
    labels: Vec<String>,
    /// How often each label was seen in training, as a share.
    priors: Vec<f64>,
    truth: Option<Labels>,
    /// What is odd about the tables.
    pub warnings: Vec<Diagnostic>,
}

impl TablePredictor {
    /// The model over the tables; `file` is the model's, for messages.
    ///
    /// # Errors
    /// If the tables are not as the model's schema says.
    pub fn new(model: &TableModel, file: &str, tables: Vec<Table>) -> Result<Self> {
        let mut data = Dataset::new(model.origin.schema(file)?, tables, Purpose::Predicting)?;
        let mut warnings = std::mem::take(&mut data.warnings);
        warnings.extend(strange_categories(&data, &model.origin));
        let facts = TableTask::new(&data);
        warnings.extend(facts.incomplete.iter().cloned());
        let predictors: Result<Vec<Predictor>> =
            model.models.iter().map(|model| Predictor::new(model, facts.background())).collect();
        let at = data.target_table();
        let target = data.schema.target.clone();
        let column = target.column.as_deref().and_then(|title| data.place_named(at, title));
        let truth = column.map(|column| Labels::read(data.table(at), column, &target, false)).transpose()?;
        let labels = label_names(&target);
        warnings.extend(column.and_then(|column| strange_labels(data.table(at), column, truth.as_ref()?)));
        if labels != model.origin.labels {
            return Err(Diagnostic::error(format!("{file}: its labels are not those of its schema")).into());
        }
        let priors = shares(&model.origin.counts);
        Ok(TablePredictor { predictors: predictors?, data, labels, priors, truth, warnings })
    }

    /// The labels.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The titles of what names a row.
    pub fn key_titles(&self) -> Vec<String> {
        self.data.key_titles()
    }

    /// How many rows there are to predict.
    pub fn rows(&self) -> usize {
        self.data.table(self.data.target_table()).rows()
    }

    /// What is said about some of the rows. A pair that names only one row is left out.
    ///
    /// # Errors
    /// As [`Predictor::ask`].
    pub fn predict(&mut self, rows: Range<usize>) -> Result<Vec<RowPrediction>> {
        let at = self.data.target_table();
        let table = self.data.table(at);
        let pair = self.data.pair_columns(at);
        let mut asked: Vec<(usize, Vec<String>)> = Vec::with_capacity(rows.len());
        for row in rows {
            let keys = match pair {
                None => Some(vec![text(self.data.row_name(at, row))]),
                Some(columns) => {
                    let texts = columns.map(|column| table.columns()[column].text(row).map(str::to_owned));
                    texts.into_iter().collect()
                }
            };
            asked.extend(keys.map(|keys| (row, keys)));
        }
        let atoms = asked.iter().map(|(_, keys)| keys.iter().map(|key| value::name(key)).collect());
        let told = ask_all(&mut self.predictors, &self.priors, &atoms.collect::<Vec<_>>())?;
        let told = asked.into_iter().zip(told).map(|((row, keys), Answer { label, probabilities, votes })| {
            let truth = self.truth.as_ref().and_then(|truth| truth.of_rows[row]);
            RowPrediction { keys, label, probabilities, votes, truth }
        });
        Ok(told.collect())
    }
}

/// What is said about an atom.
pub(crate) struct Answer {
    pub(crate) label: usize,
    /// The probability of each label; they sum to 1.
    pub(crate) probabilities: Vec<f64>,
    /// The share of the votes for each label.
    pub(crate) votes: Vec<f64>,
}

/// What predictors, one for two labels or one for each class, say together.
pub(crate) fn ask_all(predictors: &mut [Predictor], priors: &[f64], atoms: &[Vec<Value<'_>>]) -> Result<Vec<Answer>> {
    let mut said: Vec<Predictions> = Vec::with_capacity(predictors.len());
    let several = predictors.len() > 1;
    for (at, predictor) in predictors.iter_mut().enumerate() {
        let mut told = predictor.ask(atoms.iter().map(|atom| atom.iter().copied()))?;
        // A class may have the vote against the rest and yet not be the likeliest: rows weigh, and others have it, too.
        if several {
            told.probabilities = told.shares.iter().map(|&share| predictor.worth(share)).collect();
        }
        // Where nothing was learned nobody votes, and the share of the training rows is all that is known.
        if predictor.hypotheses().is_empty() {
            told.probabilities.fill(priors[at]);
            told.labels.fill(priors[at] > 0.5);
        }
        said.push(told);
    }
    let told = (0..atoms.len()).map(|place| {
        let each = |of: fn(&Predictions) -> &[f64]| -> Vec<f64> {
            let values: Vec<f64> = said.iter().map(|said| of(said)[place]).collect();
            // What is not for the first of two labels is for the second.
            if let [one] = values[..] { vec![one, 1.0 - one] } else { values }
        };
        let (votes, probabilities) = (each(|said| &said.shares), each(|said| &said.probabilities));
        let (label, probabilities) = match said.as_slice() {
            [said] => (usize::from(!said.labels[place]), probabilities),
            _ => one_of_many(&probabilities, priors),
        };
        Answer { label, probabilities, votes }
    });
    Ok(told.collect())
}

/// How often each label was seen, as a share; without rows to go by, all labels are alike.
pub(crate) fn shares(counts: &[usize]) -> Vec<f64> {
    let total: usize = counts.iter().sum();
    let share = |&count: &usize| if total > 0 { count as f64 / total as f64 } else { 1.0 / counts.len() as f64 };
    counts.iter().map(share).collect()
}

/// Probabilities of classes from those that each has against the rest, and the most probable class. They are divided by their sum;
/// where all are 0, the shares of the training rows stand in. Equal ones are decided by these shares, too,
/// and then by order.
fn one_of_many(alone: &[f64], priors: &[f64]) -> (usize, Vec<f64>) {
    let sum: f64 = alone.iter().sum();
    let probabilities: Vec<f64> =
        if sum > 0.0 { alone.iter().map(|probability| probability / sum).collect() } else { priors.to_vec() };
    let better = |one: usize, other: usize| {
        let order = probabilities[one].total_cmp(&probabilities[other]).then(priors[one].total_cmp(&priors[other]));
        order.is_gt()
    };
    let best = (1..alone.len()).fold(0, |best, at| if better(at, best) { at } else { best });
    (best, probabilities)
}

/// The text of a name.
pub(crate) fn text(value: Value<'_>) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Atom(name) => name.to_owned(),
        // Rows have no other names.
        _ => String::new(),
    }
}

/// A warning if rows have labels that the model does not know: they are predicted, and nothing says whether that is right.
fn strange_labels(table: &Table, at: usize, truth: &Labels) -> Option<Diagnostic> {
    let column = &table.columns()[at];
    let strange = |row: &usize| truth.of_rows[*row].is_none() && column.code(*row).is_some();
    let rows = (0..table.rows()).filter(strange).count();
    let first = (0..table.rows()).find(strange)?;
    let mut names: Vec<&str> = (0..table.rows()).filter(strange).filter_map(|row| column.text(row)).collect();
    names.sort_unstable();
    names.dedup();
    let more = if names.len() > NAMED { ", ..." } else { "" };
    let verb = if rows == 1 { "has a label" } else { "have labels" };
    let message = format!(
        "{} of column {} {verb} that the model does not know, and {} not scored: {}{more}",
        count(rows, "row"),
        quoted(&column.name),
        if rows == 1 { "is" } else { "are" },
        list(names.iter().copied().take(NAMED))
    );
    let known = format!("it knows {}", list(truth.names.iter().map(String::as_str)));
    Some(Diagnostic::warning(message).at(table.place(first, at)).with_help(known))
}

/// A warning for each column with categories that were not there in training.
fn strange_categories(data: &Dataset, origin: &TableOrigin) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (at, table) in data.schema.tables.iter().enumerate() {
        for (place, column) in table.columns.iter().enumerate().filter(|(_, column)| column.kind == Kind::Category) {
            let (Some(known), Some(place)) = (origin.categories(&table.name, &column.name), data.place(at, place))
            else {
                continue;
            };
            let read = &data.table(at).columns()[place];
            let strange: Vec<&str> =
                read.dictionary.iter().filter(|text| !known.iter().any(|known| known == text)).collect();
            let Some(first) = strange.first().and_then(|text| read.dictionary.find(text)) else { continue };
            let counts = read.counts();
            let rows: usize =
                strange.iter().filter_map(|text| read.dictionary.find(text)).map(|code| counts[code as usize]).sum();
            let named = list(strange.iter().copied().take(NAMED));
            let more = if strange.len() > NAMED { ", ..." } else { "" };
            let verb = if rows == 1 { "has a category" } else { "have categories" };
            let message = format!(
                "{} of column {} {verb} that the model has not seen: {named}{more}",
                count(rows, "row"),
                quoted(&column.name)
            );
            let row = read.first_row(first).unwrap_or(0);
            findings.push(Diagnostic::warning(message).at(data.table(at).place(row, place)));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_of_classes_sum_to_one() {
        let (best, probabilities) = one_of_many(&[0.2, 0.6, 0.0], &[0.5, 0.3, 0.2]);
        assert_eq!(best, 1);
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(one_of_many(&[0.0, 0.0], &[0.4, 0.6]), (1, vec![0.4, 0.6]));
        assert_eq!(one_of_many(&[0.5, 0.5], &[0.4, 0.6]).0, 1);
        assert_eq!(one_of_many(&[0.5, 0.5], &[0.5, 0.5]).0, 0);
    }
}
