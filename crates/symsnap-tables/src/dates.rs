//! Comparisons with dates, in words.
//!
//! A date is compared as the number of its digits, 20240131, so that rules, exports and explanations show something that can be
//! read without a calendar. A learned number lies between two dates of the table and need not be one: `V1 >= 20240150` is what
//! begins with the first of February. (Days since 1970 would always be dates, and nobody could read them.)

use crate::kind::Kind;
use crate::relations::{Argument, Relations};
use crate::schema::Schema;
use symsnap::{Arg, Hypothesis, Rule, Terms};

/// What the comparisons with dates in a hypothesis mean: `V1 >= 20240150 is from 2024-02-01 on`.
pub fn dates_in_words(schema: &Schema, hypothesis: &Hypothesis, terms: &Terms) -> Vec<String> {
    let relations = Relations::of(schema);
    let mut words: Vec<String> = Vec::new();
    for rule in &hypothesis.rules {
        for literal in &rule.body {
            let [Arg::Var(var), Arg::Number(number)] = &*literal.args else { continue };
            let (Some(number), Some(kind)) = (number.as_int(), kind_of(*var, rule, schema, &relations, terms)) else {
                continue;
            };
            let meaning = match terms.name(literal.pred.name) {
                ">=" => format!("from {} on", first_from(number, kind)),
                "=<" => format!("up to {}", last_until(number, kind)),
                _ => continue,
            };
            let line = format!("{} is {meaning}", literal.show(terms));
            if !words.contains(&line) {
                words.push(line);
            }
        }
    }
    words
}

/// The kind of dates that a variable stands for, if it does.
fn kind_of(var: symsnap::Var, rule: &Rule, schema: &Schema, relations: &Relations, terms: &Terms) -> Option<Kind> {
    rule.body.iter().find_map(|literal| {
        let at = literal.args.iter().position(|arg| *arg == Arg::Var(var))?;
        let (name, arity) = (terms.name(literal.pred.name), literal.args.len());
        let relation = relations.all.iter().find(|relation| relation.name == name && relation.arity() == arity)?;
        let Argument::Column(column) = relation.arguments[at] else { return None };
        let kind = schema.tables[relation.table].columns[column].kind;
        matches!(kind, Kind::Date | Kind::DateTime).then_some(kind)
    })
}

/// A day as year, month and day.
type Day = (i64, i64, i64);

fn last_of(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn next(day: Day) -> Day {
    match day {
        (year, 12, 31) => (year + 1, 1, 1),
        (year, month, last) if last >= last_of(year, month) => (year, month + 1, 1),
        (year, month, day) => (year, month, day + 1),
    }
}

/// The first day whose digits are at least these.
fn day_from(digits: i64) -> Day {
    match (digits / 10_000, digits / 100 % 100, digits % 100) {
        (year, 0, _) => (year, 1, 1),
        (year, month, _) if month > 12 => (year + 1, 1, 1),
        (year, month, 0) => (year, month, 1),
        (year, month, day) if day > last_of(year, month) => next((year, month, last_of(year, month))),
        day => day,
    }
}

/// The last day whose digits are at most these.
fn day_until(digits: i64) -> Day {
    match (digits / 10_000, digits / 100 % 100, digits % 100) {
        (year, 0, _) | (year, 1, 0) => (year - 1, 12, 31),
        (year, month, _) if month > 12 => (year, 12, 31),
        (year, month, 0) => (year, month - 1, last_of(year, month - 1)),
        (year, month, day) => (year, month, day.min(last_of(year, month))),
    }
}

pub(crate) fn first_from(digits: i64, kind: Kind) -> String {
    if kind == Kind::Date {
        return shown(day_from(digits));
    }
    let (date, time) = (digits / 1_000_000, digits % 1_000_000);
    let day = day_from(date);
    let whole = (day.0 * 100 + day.1) * 100 + day.2 == date;
    let (hour, minute, second) = (time / 10_000, time / 100 % 100, time % 100);
    let (day, time) = match (hour, minute, second) {
        _ if !whole => (day, (0, 0, 0)),
        (24.., ..) | (23, 60.., _) | (23, 59, 60..) => (next(day), (0, 0, 0)),
        (hour, 60.., _) | (hour, 59, 60..) => (day, (hour + 1, 0, 0)),
        (hour, minute, 60..) => (day, (hour, minute + 1, 0)),
        time => (day, time),
    };
    shown_with(day, time)
}

pub(crate) fn last_until(digits: i64, kind: Kind) -> String {
    if kind == Kind::Date {
        return shown(day_until(digits));
    }
    let (date, time) = (digits / 1_000_000, digits % 1_000_000);
    let day = day_until(date);
    let whole = (day.0 * 100 + day.1) * 100 + day.2 == date;
    let time = match (time / 10_000, time / 100 % 100, time % 100) {
        _ if !whole => (23, 59, 59),
        (24.., ..) => (23, 59, 59),
        (hour, 60.., _) => (hour, 59, 59),
        (hour, minute, second) => (hour, minute, second.min(59)),
    };
    shown_with(day, time)
}

fn shown((year, month, day): Day) -> String {
    format!("{year:04}-{month:02}-{day:02}")
}

fn shown_with(day: Day, (hour, minute, second): (i64, i64, i64)) -> String {
    format!("{} {hour:02}:{minute:02}:{second:02}", shown(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_between_dates_are_told_by_the_dates_beside_them() {
        let both = |digits: i64| (last_until(digits, Kind::Date), first_from(digits, Kind::Date));
        let days = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(both(20_240_229), days("2024-02-29", "2024-02-29"));
        assert_eq!(both(20_240_150), days("2024-01-31", "2024-02-01"));
        assert_eq!(both(20_230_229), days("2023-02-28", "2023-03-01"));
        assert_eq!(both(20_240_000), days("2023-12-31", "2024-01-01"));
        assert_eq!(both(20_240_100), days("2023-12-31", "2024-01-01"));
        assert_eq!(both(20_241_300), days("2024-12-31", "2025-01-01"));
        assert_eq!(both(20_240_300), days("2024-02-29", "2024-03-01"));
        assert_eq!(both(20_241_250), days("2024-12-31", "2025-01-01"));
        let both = |digits: i64| (last_until(digits, Kind::DateTime), first_from(digits, Kind::DateTime));
        assert_eq!(both(20_240_131_235_959), days("2024-01-31 23:59:59", "2024-01-31 23:59:59"));
        assert_eq!(both(20_240_131_236_000), days("2024-01-31 23:59:59", "2024-02-01 00:00:00"));
        assert_eq!(both(20_240_131_106_170), days("2024-01-31 10:59:59", "2024-01-31 11:00:00"));
        assert_eq!(both(20_240_131_101_570), days("2024-01-31 10:15:59", "2024-01-31 10:16:00"));
        assert_eq!(both(20_240_150_000_000), days("2024-01-31 23:59:59", "2024-02-01 00:00:00"));
    }

    /// Every number of some years, compared with all their days.
    #[test]
    fn the_words_select_the_same_days_as_the_number() {
        let days: Vec<Day> = std::iter::successors(Some((2023, 12, 1)), |&day| Some(next(day))).take(500).collect();
        let digits = |(year, month, day): Day| (year * 100 + month) * 100 + day;
        for number in 20_231_210..20_241_310 {
            let from = days.iter().copied().find(|&day| digits(day) >= number).unwrap();
            assert_eq!(day_from(number), from, "{number}");
            let until = days.iter().copied().rfind(|&day| digits(day) <= number).unwrap();
            assert_eq!(day_until(number), until, "{number}");
        }
    }
}
