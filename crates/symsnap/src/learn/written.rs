//! Rules as they are written, where background predicates are called: what a rule covers when its body runs from left to
//! right is what counts, and what every other part of the program and SWI-Prolog will say. A miner joins literals in
//! the order in which it grew the rule, and a call that raises an error has no answers there, while in Prolog it ends the
//! proof of its example.

use crate::budget::Budget;
use crate::coverage::Evaluator;
use crate::instance::Instance;
use crate::language::Taint;
use crate::logic::{Rule, Terms};
use crate::mine::{Mine, MinedRule};
use crate::sets::Cover;
use std::collections::BTreeSet;
use std::time::Duration;

/// Orders of a rule's literals that are tried before it is taken as it is: all of four literals, most of five.
const MOST_ORDERS: usize = 100;

/// How long the rules of the best hypothesis may be asked for errors: much less than the second by which a limit may be overdrawn.
const SCRUTINY: Duration = Duration::from_millis(200);

/// Runs rules as they are written.
pub(super) struct Written<'t> {
    evaluator: Evaluator<'t>,
    /// Meets all errors, which takes longer and is wanted of the best rules only.
    scrutiny: Evaluator<'t>,
    /// What that left in doubt.
    pub(super) taints: BTreeSet<Taint>,
}

impl<'t> Written<'t> {
    pub(super) fn new(on: &'t Instance<'_>, budget: &Budget) -> Self {
        let evaluator = |budget| Evaluator::new(on.database(), on.examples()).with_budget(budget);
        let scrutiny = evaluator(Budget::unlimited()).meeting_all_errors();
        Written { evaluator: evaluator(budget.clone()), scrutiny, taints: BTreeSet::new() }
    }

    /// From now on rules are asked for errors for a moment only: the run itself is over, and may have ended at a limit.
    pub(super) fn begin_scrutiny(&mut self) {
        self.scrutiny.set_budget(Budget::unlimited().with_time(SCRUTINY));
    }

    /// The rule with what it covers as written. If that is not what the search says, another order of its literals that
    /// does is written instead; if there is none, the one that covers most of it and least else. `None` if the budget ended
    /// before that was known.
    pub(super) fn settle(&mut self, mut found: MinedRule, mine: &mut Mine<'_>) -> Option<MinedRule> {
        let rule = mine.rule(&found.parts);
        let cover = self.cover(&rule)?;
        if cover == found.cover {
            return Some(found);
        }
        let (mut best, mut order) = (cover, rule);
        for rule in mine.orders(&found.parts, MOST_ORDERS) {
            let cover = self.cover(&rule)?;
            let distance = |cover: &Cover| {
                cover
                    .words()
                    .iter()
                    .zip(found.cover.words())
                    .map(|(cover, found)| (cover ^ found).count_ones())
                    .sum::<u32>()
            };
            if distance(&cover) < distance(&best) {
                (best, order) = (cover, rule);
            }
            if best == found.cover {
                break;
            }
        }
        if best != found.cover {
            self.taints.insert(Taint::Order);
        }
        mine.write(&found.parts, order);
        found.cover = best;
        Some(found)
    }

    /// Whether a rule, as written, covers just this.
    pub(super) fn covers(&mut self, rule: &Rule, cover: &[u64]) -> bool {
        self.cover(rule).is_some_and(|covered| covered.words() == cover)
    }

    /// What to say of a rule that raises an error on some examples; `None` if it raises none.
    pub(super) fn trouble(&mut self, rule: &Rule, terms: &Terms) -> Option<String> {
        self.scrutiny.rule(rule);
        let notes = self.scrutiny.take_notes();
        let message = notes.messages.first().map_or_else(String::new, |message| format!(" ({message})"));
        let text = rule.show(terms);
        if notes.faults > 0 {
            return Some(format!(
                "`{text}` raises an error on some training examples, which it does not cover{message}"
            ));
        }
        self.scrutiny.finished(()).is_none().then(|| {
            format!("`{text}` may raise an error on some training examples: time was up before that was known")
        })
    }

    fn cover(&mut self, rule: &Rule) -> Option<Cover> {
        let cover = self.evaluator.rule(rule);
        let notes = self.evaluator.take_notes();
        if notes.unfinished > 0 {
            self.taints.extend(Taint::of(&notes));
        }
        self.evaluator.finished(cover)
    }
}
