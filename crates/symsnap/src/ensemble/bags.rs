//! Bootstrap samples, and what the learner finds in each: the loop of the methods that learn again from samples.

use super::{Training, Voter};
use crate::error::Result;
use crate::logic::Hypothesis;
use crate::snapshot::{Selection, SnapshotPool};
use crate::task::Examples;

/// The seed of a bag, from 0, in a run with that seed: 43 for the first bag of the default seed.
pub(super) fn bag_seed(seed: u64, bag: usize) -> u64 {
    seed.wrapping_add(42).wrapping_add(bag as u64)
}

/// The best hypothesis of a pool; the empty one, which covers nothing, if there is none.
pub(super) fn best_of(pool: &SnapshotPool) -> Hypothesis {
    let best = pool.select(Selection::Baseline);
    best.first().map_or_else(|| Hypothesis { rules: Vec::new() }, |member| member.hypothesis().clone())
}

/// Learn from bootstrap samples, as many as there is time for, keep something of the best hypothesis of each, and let what
/// was kept vote. Where that is nothing for every sample, the snapshots vote; notes say what there was no time for.
///
/// # Errors
/// As the learner's.
pub(super) fn vote_of_bags(
    training: &Training<'_>,
    bags: usize,
    keep: impl Fn(Hypothesis, &Examples) -> Hypothesis,
    vote: impl FnOnce(Vec<Hypothesis>) -> Vec<Voter>,
) -> Result<Vec<Voter>> {
    let mut kept: Vec<Hypothesis> = Vec::with_capacity(bags);
    for bag in 0..bags {
        let sample = training.task().examples.bootstrap(bag_seed(training.seed(), bag));
        let Some((pool, _)) = training.learn(sample.clone(), bags - bag)? else { break };
        kept.push(keep(best_of(&pool), &sample));
    }
    if kept.is_empty() {
        return Ok(training.fall_back("there was no time to learn from a sample"));
    }
    if kept.iter().all(|hypothesis| hypothesis.rules.is_empty()) {
        return Ok(training.fall_back("nothing was learned from any sample"));
    }
    if kept.len() < bags {
        training.note(format!("there was time to learn from {} of {bags} samples", kept.len()));
    }
    Ok(vote(kept))
}
