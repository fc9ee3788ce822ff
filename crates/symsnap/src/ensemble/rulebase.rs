//! The rules that further hypotheses can be made of: those of the pool's members and those that the learner handed
//! over, each with what it covers of the training examples.
//!
//! Rules with equal covers and sizes form a class: the training examples cannot tell them apart, new ones may. Members
//! that call themselves or invented predicates are left out; their rules mean nothing alone, and if the best member is
//! such a one there are no rules at all.

use super::Training;
use crate::combine::{CandidateId, Problem};
use crate::cost::Cost;
use crate::coverage::Cover;
use crate::error::Result;
use crate::logic::{Hypothesis, Rule, canonical_rule};
use crate::task::{Examples, Random};
use rustc_hash::{FxHashMap, FxHashSet};

/// Different rules and their classes.
pub(super) struct RuleBase {
    rules: Vec<Rule>,
    classes: Vec<Class>,
}

/// Rules that cover the same training examples with as many literals.
struct Class {
    members: Vec<usize>,
    size: u32,
    cover: Cover,
}

impl RuleBase {
    /// The rules of what `training` has.
    pub(super) fn new(training: &Training<'_>) -> Self {
        let head = training.task().bias.head;
        let divides = |it: &&Hypothesis| !it.is_recursive() && it.rules.iter().all(|rule| rule.head.pred == head);
        if !training.best().is_some_and(|best| divides(&best.hypothesis())) {
            return RuleBase { rules: Vec::new(), classes: Vec::new() };
        }
        let alone = training.pool().members().iter().map(|member| member.hypothesis()).filter(divides);
        let mut known: FxHashSet<Rule> = FxHashSet::default();
        let rules = alone.flat_map(|hypothesis| &hypothesis.rules).chain(training.pool().rules());
        let rules: Vec<Rule> = rules.filter(|rule| known.insert(canonical_rule(rule))).cloned().collect();
        let alone: Vec<Hypothesis> = rules.iter().map(|rule| Hypothesis { rules: vec![rule.clone()] }).collect();
        let mut classes: Vec<Class> = Vec::new();
        let mut places: FxHashMap<(Cover, usize), usize> = FxHashMap::default();
        for (at, cover) in training.covers_on(&alone, &training.task().examples).into_iter().enumerate() {
            let size = rules[at].size();
            let place = *places.entry((cover.clone(), size)).or_insert(classes.len());
            if place == classes.len() {
                classes.push(Class { members: Vec::new(), size: size as u32, cover });
            }
            classes[place].members.push(at);
        }
        RuleBase { rules, classes }
    }

    /// How many classes there are.
    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }

    /// What the rules of a class cover.
    pub(super) fn cover(&self, class: usize) -> &Cover {
        &self.classes[class].cover
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

    /// The covering problem of the classes, over the training examples with these weights and with literals that count
    /// so many times; candidates are numbered as classes are.
    ///
    /// # Errors
    /// If the weights are too large for the cost.
    pub(super) fn problem(&self, cost: Cost, literal: u32, pos: &[u32], neg: &[u32]) -> Result<Problem> {
        let mut problem = Problem::new(cost, pos, neg)?;
        for class in &self.classes {
            problem.add(literal * class.size, &class.cover.pos, &class.cover.neg);
        }
        Ok(problem)
    }

    /// The hypothesis of a solution, with the first rule of each class.
    pub(super) fn hypothesis(&self, chosen: &[CandidateId]) -> Hypothesis {
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
        use crate::ensemble::{Found, evaluate};
        let bias = "head_pred(f,1). body_pred(p,1). body_pred(q,1). body_pred(r,1).";
        let mut task = Task::from_texts("p(a). q(a). r(a). r(b).", "pos(f(a)). neg(f(b)).", bias).unwrap();
        let texts = ["f(A) :- r(A).", "f(A) :- p(A).", "f(A) :- q(A).", "f(B) :- q(B).", "f(A) :- f(A), p(A)."];
        let found: Vec<Found> = texts.iter().map(|&rules| Found { rules: rules.to_owned(), line: 1 }).collect();
        let mut pool = SnapshotPool::default();
        evaluate("<test>", &found, &mut task, Cost::LexFnSize).unwrap().iter().for_each(|candidate| {
            pool.offer(candidate);
        });
        let base = RuleBase::new(&Training::new(&task, &pool, Cost::LexFnSize));
        let classes: Vec<usize> = base.classes.iter().map(|class| class.members.len()).collect();
        assert_eq!((base.rules.len(), classes), (3, vec![1, 2]));
    }
}
