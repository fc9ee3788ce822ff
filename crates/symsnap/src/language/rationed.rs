//! What bodies of a language use of what the bias rations.

use super::literal::Lit;
use super::predicates::Language;
use super::resources::Resources;
use crate::index::narrow;

impl Language<'_> {
    /// What a body may use.
    pub fn limits(&self) -> Resources {
        self.limits
    }

    /// Whether anything is rationed.
    pub fn is_rationed(&self) -> bool {
        self.limits != Resources::ALL
    }

    /// What a body uses.
    pub fn resources(&self, body: &[Lit]) -> Resources {
        let mut used = Resources::default();
        // A price on numbers is a kind of limit.
        if self.has_cuts() && self.priced || self.limits.numeric < u16::MAX {
            used.numeric = narrow(body.iter().filter(|lit| self.is_numeric(lit)).count());
        }
        if self.limits.constants < u16::MAX {
            let preds = body.iter().filter(|lit| !self.is_numeric(lit)).map(|lit| self.body_pred(lit.pred));
            used.constants = narrow(preds.map(|pred| pred.constants()).sum::<usize>());
        }
        if let Some(once) = self.once {
            used.once = narrow(body.iter().filter(|lit| lit.pred == once).count());
        }
        used
    }
}
