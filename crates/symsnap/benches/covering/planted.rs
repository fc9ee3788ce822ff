//! Covering problems shaped like those of rule learning: examples are rows of boolean features, a planted hypothesis of
//! conjunctions labels them, some labels are wrong, and candidates are conjunctions that are true of some positive. So
//! rules share the positives and the negatives they cover, and examples with like features go together, as they do in
//! real tasks; coverage drawn at random has neither, and is far harder to prove.

use symsnap::Cost;
use symsnap::internals::covering::Problem;
use symsnap::internals::sets::Cover;

/// The shape of a planted problem.
pub struct Planted {
    /// Rules of the planted hypothesis.
    pub clusters: usize,
    /// Candidates, before any reduction.
    pub rules: usize,
    /// Examples of both labels.
    pub examples: usize,
    /// Per cent of the labels that are wrong.
    pub noise: usize,
}

/// Features of an example; each is true of about half of them.
const FEATURES: usize = 24;

/// The problem of that shape; the same every time.
pub fn planted(shape: &Planted, cost: Cost) -> Problem {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut below = move |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 20) % bound.max(1) as u64) as usize
    };
    // Rows are drawn around a few prototypes, as molecules are around scaffolds.
    let prototypes: Vec<u32> = (0..16).map(|_| below(1 << FEATURES) as u32).collect();
    let hypothesis: Vec<u32> = (0..shape.clusters).map(|at| conjunction(prototypes[at % 16], 4, &mut below)).collect();
    let (mut positives, mut negatives) = (Vec::new(), Vec::new());
    for _ in 0..shape.examples {
        let flips = (0..FEATURES).filter(|_| below(5) == 0).fold(0u32, |flips, at| flips | 1 << at);
        let row = prototypes[below(16)] ^ flips;
        let label = hypothesis.iter().any(|&rule| rule & !row == 0);
        if label != (below(100) < shape.noise) { positives.push(row) } else { negatives.push(row) }
    }
    let mut problem =
        Problem::new(cost, &vec![1; positives.len()], &vec![1; negatives.len()]).expect("unit weights fit");
    for _ in 0..shape.rules {
        let (literals, row) = (1 + below(5), positives[below(positives.len())]);
        let rule = conjunction(row, literals, &mut below);
        let mut cover = Cover::empty(problem.sides());
        let rows = positives.iter().chain(&negatives).enumerate();
        rows.filter(|(_, row)| rule & !**row == 0).for_each(|(at, _)| cover.insert(at));
        problem.add(1 + rule.count_ones(), &cover);
    }
    problem
}

/// At most `literals` features that are true of `row`.
fn conjunction(row: u32, literals: usize, below: &mut impl FnMut(usize) -> usize) -> u32 {
    let all: Vec<usize> = (0..FEATURES).filter(|&at| row >> at & 1 == 1).collect();
    (0..literals).fold(0, |rule, _| if all.is_empty() { rule } else { rule | 1 << all[below(all.len())] })
}
