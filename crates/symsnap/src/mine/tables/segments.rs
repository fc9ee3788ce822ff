//! The segments of a sequence that are richest: disjoint runs of neighbours with the largest sums.
//!
//! Neighbours with sums of one sign are one run, so that rich runs and poor ones alternate. While there are too many rich runs,
//! the run with the smallest sum, rich or poor, is merged with its neighbours: a rich one is given up, or two are joined across
//! a poor one, whichever costs least. What remains are the disjoint segments, of at most that many, with the largest sum
//! together (Csűrös, *Maximum-scoring segment sets*, IEEE/ACM TCBB 1, 2004). A range of values that is rich in positives is found
//! like this wherever it lies, while the best single cuts may all lie elsewhere.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// How many more positives than negatives there are.
pub fn surplus(pos: usize, neg: usize) -> i64 {
    let count = |units: usize| i64::try_from(units).unwrap_or(i64::MAX);
    count(pos).saturating_sub(count(neg))
}

/// A run of neighbours; an empty one has been merged with another.
struct MergedRun {
    first: usize,
    last: usize,
    sum: i64,
    before: Option<usize>,
    after: Option<usize>,
}

/// The richest disjoint segments, at most this many, in their order; none of them, and nothing between two of them, has a sum
/// that is smaller than `least`.
pub fn segments(worth: &[i64], most: usize, least: u64) -> Vec<RangeInclusive<usize>> {
    let mut runs: Vec<MergedRun> = Vec::new();
    for (at, &sum) in worth.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if (run.sum > 0) == (sum > 0) || sum == 0 => {
                run.last = at;
                run.sum += sum;
            }
            _ => {
                let number = runs.len();
                if let Some(run) = runs.last_mut() {
                    run.after = Some(number);
                }
                runs.push(MergedRun { first: at, last: at, sum, before: number.checked_sub(1), after: None });
            }
        }
    }
    let mut smallest: BTreeSet<(u64, usize)> =
        runs.iter().enumerate().map(|(at, run)| (run.sum.unsigned_abs(), at)).collect();
    let mut rich = runs.iter().filter(|run| run.sum > 0).count();
    let mut alive = vec![true; runs.len()];
    while let Some((sum, at)) = smallest.pop_first() {
        if rich <= most && sum >= least {
            break;
        }
        let (before, after) = (runs[at].before, runs[at].after);
        if runs[at].sum <= 0 && (before.is_none() || after.is_none()) {
            // A poor run at an end joins nothing.
            continue;
        }
        rich -= 1;
        // The run and its neighbours become one, in the place of the run.
        for neighbour in [before, after].into_iter().flatten() {
            smallest.remove(&(runs[neighbour].sum.unsigned_abs(), neighbour));
            alive[neighbour] = false;
            runs[at].sum += runs[neighbour].sum;
            runs[at].first = runs[at].first.min(runs[neighbour].first);
            runs[at].last = runs[at].last.max(runs[neighbour].last);
        }
        runs[at].before = before.and_then(|before| runs[before].before);
        runs[at].after = after.and_then(|after| runs[after].after);
        if let Some(before) = runs[at].before {
            runs[before].after = Some(at);
        }
        if let Some(after) = runs[at].after {
            runs[after].before = Some(at);
        }
        smallest.insert((runs[at].sum.unsigned_abs(), at));
    }
    let rich = runs.iter().zip(alive).filter(|(run, alive)| *alive && run.sum > 0).map(|(run, _)| run);
    let mut found: Vec<RangeInclusive<usize>> = rich.map(|run| run.first..=run.last).collect();
    found.sort_by_key(|segment| *segment.start());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest sum of at most `most` disjoint segments, by dynamic programming.
    fn largest(worth: &[i64], most: usize) -> i64 {
        // Best with a number of segments begun, outside and inside of one.
        let (mut outside, mut inside) = (vec![0i64; most + 1], vec![i64::MIN / 2; most + 1]);
        for sum in worth {
            for count in (1..=most).rev() {
                inside[count] = inside[count].max(outside[count - 1]) + sum;
                outside[count] = outside[count].max(inside[count]);
            }
        }
        outside.into_iter().max().unwrap_or(0)
    }

    #[test]
    fn small_segments_are_given_up_and_small_gaps_closed() {
        assert_eq!(segments(&[-9, 2, -9, 5, -1, 5, -9, 1], 9, 3), [3..=5]);
        assert_eq!(segments(&[-9, 2, -9, 5, -1, 5, -9, 1], 9, 0), [1..=1, 3..=3, 5..=5, 7..=7]);
    }

    #[test]
    fn no_other_segments_have_a_larger_sum() {
        let mut random = crate::random::Random::new(3);
        for _ in 0..3_000 {
            let length = random.below(14);
            let worth: Vec<i64> = (0..length).map(|_| i64::try_from(random.below(9)).expect("small") - 4).collect();
            let most = 1 + random.below(4);
            let found = segments(&worth, most, 0);
            assert!(found.len() <= most, "{worth:?} {most} {found:?}");
            assert!(found.windows(2).all(|pair| pair[0].end() < pair[1].start()), "{found:?}");
            let sum: i64 = found.into_iter().map(|segment| worth[segment].iter().sum::<i64>()).sum();
            assert_eq!(sum, largest(&worth, most), "{worth:?} {most}");
        }
    }
}
