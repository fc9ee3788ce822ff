//! The rules found so far that may be in a best hypothesis, and what they make needless.

use crate::cost::{Cost, CostValue};
use crate::covering::theorems::reduced_cost::Prices;
use crate::covering::theorems::reduced_cost::{hold, prices};
use crate::covering::theorems::residual::{Alternatives, Clean, shared};
use crate::covering::theorems::rule_limits::Wanted;
use crate::covering::{ColumnId, Guide, Problem, Rival, Solution};
use crate::error::Result;
use crate::mine::Found;
use crate::sets::{Cover, CoverIndex, Sides};
use crate::task::Examples;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// So many rivals are held against each branch; more would cost more than they save.
const RIVALS: usize = 48;

/// Rules, each with a coverage of its own or smaller than all others with the same, and the covering problem they make.
#[derive(Debug)]
pub struct Rules {
    cost: Cost,
    problem: Problem,
    found: Vec<Found>,
    by_cover: CoverIndex,
    /// Other rules that cover and cost what a kept one does.
    twins: FxHashMap<ColumnId, Vec<Found>>,
    /// So many of them are remembered for each.
    most_twins: usize,
    rivals: Vec<(i128, Rival)>,
    /// Positives that some rule covers.
    reached: Vec<u64>,
    clean: Clean,
    /// What was asked of rules last.
    demands: Option<Asked>,
    priced: Option<Priced>,
}

/// Demands, the limit and the next size they are for, and some positives that all those of a size share.
#[derive(Debug, Clone)]
struct Asked {
    limit: u64,
    next: u64,
    demands: Arc<[Alternatives]>,
    shared: Arc<[Vec<(u32, u64)>]>,
}

/// Prices, and the size of the rules that were looked for when they were set.
#[derive(Debug)]
struct Priced {
    prices: Arc<Prices>,
    first: u64,
}

impl Rules {
    /// No rules yet.
    ///
    /// # Errors
    /// If the weights of the examples are too large for the cost.
    pub fn new(cost: Cost, examples: &Examples) -> Result<Self> {
        Ok(Rules {
            cost,
            problem: Problem::new(cost, examples.positive_weights(), examples.negative_weights())?,
            found: Vec::new(),
            by_cover: CoverIndex::default(),
            twins: FxHashMap::default(),
            most_twins: TWINS,
            rivals: Vec::new(),
            reached: Vec::new(),
            clean: Clean::default(),
            demands: None,
            priced: None,
        })
    }

    /// The same, but remember so many twins of each rule.
    pub fn with_twins(self, most: usize) -> Self {
        Rules { most_twins: most, ..self }
    }

    /// The covering problem of the rules.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The rule behind a candidate of the problem.
    pub fn get(&self, id: ColumnId) -> &Found {
        &self.found[id.index()]
    }

    /// Other rules with the coverage and size of this one.
    pub fn twins(&self, id: ColumnId) -> &[Found] {
        self.twins.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The rule that is the best hypothesis by itself, the first of several; of many rules only the first are asked.
    pub fn closest(&self) -> Option<(ColumnId, Solution)> {
        let alone = self.problem.ids().take(10_000).map(|id| (id, self.problem.evaluate([id])));
        alone.reduce(|best, next| if next.1.value < best.1.value { next } else { best })
    }

    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        self.found.iter().map(|found| 2 * found.cover.words().len() * 8 + 160).sum()
    }

    /// Keep a rule unless one that is no larger covers the same.
    pub fn add(&mut self, found: Found) {
        let same = self.by_cover.equal(found.cover.words(), self.problem.covers()).next_back();
        if let Some(same) = same.map(ColumnId::new)
            && self.found[same.index()].size <= found.size
        {
            if self.found[same.index()].size == found.size && !self.found[same.index()].parts.eq(&found.parts) {
                let twins = self.twins.entry(same).or_default();
                if twins.len() < self.most_twins {
                    twins.push(Found { cover: Cover::empty(Sides::new(0, 0)), ..found });
                }
            }
            return;
        }
        let (pos, neg) = (found.cover.pos().words(), found.cover.neg().words());
        let (tp, fp) = (self.problem.weights().pos.of(pos), self.problem.weights().neg.of(neg));
        let size = u32::try_from(found.size).expect("a rule's size is limited by the bias");
        let id = self.problem.add(size, &found.cover);
        self.by_cover.insert(found.cover.words(), id.index());
        self.rival(Rival { pos: pos.into(), fp, size: found.size }, tp);
        self.reached.resize(pos.len(), 0);
        let farther = self.reached.iter().zip(pos).any(|(all, new)| new & !all != 0);
        self.reached.iter_mut().zip(pos).for_each(|(all, new)| *all |= new);
        if fp == 0 && self.clean.add(found.size, pos) || farther {
            self.demands = None;
        }
        self.found.push(found);
    }

