//! Bagging: learn again from bootstrap samples of the examples, and let the results vote with equal weights.
//!
//! The rival of the paper's question 5, after Dutra et al. (2003). A sample draws as many examples as there are, with
//! replacement; how often an example was drawn is its weight, so a sample costs no more than the task. Seeds are 43, 44,
//! 45 and so on for the default seed 1. A bag that learns nothing votes negative; the paper says nothing about it.
//!
//! The samples are not stratified, as in the source: a task with one positive has bags without it.

use super::bags::vote_of_bags;
use super::method::small_count;
use super::{Method, Needs, Training, Voter};
use crate::error::Result;

/// Equal votes of the best hypotheses of bootstrap samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bagging {
    /// How many samples.
    pub bags: usize,
}

impl Bagging {
    /// As many bags as the paper has.
    pub const DEFAULT: Bagging = Bagging { bags: 3 };
}

impl Method for Bagging {
    fn name(&self) -> &'static str {
        "bagging"
    }

    fn summary(&self) -> &'static str {
        "learn again from bootstrap samples; their best hypotheses vote with equal weights"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("bags", self.bags as f64)]
    }

    fn with_setting(&self, name: &str, value: f64) -> Option<Box<dyn Method>> {
        let bags = small_count(value).filter(|_| name == "bags")?;
        Some(Box::new(Bagging { bags }))
    }

    fn needs(&self) -> Needs {
        Needs::Learner
    }

    fn runs(&self) -> usize {
        self.bags
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        vote_of_bags(
            training,
            self.bags,
            |best, _| best,
            |found| {
                let share = 1.0 / found.len() as f64;
                found.into_iter().map(|hypothesis| training.voter(hypothesis, share)).collect()
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Budget, StopReason};
    use crate::cost::{Confusion, Cost};
    use crate::instance::Instance;
    use crate::learn::{Candidate, Learner, Observer, Outcome, Symsnap};
    use crate::snapshot::SnapshotPool;
    use crate::task::{Examples, Task};
    use std::sync::Mutex;

    fn task() -> Task {
        let names: Vec<String> = (0..40).map(|at| format!("x{at}")).collect();
        let facts: String = names.iter().enumerate().map(|(at, x)| format!("p({x},{}). ", at % 4)).collect();
        let ones = "one(1). two(2).";
        let exs: String = names
            .iter()
            .enumerate()
            .map(|(at, x)| format!("{}(f({x})). ", if at % 4 == 1 { "pos" } else { "neg" }))
            .collect();
        Task::from_texts(&(facts + ones), &exs, "head_pred(f,1). body_pred(p,2). body_pred(one,1). body_pred(two,1).")
            .unwrap()
    }

    /// Learns as we do and remembers what it was given.
    #[derive(Default)]
    struct Recorder {
        given: Mutex<Vec<(Examples, Budget)>>,
    }

    impl Learner for Recorder {
        fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
            self.given.lock().unwrap().push((on.examples().clone(), budget.clone()));
            Symsnap::default().learn(on, budget, observer)
        }
    }

    #[test]
    fn bags_are_the_samples_of_seeds_43_44_45_and_vote_alike() {
        let (task, pool, learner) = (task(), SnapshotPool::default(), Recorder::default());
        let voters = Bagging::DEFAULT.fit(&Training::new(&task, &pool, Cost::Mdl).with_learner(&learner)).unwrap();
        assert_eq!(voters.iter().map(|voter| voter.weight).collect::<Vec<_>>(), [1.0 / 3.0; 3]);
        // Figures are those on all examples, not on the sample.
        assert!(voters.iter().all(|voter| voter.confusion.total() == 40), "{voters:?}");
        assert_eq!(voters[0].confusion, Confusion { tp: 10, fn_: 0, tn: 30, fp: 0 });
        let given = learner.given.into_inner().unwrap();
        for ((sample, _), seed) in given.iter().zip([43, 44, 45]) {
            assert_eq!(format!("{sample:?}"), format!("{:?}", task.examples.bootstrap(seed)));
        }
        assert_eq!(given.len(), 3);
    }

    #[test]
    fn a_bag_that_learns_nothing_votes_negative_and_bags_that_all_do_are_no_ensemble() {
        /// Keeps what it learns to itself if the number of positives leaves too small a rest.
        struct Moody(u64);
        impl Learner for Moody {
            fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
                let mut nobody: Vec<Candidate> = Vec::new();
                let moody = on.examples().positives() as u64 % 2 < self.0;
                Symsnap::default().learn(on, budget, if moody { &mut nobody } else { observer })
            }
        }
        let (task, pool) = (task(), SnapshotPool::default());
        let count = |mood| {
            let learner = Moody(mood);
            let training = Training::new(&task, &pool, Cost::Mdl).with_learner(&learner);
            let voters = Bagging { bags: 8 }.fit(&training).unwrap();
            (voters.len(), voters.iter().filter(|voter| voter.hypothesis.rules.is_empty()).count())
        };
        assert_eq!(count(0), (8, 0));
        let (voters, silent) = count(1);
        assert!(voters == 8 && (1..8).contains(&silent), "{silent}");
        assert_eq!(count(2), (0, 0));
    }

    #[test]
    fn runs_share_the_time_that_is_left() {
        let (task, pool, learner) = (task(), SnapshotPool::default(), Recorder::default());
        let budget = Budget::unlimited().with_time(std::time::Duration::from_secs(90));
        Bagging::DEFAULT
            .fit(&Training::new(&task, &pool, Cost::Mdl).with_learner(&learner).with_budget(budget))
            .unwrap();
        let given = learner.given.into_inner().unwrap();
        let limits: Vec<f64> = given.iter().map(|(_, budget)| budget.time_limit().unwrap().as_secs_f64()).collect();
        assert!((29.9..31.0).contains(&limits[0]) && (44.9..55.0).contains(&limits[1]), "{limits:?}");
        assert!((89.9..90.1).contains(&limits[2]), "{limits:?}");
        let spent = Budget::unlimited().with_time(std::time::Duration::ZERO);
        let learner = Symsnap::default();
        let late = Training::new(&task, &pool, Cost::Mdl).with_learner(&learner).with_budget(spent);
        assert_eq!(late.budget().check(), Some(StopReason::Time));
        assert!(Bagging::DEFAULT.fit(&late).unwrap().is_empty());
    }
}
