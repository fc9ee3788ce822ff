//! A knowledge graph with a relation that two rules imply, among relations that are drawn at random.

use super::{Draft, Sizes, balanced};
use std::collections::BTreeSet;
use std::fmt::Write;
use symsnap::internals::random::Random;

/// Edges of a relation for each person.
const EDGES: usize = 2;
const RELATIONS: [&str; 5] = ["employs", "advises", "admires", "teaches", "hires"];

/// Who trusts whom: whoever they employ's adviser, and those that they admire and who admire them.
pub fn make(random: &mut Random, sizes: Sizes) -> Draft {
    let people = (sizes.all() / 2).max(12);
    let relations: Vec<BTreeSet<(usize, usize)>> = RELATIONS
        .iter()
        .map(|_| (0..people * EDGES).map(|_| (random.below(people), random.below(people))).collect())
        .collect();
    // Admiration is often returned.
    let mut admires = relations[2].clone();
    let returned: Vec<(usize, usize)> =
        admires.iter().filter(|(a, b)| (a + b) % 2 == 0).map(|&(a, b)| (b, a)).collect();
    admires.extend(returned);
    let (employs, advises) = (&relations[0], &relations[1]);
    let trusts = |a: usize, b: usize| {
        employs.range((a, 0)..=(a, people)).any(|&(_, c)| advises.contains(&(c, b)))
            || (admires.contains(&(a, b)) && admires.contains(&(b, a)))
    };
    let positives: Vec<(usize, usize)> =
        (0..people).flat_map(|a| (0..people).map(move |b| (a, b))).filter(|&(a, b)| trusts(a, b)).collect();
    let mut asked = BTreeSet::new();
    let [train, test] = balanced(random, sizes, |random| {
        // A pair that is right, one with one end changed, or any.
        let near = positives.get(random.below(positives.len().max(1))).copied();
        let (a, b) = near.unwrap_or((random.below(people), random.below(people)));
        let (a, b) = match random.below(4) {
            0 | 1 => (a, b),
            2 => (a, random.below(people)),
            _ => (random.below(people), random.below(people)),
        };
        (trusts(a, b), (a, b))
    })
    .map(|part| {
        let fresh = part.into_iter().filter(|&(_, pair)| asked.insert(pair));
        fresh.map(|(label, (a, b))| (label, format!("trusts(p{a},p{b})"))).collect::<Vec<_>>()
    });
    let mut background = String::new();
    for (name, edges) in RELATIONS.iter().zip(&relations) {
        let edges = if *name == "admires" { &admires } else { edges };
        for (a, b) in edges {
            writeln!(background, "{name}(p{a},p{b}).").expect("a string takes all text");
        }
    }
    let mut bias = String::from("head_pred(trusts,2).\nmax_vars(4).\nmax_body(3).\n");
    for name in RELATIONS {
        bias += &format!("body_pred({name},2).\n");
    }
    let rules = "trusts(A,B) :- employs(A,C), advises(C,B).\ntrusts(A,B) :- admires(A,B), admires(B,A).\n";
    Draft { background, bias, rules: rules.to_owned(), train, test }
}
