//! A split by individuals: whoever occurs in an example of one part occurs in no example of another.
//!
//! Random splits of pairs leak. Where nearly every drug of the test pairs is in training pairs too, a learner is asked
//! about acquaintances, not strangers.

use super::{Examples, Random};
use crate::index::{narrow, whole};
use crate::logic::TermId;
use rustc_hash::FxHashMap;

impl Examples {
    /// Parts in about the given ratios such that no value of the argument places `individuals` occurs in two of them,
    /// and the number of examples that had to be left out for it.
    ///
    /// Where the examples fall into many groups that share no individual (one argument place, say), whole groups are
    /// dealt to the parts, at least one to each if there are enough, and nothing is left out. Where most examples hang together, individuals are dealt to the parts
    /// in the ratio of the square roots, so that pairs within a part are in the given ratio, and examples across parts
    /// are left out.
    ///
    /// # Panics
    /// If the ratios sum to 0 or a place is not one of the predicate's.
    #[doc(hidden)]
    pub fn split_grouped(&self, individuals: &[usize], ratios: &[u32], seed: u64) -> (Vec<Examples>, usize) {
        let total: f64 = ratios.iter().map(|&ratio| f64::from(ratio)).sum();
        assert!(total > 0.0, "ratios of a split sum to more than 0");
        let groups = IndividualGroups::of(self, individuals);
        let mut random = Random::new(seed);
        let part_of = if groups.largest() * 2 <= self.positives() + self.negatives() {
            groups.deal(ratios, &mut random)
        } else {
            groups.deal_individuals(ratios, &mut random)
        };
        let mut parts = vec![Examples::new(self.pred()); ratios.len()];
        let mut left_out = 0;
        for (positive, count) in [(true, self.positives()), (false, self.negatives())] {
            for at in 0..count {
                let (row, weight) = self.example(positive, at);
                let mut places = individuals.iter().map(|&place| part_of[groups.number[&row[place]]]);
                let part = places.next().unwrap_or(0);
                if places.all(|other| other == part) {
                    parts[part].push(positive, row, weight);
                } else {
                    left_out += 1;
                }
            }
        }
        (parts, left_out)
    }
}

/// Individuals, and which of them hang together through examples.
struct IndividualGroups {
    number: FxHashMap<TermId, usize>,
    /// For each individual the one that stands for its group.
    leader: Vec<usize>,
    /// For each leader the examples of its group.
    examples: Vec<usize>,
}

impl IndividualGroups {
    fn of(examples: &Examples, individuals: &[usize]) -> Self {
        let mut number: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut leader: Vec<usize> = Vec::new();
        let mut firsts = Vec::new();
        let rows = (0..examples.positives()).map(|at| examples.positive(at));
        for row in rows.chain((0..examples.negatives()).map(|at| examples.negative(at))) {
            let mut first = None;
            for &place in individuals {
                let id = *number.entry(row[place]).or_insert_with(|| {
                    leader.push(leader.len());
                    leader.len() - 1
                });
                let found = find(&mut leader, id);
                let first = *first.get_or_insert(found);
                leader[found] = first;
            }
            firsts.extend(first);
        }
        let mut sizes = vec![0; leader.len()];
        for first in firsts {
            sizes[find(&mut leader, first)] += 1;
        }
        for at in 0..leader.len() {
            find(&mut leader, at);
        }
        IndividualGroups { number, leader, examples: sizes }
    }

    fn largest(&self) -> usize {
        self.examples.iter().copied().max().unwrap_or(0)
    }

    /// For each individual its part: whole groups, in random order, each to the part that lacks most.
    fn deal(&self, ratios: &[u32], random: &mut Random) -> Vec<usize> {
        let total: f64 = ratios.iter().map(|&ratio| f64::from(ratio)).sum();
        let all: usize = self.examples.iter().sum();
        let mut lacking: Vec<f64> = ratios.iter().map(|&ratio| f64::from(ratio) / total * all as f64).collect();
        let mut order: Vec<usize> = (0..self.leader.len()).filter(|&at| self.leader[at] == at).collect();
        random.shuffle(&mut order);
        let mut part_of = vec![0; self.leader.len()];
        let mut empty: Vec<bool> = ratios.iter().map(|&ratio| ratio > 0).collect();
        let count = order.len();
        for (dealt, group) in order.into_iter().enumerate() {
            // The last groups go to parts that would stay empty otherwise.
            let last = count - dealt <= empty.iter().filter(|empty| **empty).count();
            let (part, _) = lacking
                .iter()
                .enumerate()
                .filter(|(part, _)| !last || empty[*part])
                .max_by(|(_, a), (_, b)| a.total_cmp(b))
                .expect("ratios sum to more than 0, so there is one, and where the last go there are empty ones");
            empty[part] = false;
            lacking[part] -= self.examples[group] as f64;
            part_of[group] = part;
        }
        self.leader.iter().map(|&leader| part_of[leader]).collect()
    }

