//! `symsnap experiment replay DIR`: recorded runs of a learner through all methods, beside its last hypotheses.

use crate::Exit;
use crate::files::Files;
use crate::learn::parse_seconds;
use crate::limits::{Ended, Limits, keep};
use crate::output::{complain, count, print};
use crate::signals;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;
use symsnap::Result;
use symsnap::internals::run::watchdog::GRACE;
use symsnap_lab::experiment::{recorded_runs, replay_csv, replay_json, replay_text, replayable};

/// Replay recorded runs of a learner: what each method makes of the hypotheses that it found, on test examples.
///
/// DIR has a folder for each task, with bk.pl, exs.pl, bias.pl, test_exs.pl (and test_bk.pl, if test examples have another
/// background) and for each cost a file such as mdl.jsonl with the hypotheses in the order in which they were found.
#[derive(Args)]
#[command(after_help = "Methods that learn again or hold examples out cannot be replayed.\n\
    Limits end it with the runs that were replayed by then.\n\
    Exit codes: 0 done; 1 some runs could not be replayed; 2 bad input or usage; 3 a limit came first; 130 interrupted.")]
pub struct Replay {
    /// The folder with the recorded runs.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Only this method; may be given several times. All that can be replayed if not given.
    #[arg(long = "method", value_name = "NAME")]
    methods: Vec<String>,
    /// Seconds for making one ensemble.
    #[arg(long, value_name = "S", default_value_t = 60.0, allow_negative_numbers = true, value_parser = parse_seconds)]
    each: f64,
    #[command(flatten)]
    limits: Limits,
    /// Write a line for each run and method to this file.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(short, long)]
    quiet: bool,
}

impl Replay {
    /// Replay, and print the tables.
    pub fn run(self) -> Result<Exit> {
        let methods = replayable(&self.methods)?;
        let runs = recorded_runs(&self.folder)?;
        let target = self.csv.as_deref().map(|path| Files::default().output(path)).transpose()?;
        let cancel = signals::cancel();
        let budget = self.limits.budget();
        let (mut done, mut failed) = (Vec::new(), Vec::new());
        let mut stopped = None;
        for (at, run) in runs.iter().enumerate() {
            if cancel.is_raised() {
                break;
            }
            if !self.quiet {
                complain(&format!("{} of {}: {} {}", at + 1, count(runs.len(), "run"), run.task, run.cost.name()));
            }
            let (one, with, each, flag) = (run.clone(), methods.clone(), self.each, cancel.clone());
            let ended = keep(&budget, GRACE, move |stage| {
                stage.at("replaying");
                Ok(one.replay(&with, Duration::from_secs_f64(each), &flag))
            })?;
            match ended {
                Ended::Done(Ok(replayed)) => done.push((run.clone(), replayed)),
                Ended::Done(Err(error)) => failed.push((run, error.to_string())),
                Ended::Stopped(at) => {
                    stopped = Some(at);
                    break;
                }
            }
        }
        if let Some(target) = target {
            target.write(replay_csv(&done).as_bytes())?;
        }
        if self.json {
            let mut value = replay_json(&done);
            let failed =
                failed.iter().map(|(run, error)| json!({ "task": run.task, "cost": run.cost.name(), "error": error }));
            value["failed"] = json!(failed.collect::<Vec<_>>());
            value["interrupted"] = json!(cancel.is_raised());
            print(&format!("{value}\n"))?;
        } else {
            let mut text = format!("{} of {} replayed\n", done.len(), count(runs.len(), "recorded run"));
            for (run, error) in &failed {
                text += &format!(
                    "not replayed: {} {}: {}\n",
                    run.task,
                    run.cost.name(),
                    error.lines().next().unwrap_or("")
                );
            }
            print(&(text + &replay_text(&done)))?;
        }
        if let Some(stopped) = stopped {
            complain(&stopped.message("what methods make of the other runs"));
            return Ok(stopped.exit());
        }
        Ok(match (cancel.is_raised(), failed.is_empty()) {
            (true, _) => Exit::Interrupted,
            (false, true) => Exit::Done,
            (false, false) => Exit::NothingLearned,
        })
    }
}
