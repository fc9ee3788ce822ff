//! Keys that are equal exactly for bodies that are equal up to the names of local variables and literal order.
//!
//! Colour refinement on hashes: a local variable's colour is the sum, over its occurrences, of a hash of predicate,
//! position and the colours beside it. A few rounds tell almost all variables apart. Where two stay alike, each of
//! them in turn is given a colour of its own and refinement goes on; the smallest key wins. Symmetric variables give
//! the same key either way, so the choice costs time, never correctness. The key has 128 bits: two different bodies
//! among a billion share one with probability below 10^-20.
//!
//! Rejected: sorting literals under every numbering (m! of them), and orderly generation by canonical deletion, which
//! needs no memory for keys but the same labelling work for every candidate, and cannot reuse a stored verdict.

use super::literal::Lit;
use crate::random::mix;

/// More local variables than this cannot occur: masks are 64 bits wide and the bias limits variables far below.
const MAX_VARS: usize = 64;

/// The key of a body with `head` head variables and `vars` variables in all.
pub fn key(body: &[Lit], head: usize, vars: usize) -> u128 {
    let mut colours = [0u64; MAX_VARS];
    for (var, colour) in colours.iter_mut().enumerate().take(vars) {
        *colour = if var < head { mix(var as u64 + 1) } else { 0x5eed };
    }
    least(body, head, vars, &mut colours, 0)
}

/// The least key over all ways to tell apart what refinement cannot.
fn least(body: &[Lit], head: usize, vars: usize, colours: &mut [u64; MAX_VARS], depth: u64) -> u128 {
    refine(body, head, vars, colours);
    // The first class of local variables that refinement cannot tell apart, smallest colour first.
    let mut alike: Option<u64> = None;
    for var in head..vars {
        if (var + 1..vars).any(|other| colours[other] == colours[var])
            && alike.is_none_or(|colour| colours[var] < colour)
        {
            alike = Some(colours[var]);
        }
    }
    let Some(colour) = alike else { return fingerprint(body, colours) };
    let mut best = u128::MAX;
    for var in head..vars {
        if colours[var] == colour {
            let mut split = *colours;
            split[var] = mix(colour ^ (0xa11ce + depth));
            best = best.min(least(body, head, vars, &mut split, depth + 1));
        }
    }
    best
}

fn refine(body: &[Lit], head: usize, vars: usize, colours: &mut [u64; MAX_VARS]) {
    let mut classes = count_classes(&colours[head..vars]);
    loop {
        let mut next = *colours;
        for colour in &mut next[head..vars] {
            *colour = mix(*colour);
        }
        for lit in body {
            let whole = hash_literal(lit, colours);
            for (at, &arg) in lit.args().iter().enumerate() {
                if arg as usize >= head {
                    let sum = &mut next[arg as usize];
                    *sum = sum.wrapping_add(mix(whole ^ (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                }
            }
        }
        let now = count_classes(&next[head..vars]);
        *colours = next;
        if now == classes || now == vars - head {
            return;
        }
        classes = now;
    }
}

fn count_classes(colours: &[u64]) -> usize {
    (0..colours.len()).filter(|&at| !colours[..at].contains(&colours[at])).count()
}

fn hash_literal(lit: &Lit, colours: &[u64; MAX_VARS]) -> u64 {
    let values = match lit.values() {
        0 => 0,
        values => mix(values),
    };
    lit.args().iter().fold(mix((lit.pred.index() as u64 + 0x1000) ^ values), |hash, &arg| {
        mix(hash.wrapping_mul(3).wrapping_add(colours[arg as usize]))
    })
}

fn fingerprint(body: &[Lit], colours: &[u64; MAX_VARS]) -> u128 {
    let (mut low, mut high) = (0u64, 0u64);
    for lit in body {
        let hash = hash_literal(lit, colours);
        low = low.wrapping_add(hash);
        high = high.wrapping_add(mix(hash ^ 0xdead_beef_cafe));
    }
    u128::from(high) << 64 | u128::from(low)
}

#[cfg(test)]
mod tests {
    use super::super::literal::PredNo;
    use super::*;
    use crate::logic::{Literal, Pred, Rule, Symbols, canonical_rule};
    use proptest::prelude::*;

    fn bodies() -> impl Strategy<Value = Vec<Lit>> {
        let lit = (0usize..3, Just((0u8..6).collect::<Vec<_>>()).prop_shuffle())
            .prop_map(|(word, vars)| Lit::new(PredNo::new(word), &vars[..=word]));
        prop::collection::btree_set(lit, 1..7).prop_map(|set| set.into_iter().collect())
    }

    fn as_rule(body: &[Lit]) -> Rule {
        let mut symbols = Symbols::default();
        let names: Vec<_> = ["h", "p", "q", "r"].iter().map(|name| symbols.intern(name)).collect();
        Rule {
            head: Literal::over(Pred::new(names[0], 1), &[0]),
            body: body
                .iter()
                .map(|lit| Literal::over(Pred::new(names[lit.pred.index() + 1], lit.args().len() as u32), lit.args()))
                .collect(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn keys_are_equal_exactly_when_canonical_rules_are(a in bodies(), b in bodies(), shift in Just((1u8..6).collect::<Vec<_>>()).prop_shuffle()) {
            prop_assert_eq!(key(&a, 1, 6) == key(&b, 1, 6), canonical_rule(&as_rule(&a)) == canonical_rule(&as_rule(&b)));
            let renamed: Vec<Lit> = a.iter().rev().map(|lit| {
                let args: Vec<u8> = lit.args().iter().map(|&v| if v == 0 { 0 } else { shift[v as usize - 1] }).collect();
                Lit::new(lit.pred, &args)
            }).collect();
            prop_assert_eq!(key(&a, 1, 6), key(&renamed, 1, 6));
        }
    }

    #[test]
    fn a_six_cycle_is_not_two_triangles() {
        let edge = |a: u8, b: u8| Lit::new(PredNo::new(1), &[a, b]);
        let spoke = |a: u8| Lit::new(PredNo::new(0), &[0, a]);
        let cycle: Vec<Lit> = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1)].map(|(a, b)| edge(a, b)).to_vec();
        let triangles: Vec<Lit> = [(1, 2), (2, 3), (3, 1), (4, 5), (5, 6), (6, 4)].map(|(a, b)| edge(a, b)).to_vec();
        let anchored = |mut body: Vec<Lit>| {
            body.extend((1..7).map(spoke));
            key(&body, 1, 7)
        };
        assert_ne!(anchored(cycle), anchored(triangles));
    }
}
