//! Models made of another system's hypotheses are those that an independent computation makes: `independent/check.py`,
//! in Python with SWI-Prolog, over recorded runs of Popper. Skipped, and said so, where one of these is missing.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn runs(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: {program} is not installed");
    }
    found
}

#[test]
fn models_of_poppers_hypotheses_are_those_computed_independently() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = std::env::var_os("SYMSNAP_DATA").map_or_else(|| here.join("../../../shared/data"), PathBuf::from);
    let (tasks, trace) = (data.join("tasks"), data.join("../reference/popper-trace.csv"));
    if !tasks.is_dir() || !trace.is_file() {
        println!("skipped: SYMSNAP_DATA has no tasks, or there is no recorded run of Popper beside it");
        return;
    }
    if !runs("swipl") || !runs("python3") {
        return;
    }
    let script = here.join("tests/independent/check.py");
    let output = Command::new("python3")
        .args([script.as_path(), Path::new(env!("CARGO_BIN_EXE_symsnap")), &tasks, &trace])
        .output()
        .unwrap();
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    let count = said.lines().last().and_then(|line| line.strip_suffix(" pools agree")).unwrap();
    assert!(count.parse::<usize>().unwrap() >= 20, "{said}");
}
