//! Multiples, sums and differences over several literals against brute force on small random tasks of points.
//!
//! The oracle is the same task with computations and comparisons made by hand, as tables. The points are spread over
//! predicates and head arguments in different orders: a line `k*X + Y =< c` must be found wherever its numbers come from.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)] // this test makes tasks of its own
mod brute_force;
#[path = "brute_force/twice.rs"]
mod twice;

use brute_force::{Draw, seeds};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use twice::Twice;

/// Ranges of factors, and which whole numbers other than 0 and 1 they have.
const FACTORS: [(&str, &[i64]); 4] = [("0,2", &[2]), ("-1.5,1", &[-1]), ("1.5,3.2", &[2, 3]), ("-2,-0.5", &[-2, -1])];

/// What a rule may compare: where not both, it has no differences either, as in NumSynth's files.
#[derive(Clone, Copy, PartialEq)]
enum Compared {
    Both,
    AtMost,
    AtLeast,
}

/// Where the numbers of a point come from: head, its arguments, body predicates and how many variables and literals a line takes.
/// The largest space has no differences and no `>=`.
struct Shape {
    head: &'static str,
    bias: &'static [&'static str],
    vars: u64,
    literals: u64,
}

const SHAPES: [Shape; 3] = [
    Shape {
        head: "f(P)",
        bias: &[
            "head_pred(f,1). type(f,(thing,)).",
            "body_pred(x,2). type(x,(thing,num)).",
            "body_pred(y,2). type(y,(thing,num)).",
        ],
        vars: 5,
        literals: 5,
    },
    Shape { head: "f(X,Y)", bias: &["head_pred(f,2). type(f,(num,num))."], vars: 4, literals: 3 },
    Shape {
        head: "f(X,P)",
        bias: &["head_pred(f,2). type(f,(num,thing)).", "body_pred(y,2). type(y,(thing,num))."],
        vars: 5,
        literals: 4,
    },
];

fn random_task(seed: u64) -> Twice {
    let mut random = Draw::new(seed);
    // Brute force takes many seconds for the first shape (for seeds that are asked for) and some for the last.
    let shape = &SHAPES[if seed >= 1000 && random.chance(5) { 0 } else { 1 + usize::from(random.chance(20)) }];
    let compared = match (shape.head, random.chance(30)) {
        ("f(P)", _) => Compared::AtMost,
        (_, true) => Compared::AtLeast,
        (_, false) => Compared::Both,
    };
    let (range, factors) = FACTORS[random.below(if shape.literals > 3 { 2 } else { 4 }) as usize];
    let points: Vec<(i64, i64)> =
        (0..5 + random.below(4)).map(|_| (random.below(4) as i64, random.below(4) as i64)).collect();
    let mut statements: Vec<&str> = shape.bias.to_vec();
    if random.chance(50) {
        statements.reverse();
    }
    let mut bias = statements.join("\n");
    let mut bk = String::from("x(none,0). y(none,0).\n");
    for (at, (x, y)) in points.iter().enumerate() {
        let _ = writeln!(bk, "x(c{at},{x}). y(c{at},{y}).");
    }
    if shape.head != "f(X,Y)" && random.chance(20) {
        bias += "\nbody_pred(red,1). type(red,(thing,)).";
        (0..points.len()).filter(|_| random.chance(50)).for_each(|at| bk += &format!("red(c{at}).\n"));
        bk += "red(none).\n";
    }
    let factor = factors[random.below(factors.len() as u64) as usize];
    let along = |(x, y): (i64, i64)| if seed.is_multiple_of(2) { factor * x + y } else { factor * y - x };
    let mut middle = along(points[random.below(points.len() as u64) as usize]);
    if compared == Compared::AtLeast {
        // Far enough for most numbers of the points to be too small by themselves.
        middle = points.iter().map(|&point| along(point)).max().unwrap_or(0) - random.below(2) as i64;
    }
    let mut exs = String::new();
    for (at, &(x, y)) in points.iter().enumerate() {
        let along = along((x, y));
        let inside = if compared == Compared::AtLeast { along >= middle } else { along <= middle };
        let label = if inside == random.chance(95) { "pos" } else { "neg" };
        let head = shape.head.replace('X', &x.to_string()).replace('Y', &y.to_string()).replace('P', &format!("c{at}"));
        let _ = writeln!(exs, "{label}({head}).");
    }
    let most = 2 + random.below(2);
    let literals = shape.literals - u64::from(random.chance(15));
    let _ = writeln!(bias, "\nmax_vars({}). max_body({literals}).", shape.vars);
    // Few comparisons, around the one that decides.
    let low = middle - random.below(2) as i64;
    let bounds = (low, low + random.below(if shape.literals > 3 { 1 } else { 2 }) as i64);
    let by_hand = by_hand((&bk, &bias), factors, bounds, (most, compared));
    let (low, high) = bounds;
    let comparisons: &[&str] = match compared {
        Compared::Both => &["leq", "geq"],
        Compared::AtMost => &["leq"],
        Compared::AtLeast => &["geq"],
    };
    if compared == Compared::Both {
        bias += "lines(num).\n";
    } else {
        bias += "numerical_pred(add,3). type(add,(num,num,num)).\n\
                 numerical_pred(mult,3). type(mult,(num,num,num)). direction(mult,(in,out,out)).\n";
    }
    for name in comparisons {
        if compared != Compared::Both {
            let _ = writeln!(bias, "numerical_pred({name},2). type({name},(num,num)).");
        }
        let _ = writeln!(bias, "bounds({name},1,({low},{high})).");
    }
    let _ = writeln!(bias, "bounds(mult,1,({range})). max_numeric({most}).");
    Twice { bk, exs, bias, by_hand }
}

