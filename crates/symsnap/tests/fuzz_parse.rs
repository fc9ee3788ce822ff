//! A bounded fuzzer for every parser: mutated inputs must neither panic nor take long.
//!
//! It starts from the files of this repository and changes them by characters and by words (delete, repeat, swap,
//! insert, splice), from a fixed seed, for ten seconds or `SYMSNAP_FUZZ_SECONDS`. `SYMSNAP_FUZZ_SEED` gives another
//! sequence. Coverage-guided fuzzing of the same targets lives in `fuzz/` of the repository.

#![allow(clippy::print_stdout)] // it says how much it has tried

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use symsnap::internals::parse::{Dialect, Lexer, Reader, TokenKind, Tree};
use symsnap::internals::random::Random;
use symsnap::internals::task::Program;
use symsnap::{Bias, Task, Terms, Text};

/// Words that matter to one of the languages.
const WORDS: [&str; 56] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "|",
    ".",
    ". ",
    ".\n",
    ":-",
    ":- ",
    "-->",
    "\\+",
    "->",
    ";",
    "!",
    "'",
    "\"",
    "`",
    "\\",
    "%",
    "/*",
    "*/",
    "%*",
    "*%",
    "0'",
    "0x",
    "1.0e",
    "1e9",
    "_",
    "X",
    "Abc",
    "-",
    "- ",
    "#count",
    "#",
    "not ",
    "9223372036854775808",
    "-9223372036854775808",
    "\u{feff}",
    "\u{0}",
    "é",
    "日本",
    "\r\n",
    "\t",
    "dynamic ",
    "table ",
    ":- op(700,xfx,is).",
    "pos(",
    "neg(",
    "head_pred(",
    "body_pred(",
    "bad_body(",
    "end_of_file.",
];
/// Inputs are cut to this number of bytes.
const LARGEST: usize = 20_000;
/// An input may take this long, all parsers together. Parsing takes milliseconds; a bias that counts up without end is
/// evaluated to its step limit, which is most of a second without optimisation.
const LONGEST: Duration = Duration::from_secs(5);

fn seeds() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("../../examples"), root.join("tests/bad_inputs"), root.join("tests/data")];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "pl" || end == "txt") {
                files.push(path);
            }
        }
    }
    files.sort();
    let texts = files.iter().filter_map(|path| std::fs::read(path).ok());
    texts.map(|bytes| cut(String::from_utf8_lossy(&bytes).into_owned())).collect()
}

fn cut(mut text: String) -> String {
    let mut end = text.len().min(LARGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

/// A place between two characters.
fn boundary(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A short stretch of the text: between random places, or exactly a word.
fn stretch(text: &str, random: &mut Random) -> (usize, usize) {
    let start = boundary(text, random);
    if random.below(2) == 0 {
        let source = Text::new("word", &text[start..]);
        if let Ok(token) = Lexer::new(&source, Dialect::Prolog).next_token() {
            return (start + token.span.start as usize, start + token.span.end as usize);
        }
    }
    let mut end = (start + 1 + random.below(40)).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    (start, end)
}

fn mutate(text: &mut String, others: &[String], random: &mut Random) {
    let (start, end) = stretch(text, random);
    match random.below(8) {
        0 => text.replace_range(start..end, ""),
        1 => text.insert_str(start, WORDS[random.below(WORDS.len())]),
        2 => text.replace_range(start..end, WORDS[random.below(WORDS.len())]),
        3 => {
            let piece = text[start..end].repeat(1 + random.below(50));
            text.insert_str(start, &piece);
        }
        4 => {
            let piece = text[start..end].to_owned();
            let at = boundary(text, random);
            text.insert_str(at, &piece);
        }
        5 => {
            let other = &others[random.below(others.len())];
            let (from, to) = stretch(other, random);
            text.replace_range(start..end, &other[from..to]);
        }
        6 => text.truncate(start),
        _ => {
            let piece = WORDS[random.below(WORDS.len())].repeat(1 + random.below(300));
            text.insert_str(start, &piece);
        }
    }
    *text = cut(std::mem::take(text));
}

/// Read `text` with everything that reads text.
fn read_everything(text: &str) {
    let source = Text::new("fuzz", text);
    for dialect in [Dialect::Prolog, Dialect::AnswerSet] {
        let mut lexer = Lexer::new(&source, dialect);
        let mut calls = 0;
        while !matches!(lexer.next_token(), Ok(token) if token.kind == TokenKind::Eof) {
            calls += 1;
            assert!(calls <= text.len() + 1, "the lexer moves forward with every call");
        }
    }
    let mut reader = Reader::new(&source);
    let mut tree = Tree::default();
    let mut clauses = 0;
    while let Some(read) = reader.read(&mut tree) {
        assert!(read.is_err() || !tree.is_empty());
        clauses += 1;
        assert!(clauses <= text.len() + 1, "the reader moves forward with every call");
    }
    let _ = Program::read(&source, &mut Terms::default()).map_err(|error| error.to_string());
    let _ = Bias::read(&source, &mut Terms::default()).map_err(|error| error.to_string());
    let bias = "head_pred(f,1). body_pred(p,1).";
    if let Ok(mut task) = Task::from_texts("p(a).", "pos(f(a)).", bias) {
        let _ = task.read_rules(&source).map_err(|error| error.to_string());
    }
    let _ = Task::from_texts("p(a).", text, bias).map_err(|error| error.to_string());
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[test]
fn no_mutated_input_panics_or_takes_long() {
    let seeds = seeds();
    assert!(seeds.len() > 50, "the repository has inputs to start from");
    let mut random = Random::new(number("SYMSNAP_FUZZ_SEED", 1));
    let end = Instant::now() + Duration::from_secs(number("SYMSNAP_FUZZ_SECONDS", 10));
    let mut tried = 0u64;
    while Instant::now() < end {
        let mut text = seeds[random.below(seeds.len())].clone();
        for _ in 0..1 + random.below(6) {
            mutate(&mut text, &seeds, &mut random);
        }
        let mut quickest = Duration::MAX;
        let mut outcome = Ok(());
        // A busy machine makes anything slow once, but hardly three times in a row.
        for _ in 0..3 {
            let started = Instant::now();
            outcome = catch_unwind(AssertUnwindSafe(|| read_everything(&text)));
            quickest = quickest.min(started.elapsed());
            if outcome.is_err() || quickest < LONGEST {
                break;
            }
        }
        let slow = quickest >= LONGEST;
        if outcome.is_err() || slow {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz_failure.txt");
            std::fs::write(&path, &text).expect("the target folder is writable");
            let what = if slow { "takes too long" } else { "panics" };
            panic!(
                "input {tried} {what}; it is in {}:\n{}",
                path.display(),
                text.chars().take(2000).collect::<String>()
            );
        }
        tried += 1;
    }
    println!("{tried} inputs tried");
}
