//! Scenes of pieces, as in the game Zendo: a scene is right if its pieces follow a rule. The rule is one of four, by
//! the seed.

use super::{Draft, Sizes, balanced, chance};
use std::fmt::Write;
use symsnap::internals::random::Random;

struct Piece {
    colour: &'static str,
    size: &'static str,
    pose: &'static str,
    /// The earlier piece that it touches.
    touches: Option<usize>,
}

const COLOURS: [&str; 3] = ["red", "green", "blue"];
const SIZES: [&str; 3] = ["small", "medium", "large"];
const POSES: [&str; 3] = ["upright", "lying", "leaning"];

struct SceneConcept {
    rules: &'static str,
    holds: fn(&[Piece]) -> bool,
}

fn touching(pieces: &[Piece], right: impl Fn(&Piece, &Piece) -> bool) -> bool {
    pieces
        .iter()
        .any(|piece| piece.touches.is_some_and(|other| right(piece, &pieces[other]) || right(&pieces[other], piece)))
}

const CONCEPTS: [SceneConcept; 4] = [
    SceneConcept {
        rules: "right(A) :- piece(A,B), red(B), small(B).\n",
        holds: |pieces| pieces.iter().any(|piece| piece.colour == "red" && piece.size == "small"),
    },
    SceneConcept {
        rules: "right(A) :- piece(A,B), blue(B), touches(B,C), upright(C).\n",
        holds: |pieces| touching(pieces, |one, other| one.colour == "blue" && other.pose == "upright"),
    },
    SceneConcept {
        rules: "right(A) :- piece(A,B), large(B), red(B).\nright(A) :- piece(A,B), touches(B,C), green(B), green(C).\n",
        holds: |pieces| {
            pieces.iter().any(|piece| piece.size == "large" && piece.colour == "red")
                || touching(pieces, |one, other| one.colour == "green" && other.colour == "green")
        },
    },
    SceneConcept {
        rules: "right(A) :- piece(A,B), piece(A,C), touches(B,C), leaning(B), large(C).\n",
        holds: |pieces| touching(pieces, |one, other| one.pose == "leaning" && other.size == "large"),
    },
];

fn draw(random: &mut Random) -> Vec<Piece> {
    let count = 2 + random.below(4);
    let piece = |at: usize| Piece {
        colour: COLOURS[random.below(3)],
        size: SIZES[random.below(3)],
        pose: POSES[random.below(3)],
        touches: (at > 0 && chance(random, 60)).then(|| random.below(at)),
    };
    (0..count).map(piece).collect()
}

/// Scenes and whether they are right.
pub fn make(random: &mut Random, sizes: Sizes) -> Draft {
    let concept = &CONCEPTS[random.below(CONCEPTS.len())];
    let parts = balanced(random, sizes, |random| {
        let pieces = draw(random);
        ((concept.holds)(&pieces), pieces)
    });
    let mut background = String::new();
    let mut number = 0;
    let [train, test] = parts.map(|part| {
        let atoms = part.into_iter().map(|(label, pieces)| {
            number += 1;
            describe(&mut background, number, &pieces);
            (label, format!("right(s{number})"))
        });
        atoms.collect::<Vec<_>>()
    });
    let mut bias = String::from(
        "head_pred(right,1).\nbody_pred(piece,2).\nbody_pred(touches,2).\nmax_vars(4).\nmax_body(5).\n\
         type(right,(scene,)).\ntype(piece,(scene,piece)).\ntype(touches,(piece,piece)).\n",
    );
    for name in COLOURS.iter().chain(&SIZES).chain(&POSES) {
        bias += &format!("body_pred({name},1).\ntype({name},(piece,)).\n");
    }
    Draft { background, bias, rules: concept.rules.to_owned(), train, test }
}

fn describe(text: &mut String, scene: usize, pieces: &[Piece]) {
    for (at, piece) in pieces.iter().enumerate() {
        let name = format!("p{scene}_{at}");
        let Piece { colour, size, pose, .. } = piece;
        writeln!(text, "piece(s{scene},{name}). {colour}({name}). {size}({name}). {pose}({name}).")
            .expect("a string takes all text");
        if let Some(other) = piece.touches {
            writeln!(text, "touches({name},p{scene}_{other}). touches(p{scene}_{other},{name}).")
                .expect("a string takes all text");
        }
    }
}
