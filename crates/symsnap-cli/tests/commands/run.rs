//! Running the binary in the root of the repository.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `symsnap WORDS`, to be started.
pub fn symsnap<W: AsRef<std::ffi::OsStr>>(words: impl IntoIterator<Item = W>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symsnap"));
    command.args(words).current_dir(root()).stdin(Stdio::null()).env_remove("SYMSNAP_DATA");
    command
}

/// Run `symsnap LINE` to its end; words are separated by blanks.
pub fn run(line: &str) -> Output {
    symsnap(line.split_whitespace()).output().unwrap()
}

/// Standard output and standard error as text, and the exit code.
pub fn said(output: &Output) -> (String, String, i32) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.code().expect("symsnap is not killed by a signal"))
}

/// The JSON on the last line of a text.
pub fn last_json(text: &str) -> Value {
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// An empty folder for the files of one test.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("commands").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A task folder with these files.
pub fn task(name: &str, bk: &str, exs: &str, bias: &str) -> PathBuf {
    let folder = scratch(name);
    for (file, text) in [("bk.pl", bk), ("exs.pl", exs), ("bias.pl", bias)] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    folder
}
