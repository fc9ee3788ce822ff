//! `symsnap experiment replay`: recorded runs, of which two tasks lie here.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

const SYMSNAP: &str = env!("CARGO_BIN_EXE_symsnap");

fn recorded() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/experiment/recorded")
}

fn replay(folder: &Path, more: &[&str]) -> Output {
    Command::new(SYMSNAP).args(["experiment", "replay", "-q"]).arg(folder).args(more).output().unwrap()
}

#[test]
fn recorded_runs_are_replayed_through_methods_and_compared_with_their_last_hypothesis() {
    let csv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replay.csv");
    let output = replay(&recorded(), &["--json", "--csv", csv.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let runs = said["runs"].as_array().unwrap();
    let names: Vec<(&str, &str)> =
        runs.iter().map(|it| (it["task"].as_str().unwrap(), it["cost"].as_str().unwrap())).collect();
    assert_eq!(names, [("delivery", "mdl"), ("delivery", "lexfnsize"), ("sorting", "mdl")]);
    let figures: Vec<_> =
        ["hypotheses", "skipped", "snapshots"].iter().map(|it| runs[0][it].as_u64().unwrap()).collect();
    assert_eq!(figures, [3, 1, 3]);
    // By hand: of parcels 24 to 39, those via the harbour, and those that are both heavy and cold, are late.
    assert_eq!(runs[0]["last"].to_string(), r#"{"tp":5,"fn":0,"tn":11,"fp":0}"#);
    // The test examples have a background of their own, which the rule holds on.
    assert_eq!(runs[2]["last"].to_string(), r#"{"tp":2,"fn":0,"tn":2,"fp":0}"#);
    for run in runs {
        let methods = run["methods"].as_object().unwrap();
        assert!(methods.contains_key("paper") && methods.contains_key("resampled") && !methods.contains_key("bagging"));
    }
    let costs = said["costs"].as_array().unwrap();
    assert_eq!((costs[0]["cost"].as_str(), costs[0]["runs"].as_u64()), (Some("mdl"), Some(2)));
    assert_eq!(costs[0]["baseline"].as_f64(), Some(100.0));
    let single = costs[1]["methods"].as_array().unwrap().iter().find(|it| it["method"] == "single").unwrap();
    assert_eq!(single["difference"].as_f64(), Some(0.0), "the best is the last: {single}");
    let text = std::fs::read_to_string(&csv).unwrap();
    let methods = runs[0]["methods"].as_object().unwrap().len();
    assert_eq!(text.lines().count(), 1 + 3 * (1 + methods), "{text}");
    assert!(text.contains("delivery,mdl,last,3,1,3,5,0,11,0,1.0000\n"), "{text}");
}

#[test]
fn what_cannot_be_replayed_is_told_and_the_rest_is_replayed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replay-broken");
    for task in ["sorting", "broken"] {
        std::fs::create_dir_all(folder.join(task)).unwrap();
        for file in std::fs::read_dir(recorded().join("sorting")).unwrap() {
            let path = file.unwrap().path();
            std::fs::copy(&path, folder.join(task).join(path.file_name().unwrap())).unwrap();
        }
    }
    std::fs::write(folder.join("broken/test_exs.pl"), "pos(before(x,y).").unwrap();
    let output = replay(&folder, &["--method", "paper"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.starts_with("1 of 2 recorded runs replayed\nnot replayed: broken mdl: "), "{text}");
    assert!(text.contains("| `paper` | +0.00 |") && !text.contains("resampled"), "{text}");
    let none = replay(&folder, &["--method", "bagging"]);
    assert!(none.status.code() == Some(2) && String::from_utf8_lossy(&none.stderr).contains("there are resampled"));
    assert_eq!(replay(&recorded().join("nowhere"), &[]).status.code(), Some(2));
    assert_eq!(replay(&folder.join("sorting"), &["--method", "single"]).status.code(), Some(0), "a folder of one task");
}
