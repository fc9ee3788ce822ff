//! **Rule limits.** A rule that costs too much by itself is in no hypothesis that is good enough.
//!
//! *Statement.* Let positives of the weight `u` stay uncovered by every hypothesis worth considering. If
//! `A·u + B·fp(s) + C·size(s)` is more than `target`, no hypothesis that costs at most `target` has the rule `s`.
//!
//! *Proof.* A hypothesis with `s` has at least the false positives and literals of `s`, and misses at least `u`.
//!
//! *What is used* says the same of the costs there are, level by level: as long as the levels before leave no room, what is left
//! is a limit on false positives, on size, or on their sum; and a rule that uses up the limit on false positives leaves no
//! room before the next level, so its size has the limit of that. A limit of no false positives says that only *consistent*
//! rules, which cover no negative, are left.
//!
//! *Source.* Cost-based pruning by the incumbent, as in any branch and bound.
//!
//! *Mutation that the test below catches*: going on to the next level though the last one left room for false positives
//! ("sound").

use crate::cost::{Cost, CostValue};

/// Limits on single rules: those beyond are in no hypothesis that costs at most the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleLimits {
    fp: u64,
    size: u64,
    /// The largest size of a rule that has as many false positives as there may be.
    size_at_most_fp: u64,
    /// What a false positive and a literal count, and the largest sum.
    sum: (u64, u64, u64),
}

impl RuleLimits {
    /// No limits.
    pub const NONE: RuleLimits =
        RuleLimits { fp: u64::MAX, size: u64::MAX, size_at_most_fp: u64::MAX, sum: (1, 1, u64::MAX) };

    /// The limits that hypotheses of at most the cost `target` keep, of which every one misses positives of the weight
    /// `unreachable`.
    pub fn new(cost: Cost, target: &CostValue, unreachable: u64) -> Self {
        let mut limits = RuleLimits::NONE;
        let mut levels = cost.levels().iter().zip(&target.0);
        while let Some((level, &most)) = levels.next() {
            let missed = u64::from(level.fn_) * unreachable;
            let left = most.saturating_sub(missed);
            match (u64::from(level.fp), u64::from(level.size)) {
                // Only false negatives count here, and there is room for more than are unreachable.
                (0, 0) if most > missed => break,
                (0, 0) => {}
                (0, size) => limits.size = left / size,
                (fp, 0) => {
                    limits.fp = left / fp;
                    if limits.fp > 0 {
                        let next = levels.next().filter(|_| left % fp == 0);
                        if let Some((next, &most)) = next.filter(|(next, _)| next.fp == 0 && next.size > 0) {
                            let left = most.saturating_sub(u64::from(next.fn_) * unreachable);
                            limits.size_at_most_fp = left / u64::from(next.size);
                        }
                        break;
                    }
                }
                (fp, size) => {
                    limits.sum = (fp, size, left);
                    break;
                }
            }
        }
        limits
    }

    /// Whether a rule is within the limits.
    #[inline]
    pub fn admit(&self, fp: u64, size: u64) -> bool {
        let (of_fp, of_size, most) = self.sum;
        let sum = fp.saturating_mul(of_fp).saturating_add(size.saturating_mul(of_size));
        let within = fp < self.fp || (fp == self.fp && size <= self.size_at_most_fp);
        within && size <= self.size && sum <= most
    }

    /// Whether only rules that cover no negative are within them.
    #[inline]
    pub fn only_consistent(&self) -> bool {
        self.fp == 0
    }

    /// Whether there is a limit on false positives alone: then rules are few that are within it.
    #[inline]
    pub fn bound_errors(&self) -> bool {
        self.fp < u64::MAX
    }

    /// The largest size, false positives aside.
    #[inline]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The largest size of a rule without false positives.
    pub fn largest(&self) -> u64 {
        self.size.min(self.sum.2 / self.sum.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::covering::ColumnId;
    use crate::covering::oracle::{each_set_with, random_problem, rng};

    #[test]
    fn the_rules_of_good_hypotheses_are_within_the_limits() {
        let (mut within, mut beyond) = (0, 0);
        for seed in 0..900 {
            let problem = random_problem(&mut rng(seed), Cost::ALL[seed as usize % 3], 8, 14);
            let reached = problem.evaluate(problem.ids());
            let unreachable = reached.confusion.fn_;
            // Targets that some hypothesis has.
            let targets = (0..4).map(|at| problem.evaluate(problem.ids().filter(|id| id.index() % 4 == at)).value);
            for target in targets {
                let limits = RuleLimits::new(problem.cost(), &target, unreachable);
                for id in problem.ids() {
                    let fp = problem.weights().neg.of(problem.neg(id));
                    let good = |set: &Vec<ColumnId>| problem.evaluate(set.iter().copied()).value <= target;
                    let is_needed = each_set_with(&problem, id).any(|set| good(&set));
                    let admitted = limits.admit(fp, u64::from(problem.size(id)));
                    assert!(admitted || !is_needed, "seed {seed}, {id:?}, {target}: sound");
                    within += u32::from(admitted);
                    beyond += u32::from(!admitted);
                }
            }
        }
        assert!(within > 1_000 && beyond > 1_000, "{within} within, {beyond} beyond");
    }

    #[test]
    fn limits_of_the_three_costs() {
        let limits = |cost: Cost, target: &[u64], unreachable: u64| {
            let RuleLimits { fp, size, sum, .. } = RuleLimits::new(cost, &CostValue(target.to_vec()), unreachable);
            (fp, size, sum.2)
        };
        const MAX: u64 = u64::MAX;
        assert_eq!(limits(Cost::Mdl, &[9], 2), (MAX, MAX, 7));
        assert_eq!(limits(Cost::ErrorSize, &[5, 8], 2), (3, MAX, MAX));
        assert_eq!(limits(Cost::ErrorSize, &[2, 8], 2), (0, 8, MAX));
        assert_eq!(limits(Cost::LexFnSize, &[3, 4, 8], 2), (MAX, MAX, MAX));
        assert_eq!(limits(Cost::LexFnSize, &[2, 4, 8], 2), (4, MAX, MAX));
        assert_eq!(limits(Cost::LexFnSize, &[2, 0, 8], 2), (0, 8, MAX));
    }

    #[test]
    fn a_rule_with_as_many_false_positives_as_there_may_be_is_no_larger_than_the_target() {
        for (cost, target) in [(Cost::ErrorSize, vec![3, 7]), (Cost::LexFnSize, vec![0, 3, 7])] {
            let limits = RuleLimits::new(cost, &CostValue(target), 0);
            assert!(limits.admit(3, 7) && !limits.admit(3, 8), "{}", cost.name());
            assert!(limits.admit(2, 100) && !limits.admit(4, 1), "{}", cost.name());
        }
    }
}
