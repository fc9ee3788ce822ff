//! One tree, grown node by node; its queries are handed out as it grows.
//!
//! A test of a node is its query with one literal more, or with two where the first brings a variable: the lookahead. Such a
//! literal, `worn(M,P)`, often holds of all examples and tells none apart until something is said of what it brings. The test
//! with the largest information gain is taken, and a node without one is a leaf. A right child has the query of its parent and
//! so the same tests: they are run once.
//!
//! Tests whose answers speak for negatives are not asked. What follows where they have none is what no rule can say, and a tree
//! that asks them tells the classes apart to no use: on WordNet, where adjectives are those without hypernyms, nothing was learned.
//! *Rejected*: the gain ratio of C4.5, which is for tests with many answers; these have two, and it took tests for the best that two
//! examples pass.

use super::super::testbed::Testbed;
use crate::cost::Confusion;
use crate::instance::Instance;
use crate::logic::{Literal, Rule, canonical_rule};
use crate::random::Random;
use crate::sets::Cover;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Literals that are looked beyond at a node, those that most positives answer first: all would square the tests.
const LOOKED_BEYOND: usize = 16;

/// The weight of examples that either branch of a test must have: one example is no reason.
const LEAST_IN_BRANCH: u64 = 2;

/// Gains below this are rounding.
const LEAST_GAIN: f64 = 1e-9;

/// A query that is asked, and the examples that answer it.
struct Query {
    rule: Rule,
    cover: Arc<Cover>,
}

/// A node that has not been grown.
struct Node {
    query: Rule,
    /// The examples that reach it.
    examples: Cover,
    /// The tests of the parent, for a right child.
    tests: Option<Arc<[Query]>>,
}

/// A tree as it grows, from the left.
pub(super) struct Tree<'r> {
    on: &'r Instance<'r>,
    /// The next node last.
    open: Vec<Node>,
    /// For a tree of a forest, chance says at each node which tests are looked at.
    chance: Option<Random>,
}

/// In a forest a node looks at one test of so many.
const OF_TESTS: usize = 4;

impl<'r> Tree<'r> {
    /// A tree over these examples that has not been grown.
    pub(super) fn new(on: &'r Instance<'_>, examples: Cover) -> Self {
        Tree { on, open: vec![Node { query: on.space().bare(), examples, tests: None }], chance: None }
    }

    /// The same for a forest: each node looks at a random part of its tests.
    pub(super) fn random(on: &'r Instance<'_>, examples: Cover, seed: u64) -> Self {
        Tree { chance: Some(Random::new(seed)), ..Tree::new(on, examples) }
    }

    /// Grow on to the next query that more positives than negatives of its node answer, with all examples that answer it;
    /// `None` inside at the end of the tree, and outside if a limit is reached.
    pub(super) fn next_rule(&mut self, testbed: &mut Testbed<'_>) -> Option<Option<(Rule, Arc<Cover>)>> {
        while let Some(node) = self.open.pop() {
            let confusion = self.on.examples().confusion(&node.examples);
            // A query that no negative answers is a leaf. The root has no query yet: where there are no negatives at all, it takes
            // the test that most positives answer.
            if confusion.tp == 0 || confusion.fp == 0 && !node.query.body.is_empty() {
                continue;
            }
            let tests = match node.tests {
                Some(tests) => tests,
                None => self.tests(&node.query, &node.examples, testbed)?,
            };
            let looked_at: Vec<&Query> = tests.iter().filter(|_| self.looks_at_next()).collect();
            let rate = |test: &Query| match confusion.fp {
                0 => Some(self.answers(&node.examples, &test.cover))
                    .filter(|&positives| positives > 0)
                    .map(|it| it as f64),
                _ => self.gain(&node.examples, &test.cover),
            };
            let rated = looked_at.into_iter().filter_map(|test| Some((rate(test)?, test)));
            // Of equals the first: tests come in a fixed order, those with one literal before those with two.
            let best = rated.reduce(|best, next| if next.0 > best.0 + LEAST_GAIN { next } else { best });
            let Some((_, best)) = best else { continue };
            let (yes, no) = parted(&node.examples, &best.cover);
            let answered = self.on.examples().confusion(&yes);
            let (rule, cover) = (best.rule.clone(), Arc::clone(&best.cover));
            self.open.push(Node { query: node.query, examples: no, tests: Some(Arc::clone(&tests)) });
            self.open.push(Node { query: rule.clone(), examples: yes, tests: None });
            if answered.tp > answered.fp {
                return Some(Some((rule, cover)));
            }
        }
        Some(None)
    }

