//! A text with a name, and the way from a byte offset to a place that people can find.
//!
//! Tokens and trees carry byte spans only. A line number is counted when a message needs one, by a scan of the text:
//! a file of a million facts without errors never pays for a line table. [`Places`] is for the caller that needs a
//! place for every clause: it remembers where it counted last and goes on from there.

use super::Span;
use super::term::offset;
use crate::error::{Diagnostic, Excerpt, Location};
use crate::index::narrow;
use std::sync::Arc;

/// How many characters of a line a message shows.
const WINDOW: usize = 100;
/// How many characters of the window stand before the caret, at most.
const LEAD: usize = 60;
/// The byte-order mark that some editors put before UTF-8 text.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A text with the name that messages about it use: a file, or where else it came from. Made of a `&str`, the name is `<text>`.
#[derive(Debug, Clone)]
pub struct Text<'s> {
    /// The file as the user named it, or a description such as `<program>`.
    pub(crate) name: Arc<str>,
    /// The text.
    #[doc(hidden)]
    pub text: &'s str,
}

impl<'s> Text<'s> {
    /// `text` under `name`.
    pub fn new(name: impl Into<Arc<str>>, text: &'s str) -> Self {
        Text { name: name.into(), text }
    }

    /// The bytes of a file as a source.
    ///
    /// # Errors
    /// If the bytes are not UTF-8, with the place of the first wrong one.
    #[doc(hidden)]
    pub fn from_bytes(name: impl Into<Arc<str>>, bytes: &'s [u8]) -> Result<Self, Box<Diagnostic>> {
        let name = name.into();
        std::str::from_utf8(bytes).map(|text| Text { name: name.clone(), text }).map_err(|error| {
            let good = error.valid_up_to();
            let text = std::str::from_utf8(&bytes[..good]).expect("valid up to there");
            let location = Text { name, text }.location(offset(good));
            let finding = Diagnostic::error(format!("byte {:#04x} is not UTF-8 text", bytes[good])).at(location);
            Box::new(finding.with_help("save the file as UTF-8 (plain ASCII is UTF-8 too)"))
        })
    }

    /// Where byte `offset` stands. Counts from the beginning of the text; see [`Places`] for many.
    pub(crate) fn location(&self, offset: u32) -> Location {
        Places::new(self).location(offset)
    }

    /// The line around byte `span.start`, cut to a window, with carets under the span.
    #[doc(hidden)]
    pub fn excerpt(&self, span: Span) -> Excerpt {
        let start = self.floor(span.start as usize);
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_start = if line_start == 0 { self.bom_len() } else { line_start };
        let before: Vec<char> = self.text[line_start.min(start)..start].chars().rev().take(LEAD).collect();
        let rest = self.text[start..].chars().take_while(|&c| c != '\n' && c != '\r').take(WINDOW - before.len());
        let shown: String = before.iter().rev().copied().chain(rest).map(printable).collect();
        let end = self.floor(span.end as usize).max(start);
        let width = self.text[start..end].chars().take_while(|&c| c != '\n' && c != '\r').take(WINDOW).count();
        let line = shown.trim_end().to_owned();
        let room = line.chars().count().saturating_sub(before.len());
        Excerpt { caret: before.len(), width: width.min(room).max(1), line }
    }

    /// An error about `span`.
    pub(crate) fn error(&self, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        self.place(Diagnostic::error(message), span)
    }

    /// The finding with location and excerpt of `span`.
    pub(crate) fn place(&self, finding: Diagnostic, span: Span) -> Box<Diagnostic> {
        Box::new(finding.at(self.location(span.start)).with_excerpt(self.excerpt(span)))
    }

    /// The text of `span`, shortened to at most `limit` characters, for quoting in a message.
    pub(crate) fn quote(&self, span: Span, limit: usize) -> String {
        let text = &self.text[self.floor(span.start as usize)..self.floor(span.end as usize)];
        let mut shown: String = text.chars().take(limit).map(printable).collect();
        if shown.len() < text.len() && text.chars().nth(limit).is_some() {
            shown.push_str("...");
        }
        shown
    }

