//! Every task folder loads.

#![allow(clippy::print_stderr)] // a skipped test says so

use std::path::{Path, PathBuf};
use symsnap::task::Task;

#[test]
fn every_task_folder_loads() {
    let data = std::env::var_os("SYMSNAP_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let mut folders: Vec<PathBuf> = Vec::new();
    for family in std::fs::read_dir(data.join("tasks")).into_iter().flatten().flatten() {
        let tasks = std::fs::read_dir(family.path()).into_iter().flatten().flatten();
        folders.extend(tasks.map(|task| task.path()).filter(|path| path.join("bk.pl").exists()));
    }
    folders.sort();
    if folders.is_empty() {
        eprintln!("SKIPPED: no task folders under {} (set SYMSNAP_DATA)", data.display());
    }
    for folder in &folders {
        let task = Task::from_dir(folder).unwrap_or_else(|error| panic!("{error}"));
        assert!(task.examples.positives() > 0, "{}", folder.display());
        let defined = task.bias.body.iter().filter(|&&pred| task.program.get(pred).is_some()).count();
        assert!(defined > 0, "{}: none of the body predicates is defined", folder.display());
    }
}
