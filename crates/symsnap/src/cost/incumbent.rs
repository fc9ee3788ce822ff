//! The best hypothesis so far, and what could be better.
//!
//! Every cost grows with false negatives, false positives and size, so lower bounds on the three give a lower bound on the
//! cost, and whatever cannot stay below the incumbent is left out.

use super::costs::CostValue;
use super::objective::Objective;

/// The cost of the best hypothesis so far.
#[derive(Debug, Clone, Copy)]
pub struct Incumbent {
    objective: Objective,
    number: i128,
}

impl Incumbent {
    /// The hypothesis that costs `best` is the incumbent.
    pub fn new(objective: Objective, best: &CostValue) -> Self {
        Incumbent { objective, number: objective.number_of(best) }
    }

    /// The cost of a hypothesis with these errors and this size.
    pub fn value(&self, fn_: u64, fp: u64, size: usize) -> CostValue {
        self.objective.value(self.objective.number(fn_, fp, size as u64))
    }

    /// Whether a hypothesis with these errors and this size would be better than the incumbent.
    pub fn is_beaten_by(&self, fn_: u64, fp: u64, size: usize) -> bool {
        self.objective.number(fn_, fp, size as u64) < self.number
    }

    /// Whether a hypothesis with these errors and this size would cost at most as much as the incumbent.
    pub fn is_met_by(&self, fn_: u64, fp: u64, size: usize) -> bool {
        self.objective.number(fn_, fp, size as u64) <= self.number
    }

    /// The largest weight of positives that something of this size may miss and be better than the incumbent; `None` if
    /// it may miss none.
    pub fn most_missed(&self, size: usize) -> Option<u64> {
        let left = self.number - 1 - self.objective.number(0, 0, size as u64);
        (left >= 0).then(|| u64::try_from(left / self.objective.fn_).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Confusion, Cost};
    use super::*;

    #[test]
    fn most_missed_is_the_last_number_that_is_still_better() {
        for cost in Cost::ALL {
            for seed in 0..400u64 {
                let best =
                    cost.value(&Confusion { tp: 0, fn_: seed % 5, tn: 0, fp: seed / 5 % 4 }, (seed / 20) as usize);
                let objective = Objective::new(cost, 200, 200).expect("small weights fit");
                let incumbent = Incumbent::new(objective, &best);
                for size in 0..12 {
                    let expected = (0..100).take_while(|&fn_| incumbent.is_beaten_by(fn_, 0, size)).last();
                    assert_eq!(incumbent.most_missed(size), expected, "{best} under {} at size {size}", cost.name());
                }
            }
        }
    }
}
