//! Where a variable may be cut: the comparisons `V =< c` and `V >= c` that some best rule can have.
//!
//! Take the units that have a value of `V`, rows of a table or examples, in the order of their values, equal values as one
//! *group*. A cut that covers the groups up to `j` is a *turn* if group `j` has a positive unit and group `j + 1`, if there is
//! one, a negative unit. Only turns are needed. A cut at a group without positives can be moved back by one group, and one
//! before a group without negatives forward: positive units are gained, negative ones lost, never the other way round.
//!
//! What a cut covers of a table's *rows* decides what every further test, join or cut makes of it, so the turns of the rows
//! suffice for all rules that have the table's literals. Turns of the *examples* would suffice only for a rule that nothing is
//! added to: another literal may take away just the row by which an example was covered. By the same argument the turns
//! of several variables may be combined freely: one after the other, each cut is moved to a turn of the rows that the
//! others leave, and on any subset of the units a turn covers what some turn of all units covers.
//!
//! Not so: turns between neighbouring examples instead of groups of equal values (a positive and a negative with the same
//! value make it a turn, too), and turns that lie within the bounds of the constant (a cut that has to be moved beyond a bound
//! ends at it; values beyond are as good as the bound itself).
//!
//! Fayyad and Irani (1992) have the argument for one cut of a decision tree; the rest is ours and held against brute force
//! ([numbers_brute_force.rs](../../../tests/numbers_brute_force.rs)).

use super::segments::{segments, surplus};
use crate::database::Database;
use crate::language::{CutPred, Lit, PredNo};
use crate::logic::{Comparison, Number};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Cuts of one column in one direction that are all looked at. With random labels a quarter of all values are turns, and each
/// takes a bit for every row. Where there are more, few are looked at, and nothing is proved.
const MOST_CUTS: usize = 256;
/// How many those few are. Two cuts make an interval, so that there are as many columns as the square of this: with 256 of
/// each, 10,000 rows gave 65,000 columns, nearly all of them useless, and the cover took longer than all else.
/// Ranges with a surplus below the logarithm of the rows are left out of them: with 5 % noise in 10,000 rows, 30 ranges of some
/// wrongly labelled things beside each other made fewer errors even outside of bootstrap samples, because they had been chosen
/// by the labels of all examples.
const FEW_CUTS: usize = 32;

/// Units in the order of their values.
pub struct Chain {
    /// The values, ascending, each with one that is equal to it and the units that have it.
    groups: Vec<Group>,
    /// The units, by group.
    units: Vec<u32>,
    /// Whether some value is no number.
    pub has_others: bool,
}

struct Group {
    number: Number,
    value: u32,
    /// Where its units end in [`Chain::units`].
    end: usize,
    /// How many of them are positive and how many negative.
    pos: usize,
    neg: usize,
}

/// A cut: the literal, and the units for which it holds.
pub struct Cut {
    /// The comparison.
    pub lit: Lit,
    /// The units, as bits.
    pub units: Vec<u64>,
}

impl Chain {
    /// The units, given by their values, with their signs.
    pub fn new(values: &[u32], signs: &[(bool, bool)], database: &Database) -> Self {
        let mut distinct = values.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let mut numbers: Vec<(Number, u32)> =
            distinct.iter().filter_map(|&value| Some((database.number(value)?, value))).collect();
        numbers.sort_by(|(a, x), (b, y)| a.compare(*b).then(x.cmp(y)));
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of: FxHashMap<u32, usize> = FxHashMap::default();
        for &(number, value) in &numbers {
            if groups.last().is_none_or(|last| last.number.compare(number) != Ordering::Equal) {
                groups.push(Group { number, value, end: 0, pos: 0, neg: 0 });
            }
            group_of.insert(value, groups.len() - 1);
        }
        let places: Vec<Option<usize>> = values.iter().map(|value| group_of.get(value).copied()).collect();
        for (place, &(pos, neg)) in places.iter().zip(signs) {
            if let Some(group) = place.map(|at| &mut groups[at]) {
                group.end += 1;
                group.pos += usize::from(pos);
                group.neg += usize::from(neg);
            }
        }
        let mut before = 0;
        for group in &mut groups {
            before += group.end;
            group.end = before;
        }
        let mut next: Vec<usize> = std::iter::once(0).chain(groups.iter().map(|group| group.end)).collect();
        let mut units = vec![0; before];
        for (unit, place) in (0u32..).zip(&places) {
            if let Some(at) = place {
                units[next[*at]] = unit;
                next[*at] += 1;
            }
        }
        Chain { groups, units, has_others: numbers.len() < distinct.len() }
    }

