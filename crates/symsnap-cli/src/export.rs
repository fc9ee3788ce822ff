//! `symsnap export MODEL --to prolog|sql|json`: a model as a program for another system.

use crate::Exit;
use crate::background::Background;
use crate::files::Files;
use crate::limits::{Ended, Limits, Stage};
use crate::output::{complain, print};
use clap::{Args, ValueEnum};
use serde_json::json;
use std::path::{Path, PathBuf};
use symsnap::Text;
use symsnap::internals::task::Queries;
use symsnap::{Diagnostic, Error, Examples, Model, Predictor, Result, Sql, export_prolog, export_sql};

/// Write a model as a program for another system: Prolog, or SQL for SQLite, DuckDB and other databases.
#[derive(Args)]
#[command(after_help = "\
  prolog  load it after the background, `swipl bk.pl model.pl`, and ask symsnap_label(Atom, Label) or
          symsnap_probability(Atom, Share)
  sql     a table for each predicate, a table `examples` (id, a1, a2, ...) for what is to be predicted, and a view
          `predictions` (id, probability, label); all terms are text. With --facts the tables are filled from the
          background, with --examples the table `examples` from a file, numbered from 0, positives first. Only this
          looks at a background
  json    the model file itself, without what is only about its training")]
pub struct Export {
    /// The model file, as `learn -o` writes it.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// For which system.
    #[arg(long, value_name = "SYSTEM")]
    to: System,
    #[command(flatten)]
    background: Background,
    /// For SQL: write the background's facts, too.
    #[arg(long)]
    facts: bool,
    /// For SQL: write these examples, too.
    #[arg(long, value_name = "FILE")]
    examples: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// Write to this file instead of standard output.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print one JSON object that holds the text, or says where it was written.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
enum System {
    Prolog,
    Sql,
    Json,
}

impl Export {
    /// Read and write.
    pub fn run(self) -> Result<Exit> {
        let files = self.background.files(Files::default().reading(&self.model));
        let mut files = files.maybe_reading(self.examples.as_deref());
        files.printing()?;
        let target = self.output.as_deref().map(|path| files.output(path)).transpose()?;
        let (json, to, output) = (self.json, self.to, self.output.clone());
        let text = match self.limits.clone().keep(move |stage| self.text(stage))? {
            Ended::Done(text) => text,
            Ended::Stopped(stopped) => return stopped.tell(json, "the exported model"),
        };
        let system = to.to_possible_value().map_or_else(String::new, |it| it.get_name().to_owned());
        let answer = match (target, json) {
            (None, false) => text,
            (None, true) => format!("{}\n", json!({ "to": system, "text": text })),
            (Some(target), json) => {
                target.write(text.as_bytes())?;
                let name = output.unwrap_or_default().display().to_string();
                if json {
                    format!("{}\n", json!({ "to": system, "output": name }))
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
        let model = Model::read(&self.model)?;
        if self.to != System::Sql && (self.facts || self.examples.is_some()) {
            let finding = Diagnostic::error("--facts and --examples are for SQL");
            return Err(finding.with_help("leave them out, or export with `--to sql`").into());
        }
        let text = match self.to {
            System::Prolog => export_prolog(&Predictor::new(&model, &[])?),
            System::Sql => {
                stage.at("evaluating the background");
                let mut predictor = self.background.open(&model, &self.model)?;
                let examples = self.examples.as_deref().map(|path| read_examples(path, &mut predictor)).transpose()?;
                let mut options = Sql::default();
                options.facts = self.facts;
                options.examples = examples.as_ref();
                export_sql(&predictor, options)?
            }
            System::Json => {
                let mut model = model.clone();
                (model.task, model.fingerprint) = (None, None);
                model.to_json()
            }
        };
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
