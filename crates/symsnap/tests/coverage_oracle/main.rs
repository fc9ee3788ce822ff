//! Coverage against SWI-Prolog: random rules and hypotheses on the tasks in `examples/`, on generated and on real ones,
//! and the hypotheses that Popper tried.
//!
//! An error that SWI-Prolog raises counts as not covered. Where it reaches its inference limit or its time there is
//! nothing to compare. `SYMSNAP_ORACLE_TASKS` (a part of a task's name) picks tasks, `SYMSNAP_ORACLE_RULES` the number
//! of rules for each.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "../folders/mod.rs"]
mod folders;
mod random;
#[path = "../skip/mod.rs"]
mod skip;
mod swipl;
mod trace;

use random::Random;
use skip::{has, skip};
use std::path::PathBuf;
use std::time::Instant;
use swipl::Verdict;
use symsnap::internals::coverage::Evaluator;
use symsnap::internals::database::Database;
use symsnap::internals::sets::Cover;
use symsnap::internals::space::Space;
use symsnap::{Examples, Hypothesis, Task, TermId};

const EXAMPLES: usize = 2000;
const SECONDS_PER_HYPOTHESIS: f64 = 0.3;
/// Evaluation of one task by us; where background predicates search for rings, a few rules take that long anywhere.
const SECONDS_PER_TASK: f64 = 20.0;

fn wanted(folders: Vec<PathBuf>) -> Vec<PathBuf> {
    let wanted = std::env::var("SYMSNAP_ORACLE_TASKS").unwrap_or_default();
    folders.into_iter().filter(|task| task.to_string_lossy().contains(&wanted)).collect()
}

/// A sample of the examples, as examples of their own and as rows in the same order, positives first.
fn sample(task: &Task, random: &mut Random) -> Examples {
    let examples = &task.examples;
    let half = EXAMPLES / 2;
    let mut picked = Examples::new(examples.pred());
    for at in random.sample(examples.positives(), half.max(EXAMPLES.saturating_sub(examples.negatives()))) {
        picked.push(true, examples.positive(at), 1);
    }
    for at in random.sample(examples.negatives(), EXAMPLES - picked.positives()) {
        picked.push(false, examples.negative(at), 1);
    }
    picked
}

fn rows(examples: &Examples) -> Vec<&[TermId]> {
    let positives = (0..examples.positives()).map(|at| examples.positive(at));
    positives.chain((0..examples.negatives()).map(|at| examples.negative(at))).collect()
}

/// The examples of which SWI-Prolog knows.
fn known(examples: &Examples, verdicts: &[Verdict]) -> Cover {
    let mut known = Cover::empty(examples.sides());
    for (at, _) in verdicts.iter().enumerate().filter(|(_, verdict)| **verdict != Verdict::Unknown) {
        let positives = examples.positives();
        if at < positives { known.insert(at) } else { known.insert_negative(at - positives) }
    }
    known
}

fn covers(cover: &Cover, at: usize) -> bool {
    let positives = cover.pos().len();
    if at < positives { cover.pos().contains(at) } else { cover.neg().contains(at - positives) }
}

/// Rules, pairs of rules and, where the bias allows recursion, recursive hypotheses.
fn hypotheses(task: &Task, count: usize, random: &mut Random) -> Vec<Hypothesis> {
    let space = Space::new(task);
    let max_body = task.bias.max_body.min(5);
    let mut all: Vec<Hypothesis> = Vec::new();
    let mut rules = Vec::new();
    for at in 0..count * 20 {
        if rules.len() >= count {
            break;
        }
        let rule = if at % 2 == 0 {
            space.sample(max_body, &mut || random.next()).and_then(|rule| space.order(&rule))
        } else {
            let size = 1 + random.below(max_body);
            random::rule(&task.bias, size, None, random)
        };
        rules.extend(rule.filter(|rule| !rule.is_recursive()));
    }
    all.extend(rules.iter().map(|rule| Hypothesis { rules: vec![rule.clone()] }));
    for _ in 0..count / 5 {
        let pair = (0..2).map(|_| rules[random.below(rules.len())].clone()).collect();
        all.push(Hypothesis { rules: pair });
    }
    if task.bias.recursion {
        all.extend((0..count / 2).filter_map(|_| random::recursive(&task.bias, random)));
    }
    all
}

#[test]
fn coverage_of_our_own_tasks_equals_that_of_swi_prolog() {
    if has("swipl") {
        compare(&wanted(folders::ours("coverage_oracle")), 60);
    }
}

#[test]
fn coverage_of_real_tasks_equals_that_of_swi_prolog() {
    let folders = folders::real();
    if !folders.is_empty() && has("swipl") {
        compare(&wanted(folders), 100);
    }
}

