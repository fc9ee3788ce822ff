//! What a run that learns nothing says, word for word: small tasks, each with all of its reasons.
#![allow(clippy::unwrap_used)]

use symsnap::internals::run::{Next, Told};
use symsnap::{Budget, Cancel, Cost, Learn, Learned, Settings, Task};

/// A task on which nothing is learned.
struct Case {
    name: &'static str,
    bk: &'static str,
    exs: &'static str,
    bias: &'static str,
    told: fn(&mut Told),
    limit: fn(Budget) -> Budget,
    says: &'static [&'static str],
}

const CASE: Case = Case { name: "", bk: "", exs: "", bias: "", told: |_| {}, limit: |budget| budget, says: &[] };

/// The task, and what the learner is told, as the command line would tell it.
fn told(case: &Case) -> (Task, Told) {
    let task = Task::from_texts(case.bk, case.exs, case.bias).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    let mut told = Told { timeout: 600.0, ..Told::default() };
    (case.told)(&mut told);
    (task, told)
}

fn learn(mut task: Task, told: &Told, budget: &Budget) -> Learned {
    task.bias.max_body = told.max_body.unwrap_or(task.bias.max_body);
    task.bias.max_vars = told.max_vars.unwrap_or(task.bias.max_vars);
    let settings = Settings { functional: told.functional, ..Settings::default() };
    let learn = Learn::new(task).cost(told.cost.unwrap_or_default()).settings(settings);
    learn.budget(budget.clone()).run().unwrap()
}

/// With a limit on ticks what is said does not depend on the clock.
fn repeatable() -> Budget {
    Budget::unlimited().with_ticks(10_000_000)
}

