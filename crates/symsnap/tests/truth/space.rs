//! What is in the space: what the bias limits, and what it says of types, directions and constraints.

use super::learned;
use symsnap::internals::learn::Symsnap;
use symsnap::internals::space::Space;
use symsnap::{Budget, Candidate, Cost, Learner, Settings, Task, Ties};

/// Tests, steps and skeletons stand for others with the same bindings, but not where they use more of what the bias rations: what
/// is added later needs its share of the constants or comparisons. Each of these tasks lost its best rule in another place.
#[test]
fn what_uses_a_constant_does_not_stand_for_what_uses_none() {
    let tasks = [
        // Best is f(A) :- r(A,B), p2(B), p3(B), s(B,blue): a set of tests, {q(B,red)}, stood for {p2(B), p3(B)}.
        (
            "r(a1,b1). r(a2,b2). r(a3,b3). r(a4,b4). r(a5,b5). r(a6,b6). r(a7,b7). r(a8,b8). r(a9,b9).
             p2(b1). p2(b2). p2(b3). p2(b4). p2(b5). p2(b6).
             p3(b1). p3(b2). p3(b3). p3(b4). p3(b7). p3(b8).
             q(b1,red). q(b2,red). q(b3,red). q(b4,red). q(b5,green). q(b6,green). q(b7,green). q(b8,green). q(b9,green).
             s(b1,blue). s(b2,blue). s(b3,blue). s(b4,pink). s(b5,blue). s(b6,pink). s(b7,blue). s(b8,pink). s(b9,blue).",
            "pos(f(a1)). pos(f(a2)). pos(f(a3)). neg(f(a4)). neg(f(a5)). neg(f(a6)). neg(f(a7)). neg(f(a8)). neg(f(a9)).",
            "head_pred(f,1). body_pred(r,2). body_pred(p2,1). body_pred(p3,1). body_pred(q,2). body_pred(s,2).
             type(f,(t,)). type(r,(t,u)). type(p2,(u,)). type(p3,(u,)). type(q,(u,c)). type(s,(u,c)).
             constants(c). max_magic(1). max_vars(2). max_body(4).",
            5,
        ),
        // Best is f(A) :- r(A,B,X,Y), p2(B), p3(B), Y =< 4: a comparison, {X =< 2}, stood for the same.
        (
            "r(a1,b1,1,1). r(a2,b2,2,2). r(a3,b3,1,3). r(a4,b4,2,9). r(a5,b5,7,2). r(a6,b6,8,8). r(a7,b7,9,1). r(a8,b8,6,9). r(a9,b9,8,2).
             p2(b1). p2(b2). p2(b3). p2(b4). p2(b5). p2(b6).
             p3(b1). p3(b2). p3(b3). p3(b4). p3(b7). p3(b8).",
            "pos(f(a1)). pos(f(a2)). pos(f(a3)). neg(f(a4)). neg(f(a5)). neg(f(a6)). neg(f(a7)). neg(f(a8)). neg(f(a9)).",
            "head_pred(f,1). body_pred(r,4). body_pred(p2,1). body_pred(p3,1).
             type(f,(t,)). type(r,(t,u,n,n)). type(p2,(u,)). type(p3,(u,)).
             numeric(n). max_numeric(1). max_vars(4). max_body(4).",
            5,
        ),
        // Best is f(A) :- b(A,m,B), q(B,red): a step with two constants stood for one with one.
        (
            "a(a1,k,k,b1). a(a2,k,k,b2). a(a3,k,k,b3). a(a4,k,k,b4). a(a5,j,k,b1).
             b(a1,m,b1). b(a2,m,b2). b(a3,m,b3). b(a4,m,b4). b(a5,n,b1).
             q(b1,red). q(b2,red). q(b3,green). q(b4,green).",
            "pos(f(a1)). pos(f(a2)). neg(f(a3)). neg(f(a4)). neg(f(a5)).",
            "head_pred(f,1). body_pred(a,4). body_pred(b,3). body_pred(q,2).
             type(f,(t,)). type(a,(t,c,c,u)). type(b,(t,c,u)). type(q,(u,c)).
             constants(c). max_magic(2). max_vars(2). max_body(2).",
            3,
        ),
        // Best is f(A) :- r(A,B), s(B,C), t(C), p(B), k(C,blue): a test with a constant stood for one that is inherited.
        (
            "r(a1,b1). r(a2,b2). r(a3,b3). r(a4,b4). r(a5,b5). r(a6,b6). r(a7,b7). r(a8,b8).
             s(b1,c1). s(b2,c2). s(b3,c3). s(b4,c4). s(b5,c5). s(b6,c6). s(b7,c7). s(b8,c8).
             p(b1). p(b2). p(b3). p(b4). p(b7).
             q(c1,red). q(c2,red). q(c3,red). q(c4,red). q(c7,red). q(c5,green). q(c6,green). q(c8,green).
             t(c1). t(c2). t(c3). t(c5). t(c7).
             k(c1,blue). k(c2,blue). k(c3,blue). k(c4,blue). k(c5,blue). k(c6,pink). k(c7,pink). k(c8,blue).",
            "pos(f(a1)). pos(f(a2)). pos(f(a3)). neg(f(a4)). neg(f(a5)). neg(f(a6)). neg(f(a7)). neg(f(a8)).",
            "head_pred(f,1). body_pred(r,2). body_pred(s,2). body_pred(p,1). body_pred(q,2). body_pred(t,1). body_pred(k,2).
             type(f,(x,)). type(r,(x,u)). type(s,(u,w)). type(p,(u,)). type(q,(w,c)). type(t,(w,)). type(k,(w,c)).
             constants(c). max_magic(1). max_vars(3). max_body(5).",
            6,
        ),
        // Best is f(A) :- rr(A,C), ss(C,B), t(B,blue): a skeleton with a constant stood for one with the same table.
        (
            "r(a1,b1). r(a2,b2). r(a3,b3). r(a4,b4). r(a5,b9).
             s(b1,k,c1). s(b2,k,c2). s(b3,k,c3). s(b4,k,c4).
             rr(a1,c1). rr(a2,c2). rr(a3,c3). rr(a4,c4). rr(a5,c8).
             ss(c1,b1). ss(c2,b2). ss(c3,b3). ss(c4,b4). ss(c9,b9).
             t(b1,blue). t(b2,blue). t(b3,blue). t(b4,red). t(b9,blue).
             d0(z). d1(z). d2(z). d3(z). d4(z). d5(z). d6(z). d7(z). d8(z). d9(z).",
            "pos(f(a1)). pos(f(a2)). pos(f(a3)). neg(f(a4)). neg(f(a5)).",
            "head_pred(f,1). body_pred(r,2). body_pred(s,3).
             body_pred(d0,1). body_pred(d1,1). body_pred(d2,1). body_pred(d3,1). body_pred(d4,1). body_pred(d5,1). body_pred(d6,1). body_pred(d7,1). body_pred(d8,1). body_pred(d9,1).
             type(d0,(z,)). type(d1,(z,)). type(d2,(z,)). type(d3,(z,)). type(d4,(z,)). type(d5,(z,)). type(d6,(z,)). type(d7,(z,)). type(d8,(z,)). type(d9,(z,)).
             body_pred(rr,2). body_pred(ss,2). body_pred(t,2).
             type(f,(x,)). type(r,(x,u)). type(s,(u,c,w)). type(rr,(x,w)). type(ss,(w,u)). type(t,(u,c)).
             constants(c). max_magic(1). max_vars(3). max_body(3).",
            4,
        ),
    ];
    for (bk, exs, bias, size) in tasks {
        let (outcome, text) = learned(bk, exs, bias, Cost::ErrorSize);
        assert_eq!((outcome.value.0, outcome.optimal), (vec![0, size], true), "{text}{:?}", outcome.limits);
    }
}

