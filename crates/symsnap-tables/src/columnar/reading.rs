//! From the bytes of a file, by way of record batches, to a table.

use super::{Format, arrow_ipc, parquet};
use crate::arrow_columns::ArrowColumns;
use crate::findings::quoted;
use crate::table::{ReadOptions, Table};
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use symsnap::{Diagnostic, Error, Result};

/// Characters that are shown of what a crate says about a broken file.
const SHOWN: usize = 160;
/// What the crate for Parquet says of a codec that it was built without.
const LEFT_OUT: &str = "Disabled feature at compile time: ";

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread decodes a columnar file. The crates that do it panic about some broken ones (21 of more than 10,000 that a test
/// made); these panics become errors, so a program whose panics are told to users keeps silent about them.
pub fn is_decoding() -> bool {
    DECODING.get()
}

/// The table in `bytes`.
pub(super) fn read(
    format: Format,
    file: &str,
    bytes: Vec<u8>,
    options: &ReadOptions,
    progress: &mut dyn FnMut(f64),
) -> Result<Table> {
    let mut filling = Filling { format, file, options, progress, columns: None, rows: 0 };
    DECODING.set(true);
    let read = catch_unwind(AssertUnwindSafe(|| match format {
        Format::Parquet => parquet::read(bytes, &mut filling),
        Format::Arrow => arrow_ipc::read_file(bytes, &mut filling),
        Format::ArrowStream => arrow_ipc::read_stream(bytes, &mut filling),
    }));
    DECODING.set(false);
    read.unwrap_or_else(|_| Err(filling.broken("it says of itself what cannot be")))?;
    let columns = filling.columns.map(ArrowColumns::finish).unwrap_or_default();
    if columns.is_empty() {
        return Err(Diagnostic::error(format!("{file} has no columns")).into());
    }
    Table::from_file(file, columns)
}

/// A table whose rows come batch by batch.
pub(super) struct Filling<'f> {
    format: Format,
    file: &'f str,
    options: &'f ReadOptions,
    progress: &'f mut dyn FnMut(f64),
    columns: Option<ArrowColumns>,
    rows: u64,
}

impl Filling<'_> {
    /// Make columns for the fields; the places of those that are to be read.
    pub(super) fn begin(&mut self, schema: &Schema) -> Result<Vec<usize>> {
        let wanted = self.options.columns.as_deref();
        let needed = |title: &str| wanted.is_none_or(|wanted| wanted.iter().any(|known| known == title));
        let missing = self.options.missing.as_deref().unwrap_or_default();
        let columns = ArrowColumns::needed(schema, missing, needed).map_err(|error| self.placed(error))?;
        let places = columns.places();
        self.columns = Some(columns.projected());
        Ok(places)
    }

    /// Add rows, of which the file has `total`, as far as that is known.
    pub(super) fn add(&mut self, batch: &RecordBatch, total: Option<u64>) -> Result<()> {
        self.rows += batch.num_rows() as u64;
        if self.rows > u64::from(u32::MAX) {
            return Err(self.too_long());
        }
        let columns = self.columns.as_mut().expect("columns are made before they are filled");
        let pushed = columns.push(batch);
        pushed.map_err(|error| self.placed(error))?;
        if let Some(total) = total.filter(|total| *total > 0) {
            (self.progress)((self.rows as f64 / total as f64).min(1.0));
        }
        Ok(())
    }

    pub(super) fn too_long(&self) -> Error {
        Diagnostic::error(format!("{} has more than 2^32 rows", self.file)).into()
    }

    /// What is said about bytes that are not what they should be.
    pub(super) fn broken(&self, why: impl std::fmt::Display) -> Error {
        let why = why.to_string();
        if let Some((_, codec)) = why.split_once(LEFT_OUT) {
            let codec = quoted(codec.split_whitespace().next().unwrap_or_default());
            let finding = Diagnostic::error(format!("{} is compressed with {codec}, which is not read", self.file));
            return finding.with_help("write it with Snappy, gzip, Zstandard or LZ4").into();
        }
        let why: String = why.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
        let what = if self.format == Format::Parquet { "Parquet" } else { "Arrow" };
        let finding = Diagnostic::error(format!("{} cannot be read as {what}: {}", self.file, why.trim_end()));
        finding.with_help("it may be damaged or cut off; write it again").into()
    }

    /// What is wrong with a column, with the name of the file.
    fn placed(&self, error: Error) -> Error {
        let Error::Input(mut findings) = error else { return error };
        for finding in &mut findings {
            match &mut finding.location {
                Some(place) => place.file = Arc::from(self.file),
                None => finding.message = format!("{}: {}", self.file, finding.message),
            }
        }
        Error::Input(findings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codecs_that_are_not_read_are_named() {
        let options = ReadOptions::default();
        let mut ignore = |_| {};
        let (format, file) = (Format::Parquet, "t.parquet");
        let filling = Filling { format, file, options: &options, progress: &mut ignore, columns: None, rows: 0 };
        // As pyarrow's files with Brotli make it say.
        let why = "Parquet argument error: Parquet error: Disabled feature at compile time: brotli";
        assert_eq!(
            filling.broken(why).to_string(),
            "error: t.parquet is compressed with `brotli`, which is not read\n  help: write it with Snappy, gzip, Zstandard \
             or LZ4"
        );
        let said = filling.broken(format!("a\nb{}", "c".repeat(1000))).to_string();
        assert!(said.starts_with("error: t.parquet cannot be read as Parquet: a bccc") && said.len() < 300, "{said}");
    }
}
