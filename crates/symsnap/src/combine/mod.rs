//! Which set of rules is best, given only what each rule covers?
//!
//! [`Problem`] holds the candidates; [`LocalSearch`] gives a good set at any time and a better one later.
//!
//! This room knows neither rules nor tasks: a candidate is a size and two bitsets. It does not decide which rules to
//! try; that is `search`.

mod cover;
mod local;
mod planes;
mod problem;
#[cfg(test)]
mod twin;

pub use local::LocalSearch;
pub use problem::{CandidateId, Problem, Solution};
