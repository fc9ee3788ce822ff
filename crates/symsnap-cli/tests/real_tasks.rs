//! `symsnap check` accepts every real task folder under `SYMSNAP_DATA` (by default the folder `shared/data` beside the
//! repository). Skipped, with a word, where there is none.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.is_dir());
    found.sort();
    found
}

#[test]
fn check_accepts_every_real_task() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let tasks = std::env::var_os("SYMSNAP_DATA").map_or(beside, PathBuf::from).join("tasks");
    if !tasks.is_dir() {
        println!("SKIPPED: SYMSNAP_DATA names no folder with tasks");
        return;
    }
    let mut rejected = Vec::new();
    for task in folders(&tasks).iter().flat_map(|dataset| folders(dataset)) {
        let output = Command::new(env!("CARGO_BIN_EXE_symsnap")).arg("check").arg(&task).output().unwrap();
        if !output.status.success() {
            rejected.push(format!("{}: {}", task.display(), String::from_utf8_lossy(&output.stderr)));
        }
    }
    assert!(rejected.is_empty(), "{}", rejected.join("\n"));
}
