//! Ctrl-C: the best so far is printed and written.
#![cfg(unix)]

use crate::run::{Ran, command, example, scratch};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn an_interrupted_run_prints_and_writes_the_best_so_far() {
    let folder = scratch("interrupt");
    let (model, snapshots) = (folder.join("model.json"), folder.join("snapshots.jsonl"));
    let started = Instant::now();
    let mut process = command(&example("molecules"));
    process.args(["--max-body", "14", "--max-vars", "14", "--cost", "errorsize", "--method", "paper", "-q"]);
    process.arg("-o").arg(&model).arg("--snapshots").arg(&snapshots);
    let child = process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while fs::read_to_string(&snapshots).unwrap_or_default().is_empty() && started.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ran = Ran::from(&child.wait_with_output().unwrap(), started.elapsed());
    assert!(sent.elapsed() < Duration::from_secs(2), "{:?}", sent.elapsed());
    assert_eq!(ran.code, 130, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(":-") && ran.stdout.contains("stopped: interrupted"), "{}", ran.stdout);
    let lines = fs::read_to_string(&snapshots).unwrap();
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    let model: Value = serde_json::from_str(&fs::read_to_string(&model).unwrap()).unwrap();
    assert_eq!(model["members"].as_array().unwrap().len(), lines.lines().count());
    assert!(last["rules"].is_array());
}
