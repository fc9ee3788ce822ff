//! What a rule must cover to be in a hypothesis better than one without errors.
//!
//! Let the best hypothesis so far cover every positive that can be covered and no negative, with size `k + 1`. A better
//! one that holds a rule of size `m` covers the rest, what that rule leaves, with rules that cover no negative and sum
//! to at most `k - m`. If that is less than the size of any rule not found yet, the others are known: the rule
//! covers, for some set of known rules of that total, everything the set does not. So each set is an *alternative*, and
//! the least thing to ask of the rule is what its union leaves. Only sets with a union that no other contains matter.
//!
//! Where an unknown rule may be among the others nothing is asked. *Rejected*: optimistic unknown rules, made of the
//! branches still open (some branch covers nearly everything until late, so they ask for nearly nothing).

use crate::index::narrow;
use crate::sets::ones;

/// Alternatives, each the positives that a rule must cover; it must meet one of them.
pub type Alternatives = Vec<Box<[u64]>>;

/// So many alternatives are told apart; what is beyond is asked for as if all of it were chosen at once.
const ALTERNATIVES: usize = 256;

/// So many unions are looked at for one size.
const UNIONS: usize = 20_000;

/// Rules that cover no negative, without those that cover no more than another that is no larger.
#[derive(Debug, Default)]
pub struct Clean {
    /// Their sizes and positives, by size.
    pub rules: Vec<(u64, Box<[u64]>)>,
}

impl Clean {
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

/// So many of the positives that all alternatives share are picked.
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

    fn clean(rules: &[(u64, u64)]) -> Clean {
        let mut clean = Clean::default();
        rules.iter().for_each(|&(size, pos)| {
            clean.add(size, &[pos]);
        });
        clean
    }

    fn demand(clean: &Clean, size: u64, limit: u64, next: u64) -> Vec<u64> {
        let mut found: Vec<u64> =
            clean.demands(&[0b1111], limit, next)[size as usize].iter().map(|words| words[0]).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn a_rule_must_cover_what_one_small_rule_leaves() {
        let clean = clean(&[(3, 0b0011), (3, 0b0110), (4, 0b0111)]);
        assert_eq!(demand(&clean, 5, 8, 5), [0b1001, 0b1100], "with one rule of size 3");
        assert_eq!(demand(&clean, 4, 8, 5), [0b1000], "with the rule of size 4");
        assert_eq!(demand(&clean, 6, 8, 5), [0b1111], "no rule fits beside it");
        assert_eq!(demand(&clean, 9, 8, 5), [0b1111], "it does not fit itself");
    }

    #[test]
    fn small_rules_may_go_together() {
        let clean = clean(&[(2, 0b0001), (2, 0b0010), (2, 0b0100)]);
        assert_eq!(demand(&clean, 3, 7, 5), [0b1001, 0b1010, 0b1100]);
    }

    #[test]
    fn nothing_is_asked_where_an_unknown_rule_may_be_among_the_others() {
        let clean = clean(&[(3, 0b0011)]);
        assert_eq!(demand(&clean, 3, 8, 5), [0]);
    }

    #[test]
    fn a_rule_that_covers_no_more_than_another_is_forgotten() {
        let mut clean = clean(&[(3, 0b0011)]);
        assert!(!clean.add(4, &[0b0001]));
        assert!(clean.add(2, &[0b0111]));
        assert_eq!(clean.rules.len(), 1);
    }
}
