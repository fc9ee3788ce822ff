//! Which task a model was learned from: a hash of each of its three files.
//!
//! For noticing that a file has changed since, not for security; so FNV-1a, which is six lines and the same on every
//! machine, rather than a cryptographic hash and a dependency. The files are hashed one by one, so that a warning can
//! name the one that differs.

use crate::error::Result;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Hashes of a task's files, each as 16 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The background file.
    pub bk: String,
    /// The examples file.
    pub exs: String,
    /// The bias file.
    pub bias: String,
}

impl Fingerprint {
    /// The fingerprint of three texts.
    pub fn of_texts(bk: &[u8], exs: &[u8], bias: &[u8]) -> Self {
        Fingerprint { bk: Fingerprint::hash(bk), exs: Fingerprint::hash(exs), bias: Fingerprint::hash(bias) }
    }

    /// The fingerprint of a task folder.
    ///
    /// # Errors
    /// If one of the three files cannot be read.
    pub fn of_dir(folder: &Path) -> Result<Self> {
        let hash = |name: &str| crate::file::read(folder.join(name)).map(|bytes| Fingerprint::hash(&bytes));
        Ok(Fingerprint { bk: hash("bk.pl")?, exs: hash("exs.pl")?, bias: hash("bias.pl")? })
    }

    /// The hash of one file: 64-bit FNV-1a.
    pub fn hash(bytes: &[u8]) -> String {
        let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_published_ones_of_fnv_1a() {
        assert_eq!(Fingerprint::hash(b""), "cbf29ce484222325");
        assert_eq!(Fingerprint::hash(b"a"), "af63dc4c8601ec8c");
        assert_eq!(Fingerprint::hash(b"foobar"), "85944171f73967e8");
    }
}
