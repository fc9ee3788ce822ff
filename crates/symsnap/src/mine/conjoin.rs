//! Rules as conjunctions of parts: nothing but ANDs of bits.
//!
//! Parts that cover the same examples are interchangeable, so only the cheapest stand as [`CheapestPart`]s: fewest literals,
//! fewest local variables, most head variables, least of what is rationed (a cheaper one replaces a dearer one in any rule without loss). Sets of
//! items are enumerated once each, in the order of item numbers, for one total of literals after the other.
//!
//! A part must pay for itself in every rule it is in: the rule without it is in the space too, provided the other parts
//! still mention the head variables that must be mentioned and can be run. As covers of parts are plain sets, what a
//! part removes shrinks as others are added: an item that does not pay at a prefix does not pay anywhere below it.

use super::bodies::Bodies;
use super::context::Context;
use super::feature::{MinedRule, Part, PartIx, Parts};
use super::look::Look;
use crate::index::narrow;
use crate::language::Resources;
use crate::sets::{Cover, CoverIndex, CoverRows, Sides};

/// The cheapest part of its kind.
#[derive(Debug, Clone)]
pub(super) struct CheapestPart {
    part: PartIx,
    pub(super) literals: u16,
    locals: u8,
    mask: u64,
    /// What it uses of what is rationed.
    resources: Resources,
    /// Whether it can be run with only the head's inputs bound.
    runs: bool,
    fp: u64,
}

/// What became of a part that was offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// It is an item.
    New,
    /// It costs and covers exactly what this one does.
    Twin(PartIx),
    /// A cheaper one covers the same.
    Dearer,
}

/// All items so far, ordered by literals.
#[derive(Debug)]
pub struct Items {
    items: Vec<CheapestPart>,
    covers: CoverRows,
    by_cover: CoverIndex,
}

impl Items {
    /// No items yet, that cover examples of these sides.
    pub fn new(sides: Sides) -> Self {
        Items { items: Vec::new(), covers: CoverRows::new(sides), by_cover: CoverIndex::default() }
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        self.covers.bytes() + self.items.capacity() * (size_of::<CheapestPart>() + 40)
    }

    /// Add a part unless a cheaper one covers the same. Parts come in the order of their number of literals.
    pub fn offer(&mut self, part: PartIx, found: &Part, runs: bool, context: &Context<'_>) -> Offer {
        let mask = found.body.iter().fold(0, |mask, lit| mask | lit.mask()) & context.head_mask();
        let item = CheapestPart {
            part,
            literals: narrow(found.body.len()),
            locals: found.vars - narrow::<_, u8>(context.language.head_arity()),
            mask,
            resources: context.language.resources(&found.body),
            runs,
            fp: context.weights.neg.of(found.cover.neg().words()),
        };
        let words = found.cover.words();
        if context.membership.by_parts {
            let cheaper = |&at: &usize| {
                let known = &self.items[at];
                // Where every optimum is sought, parts with as many literals do not stand for each other.
                let smaller = known.literals < item.literals || !context.all_optima;
                smaller
                    && known.literals <= item.literals
                    && known.locals <= item.locals
                    && known.resources.within(item.resources)
                    && item.mask & !known.mask == 0
                    && (known.runs || !item.runs)
                    && (context.membership.unbound == 0 || known.mask == item.mask)
            };
            if let Some(at) = self.by_cover.equal(words, &self.covers).find(cheaper) {
                let known = &self.items[at];
                let kind = |it: &CheapestPart| (it.literals, it.locals, it.mask, it.resources);
                let twin = kind(known) == kind(&item);
                return if twin { Offer::Twin(known.part) } else { Offer::Dearer };
            }
        }
        self.by_cover.insert(words, self.items.len());
        self.items.push(item);
        self.covers.push(words);
        Offer::New
    }

    pub(super) fn cover(&self, at: usize) -> &[u64] {
        self.covers.get(at)
    }

    /// All items, those with fewest literals first.
    pub(super) fn all(&self) -> &[CheapestPart] {
        &self.items
    }

    /// The parts of a conjunction of these items, if that is a rule of the space.
    pub(super) fn rule(&self, chosen: &[usize], bodies: &Bodies, context: &Context<'_>) -> Option<Parts> {
        let mask = chosen.iter().fold(0, |mask, &at| mask | self.items[at].mask);
        let parts: Parts = chosen.iter().map(|&at| self.items[at].part).collect();
        let has_heads = context.membership.required & !mask == 0;
        (has_heads && context.admits_parts(parts.iter().map(|&part| bodies.get(part)))).then_some(parts)
    }

    /// How many items may come first in a conjunction of `literals` literals.
    pub fn firsts(&self, literals: usize) -> usize {
        self.items.partition_point(|item| item.literals as usize * 2 <= literals)
    }

    /// All rules of exactly `literals` body literals, in at least two parts, whose first item is `first`, as far as
    /// about `most` tests reach. Also returns the number of tests.
    pub fn conjunctions(
        &self,
        first: usize,
        literals: usize,
        most: u64,
        bodies: &Bodies,
        look: Look<'_>,
    ) -> (Vec<MinedRule>, u64) {
        let mut walk = ConjunctionWalk {
            items: self,
            bodies,
            look,
            literals,
            most,
            chosen: vec![first],
            found: Vec::new(),
            tests: 0,
        };
        let last = self.items.partition_point(|item| (item.literals as usize) < literals);
        let rest: Vec<u32> = (narrow(first + 1)..narrow(last)).collect();
        let item = &self.items[first];
        let nothing = Prefix::new(look.cx.sides.full());
        let prefix = nothing.with(item, self.cover(first), item.fp);
        walk.go(&prefix, &rest);
        (walk.found, walk.tests)
    }
}

