//! What is found out about tables on the way: errors up to a limit, warnings, and how cells are quoted in both.

use symsnap::internals::error::nearest;
use symsnap::{Diagnostic, Error, Result, Severity};

/// How many errors are told at once; the rest is most likely the same slip again.
const MOST_ERRORS: usize = 20;
/// Characters of a cell or name that a message shows.
const SHOWN: usize = 40;

/// Collects findings.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Findings {
    pub(crate) fn add(&mut self, finding: Diagnostic) {
        match finding.severity {
            Severity::Error if self.errors.len() < MOST_ERRORS => self.errors.push(finding),
            Severity::Error => {}
            Severity::Warning => self.warnings.push(finding),
        }
    }

    pub(crate) fn extend(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        findings.into_iter().for_each(|finding| self.add(finding));
    }

    /// The warnings, if there is no error.
    pub(crate) fn finish(self) -> Result<Vec<Diagnostic>> {
        if self.errors.is_empty() { Ok(self.warnings) } else { Err(Error::Input(self.errors)) }
    }
}

/// A cell or a name for a message: in back quotes, short, on one line.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push_str("...");
    }
    format!("`{shown}`")
}

/// `1 row`, `2 rows`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Names in a message: quoted, with commas, not too many.
pub(crate) fn list<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    const NAMED: usize = 8;
    let mut names = names.into_iter();
    let mut shown: Vec<String> = names.by_ref().take(NAMED).map(quoted).collect();
    if names.next().is_some() {
        shown.push("...".to_owned());
    }
    shown.join(", ")
}

/// Which known name was meant by one that is not known, or which there are.
pub(crate) fn meant<'k>(name: &str, known: impl Iterator<Item = &'k str> + Clone, there: &str) -> String {
    let same = known.clone().find(|known| known.to_lowercase() == name.to_lowercase());
    match same.or_else(|| nearest(name, known.clone())) {
        Some(meant) => format!("did you mean {}?", quoted(meant)),
        None => format!("{there} {}", list(known)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_on_one_short_line() {
        assert_eq!(quoted("a\nb\0"), "`a\u{fffd}b\u{fffd}`");
        assert_eq!(quoted(&"x".repeat(41)), format!("`{}...`", "x".repeat(40)));
        assert_eq!(list(["a", "b"]), "`a`, `b`");
        assert_eq!(list(["a"; 9]).matches('a').count(), 8);
    }

    #[test]
    fn errors_end_at_twenty_and_hide_warnings() {
        let mut findings = Findings::default();
        findings.extend((0..30).map(|at| Diagnostic::error(format!("{at}"))));
        findings.add(Diagnostic::warning("odd"));
        let Err(Error::Input(errors)) = findings.finish() else { panic!("there are errors") };
        assert_eq!(errors.len(), 20);
    }
}
