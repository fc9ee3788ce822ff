//! `symsnap experiment` as a whole: the smoke suite, interruptions, failures, single jobs, merging, bad suites.
#![allow(clippy::unwrap_used)]

#[cfg(unix)]
mod guests;
mod replay;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use symsnap::internals::random::Random;

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

/// Write a task folder called `broken`; returns what a suite says about it.
fn broken_task(place: &Place, [bk, exs, bias]: [&str; 3]) -> String {
    let folder = place.join("broken");
    fs::create_dir_all(&folder).unwrap();
    for (file, text) in [("bk.pl", bk), ("exs.pl", exs), ("bias.pl", bias)] {
        fs::write(folder.join(file), text).unwrap();
    }
    "[[tasks]]\nname = \"broken\"\nfamily = \"None\"\nfolder = \"broken\"\n".to_owned()
}

#[test]
fn a_job_that_fails_is_recorded_and_the_others_go_on_and_the_next_run_tries_it_again() {
    let place = Place::new("fail");
    let bias = "head_pred(f,1). body_pred(p,1).";
    let task = broken_task(&place, ["p(a", "pos(f(a)). neg(f(b)).", bias]);
    let suite = suite(&place, &(task + TRAINS));
    let results = place.join("results");
    let again = |more: &[&str]| {
        let output = run(&[&["experiment", "run", path(&suite), "-o", path(&results), "-q"], more].concat());
        (String::from_utf8(output.stdout).unwrap(), output.status.code())
    };
    let (said, code) = again(&[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("2 of 2 jobs done; 1 job failed, broken--random--mdl--1--snapshots with\n"), "{said}");
    assert!(said.contains("broken/bk.pl:1:"), "{said}");
    let found = files(&results);
    let failed = &found["jobs/broken--random--mdl--1--snapshots.json"];
    assert!(failed.contains("bk.pl:1:"), "{failed}");
    assert!(found["runs.csv"].contains("bk.pl:1:"), "{}", found["runs.csv"]);
    assert_eq!(found["rows.csv"].lines().count(), 3);
    let (said, code) = again(&["--no-retry", "--json"]);
    let summary: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&summary["done"], &summary["failed"], code), (&2.into(), &1.into(), Some(1)));
    assert_eq!(summary["first_failure"]["id"], "broken--random--mdl--1--snapshots");
    // The cause is gone: the job runs again without being asked for.
    let facts: String = (0..40).map(|at| format!("p(a{at}).\n")).collect();
    let examples: String = (0..40).map(|at| format!("pos(f(a{at})). neg(f(b{at})).\n")).collect();
    broken_task(&place, [&facts, &examples, bias]);
    assert_eq!(again(&["--no-retry"]).1, Some(1));
    let (said, code) = again(&[]);
    assert_eq!((said.lines().next(), code), (Some("2 of 2 jobs done"), Some(0)), "{said}");
}

#[test]
fn a_job_by_itself_that_failed_is_tried_again_too() {
    let place = Place::new("fail-one");
    let suite = suite(&place, &broken_task(&place, ["oops("; 3]));
    let results = place.join("results");
    let one = || run(&["experiment", "run", path(&suite), "-o", path(&results), "--job", "0"]);
    for _ in 0..2 {
        let output = one();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("broken/bias.pl:1:"));
    }
}

