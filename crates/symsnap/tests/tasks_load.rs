//! Every task folder loads: our own, and the real ones.

mod folders;
mod skip;

use symsnap::Task;

#[test]
fn every_task_folder_loads() {
    for folder in folders::all("tasks_load") {
        let task = Task::from_dir(&folder).unwrap_or_else(|error| panic!("{error}"));
        assert!(task.examples.positives() > 0, "{}", folder.display());
        let defined = task.bias.body.iter().filter(|&&pred| task.program.get(pred).is_some()).count();
        assert!(defined > 0, "{}: none of the body predicates is defined", folder.display());
    }
}
