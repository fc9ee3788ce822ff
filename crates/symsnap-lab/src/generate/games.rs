//! Two small games given by rules; states and moves along random play make the tasks `next` and `legal`.
//!
//! *Lamps*: three lamps and three buttons. Button `a` toggles lamp 1; `b` makes lamp 2 what lamp 1 is; `c` exchanges
//! lamps 2 and 3 and may be pressed only while lamp 1 burns; `b` only while lamps 1 and 2 differ.
//!
//! *Sled*: a sled on a track of nine fields, some of them holes. It may step left or right onto a field without a hole,
//! or jump two fields to the right over a hole.

use super::{Draft, Sizes, chance};
use std::fmt::Write;
use symsnap::internals::random::Random;

const BUTTONS: [&str; 3] = ["a", "b", "c"];

fn press(lamps: [bool; 3], button: &str) -> [bool; 3] {
    let [one, two, three] = lamps;
    match button {
        "a" => [!one, two, three],
        "b" => [one, one, three],
        _ => [one, three, two],
    }
}

fn may_press(lamps: [bool; 3], button: &str) -> bool {
    match button {
        "a" => true,
        "b" => lamps[0] != lamps[1],
        _ => lamps[0],
    }
}

/// A state of the lamps and the button pressed in it, along random play that starts over now and then.
fn lamps_play(random: &mut Random, count: usize) -> Vec<([bool; 3], &'static str)> {
    let mut lamps = [false; 3];
    let mut play = Vec::with_capacity(count);
    for _ in 0..count {
        if chance(random, 10) {
            lamps = [chance(random, 50), chance(random, 50), chance(random, 50)];
        }
        let legal: Vec<&str> = BUTTONS.into_iter().filter(|button| may_press(lamps, button)).collect();
        let button = legal[random.below(legal.len())];
        play.push((lamps, button));
        lamps = press(lamps, button);
    }
    play
}

fn lamps_background(play: &[([bool; 3], &str)], pressed: bool) -> String {
    let mut text = String::from(
        "button_a(a). button_b(b). button_c(c).\nfirst(l1). second(l2). third(l3).\nlamp(l1). lamp(l2). lamp(l3).\n",
    );
    for (at, (lamps, button)) in play.iter().enumerate() {
        for (lamp, burns) in lamps.iter().enumerate() {
            let word = if *burns { "burns" } else { "dark" };
            write!(text, "{word}(s{at},l{}). ", lamp + 1).expect("a string takes all text");
        }
        writeln!(text, "{}", if pressed { format!("pressed(s{at},{button}).") } else { String::new() })
            .expect("a string takes all text");
    }
    text
}

const LAMP_BIAS: &str = "body_pred(burns,2).\nbody_pred(dark,2).\nbody_pred(first,1).\nbody_pred(second,1).\n\
    body_pred(third,1).\nbody_pred(button_a,1).\nbody_pred(button_b,1).\nbody_pred(button_c,1).\n\
    type(burns,(state,lamp)).\ntype(dark,(state,lamp)).\ntype(first,(lamp,)).\ntype(second,(lamp,)).\n\
    type(third,(lamp,)).\ntype(button_a,(button,)).\ntype(button_b,(button,)).\ntype(button_c,(button,)).\nmax_body(6).\n";

