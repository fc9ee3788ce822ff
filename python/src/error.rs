//! Errors of the library as the one exception of the package, `symsnap.SymsnapError`, which is written in Python.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use symsnap::{Diagnostic, Error, Severity};

/// The error as an exception.
pub fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let findings = match error {
        Error::Input(findings) => findings.clone(),
        other => vec![Diagnostic::error(other.to_string().trim_start_matches("error: "))],
    };
    match exception(py, &findings) {
        Ok(exception) => PyErr::from_value(exception),
        Err(failed) => failed,
    }
}

fn exception<'py>(py: Python<'py>, findings: &[Diagnostic]) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("symsnap._errors")?.getattr("SymsnapError")?;
    class.call_method1("_of", (diagnostics(py, findings)?,))
}

/// Findings as tuples: severity, message, file, line, column, help, and the text that people read.
pub fn diagnostics<'py>(py: Python<'py>, findings: &[Diagnostic]) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    let tuple = |finding: &Diagnostic| {
        let severity = if finding.severity == Severity::Warning { "warning" } else { "error" };
        let place = finding.location.as_ref();
        let (file, line, column) =
            (place.map(|place| place.file.to_string()), place.map(|place| place.line), place.map(|place| place.column));
        (severity, &finding.message, file, line, column, finding.help.as_deref(), finding.to_string()).into_pyobject(py)
    };
    findings.iter().map(tuple).collect()
}
