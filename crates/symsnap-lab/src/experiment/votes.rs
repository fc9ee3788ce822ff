//! Which examples hypotheses cover, and what a weighted vote of them decides.
//!
//! Members of a pool grow out of each other and many methods ask the same members, so each different rule is tested
//! once, and each hypothesis put together once.

use std::collections::HashMap;
use symsnap::cost::Confusion;
use symsnap::coverage::{Cover, Evaluator};
use symsnap::database::Database;
use symsnap::ensemble::{Voter, vote};
use symsnap::logic::{Hypothesis, Rule};
use symsnap::task::Examples;

/// Votes on one set of examples.
pub struct Votes<'d> {
    evaluator: Evaluator<'d>,
    examples: &'d Examples,
    rules: HashMap<Rule, Cover>,
    known: HashMap<Hypothesis, Cover>,
}

impl<'d> Votes<'d> {
    /// Nothing tested yet.
    pub fn on(examples: &'d Examples, database: &'d Database) -> Self {
        let evaluator = Evaluator::new(database, examples);
        Votes { evaluator, examples, rules: HashMap::new(), known: HashMap::new() }
    }

    /// Test `hypothesis`, unless it is known.
    pub fn test(&mut self, hypothesis: &Hypothesis) {
        if self.known.contains_key(hypothesis) {
            return;
        }
        let cover = if hypothesis.is_recursive() {
            self.evaluator.hypothesis(hypothesis)
        } else {
            let mut whole = Cover::empty(self.examples);
            for rule in &hypothesis.rules {
                if !self.rules.contains_key(rule) {
                    self.rules.insert(rule.clone(), self.evaluator.rule(rule));
                }
                whole.union_with(&self.rules[rule]);
            }
            whole
        };
        self.known.insert(hypothesis.clone(), cover);
    }

    fn cover(&self, hypothesis: &Hypothesis) -> &Cover {
        &self.known[hypothesis]
    }

    /// What one hypothesis does with the examples.
    pub fn single(&mut self, hypothesis: &Hypothesis) -> Confusion {
        self.test(hypothesis);
        let cover = self.cover(hypothesis);
        Confusion::new(&cover.pos, &cover.neg, self.examples)
    }

    /// What the vote does with the examples.
    pub fn tally(&mut self, voters: &[Voter]) -> Confusion {
        voters.iter().for_each(|voter| self.test(&voter.hypothesis));
        let weights: Vec<f64> = voters.iter().map(|voter| voter.weight).collect();
        let covers: Vec<&Cover> = voters.iter().map(|voter| self.cover(&voter.hypothesis)).collect();
        let mut decided = Cover::empty(self.examples);
        for at in 0..self.examples.positives() {
            if vote(&weights, covers.iter().map(|cover| cover.pos.contains(at))).1 {
                decided.pos.insert(at);
            }
        }
        for at in 0..self.examples.negatives() {
            if vote(&weights, covers.iter().map(|cover| cover.neg.contains(at))).1 {
                decided.neg.insert(at);
            }
        }
        Confusion::new(&decided.pos, &decided.neg, self.examples)
    }

    /// Of the examples that either hypothesis covers, the share that both do; 1 where neither covers any.
    pub fn overlap(&mut self, one: &Hypothesis, other: &Hypothesis) -> f64 {
        self.test(one);
        self.test(other);
        let (one, other) = (self.cover(one), self.cover(other));
        let both = one.pos.count_and(&other.pos) + one.neg.count_and(&other.neg);
        let either = one.pos.count() + one.neg.count() + other.pos.count() + other.neg.count() - both;
        if either == 0 { 1.0 } else { both as f64 / either as f64 }
    }
}