#[test]
fn an_experiment_without_its_tasks_stops_at_once_and_says_what_is_missing() {
    let place = Place::new("missing");
    let results = place.join("results");
    let refused = |suite: &str, data: Option<&Path>, more: &[&str]| {
        let mut command = symsnap(&[&["experiment", "run", suite, "-o", path(&results), "-q"], more].concat());
        data.map(|data| command.env("SYMSNAP_DATA", data));
        let output = command.output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
        assert!(!results.exists(), "nothing was begun");
        String::from_utf8(output.stderr).unwrap()
    };
    let wanted =
        "\n  help: set SYMSNAP_DATA to a folder that holds tasks/onedarc/1d_denoising_1c/bk.pl, exs.pl and bias.pl";
    for more in [&[][..], &["--job", "0"]] {
        let said = refused("paper", None, more);
        let reads = if more.is_empty() { "37 tasks" } else { "1 task" };
        let expected = format!(
            "error: the suite paper reads {reads} from the folder that the variable SYMSNAP_DATA names, which is not set{wanted}"
        );
        assert!(said.starts_with(&expected), "{said}");
    }
    let said = refused("paper", Some(&place.0), &[]);
    assert!(said.contains("tasks/onedarc/1d_denoising_1c, which is not there, nor 36 others like it\n"), "{said}");
    assert!(said.contains(wanted), "{said}");
    let missing = "[[tasks]]\nname = \"gone\"\nfamily = \"None\"\nfolder = \"no/such/folder\"\n";
    let suite = suite(&place, &(TRAINS.to_owned() + missing));
    let said = refused(path(&suite), None, &[]);
    assert!(said.contains("needs the task") && said.contains("no/such/folder, which is not there\n"), "{said}");
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
fn a_suite_is_run_with_another_learner_than_it_names() {
    let place = Place::new("learner");
    let file = suite(&place, TRAINS);
    let results = place.join("foil");
    let output = run(&["experiment", "run", path(&file), "--learner", "foil", "-o", path(&results), "-q"]);
    assert!(output.status.success(), "{output:?}");
    let found = files(&results);
    assert!(found["suite.json"].contains("\"learner\": \"foil\""), "{}", found["suite.json"]);
    let row = found["rows.csv"].lines().nth(1).unwrap();
    let [size, cost] = [16, 17].map(|at| row.split(',').nth(at).unwrap().parse::<u64>().unwrap());
    assert!(0 < size && size <= cost, "{row}");
    // Results of one learner are not taken for those of another.
    assert_eq!(run(&["experiment", "run", path(&file), "-o", path(&results), "-q"]).status.code(), Some(2));
    let output = run(&["experiment", "plan", path(&file), "--learner", "fool"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.starts_with("error: small: there is no learner `fool` (did you mean `foil`?); there are "), "{said}");
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
        (
            "\"mdl\"",
            "\"mld\"",
            "small.toml:4:10: error: there is no cost `mld` (did you mean `mdl`?); there are mdl, errorsize",
        ),
        (
            "\"paper\"",
            "\"papre\"",
            "small.toml:5:22: error: there is no method `papre` (did you mean `paper`?); there are resampled",
        ),
        (
            "trials = 1",
            "trials = 1\nlearner = \"exat\"",
            "small.toml:4:11: error: there is no learner `exat` (did you mean `exact`?); there are exact",
        ),
        ("\"paper\"", "\"single\"", "small.toml:5:22: error: the method `single` is named twice"),
        (
            "\"paper\"",
            "\"paper@last\"",
            "small.toml:5:22: error: `last` is no selection of snapshots; there are all, one-optimum, optima, last:K, every:N",
        ),
        (
            "\"paper\"",
            "\"papre@last:5\"",
            "small.toml:5:22: error: there is no method `papre` (did you mean `paper`?); there are resampled",
        ),
        (
            "\"paper\"",
            "\"bagging@last:5\"",
            "small.toml:5:22: error: the method `bagging` learns by itself and takes no snapshots",
        ),
        (
            "\"paper\"",
            "\"paper@every:2s\"",
            "small.toml:5:22: error: `paper@every:2s` counts seconds, which a limit in `ticks` does not",
        ),
        ("\"paper\"", "\"paper@cycles\"", "small.toml:5:22: error: the learner `exact` has no cycles"),
        ("ticks = 300", "", "small.toml:6:1: error: `limits` needs either `seconds` or `ticks`, above 0"),
        (
            "ticks = 300",
            "seconds = -1.0",
            "small.toml:7:11: error: `limits` needs either `seconds` or `ticks`, above 0",
        ),
        (
            "\"trains\"\nsize",
            "\"chess\"\nsize",
            "small.toml:11:12: error: there is no generator `chess`; there are dropk",
        ),
        (
            "generate = \"trains\"",
            "",
            "small.toml:9:8: error: task `trains` needs one of `data`, `folder` and `generate`",
        ),
        ("name = \"trains\"", "name = \"../x\"", "small.toml:9:8: error: the task name `../x` is not made of letters"),
        (
            "trials = 1",
            "trials = 4000000000",
            "small.toml:3:10: error: 4000000000 trials make 4000000000 jobs; a suite has",
        ),
        ("trials = 1", "trials = 99999999999", "small.toml:3:10: error: this is not a suite: invalid value"),
        ("trials = 1", "trials = -1", "small.toml:3:10: error: this is not a suite: invalid value"),
        ("size = 30", "size = 4000000000", "small.toml:12:8: error: a size of 4000000000 is not between 1 and 100000"),
        ("noise = 0.1", "noise = 1e300", "small.toml:13:9: error: noise of 1"),
        ("ticks = 300", "seconds = 1e300", "small.toml:7:11: error: `limits` needs"),
        ("ticks = 300", "ticks = 300\nthreads = 4000000000", "small.toml:8:11: error: `limits.threads` is not between"),
        (
            "ticks = 300",
            "ticks = 300\njob_seconds = inf",
            "small.toml:8:15: error: `limits.job_seconds` is not a number",
        ),
        ("trials = 1", "trials = 1\nratios = [1, 1, 4000000000]", "small.toml:4:10: error: `ratios` of training"),
        ("trials = 1", "trials = 1\nalpha = nan", "small.toml:4:9: error: `alpha`, `beta`"),
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
