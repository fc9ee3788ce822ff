//! A bounded slice of `scripts/hunt`: random tasks against a brute force that asks SWI-Prolog what rules cover.
//!
//! The seed is fixed, so that a run repeats; change it now and then. `SYMSNAP_HUNT_TASKS` makes the slice larger.
#![allow(clippy::unwrap_used)]

#[path = "../../symsnap/tests/skip/mod.rs"]
mod skip;

use std::path::Path;
use std::process::Command;

const SEED: &str = "202611";
const TASKS: &str = "40";

#[test]
fn what_symsnap_says_of_random_tasks_is_what_brute_force_says() {
    if !skip::has("swipl") || !skip::has("python3") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tasks = std::env::var("SYMSNAP_HUNT_TASKS").unwrap_or_else(|_| TASKS.to_owned());
    let hunt = Command::new("python3")
        .arg(root.join("scripts/hunt"))
        .args(["--tasks", &tasks, "--seed", SEED, "--jobs", "2", "--each", "1", "--shrink-seconds", "20"])
        .args(["--symsnap", env!("CARGO_BIN_EXE_symsnap")])
        .output()
        .unwrap();
    let said = [hunt.stdout, hunt.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(hunt.status.success(), "{}\n{}", said[0], said[1]);
    assert!(said[0].contains(" checks passed, 0 failed"), "the summary says how many: {}", said[0]);
}
