//! What makes a hypothesis good: its confusion with the examples, its size, and a cost made of them.
//!
//! All numbers are whole. A lexicographic cost is a tuple compared from the left; [`CostValue`] is that tuple, and
//! [`Objective`] turns it into one number that algorithms minimise. [`Incumbent`] asks whether something can be better than
//! the best so far.
//!
//! **To add a cost**, add a row to the table in `costs.rs` (and say in docs/ what it is for). Nothing else matches on costs.

mod confusion;
mod costs;
mod incumbent;
mod objective;

pub use confusion::{Confusion, mdl};
pub use costs::{Cost, CostValue};
pub use incumbent::Incumbent;
pub use objective::{Objective, SIZE_LIMIT};
