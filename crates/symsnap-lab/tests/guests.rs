//! Suites whose learner is another program: scripts that the tests write, which know the task by heart.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use symsnap::internals::coverage::SlowEvaluator;
use symsnap::internals::database::Database;
use symsnap::internals::ensemble::read_hypothesis;
use symsnap::{Examples, Task};
use symsnap_lab::experiment::{Counts, Job, JobResult, Row, Suite, plan, run_job};

/// A folder of its own for a test, empty at the start and gone at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("symsnap-guests-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    /// A suite whose learner is this script, run with the folder of the task and that of the test.
    fn suite(&self, methods: &str, script: &str) -> Suite {
        let file = self.0.join("learner.sh");
        fs::write(&file, script).unwrap();
        let text = format!(
            "name = \"guests\"\ntitle = \"A test\"\ntrials = 2\ncosts = [\"errorsize\"]\nmethods = [{methods}]\n\
             learner = {{ command = \"sh {} {{task}} {}\", format = \"jsonl\" }}\ncheckpoints = [0.4]\n\
             [limits]\nseconds = 20.0\n\
             [[tasks]]\nname = \"trains\"\nfamily = \"Trains\"\ngenerate = \"trains\"\nsize = 40\nnoise = 0.1\n",
            file.display(),
            self.0.display()
        );
        Suite::parse("guests.toml", &text, Path::new(".")).unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Two hypotheses, the second better than the first as the test below finds out, and a third that is no rule.
const SCRIPT: &str = r#"echo '{"rules": ["east(A) :- car(A,B)."]}'
sleep 0.5
echo '{"rules": ["east(A) :- car(A,B), short(B), roofed(B)."]}'
echo '{"rules": ["east(A) :- "]}'
"#;
const BEST: &str = "east(A) :- car(A,B), short(B), roofed(B).";

fn job<'j>(jobs: &'j [Job], learner: &str) -> &'j Job {
    jobs.iter().find(|job| job.learner == learner).unwrap()
}

/// The task of a job with its training examples, and its test examples.
fn parts(suite: &Suite, job: &Job) -> (Task, Examples) {
    let mut task = suite.load(&suite.tasks[0], None).unwrap();
    let mut parts = task.examples.split(&suite.ratios, job.split_seed(suite));
    let test = parts.pop().unwrap();
    task.examples = parts.remove(0);
    (task, test)
}

fn counts(task: &mut Task, text: &str, examples: &Examples) -> Counts {
    let hypothesis = read_hypothesis("<test>", text, task).unwrap();
    let database = Database::new(task);
    let cover = SlowEvaluator::new(&database, examples).hypothesis(&hypothesis);
    examples.confusion(&cover).into()
}

fn rows(result: &JobResult) -> &[Row] {
    assert_eq!(result.error, None);
    &result.run.as_ref().unwrap().rows
}

#[test]
fn what_a_program_says_is_evaluated_as_what_our_learners_find() {
    let place = Place::new("pool");
    let suite = place.suite("\"single\", \"paper\", \"validated\"", SCRIPT);
    let jobs = plan(&suite);
    let result = run_job(&suite, &jobs[0], None);
    let (mut task, test) = parts(&suite, &jobs[0]);
    let train = task.examples.clone();
    let [loose, tight] = ["east(A) :- car(A,B).", BEST].map(|text| counts(&mut task, text, &train));
    assert!(tight.fp + tight.fn_ < loose.fp + loose.fn_);
    let rows = rows(&result);
    assert_eq!(rows.iter().map(|row| row.voters).collect::<Vec<_>>(), [1, 2, 1]);
    assert_eq!((rows[0].train, rows[0].test), (tight, counts(&mut task, BEST, &test)));
    let run = result.run.as_ref().unwrap();
    assert_eq!((run.members, run.optima, run.ticks, run.skipped), (2, 1, 2, 1));
    assert_eq!((run.value.as_slice(), run.stop.as_str()), ([tight.fp + tight.fn_, 4].as_slice(), "exhausted"));
    assert_eq!(run.anytime.iter().map(|step| step.members).collect::<Vec<_>>(), [1, 2]);
    let times = [run.anytime[0].at, run.anytime[1].at, run.learn_s.unwrap()];
    assert!(times[0] + 0.4 < times[1] && times[1] <= times[2] && times[2] < 20.0, "{times:?}");
    // What there was at the checkpoint, if the machine was not too busy for it.
    assert!(run.checkpoints[0].members == usize::from(times[0] <= 0.4), "{times:?}");
}

