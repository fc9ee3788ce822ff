//! Files that are written: whole or not at all, and never over something else than a file.
//!
//! Everything that symsnap writes goes through [`Output`]. It is opened before the work whose result it takes, so that
//! a path that cannot be written costs no work; the result goes to a new file beside the old one, which then takes its
//! place. [`Identity`] tells whether two paths lead to one file, so that a command can refuse to write what it reads.

mod identity;
mod output;
mod partials;
#[cfg(test)]
mod tests;

pub use identity::Identity;
pub use output::Output;
pub use partials::Partials;

use crate::error::Result;
use std::path::Path;

/// Write `text` to `path` as [`Output`] does.
///
/// # Errors
/// If the path cannot be written.
pub fn write(path: &Path, text: &str) -> Result<()> {
    Output::open(path, &Partials::default())?.write(text.as_bytes())
}
