//! The Prolog reader against SWI-Prolog's: every background and examples file of our own task folders and of real ones,
//! clause for clause, and a list of clauses that are easily read wrong.
//!
//! SWI-Prolog prints each clause it has read in functional notation; that text, read back, must give the tree that we
//! made of the original. So operators, quotes, numbers and lists are compared, and the comparison itself relies only on
//! the simplest part of the reader.

mod folders;
mod skip;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use symsnap::Text;
use symsnap::internals::logic::Constant;
use symsnap::internals::parse::{Fact, Form, NodeId, Reader, Tree};

const SCRIPT: &str = r#"
:- set_prolog_flag(verbose, silent).
:- style_check(-singleton).
say(T) :- write_term(T, [ignore_ops(true), quoted(true)]), write(' .\n').
file(F) :- format("file ~w~n", [F]), open(F, read, S, [encoding(utf8)]), terms(S), close(S).
terms(S) :- repeat, catch(read_term(S, T, [module(user)]), E, true),
    ( nonvar(E) -> write('error\n'), fail
    ; T == end_of_file -> !
    ; say(T), act(T), fail ).
act((:- use_module(library(clpfd)))) :- !, use_module(library(clpfd)).
act((:- op(P, A, N))) :- !, op(P, A, N).
act(_).
lines(F) :- open(F, read, S, [encoding(utf8)]), repeat, read_line_to_string(S, L),
    ( L == end_of_file -> !, close(S)
    ; catch((open_string(L, I), read_term(I, T, [])), E, true),
      ( nonvar(E) -> write('error\n') ; say(T) ), fail ).
"#;

fn swipl(test: &str, goal: &str, arguments: &[PathBuf]) -> Option<Child> {
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("parse_oracle_{test}.pl"));
    std::fs::write(&script, SCRIPT).expect("the target folder is writable");
    let child = Command::new("swipl")
        .args(["-q", "-g", goal, "-t", "halt"])
        .arg(script)
        .arg("--")
        .args(arguments)
        .env("LANG", "C.UTF-8")
        .env("LC_ALL", "C.UTF-8")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    if child.is_err() {
        skip::skip("swipl is not installed");
    }
    child.ok()
}

/// Whether the trees are equal up to the names of variables.
fn same(ours: &Tree<'_>, theirs: &Tree<'_>) -> bool {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    ours.len() == theirs.len()
        && ours.nodes().zip(theirs.nodes()).all(|(a, b)| match (ours.form(a), theirs.form(b)) {
            (Form::Var("_"), Form::Var(_)) => true,
            (Form::Var(x), Form::Var(y)) => match pairs.iter().find(|(p, q)| *p == x || *q == y) {
                Some(&pair) => pair == (x, y),
                None => {
                    pairs.push((x, y));
                    true
                }
            },
            (Form::Float(x), Form::Float(y)) => x.to_bits() == y.to_bits(),
            (x, y) => x == y,
        })
}

/// Read what SWI-Prolog printed for one clause. It may span lines: quoted atoms hold line ends.
fn next_answer(lines: &mut impl Iterator<Item = String>) -> Option<String> {
    let mut text = lines.next()?;
    while text != "error" && !text.starts_with("file ") && !text.ends_with(" .") {
        text.push('\n');
        text.push_str(&lines.next()?);
    }
    Some(text)
}

fn agrees(ours: Result<&Tree<'_>, ()>, answer: &str) -> bool {
    if answer == "error" {
        return ours.is_err();
    }
    let Ok(ours) = ours else { return false };
    let source = Text::new("swipl", answer);
    let mut theirs = Tree::default();
    matches!(Reader::new(&source).read(&mut theirs), Some(Ok(()))) && same(ours, &theirs)
}

