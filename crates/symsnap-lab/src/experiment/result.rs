//! What is kept of a job. Times are absent under a tick budget, so that equal runs write equal files.

use super::Job;
use serde::{Deserialize, Serialize};
use symsnap::internals::evaluate::{Fraction, Metrics};
use symsnap::{Confusion, Cost, CostValue};

/// A confusion matrix as JSON spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Positives predicted positive.
    pub tp: u64,
    /// Positives predicted negative.
    #[serde(rename = "fn")]
    pub fn_: u64,
    /// Negatives predicted negative.
    pub tn: u64,
    /// Negatives predicted positive.
    pub fp: u64,
}

impl From<Confusion> for Counts {
    fn from(it: Confusion) -> Self {
        Counts { tp: it.tp, fn_: it.fn_, tn: it.tn, fp: it.fp }
    }
}

impl Counts {
    /// The measures of it.
    pub fn metrics(&self) -> Metrics {
        Metrics::of(&Confusion { tp: self.tp, fn_: self.fn_, tn: self.tn, fp: self.fp })
    }

    /// How many examples, or how much weight, they are of.
    pub fn total(&self) -> u64 {
        self.tp + self.fn_ + self.tn + self.fp
    }

    /// The exact share that is classified correctly.
    pub fn accuracy(&self) -> Fraction {
        Fraction::share(self.tp + self.tn, self.total())
    }

    /// The exact mean of that share among positives and among negatives; of the one there is, if the other has no
    /// examples.
    pub fn balanced_accuracy(&self) -> Fraction {
        let (positives, negatives) = (self.tp + self.fn_, self.tn + self.fp);
        match (positives, negatives) {
            (0, _) => Fraction::share(self.tn, negatives),
            (_, 0) => Fraction::share(self.tp, positives),
            _ => Fraction::mean(&[Fraction::share(self.tp, positives), Fraction::share(self.tn, negatives)]),
        }
    }
}

/// What became of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobResult {
    /// The job.
    pub job: Job,
    /// The version of the program.
    pub symsnap: String,
    /// The seed of the split.
    pub split_seed: u64,
    /// The seed of the learner.
    pub seed: u64,
    /// What went wrong, if the job failed.
    pub error: Option<String>,
    /// What came of it, if it did not.
    pub run: Option<Run>,
}

/// What came of a job that did not fail.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Run {
    /// Positives and negatives of training, validation and test.
    pub examples: [[usize; 2]; 3],
    /// Examples that a grouped split had to leave out.
    pub left_out: usize,
    /// Seconds to read the task.
    pub load_s: Option<f64>,
    /// Seconds of learning, over all uses of the learner.
    pub learn_s: Option<f64>,
    /// Rules tested; hypotheses, of another program.
    pub ticks: u64,
    /// Hypotheses of another program that could not be tested, in all its runs.
    #[serde(default, skip_serializing_if = "is_none")]
    pub skipped: usize,
    /// Why learning ended.
    pub stop: String,
    /// Whether the best hypothesis was proved to be one.
    pub optimal: bool,
    /// The cost of the best hypothesis.
    pub value: Vec<u64>,
    /// The lower bound on it.
    pub lower: Vec<u64>,
    /// Members of the pool.
    pub members: usize,
    /// Members of least cost.
    pub optima: usize,
    /// The test accuracy of the member that is best on the test examples.
    pub best_member: Option<f64>,
    /// The same of the worst.
    pub worst_member: Option<f64>,
    /// Seconds of phase 2: the paper's weights.
    pub weigh_s: Option<f64>,
    /// Seconds of phase 3: all members' predictions of the test examples, and the vote.
    pub predict_s: Option<f64>,
    /// A row for each method.
    pub rows: Vec<Row>,
    /// The sweep over alpha.
    pub sweep: Vec<SweepPoint>,
    /// How far members differ in coverage and description length, for the coverage-cost ratio.
    pub spread: Option<Spread>,
    /// What the run would have given with less time.
    pub checkpoints: Vec<Checkpoint>,
    /// How the run went.
    pub anytime: Vec<Anytime>,
    /// The members with most weight; of the first trial only.
    pub pool: Vec<PoolMember>,
    /// For each two of those, the share of examples covered by both among those covered by either.
    pub overlap: Vec<Vec<f64>>,
}

/// Our own learners have nothing skipped, and files from before others could be run do not say.
fn is_none(skipped: &usize) -> bool {
    *skipped == 0
}

/// How one method did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The method.
    pub method: String,
    /// How many hypotheses vote.
    pub voters: usize,
    /// The literals of their different rules; unknown in results from before it was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
    /// On the training examples.
    pub train: Counts,
    /// On the validation examples.
    pub validation: Counts,
    /// On the test examples.
    pub test: Counts,
}

impl Row {
    /// The cost of the ensemble: what its vote does with the training examples, and its size.
    pub fn cost(&self, cost: Cost) -> Option<CostValue> {
        let Counts { tp, fn_, tn, fp } = self.train;
        self.size.map(|size| cost.value(&Confusion { tp, fn_, tn, fp }, size))
    }
}

/// One value of alpha.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepPoint {
    /// It.
    pub alpha: f64,
    /// Accuracy of the paper's ensemble on the validation examples.
    pub validation: f64,
    /// The same on the test examples.
    pub test: f64,
}

/// The extremes of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The highest share of training examples classified correctly.
    pub coverage_max: f64,
    /// The lowest.
    pub coverage_min: f64,
    /// The longest description.
    pub mdl_max: u64,
    /// The shortest.
    pub mdl_min: u64,
}

/// What there was at some point of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Seconds or ticks.
    pub at: f64,
    /// Members so far.
    pub members: usize,
    /// Test accuracy of the best hypothesis so far.
    pub baseline: f64,
    /// Test accuracy of the paper's ensemble so far.
    pub ensemble: f64,
}

/// A step of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Anytime {
    /// Seconds or ticks.
    pub at: f64,
    /// The cost of the best hypothesis.
    pub value: Vec<u64>,
    /// The lower bound.
    pub lower: Vec<u64>,
    /// Members so far.
    pub members: usize,
    /// Validation accuracy of the best hypothesis.
    pub baseline: f64,
    /// Validation accuracy of the paper's ensemble so far.
    pub ensemble: f64,
}

/// A member of a pool, for the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PoolMember {
    /// Its place in the order of arrival.
    pub index: usize,
    /// Its weight in the paper's ensemble.
    pub weight: f64,
    /// When it was found, in seconds or ticks.
    pub at: f64,
    /// Its cost.
    pub value: Vec<u64>,
    /// Its size.
    pub size: usize,
    /// On the training examples.
    pub train: Counts,
    /// Its accuracy on the test examples.
    pub test_accuracy: f64,
    /// Its rules.
    pub rules: Vec<String>,
}
