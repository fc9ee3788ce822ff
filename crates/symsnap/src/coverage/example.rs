//! The arguments of examples by number.

use crate::logic::TermId;
use crate::task::Examples;

/// The arguments of an example, negatives numbered after the positives.
pub(super) fn example(examples: &Examples, at: usize) -> &[TermId] {
    let positives = examples.positives();
    if at < positives { examples.positive(at) } else { examples.negative(at - positives) }
}
