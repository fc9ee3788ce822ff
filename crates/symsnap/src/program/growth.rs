//! Rules that call the program, grown literal by literal for the base rules of one size.
//!
//! Level by level: every rule is made from one with a literal less and met once ([`key`]). With each rule goes the set
//! of base classes for which it may still be part of a program that is better than the best, which is a subset of
//! those of all rules it was made from, because a rule with more literals covers less.

use super::bases::{Bases, ClassIx, EMPTY};
use super::bits::{has, set, words_for};
use super::caller::Caller;
use super::words::Words;
use crate::budget::Budget;
use crate::index::narrow;
use crate::language::{Lit, key};
use crate::space::Space;
use rustc_hash::FxHashMap;

/// Rules extended between two looks at the budget.
const PARENTS: usize = 64;

/// A rule, or the beginning of one, and the base classes it may go with.
#[derive(Debug, Clone)]
pub(super) struct PartialRule {
    pub(super) body: Box<[Lit]>,
    pub(super) vars: usize,
    pub(super) mask: Vec<u64>,
    /// How many classes there were when the mask was made.
    pub(super) classes: usize,
}

/// The rules of one level and those of the next.
#[derive(Debug)]
pub(super) struct Growth {
    /// Body literals of the rules at hand.
    pub(super) level: usize,
    /// Rules of this level that may be part of something better, or whose extensions may.
    frontier: Vec<PartialRule>,
    /// Rules of the next level that are not tested yet, from `next` on.
    pending: Vec<PartialRule>,
    next: usize,
    /// Where only tight rules are grown: how many literals they have.
    pub(super) length: Option<usize>,
}

impl Growth {
    /// Nothing but the head, for all classes of base rules.
    pub(super) fn new(words: &Words) -> Self {
        let mut mask = vec![0];
        set(&mut mask, EMPTY.index());
        let root = PartialRule { body: Box::new([]), vars: words.head_arity(), mask, classes: 1 };
        Growth { level: 0, frontier: vec![root], pending: Vec::new(), next: 0, length: None }
    }

    /// As [`Growth::new`], for nothing but **tight** rules of `length` literals: those that use every variable twice. Most
    /// rules that people would write are, and few others.
    pub(super) fn tight(words: &Words, length: usize) -> Self {
        Growth { length: Some(length), ..Growth::new(words) }
    }

    /// Begin again, with tight rules of one literal more, for these units or for all classes.
    pub(super) fn lengthen(&mut self, words: &Words, units: Option<usize>) {
        *self = Growth::tight(words, self.level + 1);
        if let Some(units) = units {
            self.frontier[0].admit(units);
        }
    }

    /// Begin again for these units.
    pub(super) fn restart(&mut self, words: &Words, units: usize) {
        *self = Growth { length: self.length, ..Growth::new(words) };
        self.frontier[0].admit(units);
    }

    /// Make the rules of the next level from those of this one, whose units are the classes of `bases`, if given.
    pub(super) fn sprout(&mut self, words: &Words, bases: Option<&Bases<'_>>, space: &Space, budget: &Budget) {
        let constrained = !space.bias().constraints.is_empty();
        let left = self.length.map(|length| length.saturating_sub(self.level + 1));
        let mut at_key: FxHashMap<u128, u32> = FxHashMap::default();
        let mut literals = Vec::new();
        self.pending.clear();
        self.next = 0;
        for (at, mut parent) in std::mem::take(&mut self.frontier).into_iter().enumerate() {
            if at.is_multiple_of(PARENTS) && budget.check().is_some() {
                break;
            }
            if let Some(bases) = bases {
                parent.extend(bases);
            }
            literals.clear();
            words.literals(&parent.body, parent.vars, &mut literals);
            for lit in &literals {
                let body: Box<[Lit]> = parent.body.iter().copied().chain([*lit]).collect();
                let vars = parent.vars.max(lit.args().iter().map(|&arg| arg as usize + 1).max().unwrap_or(0));
                if left.is_some_and(|left| !words.may_get_tight(&body, vars, left)) {
                    continue;
                }
                match at_key.entry(key(&body, words.head_arity(), vars)) {
                    std::collections::hash_map::Entry::Occupied(known) => {
                        let known = *known.get();
                        if known != u32::MAX {
                            let mask = &mut self.pending[known as usize].mask;
                            mask.iter_mut().zip(&parent.mask).for_each(|(all, one)| *all &= one);
                        }
                    }
                    std::collections::hash_map::Entry::Vacant(free) => {
                        if constrained && space.violates_monotone(&words.rule(&body)) {
                            free.insert(u32::MAX);
                        } else {
                            free.insert(narrow(self.pending.len()));
                            let (mask, classes) = (parent.mask.clone(), parent.classes);
                            self.pending.push(PartialRule { body, vars, mask, classes });
                        }
                    }
                }
            }
        }
        self.level += 1;
    }

    /// The next rule of the level that is to be tested.
    pub(super) fn next(&mut self) -> Option<PartialRule> {
        let node = self.pending.get(self.next)?.clone();
        self.next += 1;
        Some(node)
    }

    /// The rule that was handed out last is to be handed out again.
    pub(super) fn put_back(&mut self) {
        self.next -= 1;
    }

    /// Keep a rule for being extended.
    pub(super) fn keep(&mut self, node: PartialRule) {
        self.frontier.push(node);
    }

    /// Keep all rules of the level untested, and return them.
    pub(super) fn keep_all(&mut self) -> &[PartialRule] {
        self.frontier = std::mem::take(&mut self.pending);
        self.next = 0;
        &self.frontier
    }

    /// Whether all rules of the level have been tested.
    pub(super) fn level_done(&self) -> bool {
        self.next == self.pending.len()
    }
}

impl PartialRule {
    /// The same rule with other units, of as many classes.
    pub(super) fn with(&self, mask: Vec<u64>) -> Self {
        PartialRule { body: self.body.clone(), mask, ..*self }
    }

    /// The rule, ready to be run.
    pub(super) fn caller(&self) -> Caller {
        Caller::new(&self.body, self.vars)
    }

    /// Let it go with the first `units` units.
    pub(super) fn admit(&mut self, units: usize) {
        self.mask = vec![0; words_for(units)];
        (0..units).for_each(|unit| set(&mut self.mask, unit));
    }

    /// Take note of new classes: each is where the class was that it fell off from.
    pub(super) fn extend(&mut self, bases: &Bases<'_>) {
        extend(&mut self.mask, self.classes, bases);
        self.classes = bases.class_count();
    }
}

fn extend(mask: &mut Vec<u64>, from: usize, bases: &Bases<'_>) {
    mask.resize(words_for(bases.class_count()), 0);
    for class in from..bases.class_count() {
        let parent = bases.parent(ClassIx::new(class)).expect("only the first class has no parent");
        if has(mask, parent.index()) {
            set(mask, class);
        }
    }
}
