//! **Residual with errors.** What known rules leave, a rule that is not known must cover, but for what a better hypothesis can
//! afford to miss.
//!
//! *Statement.* Let a hypothesis cost at most `k`, where positives of the weight `u` stay uncovered by every hypothesis, and
//! let it hold a rule `s` of size at least `m` and otherwise only rules that are known. Then for some set `K` of known rules with
//! `slack = k - A·u - C·m - B·w(N_K) - C·size(K) >= 0`, `s` covers all positives that can be covered and that `K` does not but
//! for some that count at most `slack`. If every rule that is not known has a size of at least `next` and
//! `k - A·u - C·m < C·next`, the other rules are known whatever the hypothesis.
//! `K` may be taken such that each of its rules covers positives that the others do not and that count more than its size.
//!
//! *Proof.* Let `K` be the other rules. The hypothesis costs at least `C·m + C·size(K) + B·w(N_K)`, `A·u`, and `A` times what
//! neither `K` nor `s` covers. Of a rule of `K` whose own positives count at most its size the set can do without: what it
//! leaves to `s` grows by these positives, the slack by no less.
//!
//! So each such set is an *alternative* with a slack, and a branch whose positives meet none of them is not needed. Where errors
//! cost what literals do, there is room for few: a hypothesis of 7 with a rule of 5 literals and its head may err once.
//!
//! *Source.* [`residual`](super::residual), which this is for hypotheses without errors. There a size of `k` leaves room for many rules;
//! here rules that err count as well, and what is known of `s` is less the more room there is.
//!
//! *Mutations that the test below catches*: `next + 1` for `next` in [`SizedLeftovers::new`], and `size + 1` for the size of a known
//! rule beside the unknown one in `extend` (both "sound"). One that it does not: an alternative dropped that another stands for but
//! for a weight of 1.

use super::residual::shared;
use crate::covering::problem::{ColumnId, Problem};

/// Positives of which a rule may miss some of this weight.
#[derive(Debug, Clone)]
pub struct Leftover {
    /// The positives.
    pub wanted: Box<[u64]>,
    /// How much of them may be missed.
    pub slack: u64,
}

/// What rules of one size must cover: one of these.
#[derive(Debug, Clone, Default)]
pub struct Leftovers {
    /// The alternatives, that which is met most easily first.
    pub alternatives: Vec<Leftover>,
    /// Some positives that all of them want, with their weights, and the largest slack.
    pub shared: (Vec<(u32, u64)>, u64),
}

/// What rules must cover, by size.
#[derive(Debug, Clone, Default)]
pub struct SizedLeftovers {
    /// The first size of which something is asked.
    first: u64,
    of: Vec<Leftovers>,
}

/// Alternatives that are told apart; those beyond are asked for as if all were chosen at once.
const ALTERNATIVES: usize = 64;

/// Sets that are looked at for one size; if there are more, it is as if all rules that fit were chosen at once.
const SETS: usize = 20_000;

impl SizedLeftovers {
    /// What a rule of at least `size` must cover; `None` if nothing is asked.
    #[inline]
    pub fn of(&self, size: u64) -> Option<&Leftovers> {
        let at = usize::try_from(size.checked_sub(self.first)?).unwrap_or(usize::MAX);
        self.of.get(at).or(self.of.last())
    }

    /// What rules of at least each size must cover in a hypothesis that costs at most `limit`, what is missed by all aside; `all` are
    /// the positives that can be covered, rules not found yet have at least the size `next`.
    pub fn new(problem: &Problem, all: &[u64], limit: i128, next: u64, largest: u64) -> Self {
        let objective = problem.objective();
        let room = |size: u64| limit - objective.size * i128::from(size);
        let asks = |size: &u64| room(*size) < objective.size * i128::from(next);
        let Some(first) = (1..=largest).find(asks) else { return SizedLeftovers::default() };
        let usable = usable(problem, room(first));
        let of = (first..=largest + 1).map(|size| leftovers(problem, &usable, all, room(size))).collect();
        SizedLeftovers { first, of }
    }
}

