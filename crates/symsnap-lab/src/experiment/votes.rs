//! Which examples hypotheses cover, and what a weighted vote of them decides.
//!
//! Members of a pool grow out of each other and many methods ask the same members: see [`CoverCache`].

use std::sync::Arc;
use symsnap::internals::coverage::{CoverCache, Evaluator};
use symsnap::internals::database::Database;
use symsnap::internals::ensemble::{Voter, vote};
use symsnap::internals::sets::Cover;
use symsnap::{Confusion, Examples, Hypothesis};

/// Votes on one set of examples.
pub struct Votes<'d> {
    evaluator: Evaluator<'d>,
    examples: &'d Examples,
    tested: CoverCache,
}

impl<'d> Votes<'d> {
    /// Nothing tested yet.
    pub fn on(examples: &'d Examples, database: &'d Database) -> Self {
        Votes { evaluator: Evaluator::new(database, examples), examples, tested: CoverCache::default() }
    }

    fn cover(&mut self, hypothesis: &Hypothesis) -> Arc<Cover> {
        self.tested.hypothesis(&mut self.evaluator, hypothesis).cover.clone()
    }

    /// What one hypothesis does with the examples.
    pub fn single(&mut self, hypothesis: &Hypothesis) -> Confusion {
        let cover = self.cover(hypothesis);
        self.examples.confusion(&cover)
    }

    /// What the vote does with the examples.
    pub fn tally(&mut self, voters: &[Voter]) -> Confusion {
        let weights: Vec<f64> = voters.iter().map(|voter| voter.weight).collect();
        let covers: Vec<Arc<Cover>> = voters.iter().map(|voter| self.cover(&voter.hypothesis)).collect();
        let mut decided = Cover::empty(self.examples.sides());
        for at in 0..self.examples.positives() {
            if vote(&weights, covers.iter().map(|cover| cover.pos().contains(at))).1 {
                decided.insert(at);
            }
        }
        for at in 0..self.examples.negatives() {
            if vote(&weights, covers.iter().map(|cover| cover.neg().contains(at))).1 {
                decided.insert_negative(at);
            }
        }
        self.examples.confusion(&decided)
    }

    /// Of the examples that either hypothesis covers, the share that both do; 1 where neither covers any.
    pub fn overlap(&mut self, one: &Hypothesis, other: &Hypothesis) -> f64 {
        let (one, other) = (self.cover(one), self.cover(other));
        let both = one.pos().count_and(other.pos()) + one.neg().count_and(other.neg());
        let either = one.pos().count() + one.neg().count() + other.pos().count() + other.neg().count() - both;
        if either == 0 { 1.0 } else { both as f64 / either as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Kind;
    use symsnap::internals::coverage::SlowEvaluator;
    use symsnap::internals::ensemble::read_hypothesis;

    #[test]
    fn votes_are_those_of_resolution_member_by_member() {
        let made = Kind::named("trains").unwrap().generate(4, 60, 0.2).unwrap();
        let mut task = made.task().unwrap();
        let texts = [
            "east(A) :- car(A,B), long(B).",
            "east(A) :- car(A,B), short(B), roofed(B).\neast(A) :- car(A,B), long(B).",
            "east(A) :- car(A,B), coal(B), before(B,C), timber(C).",
            "east(A) :- car(A,B), grain(B).\neast(A) :- car(A,B), coal(B).",
        ];
        let weights = [0.3, 0.2, 0.15, 0.35];
        let voters: Vec<Voter> = texts
            .iter()
            .zip(weights)
            .map(|(text, weight)| {
                let hypothesis = read_hypothesis("<test>", text, &mut task).unwrap();
                Voter { hypothesis, confusion: Confusion::default(), weight }
            })
            .collect();
        let database = Database::new(&task);
        let mut slow = SlowEvaluator::new(&database, &task.examples);
        let covers: Vec<Cover> = voters.iter().map(|voter| slow.hypothesis(&voter.hypothesis)).collect();
        let mut expected = Cover::empty(task.examples.sides());
        for at in 0..task.examples.positives() {
            let sum: f64 = (0..4).filter(|&it| covers[it].pos().contains(at)).map(|it| weights[it]).sum();
            if sum > 0.5 - 1e-9 {
                expected.insert(at);
            }
        }
        for at in 0..task.examples.negatives() {
            let sum: f64 = (0..4).filter(|&it| covers[it].neg().contains(at)).map(|it| weights[it]).sum();
            if sum > 0.5 - 1e-9 {
                expected.insert_negative(at);
            }
        }
        let expected = task.examples.confusion(&expected);
        let mut votes = Votes::on(&task.examples, &database);
        assert_eq!(votes.tally(&voters), expected);
        assert_eq!(votes.tally(&voters), expected, "what is known is used again");
        assert_eq!(votes.tally(&[]).tp, 0, "nobody votes negative");
        let alone = task.examples.confusion(&covers[1]);
        assert_eq!(votes.single(&voters[1].hypothesis), alone);
        assert_eq!(votes.overlap(&voters[0].hypothesis, &voters[0].hypothesis), 1.0);
    }
}
