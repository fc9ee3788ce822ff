//! What a reader of another learner's output is given, and what it gives back.

use std::time::Duration;

/// A hypothesis as text, and where it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    /// Its rules, as Prolog.
    pub rules: String,
    /// The line of its first rule, from 1.
    pub line: usize,
    /// When it was found, if the text or the clock says so.
    pub elapsed: Option<Duration>,
    /// Whether it is one rule of a dump, which joins the rules taken before if they are better with it, rather than a
    /// hypothesis of its own.
    pub joins: bool,
}

impl Reported {
    /// A hypothesis of its own.
    pub(super) fn whole(rules: String, line: usize, elapsed: Option<Duration>) -> Self {
        Reported { rules, line, elapsed, joins: false }
    }
}

/// What was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The line where it begins, from 1.
    pub line: usize,
    /// The beginning of it.
    pub text: String,
    /// Why.
    pub reason: String,
}

/// Characters of a text that are shown.
const SHOWN: usize = 80;

impl Skipped {
    /// `text` at `line` is not taken for this reason.
    pub(super) fn new(line: usize, text: &str, reason: impl Into<String>) -> Self {
        let mut words = text.split_whitespace();
        let mut shown = String::new();
        while shown.chars().count() <= SHOWN
            && let Some(word) = words.next()
        {
            if !shown.is_empty() {
                shown.push(' ');
            }
            shown.push_str(word);
        }
        if shown.chars().count() > SHOWN || words.next().is_some() {
            shown = shown.chars().take(SHOWN).collect::<String>() + "...";
        }
        Skipped { line, text: shown, reason: reason.into() }
    }
}

/// A hypothesis, or why there is none.
pub(super) type Read = Result<Reported, Skipped>;

/// A whole line of what was written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'t> {
    /// Without its end.
    pub(super) text: &'t str,
    /// Its number, from 1.
    pub(super) number: usize,
    /// When it came, if somebody was there to see.
    pub(super) heard: Option<Duration>,
}

/// Reads one format, line by line.
pub(super) trait Reader: Send {
    /// Take in the next line; what is complete with it goes to `found`.
    fn line(&mut self, line: Line<'_>, found: &mut Vec<Read>);

    /// There are no more lines.
    fn end(&mut self, found: &mut Vec<Read>);
}

/// Whether a text is a rule or several, as far as its ends show: blocks of other words are chatter.
pub(super) fn looks_like_rules(text: &str) -> bool {
    text.contains('(') && text.lines().any(|line| without_comment(line).ends_with('.'))
}

/// The line without a comment at its end. A `%` in quotes is no comment; a quote that does not end on the line has none.
pub(super) fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match quote {
            None if c == '%' => return line[..at].trim_end(),
            None if c == '\'' || c == '"' => quote = Some(c),
            Some(open) if c == open => quote = None,
            _ => {}
        }
    }
    line.trim_end()
}

/// Rules on lines of their own, as they are collected.
#[derive(Debug, Default)]
pub(super) struct Block {
    rules: String,
    line: usize,
    elapsed: Option<Duration>,
}

impl Block {
    /// Add a line to it.
    pub(super) fn push(&mut self, text: &str, number: usize, elapsed: Option<Duration>) {
        if self.rules.is_empty() {
            (self.line, self.elapsed) = (number, elapsed);
        } else {
            self.rules.push('\n');
        }
        self.rules.push_str(text);
    }

    /// Whether it has nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// What it has, which leaves it empty.
    pub(super) fn take(&mut self) -> Option<Reported> {
        let Block { rules, line, elapsed } = std::mem::take(self);
        (!rules.is_empty()).then(|| Reported::whole(rules, line, elapsed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_of_a_text_is_short_and_on_one_line() {
        assert_eq!(Skipped::new(3, "f(A) :-\n   p(A).", "so").text, "f(A) :- p(A).");
        let long = "x ".repeat(2_000_000);
        assert!(Skipped::new(1, &long, "long").text.len() < 90);
        assert!(Skipped::new(1, &"é".repeat(500), "long").text.ends_with("é..."));
    }

    #[test]
    fn comments_end_lines_but_not_within_quotes() {
        assert_eq!(without_comment("f(a). % so"), "f(a).");
        assert_eq!(without_comment("f('50%')."), "f('50%').");
        assert_eq!(without_comment("% only"), "");
        assert!(looks_like_rules("f(A):-\n  p(A). % good") && !looks_like_rules("Hello. World (again)"));
    }
}
