//! Recursive programs are found, with and without noise, and hold for lists five times longer than those learned from.
#![allow(clippy::unwrap_used)]

use std::time::Duration;
use symsnap::internals::coverage::assess;
use symsnap::internals::learn::Symsnap;
use symsnap::internals::random::Random;
use symsnap::{Budget, Candidate, Confusion, Cost, Learner, Outcome, Settings, Task, Text};
use symsnap_lab::generate::Kind;

/// Enough for all of them. In ticks, so that a slow machine does as much; the last takes all of it, for it has no proof.
const TICKS: u64 = 600_000;

const BACKGROUND: &str = "head([H|_],H).\ntail([_|T],T).\nempty([]).\nzero(0).\none(1).\n\
    even(A) :- integer(A), 0 is A mod 2.\nodd(A) :- integer(A), 1 is A mod 2.\n\
    increment(A,B) :- integer(A), B is A+1.\ndecrement(A,B) :- integer(A), A > 0, B is A-1.\n\
    geq(A,B) :- integer(A), integer(B), A >= B.\nadd(A,B,C) :- integer(A), integer(B), C is A+B.\n\
    larger(A,B,C) :- integer(A), integer(B), C is max(A,B).\n\
    cons(A,B,[A|B]).\nsnoc(A,B,C) :- append(A,[B],C).\n";

/// A body predicate: name, types, directions. Outputs may be given too.
const WORDS: [(&str, &str, &str); 14] = [
    ("head", "list,int", "in,out"),
    ("tail", "list,list", "in,out"),
    ("empty", "list", "out"),
    ("zero", "int", "out"),
    ("one", "int", "in"),
    ("even", "int", "in"),
    ("odd", "int", "in"),
    ("increment", "int,int", "in,out"),
    ("decrement", "int,int", "in,out"),
    ("geq", "int,int", "in,in"),
    ("add", "int,int,int", "in,in,out"),
    ("larger", "int,int,int", "in,in,out"),
    ("cons", "int,list,list", "in,in,out"),
    ("snoc", "list,int,list", "in,in,out"),
];

/// A program to learn: types and directions of its arguments, body predicates, and what it computes of a list.
struct Target {
    name: &'static str,
    types: &'static str,
    directions: &'static str,
    words: &'static [&'static str],
    clauses: usize,
    compute: fn(&[i64]) -> Option<Value>,
    /// Wrong in likely ways.
    confuse: fn(&[i64], &mut Random) -> Value,
    shortest: usize,
}

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Yes,
    Int(i64),
    List(Vec<i64>),
}

use Value::{Int, List, Yes};

fn show(list: &[i64]) -> String {
    format!("[{}]", list.iter().map(i64::to_string).collect::<Vec<_>>().join(","))
}

fn atom(list: &[i64], value: &Value) -> String {
    match value {
        Yes => format!("f({})", show(list)),
        Int(number) => format!("f({},{number})", show(list)),
        List(other) => format!("f({},{})", show(list), show(other)),
    }
}

impl Target {
    fn bias(&self) -> String {
        let arity = self.types.split(',').count();
        let declare = |name: &str, types: &str, directions: &str| {
            format!("type({name},({types},)).\ndirection({name},({directions},)).\n")
        };
        let mut bias = format!("head_pred(f,{arity}).\nenable_recursion.\nmax_clauses({}).\n", self.clauses);
        bias += &declare("f", self.types, self.directions);
        for (name, types, directions) in WORDS.iter().filter(|(name, ..)| self.words.contains(name)) {
            bias += &format!("body_pred({name},{}).\n", types.split(',').count());
            bias += &declare(name, types, directions);
        }
        bias
    }

    /// Examples on lists of up to `longest` elements.
    fn examples(&self, random: &mut Random, count: usize, longest: usize) -> String {
        let mut text = String::new();
        let (mut pos, mut neg) = (0, 0);
        while pos < count || neg < count {
            let length = self.shortest + random.below(longest - self.shortest + 1);
            let mut list: Vec<i64> = (0..length).map(|_| random.below(20) as i64).collect();
            // Few random lists are sorted or have even elements only.
            match random.below(3) {
                0 => list.sort_unstable(),
                1 => list.iter_mut().for_each(|it| *it = 2 * (*it / 2)),
                _ => {}
            }
            match (self.compute)(&list) {
                Some(value) if pos < count && random.below(2) == 0 => {
                    text += &format!("pos({}).\n", atom(&list, &value));
                    pos += 1;
                }
                right if neg < count => {
                    let wrong = (self.confuse)(&list, random);
                    if right.as_ref() != Some(&wrong) {
                        text += &format!("neg({}).\n", atom(&list, &wrong));
                        neg += 1;
                    }
                }
                _ => {}
            }
        }
        text
    }
}

