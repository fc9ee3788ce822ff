//! The rules that further hypotheses can be made of: those of the pool's members and those that the learner handed
//! over, each with what it covers of the training examples.
//!
//! Rules with equal covers and sizes form a class: the training examples cannot tell them apart, new ones may. Members
//! that call themselves or invented predicates are left out; their rules mean nothing alone, and if the best member is
//! such a one there is no rule base at all.
//!
//! Where time is short, rules are tested as far as it reaches, those of the best members first, and the others are left
//! out.

use super::Training;
use super::bag_cost::BagCost;
use crate::covering::{ColumnId, Problem};
use crate::error::Result;
use crate::index::narrow;
use crate::logic::{DistinctRules, Hypothesis, Rule};
use crate::sets::Cover;
use crate::task::{Examples, Random};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Different rules and their classes.
pub(super) struct RuleBase {
    rules: Vec<Rule>,
    classes: Vec<TwinClass>,
    /// Rules that there was no time to test.
    untested: usize,
}

/// Rules that cover the same training examples with as many literals, numbers and constants.
struct TwinClass {
    members: Vec<usize>,
    size: u32,
    constants: u32,
    cover: Arc<Cover>,
}

impl RuleBase {
    /// The rules of what `training` has; `None` if the rules of the best member mean nothing alone.
    pub(super) fn new(training: &Training<'_>) -> Option<Self> {
        let head = training.task().bias.head;
        let divides = |it: &&Hypothesis| !it.is_recursive() && it.rules.iter().all(|rule| rule.head.pred == head);
        training.best().filter(|best| divides(&best.hypothesis()))?;
        let members: Vec<&Hypothesis> =
            training.pool().members().iter().map(|member| member.hypothesis()).filter(divides).collect();
        let mut distinct = DistinctRules::default();
        // The last members are the best.
        let urgent: Vec<&Rule> = members.iter().rev().flat_map(|member| &member.rules).collect();
        let rules = members
            .iter()
            .flat_map(|member| &member.rules)
            .chain(training.pool().rules().iter().map(|kept| &kept.rule));
        rules.for_each(|rule| _ = distinct.number(rule));
        let mut order: Vec<usize> = urgent.into_iter().map(|rule| distinct.number(rule)).collect();
        order.extend(0..distinct.rules().len());
        let mut met = vec![false; distinct.rules().len()];
        order.retain(|&at| !std::mem::replace(&mut met[at], true));
        let alone: Vec<Hypothesis> =
            distinct.rules().iter().map(|rule| Hypothesis { rules: vec![rule.clone()] }).collect();
        let mut base = RuleBase { rules: Vec::new(), classes: Vec::new(), untested: 0 };
        let mut places: FxHashMap<(Arc<Cover>, usize, usize), usize> = FxHashMap::default();
        for (tested, alone) in training.test_in_time(&alone, &order).into_iter().zip(&alone) {
            let Some(tested) = tested else {
                base.untested += 1;
                continue;
            };
            let (size, constants) = (alone.size(), alone.rules.iter().map(Rule::constants).sum());
            let place = *places.entry((tested.cover.clone(), size, constants)).or_insert(base.classes.len());
            if place == base.classes.len() {
                let size = u32::try_from(size).expect("a rule has no more literals than a bias allows");
                let constants = narrow(constants);
                base.classes.push(TwinClass { members: Vec::new(), size, constants, cover: tested.cover });
            }
            base.classes[place].members.push(base.rules.len());
            base.rules.extend(alone.rules.iter().cloned());
        }
        Some(base)
    }

    /// How many rules there was no time to test, and how many there are in all.
    pub(super) fn untested(&self) -> (usize, usize) {
        (self.untested, self.untested + self.rules.len())
    }

