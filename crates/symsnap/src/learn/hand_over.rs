//! At the end of a run: rules that ensembles can make further hypotheses of, with what they cover.

use super::candidate::KeptRule;
use super::run::Run;
use crate::covering::diverse;
use crate::instance::Quotient;
use crate::task::Examples;
use std::sync::Arc;

/// Variants of a rule of which the first are handed over with it, and how many of them are.
const TWINS: usize = 16;
const TWINS_HANDED: usize = 3;

impl Run<'_, '_> {
    /// Hand over rules that the observer may want, with their twins. Which of `examples` they cover goes with them where it
    /// is known: a cover of examples that stand for several (`quotient`) is mapped back, and where predicates are called, or
    /// something was not evaluated to its end, testing the rules is left to whoever uses them.
    pub(super) fn hand_over(&mut self, examples: &Examples, quotient: Option<&Quotient<'_>>) {
        let cap = self.settings.keep;
        if cap == 0 || self.rules.columns.is_empty() {
            return;
        }
        let exact = self.rules.written.is_none() && !self.tainted();
        let mut handed: Vec<KeptRule> = Vec::new();
        for id in diverse(self.rules.columns.problem(), cap) {
            if handed.len() >= cap {
                break;
            }
            let cover = exact.then(|| {
                let cover = self.rules.cover(id);
                Arc::new(match quotient {
                    Some(quotient) => quotient.whole(&cover),
                    None => cover,
                })
            });
            let rule = self.rules.rule(id);
            let twins = self.rules.variants(id, TWINS).into_iter().skip(1).take(TWINS_HANDED);
            handed.extend(std::iter::once(rule).chain(twins).map(|rule| KeptRule { rule, cover: cover.clone() }));
        }
        self.audience.keep(&handed, examples);
    }
}
