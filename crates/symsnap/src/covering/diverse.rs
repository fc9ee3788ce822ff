//! Which of the columns to hand over: a few thousand that together offer several ways to cover each positive.
//!
//! Ensembles are made of hypotheses that differ, and those are made of rules that the best hypothesis does without. A run
//! may have found a million of them, so they are taken by worth (covered positives less covered negatives and
//! literals), passing over a column of which every positive has its ways already.
//!
//! *Rejected*: the most worthy columns alone, which are near copies of each other and leave hard positives uncovered.

use super::problem::{ColumnId, Problem};
use crate::sets::ones;
use std::cmp::Reverse;

/// A column is chosen as long as some positive that it covers is covered by fewer chosen ones than this.
const WAYS: u16 = 64;

/// At most `cap` columns, the most worthy first.
pub fn diverse(problem: &Problem, cap: usize) -> Vec<ColumnId> {
    let weights = problem.weights();
    let worth = |id: ColumnId| {
        let (tp, fp) = (weights.pos.of(problem.pos(id)), weights.neg.of(problem.neg(id)));
        i128::from(tp) - i128::from(fp) - i128::from(problem.size(id))
    };
    let mut order: Vec<(Reverse<i128>, ColumnId)> = problem.ids().map(|id| (Reverse(worth(id)), id)).collect();
    order.sort_unstable();
    let mut ways = vec![0u16; problem.sides().positives()];
    let mut chosen = Vec::new();
    for (_, id) in order {
        if chosen.len() >= cap {
            break;
        }
        if ones(problem.pos(id)).any(|at| ways[at] < WAYS) {
            ones(problem.pos(id)).for_each(|at| ways[at] = ways[at].saturating_add(1));
            chosen.push(id);
        }
    }
    chosen
}
