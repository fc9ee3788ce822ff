//! ValueSets of values by head tuple, as bits: what a variable can be, for each tuple of the head variables that the literals
//! around it mention.

use super::domain::{Domain, ValueWord};
use crate::covering::Witnesses;
use crate::index::narrow;
use crate::mine::context::Context;
use crate::mine::heads::{Coarser, Heads};
use crate::random::{STEP, mix};
use crate::sets::Sides;
use std::ops::Range;
use std::sync::Arc;

/// For each tuple of some head variables a set of values of one [`Domain`].
#[derive(Debug)]
pub struct ValueSets {
    /// The head variables.
    pub mask: u64,
    /// The tuples whose sets are not empty, ascending; `None` if the sets of all tuples are held, empty or not.
    slots: Option<Box<[u32]>>,
    /// Where there are many slots: for each 64 tuples which have one, and how many slots come before.
    places: Box<[(u64, u32)]>,
    /// The sets, one after the other.
    words: Box<[ValueWord]>,
    width: usize,
    /// How many are not empty.
    count: usize,
    digest: u128,
}

impl ValueSets {
    /// Whether all sets are empty.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many sets are not empty.
    pub fn count(&self) -> usize {
        self.count
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        size_of::<ValueSets>()
            + self.slots.as_ref().map_or(0, |slots| slots.len() * 4)
            + self.places.len() * size_of::<(u64, u32)>()
            + self.words.len() * size_of::<ValueWord>()
    }

    #[inline]
    fn at(&self, place: usize) -> &[ValueWord] {
        &self.words[place * self.width..(place + 1) * self.width]
    }

    /// The set of an example; `None` if it is not of the form of the head, or has none.
    fn of_example(&self, example: u32, heads: &Heads) -> Option<&[ValueWord]> {
        self.of(heads.of_example(example)?)
    }

    /// The set of a tuple; `None` if it is empty.
    #[inline]
    pub fn of(&self, tuple: u32) -> Option<&[ValueWord]> {
        match &self.slots {
            None => Some(self.at(tuple as usize)).filter(|set| set.iter().any(|&word| word != 0)),
            Some(slots) if self.places.is_empty() => slots.binary_search(&tuple).ok().map(|place| self.at(place)),
            Some(_) => {
                let (word, before) = self.places[tuple as usize / 64];
                let bit = 1u64 << (tuple % 64);
                (word & bit != 0).then(|| self.at(before as usize + (word & (bit - 1)).count_ones() as usize))
            }
        }
    }

    /// Call `visit` with each of the tuples in `range` whose set is not empty, and the set, in ascending order, until it
    /// says `false`; whether it never did.
    #[inline]
    pub fn each(&self, range: Range<u32>, mut visit: impl FnMut(u32, &[ValueWord]) -> bool) -> bool {
        match &self.slots {
            None => range.into_iter().all(|tuple| {
                let set = self.at(tuple as usize);
                set.iter().all(|&word| word == 0) || visit(tuple, set)
            }),
            Some(slots) => {
                let places =
                    slots.partition_point(|&slot| slot < range.start)..slots.partition_point(|&slot| slot < range.end);
                places.into_iter().all(|place| visit(slots[place], self.at(place)))
            }
        }
    }

    /// A digest, equal for equal sets and different for others but for a negligible probability.
    pub fn digest(&self) -> u128 {
        self.digest
    }

    /// The positives whose tuple has a set that is not empty, and the negatives, of which two are enough.
    pub fn covered(&self, context: &Context<'_>) -> Vec<u64> {
        let mut cover = vec![0; context.sides.words()];
        let heads = context.heads.get(self.mask);
        let mut negatives = 0;
        self.each(0..narrow(heads.len()), |tuple, _| {
            if negatives >= 2 && tuple as usize >= heads.with_positives() {
                return false;
            }
            for &example in heads.examples(tuple as usize) {
                if example as usize >= context.sides.positives() {
                    if negatives >= 2 {
                        break;
                    }
                    negatives += 1;
                }
                context.sides.set(&mut cover, example as usize);
            }
            true
        });
        cover
    }
}

/// A digest of numbers, different for different ones but for a negligible probability.
pub fn digest(numbers: impl Iterator<Item = u64>) -> u128 {
    let (mut low, mut high) = (mix(STEP), 0u64);
    numbers.for_each(|number| {
        low = (low.rotate_left(5) ^ number).wrapping_mul(STEP);
        high = (high.rotate_left(23) ^ number).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    });
    u128::from(mix(high)) << 64 | u128::from(mix(low))
}

/// ValueSets under construction, tuple by tuple in ascending order.
#[derive(Debug, Default)]
pub struct GrowingValueSets {
    /// The head variables.
    pub mask: u64,
    slots: Vec<u32>,
    words: Vec<ValueWord>,
}

