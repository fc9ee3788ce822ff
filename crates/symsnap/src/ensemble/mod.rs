//! Phases 2 and 3 of the paper: weights for the members of a pool, and their vote.

mod weights;

pub use weights::{Paper, vote};
