//! Small tasks whose rules need numbers or constants in each of the places where they can stand, and what is learned.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use symsnap::internals::coverage::{Evaluator, SlowEvaluator};
use symsnap::internals::database::Database;
use symsnap::internals::learn::Symsnap;
use symsnap::{Budget, Candidate, Cost, Learner, Outcome, Settings, Task, Text};

/// The best hypothesis, and how the run ended.
fn learn(bk: &str, exs: &str, bias: &str) -> (String, Outcome) {
    let task = Task::from_texts(bk, exs, bias).unwrap_or_else(|error| panic!("{error}"));
    let learner = Symsnap { settings: Settings { cost: Cost::ErrorSize, ..Settings::default() } };
    let mut candidates: Vec<Candidate> = Vec::new();
    let outcome = learner.learn_task(&task, &Budget::unlimited(), &mut candidates).unwrap();
    let best = outcome.best.as_ref().map(|best| best.hypothesis.show(&task.terms)).unwrap_or_default();
    (best, outcome)
}

/// Things with two numbers, of which those are positive for which `holds` says so.
fn points(size: i64, holds: impl Fn(i64, i64) -> bool) -> (String, String) {
    let (mut bk, mut exs) = (String::new(), String::new());
    for (x, y) in (0..size).flat_map(|x| (0..size).map(move |y| (x, y))) {
        let _ = writeln!(bk, "at(p{x}{y},{x},{y}).");
        let _ = writeln!(exs, "{}(f(p{x}{y})).", if holds(x, y) { "pos" } else { "neg" });
    }
    (bk, exs)
}

const POINTS: &str = "head_pred(f,1). body_pred(at,3). type(f,(point,)). type(at,(point,num,num)). max_vars(4).\n";

#[test]
fn sums_and_differences_are_compared_and_proved() {
    let (bk, exs) = points(8, |x, y| x + y <= 6);
    let (best, outcome) = learn(&bk, &exs, &format!("{POINTS}arithmetic(num)."));
    assert_eq!(best, "f(V0) :- at(V0,V1,V2), V3 is V1+V2, V3 =< 6.\n");
    assert!(outcome.optimal, "{:?}", outcome.limits);
    let (bk, exs) = points(8, |x, y| x - y >= 2);
    let (best, outcome) = learn(&bk, &exs, &format!("{POINTS}arithmetic(num)."));
    assert_eq!(best, "f(V0) :- at(V0,V1,V2), V3 is V1-V2, V3 >= 2.\n");
    assert!(outcome.optimal, "{:?}", outcome.limits);
}

#[test]
fn files_of_numsynth_have_sums_of_the_types_that_they_name() {
    let (bk, exs) = points(8, |x, y| x + y >= 9);
    let bias = "numerical_pred(geq,2). numerical_pred(leq,2). numerical_pred(add,3). type(geq,(num,num)). \
                type(leq,(num,num)). type(add,(num,num,num)). direction(add,(in,in,out)).";
    let (best, outcome) = learn(&bk, &exs, &format!("{POINTS}{bias}"));
    assert_eq!(best, "f(V0) :- at(V0,V1,V2), V3 is V1+V2, V3 >= 9.\n");
    assert!(outcome.optimal, "{:?}", outcome.limits);
    // With room for one numeric literal there are no sums that are compared.
    let (best, _) = learn(&bk, &exs, &format!("{POINTS}{bias} max_numeric(1)."));
    assert!(!best.contains(" is "), "{best}");
}

#[test]
fn lines_have_the_slope_that_separates() {
    let (bk, exs) = points(8, |x, y| 3 * x + y <= 14);
    let bias = "numerical_pred(leq,2). numerical_pred(add,3). numerical_pred(mult,3). max_numeric(3). max_vars(5). \
                type(leq,(num,num)). type(add,(num,num,num)). type(mult,(num,num,num)). \
                direction(mult,(in,out,out)). bounds(mult,1,(-5,5)).";
    let (best, outcome) = learn(&bk, &exs, &POINTS.replace("max_vars(4).", bias));
    assert_eq!(best, "f(V0) :- at(V0,V1,V2), V3 is 3*V1, V4 is V2+V3, V4 =< 14.\n");
    assert!(outcome.optimal, "{:?}", outcome.limits);

    // Without bounds, slopes lie between those at which two points change places.
    let (bk, exs) = points(5, |x, y| 10 * y - 35 * x >= 4);
    let (best, outcome) = learn(
        &bk,
        &exs,
        &format!("{} lines(num). max_numeric(3).", POINTS.replace("max_vars(4)", "max_vars(5). max_body(4)")),
    );
    assert_eq!(outcome.best.unwrap().value.0[0], 0, "{best}");
    assert!(best.contains("*V") && best.lines().count() == 1, "{best}");
}

