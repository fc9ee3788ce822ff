//! Weights of examples. The learner counts in whole numbers, so weights are made whole here, and how far that is from what was
//! asked for is bounded and documented.
//!
//! Small numbers are better than exact ones: the cost `mdl` weighs an error against a literal, so weights ten times as large
//! allow ten times as many literals for each error.

use crate::decimal::{self, Commas, readable_commas};
use crate::findings::quoted;
use crate::table::Table;
use crate::value;
use symsnap::{Diagnostic, Result};

/// The largest power of ten that fractions are multiplied by.
const MOST_SCALE: f64 = 1000.0;
/// How far the ratio of class weights may be from the exact one, so that they stay small: a tenth.
const TOLERANCE: f64 = 0.1;

/// The weights of rows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RowWeights {
    pub(crate) of_rows: Vec<u32>,
    /// That of a row which has none.
    pub(crate) usual: u32,
}

/// The weights of all rows by a column of numbers: whole numbers as they are, fractions multiplied by the smallest power of ten
/// that makes all of them whole, at most 1000, and then rounded, to at least 1. Rows without one have the weight 1, multiplied
/// likewise.
///
/// # Errors
/// If a weight is no number, is not positive, or is too large.
pub(crate) fn of_rows(table: &Table, at: usize) -> Result<RowWeights> {
    let column = &table.columns()[at];
    let wrong = |code: u32, what: &str, help: &str| {
        let row = column.first_row(code).unwrap_or(0);
        let message =
            format!("the weight {} in column {} {what}", quoted(column.dictionary.get(code)), quoted(&column.name));
        Diagnostic::error(message).at(table.place(row, at)).with_help(help)
    };
    let mut numbers = Vec::with_capacity(column.dictionary.len());
    let read = if readable_commas(table, at) == Some(Commas::Decimal) { decimal::float } else { value::float };
    for (text, code) in column.dictionary.iter().zip(0..) {
        match read(text) {
            None => return Err(wrong(code, "is not a finite number", "weights are numbers above 0").into()),
            Some(0.0) => return Err(wrong(code, "is 0", "leave the row out, or give it a small weight").into()),
            Some(number) if number < 0.0 => {
                return Err(wrong(code, "is negative", "weights are numbers above 0").into());
            }
            Some(number) => numbers.push(number),
        }
    }
    let whole = |scale: f64| numbers.iter().all(|number| ((number * scale).round() - number * scale).abs() < 1e-9);
    let scale = [1.0, 10.0, 100.0].into_iter().find(|&scale| whole(scale)).unwrap_or(MOST_SCALE);
    let mut weights = Vec::with_capacity(numbers.len());
    for (number, code) in numbers.iter().zip(0..) {
        let weight = (number * scale).round().max(1.0);
        if weight > f64::from(u32::MAX) {
            return Err(wrong(code, "is too large", "divide all weights by the same number").into());
        }
        // It is at least 1 and at most the largest `u32`.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        weights.push(weight as u32);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let usual = scale as u32;
    let of_rows = column.codes().map(|code| code.map_or(usual, |code| weights[code as usize])).collect();
    Ok(RowWeights { of_rows, usual })
}

/// Whole numbers to multiply the weights of positives and negatives with, so that both classes weigh about the same: the smallest
/// ones whose ratio is within a tenth of the exact one.
pub(crate) fn balance(positive: u64, negative: u64) -> (u32, u32) {
    if positive == 0 || negative == 0 {
        return (1, 1);
    }
    let (rare, common) = (positive.min(negative) as f64, positive.max(negative) as f64);
    let exact = common / rare;
    let pair = (1..=10u32).find_map(|small| {
        let large = (exact * f64::from(small)).round().min(1e6);
        let close = (large / f64::from(small) / exact - 1.0).abs() <= TOLERANCE;
        // It is at least 1 and at most a million.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        close.then_some((large as u32, small))
    });
    let (large, small) = pair.unwrap_or((1_000_000, 1));
    if positive <= negative { (large, small) } else { (small, large) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    #[test]
    fn fractions_are_made_whole() {
        let weights = |text: &str| of_rows(&table("t", text), 0).unwrap().of_rows;
        assert_eq!(weights("w\n1\n3\n2\n"), [1, 3, 2]);
        assert_eq!(weights("w,x\n0.5,1\n,1\n2,1\n"), [5, 10, 20]);
        assert_eq!(weights("w\n0.25\n1.5\n"), [25, 150]);
        assert_eq!(weights("w\n0.33333333\n0.0001\n"), [333, 1]);
    }

    #[test]
    fn wrong_weights_are_refused() {
        let message = |text: &str| of_rows(&table("t", text), 0).unwrap_err().to_string();
        assert_eq!(
            message("w\n1\nmany\n"),
            "t.csv:3:1: error: the weight `many` in column `w` is not a finite number\n  help: weights are numbers above 0"
        );
        assert!(message("w\n1\n0\n").contains("is 0"));
        assert!(message("w\n1\n-2\n").contains("is negative"));
        assert!(message("w\n5000000000\n").contains("is too large"));
        assert!(message("w\ninf\n").contains("is not a finite number"));
    }

    #[test]
    fn classes_are_balanced_with_small_numbers() {
        assert_eq!(balance(64, 24_585), (384, 1));
        assert_eq!(balance(24_585, 64), (1, 384));
        assert_eq!(balance(50, 50), (1, 1));
        assert_eq!(balance(52, 48), (1, 1));
        assert_eq!(balance(40, 60), (3, 2));
        assert_eq!(balance(0, 60), (1, 1));
        for positive in 1..60 {
            let (large, small) = balance(positive, 60);
            let ratio = f64::from(large) * positive as f64 / (f64::from(small) * 60.0);
            assert!((0.89..1.12).contains(&ratio), "{positive}: {large} {small}");
        }
    }
}