#[test]
fn bagging_runs_the_program_again_on_the_samples_of_seeds_43_to_45_in_every_trial() {
    let place = Place::new("bags");
    let script =
        format!("{SCRIPT}cp $1/exs.pl $2/$(ls $2 | grep -c pl$).pl; cmp $1/bk.pl $1/bias.pl > /dev/null && exit 3\n");
    let suite = place.suite("\"bagging\"", &script);
    for (trial, job) in plan(&suite).iter().enumerate() {
        let result = run_job(&suite, job, None);
        let (task, _) = parts(&suite, job);
        for (bag, seed) in [43, 44, 45].into_iter().enumerate() {
            let given = fs::read_to_string(place.0.join(format!("{}.pl", 3 * trial + bag))).unwrap();
            let sample = task.examples.bootstrap(seed);
            let mut lines: Vec<String> = Vec::new();
            for (at, &weight) in sample.positive_weights().iter().enumerate() {
                let line = format!("pos(east({})).", task.terms.show(sample.positive(at)[0]));
                lines.extend(std::iter::repeat_n(line, weight as usize));
            }
            let positives = given.lines().filter(|line| line.starts_with("pos"));
            assert_eq!(positives.collect::<Vec<_>>(), lines, "trial {trial}, bag {bag}");
        }
        let rows = rows(&result);
        assert_eq!((rows.len(), rows[0].voters), (1, 3));
        assert!(result.run.unwrap().learn_s.unwrap() > 0.0);
    }
}

#[test]
fn words_that_only_a_sample_brings_forth_join_the_task() {
    let place = Place::new("words");
    // A negation is a word that no bias has. The ensemble is made again with it; the program is not run again for that.
    let script = r#"echo x >> $2/runs
cat << 'END'
{"rules": ["east(A) :- car(A,B), wheels(B,N), N >= 3, weird(B)."]}
{"rules": ["east(A) :- car(A,B), three_wheels(B), \\+ short(B)."]}
END
"#;
    let suite = place.suite("\"single\", \"bagging\"", script);
    let jobs = plan(&suite);
    for learner in ["snapshots", "bagging"] {
        let result = run_job(&suite, job(&jobs, learner), None);
        let rows = rows(&result);
        assert!(rows[0].test.total() > 0 && rows[0].voters > 0, "{learner}: {rows:?}");
    }
    assert_eq!(fs::read_to_string(place.0.join("runs")).unwrap().lines().count(), 4);
}

#[test]
fn a_program_that_fails_without_a_word_is_a_failed_job_and_one_that_finds_nothing_is_not() {
    let place = Place::new("fails");
    let failing = place.suite("\"single\", \"bagging\"", "echo no such option; exit 3\n");
    let jobs = plan(&failing);
    for learner in ["snapshots", "bagging"] {
        let error = run_job(&failing, job(&jobs, learner), None).error.unwrap();
        assert!(error.contains("exit status: 3") && error.contains("no such option"), "{error}");
    }
    let silent = place.suite("\"single\"", "true\n");
    let result = run_job(&silent, &plan(&silent)[0], None);
    assert_eq!((rows(&result)[0].voters, result.run.as_ref().unwrap().members), (0, 0));
    // What was said before it failed counts.
    let late = place.suite("\"single\"", &format!("{SCRIPT}exit 3\n"));
    let result = run_job(&late, &plan(&late)[0], None);
    assert_eq!(rows(&result)[0].voters, 1);
}
