//! `symsnap experiment` as a whole: the smoke suite, interruptions, failures, single jobs, merging, bad suites.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use symsnap::task::Random;

/// A folder of its own for a test, empty at the start and gone at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("symsnap-experiment-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn symsnap(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symsnap"));
    command.args(arguments).env_remove("SYMSNAP_DATA").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    symsnap(arguments).output().unwrap()
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// All files of a folder of results with what is in them, but for the description of the machine.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for part in [folder.to_owned(), folder.join("jobs")] {
        for entry in fs::read_dir(&part).unwrap() {
            let file = entry.unwrap().path();
            if file.is_file() && !file.ends_with("machine.json") {
                let name = file.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read_to_string(&file).unwrap());
            }
        }
    }
    found
}

fn suite(place: &Place, tasks: &str) -> PathBuf {
    let text = format!(
        "name = \"small\"\ntitle = \"A test\"\ntrials = 1\ncosts = [\"mdl\"]\nmethods = [\"single\", \"paper\"]\n\
         [limits]\nticks = 300\n{tasks}"
    );
    let file = place.join("small.toml");
    fs::write(&file, text).unwrap();
    file
}

const TRAINS: &str =
    "[[tasks]]\nname = \"trains\"\nfamily = \"Trains\"\ngenerate = \"trains\"\nsize = 30\nnoise = 0.1\n";