    /// Whether some value is a number.
    pub fn has_numbers(&self) -> bool {
        !self.groups.is_empty()
    }

    /// The cuts of variable `var` that can be needed; and whether some were left out because there are too many.
    pub fn cuts(&self, var: u8, no: PredNo, cut: &CutPred, count: usize) -> (Vec<Cut>, bool) {
        let mut turns = self.turns(cut);
        let capped = turns.len() > MOST_CUTS;
        if capped {
            self.keep_best(&mut turns, cut.comparison);
        }
        let mut cuts = Vec::with_capacity(turns.len());
        let (mut covered, mut bits) = (0, vec![0u64; count.div_ceil(64)]);
        for turn in turns {
            let units = match cut.comparison {
                Comparison::AtMost => &self.units[covered..self.groups[turn.last].end],
                _ => &self.units[self.start(turn.last)..self.units.len() - covered],
            };
            units.iter().for_each(|&unit| bits[unit as usize / 64] |= 1 << (unit % 64));
            covered += units.len();
            let (at, beyond) = (self.groups[turn.last].value, turn.beyond.map(|at| self.groups[at].value));
            cuts.push(Cut { lit: Lit::cut(no, var, at, beyond), units: bits.clone() });
        }
        (cuts, capped)
    }

    fn start(&self, group: usize) -> usize {
        group.checked_sub(1).map_or(0, |before| self.groups[before].end)
    }

    /// The turns, narrowest first.
    fn turns(&self, cut: &CutPred) -> Vec<Turn> {
        let (low, high) = (cut.bounds.low, cut.bounds.high);
        let value = |at: usize| self.groups[at].number.to_f64();
        let all = 0..self.groups.len();
        // Groups in the order in which the cut takes them up, and how many it takes up in any case and at most.
        let order: Vec<usize> = if cut.comparison == Comparison::AtMost { all.collect() } else { all.rev().collect() };
        let (least, most) = match cut.comparison {
            Comparison::AtMost => {
                (order.partition_point(|&at| value(at) <= low), order.partition_point(|&at| value(at) <= high))
            }
            _ => (order.partition_point(|&at| value(at) >= high), order.partition_point(|&at| value(at) >= low)),
        };
        let mut turns = Vec::new();
        for taken in least.max(1)..=most {
            // What is taken up in any case counts as one group.
            let newest = if taken == least { &order[..least] } else { &order[taken - 1..taken] };
            let gains = newest.iter().any(|&at| self.groups[at].pos > 0);
            let stops = taken == most || self.groups[order[taken]].neg > 0;
            if gains && stops {
                turns.push(Turn { last: order[taken - 1], beyond: order.get(taken).copied() });
            }
        }
        turns
    }

    /// Keep a few turns: where the segments end that are richest in positive units ([`segments`]), and the best single cut.
    fn keep_best(&self, turns: &mut Vec<Turn>, comparison: Comparison) {
        let worth: Vec<i64> = self.groups.iter().map(|group| surplus(group.pos, group.neg)).collect();
        let mut kept = vec![false; turns.len()];
        for segment in segments(&worth, FEW_CUTS - 1, u64::from(self.units.len().max(1).ilog2())) {
            // Turns are in the order in which the cut takes groups up: the last of them is the widest.
            let widest = turns.iter().rposition(|turn| segment.contains(&turn.last));
            widest.into_iter().for_each(|at| kept[at] = true);
        }
        // How far positive units are ahead of negative ones in what is taken up.
        let add = |sum: &mut i64, worth: &i64| {
            *sum += worth;
            Some(*sum)
        };
        let up_to: Vec<i64> = worth.iter().scan(0, add).collect();
        let all = up_to.last().copied().unwrap_or(0);
        let ahead = |turn: &Turn| match comparison {
            Comparison::AtMost => up_to[turn.last],
            _ => all - up_to[turn.last] + worth[turn.last],
        };
        if let Some(best) = (0..turns.len()).max_by_key(|at| (ahead(&turns[*at]), std::cmp::Reverse(*at))) {
            kept[best] = true;
        }
        let mut at = 0;
        turns.retain(|_| {
            at += 1;
            kept[at - 1]
        });
    }
}

/// A turn: the last group that the cut takes up, and the first that it does not.
struct Turn {
    last: usize,
    beyond: Option<usize>,
}
