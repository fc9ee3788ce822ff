//! Results by task, and the comparisons that a report makes of them. Shares stay exact until they are tested or shown, then
//! they are in per cent.

use crate::experiment::{Counts, JobResult, Run, SNAPSHOTS, SplitKind, Suite};
use symsnap::internals::evaluate::{
    Differences, Fraction, Interval, PairedComparison, Ranking, TestResult, compare_paired, friedman, mean, wilcoxon,
};

/// The measure that a comparison is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The share of test examples that are predicted right.
    Accuracy,
    /// The mean of that share among positives and among negatives.
    Balanced,
}

/// All trials of a task with one cost and one kind of split.
pub struct StudyCell<'r> {
    /// The task.
    pub task: &'r str,
    /// Its family.
    pub family: &'r str,
    /// The split.
    pub split: SplitKind,
    /// The cost.
    pub cost: &'r str,
    /// What came of its jobs, by trial.
    pub results: Vec<&'r JobResult>,
}

/// A paired comparison on one task.
pub struct Difference<'c, 'r> {
    /// The task.
    pub cell: &'c StudyCell<'r>,
    /// The mean over trials with its interval.
    pub interval: Interval,
    /// The same mean, exactly.
    pub mean: Fraction,
    /// The test over trials.
    pub test: PairedComparison,
}

/// A paired comparison over all tasks.
pub struct Summary {
    /// The mean over tasks with its interval.
    pub interval: Interval,
    /// The signed-rank test over tasks.
    pub test: TestResult,
    /// Tasks that gain and that lose, significantly by their trials.
    pub significant: [usize; 2],
    /// Tasks that gain and that lose at all.
    pub any: [usize; 2],
}

/// Everything that a report is made of.
pub struct Study<'r> {
    /// What was run.
    pub suite: &'r Suite,
    /// The results by task, cost and split.
    pub cells: Vec<StudyCell<'r>>,
}

impl<'r> Study<'r> {
    /// Put results in order.
    pub fn new(suite: &'r Suite, results: &'r [JobResult]) -> Self {
        let mut cells: Vec<StudyCell<'r>> = Vec::new();
        for result in results {
            let job = &result.job;
            let same =
                |cell: &&mut StudyCell<'_>| cell.task == job.task && cell.split == job.split && cell.cost == job.cost;
            match cells.iter_mut().find(same) {
                Some(cell) => cell.results.push(result),
                None => cells.push(StudyCell {
                    task: &job.task,
                    family: &job.family,
                    split: job.split,
                    cost: &job.cost,
                    results: vec![result],
                }),
            }
        }
        Study { suite, cells }
    }

    /// The cells of one split and cost.
    pub fn cells_of(&self, split: SplitKind, cost: &str) -> impl Iterator<Item = &StudyCell<'r>> {
        self.cells.iter().filter(move |cell| cell.split == split && cell.cost == cost)
    }

    /// The least and the most trials that a task with results has results of.
    pub fn trials(&self) -> (usize, usize) {
        let done = |cell: &StudyCell<'_>| {
            let mut trials: Vec<u32> =
                cell.results.iter().filter(|result| result.run.is_some()).map(|result| result.job.trial).collect();
            trials.sort_unstable();
            trials.dedup();
            trials.len()
        };
        let counts: Vec<usize> = self.cells.iter().map(done).filter(|&count| count > 0).collect();
        (counts.iter().copied().min().unwrap_or(0), counts.iter().copied().max().unwrap_or(0))
    }

    /// Method `one` minus method `other` on each task where both have results.
    pub fn differences(
        &self,
        split: SplitKind,
        cost: &str,
        one: &str,
        other: &str,
        by: Measure,
    ) -> Vec<Difference<'_, 'r>> {
        let each = |cell| {
            let differences = StudyCell::paired(cell, one, other, by);
            (differences.count() > 0).then(|| Difference {
                cell,
                interval: differences.interval(),
                mean: differences.mean(),
                test: compare_paired(&differences.points()),
            })
        };
        self.cells_of(split, cost).filter_map(each).collect()
    }

    /// The accuracies of methods on tasks: a row for each task where all of them have results.
    pub fn table(&self, split: SplitKind, cost: Option<&str>, methods: &[&str]) -> Vec<Vec<Fraction>> {
        let cells = self.cells.iter().filter(|cell| cell.split == split && cost.is_none_or(|cost| cell.cost == cost));
        let row = |cell: &StudyCell<'_>| -> Option<Vec<Fraction>> {
            methods.iter().map(|method| cell.mean_accuracy(method, Measure::Accuracy)).collect()
        };
        cells.filter_map(row).collect()
    }

    /// The methods ranked over all tasks and costs.
    pub fn ranking(&self, split: SplitKind, methods: &[&str]) -> Option<Ranking> {
        let percent = |row: Vec<Fraction>| row.iter().map(|share| share.times(100)).collect();
        friedman(&self.table(split, None, methods).into_iter().map(percent).collect::<Vec<Vec<f64>>>())
    }
}

