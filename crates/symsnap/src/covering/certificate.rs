//! A lower bound with all that is needed to check it, and without trust in what computed it.
//!
//! [`certify`] bounds the cost of every set of a problem's columns and hands out the three arguments that the bound is made of,
//! over single columns and single examples:
//!
//! 1. columns that some optimum does without, each with the column that does as well in its place
//!    ([support](super::theorems::support), [dominance](super::theorems::dominance));
//! 2. cores of one positive over the other columns, each with a share, such that no literal is overloaded
//!    ([core_packing](super::theorems::core_packing));
//! 3. the units in which levels of a cost are one number ([`super::compact`]).
//!
//! The linear program speaks of blocks of examples that the same columns cover; here a core of blocks becomes cores of single
//! examples. Line the examples of each block up on an interval as long as the share of the core, each on a stretch as long as its
//! part of the block's weight. Every point of the interval then names one example of each block, which is a core, and points
//! between two ends of stretches name the same. So an example is loaded by its part of what its block was, and a block of `k`
//! examples makes at most `k - 1` more cores. What rounding overloads is lowered at the end.
//!
//! What a certificate does not say is that there are no other columns.

use super::compact::CompactPrices;
use super::core_lp::{CoreLp, LpRound};
use super::core_rows::Literals;
use super::problem::{ColumnId, Problem};
use super::reduce::{OwnNegatives, Reduced, RowClass};
use super::theorems::core_packing::{PARTS, bound};
use crate::budget::Budget;
use crate::cost::CostValue;
use crate::index::narrow;

/// What becomes of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Cores speak of it.
    Kept,
    /// A hypothesis is at most as costly with this one, which is kept, in its place.
    Replaced(ColumnId),
    /// A hypothesis is at most as costly without it.
    Dropped,
}

/// The core of a positive and of a set of negatives: the positive is missed, or one of the negatives is covered, or a kept column is
/// chosen that covers the positive and none of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertifiedCore {
    /// The number of the positive.
    pub positive: u32,
    /// The numbers of the negatives.
    pub negatives: Vec<u32>,
    /// Its share, in parts of the least unit.
    pub share: i128,
}

/// Why no set of the columns of a problem costs less than a bound.
#[derive(Debug, Clone)]
pub struct PackingCertificate {
    /// What becomes of each column.
    pub fates: Vec<Fate>,
    /// Cores with shares that overload nothing.
    pub cores: Vec<CertifiedCore>,
    /// How many parts make the least unit.
    pub parts: i128,
    /// What each level of the cost counts in the least units, the first level first.
    pub units: Vec<i128>,
    /// No set costs less than this.
    pub lower: CostValue,
}

/// Literals that the cores of a certificate may have in all, each of some four bytes, while the last shares are computed.
const ENTRIES: usize = 1 << 26;

/// A certificate for the best bound that the budget allows; there is no need for one above `enough`. `None` if the budget is over
/// before there can be any, if weights are too large for the linear program, or if cores are too many to be written down.
pub fn certify(problem: &Problem, enough: &CostValue, budget: &Budget) -> Option<PackingCertificate> {
    let reduced = Reduced::with(problem, OwnNegatives::InRows, budget);
    if !has_all_rows(problem, &reduced) {
        return None;
    }
    let mut program = CoreLp::new(&reduced, problem.objective(), budget)?;
    let enough = problem.objective().number_of(enough);
    while program.lower() < enough && program.step() == LpRound::More {}
    let singles = Singles::new(problem, &reduced, CompactPrices::new(&reduced, problem.objective())?);
    let mut cores: Vec<CertifiedCore> = singles.missed_by_all();
    let mut entries = cores.len();
    for (core, share) in program.packed().filter(|(_, share)| *share > 0) {
        let pieces = singles.pieces(core, share);
        entries += pieces.iter().map(|piece| piece.negatives.len() + core.len()).sum::<usize>();
        if entries > ENTRIES {
            return None;
        }
        cores.extend(pieces);
    }
    let literals: Vec<Vec<u32>> = cores.iter().map(|core| singles.literals(core)).collect();
    let mut shares: Vec<i128> = cores.iter().map(|core| core.share).collect();
    let sum = bound(&singles.prices(), &literals, &mut shares);
    let lower = problem.objective().value(singles.compact.whole(sum, problem.objective()));
    cores.iter_mut().zip(shares).for_each(|(core, share)| core.share = share);
    cores.retain(|core| core.share > 0);
    let units = singles.compact.units().to_vec();
    Some(PackingCertificate { fates: fates(problem, &reduced), cores, parts: PARTS, units, lower })
}

/// Whether no example was left out for want of time or memory: the units depend on all of them.
fn has_all_rows(problem: &Problem, reduced: &Reduced) -> bool {
    let (objective, weights) = (problem.objective(), problem.weights());
    let mut covered = vec![0; problem.sides().words()];
    for class in &reduced.classes {
        covered.iter_mut().zip(problem.cover(class.member)).for_each(|(word, &with)| *word |= with);
    }
    let price = |rows: &[RowClass]| rows.iter().map(|row| row.price).sum::<i128>();
    let negatives = weights.neg.of(problem.sides().split(&covered).1);
    price(&reduced.positives) + reduced.constant == objective.fn_ * i128::from(weights.pos.total())
        && price(&reduced.negatives) == objective.fp * i128::from(negatives)
}

