//! The language of bodies: literals over numbered predicates and variables, small enough to copy, and what can be said of
//! them without testing rules on examples.
//!
//! [`Language`] knows the body predicates of a bias: their types, which literals can be made of them, how these are looked
//! up ([`Access`]), and in which orders a body can be run. [`Membership`] says which bodies are rules of the space,
//! [`key()`] is equal for bodies that are equal up to names and order, and [`body`] puts bodies together. Predicates that are
//! called rather than looked up may answer with some arguments bound and not with fewer; [`calls`] keeps the record, and
//! what stays in doubt is a [`Taint`].

mod access;
pub mod body;
mod body_pred;
mod calls;
mod compared;
mod cut;
mod joint;
mod key;
mod linking;
mod literal;
mod membership;
mod predicates;
mod rationed;
mod reachable;
mod resources;
mod runnable;
mod steadiness;
mod taint;

pub use access::Access;
pub use calls::CallPattern;
pub use cut::{CutPred, between};
pub use joint::JointLookup;
pub use key::key;
pub use literal::{FRESH, Lit, MAX_ARITY, PredNo};
pub use membership::Membership;
pub use predicates::Language;
pub use resources::Resources;
pub use taint::Taint;
