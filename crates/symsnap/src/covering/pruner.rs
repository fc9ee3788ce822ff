//! What the best hypothesis so far makes needless, as the search is told it.

use super::bounds::Rival;
use super::theorems::reduced_cost::Prices;
use super::theorems::rule_limits::Wanted;
use super::witnesses::Witnesses;
use crate::index::narrow;
use std::sync::Arc;

/// What the best hypothesis so far makes needless.
#[derive(Debug, Clone)]
pub struct Guide {
    /// Limits on single rules.
    pub wanted: Wanted,
    /// Rules that may outdo whole branches.
    pub rivals: Vec<Rival>,
    /// `demands[m]`: sets of positives of which a rule of size `m` or more must cover one to be in a better
    /// hypothesis. Larger sizes than there are demands have the last one.
    pub demands: Arc<[Vec<Box<[u64]>>]>,
    /// `shared[m]`: some of the positives that all demands of that size have in common.
    pub shared: Arc<[Vec<(u32, u64)>]>,
    /// What a rule must be worth, if anything.
    pub prices: Option<Arc<Prices>>,
}

impl Default for Guide {
    fn default() -> Self {
        let (demands, shared) = (Arc::new([]), Arc::new([]));
        Guide { wanted: Wanted::ALL, rivals: Vec::new(), demands, shared, prices: None }
    }
}

impl Guide {
    /// Whether a branch of rules of at least `size` that cover a subset of `pos` covers too little.
    #[inline]
    pub fn falls_short(&self, pos: &[u64], size: u64) -> bool {
        let demand = self.demands.get(narrow::<_, usize>(size)).or(self.demands.last());
        let meets = |wanted: &[u64]| wanted.iter().zip(pos).all(|(wanted, pos)| wanted & !pos == 0);
        demand.is_some_and(|alternatives| !alternatives.iter().any(|wanted| meets(wanted)))
            || self.prices.as_ref().is_some_and(|prices| prices.too_dear(pos, size))
    }

    /// Whom to ask about a rule of at least `size` before it is known what it covers.
    #[inline]
    pub fn witnesses(&self, size: u64) -> Witnesses<'_> {
        let shared = self.shared.get(narrow::<_, usize>(size)).or(self.shared.last()).map_or(&[][..], Vec::as_slice);
        match &self.prices {
            Some(prices) if shared.is_empty() => Witnesses::new(&prices.of, prices.slack(size)),
            _ => Witnesses::new(shared, 0),
        }
    }
}