fn fates(problem: &Problem, reduced: &Reduced) -> Vec<Fate> {
    let mut fates = vec![Fate::Kept; problem.len()];
    for removed in &reduced.removed {
        fates[removed.column.index()] = removed.by.map_or(Fate::Dropped, Fate::Replaced);
    }
    fates
}

/// Single examples instead of blocks of them. Literals are classes, then all positives, then all negatives.
struct Singles<'a> {
    problem: &'a Problem,
    reduced: &'a Reduced,
    compact: CompactPrices,
    /// The classes that cover each positive.
    covering: Vec<&'a [u32]>,
}

impl<'a> Singles<'a> {
    fn new(problem: &'a Problem, reduced: &'a Reduced, compact: CompactPrices) -> Self {
        let mut covering: Vec<&[u32]> = vec![&[]; problem.weights().pos.each().len()];
        for row in &reduced.positives {
            row.examples.iter().for_each(|&example| covering[example as usize] = &row.classes);
        }
        Singles { problem, reduced, compact, covering }
    }

    fn prices(&self) -> Vec<i128> {
        let objective = self.problem.objective();
        let classes = self.reduced.classes.iter().map(|class| class.price);
        let of = |weights: &'a [u32], unit: i128| weights.iter().map(move |&weight| unit * i128::from(weight));
        let positives = of(self.problem.weights().pos.each(), objective.fn_);
        let negatives = of(self.problem.weights().neg.each(), objective.fp);
        classes.chain(positives).chain(negatives).map(|price| self.compact.number(price, objective)).collect()
    }

    /// Positives that no class covers are missed by every set: cores of one literal.
    fn missed_by_all(&self) -> Vec<CertifiedCore> {
        let mut covered = vec![false; self.covering.len()];
        for class in &self.reduced.classes {
            crate::sets::ones(self.problem.pos(class.member)).for_each(|at| covered[at] = true);
        }
        let missed = (0..covered.len()).filter(|&at| !covered[at]);
        missed.map(|at| CertifiedCore { positive: narrow(at), negatives: Vec::new(), share: 0 }).collect()
    }

    /// The cores of single examples that a core of blocks becomes, with their shares.
    fn pieces(&self, core: &[u32], share: i128) -> Vec<CertifiedCore> {
        let literals = Literals::new(self.reduced);
        let (first_positive, first_negative) = (literals.missed(0) as usize, literals.covered(0) as usize);
        let blocks = core.iter().map(|&literal| literal as usize);
        let positive = blocks.clone().find(|at| (first_positive..first_negative).contains(at));
        let Some(positive) = positive.map(|at| &self.reduced.positives[at - first_positive]) else { return Vec::new() };
        let negatives =
            blocks.filter(|&at| at >= first_negative).map(|at| &self.reduced.negatives[at - first_negative]);
        let weights = self.problem.weights();
        let mut lines = vec![stretches(positive, weights.pos.each(), share)];
        lines.extend(negatives.map(|row| stretches(row, weights.neg.each(), share)));
        let mut ends: Vec<i128> = lines.iter().flatten().map(|stretch| stretch.end).collect();
        ends.sort_unstable();
        ends.dedup();
        let mut pieces = Vec::with_capacity(ends.len());
        let mut from = 0;
        for end in ends.into_iter().filter(|&end| end > 0) {
            let at = |line: &Vec<Stretch>| line[line.partition_point(|stretch| stretch.end <= from)].example;
            let (positive, negatives) = (at(&lines[0]), lines[1..].iter().map(at).collect());
            pieces.push(CertifiedCore { positive, negatives, share: end - from });
            from = end;
        }
        pieces
    }

    /// The literals of a core.
    fn literals(&self, core: &CertifiedCore) -> Vec<u32> {
        let (classes, positives) = (self.reduced.classes.len(), self.covering.len());
        let covers_none = |class: &&u32| {
            let negatives = self.problem.neg(self.reduced.classes[**class as usize].member);
            !core.negatives.iter().any(|&at| negatives[at as usize / 64] >> (at % 64) & 1 == 1)
        };
        let rules = self.covering[core.positive as usize].iter().filter(covers_none).copied();
        let covered = core.negatives.iter().map(|&at| narrow::<_, u32>(classes + positives + at as usize));
        rules.chain([narrow(classes + core.positive as usize)]).chain(covered).collect()
    }
}

/// An example, and where its stretch of the interval ends; it begins where the one before ends.
struct Stretch {
    example: u32,
    end: i128,
}

