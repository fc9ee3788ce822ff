//! `symsnap man -o DIR`: the help of all commands as manual pages.

use crate::files::Files;
use crate::output::{count, print};
use crate::{Arguments, Exit};
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man as Page;
use serde_json::json;
use std::path::PathBuf;
use symsnap::{Error, Result};

/// Write manual pages, one for each command, into a folder.
#[derive(Args)]
#[command(after_help = "\
  symsnap man -o ~/.local/share/man/man1
  man symsnap-learn")]
pub struct Man {
    /// The folder; it is made if it is not there.
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    output: PathBuf,
    /// Print one JSON object with the names of the files written.
    #[arg(long)]
    json: bool,
}

impl Man {
    /// Make and write.
    pub fn run(self) -> Result<Exit> {
        let mut command = Arguments::command().disable_help_subcommand(true);
        command.build();
        let mut pages = Vec::new();
        collect(&command, &mut pages);
        let failed = |source| Error::Io { action: "make", path: self.output.clone(), source };
        std::fs::create_dir_all(&self.output).map_err(failed)?;
        let mut files = Files::default();
        let outputs: Vec<_> =
            pages.iter().map(|(name, _)| files.output(&self.output.join(name))).collect::<Result<_>>()?;
        for (output, (_, text)) in outputs.into_iter().zip(&pages) {
            output.write(text)?;
        }
        let written: Vec<String> = pages.iter().map(|(name, _)| self.output.join(name).display().to_string()).collect();
        if self.json {
            print(&format!("{}\n", json!({ "files": written })))?;
        } else {
            let pages = count(written.len(), "page");
            print(&format!("{pages} written; try: man {}\n", self.output.join("symsnap.1").display()))?;
        }
        Ok(Exit::Done)
    }
}

/// The name and text of the page of a command, and of all commands below it.
fn collect(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) {
    let page = Page::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text).expect("memory takes all bytes");
    pages.push((page.get_filename(), text));
    command.get_subcommands().filter(|below| !below.is_hide_set()).for_each(|below| collect(below, pages));
}