/// Background and bias with tables for computations and a predicate for each comparison.
fn by_hand(
    (bk, bias): (&str, &str),
    factors: &[i64],
    bounds: (i64, i64),
    (most, compared): (u64, Compared),
) -> (String, String) {
    let (mut bk, mut bias) = (bk.to_owned(), bias.to_owned());
    // What at most two computations make of the numbers; a third one gives what is compared.
    let mut values: BTreeSet<i64> = (0..4).collect();
    for _ in 1..most {
        let known: Vec<i64> = values.iter().copied().collect();
        for left in &known {
            values.extend(factors.iter().map(|factor| factor * left));
            values.extend(known.iter().flat_map(|right| [left + right, left - right]));
        }
    }
    for left in &values {
        for right in &values {
            let _ = writeln!(bk, "sum({left},{right},{}). difference({left},{right},{}).", left + right, left - right);
        }
        for (at, factor) in factors.iter().enumerate() {
            let _ = writeln!(bk, "times{at}({left},{}).", factor * left);
        }
    }
    let mut numeric = Vec::new();
    for name in ["sum", "difference"].into_iter().take(if compared == Compared::Both { 2 } else { 1 }) {
        numeric.push(format!("{name},3"));
        let _ = writeln!(bias, "type({name},(num,num,num)). direction({name},(in,in,out)).");
    }
    for at in 0..factors.len() {
        numeric.push(format!("times{at},2"));
        let _ = writeln!(bias, "type(times{at},(num,num)). direction(times{at},(in,out)).");
    }
    for name in &numeric {
        let _ = writeln!(bias, "computation({}).", name.split(',').next().unwrap());
    }
    for (at, cut) in (bounds.0..=bounds.1).enumerate() {
        let comparisons =
            [("le", Compared::AtLeast, i64::le as fn(&i64, &i64) -> bool), ("ge", Compared::AtMost, i64::ge)];
        for (name, _, holds) in comparisons.into_iter().filter(|(_, without, _)| *without != compared) {
            numeric.push(format!("{name}{at},1"));
            let _ = writeln!(bias, "type({name}{at},(num,)). direction({name}{at},(in,)).");
            for value in values.iter().filter(|value| holds(value, &cut)) {
                let _ = writeln!(bk, "{name}{at}({value}).");
            }
            let _ = writeln!(bk, "{name}{at}(nothing).");
        }
    }
    for name in numeric {
        let _ = writeln!(bias, "body_pred({name}). cut({}).", name.split(',').next().unwrap());
    }
    // What a computation gives must be used, by the head or by another literal.
    for (arity, args) in [(3, "(_,_,Z)"), (2, "(_,Z)")] {
        let _ = writeln!(
            bias,
            ":- body_literal(C,P,{arity},{args}), computation(P), not head_var(C,Z), \
             #count{{Q,Vars : body_literal(C,Q,_,Vars), var_member(Z,Vars)}} < 2."
        );
    }
    let _ = writeln!(bias, ":- clause(C), #count{{P,Vars : body_literal(C,P,_,Vars), cut(P)}} > {most}.");
    (bk, bias)
}

#[test]
fn the_best_lines_are_found_and_proved() {
    let seeds = seeds(24);
    let tasks = seeds.end - seeds.start;
    let (mut computed, mut multiplied) = (0, 0);
    for seed in seeds {
        let (best, _) = random_task(seed).check(seed);
        computed += u64::from(best.contains(" is "));
        multiplied += u64::from(best.contains('*'));
    }
    assert!(computed * 5 > tasks, "{computed} of {tasks} optima compute with numbers");
    assert!(multiplied * 10 > tasks, "{multiplied} of {tasks} optima multiply");
}
