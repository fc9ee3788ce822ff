//! A table: a file of delimited text with a line of titles, read into columns.
//!
//! The text is kept beside the columns, so that whatever is found out about a cell later, its line and column can be told;
//! they are counted only when a message needs them.

use crate::cells::{Cell, Cells, Fault, guess_delimiter};
use crate::column::{Column, ColumnBuilder, MISSING_WORDS};
use crate::columnar;
use crate::findings::{count, quoted};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use symsnap::{Diagnostic, Error, Location, Result};

/// Rows between two reports of progress.
const REPORT_EVERY: usize = 1 << 16;

/// How a file is read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// What stands between cells; guessed if not given.
    pub delimiter: Option<u8>,
    /// The texts that stand for a value that is not known. If not given, the usual ones in files of text, and none in others,
    /// which have another way to say so.
    pub missing: Option<Vec<String>>,
    /// The titles of the columns that are needed; all if not given. Others may be left out if they cannot be read.
    pub columns: Option<Vec<String>>,
}

/// A table in memory. Copies share its columns.
#[derive(Debug, Clone)]
pub struct Table {
    pub(crate) name: String,
    pub(crate) file: Arc<str>,
    pub(crate) origin: Origin,
    pub(crate) columns: Arc<Vec<Column>>,
    pub(crate) rows: usize,
}

/// Where the rows of a table came from, for messages.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    /// A text.
    Text { text: Arc<String>, delimiter: u8 },
    /// Columns in memory; the number that each row had there, if the table has them in another order.
    Memory { rows: Option<Arc<[u32]>> },
    /// A file that has no lines.
    #[cfg_attr(not(feature = "columnar"), allow(dead_code))]
    Columnar,
}

impl Table {
    /// Read a file. `progress` is told from time to time which part of it has been read, from 0 to 1.
    ///
    /// # Errors
    /// If it cannot be read, is not UTF-8 or what its name says, or is no table: no titles, titles twice, lines with more or fewer cells than titles.
    pub fn read(path: &Path, options: &ReadOptions, progress: &mut dyn FnMut(f64)) -> Result<Self> {
        if let Some(what) = columnar::by_name(path) {
            return columnar::read(path, what, options, progress);
        }
        let bytes = symsnap::internals::file::read(path)?;
        let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let mut options = options.clone();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tsv")) {
            options.delimiter = options.delimiter.or(Some(b'\t'));
        }
        Table::parse(&name, &path.display().to_string(), bytes, &options, progress)
    }

    /// The table that `bytes` hold; `file` is named in messages.
    ///
    /// # Errors
    /// As [`Table::read`].
    pub fn parse(
        name: &str,
        file: &str,
        bytes: Vec<u8>,
        options: &ReadOptions,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Self> {
        let text = Arc::new(decoded(file, bytes)?);
        let delimiter = options.delimiter.unwrap_or_else(|| guess_delimiter(&text));
        let (columns, rows) = Reading { file, text: &text, delimiter }.columns(options, progress)?;
        let origin = Origin::Text { text, delimiter };
        Ok(Table { name: name.to_owned(), file: file.into(), origin, columns: Arc::new(columns), rows })
    }

    /// What rules and schemas call it: the name of the file without folder and extension.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file as it was named.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The titles of its columns.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// What stands between its cells; commas if it came from no text.
    pub fn delimiter(&self) -> u8 {
        match &self.origin {
            Origin::Text { delimiter, .. } => *delimiter,
            Origin::Memory { .. } | Origin::Columnar => b',',
        }
    }

    /// Whether it was made of columns in memory.
    pub(crate) fn is_in_memory(&self) -> bool {
        matches!(self.origin, Origin::Memory { .. })
    }

    pub(crate) fn renamed(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The same table with another column in this place.
    pub(crate) fn with_column(&self, at: usize, column: Column) -> Table {
        let mut columns = self.columns.to_vec();
        columns[at] = column;
        Table { columns: Arc::new(columns), ..self.clone() }
    }

    pub(crate) fn column(&self, name: &str) -> Option<(usize, &Column)> {
        self.columns.iter().enumerate().find(|(_, column)| column.name == name)
    }

    /// Whether it was read from text, so that cells are separated by something.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.origin, Origin::Text { .. })
    }

    /// Where the cell of a row and a column stands. Rows that are no lines are counted like these, from 1.
    pub(crate) fn place(&self, row: usize, column: usize) -> Location {
        match &self.origin {
            // The titles are a record, too.
            Origin::Text { text, delimiter } => {
                self.cell_place(text, *delimiter, (row + 1) * self.columns.len() + column)
            }
            Origin::Memory { rows } => {
                let row = rows.as_ref().map_or(row, |rows| rows[row] as usize);
                memory_place(&self.file, row + 1, column)
            }
            Origin::Columnar => memory_place(&self.file, row + 1, column),
        }
    }

    /// A row, for messages.
    pub(crate) fn row_words(&self, row: usize) -> String {
        let line = self.place(row, 0).line;
        match self.origin {
            Origin::Text { .. } => format!("line {line}"),
            Origin::Memory { .. } => format!("row {}", line - 1),
            Origin::Columnar => format!("row {line}"),
        }
    }

    /// Where the title of a column stands; before the first row where that is no line.
    pub(crate) fn title_place(&self, column: usize) -> Location {
        match &self.origin {
            Origin::Text { text, delimiter } => self.cell_place(text, *delimiter, column),
            Origin::Memory { .. } | Origin::Columnar => memory_place(&self.file, 0, column),
        }
    }

    /// Where the cell begins that has this number in the text.
    fn cell_place(&self, text: &str, delimiter: u8, number: usize) -> Location {
        let mut cells = Cells::new(text, delimiter);
        let mut at = 0;
        for _ in 0..=number {
            at = cells.next().ok().flatten().map_or(text.len(), |cell| cell.start);
        }
        location(&self.file, text, at)
    }
}

