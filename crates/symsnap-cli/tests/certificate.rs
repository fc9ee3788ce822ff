//! `learn --certificate`: what it writes is checked by scripts/check-certificate, which is written from the statements in
//! docs/FORMATS.md in another language, and SWI-Prolog runs the rules. Certificates that say too much are refused. Without
//! Python or SWI-Prolog it is skipped, and counted.
#![allow(clippy::unwrap_used)]

#[path = "../../symsnap/tests/folders/mod.rs"]
mod folders;
#[path = "../../symsnap/tests/skip/mod.rs"]
mod skip;

use serde_json::{Value, json};
use skip::has;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SYMSNAP: &str = env!("CARGO_BIN_EXE_symsnap");

fn place() -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("certificate");
    fs::create_dir_all(&place).unwrap();
    place
}

/// Learn with a certificate; the report, and the certificate if there is one.
fn certified(task: &Path, name: &str, options: &[&str]) -> (Value, Option<Value>) {
    let file = place().join(name);
    let _ = fs::remove_file(&file);
    let mut learn = Command::new(SYMSNAP);
    learn.arg("learn").arg(task).args(["--json", "--threads", "1", "--certificate"]).arg(&file).args(options);
    let output = learn.output().unwrap();
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    (report, fs::read_to_string(&file).ok().map(|text| serde_json::from_str(&text).unwrap()))
}

fn check(file: &Path, task: Option<&Path>) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/check-certificate");
    let mut command = Command::new("python3");
    command.arg(script).arg(file);
    if let Some(task) = task {
        command.arg("--task").arg(task);
    }
    command.output().unwrap()
}

#[test]
fn certificates_hold_and_mostly_reach_what_was_proved() {
    if !has("swipl") || !has("python3") {
        return;
    }
    let (mut proved, mut reached) = (0, 0);
    for task in [folders::examples(), folders::generated("certificate")].concat() {
        for cost in ["mdl", "errorsize", "lexfnsize"] {
            let (report, certificate) = certified(&task, "holds.json", &["--cost", cost, "--ticks", "2000"]);
            let Some(certificate) = certificate else { panic!("{}: no certificate: {report}", task.display()) };
            assert_eq!(report["certified_bound"], certificate["bound"]);
            let checked = check(&place().join("holds.json"), Some(&task));
            assert!(checked.status.success(), "{}, {cost}: {checked:?}", task.display());
            let bound: Vec<u64> = serde_json::from_value(certificate["bound"].clone()).unwrap();
            let value: Vec<u64> = serde_json::from_value(report["value"].clone()).unwrap();
            let is_rules = !certificate["hypothesis"].as_array().unwrap().is_empty();
            if report["optimal"] == true && is_rules {
                proved += 1;
                reached += u32::from(bound == value);
            }
        }
    }
    // Where the optimum is a recursive program, rules alone have another one.
    assert!(reached >= 20, "{reached} of {proved} proofs are certified");
}

/// A change to a certificate.
type Forgery = fn(&mut Value);

#[test]
fn certificates_that_say_too_much_are_refused() {
    if !has("python3") {
        return;
    }
    let task = folders::examples().into_iter().find(|task| task.ends_with("trains")).unwrap();
    let (_, certificate) = certified(&task, "forged.json", &["--cost", "mdl", "--ticks", "5000"]);
    let certificate = certificate.unwrap();
    let file = place().join("forged.json");
    assert!(check(&file, None).status.success());
    let forgeries: [(&str, Forgery, &str); 5] = [
        ("a higher bound", |it| it["bound"][0] = json!(it["bound"][0].as_u64().unwrap() + 1), "less than the bound"),
        ("a larger share", |it| it["cores"][0]["share"] = json!(1u64 << 50), "loaded with more"),
        ("a rule left out", |it| drop_kept(it, json!("nothing")), "leaving out"),
        ("a rule that stands for itself through another", |it| drop_kept(it, json!(1_000_000)), "not kept itself"),
        ("units of nothing", |it| it["units"][0] = json!("0"), "units"),
    ];
    for (name, forge, why) in forgeries {
        let mut forged = certificate.clone();
        forge(&mut forged);
        fs::write(&file, forged.to_string()).unwrap();
        let checked = check(&file, None);
        let said = String::from_utf8_lossy(&checked.stdout).into_owned();
        assert_eq!(checked.status.code(), Some(1), "{name}: {checked:?}");
        assert!(said.starts_with("the certificate does not hold") && said.contains(why), "{name}: {said}");
    }
}

/// Say of the rule with most positives of all that are kept that something does as well.
fn drop_kept(certificate: &mut Value, instead: Value) {
    let rules = certificate["rules"].as_array_mut().unwrap().iter_mut();
    let kept = rules.filter(|rule| rule.get("instead").is_none());
    let most = kept.max_by_key(|rule| rule["positives"].as_array().unwrap().len()).unwrap();
    most["instead"] = instead;
}

#[test]
fn where_none_can_be_had_that_is_said_before_the_work() {
    let task = folders::examples().into_iter().find(|task| task.ends_with("trains")).unwrap();
    for (options, why) in [(vec!["--learner", "foil"], "only the learner `exact`"), (vec!["--cv", "3"], "without --cv")]
    {
        let mut learn = Command::new(SYMSNAP);
        learn.arg("learn").arg(&task).arg("--certificate").arg(place().join("none.json")).args(&options);
        let output = learn.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(why), "{output:?}");
        assert!(!place().join("none.json").exists());
    }
}
