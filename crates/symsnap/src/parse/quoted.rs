//! Quoted atoms, strings and back-quoted texts: everything between quotes, with the escapes of ISO Prolog and
//! SWI-Prolog.
//!
//! A quote may hold line ends, as SWI-Prolog allows; one that is never closed is reported where it begins, and ends
//! the text (looking for a likelier end would make the scan quadratic and the following messages guesses).

use super::Span;
use super::lexer::{Lexed, Lexer};
use crate::error::Diagnostic;
use std::borrow::Cow;

impl<'s> Lexer<'_, 's> {
    /// The content of the quote that begins here.
    pub(super) fn quoted(&mut self, quote: char) -> Lexed<Cow<'s, str>> {
        let quiet = self.quiet;
        let result = self.content(quote);
        self.quiet = quiet;
        result
    }

    fn content(&mut self, quote: char) -> Lexed<Cow<'s, str>> {
        let start = self.at;
        self.at += 1;
        let first = self.at;
        let mut owned: Option<String> = None;
        let mut copied = first;
        let mut trouble: Option<Box<Diagnostic>> = None;
        loop {
            let rest = &self.bytes[self.at..];
            let Some(length) = rest.iter().position(|&byte| byte == quote as u8 || byte == b'\\') else {
                self.at = self.bytes.len();
                if let Some(finding) = trouble {
                    return Err(finding);
                }
                let span = Span::new(start, start + 1);
                let message = format!("this {} is never closed", noun(quote));
                return Err(self.error(span, &message, &format!("add the closing {quote}")));
            };
            self.at += length;
            if self.bytes[self.at] == b'\\' {
                let text = owned.get_or_insert_default();
                text.push_str(&self.source.text[copied..self.at]);
                match self.escape() {
                    Ok(Some(c)) => text.push(c),
                    Ok(None) => {}
                    Err(finding) => {
                        trouble = trouble.or(Some(finding));
                        self.quiet = true;
                    }
                }
                copied = self.at;
            } else if self.peek(1) == Some(quote as u8) {
                let text = owned.get_or_insert_default();
                text.push_str(&self.source.text[copied..=self.at]);
                self.at += 2;
                copied = self.at;
            } else {
                let tail = &self.source.text[copied..self.at];
                self.at += 1;
                if let Some(finding) = trouble {
                    return Err(finding);
                }
                return Ok(match owned {
                    Some(text) => Cow::Owned(text + tail),
                    None => Cow::Borrowed(tail),
                });
            }
        }
    }

    /// The character that the escape here stands for; `None` for a continued line. Moves behind it, in any case by at
    /// least the backslash.
    pub(super) fn escape(&mut self) -> Lexed<Option<char>> {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.peek_char() else { return Ok(None) };
        self.at += c.len_utf8();
        let plain = match c {
            '\n' => return Ok(None),
            '\r' if self.peek(0) == Some(b'\n') => {
                self.at += 1;
                return Ok(None);
            }
            'c' => {
                while self.peek_char().is_some_and(char::is_whitespace) {
                    self.at += self.peek_char().map_or(0, char::len_utf8);
                }
                return Ok(None);
            }
            '\\' | '\'' | '"' | '`' => c,
            'a' => '\u{7}',
            'b' => '\u{8}',
            'd' => '\u{7f}',
            'e' => '\u{1b}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            's' => ' ',
            't' => '\t',
            'v' => '\u{b}',
            'x' => return self.code(start, 16, usize::MAX, true).map(Some),
            '0'..='7' => {
                self.at -= 1;
                return self.code(start, 8, usize::MAX, true).map(Some);
            }
            'u' => return self.code(start, 16, 4, false).map(Some),
            'U' => return self.code(start, 16, 8, false).map(Some),
            _ => {
                let span = self.span_from(start);
                let shown = if c.is_control() { "\u{fffd}".to_owned() } else { c.to_string() };
                let message = format!("`\\{shown}` is not an escape that Prolog knows");
                return Err(self.error(span, &message, "write `\\\\` for a backslash"));
            }
        };
        Ok(Some(plain))
    }

    /// A character by its number: exactly `limit` digits, or, if `closed`, up to `limit` digits and a backslash.
    fn code(&mut self, start: usize, radix: u32, limit: usize, closed: bool) -> Lexed<char> {
        let mut value: u32 = 0;
        let mut digits = 0;
        while digits < limit {
            let Some(digit) = self.peek(0).and_then(|byte| char::from(byte).to_digit(radix)) else { break };
            value = value.saturating_mul(radix).saturating_add(digit);
            digits += 1;
            self.at += 1;
        }
        let enough = if closed { digits > 0 } else { digits == limit };
        if closed && self.peek(0) == Some(b'\\') {
            self.at += 1;
        }
        match char::from_u32(value).filter(|_| enough) {
            Some(c) => Ok(c),
            None => {
                let span = self.span_from(start);
                let shown = self.source.quote(span, 20);
                let message = format!("`{shown}` is not the number of a character");
                Err(self.error(span, &message, "write `\\x41\\`, `\\101\\` or `\\u0041` for `A`"))
            }
        }
    }
}

fn noun(quote: char) -> &'static str {
    match quote {
        '\'' => "quoted atom",
        '"' => "string",
        _ => "back-quoted text",
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Dialect, Text, TokenKind};
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let source = Text::new("t", text);
        let mut lexer = Lexer::new(&source, Dialect::Prolog);
        let token = lexer.next_token().map_err(|finding| finding.message)?;
        assert_eq!(lexer.next_token().map(|token| token.kind), Ok(TokenKind::Eof), "{text}");
        match token.kind {
            TokenKind::Quoted(content) | TokenKind::Str(content) | TokenKind::BackQuoted(content) => {
                Ok(content.into_owned())
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn escapes_stand_for_what_swi_prolog_says() {
        let cases = [
            ("'a b'", "a b"),
            ("'it''s'", "it's"),
            ("\"a\"\"b\"", "a\"b"),
            ("\"it''s\"", "it''s"),
            ("`x``y`", "x`y"),
            (r"'\n\t\r\a\b\f\v\e\s\d\\'", "\n\t\r\u{7}\u{8}\u{c}\u{b}\u{1b} \u{7f}\\"),
            (r#"'\'\"\`'"#, "'\"`"),
            (r"'\x41\b'", "Ab"),
            (r"'\x41'", "A"),
            (r"'\101\b\101b'", "AbAb"),
            (r"'\u00e9\U0001F600'", "é😀"),
            ("'a\\\nb'", "ab"),
            ("'a\\\r\nb'", "ab"),
            ("'a\\c \n  b'", "ab"),
            ("'a\nb'", "a\nb"),
            ("''", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn bad_escapes_and_open_quotes_are_errors() {
        let cases = [
            (r"'\q'", r"`\q` is not an escape that Prolog knows"),
            (r"'\xzz'", r"`\x` is not the number of a character"),
            (r"'\xd800\'", r"`\xd800\` is not the number of a character"),
            (r"'\xfffffffffffffffffffffff\'", r"`\xffffffffffffffffff...` is not the number of a character"),
            (r"'\u12'", r"`\u12` is not the number of a character"),
            ("'abc", "this quoted atom is never closed"),
            ("\"abc\\", "this string is never closed"),
            ("`abc'", "this back-quoted text is never closed"),
        ];
        for (text, expected) in cases {
            let source = Text::new("t", text);
            let finding = Lexer::new(&source, Dialect::Prolog).next_token().unwrap_err();
            assert_eq!(finding.message, expected, "{text}");
        }
    }
}