    /// How many bytes of byte-order mark the text begins with.
    pub(crate) fn bom_len(&self) -> usize {
        if self.text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
    }

    /// The last character boundary at or before `at`.
    fn floor(&self, at: usize) -> usize {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

impl<'s> From<&'s str> for Text<'s> {
    /// A text without a file.
    fn from(text: &'s str) -> Self {
        Text::new("<text>", text)
    }
}

/// Counts lines forward, for callers that ask for places in the order of the text.
#[derive(Debug, Clone)]
pub struct Places<'a, 's> {
    source: &'a Text<'s>,
    line: u32,
    line_start: usize,
}

impl<'a, 's> Places<'a, 's> {
    /// At the beginning of `source`.
    pub(crate) fn new(source: &'a Text<'s>) -> Self {
        Places { source, line: 1, line_start: source.bom_len() }
    }

    /// Where byte `offset` stands. Cheap if offsets do not decrease; correct in any order.
    pub fn location(&mut self, offset: u32) -> Location {
        let offset = self.source.floor(offset as usize);
        if offset < self.line_start {
            *self = Places::new(self.source);
        }
        let bytes = self.source.text.as_bytes();
        let from = self.line_start.min(offset);
        for (at, &byte) in bytes[from..offset].iter().enumerate() {
            if byte == b'\n' {
                self.line += 1;
                self.line_start = from + at + 1;
            }
        }
        let column = narrow::<_, u32>(self.source.text[self.line_start.min(offset)..offset].chars().count()) + 1;
        Location { file: self.source.name.clone(), line: self.line, column }
    }
}

/// Tabs and other control characters would tear the caret from its place.
fn printable(c: char) -> char {
    match c {
        '\n' | '\r' | '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let source = Text::new("t", "\u{feff}a\r\nbé c\n");
        let at = |offset: usize| {
            let place = source.location(offset as u32);
            (place.line, place.column)
        };
        let text = source.text;
        assert_eq!(at(text.find('a').unwrap()), (1, 1));
        assert_eq!(at(text.find('b').unwrap()), (2, 1));
        assert_eq!(at(text.find('c').unwrap()), (2, 4));
        assert_eq!(at(text.len()), (3, 1));
        assert_eq!(at(text.len() + 100), (3, 1));
    }

    #[test]
    fn places_in_order_equal_places_from_the_beginning() {
        let text = "ab\n\ncd é\n e\n".repeat(5);
        let source = Text::new("t", &text);
        let mut places = Places::new(&source);
        for offset in (0..=text.len() as u32).chain([3, 40, 7]) {
            assert_eq!(places.location(offset), source.location(offset), "offset {offset}");
        }
    }

    #[test]
    fn a_long_line_gives_a_short_excerpt() {
        let text = format!("{}\tX{}", "a".repeat(5_000_000), "b".repeat(5_000_000));
        let source = Text::new("t", &text);
        let start = text.find('X').unwrap() as u32;
        let excerpt = source.excerpt(Span { start, end: start + 1 });
        assert_eq!(excerpt.line.chars().count(), WINDOW);
        assert_eq!(excerpt.line.chars().nth(excerpt.caret), Some('X'));
        assert_eq!(excerpt.line.chars().nth(excerpt.caret - 1), Some(' '));
        assert_eq!(excerpt.width, 1);
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_reported_at_their_place() {
        let finding = Text::from_bytes("bk.pl", b"p(a).\nq(\xff).").unwrap_err();
        assert_eq!(
            finding.to_string(),
            "bk.pl:2:3: error: byte 0xff is not UTF-8 text\n  help: save the file as UTF-8 (plain ASCII is UTF-8 too)"
        );
    }
}