/// Compare about `count` random hypotheses for each task.
fn compare(folders: &[PathBuf], count: usize) {
    let count = std::env::var("SYMSNAP_ORACLE_RULES").map_or(count, |count| count.parse().unwrap());
    let (mut differences, mut total, mut total_covered) = (Vec::new(), 0, 0);
    for folder in folders {
        let started = Instant::now();
        let task = Task::from_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut random = Random::new(folder.to_string_lossy().len() as u64);
        let examples = sample(&task, &mut random);
        let hypotheses = hypotheses(&task, count, &mut random);
        let rows = rows(&examples);
        let verdicts = swipl::run(&task, &folder.join("bk.pl"), &hypotheses, &rows, SECONDS_PER_HYPOTHESIS);
        assert_eq!(verdicts.len(), hypotheses.len(), "{}: SWI-Prolog did not finish", folder.display());
        let ours = Instant::now();
        let database = Database::new(&task);
        let mut evaluator = Evaluator::new(&database, &examples);
        let covers_of: Vec<Cover> = hypotheses
            .iter()
            .zip(&verdicts)
            .take_while(|_| ours.elapsed().as_secs_f64() < SECONDS_PER_TASK)
            .map(|(hypothesis, verdicts)| evaluator.hypothesis_within(hypothesis, &known(&examples, verdicts)))
            .collect();
        let ours = ours.elapsed();
        let (mut compared, mut unknown, mut errors, mut covered) = (0, 0, 0, 0);
        for ((hypothesis, cover), verdicts) in hypotheses.iter().zip(&covers_of).zip(&verdicts) {
            for (at, &verdict) in verdicts.iter().enumerate() {
                let expected = match verdict {
                    Verdict::Covered => true,
                    Verdict::NotCovered => false,
                    // Several rules: the others may cover what one of them fails on with an error.
                    Verdict::Error if hypothesis.rules.len() > 1 => continue,
                    Verdict::Error => {
                        errors += 1;
                        false
                    }
                    Verdict::Unknown => {
                        unknown += 1;
                        continue;
                    }
                };
                compared += 1;
                covered += usize::from(expected);
                if covers(cover, at) != expected {
                    let example: Vec<String> = rows[at].iter().map(|&id| task.terms.show(id)).collect();
                    differences.push(format!(
                        "{}: SWI-Prolog says {expected} for {} of\n{}",
                        folder.display(),
                        example.join(", "),
                        hypothesis.show(&task.terms)
                    ));
                }
            }
        }
        total += compared;
        total_covered += covered;
        eprintln!(
            "{}: {} of {} hypotheses, {compared} verdicts ({covered} covered, {errors} errors, {unknown} unknown), \
             {} differences so far; ours {ours:.1?}, all {:.1?}; {:?}",
            folder.display(),
            covers_of.len(),
            hypotheses.len(),
            differences.len(),
            started.elapsed(),
            evaluator.notes()
        );
    }
    differences.truncate(20);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(
        total_covered > 0 && total > total_covered,
        "of {total} verdicts {total_covered} are yes: nothing is compared"
    );
}

#[test]
fn hypotheses_that_popper_tried_have_the_confusion_that_swi_prolog_found() {
    let Some(data) = folders::data() else { return };
    let Ok(csv) = std::fs::read_to_string(data.join("../reference/popper-trace.csv")) else {
        return skip("no trace of Popper beside the folder that SYMSNAP_DATA names");
    };
    let (mut compared, mut differences) = (0, Vec::new());
    for (name, rows) in trace::rows(&csv) {
        let mut task = Task::from_dir(trace::folder(&data, &name)).unwrap();
        let hypotheses: Vec<Hypothesis> = rows
            .iter()
            .map(|row| trace::hypothesis(&mut task, &row.rules).unwrap_or_else(|| panic!("{name}: {}", row.rules)))
            .collect();
        let database = Database::new(&task);
        let mut evaluator = Evaluator::new(&database, &task.examples);
        for (row, hypothesis) in rows.iter().zip(&hypotheses) {
            let cover = evaluator.hypothesis(hypothesis);
            let confusion = task.examples.confusion(&cover);
            compared += 1;
            if confusion != row.confusion {
                let notes = evaluator.notes();
                differences.push(format!("{name}: {confusion:?}, not {:?}; {notes:?}\n{}", row.confusion, row.rules));
            }
        }
    }
    eprintln!("{compared} hypotheses compared, {} differ", differences.len());
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(compared > 0, "the trace of Popper has no hypotheses");
}
