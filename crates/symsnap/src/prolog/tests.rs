//! The solver on small programs with known answers. What SWI-Prolog says about many more is in
//! `tests/prolog_oracle.rs`.

use super::*;
use crate::logic::{Pred, TermId, Terms};
use crate::parse::Text;
use crate::task::Program;
use std::time::{Duration, Instant};

fn engine(text: &str) -> Engine {
    let mut terms = Terms::default();
    let program = Program::read(&Text::new("<test>", text), &mut terms).expect("the test's program is well formed");
    Engine::new(terms, &program, Limits::default())
}

fn pred(engine: &mut Engine, name: &str, arity: u32) -> Pred {
    Pred::new(engine.terms_mut().intern(name), arity)
}

/// The answers to `q(X)` where `q(X) :- body`, as text.
fn answers(program: &str, body: &str) -> Result<Vec<String>, Fault> {
    let mut engine = engine(&format!("{program}\nq(X) :- {body}."));
    let q = pred(&mut engine, "q", 1);
    let answers = engine.call(q, &[None])?;
    Ok(answers.rows().iter().map(|row| engine.terms().show(row[0])).collect())
}

fn ok(program: &str, body: &str) -> String {
    answers(program, body).expect("the call succeeds").join(" ")
}

#[test]
fn clauses_are_tried_in_order_and_answers_come_once() {
    assert_eq!(ok("p(b). p(a). p(b). p(X) :- X = c.", "p(X)"), "b a c");
    assert_eq!(
        ok("app([],Y,Y). app([H|T],Y,[H|Z]) :- app(T,Y,Z).", "app(A,B,[1,2]), X = A-B"),
        "-([],[1,2]) -([1],[2]) -([1,2],[])"
    );
}

#[test]
fn a_cut_is_local_to_conditions_and_negations_and_cuts_the_clause_elsewhere() {
    let program = "p(1). p(2). p(3). first(X) :- p(X), !. first(9). either(X) :- ( p(X), ! ; X = 8 ). either(9).";
    assert_eq!(ok(program, "first(X)"), "1");
    assert_eq!(ok(program, "either(X)"), "1");
    assert_eq!(ok(program, "p(X), ( p(Y), Y > 1, ! -> true ; true )"), "1 2 3");
    assert_eq!(ok(program, "p(X), \\+ ( X > 1, ! )"), "1");
    assert_eq!(ok(program, "p(X), call(( p(Y), Y >= X, ! )), Y = X"), "1 2 3");
}

#[test]
fn faults_name_the_built_in() {
    let fault = answers("", "X is foo + 1").expect_err("foo is no number");
    assert_eq!(fault.to_string(), "is/2 expects an evaluable term, not foo/0");
    let fault = answers("", "nothing(X)").expect_err("nothing defines it");
    assert_eq!(fault.to_string(), "nothing/1 is called but nothing defines it");
    let fault = answers("", "X = 1, write(X)").expect_err("no output");
    assert!(matches!(fault, Fault::Forbidden { .. }));
    let fault = answers("", "X is 1 / 0").expect_err("no result");
    assert_eq!(fault.to_string(), "is/2: division by zero");
    let fault = answers("", "X = 1, msort_by(X)").expect_err("nothing defines it");
    assert!(matches!(fault, Fault::UnknownProcedure { .. }));
    let fault = answers("", "X = 1, current_op(X, T, N)").expect_err("SWI-Prolog has it, we do not");
    assert_eq!(
        fault.to_string(),
        "current_op/3 is built into SWI-Prolog and not supported here; the background may define it"
    );
    let fault = answers("", "X = 1, throw(oops(X))").expect_err("nothing catches it");
    assert_eq!(fault.to_string(), "the background throws oops(1) and nothing catches it");
}

#[test]
fn definitions_of_the_program_win_over_built_ins_and_library() {
    assert_eq!(ok("succ(a,b). append(x,y,z).", "succ(a,X)"), "b");
    assert_eq!(ok("append(x,y,z).", "append(x,y,X)"), "z");
    assert_eq!(ok("append(x,y,z).", "append([[1],[2]],X)"), "[1,2]");
    assert_eq!(ok("->(a,b).", "( true -> X = 1 ; X = 2 )"), "1");
    let mut engine = engine("->(a,b).");
    let arrow = pred(&mut engine, "->", 2);
    assert_eq!(engine.call(arrow, &[None, None]).map(|answers| answers.len()), Ok(1));
}

