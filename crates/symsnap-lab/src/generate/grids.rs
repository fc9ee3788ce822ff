//! Rows of pixels that are transformed, in the manner of 1D-ARC: an example says that in some row, after the
//! transformation, some place has some colour.

use super::{Draft, Sizes};
use std::fmt::Write;
use symsnap::internals::random::Random;

/// Places of a row, and colours besides 0, which is blank.
const WIDTH: usize = 12;
const COLOURS: usize = 4;

type GridRow = [usize; WIDTH];

struct Puzzle {
    draw: fn(&mut Random) -> GridRow,
    transform: fn(&GridRow) -> GridRow,
    rules: &'static str,
}

/// A row with one block of `least` to `most` pixels that stays `margin` away from the edges.
fn block(random: &mut Random, least: usize, most: usize, margin: usize) -> GridRow {
    let length = least + random.below(most - least + 1);
    let start = margin + random.below(WIDTH - 2 * margin - length + 1);
    let mut row = [0; WIDTH];
    row[start..start + length].fill(1 + random.below(COLOURS));
    row
}

fn ends(row: &GridRow) -> (usize, usize) {
    let coloured = |pixel: &usize| *pixel != 0;
    let first = row.iter().position(coloured).expect("no row is blank");
    (first, row.iter().rposition(coloured).expect("no row is blank"))
}

fn shifted(row: &GridRow, by: usize) -> GridRow {
    std::array::from_fn(|at| if at < by { 0 } else { row[at - by] })
}

/// One place to the right.
pub fn shift_one(random: &mut Random, sizes: Sizes) -> Draft {
    let puzzle = Puzzle {
        draw: |random| block(random, 2, 6, 1),
        transform: |row| shifted(row, 1),
        rules: "out(A,B,C) :- in(A,D,C), beside(D,B).\nout(A,B,C) :- in(A,B,C), leftmost(B).\n",
    };
    make(random, sizes, &puzzle)
}

/// Two places to the right.
pub fn shift_two(random: &mut Random, sizes: Sizes) -> Draft {
    let puzzle = Puzzle {
        draw: |random| block(random, 2, 6, 2),
        transform: |row| shifted(row, 2),
        rules: "out(A,B,C) :- in(A,D,C), beside(D,E), beside(E,B).\nout(A,B,C) :- in(A,B,C), leftmost(B).\n\
            out(A,B,C) :- in(A,B,C), beside(D,B), leftmost(D).\n",
    };
    make(random, sizes, &puzzle)
}

/// Two pixels of one colour: fill what is between them.
pub fn fill(random: &mut Random, sizes: Sizes) -> Draft {
    let puzzle = Puzzle {
        draw: |random| {
            let mut row = block(random, 3, 9, 0);
            let (first, last) = ends(&row);
            row[first + 1..last].fill(0);
            row
        },
        transform: |row| {
            let (first, last) = ends(row);
            let mut filled = *row;
            filled[first..=last].fill(row[first]);
            filled
        },
        rules: "out(A,B,C) :- in(A,B,C), coloured(C).\n\
            out(A,B,C) :- in(A,D,C), coloured(C), first(A,E), before(E,B), last(A,F), before(B,F).\n\
            out(A,B,C) :- blank(C), first(A,D), before(B,D).\nout(A,B,C) :- blank(C), last(A,D), before(D,B).\n",
    };
    make(random, sizes, &puzzle)
}

/// A block: only its ends stay.
pub fn hollow(random: &mut Random, sizes: Sizes) -> Draft {
    let puzzle = Puzzle {
        draw: |random| block(random, 3, 9, 0),
        transform: |row| {
            let (first, last) = ends(row);
            let mut hollowed = *row;
            hollowed[first + 1..last].fill(0);
            hollowed
        },
        rules: "out(A,B,C) :- in(A,B,C), first(A,B).\nout(A,B,C) :- in(A,B,C), last(A,B).\n\
            out(A,B,C) :- in(A,B,C), blank(C).\n\
            out(A,B,C) :- blank(C), first(A,D), before(D,B), last(A,E), before(B,E).\n",
    };
    make(random, sizes, &puzzle)
}

/// The row from its other end.
pub fn mirror(random: &mut Random, sizes: Sizes) -> Draft {
    let puzzle = Puzzle {
        draw: |random| block(random, 2, 6, 0),
        transform: |row| std::array::from_fn(|at| row[WIDTH - 1 - at]),
        rules: "out(A,B,C) :- in(A,D,C), opposite(B,D).\n",
    };
    make(random, sizes, &puzzle)
}

