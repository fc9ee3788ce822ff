//! The slow, obvious twin: every rule and example by plain resolution over the background program as it was written.
//!
//! No tables, no materialisation, no plans, no memory of earlier answers, so a fault in any of those shows as a
//! difference. `learn --verify` re-checks its results with it, and tests compare [`Evaluator`](super::Evaluator) with
//! it. Thousands of times slower; not for searching.

use super::resolve::Resolver;
use super::{Notes, example};
use crate::database::Database;
use crate::logic::{Hypothesis, Rule};
use crate::sets::Cover;
use crate::task::Examples;

/// Tests rules and hypotheses by resolution.
#[derive(Debug)]
pub struct SlowEvaluator<'d> {
    examples: &'d Examples,
    resolver: Resolver<'d>,
    notes: Notes,
}

impl<'d> SlowEvaluator<'d> {
    /// A slow evaluator. Of the database it uses only the program that it was made from.
    pub fn new(database: &'d Database, examples: &'d Examples) -> Self {
        SlowEvaluator { examples, resolver: Resolver::new(database), notes: Notes::default() }
    }

    /// What happened so far.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// What `rule` covers.
    pub fn rule(&mut self, rule: &Rule) -> Cover {
        if rule.head.pred != self.examples.pred() {
            return Cover::empty(self.examples.sides());
        }
        if rule.is_recursive() {
            self.resolver.load(std::slice::from_ref(rule), rule.head.pred);
        } else {
            self.resolver.load_rule(rule);
        }
        self.covered()
    }

    /// What `hypothesis` covers.
    pub fn hypothesis(&mut self, hypothesis: &Hypothesis) -> Cover {
        if hypothesis.is_recursive() {
            self.resolver.load(&hypothesis.rules, self.examples.pred());
            return self.covered();
        }
        let mut cover = Cover::empty(self.examples.sides());
        hypothesis.rules.iter().for_each(|rule| cover.union_with(&self.rule(rule)));
        cover
    }

    fn covered(&mut self) -> Cover {
        let mut cover = Cover::full(self.examples.sides());
        cover.retain(|at| {
            self.resolver.covers(example(self.examples, at)).unwrap_or_else(|fault| {
                self.notes.fault(&fault);
                false
            })
        });
        cover
    }
}
