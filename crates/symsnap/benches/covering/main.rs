//! How long the covering problem takes: `cargo bench -p symsnap --bench covering [-- FILE...]`.
//!
//! Without files it runs planted problems (`planted.rs`) that grow until a proof is out of reach (a few minutes). A file is a problem in
//! text: a line `positives negatives`, then a line `size example...` per rule, examples counted over the positives and
//! then the negatives. No harness and no statistics: the figures differ by orders of magnitude, not by per cents.

#![allow(clippy::print_stdout)]

mod planted;

use planted::{Planted, planted};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use symsnap::internals::covering::{LocalSearch, Problem, ProofOutcome, prove};
use symsnap::internals::sets::Cover;
use symsnap::{Budget, Cost};

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    println!(
        "{:<28} {:>6} {:>9} {:>16} {:>9} {:>16} {:>16} {:>9}",
        "problem", "rules", "cost", "at 1 ms", "s", "local", "bound", "proof s"
    );
    for file in &files {
        for cost in Cost::ALL {
            let name = file.rsplit('/').next().unwrap_or(file);
            run(name, cost, |cost| read(file, cost));
        }
    }
    if files.is_empty() {
        for (clusters, noise, rules, examples) in [
            (4, 10, 500, 500),
            (8, 10, 1_000, 500),
            (8, 20, 2_000, 700),
            (12, 10, 10_000, 1_000),
            (16, 10, 100_000, 5_000),
        ] {
            for cost in Cost::ALL {
                let shape = Planted { clusters, noise, rules, examples };
                run(&format!("planted {clusters} at {noise}%"), cost, |cost| planted(&shape, cost));
            }
        }
    }
}

fn run(name: &str, cost: Cost, make: impl Fn(Cost) -> Problem) {
    let problem = make(cost);
    let mut search = LocalSearch::new(1);
    let quick = Budget::unlimited().with_time(Duration::from_millis(1));
    let at_once = search.improve(&problem, u64::MAX, &quick, &mut |_| ());
    let (started, mut found) = (Instant::now(), Duration::ZERO);
    let budget = Budget::unlimited().with_time(Duration::from_secs(1));
    let local = search.improve(&problem, u64::MAX, &budget, &mut |_| found = started.elapsed());
    let started = cpu_seconds();
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let outcome = prove(&problem, &local.chosen, &budget, &mut |_| ControlFlow::Continue(()));
    let proof = cpu_seconds() - started;
    let mark = if outcome.is_optimal() { "" } else { " open" };
    println!(
        "{name:<28} {:>6} {:>9} {:>16} {:>9.3} {:>16} {:>16} {proof:>9.2}{mark}",
        problem.len(),
        cost.name(),
        format!("{:?}", at_once.value.0),
        found.as_secs_f64(),
        format!("{:?}", local.value.0),
        format!("{:?}", outcome.lower().0),
    );
    if let ProofOutcome::Optimal(best) = &outcome
        && best.value < local.value
    {
        println!("{:<28} the proof found {:?}", "", best.value.0);
    }
}

/// Processor time of this thread, so that the figures mean something on a busy machine; the clock where that is unknown.
fn cpu_seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next().and_then(|nanos| nanos.parse::<f64>().ok()))
        .map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |nanos| nanos / 1e9)
}

fn read(file: &str, cost: Cost) -> Problem {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut lines = text.lines().map(|line| line.split_whitespace().map(|n| n.parse().expect("a number")).collect());
    let counts: Vec<usize> = lines.next().expect("a first line");
    let (positives, negatives) = (counts[0], counts[1]);
    let mut problem = Problem::new(cost, &vec![1; positives], &vec![1; negatives]).expect("unit weights fit");
    for line in lines.filter(|line| !line.is_empty()) {
        let mut cover = Cover::empty(problem.sides());
        line[1..].iter().for_each(|&at| cover.insert(at));
        problem.add(line[0] as u32, &cover);
    }
    problem
}
