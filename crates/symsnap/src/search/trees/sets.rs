//! Sets of values by head tuple, as bits: what a variable can be, for each tuple of the head variables that the literals
//! around it mention.

use super::kind::Kind;
use crate::random::{STEP, spread};
use crate::search::Context;
use crate::search::heads::Heads;
use std::sync::Arc;

/// For each tuple of some head variables a set of values of one [`Kind`]; tuples with the empty set are left out.
#[derive(Debug)]
pub struct Sets {
    /// The head variables.
    pub mask: u64,
    /// The tuples, ascending.
    slots: Box<[u32]>,
    /// Their sets, one after the other.
    words: Box<[u64]>,
    /// The place of each tuple in `slots`, or [`NONE`]; not needed if all are there.
    places: Option<Box<[u32]>>,
}

const NONE: u32 = u32::MAX;

impl Sets {
    /// Whether all sets are empty.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        self.slots.len() * 4 + self.words.len() * 8 + self.places.as_ref().map_or(0, |places| places.len() * 4)
    }

    #[inline]
    fn place(&self, tuple: u32) -> Option<usize> {
        match &self.places {
            None => Some(tuple as usize),
            Some(places) => Some(places[tuple as usize]).filter(|&place| place != NONE).map(|place| place as usize),
        }
    }

    /// The set of a tuple; `width` is the kind's. `None` if it is empty.
    #[inline]
    pub fn of(&self, tuple: u32, width: usize) -> Option<&[u64]> {
        self.place(tuple).map(|place| &self.words[place * width..(place + 1) * width])
    }

    /// A digest, equal for equal sets and different for others but for a negligible probability.
    pub fn digest(&self) -> u128 {
        digest(self.mask, &self.slots, &self.words)
    }

    /// Set in `cover` the examples whose tuple has a set that is not empty.
    pub fn cover(&self, context: &Context<'_>, cover: &mut [u64]) {
        let heads = context.heads.get(&context.layout, self.mask);
        for &tuple in &self.slots {
            heads.examples(tuple as usize).iter().for_each(|&example| context.layout.set(cover, example as usize));
        }
    }
}

/// Sets under construction, tuple by tuple in ascending order.
#[derive(Debug, Default)]
pub struct Growing {
    /// The head variables.
    pub mask: u64,
    slots: Vec<u32>,
    words: Vec<u64>,
}

impl Growing {
    /// No sets yet, by tuples of these head variables.
    pub fn new(mask: u64) -> Self {
        Growing { mask, ..Growing::default() }
    }

    /// Begin anew.
    pub fn clear(&mut self, mask: u64) {
        self.mask = mask;
        self.slots.clear();
        self.words.clear();
    }

    /// Add the set of the next tuple, unless it is empty.
    #[inline]
    pub fn push(&mut self, tuple: u32, words: &[u64]) {
        if words.iter().any(|&word| word != 0) {
            self.slots.push(tuple);
            self.words.extend_from_slice(words);
        }
    }

    /// A digest as of [`Sets`].
    pub fn digest(&self) -> u128 {
        digest(self.mask, &self.slots, &self.words)
    }

    /// The sets. `tuples` is how many tuples there are.
    pub fn finish(self, tuples: usize) -> Sets {
        let places = (self.slots.len() < tuples).then(|| {
            let mut places = vec![NONE; tuples];
            self.slots.iter().enumerate().for_each(|(place, &tuple)| places[tuple as usize] = place as u32);
            places.into_boxed_slice()
        });
        Sets { mask: self.mask, slots: self.slots.into(), words: self.words.into(), places }
    }
}

fn digest(mask: u64, slots: &[u32], words: &[u64]) -> u128 {
    let (mut low, mut high) = (spread(mask ^ STEP), slots.len() as u64);
    let mut mix = |value: u64| {
        low = (low.rotate_left(5) ^ value).wrapping_mul(STEP);
        high = (high.rotate_left(23) ^ value).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    };
    slots.iter().for_each(|&slot| mix(u64::from(slot)));
    words.iter().for_each(|&word| mix(word));
    u128::from(spread(high)) << 64 | u128::from(spread(low))
}

/// Intersections of sets, with the examples that are left.
#[derive(Debug)]
pub struct Meeting {
    /// What is common.
    pub sets: Growing,
    /// The examples whose tuple has something in common.
    pub cover: Vec<u64>,
}

impl Meeting {
    /// Nothing yet.
    pub fn new(context: &Context<'_>) -> Self {
        Meeting { sets: Growing::new(0), cover: vec![0; context.layout.words()] }
    }

    /// Intersect `a` and `b`. `worth` is asked once the positives are known; `false` if it said no, or if a negative is
    /// covered and `clean` rules are sought: then the result is incomplete.
    pub fn meet(
        &mut self,
        a: &Sets,
        b: &Sets,
        kind: &Kind,
        context: &Context<'_>,
        clean: bool,
        worth: impl Fn(&[u64]) -> bool,
    ) -> bool {
        let mask = a.mask | b.mask;
        let heads = context.heads.get(&context.layout, mask);
        let of_b = (b.mask != mask).then(|| context.heads.coarser(&context.layout, mask, b.mask));
        self.sets.clear(mask);
        self.cover.fill(0);
        let (border, end) = (heads.with_positives() as u32, heads.len() as u32);
        if a.mask == mask {
            let middle = a.slots.partition_point(|&tuple| tuple < border);
            let pairs = |range: std::ops::Range<usize>| range.map(|place| (a.slots[place], place));
            self.scan(pairs(0..middle), a, b, of_b.as_deref(), kind, &heads, context, false)
                && worth(&self.cover)
                && self.scan(pairs(middle..a.slots.len()), a, b, of_b.as_deref(), kind, &heads, context, clean)
        } else {
            let of_a = context.heads.coarser(&context.layout, mask, a.mask);
            let pairs = |range: std::ops::Range<u32>| {
                range.filter_map(|tuple| a.place(of_a[tuple as usize]).map(|place| (tuple, place)))
            };
            self.scan(pairs(0..border), a, b, of_b.as_deref(), kind, &heads, context, false)
                && worth(&self.cover)
                && self.scan(pairs(border..end), a, b, of_b.as_deref(), kind, &heads, context, clean)
        }
    }

    /// The same without questions.
    pub fn all(&mut self, a: &Sets, b: &Sets, kind: &Kind, context: &Context<'_>) {
        self.meet(a, b, kind, context, false, |_| true);
    }

    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn scan(
        &mut self,
        pairs: impl Iterator<Item = (u32, usize)>,
        a: &Sets,
        b: &Sets,
        of_b: Option<&[u32]>,
        kind: &Kind,
        heads: &Arc<Heads>,
        context: &Context<'_>,
        clean: bool,
    ) -> bool {
        let width = kind.width();
        for (tuple, place) in pairs {
            let Some(other) = b.of(of_b.map_or(tuple, |of_b| of_b[tuple as usize]), width) else { continue };
            let one = &a.words[place * width..(place + 1) * width];
            let start = self.sets.words.len();
            let mut any = 0;
            self.sets.words.extend(one.iter().zip(other).map(|(a, b)| {
                any |= a & b;
                a & b
            }));
            if any == 0 {
                self.sets.words.truncate(start);
                continue;
            }
            if clean && heads.has_negative(tuple as usize, &context.layout) {
                return false;
            }
            self.sets.slots.push(tuple);
            for &example in heads.examples(tuple as usize) {
                context.layout.set(&mut self.cover, example as usize);
            }
        }
        true
    }
}
