//! Files that `learn` writes: whole or not at all, and paths that cannot be written are found before learning starts.

use crate::run::{Ran, command, example, scratch};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

fn run_with(flag: &str, path: &Path) -> Ran {
    let started = Instant::now();
    let output = command(&example("family")).args(["-q", flag]).arg(path).output().unwrap();
    Ran::from(&output, started.elapsed())
}

#[test]
fn paths_that_cannot_be_written_are_refused_before_learning() {
    let folder = scratch("refused");
    for flag in ["--snapshots", "-o"] {
        for path in [folder.join("missing/file"), folder.clone()] {
            let started = Instant::now();
            let output = command(&example("molecules"))
                .args(["--max-body", "14", "--max-vars", "14", "--cost", "errorsize", flag])
                .arg(&path)
                .output()
                .unwrap();
            let ran = Ran::from(&output, started.elapsed());
            assert_eq!(ran.code, 2, "{flag} {}: {}", path.display(), ran.stderr);
            assert!(ran.stdout.is_empty());
            assert!(ran.stderr.contains(&path.display().to_string()), "{}", ran.stderr);
            assert!(ran.wall < Duration::from_secs(3), "{flag} {}: {:?}", path.display(), ran.wall);
        }
    }
}

#[test]
fn a_model_replaces_an_older_one_and_leaves_nothing_beside_it() {
    let folder = scratch("replaced");
    let path = folder.join("model.json");
    fs::write(&path, "an older model").unwrap();
    assert_eq!(run_with("-o", &path).code, 0);
    assert!(fs::read_to_string(&path).unwrap().contains("\"members\""));
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["model.json"]);
}

#[test]
fn a_failed_run_leaves_an_older_model_as_it_was() {
    let folder = scratch("failed");
    let path = folder.join("model.json");
    fs::write(&path, "an older model").unwrap();
    let output = command(Path::new("no-such-task")).arg("-o").arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&path).unwrap(), "an older model");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn a_run_that_learns_nothing_writes_a_model_without_members() {
    let path = scratch("empty").join("model.json");
    let output = command(&example("family")).args(["-q", "--max-body", "1", "-o"]).arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let model: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(model["members"].as_array().unwrap().len(), 0);
}