/// Nor may a rule be written with it: equally good hypotheses are of the space, too.
#[test]
fn rules_that_cover_the_same_are_no_ties_with_more_constants_than_allowed() {
    let bk =
        "p(a0,b4). p(a1,b3). p(a2,b6). p(a3,b0). p(a4,b1). p(a5,b4). p(a6,b1). p(a2,b1). p(a3,b3). p(a4,b0). p(a5,b1).
        q(b1). q(b2). q(b5). q(b6).";
    let bias = "head_pred(f,1). body_pred(p,2). body_pred(q,1). type(f,(t,)). type(p,(t,m)). type(q,(m,)).
        constants(m). constants(t). max_magic(1). max_vars(3). max_body(4).";
    let task = Task::from_texts(bk, "pos(f(a4),3). neg(f(a6)). neg(f(a1)). neg(f(a3),3). neg(f(a5)).", bias).unwrap();
    let learner = Symsnap { settings: Settings { cost: Cost::ErrorSize, ..Settings::default() } };
    let mut candidates: Vec<Candidate> = Vec::new();
    let outcome = learner.learn_task(&task, &Budget::unlimited(), &mut candidates).unwrap();
    assert_eq!((&outcome.value.0, outcome.ties), (&vec![0, 4], Ties::Complete));
    let equal = candidates.iter().filter(|candidate| candidate.value == outcome.value).count();
    assert_eq!(equal, 1, "p(a2,V1) covers what q(V1) does, and would be a second constant");
    let space = Space::new(&task);
    for rule in candidates.iter().flat_map(|candidate| &candidate.hypothesis.rules) {
        assert_eq!(space.contains(rule), Ok(()), "{}", rule.show(&task.terms));
    }
}