const TARGETS: [Target; 11] = [
    Target {
        name: "evens",
        types: "list",
        directions: "in",
        words: &["head", "tail", "empty", "even", "odd", "zero", "one", "decrement"],
        clauses: 2,
        compute: |list| list.iter().all(|it| it % 2 == 0).then_some(Yes),
        confuse: |_, _| Yes,
        shortest: 0,
    },
    Target {
        name: "sorted",
        types: "list",
        directions: "in",
        words: &["head", "tail", "empty", "geq", "zero", "even", "decrement"],
        clauses: 2,
        compute: |list| list.is_sorted().then_some(Yes),
        confuse: |_, _| Yes,
        shortest: 1,
    },
    Target {
        name: "member",
        types: "list,int",
        directions: "in,out",
        words: &["head", "tail", "empty", "even", "zero"],
        clauses: 2,
        compute: |list| Some(Int(list[list.len() / 2])),
        confuse: |list, random| {
            let mut other = random.below(20) as i64;
            while list.contains(&other) {
                other += 1;
            }
            Int(other)
        },
        shortest: 1,
    },
    Target {
        name: "last",
        types: "list,int",
        directions: "in,out",
        words: &["head", "tail", "empty", "even", "zero", "decrement"],
        clauses: 2,
        compute: |list| list.last().copied().map(Int),
        confuse: |list, random| Int(list[random.below(list.len())]),
        shortest: 1,
    },
    Target {
        name: "duplicate",
        types: "list,list",
        directions: "in,out",
        words: &["head", "tail", "empty", "cons"],
        clauses: 2,
        compute: |list| Some(List(list.iter().flat_map(|&it| [it, it]).collect())),
        confuse: |list, _| List(list.repeat(2)),
        shortest: 0,
    },
    Target {
        name: "sum",
        types: "list,int",
        directions: "in,out",
        words: &["head", "tail", "empty", "zero", "add", "increment"],
        clauses: 2,
        compute: |list| Some(Int(list.iter().sum())),
        confuse: |list, random| Int(list.iter().skip(random.below(2)).sum::<i64>() + random.below(2) as i64),
        shortest: 0,
    },
    Target {
        name: "max",
        types: "list,int",
        directions: "in,out",
        words: &["head", "tail", "empty", "zero", "larger", "geq"],
        clauses: 2,
        compute: |list| list.iter().max().copied().map(Int),
        confuse: |list, random| Int(list[random.below(list.len())]),
        shortest: 1,
    },
    Target {
        name: "length",
        types: "list,int",
        directions: "in,out",
        words: &["head", "tail", "empty", "zero", "increment", "decrement"],
        clauses: 2,
        compute: |list| Some(Int(list.len() as i64)),
        confuse: |list, random| Int(list.len() as i64 - 1 + random.below(3) as i64),
        shortest: 1,
    },
    Target {
        name: "reverse",
        types: "list,list",
        directions: "in,out",
        words: &["head", "tail", "empty", "snoc", "cons"],
        clauses: 2,
        compute: |list| Some(List(list.iter().rev().copied().collect())),
        confuse: |list, _| List(list.to_vec()),
        shortest: 0,
    },
    Target {
        name: "increments",
        types: "list,list",
        directions: "in,out",
        words: &["head", "tail", "empty", "cons", "increment", "decrement"],
        clauses: 2,
        compute: |list| Some(List(list.iter().map(|it| it + 1).collect())),
        confuse: |list, random| List(list.iter().map(|it| it + random.below(2) as i64).collect()),
        shortest: 0,
    },
    // Two rules that call themselves.
    Target {
        name: "keep_even",
        types: "list,list",
        directions: "in,out",
        words: &["head", "tail", "empty", "cons", "even", "odd"],
        clauses: 3,
        compute: |list| Some(List(list.iter().copied().filter(|it| it % 2 == 0).collect())),
        confuse: |list, random| {
            let flip = random.below(list.len() + 1);
            List(
                list.iter()
                    .copied()
                    .enumerate()
                    .filter(|(at, it)| (it % 2 == 0) != (*at == flip))
                    .map(|it| it.1)
                    .collect(),
            )
        },
        shortest: 0,
    },
];