#[test]
fn every_reason_is_true_and_names_the_next_command() {
    let mut wrong = String::new();
    for case in CASES {
        let (task, told) = told(case);
        let learned = learn(task, &told, &(case.limit)(repeatable()));
        assert!(learned.best().is_none(), "{} learns something", case.name);
        let said: Vec<String> = learned.why.iter().map(|reason| reason.show("DIR", &told)).collect();
        if said != case.says {
            wrong += &format!("== {}\n", case.name);
            said.iter().for_each(|reason| wrong += &format!("{reason:?},\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(CASES.len() >= 30);
}

#[test]
fn whoever_takes_the_advice_to_learn_otherwise_learns_something() {
    let mut taken = 0;
    for case in CASES {
        let (task, mut told) = told(case);
        for reason in learn(task.clone(), &told, &(case.limit)(repeatable())).why {
            let (Next::Learn(change), Some(finds)) = (&reason.next, &reason.finds) else { continue };
            told.cost = change.cost.or(told.cost);
            told.max_body = change.max_body.or(told.max_body);
            told.max_vars = change.max_vars.or(told.max_vars);
            told.functional &= !change.any_function;
            let best = learn(task.clone(), &told, &repeatable())
                .outcome
                .best
                .unwrap_or_else(|| panic!("{}: {finds}", case.name));
            let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
            let it = best.confusion;
            assert!(share(it.tp, it.tp + it.fn_) > share(it.fp, it.fp + it.tn), "{}: {finds}", case.name);
            (_, told) = self::told(case);
            taken += 1;
        }
    }
    assert!(taken >= 10, "{taken}");
}

/// Colours of things, and what is next to what.
const COLOURS: &str = "red(a). red(b). red(c). blue(d). blue(e). next(a,d). next(b,e). next(c,d). next(d,e).";

/// Things that are red and big, red only, and big only.
const RED_AND_BIG: &str = "red(a). red(b). red(c). red(d). red(x). red(y). red(z). red(w).
    big(a). big(b). big(c). big(d). big(p). big(q). big(r). big(s).";
const RED_AND_BIG_EXAMPLES: &str =
    "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). neg(f(x)). neg(f(y)). neg(f(z)). neg(f(w)).
    neg(f(p)). neg(f(q)). neg(f(r)). neg(f(s)).";

const CASES: &[Case] = &[
    Case {
        name: "no positive examples",
        bk: COLOURS,
        exs: "neg(f(a)). neg(f(b)).",
        bias: "head_pred(f,1). body_pred(red,1).",
        says: &[
            "there are no positive examples, so covering nothing makes no error: add `pos(...)` facts to exs.pl; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "two positives, too few for a rule of size two",
        bk: COLOURS,
        exs: "pos(f(a)). pos(f(b)). neg(f(d)).",
        bias: "head_pred(f,1). body_pred(red,1). body_pred(blue,1).",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for; try `symsnap learn DIR --cost errorsize`, which finds `f(V0) :- red(V0)` (2 of 2 positives, 0 of 1 negative)",
        ],
        ..CASE
    },
    Case {
        name: "a constant in the head has a type that no predicate takes",
        bk: COLOURS,
        exs: "pos(f(a,red)). neg(f(b,red)). neg(f(a,green)).",
        bias: "head_pred(f,2). body_pred(red,1). type(f,(t,c)). type(red,(t,)). constants(c). max_vars(2). max_body(2).",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for; try `symsnap learn DIR --cost lexfnsize`, which finds `f(V0,red) :- red(V0)` (1 of 1 positive, 1 of 2 negatives)",
        ],
        ..CASE
    },
    Case {
        name: "a compared number has a type that no predicate takes",
        bk: COLOURS,
        exs: "pos(f(a,3)). neg(f(b,3)). neg(f(a,5)).",
        bias: "head_pred(f,2). body_pred(red,1). type(f,(t,n)). type(red,(t,)). numeric(n). max_vars(2). max_body(2).",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for; try `symsnap learn DIR --cost lexfnsize`, which finds `f(V0,V1) :- V1 =< 4, red(V0)` (1 of 1 positive, 1 of 2 negatives)",
        ],
        ..CASE
    },
    Case {
        name: "two rules of two positives each",
        bk: "red(a). red(b). blue(c). blue(d). green(e).",
        exs: "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). neg(f(e)).",
        bias: "head_pred(f,1). body_pred(red,1). body_pred(blue,1).",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for; try `symsnap learn DIR --cost errorsize`, which finds a hypothesis of 2 rules (4 of 4 positives, 0 of 1 negative)",
        ],
        ..CASE
    },
    Case {
        name: "mdl: a rule that covers as many negatives as positives",
        bk: "red(a). red(b). red(c). red(d). red(e). red(g).",
        exs: "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)). neg(f(e)). neg(f(g)).",
        bias: "head_pred(f,1). body_pred(red,1).",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for: `f(V0) :- red(V0)`, for one, has size 2 and covers 3 of 3 positives and 3 of 3 negatives; other costs, 8 body literals and 8 variables were tried for a moment, and told positives from negatives no better; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "errorsize: a rule that covers as many negatives as positives",
        bk: "red(a). red(b). red(c). red(d). red(e). red(g).",
        exs: "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)). neg(f(e)). neg(f(g)).",
        bias: "head_pred(f,1). body_pred(red,1).",
        told: |told| told.cost = Some(Cost::ErrorSize),
        says: &[
            "no hypothesis covers more positives than negatives, which errorsize asks for: `f(V0) :- red(V0)`, for one, has size 2 and covers 3 of 3 positives and 3 of 3 negatives; other costs, 8 body literals and 8 variables were tried for a moment, and told positives from negatives no better; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "errorsize: all positives and three of ten negatives",
        bk: "red(a). red(b). red(n1). red(n2). red(n3).",
        exs: "pos(f(a)). pos(f(b)). neg(f(n1)). neg(f(n2)). neg(f(n3)). neg(f(n4)). neg(f(n5)). neg(f(n6)). neg(f(n7)).
            neg(f(n8)). neg(f(n9)). neg(f(n10)).",
        bias: "head_pred(f,1). body_pred(red,1).",
        told: |told| told.cost = Some(Cost::ErrorSize),
        says: &[
            "no hypothesis covers more positives than negatives, which errorsize asks for; try `symsnap learn DIR --cost lexfnsize`, which finds `f(V0) :- red(V0)` (2 of 2 positives, 3 of 10 negatives)",
        ],
        ..CASE
    },
    Case {
        name: "every rule covers every negative",
        bk: "thing(X) :- member(X, [p1,p2,n1,n2,n3,n4,n5,n6]).",
        exs: "pos(f(p1)). pos(f(p2)). neg(f(n1)). neg(f(n2)). neg(f(n3)). neg(f(n4)). neg(f(n5)). neg(f(n6)).",
        bias: "head_pred(f,1). body_pred(thing,1).",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for: `f(V0) :- thing(V0)`, for one, has size 2 and covers 2 of 2 positives and 6 of 6 negatives; other costs, 8 body literals and 8 variables were tried for a moment, and told positives from negatives no better; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "the same example on both sides",
        bk: COLOURS,
        exs: "pos(f(a)). neg(f(a)).",
        bias: "head_pred(f,1). body_pred(red,1).",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for: `f(V0) :- red(V0)`, for one, has size 2 and covers 1 of 1 positive and 1 of 1 negative; other costs, 8 body literals and 8 variables were tried for a moment, and told positives from negatives no better; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "weights count as examples",
        bk: COLOURS,
        exs: "pos(f(a),2). neg(f(d),9).",
        bias: "head_pred(f,1). body_pred(red,1).",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for; try `symsnap learn DIR --cost errorsize`, which finds `f(V0) :- red(V0)` (2 of 2 positives, 0 of 9 negatives)",
        ],
        ..CASE
    },
    Case {
        name: "lexfnsize: nothing covers a positive, though negatives are covered",
        bk: COLOURS,
        exs: "pos(f(d)). neg(f(a)).",
        bias: "head_pred(f,1). body_pred(red,1).",
        told: |told| told.cost = Some(Cost::LexFnSize),
        says: &[
            "no constant of a positive example occurs in the facts of a body predicate, d for one: correct the spelling in exs.pl or bk.pl; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "no body predicate for a type",
        bk: "size(a,1). size(b,2).",
        exs: "pos(f(a,x)). pos(f(b,y)). neg(f(a,y)).",
        bias: "head_pred(f,2). type(f,(thing,colour)). body_pred(size,2). type(size,(thing,number)).",
        says: &[
            "no body predicate takes an argument of type colour, that of argument 2 of f/2: declare one that does, or correct type(...) in bias.pl; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "no body predicate for two types",
        bk: "size(k,1).",
        exs: "pos(f(a,x)). neg(f(a,y)).",
        bias: "head_pred(f,2). type(f,(thing,colour)). body_pred(size,2). type(size,(box,number)).",
        says: &[
            "no body predicate takes an argument of type thing, that of argument 1 of f/2: declare one that does, or correct type(...) in bias.pl; try `symsnap check DIR`",
            "no body predicate takes an argument of type colour, that of argument 2 of f/2: declare one that does, or correct type(...) in bias.pl; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "one type without a partner where head variables may be missing",
        bk: "size(a,1). size(b,2).",
        exs: "pos(f(a,x)). pos(f(b,y)). neg(f(c,y)).",
        bias: "head_pred(f,2). type(f,(thing,colour)). body_pred(size,2). type(size,(thing,number)). non_datalog.",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for; try `symsnap learn DIR --cost errorsize`, which finds `f(V0,V1) :- size(V0,V2)` (2 of 2 positives, 0 of 1 negative)",
        ],
        ..CASE
    },
    Case {
        name: "types keep a predicate from the head",
        bk: COLOURS,
        exs: "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)). neg(f(e)).",
        bias: "head_pred(f,1). type(f,(thing,)). body_pred(red,1). type(red,(colour,)).
            body_pred(next,2). type(next,(thing,thing)). max_body(2).",
        says: &[
            "the types in bias.pl rule out `f(V0) :- red(V0)` (3 of 3 positives, 0 of 2 negatives): change what is not meant; try `symsnap check DIR`",
            "no hypothesis saves more errors than its size, which mdl asks for; try `symsnap learn DIR --cost errorsize`, which finds `f(V0) :- next(V0,V1)` (3 of 3 positives, 1 of 2 negatives)",
        ],
        ..CASE
    },
    Case {
        name: "no predicate can come first",
        bk: COLOURS,
        exs: "pos(f(a)). pos(f(b)). neg(f(d)).",
        bias: "head_pred(f,1). direction(f,(out,)). body_pred(next,2). direction(next,(in,out)).",
        says: &[
            "no body predicate can come first: each has an `in` argument, and the head has none that binds it; correct direction(...) in bias.pl; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "directions forbid the way back",
        bk: "owns(o1,a). owns(o2,b). owns(o3,c). owns(o4,d). owns(o5,e). rich(o1). rich(o2). rich(o3). rich(o5). part(a,a1).
            part(d,d1).",
        exs: "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(e)). neg(f(d)). neg(f(g)).",
        bias: "head_pred(f,1). direction(f,(in,)). body_pred(owns,2). direction(owns,(in,out)). body_pred(rich,1).
            direction(rich,(in,)). body_pred(part,2). direction(part,(in,out)). max_body(2).",
        says: &[
            "the directions in bias.pl rule out `f(V0) :- owns(V1,V0)` (4 of 4 positives, 1 of 2 negatives): change what is not meant; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "nothing defines the body predicates",
        bk: "other(a).",
        exs: "pos(f(a)). pos(f(b)). neg(f(c)).",
        bias: "head_pred(f,1). body_pred(red,1). body_pred(blue,1).",
        says: &[
            "no body predicate holds of anything: bk.pl has no facts or answers for red/1, blue/1; add them, or correct body_pred in bias.pl; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "many body predicates without facts",
        bk: ":- dynamic p1/1, p2/1, p3/1, p4/1, p5/2. other(a).",
        exs: "pos(f(a)).",
        bias: "head_pred(f,1). body_pred(p1,1). body_pred(p2,1). body_pred(p3,1). body_pred(p4,1). body_pred(p5,2).",
        says: &[
            "no body predicate holds of anything: bk.pl has no facts or answers for p1/1, p2/1, p3/1, ...; add them, or correct body_pred in bias.pl; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "examples and facts share no constants",
        bk: "red(x1). red(x2). next(x1,x2).",
        exs: "pos(f(y1)). pos(f(y2)). pos(f(y3)). neg(f(y4)).",
        bias: "head_pred(f,1). body_pred(red,1). body_pred(next,2).",
        says: &[
            "no constant of a positive example occurs in the facts of a body predicate, y1 for one: correct the spelling in exs.pl or bk.pl; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "arguments in the wrong order",
        bk: "part(w1,a). part(w2,b). part(w3,c).",
        exs: "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)).",
        bias: "head_pred(f,1). type(f,(thing,)). body_pred(part,2). type(part,(thing,wheel)).",
        says: &[
            "no body literal by itself holds of a positive example: correct the order of arguments, types or directions; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "a rule that calls what nothing defines",
        bk: "charge(a,1). heavy(X) :- chrage(X,_).",
        exs: "pos(f(a)). neg(f(b)).",
        bias: "head_pred(f,1). body_pred(heavy,1).",
        says: &[
            "no body literal by itself holds of a positive example, and nothing defines chrage/2, which heavy/1 calls; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "a constraint that asks for more literals than there may be",
        bk: "red(a). red(b). red(c). next(a,x). next(b,y). next(c,z).",
        exs: "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)).",
        bias: "head_pred(f,1). body_pred(red,1). body_pred(next,2). max_body(2).
            :- clause(C), #count{V : body_literal(C,P,A,V)} < 3.",
        says: &[
            "the constraint `:- clause(C), #count{V : body_literal(C,P,A,V)} < 3` in bias.pl rules out `f(V0) :- red(V0)` (3 of 3 positives, 0 of 1 negative): change what is not meant; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "two constraints that forbid the same",
        bk: COLOURS,
        exs: "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)). neg(f(e)).",
        bias: "head_pred(f,1). body_pred(red,1). body_pred(blue,1). max_body(1). max_vars(1).
            :- body_literal(_,red,_,_).
            :- clause(C), not body_literal(C,blue,_,_).",
        says: &[
            "the constraints in bias.pl rule out `f(V0) :- red(V0)` (3 of 3 positives, 0 of 2 negatives): change what is not meant; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "a forbidden literal",
        bk: COLOURS,
        exs: "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)). neg(f(e)).",
        bias: "head_pred(f,1). body_pred(red,1). body_pred(blue,1). max_body(1). max_vars(1).
            bad_body(red,(0,)).",
        says: &[
            "the constraint `bad_body(red,(0,))` in bias.pl rules out `f(V0) :- red(V0)` (3 of 3 positives, 0 of 2 negatives): change what is not meant; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "one body literal is too few",
        bk: RED_AND_BIG,
        exs: RED_AND_BIG_EXAMPLES,
        bias: "head_pred(f,1). body_pred(red,1). body_pred(big,1). max_body(1).",
        says: &[
            "rules with at most 1 body literal are too small; try `symsnap learn DIR --max-body 3`, which finds `f(V0) :- red(V0), big(V0)` (4 of 4 positives, 0 of 8 negatives)",
            "no hypothesis saves more errors than its size, which mdl asks for; try `symsnap learn DIR --cost lexfnsize`, which finds `f(V0) :- red(V0)` (4 of 4 positives, 4 of 8 negatives)",
        ],
        ..CASE
    },
    Case {
        name: "one body literal is too few by the command line",
        bk: RED_AND_BIG,
        exs: RED_AND_BIG_EXAMPLES,
        bias: "head_pred(f,1). body_pred(red,1). body_pred(big,1).",
        told: |told| told.max_body = Some(1),
        says: &[
            "rules with at most 1 body literal are too small; try `symsnap learn DIR --max-body 3`, which finds `f(V0) :- red(V0), big(V0)` (4 of 4 positives, 0 of 8 negatives)",
            "no hypothesis saves more errors than its size, which mdl asks for; try `symsnap learn DIR --cost lexfnsize --max-body 1`, which finds `f(V0) :- red(V0)` (4 of 4 positives, 4 of 8 negatives)",
        ],
        ..CASE
    },
    Case {
        name: "errorsize: one body literal is too few",
        bk: RED_AND_BIG,
        exs: RED_AND_BIG_EXAMPLES,
        bias: "head_pred(f,1). body_pred(red,1). body_pred(big,1). max_body(1).",
        told: |told| told.cost = Some(Cost::ErrorSize),
        says: &[
            "rules with at most 1 body literal are too small; try `symsnap learn DIR --cost errorsize --max-body 3`, which finds `f(V0) :- red(V0), big(V0)` (4 of 4 positives, 0 of 8 negatives)",
            "no hypothesis covers more positives than negatives, which errorsize asks for; try `symsnap learn DIR --cost lexfnsize`, which finds `f(V0) :- red(V0)` (4 of 4 positives, 4 of 8 negatives)",
        ],
        ..CASE
    },
    Case {
        name: "one variable is too few",
        bk: "next(a,a1). next(b,b1). next(c,c1). next(d,d1). next(e,e1). next(x,x1).
            red(a1). red(b1). red(c1). red(d1). red(e1). small(a). small(b). small(c). small(d). small(e). small(x). small(y).
            small(z). small(u). small(v).",
        exs: "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). pos(f(e)). neg(f(x)). neg(f(y)). neg(f(z)). neg(f(u)). neg(f(v)).",
        bias: "head_pred(f,1). body_pred(next,2). body_pred(red,1). body_pred(small,1). max_vars(1).",
        says: &[
            "rules with at most 1 variable are too small; try `symsnap learn DIR --max-vars 3`, which finds `f(V0) :- next(V0,V1)` (5 of 5 positives, 1 of 5 negatives)",
        ],
        ..CASE
    },
    Case {
        name: "too few variables and too few literals",
        bk: "next(a,a1). next(b,b1). next(c,c1). next(d,d1). next(e,e1). next(x,x1). next(y,y1). next(z,z1). next(u,u1).
            next(v,v1). red(a1). red(b1). red(c1). red(d1). red(e1).",
        exs: "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). pos(f(e)). neg(f(x)). neg(f(y)). neg(f(z)). neg(f(u)). neg(f(v)).",
        bias: "head_pred(f,1). body_pred(next,2). body_pred(red,1). max_vars(2). max_body(1).",
        says: &[
            "rules with at most 1 body literal are too small; try `symsnap learn DIR --max-body 3`, which finds `f(V0) :- next(V0,V1), red(V1)` (5 of 5 positives, 0 of 5 negatives)",
        ],
        ..CASE
    },
    Case {
        name: "hypotheses must be functional",
        bk: "succ(1,2). succ(2,3). succ(3,4). succ(4,5). succ(1,9). succ(2,9).",
        exs: "pos(f(1,2)). pos(f(2,3)). pos(f(3,4)). pos(f(4,5)). neg(f(5,1)).",
        bias: "head_pred(f,2). direction(f,(in,out)). body_pred(succ,2). direction(succ,(in,out)). max_body(1). max_vars(2).",
        told: |told| told.functional = true,
        says: &[
            "--functional refused what was found that would be better, and what else there may be was not looked for; try `symsnap learn DIR`, which finds `f(V0,V1) :- succ(V0,V1)` (4 of 4 positives, 0 of 1 negative)",
        ],
        ..CASE
    },
    Case {
        name: "recursion is searched, and does not help",
        bk: "empty([]). tail([_|T],T).",
        exs: "pos(f([a])). neg(f([b])). neg(f([c])). neg(f([d])).",
        bias: "head_pred(f,1). body_pred(empty,1). body_pred(tail,2). enable_recursion. max_vars(2). max_body(2).
            direction(f,(in,)). direction(empty,(in,)). direction(tail,(in,out)).",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for: `f(V0) :- tail(V0,V1)`, for one, has size 2 and covers 1 of 1 positive and 3 of 3 negatives; other costs, 4 body literals and 4 variables were tried for a moment, and told positives from negatives no better; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "invention is searched, and does not help",
        bk: "red(a). red(b).",
        exs: "pos(f(a)). neg(f(b)).",
        bias: "head_pred(f,1). body_pred(red,1). enable_pi. max_vars(1). max_body(1).",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for: `f(V0) :- red(V0)`, for one, has size 2 and covers 1 of 1 positive and 1 of 1 negative; other costs, 3 body literals and 3 variables were tried for a moment, and told positives from negatives no better; try `symsnap check DIR`",
        ],
        ..CASE
    },
    Case {
        name: "a predicate that is called",
        bk: "even(X) :- 0 is X mod 2.",
        exs: "pos(f(2)). pos(f(4)). neg(f(1)). neg(f(3)).",
        bias: "head_pred(f,1). body_pred(even,1). max_body(1). max_vars(1).",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for; try `symsnap learn DIR --cost errorsize`, which finds `f(V0) :- even(V0)` (2 of 2 positives, 0 of 2 negatives)",
        ],
        ..CASE
    },
    Case {
        name: "a predicate with more arguments than variables",
        bk: "line(a,b,c). line(d,e,g). dot(a).",
        exs: "pos(f(a)). pos(f(d)). neg(f(b)). neg(f(e)).",
        bias: "head_pred(f,1). body_pred(line,3). body_pred(dot,1). max_vars(2). max_body(1).",
        says: &[
            "no hypothesis saves more errors than its size, which mdl asks for; try `symsnap learn DIR --cost errorsize`, which finds `f(V0) :- dot(V0)` (1 of 2 positives, 0 of 2 negatives)",
        ],
        ..CASE
    },
    Case {
        name: "time",
        bk: COLOURS,
        exs: "pos(f(a)). pos(f(b)). neg(f(d)).",
        bias: "head_pred(f,1). body_pred(red,1).",
        told: |told| told.timeout = 5.0,
        limit: |budget| budget.with_time(std::time::Duration::ZERO),
        says: &[
            "the time limit ended the search after 0 rules, before it was complete; try `symsnap learn DIR --timeout 50`",
        ],
    },
    Case {
        name: "ticks",
        bk: COLOURS,
        exs: "pos(f(a)). pos(f(b)). neg(f(d)).",
        bias: "head_pred(f,1). body_pred(red,1). body_pred(next,2).",
        told: |told| told.ticks = Some(1),
        limit: |budget| budget.with_ticks(1),
        says: &[
            "the limit on rules tested ended the search after 1 rule, before it was complete; try `symsnap learn DIR --ticks 1000`",
        ],
    },
    Case {
        name: "memory",
        bk: COLOURS,
        exs: "pos(f(a)). pos(f(b)). neg(f(d)).",
        bias: "head_pred(f,1). body_pred(red,1). body_pred(next,2).",
        limit: |budget| {
            budget.out_of_memory();
            budget
        },
        says: &[
            "the memory limit ended the search after 0 rules, before it was complete; try `symsnap learn DIR --max-body 5`",
        ],
        ..CASE
    },
    Case {
        name: "memory that was limited",
        bk: COLOURS,
        exs: "pos(f(a)). pos(f(b)). neg(f(d)).",
        bias: "head_pred(f,1). body_pred(red,1). body_pred(next,2).",
        told: |told| told.max_memory = Some(100),
        limit: |budget| {
            budget.out_of_memory();
            budget
        },
        says: &[
            "the memory limit ended the search after 0 rules, before it was complete; try `symsnap learn DIR --max-memory 200`",
        ],
    },
    Case {
        name: "interrupted",
        bk: COLOURS,
        exs: "pos(f(a)). pos(f(b)). neg(f(d)).",
        bias: "head_pred(f,1). body_pred(red,1). body_pred(next,2).",
        limit: |budget| {
            let cancel = Cancel::default();
            cancel.raise();
            budget.with_cancel(cancel)
        },
        says: &[
            "an interruption ended the search after 0 rules, before it was complete; try `symsnap learn DIR`",
        ],
        ..CASE
    },
    Case {
        name: "types first, whatever ended the run",
        bk: "size(a,1). size(b,2).",
        exs: "pos(f(a,x)). pos(f(b,y)). neg(f(a,y)).",
        bias: "head_pred(f,2). type(f,(thing,colour)). body_pred(size,2). type(size,(thing,number)).",
        limit: |budget| budget.with_time(std::time::Duration::ZERO),
        says: &[
            "no body predicate takes an argument of type colour, that of argument 2 of f/2: declare one that does, or correct type(...) in bias.pl; try `symsnap check DIR`",
        ],
        ..CASE
    },
];
