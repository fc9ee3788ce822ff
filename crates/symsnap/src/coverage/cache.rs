//! What several hypotheses cover, with each different rule tested once.
//!
//! Members of a pool or of a model grow out of each other and share most of their rules, and those that weigh and
//! predict with them ask the same question again and again. A hypothesis covers the union of what its rules cover, each
//! run by itself, so rules are tested one by one and their covers put together; only a hypothesis whose rules call each
//! other is tested as a whole.
//!
//! A cache belongs to one set of examples, those of the evaluator that it is given.

use super::{Evaluator, Notes};
use crate::logic::{DistinctRules, Hypothesis, Rule};
use crate::sets::Cover;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a rule or a hypothesis covers, and what happened while that was found out.
#[derive(Debug, Clone)]
pub struct Tested {
    /// The examples that are covered.
    pub cover: Arc<Cover>,
    /// Errors and limits that kept examples from being covered.
    pub notes: Notes,
}

/// Covers of rules and hypotheses that were asked for before.
#[derive(Debug, Default)]
pub struct CoverCache {
    distinct: DistinctRules,
    /// By number of the rule.
    rules: Vec<Option<Tested>>,
    /// By the numbers of the hypothesis's rules, in their order.
    hypotheses: FxHashMap<Box<[usize]>, Tested>,
    notes: Notes,
}

impl CoverCache {
    /// What `rule` covers.
    pub fn rule(&mut self, evaluator: &mut Evaluator<'_>, rule: &Rule) -> &Tested {
        self.rule_unless(evaluator, rule, &|| false).expect("a test that nothing stops is finished")
    }

    /// What `hypothesis` covers. Errors and limits are counted for each of its rules.
    pub fn hypothesis(&mut self, evaluator: &mut Evaluator<'_>, hypothesis: &Hypothesis) -> &Tested {
        self.hypothesis_unless(evaluator, hypothesis, &|| false).expect("a test that nothing stops is finished")
    }

    /// What `rule` covers; `None`, and nothing is remembered, if `stopped` says after a test that the evaluator may have
    /// broken it off.
    pub fn rule_unless(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        rule: &Rule,
        stopped: &dyn Fn() -> bool,
    ) -> Option<&Tested> {
        let at = self.place(rule);
        if self.rules[at].is_none() {
            self.rules[at] = Some(self.test(evaluator, stopped, |evaluator| evaluator.rule(rule))?);
        }
        self.rules[at].as_ref()
    }

    /// What `hypothesis` covers; `None` as in [`CoverCache::rule_unless`].
    pub fn hypothesis_unless(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        hypothesis: &Hypothesis,
        stopped: &dyn Fn() -> bool,
    ) -> Option<&Tested> {
        let key = self.key(hypothesis);
        if !self.hypotheses.contains_key(&key) {
            let tested = if hypothesis.is_recursive() {
                self.test(evaluator, stopped, |evaluator| evaluator.hypothesis(hypothesis))?
            } else {
                for rule in &hypothesis.rules {
                    self.rule_unless(evaluator, rule, stopped)?;
                }
                let rules = key.iter().filter_map(|&at| self.rules[at].as_ref());
                union(Cover::empty(evaluator.examples().sides()), rules)
            };
            self.hypotheses.insert(key.clone(), tested);
        }
        self.hypotheses.get(&key)
    }

    /// What `hypothesis` covers, if that follows from what was asked for before or is known from elsewhere.
    pub fn known(&mut self, hypothesis: &Hypothesis) -> Option<&Tested> {
        let key = self.key(hypothesis);
        if !self.hypotheses.contains_key(&key) && !hypothesis.is_recursive() {
            let rules: Option<Vec<&Tested>> = key.iter().map(|&at| self.rules[at].as_ref()).collect();
            let tested = union(Cover::empty(rules.as_ref()?.first()?.cover.sides()), rules?.into_iter());
            self.hypotheses.insert(key.clone(), tested);
        }
        self.hypotheses.get(&key)
    }

    /// Remember what a rule covers that was tested elsewhere, on the same examples and without errors or limits.
    pub fn remember(&mut self, rule: &Rule, cover: &Arc<Cover>) {
        let at = self.place(rule);
        self.rules[at].get_or_insert_with(|| Tested { cover: Arc::clone(cover), notes: Notes::default() });
    }

