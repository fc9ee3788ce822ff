//! Commands other than `learn` keep their limits, and say what is not known when one ends them.

use crate::run::{last_json, run, said, scratch, task};
use serde_json::Value;
use std::path::Path;
use std::time::Instant;

/// Seconds by which a command may outlast its time limit.
const SLACK: f64 = 1.0;

/// A task whose background takes forever: each call may make two million steps, and there are many.
fn endless(name: &str) -> String {
    let positives: String = (0..400).map(|at| format!("pos(f({at})). ")).collect();
    let folder = task(
        name,
        "n(X) :- between(1,inf,X). long(X) :- n(Y), Y < 0, X > Y. grow(L) :- grow([x|L]). big(X) :- length(L,X), grow(L).",
        &(positives + "neg(f(a))."),
        "head_pred(f,1). body_pred(long,1). body_pred(big,1).",
    );
    std::fs::write(folder.join("rules.pl"), "f(X) :- long(X).\nf(X) :- big(X).\n").unwrap();
    std::fs::write(folder.join("s.jsonl"), "{\"rules\":[\"f(A) :- big(A).\",\"f(A) :- long(A).\"]}\n".repeat(3))
        .unwrap();
    let model = r#"{"format":1,"symsnap":"0.1.0","task":null,"fingerprint":null,"head":{"name":"f","arity":1},
        "cost":"mdl","method":"single","settings":{},"seed":1,"members":[{"weight":1.0,
        "rules":["f(A) :- long(A).","f(A) :- big(A)."],"confusion":{"tp":0,"fn":0,"tn":0,"fp":0},"size":4,"value":[4]}]}"#;
    std::fs::write(folder.join("m.json"), model).unwrap();
    folder.display().to_string()
}

/// Run to the limit; the better of two attempts counts, because the machine may be busy.
fn in_time(line: &str, seconds: f64) -> (String, String, i32) {
    let timed = || {
        let started = Instant::now();
        let said = said(&run(&format!("{line} --timeout {seconds}")));
        (started.elapsed().as_secs_f64(), said)
    };
    let mut attempt = timed();
    if attempt.0 > seconds + SLACK {
        attempt = timed();
    }
    assert!(attempt.0 <= seconds + SLACK, "{line}: {} s for {seconds} s", attempt.0);
    attempt.1
}

#[test]
fn commands_end_at_the_time_limit_and_say_what_is_not_known() {
    let folder = endless("endless");
    for (line, doing, unknown) in [
        (
            format!("test {folder} --rules {folder}/rules.pl"),
            "testing the rules",
            "how the rules classify the examples",
        ),
        (format!("explain {folder}/m.json f(3) --bk {folder}/bk.pl"), "explaining", "what the model says about"),
        (format!("ensemble {folder} --from {folder}/s.jsonl"), "testing the hypotheses", "the ensemble"),
    ] {
        let (stdout, stderr, code) = in_time(&line, 0.3);
        assert_eq!((stdout.as_str(), code), ("", 3), "{line}: {stderr}");
        let expected = format!("stopped while {doing}: time limit; not known: {unknown}");
        assert!(stderr.contains(&expected), "{line}: {stderr}");
        let (stdout, _, code) = in_time(&format!("{line} --json"), 0.3);
        let answer: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!((&answer["stop"], &answer["while"], code), (&Value::from("time"), &Value::from(doing), 3));
        assert!(answer["unknown"].as_str().unwrap().starts_with(unknown), "{answer}");
    }
}

#[test]
fn predict_says_how_many_examples_it_has_predicted() {
    let folder = endless("unpredicted");
    let line = format!("predict {folder}/m.json --bk {folder}/bk.pl --examples {folder}/exs.pl --threads 1");
    let (stdout, stderr, code) = in_time(&line, 0.3);
    assert_eq!((stdout.as_str(), code), ("", 3), "{stderr}");
    assert!(
        stderr.contains("stopped while predicting: time limit; not known: the examples after the first 0"),
        "{stderr}"
    );
    let (_, stderr, code) = in_time(&format!("{line} --json"), 0.3);
    let last = last_json(&stderr);
    assert_eq!((&last["stop"], &last["predicted"], code), (&Value::from("time"), &Value::from(0), 3));
}

#[test]
fn a_task_that_takes_long_to_read_or_to_evaluate_ends_check_at_its_limit() {
    let folder = scratch("checked");
    let mut facts = String::new();
    for at in 0..300_000u64 {
        facts += &format!("edge(n{},n{}).\n", at % 30_013, at * 2_654_435_761 % 30_013);
    }
    facts += "reach(X,Y) :- edge(X,Y).\nreach(X,Y) :- reach(X,Z), edge(Z,Y).\n";
    std::fs::write(folder.join("bk.pl"), facts).unwrap();
    std::fs::write(folder.join("exs.pl"), "pos(f(n1)). neg(f(n4)).").unwrap();
    std::fs::write(folder.join("bias.pl"), "head_pred(f,1). body_pred(reach,2).").unwrap();
    let (stdout, stderr, code) = in_time(&format!("check {}", folder.display()), 0.2);
    assert_eq!((stdout.as_str(), code), ("", 3), "{stderr}");
    assert!(stderr.contains("time limit; not known: what the task holds and how it is evaluated"), "{stderr}");
}

/// The most memory that the command held, in megabytes, with how it ended.
#[cfg(target_os = "linux")]
fn measured(line: &str) -> Option<(f64, i32)> {
    let program = env!("CARGO_BIN_EXE_symsnap");
    // Only the parent of a process can ask for its peak after its end.
    let python = "import resource,subprocess,sys; \
        code=subprocess.call(sys.argv[1:],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL); \
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss/1024, code)";
    let output = std::process::Command::new("python3")
        .args(["-c", python, program])
        .args(line.split_whitespace())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (peak, code) = text.trim().split_once(' ')?;
    Some((peak.parse().ok()?, code.parse().ok()?))
}

#[cfg(target_os = "linux")]
#[test]
fn commands_keep_the_memory_limit() {
    let folder = endless("memory");
    // Each call takes more than a hundred megabytes before a limit of the evaluator ends it.
    std::fs::write(Path::new(&folder).join("bk.pl"), "long(X) :- long([X,X,X]), fail. big(X) :- long(X).").unwrap();
    for line in [
        format!("test {folder} --rules {folder}/rules.pl --max-memory 60"),
        format!("predict {folder}/m.json --bk {folder}/bk.pl --examples {folder}/exs.pl --threads 1 --max-memory 60"),
    ] {
        let Some((peak, code)) = measured(&line) else {
            return crate::skip::skip("python3, which measures the memory of a process, is not installed");
        };
        assert!(peak <= 66.0, "{line}: {peak} MB");
        assert_eq!(code, 3, "{line}");
    }
}
