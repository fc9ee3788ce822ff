//! All rules of the space, up to renaming, by size: slow and obvious, the twin that the learner is tested against.

use super::{Space, typing, unconnected};
use crate::logic::{Arg, Literal, Pred, Rule, Var, canonical_rule};
use std::collections::BTreeSet;

/// An iterator over the rules of a space; see [`Space::enumerate`].
#[derive(Debug)]
pub struct Enumerate<'s> {
    space: &'s Space,
    /// All bodies of the present length that could still grow into a rule, canonical.
    level: Vec<Rule>,
    /// The next of `level` to look at.
    next: usize,
    max_size: usize,
}

impl Space {
    /// All rules of the space of at most `max_size` (head and body literals), each once up to renaming of variables
    /// and order of literals, in canonical form, smaller ones first. Takes exponential time and memory.
    pub fn enumerate(&self, max_size: usize) -> Enumerate<'_> {
        let arity = self.bias.head.arity as usize;
        let vars: Vec<u8> = (0..arity).map(|var| u8::try_from(var).expect("max_vars is at least the arity")).collect();
        let start = Rule { head: Literal::over(self.bias.head, &vars), body: Vec::new() };
        Enumerate { space: self, level: vec![start], next: 0, max_size: max_size.min(self.bias.max_body + 1) }
    }
}

impl Enumerate<'_> {
    /// Every body of the level with every literal that keeps variables connected and types consistent.
    fn grow(&mut self) {
        let mut grown: BTreeSet<Rule> = BTreeSet::new();
        for rule in &self.level {
            let head: Vec<Var> = rule.head.vars().collect();
            let used = rule.var_count();
            for pred in self.space.callable() {
                for vars in tuples(pred, used, self.space.bias.max_vars) {
                    let literal = Literal::new(pred, vars.into_iter().map(Arg::Var).collect::<Vec<_>>());
                    if literal == rule.head || rule.body.contains(&literal) {
                        continue;
                    }
                    let mut more = rule.clone();
                    more.body.push(literal);
                    if unconnected(&more, &head).is_none() && typing::typings(&self.space.bias, &more).is_ok() {
                        grown.insert(canonical_rule(&more));
                    }
                }
            }
        }
        self.level = grown.into_iter().collect();
        self.next = 0;
    }
}

impl Iterator for Enumerate<'_> {
    type Item = Rule;

    fn next(&mut self) -> Option<Rule> {
        loop {
            while let Some(rule) = self.level.get(self.next) {
                self.next += 1;
                if self.space.contains(rule).is_ok() {
                    return Some(rule.clone());
                }
            }
            let size = self.level.first()?.size();
            if size >= self.max_size {
                self.level.clear();
                return None;
            }
            self.grow();
        }
    }
}

/// All argument tuples of different variables: `used` old ones and new ones in order, below `limit`.
fn tuples(pred: Pred, used: usize, limit: usize) -> Vec<Vec<Var>> {
    let mut all: Vec<(Vec<Var>, usize)> = vec![(Vec::new(), used)];
    for _ in 0..pred.arity {
        let mut longer = Vec::new();
        for (tuple, used) in all {
            for number in 0..=used.min(limit.saturating_sub(1)) {
                let var = Var(u8::try_from(number).expect("max_vars is below 256"));
                if !tuple.contains(&var) && number < limit {
                    let mut tuple = tuple.clone();
                    tuple.push(var);
                    longer.push((tuple, used.max(number + 1)));
                }
            }
        }
        all = longer;
    }
    all.into_iter().map(|(tuple, _)| tuple).collect()
}