    /// How many classes there are.
    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }

    /// What the rules of a class cover.
    pub(super) fn cover(&self, class: usize) -> &Cover {
        &self.classes[class].cover
    }

    /// Whether some rule has a number or constant.
    pub(super) fn has_constants(&self) -> bool {
        self.classes.iter().any(|class| class.constants > 0)
    }

    /// How many literals the rules of a class have.
    pub(super) fn size(&self, class: usize) -> u32 {
        self.classes[class].size
    }

    /// The first rule of a class.
    pub(super) fn first(&self, class: usize) -> &Rule {
        &self.rules[self.classes[class].members[0]]
    }

    /// A rule of a class, drawn at random.
    pub(super) fn any(&self, class: usize, random: &mut Random) -> &Rule {
        let members = &self.classes[class].members;
        &self.rules[members[random.below(members.len())]]
    }

    /// The covering problem of the classes, over the training examples with these weights and with literals and constants
    /// that count as `objective` says; candidates are numbered as classes are.
    ///
    /// # Errors
    /// If the weights are too large for the cost.
    pub(super) fn problem(&self, objective: BagCost, pos: &[u32], neg: &[u32]) -> Result<Problem> {
        let mut problem = Problem::new(objective.cost, pos, neg)?;
        for class in &self.classes {
            problem.add(objective.literal * (class.size + objective.constant * class.constants), &class.cover);
        }
        Ok(problem)
    }

    /// The hypothesis of a solution, with the first rule of each class.
    pub(super) fn hypothesis(&self, chosen: &[ColumnId]) -> Hypothesis {
        Hypothesis { rules: chosen.iter().map(|id| self.first(id.index()).clone()).collect() }
    }
}

/// The weights of both labels after as many draws with replacement as there are examples, each counting its weight.
pub(super) fn resample(examples: &Examples, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let positives = examples.positives();
    let total = positives + examples.negatives();
    let mut random = Random::new(seed);
    let (mut pos, mut neg) = (vec![0u32; positives], vec![0u32; examples.negatives()]);
    for _ in 0..total {
        let at = random.below(total);
        let (sum, weight) = if at < positives {
            (&mut pos[at], examples.positive_weights()[at])
        } else {
            (&mut neg[at - positives], examples.negative_weights()[at - positives])
        };
        *sum = sum.saturating_add(weight);
    }
    (pos, neg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::snapshot::SnapshotPool;
    use crate::task::Task;

    #[test]
    fn a_resample_has_the_weights_of_the_bootstrap_sample_with_that_seed() {
        let exs: String =
            (0..50).map(|at| format!("{}(f({at}),2). ", if at % 3 == 0 { "pos" } else { "neg" })).collect();
        let task = Task::from_texts("p(a).", &exs, "head_pred(f,1). body_pred(p,1).").unwrap();
        let (pos, neg) = resample(&task.examples, 43);
        let sample = task.examples.bootstrap(43);
        let drawn = |weights: &[u32]| weights.iter().copied().filter(|&weight| weight > 0).collect::<Vec<_>>();
        assert_eq!(
            (drawn(&pos), drawn(&neg)),
            (sample.positive_weights().to_vec(), sample.negative_weights().to_vec())
        );
    }

    #[test]
    fn rules_that_the_examples_cannot_tell_apart_form_a_class() {
        use crate::ensemble::{OutsideHypothesis, evaluate};
        let bias = "head_pred(f,1). body_pred(p,1). body_pred(q,1). body_pred(r,1).";
        let mut task = Task::from_texts("p(a). q(a). r(a). r(b).", "pos(f(a)). neg(f(b)).", bias).unwrap();
        let texts = ["f(A) :- r(A).", "f(A) :- p(A).", "f(A) :- q(A).", "f(B) :- q(B).", "f(A) :- f(A), p(A)."];
        let found: Vec<OutsideHypothesis> =
            texts.iter().map(|&rules| OutsideHypothesis { rules: rules.to_owned(), line: 1 }).collect();
        let mut pool = SnapshotPool::default();
        evaluate("<test>", &found, &mut task, Cost::LexFnSize).unwrap().iter().for_each(|candidate| {
            pool.offer(candidate);
        });
        let base = RuleBase::new(&Training::new(&task, &pool, Cost::LexFnSize)).unwrap();
        let classes: Vec<usize> = base.classes.iter().map(|class| class.members.len()).collect();
        assert_eq!((base.rules.len(), classes), (3, vec![1, 2]));
    }
}
