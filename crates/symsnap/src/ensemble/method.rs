//! How a pool becomes an ensemble: which members, with which weights.

use super::{LogLikelihood, Paper};
use crate::snapshot::{Snapshot, SnapshotPool, Variant};
use std::fmt::Debug;

/// A way to choose and weigh the members of a pool. It depends on nothing but the pool, so that the same pool gives
/// the same ensemble.
pub trait Method: Debug + Send + Sync {
    /// The name that the command line and model files use.
    fn name(&self) -> &'static str;

    /// Its settings, by name, for the record.
    fn settings(&self) -> Vec<(&'static str, f64)>;

    /// The members that vote, in the order of the pool, with weights that sum to 1. Nobody votes for an empty pool.
    fn fit<'p>(&self, pool: &'p SnapshotPool) -> Vec<(&'p Snapshot, f64)>;
}

/// All methods with their default settings.
pub static METHODS: [&dyn Method; 3] = [&Paper::DEFAULT, &Single, &LogLikelihood::DEFAULT];

/// The method with that name, with its default settings.
pub fn method_named(name: &str) -> Option<&'static dyn Method> {
    METHODS.into_iter().find(|method| method.name() == name)
}

/// The published method: all snapshots, weighted by coverage and description length.
impl Method for Paper {
    fn name(&self) -> &'static str {
        "paper"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        vec![("alpha", self.alpha), ("beta", self.beta)]
    }

    fn fit<'p>(&self, pool: &'p SnapshotPool) -> Vec<(&'p Snapshot, f64)> {
        let members = pool.members();
        let figures: Vec<_> = members.iter().map(|member| (*member.confusion(), member.candidate.size)).collect();
        members.iter().zip(self.weights(&figures)).collect()
    }
}

/// The first of the best snapshots alone: the paper's baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Single;

impl Method for Single {
    fn name(&self) -> &'static str {
        "single"
    }

    fn settings(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    fn fit<'p>(&self, pool: &'p SnapshotPool) -> Vec<(&'p Snapshot, f64)> {
        pool.select(Variant::Baseline).into_iter().map(|member| (member, 1.0)).collect()
    }
}
