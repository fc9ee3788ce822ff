//! Snapshots tested once more, from scratch, by an evaluator that is slow and obvious.

use super::watchdog::{Waited, start, wait};
use crate::budget::{Budget, StopReason};
use crate::cost::{Confusion, Cost, CostValue};
use crate::coverage::SlowEvaluator;
use crate::database::Database;
use crate::error::{Diagnostic, Result};
use crate::snapshot::SnapshotPool;
use crate::task::Task;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many snapshots have the figures they were found with ([`Learned::verify`](super::Learned::verify)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// Snapshots that were tested again, the best first.
    pub done: usize,
    /// All snapshots.
    #[doc(hidden)]
    pub total: usize,
    /// Snapshots that could not be tested to the end, because the slow evaluator met a limit that the search did not: calls
    /// are limited one by one there, and proofs as a whole here.
    #[doc(hidden)]
    pub unfinished: usize,
    /// What ended it before it was through; `None` if it went through all.
    pub stop: Option<StopReason>,
}

impl Verified {
    /// Whether every snapshot was tested again and has the figures it was found with.
    #[doc(hidden)]
    pub fn is_complete(&self) -> bool {
        self.done == self.total
    }
}

/// Test the snapshots again until the budget ends.
///
/// # Errors
/// If one has other figures than it was found with.
pub(super) fn verify(task: &Arc<Task>, pool: &SnapshotPool, cost: Cost, budget: &Budget) -> Result<Verified> {
    let total = pool.members().len();
    let counts = Arc::new([const { AtomicUsize::new(0) }; 2]);
    let (task, pool, told) = (Arc::clone(task), pool.clone(), Arc::clone(&counts));
    let tell = move |finished: bool| _ = told[usize::from(finished)].fetch_add(1, Ordering::Relaxed);
    let run = start(move || verify_all(&task, &pool, cost, &tell))?;
    let stop = match wait(&run, budget) {
        Waited::Done(result) => result.map(|()| None)?,
        Waited::Overdue(stop) => Some(stop),
        Waited::Lost => return Err(Diagnostic::error("the verification has failed: this is a bug in symsnap").into()),
    };
    let [unfinished, done] = [0, 1].map(|at: usize| counts[at].load(Ordering::Relaxed));
    Ok(Verified { done, total, unfinished, stop })
}

/// Test every member again, and its cost against its confusion. The best come first; `tell` hears of each whether it was tested
/// to the end, and then it has the figures it was found with.
fn verify_all(task: &Task, pool: &SnapshotPool, cost: Cost, tell: &dyn Fn(bool)) -> Result<()> {
    let database = Database::new(task);
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    for member in pool.members().iter().rev() {
        let before = slow.notes().unfinished;
        let cover = slow.hypothesis(member.hypothesis());
        let finished = slow.notes().unfinished == before;
        let found = task.examples.confusion(&cover);
        let size = member.hypothesis().size();
        let value = cost.value(&found, size + task.bias.price(&member.hypothesis().rules));
        let said = (member.confusion(), member.candidate.size, &member.candidate.value);
        let agrees = said == (&found, size, &value);
        if finished && !agrees {
            let message = format!(
                "snapshot {} was learned with {}, but tests as {}: this is a bug in symsnap",
                member.index,
                figures(said.0, said.1, said.2, cost),
                figures(&found, size, &value, cost),
            );
            return Err(Diagnostic::error(message).with_help("please report it with the task").into());
        }
        tell(finished || agrees);
    }
    Ok(())
}

fn figures(confusion: &Confusion, size: usize, value: &CostValue, cost: Cost) -> String {
    let Confusion { tp, fn_, tn, fp } = confusion;
    format!("tp {tp}, fn {fn_}, tn {tn}, fp {fp}, size {size}, {} {value}", cost.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Candidate, Source};
    use crate::logic::Hypothesis;
    use crate::parse::Text;
    use std::time::Duration;

    #[test]
    fn a_snapshot_with_wrong_figures_fails_verification_by_name() {
        let bias = "head_pred(f,1). body_pred(p,1).";
        let mut task = Task::from_texts("p(a). p(b).", "pos(f(a)). neg(f(b)). neg(f(c)).", bias).unwrap();
        let given = task.read_rules(&Text::new("rules", "f(A) :- p(A).")).unwrap();
        let rule = given[0].clause.as_rule(&task.terms).unwrap();
        let hypothesis = Hypothesis { rules: vec![rule] };
        let offer = |tp: u64| {
            let confusion = Confusion { tp, fn_: 1 - tp, tn: 1, fp: 1 };
            let value = Cost::Mdl.value(&confusion, 2);
            let candidate = Candidate {
                hypothesis: hypothesis.clone(),
                value,
                confusion,
                size: 2,
                elapsed: Duration::ZERO,
                ticks: 0,
                source: Source::LOCAL,
            };
            let mut pool = SnapshotPool::default();
            pool.offer(&candidate);
            verify_all(&task, &pool, Cost::Mdl, &|_| ())
        };
        assert!(offer(1).is_ok());
        let message = offer(0).unwrap_err().to_string();
        assert!(
            message.contains(
                "snapshot 0 was learned with tp 0, fn 1, tn 1, fp 1, size 2, mdl 4, \
                 but tests as tp 1, fn 0, tn 1, fp 1, size 2, mdl 3: this is a bug in symsnap"
            ),
            "{message}"
        );
    }
}
