//! Hypotheses that another learner found, from the text it wrote, as it comes.
//!
//! A learner from outside is a guest: its text may be cut off, foreign or nonsense, and nothing of that ends a run. What
//! cannot be read or tested is [`Skipped`], with the reason. Only rules are taken from the text, and times. Figures in it
//! are ignored, because a [`SnapshotPool`](crate::snapshot::SnapshotPool) is about what hypotheses do with the examples,
//! and that is for us to find out ([`Scorer`]).
//!
//! Each format has a file ([`FORMATS`]); a [`Transcript`] puts bytes together to lines and gives them to the reader of the
//! format that was named or recognised.

mod aleph;
mod amie;
mod anyburl;
mod dump;
mod flatten;
mod formats;
mod given;
mod ilasp;
mod jsonl;
mod metagol;
mod plain;
mod popper;
mod reader;
mod score;
#[cfg(test)]
mod tests;
mod transcript;

pub use formats::{FORMATS, Format, format_named};
pub use given::{OutsideHypothesis, evaluate};
pub use reader::{Reported, Skipped};
pub use score::{Scored, Scorer};
pub use transcript::Transcript;
