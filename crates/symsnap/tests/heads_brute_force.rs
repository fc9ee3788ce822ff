//! Constants in heads against brute force on small random tasks.
//!
//! The oracle knows rules over variables alone. A rule with constants in some arguments of the head covers what the rule with
//! variables there covers of the examples that have these constants; and those variables need not be in its body, and are bound
//! before it runs.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)] // scores are compared elsewhere
mod brute_force;
#[allow(dead_code)] // no task is made by hand here
#[path = "brute_force/twice.rs"]
mod twice;

use brute_force::{Columns, Draw, Scale, each_rule, random_task, seeds};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use symsnap::{Cost, Task};

fn scale(random: &mut Draw) -> Scale {
    Scale { constants: 3 + random.below(2), preds: 2 + random.below(2) as usize, arities: &[0, 1, 2, 2, 3] }
}

fn limits(random: &mut Draw, _: &Scale, head_arity: u64) -> String {
    format!("max_vars({}).\nmax_body({}).\n", head_arity + random.below(3), 1 + random.below(3))
}

/// The bias for rules in which constants stand for the head variables `constant`, over variables: these are inputs, and the
/// head's variables may be missing.
fn with_variables(bias: &str, constant: usize) -> String {
    let mut text = String::new();
    for line in bias.lines() {
        let ways = line.strip_prefix("direction(f,(").and_then(|rest| rest.strip_suffix(",))."));
        match ways {
            Some(ways) => {
                let ways =
                    ways.split(',').enumerate().map(|(at, way)| if constant >> at & 1 == 1 { "in" } else { way });
                let _ = writeln!(text, "direction(f,({},)).", ways.collect::<Vec<_>>().join(","));
            }
            None => text += &format!("{line}\n"),
        }
    }
    text + if bias.contains("non_datalog") { "" } else { "non_datalog.\n" }
}

/// Check the task of a seed; whether the best hypothesis has a constant in a head.
fn check(seed: u64) -> bool {
    let (bk, exs, plain) = random_task(seed, scale, limits);
    let mut random = Draw::new(!seed);
    let task = Task::from_texts(&bk, &exs, &plain).unwrap();
    let arity = task.bias.head.arity as usize;
    let allowed = (0..arity).filter(|_| random.chance(60)).fold(0usize, |mask, at| mask | 1 << at);
    let most = random.below(4) as u32;
    let mut bias = plain.clone();
    (0..arity).filter(|at| allowed >> at & 1 == 1).for_each(|at| bias += &format!("magic_value(f,{at}).\n"));
    let _ = writeln!(bias, "max_magic({most}).");

    let positives = task.examples.positives();
    let args = |example: usize| match example.checked_sub(positives) {
        Some(negative) => task.examples.negative(negative),
        None => task.examples.positive(example),
    };
    let mut columns = Columns::new(&task);
    for constant in (0..1usize << arity).filter(|constant| constant & !allowed == 0) {
        let all = constant.count_ones() as usize == arity;
        if constant != 0 && (all || constant.count_ones() > most) {
            continue;
        }
        let places: Vec<usize> = (0..arity).filter(|at| constant >> at & 1 == 1).collect();
        let held = |example: usize| places.iter().map(|&at| args(example)[at]).collect::<Vec<_>>();
        let forms: BTreeSet<Vec<_>> = (0..positives).map(held).collect();
        let general = if constant == 0 { plain.clone() } else { with_variables(&plain, constant) };
        let general = Task::from_texts(&bk, &exs, &general).unwrap();
        each_rule(&general, |rule, mask| {
            let mentioned = |at: usize| {
                let var = rule.head.vars().nth(at).unwrap();
                rule.body.iter().any(|literal| literal.vars().any(|other| other == var))
            };
            let bound = (0..arity).all(|at| constant >> at & 1 == 1 || mentioned(at));
            if !task.bias.non_datalog && !bound {
                return;
            }
            for form in &forms {
                let fits = |example: &usize| mask >> example & 1 == 1 && held(*example) == *form;
                let covered = (0..usize::BITS as usize).take_while(|at| *at < positives + task.examples.negatives());
                columns.add(rule.size(), covered.filter(fits).fold(0, |mask, at| mask | 1 << at));
            }
        });
    }
    let cost = Cost::ALL[(seed % 3) as usize];
    let best = twice::holds([&bk, &exs, &bias], cost, seed, &columns.best(&task, cost));
    best.lines().any(|rule| rule.split(" :- ").next().is_some_and(|head| head.contains('c')))
}

#[test]
fn the_best_heads_are_found_and_proved() {
    let seeds = seeds(300);
    let tasks = seeds.end - seeds.start;
    let held = seeds.filter(|&seed| check(seed)).count() as u64;
    assert!(held * 12 > tasks, "{held} of {tasks} optima have constants in heads");
}
