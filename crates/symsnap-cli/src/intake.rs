//! Hypotheses from outside as they come: read, tested, taken into the pool and written as snapshots. What is skipped is
//! counted and shown.

use crate::listener::{Stream, line};
use crate::output::{complain, thousands};
use serde_json::{Value, json};
use std::time::Duration;
use symsnap::internals::ensemble::{Format, Reported, Scored, Scorer, Skipped, Transcript};
use symsnap::{Budget, Cost, Error, SnapshotPool, Task};
use symsnap_lab::guest::SkipTally;

/// So many predicates that nothing defines are named.
const SHOWN: usize = 3;

/// `1 hypothesis`, `2 hypotheses`.
pub fn hypotheses(number: usize) -> String {
    if number == 1 { "1 hypothesis".to_owned() } else { format!("{} hypotheses", thousands(number)) }
}

/// What was skipped, for people; nothing if nothing was.
pub fn skipped_text(skipped: &SkipTally, place: &str) -> String {
    if skipped.count() == 0 {
        return String::new();
    }
    let mut text = format!("{} skipped{place}:\n", hypotheses(skipped.count()));
    for Skipped { line, text: rules, reason } in skipped.first() {
        text += &format!("  line {line}: {reason}: {rules}\n");
    }
    if skipped.count() > skipped.first().len() {
        text += &format!("  and {} more\n", skipped.count() - skipped.first().len());
    }
    text
}

/// The same for programs.
pub fn skipped_json(skipped: &SkipTally) -> Value {
    let first = skipped.first().iter().map(|it| json!({ "line": it.line, "reason": it.reason, "text": it.text }));
    json!({ "count": skipped.count(), "first": first.collect::<Vec<_>>() })
}

/// Takes in the output of one learner.
pub struct Intake {
    transcript: Transcript,
    /// What was read and waits for its test.
    waiting: Vec<Result<Reported, Skipped>>,
    scorer: Scorer,
    cost: Cost,
    /// What was at most as costly as all before.
    pub pool: SnapshotPool,
    snapshots: Option<Stream>,
    /// Why not all snapshots were written, if so.
    pub failure: Option<Error>,
    /// Hypotheses that were tested.
    pub tested: usize,
    /// Those that were not.
    pub skipped: SkipTally,
}

impl Intake {
    /// Nothing has come yet. Snapshots go to `snapshots`, too.
    pub fn new(
        task: Task,
        cost: Cost,
        format: Option<&'static Format>,
        pool: SnapshotPool,
        snapshots: Option<Stream>,
    ) -> Self {
        Intake {
            transcript: Transcript::new(format),
            waiting: Vec::new(),
            scorer: Scorer::new(task, cost),
            cost,
            pool,
            snapshots,
            failure: None,
            tested: 0,
            skipped: SkipTally::default(),
        }
    }

    /// Take in what was written now, and test as much of what is whole as the budget allows.
    pub fn hear(&mut self, bytes: &[u8], heard: Option<Duration>, budget: &Budget) {
        self.waiting.extend(self.transcript.read(bytes, heard));
        self.test(budget);
    }

    /// There is no more; if the learner was stopped, its last line is `cut` off.
    pub fn end(&mut self, cut: bool, budget: &Budget) {
        self.waiting.extend(self.transcript.end(cut));
        self.test(budget);
    }

    /// How many hypotheses there was no time to test.
    pub fn untested(&self) -> usize {
        self.waiting.len()
    }

    /// The format that was named or recognised.
    pub fn format(&self) -> Option<&'static str> {
        self.transcript.format().map(|format| format.name)
    }

    /// What users should know about predicates that nothing defines.
    pub fn undefined(&self) -> Option<String> {
        let names = self.scorer.undefined();
        let more = if names.len() > SHOWN { ", ..." } else { "" };
        let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        (!names.is_empty())
            .then(|| format!("hypotheses call what nothing defines, which has no answers: {shown}{more}"))
    }

    /// The task with what hypotheses have added to it, and the pool.
    pub fn finish(self) -> (Task, SnapshotPool) {
        (self.scorer.into_task(), self.pool)
    }

    fn test(&mut self, budget: &Budget) {
        for scored in self.scorer.score(&mut self.waiting, budget) {
            match scored {
                Scored::Skipped(skipped) => self.skipped.add(skipped),
                Scored::Needless => self.tested += 1,
                Scored::Candidate(candidate) => {
                    self.tested += 1;
                    let Some(snapshot) = self.pool.offer(&candidate) else { continue };
                    let Some(stream) = &mut self.snapshots else { continue };
                    if let Err(error) = stream.write(&line(snapshot, self.cost, &self.scorer.task().terms, false)) {
                        complain(&format!("{error}\n  help: the run goes on, but writes no more snapshots"));
                        (self.snapshots, self.failure) = (None, Some(error));
                    }
                }
            }
        }
    }
}