    /// For each individual its part, drawn without regard to groups.
    fn deal_individuals(&self, ratios: &[u32], random: &mut Random) -> Vec<usize> {
        let roots: Vec<f64> = ratios.iter().map(|&ratio| f64::from(ratio).sqrt()).collect();
        let total: f64 = roots.iter().sum();
        let mut order: Vec<usize> = (0..self.leader.len()).collect();
        random.shuffle(&mut order);
        let mut part_of = vec![0; order.len()];
        let (mut start, mut sum) = (0, 0.0);
        for (part, root) in roots.iter().enumerate() {
            sum += root;
            let end = narrow::<_, usize>(whole((sum / total * order.len() as f64).round())).min(order.len());
            order[start..end].iter().for_each(|&individual| part_of[individual] = part);
            start = end;
        }
        part_of
    }
}

/// The leader of `at`, with the way to it shortened.
fn find(leader: &mut [usize], mut at: usize) -> usize {
    while leader[at] != at {
        leader[at] = leader[leader[at]];
        at = leader[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::{Pred, Terms};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn pairs(rows: &[(i64, i64)]) -> Examples {
        let mut terms = Terms::default();
        let mut examples = Examples::new(Pred::new(terms.intern("f"), 2));
        for (at, &(a, b)) in rows.iter().enumerate() {
            let row = [terms.int(a), terms.int(b)];
            examples.push(at % 2 == 0, &row, 1);
        }
        examples
    }

    fn individuals(examples: &Examples, places: &[usize]) -> BTreeSet<TermId> {
        let rows = (0..examples.positives()).map(|at| examples.positive(at));
        let rows = rows.chain((0..examples.negatives()).map(|at| examples.negative(at)));
        rows.flat_map(|row| places.iter().map(move |&place| row[place])).collect()
    }

    proptest! {
        #[test]
        fn nobody_is_in_two_parts_and_nothing_is_lost_uncounted(
            rows in prop::collection::vec((0i64..12, 0i64..12), 0..80), seed in 0u64..9, both in any::<bool>(),
        ) {
            let examples = pairs(&rows);
            let places: &[usize] = if both { &[0, 1] } else { &[0] };
            let (parts, left_out) = examples.split_grouped(places, &[7, 2, 1], seed);
            let kept: usize = parts.iter().map(|part| part.positives() + part.negatives()).sum();
            prop_assert_eq!(kept + left_out, rows.len());
            for (at, one) in parts.iter().enumerate() {
                for other in &parts[at + 1..] {
                    prop_assert!(individuals(one, places).is_disjoint(&individuals(other, places)));
                }
            }
        }
    }

    #[test]
    fn groups_without_common_individuals_are_dealt_whole() {
        let rows: Vec<(i64, i64)> = (0..100).map(|at| (at / 2, 1000 + at)).collect();
        let (parts, left_out) = pairs(&rows).split_grouped(&[0], &[7, 2, 1], 3);
        let sizes: Vec<usize> = parts.iter().map(|part| part.positives() + part.negatives()).collect();
        assert_eq!((sizes, left_out), (vec![70, 20, 10], 0));
    }

    #[test]
    fn few_groups_leave_no_part_empty() {
        for groups in 3..6 {
            let rows: Vec<(i64, i64)> = (0..60).map(|at| (at % groups, at)).collect();
            let (parts, left_out) = pairs(&rows).split_grouped(&[0], &[7, 2, 1], 1);
            assert!(left_out == 0 && parts.iter().all(|part| part.positives() + part.negatives() > 0), "{groups}");
        }
    }

    #[test]
    fn pairs_that_all_hang_together_are_kept_within_parts_of_strangers() {
        let rows: Vec<(i64, i64)> = (0..30).flat_map(|a| (0..30).map(move |b| (a, b))).collect();
        let (parts, left_out) = pairs(&rows).split_grouped(&[0, 1], &[7, 2, 1], 3);
        let sizes: Vec<usize> = parts.iter().map(|part| part.positives() + part.negatives()).collect();
        assert_eq!(sizes, [256, 64, 36]);
        assert_eq!(left_out, 900 - 356);
    }
}
