//! `symsnap completions SHELL`: a script that lets a shell complete commands, options and their values.

use crate::output::print;
use crate::{Arguments, Exit};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde_json::json;
use symsnap::Result;

/// Print a script that completes commands and options in a shell.
#[derive(Args)]
#[command(after_help = "\
  bash        symsnap completions bash > ~/.local/share/bash-completion/completions/symsnap
  zsh         symsnap completions zsh > DIR/_symsnap, for a folder DIR of $fpath
  fish        symsnap completions fish > ~/.config/fish/completions/symsnap.fish
  powershell  symsnap completions powershell >> $PROFILE")]
pub struct Completions {
    /// For which shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
    /// Print one JSON object that holds the script.
    #[arg(long)]
    json: bool,
}

impl Completions {
    /// Make and print.
    pub fn run(self) -> Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "symsnap", &mut script);
        let script = String::from_utf8_lossy(&script);
        if self.json {
            print(&format!("{}\n", json!({ "shell": self.shell.to_string(), "script": script })))?;
        } else {
            print(&script)?;
        }
        Ok(Exit::Done)
    }
}