/// The items chosen so far, as one part.
#[derive(Debug, Clone)]
pub(super) struct Prefix {
    pub(super) cover: Vec<u64>,
    pub(super) literals: usize,
    locals: usize,
    mask: u64,
    resources: Resources,
    fp: u64,
}

impl Prefix {
    /// No items, and these examples to be covered.
    pub(super) fn new(cover: Vec<u64>) -> Self {
        Prefix { cover, literals: 0, locals: 0, mask: 0, resources: Resources::default(), fp: 0 }
    }

    /// The same and one item more, of the cover given, with which it covers false positives of the weight `fp`.
    pub(super) fn with(&self, item: &CheapestPart, cover: &[u64], fp: u64) -> Self {
        Prefix {
            cover: self.cover.iter().zip(cover).map(|(a, b)| a & b).collect(),
            literals: self.literals + item.literals as usize,
            locals: self.locals + item.locals as usize,
            mask: self.mask | item.mask,
            resources: self.resources.plus(item.resources),
            fp,
        }
    }

    /// Whether a rule with one item more may have as many local variables and as much of what is rationed.
    pub(super) fn has_room_for(&self, item: &CheapestPart, context: &Context<'_>) -> bool {
        let free = context.max_vars - context.language.head_arity() - self.locals;
        item.locals as usize <= free && self.resources.plus(item.resources).within(context.language.limits())
    }
}

/// A walk through the conjunctions with one first item.
struct ConjunctionWalk<'w> {
    items: &'w Items,
    bodies: &'w Bodies,
    look: Look<'w>,
    literals: usize,
    most: u64,
    /// The items chosen so far.
    chosen: Vec<usize>,
    found: Vec<MinedRule>,
    tests: u64,
}

impl ConjunctionWalk<'_> {
    /// All conjunctions of the prefix and some of the candidates.
    fn go(&mut self, prefix: &Prefix, candidates: &[u32]) {
        let Look { cx: context, prune } = self.look;
        if context.stopped() || self.tests >= self.most || context.spent(self.tests) {
            return;
        }
        let size = self.literals as u64 + 1;
        let room = self.literals - prefix.literals;
        let (pos, neg) = context.sides.split(&prefix.cover);
        if prune.is_done(pos, size) {
            return;
        }
        // Only if some item leaves room for another are the items between needed below.
        let descends =
            candidates.first().is_some_and(|&at| self.items.items[at as usize].literals as usize * 2 <= room);
        let mut survivors: Vec<(u32, u64)> = Vec::new();
        for &at in candidates {
            let item = &self.items.items[at as usize];
            let uses = item.literals as usize;
            if uses > room {
                break;
            }
            if (!descends && uses != room) || !prefix.has_room_for(item, context) {
                continue;
            }
            if context.spent(self.tests) {
                return;
            }
            self.tests += 1;
            let (item_pos, item_neg) = context.sides.split(self.items.cover(at as usize));
            if prune.too_small_and(pos, item_pos, size) {
                continue;
            }
            let left = context.weights.neg.of_and(neg, item_neg);
            if context.droppable(item.mask, prefix.mask) && !prune.pays(prefix.fp, left, uses as u64) {
                continue;
            }
            if uses == room && prune.limits().admit(left, size) {
                self.emit(&prefix.cover, at as usize, left);
            }
            if descends {
                survivors.push((at, left));
            }
        }
        if !descends {
            return;
        }
        let order: Vec<u32> = survivors.iter().map(|&(at, _)| at).collect();
        for (place, &(at, left)) in survivors.iter().enumerate() {
            let item = &self.items.items[at as usize];
            if item.literals as usize * 2 > room {
                break;
            }
            let longer = prefix.with(item, self.items.cover(at as usize), left);
            self.chosen.push(at as usize);
            self.go(&longer, &order[place + 1..]);
            self.chosen.pop();
        }
    }

    /// The prefix with a last item is a rule, if it is one of the space and every part pays.
    fn emit(&mut self, cover: &[u64], last: usize, fp: u64) {
        let context = self.look.cx;
        let chosen: Vec<usize> = self.chosen.iter().copied().chain([last]).collect();
        let masks = |without: usize| {
            chosen.iter().filter(|&&at| at != without).fold(0, |mask, &at| mask | self.items.items[at].mask)
        };
        if context.membership.required & !masks(usize::MAX) != 0 {
            return;
        }
        // Every other part must pay too (the last one was tested on the way here).
        for &drop in &self.chosen {
            let item = &self.items.items[drop];
            if context.droppable(item.mask, masks(drop)) {
                let mut rest = self.items.cover(last).to_vec();
                for &at in self.chosen.iter().filter(|&&at| at != drop) {
                    rest.iter_mut().zip(self.items.cover(at)).for_each(|(a, b)| *a &= b);
                }
                let general = context.weights.neg.of(context.sides.split(&rest).1);
                if !self.look.prune.pays(general, fp, u64::from(item.literals)) {
                    return;
                }
            }
        }
        let Some(parts) = self.items.rule(&chosen, self.bodies, context) else { return };
        let both: Vec<u64> = cover.iter().zip(self.items.cover(last)).map(|(a, b)| a & b).collect();
        self.found.push(MinedRule {
            parts,
            size: self.literals as u64 + 1,
            cover: Cover::from_words(context.sides, both),
        });
    }
}
