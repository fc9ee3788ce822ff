//! Anytime inductive logic programming with snapshot ensembles.

pub mod bitset;
pub mod budget;
pub mod combine;
pub mod cost;
pub mod coverage;
pub mod database;
pub mod error;
pub mod logic;
pub mod parse;
pub mod prolog;
pub mod search;
pub mod space;
pub mod task;