#[test]
fn a_predicate_that_constants_make_narrow_enough_but_too_wide_for_the_search_forbids_a_proof() {
    let row = |thing: &str, colour: &str| format!("p({thing},{}{colour}). ", "x,".repeat(11));
    let bk = format!("{}{}{}z(a1).", row("a1", "red"), row("a2", "red"), row("a3", "green"));
    let types = "u,".repeat(11);
    let bias =
        format!("head_pred(f,1). body_pred(p,13). body_pred(z,1). type(f,(t,)). type(z,(t,)). type(p,(t,{types}c)).");
    let with = |most: &str| format!("{bias} constants(c). max_vars(12). max_body(2). {most}");
    let exs = "pos(f(a1)). pos(f(a2)). neg(f(a3)).";
    let (outcome, _) = learned(&bk, exs, &with(""), Cost::ErrorSize);
    assert!(!outcome.optimal && outcome.limits[0].contains("p/13"), "{:?}", outcome.limits);
    let (outcome, _) = learned(&bk, exs, &with("max_magic(0)."), Cost::ErrorSize);
    assert!(outcome.optimal, "without constants no rule has room for it: {:?}", outcome.limits);
}

#[test]
fn a_variable_of_an_untyped_argument_has_one_type() {
    let bk = "p(a1,b1). p(a2,b2). p(a3,b3). p(a4,b4). q(b1). q(b2). q(b3). r(b1). r(b2). r(b4).";
    let exs = "pos(f(a1)). pos(f(a2)). neg(f(a3)). neg(f(a4)).";
    let bias = "head_pred(f,1). body_pred(p,2). body_pred(q,1). body_pred(r,1).
        type(f,(t,)). type(q,(u,)). type(r,(v,)). max_vars(2). max_body(3).";
    let (outcome, text) = learned(bk, exs, bias, Cost::ErrorSize);
    assert_eq!((outcome.value.0, outcome.optimal), (vec![1, 3], true), "{text}");
}

#[test]
fn limits_hold_where_a_table_would_have_more_than_a_million_rows() {
    let mut bk = String::new();
    for at in 0..100 {
        // The first forty are linked with one group of a hundred, the others with another; each has a hundred and fifty members.
        let group = if at < 40 { 'g' } else { 'h' };
        (0..100).for_each(|of| bk += &format!("r(a{at},{group}{of}). "));
        for (member, group) in (0..150).flat_map(|member| [(member, 'g'), (member, 'h')]) {
            bk += &format!("s({group}{at},{group}m{member}). ");
        }
    }
    for (member, group) in (0..150).flat_map(|member| [(member, 'g'), (member, 'h')]) {
        let (red, blue) = if group == 'g' { (member == 1, member == 1) } else { (member == 2, member == 3) };
        bk += &format!("q({group}m{member},{}). ", if red { "red" } else { "green" });
        bk += &format!("w({group}m{member},{}). ", if blue { "blue" } else { "pink" });
    }
    let label = |at: u32| if at < 40 { "pos" } else { "neg" };
    let exs: String = (0..100).map(|at| format!("{}(f(a{at})). ", label(at))).collect();
    let bias =
        "head_pred(f,1). body_pred(r,2). body_pred(s,2). body_pred(q,2). body_pred(w,2). type(f,(t,)). type(r,(t,x)).
        type(s,(x,y)). type(q,(y,c)). type(w,(y,c)). constants(c). max_vars(3). max_body(4).";
    let task = Task::from_texts(&bk, &exs, &format!("{bias} max_magic(1).")).unwrap();
    let learner = Symsnap { settings: Settings { cost: Cost::ErrorSize, ..Settings::default() } };
    let outcome = learner.learn_task(&task, &Budget::unlimited(), &mut Vec::<Candidate>::new()).unwrap();
    assert_eq!((outcome.value.0, outcome.optimal), (vec![40, 0], true), "{:?}", outcome.limits);
}

