//! Why columns need not be generated: one theorem in each file, with its statement, why it holds, where it comes from, a test
//! against brute force, and a mutation of the code that the test was seen to catch.
//!
//! Write `H` for a hypothesis (a set of rules), `r`, `s` for rules, `P_r` and `N_r` for the positives and negatives that `r`
//! covers, `w` for the weight of a set of examples, and `A·fn + B·fp + C·size` for the cost
//! ([`Objective`](crate::cost::Objective)). A *branch* is a set of rules not looked at yet of which it is known that each
//! covers only positives of some set `P` and has at least `m` literals, its head included; a theorem that speaks of a
//! branch spares the miner all of it.
//!
//! **Together.** Most of the theorems turn a hypothesis into one that costs no more and is strictly smaller in size or in
//! number of rules with larger members, so applying them together still leaves an optimum: take, among all optima, one of
//! least total size and then of most coverage; none of its rules can be pruned by a strict improvement, and where a
//! replacement is only as good as the original, the replacement is an optimum found elsewhere. [`rule_limits`], [`residual`]
//! and [`reduced_cost`] speak of hypotheses better than the incumbent that are made of rules which no other theorem leaves
//! out, so it is no loss that only rules which were found count.
//!
//! **Every optimum.** To list all of them, each argument is used only where the replacement is strictly better, which no
//! optimum survives ([`Seek::All`](super::Seek)).

pub mod core_packing;
pub mod core_prices;
pub mod costed_residual;
pub mod dominance;
pub mod improvement;
pub mod level_bound;
pub mod reduced_cost;
pub mod residual;
pub mod rule_limits;
pub mod support;
