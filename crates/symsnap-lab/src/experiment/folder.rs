//! The folder of an experiment: its definition, a file for each job, and tables of all of them.
//!
//! A file appears whole or not at all ([`Output`]). So whoever is killed at any moment leaves nothing that a later start
//! could take for a result.

use super::tables::results_of_tables;
use super::{Job, JobResult, Suite, plan, rows_csv, runs_csv};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use symsnap::internals::file::{Output, Partials};
use symsnap::{Diagnostic, Error, Result};

/// A folder of results.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
    partials: Partials,
}

impl Folder {
    /// The folder at `path` for `suite`, made if it is not there. Files that are being written are listed in `partials`.
    ///
    /// # Errors
    /// If it cannot be made, or holds the results of another suite.
    pub fn create(path: &Path, suite: &Suite, partials: &Partials) -> Result<Self> {
        let folder = Folder { path: path.to_owned(), partials: partials.clone() };
        let jobs = folder.jobs();
        fs::create_dir_all(&jobs).map_err(|source| Error::Io { action: "make", path: jobs, source })?;
        let definition = folder.path.join("suite.json");
        if definition.exists() {
            if symsnap::internals::file::read(&definition)? != suite.to_json().as_bytes() {
                let message =
                    format!("{} holds the results of another suite, or of an earlier form of it", path.display());
                return Err(Diagnostic::error(message).with_help("choose another folder").into());
            }
        } else {
            folder.write("suite.json", &suite.to_json())?;
            folder.write("machine.json", &machine(suite))?;
        }
        Ok(folder)
    }

    /// The folder at `path`, which holds results, with its suite. Files that are being written are listed in `partials`.
    ///
    /// # Errors
    /// If it does not.
    pub fn open(path: &Path, partials: &Partials) -> Result<(Self, Suite)> {
        let definition = path.join("suite.json");
        if !definition.is_file() {
            let message = format!("{} holds no results: it has no suite.json", path.display());
            return Err(Diagnostic::error(message).with_help("`symsnap experiment run SUITE -o DIR` makes one").into());
        }
        let suite: Suite = serde_json::from_slice(&symsnap::internals::file::read(&definition)?)
            .map_err(|error| broken(&definition, &error))?;
        suite
            .check_recorded()
            .map_err(|slip| Diagnostic::error(format!("{}: {}", definition.display(), slip.message)))?;
        Ok((Folder { path: path.to_owned(), partials: partials.clone() }, suite))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn jobs(&self) -> PathBuf {
        self.path.join("jobs")
    }

    fn file(&self, job: &Job) -> PathBuf {
        self.jobs().join(format!("{}.json", job.id()))
    }

    /// Whether the job has a result.
    pub fn has(&self, job: &Job) -> bool {
        self.file(job).is_file()
    }

    /// The result of a job, if it has one.
    ///
    /// # Errors
    /// If the file cannot be read or is not a result.
    pub fn get(&self, job: &Job) -> Result<Option<JobResult>> {
        let file = self.file(job);
        if !file.is_file() {
            return Ok(None);
        }
        serde_json::from_slice(&symsnap::internals::file::read(&file)?).map(Some).map_err(|error| broken(&file, &error))
    }

    /// Keep the result of a job.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn put(&self, result: &JobResult) -> Result<()> {
        let text = serde_json::to_string(result).expect("a result has only finite numbers and text keys") + "\n";
        self.write(&format!("jobs/{}.json", result.job.id()), &text)
    }

