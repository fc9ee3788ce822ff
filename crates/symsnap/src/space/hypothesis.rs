//! Hypotheses: sets of rules, and where rules call each other, what that asks of the set.

use super::{Prepared, Space, Violation};
use crate::logic::{Hypothesis, Pred, canonical_hypothesis};

/// How many arrangements of clause numbers are tried.
const MOST_ARRANGEMENTS: usize = 10_000;

impl Space {
    /// Whether `hypothesis` is in the space.
    ///
    /// If no rule calls a predicate that the hypothesis defines, every rule must be in the space. Otherwise there are
    /// at most `max_clauses` rules, each predicate has a rule that does not call it, invented predicates are called
    /// from above, and the constraints see the rules together: those of the head first, then those of invented
    /// predicates in the order of their first rule, base rules before recursive ones, in any order among equals.
    /// Invented predicates are untyped and undirected.
    ///
    /// # Errors
    /// The first requirement that it fails.
    pub fn contains_hypothesis(&self, hypothesis: &Hypothesis) -> Result<(), Violation> {
        let bias = self.bias();
        if hypothesis.rules.is_empty() {
            return Err(Violation::NoRules);
        }
        let mut defined: Vec<Pred> = vec![bias.head];
        for rule in &hypothesis.rules {
            let pred = rule.head.pred;
            if !defined.contains(&pred) {
                if !bias.invention || bias.body.contains(&pred) {
                    return Err(Violation::WrongHead(pred));
                }
                defined.push(pred);
            }
        }
        let invented = &defined[1..];
        if !hypothesis.is_recursive() && invented.is_empty() {
            hypothesis.rules.iter().try_for_each(|rule| self.contains(rule))?;
            return no_repetition(hypothesis);
        }
        if hypothesis.rules.len() > bias.max_clauses {
            return Err(Violation::TooManyRules { found: hypothesis.rules.len(), limit: bias.max_clauses });
        }
        let prepared: Result<Vec<Prepared<'_>>, Violation> =
            hypothesis.rules.iter().map(|rule| self.prepare(rule, invented, 0)).collect();
        let prepared = prepared?;
        no_repetition(hypothesis)?;
        for &pred in &defined {
            if !hypothesis.rules.iter().any(|rule| rule.head.pred == pred && !rule.is_recursive()) {
                return Err(Violation::NoBaseRule(pred));
            }
        }
        check_invented(hypothesis, &defined)?;
        let rank = |prepared: &Prepared<'_>| {
            let pred = prepared.rule.head.pred;
            (defined.iter().position(|other| *other == pred), prepared.rule.is_recursive())
        };
        let mut order: Vec<&Prepared<'_>> = prepared.iter().collect();
        order.sort_by_key(|prepared| rank(prepared));
        let numbers: Vec<usize> = (0..order.len()).collect();
        let mut verdict = self.check(&order, &numbers, |_| true);
        let mut left = MOST_ARRANGEMENTS;
        let mut counters = vec![0usize; order.len()];
        // Heap's algorithm over all arrangements; those that mix groups are passed over.
        let mut at = 1;
        while verdict.is_err() && at < order.len() && left > 0 {
            if counters[at] < at {
                order.swap(if at.is_multiple_of(2) { 0 } else { counters[at] }, at);
                left -= 1;
                if order.is_sorted_by_key(|prepared| rank(prepared)) && self.check(&order, &numbers, |_| true).is_ok() {
                    verdict = Ok(());
                }
                counters[at] += 1;
                at = 1;
            } else {
                counters[at] = 0;
                at += 1;
            }
        }
        verdict
    }
}

fn no_repetition(hypothesis: &Hypothesis) -> Result<(), Violation> {
    let distinct = canonical_hypothesis(hypothesis).rules.len();
    if distinct < hypothesis.rules.len() { Err(Violation::RepeatedRule) } else { Ok(()) }
}

/// Invented predicates are called by rules of predicates above them, and never in circles.
fn check_invented(hypothesis: &Hypothesis, defined: &[Pred]) -> Result<(), Violation> {
    let calls = |from: Pred, to: Pred| {
        let rules = hypothesis.rules.iter().filter(|rule| rule.head.pred == from);
        rules.flat_map(|rule| &rule.body).any(|literal| literal.pred == to)
    };
    for &pred in &defined[1..] {
        if !defined.iter().any(|&other| other != pred && calls(other, pred)) {
            return Err(Violation::Uncalled(pred));
        }
    }
    // Remove predicates that call no other one left or that no other one left calls; what stays is circular.
    let mut left: Vec<Pred> = defined.to_vec();
    loop {
        let others = |pred| left.iter().copied().filter(move |&other| other != pred);
        let at_an_end = |&pred: &Pred| {
            !others(pred).any(|other| calls(pred, other)) || !others(pred).any(|other| calls(other, pred))
        };
        match left.iter().position(at_an_end) {
            Some(at) => drop(left.remove(at)),
            None => return left.first().map_or(Ok(()), |&pred| Err(Violation::Circular(pred))),
        }
    }
}
