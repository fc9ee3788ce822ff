//! Suites whose learner is another program, from the command line.

use super::{Place, TRAINS, files, path, run, suite, symsnap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A small suite with this learner, limited in seconds.
fn with_learner(place: &Place, learner: &str, limits: &str) -> PathBuf {
    let file = suite(place, TRAINS);
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replacen("trials = 1", &format!("trials = 1\nlearner = {learner}"), 1);
    fs::write(&file, text.replacen("ticks = 300", limits, 1)).unwrap();
    file
}

fn runs(mark: &str) -> bool {
    let left = Command::new("ps").args(["-eo", "args"]).output().unwrap();
    String::from_utf8_lossy(&left.stdout).lines().any(|line| line.trim() == format!("sleep {mark}"))
}

/// Wait until a program that sleeps so long runs, or does not.
fn wait_for(mark: &str, running: bool) {
    let started = Instant::now();
    while runs(mark) != running {
        assert!(started.elapsed() < Duration::from_secs(20), "sleep {mark}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_log_of_popper_is_a_learner_and_the_report_names_it() {
    let place = Place::new("guest-log");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let log = root.join("crates/symsnap-cli/tests/models/popper.log");
    let learner = format!("{{ command = \"cat {}; : {{task}}\", format = \"popper\" }}", path(&log));
    let file = with_learner(&place, &learner, "seconds = 30.0");
    let text = fs::read_to_string(&file).unwrap();
    let task = format!("folder = \"{}\"", path(&root.join("examples/trains")));
    let text = text.replacen("generate = \"trains\"", &task, 1).replace("size = 30\nnoise = 0.1\n", "");
    fs::write(&file, text).unwrap();
    let results = place.join("results");
    let output = run(&["experiment", "run", path(&file), "-o", path(&results), "-q"]);
    assert!(output.status.success(), "{output:?}");
    let tables = files(&results);
    let methods: Vec<&str> = tables["rows.csv"].lines().skip(1).map(|line| line.split(',').nth(5).unwrap()).collect();
    assert_eq!(methods, ["single", "paper"]);
    assert!(tables["runs.csv"].contains(",exhausted,false,"), "{}", tables["runs.csv"]);
    assert!(tables["suite.json"].contains("\"format\": \"popper\""));
    assert!(run(&["report", path(&results)]).status.success());
    let report = fs::read_to_string(results.join("report.md")).unwrap();
    assert!(report.contains("learner cat "), "{report}");
}

#[test]
fn a_program_ends_with_its_job_however_that_ends() {
    let place = Place::new("guest-ends");
    let mark = format!("{}", 70_000 + std::process::id());
    let learner = format!("{{ command = \": {{task}}; (sleep {mark} & sleep {mark})\" }}");
    // The job takes too long, and is killed.
    let file = with_learner(&place, &learner, "seconds = 600.0\njob_seconds = 1.5");
    let output = run(&["experiment", "run", path(&file), "-o", path(&place.join("long")), "-q"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("took longer than 1.5 s"), "{said}");
    wait_for(&mark, false);
    // The whole experiment is killed.
    let file = with_learner(&place, &learner, "seconds = 600.0");
    let mut all = symsnap(&["experiment", "run", path(&file), "-o", path(&place.join("killed")), "-q"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for(&mark, true);
    all.kill().unwrap();
    all.wait().unwrap();
    wait_for(&mark, false);
    // The limit is kept, and that is no failure.
    let file = with_learner(&place, &learner, "seconds = 0.3");
    let output = run(&["experiment", "run", path(&file), "-o", path(&place.join("limit")), "-q"]);
    assert!(output.status.success(), "{output:?}");
    assert!(files(&place.join("limit"))["runs.csv"].contains(",time,false,"));
    wait_for(&mark, false);
}

#[test]
fn a_learner_that_cannot_be_is_an_error_with_its_place() {
    let place = Place::new("guest-bad");
    let message = |learner: &str, limits: &str| {
        let file = with_learner(&place, learner, limits);
        let output = run(&["experiment", "plan", path(&file)]);
        assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true));
        String::from_utf8(output.stderr).unwrap().replace(path(&file), "small.toml")
    };
    let seconds = "seconds = 1.0";
    let expected = [
        (
            "{ command = \"popper.py\" }",
            seconds,
            "small.toml:4:23: error: the command has no {task} for the folder of the task\n\
             \x20 help: write {task} where the command takes the folder\n",
        ),
        (
            "{ command = \"popper.py {task}\", format = \"poper\" }",
            seconds,
            "small.toml:4:52: error: there is no format `poper` (did you mean `popper`?); there are ",
        ),
        (
            "{ command = \"popper.py {task}\" }",
            "ticks = 300",
            "small.toml:8:9: error: another program does not count the rules that it tests, so `ticks` cannot limit it\n\
             \x20 help: limit it by `seconds`\n",
        ),
        ("{ format = \"popper\" }", seconds, "small.toml:4:11: error: this is not a suite: missing field `command`\n"),
        (
            "{ command = \"a {task}\", form = \"popper\" }",
            seconds,
            "small.toml:4:35: error: this is not a suite: unknown field `form`, expected `command` or `format`\n",
        ),
        (
            "3",
            seconds,
            "small.toml:4:11: error: this is not a suite: invalid type: integer `3`, expected the name of a learner, or \
             a table with `command` and perhaps `format`\n",
        ),
    ];
    for (learner, limits, start) in expected {
        let said = message(learner, limits);
        assert!(said.starts_with(start), "{said}\nshould start with\n{start}");
    }
}
