//! Test twin of tabling: the least Herbrand model of a hypothesis by naive iteration, and the property that tabled
//! evaluation finds exactly it, from every call pattern.

use super::{Engine, Limits};
use crate::logic::{Arg, Clause, Literal, Open, Pred, Rule, TermId, Terms};
use crate::task::Program;
use proptest::prelude::*;
use std::collections::BTreeSet;

type GroundAtom = (Pred, Vec<TermId>);

/// All bindings of `vars` that make the body true, extended literal by literal.
fn matches(body: &[Literal], known: &BTreeSet<GroundAtom>, vars: usize) -> Vec<Vec<Option<TermId>>> {
    let mut bindings = vec![vec![None; vars]];
    for literal in body {
        let mut next = Vec::new();
        for binding in &bindings {
            for (pred, row) in known {
                if *pred != literal.pred {
                    continue;
                }
                let mut extended = binding.clone();
                let fits = literal.args.iter().zip(row).all(|(arg, &id)| match arg {
                    Arg::Const(known) => *known == id,
                    Arg::Number(_) => panic!("what this compares with has no numbers"),
                    Arg::Var(var) => *extended[var.index()].get_or_insert(id) == id,
                });
                if fits {
                    next.push(extended);
                }
            }
        }
        bindings = next;
    }
    bindings
}

fn least_model(rules: &[Rule], facts: BTreeSet<GroundAtom>) -> BTreeSet<GroundAtom> {
    let mut model = facts;
    loop {
        let before = model.len();
        for rule in rules {
            for binding in matches(&rule.body, &model.clone(), rule.var_count()) {
                let value = |arg: &Arg| match arg {
                    Arg::Const(id) => *id,
                    Arg::Number(_) => panic!("what this compares with has no numbers"),
                    Arg::Var(var) => binding[var.index()].expect("head variables occur in the body"),
                };
                model.insert((rule.head.pred, rule.head.args.iter().map(value).collect()));
            }
        }
        if model.len() == before {
            return model;
        }
    }
}

/// Predicates `e0/1 e1/2` with facts and `p0/1 p1/2 p2/2` with rules, and a few constants.
struct ModelWorld {
    terms: Terms,
    preds: Vec<Pred>,
    constants: Vec<TermId>,
}

fn world() -> ModelWorld {
    let mut terms = Terms::default();
    let named = [("e0", 1), ("e1", 2), ("p0", 1), ("p1", 2), ("p2", 2)];
    let preds = named.iter().map(|&(name, arity)| Pred::new(terms.intern(name), arity)).collect();
    let constants = ["a", "b", "c", "d"].iter().map(|name| terms.atom_named(name)).collect();
    ModelWorld { terms, preds, constants }
}

/// A rule from numbers: the head's predicate and, for each literal, its predicate and variables.
fn rule(world: &ModelWorld, head: usize, body: &[(usize, u8, u8)], picks: (usize, usize)) -> Rule {
    let literal = |&(pred, x, y): &(usize, u8, u8)| {
        let pred = world.preds[pred];
        Literal::over(pred, &[x, y][..pred.arity as usize])
    };
    let body: Vec<Literal> = body.iter().map(literal).collect();
    let vars: Vec<u8> = body.iter().flat_map(Literal::vars).map(|var| var.0).collect();
    let head = world.preds[2 + head];
    let args = [vars[picks.0 % vars.len()], vars[picks.1 % vars.len()]];
    Rule { head: Literal::over(head, &args[..head.arity as usize]), body }
}

