//! Parts and rules as miners hand them on: literals, and the examples that they cover.
//!
//! A *part* is what the literature calls a first-order feature (Lavrač and Flach 2001): literals linked by local variables,
//! true or false of an example. A rule is a conjunction of parts that share no variable but the head's.

use crate::index::index_type;
use crate::language::Lit;
use crate::sets::Cover;

index_type! {
    /// A part that was mined, by number.
    pub struct PartIx;
}

/// The parts that a rule is made of.
pub type Parts = Box<[PartIx]>;

/// A part and what it covers.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its literals.
    pub body: Box<[Lit]>,
    /// Variables, head included.
    pub vars: u8,
    /// The examples it covers.
    pub cover: Cover,
    /// Parts that are satisfied by the same bindings.
    pub twins: Vec<Box<[Lit]>>,
}

/// A rule found: its parts and what it covers.
#[derive(Debug, Clone)]
pub struct MinedRule {
    /// The parts its body is made of.
    pub parts: Parts,
    /// One for the head and one for each literal.
    pub size: u64,
    /// The examples it covers.
    pub cover: Cover,
}
