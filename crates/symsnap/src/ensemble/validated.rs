//! The snapshot that is right most often on examples it was not learned from.

use super::held::Held;
use super::{Method, Needs, Purpose, Single, Training, Voter};
use crate::error::Result;

/// The best on held-out examples, alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Validated;

impl Method for Validated {
    fn name(&self) -> &'static str {
        "validated"
    }

    fn summary(&self) -> &'static str {
        "the snapshot that is right most often on held-out examples, alone"
    }

    fn purpose(&self) -> Purpose {
        Purpose::Use
    }

    fn needs(&self) -> Needs {
        Needs::HeldOut
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(*self)
    }

    fn fit(&self, training: &Training<'_>) -> Result<Vec<Voter>> {
        let held = match Held::new(training)? {
            Ok(held) => held,
            Err(_) if training.best().is_none() => return Ok(Vec::new()),
            Err(why) => {
                training.note(format!("{why}: the snapshot that is best on the training examples votes"));
                return Single.fit(training);
            }
        };
        // Of equals the last, which is the best on the examples it was learned from.
        let right = held.confusions().into_iter().map(|confusion| confusion.tp + confusion.tn);
        let best = right.enumerate().max_by_key(|&(at, right)| (right, at));
        Ok(best.map(|(at, _)| held.voter(training, at, 1.0)).into_iter().collect())
    }
}
