//! `symsnap ensemble --learner`: another program learns, and symsnap makes the model.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};
use std::time::Instant;

const SYMSNAP: &str = env!("CARGO_BIN_EXE_symsnap");

fn ensemble(task: &str, more: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(SYMSNAP).args(["ensemble", task, "--json"]).args(more).current_dir(root).output().unwrap()
}

fn report(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn a_program_that_writes_json_lines_gives_the_snapshots_it_found() {
    let command = format!("{SYMSNAP} learn {{task}} --cost errorsize --ticks 2000 -q --snapshots /dev/stderr");
    let output = ensemble("examples/trains", &["--cost", "errorsize", "--learner", &command]);
    let learned = report(&output);
    assert_eq!(output.status.code(), Some(0));
    assert!(learned["snapshots"].as_u64().unwrap() >= 1, "{learned}");
    assert_eq!(learned["found"], learned["snapshots"]);
}

#[test]
fn a_program_that_would_not_end_is_stopped_at_the_limit_and_what_it_said_counts() {
    let started = Instant::now();
    let command = "cat crates/symsnap-cli/tests/models/popper.log; sleep 600";
    let output = ensemble("examples/trains", &["--timeout", "0.5", "--learner", command]);
    assert!(started.elapsed().as_secs_f64() < 5.0);
    let direct = ensemble("examples/trains", &["--from", "crates/symsnap-cli/tests/models/popper.log"]);
    assert_eq!(report(&output), report(&direct));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn programs_that_say_nothing_are_told_apart_by_how_they_end() {
    let code = |more: &[&str]| ensemble("examples/trains", more).status.code();
    assert_eq!(code(&["--learner", "true"]), Some(1));
    assert_eq!(code(&["--timeout", "0.2", "--learner", "sleep 600"]), Some(3));
    let failed = ensemble("examples/trains", &["--learner", "echo oh no; exit 7"]);
    let errors = String::from_utf8(failed.stderr).unwrap();
    assert_eq!(failed.status.code(), Some(1));
    assert!(errors.contains("exit status: 7") && errors.contains("oh no"), "{errors}");
}

#[test]
fn a_broken_line_of_a_program_is_an_error_at_its_place() {
    let output = ensemble("examples/trains", &["--learner", "echo; echo '{\"rules\": 5}'"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let said: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((&said["errors"][0]["file"], &said["errors"][0]["line"]), (&"<learner>".into(), &2.into()), "{said}");
}
