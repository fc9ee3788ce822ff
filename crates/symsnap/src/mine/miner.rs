//! What a miner of parts is: it goes through the levels one after the other and does the work of each in small steps.

use super::context::Context;
use super::feature::Part;
use super::look::Look;

/// What a step found.
#[derive(Debug, Default)]
pub struct Mined {
    /// Parts of as many literals as the level has, with what they cover, in an order that depends on neither threads nor
    /// time.
    pub parts: Vec<Part>,
    /// How many tests that took.
    pub tests: u64,
}

/// Finds all parts of a space that can be needed, by number of literals.
pub trait Miner {
    /// Do the next `batch` pieces of the level's work.
    fn step(&mut self, look: Look<'_>, batch: usize) -> Mined;

    /// Whether all work of the level is done.
    fn level_done(&self) -> bool;

    /// Go on to parts of one literal more.
    fn next_level(&mut self, context: &Context<'_>);

    /// About how many bytes it holds.
    fn bytes(&self) -> usize;
}
