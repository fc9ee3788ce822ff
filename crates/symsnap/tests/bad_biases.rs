//! Bad bias files: each file of `bad_inputs/bias` gives exactly the message beside it (errors, or warnings where the
//! file can be used). `SYMSNAP_BLESS=1` writes the messages anew, to be read before they are kept.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use symsnap::logic::Terms;
use symsnap::parse::Source;
use symsnap::task::Bias;

/// What the user is told about a bias file, and that it took no longer than a moment.
fn told(name: &str, text: &str) -> String {
    let started = Instant::now();
    let mut said = match Bias::read(&Source::new(name, text), &mut Terms::default()) {
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
