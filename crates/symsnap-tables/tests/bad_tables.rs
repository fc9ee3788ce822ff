//! Bad tables, and odd ones: what is said about each, word for word. The cases are in `tests/bad/*.txt`:
//!
//! ```text
//! # a title
//! $ t.csv --target y           what is asked for, as on the command line; `predict SCHEMA FILE...` for new tables
//! --- t.csv                    a file, with \xNN, \r and \t for bytes that an editor would not show
//! a,y
//! ===                          what is said: errors, or warnings and `ok`
//! ```
//!
//! `SYMSNAP_BLESS=1 cargo test -p symsnap-tables --test bad_tables` rewrites what is said; read the difference.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use symsnap::Error;
use symsnap_tables::{Dataset, ExampleOptions, Purpose, Schema, Source, TableRequest, TableTask, read_tables};

struct Case {
    title: String,
    asked: String,
    files: Vec<(String, Vec<u8>)>,
    said: String,
}

/// The bytes that a line of a case stands for.
fn bytes(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        bytes.extend(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        let (byte, length) = match escape.as_bytes()[0] {
            b'x' => (u8::from_str_radix(&escape[1..3], 16).unwrap(), 3),
            b'r' => (b'\r', 1),
            b't' => (b'\t', 1),
            b'\\' => (b'\\', 1),
            other => panic!("no escape: {}", char::from(other)),
        };
        bytes.push(byte);
        rest = &escape[length..];
    }
    bytes.extend(rest.as_bytes());
    bytes
}

fn read_cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for part in text.split("\n# ").filter(|part| !part.trim().is_empty()) {
        let part = part.strip_prefix("# ").unwrap_or(part);
        let (given, said) = part.split_once("\n===\n").unwrap_or_else(|| panic!("no `===`: {part}"));
        let mut case =
            Case { title: String::new(), asked: String::new(), files: Vec::new(), said: said.trim_end().to_owned() };
        for (at, line) in given.lines().enumerate() {
            if at == 0 {
                case.title = line.to_owned();
            } else if let Some(asked) = line.strip_prefix("$ ") {
                case.asked = asked.to_owned();
            } else if let Some(name) = line.strip_prefix("--- ") {
                case.files.push((name.to_owned(), Vec::new()));
            } else {
                let (_, text) = case.files.last_mut().unwrap();
                text.extend(bytes(line));
                text.push(b'\n');
            }
        }
        cases.push(case);
    }
    cases
}

/// What is said about a case whose files are in `folder`.
fn say(case: &Case, folder: &Path) -> String {
    let done = match case.asked.strip_prefix("predict ") {
        Some(words) => predict(words, folder),
        None => learn(&case.asked, folder),
    };
    let said = match done {
        Ok(mut warnings) => {
            warnings.push("ok".to_owned());
            warnings.join("\n")
        }
        Err(error) => error.to_string(),
    };
    said.replace(&format!("{}/", folder.display()), "").replace(&folder.display().to_string(), "FOLDER")
}

fn learn(words: &str, folder: &Path) -> Result<Vec<String>, Error> {
    let mut words = words.split(' ').map(|word| word.replace('~', " "));
    let mut request = TableRequest { first: folder.join(words.next().unwrap()), ..TableRequest::default() };
    let mut options = ExampleOptions::default();
    while let Some(option) = words.next() {
        let mut value = || words.next().unwrap();
        match option.as_str() {
            "--target" => {
                let target = value();
                let file = target.ends_with(".csv");
                request.target = Some(if file { folder.join(target).display().to_string() } else { target });
            }
            "--table" => {
                let table = value();
                let named = table.split_once('=').map(|(name, file)| (format!("{name}="), file));
                let (name, file) = named.unwrap_or((String::new(), &table));
                request.tables.push(format!("{name}{}", folder.join(file).display()));
            }
            "--schema" => request.schema = Some(folder.join(value())),
            "--positive" => request.positive = Some(value()),
            "--weight" => request.weight = Some(value()),
            "--negatives" => options.negatives = value().parse().unwrap(),
            other => panic!("no option: {other}"),
        }
    }
    let data = request.load(&mut |_, _| {})?;
    let rows = data.examples(&options)?;
    let task = TableTask::new(&data).task(&rows, 0)?;
    Ok(task.warnings.iter().map(ToString::to_string).collect())
}

fn predict(words: &str, folder: &Path) -> Result<Vec<String>, Error> {
    let mut words = words.split(' ');
    let schema = Schema::read(&folder.join(words.next().unwrap()))?;
    let source = |word: &str| match word.split_once('=') {
        Some((name, file)) => Source { name: Some(name.to_owned()), path: folder.join(file) },
        None => Source { name: None, path: folder.join(word) },
    };
    let tables = read_tables(&words.map(source).collect::<Vec<_>>(), Some(&schema), &mut |_, _| {})?;
    let data = Dataset::new(schema, tables, Purpose::Predicting)?;
    Ok(data.warnings.iter().map(ToString::to_string).collect())
}

#[test]
fn everything_that_is_wrong_with_tables_is_said_word_for_word() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let bless = std::env::var_os("SYMSNAP_BLESS").is_some();
    let mut files: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut total, mut wrong) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let mut blessed = String::new();
        for (number, case) in read_cases(&text).iter().enumerate() {
            let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad_tables").join(stem).join(number.to_string());
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).unwrap();
            for (name, bytes) in &case.files {
                // A file of nothing is one line in the case.
                let bytes: &[u8] = if bytes == b"(nothing)\n" { b"" } else { bytes };
                fs::write(folder.join(name), bytes).unwrap();
            }
            let said = say(case, &folder);
            total += 1;
            if said != case.said {
                wrong.push(format!("# {}\n{said}\n--- expected\n{}", case.title, case.said));
            }
            let given =
                text.split("\n# ").find(|part| part.trim_start_matches("# ").starts_with(&format!("{}\n", case.title)));
            let (given, _) = given.unwrap().split_once("\n===\n").unwrap();
            blessed += &format!("# {}\n===\n{said}\n\n", given.trim_start_matches("# "));
        }
        if bless {
            fs::write(&file, blessed.trim_end().to_owned() + "\n").unwrap();
        }
    }
    assert!(bless || wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(total >= 60, "{total} cases");
}