/// A text that is being read.
struct Reading<'t> {
    file: &'t str,
    text: &'t str,
    delimiter: u8,
}

impl Reading<'_> {
    fn columns(&self, options: &ReadOptions, progress: &mut dyn FnMut(f64)) -> Result<(Vec<Column>, usize)> {
        let mut cells = Cells::new(self.text, self.delimiter);
        let titles = self.titles_of(&mut cells)?;
        let width = titles.len();
        let mut columns: Vec<ColumnBuilder> = titles.into_iter().map(ColumnBuilder::new).collect();
        let (mut rows, mut at) = (0usize, 0usize);
        let usual = || MISSING_WORDS.map(str::to_owned).to_vec();
        let missing = options.missing.clone().unwrap_or_else(usual);
        let longest = missing.iter().map(String::len).max().unwrap_or(0);
        while let Some(Cell { text, start, last }) = cells.next().map_err(|fault| self.broken(&fault))? {
            if let Some(column) = columns.get_mut(at) {
                if text.len() <= longest && missing.iter().any(|missing| **missing == *text) {
                    column.push_missing();
                } else if column.push(&text).is_err() {
                    let message = format!("column {} has more than 4 GB of different texts", at + 1);
                    return Err(self.error(start, message).into());
                }
            }
            at += 1;
            if last {
                if at != width {
                    return Err(self.ragged(start, at, width).into());
                }
                (rows, at) = (rows + 1, 0);
                if rows.is_multiple_of(REPORT_EVERY) {
                    progress(cells.at() as f64 / self.text.len() as f64);
                }
            }
        }
        if u32::try_from(rows).is_err() {
            return Err(Diagnostic::error(format!("{} has more than 2^32 rows", self.file)).into());
        }
        Ok((columns.into_iter().map(ColumnBuilder::finish).collect(), rows))
    }

    /// The line of titles.
    fn titles_of(&self, cells: &mut Cells<'_>) -> Result<Vec<String>> {
        let mut titles: Vec<(String, usize)> = Vec::new();
        while let Some(cell) = cells.next().map_err(|fault| self.broken(&fault))? {
            titles.push((cell.text.into_owned(), cell.start));
            if cell.last {
                break;
            }
        }
        if titles.is_empty() {
            let finding = Diagnostic::error(format!("{} is empty", self.file));
            return Err(finding.with_help("the first line of a table has the titles of its columns").into());
        }
        let mut findings = Vec::new();
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (at, (title, start)) in titles.iter().enumerate() {
            if title.is_empty() {
                // Data frames are often written with row numbers under no title.
                let help =
                    if at == 0 { "give it one; a column of row numbers could be called `row`" } else { "give it one" };
                findings.push(self.error(*start, format!("column {} has no title", at + 1)).with_help(help));
            } else if let Some(before) = seen.insert(title, at) {
                let message = format!("columns {} and {} are both called {}", before + 1, at + 1, quoted(title));
                findings.push(self.error(*start, message).with_help("rename one of them"));
            }
        }
        findings.truncate(20);
        if !findings.is_empty() {
            return Err(Error::Input(findings));
        }
        Ok(titles.into_iter().map(|(title, _)| title).collect())
    }

    fn error(&self, at: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(location(self.file, self.text, at))
    }

    fn broken(&self, fault: &Fault) -> Error {
        self.error(fault.at, fault.message).with_help(fault.help).into()
    }

    /// A record that has another number of cells than there are titles, and whose last cell begins at `start`.
    fn ragged(&self, start: usize, cells: usize, titles: usize) -> Diagnostic {
        let message = format!("{} in this line, but the table has {}", count(cells, "cell"), count(titles, "column"));
        let delimiter = shown(self.delimiter);
        let help =
            format!("cells are separated by {delimiter}; a cell with {delimiter} in it is written in double quotes");
        self.error(start, message).with_help(help)
    }
}

