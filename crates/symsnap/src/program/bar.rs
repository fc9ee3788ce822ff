//! What a program must reach to be better than the best hypothesis so far.
//!
//! All three costs grow with false negatives, false positives and size, so lower bounds on the three give a lower bound
//! on the cost, and whatever cannot stay below the best is left out.

use crate::cost::{Confusion, Cost, CostValue};

/// The best hypothesis so far, as a bar.
#[derive(Debug, Clone)]
pub(super) struct Bar {
    cost: Cost,
    best: CostValue,
}

impl Bar {
    pub(super) fn new(cost: Cost, best: &CostValue) -> Self {
        Bar { cost, best: best.clone() }
    }

    /// The cost of a program with these figures.
    pub(super) fn value(&self, fn_: u64, fp: u64, size: usize) -> CostValue {
        self.cost.value(&Confusion { tp: 0, fn_, tn: 0, fp }, size)
    }

    /// Whether such a program would be better than the best.
    pub(super) fn beaten_by(&self, fn_: u64, fp: u64, size: usize) -> bool {
        self.value(fn_, fp, size) < self.best
    }

    /// Whether such a program would be at most as costly as the best.
    pub(super) fn met_by(&self, fn_: u64, fp: u64, size: usize) -> bool {
        self.value(fn_, fp, size) <= self.best
    }

    /// The largest weight of positives that a program of this size may miss and be better than the best.
    pub(super) fn most_missed(&self, size: usize) -> Option<u64> {
        let best = &self.best.0;
        let size = size as u64;
        match self.cost {
            Cost::Mdl => best[0].checked_sub(size + 1),
            Cost::ErrorSize if size < best[1] => Some(best[0]),
            Cost::LexFnSize if best[1] > 0 || size < best[2] => Some(best[0]),
            Cost::ErrorSize | Cost::LexFnSize => best[0].checked_sub(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_missed_is_the_last_number_that_is_still_better() {
        for cost in Cost::ALL {
            for seed in 0..400u64 {
                let best =
                    cost.value(&Confusion { tp: 0, fn_: seed % 5, tn: 0, fp: seed / 5 % 4 }, (seed / 20) as usize);
                let bar = Bar::new(cost, &best);
                for size in 0..12 {
                    let expected = (0..100).take_while(|&fn_| bar.beaten_by(fn_, 0, size)).last();
                    assert_eq!(bar.most_missed(size), expected, "{best} under {} at size {size}", cost.name());
                }
            }
        }
    }
}
