//! Files that are read, if they are files, and files that are written: whole or not at all, and never over something else
//! than a file.
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

use crate::error::{Diagnostic, Error, Result};
use std::path::Path;

/// Write `text` to `path` as [`Output`] does.
///
/// # Errors
/// If the path cannot be written.
pub fn write(path: &Path, text: &str) -> Result<()> {
    Output::open(path, &Partials::default())?.write(text.as_bytes())
}

/// The bytes of a regular file. Devices and pipes are refused: they may have no end.
///
/// # Errors
/// If it does not exist, is no regular file, or cannot be read.
pub fn read(path: impl AsRef<Path>) -> Result<Vec<u8>> {
    let path = path.as_ref();
    let failed = |source| Error::Io { action: "read", path: path.to_owned(), source };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(Diagnostic::error(format!("{} is a folder, not a file", path.display())).into());
    }
    if !metadata.is_file() {
        return Err(Diagnostic::error(format!("{} is not a regular file", path.display())).into());
    }
    if metadata.len() >= u64::from(u32::MAX) {
        return Err(Diagnostic::error(format!("{} is larger than 4 GiB", path.display())).into());
    }
    std::fs::read(path).map_err(failed)
}
