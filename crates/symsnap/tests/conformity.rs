//! The evaluator on the goals of public conformance suites, which `scripts/conformity` prepares and compares: for each
//! unit `NAME` of the folder `SYMSNAP_CONFORMITY` (`NAME.pl` with clauses, `NAME.cases` with a case a line) the verdicts
//! go to `NAME.ours`. The suites are not part of this repository; without the folder nothing is run.

mod skip;

use std::path::{Path, PathBuf};
use symsnap::internals::logic::Term;
use symsnap::internals::prolog::{Engine, Fault, Limits};
use symsnap::internals::task::Program;
use symsnap::{Pred, Terms, Text};

const VERDICT: &str = include_str!("../../../scripts/conforming/verdict.pl");

#[test]
fn the_goals_of_public_suites_get_a_verdict() {
    let Some(folder) = std::env::var_os("SYMSNAP_CONFORMITY").map(PathBuf::from) else {
        return skip::skip("public conformance suites: run scripts/conformity, which sets SYMSNAP_CONFORMITY");
    };
    let entries =
        std::fs::read_dir(&folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path());
    let mut units: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "cases")).collect();
    units.sort();
    assert!(!units.is_empty(), "no cases in {}", folder.display());
    for unit in units {
        let verdicts = verdicts(&unit);
        std::fs::write(unit.with_extension("ours"), verdicts).expect("the folder is writable");
    }
}

/// A line for each case: its number, its name, and `pass`, how it ended instead, or why it was not run.
fn verdicts(unit: &Path) -> String {
    let read = |path: &Path| std::fs::read_to_string(path).expect("a unit has two files");
    let (clauses, cases) = (read(&unit.with_extension("pl")), read(unit));
    let mut told = String::new();
    for case in cases.lines() {
        let (number, name) = number_and_name(case);
        let text = format!("{VERDICT}\n{}\n{case}\n", readable(&clauses));
        told.push_str(&format!("{number}\t{name}\t{}\n", verdict(&text)));
    }
    told
}

/// The clauses that can be read; a case that needs another says that it is missing.
fn readable(clauses: &str) -> String {
    let reads = |clause: &&str| Program::read(&Text::new("clause", clause), &mut Terms::default()).is_ok();
    clauses.lines().filter(reads).map(|clause| format!("{clause}\n")).collect()
}

fn number_and_name(case: &str) -> (&str, &str) {
    let inside = case.strip_prefix(":-(case(").expect("a case is a clause");
    let (number, rest) = inside.split_once(',').expect("a case has a number");
    (number, rest.split_once(',').expect("a case has a name").0)
}

fn verdict(text: &str) -> String {
    let mut terms = Terms::default();
    let program = match Program::read(&Text::new("case", text), &mut terms) {
        Ok(program) => program,
        Err(error) => return format!("unread: {}", error.to_string().lines().next().unwrap_or_default()),
    };
    let mut engine = Engine::new(terms, &program, Limits { steps: 3_000_000, ..Limits::default() });
    let case = Pred::new(engine.terms_mut().intern("case"), 3);
    match engine.first(case, &[None, None, None]) {
        Ok(Some(values)) => match values[2] {
            Some(value) => match engine.terms().get(value) {
                Term::Atom(name) => engine.terms().name(name).to_string(),
                _ => engine.terms().show(value),
            },
            None => "other".to_string(),
        },
        Ok(None) => "failed".to_string(),
        Err(Fault::Forbidden { name, .. }) => format!("left out: {name}"),
        Err(Fault::Unsupported { name, .. }) => format!("not supported: {name}"),
        Err(fault @ Fault::Rational { .. }) => format!("not supported: {fault}"),
        Err(fault) if fault.is_limit() => format!("limit: {fault}"),
        Err(fault) => format!("fault: {fault}"),
    }
}
