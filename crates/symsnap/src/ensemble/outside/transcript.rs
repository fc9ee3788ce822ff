//! What a learner has written so far: bytes become lines, and lines go to the reader of their format.
//!
//! Where no format was named, lines are kept until one shows which it is. A text that shows none is taken for plain rules
//! when it ends; until then nothing of it is read.

use super::formats::{FORMATS, Format};
use super::reader::{Line, Read, Reader, Reported, Skipped};
use std::time::Duration;

/// Bytes of a line that are looked at; a longer one is skipped.
const LONGEST: usize = 1 << 20;

/// Text of another learner, as it comes.
pub struct Transcript {
    format: Option<&'static Format>,
    reader: Option<Box<dyn Reader>>,
    /// Lines that wait for a format.
    held: Vec<(String, Option<Duration>)>,
    /// The beginning of a line whose end has not come.
    rest: Vec<u8>,
    /// Whether that line is too long to be kept.
    overlong: bool,
    /// Lines that were given to the reader.
    lines: usize,
}

impl std::fmt::Debug for Transcript {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transcript").field("format", &self.format).field("lines", &self.lines).finish_non_exhaustive()
    }
}

impl Transcript {
    /// Nothing yet, in this format or one that is to be recognised.
    pub fn new(format: Option<&'static Format>) -> Self {
        let reader = format.map(|format| (format.reader)());
        Transcript { format, reader, held: Vec::new(), rest: Vec::new(), overlong: false, lines: 0 }
    }

