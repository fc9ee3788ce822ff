//! Tasks with numbers or constants, held against the same tasks with these made by hand.

use crate::brute_force::{best_rules, score};
use symsnap::internals::coverage::SlowEvaluator;
use symsnap::internals::database::Database;
use symsnap::internals::learn::{Pricing, Symsnap};
use symsnap::internals::space::Space;
use symsnap::{Budget, Candidate, Cost, CostValue, Learner, Settings, Task};

/// A task twice: as the learner is to learn it, and with what is special about it made by hand (background and bias).
pub struct Twice {
    pub bk: String,
    pub exs: String,
    pub bias: String,
    pub by_hand: (String, String),
}

impl Twice {
    /// Check that the optimum is that of brute force on the task made by hand, that it is proved, and that every candidate is
    /// in the space and has the figures it was found with. Returns the best hypothesis and how many rules brute force has
    /// tested.
    pub fn check(&self, seed: u64) -> (String, usize) {
        let Twice { bk, exs, bias, by_hand } = self;
        let cost = Cost::ALL[(seed % 3) as usize];
        let plain =
            Task::from_texts(&by_hand.0, exs, &by_hand.1).unwrap_or_else(|error| panic!("{error}\n{}", by_hand.1));
        let (expected, rules) = best_rules(&plain, cost, |_| true);
        (holds([bk, exs, bias], cost, seed, &expected), rules)
    }
}

/// Learn a task of three texts, and check that the optimum is `expected`, that it is proved, and that every candidate is in the
/// space and has the figures it was found with. Returns the best hypothesis.
pub fn holds([bk, exs, bias]: [&str; 3], cost: Cost, seed: u64, expected: &CostValue) -> String {
    let text = || format!("seed {seed}\n--- bk\n{bk}--- exs\n{exs}--- bias\n{bias}");
    let task = Task::from_texts(bk, exs, bias).unwrap_or_else(|error| panic!("{error}\n{}", text()));
    let pricing = if seed.is_multiple_of(2) { Pricing::Early } else { Pricing::Late };
    let learner = Symsnap { settings: Settings { cost, seed, pricing, ..Settings::default() } };
    let mut candidates: Vec<Candidate> = Vec::new();
    let outcome = learner.learn_task(&task, &Budget::unlimited(), &mut candidates).expect("small weights fit");
    let best = outcome.best.as_ref().map(|best| best.hypothesis.show(&task.terms)).unwrap_or_default();
    assert_eq!(outcome.value, *expected, "the optimum under {}\n{best}{}", cost.name(), text());
    assert!(outcome.optimal, "a proof: {:?}\n{}", outcome.limits, text());
    let (space, database) = (Space::new(&task), Database::new(&task));
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    for candidate in &candidates {
        let found = score(&mut slow, &task, cost, &candidate.hypothesis);
        let shown = candidate.hypothesis.show(&task.terms);
        assert_eq!(found, (candidate.value.clone(), candidate.confusion), "what\n{shown}does\n{}", text());
        for rule in &candidate.hypothesis.rules {
            let inside = space.contains(rule);
            assert!(inside.is_ok(), "{} is not in the space: {inside:?}\n{}", rule.show(&task.terms), text());
        }
    }
    best
}
