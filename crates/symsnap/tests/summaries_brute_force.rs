//! Absence and counting against brute force on small random tasks.
//!
//! The oracle is the same task with tables made by hand: what has no answers, how many answers there are, and each comparison
//! of a count with a number.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)] // this test makes tasks of its own
mod brute_force;
#[path = "brute_force/twice.rs"]
mod twice;

use brute_force::{Draw, seeds};
use std::fmt::Write as _;
use twice::Twice;

/// A fact of two arguments, as numbers of things or parts.
type Pair = (u64, u64);

fn random_task(seed: u64) -> Twice {
    let mut random = Draw::new(seed);
    let (things, parts) = (6 + random.below(5), 4 + random.below(3));
    // Some things have nothing, some facts stand twice.
    let mut has: Vec<Pair> = Vec::new();
    for thing in 0..things {
        (0..random.below(4)).for_each(|_| has.push((thing, random.below(parts))));
    }
    let near: Vec<Pair> = (0..1 + random.below(4)).map(|_| (random.below(parts), random.below(parts))).collect();
    let red: Vec<u64> = (0..parts).filter(|_| random.chance(40)).collect();
    let mut bk = String::from("has(none,none). near(none,none). red(none).\n");
    has.iter().for_each(|(thing, part)| bk += &format!("has(t{thing},p{part}).\n"));
    near.iter().for_each(|(from, to)| bk += &format!("near(p{from},p{to}).\n"));
    red.iter().for_each(|part| bk += &format!("red(p{part}).\n"));
    let mut bias = String::from("head_pred(f,1). type(f,(thing,)). body_pred(has,2). type(has,(thing,part)).\n");
    // Where parts have nothing but number, what has no part can only be counted.
    let bare = random.chance(20);
    if bare {
        bias += "direction(has,(in,out)).\n";
    } else {
        bias += "body_pred(near,2). type(near,(part,part)). body_pred(red,1). type(red,(part,)).\n";
    }
    let (vars, literals) = (2 + random.below(2), 2 + random.below(2));
    let _ = writeln!(bias, "max_vars({vars}). max_body({literals}).");
    let decides = if bare { 3 } else { random.below(3) };
    let count = |thing: u64| has.iter().filter(|pair| pair.0 == thing).count();
    let lacks = |part: u64| !near.iter().any(|pair| pair.0 == part) && !red.contains(&part);
    let mut exs = String::new();
    for thing in 0..things {
        let truth = match decides {
            0 => count(thing) >= 2,
            1 => has.iter().any(|pair| pair.0 == thing && lacks(pair.1)),
            2 => count(thing) == 1,
            _ => count(thing) < 2,
        };
        let label = if truth == random.chance(97) { "pos" } else { "neg" };
        let _ = writeln!(exs, "{label}(f(t{thing})).");
    }
    let mut own = bias.clone();
    let (mut hand_bk, mut hand) = (bk.clone(), bias);
    if !bare && random.chance(70) {
        own += "absence(red,1).\n";
        hand += "body_pred(not_red,1). type(not_red,(part,)). direction(not_red,(in,)).\n";
        (0..parts).filter(|part| !red.contains(part)).for_each(|part| hand_bk += &format!("not_red(p{part}).\n"));
        hand_bk += "not_red(nothing).\n";
    }
    if !bare && random.chance(70) {
        // From either end, or both.
        let name = "not_near";
        let (way, bound) =
            [("2", (true, false)), ("(out,in)", (false, true)), ("(in,in)", (true, true))][random.below(3) as usize];
        let _ = writeln!(own, "absence(near,{way}).");
        let arity = 1 + usize::from(bound == (true, true));
        let tuple = |item: &str| if arity == 2 { format!("({item},{item})") } else { format!("({item},)") };
        let _ = writeln!(
            hand,
            "body_pred({name},{arity}). type({name},{}). direction({name},{}).",
            tuple("part"),
            tuple("in")
        );
        // The part `none` is near itself alone.
        let named = |part: u64| if part < parts { format!("p{part}") } else { "none".to_owned() };
        let near: Vec<Pair> = near.iter().copied().chain([(parts, parts)]).collect();
        for (from, to) in (0..=parts).flat_map(|from| (0..=parts).map(move |to| (from, to))) {
            let matches = |pair: &Pair| (!bound.0 || pair.0 == from) && (!bound.1 || pair.1 == to);
            if near.iter().any(matches) {
                continue;
            }
            let _ = match bound {
                (true, true) => writeln!(hand_bk, "{name}({},{}).", named(from), named(to)),
                (true, false) => writeln!(hand_bk, "{name}({}).", named(from)),
                _ => writeln!(hand_bk, "{name}({}).", named(to)),
            };
        }
        hand_bk += &if arity == 2 { format!("{name}(nothing,nothing).\n") } else { format!("{name}(nothing).\n") };
    }
    if random.chance(80) {
        own += "counting(has,2). max_numeric(2).\n";
        hand += "body_pred(many,2). type(many,(thing,count)). direction(many,(in,out)). cut(many).\n";
        (0..things).for_each(|thing| hand_bk += &format!("many(t{thing},{}).\n", count(thing)));
        hand_bk += "many(none,1).\n";
        for bound in 0..4 {
            let _ = writeln!(
                hand,
                "body_pred(le{bound},1). type(le{bound},(count,)). direction(le{bound},(in,)). cut(le{bound})."
            );
            let _ = writeln!(
                hand,
                "body_pred(ge{bound},1). type(ge{bound},(count,)). direction(ge{bound},(in,)). cut(ge{bound})."
            );
            for number in 0..4 {
                let name = if number <= bound { "le" } else { "ge" };
                let _ = writeln!(hand_bk, "{name}{bound}({number}).");
            }
            let _ = writeln!(hand_bk, "ge{bound}({bound}). le{bound}(nothing). ge{bound}(nothing).");
        }
        hand += ":- body_literal(C,many,2,(_,N)), #count{Q,Vars : body_literal(C,Q,_,Vars), var_member(N,Vars)} < 2.\n\
                 :- clause(C), #count{P,Vars : body_literal(C,P,_,Vars), cut(P)} > 2.\n";
    }
    Twice { bk, exs, bias: own, by_hand: (hand_bk, hand) }
}

#[test]
fn the_best_rules_with_absence_and_counts_are_found_and_proved() {
    let seeds = seeds(500);
    let tasks = seeds.end - seeds.start;
    let (mut absent, mut counted) = (0, 0);
    for seed in seeds {
        let (best, _) = random_task(seed).check(seed);
        absent += u64::from(best.contains("\\+"));
        counted += u64::from(best.contains("aggregate_all"));
    }
    assert!(absent * 20 > tasks, "{absent} of {tasks} optima have an absence");
    assert!(counted * 20 > tasks, "{counted} of {tasks} optima count");
}
