//! Binary files with typed columns: Parquet, and the file and stream formats of Arrow (Feather is the first of these).
//!
//! They are read if the crate was built with the feature `columnar`; without it, the message says how to get it. The crates that
//! read them are those of Apache Arrow. What a file says about itself is not believed: bytes that they give up on, with an error or
//! with a panic, become one message that names the file.

#[cfg(feature = "columnar")]
mod arrow_ipc;
#[cfg(feature = "columnar")]
mod parquet;
#[cfg(feature = "columnar")]
mod reading;

#[cfg(feature = "columnar")]
pub use reading::is_decoding;
#[cfg(feature = "columnar")]
use reading::read as parse;

use crate::table::{ReadOptions, Table};
use std::path::Path;
use symsnap::{Diagnostic, Result};

/// What a file is, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Parquet,
    Arrow,
    ArrowStream,
}

/// How the names of such files end.
const EXTENSIONS: [(&str, &str); 7] = [
    ("parquet", "a Parquet file"),
    ("pq", "a Parquet file"),
    ("parq", "a Parquet file"),
    ("arrow", "an Arrow file"),
    ("arrows", "an Arrow file"),
    ("ipc", "an Arrow file"),
    ("feather", "an Arrow file"),
];

/// What a file is by its name, in words, if it is one of these.
pub(crate) fn by_name(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?;
    EXTENSIONS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known)).map(|(_, what)| *what)
}

/// What bytes are.
pub(crate) fn by_content(bytes: &[u8]) -> Option<Format> {
    // Titles of a CSV file could begin with these letters, but not go on with such bytes.
    const MAGIC: [(&[u8], Format); 3] =
        [(b"PAR1\x15", Format::Parquet), (b"ARROW1\0\0", Format::Arrow), (b"\xff\xff\xff\xff", Format::ArrowStream)];
    MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, format)| *format)
}

/// The table in a file whose name says that it is one of these.
pub(crate) fn read(path: &Path, what: &str, options: &ReadOptions, progress: &mut dyn FnMut(f64)) -> Result<Table> {
    let bytes = symsnap::internals::file::read(path)?;
    let file = path.display().to_string();
    let Some(format) = by_content(&bytes) else {
        let problem = if bytes.is_empty() {
            format!("{file} is empty")
        } else if bytes.starts_with(b"FEA1") {
            format!("{file} is a Feather file of version 1, which is no Arrow file")
        } else if bytes.starts_with(b"PARE") {
            format!("{file} is an encrypted Parquet file")
        } else {
            format!("{file} is not {what}: it begins like none")
        };
        let finding = Diagnostic::error(problem);
        return Err(finding.with_help("write it again with the program that it is from, or as CSV").into());
    };
    parse(format, &file, bytes, options, progress)
}

/// That there is no support.
#[cfg(not(feature = "columnar"))]
fn parse(format: Format, file: &str, _: Vec<u8>, _: &ReadOptions, _: &mut dyn FnMut(f64)) -> Result<Table> {
    let what = match format {
        Format::Parquet => "a Parquet file",
        Format::Arrow | Format::ArrowStream => "an Arrow file",
    };
    let finding = Diagnostic::error(format!("{file} is {what}, and this symsnap was built without support for these"));
    let how = "`cargo install --path crates/symsnap-cli --features columnar` builds it with support; CSV needs none";
    Err(finding.with_help(how).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_names_and_their_first_bytes() {
        assert_eq!(by_name(Path::new("a/b.PARQUET")), Some("a Parquet file"));
        assert_eq!(by_name(Path::new("b.feather")), Some("an Arrow file"));
        assert_eq!([by_name(Path::new("b.csv")), by_name(Path::new("parquet"))], [None, None]);
        assert_eq!(by_content(b"PAR1\x15\x04"), Some(Format::Parquet));
        assert_eq!(by_content(b"ARROW1\0\0\xff"), Some(Format::Arrow));
        assert_eq!(by_content(b"PAR1,y\n"), None);
    }

    #[test]
    #[cfg(not(feature = "columnar"))]
    fn without_support_it_is_said_how_to_get_it() {
        for (bytes, what) in [(&b"PAR1\x15\x04"[..], "a Parquet file"), (b"ARROW1\0\0", "an Arrow file")] {
            let format = by_content(bytes).unwrap();
            let options = ReadOptions::default();
            let error = parse(format, "t.x", bytes.to_vec(), &options, &mut |_| {}).unwrap_err().to_string();
            let expected = format!(
                "error: t.x is {what}, and this symsnap was built without support for these\n  help: `cargo install \
                 --path crates/symsnap-cli --features columnar` builds it with support; CSV needs none"
            );
            assert_eq!(error, expected);
        }
    }
}
