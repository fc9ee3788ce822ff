//! Comparisons with learned numbers against brute force on small random tasks.
//!
//! The oracle is the same task with comparisons made by hand: a predicate of one argument for `V =< v` and one for `V >= v`,
//! for every value `v` that occurs. Its space is enumerated and tested by the slow oracles for plain tasks, which know
//! nothing of numbers. Both tasks must have the same optimum: the learner's own numbers lie between the values, and what it
//! leaves out must not be needed.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)] // this test makes tasks of its own
mod brute_force;
#[path = "brute_force/twice.rs"]
mod twice;

use brute_force::{Draw, seeds};
use std::fmt::Write as _;
use twice::Twice;

/// Whole numbers, floats, both with equal values in both forms, below zero, and next to each other.
const VALUES: [&[&str]; 4] = [
    &["1", "2", "3", "5"],
    &["-1.5", "0.0", "-0.0", "2.25", "7.0"],
    &["1", "1.0", "2", "2.5", "-3"],
    &["0.1", "0.30000000000000004", "0.3", "1.0e10", "-2"],
];

/// A sum, a difference or a ratio: its name, operands and result.
type Computed = (&'static str, String, String, String);

fn random_task(seed: u64) -> Twice {
    let mut random = Draw::new(seed);
    let arithmetic = random.chance(15);
    // Sums and differences are values, too: with few numbers there are enough of them.
    let values = VALUES[random.below(4) as usize];
    let values = if arithmetic { &values[..3] } else { values };
    // Where none of them is zero, every third task has ratios instead; those of ratios are no zeros either.
    let divides = arithmetic && seed.is_multiple_of(3) && !values.contains(&"0.0");
    let (things, numeric_head) =
        (3 + random.below(3) + 3 * u64::from(arithmetic), random.chance(if arithmetic { 10 } else { 35 }));
    // What computations make of each thing, which decides about some labels.
    let mut sums = vec![f64::INFINITY; things as usize];
    let mut bk = String::from("any(c0).\n");
    let mut bias = String::from("body_pred(any,1). type(any,(thing,)).\n");
    let pick = |random: &mut Draw| values[random.below(values.len() as u64) as usize];
    for (name, wide) in [("size", false), ("place", true)] {
        // Where things have two numbers and no others, what decides is often their sum.
        if random.chance(50) && if arithmetic { name == "size" } else { name == "place" } {
            continue;
        }
        let _ = writeln!(
            bias,
            "body_pred({name},{}). type({name},(thing,num{})).",
            2 + u8::from(wide),
            if wide { ",num" } else { "" }
        );
        for thing in 0..things {
            // None, one or several rows, some of them twice.
            for _ in 0..if arithmetic { 1 + random.below(2) } else { random.below(4) } {
                let (first, second) = (pick(&mut random), pick(&mut random));
                if wide {
                    let (a, b): (f64, f64) = (first.parse().unwrap(), second.parse().unwrap());
                    let sum = &mut sums[thing as usize];
                    let result = if divides {
                        a / b
                    } else if seed.is_multiple_of(2) {
                        a + b
                    } else {
                        a - b
                    };
                    *sum = sum.min(result);
                }
                let rest = if wide { format!(",{second}") } else { String::new() };
                let _ = writeln!(bk, "{name}(c{thing},{first}{rest}).");
            }
        }
        let _ =
            writeln!(bk, "{name}(none,{}{}).", values[0], if wide { format!(",{}", values[0]) } else { String::new() });
    }
    if random.chance(60) {
        bias += "body_pred(red,1). type(red,(thing,)).\n";
        (0..things).filter(|_| random.chance(50)).for_each(|thing| bk += &format!("red(c{thing}).\n"));
        bk += "red(none).\n";
    }
    if random.chance(if arithmetic { 10 } else { 60 }) {
        bias += "body_pred(to,2). type(to,(thing,thing)).\n";
        for from in 0..things {
            (0..things).filter(|_| random.chance(30)).for_each(|to| bk += &format!("to(c{from},c{to}).\n"));
        }
        bk += "to(none,none).\n";
    }
    let directed = random.chance(30);
    if directed {
        for (name, ways) in
            [("size", "(in,out)"), ("place", "(in,out,out)"), ("to", "(in,out)"), ("red", "(in,)"), ("any", "(in,)")]
        {
            if bias.contains(&format!("body_pred({name},")) {
                let _ = writeln!(bias, "direction({name},{ways}).");
            }
        }
    }
    let mut exs = String::new();
    let weighted = random.chance(30);
    let middle = sums[random.below(things) as usize];
    for _ in 0..5 + random.below(6) + 10 * u64::from(arithmetic) {
        let thing = random.below(things);
        let argument = if numeric_head { pick(&mut random).to_owned() } else { format!("c{thing}") };
        let decides = arithmetic && !numeric_head && random.chance(95);
        let positive = if decides { sums[thing as usize] <= middle } else { random.chance(50) };
        let label = if positive { "pos" } else { "neg" };
        let weight = if weighted { format!(",{}", 1 + random.below(4)) } else { String::new() };
        let _ = writeln!(exs, "{label}(f({argument}){weight}).");
    }
    let (kind, locals) = if numeric_head { ("num", 1) } else { ("thing", 1 + random.below(2)) };
    let (locals, literals) = if arithmetic { (3, 3) } else { (locals, 4) };
    let _ = writeln!(
        bias,
        "head_pred(f,1). type(f,({kind},)). max_vars({}). max_body({}).",
        1 + locals,
        if arithmetic { literals } else { 1 + random.below(literals) }
    );
    if directed {
        bias += "direction(f,(in,)).\n";
    }
    let bounds = random.chance(25).then(|| {
        let ends = [-2.0, 0.0, 1.0, 2.25, 3.0];
        let (a, b) = (ends[random.below(5) as usize], ends[random.below(5) as usize]);
        if a <= b { (a, b) } else { (b, a) }
    });
    let most = random.chance(40).then(|| 1 + random.below(2) + u64::from(arithmetic));
    let computed = if arithmetic { computed(values, divides) } else { Vec::new() };
    let by_hand = by_hand(&bk, &bias, (values, &computed), bounds, most, directed);
    let mut own = format!(
        "{bias}{}(num).\n",
        match (divides, arithmetic) {
            (true, _) => "ratios",
            (false, true) => "arithmetic",
            (false, false) => "numeric",
        }
    );
    if let Some((low, high)) = bounds {
        let _ = writeln!(own, "bounds(leq,1,({low},{high})). bounds(geq,1,({low},{high})).");
    }
    if let Some(most) = most {
        let _ = writeln!(own, "max_numeric({most}).");
    }
    Twice { bk, exs, bias: own, by_hand }
}

/// The sums and differences of two values, and those of results that are one of them again (a rule has no room for others):
/// operator, operands, result.
fn computed(values: &[&str], divides: bool) -> Vec<Computed> {
    let computed_once = if divides { divided_once } else { computed_once };
    let first = computed_once(values);
    let mut all: Vec<&str> = first.iter().map(|(.., result)| result.as_str()).chain(values.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    let mut again = computed_once(&all);
    let is_first = |operand: &String| values.contains(&operand.as_str());
    again.retain(|(_, left, right, result)| is_first(left) && is_first(right) || all.contains(&result.as_str()));
    again
}

fn computed_once(values: &[&str]) -> Vec<Computed> {
    let mut computed = Vec::new();
    for (left, right) in values.iter().flat_map(|left| values.iter().map(move |right| (left, right))) {
        let results = match (left.parse::<i64>(), right.parse::<i64>()) {
            (Ok(a), Ok(b)) => [(a + b).to_string(), (a - b).to_string()],
            _ => {
                let (a, b): (f64, f64) = (left.parse().unwrap(), right.parse().unwrap());
                [format!("{:?}", a + b), format!("{:?}", a - b)]
            }
        };
        for (name, result) in ["sum", "difference"].into_iter().zip(results) {
            computed.push((name, (*left).to_owned(), (*right).to_owned(), result));
        }
    }
    computed
}

/// As SWI-Prolog divides: whole numbers whose ratio is one give one.
fn divided_once(values: &[&str]) -> Vec<Computed> {
    let ratio = |left: &str, right: &str| match (left.parse::<i64>(), right.parse::<i64>()) {
        (Ok(a), Ok(b)) if a % b == 0 => (a / b).to_string(),
        _ => format!("{:?}", left.parse::<f64>().unwrap() / right.parse::<f64>().unwrap()),
    };
    let pairs = values.iter().flat_map(|left| values.iter().map(move |right| (*left, *right)));
    pairs.map(|(left, right)| ("ratio", left.to_owned(), right.to_owned(), ratio(left, right))).collect()
}

/// Background and bias with a predicate for each comparison, and tables for computations.
fn by_hand(
    bk: &str,
    bias: &str,
    (values, computed): (&[&str], &[Computed]),
    bounds: Option<(f64, f64)>,
    most: Option<u64>,
    directed: bool,
) -> (String, String) {
    let (mut bk, mut bias) = (bk.to_owned(), bias.to_owned());
    let number = |text: &&str| text.parse::<f64>().unwrap();
    for (name, left, right, result) in computed {
        let _ = writeln!(bk, "{name}({left},{right},{result}).");
    }
    if !computed.is_empty() {
        let mut names: Vec<&str> = computed.iter().map(|(name, ..)| *name).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let _ = writeln!(
                bias,
                "computation({name}). body_pred({name},3). type({name},(num,num,num)). direction({name},(in,in,out)). cut({name})."
            );
        }
    }
    let mut values: Vec<&str> = values.to_vec();
    values.extend(computed.iter().map(|(.., result)| result.as_str()));
    values.sort_unstable();
    values.dedup();
    let mut cuts: Vec<f64> = values.iter().map(number).collect();
    if let Some((low, high)) = bounds {
        cuts.extend([low, high]);
        cuts.retain(|cut| *cut >= low && *cut <= high);
    }
    cuts.sort_by(f64::total_cmp);
    cuts.dedup_by(|a, b| a == b);
    for (at, cut) in cuts.iter().enumerate() {
        for (name, holds) in [(format!("le{at}"), f64::le as fn(&f64, &f64) -> bool), (format!("ge{at}"), f64::ge)] {
            let _ = writeln!(bias, "body_pred({name},1). type({name},(num,)). cut({name}).");
            // A comparison makes no numbers for computations.
            if directed || !computed.is_empty() {
                let _ = writeln!(bias, "direction({name},(in,)).");
            }
            for value in values.iter().filter(|value| holds(&number(value), cut)) {
                let _ = writeln!(bk, "{name}({value}).");
            }
            let _ = writeln!(bk, "{name}(nothing).");
        }
    }
    if !computed.is_empty() {
        // What a computation gives must be used, by the head or by another literal.
        bias += ":- body_literal(C,P,3,(X,Y,Z)), computation(P), not head_var(C,Z), \
                 #count{Q,Vars : body_literal(C,Q,_,Vars), var_member(Z,Vars)} < 2.\n";
    }
    let most = most.unwrap_or(100);
    let _ = writeln!(bias, ":- clause(C), #count{{P,Vars : body_literal(C,P,_,Vars), cut(P)}} > {most}.");
    (bk, bias)
}

fn check(seed: u64) -> ([bool; 2], usize) {
    let (best, rules) = random_task(seed).check(seed);
    ([best.contains("=<") || best.contains(">="), best.contains(" is ")], rules)
}

#[test]
fn the_best_comparisons_are_found_and_proved() {
    let seeds = seeds(600);
    let tasks = seeds.end - seeds.start;
    let (mut compared, mut computed, mut rules) = (0, 0, 0);
    for ([compares, computes], enumerated) in seeds.map(check) {
        compared += u64::from(compares);
        computed += u64::from(computes);
        rules += enumerated;
    }
    assert!(compared * 5 > tasks, "{compared} of {tasks} optima compare numbers");
    // One in 70 does on average; of some 800 seeds, seven did.
    assert!(computed * 200 > tasks, "{computed} of {tasks} optima compute with numbers");
    assert!(rules as u64 > tasks * 20, "the tasks are worth the name: {rules} rules in {tasks} spaces");
}
