//! Which set of rules is best, given only what each rule covers?
//!
//! [`Problem`] holds the candidates: a size and the covered positives and negatives of each, over weighted examples, and
//! the cost to minimise. Three things can be asked of it:
//! - a good set at once and a better one later: [`LocalSearch`] (greedy starts and a tabu walk, warm as rules arrive);
//! - a lower bound that rises until it meets the best set, which is then proved optimal: [`prove`];
//! - all sets that cost as little as that one: [`prove_and_list`], or [`all_of_cost`] where the optimum
//!   is known; without a proof those nearby: [`as_good`].
//!
//! **Why core-guided.** The problem is weighted set covering with penalties, and the hard part is the proof. Rules share
//! the negatives they cover, so the linear relaxation spreads one negative thinly over many rules and stays at a third
//! of the optimum; integer programming then needs a minute where core-guided MaxSAT needs a second, because a core
//! speaks of exactly the few positives and rules that conflict. So: reduce by dominance, take the incumbent of the local
//! search as upper bound, and raise the lower bound core by core on a SAT solver in pure Rust.
//! The bound holds at any moment, so it also serves for a relaxed problem in which unexplored branches of a search stand
//! as optimistic candidates (their parent's positives, no negatives, the smallest size): add them and ask for the
//! bound.
//!
//! This room knows neither rules nor tasks, and does not decide which rules to try; that is `search`.

mod core_guided;
mod cover;
mod exact;
mod local;
mod planes;
mod problem;
mod reduce;
mod sat;
mod ties;
mod totalizer;
#[cfg(test)]
mod twin;

pub use exact::{Outcome, prove, prove_and_list};
pub use local::LocalSearch;
pub use problem::{CandidateId, Problem, Solution};
pub use ties::{Extent, Listing, Optima, all_of_cost, as_good};