impl GrowingValueSets {
    /// No sets yet, by tuples of these head variables.
    pub fn new(mask: u64) -> Self {
        GrowingValueSets { mask, ..GrowingValueSets::default() }
    }

    /// Begin anew.
    pub fn clear(&mut self, mask: u64) {
        self.mask = mask;
        self.slots.clear();
        self.words.clear();
    }

    /// Add the set of the next tuple, unless it is empty.
    #[inline]
    pub fn push(&mut self, tuple: u32, words: &[ValueWord]) {
        if words.iter().any(|&word| word != 0) {
            self.slots.push(tuple);
            self.words.extend_from_slice(words);
        }
    }

    /// The positives whose tuple has a set so far or is one of `others`.
    pub fn positives(&self, others: Range<u32>, context: &Context<'_>) -> Vec<u64> {
        let mut cover = vec![0; context.sides.words()];
        let heads = context.heads.get(self.mask);
        for tuple in self.slots.iter().copied().chain(others) {
            let examples = heads.examples(tuple as usize).iter().map(|&example| example as usize);
            examples
                .take_while(|&example| example < context.sides.positives())
                .for_each(|example| context.sides.set(&mut cover, example));
        }
        cover
    }

    /// A digest as of [`ValueSets`].
    pub fn digest(&self) -> u128 {
        let pack =
            |words: &[ValueWord]| words.iter().fold(0, |packed, &word| packed << ValueWord::BITS | u64::from(word));
        let slots = self.slots.iter().map(|&slot| u64::from(slot));
        let words = self.words.chunks((u64::BITS / ValueWord::BITS) as usize).map(pack);
        digest([self.mask, self.slots.len() as u64].into_iter().chain(slots).chain(words))
    }

    /// The sets of a domain. `tuples` is how many tuples there are.
    pub fn finish(self, tuples: usize, domain: &Domain) -> ValueSets {
        let (digest, width, count) = (self.digest(), domain.width(), self.slots.len());
        let mut places = Vec::new();
        let (slots, words): (Option<Box<[u32]>>, Box<[ValueWord]>) = if count * 4 < tuples {
            // At most four times what the slots take.
            if count * 64 >= tuples {
                places.resize(tuples.div_ceil(64), (0u64, 0u32));
                self.slots.iter().for_each(|&slot| places[slot as usize / 64].0 |= 1 << (slot % 64));
                let mut before = 0;
                for (word, rank) in &mut places {
                    *rank = before;
                    before += word.count_ones();
                }
            }
            (Some(self.slots.into()), self.words.into())
        } else if count == tuples {
            (None, self.words.into())
        } else {
            let mut words = vec![0; tuples * width];
            for (&tuple, set) in self.slots.iter().zip(self.words.chunks_exact(width)) {
                words[tuple as usize * width..(tuple as usize + 1) * width].copy_from_slice(set);
            }
            (None, words.into())
        };
        ValueSets { mask: self.mask, slots, places: places.into(), words, width, count, digest }
    }
}

/// Intersections of sets, with the examples that are left.
#[derive(Debug)]
pub struct Intersection {
    /// What is common.
    pub sets: GrowingValueSets,
    /// The examples whose tuple has something in common.
    pub cover: Vec<u64>,
}

impl Intersection {
    /// Nothing yet.
    pub fn new(context: &Context<'_>) -> Self {
        Intersection { sets: GrowingValueSets::new(0), cover: vec![0; context.sides.words()] }
    }

    /// Intersect `a` and `b`. `worth` is asked once the positives are known; `false` if it said no, or if a negative is
    /// covered and rules without any are sought: then the result is incomplete.
    pub fn intersect(
        &mut self,
        a: &ValueSets,
        b: &ValueSets,
        context: &Context<'_>,
        aim: Aim,
        worth: impl Fn(&[u64]) -> bool,
    ) -> bool {
        let mask = a.mask | b.mask;
        self.sets.clear(mask);
        self.cover.fill(0);
        let heads = context.heads.get(mask);
        let coarser = |to: u64| (to != mask).then(|| context.heads.coarser(mask, to));
        let (border, end) = (narrow(heads.with_positives()), narrow(heads.len()));
        let pair = Pair { a, b, of_a: coarser(a.mask), of_b: coarser(b.mask), heads, sides: context.sides, aim };
        // Negatives are counted once it is clear that the positives are worth it.
        if !self.scan(0..border, &pair) || !worth(&self.cover) {
            return false;
        }
        for &tuple in &self.sets.slots {
            let negatives = pair.heads.negatives(tuple as usize);
            negatives.iter().for_each(|&example| pair.sides.set(&mut self.cover, example as usize));
        }
        self.scan(border..end, &pair)
    }

