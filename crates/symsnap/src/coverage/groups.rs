//! Examples that agree on the arguments that matter are one example.
//!
//! Part of a rule often sees only some of the head's variables: of 548 pairs of drugs, one column has 37 values, and a
//! part over that column alone need be evaluated 37 times. [`ExampleGroups`] numbers the distinct projections of all examples
//! (positives first, then negatives) on a set of argument positions. Where there are few, each also has the set of its
//! examples, so that a whole group leaves a cover at once.

use crate::database::{Columns, Tuples};
use crate::index::narrow;
use crate::sets::Cover;
use crate::task::Examples;

/// The examples by their values at some argument positions.
#[derive(Debug)]
pub(super) struct ExampleGroups {
    rows: Tuples,
    of: Vec<u32>,
    firsts: Vec<u32>,
    members: Vec<Cover>,
}

/// The most groups whose members are kept as sets, a bit for each example; with more groups, going through the examples
/// one by one is cheaper.
const FEW: usize = 128;

impl ExampleGroups {
    pub(super) fn new(examples: &Examples, positions: Columns) -> Self {
        let positions: Vec<usize> = positions.iter().collect();
        let mut rows = Tuples::new(positions.len());
        let mut row = Vec::with_capacity(positions.len());
        let positives = (0..examples.positives()).map(|at| examples.positive(at));
        let negatives = (0..examples.negatives()).map(|at| examples.negative(at));
        let mut firsts = Vec::new();
        let of: Vec<u32> = positives
            .chain(negatives)
            .enumerate()
            .map(|(at, example)| {
                row.clear();
                row.extend(positions.iter().map(|&at| narrow::<_, u32>(example[at].index())));
                let (group, new) = rows.insert(&row);
                if new {
                    firsts.push(narrow(at));
                }
                group
            })
            .collect();
        let mut members = Vec::new();
        if rows.len() <= FEW && rows.len() * 8 <= of.len() {
            members.resize(rows.len(), Cover::empty(examples.sides()));
            for (at, &group) in of.iter().enumerate() {
                members[group as usize].insert(at);
            }
        }
        ExampleGroups { rows, of, firsts, members }
    }

    /// How many different projections there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The values of a group, in the order of the positions.
    #[inline]
    pub(super) fn values(&self, group: u32) -> &[u32] {
        self.rows.row(group as usize)
    }

    /// The first example of a group.
    pub(super) fn first(&self, group: u32) -> usize {
        self.firsts[group as usize] as usize
    }

    /// The members of each group, if there are few groups and many examples in each.
    pub(super) fn members(&self) -> Option<&[Cover]> {
        (!self.members.is_empty()).then_some(&self.members[..])
    }

    /// The group of each example, positives first.
    #[inline]
    pub(super) fn of(&self) -> &[u32] {
        &self.of
    }
}