    /// The format, once it is known.
    pub fn format(&self) -> Option<&'static Format> {
        self.format
    }

    /// Take in what was written; `heard` says when, if somebody was there to see.
    pub fn read(&mut self, bytes: &[u8], heard: Option<Duration>) -> Vec<Result<Reported, Skipped>> {
        let mut found = Vec::new();
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            if self.rest.len() + piece.len() > LONGEST {
                self.overlong = true;
                self.rest.truncate(LONGEST.min(200));
            } else if !self.overlong {
                self.rest.extend_from_slice(piece);
            }
            if piece.ends_with(b"\n") {
                self.end_line(heard, &mut found);
            }
        }
        found
    }

    /// There is no more. A last line without an end counts unless it was `cut` off or ends in the midst of a rule.
    pub fn end(&mut self, cut: bool) -> Vec<Result<Reported, Skipped>> {
        let mut found = Vec::new();
        if !self.rest.is_empty() && !cut {
            self.end_line(None, &mut found);
        }
        if self.reader.is_none() {
            self.begin(FORMATS.last().expect("there are formats"), &mut found);
        }
        if let Some(reader) = &mut self.reader {
            reader.end(&mut found);
        }
        found
    }

    fn end_line(&mut self, heard: Option<Duration>, found: &mut Vec<Read>) {
        let bytes = std::mem::take(&mut self.rest);
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim_end_matches(['\n', '\r']);
        if std::mem::take(&mut self.overlong) {
            self.lines += 1;
            let number = self.lines + self.held.len();
            return found.push(Err(Skipped::new(number, text, "a line of more than a megabyte")));
        }
        if self.reader.is_some() {
            return self.give(text, heard, found);
        }
        let format = FORMATS.iter().find(|format| (format.recognises)(text));
        self.held.push((text.to_owned(), heard));
        if let Some(format) = format {
            self.begin(format, found);
        }
    }

    /// The text has this format.
    fn begin(&mut self, format: &'static Format, found: &mut Vec<Read>) {
        (self.format, self.reader) = (Some(format), Some((format.reader)()));
        for (text, heard) in std::mem::take(&mut self.held) {
            self.give(&text, heard, found);
        }
    }

    fn give(&mut self, text: &str, heard: Option<Duration>, found: &mut Vec<Read>) {
        self.lines += 1;
        if let Some(reader) = &mut self.reader {
            reader.line(Line { text, number: self.lines, heard }, found);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ensemble::outside::format_named;

    fn all(format: Option<&str>, text: &str) -> Vec<Read> {
        let mut transcript = Transcript::new(format.map(|name| format_named(name).unwrap()));
        let mut found = transcript.read(text.as_bytes(), None);
        found.extend(transcript.end(false));
        found
    }

    /// The hypotheses with their lines.
    pub(in super::super) fn rules(format: Option<&str>, text: &str) -> Vec<(usize, String)> {
        all(format, text).into_iter().flatten().map(|found| (found.line, found.rules)).collect()
    }

    /// The times of the hypotheses, in seconds.
    pub(in super::super) fn times(format: Option<&str>, text: &str) -> Vec<Option<f64>> {
        all(format, text).into_iter().flatten().map(|found| found.elapsed.map(|it| it.as_secs_f64())).collect()
    }

    pub(in super::super) fn skipped(format: Option<&str>, text: &str) -> Vec<Skipped> {
        all(format, text).into_iter().filter_map(Result::err).collect()
    }

    const TEXTS: [(&str, &str); 8] = [
        ("jsonl", "hello\n{\"rules\":[\"f(A) :- p(A).\"]}\n{\"rules\":[\"f(a).\"]}\n"),
        ("popper", "hello\nNew best hypothesis:\nf(A):- p(A).\n***\nNew best hypothesis:\nf(a).\n***\n"),
        ("aleph", "hello\n[best clause]\nf(A) :-\n  p(A).\n[5/5]\n[best clause]\nf(a).\n[1/1]\n"),
        ("anyburl", "5\t4\t0.8\tf(X,Y) <= p(X,Y)\n5\t4\t0.7\tf(X,a) <= p(X,Y)\n"),
        ("amie", "?a  p  ?b   => ?a  f  ?b\t1\t1\t1\t3\n?b  p  ?a   => ?a  f  ?b\t1\t0.5\t1\t3\n"),
        ("metagol", "% learning f/1\n% clauses: 1\nf(A):-p(A).\n\nf(A):-q(A).\n"),
        ("ilasp", "%% Solution 1\nf(V1) :- p(V1), not q(V1).\n\n%% Solution 2\nf(V1) :- p(V1).\n"),
        ("plain", "hello\n\nf(A) :- p(A).\n\nf(A) :-\n   q(A).\n"),
    ];

    #[test]
    fn each_format_is_recognised_and_gives_the_same_when_it_is_named() {
        for (name, text) in TEXTS {
            let mut transcript = Transcript::new(None);
            transcript.read(text.as_bytes(), None);
            transcript.end(false);
            assert_eq!(transcript.format().unwrap().name, name);
            let found = all(None, text);
            assert_eq!((found.len(), &found), (2, &all(Some(name), text)), "{name}");
            assert!(found.iter().all(Result::is_ok), "{name}: {found:?}");
        }
    }

    #[test]
    fn text_that_comes_byte_by_byte_gives_the_same() {
        for (name, text) in TEXTS {
            let mut transcript = Transcript::new(None);
            let mut found: Vec<Read> = text.bytes().flat_map(|byte| transcript.read(&[byte], None)).collect();
            found.extend(transcript.end(false));
            assert_eq!(found, all(None, text), "{name}");
        }
    }

    #[test]
    fn hypotheses_come_with_the_moment_of_their_lines() {
        let mut transcript = Transcript::new(None);
        let mut found =
            transcript.read(b"{\"rules\":[\"f(a).\"],\"elapsed_s\":99}\n{\"ru", Some(Duration::from_secs(3)));
        found.extend(transcript.read(b"les\":[\"f(b).\"]}\n", Some(Duration::from_secs(7))));
        let times: Vec<u64> = found.into_iter().flatten().map(|found| found.elapsed.unwrap().as_secs()).collect();
        assert_eq!(times, [3, 7]);
    }

    #[test]
    fn lines_without_end_and_bytes_that_are_no_text_are_only_skipped() {
        let mut transcript = Transcript::new(None);
        let long = vec![b'{'; 3 << 20];
        assert!(transcript.read(&long, None).is_empty());
        let found = transcript.read(b"\n\xff\xfe{\n{\"rules\":[\"f(a).\"]}\n{\"rules\":[\"f(b)", None);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].as_ref().is_err_and(|it| it.line == 1 && it.reason.contains("megabyte")));
        assert!(found[1].as_ref().is_ok_and(|it| it.line == 3));
        assert!(transcript.rest.len() < 100 && transcript.end(true).is_empty());
    }

    #[test]
    fn a_format_is_found_by_its_name_and_a_slip_of_the_pen_is_undone() {
        assert!(format_named("alephh").unwrap_err().starts_with("there is no format `alephh` (did you mean `aleph`?)"));
    }
}
