//! What the samples of [`Resampled`](super::Resampled) minimise.

use crate::cost::Cost;

/// What a sample's best choice minimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BagCost {
    /// What is minimised.
    pub(super) cost: Cost,
    /// How many times the weights of examples count.
    pub(super) example: u32,
    /// How many times literals count.
    pub(super) literal: u32,
    /// How many literals a number or constant counts beside its own.
    pub(super) constant: u32,
}