/// Which lamps burn after a button was pressed.
pub fn lamps_next(random: &mut Random, sizes: Sizes) -> Draft {
    let play = lamps_play(random, sizes.all());
    let atoms = |(at, (lamps, button)): (usize, &([bool; 3], &str))| {
        let after = press(*lamps, button);
        (0..3).map(move |lamp| (after[lamp], format!("next(s{at},l{})", lamp + 1))).collect::<Vec<_>>()
    };
    let rules = "next(A,B) :- dark(A,B), first(B), pressed(A,C), button_a(C).\n\
        next(A,B) :- burns(A,B), second(B), pressed(A,C), button_a(C).\n\
        next(A,B) :- burns(A,B), third(B), pressed(A,C), button_a(C).\n\
        next(A,B) :- burns(A,B), first(B), pressed(A,C), button_b(C).\n\
        next(A,B) :- burns(A,B), third(B), pressed(A,C), button_b(C).\n\
        next(A,B) :- second(B), burns(A,D), first(D), pressed(A,C), button_b(C).\n\
        next(A,B) :- burns(A,B), first(B), pressed(A,C), button_c(C).\n\
        next(A,B) :- second(B), burns(A,D), third(D), pressed(A,C), button_c(C).\n\
        next(A,B) :- third(B), burns(A,D), second(D), pressed(A,C), button_c(C).\n";
    let bias = format!(
        "head_pred(next,2).\nbody_pred(pressed,2).\nmax_vars(4).\ntype(next,(state,lamp)).\n\
         type(pressed,(state,button)).\n{LAMP_BIAS}"
    );
    draft(lamps_background(&play, true), bias, rules, play.iter().enumerate().map(atoms), sizes)
}

/// Which buttons may be pressed.
pub fn lamps_legal(random: &mut Random, sizes: Sizes) -> Draft {
    let play = lamps_play(random, sizes.all());
    let atoms = |(at, (lamps, _)): (usize, &([bool; 3], &str))| {
        BUTTONS.map(|button| (may_press(*lamps, button), format!("legal(s{at},{button})"))).to_vec()
    };
    let rules = "legal(A,B) :- button_a(B), state(A).\n\
        legal(A,B) :- button_b(B), burns(A,C), first(C), dark(A,D), second(D).\n\
        legal(A,B) :- button_b(B), dark(A,C), first(C), burns(A,D), second(D).\n\
        legal(A,B) :- button_c(B), burns(A,C), first(C).\n";
    let bias = format!(
        "head_pred(legal,2).\nbody_pred(state,1).\nmax_vars(4).\ntype(legal,(state,button)).\ntype(state,(state,)).\n\
         {LAMP_BIAS}"
    );
    let states: String = (0..play.len()).map(|at| format!("state(s{at}). ")).collect();
    let background = format!("{}{states}\n", lamps_background(&play, false));
    draft(background, bias, rules, play.iter().enumerate().map(atoms), sizes)
}

/// The fields of the track.
const FIELDS: usize = 9;
const MOVES: [&str; 3] = ["left", "right", "jump"];

#[derive(Clone)]
struct Sled {
    holes: [bool; FIELDS],
    at: usize,
}

impl Sled {
    fn draw(random: &mut Random) -> Self {
        let mut holes = [false; FIELDS];
        holes.iter_mut().for_each(|hole| *hole = chance(random, 25));
        let mut sled = Sled { holes, at: random.below(FIELDS) };
        sled.holes[sled.at] = false;
        sled
    }

    /// The field that a move leads to, if it may be made.
    fn target(&self, step: &str) -> Option<usize> {
        let free = |field: usize| (field < FIELDS && !self.holes[field]).then_some(field);
        match step {
            "left" => self.at.checked_sub(1).and_then(free),
            "right" => free(self.at + 1),
            _ => free(self.at + 2).filter(|_| self.holes[self.at + 1]),
        }
    }
}

fn sled_play(random: &mut Random, count: usize) -> Vec<(Sled, &'static str)> {
    let mut sled = Sled::draw(random);
    let mut play = Vec::with_capacity(count);
    while play.len() < count {
        let legal: Vec<&str> = MOVES.into_iter().filter(|step| sled.target(step).is_some()).collect();
        if legal.is_empty() || chance(random, 25) {
            sled = Sled::draw(random);
            continue;
        }
        let step = legal[random.below(legal.len())];
        play.push((sled.clone(), step));
        sled.at = sled.target(step).expect("a legal move leads somewhere");
    }
    play
}