/// A delimiter for messages.
pub(crate) fn shown(delimiter: u8) -> &'static str {
    match delimiter {
        b',' => "commas",
        b';' => "semicolons",
        b'\t' => "tabs",
        _ => "vertical bars",
    }
}

/// A place in a table in memory.
fn memory_place(file: &Arc<str>, row: usize, column: usize) -> Location {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Location { file: Arc::clone(file), line: number(row), column: number(column + 1) }
}

/// The line and column of a byte of `text`.
pub(crate) fn location(file: &str, text: &str, at: usize) -> Location {
    let before = text.get(..at).unwrap_or(text);
    let before = before.strip_prefix('\u{feff}').unwrap_or(before);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let bytes = before.as_bytes();
    let ends = |at: usize| bytes[at] == b'\n' || (bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    let breaks = (0..bytes.len()).filter(|&at| ends(at));
    let (lines, start) = breaks.fold((0, 0), |(lines, _), at| (lines + 1, at + 1));
    Location { file: file.into(), line: number(lines + 1), column: number(before[start..].chars().count() + 1) }
}

/// The bytes as text; what they are instead if they are not.
fn decoded(file: &str, bytes: Vec<u8>) -> Result<String> {
    const OTHERS: [(&[u8], &str, &str); 7] = [
        (b"PK\x03\x04", "a zip file or a workbook", "open it in its program and save the sheet as CSV"),
        (b"\x1f\x8b", "a gzip file", "unpack it with `gunzip`"),
        (b"\x28\xb5\x2f\xfd", "a Zstandard file", "unpack it with `unzstd`"),
        // Titles could begin like this, but not go on with these bytes.
        (b"PAR1\x15", "a Parquet file", "let its name end with .parquet"),
        (b"ARROW1\0", "an Arrow file", "let its name end with .arrow"),
        (b"\xff\xfe", "UTF-16 text", "save it as UTF-8"),
        (b"\xfe\xff", "UTF-16 text", "save it as UTF-8"),
    ];
    if let Some((_, what, help)) = OTHERS.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
        return Err(Diagnostic::error(format!("{file} is {what}, not CSV")).with_help(*help).into());
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[good];
        let text = std::str::from_utf8(&error.as_bytes()[..good]).expect("valid up to there");
        let finding = Diagnostic::error(format!("byte {byte:#04x} is not UTF-8 text")).at(location(file, text, good));
        finding.with_help("save the file as UTF-8; it may be in Latin-1 or Windows-1252 now")
    })?;
    if let Some(at) = text.bytes().position(|byte| byte == 0) {
        let finding = Diagnostic::error("a NUL byte, which no text has").at(location(file, &text, at));
        return Err(finding.with_help("the file is damaged, is not text, or is UTF-16; save it as UTF-8").into());
    }
    Ok(text)
}

