//! Why columns need not be generated: one theorem in each file.

pub mod reduced_cost;
pub mod residual;
pub mod rule_limits;
