//! All optimal sets, not just one: the pool wants the hypotheses that the examples cannot tell apart.
//!
//! When the core-guided bound has reached the optimum, the optimal sets are exactly those that grant all remaining wishes
//! (see [`super::core_guided`]), so they are enumerated by asking for one after another and excluding each. That works
//! on classes of candidates with equal coverage and size; members are put in afterwards, first one set for every choice
//! of classes, then the rest, so that a small cap sees the sets that differ most.

use super::core_guided::{CoreGuided, Step};
use super::exact::polish;
use super::problem::{CandidateId, Problem, Solution};
use super::reduce::{Class, Keep, Reduced};
use crate::budget::Budget;

/// Sets of equal, lowest cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ties {
    /// Distinct sets of the lowest cost known, ascending by their candidates; at least one.
    pub solutions: Vec<Solution>,
    /// Whether these are all the optimal sets there are: false if the cap or the budget ended the enumeration.
    pub complete: bool,
}

/// The optimal sets of `problem`, at most `cap` of them (at least one), given a set `from` that is best known or proved.
/// The empty set counts if it is optimal. If the budget ends before the optimum is proved, only the best set known is
/// returned.
pub fn ties(problem: &Problem, from: &[CandidateId], cap: usize, budget: &Budget) -> Ties {
    let mut best = problem.evaluate(from.iter().copied());
    let alone = |best: Solution| Ties { solutions: vec![best], complete: false };
    if budget.check().is_some() {
        return alone(best);
    }
    let reduced = Reduced::new(problem, Keep::AllOptima, budget);
    let mut bound = CoreGuided::new(&reduced, Keep::AllOptima, budget);
    let first = loop {
        let step = bound.step(problem.number(&best));
        if let Step::Found(set) | Step::Optimal(set) = &step {
            let found = polish(problem, set.iter().map(|&class| reduced.classes[class].members[0]));
            if found.value < best.value {
                best = found;
            }
        }
        match step {
            Step::Raised | Step::Found(_) => {}
            Step::Optimal(set) if bound.lower() == problem.number(&best) => break set,
            // Where examples were left out for memory, the bound may end below the cost of every real set.
            Step::Optimal(_) | Step::Refuted | Step::Stopped => return alone(best),
        }
    };
    let optimum = problem.number(&best);
    let (mut sets, mut complete) = (Vec::new(), false);
    let mut next = Step::Optimal(first);
    while sets.len() < cap.max(1) {
        let Step::Optimal(set) = next else {
            complete = next == Step::Refuted;
            break;
        };
        bound.exclude(&set);
        let classes: Vec<&Class> = set.iter().map(|&class| &reduced.classes[class]).collect();
        // Where examples were left out, a set may cost more than the problem without them says.
        if problem.number(&problem.evaluate(classes.iter().map(|class| class.members[0]))) == optimum {
            sets.push(classes);
        }
        next = bound.next_optimal();
    }
    complete |= next == Step::Refuted;
    let (solutions, all) = expand(problem, &sets, cap.max(1));
    if solutions.is_empty() { alone(best) } else { Ties { solutions, complete: complete && all } }
}

/// Put members for classes, up to `cap` sets; whether that is all.
fn expand(problem: &Problem, sets: &[Vec<&Class>], cap: usize) -> (Vec<Solution>, bool) {
    let pick = |set: &[&Class], mut code: usize| -> Vec<CandidateId> {
        let digit = |class: &&Class| {
            let member = class.members[code % class.members.len()];
            code /= class.members.len();
            member
        };
        set.iter().map(digit).collect()
    };
    let count = |set: &[&Class]| set.iter().fold(1usize, |product, class| product.saturating_mul(class.members.len()));
    let mut chosen: Vec<Vec<CandidateId>> = sets.iter().take(cap).map(|set| pick(set, 0)).collect();
    let rest = sets.iter().flat_map(|set| (1..count(set)).map(move |code| pick(set, code)));
    chosen.extend(rest.take(cap - chosen.len()));
    let total = sets.iter().fold(0usize, |sum, set| sum.saturating_add(count(set)));
    let mut solutions: Vec<Solution> = chosen.into_iter().map(|set| problem.evaluate(set)).collect();
    solutions.sort_by(|a, b| a.chosen.cmp(&b.chosen));
    (solutions, total <= cap)
}

#[cfg(test)]
mod tests {
    use super::super::twin::{brute_force, random_problem, rng};
    use super::*;
    use crate::bitset::Bitset;
    use crate::cost::Cost;
    use std::time::Duration;

    #[test]
    fn below_the_cap_the_ties_are_those_of_brute_force() {
        for seed in 0..2_000 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 10, 24);
            let expected = brute_force(&problem);
            let found = ties(&problem, &[], 2_000, &Budget::unlimited());
            assert!(found.complete, "seed {seed}");
            assert_eq!(found.solutions, expected, "seed {seed}");
        }
    }

    #[test]
    fn a_cap_gives_distinct_optimal_sets_and_says_that_there_are_more() {
        for seed in 0..1_000 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 10, 24);
            let expected = brute_force(&problem);
            let found = ties(&problem, &expected[0].chosen, 2, &Budget::unlimited());
            assert_eq!(found.solutions.len(), expected.len().min(2));
            assert!(found.solutions.iter().all(|solution| expected.contains(solution)));
            assert!(found.solutions.windows(2).all(|pair| pair[0].chosen < pair[1].chosen));
            assert!(found.complete || expected.len() >= 2, "seed {seed}");
            assert!(!found.complete || expected.len() <= 2, "seed {seed}");
        }
    }

    #[test]
    fn members_of_a_class_are_exchanged_after_the_classes_are() {
        let mut problem = Problem::new(Cost::Mdl, &[1; 8], &[]).expect("unit weights fit");
        for _ in 0..1_000 {
            problem.add(2, &Bitset::full(8), &Bitset::new(0));
        }
        let found = ties(&problem, &[], 100, &Budget::unlimited());
        assert_eq!((found.solutions.len(), found.complete), (100, false));
        let found = ties(&problem, &[], 1_000, &Budget::unlimited());
        assert_eq!((found.solutions.len(), found.complete), (1_000, true));
    }

    #[test]
    fn without_time_the_set_that_was_given_comes_back() {
        let problem = random_problem(&mut rng(3), Cost::Mdl, 10, 24);
        let budget = Budget::unlimited().with_time(Duration::ZERO);
        assert_eq!(ties(&problem, &[], 10, &budget).solutions, [problem.evaluate([])]);
    }
}
