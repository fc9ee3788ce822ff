//! Every bias file of our own task folders and of the real ones reads without errors, and its space has rules.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod folders;
mod skip;

use std::fs;
use std::time::Instant;
use symsnap::internals::space::Space;
use symsnap::{Bias, Rule, Terms, Text};

#[test]
fn every_bias_file_reads_without_errors() {
    for folder in folders::all("bias_files_read") {
        let path = folder.join("bias.pl");
        let text = fs::read_to_string(&path).unwrap();
        let read = Bias::read(&Text::new(path.display().to_string(), &text), &mut Terms::default());
        let (bias, warnings) = read.unwrap_or_else(|error| panic!("{error}"));
        assert!(!bias.body.is_empty());
        if std::env::var_os("SYMSNAP_SHOW_WARNINGS").is_some() {
            warnings.iter().for_each(|warning| eprintln!("{warning}"));
        }
    }
}

#[test]
fn every_space_gives_random_rules() {
    for folder in folders::all("bias_files_rules") {
        let path = folder.join("bias.pl");
        let text = fs::read_to_string(&path).unwrap();
        let mut terms = Terms::default();
        let (bias, _) = Bias::read(&Text::new("bias.pl", &text), &mut terms).unwrap();
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
