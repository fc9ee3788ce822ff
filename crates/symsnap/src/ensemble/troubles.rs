//! Notes about voters whose rules raise errors, or reach a limit, on training examples: such examples count as not
//! covered by that rule, which whoever reads the rule would not guess.

use super::{Training, Voter};
use crate::logic::{DistinctRules, Hypothesis, Pred};
use crate::task::{Definition, Task};

/// So many rules are quoted; more are counted.
const QUOTED: usize = 3;

/// Take down which rules of `voters` raise errors or reach limits, as far as there is time to find out.
pub(super) fn note_troubles(training: &Training<'_>, voters: &[Voter]) {
    let task = training.task();
    let mut parts = Vec::new();
    let mut rules = DistinctRules::default();
    for hypothesis in voters.iter().map(|voter| &voter.hypothesis).filter(|hypothesis| may_raise(task, hypothesis)) {
        if hypothesis.is_recursive() {
            parts.push(hypothesis.clone());
        } else {
            hypothesis.rules.iter().for_each(|rule| _ = rules.number(rule));
        }
    }
    parts.extend(rules.rules().iter().map(|rule| Hypothesis { rules: vec![rule.clone()] }));
    parts.retain(|part| may_raise(task, part));
    let tested: Vec<_> = parts.iter().zip(training.notes_in_time(&parts)).collect();
    let text = |part: &Hypothesis| part.show(&task.terms).trim_end().replace('\n', " ");
    let raising: Vec<_> = tested.iter().filter(|(_, notes)| notes.faults > 0).collect();
    for (part, notes) in raising.iter().take(QUOTED) {
        let message = notes.messages.first().map_or_else(String::new, |message| format!(" ({message})"));
        let text = text(part);
        training.note(format!("`{text}` raises an error on some training examples, which it does not cover{message}"));
    }
    if raising.len() > QUOTED {
        training.note(format!("{} other rules raise errors on training examples, too", raising.len() - QUOTED));
    }
    for (part, notes) in tested.iter().filter(|(_, notes)| notes.unfinished > 0).take(QUOTED) {
        let message = notes.messages.first().map_or_else(String::new, |message| format!(" ({message})"));
        let text = text(part);
        training.note(format!(
            "`{text}` reaches a limit of the evaluator on some training examples, which count as not covered{message}"
        ));
    }
}

/// Whether the hypothesis calls anything that is not a table of facts: those never raise errors.
fn may_raise(task: &Task, hypothesis: &Hypothesis) -> bool {
    let own = |pred: Pred| hypothesis.rules.iter().any(|rule| rule.head.pred == pred);
    let facts = |pred: Pred| {
        task.program.get(pred).is_some_and(|predicate| matches!(predicate.definition, Definition::Facts(_)))
    };
    let mut called = hypothesis.rules.iter().flat_map(|rule| &rule.body).map(|literal| literal.pred);
    hypothesis.is_recursive() || called.any(|pred| !own(pred) && !facts(pred))
}
