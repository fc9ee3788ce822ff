//! The certificate of what a run found.

use super::certificate::{Certificate, written_down};
use super::run::Run;
use crate::covering::{Problem, certify};
use crate::instance::{Instance, Quotient};
use crate::sets::Cover;

impl Run<'_, '_> {
    /// The certificate of the rules kept, if the run is to make one and can.
    pub(super) fn certificate(
        &mut self,
        on: &Instance<'_>,
        quotient: Option<&Quotient<'_>>,
        limits: &[String],
    ) -> Option<Box<Certificate>> {
        if !self.settings.certificate {
            return None;
        }
        let covers: Vec<Cover> = self
            .rules
            .columns
            .problem()
            .ids()
            .map(|id| {
                let cover = self.rules.cover(id);
                quotient.map_or_else(|| cover.clone(), |quotient| quotient.whole(&cover))
            })
            .collect();
        let columns = self.rules.columns.problem();
        let mut problem = Problem::over(self.settings.cost, on.examples().weights()).ok()?;
        columns.ids().zip(&covers).for_each(|(id, cover)| _ = problem.add(columns.size(id), cover));
        let packing = certify(&problem, &self.known.value, self.limits)?;
        let rules = problem.ids().map(|id| self.rules.rule(id).show(on.terms())).collect();
        let best = self.known.best.as_ref();
        let hypothesis =
            best.map_or_else(Vec::new, |best| best.hypothesis.rules.iter().map(|rule| rule.show(on.terms())).collect());
        let about = (hypothesis, self.known.value.0.clone(), limits.to_vec());
        Some(Box::new(written_down(self.settings.cost, on, (rules, &covers, &problem), packing, about)))
    }
}
