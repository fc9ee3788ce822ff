//! Numbers with decimal commas, `3,14`, as much of Europe writes them.
//!
//! They are read where cells are not separated by commas, and only if all values of a column are such numbers and at least one of
//! them shows that its comma does not separate thousands: it has other than three digits behind it, or a zero or more than three
//! digits before. `1,250` alone could be either; then the schema has to say which.

use crate::column::Column;
use crate::table::Table;
use crate::value;

/// What the commas in the numbers of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commas {
    /// They stand before fractions.
    Decimal,
    /// They may also separate thousands.
    Unclear,
}

/// The number that a text is whose fraction stands behind a comma.
pub(crate) fn float(text: &str) -> Option<f64> {
    if text.contains('.') || text.bytes().filter(|&byte| byte == b',').count() > 1 {
        return None;
    }
    value::float(&text.replace(',', "."))
}

/// What the commas of a column are, if its values are numbers and some have one.
pub(crate) fn commas(column: &Column) -> Option<Commas> {
    let mut found = None;
    for text in column.dictionary.iter() {
        float(text)?;
        if text.contains(',') && found != Some(Commas::Decimal) {
            found = Some(if may_be_thousands(text) { Commas::Unclear } else { Commas::Decimal });
        }
    }
    found
}

/// The same for a column of a table in which a comma is not what separates cells.
pub(crate) fn readable_commas(table: &Table, at: usize) -> Option<Commas> {
    if table.is_text() && table.delimiter() != b',' { commas(&table.columns()[at]) } else { None }
}

fn may_be_thousands(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    let Some((before, behind)) = digits.split_once(',') else { return false };
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    (1..=3).contains(&before.len()) && !before.starts_with('0') && behind.len() == 3 && plain(before) && plain(behind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::column;

    #[test]
    fn commas_stand_for_points_and_nothing_else() {
        assert_eq!(["3,25", "-0,5", "7", ",5", "1,5e3"].map(float), [3.25, -0.5, 7.0, 0.5, 1500.0].map(Some));
        assert_eq!(["3.14", "1.234,5", "1,234,5", "", ",", "x", "3,1 4"].map(float), [None; 7]);
    }

    #[test]
    fn thousands_are_not_taken_for_fractions() {
        let commas = |cells: &[&str]| commas(&column("c", cells));
        assert_eq!(commas(&["1,5", "2"]), Some(Commas::Decimal));
        assert_eq!(commas(&["1,250", "12,500"]), Some(Commas::Unclear));
        assert_eq!(commas(&["1,250", "0,500"]), Some(Commas::Decimal));
        assert_eq!(commas(&["1,250", "1250,125"]), Some(Commas::Decimal));
        assert_eq!(commas(&["1", "2"]), None);
        assert_eq!(commas(&["1,5", "n.d."]), None);
    }
}
