//! One hypothesis that imitates a vote: the set of known rules that says what the ensemble says, within a size.
//!
//! After Yan et al. (2024), who merge ensembles of relational trees into one decision list. Here it is the covering
//! problem that learning solves anyway, with other labels: an example is positive if the ensemble says so. The size is
//! limited through the price of an error: the covering problem is solved with more and more examples to the literal
//! until its solution no longer fits.
//!
//! The vote that is imitated is that of [`Resampled`], the ensemble that knows most about near-optimal hypotheses; the
//! result reads like any single hypothesis.

use super::method::small_count;
use super::rulebase::RuleBase;
use super::training::vote_cover;
use super::{Method, Resampled, Single, Training, Voter};
use crate::bitset::Bitset;
use crate::combine::{LocalSearch, Problem, Solution};
use crate::cost::Cost;
use crate::coverage::Cover;
use crate::error::Result;

/// Rows that the local search weighs for each rule and price.
const EFFORT_PER_RULE: u64 = 300;
/// What an error costs, in literals.
const PRICES: [u32; 7] = [1, 2, 3, 5, 10, 30, 100];

/// The best imitation of a vote by one hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compress {
    /// The largest size, in literals; 0 for that of the best snapshot.
    pub size: usize,
}

impl Compress {
    /// The method with its default setting.
    pub const DEFAULT: Compress = Compress { size: 0 };
}

/// Candidates over the examples in a new order: those that are to be covered, then the others.
struct Imitation {
    wanted: Vec<usize>,
    unwanted: Vec<usize>,
    positives: usize,
}

impl Imitation {
    fn new(target: &Cover) -> Self {
        let positives = target.pos.len();
        let says =
            |at: usize| if at < positives { target.pos.contains(at) } else { target.neg.contains(at - positives) };
        let (wanted, unwanted) = (0..positives + target.neg.len()).partition(|&at| says(at));
        Imitation { wanted, unwanted, positives }
    }

    fn sort(&self, cover: &Cover) -> (Bitset, Bitset) {
        let covers = |at: usize| {
            if at < self.positives { cover.pos.contains(at) } else { cover.neg.contains(at - self.positives) }
        };
        let side = |examples: &[usize]| {
            let mut set = Bitset::new(examples.len());
            examples.iter().enumerate().filter(|(_, at)| covers(**at)).for_each(|(place, _)| set.insert(place));
            set
        };
        (side(&self.wanted), side(&self.unwanted))
    }

    fn solve(&self, base: &RuleBase, price: u32, training: &Training<'_>) -> Result<Solution> {
        let mut problem = Problem::new(Cost::Mdl, &vec![price; self.wanted.len()], &vec![price; self.unwanted.len()])?;
        for class in 0..base.len() {
            let (wanted, unwanted) = self.sort(base.cover(class));
            problem.add(base.first(class).size() as u32, &wanted, &unwanted);
        }
        Ok(LocalSearch::new(training.seed()).improve(
            &problem,
            EFFORT_PER_RULE * problem.len() as u64,
            training.budget(),
            &mut |_| (),
        ))
    }
}

impl Method for Compress {
    fn name(&self) -> &'static str {
        "compress"
    }

    fn summary(&self) -> &'static str {
        "one hypothesis, no larger than the best snapshot, that imitates the vote of `resampled`"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("size", self.size as f64)]
    }

    fn with_setting(&self, name: &str, value: f64) -> Option<Box<dyn Method>> {
        let size = if value == 0.0 { Some(0) } else { small_count(value) };
        Some(Box::new(Compress { size: size.filter(|_| name == "size")? }))
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        let base = RuleBase::new(training);
        let (Some(best), true) = (training.best(), base.len() > 0) else { return Single.fit(training) };
        let limit = if self.size == 0 { best.candidate.size } else { self.size } as u64;
        let voters = Resampled::DEFAULT.fit(training)?;
        let weights: Vec<f64> = voters.iter().map(|voter| voter.weight).collect();
        let examples = &training.task().examples;
        let covers = training.covers_on(voters.iter().map(|voter| &voter.hypothesis), examples);
        let imitation = Imitation::new(&vote_cover(&weights, &covers, examples));
        let mut found: Option<Solution> = None;
        for price in PRICES {
            let solution = imitation.solve(&base, price, training)?;
            if solution.size > limit {
                break;
            }
            found = Some(solution).filter(|solution| !solution.chosen.is_empty()).or(found);
        }
        match found {
            Some(solution) => Ok(vec![training.voter(base.hypothesis(&solution.chosen), 1.0)]),
            None => Single.fit(training),
        }
    }
}
