//! What the best hypothesis so far makes needless, as the search is told it.

use super::bounds::Rival;
use super::conjoin::Wanted;
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
            Some(prices) if shared.is_empty() => Witnesses { asked: &prices.of, slack: prices.slack(size) },
            _ => Witnesses { asked: shared, slack: 0 },
        }
    }
}

/// Prices of positives: a rule not found yet that is in a better hypothesis costs little more than what it covers is worth
/// (see the prices of [`learn`](crate::learn)).
#[derive(Debug)]
pub struct Prices {
    /// The positives that have a price, and which; dearest first.
    pub of: Vec<(u32, u64)>,
    /// The size of such a rule, in [`Prices::UNIT`]s, is at most this more than its positives are worth.
    pub most: u64,
    /// What all positives are worth.
    pub total: u64,
}

impl Prices {
    /// What a literal costs.
    pub const UNIT: u64 = 1 << 20;

    /// What positives are worth.
    #[inline]
    pub fn worth(&self, pos: &[u64]) -> u64 {
        let has = |at: u32| pos[at as usize / 64] >> (at % 64) & 1;
        self.of.iter().map(|&(at, price)| price * has(at)).sum()
    }

    fn too_dear(&self, pos: &[u64], size: u64) -> bool {
        size * Prices::UNIT > self.worth(pos) + self.most
    }

    /// How much of the total a rule of `size` may miss.
    fn slack(&self, size: u64) -> u64 {
        (self.total + self.most).saturating_sub(size * Prices::UNIT)
    }
}

/// Some positives with prices, of which a rule may miss so many that they sum to the slack. Most of what covers too little
/// misses more, which is soon seen.
#[derive(Debug, Clone, Copy)]
pub struct Witnesses<'g> {
    asked: &'g [(u32, u64)],
    slack: u64,
}

impl Witnesses<'_> {
    /// Whom to ask where nothing is known.
    pub const NONE: Witnesses<'static> = Witnesses { asked: &[], slack: 0 };

    /// Whether nobody is asked.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// Whether too many are missed.
    #[inline]
    pub fn lack(&self, mut misses: impl FnMut(u32) -> bool) -> bool {
        let mut slack = self.slack;
        self.asked.iter().any(|&(example, price)| {
            if !misses(example) {
                return false;
            }
            let too_many = price > slack;
            slack = slack.saturating_sub(price);
            too_many
        })
    }
}
