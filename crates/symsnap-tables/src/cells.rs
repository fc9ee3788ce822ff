//! The grammar of delimited text: from the text of a file to its cells, each with the place where it begins.
//!
//! RFC 4180 with what people's files need beside it: a line ends with `\n`, `\r\n` or `\r`; lines without anything in them are
//! skipped; blanks around a cell do not count unless they are within quotes; a quote in the middle of an unquoted cell (`5" pipe`)
//! is a character like others. A quote that is never closed, and text after a closing quote, are errors.
//!
//! *Rejected*: the crate `csv`, which accepts both silently (the first swallows the rest of the file into one cell, and what
//! remains is a complaint about the number of cells in the wrong line) and knows the line of a record but not the column of a
//! cell. A file that is in memory as a whole needs none of its buffers, and its cells are slices of it.

use std::borrow::Cow;

/// What may stand between cells, in the order in which equal guesses are decided.
pub(crate) const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// How many records a guess looks at.
const LOOKED_AT: usize = 20;

/// A cell.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cell<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Where it begins in the text, in bytes.
    pub(crate) start: usize,
    /// Whether it ends its record.
    pub(crate) last: bool,
}

/// Text that breaks the grammar.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Where, in bytes.
    pub(crate) at: usize,
    pub(crate) message: &'static str,
    pub(crate) help: &'static str,
}

/// Goes through the cells of a text.
#[derive(Debug, Clone)]
pub(crate) struct Cells<'t> {
    text: &'t str,
    at: usize,
    delimiter: u8,
    /// Whether a record begins here.
    fresh: bool,
}

impl<'t> Cells<'t> {
    /// All cells of `text`, behind a byte-order mark if it has one.
    pub(crate) fn new(text: &'t str, delimiter: u8) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Cells { text, at, delimiter, fresh: true }
    }

    /// How many bytes have been read.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The next cell; nothing at the end of the text.
    pub(crate) fn next(&mut self) -> Result<Option<Cell<'t>>, Fault> {
        if self.fresh {
            self.skip_empty_lines();
            if self.at == self.text.len() {
                return Ok(None);
            }
        }
        let begun = self.at;
        self.skip_blanks();
        let cell = if self.byte() == Some(b'"') { self.quoted()? } else { self.unquoted(begun) };
        Ok(Some(cell))
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn is_blank(&self, byte: u8) -> bool {
        byte == b' ' || (byte == b'\t' && self.delimiter != b'\t')
    }

    fn skip_blanks(&mut self) {
        while self.byte().is_some_and(|byte| self.is_blank(byte)) {
            self.at += 1;
        }
    }

    /// Skip lines that have nothing but blanks; `""` is something.
    fn skip_empty_lines(&mut self) {
        loop {
            let begun = self.at;
            self.skip_blanks();
            match self.byte() {
                Some(b'\n' | b'\r') => self.at += 1,
                None => return,
                Some(_) => {
                    self.at = begun;
                    return;
                }
            }
        }
    }

    /// The cell from `begun` up to the next delimiter or line end.
    fn unquoted(&mut self, begun: usize) -> Cell<'t> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let ends = |&byte: &u8| byte == self.delimiter || byte == b'\n' || byte == b'\r';
        self.at = bytes[start..].iter().position(ends).map_or(bytes.len(), |length| start + length);
        let blanks = bytes[start..self.at].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let text = &self.text[start..self.at - blanks];
        // An empty cell is where it could be written.
        let start = if text.is_empty() { begun } else { start };
        Cell { text: Cow::Borrowed(text), start, last: self.end_cell() }
    }

    /// The cell whose opening quote is here.
    fn quoted(&mut self) -> Result<Cell<'t>, Fault> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut text = Cow::Borrowed("");
        let mut from = start + 1;
        loop {
            let Some(length) = bytes[from..].iter().position(|&byte| byte == b'"') else {
                let message = "a quoted cell that begins here is never closed";
                return Err(Fault { at: start, message, help: "a quote that is meant as text is written twice" });
            };
            let piece = &self.text[from..from + length];
            from += length + 1;
            if text.is_empty() {
                text = Cow::Borrowed(piece);
            } else {
                text.to_mut().push_str(piece);
            }
            if bytes.get(from) != Some(&b'"') {
                break;
            }
            text.to_mut().push('"');
            from += 1;
        }
        self.at = from;
        self.skip_blanks();
        match self.byte() {
            Some(byte) if byte != self.delimiter && byte != b'\n' && byte != b'\r' => {
                let message = "text after the closing quote of a cell";
                Err(Fault { at: self.at, message, help: "a quote within a quoted cell is written twice" })
            }
            _ => Ok(Cell { text, start, last: self.end_cell() }),
        }
    }

    /// Go over what ends a cell; whether it ends the record, too.
    fn end_cell(&mut self) -> bool {
        self.fresh = match self.byte() {
            Some(byte) if byte == self.delimiter => false,
            Some(b'\r') if self.text.as_bytes().get(self.at + 1) == Some(&b'\n') => {
                self.at += 1;
                true
            }
            _ => true,
        };
        self.at = (self.at + 1).min(self.text.len());
        self.fresh
    }
}

