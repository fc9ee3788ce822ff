//! The command line as users see it: transcripts in `tests/cli/*.txt` hold commands with the exact standard output,
//! standard error and exit code they must give, but for durations and numbers of rules tested, which are written as
//! zero. Commands run in the root of the repository.
//!
//! `SYMSNAP_BLESS=1 cargo test -p symsnap-cli --test cli` rewrites the transcripts from what the binary does now;
//! read the difference before committing it.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text with what differs from run to run, or with every change to the search, written as zero: durations
/// (`0.123 s`) and the number of rules tested.
fn timeless(text: &str) -> String {
    text.split('\n').map(timeless_line).collect::<Vec<_>>().join("\n")
}

fn timeless_line(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for at in 1..words.len() {
        let fraction = words[at - 1].split_once('.').map(|(_, fraction)| fraction.len());
        if let (Some(digits), "s") = (fraction, words[at].trim_end_matches(';'))
            && words[at - 1].parse::<f64>().is_ok()
        {
            words[at - 1] = format!("0.{}", "0".repeat(digits));
        }
        let tested = words.get(at + 1).is_some_and(|word| word == "tested");
        if tested && ["rule", "rules"].contains(&words[at].as_str()) {
            words[at - 1] = "0".to_owned();
            words[at] = "rules".to_owned();
        }
    }
    words.join(" ")
}

/// Run `symsnap` as the line says (words separated by blanks, no quoting) and write down what it does.
fn transcribe(line: &str) -> String {
    let words = line.strip_prefix("$ symsnap").expect("a transcript holds only symsnap commands").split_whitespace();
    let output = Command::new(env!("CARGO_BIN_EXE_symsnap")).args(words).current_dir(root()).output().unwrap();
    let mut text = format!("{line}\n{}", String::from_utf8(output.stdout).unwrap());
    let stderr = String::from_utf8(output.stderr).unwrap();
    if !stderr.is_empty() {
        text.push_str("--- stderr\n");
        text.push_str(&stderr);
    }
    match output.status.code() {
        Some(0) => {}
        code => text.push_str(&format!("--- exit {}\n", code.expect("symsnap is not killed by a signal"))),
    }
    timeless(&text)
}

/// The first line in which two transcripts differ, with the command that it belongs to.
fn first_difference(expected: &str, actual: &str) -> String {
    let (expected, actual): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let same = expected.iter().zip(&actual).take_while(|(left, right)| left == right).count();
    let command = expected[..same].iter().rev().find(|line| line.starts_with("$ ")).unwrap_or(&"");
    let line = |lines: &[&str]| lines.get(same).copied().unwrap_or("the end").to_owned();
    format!("line {} of\n{command}\nexpected: {}\n but got: {}", same + 1, line(&expected), line(&actual))
}

#[test]
fn every_command_of_the_transcripts_gives_exactly_the_output_shown() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let mut transcripts: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    transcripts.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    transcripts.sort();
    assert!(!transcripts.is_empty());
    let mut wrong = Vec::new();
    for path in transcripts {
        let expected = fs::read_to_string(&path).unwrap();
        let commands = expected.lines().filter(|line| line.starts_with("$ "));
        let actual = commands.map(transcribe).collect::<Vec<_>>().join("\n");
        if std::env::var_os("SYMSNAP_BLESS").is_some() {
            fs::write(&path, &actual).unwrap();
        } else if actual != expected {
            wrong.push(format!("{}: {}", path.display(), first_difference(&expected, &actual)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The blocks between fences of the given kind.
fn fenced<'t>(markdown: &'t str, kind: &str) -> Vec<&'t str> {
    let fence = format!("```{kind}\n");
    markdown.split(fence.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_readme_shows_real_output() {
    shows_real_output("README.md");
}

#[test]
fn the_page_on_tables_shows_real_output() {
    shows_real_output("docs/TABLES.md");
}

fn shows_real_output(page: &str) {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let blocks = fenced(&text, "console");
    assert!(!blocks.is_empty());
    // They write models there; builds may be elsewhere.
    fs::create_dir_all(root().join("target")).unwrap();
    for block in blocks {
        let said = transcribe(block.lines().next().unwrap());
        assert_eq!(said, timeless(block), "left: what symsnap prints; right: {page}");
    }
}

/// What README says of experiments, and the words of the record that say so.
const FIGURES: [(&str, &str, &str); 9] = [
    (
        "168 times as fast as Popper 4.4.0",
        "bench/results/LEARN.md",
        "4.4.0, tasks without recursion: to its best cost 168 ",
    ),
    ("67 times as fast as 5.0.0", "bench/results/LEARN.md", "5.0.0, tasks without recursion: to its best cost 66.73 "),
    ("geometric means of 32 and 36 tasks", "bench/results/LEARN.md", "geometric mean of 32, "),
    ("geometric means of 32 and 36 tasks", "bench/results/LEARN.md", "geometric mean of 36, "),
    ("slower or worse on none", "bench/results/LEARN.md", "worse on 0 of 36; slower to the cost on 0."),
    (
        "bench/learn --timeout 8 --recursive skip",
        "bench/results/LEARN.md",
        "`bench/learn --timeout 8 --recursive skip`",
    ),
    ("+0.2 (not significant) under `mdl`", "docs/synthetic/README.md", "| +0.15 ± 0.59 | 0.875 |"),
    ("+5.2 points of test accuracy under `errorsize`", "docs/synthetic/README.md", "| +5.25 ± 2.85 | < 0.001 |"),
    ("+11.2 under `lexfnsize`", "docs/synthetic/README.md", "| +11.15 ± 3.36 | < 0.001 |"),
];

#[test]
fn the_figures_of_the_readme_are_those_of_the_records() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let readme = read("README.md");
    for (said, record, words) in FIGURES {
        assert!(readme.contains(said), "README does not say {said:?} any more: adapt this list");
        assert!(read(record).contains(words), "README says {said:?}, but {record} does not say {words:?}");
    }
    let rows = read("bench/results/learn.csv");
    let rows: Vec<&str> = rows.lines().filter(|row| row.starts_with("4.4.0,")).collect();
    // `optimal` is followed by `lower_bound`, in brackets, and in quotes if it has several levels.
    let proved = rows.iter().filter(|row| row.contains(",True,[") || row.contains(",True,\"[")).count();
    assert!(readme.contains(&format!("{proved} of {} tasks proved optimal", rows.len())), "{proved} of {}", rows.len());
}
