//! What a terminal shows while `symsnap learn` runs: one line that says how it stands, at any width, and nothing of it
//! when it is done. Standard error goes to a pseudo-terminal, and an emulator says what is on its screen.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use nix::pty::{Winsize, openpty};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

const ROWS: u16 = 24;

/// Everything on the screen after each piece of output, in the order of writing, for a run of about a second.
fn screens(columns: u16) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("terminal-{columns}"));
    let _ = std::fs::remove_dir_all(&folder);
    let symsnap = || Command::new(env!("CARGO_BIN_EXE_symsnap"));
    let made = symsnap().args(["generate", "grid-recolour", "--noise", "0.15", "-o"]).arg(&folder).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let size = Winsize { ws_row: ROWS, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = openpty(&size, None).unwrap();
    let mut child = symsnap()
        .arg("learn")
        .arg(&folder)
        .args(["--cost", "mdl", "--timeout", "2", "--threads", "1"])
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(pty.slave)
        .spawn()
        .unwrap();
    let mut screens = Vec::new();
    let mut terminal = vt100::Parser::new(ROWS, columns, 0);
    let (mut output, mut bytes) = (File::from(pty.master), [0; 4096]);
    // On Linux the end of the other side is an error.
    while let Ok(read @ 1..) = output.read(&mut bytes) {
        terminal.process(&bytes[..read]);
        screens.push(terminal.screen().contents());
    }
    assert!(child.wait().unwrap().success());
    screens
}

/// Words of the line that hypotheses, which scroll by above it, do not have.
const WORDS: [&str; 6] = ["/2 s", "best ", "bound ", "gap ", " rules (", "pool "];

fn check(columns: u16, least: &[&str]) {
    let screens = screens(columns);
    let of_the_meter = |line: &&str| WORDS.iter().any(|word| line.contains(word));
    let mut updates = 0;
    for screen in &screens {
        let lines: Vec<&str> = screen.lines().filter(of_the_meter).collect();
        assert!(lines.len() <= 1, "a stale row at {columns} columns:\n{screen}");
        let Some(line) = lines.first() else { continue };
        assert_eq!(screen.lines().last(), Some(*line), "the line wraps at {columns} columns:\n{screen}");
        for fact in least {
            assert!(line.contains(fact), "no {fact:?} at {columns} columns: {line}");
        }
        updates += 1;
    }
    assert!(updates >= 5, "{updates} updates at {columns} columns");
    let last = screens.last().unwrap();
    assert!(!last.lines().any(|line| of_the_meter(&line)), "something is left at the end:\n{last}");
}

#[test]
fn forty_columns_show_time_cost_and_bound_in_one_line() {
    check(40, &["/2 s", "best ", "bound "]);
}

#[test]
fn eighty_columns_show_rules_and_their_rate_too() {
    check(80, &["/2 s", "best ", "bound ", "gap ", " rules (", "/s)"]);
}

#[test]
fn two_hundred_columns_show_everything_with_a_bar() {
    check(200, &["[", "] ", "/2 s", "best ", "bound ", "gap ", " rules (", "body ", "pool "]);
}
