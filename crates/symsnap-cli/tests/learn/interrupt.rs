//! Ctrl-C: the best so far is printed and written.
#![cfg(unix)]

use crate::run::{Ran, command, example, scratch};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A long run that has found something, with the files that it writes.
fn started(name: &str) -> (Child, PathBuf, PathBuf) {
    let folder = scratch(name);
    let (model, snapshots) = (folder.join("model.json"), folder.join("snapshots.jsonl"));
    let started = Instant::now();
    let mut process = command(&example("molecules"));
    process.args(["--max-body", "14", "--max-vars", "14", "--cost", "errorsize", "--method", "paper", "-q"]);
    process.arg("-o").arg(&model).arg("--snapshots").arg(&snapshots);
    let child = process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while fs::read_to_string(&snapshots).unwrap_or_default().is_empty() && started.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    (child, model, snapshots)
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn a_signal_that_comes_twice_is_one_wish_and_leaves_the_whole_output() {
    for (signal, pause) in [("-TERM", 20), ("-INT", 20), ("-TERM", 0), ("-INT", 100)] {
        let (child, model, _) = started("twice");
        send(signal, &child);
        std::thread::sleep(Duration::from_millis(pause));
        // It may have ended by now.
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).output();
        let ran = Ran::from(&child.wait_with_output().unwrap(), Duration::ZERO);
        assert_eq!(ran.code, 130, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains(":-") && ran.stdout.contains("stopped: interrupted"), "{}", ran.stdout);
        let written: Value = serde_json::from_str(&fs::read_to_string(&model).unwrap()).unwrap();
        assert!(!written["members"].as_array().unwrap().is_empty());
        assert_eq!(fs::read_dir(model.parent().unwrap()).unwrap().count(), 2, "the model and the snapshots");
    }
}

#[test]
fn gnu_timeout_leaves_the_whole_output() {
    let folder = scratch("timeout");
    let model = folder.join("model.json");
    for _ in 0..4 {
        let mut process = Command::new("timeout");
        process.args(["1", env!("CARGO_BIN_EXE_symsnap"), "learn"]).arg(example("molecules"));
        process.args(["--max-body", "14", "--max-vars", "14", "--cost", "errorsize", "--method", "paper", "-q"]);
        let output = process.arg("-o").arg(&model).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(":-") && text.contains("stopped: interrupted"), "{text}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "only the model");
    }
}

#[test]
fn an_interrupted_run_prints_and_writes_the_best_so_far() {
    let begun = Instant::now();
    let (child, model, snapshots) = started("interrupt");
    let sent = Instant::now();
    send("-INT", &child);
    let ran = Ran::from(&child.wait_with_output().unwrap(), begun.elapsed());
    assert!(sent.elapsed() < Duration::from_secs(2), "{:?}", sent.elapsed());
    assert_eq!(ran.code, 130, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(":-") && ran.stdout.contains("stopped: interrupted"), "{}", ran.stdout);
    let lines = fs::read_to_string(&snapshots).unwrap();
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    let model: Value = serde_json::from_str(&fs::read_to_string(&model).unwrap()).unwrap();
    assert_eq!(model["members"].as_array().unwrap().len(), lines.lines().count());
    assert!(last["rules"].is_array());
}
