//! The task folders that tests read: `examples/` and a task of each kind that the lab generates, which every clone has,
//! and real tasks, which are not part of the repository, below the folder `SYMSNAP_DATA`. Who uses it has `mod skip`, too.
#![allow(clippy::unwrap_used, dead_code)] // each test uses a part

use crate::skip::skip;
use std::fs;
use std::path::{Path, PathBuf};
use symsnap_lab::generate::KINDS;

/// Individuals (lists, trains, people, ...) in a generated task: enough for rules to differ, few enough to ask an oracle.
const SIZE: usize = 12;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

/// The folders in `examples/`.
pub fn examples() -> Vec<PathBuf> {
    let mut found = below(&root().join("examples"));
    found.retain(|path| path.join("bk.pl").is_file());
    assert!(found.len() >= 9, "the example tasks are part of the repository");
    found
}

/// A folder for each kind of task that the lab generates, with one label in ten wrong and the true rules in `rules.pl`.
/// `test` is a name of the calling test's own: tests run side by side.
pub fn generated(test: &str) -> Vec<PathBuf> {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test).join("generated");
    let write = |(seed, kind): (u64, symsnap_lab::generate::Kind)| {
        let made = kind.generate(seed, SIZE, 0.1).unwrap();
        let folder = place.join(kind.name);
        fs::create_dir_all(&folder).unwrap();
        let files =
            [("bk.pl", made.background), ("exs.pl", made.examples), ("bias.pl", made.bias), ("rules.pl", made.rules)];
        files.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
        folder
    };
    (1..).zip(KINDS).map(write).collect()
}

/// What every clone has.
pub fn ours(test: &str) -> Vec<PathBuf> {
    [examples(), generated(test)].concat()
}

/// The folder with real tasks, in folders of families. Notes that they are skipped where it is missing.
pub fn data() -> Option<PathBuf> {
    let data = std::env::var_os("SYMSNAP_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let found = data.join("tasks").is_dir();
    if !found {
        skip("real tasks: SYMSNAP_DATA names no folder with tasks/");
    }
    found.then_some(data)
}

/// The real tasks. Notes that they are skipped where there are none.
pub fn real() -> Vec<PathBuf> {
    let families = data().map(|data| below(&data.join("tasks"))).unwrap_or_default();
    let tasks = families.iter().filter(|family| family.is_dir()).flat_map(|family| below(family));
    tasks.filter(|task| task.join("bk.pl").is_file()).collect()
}

/// Our own tasks, and the real ones where they are.
pub fn all(test: &str) -> Vec<PathBuf> {
    [ours(test), real()].concat()
}