    /// What is common, of a domain.
    pub fn take(&mut self, domain: &Domain, context: &Context<'_>) -> ValueSets {
        let tuples = context.heads.get(self.sets.mask).len();
        std::mem::take(&mut self.sets).finish(tuples, domain)
    }

    /// Whether for too many of the witnesses nothing is common.
    pub fn lacks(a: &ValueSets, b: &ValueSets, witnesses: Witnesses<'_>, context: &Context<'_>) -> bool {
        if witnesses.is_empty() {
            return false;
        }
        let of = |mask: u64| context.heads.get(mask);
        let (of_a, of_b) = (of(a.mask), of(b.mask));
        witnesses.lack(|example| {
            let both = a.of_example(example, &of_a).zip(b.of_example(example, &of_b));
            both.is_none_or(|(one, other)| one.iter().zip(other).all(|(one, other)| one & other == 0))
        })
    }

    /// The part of the intersection that has these tuples.
    fn scan(&mut self, tuples: Range<u32>, pair: &Pair<'_>) -> bool {
        let Pair { a, b, .. } = *pair;
        match (&pair.of_a, &pair.of_b) {
            (None, None) => self.scan_from(tuples, a, b, |tuple| tuple, pair),
            (None, Some(of_b)) => self.scan_from(tuples, a, b, |tuple| of_b[tuple as usize], pair),
            (Some(of_a), None) => self.scan_from(tuples, b, a, |tuple| of_a[tuple as usize], pair),
            (Some(of_a), Some(of_b)) => tuples.into_iter().all(|tuple| {
                let both = a.of(of_a[tuple as usize]).zip(b.of(of_b[tuple as usize]));
                both.is_none_or(|(one, other)| self.add(tuple, one, other, pair))
            }),
        }
    }

    /// The same, where `a` has the tuples of the intersection, and `of_b` says what tuple of `b` each is part of.
    #[inline]
    fn scan_from(
        &mut self,
        tuples: Range<u32>,
        a: &ValueSets,
        b: &ValueSets,
        of_b: impl Fn(u32) -> u32,
        pair: &Pair<'_>,
    ) -> bool {
        match (&a.slots, &b.slots) {
            // ValueSets of one word need no loop of their own.
            (None, None) if a.width == 1 => tuples.into_iter().all(|tuple| {
                let common = a.words[tuple as usize] & b.words[of_b(tuple) as usize];
                common == 0 || self.hit(tuple, &[common], pair)
            }),
            (None, None) => {
                tuples.into_iter().all(|tuple| self.add(tuple, a.at(tuple as usize), b.at(of_b(tuple) as usize), pair))
            }
            // Where only one says which sets are empty, it is followed.
            (None, Some(_)) if b.mask == a.mask => {
                b.each(tuples, |tuple, other| self.add(tuple, a.at(tuple as usize), other, pair))
            }
            _ => a.each(tuples, |tuple, one| b.of(of_b(tuple)).is_none_or(|other| self.add(tuple, one, other, pair))),
        }
    }

    /// Add what two sets have in common.
    #[inline]
    fn add(&mut self, tuple: u32, one: &[ValueWord], other: &[ValueWord], pair: &Pair<'_>) -> bool {
        if !one.iter().zip(other).any(|(a, b)| a & b != 0) {
            return true;
        }
        if pair.aim.keep {
            self.sets.words.extend(one.iter().zip(other).map(|(a, b)| a & b));
        }
        self.hit(tuple, &[], pair)
    }

    /// Count a tuple that has something in common.
    #[inline]
    fn hit(&mut self, tuple: u32, common: &[ValueWord], pair: &Pair<'_>) -> bool {
        if pair.aim.consistent && !pair.heads.negatives(tuple as usize).is_empty() {
            return false;
        }
        self.sets.slots.push(tuple);
        if pair.aim.keep {
            self.sets.words.extend_from_slice(common);
        }
        let some = (tuple as usize) < pair.heads.with_positives();
        let counted = if some { pair.heads.positives(tuple as usize) } else { pair.heads.negatives(tuple as usize) };
        counted.iter().for_each(|&example| pair.sides.set(&mut self.cover, example as usize));
        true
    }
}

/// What an intersection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aim {
    /// Only what covers no negative is wanted.
    pub consistent: bool,
    /// The sets themselves are wanted, not only what they cover.
    pub keep: bool,
}

/// Two sets, and how to find theirs for a tuple of the head variables that either mentions.
struct Pair<'s> {
    a: &'s ValueSets,
    b: &'s ValueSets,
    of_a: Option<Coarser>,
    of_b: Option<Coarser>,
    heads: Arc<Heads>,
    sides: Sides,
    aim: Aim,
}
