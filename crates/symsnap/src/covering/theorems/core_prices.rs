//! **Core prices.** Of the rules of a better hypothesis that are not known, one is worth more than its size at the prices that
//! cores put on positives.
//!
//! *Statement.* Let some cores of one positive ([`core_packing`](super::core_packing)) have shares that overload no literal of the
//! rules that are known, positives that no such rule covers with a core of their own, and let `Y` be the sum of all shares. The
//! *price* `p_e` of a positive is the sum of the shares of its cores.
//! (1) Every hypothesis `H` costs at least `Y - sum {p(P_s) - C·size(s) : s in H not known}`.
//! (2) Let branches be left out only if all their rules have `p(P_s) - C·size(s) < -most`, or at most 0 where `most` is none,
//! and let the rules that were found, all together, leave room for shares of cores that load no positive `e` by more than `p_e` and
//! sum to `Y'`. If `Y' + most >= V - 1`, or `Y' > V - 1` where `most` is none, no hypothesis that costs less than `V` has a
//! rule that was left out.
//!
//! *Proof.* (1) An unknown rule `s` is added to every core that it belongs to, of a positive of `P_s` and with negatives of which `s`
//! covers none; then all cores hold for `H`. Multiply each by its share and add them up: on the right is `Y`, on the left each
//! literal of known rules and of examples counts at most its price, and `x_s` what `s` collects, at most `p(P_s)`, where its
//! price is `C·size(s)`. (2) A hypothesis that has rules left out is made of these, which are unknown, and of rules that were
//! found. So by (1), with the shares that sum to `Y'`, it costs more than `Y' + most`, or at least `Y'`; costs are whole, so
//! that is `V` or more.
//!
//! So prices close branches before anything is known about the negatives of their rules: all positives together have the price `Y`,
//! where support gives each its weight.
//!
//! *Choice.* Any prices will do. Where `Y` is more than `V - 1`, they may be lowered until it is not much more: half of the
//! last unit is kept, for rules found later that collect more than their size. Prices are whole *grains*, rounded up.
//!
//! *Source.* Pricing in column generation (Gilmore and Gomory 1961) with the duals of core packing; the same for hypotheses
//! without errors, with the duals of plain covering, is [`reduced_cost`](super::reduced_cost).
//!
//! *Mutations that the test below catches*: prices believed to hold whatever was found ([`CorePrices::suffice`], "sound"), and
//! `size + 1` for `size` in [`CorePrices::too_dear`] ("sound").

use super::core_packing::PARTS;
use crate::index::narrow;
use crate::sets::Weights;

/// Prices of positives at which a rule not found yet that a better hypothesis needs is worth its size.
#[derive(Debug)]
pub struct CorePrices {
    /// In grains.
    of: Weights,
    /// How many grains a rule may be worth less than its size; -1 if it must be worth more.
    most: i128,
    /// Grains that a literal costs.
    literal: u64,
    /// The dearest positives, dearest first.
    dearest: Vec<(u32, u64)>,
}

/// As many grains make a unit of the cost.
pub const GRAINS: i128 = 1 << 7;

/// Positives that may be asked about first.
const WITNESSES: usize = 48;

impl CorePrices {
    /// Prices that are what `shares` of cores sum to for each positive, in parts, where better means to cost less than
    /// `value` and a literal costs `literal`. `None` if rules that are worth only half of the size `next` would do.
    pub fn new(shares: &[i128], value: i128, literal: i128, next: u64) -> Option<Self> {
        let sum: i128 = shares.iter().sum();
        if sum <= 0 {
            return None;
        }
        let over = sum - (value - 1) * PARTS;
        let keep = if over > PARTS / 2 { (value - 1) * PARTS + PARTS / 2 } else { sum };
        let grain = PARTS / GRAINS;
        let lowered = |share: i128| (share * keep + sum * grain - 1).div_euclid(sum * grain);
        let each: Option<Vec<u32>> = shares.iter().map(|&share| u32::try_from(lowered(share)).ok()).collect();
        let each = each?;
        let most = if over > 0 { -1 } else { (-over + grain - 1) / grain };
        if 2 * most >= i128::from(next) * literal * GRAINS {
            return None;
        }
        let of = Weights::new(&each, &[]);
        let mut dearest: Vec<(u32, u64)> = (0u32..).zip(each.iter().map(|&price| u64::from(price))).collect();
        dearest.sort_by_key(|&(at, price)| (std::cmp::Reverse(price), at));
        dearest.truncate(WITNESSES);
        dearest.retain(|(_, price)| *price > 0);
        Some(CorePrices { of, most, literal: narrow(literal * GRAINS), dearest })
    }

