//! Members that say the same have one vote together.
//!
//! Local search and tied optima put many members in a pool that classify all training examples alike; each counted by
//! itself, they outvote everyone else for no other reason than their number. Here members whose predictions differ on
//! less than a share of the examples form a cluster, which weighs what its best member weighs by likelihood
//! ([`LogLikelihood`]) and divides it equally.
//!
//! Clusters are found by leaders: in the order of weight, a member joins the first cluster whose first member is
//! close enough, or begins one. So what is in a cluster is close to its best, and the result does not depend on the
//! order of equal members beyond their place in the pool.

use super::voter::{all, figures};
use super::{LogLikelihood, Method, Training, Voter};
use crate::error::Result;
use crate::sets::Cover;

/// Votes of clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clustered {
    /// Up to which share of the examples predictions may differ within a cluster.
    pub distance: f64,
    /// What a literal costs, in nats.
    pub per_literal: f64,
}

impl Clustered {
    /// The method with its default settings.
    pub const DEFAULT: Clustered = Clustered { distance: 0.01, per_literal: 0.3 };

    /// For each member the number of its cluster, taking them in the order of their weights.
    fn clusters(&self, covers: &[Cover], weights: &[f64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..covers.len()).collect();
        order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
        let mut leaders: Vec<usize> = Vec::new();
        let mut clusters = vec![0; covers.len()];
        for at in order {
            let close = |leader: &usize| {
                let (a, b) = (&covers[*leader], &covers[at]);
                let pairs = a.words().iter().zip(b.words());
                let differing: u32 = pairs.map(|(a, b)| (a ^ b).count_ones()).sum();
                f64::from(differing) <= self.distance * a.sides().examples() as f64
            };
            clusters[at] = leaders.iter().position(close).unwrap_or_else(|| {
                leaders.push(at);
                leaders.len() - 1
            });
        }
        clusters
    }
}

impl Method for Clustered {
    fn name(&self) -> &'static str {
        "clustered"
    }

    fn summary(&self) -> &'static str {
        "as `loglik`, but snapshots with nearly equal predictions have one vote together"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("distance", self.distance), ("per_literal", self.per_literal)]
    }

    fn with_setting(&self, name: &str, value: f64) -> Option<Box<dyn Method>> {
        let changed = match name {
            "distance" => Clustered { distance: value, ..*self },
            "per_literal" => Clustered { per_literal: value, ..*self },
            _ => return None,
        };
        (value.is_finite() && value >= 0.0).then(|| Box::new(changed) as Box<dyn Method>)
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        let own = LogLikelihood { per_literal: self.per_literal }.weights(&figures(training.pool()));
        let clusters = self.clusters(training.covers(), &own);
        let count = clusters.iter().max().map_or(0, |last| last + 1);
        let (mut sizes, mut best) = (vec![0usize; count], vec![0.0f64; count]);
        for (&cluster, &weight) in clusters.iter().zip(&own) {
            sizes[cluster] += 1;
            best[cluster] = best[cluster].max(weight);
        }
        let total: f64 = best.iter().sum();
        let weights: Vec<f64> = clusters.iter().map(|&cluster| best[cluster] / total / sizes[cluster] as f64).collect();
        Ok(all(training.pool(), &weights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::Sides;

    #[test]
    fn close_members_share_a_cluster_with_the_best_of_them() {
        let cover = |pos: &[usize]| {
            let mut cover = Cover::empty(Sides::new(100, 0));
            pos.iter().for_each(|&at| cover.insert(at));
            cover
        };
        let covers = [cover(&[1]), cover(&[1, 2]), cover(&[1, 2, 3]), cover(&[7, 8, 9])];
        assert_eq!(Clustered::DEFAULT.clusters(&covers, &[0.1, 0.6, 0.2, 0.1]), [0, 0, 0, 1]);
        // With the first as leader the third is too far away.
        assert_eq!(Clustered::DEFAULT.clusters(&covers, &[0.6, 0.2, 0.1, 0.1]), [0, 0, 1, 2]);
        let exact = Clustered { distance: 0.0, ..Clustered::DEFAULT };
        assert_eq!(exact.clusters(&covers, &[0.6, 0.2, 0.1, 0.1]), [0, 1, 2, 3]);
    }
}