/// A block and a stray pixel of its colour: the stray pixel goes.
pub fn denoise(random: &mut Random, sizes: Sizes) -> Draft {
    let puzzle = Puzzle {
        draw: |random| {
            let mut row = block(random, 3, 5, 1);
            let (first, last) = ends(&row);
            let away: Vec<usize> = (1..WIDTH - 1).filter(|&at| at + 1 < first || at > last + 1).collect();
            if !away.is_empty() {
                row[away[random.below(away.len())]] = row[first];
            }
            row
        },
        transform: |row| {
            let same = |at: usize, other: Option<usize>| other.is_some_and(|it| row.get(it) == Some(&row[at]));
            std::array::from_fn(|at| if same(at, at.checked_sub(1)) || same(at, Some(at + 1)) { row[at] } else { 0 })
        },
        rules: "out(A,B,C) :- in(A,B,C), beside(B,D), in(A,D,C).\nout(A,B,C) :- in(A,B,C), beside(D,B), in(A,D,C).\n\
            out(A,B,C) :- in(A,B,C), blank(C).\n\
            out(A,B,C) :- blank(C), in(A,D,C), beside(D,B), beside(B,E), in(A,E,C).\n",
    };
    make(random, sizes, &puzzle)
}

/// A block of odd length becomes red, one of even length green.
pub fn recolour(random: &mut Random, sizes: Sizes) -> Draft {
    let puzzle = Puzzle {
        draw: |random| block(random, 2, 7, 0),
        transform: |row| {
            let (first, last) = ends(row);
            let colour = if (last - first + 1) % 2 == 1 { 1 } else { 2 };
            row.map(|pixel| if pixel == 0 { 0 } else { colour })
        },
        rules: "out(A,B,C) :- in(A,B,C), blank(C).\n\
            out(A,B,C) :- in(A,B,D), coloured(D), odd(A), red(C).\n\
            out(A,B,C) :- in(A,B,D), coloured(D), even(A), green(C).\n",
    };
    make(random, sizes, &puzzle)
}

const BIAS: &str = "head_pred(out,3).\nbody_pred(in,3).\nbody_pred(beside,2).\nbody_pred(before,2).\n\
    body_pred(opposite,2).\nbody_pred(first,2).\nbody_pred(last,2).\nbody_pred(leftmost,1).\nbody_pred(blank,1).\n\
    body_pred(coloured,1).\nbody_pred(red,1).\nbody_pred(green,1).\nbody_pred(odd,1).\nbody_pred(even,1).\n\
    type(out,(row,place,colour)).\ntype(in,(row,place,colour)).\ntype(beside,(place,place)).\n\
    type(before,(place,place)).\ntype(opposite,(place,place)).\ntype(first,(row,place)).\ntype(last,(row,place)).\n\
    type(leftmost,(place,)).\ntype(blank,(colour,)).\ntype(coloured,(colour,)).\ntype(red,(colour,)).\n\
    type(green,(colour,)).\ntype(odd,(row,)).\ntype(even,(row,)).\nmax_vars(6).\nmax_body(6).\n";

fn make(random: &mut Random, sizes: Sizes, puzzle: &Puzzle) -> Draft {
    let mut background = String::from("blank(0). red(1). green(2). leftmost(1).\n");
    for colour in 1..=COLOURS {
        write!(background, "coloured({colour}). ").expect("a string takes all text");
    }
    for a in 1..=WIDTH {
        write!(background, "opposite({a},{}). ", WIDTH + 1 - a).expect("a string takes all text");
        for b in a + 1..=WIDTH {
            let beside = if b == a + 1 { format!("beside({a},{b}). ") } else { String::new() };
            write!(background, "before({a},{b}). {beside}").expect("a string takes all text");
        }
    }
    background.push('\n');
    let mut examples = Vec::with_capacity(sizes.all());
    for number in 0..sizes.all() {
        let row = (puzzle.draw)(random);
        let after = (puzzle.transform)(&row);
        describe(&mut background, number, &row);
        examples.push(questions(random, number, &row, &after));
    }
    let (train, test) = examples.split_at(sizes.train);
    let (train, test) = (train.concat(), test.concat());
    Draft { background, bias: BIAS.to_owned(), rules: puzzle.rules.to_owned(), train, test }
}

fn describe(text: &mut String, number: usize, row: &GridRow) {
    let (first, last) = ends(row);
    let parity = if (last - first + 1) % 2 == 1 { "odd" } else { "even" };
    write!(text, "first({number},{}). last({number},{}). {parity}({number}).", first + 1, last + 1)
        .expect("a string takes all text");
    for (at, colour) in row.iter().enumerate() {
        write!(text, " in({number},{},{colour}).", at + 1).expect("a string takes all text");
    }
    text.push('\n');
}

/// For each place its colour, which is right, and one that is wrong: the one it had, or any other.
fn questions(random: &mut Random, number: usize, row: &GridRow, after: &GridRow) -> Vec<(bool, String)> {
    let mut examples = Vec::with_capacity(2 * WIDTH);
    for at in 0..WIDTH {
        let seen = [row[at], 0, *row.iter().max().expect("a row has places")];
        let wrong = seen.into_iter().find(|&colour| colour != after[at]);
        let wrong = wrong.unwrap_or((after[at] + 1 + random.below(COLOURS)) % (COLOURS + 1));
        examples.push((true, format!("out({number},{},{})", at + 1, after[at])));
        examples.push((false, format!("out({number},{},{wrong})", at + 1)));
    }
    examples
}
