//! Covering problems shaped like those of rule learning: positives come in clusters, each with a rule that covers most of
//! it and some negatives; the other candidates are specialisations of these (fewer positives, fewer negatives, larger)
//! and mixtures of neighbours, so that rules share both the positives and the negatives they cover.

use symsnap::bitset::Bitset;
use symsnap::combine::Problem;
use symsnap::cost::Cost;

/// The shape of a planted problem.
pub struct Planted {
    /// Clusters of positives.
    pub clusters: usize,
    /// Candidates, before any reduction.
    pub rules: usize,
    /// Positives, and as many negatives.
    pub examples: usize,
    /// Per cent of the examples that a cluster's rule gets wrong.
    pub noise: usize,
    /// Equal seeds give equal problems.
    pub seed: u64,
}

impl Default for Planted {
    fn default() -> Self {
        Planted { clusters: 8, rules: 400, examples: 300, noise: 10, seed: 1 }
    }
}

/// The problem of that shape.
pub fn planted(shape: &Planted, cost: Cost) -> Problem {
    let mut state = shape.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = move |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 20) % bound.max(1) as u64) as usize
    };
    let n = shape.examples;
    let mut problem = Problem::new(cost, &vec![1; n], &vec![1; n]).expect("unit weights fit");
    // Parts: half-plane-like conditions, each true of about two thirds of everything and of all of some clusters.
    let home: Vec<usize> = (0..n).map(|_| below(shape.clusters)).collect();
    let parts: Vec<(Bitset, Bitset)> = (0..shape.clusters * 4)
        .map(|part| {
            let (mut pos, mut neg) = (Bitset::new(n), Bitset::new(n));
            for (at, &home) in home.iter().enumerate() {
                let close = (home + shape.clusters - part % shape.clusters) % shape.clusters < 3;
                if below(100) < if close { 100 - shape.noise } else { 30 } {
                    pos.insert(at);
                }
                if below(100) < 45 {
                    neg.insert(at);
                }
            }
            (pos, neg)
        })
        .collect();
    for _ in 0..shape.rules {
        let literals = 2 + below(4);
        let from = below(parts.len());
        let (mut pos, mut neg) = parts[from].clone();
        for _ in 1..literals {
            // Conditions of the same or a neighbouring cluster, so that the conjunction is not empty.
            let with = (from + shape.clusters * below(4) + below(2)) % parts.len();
            pos.intersect_with(&parts[with].0);
            neg.intersect_with(&parts[with].1);
        }
        problem.add(literals as u32 + 1, &pos, &neg);
    }
    problem
}
