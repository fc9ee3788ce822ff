//! Which core of one positive does a relaxed choice violate?
//!
//! A core is a positive `e` and a set `S` of negatives ([`super::theorems::core_packing`]); the choice violates it if `u_e`, the
//! `v` of `S` and the `x` of the classes that cover `e` and nothing of `S` sum to less than 1. Greedy hitting: take into `S`
//! whichever negative takes more `x` out of the sum than its `v` brings in, until none does. Classes with `x = 0` count a
//! little, so that they are hit as well where that costs nothing: what is not hit is in the core and is loaded by it.

use super::reduce::Reduced;
use crate::index::narrow;

/// A core must fall short of 1 by this to be worth a row.
pub(super) const VIOLATION: f64 = 1e-4;

/// Literals in one run of numbers: classes, positives, negatives.
#[derive(Debug, Clone, Copy)]
pub(super) struct Literals {
    classes: usize,
    positives: usize,
    negatives: usize,
}

impl Literals {
    pub fn new(reduced: &Reduced) -> Self {
        let Reduced { classes, positives, negatives, .. } = reduced;
        Literals { classes: classes.len(), positives: positives.len(), negatives: negatives.len() }
    }

    pub fn count(self) -> usize {
        self.classes + self.positives + self.negatives
    }

    pub fn missed(self, positive: usize) -> u32 {
        narrow(self.classes + positive)
    }

    pub fn covered(self, negative: usize) -> u32 {
        narrow(self.classes + self.positives + negative)
    }
}

/// Negatives, the classes that they do not hit, and what the choice takes of both.
struct Hitting {
    negatives: Vec<u32>,
    left: Vec<u32>,
    sum: f64,
}

/// Finds cores.
pub(super) struct Separation<'a> {
    reduced: &'a Reduced,
    literals: Literals,
    /// The negatives of each class, all in one run, and where those of each begin.
    negatives: Vec<u32>,
    begin: Vec<usize>,
    /// For each negative what the classes that are not hit weigh that cover it, for the positive at hand.
    gain: Vec<f64>,
    touched: Vec<u32>,
    /// Whether a class is in the core.
    open: Vec<bool>,
    work: u64,
}

impl<'a> Separation<'a> {
    /// No cores found yet.
    pub fn new(reduced: &'a Reduced) -> Self {
        let mut begin = vec![0usize; reduced.classes.len() + 1];
        let entries =
            || reduced.negatives.iter().enumerate().flat_map(|(at, row)| row.classes.iter().map(move |&c| (c, at)));
        entries().for_each(|(class, _)| begin[class as usize + 1] += 1);
        for at in 1..begin.len() {
            begin[at] += begin[at - 1];
        }
        let mut next = begin.clone();
        let mut negatives = vec![0u32; begin.last().copied().unwrap_or(0)];
        for (class, negative) in entries() {
            negatives[next[class as usize]] = narrow(negative);
            next[class as usize] += 1;
        }
        Separation {
            reduced,
            literals: Literals::new(reduced),
            negatives,
            begin,
            gain: vec![0.0; reduced.negatives.len()],
            touched: Vec::new(),
            open: vec![false; reduced.classes.len()],
            work: 0,
        }
    }

    /// Operations so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// A core of a positive that the choice violates; classes that it leaves alone weigh `idle`.
    pub fn core(&mut self, positive: usize, choice: &[f64], idle: f64) -> Option<Box<[u32]>> {
        let missed = choice[self.literals.missed(positive) as usize];
        let reduced = self.reduced;
        let classes = &reduced.positives[positive].classes;
        let taken: Vec<u32> = classes.iter().copied().filter(|&class| choice[class as usize] > 1e-9).collect();
        self.work += classes.len() as u64;
        if missed > 1.0 - VIOLATION {
            return None;
        }
        // Few classes are taken; whether these can be violated at all is soon known.
        let holds = |hitting: &Hitting| missed + hitting.sum > 1.0 - VIOLATION;
        if holds(&self.hit(&taken, choice, 0.0)) {
            return None;
        }
        let hitting = self.hit(classes, choice, idle);
        if holds(&hitting) {
            return None;
        }
        let covered = hitting.negatives.iter().map(|&negative| self.literals.covered(negative as usize));
        Some(hitting.left.into_iter().chain([self.literals.missed(positive)]).chain(covered).collect())
    }

    /// Hit classes by negatives as long as that makes the sum smaller.
    fn hit(&mut self, classes: &[u32], choice: &[f64], idle: f64) -> Hitting {
        let weight = |class: u32| choice[class as usize] + idle;
        let price = |negative: u32| choice[self.literals.covered(negative as usize) as usize];
        for &class in classes {
            self.open[class as usize] = true;
            let weight = weight(class);
            let range = self.begin[class as usize]..self.begin[class as usize + 1];
            self.work += range.len() as u64;
            for &negative in &self.negatives[range] {
                if self.gain[negative as usize] == 0.0 {
                    self.touched.push(negative);
                }
                self.gain[negative as usize] += weight;
            }
        }
        let (mut hit, mut sum) = (Vec::new(), 0.0);
        loop {
            self.work += self.touched.len() as u64;
            let mut best = (1e-9, None);
            for &negative in &self.touched {
                let gain = self.gain[negative as usize] - price(negative) - 0.5 * idle;
                if gain > best.0 {
                    best = (gain, Some(negative));
                }
            }
            let Some(negative) = best.1 else { break };
            hit.push(negative);
            sum += price(negative);
            for &class in &self.reduced.negatives[negative as usize].classes {
                if std::mem::take(&mut self.open[class as usize]) {
                    let weight = weight(class);
                    let range = self.begin[class as usize]..self.begin[class as usize + 1];
                    self.work += range.len() as u64;
                    self.negatives[range].iter().for_each(|&at| self.gain[at as usize] -= weight);
                }
            }
            self.gain[negative as usize] = -1.0;
        }
        self.touched.drain(..).for_each(|negative| self.gain[negative as usize] = 0.0);
        let left: Vec<u32> =
            classes.iter().copied().filter(|&class| std::mem::take(&mut self.open[class as usize])).collect();
        sum += left.iter().map(|&class| choice[class as usize]).sum::<f64>();
        Hitting { negatives: hit, left, sum }
    }
}
