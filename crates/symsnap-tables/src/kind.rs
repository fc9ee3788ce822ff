//! Which kind of column it is: decided by its different texts, all of them.
//!
//! One text that is no number makes a column of numbers a column of names, because what it should be read as is not for us to
//! say; the finding names it and its line, and the schema can list it among the missing values.

use crate::column::{CellType, Column};
use crate::decimal::{self, Commas};
use crate::findings::{count, quoted};
use crate::table::Table;
use crate::value;
use serde::{Deserialize, Serialize};
use symsnap::{Diagnostic, Value};

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// They name the rows of this table.
    Key,
    /// They name rows of another table.
    Link,
    /// Whole numbers, which rules compare with learned ones.
    Integer,
    /// Numbers, which rules compare with learned ones.
    Float,
    /// True or false.
    Boolean,
    /// Days, which rules compare; as a number, the digits: 20240131.
    Date,
    /// Days and times, which rules compare; as a number, the digits: 20240131235959.
    DateTime,
    /// One of a few names, which rules mention.
    Category,
    /// Text, or names that hardly repeat: left out.
    Text,
    /// Left out because somebody says so.
    Ignore,
}

/// Categories with more texts than this are names of things.
const MOST_CATEGORIES: usize = 256;
/// So many are categories even where few rows share one.
const FEW_CATEGORIES: usize = 10;
/// The share of numbers, of all values, from which on the other values are taken for slips.
const NEARLY_ALL: f64 = 0.8;

impl Kind {
    /// The word that schemas use.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Key => "key",
            Kind::Link => "link",
            Kind::Integer => "integer",
            Kind::Float => "float",
            Kind::Boolean => "boolean",
            Kind::Date => "date",
            Kind::DateTime => "datetime",
            Kind::Category => "category",
            Kind::Text => "text",
            Kind::Ignore => "ignore",
        }
    }

    /// Whether rules compare its values with numbers.
    pub fn is_numeric(self) -> bool {
        matches!(self, Kind::Integer | Kind::Float | Kind::Date | Kind::DateTime)
    }

    /// Whether its cells name rows.
    pub fn names_rows(self) -> bool {
        matches!(self, Kind::Key | Kind::Link)
    }

    /// Whether rules may speak of it.
    pub fn is_used(self) -> bool {
        !matches!(self, Kind::Text | Kind::Ignore)
    }

    /// The value of a cell; nothing if it is not of this kind.
    pub(crate) fn value(self, text: &str) -> Option<Value<'_>> {
        match self {
            Kind::Integer => value::whole(text).map(Value::Int),
            Kind::Float => value::float(text).map(Value::Float),
            Kind::Boolean => value::boolean(text).map(|truth| Value::Atom(if truth { "true" } else { "false" })),
            Kind::Date => {
                value::moment(text).filter(|moment| moment.time.is_none()).map(|moment| Value::Int(moment.day))
            }
            Kind::DateTime => value::moment(text).map(|moment| Value::Int(moment.digits())),
            Kind::Key | Kind::Link | Kind::Category | Kind::Text | Kind::Ignore => Some(value::name(text)),
        }
    }

    /// What a cell of this kind looks like, for messages.
    pub(crate) fn example(self) -> &'static str {
        match self {
            Kind::Integer => "a whole number of up to 64 bits, without leading zeros",
            Kind::Float => "a finite number, with a point before its fraction",
            Kind::Boolean => "true or false, yes or no, t or f, y or n, 1 or 0",
            Kind::Date => "a date as in 2024-01-31",
            Kind::DateTime => "a date and time as in 2024-01-31T23:59:59",
            _ => "a name",
        }
    }
}

/// The kind of a column by its texts, whatever its name and other tables say.
pub(crate) fn kind_of(column: &Column) -> Kind {
    let texts = &column.dictionary;
    let all = |kind: Kind| texts.iter().all(|text| kind.value(text).is_some());
    let (different, present) = (texts.len(), column.present());
    if different == 0 {
        return Kind::Ignore;
    }
    let known = match column.cells {
        Some(CellType::Integer) => Some(Kind::Integer),
        Some(CellType::Float) => Some(Kind::Float),
        Some(CellType::Boolean) => Some(Kind::Boolean),
        Some(CellType::Date) => Some(Kind::Date),
        Some(CellType::DateTime) => Some(Kind::DateTime),
        Some(CellType::Text) | None => None,
    };
    if let Some(kind) = known {
        return kind;
    }
    let few = different <= FEW_CATEGORIES && different < present;
    let names =
        if few || (different <= MOST_CATEGORIES && different * 2 <= present) { Kind::Category } else { Kind::Text };
    if column.cells == Some(CellType::Text) {
        // Digits may be names, but nothing else is written like a date.
        return [Kind::Date, Kind::DateTime].into_iter().find(|&kind| all(kind)).unwrap_or(names);
    }
    if different == 2 && all(Kind::Boolean) && opposites(texts.get(0), texts.get(1)) {
        return Kind::Boolean;
    }
    // A column in which every number has a point may have fractions in the next file.
    if texts.iter().all(|text| value::integer(text).is_some()) {
        return Kind::Integer;
    }
    if let Some(kind) = [Kind::Float, Kind::Date, Kind::DateTime].into_iter().find(|&kind| all(kind)) {
        return kind;
    }
    names
}

