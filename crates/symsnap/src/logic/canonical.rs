//! One representative for all rules that are equal up to the names of variables and the order of literals.
//!
//! Head variables are numbered by their place in the head, so only the body's own variables are free. Colour
//! refinement (McKay 1981) tells most of them apart; the few that stay alike are tried in every order, and the smallest
//! body wins. That is exact and, for rules of a dozen variables, fast; general graph canonisation would be heavier than
//! the rules.

use super::{Arg, Hypothesis, Literal, Rule, Var};
use crate::index::narrow;
use rustc_hash::FxHashMap;

/// The rule with variables renumbered and the body sorted such that equal rules become identical.
pub fn canonical_rule(rule: &Rule) -> Rule {
    // A repeated literal would colour its variables as if it said more.
    let mut rule = rule.clone();
    rule.body.sort();
    rule.body.dedup();
    let rule = &rule;
    let mut names: FxHashMap<Var, u8> = FxHashMap::default();
    for var in rule.head.vars() {
        let next = narrow(names.len());
        names.entry(var).or_insert(next);
    }
    let fixed = names.len();
    let mut free: Vec<Var> = rule.body.iter().flat_map(Literal::vars).filter(|var| !names.contains_key(var)).collect();
    free.sort();
    free.dedup();

    let colours = refine(rule, &names, &free);
    free.sort_by_key(|var| colours[var]);
    let groups: Vec<Vec<Var>> = free.chunk_by(|a, b| colours[a] == colours[b]).map(<[Var]>::to_vec).collect();
    let mut best: Option<Vec<Literal>> = None;
    assign(rule, &groups, 0, narrow(fixed), &mut names, &mut best);
    Rule { head: rename(&rule.head, &names), body: best.expect("there is at least one numbering") }
}

/// The hypothesis with canonical rules, sorted and without repetition.
pub fn canonical_hypothesis(hypothesis: &Hypothesis) -> Hypothesis {
    let mut rules: Vec<Rule> = hypothesis.rules.iter().map(canonical_rule).collect();
    rules.sort();
    rules.dedup();
    Hypothesis { rules }
}

/// One occurrence of a variable: in which predicate, at which argument, beside which colours.
type Use = (super::Pred, usize, Vec<Shade>);

/// Give each free variable a colour that does not depend on its number: what it occurs in, and next to which colours.
fn refine(rule: &Rule, names: &FxHashMap<Var, u8>, free: &[Var]) -> FxHashMap<Var, usize> {
    let mut colours: FxHashMap<Var, usize> = names.iter().map(|(&var, &at)| (var, at as usize)).collect();
    let base = names.len();
    colours.extend(free.iter().map(|&var| (var, base)));
    let mut distinct = usize::from(!free.is_empty());
    loop {
        let mut signatures: Vec<(Vec<Use>, Var)> = free
            .iter()
            .map(|&var| {
                let mut uses: Vec<_> = rule
                    .body
                    .iter()
                    .flat_map(|literal| {
                        literal.args.iter().enumerate().filter(move |(_, arg)| **arg == Arg::Var(var)).map(|(at, _)| {
                            let shades = literal.args.iter().map(|arg| shade(arg, &colours)).collect();
                            (literal.pred, at, shades)
                        })
                    })
                    .collect();
                uses.sort();
                uses.insert(0, (rule.head.pred, colours[&var], Vec::new()));
                (uses, var)
            })
            .collect();
        signatures.sort();
        let mut next = colours.clone();
        let mut colour = base;
        for at in 0..signatures.len() {
            if at > 0 && signatures[at].0 != signatures[at - 1].0 {
                colour += 1;
            }
            next.insert(signatures[at].1, colour);
        }
        let now = if signatures.is_empty() { 0 } else { colour - base + 1 };
        colours = next;
        if now == distinct {
            return colours;
        }
        distinct = now;
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shade {
    Var(usize),
    Const(super::TermId),
    Number(super::Number),
}

fn shade(arg: &Arg, colours: &FxHashMap<Var, usize>) -> Shade {
    match arg {
        Arg::Var(var) => Shade::Var(colours[var]),
        Arg::Const(id) => Shade::Const(*id),
        Arg::Number(number) => Shade::Number(*number),
    }
}

fn assign(
    rule: &Rule,
    groups: &[Vec<Var>],
    group: usize,
    next: u8,
    names: &mut FxHashMap<Var, u8>,
    best: &mut Option<Vec<Literal>>,
) {
    let Some(members) = groups.get(group) else {
        let mut body: Vec<Literal> = rule.body.iter().map(|literal| rename(literal, names)).collect();
        body.sort();
        body.dedup();
        if best.as_ref().is_none_or(|best| body < *best) {
            *best = Some(body);
        }
        return;
    };
    let open: Vec<Var> = members.iter().copied().filter(|var| !names.contains_key(var)).collect();
    if open.is_empty() {
        return assign(rule, groups, group + 1, next, names, best);
    }
    for var in open {
        names.insert(var, next);
        assign(rule, groups, group, next + 1, names, best);
        names.remove(&var);
    }
}

fn rename(literal: &Literal, names: &FxHashMap<Var, u8>) -> Literal {
    let args = literal.args.iter().map(|arg| match arg {
        Arg::Var(var) => Arg::Var(Var(names[var])),
        constant => *constant,
    });
    Literal { pred: literal.pred, args: args.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::{Pred, Symbols};
    use super::*;
    use proptest::prelude::*;

    fn pred(at: usize, arity: u32) -> Pred {
        let mut symbols = Symbols::default();
        let all: Vec<_> = ["f", "p", "q", "r"].iter().map(|name| symbols.intern(name)).collect();
        Pred::new(all[at], arity)
    }

    fn rules() -> impl Strategy<Value = Rule> {
        let literal = (1usize..4, 0u8..6, 0u8..6).prop_map(|(p, x, y)| match p {
            1 => Literal::over(pred(1, 1), &[x]),
            p => Literal::over(pred(p, 2), &[x, y]),
        });
        prop::collection::vec(literal, 1..6).prop_map(|body| Rule { head: Literal::over(pred(0, 2), &[0, 1]), body })
    }

    proptest! {
        #[test]
        fn renaming_and_reordering_do_not_change_the_canonical_form(
            rule in rules(),
            renaming in Just((2u8..6).collect::<Vec<_>>()).prop_shuffle(),
            rotate in 0usize..6,
        ) {
            let names: FxHashMap<Var, u8> =
                (0u8..6).map(|v| (Var(v), if v < 2 { v } else { renaming[v as usize - 2] + 3 })).collect();
            let mut other = Rule {
                head: rename(&rule.head, &names),
                body: rule.body.iter().map(|literal| rename(literal, &names)).collect(),
            };
            let by = rotate % other.body.len();
            other.body.rotate_left(by);
            prop_assert_eq!(canonical_rule(&rule), canonical_rule(&other));
            prop_assert_eq!(canonical_rule(&canonical_rule(&rule)), canonical_rule(&rule));
        }
    }

    #[test]
    fn different_rules_stay_different() {
        let head = Literal::over(pred(0, 1), &[0]);
        let chain = Rule {
            head: head.clone(),
            body: vec![Literal::over(pred(2, 2), &[0, 1]), Literal::over(pred(2, 2), &[1, 2])],
        };
        let fork = Rule { head, body: vec![Literal::over(pred(2, 2), &[0, 1]), Literal::over(pred(2, 2), &[0, 2])] };
        assert_ne!(canonical_rule(&chain), canonical_rule(&fork));
    }
}