#[test]
fn a_constraint_that_takes_too_long_to_check_forbids_a_proof() {
    // A chain of nine literals, which the constraint allows only if its variables are numbered backwards: one of 9! ways.
    let (mut bk, mut bias) = (String::new(), "head_pred(f,1). type(f,(t0,)). max_vars(10). max_body(9).".to_owned());
    for at in 0..9 {
        bias += &format!("body_pred(s{at},2). type(s{at},(t{at},t{})). ", at + 1);
        let last = if at == 8 { 1..3 } else { 1..7 };
        last.for_each(|of| bk += &format!("s{at}(x{of}_{at},x{of}_{}). ", at + 1));
    }
    let exs = "pos(f(x1_0)). pos(f(x2_0)). neg(f(x3_0)). neg(f(x4_0)).";
    let constraint = ":- body_literal(_,_,_,(X,Y)), X>0, X<Y.";
    let (outcome, text) = learned(&bk, exs, &bias, Cost::ErrorSize);
    assert_eq!((outcome.value.0, outcome.optimal), (vec![0, 10], true), "{text}");
    let (outcome, text) = learned(&bk, exs, &format!("{bias}{constraint}"), Cost::ErrorSize);
    assert!(!outcome.optimal && outcome.limits[0].contains("took too long to check"), "{text}{:?}", outcome.limits);
}

/// A comparison is in the space wherever its variable can be of a type that is compared, whatever says so: another literal, one of
/// several declarations, or nothing that denies it.
#[test]
fn variables_of_no_certain_type_are_compared_with_numbers() {
    let bk = "s(a1,1). s(a2,2). s(a3,5). s(a4,6). p(1). p(5). p(6).";
    let exs = "pos(f(a1)). pos(f(a2)). neg(f(a3)). neg(f(a4)).";
    let numbers = "pos(f(1)). pos(f(2)). neg(f(5)). neg(f(6)).";
    let pairs = "pos(f(a1,1)). pos(f(a2,2)). neg(f(a3,5)). neg(f(a4,6)).";
    let unary = "head_pred(f,1). body_pred(s,2). body_pred(p,1). type(p,(n,)). numeric(n). max_vars(2). max_body(2).";
    let tasks = [
        (exs, format!("{unary} type(f,(t,)). type(s,(t,n)). type(s,(t,m))."), 3),
        (exs, format!("{unary} type(f,(t,))."), 3),
        (numbers, "head_pred(f,1). body_pred(p,1). type(p,(n,)). numeric(n).".to_owned(), 2),
        (
            pairs,
            "head_pred(f,2). body_pred(s,2). type(f,(t,n)). type(f,(t,m)). type(s,(t,n)). numeric(n). max_vars(2)."
                .to_owned(),
            3,
        ),
    ];
    for (exs, bias, size) in tasks {
        let (outcome, text) = learned(bk, exs, &bias, Cost::ErrorSize);
        assert_eq!((outcome.value.0, outcome.optimal), (vec![0, size], true), "{bias}\n{text}{:?}", outcome.limits);
    }
}

/// With several directions of the head, bound is what all of them bind; the space and the search agree.
#[test]
fn a_rule_must_run_in_each_direction_of_its_head() {
    let (bk, exs) = ("p(a1,b1). p(a2,b2).", "pos(f(a1,b1)). pos(f(a2,b2)). neg(f(a1,b2)). neg(f(a2,b1)).");
    let bias = "head_pred(f,2). body_pred(p,2). direction(f,(in,out)). direction(p,(in,out)).";
    let (outcome, text) = learned(bk, exs, bias, Cost::ErrorSize);
    assert_eq!((outcome.value.0, outcome.optimal), (vec![0, 2], true), "{text}");
    let rule = outcome.best.unwrap().hypothesis.rules[0].clone();
    let both = format!("{bias} direction(f,(out,in)).");
    let (outcome, text) = learned(bk, exs, &both, Cost::ErrorSize);
    assert_eq!((outcome.value.0, outcome.optimal), (vec![2, 0], true), "{text}");
    let task = Task::from_texts(bk, exs, &both).unwrap();
    assert_eq!(rule.show(&task.terms), "f(V0,V1) :- p(V0,V1).");
    assert!(Space::new(&task).contains(&rule).is_err());
}

#[test]
fn without_numbers_nothing_is_computed() {
    let (bk, exs) = ("p(1,2). p(2,3). p(3,1).", "pos(f(1)). pos(f(2)). neg(f(3)). neg(f(4)).");
    let bias = "head_pred(f,1). body_pred(p,2). type(f,(n,)). type(p,(n,n)). lines(n). bounds(mult,1,(2,3)).";
    let (_, text) = learned(bk, exs, &format!("{bias} max_numeric(0)."), Cost::ErrorSize);
    assert!(!text.contains(" is "), "{text}");
    let (_, text) = learned(bk, exs, bias, Cost::ErrorSize);
    assert!(text.contains(" is ") || text.contains("=<") || text.contains(">="), "{text}");
}
