//! Reports: what an experiment found, as one page that needs no network, with its figures and tables as files beside it;
//! and one for a single model.
//!
//! Everything is made from the raw results again, so that a report can be remade at any time. Each figure has a sentence
//! that says what it shows, and where the paper has the figure too, its numbers stand beside ours.

mod chart;
mod cited;
mod figures;
mod forest;
mod model;
mod page;
mod questions;
mod study;
mod tasks;
mod verdict;

pub use model::{OnTraining, model_report};

use crate::experiment::{Folder, JobResult, Suite, plan};
use chart::{escape, standalone};
use figures::Figure;
use page::{page, plain, section};
use study::Study;
use symsnap::{Diagnostic, Error, Result};

/// A part of a report: as HTML, and as Markdown where it has numbers that are worth it.
struct ReportPart {
    id: String,
    /// What the table of contents calls it.
    short: String,
    title: String,
    html: String,
    markdown: String,
    figures: Vec<Figure>,
}

/// Write `report.html`, `report.md` and `figures/*.svg` into a folder of results, and its tables anew. Without the files
/// of the jobs, the report is made from the tables, as far as they go. Returns the names of the files.
///
/// # Errors
/// If the results cannot be read or the files not be written, or if there is no result but failures.
pub fn experiment_report(folder: &Folder, suite: &Suite) -> Result<Vec<String>> {
    let results = if folder.has_jobs() {
        folder.tabulate(suite)?;
        folder.results(suite)?
    } else {
        folder.tabulated(suite)?
    };
    if results.iter().all(|result| result.run.is_none()) {
        return Err(nothing_to_report(folder, suite, &results).into());
    }
    let study = Study::new(suite, &results);
    let mut parts = Vec::new();
    for &split in &suite.splits {
        parts.extend(questions::parts(&study, split));
    }
    parts.push(tasks::overview(&study));
    parts.push(tasks::details(&study));
    parts.retain(|part| !part.html.is_empty());
    let figures = folder.path().join("figures");
    std::fs::create_dir_all(&figures).map_err(|source| Error::Io { action: "make", path: figures, source })?;
    let mut files = vec!["report.html".to_owned(), "report.md".to_owned()];
    for figure in parts.iter().flat_map(|part| &part.figures) {
        let name = format!("figures/{}.svg", figure.file);
        folder.write(&name, &standalone(&figure.svg))?;
        files.push(name);
    }
    let machine = std::fs::read_to_string(folder.path().join("machine.json")).unwrap_or_default();
    let title = format!("symsnap: {}", suite.name);
    let head = ReportHead {
        suite,
        results: &results,
        machine: &machine,
        verdict: verdict::verdict(&study),
        trials: study.trials(),
    };
    folder.write("report.html", &page(&title, &format!("{}{}", head.html(&parts), html(&parts))))?;
    folder.write("report.md", &format!("{}\n{}", head.markdown(), markdown(&parts)))?;
    Ok(files)
}

/// Figures of nothing would be zeros that look like results.
fn nothing_to_report(folder: &Folder, suite: &Suite, results: &[JobResult]) -> Diagnostic {
    let (done, total) = (results.len(), plan(suite).len());
    let what = format!("{done} of {total} jobs of the suite {} were run", suite.name);
    let finding = match results.iter().find_map(|result| result.error.as_ref().map(|error| (&result.job, error))) {
        None => Diagnostic::error(format!("{} has nothing to report: {what}", folder.path().display())),
        Some((job, error)) => Diagnostic::error(format!(
            "{} has nothing to report: {what}, and all failed; the job {} with\n{error}",
            folder.path().display(),
            job.id()
        )),
    };
    finding.with_help("`symsnap experiment run SUITE -o DIR` runs what was not run, and what failed again")
}

fn html(parts: &[ReportPart]) -> String {
    parts.iter().map(|part| section(&part.id, &part.title, &part.html)).collect()
}

fn markdown(parts: &[ReportPart]) -> String {
    let parts = parts.iter().filter(|part| !part.markdown.is_empty());
    parts.map(|part| format!("## {}\n\n{}\n", part.title, part.markdown)).collect()
}

/// What stands at the top.
struct ReportHead<'r> {
    suite: &'r Suite,
    results: &'r [JobResult],
    machine: &'r str,
    /// Sentences as HTML.
    verdict: Vec<String>,
    /// The least and the most trials that a task has results of.
    trials: (usize, usize),
}

impl ReportHead<'_> {
    fn limits(&self) -> String {
        let limits = &self.suite.limits;
        match (limits.seconds, limits.ticks) {
            (Some(seconds), _) => format!("{seconds} s of learning per run"),
            (None, Some(ticks)) => format!("{ticks} rules tested per run"),
            (None, None) => String::new(),
        }
    }

    /// How many trials there were, which may be fewer than the suite asks for.
    fn trials(&self) -> String {
        let wanted = self.suite.trials as usize;
        match self.trials {
            (least, most) if least == most && most == wanted => counted(most),
            (least, most) if least == most => format!("{} of {wanted}", counted(most)),
            (least, most) => format!("{least} to {most} of {wanted} trials"),
        }
    }

    fn about(&self) -> String {
        let failed = self.results.iter().filter(|result| result.error.is_some()).count();
        let machine: serde_json::Value = serde_json::from_str(self.machine).unwrap_or_default();
        let known = |key: &str| machine[key].as_str().unwrap_or("unknown").to_owned();
        format!(
            "{} tasks, learner {}, costs {}, {}, splits {}, {}; {} of {} jobs done, {failed} failed. symsnap {}, {} {} ({}), {} cores.",
            self.suite.tasks.len(),
            self.suite.learner.words(),
            self.suite.costs.join(", "),
            self.trials(),
            self.suite.splits.iter().map(|split| split.word()).collect::<Vec<_>>().join(" and "),
            self.limits(),
            self.results.len(),
            plan(self.suite).len(),
            known("symsnap"),
            known("system"),
            known("architecture"),
            known("cpu"),
            machine["cores"],
        )
    }

    fn html(&self, parts: &[ReportPart]) -> String {
        let links: String =
            parts.iter().map(|part| format!("<a href=\"#{}\">{}</a>\n", part.id, escape(&part.short))).collect();
        let verdict: String =
            self.verdict.iter().map(|sentence| format!("<p class=\"verdict\">{sentence}</p>\n")).collect();
        format!(
            "<header>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n{verdict}<p class=\"about\">{} Raw results: <a href=\"rows.csv\">rows.csv</a> \
             (a line for each method), <a href=\"runs.csv\">runs.csv</a> (a line for each run), <a href=\"suite.json\">suite.json</a> \
             (the definition).</p>\n<nav aria-label=\"Contents\">\n{links}</nav>\n</header>\n",
            escape(&self.suite.name),
            escape(&self.suite.title),
            escape(&self.about())
        )
    }

    fn markdown(&self) -> String {
        let verdict: String = self.verdict.iter().map(|sentence| format!("{}\n\n", plain(sentence))).collect();
        format!("# {}\n\n{}\n\n{verdict}{}\n", self.suite.name, self.suite.title, plain(&self.about()))
    }
}

fn counted(trials: usize) -> String {
    if trials == 1 { "1 trial".to_owned() } else { format!("{trials} trials") }
}
