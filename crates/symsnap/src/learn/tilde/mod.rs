//! TILDE: decision trees whose tests are queries (Blockeel and De Raedt 1998, *Top-down induction of first-order logical decision
//! trees*, Artificial Intelligence 101, 285-297), turned into rules.
//!
//! A node asks whether a query has an answer for an example. On the left, where it has, queries go on from it and may speak of
//! its variables; on the right, where it has not, they go on from the query above ([`tree`]). Every query of a tree that more
//! positives than negatives answer is a rule, be it a leaf's or one further up, where a pruned tree would have its leaf. Which of
//! them are the hypothesis is for the cost to say: the best set by the local search of [`covering`](crate::covering).
//!
//! What a rule cannot say is the way to a right branch: that a query has *no* answer. The rule of a leaf is what its path asks
//! and finds, and what it asks and does not find is left out; so it covers at least the examples of the leaf, perhaps more, and
//! counts with what it covers. A leaf with no left turn on its path has no rule. Positives that are lost that way are what the
//! next tree is about: it is grown from the positives that the best set does not cover, and all negatives. Trees follow each
//! other as long as the cost falls. For the same reason tests whose answers speak for negatives are not asked.
//!
//! A forest goes on with trees over random samples of the examples whose nodes look at random parts of their tests (Van Assche,
//! Vens, Blockeel and Džeroski 2006, *First order random forests: learning relational classifiers with complex aggregates*, Machine
//! Learning 64, 149-182). There trees vote; here their rules are more to choose from, and what votes is for an ensemble to say.

mod tree;

use super::assembly::Assembly;
use super::candidate::Observer;
use super::learner::Learner;
use super::outcome::Outcome;
use super::settings::Settings;
use super::testbed::Testbed;
use crate::budget::Budget;
use crate::error::Result;
use crate::instance::Instance;
use crate::logic::{Hypothesis, Literal, Rule, Var};
use crate::random::Random;
use crate::sets::Cover;
use std::sync::Arc;
use tree::Tree;

/// Rules that the local search weighs for a set, after so many new ones and after each tree.
const EFFORT: u64 = 50_000;
const BATCH: usize = 16;

/// An example is in the sample of a tree in so many of 1000 cases, as often as in a bootstrap sample.
const IN_SAMPLE: usize = 632;

/// The learner.
pub(super) struct Tilde {
    pub(super) settings: Settings,
    /// Trees over samples that follow those over all examples: none, or those of a forest.
    pub(super) sampled: usize,
}

impl Tilde {
    /// Trees over samples in a forest.
    pub(super) const FOREST: usize = 50;
}

impl Learner for Tilde {
    fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
        let name = if self.sampled > 0 { "forest" } else { "tilde" };
        let testbed = Testbed::new(name, on, &self.settings, budget, observer);
        let assembly = Assembly::new(on, &self.settings)?;
        let covered = Cover::empty(on.examples().sides());
        let mut run = TildeRun { on, settings: &self.settings, budget, testbed, assembly, chosen_from: 0, covered };
        // Why it ended is for the testbed to say.
        let _ = run.trees().and_then(|()| run.forest(self.sampled));
        let kept = run.assembly.kept(self.settings.keep);
        run.testbed.hand_over(&kept);
        Ok(run.testbed.outcome())
    }
}

struct TildeRun<'r> {
    on: &'r Instance<'r>,
    settings: &'r Settings,
    budget: &'r Budget,
    testbed: Testbed<'r>,
    /// The rules of all trees.
    assembly: Assembly<'r>,
    /// How many there were when a set was last chosen.
    chosen_from: usize,
    /// What the best set covers.
    covered: Cover,
}

