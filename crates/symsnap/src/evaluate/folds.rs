//! Which examples are tested together in cross-validation.

use crate::random::Random;

/// The fold of each example, from 0 on: as many of each label in every fold as can be, drawn by `seed`. Examples of one group
/// are in one fold; groups are dealt out largest first, each to the fold that has the smallest part of its
/// labels yet, and of these to the smallest.
///
/// # Panics
/// If there are no folds, or `groups` has another length than `labels`.
pub fn stratified_folds(labels: &[usize], groups: Option<&[usize]>, folds: usize, seed: u64) -> Vec<usize> {
    assert!(folds > 0, "there is at least one fold");
    let mut random = Random::new(seed);
    let mut fold_of = vec![0; labels.len()];
    let classes = labels.iter().max().map_or(0, |most| most + 1);
    let Some(groups) = groups else {
        // Dealt like cards, class after class, so that the folds are equally large, too.
        let mut next = 0;
        for class in 0..classes {
            let mut members: Vec<usize> = (0..labels.len()).filter(|&at| labels[at] == class).collect();
            random.shuffle(&mut members);
            for at in members {
                fold_of[at] = next % folds;
                next += 1;
            }
        }
        return fold_of;
    };
    assert_eq!(groups.len(), labels.len(), "each example has a group");
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); groups.iter().max().map_or(0, |most| most + 1)];
    groups.iter().enumerate().for_each(|(at, &group)| members[group].push(at));
    random.shuffle(&mut members);
    members.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let mut totals = vec![0f64; classes];
    labels.iter().for_each(|&label| totals[label] += 1.0);
    let (mut parts, mut sizes) = (vec![vec![0f64; classes]; folds], vec![0; folds]);
    for group in members {
        let mut own = vec![0f64; classes];
        group.iter().for_each(|&at| own[labels[at]] += 1.0 / totals[labels[at]]);
        // The sum of squares of the parts is least where all are alike; this is what it grows by.
        let growth = |fold: usize| -> f64 {
            own.iter().zip(&parts[fold]).map(|(more, part)| (part + more).powi(2) - part.powi(2)).sum()
        };
        let better = |one: usize, other: usize| (growth(one), sizes[one]) < (growth(other), sizes[other]);
        let best = (1..folds).fold(0, |best, fold| if better(fold, best) { fold } else { best });
        sizes[best] += group.len();
        parts[best].iter_mut().zip(&own).for_each(|(part, more)| *part += more);
        group.iter().for_each(|&at| fold_of[at] = best);
    }
    fold_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_fold_has_its_share_of_every_label() {
        let labels: Vec<usize> = (0..103).map(|at| usize::from(at % 5 == 0)).collect();
        let folds = stratified_folds(&labels, None, 4, 7);
        for fold in 0..4 {
            let count = |label: usize| (0..103).filter(|&at| folds[at] == fold && labels[at] == label).count();
            assert!((5..=6).contains(&count(1)) && (20..=21).contains(&count(0)), "{} {}", count(0), count(1));
        }
        assert_eq!(stratified_folds(&labels, None, 4, 7), folds);
        assert_ne!(stratified_folds(&labels, None, 4, 8), folds);
    }

    proptest! {
        #[test]
        fn groups_stay_together_and_no_fold_is_empty_that_need_not_be(
            examples in prop::collection::vec((0usize..3, 0usize..12), 1..80), folds in 1usize..6, seed in 0u64..100,
        ) {
            let labels: Vec<usize> = examples.iter().map(|it| it.0).collect();
            let groups: Vec<usize> = examples.iter().map(|it| it.1).collect();
            let fold_of = stratified_folds(&labels, Some(&groups), folds, seed);
            for one in 0..labels.len() {
                for other in 0..one {
                    prop_assert!(groups[one] != groups[other] || fold_of[one] == fold_of[other]);
                }
            }
            let mut different = groups.clone();
            different.sort_unstable();
            different.dedup();
            let mut used = fold_of.clone();
            used.sort_unstable();
            used.dedup();
            prop_assert_eq!(used.len(), folds.min(different.len()));
        }
    }
}
