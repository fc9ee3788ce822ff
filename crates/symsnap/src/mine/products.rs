//! Every way to choose one of several things in each of several places.

/// Every way to choose a number below each of `choices`, which are at least 1: the first of each, then what differs from
/// that in one place, then the rest.
pub fn products(choices: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let total = choices.iter().fold(1usize, |product, &count| product.saturating_mul(count));
    let decode = move |code: usize| -> Vec<usize> {
        let mut rest = code;
        let digit = |&count: &usize| {
            let digit = rest % count;
            rest /= count;
            digit
        };
        choices.iter().map(digit).collect()
    };
    let one = |place: usize, at: usize| (0..choices.len()).map(|other| if other == place { at } else { 0 }).collect();
    let singles = choices.iter().enumerate().flat_map(move |(place, &count)| (1..count).map(move |at| one(place, at)));
    let several = |chosen: &Vec<usize>| chosen.iter().filter(|&&at| at > 0).count() > 1;
    std::iter::once(vec![0; choices.len()]).chain(singles).chain((1..total).map(decode).filter(several))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_choice_comes_once_and_those_that_differ_least_come_first() {
        let all: Vec<Vec<usize>> = products(&[2, 1, 3]).collect();
        assert_eq!(all, [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 1], [1, 0, 2]]);
        let many: BTreeSet<Vec<usize>> = products(&[3, 4, 5]).collect();
        assert_eq!((many.len(), products(&[3, 4, 5]).count()), (60, 60));
        assert_eq!(products(&[]).count(), 1);
    }

    #[test]
    fn more_choices_than_can_be_counted_are_no_trouble() {
        assert_eq!(products(&[usize::MAX, 7, usize::MAX]).take(1_000).count(), 1_000);
    }
}
