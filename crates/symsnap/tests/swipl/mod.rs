//! SWI-Prolog as a process, for the tests that compare with it. Who uses it has `mod skip`, too.

use crate::skip::skip;
use std::path::Path;
use std::process::{Command, Stdio};

/// What SWI-Prolog prints when it runs `goal` after loading `script`; `None`, with a note, if it is not installed.
pub fn run(test: &str, script: &str, goal: &str, arguments: &[impl AsRef<std::ffi::OsStr>]) -> Option<String> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.pl"));
    let folder = path.with_extension("empty");
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    std::fs::write(&path, script).expect("the target folder is writable");
    let output = Command::new("swipl")
        .args(["-q", "-g", goal, "-t", "halt"])
        .arg(path)
        .arg("--")
        .args(arguments)
        // A goal that is a list loads files; there are none here.
        .current_dir(folder)
        .env("LANG", "C.UTF-8")
        .env("LC_ALL", "C.UTF-8")
        .stderr(Stdio::inherit())
        .output();
    match output {
        Ok(output) => Some(String::from_utf8(output.stdout).expect("it prints UTF-8")),
        Err(_) => {
            skip("swipl is not installed");
            None
        }
    }
}
