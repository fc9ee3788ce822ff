//! `symsnap export MODEL --to SYSTEM`: a model as a program for another system; the library lists which.

use crate::Exit;
use crate::background::Background;
use crate::files::Files;
use crate::limits::{Ended, Limits, Stage};
use crate::models::ClassChoice;
use crate::output::{complain, print};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;
use std::path::{Path, PathBuf};
use symsnap::internals::ensemble::export_named;
use symsnap::internals::task::Queries;
use symsnap::{Diagnostic, EXPORTS, Error, Examples, Exported, Predictor, Result, Text};
use symsnap_tables::TableModel;

/// Write a model as a program for another system: Prolog, or SQL for SQLite, DuckDB and other databases.
#[derive(Args)]
#[command(after_help = list())]
pub struct Export {
    /// The model file, as `learn -o` writes it.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// For which system.
    #[arg(long, value_name = "SYSTEM", value_parser = names())]
    to: &'static symsnap::Export,
    #[command(flatten)]
    background: Background,
    /// For SQL: write the background's facts, too.
    #[arg(long)]
    facts: bool,
    /// For SQL: write these examples, too.
    #[arg(long, value_name = "FILE")]
    examples: Option<PathBuf>,
    #[command(flatten)]
    class: ClassChoice,
    #[command(flatten)]
    limits: Limits,
    /// Write to this file instead of standard output.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print one JSON object that holds the text, or says where it was written.
    #[arg(long)]
    json: bool,
}

/// What the exports are, for the help.
fn list() -> String {
    let width = EXPORTS.iter().map(|export| export.name.len()).max().unwrap_or(0);
    let indent = " ".repeat(width + 4);
    let each = EXPORTS.iter().map(|export| {
        let lines = export.summary.replace('\n', &format!("\n{indent}"));
        format!("  {:<width$}  {lines}", export.name)
    });
    let each: Vec<String> = each.collect();
    each.join("\n")
}

/// Takes the name of an export.
fn names() -> impl TypedValueParser<Value = &'static symsnap::Export> {
    let names = PossibleValuesParser::new(EXPORTS.iter().map(|export| export.name));
    names.map(|name| export_named(&name).expect("a possible value is the name of an export"))
}

impl Export {
    /// Read and write.
    pub fn run(self) -> Result<Exit> {
        let files = self.background.files(Files::default().reading_model(&self.model));
        let mut files = files.maybe_reading(self.examples.as_deref());
        files.printing()?;
        let target = self.output.as_deref().map(|path| files.output(path)).transpose()?;
        let (json, to, output) = (self.json, self.to, self.output.clone());
        let text = match self.limits.clone().keep(move |stage| self.text(stage))? {
            Ended::Done(text) => text,
            Ended::Stopped(stopped) => return stopped.tell(json, "the exported model"),
        };
        let answer = match (target, json) {
            (None, false) => text,
            (None, true) => format!("{}\n", json!({ "to": to.name, "text": text })),
            (Some(target), json) => {
                target.write(text.as_bytes())?;
                let name = output.unwrap_or_default().display().to_string();
                if json {
                    format!("{}\n", json!({ "to": to.name, "output": name }))
                } else {
                    format!("{name} written\n")
                }
            }
        };
        print(&answer)?;
        Ok(Exit::Done)
    }

    fn text(&self, stage: &Stage) -> Result<String> {
        stage.at("reading the model");
        // The library knows no tables; what a model knows of them is beside it in the file.
        let whole = self.to.name == "json" && self.class.class.is_none() && !self.facts && self.examples.is_none();
        if let Some(whole) = whole.then(|| TableModel::read(&self.model)).transpose()?.flatten() {
            return Ok(whole.without_training().to_json());
        }
        let model = self.class.read(&self.model)?;
        if !self.to.background && (self.facts || self.examples.is_some()) {
            let others: Vec<String> = EXPORTS
                .iter()
                .filter(|export| export.background)
                .map(|export| format!("`--to {}`", export.name))
                .collect();
            let finding = Diagnostic::error(format!("--facts and --examples are for {}", others.join(" and ")));
            return Err(finding.with_help("leave them out, or export for another system").into());
        }
        let mut predictor = if self.to.background {
            stage.at("evaluating the background");
            self.background.open(&model, &self.model)?
        } else {
            Predictor::new(&model, &[])?
        };
        let examples = self.examples.as_deref().map(|path| read_examples(path, &mut predictor)).transpose()?;
        let (facts, examples) = (self.facts, examples.as_ref());
        let text = self.to.write(&Exported { model: &model, predictor: &predictor, facts, examples })?;
        if model.members.is_empty() {
            complain(&Diagnostic::warning("the model has no members and predicts all negative"));
        }
        Ok(text)
    }
}

/// The atoms of a file, whatever their labels; without a label they count as positive.
fn read_examples(path: &Path, predictor: &mut Predictor) -> Result<Examples> {
    let bytes = symsnap::internals::file::read(path)?;
    let source = Text::from_bytes(path.display().to_string(), &bytes).map_err(|finding| Error::from(*finding))?;
    let mut queries = Queries::new(path.display().to_string(), source.text.as_bytes(), predictor.head());
    let mut examples = Examples::new(predictor.head());
    loop {
        let batch = queries.next(predictor.terms_to_keep())?;
        if batch.is_empty() {
            return Ok(examples);
        }
        for at in 0..batch.len() {
            examples.push(batch.label(at).is_none_or(|(positive, _)| positive), batch.args(at), 1);
        }
    }
}
