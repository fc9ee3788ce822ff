//! Every bias file of the shared task folders and of our own examples reads without errors.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::fs;
use std::path::{Path, PathBuf};
use symsnap::logic::Terms;
use symsnap::parse::Source;
use symsnap::task::Bias;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn bias_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            bias_files(&path, found);
        } else if path.file_name().is_some_and(|name| name == "bias.pl") {
            found.push(path);
        }
    }
}

fn read_all(folder: &Path) -> usize {
    let mut files = Vec::new();
    bias_files(folder, &mut files);
    for path in &files {
        let text = fs::read_to_string(path).unwrap();
        let name = path.display().to_string();
        let read = Bias::read(&Source::new(name, &text), &mut Terms::default());
        let (bias, warnings) = read.unwrap_or_else(|error| panic!("{error}"));
        assert!(!bias.body.is_empty());
        if std::env::var_os("SYMSNAP_SHOW_WARNINGS").is_some() {
            warnings.iter().for_each(|warning| eprintln!("{warning}"));
        }
    }
    files.len()
}

#[test]
fn every_shared_bias_file_reads_without_errors() {
    let data = std::env::var_os("SYMSNAP_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let tasks = data.join("tasks");
    if !tasks.is_dir() {
        eprintln!("SKIPPED: no task folders at {} (set SYMSNAP_DATA)", tasks.display());
        return;
    }
    assert!(read_all(&tasks) > 0);
}

#[test]
fn every_bias_file_of_our_examples_reads_without_errors() {
    assert!(read_all(&root().join("examples")) > 0);
}
