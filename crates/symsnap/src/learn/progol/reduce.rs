//! The search for the best rule among those made of a bottom clause's literals.
//!
//! Best first, as A*: of all rules that are open, the one is refined next that promises most, `p - (n + c + h)` with `p` and `n`
//! the positives and negatives covered, `c` the literals, and `h` those that are missing at least. A rule whose refinements
//! cannot compress more than the best one, cover they no negative at all, is not refined. That prunes soundly, because a literal
//! more covers no positive more; but the order is no proof, since after so many rules the search ends.

use super::super::assembly::Assembly;
use super::super::testbed::Testbed;
use super::aleph::Aleph;
use super::bottom::Bottom;
use crate::instance::Instance;
use crate::logic::{Hypothesis, Literal, Rule, canonical_rule};
use crate::sets::Cover;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// What a search is about.
pub(super) struct Reduction<'r> {
    pub(super) on: &'r Instance<'r>,
    pub(super) aleph: &'r Aleph,
    pub(super) bottom: &'r Bottom,
    /// The rules so far, and what they cover: that need not be covered again, nor does it hurt again.
    pub(super) theory: &'r Hypothesis,
    pub(super) known: &'r Cover,
}

/// A rule and what it covers.
pub(super) struct Found {
    pub(super) rule: Rule,
    pub(super) cover: Arc<Cover>,
    compression: i128,
}

/// A rule that may be refined, the most promising first, then the first met.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    promise: i128,
    met: Reverse<u64>,
    literals: Vec<usize>,
    /// What no refinement compresses more than.
    most: i128,
}

/// What has been met.
#[derive(Default)]
struct Seen {
    /// Literals of the bottom clause, ascending.
    sets: FxHashSet<Vec<usize>>,
    /// Rules that are not refined, canonical.
    rules: FxHashSet<Rule>,
}

impl Reduction<'_> {
    /// The rule that compresses most, if there is one that the settings and the bias allow and that covers more positives than
    /// negatives; `None` outside if a limit ends it. All such rules are `met`.
    pub(super) fn search(&self, testbed: &mut Testbed<'_>, met: &mut Assembly<'_>) -> Option<Option<Found>> {
        let (mut best, mut nodes, mut seen): (Option<Found>, u64, _) = (None, 0, Seen::default());
        let most = i128::MAX;
        let mut open = BinaryHeap::from([Open { promise: 0, met: Reverse(0), literals: Vec::new(), most }]);
        let longest = self.on.bias().max_body.min(self.aleph.clauselength.saturating_sub(1));
        while let Some(next) = open.pop() {
            let better = |most: i128, best: &Option<Found>| best.as_ref().is_none_or(|best| most > best.compression);
            if next.literals.len() >= longest || !better(next.most, &best) {
                continue;
            }
            testbed.goes_on()?;
            let last = next.literals.len() + 1 == longest;
            for (literals, rule) in self.refinements(&next.literals, last, &mut seen) {
                if nodes >= self.aleph.nodes {
                    return Some(best);
                }
                nodes += 1;
                let cover = testbed.cover(&rule)?;
                let mut rest = Cover::clone(&cover);
                rest.subtract(self.known);
                let confusion = self.on.examples().confusion(&rest);
                let [p, n, size] = [confusion.tp.into(), confusion.fp.into(), rule.size() as i128];
                if p == 0 {
                    continue;
                }
                let compression: i128 = p - n - size + 1;
                let is_good = p > n && self.accepts(confusion.tp, confusion.fp) && self.on.allows(&rule);
                if is_good {
                    met.add(rule.clone(), &cover);
                }
                if is_good && better(compression, &best) {
                    self.offer(&rule, testbed)?;
                    best = Some(Found { rule: rule.clone(), cover, compression });
                }
                let (most, missing) = (p - size, i128::from(lacks_head_variables(&rule, self.on.bias().non_datalog)));
                if better(most, &best) && !(is_good && n == 0) {
                    open.push(Open { promise: p - n - size - missing, met: Reverse(nodes), literals, most });
                }
            }
        }
        Some(best)
    }

    fn accepts(&self, positives: u64, negatives: u64) -> bool {
        let accuracy = positives as f64 / (positives + negatives) as f64;
        negatives <= self.aleph.noise && accuracy >= self.aleph.minacc
    }

    /// The rules with one literal more, which can be run and have not been met. Two sets of literals may be one rule but for
    /// the names of variables; they are refined by different literals, so both are met unless they are the `last`.
    fn refinements(&self, literals: &[usize], last: bool, seen: &mut Seen) -> Vec<(Vec<usize>, Rule)> {
        let mut all = Vec::new();
        for at in (0..self.bottom.len()).filter(|at| !literals.contains(at) && self.bottom.touches(*at, literals)) {
            let mut more = literals.to_vec();
            more.push(at);
            more.sort_unstable();
            if !seen.sets.insert(more.clone()) {
                continue;
            }
            let rule = self.bottom.rule(&more, self.on.bias().max_vars);
            if let Some(rule) = rule.and_then(|rule| self.on.space().order(&rule))
                && (!last || seen.rules.insert(canonical_rule(&rule)))
            {
                all.push((more, rule));
            }
        }
        all
    }

    /// Let the testbed hear of the theory with this rule: whoever stops the run has it.
    fn offer(&self, rule: &Rule, testbed: &mut Testbed<'_>) -> Option<()> {
        let mut theory = self.theory.clone();
        theory.rules.push(rule.clone());
        testbed.test(&theory).map(|_| ())
    }
}

/// Whether a literal is missing, because a variable of the head is not in the body and must be.
fn lacks_head_variables(rule: &Rule, may_lack: bool) -> bool {
    let in_body = |var| rule.body.iter().flat_map(Literal::vars).any(|other| other == var);
    !may_lack && !rule.head.vars().all(in_body)
}
