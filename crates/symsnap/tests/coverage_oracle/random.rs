//! Random rules over a task's declarations: connected, typed, evaluable in their written order.
//!
//! Wider than the space (constraints of the bias are not looked at), on purpose: coverage must be right for any rule.

use std::collections::BTreeMap;
use symsnap::internals::task::Direction;
use symsnap::{Bias, Hypothesis, Literal, Pred, Rule, Symbol};

/// A small deterministic generator (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// `count` different numbers below `of`, ascending; all of them if there are not more.
    pub fn sample(&mut self, of: usize, count: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..of).collect();
        for at in 0..count.min(of) {
            let other = at + self.below(of - at);
            all.swap(at, other);
        }
        all.truncate(count);
        all.sort_unstable();
        all
    }
}

/// What is known of the variables of a rule under construction.
struct Vars {
    types: BTreeMap<u8, Option<Symbol>>,
    bound: Vec<u8>,
    most: u8,
}

fn declared<T: Clone>(of: Option<&Vec<Box<[T]>>>, random: &mut Random) -> Option<Box<[T]>> {
    of.filter(|all| !all.is_empty()).map(|all| all[random.below(all.len())].clone())
}

/// A rule with about `size` body literals; `calls` is a predicate that must be called (for recursive rules).
pub fn rule(bias: &Bias, size: usize, calls: Option<Pred>, random: &mut Random) -> Option<Rule> {
    let arity = bias.head.arity as u8;
    let head = Literal::over(bias.head, &(0..arity).collect::<Vec<_>>());
    let types = declared(bias.types.get(&bias.head), random);
    let directions = declared(bias.directions.get(&bias.head), random);
    let mut vars = Vars {
        types: (0..arity).map(|at| (at, types.as_ref().map(|types| types[at as usize]))).collect(),
        bound: (0..arity)
            .filter(|&at| directions.as_ref().is_none_or(|all| all[at as usize] == Direction::In))
            .collect(),
        most: bias.max_vars as u8,
    };
    let mut body: Vec<Literal> = Vec::new();
    for at in 0..size {
        let preds: Vec<Pred> = match calls {
            Some(pred) if at + 1 == size => vec![pred],
            _ => bias.body.clone(),
        };
        let literal = (0..60).find_map(|_| {
            let pred = preds[random.below(preds.len())];
            literal(bias, pred, &mut vars, random).filter(|literal| !body.contains(literal))
        });
        body.push(literal?);
    }
    Some(Rule { head, body })
}

fn literal(bias: &Bias, pred: Pred, vars: &mut Vars, random: &mut Random) -> Option<Literal> {
    let types = declared(bias.types.get(&pred), random);
    let directions = declared(bias.directions.get(&pred), random);
    let mut args: Vec<u8> = Vec::new();
    let mut fresh: Vec<(u8, Option<Symbol>)> = Vec::new();
    for at in 0..pred.arity as usize {
        let kind = types.as_ref().map(|types| types[at]);
        let input = directions.as_ref().is_some_and(|all| all[at] == Direction::In);
        let fits = |var: &u8| {
            let known = vars.types[var];
            !args.contains(var) && (known.is_none() || kind.is_none() || known == kind)
        };
        let usable: Vec<u8> =
            vars.types.keys().copied().filter(fits).filter(|var| !input || vars.bound.contains(var)).collect();
        let next = (vars.types.len() + fresh.len()) as u8;
        if !usable.is_empty() && (input || next >= vars.most || random.below(3) > 0) {
            args.push(usable[random.below(usable.len())]);
        } else if !input && next < vars.most {
            fresh.push((next, kind));
            args.push(next);
        } else {
            return None;
        }
    }
    if pred.arity > 0 && fresh.len() == args.len() {
        return None;
    }
    vars.types.extend(fresh);
    vars.bound.extend(args.iter().copied());
    Some(Literal::over(pred, &args))
}

/// A base rule and one that calls the head's predicate.
pub fn recursive(bias: &Bias, random: &mut Random) -> Option<Hypothesis> {
    let size = 1 + random.below(bias.max_body.min(3));
    let base = rule(bias, size, None, random)?;
    let size = 2 + random.below(bias.max_body.min(3));
    let step = rule(bias, size, Some(bias.head), random)?;
    Some(Hypothesis { rules: vec![base, step] })
}
