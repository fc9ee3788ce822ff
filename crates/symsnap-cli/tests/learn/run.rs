//! Running the binary, and finding tasks for it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A run that has ended.
pub struct Ran {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The exit code.
    pub code: i32,
    /// How long it took, start and end of the process included.
    pub wall: Duration,
}

impl Ran {
    /// What a finished process said, after `wall`.
    pub fn from(output: &Output, wall: Duration) -> Self {
        Ran {
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
            code: output.status.code().expect("symsnap is not killed by a signal"),
            wall,
        }
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|_| panic!("no JSON: {}{}", self.stdout, self.stderr))
    }
}

/// `symsnap learn TASK`, to be given more arguments.
pub fn command(task: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symsnap"));
    command.arg("learn").arg(task);
    command
}

/// Run `symsnap learn TASK ARGUMENTS` to its end.
pub fn learn(task: &Path, arguments: &str) -> Ran {
    let started = Instant::now();
    let output = command(task).args(arguments.split_whitespace()).output().unwrap();
    Ran::from(&output, started.elapsed())
}

/// One of our example tasks.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Those of the real tasks `names` that are there. Says so if there are none.
pub fn real(names: &[&str]) -> Vec<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let tasks = std::env::var_os("SYMSNAP_DATA").map_or(beside, PathBuf::from).join("tasks");
    let found: Vec<PathBuf> = names.iter().map(|name| tasks.join(name)).filter(|task| task.is_dir()).collect();
    if found.is_empty() {
        crate::skip::skip("real tasks: SYMSNAP_DATA names no folder with tasks/");
    }
    found
}

/// An empty folder for the files of one test.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("learn").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
