//! Greedy selection with replacement (Caruana et al. 2004): add the snapshot that helps the vote on held-out examples
//! most, again and again; one that is added twice has two votes.
//!
//! Start and end are guarded against chance as in the source: it begins with the best snapshot, and the vote that was
//! best on the way is taken. Between equal numbers of errors the vote that is closer to the labels decides, or nothing
//! would ever be added to a snapshot that is hard to beat.

use super::held::Held;
use super::method::small_count;
use super::weights::is_positive;
use super::{Method, Needs, Training, Voter};
use crate::error::Result;

/// Votes by greedy selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Greedy {
    /// How many votes are given out.
    pub rounds: usize,
}

impl Greedy {
    /// The method with its default setting.
    pub const DEFAULT: Greedy = Greedy { rounds: 20 };

    /// How many votes each member gets, given which examples it is right about and what they weigh.
    fn votes(&self, right: &[Vec<bool>], weights: &[f64]) -> Vec<usize> {
        let mut votes = vec![0; right.len()];
        let mut sums = vec![0.0; weights.len()];
        let mut best: Option<((f64, f64), Vec<usize>)> = None;
        for round in 1..=self.rounds {
            // Wrongly classified weight, then squared distance from the labels. A tie counts half: whether it is
            // right depends on the label.
            let score = |member: &[bool]| {
                let mut score = (0.0, 0.0);
                for ((sum, &weight), &right) in sums.iter().zip(weights).zip(member) {
                    let (share, at_least_half) = is_positive(sum + f64::from(u8::from(right)), round as f64);
                    score.0 += match at_least_half {
                        true if share > 0.5 + 1e-9 => 0.0,
                        true => weight / 2.0,
                        false => weight,
                    };
                    score.1 += weight * (1.0 - share) * (1.0 - share);
                }
                score
            };
            let scores = right.iter().map(|member| score(member)).enumerate();
            let order = |a: &(f64, f64), b: &(f64, f64)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1));
            // Of equals the last: it is the best on the examples it was learned from.
            let Some((at, found)) = scores.min_by(|a, b| order(&a.1, &b.1).then(b.0.cmp(&a.0))) else { return votes };
            votes[at] += 1;
            sums.iter_mut().zip(&right[at]).for_each(|(sum, &right)| *sum += f64::from(u8::from(right)));
            if best.as_ref().is_none_or(|(known, _)| order(&found, known).is_lt()) {
                best = Some((found, votes.clone()));
            }
        }
        best.map_or(votes, |(_, votes)| votes)
    }
}

impl Method for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn summary(&self) -> &'static str {
        "snapshots chosen one by one, with repetition, such that their vote is right on held-out examples"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("rounds", self.rounds as f64)]
    }

    fn with_setting(&self, name: &str, value: f64) -> Option<Box<dyn Method>> {
        let rounds = small_count(value).filter(|_| name == "rounds")?;
        Some(Box::new(Greedy { rounds }))
    }

    fn needs(&self) -> Needs {
        Needs::HeldOut
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        let held = match Held::new(training)? {
            Ok(held) => held,
            Err(why) => return Ok(training.fall_back(why)),
        };
        let (right, weights) = held.right();
        let votes = self.votes(&right, &weights);
        let total: usize = votes.iter().sum();
        let chosen = votes.iter().enumerate().filter(|(_, count)| **count > 0);
        Ok(chosen.map(|(at, &count)| held.voter(training, at, count as f64 / total as f64)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_complete_each_other_get_votes_and_others_none() {
        // Three members, each wrong about one of three examples: together they are right about all.
        let right =
            vec![vec![false, true, true], vec![true, false, true], vec![true, true, false], vec![false, false, true]];
        assert_eq!(Greedy { rounds: 3 }.votes(&right, &[1.0; 3]), [1, 1, 1, 0]);
    }

    #[test]
    fn one_that_is_always_right_stands_alone() {
        let right = vec![vec![true, false], vec![true, true], vec![true, true]];
        assert_eq!(Greedy::DEFAULT.votes(&right, &[1.0, 5.0]), [0, 0, 1]);
        assert!(Greedy::DEFAULT.votes(&[], &[1.0]).is_empty());
    }
}
