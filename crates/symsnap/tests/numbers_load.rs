//! The tasks with numbers and constants load as their authors wrote them, and declare what their authors meant.
#![allow(clippy::unwrap_used)]

mod skip;

use std::path::{Path, PathBuf};
use symsnap::Task;

/// The folders below `SYMSNAP_DATA/numbers`, where they are.
fn folders() -> Vec<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let numbers = std::env::var_os("SYMSNAP_DATA").map_or_else(beside, PathBuf::from).join("numbers");
    if !numbers.is_dir() {
        skip::skip("tasks with numbers: SYMSNAP_DATA names no folder with numbers/");
        return Vec::new();
    }
    let (mut found, mut waiting) = (Vec::new(), vec![numbers]);
    while let Some(folder) = waiting.pop() {
        if folder.join("bias.pl").is_file() {
            found.push(folder);
        } else {
            let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            waiting.extend(entries.filter(|path| path.is_dir()));
        }
    }
    assert!(found.len() > 40, "{} folders", found.len());
    found
}

#[test]
fn every_folder_with_numbers_loads_and_declares_something() {
    for folder in folders() {
        let mut task = Task::from_dir(&folder).unwrap_or_else(|error| panic!("{error}"));
        let (cuts, constants) = (&task.bias.cuts, &task.bias.constants);
        assert!(!cuts.is_empty() || !constants.is_empty(), "{}", folder.display());
        assert_eq!(!cuts.is_empty(), folder.components().any(|part| part.as_os_str() == "numsynth"));
        assert!(task.suggestions().is_empty(), "{}", folder.display());
        if cuts.is_empty() {
            assert_eq!(cuts.most, None);
        } else {
            assert!(cuts.types.iter().all(|cut| cut.at_most.is_some() && cut.at_least.is_some()));
            assert!(
                task.bias.body.iter().all(|pred| !["geq", "leq", "add", "mult"].contains(&task.terms.name(pred.name)))
            );
        }
        let test = folder.join("test_exs.pl");
        if test.is_file() {
            task.read_examples_file(&test).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
