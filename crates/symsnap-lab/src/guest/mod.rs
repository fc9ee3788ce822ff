//! Learners that are other programs: a command of the shell that writes hypotheses as it finds them.
//!
//! [`listen`] runs it once and hears it; a [`Guest`] is the command as a learner, which methods and experiments run again on
//! other examples. A guest is no risk: what it says is read as far as it can be, what is skipped is counted ([`SkipTally`]), and
//! it ends when whoever started it does, however that ends.

mod learner;
mod process;
mod tally;

pub use learner::{Guest, GuestRun, TaskFiles};
pub use process::{Said, complaint, listen};
pub use tally::SkipTally;
