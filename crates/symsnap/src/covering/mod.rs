//! Which set of rules is best, given only what each rule covers, and which rules need not be looked for?
//!
//! Learning is column generation for a covering problem. A *column* is a rule of which nothing is known here but its size
//! and the examples it covers; a hypothesis is a set of columns, and what it costs is the positive-negative partial set
//! cover problem with weights (Miettinen 2008). [`mine`](crate::mine) generates columns, smallest first. This room answers
//! two kinds of questions about them.
//!
//! *Which set is best?* [`Problem`] holds the columns over weighted examples, and the cost to minimise:
//! - a good set at once and a better one later: [`LocalSearch`] (greedy starts and a tabu walk, warm as columns arrive);
//! - a lower bound that rises until it meets the best set, which is then proved optimal: [`prove`];
//! - all sets that cost as little as that one: [`prove_and_list`], or [`all_of_cost`] where the optimum
//!   is known; without a proof those nearby: [`as_good`].
//!
//! *Which columns need not be generated?* Those that no set better than the best so far has: [`theorems`] has an argument
//! in each file, [`ColumnPool`] keeps what they need of the columns there are, and a [`Pruner`] is what they say, given the best
//! set.
//!
//! **Why two solvers.** The problem is weighted set covering with penalties, and the hard part is the proof. Columns share
//! the negatives they cover, so the linear relaxation of the clauses spreads one negative thinly over many columns and stays
//! at a fifth to a half of the optimum. Core-guided MaxSAT does better, because a core speaks of exactly the few positives and
//! columns that conflict; so does a linear program whose rows are such cores. So: reduce by dominance, take the incumbent of
//! the local search as upper bound, and raise the lower bound by both in turns: search where the optimum is small, the
//! program where it is large.
//!
//! This room knows neither literals nor tasks, and does not decide in which order columns are generated or how long that
//! may take.

mod basis;
mod certificate;
mod columns;
mod compact;
mod core_guided;
mod core_lp;
mod core_pricing;
mod core_rows;
mod diverse;
mod exact;
mod local;
mod lu;
#[cfg(test)]
mod oracle;
mod packing;
mod problem;
mod pruner;
mod rates;
mod reduce;
mod sat;
mod selection;
pub mod theorems;
mod ties;
mod totalizer;
mod witnesses;

pub use certificate::{Fate, PackingCertificate, certify};
pub use columns::ColumnPool;
pub use diverse::diverse;
pub use exact::{ProofOutcome, prove, prove_and_list};
pub use local::LocalSearch;
pub use problem::{ColumnId, Problem, Solution};
pub use pruner::Pruner;
pub use rates::Seek;
pub use ties::{Extent, Listing, Optima, all_of_cost, as_good};
pub use witnesses::Witnesses;
