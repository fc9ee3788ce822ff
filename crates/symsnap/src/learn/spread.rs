//! Which of the rules found to hand over: a few thousand that together offer several ways to cover each positive.
//!
//! Ensembles are made of hypotheses that differ, and those are made of rules that the best hypothesis does without. A run
//! may have found a million of them, so they are taken by worth (covered positives less covered negatives and
//! literals), passing over a rule of which every positive has its ways already.
//!
//! *Rejected*: the most worthy rules alone, which are near copies of each other and leave hard positives uncovered.

use super::rules::Rules;
use crate::covering::ColumnId;
use std::cmp::Reverse;

/// So many ways to cover a positive are enough.
const WAYS: u16 = 64;

/// At most `cap` rules, the most worthy first.
pub(super) fn spread(rules: &Rules, cap: usize) -> Vec<ColumnId> {
    let weights = rules.problem().weights();
    let worth = |id: ColumnId| {
        let found = rules.get(id);
        let (pos, neg) = (weights.pos.of(found.cover.pos().words()), weights.neg.of(found.cover.neg().words()));
        i128::from(pos) - i128::from(neg) - i128::from(found.size)
    };
    let mut order: Vec<(Reverse<i128>, ColumnId)> = rules.problem().ids().map(|id| (Reverse(worth(id)), id)).collect();
    order.sort_unstable();
    let mut ways = vec![0u16; rules.problem().sides().positives()];
    let mut chosen = Vec::new();
    for (_, id) in order {
        if chosen.len() >= cap {
            break;
        }
        let pos = rules.get(id).cover.pos();
        if pos.iter().any(|at| ways[at] < WAYS) {
            pos.iter().for_each(|at| ways[at] = ways[at].saturating_add(1));
            chosen.push(id);
        }
    }
    chosen
}