impl TildeRun<'_> {
    /// Tree after tree, as long as the cost falls; `None` if a limit ends it.
    fn trees(&mut self) -> Option<()> {
        loop {
            let before = self.testbed.value().clone();
            // Positives that are covered are done with; negatives never are.
            let mut examples = Cover::full(self.on.examples().sides());
            examples.subtract(&self.covered.clone().positives_only());
            self.grow(Tree::new(self.on, examples))?;
            if *self.testbed.value() >= before {
                return Some(());
            }
        }
    }

    /// So many trees over samples.
    fn forest(&mut self, trees: usize) -> Option<()> {
        let mut random = Random::new(self.settings.seed);
        for _ in 0..trees {
            let mut sample = Cover::full(self.on.examples().sides());
            sample.retain(|_| random.below(1000) < IN_SAMPLE);
            self.grow(Tree::random(self.on, sample, random.next_u64()))?;
        }
        Some(())
    }

    /// Take the rules of a tree and choose among all.
    fn grow(&mut self, mut tree: Tree<'_>) -> Option<()> {
        while let Some((rule, cover)) = tree.next_rule(&mut self.testbed)? {
            self.take(rule, cover)?;
        }
        self.choose()
    }

    /// The query as a rule of the space: where variables of the head are not spoken of and must be, literals are added that speak
    /// of them and lose least.
    fn completed(&mut self, mut rule: Rule, mut cover: Arc<Cover>) -> Option<Option<(Rule, Arc<Cover>)>> {
        while !self.on.allows(&rule) {
            let in_body = |var| rule.body.iter().flat_map(Literal::vars).any(|other| other == var);
            let missing: Vec<Var> = rule.head.vars().filter(|&var| !in_body(var)).collect();
            if missing.is_empty() || rule.body.len() >= self.on.bias().max_body {
                return Some(None);
            }
            let mut best: Option<(i128, Rule, Arc<Cover>)> = None;
            for longer in self.on.space().refinements(&rule) {
                let speaks = longer.body.last().is_some_and(|last| last.vars().any(|var| missing.contains(&var)));
                let Some(longer) = Some(longer).filter(|it| speaks && !it.is_recursive()) else { continue };
                let Some(longer) = self.on.space().order(&longer) else { continue };
                let cover = self.testbed.cover(&longer)?;
                let confusion = self.on.examples().confusion(&cover);
                let surplus = i128::from(confusion.tp) - i128::from(confusion.fp);
                if best.as_ref().is_none_or(|best| surplus > best.0) {
                    best = Some((surplus, longer, cover));
                }
            }
            let Some((_, longer, covered)) = best else { return Some(None) };
            (rule, cover) = (longer, covered);
        }
        Some(Some((rule, cover)))
    }

    /// One more rule; now and then a set is chosen, so that whoever stops the run has it.
    fn take(&mut self, query: Rule, cover: Arc<Cover>) -> Option<()> {
        let Some((rule, cover)) = self.completed(query, cover)? else { return Some(()) };
        let confusion = self.on.examples().confusion(&cover);
        if self.settings.cost.value(&confusion, rule.size()) < *self.testbed.value() {
            self.testbed.test(&Hypothesis { rules: vec![rule.clone()] })?;
        }
        self.assembly.add(rule, &cover);
        if self.assembly.len() >= self.chosen_from + BATCH { self.choose() } else { Some(()) }
    }

    /// Choose the best set of the rules so far.
    fn choose(&mut self) -> Option<()> {
        self.chosen_from = self.assembly.len();
        for hypothesis in self.assembly.improve(EFFORT, self.budget) {
            self.testbed.test(&hypothesis)?;
            self.covered.clear();
            for rule in &hypothesis.rules {
                let cover = self.testbed.cover(rule)?;
                self.covered.union_with(&cover);
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

    fn learn(bk: &str, exs: &str, bias: &str) -> Vec<String> {
        learn_with(bk, exs, bias, 0)
    }

    fn learn_with(bk: &str, exs: &str, bias: &str, sampled: usize) -> Vec<String> {
        let task = Task::from_texts(bk, exs, bias).unwrap();
        let settings = Settings { cost: Cost::ErrorSize, ..Settings::default() };
        let outcome = Tilde { settings, sampled }.learn_task(&task, &Budget::unlimited(), &mut Vec::new()).unwrap();
        assert!(!outcome.optimal);
        let rules = outcome.best.map_or_else(Vec::new, |best| best.hypothesis.rules);
        rules.iter().map(|rule| rule.show(&task.terms)).collect()
    }

    /// The machines of Blockeel and De Raedt: one is fixed on the spot if it has worn parts and all of these can be replaced.
    /// Here: if it has a worn part that can be replaced.
    #[test]
    fn a_test_that_gains_nothing_by_itself_is_looked_beyond() {
        let bk = "worn(a,gear). worn(b,engine). worn(c,gear). worn(d,engine). worn(e,chain). worn(f,control). worn(a,control).
            replaceable(gear). replaceable(chain).";
        let exs = "pos(fix(a)). pos(fix(c)). pos(fix(e)). neg(fix(b)). neg(fix(d)). neg(fix(f)).";
        let bias = "head_pred(fix,1). body_pred(worn,2). body_pred(replaceable,1). max_vars(3). max_body(3).";
        assert_eq!(learn(bk, exs, bias), ["fix(V0) :- worn(V0,V1), replaceable(V1)."]);
    }

    #[test]
    fn leaves_of_several_branches_are_rules_together() {
        let bk = "p(a). p(b). p(c). q(d). q(e). r(a). r(d). r(x). r(y).";
        let exs = "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). pos(f(e)). neg(f(x)). neg(f(y)). neg(f(z)).";
        let bias = "head_pred(f,1). body_pred(p,1). body_pred(q,1). body_pred(r,1).";
        assert_eq!(learn(bk, exs, bias), ["f(V0) :- p(V0).", "f(V0) :- q(V0)."]);
    }

    /// Neither half of an exclusive or tells anything by itself, so no tree over all examples has a test to begin with; over a
    /// sample, the halves are not balanced.
    #[test]
    fn a_forest_begins_where_a_tree_over_all_examples_has_no_gain() {
        let (mut bk, mut exs) = (String::new(), String::new());
        for at in 0..40 {
            let (left, right) = (at % 2 == 0, at % 4 < 2);
            bk += &format!("{}(e{at}). ", if left { "p" } else { "q" });
            bk += &format!("{}(e{at}). ", if right { "r" } else { "s" });
            exs += &format!("{}(f(e{at})). ", if left == right { "pos" } else { "neg" });
        }
        let bias = "head_pred(f,1). body_pred(p,1). body_pred(q,1). body_pred(r,1). body_pred(s,1). max_vars(1).";
        assert_eq!(learn(&bk, &exs, bias), Vec::<String>::new());
        let mut found = learn_with(&bk, &exs, bias, Tilde::FOREST);
        found.sort();
        assert_eq!(found, ["f(V0) :- p(V0), r(V0).", "f(V0) :- q(V0), s(V0)."]);
    }

    #[test]
    fn without_negatives_rules_cover_what_they_can() {
        let bias = "head_pred(f,1). body_pred(p,1). body_pred(q,1).";
        let rules = learn("p(a). p(b). p(c). q(d). q(a).", "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)).", bias);
        assert_eq!(rules, ["f(V0) :- p(V0).", "f(V0) :- q(V0)."]);
    }

    #[test]
    fn what_only_the_absence_of_an_answer_tells_has_no_rule() {
        let bk = "bad(x). bad(y). any(a). any(b). any(x). any(y).";
        let exs = "pos(f(a)). pos(f(b)). neg(f(x)). neg(f(y)).";
        assert_eq!(learn(bk, exs, "head_pred(f,1). body_pred(bad,1)."), Vec::<String>::new());
    }
}
