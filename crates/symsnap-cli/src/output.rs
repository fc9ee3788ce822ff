//! What all commands share in showing results: aligned tables, numbers, colour where it is wanted, and one place that
//! writes to standard output.
//!
//! A command builds its whole answer as text first and writes it once, so that an error half-way leaves standard
//! output empty.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use symsnap::{Confusion, Diagnostic, Error, Result, Severity};

/// How a column is aligned.
#[derive(Clone, Copy)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// A table with aligned columns, two spaces apart, and no lines. A column with nothing in it is left out.
pub struct TextTable {
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table without a row of titles.
    pub fn new(align: &[Align]) -> Self {
        TextTable { align: align.to_vec(), rows: Vec::new() }
    }

    /// Add a row of titles above columns that have something in them.
    pub fn titles(&mut self, paint: Paint, titles: &[&str]) {
        let shown = titles
            .iter()
            .enumerate()
            .map(|(column, title)| if self.width(column) > 0 { paint.title(title) } else { String::new() });
        self.rows.insert(0, shown.collect());
    }

    /// Add a row; missing cells at its end are empty.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| visible(cell)).max().unwrap_or(0)
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = (0..self.align.len()).map(|column| self.width(column)).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&self.align).zip(&widths).filter(|(_, width)| **width > 0);
            let cells: Vec<String> = cells
                .map(|((cell, align), &width)| {
                    let blanks = " ".repeat(width - visible(cell));
                    match align {
                        Align::Left => format!("{cell}{blanks}"),
                        Align::Right => format!("{blanks}{cell}"),
                    }
                })
                .collect();
            writeln!(f, "{}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// How many columns of a terminal a cell takes: escape sequences of [`Paint`] take none.
fn visible(cell: &str) -> usize {
    cell.chars().count() - (cell.matches(BOLD).count() * BOLD.len()) - (cell.matches(PLAIN).count() * PLAIN.len())
}

/// `1 rule`, `2 rules`, `1,234 rules`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// `1,234,567`.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A fraction with three digits; `-` where it has no value.
pub fn fraction(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

/// A confusion matrix as JSON spells it.
pub fn confusion_json(confusion: &Confusion) -> serde_json::Value {
    serde_json::json!({ "tp": confusion.tp, "fn": confusion.fn_, "tn": confusion.tn, "fp": confusion.fp })
}

/// A diagnostic as JSON spells it.
pub fn diagnostic_json(diagnostic: &Diagnostic) -> serde_json::Value {
    let place = diagnostic.location.as_ref();
    serde_json::json!({
        "severity": match diagnostic.severity { Severity::Error => "error", Severity::Warning => "warning" },
        "message": diagnostic.message,
        "file": place.map(|place| &*place.file),
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
        "help": diagnostic.help,
    })
}

const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

/// Bold titles on a terminal, plain text everywhere else and where `NO_COLOR` is set.
#[derive(Clone, Copy)]
pub struct Paint(bool);

impl Paint {
    /// What standard output wants.
    pub fn for_stdout() -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Paint(io::stdout().is_terminal() && !refused)
    }

    /// A title.
    pub fn title(self, text: &str) -> String {
        if self.0 { format!("{BOLD}{text}{PLAIN}") } else { text.to_owned() }
    }
}

/// Write a command's answer. A reader that went away (`symsnap check . | head -1`) is not an error.
///
/// # Errors
/// If standard output does not take it: a full disk, for example.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::Io { action: "write", path: "standard output".into(), source: error })
        }
        _ => Ok(()),
    }
}

/// Whether the command line asks for JSON; known before it is understood, for errors in it.
fn wants_json() -> bool {
    std::env::args_os().take_while(|word| word != "--").any(|word| word == "--json")
}

/// Say what ended the command: for people, or with `--json` as one object on one line.
pub fn fail(error: &Error) {
    if !wants_json() {
        return complain(error);
    }
    let findings: Vec<serde_json::Value> = match error {
        Error::Input(findings) => findings.iter().map(diagnostic_json).collect(),
        _ => {
            let message = error.to_string();
            vec![diagnostic_json(&Diagnostic::error(message.trim_start_matches("error: ")))]
        }
    };
    complain(&serde_json::json!({ "errors": findings }));
}

/// End the program because its command line is wrong, or because it asks for help or the version.
pub fn misused(error: &clap::Error) -> ! {
    if !error.use_stderr() || !wants_json() {
        error.exit();
    }
    let text = error.render().to_string();
    let message = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    fail(&Diagnostic::error(message).into());
    std::process::exit(error.exit_code());
}

/// Write to standard error; there is nowhere left to report a failure to.
pub fn complain(text: &impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// The most warnings that are shown before a run; `symsnap check` shows all.
const WARNINGS: usize = 5;

/// Write warnings about a task to standard error, each in a line or two.
pub fn warn(warnings: &[Diagnostic]) {
    for warning in warnings.iter().take(WARNINGS) {
        let mut warning = warning.clone();
        warning.excerpt = None;
        complain(&warning);
    }
    if warnings.len() > WARNINGS {
        let more = count(warnings.len() - WARNINGS, "more warning");
        complain(&format!("{more}: `symsnap check` shows all"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_have_no_trailing_blanks() {
        let mut table = TextTable::new(&[Align::Left, Align::Right, Align::Left]);
        table.row(["wagon/2", "1", "facts"]);
        table.row(["ä/1", "1,000"]);
        assert_eq!(table.to_string(), "wagon/2      1  facts\nä/1      1,000\n");
    }

    #[test]
    fn bold_titles_do_not_move_the_columns_below_them() {
        let mut table = TextTable::new(&[Align::Right, Align::Left]);
        table.row(["12345", "f(A)."]);
        table.titles(Paint(true), &["tp", "rule"]);
        let titles = format!("   {BOLD}tp{PLAIN}  {BOLD}rule{PLAIN}");
        assert_eq!(table.to_string(), format!("{titles}\n12345  f(A).\n"));
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
