//! What the votes of samples say about the examples that are not in them: the only votes on training examples that are as good,
//! or as bad, as those on new ones.

use super::beta_curve::Ballot;
use crate::sets::Cover;
use crate::task::Examples;

/// For each example, how many samples without it there are, and how many of these have a hypothesis that covers it.
#[derive(Debug, Clone)]
pub(super) struct OutOfBag {
    pos: Vec<Counts>,
    neg: Vec<Counts>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    samples: u32,
    covering: u32,
}

impl Counts {
    /// Ties are positive, as they are in any vote.
    fn votes_positive(self) -> bool {
        2 * self.covering >= self.samples
    }
}

impl OutOfBag {
    /// No sample yet.
    pub(super) fn new(examples: &Examples) -> Self {
        OutOfBag {
            pos: vec![Counts::default(); examples.positives()],
            neg: vec![Counts::default(); examples.negatives()],
        }
    }

    /// Count a sample in which the examples have these weights, and what the best hypothesis for it covers.
    pub(super) fn count(&mut self, cover: &Cover, pos: &[u32], neg: &[u32]) {
        for (counts, weights, covered) in [(&mut self.pos, pos, cover.pos()), (&mut self.neg, neg, cover.neg())] {
            for (at, (count, _)) in counts.iter_mut().zip(weights).enumerate().filter(|(_, (_, weight))| **weight == 0)
            {
                count.samples += 1;
                count.covering += u32::from(covered.contains(at));
            }
        }
    }

    /// The weight of the examples that the votes get wrong.
    pub(super) fn errors(&self, examples: &Examples) -> u64 {
        let judged = |counts: &Counts| counts.samples > 0;
        let missed =
            self.pos.iter().zip(examples.positive_weights()).filter(|(it, _)| judged(it) && !it.votes_positive());
        let covered =
            self.neg.iter().zip(examples.negative_weights()).filter(|(it, _)| judged(it) && it.votes_positive());
        missed.chain(covered).map(|(_, &weight)| u64::from(weight)).sum()
    }

    /// The share of the weight that the votes get wrong; half of it if no example was left out.
    pub(super) fn vote_error(&self, examples: &Examples) -> f64 {
        let weight: u64 = self.judged(examples).map(|(_, _, weight)| u64::from(weight)).sum();
        if weight == 0 { 0.5 } else { self.errors(examples) as f64 / weight as f64 }
    }

    /// The share of the weight that a single sample's hypothesis gets wrong in the mean; half of it if no example was left out.
    pub(super) fn member_error(&self, examples: &Examples) -> f64 {
        let (mut wrong, mut all) = (0.0, 0.0);
        for (counts, positive, weight) in self.judged(examples) {
            let errors = if positive { counts.samples - counts.covering } else { counts.covering };
            wrong += f64::from(weight) * f64::from(errors) / f64::from(counts.samples);
            all += f64::from(weight);
        }
        if all == 0.0 { 0.5 } else { wrong / all }
    }

    /// The votes, example by example.
    pub(super) fn ballots<'o>(&'o self, examples: &'o Examples) -> impl Iterator<Item = Ballot> + 'o {
        self.judged(examples).map(|(counts, positive, weight)| Ballot {
            share: f64::from(counts.covering) / f64::from(counts.samples),
            positive,
            weight: f64::from(weight),
        })
    }

    /// Examples that some sample left out, with whether they are positive and their weight.
    fn judged<'o>(&'o self, examples: &'o Examples) -> impl Iterator<Item = (Counts, bool, u32)> + 'o {
        let pos = self.pos.iter().zip(examples.positive_weights()).map(|(counts, &weight)| (*counts, true, weight));
        let neg = self.neg.iter().zip(examples.negative_weights()).map(|(counts, &weight)| (*counts, false, weight));
        pos.chain(neg).filter(|(counts, ..)| counts.samples > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Task;

    #[test]
    fn only_samples_without_an_example_judge_it() {
        let exs = "pos(f(1)). pos(f(2),3). neg(f(3)). neg(f(4)).";
        let task = Task::from_texts("p(1).", exs, "head_pred(f,1). body_pred(p,1).").unwrap();
        let examples = &task.examples;
        let mut votes = OutOfBag::new(examples);
        assert_eq!((votes.errors(examples), votes.vote_error(examples), votes.member_error(examples)), (0, 0.5, 0.5));
        let mut cover = Cover::empty(examples.sides());
        cover.insert(0);
        cover.insert_negative(0);
        // Both positives and the first negative are left out: one right, two wrong, of weight 3 and 1.
        votes.count(&cover, &[0, 0], &[0, 1]);
        assert_eq!(votes.errors(examples), 4);
        assert_eq!(votes.vote_error(examples), 0.8);
        assert_eq!(votes.member_error(examples), 0.8);
        // A second sample that covers the second positive makes that a tie, which is positive.
        let mut other = Cover::empty(examples.sides());
        other.insert(1);
        votes.count(&other, &[5, 0], &[0, 0]);
        assert_eq!(votes.errors(examples), 1);
        // Of weight 6 one half of 3, one half of 1, none of 1 (the second negative) and none of 1 are wrong.
        assert!((votes.member_error(examples) - 2.0 / 6.0).abs() < 1e-12);
        let shares: Vec<(f64, bool)> = votes.ballots(examples).map(|vote| (vote.share, vote.positive)).collect();
        assert_eq!(shares, [(1.0, true), (0.5, true), (0.5, false), (0.0, false)]);
    }
}
