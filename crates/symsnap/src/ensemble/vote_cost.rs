//! The cost of an ensemble: what the vote does with the training examples, and how much there is to write down.
//!
//! The paper (its definition of ensemble ILP) looks for the hypotheses whose combined predictions cost least on the training
//! examples, and does not say how long an ensemble is. Here it is as long as its different rules, up to names of variables and
//! order: what members share is written once, and an ensemble of one hypothesis costs what that costs. *Rejected*: the sum of
//! the members' sizes, by which no ensemble of snapshots, which grow out of each other, would be worth its length.
//!
//! It is a figure, and no method minimises it: `bench/ENSEMBLE.md` says what came of that.

use super::training::{Training, vote_cover};
use super::voter::Voter;
use crate::cost::Confusion;
use crate::logic::{Hypothesis, Rule, canonical_hypothesis};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// What the vote of an ensemble does with the training examples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoteFigures {
    /// What it says, beside what is right.
    #[serde(with = "super::confusion_json")]
    pub confusion: Confusion,
    /// The literals of its different rules.
    pub size: usize,
    /// Its cost.
    pub value: Vec<u64>,
}

impl VoteFigures {
    /// Of these voters; nothing if there are none, or no time to find that out.
    pub(super) fn of(training: &Training<'_>, voters: &[Voter]) -> Option<Self> {
        if voters.is_empty() {
            return None;
        }
        let hypotheses: Vec<Hypothesis> = voters.iter().map(|voter| voter.hypothesis.clone()).collect();
        let order: Vec<usize> = (0..hypotheses.len()).collect();
        let tested = training.test_in_time(&hypotheses, &order);
        let covers = tested.into_iter().map(|tested| Some((*tested?.cover).clone())).collect::<Option<Vec<_>>>()?;
        let weights: Vec<f64> = voters.iter().map(|voter| voter.weight).collect();
        let examples = &training.task().examples;
        let confusion = examples.confusion(&vote_cover(&weights, &covers, examples));
        let size = ensemble_size(voters);
        Some(VoteFigures { confusion, size, value: training.cost().value(&confusion, size).0 })
    }
}

/// The literals of the different rules of all who have a share of the vote.
pub fn ensemble_size(voters: &[Voter]) -> usize {
    let rules = voters.iter().filter(|voter| voter.weight > 0.0).flat_map(|voter| &voter.hypothesis.rules);
    let mut known = FxHashSet::default();
    let mut is_new = |rule: &Rule| known.insert(canonical_hypothesis(&Hypothesis { rules: vec![rule.clone()] }));
    rules.filter(|rule| is_new(rule)).map(Rule::size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::ensemble::read_hypothesis;
    use crate::snapshot::SnapshotPool;
    use crate::task::Task;

    /// Voters with these rules and weights, and what their vote costs.
    fn vote(voters: &[(&str, f64)], cost: Cost) -> Option<(Confusion, usize, Vec<u64>)> {
        let bk = "p(a). p(b). q(b). q(c). r(c). r(d). r(a).";
        let exs = "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)). neg(f(e)).";
        let bias = "head_pred(f,1). body_pred(p,1). body_pred(q,1). body_pred(r,1).";
        let mut task = Task::from_texts(bk, exs, bias).unwrap();
        let read: Vec<(Hypothesis, f64)> = voters
            .iter()
            .map(|(text, weight)| (read_hypothesis("<test>", text, &mut task).unwrap(), *weight))
            .collect();
        let pool = SnapshotPool::default();
        let training = Training::new(&task, &pool, cost);
        let voters: Vec<Voter> =
            read.into_iter().map(|(hypothesis, weight)| training.voter(hypothesis, weight)).collect();
        VoteFigures::of(&training, &voters).map(|it| (it.confusion, it.size, it.value))
    }

    #[test]
    fn a_hypothesis_alone_costs_what_it_costs() {
        for cost in Cost::ALL {
            let confusion = Confusion { tp: 3, fn_: 0, tn: 1, fp: 1 };
            let (found, size, value) = vote(&[("f(A) :- p(A).\nf(A) :- r(A).", 1.0)], cost).unwrap();
            assert_eq!((found, size, &value), (confusion, 4, &cost.value(&confusion, 4).0));
        }
        assert_eq!(vote(&[], Cost::Mdl), None);
    }

    #[test]
    fn a_vote_may_be_right_where_each_of_its_members_is_wrong_and_shared_rules_count_once() {
        // The first covers a and b, the second b and c, the third a, c and d: two of three are right about all but d.
        let three = [("f(A) :- p(A).", 0.34), ("f(A) :- q(A).", 0.33), ("f(X) :- r(X).\nf(X) :- p(X).", 0.33)];
        let (confusion, size, value) = vote(&three, Cost::Mdl).unwrap();
        assert_eq!((confusion, size, value), (Confusion { tp: 3, fn_: 0, tn: 2, fp: 0 }, 6, vec![6]));
        // Who has no share of the vote adds nothing to it.
        let (_, size, _) = vote(&[("f(A) :- p(A).", 1.0), ("f(A) :- q(A).", 0.0)], Cost::Mdl).unwrap();
        assert_eq!(size, 2);
    }
}
