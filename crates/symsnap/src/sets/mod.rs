//! Sets of examples, as words of bits: the currency of coverage, mining and covering.
//!
//! A [`Cover`] is a set of examples, positives and negatives in one run of words; [`Sides`] says where each example's bit is,
//! for loops that work on bare words. [`CoverRows`] are many covers one after the other, [`CoverIndex`] finds equal ones.
//! [`Weights`] sums the weights of such sets. A [`Bitset`] is a set of numbers of any kind.
//!
//! This room knows nothing of what examples are or what covers them.

mod bitset;
mod cover;
mod planes;
mod rows;
mod weights;
mod words;

pub use bitset::{Bits, Bitset, ones};
pub use cover::{Cover, Sides};
pub use planes::Masked;
pub use rows::{CoverIndex, CoverRows};
pub use weights::Weights;
pub use words::count;
