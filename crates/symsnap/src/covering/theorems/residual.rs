//! **Residual cover requirement.** A rule that is not known must cover what known rules leave.
//!
//! *Statement.* Let the incumbent cover every positive that can be covered and no negative, with size `k + 1`, where size only
//! breaks ties. Let a better hypothesis hold a rule `s` of size at least `m`, and let every rule that is not known have a size
//! of at least `next`. If `k - m < next`, then for some set of known consistent rules whose sizes sum to at most `k - m`, `s`
//! covers every positive that the set does not cover.
//!
//! *Proof.* A better hypothesis makes no errors either, so its rules are consistent, cover all positives together, and sum to
//! at most `k`. The others than `s` sum to at most `k - m`, which is too little for a rule that is not known: all of them are
//! known, and `s` covers the rest.
//!
//! So each set of known rules is an *alternative*, and the least thing to ask of `s` is what its union leaves. Only sets
//! with a union that no other contains matter. Where an unknown rule may be among the others nothing is asked.
//!
//! *Source.* Ours; the covering requirement of the residual problem in a branch and bound for set covering, turned on the
//! columns that are still to be generated. *Rejected*: optimistic unknown rules, made of the branches still open (some branch
//! covers nearly everything until late, so they ask for nearly nothing).
//!
//! *Mutation that the test below catches*: `room <= next` for `room < next` in [`Consistent::demands`] ("sound").

use crate::index::narrow;
use crate::sets::ones;

/// Alternatives, each the positives that a rule must cover; it must meet one of them.
pub type Alternatives = Vec<Box<[u64]>>;

/// Alternatives that are told apart; those beyond are asked for as if all were chosen at once, which asks for less.
const ALTERNATIVES: usize = 256;

/// Unions that are looked at for one size; if there are more, it is as if all rules that fit were chosen at once.
const UNIONS: usize = 20_000;

/// Rules that cover no negative (*consistent* ones), without those that cover no more than another that is no larger.
#[derive(Debug, Default)]
pub struct Consistent {
    /// Their sizes and positives, by size.
    pub rules: Vec<(u64, Box<[u64]>)>,
}

impl Consistent {
    /// Add a rule of this size that covers these positives; whether that changes anything.
    pub fn add(&mut self, size: u64, pos: &[u64]) -> bool {
        if self.rules.iter().any(|(known, covers)| *known <= size && within(pos, covers)) {
            return false;
        }
        self.rules.retain(|(known, covers)| *known < size || !within(covers, pos));
        let place = self.rules.partition_point(|(known, _)| *known <= size);
        self.rules.insert(place, (size, pos.into()));
        true
    }

    /// For each size up to `limit + 1` what a rule of at least that size must cover, if rules that sum to at most
    /// `limit` are to cover `all`; rules not found yet have at least size `next`. No alternative: nothing is asked.
    pub fn demands(&self, all: &[u64], limit: u64, next: u64) -> Vec<Alternatives> {
        let demand = |size: u64| match limit.checked_sub(size) {
            Some(room) if room < next => self.alternatives(all, room),
            Some(_) => vec![vec![0; all.len()].into()],
            None => vec![all.into()],
        };
        (0..=limit + 1).map(demand).collect()
    }

    fn alternatives(&self, all: &[u64], room: u64) -> Alternatives {
        let usable = &self.rules[..self.rules.partition_point(|(size, _)| *size <= room)];
        let mut unions: Alternatives = Vec::new();
        let mut tried = 0;
        extend(usable, room, &vec![0; all.len()], &mut unions, &mut tried);
        if tried >= UNIONS {
            unions.clear();
        }
        let mut whole = vec![0; all.len()];
        usable.iter().for_each(|(_, pos)| add_to(&mut whole, pos));
        // The widest first: what they leave is met most often.
        unions.sort_by_cached_key(|union| std::cmp::Reverse(crate::sets::count(union)));
        if unions.is_empty() {
            unions.push(whole.into());
        } else if unions.len() > ALTERNATIVES {
            let beyond = unions.split_off(ALTERNATIVES);
            let mut rest = vec![0; all.len()];
            beyond.iter().for_each(|union| add_to(&mut rest, union));
            unions.push(rest.into());
        }
        unions.iter().map(|union| all.iter().zip(union).map(|(all, covered)| all & !covered).collect()).collect()
    }
}

/// Positives picked of those that all alternatives share: enough to refuse most rules, few enough to ask first.
const SHARED: usize = 16;

