//! What is wrong with a bias, collected while it is read.

use super::compile::Finding;
use crate::error::{Diagnostic, Error, MAX_ERRORS, Result};
use crate::parse::Text;

/// How many warnings are kept.
const MAX_WARNINGS: usize = 100;

/// Findings with their places, sorted and turned into diagnostics at the end.
#[derive(Debug, Default)]
pub(super) struct BiasFindings {
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
}

impl BiasFindings {
    pub(super) fn error(&mut self, finding: Finding) {
        self.errors.push(finding);
    }

    pub(super) fn warning(&mut self, finding: Finding) {
        self.warnings.push(finding);
    }

    /// The warnings, or the errors if there are any.
    pub(super) fn settle(mut self, source: &Text<'_>) -> Result<Vec<Diagnostic>> {
        let is_error = !self.errors.is_empty();
        let (found, limit) = if is_error { (&mut self.errors, MAX_ERRORS) } else { (&mut self.warnings, MAX_WARNINGS) };
        found.sort_by_key(|finding| finding.span.start);
        let diagnostics = found.iter().take(limit).map(|finding| {
            let placed = match is_error {
                true => Diagnostic::error(&finding.message),
                false => Diagnostic::warning(&finding.message),
            };
            // A finding about the file as a whole has an empty span.
            let placed = match finding.span.end {
                0 => placed.at(source.location(0)),
                _ => *source.place(placed, finding.span),
            };
            match &finding.help {
                Some(help) => placed.with_help(help),
                None => placed,
            }
        });
        let diagnostics = diagnostics.collect();
        if is_error { Err(Error::Input(diagnostics)) } else { Ok(diagnostics) }
    }
}
