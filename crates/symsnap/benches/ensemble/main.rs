//! Which ensemble method is right on new examples? `cargo bench -p symsnap --bench ensemble -- RECORDS OUT.csv [METHOD...]`
//!
//! For each task of [`TASKS`], each cost and each of five splits, 60 % of the examples are learned from, and every
//! method is scored on two further parts of 20 %: `choose`, by which a default may be chosen, and `report`, which no
//! choice has seen. Runs of the learner are kept in the folder RECORDS and replayed, so all methods see the same
//! hypotheses, and a method that is new costs no learning again. Rows that OUT.csv has already are not made again, so
//! the bench can be stopped and started. `bench/ensemble.py` makes tables of the rows.
//!
//! Each run of the learner gets [`SECONDS`] on one thread. `SYMSNAP_TASKS=zendo,trains` leaves out all other tasks.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod record;

use record::Recorded;
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use symsnap::internals::coverage::Evaluator;
use symsnap::internals::database::Database;
use symsnap::internals::ensemble::{Training, Voter, vote};
use symsnap::{Confusion, Cost, Examples, Learner, METHODS, Method, SnapshotPool, Task};

/// Tasks with enough examples to hold some out, without recursion.
const TASKS: [&str; 28] = [
    "alzheimer/acetyl",
    "alzheimer/amine",
    "alzheimer/mem",
    "alzheimer/toxic",
    "carcinogenesis/carcinogenesis",
    "drugdrug/drugdrug",
    "iggp/buttons-next",
    "iggp/coins-goal",
    "iggp/fizzbuzz-goal",
    "iggp/gt_centipede-goal",
    "iggp/horseshoe-next-cell",
    "iggp/rps-next-score",
    "metabolism/metabolism",
    "mutagenesis/mutagenesis",
    "noisy_zendo/zendo1-10",
    "noisy_zendo/zendo1-20",
    "noisy_zendo/zendo2-10",
    "onedarc/1d_denoising_mc",
    "onedarc/1d_padded_fill",
    "onedarc/1d_recolor_cmp",
    "onedarc/1d_scale_dp",
    "trains/trains1",
    "trains/trains2",
    "trains/trains3",
    "trains/trains4",
    "wn18rr/similarto",
    "zendo/zendo2",
    "zendo/zendo3",
];
const SPLITS: u64 = 5;
/// Seconds for each run of the learner.
pub const SECONDS: f64 = 1.0;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [records, out, methods @ ..] = words.as_slice() else {
        println!("usage: cargo bench -p symsnap --bench ensemble -- RECORDS OUT.csv [METHOD[:SETTING=VALUE...]...]");
        return;
    };
    let data = std::env::var("SYMSNAP_DATA").unwrap_or_else(|_| "../shared/data".to_owned());
    let data = PathBuf::from(data).join("tasks");
    if !data.is_dir() {
        println!("SKIPPED: SYMSNAP_DATA names no folder with tasks");
        return;
    }
    std::fs::create_dir_all(records).unwrap();
    let named: Vec<(String, Box<dyn Method>)> = if methods.is_empty() {
        METHODS.iter().map(|method| (method.name().to_owned(), method.boxed())).collect()
    } else {
        methods.iter().map(|text| (text.clone(), method(text))).collect()
    };
    let done = rows_of(Path::new(out));
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(out).unwrap();
    if done.is_empty() {
        writeln!(file, "task,cost,split,method,members,choose,report").unwrap();
    }
    let only = std::env::var("SYMSNAP_TASKS").unwrap_or_default();
    for name in TASKS.into_iter().filter(|name| only.split(',').any(|part| name.contains(part))) {
        let mut task = None;
        for cost in Cost::ALL {
            for split in 1..=SPLITS {
                let key = |method: &str| format!("{name},{},{split},{method}", cost.name());
                let missing: Vec<_> = named.iter().filter(|(method, _)| !done.contains(&key(method))).collect();
                if missing.is_empty() {
                    continue;
                }
                let task = task.get_or_insert_with(|| Task::from_dir(data.join(name)).unwrap());
                let trial = Trial::new(task, cost, split, Path::new(records), name);
                for (method, made) in missing {
                    let voters = trial.fit(&**made);
                    let [choose, report] = [0, 1].map(|part| trial.accuracy(&voters, part));
                    writeln!(file, "{},{},{choose:.6},{report:.6}", key(method), voters.len()).unwrap();
                }
                file.flush().unwrap();
            }
        }
    }
}

/// `name:setting=value:setting=value`.
fn method(text: &str) -> Box<dyn Method> {
    let mut words = text.split(':');
    let name = words.next().unwrap();
    let found = symsnap::method_named(name).unwrap_or_else(|| panic!("no method {name}"));
    words.fold(found.boxed(), |method, word| {
        let (name, value) = word.split_once('=').unwrap();
        method.with_setting(name, value.parse().unwrap()).unwrap()
    })
}

fn rows_of(path: &Path) -> HashSet<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| line.splitn(5, ',').take(4).collect::<Vec<_>>().join(",")).collect()
}

/// One split of one task under one cost.
struct Trial {
    task: Task,
    parts: [Examples; 2],
    pool: SnapshotPool,
    cost: Cost,
    split: u64,
    learner: Recorded,
    database: Database,
}

impl Trial {
    fn new(task: &Task, cost: Cost, split: u64, records: &Path, name: &str) -> Self {
        let parts: [Examples; 3] = task.examples.split(&[6, 2, 2], split).try_into().unwrap();
        let [train, choose, report] = parts;
        let mut task = task.clone();
        task.examples = train;
        let learner = Recorded::new(records, name, cost);
        let mut pool = SnapshotPool::default();
        learner.learn_task(&task, &symsnap::Budget::unlimited(), &mut pool).unwrap();
        let database = Database::new(&task);
        Trial { task, parts: [choose, report], pool, cost, split, learner, database }
    }

    fn fit(&self, method: &dyn Method) -> Vec<Voter> {
        let training = Training::new(&self.task, &self.pool, self.cost).with_seed(self.split);
        method.fit(&training.with_learner(&self.learner)).unwrap()
    }

    fn accuracy(&self, voters: &[Voter], part: usize) -> f64 {
        let examples = &self.parts[part];
        let mut evaluator = Evaluator::new(&self.database, examples);
        let weights: Vec<f64> = voters.iter().map(|voter| voter.weight).collect();
        let covers: Vec<_> = voters.iter().map(|voter| evaluator.hypothesis(&voter.hypothesis)).collect();
        let mut confusion = Confusion::default();
        for at in 0..examples.positives() {
            let positive = vote(&weights, covers.iter().map(|cover| cover.pos().contains(at))).1;
            *(if positive { &mut confusion.tp } else { &mut confusion.fn_ }) += 1;
        }
        for at in 0..examples.negatives() {
            let positive = vote(&weights, covers.iter().map(|cover| cover.neg().contains(at))).1;
            *(if positive { &mut confusion.fp } else { &mut confusion.tn }) += 1;
        }
        confusion.accuracy()
    }
}
