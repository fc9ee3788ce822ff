//! Rules that would improve a set of rules: a beam search through conjunctions of the parts at hand.
//!
//! Levels bring rules in the order of their size, which proofs need and which is late where there are many parts: of 64 columns
//! of numbers, rules of three conditions begin after a million of two. So rules are also sought where the best set wants them:
//! from a positive, the *seed*, that the set leaves uncovered, among the parts that cover it, with the examples that other
//! rules of the set cover left aside. That is the star of AQ (Michalski 1969) with the beam of CN2 (Clark and Niblett
//! 1989), and what column generation calls heuristic pricing: of the columns not generated yet, some that the present
//! solution would take up.
//!
//! Nothing is concluded from it. What is found this way is found again, with all else, when its level comes.
//!
//! Prefixes are ranked by FOIL's information gain (Quinlan 1990), not by what they would save as rules: a condition that covers
//! 80 of 90 positives and 200 of 800 negatives is a better beginning than one that covers 20 and 5, and a worse rule.

use super::bodies::Bodies;
use super::conjoin::{Items, Prefix};
use super::feature::MinedRule;
use super::look::Look;
use crate::cost::Objective;
use crate::sets::Cover;

/// Prefixes that are extended at each step.
const WIDTH: usize = 6;
/// Rules that are kept of one search: the best, and some that may go better with others.
const KEPT: usize = 4;

/// What a set of rules would have from one rule more.
#[derive(Debug, Clone)]
pub struct Aim {
    /// The examples that its other rules do not cover.
    pub open: Cover,
    /// A positive among them, which the rule is to cover.
    pub seed: usize,
    /// What errors and literals count.
    pub objective: Objective,
}

impl Aim {
    /// What a rule of this size saves that covers open positives and negatives of these weights.
    fn saves(&self, tp: u64, fp: u64, size: u64) -> i128 {
        self.objective.fn_ * i128::from(tp) - self.objective.number(0, fp, size)
    }
}

/// A prefix with one item more, before it is made.
#[derive(Clone, Copy)]
struct Extension {
    /// The place of the prefix in the beam, and the item.
    of: usize,
    item: usize,
    tp: u64,
    fp: u64,
    gain: f64,
}

/// A prefix in the beam.
struct Standing {
    chosen: Vec<usize>,
    prefix: Prefix,
    tp: u64,
    fp: u64,
}

/// Rules of two parts or more that would improve a set, the best first, found with about `most` tests; and the number of tests.
pub fn beam(items: &Items, aim: &Aim, bodies: &Bodies, look: Look<'_>, most: u64) -> (Vec<MinedRule>, u64) {
    let mut search = BeamSearch::new(items, aim, bodies, look, most);
    let mut beam = vec![search.nothing()];
    while !beam.is_empty() && !search.is_over() {
        let extensions = beam.iter().enumerate().flat_map(|(of, standing)| search.extend(of, standing)).collect();
        beam = search.next_beam(&beam, extensions);
    }
    (search.found.into_iter().map(|(_, rule)| rule).collect(), search.tests)
}

struct BeamSearch<'b> {
    items: &'b Items,
    aim: &'b Aim,
    bodies: &'b Bodies,
    look: Look<'b>,
    most: u64,
    /// Items that cover the seed.
    candidates: Vec<usize>,
    /// What the precision of a prefix is compared with.
    prior: f64,
    /// The best rules so far, with what each saves.
    found: Vec<(i128, MinedRule)>,
    tests: u64,
}

impl<'b> BeamSearch<'b> {
    fn new(items: &'b Items, aim: &'b Aim, bodies: &'b Bodies, look: Look<'b>, most: u64) -> Self {
        let covers_seed =
            |&at: &usize| look.cx.sides.split(items.cover(at)).0[aim.seed / 64] >> (aim.seed % 64) & 1 == 1;
        let candidates = (0..items.all().len()).filter(covers_seed).collect();
        let mut search =
            BeamSearch { items, aim, bodies, look, most, candidates, prior: 0.0, found: Vec::new(), tests: 0 };
        let Standing { tp, fp, .. } = search.nothing();
        search.prior = precision(tp, fp).log2();
        search
    }

