//! Every bias file of the shared task folders and of our own examples reads without errors, and its space has rules.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use symsnap::logic::{Rule, Terms};
use symsnap::parse::Source;
use symsnap::space::Space;
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

#[test]
fn every_shared_space_gives_random_rules() {
    let data = std::env::var_os("SYMSNAP_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let tasks = data.join("tasks");
    if !tasks.is_dir() {
        eprintln!("SKIPPED: no task folders at {} (set SYMSNAP_DATA)", tasks.display());
        return;
    }
    let mut files = Vec::new();
    bias_files(&tasks, &mut files);
    for path in &files {
        let text = fs::read_to_string(path).unwrap();
        let mut terms = Terms::default();
        let (bias, _) = Bias::read(&Source::new("bias.pl", &text), &mut terms).unwrap();
        let space = Space::of(&bias);
        let mut state = 1u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let started = Instant::now();
        let rules: Vec<Rule> = (0..20).filter_map(|_| space.sample(5, &mut draw)).collect();
        let hypotheses = (0..5).filter_map(|_| space.sample_hypothesis(5, &mut draw)).count();
        let sampled = started.elapsed();
        assert!(rules.len() > 10 && hypotheses > 0, "{}: {} {hypotheses}", path.display(), rules.len());
        let started = Instant::now();
        assert!((0..100).all(|at| space.contains(&rules[at % rules.len()]).is_ok()));
        if std::env::var_os("SYMSNAP_SHOW_WARNINGS").is_some() {
            let sizes: Vec<usize> = rules.iter().map(Rule::size).collect();
            eprintln!("{}: {sampled:?}, contains {:?}, {sizes:?}", path.display(), started.elapsed() / 100);
        }
    }
}
