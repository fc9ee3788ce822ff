//! The definition of the space once more, naively: all sets of literals, all orders, all assignments of types.
//! Membership, the enumerator and the sampler must agree with it on small random biases.

use super::*;
use crate::logic::{Hypothesis, Symbols, canonical_rule};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A small bias without constraints (those are compared with clingo's answers, in tests/space_oracle.rs).
fn biases() -> impl Strategy<Value = Bias> {
    let ways = |arity: usize| prop::collection::vec(prop::collection::vec(any::<bool>(), arity), 0..3);
    let signature = move |arity: usize| (ways(arity), ways(arity));
    let limits = (2usize..4, 1usize..3, any::<bool>(), any::<bool>());
    ((1usize..3).prop_flat_map(move |arity| (Just(arity), signature(arity))), signature(1), signature(2), limits)
        .prop_map(|((arity, head), p, q, (max_vars, max_body, non_datalog, recursion))| {
            let mut symbols = Symbols::default();
            let kinds = [symbols.intern("a"), symbols.intern("b")];
            let preds = [("f", arity), ("p", 1), ("q", 2)].map(|(name, n)| Pred::new(symbols.intern(name), n as u32));
            let mut bias = Bias { max_vars, max_body, non_datalog, recursion, ..Bias::new(preds[0]) };
            bias.body = preds[1..].to_vec();
            for (pred, (types, directions)) in preds.into_iter().zip([head, p, q]) {
                if !types.is_empty() {
                    let typed = |way: &Vec<bool>| way.iter().map(|&b| kinds[usize::from(b)]).collect();
                    bias.types.insert(pred, types.iter().map(typed).collect());
                }
                if !directions.is_empty() {
                    let way = |&b: &bool| if b { Direction::In } else { Direction::Out };
                    bias.directions
                        .insert(pred, directions.iter().map(|ways| ways.iter().map(way).collect()).collect());
                }
            }
            bias
        })
}

/// All literals over `vars` variables, well formed or not.
fn literals(bias: &Bias) -> Vec<Literal> {
    let vars = bias.max_vars as u8;
    let mut all = Vec::new();
    for pred in bias.body.iter().copied().chain([bias.head]) {
        match pred.arity {
            1 => all.extend((0..vars).map(|v| Literal::over(pred, &[v]))),
            _ => all.extend((0..vars * vars).map(|v| Literal::over(pred, &[v / vars, v % vars]))),
        }
    }
    all
}

fn subsets(of: &[Literal], size: usize) -> Vec<Vec<Literal>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = subsets(of, size - 1);
    for set in all.clone().into_iter().filter(|set| set.len() == size - 1) {
        let from =
            set.last().map_or(0, |last| of.iter().position(|literal| literal == last).expect("sets are of these") + 1);
        all.extend(of[from..].iter().map(|literal| [&set[..], std::slice::from_ref(literal)].concat()));
    }
    all
}

fn distinct(literal: &Literal) -> bool {
    literal.args.iter().collect::<BTreeSet<_>>().len() == literal.args.len()
}

/// Whether all variables hang together with the head's, by following one literal after another.
fn connected(rule: &Rule) -> bool {
    let mut seen: BTreeSet<Var> = rule.head.vars().collect();
    for _ in 0..rule.body.len() {
        for literal in &rule.body {
            if literal.vars().any(|var| seen.contains(&var)) {
                seen.extend(literal.vars());
            }
        }
    }
    rule.body.iter().flat_map(Literal::vars).all(|var| seen.contains(&var))
}

/// Whether some assignment of the two types, one for each variable, fits every literal.
fn typed(bias: &Bias, rule: &Rule) -> bool {
    let kinds: BTreeSet<Symbol> = bias.types.values().flatten().flat_map(|types| types.iter().copied()).collect();
    let kinds: Vec<Symbol> = kinds.into_iter().collect();
    let vars = rule.var_count() as u32;
    (0..kinds.len().max(1).pow(vars)).any(|code| {
        let kind = |var: Var| kinds[code / kinds.len().pow(u32::from(var.0)) % kinds.len()];
        std::iter::once(&rule.head).chain(&rule.body).all(|literal| {
            let fits = |types: &[Symbol]| literal.vars().zip(types).all(|(var, wanted)| kind(var) == *wanted);
            bias.types.get(&literal.pred).is_none_or(|alternatives| alternatives.iter().any(|types| fits(types)))
        })
    })
}

