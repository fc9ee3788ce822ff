//! `symsnap test --json` against SWI-Prolog, which must find the same confusion: every file in `tests/rules` is a
//! hypothesis for the example task that its name begins with, and generated tasks come with their true rules. Skipped,
//! and counted, where `swipl` is missing.
#![allow(clippy::unwrap_used)]

#[path = "../../symsnap/tests/folders/mod.rs"]
mod folders;
#[path = "../../symsnap/tests/skip/mod.rs"]
mod skip;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Loads a task and a hypothesis and prints the confusion as JSON. An example whose proof raises an error is not
/// covered. All predicates of the hypothesis are tabled, so that left recursion ends.
const ORACLE: &str = r#"
:- dynamic pos/1, neg/1.
:- initialization(main, main).
main([Folder, Rules]) :-
    forall(member(File, ['bk.pl', 'exs.pl']), (directory_file_path(Folder, File, Path), load_files(user:Path, [silent(true)]))),
    read_file_to_terms(Rules, Clauses, []),
    findall(Name/Arity, (member(C, Clauses), (C = (H :- _) -> true ; H = C), functor(H, Name, Arity)), Found),
    sort(Found, Defined),
    forall(member(P, Defined), (\+ cuts(Clauses, P) -> table(user:P) ; true)),
    forall(member(C, Clauses), assertz(user:C)),
    aggregate_all(count, (pos(E), covered(E)), TP), aggregate_all(count, pos(_), P),
    aggregate_all(count, (neg(E), covered(E)), FP), aggregate_all(count, neg(_), N),
    FN is P - TP, TN is N - FP,
    format('{"tp":~d,"fn":~d,"tn":~d,"fp":~d}~n', [TP, FN, TN, FP]).
cuts(Clauses, Name/Arity) :-
    member((H :- B), Clauses), functor(H, Name, Arity), sub_term(G, B), G == !, !.
covered(E) :- catch(user:E, _, fail), !.
covered(E) :- clause(user:E, B), catch(user:B, _, fail), !.
"#;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn ours(task: &Path, rules: &Path) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symsnap"));
    let output = command.arg("test").arg(task).arg("--rules").arg(rules).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["confusion"].clone()
}

fn theirs(script: &Path, task: &Path, rules: &Path) -> Value {
    let output = Command::new("swipl").arg(script).arg(task).arg(rules).stdin(Stdio::null()).output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(stdout.trim()).unwrap_or_else(|_| panic!("SWI-Prolog on {}: {stderr}", rules.display()))
}

/// The oracle's file, if there is somebody to run it.
fn script(test: &str) -> Option<PathBuf> {
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rules_oracle_{test}.pl"));
    fs::write(&script, ORACLE).unwrap();
    skip::has("swipl").then_some(script)
}

#[test]
fn given_hypotheses_have_the_confusion_that_swi_prolog_finds() {
    let Some(script) = script("given") else { return };
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder("tests/rules")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 15);
    for rules in files {
        let name = rules.file_name().unwrap().to_str().unwrap();
        let task = folder("../../examples").join(name.split('_').next().unwrap());
        assert_eq!(ours(&task, &rules), theirs(&script, &task, &rules), "{name}: ours is left, SWI-Prolog's right");
    }
}

#[test]
fn the_rules_of_generated_tasks_have_the_confusion_that_swi_prolog_finds() {
    let Some(script) = script("generated") else { return };
    for task in folders::generated("rules_oracle") {
        let rules = task.join("rules.pl");
        let (ours, theirs) = (ours(&task, &rules), theirs(&script, &task, &rules));
        assert_eq!(ours, theirs, "{}: ours is left, SWI-Prolog's right", task.display());
        assert!(ours["tp"].as_u64() > Some(0) && ours["tn"].as_u64() > Some(0), "{}: {ours}", task.display());
    }
}