#[test]
fn left_recursion_over_a_cycle_ends_when_tabled() {
    let edges = ":- table path/2.\nedge(a,b). edge(b,c). edge(c,a). edge(c,d).";
    let program = format!("{edges} path(X,Y) :- path(X,Z), edge(Z,Y). path(X,Y) :- edge(X,Y).");
    assert_eq!(ok(&program, "path(a,X)"), "b c a d");
    let mutual = format!(
        "{edges} :- table odd/2. path(X,Y) :- odd(X,Z), edge(Z,Y). odd(X,Y) :- path(X,Z), edge(Z,Y). odd(X,Y) :- edge(X,Y)."
    );
    let mut found: Vec<String> = answers(&mutual, "path(a,X)").expect("it ends");
    found.sort();
    assert_eq!(found, ["a", "b", "c", "d"]);
}

#[test]
fn endless_programs_end_in_a_fault_soon() {
    let program = "loop(X) :- loop(X). grow(X) :- grow(f(X)). deep(X) :- deep(X), deep(X). n(0). n(X) :- n(Y), X is Y+1.
        double(X,Y) :- atom_concat(X,X,Z), double(Z,Y). big(X) :- X = f(X). share(0,a). share(N,f(T,T)) :- M is N-1, share(M,T).";
    let goals = [
        "loop(X)",
        "grow(X)",
        "deep(X)",
        "n(X)",
        "n(X), X < 0",
        "repeat, fail",
        "length(X,N), N < 0",
        "append(A,X,B), fail",
        "length(X, 1000000000)",
        "numlist(1, 4000000000000, X)",
        "findall(Y, repeat, X)",
        "between(1, inf, X), X < 0",
        "double(a,X)",
        "big(X), X = Y, Y = f(Y)",
        "big(X), copy_term(X,Y), X == Y",
        "share(60,X), share(60,Y), X = Y",
        "share(60,X), ground(X)",
        "functor(X, f, 100000000)",
        "X = 1, permutation([1,2,3,4,5,6,7,8,9,10,11,12], [12|_]), fail",
        "findall(Y, between(1,100000000,Y), X)",
        "atom_length(X, 3)",
        "sum_list(X, 0)",
    ];
    for goal in goals {
        let begun = Instant::now();
        let outcome = answers(program, goal);
        assert!(outcome.is_err(), "{goal}: {outcome:?}");
        assert!(begun.elapsed() < Duration::from_secs(4), "{goal} took {:?}", begun.elapsed());
    }
}

#[test]
fn a_list_of_a_million_cells_is_walked_without_the_machine_stack() {
    let program = "len([],0). len([_|T],N) :- len(T,M), N is M+1. last([X],X). last([_|T],X) :- last(T,X).";
    let mut engine = engine(&format!(
        "{program} q(N,X) :- numlist(1,N,L), last(L,X). r(N,X) :- numlist(1,N,L), len(L,X), copy_term(L,M), L == M, msort(L,M)."
    ));
    let q = pred(&mut engine, "q", 2);
    let n = engine.terms_mut().int(500_000);
    assert_eq!(engine.call(q, &[Some(n), None]).map(|answers| answers.rows()[0][1]), Ok(n));
    let r = pred(&mut engine, "r", 2);
    let n = engine.terms_mut().int(100_000);
    assert_eq!(engine.call(r, &[Some(n), None]).map(|answers| answers.rows()[0][1]), Ok(n));
    let last = pred(&mut engine, "last", 2);
    let items: Vec<TermId> = (0..500_000).map(|n| engine.terms_mut().int(n)).collect();
    let list = engine.terms_mut().list(&items);
    assert_eq!(engine.call(last, &[Some(list), None]).map(|answers| answers.rows()[0][1]), Ok(items[499_999]));
}

#[test]
fn an_engine_goes_on_after_a_fault_and_can_be_sent_to_a_thread() {
    fn is_send<T: Send>(_: &T) {}
    let mut engine = engine(":- table p/1.\np(X) :- p(Y), X is Y + 1. p(0). q(1).");
    is_send(&engine);
    let (p, q) = (pred(&mut engine, "p", 1), pred(&mut engine, "q", 1));
    assert!(engine.call(p, &[None]).expect_err("it is endless").leaves_unknown());
    assert_eq!(engine.call(q, &[None]).map(|answers| answers.len()), Ok(1));
}
