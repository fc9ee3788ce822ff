//! What becomes of `-o MODEL` when time is short, when a run is interrupted, and when nothing was learned.

use crate::run::{command, example, learn, scratch};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn model_at(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn notes(value: &Value) -> String {
    value["notes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join("; ")
}

#[test]
fn a_run_that_learns_nothing_leaves_an_existing_model_as_it_was() {
    let folder = scratch("kept");
    let model = folder.join("model.json");
    let nothing = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tasks/nothing_types");
    for (task, arguments, code) in [(nothing, "", 1), (example("trains"), "--timeout 0", 3)] {
        fs::write(&model, "an older model").unwrap();
        let out = model.to_str().unwrap();
        let ran = learn(&task, &format!("{arguments} -q -o {out}"));
        assert_eq!(ran.code, code, "{}{}", ran.stdout, ran.stderr);
        assert_eq!(fs::read_to_string(&model).unwrap(), "an older model");
        let note = format!("note: nothing was learned, so {out} stays as it was\n");
        assert!(ran.stdout.contains(&note) && !ran.stdout.contains("model written"), "{}", ran.stdout);
        let report = learn(&task, &format!("{arguments} -q --json -o {out}")).json();
        assert!(notes(&report).contains("stays as it was"), "{report}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside it");
    }
}

#[test]
fn a_model_says_what_was_not_evaluated_to_its_end() {
    let folder = scratch("limited_model");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("bk.pl", "p(a). p(b). r(a). q(X) :- p(X), current_op(_, xfx, X).\n");
    write("exs.pl", "pos(f(a)).\nneg(f(b)).\n");
    write("bias.pl", "head_pred(f,1).\nbody_pred(p,1).\nbody_pred(q,1).\nbody_pred(r,1).\n");
    let model = folder.join("model.json");
    let report = learn(&folder, &format!("-q --json --cost errorsize -o {}", model.display())).json();
    let limit = report["limits"][0].as_str().unwrap();
    assert!(limit.contains("current_op/3"), "{report}");
    assert!(!notes(&report).contains(limit), "it is said once: {report}");
    assert!(notes(&model_at(&model)).contains(&format!("not evaluated to the end: {limit}")));
}

#[test]
fn an_outside_learner_that_says_nothing_leaves_an_existing_model_as_it_was() {
    let model = scratch("kept_outside").join("model.json");
    for (words, code) in [(&["--learner", "true"][..], 1), (&["--learner", "sleep 30", "--timeout", "0.2"], 3)] {
        fs::write(&model, "an older model").unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_symsnap"));
        process.arg("ensemble").arg(example("trains")).args(words).arg("-o").arg(&model);
        let output = process.output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{words:?}");
        assert_eq!(fs::read_to_string(&model).unwrap(), "an older model");
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("nothing was learned, so") && !said.contains("model written"), "{said}");
    }
}

#[test]
fn equal_tick_budgets_give_equal_models_on_any_number_of_threads() {
    let folder = scratch("equal_models");
    for (name, arguments) in [
        ("molecules", "--cost errorsize"),
        ("trains", "--cost lexfnsize --method compress"),
        ("family", "--method confidence"),
        ("evens", ""),
        ("trains", "--method bagging"),
    ] {
        let mut texts = Vec::new();
        for threads in [1, 4] {
            let file = folder.join(format!("{name}.{threads}.json"));
            let limits = format!("--ticks 5000 --threads {threads} -q -o {}", file.display());
            let ran = learn(&example(name), &format!("{arguments} {limits}"));
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            texts.push(fs::read_to_string(file).unwrap());
        }
        assert_eq!(texts[0], texts[1], "{name} {arguments}");
    }
}

#[test]
fn a_model_says_which_of_its_rules_raise_errors() {
    let folder = scratch("raising");
    fs::write(folder.join("bk.pl"), "v(a,1). v(b,5). v(c,6). v(d,x). big(X) :- X > 3.\n").unwrap();
    let exs = "pos(f(b)). pos(f(c)). neg(f(a)). neg(f(d)).\n";
    fs::write(folder.join("exs.pl"), exs.repeat(3)).unwrap();
    let bias = "head_pred(f,1). body_pred(v,2). body_pred(big,1). direction(big,(in,)). direction(v,(in,out)).\n";
    fs::write(folder.join("bias.pl"), bias).unwrap();
    let model = folder.join("model.json");
    let report = learn(&folder, &format!("-q --json -o {}", model.display())).json();
    for said in [notes(&report), notes(&model_at(&model))] {
        let expected =
            "`f(V0) :- v(V0,V1), big(V1).` raises an error on some training examples, which it does not cover";
        assert!(said.contains(expected), "{said}");
    }
    let shown = Command::new(env!("CARGO_BIN_EXE_symsnap")).arg("show").arg(&model).output().unwrap();
    assert!(String::from_utf8(shown.stdout).unwrap().contains("\nnote: `f(V0) :- v(V0,V1), big(V1).` raises"));
}

#[test]
fn compress_says_what_it_did() {
    let model = scratch("compress").join("model.json");
    for (setting, expected) in
        [("", "imitates the vote of"), ("--set size=1", "no imitation of the vote has at most 1 li")]
    {
        let ran =
            learn(&example("stones"), &format!("--ticks 3000 -q --method compress {setting} -o {}", model.display()));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains(expected) && notes(&model_at(&model)).contains(expected), "{}", ran.stdout);
    }
}

#[cfg(unix)]
mod interrupted {
    use super::*;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    /// Start a run that would go on for long, and interrupt it once it has found something.
    fn interrupt(method: &str) -> (usize, Value, String) {
        let folder = scratch(&format!("interrupted_{method}"));
        let (model, snapshots): (PathBuf, PathBuf) = (folder.join("model.json"), folder.join("snapshots.jsonl"));
        let mut process = command(&example("molecules"));
        process.args(["--max-body", "14", "--max-vars", "14", "--cost", "errorsize", "--method", method, "-q"]);
        process.arg("-o").arg(&model).arg("--snapshots").arg(&snapshots);
        let child = process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let found = || fs::read_to_string(&snapshots).unwrap_or_default().lines().count();
        let started = Instant::now();
        while found() < 3 && started.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{method}");
        (found(), model_at(&model), String::from_utf8(output.stdout).unwrap())
    }

    #[test]
    fn methods_that_learn_again_write_the_snapshots_and_say_so() {
        for method in ["bagging", "skimmed"] {
            let (snapshots, model, said) = interrupt(method);
            assert_eq!(model["members"].as_array().unwrap().len(), snapshots, "{method}");
            let expected = "the snapshots vote, weighted as `paper` weighs them";
            assert!(notes(&model).contains(expected) && said.contains(expected), "{method}: {said}");
        }
    }

    #[test]
    fn the_default_method_makes_an_ensemble_of_more_than_one() {
        let (_, model, said) = interrupt("resampled");
        assert!(model["members"].as_array().unwrap().len() > 1, "{model}");
        assert!(said.contains("stopped: interrupted") && said.contains("model written to"), "{said}");
    }
}
