//! `symsnap predict MODEL --table FILE`: labels for the rows of new tables, as CSV or JSON lines.

use super::{Predict, Shown, score};
use crate::limits::Stage;
use crate::output::{complain, count, fraction, print};
use crate::tables::ReadingMeter;
use serde_json::{Map, Value, json};
use symsnap::internals::evaluate::ProbabilityScore;
use symsnap::{Diagnostic, Result};
use symsnap_tables::{RowPrediction, TableModel, TablePredictor, csv_line};

/// Rows that are predicted, and printed, at once.
const BATCH: usize = 1 << 14;

impl Predict {
    /// Read tables, predict their rows, show.
    pub(super) fn predict_tables(&self, model: &TableModel, stage: &Stage, shown: &Shown) -> Result<()> {
        if self.votes {
            let finding = Diagnostic::error("--votes is for examples that are given with --examples");
            return Err(finding.with_help("leave it out").into());
        }
        stage.at("reading the tables");
        let name = self.model.display().to_string();
        let mut meter = ReadingMeter::new(self.json);
        let tables = self.background.tables(model, &name, &mut |file, part| meter.show(file, part))?;
        drop(meter);
        let mut predictor = TablePredictor::new(model, &name, tables)?;
        predictor.warnings.iter().for_each(complain);
        if model.models.iter().all(|model| model.members.is_empty()) {
            complain(&Diagnostic::warning("the model has no members: nothing was learned"));
        }
        stage.at("predicting");
        let (titles, labels) = (predictor.key_titles(), predictor.labels().to_vec());
        if !self.json {
            let mut line = titles.clone();
            line.extend(["label".to_owned(), "probability".to_owned()]);
            if labels.len() > 2 {
                line.extend(labels.iter().map(|label| format!("probability_{label}")));
            }
            print(&csv_line(&line))?;
        }
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.threads.map_or(0, usize::from)).build();
        let threads = threads.map_err(|error| Diagnostic::error(format!("cannot start threads: {error}")))?;
        let (mut known, mut right, mut scored) = (0, 0, ProbabilityScore::default());
        for begin in (0..predictor.rows()).step_by(BATCH) {
            let end = (begin + BATCH).min(predictor.rows());
            let said = threads.install(|| predictor.predict(begin..end))?;
            let mut text = String::new();
            for row in &said {
                known += usize::from(row.truth.is_some());
                right += usize::from(row.truth == Some(row.label));
                row.truth.iter().for_each(|&truth| scored.count(&row.probabilities, truth, 1.0));
                text += &if self.json { json_line(row, &titles, &labels) } else { line(row, &labels) };
            }
            shown.print(&text, said.len())?;
        }
        if known > 0 {
            let accuracy = right as f64 / known as f64;
            if self.json {
                let mut value = json!({ "accuracy": accuracy, "rows": known });
                score::json(&scored, &mut value);
                complain(&value);
            } else {
                let rows = count(known, "row");
                let text = format!("accuracy {} on {rows} with known labels\n", fraction(Some(accuracy)));
                complain(&(text + score::text(&scored, labels.len()).trim_end()));
            }
        }
        Ok(())
    }
}

/// A row as CSV: the probability is that of the positive label, or of the class that is predicted.
fn line(row: &RowPrediction, labels: &[String]) -> String {
    let mut cells = row.keys.clone();
    cells.push(labels[row.label].clone());
    let shown = if labels.len() == 2 { 0 } else { row.label };
    cells.push(format!("{:.4}", row.probabilities[shown]));
    if labels.len() > 2 {
        cells.extend(row.probabilities.iter().map(|probability| format!("{probability:.4}")));
    }
    csv_line(&cells)
}

fn json_line(row: &RowPrediction, titles: &[String], labels: &[String]) -> String {
    let keys: Map<String, Value> =
        titles.iter().zip(&row.keys).map(|(title, key)| (title.clone(), Value::from(key.as_str()))).collect();
    let each: Map<String, Value> = labels
        .iter()
        .zip(&row.probabilities)
        .map(|(label, &probability)| (label.clone(), json!(probability)))
        .collect();
    let shown = if labels.len() == 2 { 0 } else { row.label };
    let mut line = json!({
        "keys": keys,
        "label": labels[row.label],
        "probability": row.probabilities[shown],
        "probabilities": each,
        "votes": labels.iter().zip(&row.votes).map(|(label, &share)| (label.clone(), json!(share))).collect::<Map<_, _>>(),
    });
    if let Some(truth) = row.truth {
        line["truth"] = Value::from(labels[truth].as_str());
    }
    format!("{line}\n")
}
