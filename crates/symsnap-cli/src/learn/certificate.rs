//! `--certificate FILE`: where one can be had, and writing it.

use super::{Learn, cause};
use crate::output::count;
use std::path::Path;
use symsnap::internals::file::Output;
use symsnap::{Diagnostic, LEARNERS, Outcome, Result, StopReason};

impl Learn {
    /// Say at once where no certificate could be made.
    pub(super) fn refuse_certificate(&self) -> Result<()> {
        let help = match self.certificate {
            Some(_) if self.validation.is_wanted() => "learn without --cv",
            Some(_) if self.learner.name != LEARNERS[0].name => "only the learner `exact` knows a bound",
            _ => return Ok(()),
        };
        Err(Diagnostic::error("--certificate cannot be had here").with_help(help).into())
    }
}

/// Write a certificate. What to say of it, or why there is none.
pub(super) fn write_certificate(
    path: &Path,
    target: Option<Output>,
    outcome: &Outcome,
) -> std::result::Result<String, String> {
    let (Some(target), Some(certificate)) = (target, &outcome.certificate) else {
        return Err(match outcome.stop {
            StopReason::Cancelled | StopReason::Memory | StopReason::Time => {
                format!("no certificate was written: there was none yet ({})", outcome.stop.words())
            }
            _ => "no certificate was written: weights are too large, or cores too many".to_owned(),
        });
    };
    let written = certificate.to_json().and_then(|text| target.write(text.as_bytes()));
    written.map_err(|error| format!("the certificate was not written: {}", cause(&error)))?;
    let (bound, rules) = (certificate.bound(), count(certificate.rules(), "rule"));
    let path = path.display();
    Ok(format!("certificate written to {path}: no hypothesis made of the {rules} found costs less than {bound}\n"))
}