/// Whether some order of the body works, from what all declarations of the head give.
fn ordered(bias: &Bias, rule: &Rule) -> bool {
    fn go(bias: &Bias, known: &BTreeSet<Var>, left: &[&Literal]) -> bool {
        let ready = |literal: &Literal| {
            let fits = |ways: &[Direction]| {
                literal.vars().zip(ways).all(|(var, way)| *way == Direction::Out || known.contains(&var))
            };
            bias.directions.get(&literal.pred).is_none_or(|alternatives| alternatives.iter().any(|ways| fits(ways)))
        };
        left.is_empty()
            || (0..left.len()).any(|at| {
                let known: BTreeSet<Var> = known.iter().copied().chain(left[at].vars()).collect();
                let rest: Vec<&Literal> = [&left[..at], &left[at + 1..]].concat();
                ready(left[at]) && go(bias, &known, &rest)
            })
    }
    let body: Vec<&Literal> = rule.body.iter().collect();
    match bias.directions.get(&rule.head.pred) {
        None => go(bias, &rule.head.vars().collect(), &body),
        Some(alternatives) => {
            let vars = rule.head.vars().enumerate();
            let given = vars.filter(|(at, _)| alternatives.iter().all(|ways| ways[*at] == Direction::In));
            go(bias, &given.map(|(_, var)| var).collect(), &body)
        }
    }
}

fn in_space(bias: &Bias, rule: &Rule) -> bool {
    let in_body = |var: Var| rule.body.iter().flat_map(Literal::vars).any(|other| other == var);
    let recursive = rule.body.iter().any(|literal| literal.pred == bias.head);
    rule.body.iter().all(distinct)
        && !rule.body.contains(&rule.head)
        && (bias.recursion || !recursive)
        && !(rule.body.is_empty())
        && connected(rule)
        && (bias.non_datalog || rule.head.vars().all(in_body))
        && typed(bias, rule)
        && ordered(bias, rule)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn membership_and_enumeration_agree_with_the_naive_definition(bias in biases()) {
        let space = Space::of(&bias);
        let vars: Vec<u8> = (0..bias.head.arity as u8).collect();
        let head = Literal::over(bias.head, &vars);
        let mut expected = BTreeSet::new();
        for body in subsets(&literals(&bias), bias.max_body) {
            let rule = Rule { head: head.clone(), body };
            let member = in_space(&bias, &rule);
            prop_assert_eq!(space.contains(&rule).is_ok(), member, "{:?}: {:?}", &rule, space.contains(&rule));
            if member {
                let ordered = space.order(&rule).expect("members have an order");
                prop_assert!(in_space(&bias, &ordered));
                expected.insert(canonical_rule(&rule));
            }
        }
        let found: Vec<Rule> = space.enumerate(bias.max_body + 1).collect();
        prop_assert_eq!(found.iter().cloned().collect::<BTreeSet<_>>(), expected.clone());
        prop_assert_eq!(found.len(), expected.len());
        prop_assert!(found.is_sorted_by_key(Rule::size));
    }

    #[test]
    fn sampled_rules_and_hypotheses_are_in_the_space(bias in biases(), seed: u64) {
        let space = Space::of(&bias);
        let mut state = seed;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let plain = space.enumerate(bias.max_body + 1).any(|rule| !rule.is_recursive());
        let sampled = space.sample(bias.max_body, &mut draw);
        prop_assert_eq!(sampled.is_some(), plain);
        for _ in 0..5 {
            if let Some(rule) = space.sample(bias.max_body, &mut draw) {
                prop_assert!(in_space(&bias, &rule) && !rule.is_recursive());
            }
            if let Some(Hypothesis { rules }) = space.sample_hypothesis(bias.max_body, &mut draw) {
                prop_assert!(rules.iter().all(|rule| in_space(&bias, rule)));
                let recursive = rules.iter().filter(|rule| rule.is_recursive()).count();
                prop_assert!(recursive == 0 || recursive < rules.len());
            }
        }
    }
}