    /// Write a file of the folder, whole or not at all.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        Output::open(&self.path.join(name), &self.partials)?.write(text.as_bytes())
    }

    /// A file for what the process of a job says, and where it is.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn log(&self, job: &Job) -> Result<(PathBuf, fs::File)> {
        let path = self.jobs().join(format!("{}.log", job.id()));
        let file = Output::open(&path, &self.partials)?.stream()?;
        Ok((path, file))
    }

    /// All results there are, in the order of the plan.
    ///
    /// # Errors
    /// If a file cannot be read or is not a result.
    pub fn results(&self, suite: &Suite) -> Result<Vec<JobResult>> {
        plan(suite).iter().filter_map(|job| self.get(job).transpose()).collect()
    }

    /// Whether the job has a result that is a failure.
    ///
    /// # Errors
    /// If the file cannot be read or is not a result.
    pub fn has_failed(&self, job: &Job) -> Result<bool> {
        Ok(self.get(job)?.is_some_and(|result| result.error.is_some()))
    }

    /// Whether it has the files of jobs. A folder that is kept for the record may have nothing but the tables of them.
    pub fn has_jobs(&self) -> bool {
        self.jobs().is_dir()
    }

    /// All results that `rows.csv` and `runs.csv` tell of, as far as they do.
    ///
    /// # Errors
    /// If a table cannot be read or is not one of ours.
    pub fn tabulated(&self, suite: &Suite) -> Result<Vec<JobResult>> {
        let [rows, runs] = [
            symsnap::internals::file::read(self.path.join("rows.csv"))?,
            symsnap::internals::file::read(self.path.join("runs.csv"))?,
        ];
        results_of_tables(suite, &String::from_utf8_lossy(&rows), &String::from_utf8_lossy(&runs))
            .map_err(|message| Diagnostic::error(format!("{}: {message}", self.path.display())).into())
    }

    /// Forget the results of jobs that failed, so that they run again.
    ///
    /// # Errors
    /// If a file cannot be read or removed.
    pub fn forget_failures(&self, suite: &Suite) -> Result<()> {
        for job in plan(suite) {
            if self.has_failed(&job)? {
                let path = self.file(&job);
                fs::remove_file(&path).map_err(|source| Error::Io { action: "remove", path, source })?;
            }
        }
        Ok(())
    }

    /// Remove what killed processes left half-written. To be called when nothing runs any more.
    ///
    /// # Errors
    /// If the folder cannot be read or a file not be removed.
    pub fn tidy(&self) -> Result<()> {
        for folder in [self.path.clone(), self.jobs()] {
            let entries = fs::read_dir(&folder).map_err(|source| Error::Io { action: "read", path: folder, source })?;
            for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
                let stale = path.extension().is_some_and(|end| end == "partial" || end == "log");
                if stale {
                    fs::remove_file(&path).map_err(|source| Error::Io { action: "remove", path, source })?;
                }
            }
        }
        Ok(())
    }

    /// Write the tables of all results: `rows.csv`, a line for each method, and `runs.csv`, a line for each job. Returns
    /// how many results there are.
    ///
    /// # Errors
    /// If a result cannot be read or a table not be written.
    pub fn tabulate(&self, suite: &Suite) -> Result<usize> {
        let results = self.results(suite)?;
        self.write("rows.csv", &rows_csv(&results))?;
        self.write("runs.csv", &runs_csv(&results))?;
        Ok(results.len())
    }

    /// Take over the results of another folder of the same suite that are missing here. Returns how many.
    ///
    /// # Errors
    /// If the other folder is not one of the same suite, or its files cannot be read.
    pub fn take_from(&self, other: &Path, suite: &Suite) -> Result<usize> {
        let (theirs, their_suite) = Folder::open(other, &self.partials)?;
        if their_suite.to_json() != suite.to_json() {
            let message = format!("{} holds the results of another suite", other.display());
            return Err(Diagnostic::error(message).into());
        }
        let mut taken = 0;
        for job in plan(suite) {
            if let (false, Some(result)) = (self.has(&job), theirs.get(&job)?) {
                self.put(&result)?;
                taken += 1;
            }
        }
        Ok(taken)
    }
}

fn broken(file: &Path, error: &serde_json::Error) -> Error {
    let message = format!("{} is not a file of results: {error}", file.display());
    Diagnostic::error(message).with_help("delete it and start the experiment again").into()
}

/// What the results were made with.
fn machine(suite: &Suite) -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")).and_then(|line| line.split(':').nth(1));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let about = json!({
        "suite": suite.name,
        "symsnap": env!("CARGO_PKG_VERSION"),
        "system": std::env::consts::OS,
        "architecture": std::env::consts::ARCH,
        "cpu": model.map(str::trim),
        "cores": cores,
    });
    serde_json::to_string_pretty(&about).expect("text and numbers are JSON") + "\n"
}
