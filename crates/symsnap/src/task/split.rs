//! Parts and samples of examples, repeatable from a seed.

use super::{Examples, Random};

impl Examples {
    /// Parts in the given ratios (7:2:1, say), drawn at random for each label by itself, so that every part has its
    /// share of positives and of negatives. Within a part the examples keep their order. Sizes are rounded such that
    /// nothing is lost: the first parts end at the rounded cumulated ratio.
    ///
    /// # Panics
    /// If the ratios sum to 0.
    #[doc(hidden)]
    pub fn split(&self, ratios: &[u32], seed: u64) -> Vec<Examples> {
        let total: u64 = ratios.iter().map(|&ratio| u64::from(ratio)).sum();
        assert!(total > 0, "ratios of a split sum to more than 0");
        let mut random = Random::new(seed);
        let mut parts = vec![Examples::new(self.pred()); ratios.len()];
        for positive in [true, false] {
            let count = self.count(positive);
            let mut order: Vec<usize> = (0..count).collect();
            random.shuffle(&mut order);
            let (mut start, mut sum) = (0, 0);
            for (part, &ratio) in parts.iter_mut().zip(ratios) {
                sum += u64::from(ratio);
                let end =
                    ((count as u128 * u128::from(sum) * 2 + u128::from(total)) / (u128::from(total) * 2)) as usize;
                let members = &mut order[start..end];
                members.sort_unstable();
                for &at in members.iter() {
                    let (row, weight) = self.example(positive, at);
                    part.push(positive, row, weight);
                }
                start = end;
            }
        }
        parts
    }

    /// As many draws with replacement as there are examples; an example drawn `n` times has `n` times its weight (at
    /// most `u32::MAX`), one not drawn is left out.
    #[doc(hidden)]
    pub fn bootstrap(&self, seed: u64) -> Examples {
        let mut random = Random::new(seed);
        let (positives, negatives) = (self.positives(), self.negatives());
        let mut draws = vec![0u32; positives + negatives];
        for _ in 0..draws.len() {
            let at = random.below(draws.len());
            draws[at] = draws[at].saturating_add(1);
        }
        let mut sample = Examples::new(self.pred());
        for (at, &times) in draws.iter().enumerate().filter(|(_, times)| **times > 0) {
            let positive = at < positives;
            let (row, weight) = self.example(positive, if positive { at } else { at - positives });
            sample.push(positive, row, weight.saturating_mul(times));
        }
        sample
    }

    fn count(&self, positive: bool) -> usize {
        if positive { self.positives() } else { self.negatives() }
    }

    pub(super) fn example(&self, positive: bool, at: usize) -> (&[crate::logic::TermId], u32) {
        if positive {
            (self.positive(at), self.positive_weights()[at])
        } else {
            (self.negative(at), self.negative_weights()[at])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::{Pred, Terms};

    fn numbered(positives: usize, negatives: usize) -> Examples {
        let mut terms = Terms::default();
        let mut examples = Examples::new(Pred::new(terms.intern("f"), 1));
        for at in 0..positives + negatives {
            let id = terms.int(at as i64);
            examples.push(at < positives, &[id], 1);
        }
        examples
    }

    #[test]
    fn a_split_is_stratified_complete_and_repeatable() {
        let examples = numbered(100, 33);
        let parts = examples.split(&[7, 2, 1], 5);
        let sizes: Vec<(usize, usize)> = parts.iter().map(|part| (part.positives(), part.negatives())).collect();
        assert_eq!(sizes, [(70, 23), (20, 7), (10, 3)]);
        let mut all: Vec<_> =
            parts.iter().flat_map(|part| (0..part.positives()).map(|at| part.positive(at)[0])).collect();
        all.sort();
        assert_eq!(all, (0..100).map(|at| examples.positive(at)[0]).collect::<Vec<_>>());
        let again = examples.split(&[7, 2, 1], 5);
        assert_eq!(again[1].positive(3), parts[1].positive(3));
        assert_ne!(format!("{:?}", examples.split(&[7, 2, 1], 6)), format!("{parts:?}"));
    }

    #[test]
    fn tiny_tasks_split_without_loss() {
        for (positives, negatives) in [(0, 0), (1, 0), (0, 2), (3, 1)] {
            let parts = numbered(positives, negatives).split(&[7, 2, 1], 1);
            assert_eq!(parts.iter().map(Examples::positives).sum::<usize>(), positives);
            assert_eq!(parts.iter().map(Examples::negatives).sum::<usize>(), negatives);
        }
    }

    #[test]
    fn a_bootstrap_sample_weighs_as_much_as_the_examples() {
        let examples = numbered(60, 40);
        let sample = examples.bootstrap(43);
        let weight: u32 = sample.positive_weights().iter().chain(sample.negative_weights()).sum();
        assert_eq!(weight, 100);
        assert!((50..80).contains(&(sample.positives() + sample.negatives())));
        assert_eq!(numbered(0, 0).bootstrap(43).positives(), 0);
    }
}
