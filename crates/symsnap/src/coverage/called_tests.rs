//! Rules over predicates that are called: the same verdicts as plain resolution, and what is noted on the way.

use super::*;
use crate::database::Evaluation;
use crate::parse::Text;
use crate::task::Task;

const BK: &str = "
    tail([_|T],T).
    head([H|_],H).
    empty([]).
    eq(X,X).
    even(X) :- 0 is X mod 2.
    small(X) :- X < 3.
    loop(X) :- loop(X).
    strange(X,Y) :- var(Y), !, Y = X.
    strange(_,never).
    two(X,Y) :- member(Y,[X,z]).
    partial(_,[_|_]).
    any(a). any(1). any(2).
    late(a). late(X) :- X > 1.
    pair(1,2). pair(2,3). pair(a,b).
    chain(X,Y) :- pair(X,Y).
    chain(X,Y) :- pair(X,Z), chain(Z,Y).
";
const BIAS: &str = "head_pred(f,2).
    body_pred(tail,2). body_pred(head,2). body_pred(empty,1). body_pred(eq,2). body_pred(even,1). body_pred(small,1).
    body_pred(loop,1). body_pred(strange,2). body_pred(two,2). body_pred(partial,2). body_pred(any,1).
    body_pred(pair,2). body_pred(chain,2). body_pred(nowhere,1). body_pred(succ,2). body_pred(late,1).";
const EXS: &str = "pos(f([1,2],2)). pos(f([],1)). pos(f([2,4],a)). pos(f(1,2)). pos(f(1,3)).
    neg(f(a,b)). neg(f(a,a)). neg(f(3,[])). neg(f([a],[2])). neg(f(2,1)).";

fn task(rules: &[&str]) -> (Task, Vec<Rule>) {
    let mut task = Task::from_texts(BK, EXS, BIAS).expect("the task is well formed");
    let rules = rules
        .iter()
        .map(|text| {
            let given = task.read_rules(&Text::new("<test>", text)).expect("so are its rules");
            given[0].clause.as_rule(&task.terms).expect("which are flat")
        })
        .collect();
    (task, rules)
}

/// Rules in pairs of what they cover, as numbers of examples.
fn covered(rules: &[&str]) -> (Vec<Vec<usize>>, Notes) {
    let (task, rules) = task(rules);
    let database = Database::new(&task);
    let mut evaluator = Evaluator::new(&database, &task.examples);
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    let covers = rules.iter().map(|rule| {
        let cover = evaluator.rule(rule);
        assert_eq!(cover, slow.rule(rule), "{}", rule.show(&task.terms));
        cover.pos().iter().chain(cover.neg().iter().map(|at| at + cover.pos().len())).collect()
    });
    (covers.collect(), evaluator.notes().clone())
}

#[test]
fn a_call_that_raises_an_error_when_it_is_asked_again_ends_the_rule() {
    // `eq` fails for the first answer of `pair` or `any`; on the way back `late` raises before there is a second one.
    let (covers, notes) = covered(&[
        "f(A,B) :- pair(C,D), late(E), eq(D,3).",
        "f(A,B) :- any(C), late(C), eq(C,2).",
        "f(A,B) :- pair(C,D), late(E), pair(A,D).",
        "f(A,B) :- pair(C,D), eq(D,3), late(E).",
    ]);
    assert!(covers[0].is_empty() && covers[1].is_empty(), "{covers:?}");
    assert_eq!(covers[2], [3, 4]);
    assert_eq!(covers[3].len(), 10, "nothing fails behind the last call");
    assert!(notes.faults > 0);
}

#[test]
fn list_predicates_are_called_with_what_is_bound_in_the_written_order() {
    let (covers, notes) = covered(&[
        "f(A,B) :- tail(A,C), head(C,B).",
        "f(A,B) :- head(A,C), even(C).",
        "f(A,B) :- tail(A,C), tail(C,D), empty(D).",
        "f(A,B) :- strange(A,B).",
        "f(A,B) :- any(A), strange(A,C), eq(C,B).",
        "f(A,B) :- two(A,C), pair(C,B).",
        "f(A,B) :- succ(A,B).",
        "f(A,B) :- chain(A,B).",
        "f(A,B) :- nowhere(A).",
    ]);
    let expected: [&[usize]; 9] = [&[0], &[2], &[0, 2], &[], &[6], &[3, 5], &[3], &[3, 4, 5], &[]];
    assert_eq!(covers, expected);
    assert_eq!(notes.unfinished, 0);
}

