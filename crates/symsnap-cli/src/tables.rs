//! Options of the commands that read tables, and how far reading has come.

use clap::Args;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use symsnap::{Diagnostic, Result};
use symsnap_tables::{ExampleOptions, Schema, TableRequest, is_table_file, is_table_folder};

/// Tables to learn from.
#[derive(Args, Clone)]
pub struct TableArgs {
    /// What to predict: a column of the table, or a file with pairs of keys.
    #[arg(long, value_name = "COLUMN", help_heading = "Tables")]
    target: Option<String>,
    /// Another table, linked to the first by keys; may be given several times. NAME=FILE gives it another name than that of
    /// its file.
    #[arg(long, value_name = "FILE", help_heading = "Tables")]
    table: Vec<String>,
    /// What the tables mean, as `symsnap import` writes it, instead of what can be inferred.
    #[arg(long, value_name = "FILE", help_heading = "Tables")]
    schema: Option<std::path::PathBuf>,
    /// Which label is positive; of more than two labels, which is told from the rest.
    #[arg(long, value_name = "LABEL", help_heading = "Tables")]
    positive: Option<String>,
    /// The column with the weights of the rows.
    #[arg(long, value_name = "COLUMN", help_heading = "Tables")]
    weight: Option<String>,
    /// `balanced`: give labels such weights that all weigh the same.
    #[arg(long, value_name = "HOW", value_parser = ["balanced"], help_heading = "Tables")]
    class_weight: Option<String>,
    /// For pairs without labels: draw R negatives for each of them.
    #[arg(long, value_name = "R", value_parser = parse_ratio, help_heading = "Tables")]
    negatives: Option<f64>,
}

/// A ratio, above 0.
fn parse_ratio(text: &str) -> std::result::Result<f64, String> {
    let ratio = text.parse().ok().filter(|ratio: &f64| (0.001..=10_000.0).contains(ratio));
    ratio.ok_or_else(|| "expected a number from 0.001 to 10000".to_owned())
}

impl TableArgs {
    /// What is asked for, if `first` is a table or a folder of tables.
    ///
    /// # Errors
    /// If it is neither, but there are options for tables.
    pub fn request(&self, first: &Path) -> Result<Option<TableRequest>> {
        if is_table_file(first) || is_table_folder(first) || self.schema.is_some() {
            return Ok(Some(self.to_request(first)));
        }
        let given = [
            ("--target", self.target.is_some()),
            ("--table", !self.table.is_empty()),
            ("--positive", self.positive.is_some()),
            ("--weight", self.weight.is_some()),
            ("--class-weight", self.class_weight.is_some()),
            ("--negatives", self.negatives.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                let finding = Diagnostic::error(format!("{option} is for tables, and {} is none", first.display()));
                Err(finding
                    .with_help("a table is a file that ends with .csv, .tsv, .parquet or .arrow, or a folder with a schema.toml")
                    .into())
            }
            None => Ok(None),
        }
    }

    /// What is asked for of `first`, whatever it is.
    pub fn to_request(&self, first: &Path) -> TableRequest {
        TableRequest {
            first: first.to_owned(),
            tables: self.table.clone(),
            schema: self.schema.clone(),
            target: self.target.clone(),
            positive: self.positive.clone(),
            weight: self.weight.clone(),
        }
    }

    /// The folder of the schema, if there is one: its files are seen from there.
    pub fn schema_folder(&self, first: &Path) -> Option<std::path::PathBuf> {
        match &self.schema {
            Some(schema) => schema.parent().map(Path::to_owned),
            None => first.is_dir().then(|| first.to_owned()),
        }
    }

    /// How examples are made.
    pub fn example_options(&self, seed: u64) -> ExampleOptions {
        let usual = ExampleOptions::default();
        let negatives = self.negatives.unwrap_or(usual.negatives);
        ExampleOptions { balanced: self.class_weight.is_some(), negatives, seed }
    }

    /// The options as they stand on a command line, for commands to be tried next.
    pub fn spelled(&self) -> String {
        let word = |text: &str| {
            let plain = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_-./=:+,".contains(c));
            if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
        };
        let schema = self.schema.as_ref().map(|path| path.display().to_string());
        let singles = [
            ("--target", &self.target),
            ("--schema", &schema),
            ("--positive", &self.positive),
            ("--weight", &self.weight),
        ];
        let mut text = String::new();
        self.table.iter().for_each(|table| text += &format!(" --table {}", word(table)));
        for (option, value) in singles {
            value.iter().for_each(|value| text += &format!(" {option} {}", word(value)));
        }
        self.class_weight.iter().for_each(|how| text += &format!(" --class-weight {how}"));
        self.negatives.iter().for_each(|ratio| text += &format!(" --negatives {ratio}"));
        text
    }
}

/// Which labels there are, in words: `active: yes (30 rows) against no (70 rows)`.
pub fn labels_in_words(schema: &Schema, labels: &[String], counts: &[usize]) -> String {
    let target = schema.target.column.as_deref().unwrap_or(&schema.target.table);
    let each = labels.iter().zip(counts);
    let each: Vec<String> =
        each.map(|(label, &count)| format!("{label} ({})", crate::output::count(count, "row"))).collect();
    let word = if labels.len() == 2 { " is positive, " } else { ", " };
    let last = if labels.len() == 2 { " is negative" } else { "" };
    format!("{target}: {}{last}", each.join(word))
}

/// A line on the terminal that says how far reading has come, if it takes longer than a second.
pub struct ReadingMeter {
    begun: Instant,
    last: Option<Instant>,
    quiet: bool,
}

impl ReadingMeter {
    /// Nothing is shown yet.
    pub fn new(quiet: bool) -> Self {
        ReadingMeter { begun: Instant::now(), last: None, quiet: quiet || !std::io::stderr().is_terminal() }
    }

    /// A part of the file has been read.
    pub fn show(&mut self, file: &Path, part: f64) {
        const PAUSE: Duration = Duration::from_millis(100);
        if self.quiet || self.begun.elapsed().as_secs() < 1 || self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        self.last = Some(Instant::now());
        let _ = write!(std::io::stderr(), "\r\u{1b}[2Kreading {}: {:.0} %", file.display(), part * 100.0);
    }
}

impl Drop for ReadingMeter {
    fn drop(&mut self) {
        if self.last.is_some() {
            let _ = write!(std::io::stderr(), "\r\u{1b}[2K");
        }
    }
}