    /// The prefix without items.
    fn nothing(&self) -> Standing {
        let (pos, neg) = self.look.cx.sides.split(self.aim.open.words());
        let weights = &self.look.cx.weights;
        let prefix = Prefix::new(self.aim.open.words().to_vec());
        Standing { chosen: Vec::new(), prefix, tp: weights.pos.of(pos), fp: weights.neg.of(neg) }
    }

    fn is_over(&self) -> bool {
        self.tests >= self.most || self.look.cx.spent(self.tests) || self.look.cx.stopped()
    }

    /// The extensions of a prefix by one item that cover fewer open negatives and may become rules that save something; those
    /// that are such rules are kept.
    fn extend(&mut self, of: usize, standing: &Standing) -> Vec<Extension> {
        let context = self.look.cx;
        let (pos, neg) = context.sides.split(&standing.prefix.cover);
        let mut extensions = Vec::new();
        for place in 0..self.candidates.len() {
            let at = self.candidates[place];
            let item = &self.items.all()[at];
            let literals = standing.prefix.literals + item.literals as usize;
            if literals > context.max_body || self.tests >= self.most || context.spent(self.tests) {
                break;
            }
            if !standing.prefix.has_room_for(item, context) {
                continue;
            }
            self.tests += 1;
            let size = literals as u64 + 1;
            let (item_pos, item_neg) = context.sides.split(self.items.cover(at));
            let tp = context.weights.pos.of_and(pos, item_pos);
            // Longer rules cover no more.
            if self.aim.saves(tp, 0, size) <= self.bar() {
                continue;
            }
            let fp = context.weights.neg.of_and(neg, item_neg);
            if fp < standing.fp {
                extensions.push(Extension {
                    of,
                    item: at,
                    tp,
                    fp,
                    gain: tp as f64 * (precision(tp, fp).log2() - self.prior),
                });
                let saves = self.aim.saves(tp, fp, size);
                if saves > self.bar() && !standing.chosen.is_empty() {
                    self.keep(saves, with(&standing.chosen, at), size);
                }
            }
        }
        extensions
    }

    /// What further rules must save more than.
    fn bar(&self) -> i128 {
        self.found.get(KEPT - 1).map_or(0, |(saves, _)| *saves)
    }

    /// Keep a conjunction if it is a rule that may be needed and none that is kept covers the same.
    fn keep(&mut self, saves: i128, chosen: Vec<usize>, size: u64) {
        let Look { cx: context, prune } = self.look;
        let mut cover = self.items.cover(chosen[0]).to_vec();
        for &at in &chosen[1..] {
            cover.iter_mut().zip(self.items.cover(at)).for_each(|(all, one)| *all &= one);
        }
        let fp = context.weights.neg.of(context.sides.split(&cover).1);
        let is_known = self.found.iter().any(|(of, rule)| *of >= saves && rule.cover.words() == cover);
        if is_known || !prune.limits().admit(fp, size) {
            return;
        }
        if let Some(parts) = self.items.rule(&chosen, self.bodies, context) {
            let rule = MinedRule { parts, size, cover: Cover::from_words(context.sides, cover) };
            let place = self.found.partition_point(|(of, _)| *of >= saves);
            self.found.insert(place, (saves, rule));
            self.found.truncate(KEPT);
        }
    }

    /// The best extensions that differ in what they cover of the open examples.
    fn next_beam(&self, beam: &[Standing], mut extensions: Vec<Extension>) -> Vec<Standing> {
        extensions.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        let mut next: Vec<Standing> = Vec::new();
        for Extension { of, item, tp, fp, .. } in extensions {
            let standing = &beam[of];
            let prefix = standing.prefix.with(&self.items.all()[item], self.items.cover(item), fp);
            if next.iter().all(|other| other.prefix.cover != prefix.cover) {
                next.push(Standing { chosen: with(&standing.chosen, item), prefix, tp, fp });
            }
            if next.len() == WIDTH {
                break;
            }
        }
        next
    }
}

/// The items with one more, in ascending order, as conjunctions have them.
fn with(chosen: &[usize], item: usize) -> Vec<usize> {
    let mut all = chosen.to_vec();
    all.insert(all.partition_point(|&at| at < item), item);
    all
}

/// Smoothed, as of one positive and one negative more.
fn precision(tp: u64, fp: u64) -> f64 {
    (tp as f64 + 1.0) / ((tp + fp) as f64 + 2.0)
}
