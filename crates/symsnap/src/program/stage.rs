//! Base rules of one total size, and the rules that are grown for them.
//!
//! A **unit** is what a rule is tested with: a class of base rules or, where a program may have several base rules, a
//! set of classes. Tests tell for each unit what follows from the rule and the unit.

use super::bases::{Bases, ClassIx};
use super::bits::{has, ones, set, words_for};
use super::goals::ExampleCall;
use super::growth::Growth;
use crate::index::index_type;
use std::ops::{Index, IndexMut};

/// Sets of classes, at most: others are left out, and the search is not complete. Each is a bit of every answer of a
/// fixpoint, so 20,000 make an answer of 2.5 kB.
const MOST_SETS: usize = 20_000;

/// Sets of base classes, for a version of the classes.
#[derive(Debug, Default)]
pub(super) struct Sets {
    /// The classes of each set: first the empty set, then those of the stage's size, then those that wait.
    pub(super) of: Vec<Box<[ClassIx]>>,
    /// The first set that **waits**. It stands for sets of larger rules that no call has told from it so far: of larger
    /// members of its classes, or with further rules that have answered nothing or just what its classes have. They make the
    /// same calls until one tells them apart, so that this call is met where the smaller set is run.
    first_waiting: usize,
    version: Option<u32>,
    /// How many classes a set may have.
    most: usize,
    /// Whether there are sets that wait: a search that proves nothing does without.
    waiting: bool,
}

impl Sets {
    /// The units that follow from these classes.
    pub(super) fn units(&self, classes: &[u64], units: &mut Vec<u64>) {
        units.clear();
        units.resize(words_for(self.of.len()), 0);
        for (at, of) in self.of.iter().enumerate() {
            if of.iter().any(|class| has(classes, class.index())) {
                set(units, at);
            }
        }
    }
}

/// Base rules of one total size, and the rules that are grown for them.
pub(super) struct Stage<'t> {
    /// Base rules of up to that size: smaller ones stand for those that are no better.
    pub(super) bases: Bases<'t>,
    pub(super) growth: Growth,
    /// Their total size.
    pub(super) base: usize,
    /// Where units are sets.
    pub(super) sets: Option<Sets>,
    /// The weight of the negatives that each unit covers by itself, for a version of the classes.
    pub(super) harm: Vec<u64>,
    harm_version: Option<u32>,
    truncated: bool,
    /// Whether rules are wanted that cover any positive, because others may cover the rest.
    pub(super) relaxed: bool,
}

impl<'t> Stage<'t> {
    /// A stage for base rules of total size `base`: single ones, or sets of two to `most`, and those that wait if `waiting`.
    pub(super) fn new(bases: Bases<'t>, base: usize, most: usize, waiting: bool, growth: Growth) -> Self {
        let sets = (most > 1).then(|| Sets { most, waiting, ..Sets::default() });
        Stage { bases, growth, base, sets, harm: Vec::new(), harm_version: None, truncated: false, relaxed: false }
    }

    /// Whether base rules or sets of them have been left out.
    fn truncated(&self) -> bool {
        self.truncated || self.bases.truncated
    }

    /// How many units there are.
    pub(super) fn units(&self) -> usize {
        self.sets.as_ref().map_or(self.bases.class_count(), |sets| sets.of.len())
    }

    /// Whether the unit has the size of the stage.
    pub(super) fn has_size(&self, unit: usize) -> bool {
        match &self.sets {
            Some(sets) => unit < sets.first_waiting,
            None => self.bases.size(ClassIx::new(unit)) == Some(self.base),
        }
    }

    /// Whether the unit holds rules of the size of the stage, though smaller ones may stand for them.
    pub(super) fn holds_size(&self, unit: usize) -> bool {
        self.sets.is_some() || self.bases.largest(ClassIx::new(unit)) == Some(self.base)
    }

    /// The classes of a unit.
    pub(super) fn classes(&self, unit: usize) -> Vec<ClassIx> {
        self.sets.as_ref().map_or_else(|| vec![ClassIx::new(unit)], |sets| sets.of[unit].to_vec())
    }

