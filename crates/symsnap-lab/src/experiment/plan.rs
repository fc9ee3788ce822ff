//! A suite as a list of jobs, always in the same order, each with seeds of its own.

use super::methods::learns_by_itself;
use super::{SplitKind, Suite};
use serde::{Deserialize, Serialize};
use symsnap::internals::random::Random;

/// One use of the learner (or, for bagging, several that belong together).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The task's name.
    pub task: String,
    /// The task's family.
    pub family: String,
    /// How its examples are divided.
    pub split: SplitKind,
    /// The cost's name.
    pub cost: String,
    /// The trial, from 1.
    pub trial: u32,
    /// `snapshots`, or the method that learns by itself.
    pub learner: String,
}

/// The learner whose pool most methods share.
pub const SNAPSHOTS: &str = "snapshots";

impl Job {
    /// A name that is unique in the suite and can be a file's.
    pub fn id(&self) -> String {
        let task = self.task.replace('/', "_");
        format!("{task}--{}--{}--{}--{}", self.split.word(), self.cost, self.trial, self.learner)
    }

    /// The seed of the split: the same for all costs and methods of a trial.
    pub fn split_seed(&self, suite: &Suite) -> u64 {
        derive(suite.seed, &[&self.task, self.split.word(), &self.trial.to_string()])
    }

    /// The seed of the learner.
    pub fn seed(&self, suite: &Suite) -> u64 {
        derive(suite.seed, &["learn", &self.id()])
    }

    /// The methods of the suite that this job evaluates.
    pub fn methods<'s>(&self, suite: &'s Suite) -> Vec<&'s str> {
        let shares = |method: &str| self.learner == SNAPSHOTS && !learns_by_itself(method);
        let mine = |method: &&str| **method == *self.learner || shares(method);
        suite.methods.iter().map(String::as_str).filter(mine).collect()
    }
}

/// The jobs of a suite. Trials come first, so that an early look at a run sees all tasks.
pub fn plan(suite: &Suite) -> Vec<Job> {
    let mut learners = Vec::new();
    for method in &suite.methods {
        let learner = if learns_by_itself(method) { method.as_str() } else { SNAPSHOTS };
        if !learners.contains(&learner) {
            learners.push(learner);
        }
    }
    let mut jobs = Vec::new();
    for trial in 1..=suite.trials {
        for &split in &suite.splits {
            for learner in &learners {
                for cost in &suite.costs {
                    for task in &suite.tasks {
                        jobs.push(Job {
                            task: task.name.clone(),
                            family: task.family.clone(),
                            split,
                            cost: cost.clone(),
                            trial,
                            learner: (*learner).to_owned(),
                        });
                    }
                }
            }
        }
    }
    jobs
}

/// A seed made of another and of words (FNV-1a over the bytes, mixed by the generator itself).
pub fn derive(seed: u64, words: &[&str]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64 ^ Random::new(seed).next_u64();
    for byte in words.iter().flat_map(|word| word.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    Random::new(hash).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::SHIPPED;
    use std::collections::BTreeSet;

    #[test]
    fn shipped_suites_have_jobs_with_names_and_seeds_of_their_own() {
        let counts: Vec<usize> = SHIPPED
            .iter()
            .map(|(name, _)| {
                let suite = Suite::find(name).unwrap();
                let jobs = plan(&suite);
                let names: BTreeSet<String> = jobs.iter().map(Job::id).collect();
                let seeds: BTreeSet<u64> = jobs.iter().map(|job| job.seed(&suite)).collect();
                assert_eq!((names.len(), seeds.len()), (jobs.len(), jobs.len()), "{name}");
                jobs.len()
            })
            .collect();
        assert_eq!(counts[0], 80, "smoke");
        assert_eq!(counts[2], 37 * 3 * 6 * 2, "paper");
    }

    #[test]
    fn all_costs_and_methods_of_a_trial_see_the_same_split() {
        let suite = Suite::find("smoke").unwrap();
        let jobs = plan(&suite);
        let same = |a: &Job, b: &Job| (&a.task, a.split, a.trial) == (&b.task, b.split, b.trial);
        for a in &jobs {
            for b in &jobs {
                assert_eq!(a.split_seed(&suite) == b.split_seed(&suite), same(a, b));
            }
        }
    }
}
