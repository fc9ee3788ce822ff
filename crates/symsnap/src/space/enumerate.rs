//! All rules of the space, up to renaming, by size: slow and obvious, the twin that the learner is tested against.

use super::Space;
use crate::logic::{Rule, canonical_rule};
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
        let start = self.bare();
        Enumerate { space: self, level: vec![start], next: 0, max_size: max_size.min(self.bias.max_body + 1) }
    }
}

impl Enumerate<'_> {
    /// Every body of the level with every literal that keeps variables connected and types consistent.
    fn grow(&mut self) {
        let grown = self.level.iter().flat_map(|rule| self.space.refinements(rule));
        let grown: BTreeSet<Rule> = grown.map(|rule| canonical_rule(&rule)).collect();
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