fn learn(task: &Task, cost: Cost) -> Outcome {
    let learner = Symsnap { settings: Settings { cost, threads: 1, ..Settings::default() } };
    learner.learn_task(task, &Budget::unlimited().with_ticks(TICKS), &mut Vec::new()).unwrap()
}

/// What the best hypothesis does with other examples.
fn on(outcome: &Outcome, task: &Task, background: &str, bias: &str, examples: &str) -> Confusion {
    let rules = outcome.best.as_ref().unwrap().hypothesis.show(&task.terms);
    let mut task = Task::from_texts(background, examples, bias).unwrap();
    let rules = task.read_rules(&Text::new("learned.pl", &rules)).unwrap();
    let covered = assess(&task, &rules).whole;
    task.examples.confusion(&covered)
}

#[test]
fn usual_programs_on_lists_are_found_and_hold_for_longer_lists() {
    for target in &TARGETS {
        let mut random = Random::new(11);
        let bias = target.bias();
        let task = Task::from_texts(BACKGROUND, &target.examples(&mut random, 12, 6), &bias).unwrap();
        let outcome = learn(&task, Cost::LexFnSize);
        let shown = outcome.best.as_ref().map_or_else(String::new, |best| best.hypothesis.show(&task.terms));
        assert_eq!(outcome.value.0[..2], [0, 0], "{}: {}\n{shown}", target.name, outcome.value);
        let long = on(&outcome, &task, BACKGROUND, &bias, &target.examples(&mut random, 40, 30));
        assert_eq!((long.fn_, long.fp), (0, 0), "{} on longer lists\n{shown}", target.name);
    }
}

#[test]
fn the_program_is_found_behind_noise_and_holds_for_longer_lists() {
    let mut random = Random::new(5);
    let mut examples = String::new();
    for at in 0..200 {
        let list: Vec<i64> = (0..30 + random.below(16)).map(|_| random.below(60) as i64).collect();
        let k = 1 + random.below(list.len() - 1);
        let (label, from) = if at % 2 == 0 { ("pos", k) } else { ("neg", k - 1) };
        examples += &format!("{label}(f({},{k},{})).\n", show(&list), show(&list[from..]));
    }
    for noise in [0.0, 0.1, 0.2, 0.3] {
        let made = Kind::named("dropk").unwrap().generate(7, 100, noise).unwrap();
        let task = made.task().unwrap();
        let learner = Symsnap { settings: Settings { threads: 1, ..Settings::default() } };
        let budget = Budget::unlimited().with_time(Duration::from_secs(10));
        let outcome = learner.learn_task(&task, &budget, &mut Vec::new()).unwrap();
        let long = on(&outcome, &task, &made.background, &made.bias, &examples);
        let shown = outcome.best.as_ref().map_or_else(String::new, |best| best.hypothesis.show(&task.terms));
        assert_eq!((long.fn_, long.fp), (0, 0), "with noise {noise}\n{shown}");
    }
}

#[test]
fn what_a_run_says_of_programs_is_so_whenever_it_is_stopped() {
    let made = Kind::named("dropk").unwrap().generate(7, 200, 0.2).unwrap();
    let task = made.task().unwrap();
    let mut told = 0;
    for milliseconds in (1..60).map(|at| at * 2) {
        let settings = Settings { cost: Cost::Mdl, threads: 1, ..Settings::default() };
        let budget = Budget::unlimited().with_time(Duration::from_millis(milliseconds));
        let mut candidates: Vec<Candidate> = Vec::new();
        Symsnap { settings }.learn_task(&task, &budget, &mut candidates).unwrap();
        for candidate in candidates.iter().filter(|candidate| candidate.hypothesis.is_recursive()) {
            told += 1;
            let text = candidate.hypothesis.show(&task.terms);
            let mut again = task.clone();
            let given = again.read_rules(&Text::new("learned", &text)).unwrap();
            let confusion = again.examples.confusion(&assess(&again, &given).whole);
            assert_eq!(confusion, candidate.confusion, "stopped after {milliseconds} ms\n{text}");
        }
    }
    assert!(told > 20, "few programs were found before a limit: {told}");
}