#[test]
fn smoke_killed_at_twenty_moments_gives_the_same_bytes_as_without() {
    let place = Place::new("kill");
    let whole = place.join("whole");
    let started = Instant::now();
    let output = run(&["experiment", "run", "smoke", "-o", path(&whole), "-q"]);
    let needed = started.elapsed();
    assert!(output.status.success(), "{output:?}");
    assert!(needed < Duration::from_secs(60), "smoke took {needed:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().next(), Some("80 of 80 jobs done"));

    let broken = place.join("broken");
    let mut random = Random::new(20);
    for _ in 0..20 {
        let mut child =
            symsnap(&["experiment", "run", "smoke", "-o", path(&broken), "-q"]).stdout(Stdio::null()).spawn().unwrap();
        let longest = needed.as_millis() as usize / 12 + 5;
        std::thread::sleep(Duration::from_millis(random.below(longest) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = run(&["experiment", "run", "smoke", "-o", path(&broken), "-q"]);
    assert!(output.status.success(), "{output:?}");
    let (expected, found) = (files(&whole), files(&broken));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, text) in &expected {
        assert!(found[name] == *text, "{name} differs");
    }
    assert_eq!(expected.keys().filter(|name| name.starts_with("jobs")).count(), 80);
    assert!(expected["rows.csv"].lines().count() > 200);
}

#[test]
fn a_job_by_itself_gives_what_the_whole_run_gives_and_folders_merge() {
    let place = Place::new("merge");
    let suite = suite(&place, &(TRAINS.to_owned() + &TRAINS.replace("\"trains\"\nfam", "\"more\"\nfam")));
    let (suite, all) = (path(&suite), place.join("all"));
    assert!(run(&["experiment", "run", suite, "-o", path(&all), "-q"]).status.success());
    let halves = [place.join("a"), place.join("b")];
    for (job, half) in halves.iter().enumerate() {
        assert!(run(&["experiment", "run", suite, "-o", path(half), "--job", &job.to_string()]).status.success());
    }
    let both = place.join("both");
    let output = run(&["experiment", "collect", path(&halves[0]), path(&halves[1]), "-o", path(&both)]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("2 new results; 2 of 2 jobs done\n"), "{said}");
    assert_eq!(files(&both), files(&all));
    let output = run(&["experiment", "run", suite, "-o", path(&all), "--job", "2"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: there is no job 2; the suite small has 2 jobs"), "{said}");
}

#[test]
fn a_job_that_fails_is_recorded_and_the_others_go_on() {
    let place = Place::new("fail");
    let missing = "[[tasks]]\nname = \"gone\"\nfamily = \"None\"\nfolder = \"no/such/folder\"\n";
    let suite = suite(&place, &(missing.to_owned() + TRAINS));
    let results = place.join("results");
    let output = run(&["experiment", "run", path(&suite), "-o", path(&results), "-q"]);
    assert!(output.status.success(), "{output:?}");
    let found = files(&results);
    let gone = &found["jobs/gone--random--mdl--1--snapshots.json"];
    assert!(gone.contains("there is no folder"), "{gone}");
    assert!(found["runs.csv"].lines().nth(1).unwrap().contains("there is no folder"), "{}", found["runs.csv"]);
    assert_eq!(found["rows.csv"].lines().count(), 3);
    // A failure is a result: it is not tried again unless asked for.
    let output = run(&["experiment", "run", path(&suite), "-o", path(&results), "-q"]);
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("2 of 2 jobs done\n"));
}

#[test]
fn results_of_another_suite_are_not_mixed_in() {
    let place = Place::new("mix");
    let results = place.join("results");
    let first = suite(&place, TRAINS);
    assert!(run(&["experiment", "run", path(&first), "-o", path(&results), "-q"]).status.success());
    let second = suite(&place, &TRAINS.replace("0.1", "0.2"));
    let output = run(&["experiment", "run", path(&second), "-o", path(&results), "-q"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("holds the results of another suite"), "{said}");
}

#[test]
fn a_suite_may_take_the_tasks_of_another() {
    let place = Place::new("tasks-of");
    let listed = suite(&place, TRAINS);
    let text = fs::read_to_string(&listed).unwrap();
    let (settings, _) = text.split_once("[[tasks]]").unwrap();
    let taking = place.0.join("taking.toml");
    fs::write(&taking, format!("tasks_of = \"small.toml\"\n{settings}")).unwrap();
    let [listed, taking] = [&listed, &taking].map(|file| run(&["experiment", "plan", path(file)]).stdout);
    assert!(!listed.is_empty());
    assert_eq!(listed, taking);
}

#[test]
fn bad_suites_are_errors_that_say_what_is_wrong() {
    let place = Place::new("bad");
    let message = |old: &str, new: &str| {
        let file = suite(&place, TRAINS);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(old));
        fs::write(&file, text.replacen(old, new, 1)).unwrap();
        let output = run(&["experiment", "plan", path(&file)]);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap().replace(path(&file), "small.toml")
    };
    let expected = [
        ("trials = 1", "trials = x", "small.toml:3:10: error: this is not a suite: "),
        ("trials = 1", "trails = 1", "small.toml:3:1: error: this is not a suite: unknown field `trails`"),
        ("\"mdl\"", "\"mld\"", "error: small.toml: there is no cost `mld`; there are mdl, errorsize, lexfnsize"),
        ("\"paper\"", "\"papre\"", "error: small.toml: there is no method `papre`; there are paper, single"),
        ("\"paper\"", "\"single\"", "error: small.toml: the method `single` is named twice"),
        ("ticks = 300", "", "error: small.toml: `limits` needs either `seconds` or `ticks`, above 0"),
        ("ticks = 300", "seconds = -1.0", "error: small.toml: `limits` needs either `seconds` or `ticks`, above 0"),
        ("\"trains\"\nsize", "\"chess\"\nsize", "error: small.toml: there is no generator `chess`; there are dropk"),
        ("generate = \"trains\"", "", "error: small.toml: task `trains` needs one of `data`, `folder` and `generate`"),
        ("name = \"trains\"", "name = \"../x\"", "error: small.toml: the task name `../x` is not made of letters"),
    ];
    for (old, new, start) in expected {
        let said = message(old, new);
        assert!(said.starts_with(start), "{said}\nshould start with\n{start}");
    }
    let chain = place.0.join("chain.toml");
    let text = fs::read_to_string(suite(&place, TRAINS)).unwrap();
    fs::write(&chain, format!("tasks_of = \"paper\"\n{text}")).unwrap();
    let said = message("costs", "tasks_of = \"chain.toml\"\ncosts");
    assert!(said.starts_with("error: small.toml: the suite chain.toml takes its tasks from another one"), "{said}");
    let output = run(&["experiment", "plan", "nowhere"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: there is no suite nowhere\n  help: name a TOML file, or one of smoke"), "{said}");
}
