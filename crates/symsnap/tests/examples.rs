//! The task folders in `examples/`: each loads without a warning, and its solution lies in its space and has exactly
//! the confusion that the generator, which knows nothing of this library, wrote down.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use symsnap::Task;
use symsnap::internals::cost::mdl;
use symsnap::internals::coverage::assess;

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.join("bk.pl").exists());
    found.sort();
    assert!(found.len() >= 6, "the example tasks are part of the repository");
    found
}

#[test]
fn every_example_task_loads_without_a_warning() {
    for folder in examples() {
        let task = Task::from_dir(&folder).unwrap_or_else(|error| panic!("{error}"));
        assert!(task.warnings.is_empty(), "{}: {:?}", folder.display(), task.warnings);
    }
}

#[test]
fn every_solution_has_the_confusion_that_its_generator_expects() {
    for folder in examples() {
        let mut task = Task::from_dir(&folder).unwrap();
        let rules = task.read_rules_file(&folder.join("solution.pl")).unwrap_or_else(|error| panic!("{error}"));
        let whole = assess(&task, &rules).whole;
        let confusion = task.examples.confusion(&whole);
        let size = rules.iter().map(|rule| rule.clause.size(&task.terms)).sum();
        let found = json!({
            "confusion": { "tp": confusion.tp, "fn": confusion.fn_, "tn": confusion.tn, "fp": confusion.fp },
            "size": size,
            "mdl": mdl(&confusion, size),
        });
        let expected: Value = serde_json::from_str(&fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap();
        assert_eq!(found, expected, "{}", folder.display());
    }
}
