//! The learner against brute force on small random tasks with recursion: every set of up to `max_clauses` rules of the
//! space, tested by the slow evaluator.

mod brute_force;

use brute_force::{Draw, Scale, best_rules, random_task};
use symsnap::budget::Budget;
use symsnap::cost::{Confusion, Cost, CostValue};
use symsnap::coverage::SlowEvaluator;
use symsnap::database::Database;
use symsnap::learn::{Candidate, Learner, Settings, Symsnap};
use symsnap::logic::{Hypothesis, Rule};
use symsnap::space::Space;
use symsnap::task::{Bias, Constraints, Task};

/// Spaces with more sets of rules than this are passed over.
const MOST_SETS: usize = 6_000;

/// All recursive programs of the space, or `None` if there are too many to try.
fn all_programs(task: &Task, space: &Space) -> Option<Vec<Hypothesis>> {
    // Constraints see programs as a whole.
    let unconstrained = Bias { constraints: Constraints::default(), ..task.bias.clone() };
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

fn scale(random: &mut Draw) -> Scale {
    Scale { constants: 3 + random.below(3), preds: 1 + random.below(2) as usize, arities: &[1, 2, 2] }
}

fn limits(random: &mut Draw, _: &Scale, head_arity: u64) -> String {
    let (vars, body) = (head_arity + 1 + random.below(2), 1 + random.below(3));
    let clauses = 2 + random.below(2);
    format!("max_vars({}).\nmax_body({}).\nenable_recursion.\nmax_clauses({clauses}).\n", vars.min(3), body.min(2))
}

fn check(seed: u64) -> Option<usize> {
    let (bk, exs, bias) = random_task(seed, scale, limits);
    let text = || format!("seed {seed}\n--- bk\n{bk}--- exs\n{exs}--- bias\n{bias}");
    let task = Task::from_texts(&bk, &exs, &bias).unwrap_or_else(|error| panic!("{error}\n{}", text()));
    let cost = Cost::ALL[(seed % 3) as usize];
    let space = Space::new(&task);
    let programs = all_programs(&task, &space)?;
    let database = Database::new(&task);
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    let mut score = |hypothesis: &Hypothesis| {
        let cover = slow.hypothesis(hypothesis);
        let confusion = Confusion::new(&cover.pos, &cover.neg, &task.examples);
        (cost.value(&confusion, hypothesis.size()), confusion)
    };
    let mut expected = best_rules(&task, cost).0;
    let mut best: Option<&Hypothesis> = None;
    for program in &programs {
        let (value, _) = score(program);
        if value < expected {
            expected = value;
            best = Some(program);
        }
    }
    let learner = Symsnap { settings: Settings { cost, seed, ..Settings::default() } };
    let mut candidates: Vec<Candidate> = Vec::new();
    let outcome = learner.learn(&task, &Budget::unlimited(), &mut candidates).expect("small weights fit");
    let shown = best.map_or_else(String::new, |best| best.show(&task.terms));
    assert_eq!(outcome.value, expected, "the optimum under {}\n{shown}{}", cost.name(), text());
    assert!(outcome.optimal, "a proof\n{}", text());
    assert_eq!(outcome.lower, expected, "the bound meets the optimum\n{}", text());
    let mut last: Option<CostValue> = None;
    for candidate in &candidates {
        let shown = candidate.hypothesis.show(&task.terms);
        let (value, confusion) = score(&candidate.hypothesis);
        assert_eq!((&value, &confusion), (&candidate.value, &candidate.confusion), "the cost of\n{shown}{}", text());
        assert!(last.as_ref().is_none_or(|last| candidate.value <= *last), "candidates never get worse\n{}", text());
        let member = space.contains_hypothesis(&candidate.hypothesis);
        assert!(member.is_ok(), "{member:?}\n{shown}{}", text());
        last = Some(candidate.value.clone());
    }
    Some(programs.len())
}

#[test]
fn the_learner_finds_and_proves_the_best_program_of_small_random_tasks() {
    let tasks: u64 = std::env::var("SYMSNAP_BRUTE_FORCE_TASKS").ok().and_then(|n| n.parse().ok()).unwrap_or(1500);
    let tried: Vec<usize> = (0..tasks).filter_map(check).collect();
    assert!(tried.len() as u64 > tasks / 4, "most spaces are small enough: {} of {tasks}", tried.len());
    let programs: usize = tried.iter().sum();
    assert!(programs > 20 * tried.len(), "the spaces hold programs: {programs} in {}", tried.len());
}
