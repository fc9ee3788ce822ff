//! `symsnap import FILE.csv --target COLUMN`: what tables mean, to be read and edited; with `-o DIR` the task folder that they
//! are, too.

use crate::Exit;
use crate::files::Files;
use crate::limits::{Ended, Limits};
use crate::output::{complain, diagnostic_json, print};
use crate::tables::{ReadingMeter, TableArgs, labels_in_words};
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use symsnap::{Diagnostic, Error, Result};
use symsnap_tables::{Dataset, TableTask};

/// The files of a task folder that tables become.
const WRITTEN: [&str; 4] = ["bk.pl", "exs.pl", "bias.pl", "schema.toml"];

/// Show what tables mean, as a schema that can be edited, and write the task that they are.
#[derive(Args)]
pub struct Import {
    /// The table with the labels, a CSV, TSV, Parquet or Arrow file; or a folder with a schema.toml that says where the tables are.
    #[arg(value_name = "FILE")]
    first: PathBuf,
    #[command(flatten)]
    tables: TableArgs,
    /// Seed for negatives that are drawn.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write bk.pl, exs.pl, bias.pl and schema.toml into this folder; of several classes, a folder for each below it.
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

impl Import {
    /// Read, infer, show or write.
    pub fn run(self) -> Result<Exit> {
        let request = self.tables.to_request(&self.first);
        let files = request.files().iter().fold(Files::default(), |files, path| files.reading(path));
        files.printing()?;
        if let Some(folder) = &self.output {
            check_folder(folder)?;
        }
        let json = self.json;
        let mut meter = ReadingMeter::new(json);
        let work = self.limits.clone().keep(move |stage| {
            stage.at("reading the tables");
            let data = request.load(&mut |file, part| meter.show(file, part))?;
            drop(meter);
            self.answer(&data, files)
        })?;
        match work {
            Ended::Done(answer) => print(&answer).map(|()| Exit::Done),
            Ended::Stopped(stopped) => stopped.tell(json, "what the tables mean"),
        }
    }

    fn answer(&self, data: &Dataset, mut files: Files) -> Result<String> {
        let rows = data.examples(&self.tables.example_options(self.seed))?;
        let mut schema = data.schema.clone();
        let warnings: Vec<Diagnostic> = data.warnings.iter().chain(&rows.warnings).cloned().collect();
        let labels = labels_in_words(&data.schema, &rows.labels, &rows.counts());
        let mut written: Vec<String> = Vec::new();
        if let Some(folder) = &self.output {
            for table in &mut schema.tables {
                table.file = table.file.as_deref().map(|file| seen_from(folder, &self.base().join(file)));
            }
            let task = TableTask::new(data);
            let several = rows.labels.len() > 2;
            let folders = if several { class_folders(&rows.labels) } else { vec![String::new()] };
            let mut outputs = Vec::new();
            for (label, name) in folders.iter().enumerate() {
                let place = if several { folder.join(name) } else { folder.clone() };
                create(&place)?;
                let texts = task.texts(&rows, label);
                for (name, text) in WRITTEN.iter().zip([texts.bk, texts.exs, texts.bias]) {
                    outputs.push((files.output(&place.join(name))?, text));
                }
            }
            outputs.push((files.output(&folder.join("schema.toml"))?, schema.to_toml()));
            for (output, text) in outputs {
                written.push(output.path().display().to_string());
                output.write(text.as_bytes())?;
            }
        }
        if self.json {
            let counts: Vec<_> = rows
                .labels
                .iter()
                .zip(rows.counts())
                .map(|(label, count)| json!({ "label": label, "rows": count }))
                .collect();
            let warnings: Vec<_> = warnings.iter().map(diagnostic_json).collect();
            let answer =
                json!({ "labels": counts, "schema": schema.to_toml(), "files": written, "warnings": warnings });
            return Ok(format!("{answer}\n"));
        }
        warnings.iter().for_each(complain);
        complain(&format!("{}; {labels}", schema.summary()));
        Ok(match &self.output {
            None => schema.to_toml(),
            Some(_) => written.iter().map(|file| format!("{file} written\n")).collect(),
        })
    }

    /// The folder from which the files of the schema are seen.
    fn base(&self) -> PathBuf {
        self.tables.schema_folder(&self.first).unwrap_or_default()
    }
}

/// Only what an import has written is written over.
fn check_folder(folder: &Path) -> Result<()> {
    if folder.join("schema.toml").is_file() || !folder.exists() {
        return Ok(());
    }
    if !folder.is_dir() {
        return Err(Diagnostic::error(format!("{} is a file, not a folder", folder.display())).into());
    }
    match WRITTEN.iter().find(|name| folder.join(name).exists()) {
        None => Ok(()),
        Some(name) => {
            let finding = Diagnostic::error(format!("{} has a {name} that no import has written", folder.display()));
            Err(finding.with_help("name another folder").into())
        }
    }
}

fn create(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|source| Error::Io { action: "create", path: folder.to_owned(), source })
}

/// A folder for each class: its label, as far as that is made of letters, digits and `-`, and a number where two are the same.
fn class_folders(labels: &[String]) -> Vec<String> {
    let mut folders: Vec<String> = Vec::with_capacity(labels.len());
    for label in labels {
        let plain: String =
            label.chars().take(60).map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
        let mut name = plain.clone();
        let mut number = 2;
        // Some systems do not tell large letters from small ones.
        while name.is_empty() || folders.iter().any(|folder| folder.to_lowercase() == name.to_lowercase()) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        folders.push(name);
    }
    folders
}

/// The path of `file` seen from `folder`; both are seen from here.
fn seen_from(folder: &Path, file: &Path) -> String {
    let whole = |path: &Path| std::fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    let (Ok(folder), Ok(whole)) = (whole(folder), whole(file)) else { return file.display().to_string() };
    let common = folder.components().zip(whole.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(common).map(|_| Path::new("..").to_path_buf());
    let down = whole.components().skip(common).map(|part| PathBuf::from(part.as_os_str()));
    up.chain(down).collect::<PathBuf>().display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_folders_of_their_own() {
        let labels = ["a/b", "a b", "A_b", ""].map(str::to_owned);
        assert_eq!(class_folders(&labels), ["a_b", "a_b_2", "A_b_3", "_2"]);
    }

    #[test]
    fn files_are_seen_from_the_folder_of_the_schema() {
        assert_eq!(seen_from(Path::new("no/such/folder"), Path::new("no/data/a.csv")), "../../data/a.csv");
        assert_eq!(seen_from(Path::new("no/such"), Path::new("no/such/a.csv")), "a.csv");
    }
}