fn check(world: ModelWorld, rules: &[Rule], facts: &BTreeSet<GroundAtom>) {
    let mut program = Program::default();
    for pred in &world.preds[..2] {
        program.declare(*pred);
    }
    for (pred, row) in facts {
        program.add_fact(*pred, row, || -> Clause { unreachable!("these predicates have no rules") });
    }
    let model = least_model(rules, facts.clone());
    let mut engine = Engine::new(world.terms, &program, Limits::default());
    engine.set_hypothesis(rules);
    let patterns: Vec<Option<TermId>> =
        world.constants.iter().copied().map(Some).chain(std::iter::once(None)).collect();
    let defined: BTreeSet<Pred> = rules.iter().map(|rule| rule.head.pred).collect();
    for &pred in &defined {
        for &first in &patterns {
            for &second in &patterns[..if pred.arity == 2 { patterns.len() } else { 1 }] {
                let call = &[first, second][..pred.arity as usize];
                let fits = |row: &[TermId]| row.iter().zip(call).all(|(id, want)| want.is_none_or(|want| want == *id));
                let expected: BTreeSet<Vec<TermId>> =
                    model.iter().filter(|(p, row)| *p == pred && fits(row)).map(|(_, row)| row.clone()).collect();
                let found = engine.call(pred, call).expect("Datalog ends");
                let found: BTreeSet<Vec<TermId>> = found.rows().iter().map(|row| row.to_vec()).collect();
                assert_eq!(found, expected);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn tabled_evaluation_finds_exactly_the_least_model(
        unary in prop::collection::vec(0usize..4, 0..4),
        binary in prop::collection::vec((0usize..4, 0usize..4), 0..6),
        rules in prop::collection::vec(
            (0usize..3, prop::collection::vec((0usize..5, 0u8..3, 0u8..3), 1..4), (0usize..6, 0usize..6)), 1..6),
    ) {
        let world = world();
        let mut facts: BTreeSet<GroundAtom> = BTreeSet::new();
        facts.extend(unary.iter().map(|&at| (world.preds[0], vec![world.constants[at]])));
        facts.extend(binary.iter().map(|&(x, y)| (world.preds[1], vec![world.constants[x], world.constants[y]])));
        let mut rules: Vec<Rule> = rules.iter().map(|(head, body, picks)| rule(&world, *head, body, *picks)).collect();
        // A predicate that is called must be defined: one harmless rule for each.
        let base = [(0, 0), (1, 1), (2, 1)].map(|(head, fact)| rule(&world, head, &[(fact, 0, 1)], (0, 1)));
        rules.extend(base);
        check(world, &rules, &facts);
    }
}

#[test]
fn a_hypothesis_may_add_to_a_predicate_of_the_program_and_is_taken_back() {
    let mut world = world();
    let (e0, e1) = (world.preds[0], world.preds[1]);
    let mut program = Program::default();
    program.add_fact(e0, &[world.constants[0]], || -> Clause { unreachable!("it has no rules") });
    program.declare(e1);
    let last = world.terms.intern("last");
    let mut engine = Engine::new(world.terms, &program, Limits::default());
    let constant = Literal::new(e0, vec![Arg::Const(world.constants[1])]);
    engine.set_hypothesis(&[Rule { head: constant, body: vec![] }]);
    assert_eq!(engine.call(e0, &[None]).map(|answers| answers.len()), Ok(2));
    assert_eq!(engine.prove(e0, &[world.constants[1]]), Ok(true));
    let library = Pred::new(last, 2);
    engine.set_hypothesis(&[Rule { head: Literal::over(library, &[0, 0]), body: vec![Literal::over(e0, &[0])] }]);
    assert_eq!(engine.call(e0, &[None]).map(|answers| answers.len()), Ok(1));
    assert_eq!(engine.call(library, &[None, None]).map(|answers| answers.len()), Ok(1));
    engine.remove_hypothesis();
    let list = engine.terms_mut().list(&[world.constants[2]]);
    assert_eq!(engine.call(library, &[Some(list), None]).map(|answers| answers.len()), Ok(1));
    engine.set_clauses(&[Clause {
        head: Open::Compound(library.name, Box::new([Open::Var(0), Open::Ground(list)])),
        body: Open::Compound(e0.name, Box::new([Open::Var(0)])),
        variables: vec!["X".to_string()],
        location: crate::error::Location { file: "<test>".into(), line: 1, column: 1 },
    }]);
    assert_eq!(engine.prove(library, &[world.constants[0], list]), Ok(true));
}
