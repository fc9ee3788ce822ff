//! Tables made of columns in memory, such as those of data frames.
//!
//! Values become the texts that a file would have for them, each different one once, so that everything behind a [`Table`] is the
//! same whether it was read or made. What is different: the type of a column is known and need not be guessed (`"5"` in a column of
//! texts is a name), a text is never taken for a missing value, and messages name rows of the frame instead of lines.

use crate::column::{CellType, Column, ColumnBuilder};
use crate::findings::quoted;
use crate::table::{Origin, Table};
use std::fmt::Write;
use std::sync::Arc;
use symsnap::{Diagnostic, Location, Result};

/// Seconds of a day.
const DAY: i64 = 86_400;

/// A column of typed values.
pub struct MemoryColumn {
    builder: ColumnBuilder,
    /// The text of the last number, kept to spare allocations.
    text: String,
    /// The texts that are no values.
    missing: Vec<String>,
}

impl std::fmt::Debug for MemoryColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryColumn").field("title", &self.builder.name()).finish_non_exhaustive()
    }
}

impl MemoryColumn {
    /// A column without cells.
    pub fn new(title: &str, cells: CellType) -> Self {
        let builder = ColumnBuilder::typed(title.to_owned(), cells);
        MemoryColumn { builder, text: String::new(), missing: Vec::new() }
    }

    /// The same column, which takes values that are written like these for missing ones.
    #[cfg(feature = "arrow")]
    pub(crate) fn with_missing_words(mut self, words: &[String]) -> Self {
        self.missing = words.to_vec();
        self
    }

    /// Its title.
    pub fn title(&self) -> &str {
        self.builder.name()
    }

