//! A tick budget gives the same run on any number of threads.

use crate::run::{command, example, real, scratch};
use serde_json::Value;
use std::path::Path;

/// What a run leaves: its snapshots byte for byte, and its report without what may differ between equal runs.
fn trace(task: &Path, arguments: &str, threads: usize, file: &Path) -> (String, Value) {
    let mut process = command(task);
    process.args(arguments.split_whitespace()).args(["--json", "-q", "--threads", &threads.to_string()]);
    let output = process.arg("--snapshots").arg(file).output().unwrap();
    let mut report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}: {}", task.display(), String::from_utf8_lossy(&output.stderr)));
    for varies in ["elapsed_s", "first_candidate_s", "best_s", "peak_rss_mb"] {
        report.as_object_mut().unwrap().remove(varies).expect("the report has all its fields");
    }
    (std::fs::read_to_string(file).unwrap(), report)
}

fn assert_equal_runs(task: &Path, arguments: &str, file: &Path) {
    let one = trace(task, arguments, 1, file);
    assert!(!one.0.is_empty(), "{} {arguments} learns something", task.display());
    for threads in [2, 4] {
        let other = trace(task, arguments, threads, file);
        assert_eq!(one, other, "{} {arguments} with {threads} threads", task.display());
    }
}

#[test]
fn equal_tick_budgets_give_equal_snapshots_on_any_number_of_threads() {
    let file = scratch("determinism").join("snapshots.jsonl");
    for name in ["family", "molecules", "rumour", "stones", "trains"] {
        assert_equal_runs(&example(name), "--ticks 20000", &file);
    }
    for name in ["drop", "evens", "last", "total"] {
        assert_equal_runs(&example(name), "--ticks 5000 --cost mdl", &file);
        assert_equal_runs(&example(name), "--ticks 20000", &file);
        assert_equal_runs(&example(name), "--ticks 5000 --cost lexfnsize --max-clauses 3", &file);
    }
    for seed in [2, 3] {
        let endless = format!("--ticks 20000 --max-body 14 --max-vars 14 --cost errorsize --seed {seed}");
        assert_equal_runs(&example("molecules"), &endless, &file);
        assert_equal_runs(&example("rumour"), &format!("--ticks 20000 --cost errorsize --seed {seed}"), &file);
        assert_equal_runs(&example("stones"), &format!("--ticks 20000 --cost lexfnsize --seed {seed}"), &file);
    }
}

#[test]
fn equal_tick_budgets_give_equal_snapshots_on_real_tasks() {
    let file = scratch("determinism_real").join("snapshots.jsonl");
    for task in real(&["alzheimer/toxic", "drugdrug/drugdrug", "trains/trains2", "zendo/zendo2", "wn18rr/alsosee"]) {
        assert_equal_runs(&task, "--ticks 10000 --seed 7", &file);
    }
}
