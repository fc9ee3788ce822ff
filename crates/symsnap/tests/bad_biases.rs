//! Bad bias files: each file of `bad_inputs/bias` gives exactly the message beside it (errors, or warnings where the
//! file can be used). `SYMSNAP_BLESS=1` writes the messages anew, to be read before they are kept.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use symsnap::internals::space::Space;
use symsnap::{Bias, Terms, Text};

/// What the user is told about a bias file, and that it took no longer than a moment.
fn told(name: &str, text: &str) -> String {
    let started = Instant::now();
    let mut said = match Bias::read(&Text::new(name, text), &mut Terms::default()) {
        Ok((_, warnings)) => warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Err(error) => error.to_string(),
    };
    assert!(started.elapsed() < Duration::from_secs(5), "{name} takes {:?}", started.elapsed());
    said.push('\n');
    said
}

#[test]
fn each_bad_bias_gives_its_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_inputs/bias");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "pl"));
    files.sort();
    assert!(files.len() > 25);
    let mut wrong = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap();
        let said = told(name, &fs::read_to_string(&path).unwrap());
        let expected = path.with_extension("expected");
        if std::env::var_os("SYMSNAP_BLESS").is_some() {
            fs::write(&expected, &said).unwrap();
        }
        if fs::read_to_string(&expected).unwrap_or_default() != said {
            wrong.push(format!("{name} now says:\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn deep_long_and_wide_statements_are_refused_or_read_but_never_crash() {
    let declared = "head_pred(f,1). body_pred(p,2). ";
    let deep = format!("{declared}type(p,{}a{}).", "(".repeat(200_000), ")".repeat(200_000));
    assert!(told("deep", &deep).starts_with("deep:1:"), "{}", told("deep", &deep));
    let tuples = format!("{declared}type(p,{}a{}).", "(".repeat(99), ",)".repeat(99));
    assert!(told("tuples", &tuples).contains("a `type` of 1 for p/2"));
    let minus = format!("{declared}max_vars({}3).", "-".repeat(200_000));
    assert!(told("minus", &minus).contains("nested more than 100 deep"));
    let sum = format!("{declared}max_vars(1{}).", "+1".repeat(200_000));
    assert!(told("sum", &sum).contains("nested more than 100 deep"));
    let long = format!("{declared}:- body_var(_,1){}.", ",body_var(_,1)".repeat(200_000));
    assert!(told("long", &long).contains("a statement of more than 200 parts"));
    let wide = format!("{declared}body_pred(q{}).", ",1".repeat(200_000));
    assert!(told("wide", &wide).contains("unknown statement"));
    let line = format!("{declared}{}", "body_pred(p,2). ".repeat(100_000));
    assert!(told("line", &line).contains("a second time"));
    let names: String = (0..50_000).map(|at| format!("constant(c{at},t).\n")).collect();
    let many = format!("{declared}{names}body_pred(P,1) :- constant(P,_).");
    assert_eq!(told("many", &many), "\n");
}

#[test]
fn joins_that_explode_stop_at_a_limit() {
    let declared = "head_pred(f,1). body_pred(p,2). ";
    let facts: String = (0..100).map(|at| format!("n({at}). ")).collect();
    let atoms: Vec<String> = (0..9).map(|at| format!("n(X{at})")).collect();
    let text = format!("{declared}{facts} m(X0) :- {}, X8 < 0. :- m(X), body_var(_,X).", atoms.join(","));
    assert!(told("join", &text).contains("derive too much"));
    let tuples = "head_pred(f,1). body_pred(p,9). max_vars(200). n(T) :- vars(9,T). :- n(T), body_literal(_,_,_,T).";
    assert!(told("tuples", tuples).contains("derive too much"));
}

/// Pieces that mutations insert: the words of the language, whole and torn.
const PIECES: &[&str] = &[
    ".",
    ",",
    ";",
    ":-",
    ":",
    "(",
    ")",
    "(a,)",
    "{",
    "}",
    "#count{",
    "#count{V : body_var(C,V)}",
    "not ",
    "_",
    "X",
    "1",
    "-",
    "+1",
    "*",
    "\\",
    "..",
    "=",
    "!=",
    "<",
    "body_literal(C,P,A,V)",
    "vars(A,V)",
    "var_pos(V,T,0)",
    "'",
    "\"",
    "%",
    "%*",
    "max_vars(3).",
    "type(p,(a,b)).",
    "p(X) :- q(X).",
    "q(X) :- p(X), not p(X).",
    "head_pred(f,2).",
    "\u{e9}",
    "\0",
    "n(X+1) :- n(X).",
    ":- clause(C), N = #count{V : clause_var(C,V)}, N*N > 9.",
    "99999999999999999999",
];

#[test]
fn mutated_biases_never_crash_and_their_spaces_can_be_used() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_inputs/bias");
    let mut seeds: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "pl") {
            seeds.push(fs::read_to_string(path).unwrap());
        }
    }
    seeds.sort();
    seeds.push(
        "head_pred(f,1). body_pred(p,2). type(p,(a,b)). :- clause(C), #count{V : var_type(C,V,a)} != 1.".to_owned(),
    );
    let seconds = std::env::var("SYMSNAP_FUZZ_SECONDS").map_or(3, |seconds| seconds.parse().unwrap());
    let mut state = 7u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let started = Instant::now();
    let mut usable = 0;
    while started.elapsed() < Duration::from_secs(seconds) {
        let mut text: Vec<char> = seeds[draw() as usize % seeds.len()].chars().collect();
        for _ in 0..1 + draw() % 4 {
            let at = draw() as usize % (text.len() + 1);
            let end = (at + draw() as usize % 8).min(text.len());
            let piece = PIECES[draw() as usize % PIECES.len()];
            match draw() % 3 {
                0 => drop(text.splice(at..at, piece.chars())),
                1 => drop(text.splice(at..end, piece.chars())),
                _ => drop(text.drain(at..end)),
            }
        }
        let text: String = text.into_iter().collect();
        let began = Instant::now();
        if let Ok((bias, _)) = Bias::read(&Text::new("mutated", &text), &mut Terms::default()) {
            usable += 1;
            let space = Space::of(&bias);
            if let Some(rule) = space.sample(2, &mut draw) {
                assert!(space.contains(&rule).is_ok() && !space.violates_monotone(&rule), "{text}");
            }
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{:?} for\n{text}", began.elapsed());
    }
    assert!(usable > 0);
}
