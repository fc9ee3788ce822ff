//! One hypothesis that imitates a vote: the set of known rules that says what the ensemble says, within a size.
//!
//! After Yan et al. (2024), who merge ensembles of relational trees into one decision list. Here it is the covering
//! problem that learning solves anyway, with other labels: an example is positive if the ensemble says so. The size is
//! limited through the price of an error: the covering problem is solved with literals that count more than errors, then
//! with errors that count more and more, until its solution no longer fits.
//!
//! The vote that is imitated is that of [`Resampled`], the ensemble that knows most about near-optimal hypotheses; the
//! result reads like any single hypothesis.

use super::method::small_count;
use super::rulebase::RuleBase;
use super::training::vote_cover;
use super::{Method, Purpose, Resampled, Single, Training, Voter};
use crate::cost::Cost;
use crate::covering::{LocalSearch, Problem, Solution};
use crate::error::Result;
use crate::sets::{Cover, Sides};
use std::time::Duration;

/// Rows that the local search weighs for each rule and price.
const EFFORT_PER_RULE: u64 = 300;
/// What is tried, from small and rough imitations to large and faithful ones.
const PRICES: [Price; 10] = [
    Price::new(1, 8),
    Price::new(1, 4),
    Price::new(1, 2),
    Price::new(1, 1),
    Price::new(2, 1),
    Price::new(3, 1),
    Price::new(5, 1),
    Price::new(10, 1),
    Price::new(30, 1),
    Price::new(100, 1),
];

/// How often an example that is labelled otherwise than by the vote counts, and how often a literal does.
#[derive(Debug, Clone, Copy)]
struct Price {
    error: u32,
    literal: u32,
}

impl Price {
    const fn new(error: u32, literal: u32) -> Self {
        Price { error, literal }
    }
}

/// The best imitation of a vote by one hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compress {
    /// The largest size, in literals; 0 for that of the largest member of the vote, or of the best snapshot if larger.
    pub size: usize,
}

impl Compress {
    /// The method with its default setting.
    pub const DEFAULT: Compress = Compress { size: 0 };
}

/// Columns over the examples in a new order: those that are to be covered, then the others.
struct Imitation {
    wanted: Vec<usize>,
    unwanted: Vec<usize>,
}

impl Imitation {
    fn new(target: &Cover) -> Self {
        let (wanted, unwanted) = (0..target.sides().examples()).partition(|&at| target.contains(at));
        Imitation { wanted, unwanted }
    }

    /// A cover in that order.
    fn sort(&self, cover: &Cover) -> Cover {
        let mut sorted = Cover::empty(Sides::new(self.wanted.len(), self.unwanted.len()));
        let order = self.wanted.iter().chain(&self.unwanted).enumerate();
        order.filter(|(_, at)| cover.contains(**at)).for_each(|(place, _)| sorted.insert(place));
        sorted
    }

    /// The best imitation at a price, the classes of rules it has, and its size in literals.
    fn solve(&self, base: &RuleBase, price: Price, training: &Training<'_>) -> Result<Solution> {
        let weights = |examples: &[usize]| vec![price.error; examples.len()];
        let mut problem = Problem::new(Cost::Mdl, &weights(&self.wanted), &weights(&self.unwanted))?;
        for class in 0..base.len() {
            problem.add(price.literal * base.size(class), &self.sort(base.cover(class)));
        }
        let effort = EFFORT_PER_RULE * problem.len() as u64;
        let mut best = LocalSearch::new(training.seed()).improve(&problem, effort, training.budget(), &mut |_| ());
        best.size /= u64::from(price.literal);
        Ok(best)
    }

    /// How many examples a set of rules labels otherwise than the vote.
    fn differs(&self, base: &RuleBase, solution: &Solution) -> usize {
        let mut covered = Cover::empty(Sides::new(self.wanted.len(), self.unwanted.len()));
        solution.chosen.iter().for_each(|id| covered.union_with(&self.sort(base.cover(id.index()))));
        self.wanted.len() - covered.pos().count() + covered.neg().count()
    }
}

impl Method for Compress {
    fn name(&self) -> &'static str {
        "compress"
    }

    fn summary(&self) -> &'static str {
        "one hypothesis that imitates the vote of `resampled`, no larger than its members or than `size`"
    }

    fn purpose(&self) -> Purpose {
        Purpose::Use
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

    fn takes(&self, examples: usize) -> Duration {
        // Ten longer searches on top.
        Resampled::DEFAULT.takes(examples) * 5 / 4
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        let Some(best) = training.best() else { return Ok(Vec::new()) };
        let alone = |why: &str| {
            training.note(format!("{why}: the best snapshot votes"));
            Single.fit(training)
        };
        let Some(base) = RuleBase::new(training) else {
            return alone("the rules of the best hypothesis call each other and mean nothing alone");
        };
        if base.len() == 0 {
            return alone("there was no time to test the rules that an imitation is made of");
        }
        let voters = Resampled::DEFAULT.fit(training)?;
        let largest = voters.iter().map(|voter| voter.hypothesis.size()).max().unwrap_or(0);
        let limit = if self.size == 0 { best.candidate.size.max(largest) } else { self.size };
        let weights: Vec<f64> = voters.iter().map(|voter| voter.weight).collect();
        let examples = &training.task().examples;
        let covers = training.covers_on(voters.iter().map(|voter| &voter.hypothesis), examples);
        let imitation = Imitation::new(&vote_cover(&weights, &covers, examples));
        let mut found: Option<Solution> = None;
        for price in PRICES {
            if training.budget().check().is_some() {
                break;
            }
            let solution = imitation.solve(&base, price, training)?;
            if solution.size > limit as u64 {
                break;
            }
            found = Some(solution).filter(|solution| !solution.chosen.is_empty()).or(found);
        }
        let Some(solution) = found else {
            let why = match training.budget().check() {
                Some(_) => "there was no time for an imitation of the vote".to_owned(),
                None => format!("no imitation of the vote has at most {limit} literals"),
            };
            return alone(&why);
        };
        let all = examples.positives() + examples.negatives();
        training.note(format!(
            "the hypothesis, of size {}, imitates the vote of {} members and differs from it on {} of {all} training \
             examples; no larger than {limit} was allowed (`size`)",
            solution.size,
            voters.len(),
            imitation.differs(&base, &solution),
        ));
        Ok(vec![training.voter(base.hypothesis(&solution.chosen), 1.0)])
    }
}