/// Some positives that all alternatives ask for, from all over, each with a price above nothing.
pub fn shared(alternatives: &Alternatives) -> Vec<(u32, u64)> {
    let Some((first, rest)) = alternatives.split_first() else { return Vec::new() };
    let mut common = first.to_vec();
    rest.iter().for_each(|other| common.iter_mut().zip(other).for_each(|(common, other)| *common &= other));
    let all: Vec<usize> = ones(&common).collect();
    all.iter().step_by(all.len().div_ceil(SHARED).max(1)).map(|&at| (narrow(at), 1)).collect()
}

/// Add to `unions` those of `union` with any of `rules` that sum to at most `room`, which are sorted by size, and keep
/// only what no other contains.
fn extend(rules: &[(u64, Box<[u64]>)], room: u64, union: &[u64], unions: &mut Alternatives, tried: &mut usize) {
    let mut grew = false;
    for (at, (size, pos)) in rules.iter().enumerate() {
        if *size > room || *tried >= UNIONS {
            break;
        }
        if within(pos, union) {
            continue;
        }
        grew = true;
        let mut wider = union.to_vec();
        add_to(&mut wider, pos);
        extend(&rules[at + 1..], room - size, &wider, unions, tried);
    }
    if !grew {
        *tried += 1;
        if !unions.iter().any(|known| within(union, known)) {
            unions.retain(|known| !within(known, union));
            unions.push(union.into());
        }
    }
}

fn add_to(union: &mut [u64], pos: &[u64]) {
    union.iter_mut().zip(pos).for_each(|(union, pos)| *union |= pos);
}

fn within(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::covering::oracle::{Unknown, better_sets, rng, unknown_rules};

    fn consistent(rules: &[(u64, u64)]) -> Consistent {
        let mut consistent = Consistent::default();
        rules.iter().for_each(|&(size, pos)| {
            consistent.add(size, &[pos]);
        });
        consistent
    }

    fn demand(consistent: &Consistent, size: u64, limit: u64, next: u64) -> Vec<u64> {
        let mut found: Vec<u64> =
            consistent.demands(&[0b1111], limit, next)[size as usize].iter().map(|words| words[0]).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn a_rule_must_cover_what_one_small_rule_leaves() {
        let known = consistent(&[(3, 0b0011), (3, 0b0110), (4, 0b0111)]);
        assert_eq!(demand(&known, 5, 8, 5), [0b1001, 0b1100], "with one rule of size 3");
        assert_eq!(demand(&known, 4, 8, 5), [0b1000], "with the rule of size 4");
        assert_eq!(demand(&known, 6, 8, 5), [0b1111], "no rule fits beside it");
        assert_eq!(demand(&known, 9, 8, 5), [0b1111], "it does not fit itself");
    }

    #[test]
    fn small_rules_may_go_together() {
        let known = consistent(&[(2, 0b0001), (2, 0b0010), (2, 0b0100)]);
        assert_eq!(demand(&known, 3, 7, 5), [0b1001, 0b1010, 0b1100]);
    }

    #[test]
    fn nothing_is_asked_where_an_unknown_rule_may_be_among_the_others() {
        let known = consistent(&[(3, 0b0011)]);
        assert_eq!(demand(&known, 3, 8, 5), [0]);
    }

    #[test]
    fn a_rule_that_covers_no_more_than_another_is_forgotten() {
        let mut known = consistent(&[(3, 0b0011)]);
        assert!(!known.add(4, &[0b0001]));
        assert!(known.add(2, &[0b0111]));
        assert_eq!(known.rules.len(), 1);
    }

    #[test]
    fn the_rules_of_better_hypotheses_meet_a_demand() {
        let (mut met, mut refused) = (0, 0);
        for seed in 0..4_000 {
            let Unknown { known, unknown, all, limit, next } = unknown_rules(&mut rng(seed));
            let demands = consistent(&known).demands(&[all], limit, next);
            let meets = |pos: u64, size: u64| demands[size as usize].iter().any(|wanted| wanted[0] & !pos == 0);
            let rules = [known, unknown].concat();
            for set in better_sets(&rules, all, limit) {
                for (size, pos) in set {
                    // What is known of a branch is that its rules have at least some size.
                    assert!((0..=size).all(|least| meets(pos, least)), "seed {seed}: sound");
                    met += 1;
                }
            }
            refused += rules.iter().filter(|&&(size, pos)| size <= limit && !meets(pos, size)).count();
        }
        assert!(met > 1_000 && refused > 1_000, "{met} rules met a demand, {refused} were refused");
    }
}
