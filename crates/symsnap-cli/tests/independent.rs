//! Models made of given hypotheses are those that an independent computation makes: `independent/check.py`, in Python
//! with SWI-Prolog, over our own runs on the example tasks and over recorded runs of Popper. Skipped, and counted,
//! where one of these is missing.
#![allow(clippy::unwrap_used)]

#[path = "../../symsnap/tests/folders/mod.rs"]
mod folders;
#[path = "../../symsnap/tests/skip/mod.rs"]
mod skip;

use serde_json::Value;
use skip::{has, skip};
use std::fs;
use std::path::Path;
use std::process::Command;

const SYMSNAP: &str = env!("CARGO_BIN_EXE_symsnap");

/// Have the pools of the table `trace` computed a second time; there are `least` at least.
fn check(tasks: &Path, trace: &Path, least: usize) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/independent/check.py");
    let output = Command::new("python3").args([&script, Path::new(SYMSNAP), tasks, trace]).output().unwrap();
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    let count = said.lines().last().and_then(|line| line.strip_suffix(" pools agree")).unwrap();
    assert!(count.parse::<usize>().unwrap() >= least, "{said}");
}

#[test]
fn models_of_our_own_hypotheses_are_those_computed_independently() {
    if !has("swipl") || !has("python3") {
        return;
    }
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("independent");
    fs::create_dir_all(&place).unwrap();
    let mut rows = "version,mode,task,rules\n".to_owned();
    for task in [folders::examples(), folders::generated("independent")].concat() {
        for (mode, cost) in [("noisy", "mdl"), ("plain", "lexfnsize")] {
            let snapshots = place.join("snapshots.jsonl");
            let mut learn = Command::new(SYMSNAP);
            learn.arg("learn").arg(&task).args(["--cost", cost, "--ticks", "2000", "--threads", "1", "-q"]);
            let output = learn.arg("--snapshots").arg(&snapshots).output().unwrap();
            // 1 and 3: nothing was learned, or not within that many rules.
            assert!([0, 1, 3].contains(&output.status.code().unwrap()), "{output:?}");
            for line in fs::read_to_string(&snapshots).unwrap_or_default().lines() {
                let line: Value = serde_json::from_str(line).unwrap();
                let rules: Vec<&str> =
                    line["rules"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
                let rules = rules.join(" ; ").replace('"', "\"\"");
                rows.push_str(&format!("symsnap,{mode},{},\"{rules}\"\n", task.display()));
            }
            let _ = fs::remove_file(&snapshots);
        }
    }
    let trace = place.join("trace.csv");
    fs::write(&trace, rows).unwrap();
    // The folders in the table are absolute.
    check(Path::new("/"), &trace, 10);
}

#[test]
fn models_of_poppers_hypotheses_are_those_computed_independently() {
    let Some(data) = folders::data() else { return };
    let trace = data.join("../reference/popper-trace.csv");
    if !trace.is_file() {
        return skip("no trace of Popper beside the folder that SYMSNAP_DATA names");
    }
    if has("swipl") && has("python3") {
        check(&data.join("tasks"), &trace, 20);
    }
}
