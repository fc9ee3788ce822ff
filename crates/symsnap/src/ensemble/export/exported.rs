//! What an export is given.

use crate::ensemble::{Model, Predictor};
use crate::task::Examples;

/// What is exported.
#[derive(Debug, Clone, Copy)]
pub struct Exported<'e> {
    /// The model.
    pub model: &'e Model,
    /// The model over a background; for an export that [looks at none](super::Export::background) an empty one will do.
    pub predictor: &'e Predictor,
    /// Whether to write the facts of the background, too.
    #[doc(hidden)]
    pub facts: bool,
    /// Examples to write, too.
    #[doc(hidden)]
    pub examples: Option<&'e Examples>,
}