    /// What happened in all tests so far: each rule counts once, however many hypotheses have it.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    fn test<'d>(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        stopped: &dyn Fn() -> bool,
        test: impl FnOnce(&mut Evaluator<'d>) -> Cover,
    ) -> Option<Tested> {
        evaluator.take_notes();
        let cover = Arc::new(test(evaluator));
        let notes = evaluator.take_notes();
        if stopped() {
            return None;
        }
        self.notes.add(&notes);
        Some(Tested { cover, notes })
    }

    fn key(&mut self, hypothesis: &Hypothesis) -> Box<[usize]> {
        hypothesis.rules.iter().map(|rule| self.place(rule)).collect()
    }

    fn place(&mut self, rule: &Rule) -> usize {
        let at = self.distinct.number(rule);
        if at == self.rules.len() {
            self.rules.push(None);
        }
        at
    }
}

/// What rules cover together, each run by itself, added to `cover`.
fn union<'t>(mut cover: Cover, rules: impl Iterator<Item = &'t Tested>) -> Tested {
    let mut notes = Notes::default();
    for tested in rules {
        cover.union_with(&tested.cover);
        notes.add(&tested.notes);
    }
    Tested { cover: Arc::new(cover), notes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Database;
    use crate::ensemble::read_hypothesis;
    use crate::task::Task;

    const BACKGROUND: &str = "p(a,1). p(b,5). p(c,6). gt3(X) :- X > 3.";
    const BIAS: &str = "head_pred(f,1). body_pred(p,2). body_pred(gt3,1).";

    fn task() -> Task {
        Task::from_texts(BACKGROUND, "pos(f(b)). pos(f(c)). neg(f(a)).", BIAS).unwrap()
    }

    #[test]
    fn a_rule_does_not_cover_what_it_covers_with_its_literals_in_another_order() {
        let mut task = task();
        let [good, bad] = ["f(A) :- p(A,B), gt3(B).", "f(A) :- gt3(B), p(A,B)."]
            .map(|text| read_hypothesis("<rules>", text, &mut task).unwrap());
        let database = Database::new(&task);
        for order in [[&good, &bad], [&bad, &good]] {
            let (mut cache, mut evaluator) = (CoverCache::default(), Evaluator::new(&database, &task.examples));
            for hypothesis in order {
                let covered = cache.hypothesis(&mut evaluator, hypothesis).cover.pos().count();
                assert_eq!(covered, if hypothesis == &good { 2 } else { 0 });
            }
        }
    }

    #[test]
    fn what_is_remembered_of_rules_says_what_hypotheses_of_them_cover() {
        let mut task = task();
        let both = "f(A) :- p(A,B), gt3(B).\nf(A) :- p(A,B), p(A,C).";
        let [good, all, both] = ["f(A) :- p(A,B), gt3(B).", "f(X) :- p(X,Y), p(X,Z).", both]
            .map(|text| read_hypothesis("<rules>", text, &mut task).unwrap());
        let sides = task.examples.sides();
        let mut cache = CoverCache::default();
        let mut some = Cover::empty(sides);
        some.insert(0);
        cache.remember(&good.rules[0], &Arc::new(some.clone()));
        assert!(cache.known(&both).is_none(), "one of its rules is not known");
        assert_eq!(*cache.known(&good).unwrap().cover, some);
        cache.remember(&all.rules[0], &Arc::new(Cover::full(sides)));
        cache.remember(&good.rules[0], &Arc::new(Cover::full(sides)));
        assert_eq!(*cache.known(&good).unwrap().cover, some, "what is known first stays");
        assert_eq!(*cache.known(&both).unwrap().cover, Cover::full(sides));
        assert!(cache.known(&Hypothesis { rules: Vec::new() }).is_none());
    }

    #[test]
    fn a_test_that_was_stopped_is_not_remembered() {
        let mut task = task();
        let hypothesis = read_hypothesis("<rules>", "f(A) :- p(A,B), gt3(B).", &mut task).unwrap();
        let database = Database::new(&task);
        let (mut cache, mut evaluator) = (CoverCache::default(), Evaluator::new(&database, &task.examples));
        assert!(cache.hypothesis_unless(&mut evaluator, &hypothesis, &|| true).is_none());
        assert!(cache.known(&hypothesis).is_none());
        assert_eq!(cache.hypothesis(&mut evaluator, &hypothesis).cover.pos().count(), 2);
        assert!(cache.known(&hypothesis).is_some());
    }
}
