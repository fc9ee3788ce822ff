//! A learner that remembers on disk what it found for the same examples, and says it again.

use crate::SECONDS;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;
use symsnap::internals::ensemble::{Fingerprint, OutsideHypothesis, evaluate, read_hypothesis};
use symsnap::internals::learn::{KeptRule, Symsnap};
use symsnap::{
    Budget, Candidate, Cost, Examples, Instance, Learner, Observer, Outcome, Result, Settings, SnapshotPool,
    StopReason, Task,
};

/// How many rules are kept beside the snapshots.
const KEEP: usize = 1000;

#[derive(Serialize, Deserialize)]
struct Record {
    hypotheses: Vec<String>,
    rules: Vec<String>,
}

/// Learns, or replays a run.
pub struct Recorded {
    folder: PathBuf,
    name: String,
    cost: Cost,
}

impl Recorded {
    pub fn new(folder: &Path, name: &str, cost: Cost) -> Self {
        Recorded { folder: folder.to_owned(), name: name.replace('/', "-"), cost }
    }

    fn path(&self, task: &Task) -> PathBuf {
        let hash = Fingerprint::hash(text_of(&task.examples, task).as_bytes());
        self.folder.join(format!("{}-{}-{hash}.json", self.name, self.cost.name()))
    }

    fn record(&self, task: &Task) -> Record {
        let settings = Settings { cost: self.cost, keep: KEEP, optima: 100, ..Settings::default() };
        let mut pool = SnapshotPool::default();
        let budget = Budget::unlimited().with_time(Duration::from_secs_f64(SECONDS));
        Symsnap { settings }.learn_task(task, &budget, &mut pool).unwrap();
        Record {
            hypotheses: pool.members().iter().map(|member| member.hypothesis().show(&task.terms)).collect(),
            rules: pool.rules().iter().map(|kept| kept.rule.show(&task.terms)).collect(),
        }
    }
}

fn text_of(examples: &Examples, task: &Task) -> String {
    let side = |count: usize, row: &dyn Fn(usize) -> (Vec<String>, u32)| {
        (0..count).map(|at| format!("{:?}\n", row(at))).collect::<String>()
    };
    let show = |row: &[symsnap::TermId]| row.iter().map(|&id| task.terms.show(id)).collect::<Vec<_>>();
    side(examples.positives(), &|at| (show(examples.positive(at)), examples.positive_weights()[at]))
        + "-"
        + &side(examples.negatives(), &|at| (show(examples.negative(at)), examples.negative_weights()[at]))
}

impl Learner for Recorded {
    fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
        let mut own = on.as_task().into_owned();
        let path = self.path(&own);
        let record: Record = match std::fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).unwrap(),
            Err(_) => {
                let record = self.record(&own);
                std::fs::write(&path, serde_json::to_string(&record).unwrap()).unwrap();
                record
            }
        };
        let found: Vec<OutsideHypothesis> =
            record.hypotheses.into_iter().enumerate().map(|(line, rules)| OutsideHypothesis { rules, line }).collect();
        let candidates: Vec<Candidate> = evaluate("record", &found, &mut own, self.cost)?;
        for candidate in &candidates {
            let _ = observer.candidate(candidate);
        }
        let rules = read_hypothesis("record", &record.rules.join("\n"), &mut own)?.rules;
        let kept: Vec<KeptRule> = rules.into_iter().map(|rule| KeptRule { rule, cover: None }).collect();
        observer.rules(&kept, &own.examples);
        let best = candidates.last().cloned();
        Ok(Outcome::unproved(best, self.cost, &own.examples, (StopReason::Time, 0), budget))
    }
}
