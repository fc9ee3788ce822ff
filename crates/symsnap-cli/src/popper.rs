//! The flags of Popper, which reads the same files: who comes from there may type them here, too.
//!
//! Each has Popper's meaning, or none where there is nothing to choose here; either is said on standard error, with the
//! name that we have for it. What would be another result if it were left out is an error instead. They are those of
//! Popper 1 to 5 and hidden from `--help`.

use clap::Args;
use std::path::{Path, PathBuf};
use symsnap::{Diagnostic, Result, Task};

/// Flags of Popper that have another name here, or none.
#[derive(Args, Clone, Default)]
pub struct Popper {
    #[arg(short = 'n', long, hide = true, conflicts_with = "cost")]
    noisy: bool,
    #[arg(long, hide = true)]
    functional_test: bool,
    #[arg(long, hide = true)]
    all_opt: bool,
    #[arg(long, hide = true, conflicts_with = "max_clauses", value_parser = clap::value_parser!(u16).range(1..))]
    max_rules: Option<u16>,
    #[arg(long, hide = true)]
    bk_file: Option<PathBuf>,
    #[arg(long, hide = true)]
    ex_file: Option<PathBuf>,
    #[arg(long, hide = true)]
    bias_file: Option<PathBuf>,
    #[arg(long, hide = true)]
    debug: bool,
    #[arg(long, hide = true)]
    info: bool,
    #[arg(long, hide = true)]
    stats: bool,
    #[arg(long, hide = true)]
    showcons: bool,
    #[arg(long, hide = true)]
    bkcons: bool,
    #[arg(long, hide = true)]
    no_bias: bool,
    #[arg(long, hide = true)]
    order_space: bool,
    #[arg(long, hide = true)]
    datalog: bool,
    #[arg(long, hide = true)]
    test_all: bool,
    #[arg(long, hide = true)]
    nuwls: bool,
    #[arg(long, hide = true)]
    solver: Option<String>,
    #[arg(long, hide = true)]
    anytime_solver: Option<String>,
    #[arg(long, hide = true)]
    anytime_timeout: Option<f64>,
    #[arg(long, hide = true)]
    clingo_args: Option<String>,
    #[arg(long, hide = true)]
    batch_size: Option<u64>,
    #[arg(long, hide = true)]
    eval_timeout: Option<f64>,
    #[arg(long, hide = true)]
    max_examples: Option<u64>,
    #[arg(long, hide = true)]
    max_literals: Option<u64>,
}

impl Popper {
    /// Whether description length is to be minimised.
    pub fn wants_mdl(&self) -> bool {
        self.noisy
    }

    /// Whether hypotheses are to be functional.
    pub fn wants_functions(&self) -> bool {
        self.functional_test
    }

    /// Whether all best hypotheses are to be shown.
    pub fn wants_all_optima(&self) -> bool {
        self.all_opt
    }

    /// Whether as much as possible is to be shown.
    pub fn wants_progress(&self) -> bool {
        self.debug
    }

    /// The most rules that a recursive hypothesis may have, if that was said.
    pub fn most_rules(&self) -> Option<u16> {
        self.max_rules
    }

    /// The files that were named instead of the task's own.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.bk_file, &self.ex_file, &self.bias_file].into_iter().filter_map(|file| file.as_deref())
    }

    /// Tables have no files that others could be read instead of.
    ///
    /// # Errors
    /// If one was named.
    pub fn refuse_files(&self) -> Result<()> {
        let Some(file) = self.files().next() else { return Ok(()) };
        let finding = Diagnostic::error(format!("{} cannot take the place of a table", file.display()));
        Err(finding.with_help("`symsnap import` writes a task folder, whose files can be edited").into())
    }

    /// The task in `folder`, with the files that were named instead of its own.
    ///
    /// # Errors
    /// If a file cannot be read or is wrong.
    pub fn read_task(&self, folder: &Path) -> Result<Task> {
        if self.files().next().is_none() {
            return Task::from_dir(folder);
        }
        let file = |given: &Option<PathBuf>, name: &str| given.clone().unwrap_or_else(|| folder.join(name));
        Task::from_files(file(&self.bk_file, "bk.pl"), file(&self.ex_file, "exs.pl"), file(&self.bias_file, "bias.pl"))
    }

    /// What to say about the flags that were given, each in a line.
    ///
    /// # Errors
    /// If one asks for what cannot be had here.
    pub fn notes(&self, writes_model: bool) -> Result<Vec<String>> {
        if self.max_literals.is_some() {
            let message =
                "--max-literals is Popper's limit on the size of a whole hypothesis, which cannot be limited here";
            let help =
                "limit its rules with --max-body and --max-clauses; under --cost mdl size is weighed against errors";
            return Err(Diagnostic::error(message).with_help(help).into());
        }
        let files = [
            ("--bk-file", self.bk_file.is_some(), "bk.pl"),
            ("--ex-file", self.ex_file.is_some(), "exs.pl"),
            ("--bias-file", self.bias_file.is_some(), "bias.pl"),
        ];
        if let (true, Some((flag, _, file))) = (writes_model, files.iter().find(|file| file.1)) {
            let message = format!("{flag} cannot go with -o: a model remembers the folder that it was learned from");
            let help = format!("copy the folder and put the file into it as {file}");
            return Err(Diagnostic::error(message).with_help(help).into());
        }
        let mut notes = Vec::new();
        let mut note = |given: bool, flag: &str, text: &str| {
            if given {
                notes.push(format!("note: {flag} is Popper's; {text}"));
            }
        };
        note(self.noisy, "--noisy", "here it is --cost mdl");
        note(self.functional_test, "--functional-test", "here it is --functional");
        note(self.max_rules.is_some(), "--max-rules", "here it is --max-clauses");
        note(self.debug, "--debug", "here it is --verbose");
        note(
            self.all_opt,
            "--all-opt",
            "here all best hypotheses are looked for anyway, and shown with it; --snapshots FILE keeps them",
        );
        for (flag, given, file) in files {
            note(given, flag, &format!("the file is read instead of {file} in the task folder"));
        }
        note(self.stats, "--stats", "here figures are always shown; --json has all of them");
        note(self.info, "--info", "here the best hypotheses so far are shown unless --quiet is given");
        note(self.showcons, "--showcons", "it has no effect: nothing is pruned by constraints that could be shown");
        note(
            self.eval_timeout.is_some(),
            "--eval-timeout",
            "it has no effect: calls are limited in steps, so that runs repeat",
        );
        note(self.max_examples.is_some(), "--max-examples", "it has no effect: all examples are used, however many");
        note(self.test_all, "--test-all", "it has no effect: all examples are always tested");
        note(self.bkcons, "--bkcons", "it has no effect: what the background rules out is found on the way");
        let order = "it has no effect: rules are searched from small to large";
        note(self.order_space, "--order-space", order);
        note(self.no_bias, "--no-bias", order);
        note(self.datalog, "--datalog", "it has no effect: what is Datalog is found out by itself");
        let solver = "it has no effect: the solver is built in";
        note(self.solver.is_some(), "--solver", solver);
        note(self.anytime_solver.is_some(), "--anytime-solver", solver);
        note(self.anytime_timeout.is_some(), "--anytime-timeout", solver);
        note(self.nuwls, "--nuwls", solver);
        note(self.clingo_args.is_some(), "--clingo-args", solver);
        note(self.batch_size.is_some(), "--batch-size", solver);
        Ok(notes)
    }
}