fn sled_background(play: &[(Sled, &str)], moved: bool) -> String {
    let mut text = String::from("step_left(left). step_right(right). step_jump(jump).\n");
    for field in 1..FIELDS {
        write!(text, "beside({field},{}). ", field + 1).expect("a string takes all text");
    }
    text.push('\n');
    for (at, (sled, step)) in play.iter().enumerate() {
        write!(text, "sled(s{at},{}). ", sled.at + 1).expect("a string takes all text");
        for field in 0..FIELDS {
            let word = if sled.holes[field] { "hole" } else { "free" };
            write!(text, "{word}(s{at},{}). ", field + 1).expect("a string takes all text");
        }
        writeln!(text, "{}", if moved { format!("moved(s{at},{step}).") } else { String::new() })
            .expect("a string takes all text");
    }
    text
}

const SLED_BIAS: &str = "body_pred(sled,2).\nbody_pred(hole,2).\nbody_pred(free,2).\nbody_pred(beside,2).\n\
    body_pred(step_left,1).\nbody_pred(step_right,1).\nbody_pred(step_jump,1).\n\
    type(sled,(state,field)).\ntype(hole,(state,field)).\ntype(free,(state,field)).\ntype(beside,(field,field)).\n\
    type(step_left,(step,)).\ntype(step_right,(step,)).\ntype(step_jump,(step,)).\nmax_vars(5).\nmax_body(6).\n";

/// Where the sled is after a move.
pub fn sled_next(random: &mut Random, sizes: Sizes) -> Draft {
    let play = sled_play(random, sizes.all());
    let atoms = |(at, (sled, step)): (usize, &(Sled, &str))| {
        let after = sled.target(step).expect("play is made of legal moves");
        // The right field and its surroundings; fields far away teach nothing.
        let near = sled.at.saturating_sub(2)..FIELDS.min(sled.at + 3);
        near.map(|field| (field == after, format!("next(s{at},{})", field + 1))).collect::<Vec<_>>()
    };
    let rules = "next(A,B) :- sled(A,C), beside(B,C), moved(A,D), step_left(D).\n\
        next(A,B) :- sled(A,C), beside(C,B), moved(A,D), step_right(D).\n\
        next(A,B) :- sled(A,C), beside(C,E), beside(E,B), moved(A,D), step_jump(D).\n";
    let bias = format!(
        "head_pred(next,2).\nbody_pred(moved,2).\ntype(next,(state,field)).\ntype(moved,(state,step)).\n{SLED_BIAS}"
    );
    draft(sled_background(&play, true), bias, rules, play.iter().enumerate().map(atoms), sizes)
}

/// Which moves the sled may make.
pub fn sled_legal(random: &mut Random, sizes: Sizes) -> Draft {
    let play = sled_play(random, sizes.all());
    let atoms = |(at, (sled, _)): (usize, &(Sled, &str))| {
        MOVES.map(|step| (sled.target(step).is_some(), format!("legal(s{at},{step})"))).to_vec()
    };
    let rules = "legal(A,B) :- step_left(B), sled(A,C), beside(D,C), free(A,D).\n\
        legal(A,B) :- step_right(B), sled(A,C), beside(C,D), free(A,D).\n\
        legal(A,B) :- step_jump(B), sled(A,C), beside(C,D), hole(A,D), beside(D,E), free(A,E).\n";
    let bias = format!("head_pred(legal,2).\ntype(legal,(state,step)).\n{SLED_BIAS}");
    draft(sled_background(&play, false), bias, rules, play.iter().enumerate().map(atoms), sizes)
}

/// The examples of the first states for training, those of the others for testing.
fn draft(
    background: String,
    bias: String,
    rules: &str,
    states: impl Iterator<Item = Vec<(bool, String)>>,
    sizes: Sizes,
) -> Draft {
    let states: Vec<Vec<(bool, String)>> = states.collect();
    let (train, test) = states.split_at(sizes.train);
    Draft { background, bias, rules: rules.to_owned(), train: train.concat(), test: test.concat() }
}
