//! The binary `symsnap`: argument checks, files and formatting around the library, one file per command.
//!
//! Exit codes: 0 done; 1 ran, but nothing was learned; 2 bad input or usage; 3 stopped by a limit before any
//! hypothesis; 130 interrupted. On 2 standard output stays empty and standard error says what is wrong and where.

mod check;
mod ensemble;
mod experiment;
mod explain;
mod export;
mod generate;
mod learn;
mod listener;
mod method;
mod model;
mod output;
mod outside;
mod patience;
mod predict;
mod progress;
mod report;
mod show;
mod test;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Learn logic programs from examples and background knowledge.
#[derive(Parser)]
#[command(name = "symsnap", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Learn(learn::Learn),
    Check(check::Check),
    Test(test::Test),
    Predict(predict::Predict),
    Show(show::Show),
    Explain(explain::Explain),
    Ensemble(ensemble::Ensemble),
    Generate(generate::Generate),
    Experiment(experiment::Experiment),
    Report(report::Report),
    Export(export::Export),
}

/// How a command ended, as the exit code tells it.
#[derive(Clone, Copy)]
enum Exit {
    Done = 0,
    NothingLearned = 1,
    BadInput = 2,
    Limit = 3,
    Interrupted = 130,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Learn(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Test(command) => command.run(),
        Command::Predict(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Ensemble(command) => command.run(),
        Command::Generate(command) => command.run(),
        Command::Experiment(command) => command.run(),
        Command::Report(command) => command.run(),
        Command::Export(command) => command.run(),
    };
    let exit = result.unwrap_or_else(|error| {
        output::complain(&error);
        Exit::BadInput
    });
    ExitCode::from(exit as u8)
}
