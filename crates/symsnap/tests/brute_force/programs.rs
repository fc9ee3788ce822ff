//! All recursive programs of a small space, for the tests that try each of them.

use symsnap::internals::space::Space;
use symsnap::internals::task::Constraints;
use symsnap::{Hypothesis, Rule, Task};

/// Spaces with more sets of rules than this are passed over.
const MOST_SETS: usize = 6_000;

/// All recursive programs of the space, or `None` if there are too many to try.
pub fn all_programs(task: &Task, space: &Space) -> Option<Vec<Hypothesis>> {
    // Constraints see programs as a whole.
    let mut unconstrained = task.bias.clone();
    unconstrained.constraints = Constraints::default();
    let rules: Vec<Rule> = Space::of(&unconstrained).enumerate(task.bias.max_body + 1).collect();
    let count = rules.len();
    let sets = if task.bias.max_clauses == 2 { count * count / 2 } else { count * count * count / 6 };
    if sets > MOST_SETS {
        return None;
    }
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    let mut programs = Vec::new();
    for _ in 0..task.bias.max_clauses {
        let next = |set: &Vec<usize>| set.last().map_or(0, |last| last + 1);
        sets = sets
            .iter()
            .flat_map(|set| (next(set)..count).map(|at| set.iter().copied().chain([at]).collect()))
            .collect();
        let chosen = sets.iter().map(|set| Hypothesis { rules: set.iter().map(|&at| rules[at].clone()).collect() });
        programs.extend(chosen.filter(|hypothesis| {
            hypothesis.rules.iter().any(Rule::is_recursive) && space.contains_hypothesis(hypothesis).is_ok()
        }));
    }
    Some(programs)
}