    fn rival(&mut self, rival: Rival, tp: u64) {
        let worth = match self.cost.size_breaks_ties() {
            false => i128::from(tp) - 4 * i128::from(rival.fp + rival.size),
            true if rival.fp > 0 => return,
            true => i128::from(tp),
        };
        if self.rivals.len() == RIVALS && self.rivals.last().is_some_and(|(least, _)| worth <= *least) {
            return;
        }
        let subsumed = |known: &Rival| {
            known.fp <= rival.fp
                && known.size <= rival.size
                && rival.pos.iter().zip(&known.pos).all(|(new, old)| new & !old == 0)
        };
        if self.rivals.iter().any(|(_, known)| subsumed(known)) {
            return;
        }
        let place = self.rivals.partition_point(|(other, _)| *other >= worth);
        self.rivals.insert(place, (worth, rival));
        self.rivals.truncate(RIVALS);
    }

    /// What a best hypothesis of cost `best` makes needless where sets of rules are wanted that cost at most `target`,
    /// given that positives of weight `unreachable` stay uncovered by every hypothesis worth considering.
    ///
    /// A hypothesis with the rule `s` has at least `fp(s)` false positives, `unreachable` false negatives and
    /// `size(s)` literals; if that alone costs more than `target`, `s` is in no hypothesis at most as costly.
    ///
    /// Rules not found yet have at least size `next`.
    pub fn guide(&mut self, best: &CostValue, target: &CostValue, unreachable: u64, next: u64) -> Guide {
        let wanted = self.wanted(target, unreachable);
        let mut guide = Guide::default();
        if let Some(limit) = limit(&wanted, best) {
            let (prices, next) = match &self.priced {
                Some(priced) => (Some(Arc::clone(&priced.prices)), next.min(priced.first)),
                None => (None, next),
            };
            let current = |asked: &Asked| (asked.limit, asked.next) == (limit, next);
            let asked = self.demands.take().filter(current).unwrap_or_else(|| {
                let demands: Arc<[Alternatives]> = self.clean.demands(&self.reached, limit, next).into();
                let shared = demands.iter().map(shared).collect();
                Asked { limit, next, demands, shared }
            });
            (guide.demands, guide.shared) = (Arc::clone(&asked.demands), Arc::clone(&asked.shared));
            guide.prices = prices;
            self.demands = Some(asked);
        }
        Guide { wanted, rivals: self.rivals.iter().map(|(_, rival)| rival.clone()).collect(), ..guide }
    }

    fn wanted(&self, target: &CostValue, unreachable: u64) -> Wanted {
        let mut wanted = Wanted::ALL;
        match self.cost {
            Cost::Mdl => wanted.sum = target.0[0].saturating_sub(unreachable),
            Cost::ErrorSize => {
                wanted.fp = target.0[0].saturating_sub(unreachable);
                if wanted.fp == 0 {
                    wanted.size = target.0[1];
                }
            }
            Cost::LexFnSize => {
                if target.0[0] <= unreachable {
                    wanted.fp = target.0[1];
                    if wanted.fp == 0 {
                        wanted.size = target.0[2];
                    }
                }
            }
        }
        wanted
    }

    /// Set prices, to stay until [`Rules::unset_prices`], unless demands are made of rules of the size `soon`. Rules not
    /// found yet have at least size `next`; `work` is how many numbers may be computed.
    pub fn set_prices(&mut self, best: &CostValue, unreachable: u64, next: u64, soon: u64, work: u64) {
        let limit = limit(&self.wanted(best, unreachable), best);
        let Some(limit) = limit.filter(|limit| *limit >= 2 * soon) else { return };
        let prices = prices(&self.clean.rules, &self.reached, limit, next, work);
        self.priced = prices.map(|prices| Priced { prices: Arc::new(prices), first: next });
    }

    /// Whether prices have been set.
    pub fn has_prices(&self) -> bool {
        self.priced.is_some()
    }

    /// Forget the prices.
    pub fn unset_prices(&mut self) {
        self.priced = None;
    }

    /// Whether nothing that prices left out is in a hypothesis better than `best`.
    pub fn prices_hold(&self, best: &CostValue, unreachable: u64) -> bool {
        let Some(priced) = &self.priced else { return true };
        let limit = limit(&self.wanted(best, unreachable), best);
        limit.is_some_and(|limit| hold(&priced.prices, &self.clean.rules, limit))
    }
}

/// The largest size of what is better than the best, where that must have no errors.
///
/// What is asked for must be better, not as good: that proves optima a level earlier, at the price of ties that need rules
/// which no better hypothesis does. A target below the best is better already.
fn limit(wanted: &Wanted, best: &CostValue) -> Option<u64> {
    let better = best.0.last().map_or(0, |size| size.saturating_sub(1));
    (wanted.fp == 0).then(|| wanted.size.min(better))
}

/// So many twins of a rule are remembered, unless more are asked for.
const TWINS: usize = 8;
