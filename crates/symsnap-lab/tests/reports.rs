//! Reports of little: no results at all, some only, and none but failures.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use symsnap_lab::experiment::{Folder, JobResult, Suite, plan, run_job};
use symsnap_lab::report::experiment_report;

#[test]
fn reports_of_unfinished_and_failed_experiments_are_written() {
    let path: PathBuf = std::env::temp_dir().join(format!("symsnap-lab-report-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    let suite = Suite::find("smoke").unwrap();
    let folder = Folder::create(&path, &suite).unwrap();
    let jobs = plan(&suite);
    let page = || std::fs::read_to_string(path.join("report.html")).unwrap();
    experiment_report(&folder, &suite).unwrap();
    assert!(page().contains("0 of 80 jobs done"), "nothing yet");
    folder.put(&JobResult::failed(&suite, &jobs[1], Some("<no> luck".to_owned()))).unwrap();
    experiment_report(&folder, &suite).unwrap();
    assert!(page().contains("1 of 80 jobs done, 1 failed"));
    for job in &jobs[..1] {
        folder.put(&run_job(&suite, job, None)).unwrap();
    }
    experiment_report(&folder, &suite).unwrap();
    let page = page();
    assert!(page.contains("2 of 80 jobs done, 1 failed") && !page.contains("NaN"), "one result");
    std::fs::remove_dir_all(&path).unwrap();
}
