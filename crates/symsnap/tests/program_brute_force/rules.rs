//! The best set of rules without recursion, by dynamic programming over sets of covered examples.

use symsnap::cost::{Confusion, Cost, CostValue};
use symsnap::coverage::SlowEvaluator;
use symsnap::database::Database;
use symsnap::space::Space;
use symsnap::task::Task;

/// The least cost over all sets of rules that do not call each other.
pub fn brute_force(task: &Task, cost: Cost) -> CostValue {
    let space = Space::new(task);
    let database = Database::new(task);
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    let examples = &task.examples;
    let (positives, count) = (examples.positives(), examples.positives() + examples.negatives());
    let mut smallest: Vec<Option<usize>> = vec![None; 1 << count];
    for rule in space.enumerate(task.bias.max_body + 1).filter(|rule| !rule.is_recursive()) {
        let size = rule.size();
        let cover = slow.rule(&rule);
        let mask = cover.pos.iter().fold(0usize, |mask, at| mask | 1 << at);
        let mask = cover.neg.iter().fold(mask, |mask, at| mask | 1 << (positives + at));
        smallest[mask] = Some(smallest[mask].map_or(size, |known| known.min(size)));
    }
    let mut best: Vec<Option<usize>> = vec![None; 1 << count];
    best[0] = Some(0);
    for (cover, size) in smallest.iter().enumerate().filter_map(|(cover, size)| size.map(|size| (cover, size))) {
        for mask in 0..1 << count {
            if let Some(so_far) = best[mask] {
                let union = mask | cover;
                best[union] = Some(best[union].map_or(so_far + size, |known| known.min(so_far + size)));
            }
        }
    }
    let weight = |mask: usize, from: usize, weights: &[u32]| -> u64 {
        weights.iter().enumerate().filter(|(at, _)| mask >> (from + at) & 1 == 1).map(|(_, &w)| u64::from(w)).sum()
    };
    let total = |weights: &[u32]| weights.iter().map(|&w| u64::from(w)).sum::<u64>();
    let value = |mask: usize, size: usize| {
        let tp = weight(mask, 0, examples.positive_weights());
        let fp = weight(mask, positives, examples.negative_weights());
        let confusion = Confusion {
            tp,
            fn_: total(examples.positive_weights()) - tp,
            tn: total(examples.negative_weights()) - fp,
            fp,
        };
        cost.value(&confusion, size)
    };
    let all = (0..1usize << count).filter_map(|mask| best[mask].map(|size| value(mask, size)));
    all.min().expect("the empty hypothesis is one")
}
