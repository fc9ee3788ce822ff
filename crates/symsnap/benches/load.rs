//! How long loading a background file takes, beside SWI-Prolog's `consult/1` of the same file.
//!
//! `cargo bench -p symsnap --bench load [TASK...]`, with the task folders found through `SYMSNAP_DATA`. The best of
//! several runs counts for both, alternating, in elapsed time; SWI-Prolog looks at the clock itself, so that its
//! start-up does not count.

#![allow(clippy::print_stdout)] // a benchmark prints its table

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use symsnap::internals::task::Program;
use symsnap::{Terms, Text};

const RUNS: usize = 7;

fn main() {
    let data = std::env::var_os("SYMSNAP_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let mut names: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    if names.is_empty() {
        names = ["wn18rr/verbgroup", "imdb/imdb3", "mutagenesis/mutagenesis"].map(str::to_owned).to_vec();
    }
    println!("{:28} {:>9} {:>12} {:>12} {:>7}", "task", "KiB", "symsnap ms", "swipl ms", "ratio");
    for name in names {
        let path = data.join("tasks").join(&name).join("bk.pl");
        let Ok(bytes) = std::fs::read(&path) else {
            println!("{name:28} skipped: no {}", path.display());
            continue;
        };
        let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..RUNS {
            ours = ours.min(load(&path));
            theirs = theirs.min(consult(&path).unwrap_or(f64::INFINITY));
        }
        println!("{name:28} {:9} {ours:12.1} {theirs:12.1} {:7.1}", bytes.len() / 1024, theirs / ours);
    }
}

fn load(path: &Path) -> f64 {
    let started = Instant::now();
    let bytes = std::fs::read(path).expect("the file was there before");
    let source = Text::from_bytes("bk.pl", &bytes).expect("task files are UTF-8");
    let mut terms = Terms::default();
    let program = Program::read(&source, &mut terms).expect("task files are right");
    let elapsed = started.elapsed().as_secs_f64() * 1000.0;
    assert!(!program.predicates().is_empty());
    elapsed
}

fn consult(path: &Path) -> Option<f64> {
    let goal = "current_prolog_flag(argv,[F|_]), get_time(A), load_files(F,[silent(true)]), \
                get_time(B), T is (B-A)*1000, write(T), nl";
    let output = Command::new("swipl").args(["-q", "-g", goal, "-t", "halt", "--"]).arg(path).output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().lines().last()?.parse().ok()
}