    /// Whether rules of at least `size` that cover a subset of these positives are worth too little.
    #[inline]
    pub fn too_dear(&self, pos: &[u64], size: u64) -> bool {
        i128::from(self.of.pos.of(pos)) + self.most < i128::from(size * self.literal)
    }

    /// Whether rules of at least `size` that cover a subset of what both sets have are.
    #[inline]
    pub fn too_dear_and(&self, a: &[u64], b: &[u64], size: u64) -> bool {
        i128::from(self.of.pos.of_and(a, b)) + self.most < i128::from(size * self.literal)
    }

    /// Whom to ask first about rules of at least `size`, and how much of their prices may be missed; nobody if that is too much.
    pub fn witnesses(&self, size: u64) -> Option<(&[(u32, u64)], u64)> {
        let slack = i128::from(self.of.pos.total()) + self.most - i128::from(size * self.literal);
        let slack = u64::try_from(slack).unwrap_or(0);
        let asked: u64 = self.dearest.iter().map(|(_, price)| price).sum();
        (asked > 2 * slack).then_some((&self.dearest, slack))
    }

    /// The price of each positive, in parts.
    pub fn limits(&self) -> impl Iterator<Item = i128> {
        self.of.pos.each().iter().map(|&price| i128::from(price) * (PARTS / GRAINS))
    }

    /// Whether no hypothesis that costs less than `value` has a rule that was left out, given shares of cores that load no
    /// positive by more than its price and sum to `sum`, in parts.
    pub fn suffice(&self, sum: i128, value: i128) -> bool {
        let needed = (value - 1) * PARTS;
        if self.most < 0 { sum > needed } else { sum + self.most * (PARTS / GRAINS) >= needed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::cost::Cost;
    use crate::covering::core_pricing::{core_prices, core_prices_hold};
    use crate::covering::oracle::{brute_force, random_problem, rng, sets_of};
    use crate::covering::{ColumnId, Problem};

    /// The columns of a problem that have this property, by themselves.
    fn only(problem: &Problem, keep: impl Fn(ColumnId) -> bool) -> Problem {
        let (pos, neg) = (problem.weights().pos.each(), problem.weights().neg.each());
        let mut some = Problem::new(problem.cost(), pos, neg).expect("fits");
        problem.ids().filter(|&id| keep(id)).for_each(|id| {
            some.copy_column(problem, id);
        });
        some
    }

    #[test]
    fn no_better_hypothesis_has_a_rule_that_was_left_out_if_prices_hold() {
        let budget = Budget::unlimited();
        let (mut left_out, mut held, mut upset, mut slack) = (0, 0, 0, 0);
        for seed in 0..6_000 {
            let mut next = rng(seed);
            let problem = random_problem(&mut next, Cost::Mdl, 9, 24);
            let least = 2 + next(4) as u64;
            let is_known = |id: ColumnId| u64::from(problem.size(id)) < least;
            let known = only(&problem, is_known);
            // Sometimes the best hypothesis is not the best of the known rules, but one that costs a little more.
            let value = known.number(&brute_force(&known)[0]) + [0, 0, 1, 2][next(4)];
            let value = known.objective().value(value);
            let Some(prices) = core_prices(&known, &[], &value, least, &budget) else { continue };
            slack += u32::from(prices.most >= 0);
            let is_left_out =
                |id: ColumnId| !is_known(id) && prices.too_dear(problem.pos(id), u64::from(problem.size(id)));
            let found = only(&problem, |id| !is_left_out(id));
            let best = known.objective().value(found.number(&brute_force(&found)[0])).min(value);
            let most = problem.ids().filter(|&id| is_left_out(id)).count();
            left_out += most;
            if core_prices_hold(&prices, &found, &[], &best, &budget) != Some(true) {
                upset += 1;
                continue;
            }
            held += u32::from(most > 0);
            let columns: Vec<ColumnId> = problem.ids().collect();
            for set in sets_of(&columns) {
                let better = problem.evaluate(set.iter().copied()).value < best;
                assert!(!better || !set.iter().any(|&id| is_left_out(id)), "seed {seed}: sound");
            }
        }
        assert!(
            left_out > 1_000 && held > 500 && upset > 30 && slack > 100,
            "{left_out} left out, prices held {held} times and were upset {upset} times, {slack} with room"
        );
    }

    #[test]
    fn whom_to_ask_is_missed_by_what_is_too_dear() {
        let prices = CorePrices::new(&[3 * PARTS, PARTS, PARTS / 2], 5, 1, 2).expect("the sum is near the value");
        let (asked, slack) = prices.witnesses(3).expect("three positives are few");
        for pos in 0..8u64 {
            let missed: u64 = asked.iter().filter(|(at, _)| pos >> at & 1 == 0).map(|(_, price)| price).sum();
            assert_eq!(missed > slack, prices.too_dear(&[pos], 3), "{pos:b}");
        }
    }
}