/// The examples of a block lined up on an interval of a length.
fn stretches(row: &RowClass, weights: &[u32], length: i128) -> Vec<Stretch> {
    let weight = |example: &u32| i128::from(weights[*example as usize]);
    let all: i128 = row.examples.iter().map(weight).sum();
    let mut so_far = 0;
    let stretch = |example: &u32| {
        so_far += weight(example);
        Stretch { example: *example, end: length * so_far / all.max(1) }
    };
    row.examples.iter().map(stretch).collect()
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{brute_force, random_problem, rng};
    use super::*;
    use crate::cost::{Confusion, Cost};

    /// Whether a certificate holds, written down from the statements and not from the code that makes it.
    fn holds(problem: &Problem, certificate: &PackingCertificate) -> bool {
        let (weights, cost) = (problem.weights(), problem.cost());
        let covers = |words: &[u64], at: u32| words[at as usize / 64] >> (at % 64) & 1 == 1;
        let value = |fn_: u64, fp: u64, size: u64| {
            cost.value(&Confusion { fn_, fp, ..Confusion::default() }, usize::try_from(size).expect("sizes are small"))
        };
        let fate = |id: ColumnId| certificate.fates[id.index()];
        let replaced = problem.ids().all(|id| match fate(id) {
            Fate::Kept => true,
            Fate::Dropped => value(weights.pos.of(problem.pos(id)), 0, 0) <= value(0, 0, problem.size(id).into()),
            Fate::Replaced(by) => {
                let missed = weights.pos.of_and_not(problem.pos(id), problem.pos(by));
                let covered = weights.neg.of_and_not(problem.neg(by), problem.neg(id));
                let (mine, theirs) =
                    (value(missed, covered, problem.size(by).into()), value(0, 0, problem.size(id).into()));
                fate(by) == Fate::Kept && mine <= theirs
            }
        });
        let price = |fn_: u64, fp: u64, size: u64| -> i128 {
            let digits = value(fn_, fp, size).0;
            digits.iter().zip(&certificate.units).map(|(&digit, unit)| i128::from(digit) * unit).sum()
        };
        let load = |is_in: &dyn Fn(&CertifiedCore) -> bool| -> i128 {
            certificate.cores.iter().filter(|core| is_in(core)).map(|core| core.share).sum()
        };
        let fits = |load: i128, price: i128| load <= price * certificate.parts;
        let each = |weights: &[u32]| weights.iter().map(|&weight| u64::from(weight)).enumerate().collect::<Vec<_>>();
        let positives = each(weights.pos.each())
            .into_iter()
            .all(|(at, weight)| fits(load(&|core| core.positive as usize == at), price(weight, 0, 0)));
        let negatives = each(weights.neg.each())
            .into_iter()
            .all(|(at, weight)| fits(load(&|core| core.negatives.contains(&(at as u32))), price(0, weight, 0)));
        let columns = problem.ids().filter(|&id| fate(id) == Fate::Kept).all(|id| {
            let is_in = |core: &CertifiedCore| {
                covers(problem.pos(id), core.positive) && !core.negatives.iter().any(|&at| covers(problem.neg(id), at))
            };
            fits(load(&is_in), price(0, 0, problem.size(id).into()))
        });
        let sum: i128 = certificate.cores.iter().map(|core| core.share).sum();
        let mut rest = (sum + certificate.parts - 1) / certificate.parts;
        let digits = certificate.units.iter().map(|unit| {
            let digit = rest / unit;
            rest %= unit;
            digit as u64
        });
        let lower = CostValue(digits.collect());
        replaced && positives && negatives && columns && lower == certificate.lower
    }

    #[test]
    fn certificates_hold_and_mostly_are_for_the_optimum() {
        let (mut met, mut problems, mut split) = ([0; 3], [0; 3], 0);
        for seed in 0..1_500 {
            let at = seed as usize % 3;
            let problem = random_problem(&mut rng(seed), Cost::ALL[at], 11, 40);
            let optimum = brute_force(&problem)[0].value.clone();
            let Some(certificate) = certify(&problem, &optimum, &Budget::unlimited()) else { continue };
            assert!(holds(&problem, &certificate), "seed {seed}");
            assert!(certificate.lower <= optimum, "seed {seed}: sound");
            problems[at] += 1;
            met[at] += u32::from(certificate.lower == optimum);
            let mut sets: Vec<u32> = certificate.cores.iter().map(|core| core.positive).collect();
            sets.dedup();
            split += u32::from(sets.len() > 1);
        }
        assert!(split > 300, "{split} certificates have cores of several positives");
        for (met, problems) in met.into_iter().zip(problems) {
            assert!(problems > 300 && 10 * met > 9 * problems, "met {met} of {problems}");
        }
    }

    #[test]
    fn a_budget_that_ends_it_early_leaves_a_bound_that_holds_or_none() {
        let problem = random_problem(&mut rng(4), Cost::Mdl, 300, 300);
        let spent = Budget::unlimited().with_time(std::time::Duration::ZERO);
        let enough = problem.evaluate([]).value;
        assert!(certify(&problem, &enough, &spent).is_none());
        let few = Budget::unlimited().with_ticks(0);
        let certificate = certify(&problem, &enough, &few).expect("these prices are small");
        assert!(holds(&problem, &certificate));
    }
}
