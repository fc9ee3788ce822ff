//! `symsnap check` accepts every task folder: our own, and the real ones below `SYMSNAP_DATA`.
#![allow(clippy::unwrap_used)]

#[path = "../../symsnap/tests/folders/mod.rs"]
mod folders;
#[path = "../../symsnap/tests/skip/mod.rs"]
mod skip;

use std::process::Command;

#[test]
fn check_accepts_every_task() {
    let mut rejected = Vec::new();
    for task in folders::all("check_tasks") {
        let output = Command::new(env!("CARGO_BIN_EXE_symsnap")).arg("check").arg(&task).output().unwrap();
        if !output.status.success() {
            rejected.push(format!("{}: {}", task.display(), String::from_utf8_lossy(&output.stderr)));
        }
    }
    assert!(rejected.is_empty(), "{}", rejected.join("\n"));
}
