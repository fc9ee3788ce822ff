//! Coverage by resolution, for what joins cannot tell: recursion, and calls that raise errors or leave answers open.
//!
//! Each evaluator has an engine of its own, made when first needed, so threads do not wait for each other. The terms
//! it builds never leave it: examples and constants are the task's own, and the answer is yes, no or why not.

use crate::database::Database;
use crate::logic::{Literal, Pred, Rule, TermId};
use crate::prolog::{Engine, Fault, Limits};

/// Steps for an example where rules call themselves: some calls of a rule that goes on forever, and far more than one
/// that ends needs for the lists and numbers of examples.
const RECURSIVE_STEPS: u64 = 200_000;

/// An engine and the rules in question.
#[derive(Debug)]
pub(super) struct Resolver<'d> {
    database: &'d Database,
    engine: Option<Box<Engine>>,
    /// The predicate that the loaded rules are about.
    loaded: Option<Pred>,
}

impl<'d> Resolver<'d> {
    pub(super) fn new(database: &'d Database) -> Self {
        Resolver { database, engine: None, loaded: None }
    }

    /// Whether rules are loaded that were not unloaded since.
    pub(super) fn is_loaded(&self) -> bool {
        self.loaded.is_some()
    }

    /// Other rules will be asked about.
    pub(super) fn unload(&mut self) {
        self.loaded = None;
    }

    /// Ask about one rule that does not call itself. It gets a predicate of its own, so that facts of the head's
    /// predicate in the background do not count.
    pub(super) fn load_rule(&mut self, rule: &Rule) {
        let engine = self.engine();
        let pred = Pred::new(engine.terms_mut().intern("$covers"), rule.head.pred.arity);
        let head = Literal { pred, args: rule.head.args.clone() };
        engine.set_hypothesis(&[Rule { head, body: rule.body.clone() }]);
        engine.set_steps(Limits::default().steps);
        self.loaded = Some(pred);
    }

    /// Ask what follows from rules, which may call themselves and each other, for `pred`.
    pub(super) fn load(&mut self, rules: &[Rule], pred: Pred) {
        self.engine().set_hypothesis(rules);
        self.engine().set_steps(RECURSIVE_STEPS);
        self.loaded = Some(pred);
    }

    /// Whether the loaded rules cover an example.
    ///
    /// # Panics
    /// If nothing is loaded.
    pub(super) fn covers(&mut self, args: &[TermId]) -> Result<bool, Fault> {
        let pred = self.loaded.expect("rules are loaded before they are asked about");
        self.engine().prove(pred, args)
    }

    fn engine(&mut self) -> &mut Engine {
        self.engine.get_or_insert_with(|| Box::new(self.database.engine()))
    }
}
