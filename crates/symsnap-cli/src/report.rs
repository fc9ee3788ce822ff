//! `symsnap report DIR|MODEL`: an experiment or a model as a page.

use crate::Exit;
use crate::output::{count, print};
use clap::Args;
use std::path::PathBuf;
use symsnap::ensemble::Model;
use symsnap::error::{Diagnostic, Error, Result};
use symsnap_lab::experiment::Folder;
use symsnap_lab::report::{experiment_report, model_report};

/// Write a report of an experiment's results, or of a model, as a page that needs no network.
#[derive(Args)]
pub struct Report {
    /// The folder of results of an experiment, or a model file.
    #[arg(value_name = "DIR|MODEL")]
    of: PathBuf,
    /// For a model: the page to write; beside the model with the ending `.html` if not given.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Report {
    /// Read and write.
    pub fn run(self) -> Result<Exit> {
        if self.of.is_dir() {
            if self.output.is_some() {
                let message = "the report of an experiment is written into its folder";
                return Err(Diagnostic::error(message).with_help("leave out -o").into());
            }
            let (folder, suite) = Folder::open(&self.of)?;
            let files = experiment_report(&folder, &suite)?;
            let page = folder.path().join("report.html");
            let others = count(files.len() - 1, "other file");
            print(&format!("{} and {others} written\n", page.display()))?;
            return Ok(Exit::Done);
        }
        let model = Model::read(&self.of)?;
        let page = self.output.unwrap_or_else(|| self.of.with_extension("html"));
        let text = model_report(&model, &self.of.display().to_string());
        std::fs::write(&page, text).map_err(|source| Error::Io { action: "write", path: page.clone(), source })?;
        print(&format!("{} written\n", page.display()))?;
        Ok(Exit::Done)
    }
}