/// What the differences on all tasks say together.
pub fn summarise(differences: &[Difference<'_, '_>]) -> Summary {
    let means: Differences = differences.iter().map(|difference| difference.mean.clone()).collect();
    let count = |right: &dyn Fn(&Difference<'_, '_>) -> bool| differences.iter().filter(|it| right(it)).count();
    Summary {
        interval: means.interval(),
        test: wilcoxon(&means.points()),
        significant: [
            count(&|it| it.test.p < 0.05 && it.interval.mean > 0.0),
            count(&|it| it.test.p < 0.05 && it.interval.mean < 0.0),
        ],
        any: [count(&|it| it.interval.mean > 0.0), count(&|it| it.interval.mean < 0.0)],
    }
}

impl StudyCell<'_> {
    /// The runs that keep a pool, by trial.
    pub fn snapshots(&self) -> impl Iterator<Item = (&JobResult, &Run)> {
        let kept = self.results.iter().filter(|result| result.job.learner == SNAPSHOTS);
        kept.filter_map(|result| Some((*result, result.run.as_ref()?)))
    }

    /// What the method got right and wrong in a trial.
    fn counts(&self, method: &str, trial: u32) -> Option<&Counts> {
        let runs =
            self.results.iter().filter(|result| result.job.trial == trial).filter_map(|result| result.run.as_ref());
        runs.flat_map(|run| &run.rows).find(|row| row.method == method).map(|row| &row.test)
    }

    /// The method's figure in a trial.
    fn score(&self, method: &str, trial: u32, by: Measure) -> Option<Fraction> {
        let counts = self.counts(method, trial)?;
        Some(if by == Measure::Accuracy { counts.accuracy() } else { counts.balanced_accuracy() })
    }

    /// The trials that have results, in order.
    fn trials(&self) -> Vec<u32> {
        let mut trials: Vec<u32> = self.results.iter().map(|result| result.job.trial).collect();
        trials.sort_unstable();
        trials.dedup();
        trials
    }

    /// Method `one` minus method `other`, in each trial where both have results.
    pub fn paired(&self, one: &str, other: &str, by: Measure) -> Differences {
        let difference = |trial| Some(&self.score(one, trial, by)? - &self.score(other, trial, by)?);
        self.trials().into_iter().filter_map(difference).collect()
    }

    /// The method's mean figure; `None` without any.
    pub fn mean_accuracy(&self, method: &str, by: Measure) -> Option<Fraction> {
        let scores: Vec<Fraction> =
            self.trials().into_iter().filter_map(|trial| self.score(method, trial, by)).collect();
        (!scores.is_empty()).then(|| Fraction::mean(&scores))
    }

    /// In each trial, the accuracy of a member of the pool that is best (or worst) on the test examples, minus that of a
    /// method.
    pub fn member_minus(&self, best: bool, method: &str) -> Differences {
        let each = |(result, run): (&JobResult, &Run)| {
            let member = if best { run.best_member } else { run.worst_member }?;
            let counts = self.counts(method, result.job.trial)?;
            Some(&Fraction::nearest(member, counts.total()) - &counts.accuracy())
        };
        self.snapshots().filter_map(each).collect()
    }

    /// Seconds of phases 2 and 3 in per cent of learning, in each trial that has times.
    pub fn overheads(&self) -> Vec<f64> {
        let each =
            |(_, run): (&JobResult, &Run)| Some(100.0 * (run.weigh_s? + run.predict_s?) / run.learn_s?.max(1e-9));
        self.snapshots().filter_map(each).collect()
    }

    /// Mean seconds of learning of a learner.
    pub fn learn_seconds(&self, learner: &str) -> Option<f64> {
        let runs = self.results.iter().filter(|result| result.job.learner == learner);
        let seconds: Vec<f64> = runs.filter_map(|result| result.run.as_ref()?.learn_s).collect();
        (!seconds.is_empty()).then(|| mean(&seconds))
    }
}
