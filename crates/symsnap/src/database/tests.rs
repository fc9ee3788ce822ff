//! Materialisation against the naive least model, on random stratified programs.

use super::*;
use crate::error::Location;
use crate::logic::{Clause, Open, TermId, Terms};
use crate::task::{Bias, Examples, Program};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// An argument: 0..3 a variable, 3..6 a value.
type ArgPair = (u8, u8);
/// Negated, predicate, arguments.
type GoalDraw = (bool, usize, ArgPair);

const VALUES: u8 = 3;

/// `e/2` is facts; `d0/2`, `d1/2`, `d2/2` have rules. `predicates[0]` is `e`.
struct DatalogWorld {
    terms: Terms,
    preds: Vec<Pred>,
}

fn world() -> DatalogWorld {
    let mut terms = Terms::default();
    for value in 0..i64::from(VALUES) {
        terms.int(value);
    }
    let preds = ["e", "d0", "d1", "d2"].iter().map(|name| Pred::new(terms.intern(name), 2)).collect();
    DatalogWorld { terms, preds }
}

fn atom(world: &mut DatalogWorld, pred: usize, (a, b): ArgPair) -> Open {
    let arg = |of: u8| if of < 3 { Open::Var(of.into()) } else { Open::Ground(TermId::from_index(u32::from(of) - 3)) };
    match (arg(a), arg(b)) {
        (Open::Ground(a), Open::Ground(b)) => Open::Ground(world.terms.compound(world.preds[pred].name, &[a, b])),
        (a, b) => Open::Compound(world.preds[pred].name, Box::new([a, b])),
    }
}

fn clause(world: &mut DatalogWorld, head: Open, body: &[GoalDraw]) -> Clause {
    let (comma, not) = (world.terms.intern(","), world.terms.intern("\\+"));
    let mut goals: Vec<Open> = Vec::new();
    for &(negated, pred, args) in body {
        let goal = atom(world, pred, args);
        goals.push(if negated { Open::Compound(not, Box::new([goal])) } else { goal });
    }
    let last = goals.pop().expect("a body has a goal");
    let body = goals.into_iter().rev().fold(last, |rest, goal| Open::Compound(comma, Box::new([goal, rest])));
    let location = Location { file: "<test>".into(), line: 1, column: 1 };
    Clause { head, body, variables: vec!["X".into(); 3], location }
}

/// The least model by trying every value for every variable until nothing is new, one predicate after another.
fn naive(facts: &BTreeSet<[u8; 2]>, rules: &[Vec<(ArgPair, Vec<GoalDraw>)>]) -> Vec<BTreeSet<[u8; 2]>> {
    let mut model = vec![facts.clone()];
    for rules in rules {
        model.push(BTreeSet::new());
        let own = model.len() - 1;
        loop {
            let before = model[own].len();
            for ((head, body), code) in rules.iter().flat_map(|rule| (0..27).map(move |code| (rule, code))) {
                let value = |of: u8| if of < 3 { code / 3u8.pow(of.into()) % 3 } else { of - 3 };
                let row = |(a, b): ArgPair| [value(a), value(b)];
                if body.iter().all(|&(negated, pred, args)| model[pred].contains(&row(args)) != negated) {
                    model[own].insert(row(*head));
                }
            }
            if model[own].len() == before {
                break;
            }
        }
    }
    model
}

fn task(world: DatalogWorld, program: Program) -> Task {
    let head = world.preds[0];
    let bias = Bias { body: world.preds.clone(), ..Bias::new(head) };
    Task { terms: world.terms, program, examples: Examples::new(head), bias, warnings: Vec::new() }
}

