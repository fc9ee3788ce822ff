//! Properties of coverage on random facts, examples and rules, and its behaviour at the edges.

use super::*;
use crate::logic::{Literal, Pred, Terms, Var};
use crate::task::{Bias, Program, Task};
use proptest::prelude::*;

/// A task over the values `0..6`: facts of the predicates `p0..p4`, of arity 0 to 4, and examples of `f/2`.
fn task(facts: &[(usize, Vec<u8>)], examples: &[(bool, [u8; 2])]) -> (Task, Vec<Pred>) {
    let mut terms = Terms::default();
    let values: Vec<TermId> = (0..6).map(|value| terms.int(value)).collect();
    let preds: Vec<Pred> = (0..5).map(|arity| Pred::new(terms.intern(&format!("p{arity}")), arity)).collect();
    let head = Pred::new(terms.intern("f"), 2);
    let mut program = Program::default();
    for (arity, row) in facts {
        let row: Vec<TermId> = row[..*arity].iter().map(|&at| values[at as usize]).collect();
        program.add_fact(preds[*arity], &row, || unreachable!("the predicate has no rules"));
    }
    let mut all = Examples::new(head);
    for (positive, [a, b]) in examples {
        all.push(*positive, &[values[*a as usize], values[*b as usize]], 1);
    }
    let bias = Bias { body: preds.clone(), non_datalog: true, ..Bias::new(head) };
    (Task { terms, program, examples: all, bias, warnings: Vec::new() }, preds)
}

fn args(of: &[u8]) -> Box<[Arg]> {
    // Numbers from 6 on stand for constants.
    of.iter()
        .map(|&at| if at < 6 { Arg::Var(Var(at)) } else { Arg::Const(TermId::from_index(u32::from(at) - 6)) })
        .collect()
}

fn facts() -> impl Strategy<Value = Vec<(usize, Vec<u8>)>> {
    prop::collection::vec((0usize..5, prop::collection::vec(0u8..6, 4)), 0..60)
}

fn examples() -> impl Strategy<Value = Vec<(bool, [u8; 2])>> {
    prop::collection::vec((any::<bool>(), prop::array::uniform2(0u8..6)), 1..30)
}

fn bodies() -> impl Strategy<Value = (Vec<u8>, Vec<(usize, Vec<u8>)>)> {
    let head = prop_oneof![4 => Just(vec![0, 1]), 1 => prop::collection::vec(0u8..9, 2)];
    let literal = (0usize..5, prop::collection::vec(0u8..7, 4));
    (head, prop::collection::vec(literal, 0..6))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn joins_cover_what_nested_loops_cover(
        facts in facts(), examples in examples(), (head, body) in bodies(), within in any::<u64>(),
    ) {
        let (task, preds) = task(&facts, &examples);
        let body = body.iter().map(|(arity, of)| Literal::new(preds[*arity], args(&of[..*arity]))).collect();
        let rule = Rule { head: Literal::new(task.examples.pred(), args(&head)), body };
        let database = Database::new(&task);
        let mut evaluator = Evaluator::new(&database, &task.examples);
        let expected = naive::rule(&task.program, &task.examples, &rule);
        prop_assert_eq!(&evaluator.rule(&rule), &expected);
        if within % 8 == 0 {
            prop_assert_eq!(&SlowEvaluator::new(&database, &task.examples).rule(&rule), &expected);
        }
        let mut part = Cover::full(task.examples.sides());
        part.retain(|at| within >> at & 1 == 1);
        let mut narrowed = expected.clone();
        narrowed.retain(|at| within >> at & 1 == 1);
        prop_assert_eq!(evaluator.rule_within(&rule, &part), narrowed);
        prop_assert_eq!(evaluator.rule(&rule), expected, "an evaluator can be used again");
    }
}

#[test]
fn an_exploding_join_ends_at_the_limit_and_says_so() {
    let pairs = (0..36).filter(|at| at / 6 != at % 6).map(|at| (2, vec![at / 6, at % 6, 0, 0])).collect::<Vec<_>>();
    let (task, preds) = task(&pairs, &[(true, [0, 0]), (false, [1, 0])]);
    let database = Database::new(&task);
    // Nine different values out of six: no solution, and many ways to fail.
    let pairs = (2..11).flat_map(|a| (a + 1..11).map(move |b| [a, b]));
    let body = pairs.map(|pair| Literal::over(preds[2], &pair)).collect();
    let rule = Rule { head: Literal::over(task.examples.pred(), &[0, 1]), body };
    let limits = CoverageLimits { example_steps: 1000, rule_steps: 1000, ..CoverageLimits::default() };
    let mut evaluator = Evaluator::new(&database, &task.examples).with_limits(limits);
    assert!(evaluator.rule(&rule).is_empty());
    assert_eq!(evaluator.notes().unfinished, 1, "the part sees no example, so it is walked once for all of them");
    assert!(Evaluator::new(&database, &task.examples).rule(&rule).is_empty());

    let budget = Budget::unlimited().with_time(std::time::Duration::ZERO);
    let mut hurried = Evaluator::new(&database, &task.examples).with_budget(budget);
    let easy = Rule { body: vec![Literal::over(preds[2], &[0, 1])], ..rule };
    assert!(hurried.rule(&easy).is_empty());
    assert!(hurried.notes().unfinished > 0, "nothing is decided after the time is over, and the notes say so");
}