    fn looks_at_next(&mut self) -> bool {
        self.chance.as_mut().is_none_or(|random| random.below(OF_TESTS) == 0)
    }

    /// The queries that a node can ask.
    fn tests(&self, query: &Rule, examples: &Cover, testbed: &mut Testbed<'_>) -> Option<Arc<[Query]>> {
        let mut seen = FxHashSet::default();
        let mut tests = self.longer(query, &mut seen, |_| true, testbed)?;
        let mut beyond: Vec<(u64, usize)> = (0..tests.len())
            .filter(|&at| tests[at].rule.var_count() > query.var_count())
            .map(|at| (self.answers(examples, &tests[at].cover), at))
            .filter(|(positives, _)| *positives > 0)
            .collect();
        beyond.sort_by_key(|&(positives, at)| (std::cmp::Reverse(positives), at));
        for (_, at) in beyond.into_iter().take(LOOKED_BEYOND) {
            let (first, known) = (tests[at].rule.clone(), query.var_count());
            let of_new = |literal: &Literal| literal.vars().any(|var| var.index() >= known);
            tests.extend(self.longer(&first, &mut seen, of_new, testbed)?);
        }
        Some(tests.into())
    }

    /// The query with each literal that is `wanted`, unless it has been seen or cannot be run.
    fn longer(
        &self,
        query: &Rule,
        seen: &mut FxHashSet<Rule>,
        wanted: impl Fn(&Literal) -> bool,
        testbed: &mut Testbed<'_>,
    ) -> Option<Vec<Query>> {
        let mut all = Vec::new();
        if query.body.len() >= self.on.bias().max_body {
            return Some(all);
        }
        // Of many refinements none may be wanted, so there may be no test for long.
        testbed.goes_on()?;
        for rule in self.on.space().refinements(query) {
            let is_wanted = !rule.is_recursive() && rule.body.last().is_some_and(&wanted);
            if !is_wanted || !seen.insert(canonical_rule(&rule)) {
                continue;
            }
            let Some(rule) = self.on.space().order(&rule) else { continue };
            let cover = testbed.cover(&rule)?;
            if !cover.is_empty() {
                all.push(Query { rule, cover });
            }
        }
        Some(all)
    }

    /// The weight of the positives among some examples that answer a test.
    fn answers(&self, examples: &Cover, test: &Cover) -> u64 {
        self.on.examples().confusion(&parted(examples, test).0).tp
    }

    /// The information that a test gives about some examples; `None` if it is none, if it leaves too few on one side, or if an
    /// answer speaks for negatives.
    fn gain(&self, examples: &Cover, test: &Cover) -> Option<f64> {
        let (yes, no) = parted(examples, test);
        let [yes, no] = [yes, no].map(|side| self.on.examples().confusion(&side));
        let weight = |side: &Confusion| side.tp + side.fp;
        let speaks_for_negatives = u128::from(yes.tp) * u128::from(no.fp) <= u128::from(no.tp) * u128::from(yes.fp);
        if weight(&yes).min(weight(&no)) < LEAST_IN_BRANCH || speaks_for_negatives {
            return None;
        }
        let all = (weight(&yes) + weight(&no)) as f64;
        let before = entropy(yes.tp + no.tp, yes.fp + no.fp);
        let after = [yes, no].iter().map(|side| weight(side) as f64 / all * entropy(side.tp, side.fp)).sum::<f64>();
        Some(before - after).filter(|gain| *gain > LEAST_GAIN)
    }
}

/// The examples that are in the cover, and those that are not.
fn parted(examples: &Cover, cover: &Cover) -> (Cover, Cover) {
    let mut no = examples.clone();
    no.subtract(cover);
    let mut yes = examples.clone();
    yes.subtract(&no);
    (yes, no)
}

/// Bits that tell two kinds apart, of which there are so many.
fn entropy(one: u64, other: u64) -> f64 {
    let all = (one + other) as f64;
    let part = |count: u64| if count == 0 { 0.0 } else { -(count as f64 / all) * (count as f64 / all).log2() };
    part(one) + part(other)
}