#[test]
fn tricky_clauses_read_as_in_swi_prolog() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/clauses.txt");
    let goal = "current_prolog_flag(argv,[F]), lines(F)";
    let Some(mut child) = swipl("clauses", goal, std::slice::from_ref(&path)) else { return };
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for text in BufReader::new(File::open(&path).expect("in the repository")).lines() {
        let text = text.expect("UTF-8");
        let answer = next_answer(&mut lines).expect("an answer for every line");
        compared += 1;
        let source = Text::new("clauses.txt", &text);
        let mut tree = Tree::default();
        // An empty line reads as the end of the text on both sides.
        let read = Reader::new(&source).read(&mut tree);
        let ours = match &read {
            Some(Ok(())) => Ok(&tree),
            _ => Err(()),
        };
        let deviates = DEVIATIONS.contains(&text.as_str());
        if agrees(ours, &answer) == deviates {
            wrong.push(format!("{text}   swipl: {answer}   ours: {}", if ours.is_ok() { "read" } else { "error" }));
        }
    }
    child.wait().expect("swipl ends");
    assert!(wrong.is_empty(), "{} clauses differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared >= 400, "the list has only {compared} clauses");
}

#[test]
fn every_file_of_our_own_tasks_reads_as_in_swi_prolog() {
    compare("ours", &task_files(&folders::ours("parse_oracle")));
}

#[test]
fn every_file_of_real_tasks_reads_as_in_swi_prolog() {
    let folders = folders::real();
    if !folders.is_empty() {
        compare("real", &task_files(&folders));
    }
}

fn compare(test: &str, files: &[PathBuf]) {
    let goal = "current_prolog_flag(argv,Fs), forall(member(F,Fs), file(F))";
    let Some(mut child) = swipl(test, goal, files) else { return };
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
    let mut clauses = 0;
    for path in files {
        assert_eq!(next_answer(&mut lines), Some(format!("file {}", path.display())));
        let text = std::fs::read_to_string(path).expect("task files are UTF-8");
        let source = Text::new(path.display().to_string(), &text);
        let mut reader = Reader::new(&source);
        let mut tree = Tree::default();
        let mut fact = Fact::default();
        loop {
            let wrapped = path.ends_with("exs.pl");
            let plain = reader.fact(wrapped, &mut fact);
            if plain {
                reader.unread(&fact);
            }
            let Some(read) = reader.read(&mut tree) else { break };
            assert!(!plain || is_fact(&tree, &fact, wrapped), "{}: {fact:?}", path.display());
            if read.is_ok() && tree.form(tree.root()) == Form::Atom("end_of_file") {
                break;
            }
            let answer = next_answer(&mut lines).expect("an answer for every clause");
            let ours = if read.is_ok() { Ok(&tree) } else { Err(()) };
            assert!(agrees(ours, &answer), "{}: {read:?} but swipl says {answer}", path.display());
            clauses += 1;
        }
    }
    child.wait().expect("swipl ends");
    assert!(clauses > 1000, "only {clauses} clauses were compared");
}

/// Whether a tree is what was read as a plain fact.
fn is_fact(tree: &Tree<'_>, fact: &Fact<'_>, wrapped: bool) -> bool {
    let atom = match tree.form(tree.root()) {
        Form::Compound(wrapper, &[atom]) if wrapped => {
            assert_eq!(wrapper, fact.wrapper);
            atom
        }
        _ => tree.root(),
    };
    let same = |(&node, constant): (&NodeId, &Constant<'_>)| match constant {
        Constant::Atom(name) => tree.form(node) == Form::Atom(name),
        Constant::Int(value) => tree.form(node) == Form::Int(*value),
    };
    let Form::Compound(name, arguments) = tree.form(atom) else { return false };
    let arguments = arguments.len() == fact.arguments.len() && arguments.iter().zip(&fact.arguments).all(same);
    name == fact.name && arguments && tree.span(tree.root()).start == fact.start
}

fn task_files(folders: &[PathBuf]) -> Vec<PathBuf> {
    folders.iter().flat_map(|folder| ["bk.pl", "exs.pl"].map(|name| folder.join(name))).collect()
}

/// Clauses that we read differently on purpose: no rationals, no dicts and no functional dot, no compounds without
/// arguments; and where SWI-Prolog's special cases reject what is plain.
const DEVIATIONS: [&str; 16] = [
    "1r3.",
    "[](x).",
    "-{a}.",
    "dynamic = 3.",
    "1.e5.",
    "a.b.",
    "X.y.",
    "\\+ = a.",
    "-().",
    "f().",
    "a().",
    "f(a):-b.c.",
    "x(1.a).",
    "x(1.5.2).",
    "[](a).",
    "a.b.c.",
];