/// Known rules that may stand beside another within `room`, the cheapest first.
fn usable(problem: &Problem, room: i128) -> Vec<ColumnId> {
    let objective = problem.objective();
    let price = |id: ColumnId| objective.number(0, problem.weights().neg.of(problem.neg(id)), problem.size(id).into());
    let gains = |id: ColumnId| objective.number(problem.weights().pos.of(problem.pos(id)), 0, 0) > price(id);
    let mut usable: Vec<ColumnId> = problem.ids().filter(|&id| price(id) <= room && gains(id)).collect();
    usable.sort_by_key(|&id| (price(id), id));
    usable
}

/// A set of known rules: what it covers, and what is left of the room.
#[derive(Clone)]
struct Beside {
    pos: Vec<u64>,
    neg: Vec<u64>,
    left: i128,
}

fn leftovers(problem: &Problem, usable: &[ColumnId], all: &[u64], room: i128) -> Leftovers {
    if room < 0 {
        return Leftovers::default();
    }
    let unit = problem.objective().fn_;
    let sides = problem.sides();
    let none = Beside { pos: vec![0; all.len()], neg: vec![0; sides.words() - all.len()], left: room };
    let mut found = Vec::new();
    extend(problem, usable, &none, &mut found);
    let mut sets: Vec<(Vec<u64>, u64)> =
        found.into_iter().map(|set| (set.pos, u64::try_from(set.left / unit).unwrap_or(u64::MAX))).collect();
    let merged = |sets: &[(Vec<u64>, u64)]| {
        let mut pos = vec![0; all.len()];
        sets.iter().for_each(|(of, _)| pos.iter_mut().zip(of).for_each(|(all, of)| *all |= of));
        (pos, sets.iter().map(|(_, slack)| *slack).max().unwrap_or(0))
    };
    if sets.len() >= SETS {
        let every: Vec<(Vec<u64>, u64)> = usable.iter().map(|&id| (problem.pos(id).to_vec(), 0)).collect();
        sets = vec![(merged(&every).0, u64::try_from(room / unit).unwrap_or(u64::MAX))];
    }
    let weights = &problem.weights().pos;
    let want = |(pos, slack): &(Vec<u64>, u64)| Leftover {
        wanted: all.iter().zip(pos).map(|(all, pos)| all & !pos).collect(),
        slack: *slack,
    };
    sets.sort_by_cached_key(|(pos, slack)| weights.of_and_not(all, pos).saturating_sub(*slack));
    let mut kept: Vec<(Vec<u64>, u64)> = Vec::new();
    for (pos, slack) in sets {
        // What a set covers more must be worth what it leaves less.
        let stands = |(other, more): &(Vec<u64>, u64)| {
            more.checked_sub(slack).is_some_and(|more| weights.of_and_not(&pos, other) <= more)
        };
        if !kept.iter().any(stands) {
            kept.push((pos, slack));
        }
    }
    if kept.len() > ALTERNATIVES {
        let beyond = kept.split_off(ALTERNATIVES);
        kept.push(merged(&beyond));
    }
    let alternatives: Vec<Leftover> = kept.iter().map(want).collect();
    let wanted = alternatives.iter().map(|leftover| leftover.wanted.clone()).collect();
    let each = weights.each();
    let asked = shared(&wanted).into_iter().map(|(at, _)| (at, u64::from(each[at as usize]))).collect();
    let slack = alternatives.iter().map(|leftover| leftover.slack).max().unwrap_or(0);
    Leftovers { alternatives, shared: (asked, slack) }
}

