//! Constants in the arguments of tables against brute force on small random tasks.
//!
//! The oracle is the same task with constants made by hand: for each way to put constants into a predicate's arguments a
//! predicate over the others. Its space is enumerated and tested by the slow oracles for plain tasks, which know nothing of
//! constants. Both tasks must have the same optimum.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)] // this test makes tasks of its own
mod brute_force;
#[path = "brute_force/twice.rs"]
mod twice;

use brute_force::{Draw, seeds};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use twice::Twice;

/// A table: its name, the types of its arguments, and its rows.
struct Table {
    name: &'static str,
    types: &'static [&'static str],
    rows: BTreeSet<Vec<String>>,
}

const COLOURS: [&str; 4] = ["red", "green", "7", "2.5"];

fn random_task(seed: u64) -> Twice {
    let mut random = Draw::new(seed);
    let things = 3 + random.below(3);
    let tables: Vec<Table> = [
        ("paint", &["thing", "color"][..]),
        ("blend", &["thing", "color", "color"]),
        ("to", &["thing", "thing"]),
        ("warm", &["color"]),
    ]
    .into_iter()
    .filter(|(name, _)| *name == "paint" || random.chance(50))
    .collect::<Vec<_>>()
    .into_iter()
    .map(|(name, types)| {
        let mut rows = BTreeSet::new();
        for _ in 0..3 + random.below(8) {
            let value = |kind: &&str| match *kind {
                "thing" => format!("c{}", random.below(things)),
                _ => COLOURS[random.below(4) as usize].to_owned(),
            };
            rows.insert(types.iter().map(value).collect());
        }
        Table { name, types, rows }
    })
    .collect();
    let mut exs = String::new();
    for _ in 0..5 + random.below(6) {
        let label = if random.chance(50) { "pos" } else { "neg" };
        let _ = writeln!(exs, "{label}(f(c{})).", random.below(things));
    }
    let mut bias = format!(
        "head_pred(f,1). type(f,(thing,)). max_vars({}). max_body({}).\n",
        1 + random.below(3),
        1 + random.below(3)
    );
    let directed = random.chance(30);
    if directed {
        bias += "direction(f,(in,)).\n";
    }
    let most = random.chance(40).then(|| random.below(3));
    let mut bk = String::new();
    for table in &tables {
        declare(table.name, table.types, directed, &mut bias);
        table.rows.iter().for_each(|row| bk += &format!("{}({}).\n", table.name, row.join(",")));
    }
    let by_hand = by_hand(&tables, &bk, &bias, most, directed);
    bias += "constants(color).\n";
    if let Some(most) = most {
        let _ = writeln!(bias, "max_magic({most}).");
    }
    Twice { bk, exs, bias, by_hand }
}

/// Declare a predicate: its first argument is an input where there are directions.
fn declare(name: &str, types: &[&str], directed: bool, bias: &mut String) {
    let tuple =
        |items: Vec<&str>| if items.len() == 1 { format!("({},)", items[0]) } else { format!("({})", items.join(",")) };
    let _ = writeln!(bias, "body_pred({name},{}). type({name},{}).", types.len(), tuple(types.to_vec()));
    if directed {
        let ways = (0..types.len()).map(|at| if at == 0 { "in" } else { "out" }).collect();
        let _ = writeln!(bias, "direction({name},{}).", tuple(ways));
    }
}

/// Background and bias with a predicate for each way to put constants into arguments.
fn by_hand(tables: &[Table], bk: &str, bias: &str, most: Option<u64>, directed: bool) -> (String, String) {
    let (mut bk, mut bias) = (bk.to_owned(), bias.to_owned());
    for Table { name, types, rows } in tables {
        let allowed: Vec<usize> = (0..types.len()).filter(|&at| types[at] == "color").collect();
        for subset in 1..1usize << allowed.len() {
            let fixed: Vec<usize> =
                (0..allowed.len()).filter(|bit| subset >> bit & 1 == 1).map(|bit| allowed[bit]).collect();
            if fixed.len() == types.len() {
                continue;
            }
            let chosen = |row: &Vec<String>| fixed.iter().map(|&at| row[at].clone()).collect::<Vec<_>>();
            let keys: BTreeSet<Vec<String>> = rows.iter().map(chosen).collect();
            for (number, key) in keys.iter().enumerate() {
                let own = format!("{name}_{subset}_{number}");
                let rest: Vec<&str> = (0..types.len()).filter(|at| !fixed.contains(at)).map(|at| types[at]).collect();
                // An argument that stays keeps its way; those of these tables that may be constants are no inputs but one.
                declare(&own, &rest, false, &mut bias);
                if directed {
                    let kept = (0..types.len()).filter(|at| !fixed.contains(at));
                    let ways: Vec<&str> = kept.map(|at| if at == 0 { "in" } else { "out" }).collect();
                    let tuple =
                        if ways.len() == 1 { format!("({},)", ways[0]) } else { format!("({})", ways.join(",")) };
                    let _ = writeln!(bias, "direction({own},{tuple}).");
                }
                (0..fixed.len()).for_each(|at| bias += &format!("held({own},{at}).\n"));
                for row in rows.iter().filter(|row| chosen(row) == *key) {
                    let rest: Vec<&str> =
                        (0..row.len()).filter(|at| !fixed.contains(at)).map(|at| row[at].as_str()).collect();
                    let _ = writeln!(bk, "{own}({}).", rest.join(","));
                }
            }
        }
    }
    bias += "held(nothing,0).\n";
    let _ = writeln!(
        bias,
        ":- clause(C), #count{{P,Vars,I : body_literal(C,P,_,Vars), held(P,I)}} > {}.",
        most.unwrap_or(100)
    );
    (bk, bias)
}

fn check(seed: u64) -> (bool, usize) {
    let (best, rules) = random_task(seed).check(seed);
    (COLOURS.iter().any(|colour| best.contains(&format!(",{colour}"))), rules)
}

#[test]
fn the_best_constants_are_found_and_proved() {
    let seeds = seeds(400);
    let tasks = seeds.end - seeds.start;
    let (held, rules) = seeds.map(check).fold((0, 0), |sum, (has, rules)| (sum.0 + u64::from(has), sum.1 + rules));
    assert!(held * 5 > tasks, "{held} of {tasks} optima have constants");
    assert!(rules as u64 > tasks * 20, "the tasks are worth the name: {rules} rules in {tasks} spaces");
}
