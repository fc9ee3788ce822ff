//! Bad inputs and their exact messages: `bad_inputs/NAME.pl` and what is said about it in `NAME.expected`.
//!
//! The name begins with the kind of the file (`bk_`, `exs_`, `bias_`); the other two files of the task are good. With
//! `SYMSNAP_BLESS=1` the expectations are written instead of compared: read the difference before you commit it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use symsnap::Task;

fn load(name: &str, path: &Path) -> Result<Task, String> {
    let good = |kind: &str| PathBuf::from(format!("tests/bad_inputs/good/{kind}.pl"));
    let pick = |kind: &str| if name.starts_with(&format!("{kind}_")) { path.to_owned() } else { good(kind) };
    Task::from_files(pick("bk"), pick("exs"), pick("bias")).map_err(|error| error.to_string())
}

#[test]
fn every_bad_input_gets_its_exact_message() {
    let bless = std::env::var_os("SYMSNAP_BLESS").is_some();
    let mut names: Vec<String> = fs::read_dir("tests/bad_inputs")
        .expect("tests run in the folder of the crate")
        .filter_map(|entry| entry.expect("readable").file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".pl").map(str::to_owned))
        .collect();
    names.sort();
    assert!(names.len() >= 60, "only {} bad inputs", names.len());
    let mut wrong = Vec::new();
    for name in names {
        let path = PathBuf::from(format!("tests/bad_inputs/{name}.pl"));
        let message = match load(&name, &path) {
            Ok(_) => "no error\n".to_owned(),
            Err(message) => message + "\n",
        };
        let expected = path.with_extension("expected");
        if bless {
            fs::write(&expected, &message).expect("writable");
        } else if fs::read_to_string(&expected).ok().as_ref() != Some(&message) {
            wrong.push(format!("{name}:\n{message}"));
        }
    }
    assert!(wrong.is_empty(), "{} messages differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// A folder of our own for the test `name`, empty.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad_inputs").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the target folder is writable");
    path
}

fn complaint(path: &Path) -> String {
    let error = Task::from_dir(path).expect_err("the task is bad").to_string();
    error.replace(&path.display().to_string(), "DIR")
}

#[test]
fn a_folder_that_is_missing_or_incomplete_is_named() {
    let path = folder("incomplete");
    let help = "\n  help: a task folder holds the files bk.pl, exs.pl and bias.pl";
    assert_eq!(complaint(&path.join("nothing")), format!("error: there is no folder DIR{help}"));
    assert_eq!(complaint(&path), format!("error: DIR has no bk.pl, no exs.pl, no bias.pl{help}"));
    fs::write(path.join("bk.pl"), "").unwrap();
    fs::write(path.join("bias.pl"), "").unwrap();
    assert_eq!(complaint(&path), format!("error: DIR has no exs.pl{help}"));
    assert_eq!(complaint(&path.join("bk.pl")), format!("error: DIR is not a folder{help}"));
    fs::create_dir(path.join("exs.pl")).unwrap();
    assert_eq!(complaint(&path), "error: DIR/exs.pl is a folder, not a file");
}

#[test]
fn files_that_are_missing_or_no_files_are_named() {
    let good = "tests/bad_inputs/good/bk.pl";
    let say = |path: &str| Task::from_files(good, path, good).expect_err("the file is bad").to_string();
    assert_eq!(say("no/such.pl"), "error: cannot read no/such.pl: No such file or directory (os error 2)");
    assert_eq!(say("src"), "error: src is a folder, not a file");
    #[cfg(unix)]
    assert_eq!(say("/dev/zero"), "error: /dev/zero is not a regular file");
}

/// The message about a background file, within two seconds: at least once in three runs, for the machine may be busy.
fn about(bk: &str) -> String {
    let mut quickest = Duration::MAX;
    for _ in 0..3 {
        let started = Instant::now();
        let result = Task::from_texts(bk, "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(edge,2).");
        let message = result.map_or_else(|error| error.to_string(), |_| "no error".to_owned());
        quickest = quickest.min(started.elapsed());
        if quickest < Duration::from_secs(2) {
            return message;
        }
    }
    panic!("takes {quickest:?}");
}

#[test]
fn a_line_of_ten_megabytes_gives_a_short_message() {
    let line = format!("p([{}x y]).", "abcdefgh,".repeat(1_200_000));
    let message = about(&line);
    assert!(
        message.starts_with("bk.pl:1:10800006: error: expected `,`, `|` or `]` in the list, found `y`"),
        "{message}"
    );
    assert!(message.len() < 500, "{message}");
    let atom = format!("p('{}').\nq(", "a".repeat(10_000_000));
    assert!(about(&atom).starts_with("bk.pl:2:2: error: the text ends in the middle of the clause"));
    let name = format!("p(a {}).", "a".repeat(10_000_000));
    assert!(about(&name).len() < 500);
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    let deep = "bk.pl:1:20003: error: terms are nested more than 10000 levels deep";
    let message = about(&format!("{}a{}.", "f(".repeat(1_000_000), ")".repeat(1_000_000)));
    assert!(message.starts_with(deep), "{message}");
    for open in ["(", "[", "{", "- ", "\\+", "a,", "a;", "p:-", "1+", "f(a,", "[a|", "\\", "'", "\"", "/*", "0'", "a- "]
    {
        assert!(about(&open.repeat(1_000_000)).contains("error: "), "{open}");
    }
    let wide = format!("p({}).", vec!["a"; 1_000_000].join(","));
    assert!(about(&wide).starts_with("bk.pl:1:1: error: `p` has more than 4096 arguments"));
}

#[test]
fn deep_nesting_in_examples_and_biases_is_an_error_too() {
    let (bk, exs, bias) = ("edge(a,b).", "pos(f(a)).", "head_pred(f,1). body_pred(edge,2).");
    for open in
        ["(", "[", "f(", "- ", "a,", "pos(", ":- p(", ":- not ", "p :- ", "{", "1+", "X=", "#count{", ":-", "\""]
    {
        let text = format!("{bias} {}", open.repeat(300_000));
        assert!(Task::from_texts(bk, exs, &text).is_err(), "bias of {open}");
        let text = format!("{exs} {}", open.repeat(300_000));
        assert!(Task::from_texts(bk, &text, bias).is_err(), "examples of {open}");
    }
}

#[test]
fn a_million_errors_take_no_longer_than_twenty() {
    for piece in
        ["p(a,).\n", "p('\\q').\n", "'\\q", "\\'\n", ")\n", "X(a).\n", ":- x.\n", "\u{0}", ". ", "p(1a)", "\u{201c}\n"]
    {
        let message = about(&piece.repeat(1_000_000));
        assert!(message.matches(": error: ").count() <= 20, "{piece}");
    }
}