    /// Make the sets anew if classes have changed; whether they have.
    pub(super) fn renew(&mut self) -> bool {
        let Some(sets) = &mut self.sets else { return false };
        if sets.version == Some(self.bases.version()) {
            return false;
        }
        sets.version = Some(self.bases.version());
        sets.of.clear();
        // The first set is empty, as the first class is: it stands for rules that have answered nothing yet.
        sets.of.push(Box::new([]));
        let classes: Vec<SizedClass> = (0..self.bases.class_count())
            .map(ClassIx::new)
            .filter_map(|ix| Some(SizedClass { ix, least: self.bases.size(ix)?, most: self.bases.largest(ix)? }))
            .collect();
        let of_size = |chosen: &[SizedClass]| chosen.len() > 1 && least(chosen) == self.base;
        fill(&classes, sets.most, self.base, &mut Vec::new(), &of_size, &mut sets.of);
        sets.first_waiting = sets.of.len();
        if sets.waiting {
            let most = sets.most;
            let waits = |chosen: &[SizedClass]| {
                let largest: usize = chosen.iter().map(|class| class.most).sum();
                let room = chosen.len() < most && least(chosen) + SMALLEST_BASE <= self.base;
                room || least(chosen) < self.base && largest >= self.base
            };
            fill(&classes, sets.most, self.base, &mut Vec::new(), &waits, &mut sets.of);
        }
        self.truncated |= sets.of.len() == MOST_SETS;
        true
    }

    /// How many negatives, by weight, each unit covers by itself.
    pub(super) fn weigh(&mut self, neg: &[ExampleCall]) {
        if self.harm_version == Some(self.bases.version()) {
            return;
        }
        self.harm_version = Some(self.bases.version());
        self.harm = vec![0; self.units()];
        let mut units = Vec::new();
        for &ExampleCall { call, weight } in neg {
            for at in 0..self.bases.answers(call) {
                let classes = self.bases.answer(call, at).1;
                match &self.sets {
                    Some(sets) => sets.units(classes, &mut units),
                    None => {
                        units.clear();
                        units.extend_from_slice(classes);
                    }
                }
                ones(&units).for_each(|unit| self.harm[unit] += weight);
            }
        }
    }
}

index_type! {
    /// A stage, in the order in which they were begun.
    pub(super) struct StageIx;
}

/// The stages that have begun. What they have listed and whether they have left something out is known also when they
/// are gone.
#[derive(Default)]
pub(super) struct Stages<'t> {
    stages: Vec<Stage<'t>>,
    listed: u64,
    truncated: bool,
}

impl<'t> Stages<'t> {
    pub(super) fn push(&mut self, stage: Stage<'t>) {
        self.stages.push(stage);
    }

    /// Whether there is a stage with that number yet.
    pub(super) fn has(&self, at: StageIx) -> bool {
        at.index() < self.stages.len()
    }

    /// All of them, with their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (StageIx, &Stage<'t>)> {
        self.stages.iter().enumerate().map(|(at, stage)| (StageIx::new(at), stage))
    }

    /// From now on let each list no more than `most` other base rules.
    pub(super) fn allow(&mut self, most: u64) {
        self.stages.iter_mut().for_each(|stage| stage.bases.allow(most));
    }

    /// How many base rules have been listed.
    pub(super) fn listed(&self) -> u64 {
        self.listed + self.stages.iter().map(|stage| stage.bases.tests).sum::<u64>()
    }

    /// Whether base rules or sets of them have been left out.
    pub(super) fn truncated(&self) -> bool {
        self.truncated || self.stages.iter().any(Stage::truncated)
    }

    /// End all stages.
    pub(super) fn clear(&mut self) {
        *self = Stages { stages: Vec::new(), listed: self.listed(), truncated: self.truncated() };
    }
}

impl<'t> Index<StageIx> for Stages<'t> {
    type Output = Stage<'t>;

    fn index(&self, at: StageIx) -> &Stage<'t> {
        &self.stages[at.index()]
    }
}

impl<'t> IndexMut<StageIx> for Stages<'t> {
    fn index_mut(&mut self, at: StageIx) -> &mut Stage<'t> {
        &mut self.stages[at.index()]
    }
}

/// A class with the sizes of its smallest and its largest rule.
#[derive(Debug, Clone, Copy)]
struct SizedClass {
    ix: ClassIx,
    least: usize,
    most: usize,
}

/// The size of the smallest base rules: a head and a literal.
const SMALLEST_BASE: usize = 2;

/// The total size of the smallest rules of classes.
fn least(classes: &[SizedClass]) -> usize {
    classes.iter().map(|class| class.least).sum()
}

/// Add all sets of one to `most` classes, of total size `left` at most, that are `wanted`.
fn fill(
    classes: &[SizedClass],
    most: usize,
    left: usize,
    chosen: &mut Vec<SizedClass>,
    wanted: &impl Fn(&[SizedClass]) -> bool,
    sets: &mut Vec<Box<[ClassIx]>>,
) {
    if !chosen.is_empty() && wanted(chosen) && sets.len() < MOST_SETS {
        sets.push(chosen.iter().map(|class| class.ix).collect());
    }
    if left == 0 || chosen.len() == most || sets.len() == MOST_SETS {
        return;
    }
    for (at, &class) in classes.iter().enumerate() {
        if class.least <= left {
            chosen.push(class);
            fill(&classes[at + 1..], most, left - class.least, chosen, wanted, sets);
            chosen.pop();
        }
    }
}
