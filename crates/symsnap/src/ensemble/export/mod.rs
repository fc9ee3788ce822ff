//! A model as a program for other systems: Prolog, and SQL for databases.
//!
//! What is written says the same about every atom as [`Predictor::predict`](super::Predictor::predict) does; tests run
//! the real engines and compare. Weights are written so that they read back bit for bit. Where a system cannot say what
//! the model says (recursion in the SQL that all databases share, background rules that compute), the export is
//! refused with the reason.

mod exported;
mod exports;
mod prolog;
mod shared;
mod sql;

pub use exported::Exported;
pub use exports::{EXPORTS, Export, export_named};
