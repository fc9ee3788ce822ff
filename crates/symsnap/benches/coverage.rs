//! Rules tested per CPU second on one core, beside Popper 4.4.0 on the same tasks; read `bench/COVERAGE.md` first.
//!
//! `SYMSNAP_DATA=../shared/data cargo bench -p symsnap --bench coverage`
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use symsnap::internals::coverage::Evaluator;
use symsnap::internals::database::Database;
use symsnap::internals::sets::Cover;
use symsnap::internals::space::Space;
use symsnap::{Rule, Task};

const TASKS: [&str; 6] = [
    "trains/trains2",
    "alzheimer/amine",
    "zendo/zendo2",
    "drugdrug/drugdrug",
    "wn18rr/verbgroup",
    "iggp/coins-next-cell",
];
const RULES: usize = 2000;
const MEASURE: Duration = Duration::from_secs(3);

fn main() {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("SYMSNAP_DATA").map_or(default, PathBuf::from);
    if !data.is_dir() {
        return println!("no task folders at {}; set SYMSNAP_DATA", data.display());
    }
    let reference = std::fs::read_to_string(data.join("../reference/popper.csv")).unwrap_or_default();
    println!(
        "| task | rules | examples | load+build | rules per CPU s | Popper 4.4.0 | ratio | mean body | non-empty |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for name in TASKS {
        let started = Instant::now();
        let task = Task::from_dir(data.join("tasks").join(name)).unwrap();
        let database = Database::new(&task);
        let built = started.elapsed();
        let rules = sample(&task);
        let mut evaluator = Evaluator::new(&database, &task.examples);
        let all = Cover::full(task.examples.sides());
        let mut cover = all.clone();
        let mut covering = 0;
        // The first pass builds indexes and grows buffers.
        for rule in &rules {
            evaluator.rule_into(rule, &all, &mut cover);
            covering += usize::from(!cover.is_empty());
        }
        let (started, wall) = (cpu_time(), Instant::now());
        let mut tested = 0u64;
        'measure: loop {
            for rule in &rules {
                evaluator.rule_into(rule, &all, &mut cover);
                tested += 1;
                if tested.is_multiple_of(16) && wall.elapsed() > MEASURE {
                    break 'measure;
                }
            }
        }
        let spent = started.zip(cpu_time()).map_or(wall.elapsed(), |(from, to)| to - from);
        let rate = tested as f64 / spent.as_secs_f64();
        let popper = popper_rate(&reference, name);
        println!(
            "| {name} | {} | {} | {built:.1?} | {rate:.0} | {} | {} | {:.1} | {:.0} % |",
            rules.len(),
            task.examples.positives() + task.examples.negatives(),
            popper.map_or("none".into(), |popper| format!("{popper:.0}")),
            popper.map_or(String::new(), |popper| format!("{:.0}", rate / popper)),
            rules.iter().map(|rule| rule.body.len()).sum::<usize>() as f64 / rules.len() as f64,
            covering as f64 * 100.0 / rules.len() as f64,
        );
    }
}

/// CPU time of this thread, where the system tells (Linux): other work on the machine does not count.
fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Random rules of the space, in an order in which they can be evaluated.
fn sample(task: &Task) -> Vec<Rule> {
    let space = Space::new(task);
    let mut state = 1u64;
    let mut draw = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 29)
    };
    let draws = (0..RULES * 20).filter_map(|_| space.sample(task.bias.max_body, &mut draw));
    draws.filter(|rule| !rule.is_recursive()).filter_map(|rule| space.order(&rule)).take(RULES).collect()
}

/// Programs per CPU second of Popper 4.4.0, from the reference table; the task may be listed under another family.
fn popper_rate(csv: &str, task: &str) -> Option<f64> {
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next()?.split(',').collect();
    let at = |name: &str| names.iter().position(|have| *have == name);
    let (task_at, rate_at) = (at("task")?, at("programs_per_cpu_s")?);
    let short = task.rsplit('/').next()?;
    lines
        .filter(|line| line.starts_with("4.4.0,"))
        .map(|line| line.splitn(names.len(), ',').collect::<Vec<_>>())
        .filter(|cells| cells.get(task_at).is_some_and(|have| have.rsplit('/').next() == Some(short)))
        .find_map(|cells| cells.get(rate_at)?.parse().ok())
}
