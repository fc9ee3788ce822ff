//! Explanations as plain values, of which Python makes objects.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use symsnap::internals::ensemble::Justification;
use symsnap::{Failure, RuleInstance, Why};

/// Why each member votes as it does about an atom.
pub struct Explained {
    pub atom: String,
    pub label: bool,
    pub probability: f64,
    /// Whether each member votes positive.
    pub votes: Vec<bool>,
    pub why: Vec<Why>,
}

impl<'py> IntoPyObject<'py> for Explained {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let said = PyDict::new(py);
        said.set_item("atom", &self.atom)?;
        said.set_item("label", self.label)?;
        said.set_item("probability", self.probability)?;
        let members: PyResult<Vec<Bound<'py, PyDict>>> =
            self.votes.iter().zip(&self.why).map(|(&vote, why)| member(py, vote, why)).collect();
        said.set_item("members", members?)?;
        Ok(said)
    }
}

fn member<'py>(py: Python<'py>, vote: bool, why: &Why) -> PyResult<Bound<'py, PyDict>> {
    let said = PyDict::new(py);
    said.set_item("vote", vote)?;
    match why {
        Why::Proof(proof) => said.set_item("proof", instance(py, proof)?)?,
        Why::Failure(Failure { reached, failed, error, untried, .. }) => {
            said.set_item("closest", instance(py, reached)?)?;
            said.set_item("fails", failed)?;
            said.set_item("error", error)?;
            said.set_item("untried", untried)?;
        }
        Why::Unknown => {}
    }
    Ok(said)
}

fn instance<'py>(py: Python<'py>, instance: &RuleInstance) -> PyResult<Bound<'py, PyDict>> {
    let said = PyDict::new(py);
    said.set_item("rule", instance.rule)?;
    said.set_item("head", &instance.head)?;
    let mut body = Vec::with_capacity(instance.body.len());
    for step in &instance.body {
        let (by, proof) = match &step.reason {
            Justification::Fact => ("fact", None),
            Justification::Derived => ("background", None),
            Justification::Rule(inner) => ("member", inner.as_deref()),
        };
        let proof = proof.map(|inner| self::instance(py, inner)).transpose()?;
        body.push((step.literal.as_str(), by, proof));
    }
    said.set_item("body", body)?;
    Ok(said)
}
