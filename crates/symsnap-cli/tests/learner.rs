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
fn broken_lines_of_a_program_are_skipped_counted_and_shown() {
    let lines = [
        r#"echo 'chatter'"#,
        r#"echo '{"rules": 5}'"#,
        r#"echo '{"rules": ["hazardous(A) :- wagon(A,B), !."]}'"#,
        r#"echo '{"rules": ["harmless(A) :- wagon(A,B)."]}'"#,
        r#"echo '{"rules": ["hazardous(A) :- wagon(A,"]}'"#,
        r#"echo '{"rules": ["hazardous(A) :- wagon(A,B), tank(B), unheard_of(B)."]}'"#,
        r#"printf '\377\376{"rules"\n'"#,
        r#"echo '{"rules": ["hazardous(A) :- wagon(A,B), short(B), tank(B)."]}'"#,
    ];
    let output = ensemble("examples/trains", &["--cost", "errorsize", "--learner", &lines.join("; ")]);
    let said = report(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!((&said["found"], &said["skipped"]["count"], &said["format"]), (&2.into(), &4.into(), &"jsonl".into()));
    let first = said["skipped"]["first"].as_array().unwrap();
    let lines: Vec<u64> = first.iter().map(|it| it["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 3, 4]);
    assert!(first[1]["reason"].as_str().unwrap().contains("cut"), "{said}");
    let notes = said["notes"].to_string();
    assert!(notes.contains("unheard_of/1"), "{notes}");
}

#[test]
fn a_named_format_is_read_as_such_and_another_finds_nothing() {
    let log = "crates/symsnap-cli/tests/models/popper.log";
    let named = report(&ensemble("examples/trains", &["--from", log, "--format", "popper"]));
    assert_eq!(named, report(&ensemble("examples/trains", &["--from", log])));
    let other = ensemble("examples/trains", &["--from", log, "--format", "aleph"]);
    assert_eq!((other.status.code(), report(&other)["found"].as_u64()), (Some(1), Some(0)));
    assert_eq!(ensemble("examples/trains", &["--from", log, "--format", "alephh"]).status.code(), Some(2));
}

#[test]
fn snapshots_are_written_as_they_come_and_can_be_read_again() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside.jsonl");
    let log = "crates/symsnap-cli/tests/models/popper.log";
    let first = report(&ensemble("examples/trains", &["--from", log, "--snapshots", file.to_str().unwrap()]));
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count() as u64, first["snapshots"].as_u64().unwrap());
    let again = report(&ensemble("examples/trains", &["--from", file.to_str().unwrap()]));
    assert_eq!((&again["snapshots"], &again["value"]), (&first["snapshots"], &first["value"]));
}

/// Learns a rule with a constant that depends on the sample, and notes its folder.
const LEARNER: &str = r"n=$(grep -c '^pos' {task}/exs.pl); echo {task} >> LOG; echo '[best clause]'
    printf 'hazardous(A) :- wagon(A,B), long(B), A \\== never%s.\n' $n";

#[test]
fn methods_that_learn_again_run_the_command_on_samples() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (log, model) = (folder.join("samples.log"), folder.join("samples.json"));
    let command = LEARNER.replace("LOG", log.to_str().unwrap());
    let command = format!("{command}; echo '[best clause]'; echo 'hazardous(A) :- !.'");
    for (method, runs) in [("bagging", 4), ("validated", 2)] {
        let _ = std::fs::remove_file(&log);
        let more = ["--method", method, "--learner", &command, "-o", model.to_str().unwrap()];
        let output = ensemble("examples/trains", &more);
        let said = report(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert_eq!(said["skipped_in_samples"]["count"].as_u64(), Some(runs as u64 - 1), "{said}");
        let calls = std::fs::read_to_string(&log).unwrap();
        let folders: std::collections::BTreeSet<&str> = calls.lines().collect();
        assert_eq!((calls.lines().count(), folders.len()), (runs, runs), "each sample once: {calls}");
        let left = folders.iter().filter(|it| Path::new(it).exists()).count();
        assert_eq!(left, 1, "samples are removed: {calls}");
        let model: serde_json::Value = serde_json::from_slice(&std::fs::read(&model).unwrap()).unwrap();
        let members = model["members"].as_array().unwrap();
        assert_eq!(members.len(), if method == "bagging" { 3 } else { 1 }, "{model}");
        assert!(members.iter().all(|it| it["rules"].to_string().contains("never")), "words of samples: {model}");
    }
}

#[test]
fn methods_that_learn_again_need_a_command_with_a_folder() {
    let from = ensemble("examples/trains", &["--from", "README.md", "--method", "bagging"]);
    let blind = ensemble("examples/trains", &["--learner", "true", "--method", "bagging"]);
    for (output, words) in [(from, "--learner"), (blind, "{task}")] {
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && errors.contains(words), "{errors}");
    }
}