const LISTS: &str = "head([H|_],H). tail([_|T],T). empty([]).";
const OVER_LISTS: &str = "head_pred(f,1). body_pred(head,2). body_pred(tail,2). body_pred(empty,1). max_vars(5). \
                          type(f,(list,)). type(head,(list,num)). type(tail,(list,list)). type(empty,(list,)). \
                          direction(f,(in,)). direction(head,(in,out)). direction(tail,(in,out)). \
                          direction(empty,(in,)). enable_recursion. max_body(4).";

/// Lists of five numbers, of which those are positive for which `holds` says so.
fn lists(holds: impl Fn(&[u64]) -> bool) -> String {
    let (mut state, mut exs) = (7u64, String::new());
    for _ in 0..40 {
        let list: Vec<u64> = (0..5)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state >> 33 & 63
            })
            .collect();
        let _ = writeln!(exs, "{}(f({list:?})).", if holds(&list) { "pos" } else { "neg" });
    }
    exs
}

#[test]
fn base_rules_of_recursive_programs_compare_numbers() {
    let exs = lists(|list| list.iter().any(|number| (20..=27).contains(number)));
    let (best, outcome) = learn(LISTS, &exs, &format!("{OVER_LISTS} numeric(num)."));
    let (base, recursive) = best.split_once('\n').unwrap();
    assert!(base.starts_with("f(V0) :- head(V0,V1), V1 =< 2") && base.contains("V1 >= "), "{best}");
    assert_eq!(recursive, "f(V0) :- tail(V0,V1), f(V1).\n");
    assert_eq!(outcome.best.unwrap().value.0[0], 0);
    assert!(!outcome.optimal, "not all programs were looked at: {:?}", outcome.limits);

    let exs = lists(|list| list[4] <= 30);
    let (best, outcome) = learn(LISTS, &exs, &format!("{OVER_LISTS} numeric(num). max_numeric(1)."));
    assert!(
        best.contains("empty(") && best.contains(" =< ") && best.ends_with("f(V0) :- tail(V0,V1), f(V1).\n"),
        "{best}"
    );
    assert_eq!(outcome.best.unwrap().value.0[0], 0);
}

#[test]
fn base_rules_of_recursive_programs_have_constants() {
    let exs = lists(|list| list.contains(&17) || list.contains(&40));
    let (best, outcome) = learn(LISTS, &exs, &format!("{OVER_LISTS} constants(num). max_clauses(3)."));
    assert_eq!(best, "f(V0) :- head(V0,40).\nf(V0) :- head(V0,17).\nf(V0) :- tail(V0,V1), f(V1).\n");
    assert!(!outcome.optimal, "not all programs were looked at: {:?}", outcome.limits);
}

#[test]
fn arguments_that_no_call_changes_stay_in_base_rules() {
    // What follows a 7 in the list. The positives alone have a 7, so a base rule without the second argument would do, if it
    // were one.
    let mut exs = String::new();
    for at in 0..12 {
        let (other, next) = (10 + at, 40 + at);
        let _ = writeln!(exs, "pos(f([{other},{},7,{next},{}],{next})).", other + 13, other + 60);
        let _ = writeln!(exs, "neg(f([{other},{},8,{next},{}],{next})).", other + 13, other + 60);
    }
    let bias = "head_pred(f,2). body_pred(head,2). body_pred(tail,2). type(f,(list,num)). type(head,(list,num)). \
                type(tail,(list,list)). direction(f,(in,out)). direction(head,(in,out)). direction(tail,(in,out)). \
                enable_recursion. constants(num). max_vars(4). max_body(3).";
    let (best, _) = learn(LISTS, &exs, bias);
    assert_eq!(best, "f(V0,V1) :- head(V0,7), tail(V0,V2), head(V2,V1).\nf(V0,V1) :- tail(V0,V2), f(V2,V1).\n");
}

#[test]
fn constants_of_called_predicates_are_what_they_answer() {
    let bk = "square(A,B) :- number(A), B is A*A.\n\
              times(A,B,C) :- nonvar(B), nonvar(C), !, C > A*B - 0.01, C < A*B + 0.01.\n\
              times(A,B,C) :- nonvar(B), !, C is A*B.\n\
              times(A,B,C) :- nonvar(C), B is round(1000*C/A)/1000.";
    let mut exs = String::new();
    for at in 1..=10 {
        let x = f64::from(at);
        let _ = writeln!(exs, "pos(f({x:?},{:?})). neg(f({x:?},{:?})).", 2.75 * x * x, 2.75 * x + 50.0);
    }
    let bias = "head_pred(f,2). body_pred(square,2). body_pred(times,3). type(f,(num,num)). type(square,(num,num)). \
                type(times,(num,factor,num)). direction(f,(in,out)). direction(square,(in,out)). \
                direction(times,(in,in,out)). constants(factor).";
    let (best, outcome) = learn(bk, &exs, bias);
    assert_eq!(best, "f(V0,V1) :- square(V0,V2), times(V2,2.75,V1).\n");
    assert!(!outcome.optimal, "constants were chosen among answers: {:?}", outcome.limits);
}

