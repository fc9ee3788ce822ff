//! `symsnap ensemble DIR --from FILE|-`: a model from hypotheses that another learner found.

use crate::Exit;
use crate::learn::parse_cost;
use crate::method;
use crate::output::{count, print};
use clap::Args;
use serde_json::json;
use std::io::Read;
use std::path::{Path, PathBuf};
use symsnap::cost::Cost;
use symsnap::ensemble::{Model, Needs, Training, evaluate, read_outside};
use symsnap::error::{Diagnostic, Error, Result};
use symsnap::parse::Source;
use symsnap::snapshot::SnapshotPool;
use symsnap::task::{Task, read_file};

/// Make a model of hypotheses from elsewhere: snapshots as JSON lines, or a log of Popper.
#[derive(Args)]
#[command(after_help = method::list())]
pub struct Ensemble {
    /// The folder with bk.pl, exs.pl and bias.pl.
    #[arg(value_name = "DIR")]
    task: PathBuf,
    /// The hypotheses, in the order in which they were found; `-` for standard input.
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// The cost that decides which hypotheses are snapshots.
    #[arg(long, value_name = "NAME", default_value = "mdl", value_parser = parse_cost)]
    cost: Cost,
    #[command(flatten)]
    choice: method::Choice,
    /// Examples that the hypotheses were not learned from, for methods that choose by them.
    #[arg(long, value_name = "FILE")]
    held_out: Option<PathBuf>,
    /// Seed for the random choices of a method.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Keep only snapshots that are strictly better than all before, not ties.
    #[arg(long)]
    strict: bool,
    /// Write the ensemble to this file.
    #[arg(short = 'o', long = "output", value_name = "MODEL")]
    output: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

impl Ensemble {
    /// Read, test, weigh, write.
    pub fn run(self) -> Result<Exit> {
        let method = self.choice.method()?;
        let held_out_given = self.held_out.is_some();
        let lacks = match method.needs() {
            Needs::Learner => Some("learns again, which `symsnap ensemble` cannot"),
            Needs::HeldOut if !held_out_given => Some("chooses by examples that the hypotheses were not learned from"),
            _ => None,
        };
        if let Some(lacks) = lacks {
            let help = match method.needs() {
                Needs::Learner => "use it with `symsnap learn`",
                _ => "give them with --held-out FILE",
            };
            return Err(Diagnostic::error(format!("the method `{}` {lacks}", method.name())).with_help(help).into());
        }
        let mut task = Task::from_dir(&self.task)?;
        let held_out = self.held_out.as_ref().map(|path| task.read_examples_file(path)).transpose()?;
        let (name, bytes) = self.input()?;
        let source = Source::from_bytes(name.as_str(), &bytes).map_err(|finding| Error::from(*finding))?;
        let found = read_outside(&name, source.text)?;
        let candidates = evaluate(&name, &found, &mut task, self.cost)?;
        let mut pool = SnapshotPool::new(self.strict, SnapshotPool::CAP);
        candidates.iter().for_each(|candidate| {
            pool.offer(candidate);
        });
        let mut training = Training::new(&task, &pool, self.cost).with_seed(self.seed);
        if let Some(examples) = &held_out {
            training = training.with_held_out(examples);
        }
        let model = Model::fit(&training, &*method)?.learned_from(&self.task)?;
        if let Some(path) = &self.output {
            model.write(path)?;
        }
        let (taken, best) = (pool.members().len(), pool.best());
        print(&if self.json {
            let best = best.map(|best| best.0.clone());
            let cost = self.cost.name();
            format!("{}\n", json!({ "cost": cost, "found": found.len(), "snapshots": taken, "value": best }))
        } else {
            let best = best.map_or_else(String::new, |best| format!("; best {} {best}", self.cost.name()));
            let hypotheses =
                if found.len() == 1 { "1 hypothesis".to_owned() } else { format!("{} hypotheses", found.len()) };
            let written =
                self.output.as_ref().map_or_else(String::new, |path| format!("model written to {}\n", path.display()));
            format!("{hypotheses} read, {} taken{best}\n{written}", count(taken, "snapshot"))
        })?;
        Ok(if taken == 0 { Exit::NothingLearned } else { Exit::Done })
    }

    fn input(&self) -> Result<(String, Vec<u8>)> {
        if self.from != Path::new("-") {
            return Ok((self.from.display().to_string(), read_file(&self.from)?));
        }
        let mut bytes = Vec::new();
        let read = std::io::stdin().read_to_end(&mut bytes);
        read.map_err(|source| Error::Io { action: "read", path: "standard input".into(), source })?;
        Ok(("<standard input>".to_owned(), bytes))
    }
}
