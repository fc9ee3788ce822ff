//! What reading finds: errors up to a limit, and warnings.

use crate::error::{Diagnostic, Error, MAX_ERRORS, Result, Severity};

/// Collects findings.
#[derive(Debug, Default)]
pub(super) struct Findings {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Findings {
    pub fn add(&mut self, finding: Diagnostic) {
        match finding.severity {
            Severity::Error if self.errors.len() < MAX_ERRORS => self.errors.push(finding),
            Severity::Error => {}
            Severity::Warning => self.warnings.push(finding),
        }
    }

    pub fn extend(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        findings.into_iter().for_each(|finding| self.add(finding));
    }

    /// Whether there is no error.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Whether reading on would be pointless.
    pub fn is_full(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    /// The warnings, if there is no error.
    pub fn finish(self) -> Result<Vec<Diagnostic>> {
        if self.errors.is_empty() { Ok(self.warnings) } else { Err(Error::Input(self.errors)) }
    }
}