#[test]
fn open_answers_and_repeated_variables_are_left_to_resolution() {
    let (covers, _) = covered(&[
        "f(A,B) :- eq(A,C), eq(C,B).",
        "f(A,B) :- eq(C,D), pair(C,D).",
        "f(A,B) :- eq(C,C), pair(A,B).",
        "f(A,B) :- partial(A,C), head(C,B).",
        "f(A,B) :- strange(C,C).",
        "f(A,A) :- any(A).",
        "f(A,2) :- any(A).",
    ]);
    let all: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    let expected: [&[usize]; 7] = [&[6], &[], &[3, 5], all, all, &[6], &[3]];
    assert_eq!(covers, expected);
}

#[test]
fn an_error_ends_the_proof_of_an_example_as_it_does_in_prolog() {
    // any/1 gives a first, on which small/1 raises a type error: no later value is tried.
    let (covers, notes) = covered(&["f(A,B) :- any(C), small(C).", "f(A,B) :- pair(A,C), small(C)."]);
    assert_eq!(covers, [vec![], vec![3, 4]]);
    assert!(notes.faults > 0 && notes.messages.len() == 2, "{notes:?}");
}

#[test]
fn an_error_in_front_of_literals_that_reject_the_example_is_met_if_that_is_asked_for() {
    // small/1 raises an error for a. What pair/2 says of the other argument is asked first otherwise.
    let (task, rules) = task(&["f(A,B) :- small(A), pair(C,B).", "f(A,B) :- pair(C,B), small(A)."]);
    let database = Database::new(&task);
    // f(a,a), and no pair has a as its second.
    let mut within = Cover::empty(task.examples.sides());
    within.insert(6);
    let faults = |evaluator: Evaluator<'_>, rule: &Rule| {
        let mut evaluator = evaluator;
        assert!(evaluator.rule_within(rule, &within).is_empty());
        evaluator.notes().faults
    };
    let evaluator = || Evaluator::new(&database, &task.examples);
    assert_eq!(faults(evaluator(), &rules[0]), 0);
    assert_eq!(faults(evaluator().meeting_all_errors(), &rules[0]), 1);
    assert_eq!(faults(evaluator().meeting_all_errors(), &rules[1]), 0, "there the error is never reached");
}

#[test]
fn endless_recursion_is_cut_off_and_noted() {
    let (task, rules) = task(&["f(A,B) :- loop(A)."]);
    let database = Database::new(&task);
    let limits = CoverageLimits { unresolved: 1, ..CoverageLimits::default() };
    let mut evaluator = Evaluator::new(&database, &task.examples).with_limits(limits);
    assert!(evaluator.rule(&rules[0]).is_empty());
    // Calls of loop/1 are Datalog, so it is a table, and empty.
    assert_eq!(database.evaluation(rules[0].body[0].pred), Evaluation::Materialised { rows: 0 });
    assert_eq!(evaluator.notes().unfinished, 0);
}

#[test]
fn recursive_hypotheses_reach_the_least_model() {
    let (task, rules) = task(&["f(A,B) :- pair(A,B).", "f(A,B) :- f(A,C), f(C,B)."]);
    let database = Database::new(&task);
    let hypothesis = Hypothesis { rules };
    let cover = Evaluator::new(&database, &task.examples).hypothesis(&hypothesis);
    assert_eq!(cover, SlowEvaluator::new(&database, &task.examples).hypothesis(&hypothesis));
    assert_eq!((cover.pos().iter().collect::<Vec<_>>(), cover.neg().iter().collect::<Vec<_>>()), (vec![3, 4], vec![0]));
}
