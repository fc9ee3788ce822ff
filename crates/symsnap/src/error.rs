//! What can go wrong, as values: one error enum for the whole library, built from [`Diagnostic`]s that know where in
//! which file they belong and what the reader can do about it.
//!
//! Nothing in the library prints or exits; a front end shows an [`Error`] through its `Display`, which is meant for
//! people (file, line, column, the line itself with a caret, and help).

mod nearest;

pub use nearest::nearest;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// How many errors one run reports before it gives up on a file.
pub const MAX_ERRORS: usize = 20;

/// A place in an input text. Lines and columns count from 1; columns count characters, not bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The file as the user named it, or a description such as `<program>` for text that came from code.
    pub file: Arc<str>,
    /// Line, from 1; 0 where a place is none of the lines but the whole file, or what is before its first row.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Location {
    /// A place, counted from 1. What is too large to be kept becomes the largest number that can be, so that a message
    /// about the end of an enormous file still appears.
    pub(crate) fn new(file: impl Into<Arc<str>>, line: usize, column: usize) -> Self {
        let kept = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Location { file: file.into(), line: kept(line), column: kept(column) }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.file),
            _ => write!(f, "{}:{}:{}", self.file, self.line, self.column),
        }
    }
}

/// Whether a [`Diagnostic`] stops the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but the user should know.
    Warning,
}

/// The source line a diagnostic points into, kept so that the message can show it after the text is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The line, cut to a readable window around the column.
    pub line: String,
    /// Where in `line` the caret goes, in characters from 0.
    pub caret: usize,
    /// How many characters the caret underlines; at least 1.
    pub width: usize,
}

/// One finding about an input, with its place and the way out. Its `Display` is meant for people: place, message, the line with
/// a caret, and help.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// One sentence without a full stop.
    pub message: String,
    /// Where, if it has a place.
    pub location: Option<Location>,
    /// The line with the caret, if there is one to show.
    #[doc(hidden)]
    pub excerpt: Option<Excerpt>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without a place yet.
    #[doc(hidden)]
    pub fn error(message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Error, message: message.into(), location: None, excerpt: None, help: None }
    }

    /// A warning without a place yet.
    #[doc(hidden)]
    pub fn warning(message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(message) }
    }

    /// The same finding at `location`.
    #[must_use]
    #[doc(hidden)]
    pub fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }

    /// The same finding with the line it points into.
    #[must_use]
    pub(crate) fn with_excerpt(mut self, excerpt: Excerpt) -> Self {
        self.excerpt = Some(excerpt);
        self
    }

    /// The same finding with advice.
    #[must_use]
    #[doc(hidden)]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        match &self.location {
            Some(location) => write!(f, "{location}: {word}: {}", self.message)?,
            None => write!(f, "{word}: {}", self.message)?,
        }
        if let (Some(location), Some(excerpt)) = (&self.location, &self.excerpt) {
            let gutter = location.line.to_string();
            let pad = " ".repeat(gutter.len());
            let lead = " ".repeat(excerpt.caret);
            let carets = "^".repeat(excerpt.width.max(1));
            write!(f, "\n {gutter} | {}\n {pad} | {lead}{carets}", excerpt.line)?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

/// Everything that can go wrong in the library. Nearly always the input is wrong, and the error is a list of findings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("error: cannot {action} {}: {source}", path.display())]
    Io {
        /// `read`, `write`, ...
        action: &'static str,
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The input is wrong; up to [`MAX_ERRORS`] findings, in the order of the text.
    #[error("{}", show_all(.0))]
    Input(Vec<Diagnostic>),
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Error::Input(vec![diagnostic])
    }
}

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

fn show_all(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> = diagnostics.iter().map(Diagnostic::to_string).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_shows_place_line_caret_and_help() {
        let finding = Diagnostic::error("unexpected `)`")
            .at(Location { file: "bk.pl".into(), line: 12, column: 7 })
            .with_excerpt(Excerpt { line: "foo(a,)).".into(), caret: 6, width: 1 })
            .with_help("remove it");
        assert_eq!(
            finding.to_string(),
            "bk.pl:12:7: error: unexpected `)`\n 12 | foo(a,)).\n    |       ^\n  help: remove it"
        );
    }
}