/// Add to `found` this set and all with some more of the rules.
fn extend(problem: &Problem, rules: &[ColumnId], set: &Beside, found: &mut Vec<Beside>) {
    if found.len() >= SETS {
        return;
    }
    found.push(set.clone());
    let (objective, weights) = (problem.objective(), problem.weights());
    for (at, &id) in rules.iter().enumerate() {
        let (pos, neg, size) = (problem.pos(id), problem.neg(id), u64::from(problem.size(id)));
        let left = set.left - objective.number(0, weights.neg.of_and_not(neg, &set.neg), size);
        let gain = objective.number(weights.pos.of_and_not(pos, &set.pos), 0, 0);
        if left < 0 || gain <= objective.number(0, 0, size) {
            continue;
        }
        let or = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(a, b)| a | b).collect();
        extend(problem, &rules[at + 1..], &Beside { pos: or(&set.pos, pos), neg: or(&set.neg, neg), left }, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::covering::oracle::{random_problem, rng, sets_of};

    /// Whether a rule of at least `size` that covers these positives may be needed.
    fn meets(leftovers: &SizedLeftovers, problem: &Problem, pos: &[u64], size: u64) -> bool {
        leftovers.of(size).is_none_or(|leftovers| {
            let misses = |wanted: &[u64]| problem.weights().pos.of_and_not(wanted, pos);
            let (asked, slack) = &leftovers.shared;
            let missed = asked.iter().filter(|(at, _)| pos[*at as usize / 64] >> (at % 64) & 1 == 0);
            let any = leftovers.alternatives.iter().any(|leftover| misses(&leftover.wanted) <= leftover.slack);
            let lacks = missed.map(|(_, weight)| weight).sum::<u64>() > *slack;
            assert!(!(any && lacks), "whom all alternatives ask for is missed by no rule that meets one");
            any
        })
    }

    #[test]
    fn the_rules_of_good_hypotheses_meet_an_alternative() {
        let (mut met, mut refused, mut with_others) = (0, 0, 0);
        for seed in 0..6_000 {
            let mut next = rng(seed);
            let problem = random_problem(&mut next, Cost::Mdl, 8, 18);
            let least = 2 + next(5) as u64;
            let is_known = |id: &ColumnId| u64::from(problem.size(*id)) < least;
            let all = problem.evaluate(problem.ids());
            let mut reached = vec![0; problem.sides().pos_words()];
            for id in problem.ids() {
                reached.iter_mut().zip(problem.pos(id)).for_each(|(all, pos)| *all |= pos);
            }
            let mut known =
                Problem::new(Cost::Mdl, problem.weights().pos.each(), problem.weights().neg.each()).expect("fits");
            problem.ids().filter(is_known).for_each(|id| {
                known.copy_column(&problem, id);
            });
            let unreachable = i128::from(all.confusion.fn_);
            let columns: Vec<ColumnId> = problem.ids().collect();
            let limit = sets_of(&columns).map(|set| problem.number(&problem.evaluate(set))).min().unwrap_or(0)
                + next(3) as i128;
            let leftovers = SizedLeftovers::new(&known, &reached, limit - unreachable, least, 9);
            let mut is_needed = vec![false; problem.len()];
            for set in sets_of(&columns) {
                if problem.number(&problem.evaluate(set.iter().copied())) <= limit {
                    with_others += u32::from(set.len() > 1);
                    set.iter().for_each(|id| is_needed[id.index()] = true);
                }
            }
            for id in problem.ids().filter(|id| !is_known(id)) {
                let size = u64::from(problem.size(id));
                let fits = meets(&leftovers, &problem, problem.pos(id), size);
                assert!(fits || !is_needed[id.index()], "seed {seed}, {id:?}: sound");
                assert!(
                    !fits || (1..size).all(|size| meets(&leftovers, &problem, problem.pos(id), size)),
                    "seed {seed}"
                );
                met += u32::from(is_needed[id.index()]);
                refused += u32::from(!fits);
            }
        }
        assert!(
            met > 300 && refused > 1_000 && with_others > 300,
            "{met} met, {refused} refused, {with_others} with others"
        );
    }
}