/// Whether two truth values are written alike: `yes` and `no`, not `yes` and `0`.
fn opposites(one: &str, other: &str) -> bool {
    const PAIRS: [[&str; 2]; 5] = [["true", "false"], ["t", "f"], ["yes", "no"], ["y", "n"], ["1", "0"]];
    let (one, other) = (one.to_ascii_lowercase(), other.to_ascii_lowercase());
    PAIRS.iter().any(|[yes, no]| (one == *yes && other == *no) || (one == *no && other == *yes))
}

/// What to say about a column of that kind: why it is left out, or that nearly all of it are numbers.
pub(crate) fn remark(table: &Table, at: usize, kind: Kind) -> Option<Diagnostic> {
    let column = &table.columns()[at];
    let name = quoted(&column.name);
    if kind == Kind::Ignore {
        let finding = Diagnostic::warning(format!("column {name} has no values and is left out"));
        return Some(finding.at(table.title_place(at)));
    }
    if kind.is_used() && kind != Kind::Category {
        return None;
    }
    let (counts, present) = (column.counts(), column.present());
    for numeric in [Kind::Float, Kind::DateTime] {
        let fits = |text: &str| numeric.value(text).is_some();
        let fitting: usize = column.dictionary.iter().zip(&counts).filter(|(text, _)| fits(text)).map(|(_, n)| n).sum();
        if (fitting as f64) < NEARLY_ALL * present as f64 || fitting == present {
            continue;
        }
        let (text, code) = column.dictionary.iter().zip(0..).find(|(text, _)| !fits(text))?;
        let row = column.first_row(code)?;
        let what = if numeric == Kind::Float { "numbers" } else { "dates" };
        let means = if kind == Kind::Text { "it is left out" } else { "its values are names" };
        let message = format!("column {name} has {fitting} {what} but also {}: {means}", quoted(text));
        let help = match numeric {
            Kind::Float if value::is_infinite(text) => "numbers must be finite; list it under `missing` in a schema",
            _ => "correct it, or list it under `missing` in a schema",
        };
        return Some(Diagnostic::warning(message).at(table.place(row, at)).with_help(help));
    }
    let finding = (kind == Kind::Text).then(|| {
        let texts = count(column.dictionary.len(), "different text");
        let message = format!("column {name} has {texts} in {} and is left out", count(present, "row"));
        Diagnostic::warning(message).at(table.title_place(at))
    })?;
    Some(match decimal::commas(column) {
        None => finding.with_help("`kind = \"category\"` in a schema takes it in"),
        Some(Commas::Unclear) => finding.with_help(
            "its commas may separate thousands; if they stand before fractions, `kind = \"float\", decimal = \",\"` in a \
             schema says so, and if not, leave them out",
        ),
        Some(Commas::Decimal) => finding.with_help(
            "numbers are written with a point, as in 3.14; `kind = \"float\", decimal = \",\"` in a schema reads these",
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::column;
    use crate::table::table;

    #[test]
    fn kinds_follow_from_all_texts() {
        let kind = |cells: &[&str]| kind_of(&column("c", cells));
        assert_eq!(kind(&["1", "2", "", "3"]), Kind::Integer);
        assert_eq!(kind(&["1", "2.5"]), Kind::Float);
        assert_eq!(kind(&["1", "99999999999999999999"]), Kind::Float);
        assert_eq!(kind(&["0", "1", "1"]), Kind::Boolean);
        assert_eq!(kind(&["Yes", "no", ""]), Kind::Boolean);
        assert_eq!(kind(&["yes", "0", "yes"]), Kind::Category);
        assert_eq!(kind(&["1", "1"]), Kind::Integer);
        assert_eq!(kind(&["2024-01-31", "2023-12-01"]), Kind::Date);
        assert_eq!(kind(&["2024-01-31", "2023-12-01T10:00"]), Kind::DateTime);
        assert_eq!(kind(&["red", "blue", "red"]), Kind::Category);
        assert_eq!(kind(&["007", "008", "007"]), Kind::Category);
        assert_eq!(kind(&["ann", "bob", "cid"]), Kind::Text);
        assert_eq!(kind(&["", ""]), Kind::Ignore);
    }

    #[test]
    fn what_is_left_out_or_looks_like_a_slip_is_told() {
        let remark = |text: &str| {
            let read = table("t", text);
            remark(&read, 0, kind_of(&read.columns()[0])).map(|finding| finding.to_string())
        };
        assert_eq!(remark("a\n1\n2\n"), None);
        let numbers = "a\n1\n2\n3\n4\nn.d.\n";
        assert_eq!(
            remark(numbers).unwrap(),
            "t.csv:6:1: warning: column `a` has 4 numbers but also `n.d.`: it is left out\n  \
             help: correct it, or list it under `missing` in a schema"
        );
        assert!(remark("a\n1\n2\n3\n4\n-inf\n").unwrap().contains("numbers must be finite"));
        assert!(remark("a,b\n\"1,5\",x\n\"2,5\",y\n").unwrap().contains("written with a point"));
        assert!(remark("a;b\n1,500;x\n2,500;y\n").unwrap().contains("may separate thousands"));
        assert!(remark("a,b\n,x\n,y\n").unwrap().contains("column `a` has no values and is left out"));
    }
}
