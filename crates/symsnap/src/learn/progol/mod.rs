//! Progol: a rule is looked for among the generalisations of one example's bottom clause (Muggleton 1995, *Inverse entailment and
//! Progol*, New Generation Computing 13, 245-286), with the settings of Aleph (Srinivasan 2001, *The Aleph manual*).
//!
//! A positive that no rule covers yet is the seed. All that the background says of it is its bottom clause ([`bottom`]), and the
//! rules made of its literals are searched best first ([`reduce`]), the evaluation being compression: positives covered, less
//! negatives covered and literals. The rule that compresses most joins the theory if that costs less with it, what it covers is
//! done with, and the next seed is taken. A seed without such a rule is passed over.
//!
//! A rule that covers many positives and fewer negatives compresses much and stands in the way of precise ones. So a second
//! theory follows, of rules that cover no negative, as Aleph's are where nobody says that examples are noisy; of both the
//! cheaper counts.

mod aleph;
mod bottom;
mod reduce;

use super::assembly::Assembly;
use super::candidate::Observer;
use super::learner::Learner;
use super::outcome::Outcome;
use super::settings::Settings;
use super::testbed::Testbed;
use crate::budget::Budget;
use crate::error::Result;
use crate::instance::Instance;
use crate::logic::Hypothesis;
use crate::sets::Cover;
pub(super) use aleph::Aleph;
use bottom::Bottom;
use reduce::Reduction;

/// The learner.
pub(super) struct Progol {
    pub(super) settings: Settings,
    pub(super) aleph: Aleph,
}

impl Learner for Progol {
    fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
        let mut testbed = Testbed::new("progol", on, &self.settings, budget, observer);
        let mut met = Assembly::new(on, &self.settings)?;
        // Why it ended is for the testbed to say.
        let _ = self.theories(on, budget, &mut testbed, &mut met);
        testbed.hand_over(&met.kept(self.settings.keep));
        Ok(testbed.outcome())
    }
}

impl Progol {
    /// The theory under the settings, then the one whose rules cover no negative; `None` if a limit ends it.
    fn theories(
        &self,
        on: &Instance<'_>,
        budget: &Budget,
        testbed: &mut Testbed<'_>,
        met: &mut Assembly<'_>,
    ) -> Option<()> {
        self.theory(&self.aleph, on, budget, testbed, met)?;
        let strict = Aleph { noise: 0, ..self.aleph };
        if self.aleph.noise > 0 { self.theory(&strict, on, budget, testbed, met) } else { Some(()) }
    }

    /// A rule for each seed, until all positives are covered or passed over, and all that would have done.
    fn theory(
        &self,
        aleph: &Aleph,
        on: &Instance<'_>,
        budget: &Budget,
        testbed: &mut Testbed<'_>,
        met: &mut Assembly<'_>,
    ) -> Option<()> {
        let mut theory = Hypothesis::default();
        let mut known = Cover::empty(on.examples().sides());
        let mut value = self.settings.cost.value(&on.examples().confusion(&known), 0);
        for seed in 0..on.examples().positives() {
            if known.contains(seed) {
                continue;
            }
            let bottom = Bottom::new(on, seed, aleph.i, budget);
            let reduction = Reduction { on, aleph, bottom: &bottom, theory: &theory, known: &known };
            let Some(found) = reduction.search(testbed, met)? else { continue };
            let mut more = theory.clone();
            more.rules.push(found.rule);
            let with = testbed.test(&more)?;
            if with < value {
                (theory, value) = (more, with);
                known.union_with(&found.cover);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::task::Task;

    fn learn(task: &Task, aleph: Aleph) -> Vec<String> {
        let settings = Settings { cost: Cost::ErrorSize, ..Settings::default() };
        let outcome = Progol { settings, aleph }.learn_task(task, &Budget::unlimited(), &mut Vec::new()).unwrap();
        assert!(!outcome.optimal);
        let rules = outcome.best.map_or_else(Vec::new, |best| best.hypothesis.rules);
        rules.iter().map(|rule| rule.show(&task.terms)).collect()
    }

    /// Michalski's trains, three of them: what matters is two layers away.
    fn trains() -> Task {
        let bk = "has(t1,c1). has(t1,c2). has(t2,c3). has(t3,c4). has(t4,c5). has(t5,c6). long(c1). long(c4). long(c6).
            load(c2,l2). load(c3,l3). load(c4,l4). load(c5,l5). round(l2). round(l3). square(l4). square(l5).";
        let exs = "pos(f(t1)). pos(f(t2)). neg(f(t3)). neg(f(t4)). neg(f(t5)).";
        let bias = "head_pred(f,1). body_pred(has,2). body_pred(long,1). body_pred(load,2). body_pred(round,1).
            body_pred(square,1). max_vars(4). max_body(4).";
        Task::from_texts(bk, exs, bias).unwrap()
    }

    #[test]
    fn a_rule_is_found_as_deep_as_the_layers_reach() {
        let rule = ["f(V0) :- has(V0,V1), load(V1,V2), round(V2)."];
        assert_eq!(learn(&trains(), Aleph::DEFAULT), rule);
        assert_ne!(learn(&trains(), Aleph { i: 1, ..Aleph::DEFAULT }), rule);
        assert_ne!(learn(&trains(), Aleph { clauselength: 3, ..Aleph::DEFAULT }), rule);
    }

    #[test]
    fn positives_that_a_rule_covers_are_done_with() {
        let bk = "p(a). p(b). p(c). q(d). q(e). r(a). r(d). r(x).";
        let exs = "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). pos(f(e)). neg(f(x)). neg(f(y)).";
        let bias = "head_pred(f,1). body_pred(p,1). body_pred(q,1). body_pred(r,1).";
        let task = Task::from_texts(bk, exs, bias).unwrap();
        assert_eq!(learn(&task, Aleph::DEFAULT), ["f(V0) :- p(V0).", "f(V0) :- q(V0)."]);
    }

    #[test]
    fn where_constants_are_allowed_the_terms_of_the_seed_are_tried() {
        let bk = "color(a,red). color(b,red). color(c,red). color(x,blue). color(y,green).";
        let exs = "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(x)). neg(f(y)).";
        let bias = "head_pred(f,1). body_pred(color,2). type(f,(thing,)). type(color,(thing,col)). constants(col).";
        let task = Task::from_texts(bk, exs, bias).unwrap();
        assert_eq!(learn(&task, Aleph::DEFAULT), ["f(V0) :- color(V0,red)."]);
    }

    #[test]
    fn noise_and_accuracy_say_what_a_rule_may_cover() {
        let bk = "p(a). p(b). p(c). p(d). p(x). q(a). q(b).";
        let exs = "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). neg(f(x)).";
        let task = Task::from_texts(bk, exs, "head_pred(f,1). body_pred(p,1). body_pred(q,1).").unwrap();
        let (all, some) = (["f(V0) :- p(V0)."], ["f(V0) :- q(V0)."]);
        assert_eq!(learn(&task, Aleph::DEFAULT), all);
        assert_eq!(learn(&task, Aleph { noise: 0, ..Aleph::DEFAULT }), some);
        assert_eq!(learn(&task, Aleph { minacc: 0.8, ..Aleph::DEFAULT }), all);
        assert_eq!(learn(&task, Aleph { minacc: 0.9, ..Aleph::DEFAULT }), some);
    }
}