    /// How many cells it has.
    pub fn len(&self) -> usize {
        self.builder.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Add a cell without a value.
    pub fn push_missing(&mut self) {
        self.builder.push_missing();
    }

    /// Add a text.
    ///
    /// # Errors
    /// If there are more than 4 GB of different texts.
    pub fn push_text(&mut self, text: &str) -> Result<()> {
        if self.missing.iter().any(|missing| missing == text) {
            self.push_missing();
            return Ok(());
        }
        self.builder.push(text).map_err(|_| {
            let message = format!("column {} has more than 4 GB of different values", quoted(self.builder.name()));
            Diagnostic::error(message).into()
        })
    }

    /// Add a whole number.
    ///
    /// # Errors
    /// As [`MemoryColumn::push_text`].
    pub fn push_int(&mut self, number: i64) -> Result<()> {
        self.push_shown(format_args!("{number}"))
    }

    /// Add a number; NaN is no value, as it is in data frames. What is infinite is refused when the table is used.
    ///
    /// # Errors
    /// As [`MemoryColumn::push_text`].
    pub fn push_float(&mut self, number: f64) -> Result<()> {
        if number.is_nan() {
            self.push_missing();
            return Ok(());
        }
        // With a point even if it is whole, and -0.0 as 0.0, which it equals.
        self.push_shown(format_args!("{:?}", number + 0.0))
    }

    /// Add a truth value.
    ///
    /// # Errors
    /// As [`MemoryColumn::push_text`].
    pub fn push_bool(&mut self, truth: bool) -> Result<()> {
        self.push_text(if truth { "true" } else { "false" })
    }

    /// Add a day, counted from that on which 1970 began.
    ///
    /// # Errors
    /// If it has no year of four digits, or as [`MemoryColumn::push_text`].
    pub fn push_day(&mut self, day: i64) -> Result<()> {
        let (year, month, day) = self.date(day)?;
        self.push_shown(format_args!("{year:04}-{month:02}-{day:02}"))
    }

    /// Add a moment, in seconds counted from the beginning of 1970.
    ///
    /// # Errors
    /// As [`MemoryColumn::push_day`].
    pub fn push_second(&mut self, second: i64) -> Result<()> {
        let (year, month, day) = self.date(second.div_euclid(DAY))?;
        let time = second.rem_euclid(DAY);
        let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
        self.push_shown(format_args!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"))
    }

    fn push_shown(&mut self, shown: std::fmt::Arguments<'_>) -> Result<()> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        text.write_fmt(shown).expect("a string takes all text");
        let pushed = self.push_text(&text);
        self.text = text;
        pushed
    }

    /// Year, month and day of a day counted from 1970. In the calendar that begins years with March, so that the odd day is the
    /// last of its year, 400 years have 146,097 days and five months from March on have 153.
    fn date(&self, day: i64) -> Result<(i64, i64, i64)> {
        // Days from the first of March of year 0.
        let since = day.saturating_add(719_468);
        let (era, of_era) = (since.div_euclid(146_097), since.rem_euclid(146_097));
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = era.saturating_mul(400).saturating_add(year_of_era + i64::from(month <= 2));
        if !(1..=9999).contains(&year) {
            let message = format!("column {} has a date outside of the years 1 to 9999", quoted(self.builder.name()));
            let place = Location { file: "<column>".into(), line: row_number(self.len()), column: 1 };
            return Err(Diagnostic::error(message).at(place).into());
        }
        Ok((year, month, of_year - (153 * from_march + 2) / 5 + 1))
    }
}

/// Columns of one length, and that length, if they can be a table; `first` is the number of the first column in messages.
fn shaped(name: &str, columns: Vec<MemoryColumn>, first: usize) -> Result<(Vec<Column>, usize)> {
    let rows = columns.first().map_or(0, MemoryColumn::len);
    let wrong = |message: String| Diagnostic::error(format!("{name}: {message}"));
    for (at, column) in columns.iter().enumerate() {
        let title = column.builder.name();
        if title.is_empty() {
            return Err(wrong(format!("column {} has no title", at + first)).with_help("give it one").into());
        }
        if let Some(before) = columns[..at].iter().position(|before| before.builder.name() == title) {
            let finding =
                wrong(format!("columns {} and {} are both called {}", before + first, at + first, quoted(title)));
            return Err(finding.with_help("rename one of them").into());
        }
        if column.len() != rows {
            let message = format!("column {} has {} values, others have {rows}", quoted(title), column.len());
            return Err(wrong(message).into());
        }
    }
    if u32::try_from(rows).is_err() {
        return Err(wrong("it has more than 2^32 rows".to_owned()).into());
    }
    let columns: Vec<Column> = columns.into_iter().map(|column| column.builder.finish()).collect();
    Ok((columns, rows))
}

fn row_number(rows: usize) -> u32 {
    u32::try_from(rows + 1).unwrap_or(u32::MAX)
}

impl Table {
    /// The table that columns in memory form. Messages call it by its name, in angle brackets.
    ///
    /// # Errors
    /// If columns have different lengths or titles that no table has: none, or one twice.
    pub fn from_columns(name: &str, columns: Vec<MemoryColumn>) -> Result<Self> {
        let (columns, rows) = shaped(name, columns, 0)?;
        let (file, origin) = (format!("<{name}>").into(), Origin::Memory { rows: None });
        Ok(Table { name: name.to_owned(), file, origin, columns: Arc::new(columns), rows })
    }

    /// The table that the columns of a file form; columns and rows are counted from 1 in messages.
    #[cfg(feature = "columnar")]
    pub(crate) fn from_file(file: &str, columns: Vec<MemoryColumn>) -> Result<Self> {
        let (columns, rows) = shaped(file, columns, 1)?;
        let stem = std::path::Path::new(file).file_stem();
        let name = stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        Ok(Table { name, file: file.into(), origin: Origin::Columnar, columns: Arc::new(columns), rows })
    }

    /// What the cells of a column are, if that is known, and their texts, row by row.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn cells(&self, column: usize) -> (Option<CellType>, impl Iterator<Item = Option<&str>>) {
        let column = &self.columns[column];
        (column.cells, (0..self.rows).map(|row| column.text(row)))
    }

    /// The same table with the columns of another one behind its own.
    ///
    /// # Errors
    /// If the other one has another number of rows, or a title that this one has.
    pub fn joined(&self, other: &Table) -> Result<Self> {
        if self.rows != other.rows {
            let message = format!("{} has {} rows, {} has {}", self.file, self.rows, other.file, other.rows);
            return Err(Diagnostic::error(message).into());
        }
        if let Some(title) = other.titles().find(|title| self.column(title).is_some()) {
            let message = format!("{} and {} both have a column {}", self.file, other.file, quoted(title));
            return Err(Diagnostic::error(message).with_help("rename one of them").into());
        }
        let columns = self.columns.iter().chain(other.columns.iter()).cloned().collect();
        Ok(Table { columns: Arc::new(columns), ..self.clone() })
    }

    /// The same table in an order that depends only on what the rows hold, each row as often as `repeats` says, once if that is
    /// not given. So equal sets of rows are equal tables, whichever way they were shuffled, and a weight is a repetition.
    #[must_use]
    pub fn arranged(&self, repeats: Option<&[u32]>) -> Self {
        let ranks: Vec<Vec<u32>> = self.columns.iter().map(Column::ranks).collect();
        let mut order: Vec<u32> = (0..).take(self.rows).collect();
        order.sort_by(|&a, &b| {
            let rank = |row: u32| ranks.iter().map(move |ranks| ranks[row as usize]);
            rank(a).cmp(rank(b))
        });
        let times = |row: u32| repeats.map_or(1, |repeats| repeats[row as usize] as usize);
        let order: Vec<u32> = order.iter().flat_map(|&row| std::iter::repeat_n(row, times(row))).collect();
        let columns = self.columns.iter().map(|column| column.rearranged(&order)).collect();
        let origin = match &self.origin {
            // Places are looked up in the file; rows that were moved have none.
            Origin::Text { .. } | Origin::Columnar => Origin::Memory { rows: None },
            Origin::Memory { rows: None } => Origin::Memory { rows: Some(order.as_slice().into()) },
            Origin::Memory { rows: Some(before) } => {
                Origin::Memory { rows: Some(order.iter().map(|&row| before[row as usize]).collect()) }
            }
        };
        Table { columns: Arc::new(columns), origin, rows: order.len(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::{Kind, kind_of};

    fn column(title: &str, cells: CellType, push: impl Fn(&mut MemoryColumn) -> Result<()>) -> MemoryColumn {
        let mut column = MemoryColumn::new(title, cells);
        push(&mut column).unwrap();
        column
    }

    fn texts(table: &Table, at: usize) -> Vec<Option<&str>> {
        (0..table.rows()).map(|row| table.columns()[at].text(row)).collect()
    }

    #[test]
    fn values_become_the_texts_that_a_file_would_have() {
        let floats = column("f", CellType::Float, |it| {
            [1.0, -0.0, f64::NAN, 1e300, 0.1].into_iter().try_for_each(|number| it.push_float(number))
        });
        let ints = column("i", CellType::Integer, |it| {
            it.push_missing();
            [i64::MIN, 0, 7, i64::MAX].into_iter().try_for_each(|number| it.push_int(number))
        });
        let truths = column("b", CellType::Boolean, |it| {
            [true, false, true, true, false].into_iter().try_for_each(|truth| it.push_bool(truth))
        });
        let table = Table::from_columns("t", vec![floats, ints, truths]).unwrap();
        assert_eq!(texts(&table, 0), [Some("1.0"), Some("0.0"), None, Some("1e300"), Some("0.1")]);
        assert_eq!(texts(&table, 1)[..3], [None, Some("-9223372036854775808"), Some("0")]);
        assert_eq!(texts(&table, 2)[..2], [Some("true"), Some("false")]);
        let kinds: Vec<Kind> = table.columns().iter().map(kind_of).collect();
        assert_eq!(kinds, [Kind::Float, Kind::Integer, Kind::Boolean]);
    }

    #[test]
    fn types_of_columns_are_not_guessed() {
        let codes =
            column("code", CellType::Text, |it| ["5", "7", "5", "NA"].iter().try_for_each(|it2| it.push_text(it2)));
        let ones = column("one", CellType::Integer, |it| [0, 1, 0, 1].into_iter().try_for_each(|n| it.push_int(n)));
        let table = Table::from_columns("t", vec![codes, ones]).unwrap();
        assert_eq!(table.columns()[0].missing(), 0, "a text is a value, whatever it says");
        assert_eq!([0, 1].map(|at| kind_of(&table.columns()[at])), [Kind::Category, Kind::Integer]);
    }

    #[test]
    fn days_and_seconds_are_those_of_the_calendar() {
        let day = |day: i64| {
            let table = Table::from_columns("t", vec![column("d", CellType::Date, |it| it.push_day(day))]).unwrap();
            table.columns()[0].text(0).unwrap().to_owned()
        };
        assert_eq!([0, -1, 19_782, 11_016].map(day), ["1970-01-01", "1969-12-31", "2024-02-29", "2000-02-29"]);
        assert_eq!([-719_162, 2_932_896].map(day), ["0001-01-01", "9999-12-31"]);
        let second = column("s", CellType::DateTime, |it| {
            it.push_second(-1)?;
            it.push_second(1_709_251_199)
        });
        let table = Table::from_columns("t", vec![second]).unwrap();
        assert_eq!(texts(&table, 0), [Some("1969-12-31T23:59:59"), Some("2024-02-29T23:59:59")]);
        for far in [-719_163, 2_932_897, i64::MIN, i64::MAX] {
            let error = MemoryColumn::new("d", CellType::Date).push_day(far).unwrap_err().to_string();
            assert!(error.contains("column `d` has a date outside of the years 1 to 9999"), "{error}");
        }
    }

    #[test]
    fn tables_without_a_shape_are_refused() {
        let one = |title: &str, cells: i64| {
            column(title, CellType::Integer, |it| (0..cells).try_for_each(|number| it.push_int(number)))
        };
        let message = |columns| Table::from_columns("t", columns).unwrap_err().to_string();
        assert_eq!(message(vec![one("a", 2), one("b", 3)]), "error: t: column `b` has 3 values, others have 2");
        assert_eq!(
            message(vec![one("a", 2), one("a", 2)]),
            "error: t: columns 0 and 1 are both called `a`\n  help: rename one of them"
        );
        assert_eq!(message(vec![one("", 2)]), "error: t: column 0 has no title\n  help: give it one");
    }

    #[test]
    fn columns_are_joined_if_they_fit() {
        let one = |name: &str, title: &str, cells: i64| {
            let made = column(title, CellType::Integer, |it| (0..cells).try_for_each(|number| it.push_int(number)));
            Table::from_columns(name, vec![made]).unwrap()
        };
        let both = one("t", "a", 2).joined(&one("u", "b", 2)).unwrap();
        assert_eq!((both.titles().collect::<Vec<_>>(), both.name()), (vec!["a", "b"], "t"));
        let message = |other: &Table| one("t", "a", 2).joined(other).unwrap_err().to_string();
        assert_eq!(message(&one("u", "b", 3)), "error: <t> has 2 rows, <u> has 3");
        assert_eq!(message(&one("u", "a", 2)), "error: <t> and <u> both have a column `a`\n  help: rename one of them");
    }

    #[test]
    fn arranged_tables_depend_on_their_rows_alone_and_know_where_these_were() {
        let numbers = |cells: &[i64]| {
            let one = column("a", CellType::Integer, |it| cells.iter().try_for_each(|&number| it.push_int(number)));
            let two = column("b", CellType::Integer, |it| cells.iter().try_for_each(|&number| it.push_int(-number)));
            Table::from_columns("t", vec![one, two]).unwrap()
        };
        let weighted = numbers(&[3, 1, 2]).arranged(Some(&[2, 1, 0]));
        let repeated = numbers(&[1, 3, 3]).arranged(None);
        assert_eq!(texts(&weighted, 0), texts(&repeated, 0));
        assert_eq!(weighted.columns()[0].dictionary.iter().collect::<Vec<_>>(), ["1", "3"]);
        assert_eq!(weighted.place(0, 0).line, 2, "the row that was the second");
        assert_eq!((weighted.row_words(0), weighted.rows()), ("row 1".to_owned(), 3));
        assert_eq!(weighted.arranged(None).place(2, 0).line, 1);
    }
}
