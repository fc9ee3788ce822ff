//! The binary `symsnap`: argument checks, files and formatting around the library, one file per command.
//!
//! Exit codes: 0 done; 1 ran, but nothing was learned; 2 bad input or usage; 3 stopped by a limit before any
//! hypothesis or a complete answer; 130 interrupted. On 2 standard error says what is wrong and where; standard output
//! stays empty, unless there is a result that could not be written.

mod background;
mod check;
mod completions;
mod ensemble;
mod experiment;
mod explain;
mod export;
mod files;
mod generate;
mod import;
mod intake;
mod keep;
mod learn;
mod limits;
mod listener;
mod man;
mod method;
mod models;
mod output;
mod popper;
mod predict;
mod progress;
mod replay;
mod report;
mod show;
mod signals;
mod tables;
mod test;
mod training;

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use symsnap::Result;

/// Learn logic programs from examples and background knowledge.
#[derive(Parser)]
#[command(name = "symsnap", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Learn(Box<learn::Learn>),
    Import(import::Import),
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
    Completions(completions::Completions),
    Man(man::Man),
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
    if std::env::args_os().skip(1).any(|argument| argument == "--help-methods") {
        return match output::print(&method::list_all()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(Exit::BadInput as u8),
        };
    }
    #[cfg(feature = "columnar")]
    keep_decoding_quiet();
    let arguments = Arguments::try_parse().unwrap_or_else(|error| output::misused(&error));
    let result = signals::listen().and_then(|()| run(arguments.command));
    let exit = result.unwrap_or_else(|error| {
        output::fail(&error);
        Exit::BadInput
    });
    ExitCode::from(exit as u8)
}

/// What the decoders of columnar files panic about becomes an error; the panic itself is not for users.
#[cfg(feature = "columnar")]
fn keep_decoding_quiet() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !symsnap_tables::is_decoding() {
            usual(panic);
        }
    }));
}

fn run(command: Command) -> Result<Exit> {
    match command {
        Command::Learn(command) => command.run(),
        Command::Import(command) => command.run(),
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
        Command::Completions(command) => command.run(),
        Command::Man(command) => command.run(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// The names of the commands below `command` that have no commands below them and do not take `option`.
    fn without(command: &clap::Command, option: &str) -> Vec<String> {
        let mut below = command.get_subcommands().peekable();
        if below.peek().is_none() {
            let takes = command.get_arguments().any(|argument| argument.get_long() == Some(option));
            return if takes { Vec::new() } else { vec![command.get_name().to_owned()] };
        }
        below.flat_map(|command| without(command, option)).collect()
    }

    #[test]
    fn all_commands_take_json() {
        assert_eq!(without(&Arguments::command(), "json"), Vec::<String>::new());
    }

    #[test]
    fn all_commands_that_evaluate_take_limits() {
        let free = ["generate", "plan", "run", "collect", "completions", "man"];
        assert_eq!(without(&Arguments::command(), "timeout"), free);
        assert_eq!(without(&Arguments::command(), "max-memory"), free);
    }
}
