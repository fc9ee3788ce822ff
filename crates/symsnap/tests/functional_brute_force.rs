//! The learner with [`Settings::functional`] against brute force on small random tasks: every hypothesis of the space
//! that gives no wrong output, where wrong outputs are asked for one by one.

mod brute_force;
#[path = "brute_force/programs.rs"]
mod programs;

use brute_force::{Draw, Scale, best_rules, random_task, score, seeds};
use programs::all_programs;
use symsnap::internals::coverage::SlowEvaluator;
use symsnap::internals::database::Database;
use symsnap::internals::learn::Symsnap;
use symsnap::internals::space::Space;
use symsnap::internals::task::Direction;
use symsnap::{Budget, Candidate, Cost, CostValue, Examples, Hypothesis, Learner, Settings, Task, TermId};

/// Tasks have fewer constants than this, so the last one stands for all that the background does not know: rules whose
/// outputs are open give it too.
const CONSTANTS: u64 = 6;

fn scale(random: &mut Draw) -> Scale {
    Scale { constants: 3 + random.below(3), preds: 1 + random.below(2) as usize, arities: &[1, 2, 2] }
}

fn limits(random: &mut Draw, _: &Scale, head_arity: u64) -> String {
    let (vars, body) = (head_arity + 1 + random.below(2), 1 + random.below(3));
    let recursion = if random.chance(50) { "enable_recursion.\n" } else { "" };
    let clauses = 2 + random.below(2);
    format!("max_vars({}).\nmax_body({}).\n{recursion}max_clauses({clauses}).\n", vars.min(3), body.min(2))
}

/// A random task whose head has an output, as text; `None` if the seed gives none.
fn directed_task(seed: u64) -> Option<(String, String, String)> {
    let (bk, exs, mut bias) = random_task(seed, scale, limits);
    if !bias.contains("direction(f,") {
        // Body predicates without directions leave far more rules than those that have some.
        let ways = ["in,out,", "in,out,", "out,in,", "out,out,"][(seed / 3 % 4) as usize];
        if bias.contains("head_pred(f,2)") {
            bias += &format!("direction(f,({ways})).\n");
        }
    }
    let head = bias.lines().find(|line| line.starts_with("direction(f,"))?;
    head.contains("out").then_some((bk, exs, bias))
}

/// All wrong outputs for the inputs of the positives.
fn wrong_outputs(task: &mut Task) -> Examples {
    let constants: Vec<TermId> = (0..CONSTANTS).map(|at| task.terms.atom_named(&format!("c{at}"))).collect();
    let ways = &task.bias.directions[&task.bias.head][0];
    let examples = &task.examples;
    let mut right: Vec<&[TermId]> = (0..examples.positives()).map(|at| examples.positive(at)).collect();
    right.sort();
    right.dedup();
    let mut wrong: Vec<Vec<TermId>> = right.iter().map(|args| args.to_vec()).collect();
    for place in (0..ways.len()).filter(|&place| ways[place] == Direction::Out) {
        let with = |args: &Vec<TermId>, value| {
            let mut args = args.clone();
            args[place] = value;
            args
        };
        wrong = wrong.iter().flat_map(|args| constants.iter().map(|&value| with(args, value))).collect();
    }
    wrong.sort();
    wrong.dedup();
    let mut asked = Examples::new(task.bias.head);
    wrong.iter().filter(|args| !right.contains(&args.as_slice())).for_each(|args| asked.push(false, args, 1));
    asked
}

/// What a task has shown.
struct Shown {
    optimal: bool,
    /// Whether the best of all hypotheses is not functional.
    matters: bool,
    recursive: bool,
}

fn check(seed: u64) -> Option<Shown> {
    let (bk, exs, bias) = directed_task(seed)?;
    let text = || format!("seed {seed}\n--- bk\n{bk}--- exs\n{exs}--- bias\n{bias}");
    let mut task = Task::from_texts(&bk, &exs, &bias).unwrap_or_else(|error| panic!("{error}\n{}", text()));
    let asked = wrong_outputs(&mut task);
    let task = task;
    let cost = Cost::ALL[(seed % 3) as usize];
    let space = Space::new(&task);
    let recursive = task.bias.recursion;
    let programs = if recursive { all_programs(&task, &space)? } else { Vec::new() };
    let database = Database::new(&task);
    let mut asking = SlowEvaluator::new(&database, &asked);
    let mut is_functional = |hypothesis: &Hypothesis| asking.hypothesis(hypothesis).neg().is_empty();
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    let mut score = |hypothesis: &Hypothesis| score(&mut slow, &task, cost, hypothesis);
    let mut unrestricted = best_rules(&task, cost, |_| true).0;
    // Rules that do not call each other give the outputs that each of them gives.
    let mut expected = best_rules(&task, cost, |rule| is_functional(&Hypothesis { rules: vec![rule.clone()] })).0;
    let mut best: Option<&Hypothesis> = None;
    for program in &programs {
        let (value, _) = score(program);
        if value < expected && is_functional(program) {
            expected = value.clone();
            best = Some(program);
        }
        unrestricted = unrestricted.min(value);
    }
    let learner = Symsnap { settings: Settings { cost, seed, functional: true, ..Settings::default() } };
    let mut candidates: Vec<Candidate> = Vec::new();
    let outcome = learner.learn_task(&task, &Budget::unlimited(), &mut candidates).expect("small weights fit");
    let shown = best.map_or_else(String::new, |best| best.show(&task.terms));
    let (value, name) = (&outcome.value, cost.name());
    assert!(*value >= expected, "{value} is better than the optimum {expected} under {name}\n{}", text());
    assert!(outcome.lower <= expected, "{} is no bound on {expected} under {name}\n{shown}{}", outcome.lower, text());
    if outcome.optimal {
        assert_eq!(*value, expected, "the optimum under {name}\n{shown}{}", text());
        assert_eq!(outcome.lower, expected, "the bound meets the optimum\n{}", text());
    }
    let mut last: Option<CostValue> = None;
    for candidate in &candidates {
        let shown = candidate.hypothesis.show(&task.terms);
        assert!(is_functional(&candidate.hypothesis), "a wrong output of\n{shown}{}", text());
        let (value, confusion) = score(&candidate.hypothesis);
        assert_eq!((&value, &confusion), (&candidate.value, &candidate.confusion), "the cost of\n{shown}{}", text());
        assert!(last.as_ref().is_none_or(|last| candidate.value <= *last), "candidates never get worse\n{}", text());
        let member = space.contains_hypothesis(&candidate.hypothesis);
        assert!(member.is_ok(), "{member:?}\n{shown}{}", text());
        last = Some(candidate.value.clone());
    }
    Some(Shown { optimal: outcome.optimal, matters: unrestricted < expected, recursive })
}

#[test]
fn the_learner_offers_only_functions_and_claims_no_optimum_that_is_none() {
    let seeds = seeds(1500);
    let tasks = seeds.end - seeds.start;
    let shown: Vec<Shown> = seeds.filter_map(check).collect();
    for recursive in [false, true] {
        let of: Vec<&Shown> = shown.iter().filter(|shown| shown.recursive == recursive).collect();
        let optimal = of.iter().filter(|shown| shown.optimal).count();
        let matters = of.iter().filter(|shown| shown.matters).count();
        assert!(of.len() as u64 > tasks / 10, "many tasks have outputs: {} of {tasks}", of.len());
        assert!(optimal * 2 > of.len(), "most optima are proved: {optimal} of {}", of.len());
        assert!(matters * 8 > of.len(), "functions are dearer: {matters} of {}", of.len());
    }
}
