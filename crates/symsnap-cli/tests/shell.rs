//! What shells and `man` are told: completion scripts and manual pages know every command and option.
#![allow(clippy::unwrap_used)]

#[path = "../../symsnap/tests/skip/mod.rs"]
mod skip;

use std::fs;
use std::path::Path;
use std::process::Command;

const COMMANDS: [&str; 14] = [
    "learn",
    "import",
    "check",
    "test",
    "predict",
    "show",
    "explain",
    "ensemble",
    "generate",
    "experiment",
    "report",
    "export",
    "completions",
    "man",
];

fn symsnap(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_symsnap")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_script_of_every_shell_knows_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = symsnap(&["completions", shell]);
        for command in COMMANDS {
            assert!(script.contains(command), "{shell} does not know {command}");
        }
        assert!(script.contains("max-memory"), "{shell} does not know the options");
    }
}

#[test]
fn bash_completes_commands_options_and_values() {
    if !skip::has("bash") {
        return;
    }
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("symsnap.bash");
    fs::write(&script, symsnap(&["completions", "bash"])).unwrap();
    let completed = |words: &[&str]| {
        let ask = format!(
            "source '{}'; COMP_WORDS=({}); COMP_CWORD={}; _symsnap symsnap '{}' '{}'; echo \"${{COMPREPLY[@]}}\"",
            script.display(),
            words.join(" "),
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2]
        );
        let output = Command::new("bash").args(["--norc", "-c", &ask]).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        said.split_whitespace().map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(completed(&["symsnap", "le"]), ["learn"]);
    assert_eq!(completed(&["symsnap", "learn", "--max-m"]), ["--max-memory"]);
    assert_eq!(completed(&["symsnap", "export", "--to", "pro"]), ["prolog"]);
}

#[test]
fn every_command_has_a_manual_page_with_its_options() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual");
    let _ = fs::remove_dir_all(&folder);
    let said = symsnap(&["man", "-o", folder.to_str().unwrap()]);
    assert!(said.starts_with("19 pages written"), "{said}");
    for command in COMMANDS {
        let page = fs::read_to_string(folder.join(format!("symsnap-{command}.1"))).unwrap();
        assert!(page.contains(&format!(".TH symsnap-{command} 1")), "{page}");
        assert!(command == "experiment" || page.contains("\\-\\-json"), "{command} without --json");
    }
    let page = fs::read_to_string(folder.join("symsnap-learn.1")).unwrap();
    for option in ["cost", "timeout", "max\\-memory", "snapshots", "method"] {
        assert!(page.contains(&format!("\\-\\-{option}")), "--{option}");
    }
    assert!(folder.join("symsnap.1").is_file() && folder.join("symsnap-experiment-run.1").is_file());
}