/// A line of CSV with these cells, quoted where they must be to read back as they are.
pub fn csv_line(cells: &[String]) -> String {
    let shown = cells.iter().map(|cell| {
        let plain =
            cell.trim() == cell && !cell.contains([',', '"', '\n', '\r']) && (!cell.is_empty() || cells.len() > 1);
        if plain { cell.clone() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
    });
    shown.collect::<Vec<_>>().join(",") + "\n"
}

/// What stands between the cells of `text`: the delimiter that gives its first records the same number of cells, more than
/// one; of several the one with the most cells in the first line. A comma if there is no telling.
pub(crate) fn guess_delimiter(text: &str) -> u8 {
    let score = |delimiter: u8| {
        let mut cells = Cells::new(text, delimiter);
        let (mut widths, mut width) = (Vec::new(), 0);
        while widths.len() < LOOKED_AT
            && let Ok(Some(cell)) = cells.next()
        {
            width += 1;
            if cell.last {
                widths.push(std::mem::take(&mut width));
            }
        }
        let first = widths.first().copied().unwrap_or(0);
        let even = first > 1 && widths.iter().all(|&width| width == first);
        (even, first)
    };
    let best = DELIMITERS
        .into_iter()
        .map(|delimiter| (score(delimiter), delimiter))
        .reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.map_or(b',', |(_, delimiter)| delimiter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, delimiter: u8) -> Result<Vec<Vec<String>>, Fault> {
        let (mut cells, mut records, mut record) = (Cells::new(text, delimiter), Vec::new(), Vec::new());
        while let Some(cell) = cells.next()? {
            record.push(cell.text.into_owned());
            if cell.last {
                records.push(std::mem::take(&mut record));
            }
        }
        assert!(record.is_empty(), "the last cell ends its record");
        Ok(records)
    }

    #[test]
    fn line_ends_of_all_systems_end_records() {
        for text in ["a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\r1,2", "\u{feff}a,b\n\n  \n1,2\n\n"] {
            assert_eq!(read(text, b',').unwrap(), [["a", "b"], ["1", "2"]], "{text:?}");
        }
    }

    #[test]
    fn empty_cells_are_cells() {
        assert_eq!(read(",\n1,\n", b',').unwrap(), [["", ""], ["1", ""]]);
        assert_eq!(read("a\n\"\"\n", b',').unwrap(), [["a"], [""]]);
        assert_eq!(read("", b',').unwrap(), Vec::<Vec<String>>::new());
    }

    #[test]
    fn quotes_keep_delimiters_line_ends_blanks_and_quotes() {
        let text = "a, \"b, \"\"c\"\"\nd\" ,5\" pipe\n\" x \",\"\"\"\",\n";
        assert_eq!(read(text, b',').unwrap(), [["a", "b, \"c\"\nd", "5\" pipe"], [" x ", "\"", ""]]);
        assert_eq!(read("a\t b c \t\"d\te\"\n", b'\t').unwrap(), [["a", "b c", "d\te"]]);
    }

    #[test]
    fn lines_that_are_written_read_back() {
        let cells = ["a", "b,c", "d \"e\"", "", " f", "g\nh"].map(str::to_owned);
        assert_eq!(read(&csv_line(&cells), b',').unwrap(), [cells]);
    }

    #[test]
    fn broken_quotes_are_faults_with_their_place() {
        let fault = read("a,b\n1,\"x\n2,y\n", b',').unwrap_err();
        assert_eq!((fault.at, fault.message), (6, "a quoted cell that begins here is never closed"));
        let fault = read("a,\"b\"c\n", b',').unwrap_err();
        assert_eq!((fault.at, fault.message), (5, "text after the closing quote of a cell"));
    }

    #[test]
    fn delimiters_are_guessed_from_the_first_records() {
        let guesses = [
            ("a,b\n1,2\n", b','),
            ("a;b\n1,5;2,5\n", b';'),
            ("a\tb, c\n1\t2\n", b'\t'),
            ("a|b|c\n1|2|3\n", b'|'),
            ("name, first;age\nx;1\n", b';'),
            ("\"a;b;c\",d\n1,2\n", b','),
            ("alone\n1\n", b','),
            ("", b','),
        ];
        for (text, delimiter) in guesses {
            assert_eq!(char::from(guess_delimiter(text)), char::from(delimiter), "{text:?}");
        }
    }
}
