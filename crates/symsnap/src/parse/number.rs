//! Numbers: decimal with digit groups, other radices, character codes, floats.

use super::TokenKind;
use super::lexer::{Dialect, Lexed, Lexer};
use crate::logic::BigInt;
use num_bigint::Sign;

/// The most digits of a number: reading takes time in the square of their number, for this many some milliseconds.
const MAX_DIGITS: usize = 100_000;

impl<'s> Lexer<'_, 's> {
    /// The number that begins here, with a digit.
    pub(super) fn number(&mut self, dialect: Dialect) -> Lexed<TokenKind<'s>> {
        let start = self.at;
        let kind = match (self.peek(0), self.peek(1)) {
            (Some(b'0'), Some(b'\'')) if dialect == Dialect::Prolog => match self.character_code()? {
                Some(kind) => kind,
                None => self.decimal(dialect)?,
            },
            (Some(b'0'), Some(b'x')) if self.is_digit(2, 16) => self.radix(2, 16)?,
            (Some(b'0'), Some(b'o')) if self.is_digit(2, 8) => self.radix(2, 8)?,
            (Some(b'0'), Some(b'b')) if self.is_digit(2, 2) => self.radix(2, 2)?,
            _ => self.decimal(dialect)?,
        };
        if self.peek_char().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            self.skip_name();
            let span = self.span_from(start);
            let shown = self.source.quote(span, 40);
            let message = format!("`{shown}` is neither a number nor a name");
            return Err(self.error(span, &message, &format!("if it is a name, quote it: '{shown}'")));
        }
        Ok(kind)
    }

    fn is_digit(&self, ahead: usize, radix: u32) -> bool {
        self.peek(ahead).is_some_and(|byte| char::from(byte).is_digit(radix))
    }

    /// `0'a`, `0'\n`, `0'''`; `None` if no character follows the quote.
    fn character_code(&mut self) -> Lexed<Option<TokenKind<'s>>> {
        let start = self.at;
        self.at += 2;
        let code = match self.peek_char() {
            None => {
                self.at = start;
                return Ok(None);
            }
            Some('\\') => self.escape()?,
            Some('\'') => {
                self.at += if self.peek(1) == Some(b'\'') { 2 } else { 1 };
                Some('\'')
            }
            Some(c) => {
                self.at += c.len_utf8();
                Some(c)
            }
        };
        match code {
            Some(c) => Ok(Some(TokenKind::Int(i64::from(u32::from(c))))),
            None => {
                let span = self.span_from(start);
                Err(self.error(span, "a character is expected after `0'`", "for example `0'a`"))
            }
        }
    }

    fn radix(&mut self, prefix: usize, radix: u32) -> Lexed<TokenKind<'s>> {
        self.at += prefix;
        Ok(self.integer(radix)?.0)
    }

    /// The digits from here, and whether they stand in groups.
    fn integer(&mut self, radix: u32) -> Lexed<(TokenKind<'s>, bool)> {
        let start = self.at;
        let (mut value, mut grouped) = (0i64, false);
        // All digits, once they are too many for 64 bits.
        let mut digits: Vec<u8> = Vec::new();
        loop {
            let Some(digit) = self.peek(0).and_then(|byte| char::from(byte).to_digit(radix)) else {
                if !self.skip_separator(radix) {
                    break;
                }
                grouped = true;
                continue;
            };
            self.at += 1;
            let next = value.checked_mul(i64::from(radix)).and_then(|value| value.checked_add(i64::from(digit)));
            match next {
                Some(next) if digits.is_empty() => value = next,
                _ => {
                    if digits.is_empty() {
                        digits = BigInt::from(value).to_radix_be(radix).1;
                    }
                    digits.push(u8::try_from(digit).expect("a radix is at most 36"));
                }
            }
        }
        if digits.is_empty() {
            return Ok((TokenKind::Int(value), grouped));
        }
        let big = if digits.len() <= MAX_DIGITS { BigInt::from_radix_be(Sign::Plus, &digits, radix) } else { None };
        match big {
            Some(big) => Ok((TokenKind::Big(Box::new(big)), grouped)),
            None => {
                let message = format!("this integer has {} digits", digits.len());
                let help = format!("an integer in a file may have {MAX_DIGITS}");
                Err(self.error(self.span_from(start), &message, &help))
            }
        }
    }

    /// Skip what may stand between two groups of digits, as SWI-Prolog has it: `_` and any layout behind it, or, where
    /// the radix is at most 10, a single blank.
    fn skip_separator(&mut self, radix: u32) -> bool {
        let start = self.at;
        match self.peek(0) {
            Some(b'_') => {
                self.at += 1;
                if self.skip_layout().is_err() {
                    self.at = start;
                    return false;
                }
            }
            Some(b' ') if radix <= 10 && self.dialect() == Dialect::Prolog => self.at += 1,
            _ => return false,
        }
        if self.is_digit(0, radix) {
            return true;
        }
        self.at = start;
        false
    }

    fn decimal(&mut self, dialect: Dialect) -> Lexed<TokenKind<'s>> {
        let start = self.at;
        let (whole, grouped) = self.integer(10)?;
        let end = self.at;
        let fraction = self.peek(0) == Some(b'.') && self.is_digit(1, 10);
        // Answer-set programs have no floats, and no statement begins with a digit; bounds of numbers may be floats.
        if dialect == Dialect::AnswerSet && !fraction {
            return Ok(whole);
        }
        if self.peek(0) == Some(b'\'')
            && !grouped
            && let TokenKind::Int(radix @ 2..=36) = whole
            && let Ok(radix) = u32::try_from(radix)
            && self.is_digit(1, radix)
        {
            return self.radix(1, radix);
        }
        if fraction {
            self.at += 1;
            self.skip_digits();
        }
        if fraction && let Some(special) = self.special_float() {
            return Ok(special);
        }
        let exponent = (fraction || !grouped)
            && matches!(self.peek(0), Some(b'e' | b'E'))
            && (self.is_digit(1, 10) || matches!(self.peek(1), Some(b'+' | b'-')) && self.is_digit(2, 10));
        if exponent {
            self.at += 2;
            self.skip_digits();
        }
        if !fraction && !exponent {
            return Ok(whole);
        }
        let span = self.span_from(start);
        let rest = &self.source.text[end..self.at];
        let digits = match whole {
            TokenKind::Int(whole) => format!("{whole}{rest}"),
            TokenKind::Big(whole) => format!("{whole}{rest}"),
            _ => unreachable!("`integer` reads integers"),
        };
        match digits.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(TokenKind::Float(value)),
            _ => {
                let shown = self.source.quote(span, 40);
                let message = format!("the float `{shown}` is out of range");
                Err(self.error(span, &message, "the largest float is about 1.8e308; infinity is 1.0Inf"))
            }
        }
    }

    fn skip_digits(&mut self) {
        while self.is_digit(0, 10) {
            self.at += 1;
        }
    }

    /// `1.0Inf` and `1.5NaN`.
    fn special_float(&mut self) -> Option<TokenKind<'s>> {
        let rest = &self.bytes[self.at..];
        let value = if rest.starts_with(b"Inf") {
            f64::INFINITY
        } else if rest.starts_with(b"NaN") {
            f64::NAN
        } else {
            return None;
        };
        self.at += 3;
        Some(TokenKind::Float(value))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Text;
    use super::*;

    fn read(text: &str) -> Result<TokenKind<'_>, String> {
        let source = Text::new("t", text);
        let mut lexer = Lexer::new(&source, Dialect::Prolog);
        let token = lexer.next_token().map_err(|finding| finding.message)?;
        assert_eq!(lexer.next_token().map(|token| token.kind), Ok(TokenKind::Eof), "{text}");
        Ok(token.kind)
    }

    #[test]
    fn integers_read_in_every_notation() {
        let cases = [
            ("0", 0),
            ("42", 42),
            ("1_000_000", 1_000_000),
            ("0xFF", 255),
            ("0o17", 15),
            ("0b101", 5),
            ("16'ff", 255),
            ("36'Zz", 1295),
            ("0'a", 97),
            ("0' ", 32),
            ("0'\\n", 10),
            ("0'''", 39),
            ("0''", 39),
            ("0'é", 233),
            ("9223372036854775807", i64::MAX),
        ];
        for (text, value) in cases {
            assert_eq!(read(text), Ok(TokenKind::Int(value)), "{text}");
        }
    }

    #[test]
    fn integers_beyond_64_bits_read_in_every_notation() {
        let big = |value: BigInt| Ok(TokenKind::Big(Box::new(value)));
        assert_eq!(read("9223372036854775808"), big(BigInt::from(1u64 << 63)));
        assert_eq!(read("0xFFFFFFFFFFFFFFFFFFFFFFFFF"), big((BigInt::from(1) << 100) - 1));
        assert_eq!(
            read("2'1 0000000000000000000000000000000000000000000000000000000000000000"),
            big(BigInt::from(1) << 64)
        );
        assert_eq!(read("1_000_000_000_000_000_000_000"), big(BigInt::from(10).pow(21)));
        assert_eq!(read("100000000000000000000.5"), Ok(TokenKind::Float(1e20)));
    }

    #[test]
    fn an_integer_of_a_million_digits_is_refused_at_once() {
        let text = "7".repeat(1_000_000);
        assert_eq!(read(&text).unwrap_err(), "this integer has 1000000 digits");
    }

    #[test]
    fn digit_groups_read_as_swi_prolog_reads_them() {
        let cases = [
            ("137 438 953 472", 137_438_953_472),
            ("1 2", 12),
            ("1_000 000", 1_000_000),
            ("1_ % thousand\n 000", 1000),
            ("1_/* thousand */000", 1000),
            ("0b1 1", 3),
            ("8'1 1", 9),
            ("16'1_1", 17),
        ];
        for (text, value) in cases {
            assert_eq!(read(text), Ok(TokenKind::Int(value)), "{text}");
        }
        assert_eq!(read("1 000.5"), Ok(TokenKind::Float(1000.5)));
        for text in ["1_000e5", "1__000", "1_", "1_000Inf"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn floats_read_as_swi_prolog_reads_them() {
        let cases = [
            ("0.5", 0.5),
            ("1.0e10", 1e10),
            ("1e10", 1e10),
            ("1E5", 1e5),
            ("1.5e-3", 0.0015),
            ("1e+2", 100.0),
            ("1.0Inf", f64::INFINITY),
        ];
        for (text, value) in cases {
            assert_eq!(read(text), Ok(TokenKind::Float(value)), "{text}");
        }
        assert!(matches!(read("1.5NaN"), Ok(TokenKind::Float(value)) if value.is_nan()));
    }

    #[test]
    fn what_is_no_number_is_an_error() {
        assert_eq!(read("12abc").unwrap_err(), "`12abc` is neither a number nor a name");
        assert_eq!(read("1.0e").unwrap_err(), "`1.0e` is neither a number nor a name");
        assert_eq!(read("1e400").unwrap_err(), "the float `1e400` is out of range");
        assert_eq!(read("0'\\\n").unwrap_err(), "a character is expected after `0'`");
    }
}
