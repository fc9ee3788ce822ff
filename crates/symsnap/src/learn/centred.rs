//! Numbers in the middle: a comparison that was mined holds for one value of the table at hand and not for the next, and its
//! number lies between the two. What examples are covered by may lie further apart, and the widest margin is the middle of
//! that ([`FreeNumbers`]). So rules that are offered have their numbers moved there, one comparison after the other, each given
//! those before it. What a rule covers of the training examples stays the same.

use crate::budget::Budget;
use crate::coverage::{FreeNumber, FreeNumbers};
use crate::database::Database;
use crate::instance::Instance;
use crate::language::between;
use crate::logic::{Arg, Comparison, Rule};
use crate::task::{Bias, Bounds, Examples};
use rustc_hash::FxHashMap;

/// Examples up to which it is worth while: it takes all solutions for each, and with more examples there is less to be moved.
const MOST_EXAMPLES: usize = 2_000;

/// Moves the numbers of rules.
pub(super) struct Centred<'t> {
    /// Made when there is a rule to be moved: it has the whole background.
    free: Option<FreeNumbers>,
    database: &'t Database,
    examples: &'t Examples,
    /// Where the numbers of `=<` and `>=` lie.
    bounds: [Bounds; 2],
    budget: Budget,
    known: FxHashMap<Rule, Rule>,
}

impl<'t> Centred<'t> {
    /// `None` if no rule compares numbers, or there are too many examples.
    pub(super) fn new(on: &'t Instance<'_>, budget: &Budget) -> Option<Self> {
        let (bias, examples) = (on.bias(), on.examples());
        if bias.cuts.is_empty() || examples.positives() + examples.negatives() > MOST_EXAMPLES {
            return None;
        }
        let bounds = [bounds_of(bias, Comparison::AtMost)?, bounds_of(bias, Comparison::AtLeast)?];
        let (database, budget) = (on.database(), budget.clone());
        Some(Centred { free: None, database, examples, bounds, budget, known: FxHashMap::default() })
    }

    /// The rule with its numbers moved.
    pub(super) fn rule(&mut self, rule: Rule) -> Rule {
        if !rule.body.iter().any(|literal| matches!(*literal.args, [Arg::Var(_), Arg::Number(_)])) {
            return rule;
        }
        if let Some(known) = self.known.get(&rule) {
            return known.clone();
        }
        let free = self.free.get_or_insert_with(|| FreeNumbers::new(self.database.engine()));
        let mut moved = rule.clone();
        for at in 0..rule.body.len() {
            let go_on = || self.budget.check().is_none();
            let Some(number) = free.of_literal(&moved, at, self.examples, go_on) else { continue };
            let FreeNumber { comparison, covered: Some(covered), uncovered: Some(uncovered), .. } = number else {
                continue;
            };
            let bounds = self.bounds[usize::from(comparison == Comparison::AtLeast)];
            moved.body[at].args[1] = Arg::Number(between(covered, Some(uncovered), comparison, bounds));
        }
        self.known.insert(rule, moved.clone());
        moved
    }
}

/// Where the number of a comparison lies, if that does not depend on the type of its variable.
fn bounds_of(bias: &Bias, comparison: Comparison) -> Option<Bounds> {
    let of_type = bias.cuts.types.iter().filter_map(|cut| match comparison {
        Comparison::AtLeast => cut.at_least,
        _ => cut.at_most,
    });
    let mut all = of_type.clone();
    let first = all.next().unwrap_or(Bounds::ALL);
    all.all(|bounds| bounds == first).then_some(first)
}
