//! Trains of cars: which go east depends on what some car is like. The rule is one of three, by the seed.

use super::{Draft, Sizes, balanced, chance};
use std::fmt::Write;
use symsnap::internals::random::Random;

#[derive(Clone, Copy, PartialEq)]
struct Car {
    long: bool,
    roofed: bool,
    wheels: usize,
    load: &'static str,
}

const LOADS: [&str; 4] = ["coal", "timber", "grain", "nothing"];

struct TrainConcept {
    rules: &'static str,
    holds: fn(&[Car]) -> bool,
}

const CONCEPTS: [TrainConcept; 3] = [
    TrainConcept {
        rules: "east(A) :- car(A,B), short(B), roofed(B).\n",
        holds: |cars| cars.iter().any(|car| !car.long && car.roofed),
    },
    TrainConcept {
        rules: "east(A) :- car(A,B), coal(B), before(B,C), timber(C).\n",
        holds: |cars| cars.windows(2).any(|pair| pair[0].load == "coal" && pair[1].load == "timber"),
    },
    TrainConcept {
        rules: "east(A) :- car(A,B), long(B), three_wheels(B).\neast(A) :- car(A,B), grain(B), open(B).\n",
        holds: |cars| cars.iter().any(|car| (car.long && car.wheels == 3) || (car.load == "grain" && !car.roofed)),
    },
];

fn draw(random: &mut Random) -> Vec<Car> {
    let count = 2 + random.below(4);
    let mut car = || Car {
        long: chance(random, 50),
        roofed: chance(random, 40),
        wheels: if chance(random, 30) { 3 } else { 2 },
        load: LOADS[random.below(LOADS.len())],
    };
    (0..count).map(|_| car()).collect()
}

/// Trains and where they go.
pub fn make(random: &mut Random, sizes: Sizes) -> Draft {
    let concept = &CONCEPTS[random.below(CONCEPTS.len())];
    let parts = balanced(random, sizes, |random| {
        let cars = draw(random);
        ((concept.holds)(&cars), cars)
    });
    let mut background = String::new();
    let mut number = 0;
    let [train, test] = parts.map(|part| {
        let atoms = part.into_iter().map(|(label, cars)| {
            number += 1;
            describe(&mut background, number, &cars);
            (label, format!("east(t{number})"))
        });
        atoms.collect::<Vec<_>>()
    });
    let unary = ["short", "long", "roofed", "open", "two_wheels", "three_wheels", "coal", "timber", "grain", "nothing"];
    let mut bias = String::from(
        "head_pred(east,1).\nbody_pred(car,2).\nbody_pred(before,2).\nmax_vars(4).\nmax_body(5).\n\
         type(east,(train,)).\ntype(car,(train,car)).\ntype(before,(car,car)).\n",
    );
    for name in unary {
        bias += &format!("body_pred({name},1).\ntype({name},(car,)).\n");
    }
    Draft { background, bias, rules: concept.rules.to_owned(), train, test }
}

fn describe(text: &mut String, train: usize, cars: &[Car]) {
    for (at, car) in cars.iter().enumerate() {
        let name = format!("c{train}_{at}");
        let (length, roof) = (if car.long { "long" } else { "short" }, if car.roofed { "roofed" } else { "open" });
        let wheels = if car.wheels == 3 { "three_wheels" } else { "two_wheels" };
        writeln!(
            text,
            "car(t{train},{name}). {length}({name}). {roof}({name}). {wheels}({name}). {}({name}).",
            car.load
        )
        .expect("a string takes all text");
        if at > 0 {
            writeln!(text, "before(c{train}_{},{name}).", at - 1).expect("a string takes all text");
        }
    }
}