#[test]
fn ratios_are_compared_and_proved_where_nothing_is_divided_by_zero() {
    let (mut bk, mut exs) = (String::new(), String::new());
    for (x, y) in (1..8).flat_map(|x| (1..8).map(move |y| (x, y))) {
        let _ = writeln!(bk, "at(p{x}{y},{x},{y}).");
        let _ = writeln!(exs, "{}(f(p{x}{y})).", if 5 * x >= 7 * y { "pos" } else { "neg" });
    }
    let (best, outcome) = learn(&bk, &exs, &format!("{POINTS}ratios(num)."));
    assert_eq!(best, "f(V0) :- at(V0,V1,V2), V3 is V1/V2, V3 >= 1.37.\n");
    assert!(outcome.optimal, "{:?}", outcome.limits);
}

#[test]
fn a_division_by_zero_ends_the_rule_for_its_example() {
    // SWI-Prolog 9.0.4 says: an error for p1, p5 and p6, of which the first row has it, and no error for p2, of which the
    // second has.
    let bk = "at(p1,1,0). at(p1,4,2). at(p2,4,2). at(p2,1,0). at(p3,7,2). at(p4,1,2). at(p5,1.0,0.0). at(p6,0,0.0).";
    let exs = "pos(f(p1)). pos(f(p2)). pos(f(p3)). neg(f(p4)). pos(f(p5)). neg(f(p6)).";
    let mut task = Task::from_texts(bk, exs, &format!("{POINTS}ratios(num).")).unwrap();
    let text = "f(V0) :- at(V0,V1,V2), V3 is V1/V2, V3 >= 1.2.";
    let given = task.read_rules(&Text::new("rules", text)).unwrap();
    let rule = given[0].clause.as_rule(&task.terms).unwrap();
    assert_eq!(rule.show(&task.terms), text);
    let database = Database::new(&task);
    let cover = SlowEvaluator::new(&database, &task.examples).rule(&rule);
    assert_eq!(cover, Evaluator::new(&database, &task.examples).rule(&rule));
    assert_eq!((cover.pos().iter().collect::<Vec<_>>(), cover.neg().count()), (vec![1, 2], 0));
    let (_, outcome) = learn(bk, exs, &format!("{POINTS}ratios(num)."));
    assert!(!outcome.optimal && !outcome.limits.is_empty(), "nothing is proved");
}

#[test]
fn numbers_have_a_price_where_the_bias_says_so() {
    let (mut bk, mut exs) = (String::new(), String::new());
    for at in 0..40 {
        let positive = at < 20;
        let _ = writeln!(bk, "size(t{at},{at}).");
        // Three positives are not red.
        if positive && at > 2 {
            let _ = writeln!(bk, "red(t{at}).");
        }
        let _ = writeln!(exs, "{}(f(t{at})).", if positive { "pos" } else { "neg" });
    }
    let bias = "head_pred(f,1). body_pred(size,2). body_pred(red,1). type(f,(t,)). type(size,(t,num)). \
                type(red,(t,)). numeric(num). ";
    let learned = |statement: &str| {
        let task = Task::from_texts(&bk, &exs, &format!("{bias}{statement}")).unwrap();
        let learner = Symsnap { settings: Settings { cost: Cost::Mdl, ..Settings::default() } };
        let mut candidates: Vec<Candidate> = Vec::new();
        let outcome = learner.learn_task(&task, &Budget::unlimited(), &mut candidates).unwrap();
        let best = outcome.best.as_ref().unwrap();
        (best.hypothesis.show(&task.terms), best.size, outcome.value.0.clone(), outcome.optimal)
    };
    let (compares, red) = ("f(V0) :- size(V0,V1), V1 =< 19.\n".to_owned(), "f(V0) :- red(V0).\n".to_owned());
    assert_eq!(learned(""), (compares.clone(), 3, vec![3], true));
    assert_eq!(learned("constant_price(1)."), (compares, 3, vec![4], false));
    assert_eq!(learned("constant_price(3)."), (red.clone(), 2, vec![5], false));
    // 40 values and 4 words: three literals.
    assert_eq!(learned("constant_price(auto)."), (red, 2, vec![5], false));
}