#[cfg(test)]
pub(crate) fn table(name: &str, text: &str) -> Table {
    let file = format!("{name}.csv");
    Table::parse(name, &file, text.as_bytes().to_vec(), &ReadOptions::default(), &mut |_| {}).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn places_are_those_of_an_editor() {
        let read = table("t", "\u{feff}a,b\r\n1,\"x\r\ny\"\r\n\r\n3, ä ,\r\n".replace("ä ,", "ä").as_str());
        let place = |row, column| {
            let place = read.place(row, column);
            (place.line, place.column)
        };
        assert_eq!(read.rows(), 2);
        assert_eq!([place(0, 0), place(0, 1), place(1, 0), place(1, 1)], [(2, 1), (2, 3), (5, 1), (5, 4)]);
        assert_eq!((read.title_place(1).line, read.title_place(1).column), (1, 3));
    }

    #[test]
    fn missing_words_are_missing_and_sodium_is_not() {
        let read = table("t", "a\nNA\nNa\n?\n\"\"\nnull\nnone\n");
        assert_eq!(read.columns()[0].missing(), 4);
        assert_eq!(read.columns()[0].dictionary.iter().collect::<Vec<_>>(), ["Na", "none"]);
    }

    /// A cell as some program might write it.
    fn written(cell: &str, quoting: u8) -> String {
        let needs = cell.contains([',', '"', '\n', '\r']) || cell != cell.trim_matches([' ', '\t']);
        if needs || quoting == 0 { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
    }

    proptest! {
        #[test]
        fn what_is_written_with_odd_quoting_reads_back(
            cells in prop::collection::vec(("[a-c \",;\n\r\täß0-9.?-]{0,5}", "[xyz\"\n|]{0,3}", any::<u8>()), 1..40),
            crlf in any::<bool>(), mark in any::<bool>(),
        ) {
            let end = if crlf { "\r\n" } else { "\n" };
            let mut text = format!("{}first,\"se\"\"cond\"{end}", if mark { "\u{feff}" } else { "" });
            for (a, b, quoting) in &cells {
                text += &format!("{},{}{end}", written(a, quoting % 2), written(b, quoting / 2 % 2));
            }
            let options = ReadOptions { delimiter: Some(b','), missing: Some(Vec::new()), ..ReadOptions::default() };
            let read = Table::parse("t", "t.csv", text.into_bytes(), &options, &mut |_| {}).unwrap();
            prop_assert_eq!(read.titles().collect::<Vec<_>>(), ["first", "se\"cond"]);
            prop_assert_eq!(read.rows(), cells.len());
            for (row, (a, b, _)) in cells.iter().enumerate() {
                prop_assert_eq!(read.columns()[0].text(row).unwrap(), a);
                prop_assert_eq!(read.columns()[1].text(row).unwrap(), b);
            }
        }

        #[test]
        fn no_bytes_make_reading_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Table::parse("t", "t.csv", bytes, &ReadOptions::default(), &mut |_| {});
        }
    }
}