/// Rules for `level`, safe by construction: the first goal or two bind what negations and heads use.
fn rules(level: usize) -> impl Strategy<Value = Vec<(ArgPair, Vec<GoalDraw>)>> {
    let positive = (0..level + 1, (0u8..6, 0u8..6)).prop_map(|(pred, args)| (false, pred, args));
    let negative = (0..level, (0u8..6, 0u8..6)).prop_map(|(pred, args)| (true, pred, args));
    let body = (prop::collection::vec(positive, 1..4), prop::collection::vec(negative, 0..2));
    prop::collection::vec(((0u8..6, 0u8..6), body), 0..4).prop_map(|rules| {
        let safe = |(head, (mut body, negations)): (ArgPair, (Vec<GoalDraw>, Vec<GoalDraw>))| {
            let mut bound: BTreeSet<u8> = body.iter().flat_map(|&(_, _, (a, b))| [a, b]).collect();
            bound.extend(3..6);
            let is_safe = |(a, b): ArgPair| bound.contains(&a) && bound.contains(&b);
            body.extend(negations.into_iter().filter(|part| is_safe(part.2)));
            is_safe(head).then_some((head, body))
        };
        rules.into_iter().filter_map(safe).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn materialised_tables_are_the_least_model(
        facts in prop::collection::btree_set(prop::array::uniform2(0u8..VALUES), 0..6),
        levels in (rules(1), rules(2), rules(3)),
    ) {
        let levels = [levels.0, levels.1, levels.2];
        let mut world = world();
        let mut program = Program::default();
        for pred in &world.preds {
            program.declare(*pred);
        }
        for row in &facts {
            let row = row.map(|value| TermId::from_index(value.into()));
            program.add_fact(world.preds[0], &row, || unreachable!("facts only"));
        }
        for (level, rules) in levels.iter().enumerate() {
            for (head, body) in rules {
                let head = atom(&mut world, level + 1, *head);
                let clause = clause(&mut world, head, body);
                let pred = world.preds[level + 1];
                program.add_clause(pred, clause, &mut world.terms);
            }
        }
        let preds = world.preds.clone();
        let database = Database::new(&task(world, program));
        for (pred, rows) in preds.iter().zip(naive(&facts, &levels)) {
            let table = database.relation(*pred).expect("all predicates are Datalog");
            let found: BTreeSet<[u8; 2]> =
                (0..table.len()).map(|at| [table.column(0)[at] as u8, table.column(1)[at] as u8]).collect();
            prop_assert_eq!(found, rows);
        }
    }
}

#[test]
fn rules_that_are_not_datalog_are_called() {
    let cases: [(&[GoalDraw], ArgPair, &str); 3] = [
        (&[(true, 1, (0, 1)), (false, 0, (0, 1))], (0, 1), "negates before a variable is bound"),
        (&[(false, 0, (0, 1)), (true, 1, (0, 1))], (0, 1), "depends on its own negation"),
        (&[(false, 0, (0, 1))], (0, 2), "has a head variable that its body does not bind"),
    ];
    for (body, head, expected) in cases {
        let mut world = world();
        let mut program = Program::default();
        program.add_fact(world.preds[0], &[TermId::from_index(0), TermId::from_index(1)], || unreachable!("facts"));
        let head = atom(&mut world, 1, head);
        program.declare(world.preds[1]);
        let clause = clause(&mut world, head, body);
        let pred = world.preds[1];
        program.add_clause(pred, clause, &mut world.terms);
        let database = Database::new(&task(world, program));
        assert_eq!(database.evaluation(pred), Evaluation::Called { why: expected });
    }
}

#[test]
fn whether_the_steps_of_a_call_suffice_does_not_depend_on_what_was_asked_before() {
    let bk = "slow(X,Y) :- between(1,1000,N), N >= 1000, Y is X + 1.";
    let bias = "head_pred(f,1). body_pred(slow,2). direction(slow,(in,out)).";
    let task = Task::from_texts(bk, "pos(f(1)).", bias).unwrap();
    let fresh = || Database::new(&task);
    let pred = task.bias.body[0];
    let one = narrow(task.examples.positive(0)[0].index());
    let ask = |database: &Database, steps: u64| {
        let place = database.place(pred).expect("it is declared");
        let answers = database.ask_within(place, Columns::default().with(0), &[one], Want::All, steps);
        (answers.len(), answers.outcome().clone())
    };
    let alone: Vec<_> = [100, 1_000_000, 100, 1_000].iter().map(|&steps| ask(&fresh(), steps)).collect();
    let database = fresh();
    let together: Vec<_> = [100, 1_000_000, 100, 1_000].iter().map(|&steps| ask(&database, steps)).collect();
    assert_eq!(alone, together);
    assert_eq!(alone[0], (0, CallOutcome::Fault(crate::prolog::Fault::Steps)));
    assert_eq!(alone[1], (1, CallOutcome::Exact));
}
