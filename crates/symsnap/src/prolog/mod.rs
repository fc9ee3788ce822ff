//! The embedded evaluator for background rules: a small Prolog, sandboxed by construction and limited in steps, depth
//! and memory.
//!
//! It runs what a materialised database cannot hold: rules over lists and numbers, cuts, negation, `findall`, the list
//! library. There is no built-in that reads or writes a file, starts a process, looks at a clock or throws dice, so no
//! program can. It is not a full Prolog: no streams, no assertions, no exceptions, no attributed variables, no big
//! integers; calling one of those is a [`Fault`] that says so.
//!
//! Meaning follows SWI-Prolog 9 on everything it supports. Tabled predicates and hypotheses are evaluated to the least
//! Herbrand model.
//!
//! | file | what it does |
//! |---|---|
//! | `limits` | limits and faults |
//! | `store`, `unify`, `order`, `copy` | terms on the heap |
//! | `code`, `load`, `procedure`, `facts` | clauses and facts, compiled and indexed |
//! | `machine`, `candidates`, `control`, `collect`, `tabling` | the solver |
//! | `arithmetic`, `builtins`, `library.pl` | the predicates |

mod arithmetic;
mod builtins;
mod candidates;
mod catching;
mod code;
mod collect;
mod control;
mod copy;
mod engine;
mod facts;
mod functions;
mod hyperbolic;
mod known;
#[cfg(test)]
mod least_model;
mod limits;
mod load;
mod machine;
mod number;
mod order;
mod procedure;
mod raise;
mod store;
mod tabling;
#[cfg(test)]
mod tests;
mod unify;

pub use engine::{Engine, Solutions};
pub use known::BuiltIns;
pub use limits::{Fault, Limits};
pub use procedure::Standing;
