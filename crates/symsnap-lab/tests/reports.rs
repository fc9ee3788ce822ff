//! Reports of little: none of no results or of failures alone, and one of a single result.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use symsnap::internals::file::Partials;
use symsnap_lab::experiment::{Folder, JobResult, Suite, plan, run_job};
use symsnap_lab::report::experiment_report;

#[test]
fn an_unfinished_experiment_is_reported_from_its_first_result_on() {
    let path: PathBuf = std::env::temp_dir().join(format!("symsnap-lab-report-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    let suite = Suite::find("smoke").unwrap();
    let folder = Folder::create(&path, &suite, &Partials::default()).unwrap();
    let jobs = plan(&suite);
    let page = || std::fs::read_to_string(path.join("report.html")).unwrap();
    let refusal = || experiment_report(&folder, &suite).unwrap_err().to_string();
    assert!(refusal().contains("has nothing to report: 0 of 80 jobs of the suite smoke were run\n"), "{}", refusal());
    folder.put(&JobResult::failed(&suite, &jobs[1], Some("<no> luck".to_owned()))).unwrap();
    let said = refusal();
    assert!(said.contains("1 of 80 jobs of the suite smoke were run, and all failed") && said.contains("<no> luck"));
    assert!(!path.join("report.html").exists());
    for job in &jobs[..1] {
        folder.put(&run_job(&suite, job, None)).unwrap();
    }
    experiment_report(&folder, &suite).unwrap();
    let page = page();
    assert!(page.contains("2 of 80 jobs done, 1 failed") && !page.contains("NaN"), "one result");
    std::fs::remove_dir_all(&path).unwrap();
}

#[test]
fn without_the_files_of_jobs_the_report_is_made_from_the_tables_and_leaves_them_alone() {
    let path: PathBuf = std::env::temp_dir().join(format!("symsnap-lab-tables-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    let suite = Suite::find("smoke").unwrap();
    let folder = Folder::create(&path, &suite, &Partials::default()).unwrap();
    for job in plan(&suite).iter().take(5) {
        folder.put(&run_job(&suite, job, None)).unwrap();
    }
    let read = |name: &str| std::fs::read_to_string(path.join(name)).unwrap();
    experiment_report(&folder, &suite).unwrap();
    let files = ["report.md", "rows.csv", "runs.csv"];
    let before = files.map(read);
    std::fs::remove_dir_all(path.join("jobs")).unwrap();
    experiment_report(&folder, &suite).unwrap();
    let after = files.map(read);
    assert_eq!(before[1..], after[1..], "the tables");
    // The tables have neither the sweep over alpha nor checkpoints.
    let known = |text: &str| {
        let parts =
            text.split("\n## ").filter(|part| !part.starts_with("Which alpha?") && !part.starts_with("How much time"));
        parts.collect::<Vec<_>>().join("\n## ")
    };
    assert_eq!(known(&before[0]), known(&after[0]));
    std::fs::remove_file(path.join("rows.csv")).unwrap();
    let error = experiment_report(&folder, &suite).unwrap_err().to_string();
    assert!(error.contains("rows.csv"), "{error}");
    std::fs::remove_dir_all(&path).unwrap();
}

#[test]
fn recorded_results_of_methods_that_are_gone_can_be_read_and_not_run_again() {
    let recorded = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/paper");
    let (_, suite) = Folder::open(&recorded, &Partials::default()).unwrap();
    assert!(suite.methods.iter().any(|method| method == "stacking"), "{:?}", suite.methods);
    let text = "name = \"a\"\ntitle = \"b\"\ntrials = 1\ncosts = [\"mdl\"]\nmethods = [\"stacking\"]\n[limits]\nticks = 9\n\
        [[tasks]]\nname = \"t\"\nfamily = \"t\"\ngenerate = \"trains\"\n";
    let path = std::env::temp_dir().join(format!("symsnap-lab-gone-{}.toml", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let error = Suite::find(path.to_str().unwrap()).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(error.contains("there is no method `stacking`"), "{error}");
}
