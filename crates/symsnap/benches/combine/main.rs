//! How long combining takes: `cargo bench -p symsnap --bench combine [-- FILE...]`.
//!
//! Without files it runs planted problems (`planted.rs`) that grow until a proof is out of reach. A file is a problem in
//! text: a line `positives negatives`, then a line `size example...` per rule, examples counted over the positives and
//! then the negatives. No harness and no statistics: the figures differ by orders of magnitude, not by per cents.

#![allow(clippy::print_stdout)]

mod planted;

use planted::{Planted, planted};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use symsnap::bitset::Bitset;
use symsnap::budget::Budget;
use symsnap::combine::{LocalSearch, Outcome, Problem, prove};
use symsnap::cost::Cost;

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
        for (clusters, noise, rules) in [(6, 10, 300), (10, 15, 450), (12, 20, 1300), (20, 20, 3000), (40, 20, 10_000)]
        {
            for cost in Cost::ALL {
                let shape = Planted { clusters, noise, rules, ..Planted::default() };
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
    let started = Instant::now();
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let outcome = prove(&problem, &local.chosen, &budget, &mut |_| ControlFlow::Continue(()));
    let proof = started.elapsed().as_secs_f64();
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
    if let Outcome::Optimal(best) = &outcome
        && best.value < local.value
    {
        println!("{:<28} the proof found {:?}", "", best.value.0);
    }
}

fn read(file: &str, cost: Cost) -> Problem {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut lines = text.lines().map(|line| line.split_whitespace().map(|n| n.parse().expect("a number")).collect());
    let counts: Vec<usize> = lines.next().expect("a first line");
    let (positives, negatives) = (counts[0], counts[1]);
    let mut problem = Problem::new(cost, &vec![1; positives], &vec![1; negatives]).expect("unit weights fit");
    for line in lines.filter(|line| !line.is_empty()) {
        let (mut pos, mut neg) = (Bitset::new(positives), Bitset::new(negatives));
        for &at in &line[1..] {
            if at < positives { pos.insert(at) } else { neg.insert(at - positives) }
        }
        problem.add(line[0] as u32, &pos, &neg);
    }
    problem
}
