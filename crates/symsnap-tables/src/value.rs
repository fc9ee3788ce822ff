//! What the text of a cell means: a number, a date, a truth value, or the name of something.

use symsnap::Value;

/// A whole number: digits with or without a sign. Leading zeros make a name (`00187` is a code, not a quantity), and so do more
/// than 64 bits.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (plain && (digits.len() == 1 || !digits.starts_with('0'))).then(|| text.parse().ok()).flatten()
}

/// A whole number, also as it is written by programs whose columns with gaps hold fractions only: `5.0`.
pub(crate) fn whole(text: &str) -> Option<i64> {
    let point = text.split_once('.').filter(|(_, zeros)| !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0'));
    integer(point.map_or(text, |(before, _)| before))
}

/// A number with or without a fraction, finite.
pub(crate) fn float(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let whole = digits.bytes().take_while(u8::is_ascii_digit).count();
    // `inf`, `nan` and the like begin with letters; what begins with two digits of which the first is 0 is a code.
    let begins =
        whole > 0 || digits.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if !begins || (whole > 1 && digits.starts_with('0')) {
        return None;
    }
    // Adding 0.0 makes 0.0 of -0.0: the two are one number to everybody but Prolog.
    text.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number + 0.0)
}

/// Whether a text is a number that is not finite, or too large to be written as one.
pub(crate) fn is_infinite(text: &str) -> bool {
    let named = ["inf", "infinity"].contains(&text.trim_start_matches(['-', '+']).to_ascii_lowercase().as_str());
    let large = || text.bytes().any(|byte| byte.is_ascii_digit()) && text.parse::<f64>().is_ok_and(f64::is_infinite);
    named || large()
}

/// A truth value.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "1" => Some(true),
        "false" | "f" | "no" | "n" | "0" => Some(false),
        _ => None,
    }
}

/// A day of the calendar, and a time of that day if the text has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    /// The digits of the date: 20240131.
    pub(crate) day: i64,
    /// The digits of the time: 235959.
    pub(crate) time: Option<i64>,
}

impl Moment {
    /// The digits of date and time: 20240131235959.
    pub(crate) fn digits(self) -> i64 {
        self.day * 1_000_000 + self.time.unwrap_or(0)
    }
}

/// A date as ISO 8601 writes it, `2024-01-31`, with or without a time, `2024-01-31T23:59:59Z`. A blank may stand for the `T`,
/// seconds may be left out, and fractions of them are dropped. Other time zones than that of the file have no order with it.
pub(crate) fn moment(text: &str) -> Option<Moment> {
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if year == 0 || !(1..=last).contains(&day) {
        return None;
    }
    let time = match time {
        None => None,
        Some(time) => Some(clock(time)?),
    };
    Some(Moment { day: (year * 100 + month) * 100 + day, time })
}

/// The digits of a time of day.
fn clock(text: &str) -> Option<i64> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let (text, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let [hour, minute, second] = match text.matches(':').count() {
        1 if fraction == "0" => {
            let [hour, minute] = numbers(text, ':', [2, 2])?;
            [hour, minute, 0]
        }
        _ => numbers(text, ':', [2, 2, 2])?,
    };
    (hour < 24 && minute < 60 && second < 60).then_some((hour * 100 + minute) * 100 + second)
}

/// The whole numbers between separators, each with its number of digits.
fn numbers<const N: usize>(text: &str, separator: char, digits: [usize; N]) -> Option<[i64; N]> {
    let mut parts = text.split(separator);
    let mut numbers = [0; N];
    for (number, digits) in numbers.iter_mut().zip(digits) {
        let part =
            parts.next().filter(|part| part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit()))?;
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

/// A name as a term: an integer where the text is what an integer is written as, an atom otherwise. So equal texts are equal
/// terms in whichever column they stand, and different texts are different ones.
pub(crate) fn name(text: &str) -> Value<'_> {
    match integer(text) {
        Some(number) if number.to_string() == text => Value::Int(number),
        _ => Value::Atom(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_numbers_and_codes_are_not() {
        assert_eq!(["0", "-12", "+7", "9223372036854775807"].map(|text| integer(text).is_some()), [true; 4]);
        assert_eq!(["", "-", "007", "1.0", "9223372036854775808", "1e3", "١"].map(integer), [None; 7]);
        assert_eq!(["5", "5.0", "-7.00", "5.5", "5.", ".0"].map(whole), [Some(5), Some(5), Some(-7), None, None, None]);
        assert_eq!(
            ["1.5", ".5", "-0.0", "1e3", "5.", "12345678901234567890"].map(|text| float(text).is_some()),
            [true; 6]
        );
        assert_eq!(["", ".", "inf", "NaN", "1e999", "00.5", "1,5", "0x1p3", "1_000"].map(float), [None; 9]);
        assert!(float("-0.0").unwrap().is_sign_positive());
        assert_eq!(["inf", "-Infinity", "1e999", "+inf"].map(is_infinite), [true; 4]);
        assert_eq!(["info", "", "5", "e"].map(is_infinite), [false; 4]);
    }

    #[test]
    fn dates_are_their_digits() {
        let digits = |text: &str| moment(text).map(|moment| (moment.day, moment.time));
        assert_eq!(digits("2024-02-29"), Some((20_240_229, None)));
        assert_eq!(digits("2024-02-29T23:59:01Z"), Some((20_240_229, Some(235_901))));
        assert_eq!(digits("2024-02-29 07:05"), Some((20_240_229, Some(70_500))));
        assert_eq!(digits("2024-02-29 07:05:06.789"), Some((20_240_229, Some(70_506))));
        assert_eq!(moment("2024-01-31T23:59:59").unwrap().digits(), 20_240_131_235_959);
        let wrong = [
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-01-32",
            "24-01-01",
            "2024-1-1",
            "2024-01-01T24:00",
            "2024-01-01T",
            "2024-01-01T10:00+02:00",
            "2024-01-01T10",
            "0000-01-01",
            "2024-01-01 10:00:00.",
            "2024-01-01-01",
            "+024-01-01",
        ];
        for text in wrong {
            assert_eq!(moment(text), None, "{text}");
        }
    }

    #[test]
    fn names_of_digits_are_integers_only_where_they_read_back() {
        assert_eq!(name("12"), Value::Int(12));
        assert_eq!(name("-3"), Value::Int(-3));
        for text in ["012", "+12", "-0", "12.0", "d1", ""] {
            assert_eq!(name(text), Value::Atom(text));
        }
    }
}
