//! Skimmed classifiers (Salvini et al. 2007): bags of single rules instead of whole hypotheses.
//!
//! From each bootstrap sample one rule is kept, the one of its best hypothesis that alone has the lowest cost on the
//! sample. A rule covers a part of the positives only, so half of the votes is too much to ask: the number of rules that
//! must cover an atom is the one that makes fewest errors on the training examples, the smallest of several.

use super::bags::vote_of_bags;
use super::constant::{always, with_threshold};
use super::method::small_count;
use super::{Method, Needs, Training, Voter};
use crate::error::Result;
use crate::logic::Hypothesis;
use crate::sets::Cover;
use crate::task::Examples;

/// Equal votes of single rules from bootstrap samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skimmed {
    /// How many samples.
    pub bags: usize,
}

impl Skimmed {
    /// The method with its default setting.
    pub const DEFAULT: Skimmed = Skimmed { bags: 3 };
}

/// How many of the covers an example must be in, such that fewest examples are counted wrong.
fn threshold(covers: &[Cover], examples: &Examples) -> usize {
    let counts = |pos: bool, len: usize| {
        let mut counts = vec![0usize; len];
        let sets = covers.iter().map(|cover| if pos { cover.pos() } else { cover.neg() });
        sets.for_each(|set| set.iter().for_each(|at| counts[at] += 1));
        counts
    };
    let (pos, neg) = (counts(true, examples.positives()), counts(false, examples.negatives()));
    let errors = |least: usize| {
        let missed = pos.iter().zip(examples.positive_weights()).filter(|(count, _)| **count < least);
        let covered = neg.iter().zip(examples.negative_weights()).filter(|(count, _)| **count >= least);
        missed.chain(covered).map(|(_, &weight)| u64::from(weight)).sum::<u64>()
    };
    (1..=covers.len()).min_by_key(|&least| errors(least)).unwrap_or(1)
}

impl Skimmed {
    /// The rule of a hypothesis that has the lowest cost alone; none if it has none.
    fn skim(training: &Training<'_>, hypothesis: Hypothesis, sample: &Examples) -> Hypothesis {
        if hypothesis.is_recursive() {
            return hypothesis;
        }
        let alone: Vec<Hypothesis> =
            hypothesis.rules.into_iter().map(|rule| Hypothesis { rules: vec![rule] }).collect();
        let covers = training.covers_on(&alone, sample);
        let values = alone.iter().zip(&covers).map(|(alone, cover)| {
            training.cost().value(&sample.confusion(cover), alone.size() + training.task().bias.price(&alone.rules))
        });
        let best = values.enumerate().min_by(|a, b| a.1.cmp(&b.1)).map(|(at, _)| at);
        best.and_then(|at| alone.into_iter().nth(at)).unwrap_or_else(|| Hypothesis { rules: Vec::new() })
    }

    /// Equal votes of rules, of which as many must cover an atom as makes fewest errors.
    fn vote(training: &Training<'_>, mut rules: Vec<Hypothesis>) -> Vec<Voter> {
        rules.retain(|hypothesis| !hypothesis.rules.is_empty());
        let examples = &training.task().examples;
        let covers = training.covers_on(&rules, examples);
        let least = threshold(&covers, examples);
        let (shares, constant) = with_threshold(&vec![1.0; rules.len()], least as f64);
        let voters = rules.into_iter().zip(shares).map(|(rule, share)| training.voter(rule, share));
        let mut voters: Vec<Voter> = voters.collect();
        if constant != 0.0 {
            voters.push(training.voter(always(constant > 0.0, training.task().bias.head), constant.abs()));
        }
        voters
    }
}

impl Method for Skimmed {
    fn name(&self) -> &'static str {
        "skimmed"
    }

    fn summary(&self) -> &'static str {
        "learn again from bootstrap samples; one rule of each votes"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("bags", self.bags as f64)]
    }

    fn with_setting(&self, name: &str, value: f64) -> Option<Box<dyn Method>> {
        let bags = small_count(value).filter(|_| name == "bags")?;
        Some(Box::new(Skimmed { bags }))
    }

    fn needs(&self) -> Needs {
        Needs::Learner
    }

    fn runs(&self) -> usize {
        self.bags
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        let skim = |best, sample: &Examples| Skimmed::skim(training, best, sample);
        vote_of_bags(training, self.bags, skim, |rules| Skimmed::vote(training, rules))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Task;

    #[test]
    fn the_threshold_makes_fewest_errors_and_is_the_smallest_of_equals() {
        let exs = "pos(f(1)). pos(f(2)). neg(f(3)). neg(f(4)).";
        let task = Task::from_texts("p(1).", exs, "head_pred(f,1). body_pred(p,1).").unwrap();
        let cover = |pos: &[usize], neg: &[usize]| {
            let mut cover = Cover::empty(task.examples.sides());
            pos.iter().for_each(|&at| cover.insert(at));
            neg.iter().for_each(|&at| cover.insert_negative(at));
            cover
        };
        // One rule each: covering one is enough.
        assert_eq!(threshold(&[cover(&[0], &[]), cover(&[1], &[])], &task.examples), 1);
        // Every negative is covered once, every positive twice.
        let covers = [cover(&[0, 1], &[0]), cover(&[0, 1], &[1]), cover(&[], &[])];
        assert_eq!(threshold(&covers, &task.examples), 2);
    }
}
