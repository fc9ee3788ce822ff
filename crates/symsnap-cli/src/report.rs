//! `symsnap report DIR|MODEL`: an experiment or a model as a page.

use crate::Exit;
use crate::files::{Files, PARTIALS};
use crate::limits::{Ended, Limits};
use crate::models::ClassChoice;
use crate::output::{complain, count, print};
use crate::training;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use symsnap::{Diagnostic, Result};
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
    #[command(flatten)]
    class: ClassChoice,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object with the names of the files written.
    #[arg(long)]
    json: bool,
}

impl Report {
    /// Read and write.
    pub fn run(self) -> Result<Exit> {
        if self.of.is_dir() {
            if self.output.is_some() {
                let message = "the report of an experiment is written into its folder";
                return Err(Diagnostic::error(message).with_help("leave out -o").into());
            }
            let (folder, suite) = Folder::open(&self.of, &PARTIALS)?;
            let files = experiment_report(&folder, &suite)?;
            if self.json {
                let files: Vec<String> =
                    files.iter().map(|name| folder.path().join(name).display().to_string()).collect();
                print(&format!("{}\n", json!({ "files": files })))?;
                return Ok(Exit::Done);
            }
            let page = folder.path().join("report.html");
            let others = count(files.len() - 1, "other file");
            print(&format!("{} and {others} written\n", page.display()))?;
            return Ok(Exit::Done);
        }
        let mut files = Files::default().reading_model(&self.of);
        files.printing()?;
        let page = self.output.unwrap_or_else(|| self.of.with_extension("html"));
        let model = self.class.read(&self.of)?;
        let target = files.output(&page)?;
        let (asked, path, class) = (model.clone(), self.of.clone(), self.class.class.clone());
        let figures = self.limits.keep(move |stage| {
            stage.at("running the members on the training examples");
            Ok(training::figures(&asked, &path, class.as_deref()))
        })?;
        let (figures, exit) = match figures {
            Ended::Done(figures) => (figures, Exit::Done),
            Ended::Stopped(stopped) => {
                complain(&stopped.message("what the vote gets right on the training examples"));
                (None, stopped.exit())
            }
        };
        let rules = self.class.rules(&model, &self.of)?;
        let words = rules.into_iter().filter_map(|it| Some((it.rule, it.words?))).collect();
        let fit = figures.as_ref().map(|figures| &figures.fit);
        target.write(model_report(&model, &self.of.display().to_string(), fit, &words).as_bytes())?;
        let page = page.display().to_string();
        print(&if self.json { format!("{}\n", json!({ "files": [page] })) } else { format!("{page} written\n") })?;
        Ok(exit)
    }
}
