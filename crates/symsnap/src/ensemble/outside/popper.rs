//! The log of Popper, from 1.0 to 5.0.
//!
//! A hypothesis is a block that begins with `New best hypothesis:` or `*** SOLUTION ***` and ends with a line of asterisks
//! (2.0 and later), or one that begins with `NEW BEST PROG 7:` and ends with the first line that is no rule (1.x). Each line
//! may begin with a time: that of a clock, `12:34:56`, up to 4.4; seconds since the start, `1.2s`, in 5.0.

use super::reader::{Block, Line, Read, Reader};
use std::time::Duration;

/// Whether a line is one that only such a log has.
pub(super) fn recognises(line: &str) -> bool {
    opens(without_time(line.trim()).1).is_some()
}

/// The reader of a log.
#[derive(Default)]
pub(super) struct Popper {
    open: Option<End>,
    block: Block,
    /// The first time of day in the log, in seconds.
    first: Option<f64>,
}

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Asterisks,
    NoRule,
}

/// A time at the beginning of a line.
enum LogTime {
    /// Of the day.
    Clock(f64),
    /// Since the start.
    Seconds(f64),
}

impl Reader for Popper {
    fn line(&mut self, line: Line<'_>, found: &mut Vec<Read>) {
        let (time, text) = without_time(line.text.trim());
        let elapsed = line.heard.or_else(|| self.elapsed(time?));
        if let Some(end) = opens(text) {
            self.end(found);
            self.open = Some(end);
        } else if text.starts_with("***") {
            self.end(found);
        } else if let Some(end) = self.open {
            if is_rule(text) {
                self.block.push(text, line.number, elapsed);
            } else if end == End::NoRule && !self.block.is_empty() {
                self.end(found);
            }
        }
    }

    fn end(&mut self, found: &mut Vec<Read>) {
        self.open = None;
        found.extend(self.block.take().map(Ok));
    }
}

impl Popper {
    /// Clocks are read from the first time in the log on, and go on after midnight.
    fn elapsed(&mut self, time: LogTime) -> Option<Duration> {
        let seconds = match time {
            LogTime::Seconds(seconds) => seconds,
            LogTime::Clock(now) => (now - *self.first.get_or_insert(now)).rem_euclid(86_400.0),
        };
        Duration::try_from_secs_f64(seconds).ok()
    }
}

fn opens(text: &str) -> Option<End> {
    let stars = text.starts_with("***");
    if text.starts_with("New best hypothesis") || (stars && text.contains(" SOLUTION ")) {
        return Some(End::Asterisks);
    }
    let old = text.trim_start_matches(['%', ' ']);
    (old.starts_with("NEW BEST PROG ") || old.starts_with("BEST PROG ")).then_some(End::NoRule)
}

/// Lines of figures (`tp:5 fn:0 ...`, `Precision:1.00 ...`) are no rules.
fn is_rule(line: &str) -> bool {
    line.ends_with('.') && !line.starts_with("tp:") && !line.starts_with("Precision:") && !line.starts_with('%')
}

/// The time that a line begins with (`12:34:56 `, `1.2s `), if it does, and the line behind it.
fn without_time(line: &str) -> (Option<LogTime>, &str) {
    let Some((first, rest)) = line.split_once(' ') else { return (None, line) };
    let time = if let Some(seconds) = first.strip_suffix('s') {
        number(seconds).map(LogTime::Seconds)
    } else {
        let mut parts = first.split(':').map(|part| number(&part.replace(',', ".")));
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(Some(hours)), Some(Some(minutes)), Some(Some(seconds)), None) => {
                Some(LogTime::Clock(hours * 3600.0 + minutes * 60.0 + seconds))
            }
            _ => None,
        }
    };
    if time.is_some() { (time, rest.trim_start()) } else { (None, line) }
}

/// Digits and a point, which is less than what `f64` reads.
fn number(text: &str) -> Option<f64> {
    let digits = text.starts_with(|c: char| c.is_ascii_digit());
    (digits && text.chars().all(|c| c.is_ascii_digit() || c == '.')).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use crate::ensemble::outside::transcript::tests::{rules, times};

    #[test]
    fn logs_of_popper_3_and_4_give_their_hypotheses() {
        let four = "12:00:01 Generating programs of size: 3\n12:00:01 ********************\n\
                    12:00:01 New best hypothesis:\n12:00:01 tp:1 fn:1 tn:2 fp:0 size:3 mdl:4\n\
                    12:00:03 f(V0):- p(V0,V1),q(V1).\n12:00:01 ********************\n\
                    ********** SOLUTION **********\nPrecision:1.00 Recall:1.00 TP:2 FN:0 TN:2 FP:0 Size:5\n\
                    f(V0):- p(V0,V1),q(V1).\nf(V0):- r(V0).\n******************************\n";
        let expected =
            [(5, "f(V0):- p(V0,V1),q(V1).".to_owned()), (9, "f(V0):- p(V0,V1),q(V1).\nf(V0):- r(V0).".to_owned())];
        assert_eq!(rules(None, four), expected);
        assert_eq!(times(None, four), [Some(2.0), None]);
    }

    #[test]
    fn logs_of_popper_5_have_seconds_and_those_of_4_go_past_midnight() {
        let five = "0.1s ********************\n0.1s New best hypothesis:\n0.1s tp:5 fn:0 tn:5 fp:0 size:3\n\
                    0.1s f(V0):- p(V0,V1).\n0.1s ********************\n2.2s Generating\n";
        assert_eq!(rules(None, five), [(4, "f(V0):- p(V0,V1).".to_owned())]);
        assert_eq!(times(None, five), [Some(0.1)]);
        let night = "23:59:58 Num. pos examples: 5\n00:00:03 New best hypothesis:\n00:00:03 f(V0):- p(V0).\n";
        assert_eq!(times(None, night), [Some(5.0)]);
    }

    #[test]
    fn logs_of_popper_1_end_a_program_with_the_first_other_line() {
        let one = "% NEW BEST PROG 12:\nf(A):-p(A).\nf(A):-q(A).\n% Precision:0.50, Recall:1.00\nf(A):-chatter(A).\n\n\
                   % BEST PROG 40:\nf(A):-q(A).\n";
        assert_eq!(rules(None, one), [(2, "f(A):-p(A).\nf(A):-q(A).".to_owned()), (8, "f(A):-q(A).".to_owned())]);
    }

    #[test]
    fn a_block_that_was_cut_off_counts_up_to_its_last_whole_line() {
        assert_eq!(rules(None, "New best hypothesis:\nf(V0):- p(V0).\n"), [(2, "f(V0):- p(V0).".to_owned())]);
        assert!(rules(Some("popper"), "nothing here.\n").is_empty());
    }
}
