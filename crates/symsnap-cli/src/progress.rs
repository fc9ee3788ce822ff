//! One line on standard error that says how a run stands: a bar for the time or ticks used, the best cost, the bound
//! and the gap between them, rules tested and their rate, and the size of the pool. Nothing where standard error is
//! not a terminal, unless it is asked for.
//!
//! The line is never wider than the terminal, whatever its width is at the moment: a line that wraps leaves a stale row
//! behind with every update. What does not fit is left out as a whole, the least important first.

use crate::output::thousands;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use symsnap::{CostValue, Progress};

/// The pause between two updates of the line.
const PAUSE: Duration = Duration::from_millis(100);
/// The pause between two lines where standard error is no terminal.
const LOG_PAUSE: Duration = Duration::from_secs(5);
/// Columns of the bar with its brackets and a blank.
const BAR: usize = 23;
/// Steps of the bar: more than it has columns on any terminal.
const STEPS: u64 = 1000;

/// The line.
pub struct Meter {
    seconds: f64,
    ticks: Option<u64>,
    terminal: bool,
    last: Option<Instant>,
    /// What is on the terminal now.
    bar: Option<ProgressBar>,
}

impl Meter {
    /// A meter for a run with these limits, if there is somewhere to show it.
    pub fn new(seconds: f64, ticks: Option<u64>, always: bool) -> Option<Self> {
        let terminal = std::io::stderr().is_terminal();
        // A log gets its first line after the first pause: a short run needs none.
        let last = (!terminal).then(Instant::now);
        (terminal || always).then_some(Meter { seconds, ticks, terminal, last, bar: None })
    }

    /// Show how the run stands, unless that was shown a moment ago.
    pub fn show(&mut self, progress: &Progress, pool: usize) {
        let pause = if self.terminal { PAUSE } else { LOG_PAUSE };
        if self.last.is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        self.last = Some(Instant::now());
        let facts = facts(self.seconds, progress, pool);
        if !self.terminal {
            let all: Vec<String> = facts.into_iter().map(|(_, fact)| fact).collect();
            let _ = writeln!(std::io::stderr(), "{}", all.join("  "));
            return;
        }
        let width = usize::from(console::Term::stderr().size().1);
        let line = fitting(&facts, width.saturating_sub(1));
        let room = width > line.len() + BAR;
        let bar =
            self.bar.get_or_insert_with(|| ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr()));
        let template = if room { "[{bar:20}] {wide_msg}" } else { "{wide_msg}" };
        let style = ProgressStyle::with_template(template).expect("both templates are right");
        bar.set_style(style.progress_chars("== "));
        bar.set_message(line);
        bar.set_position(used(self.seconds, self.ticks, progress));
        // Setting alone leaves it to a limit on the rate, which is ours.
        bar.force_draw();
    }

    /// Make room for other output.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Make room after a run that was left behind and took its meter with it.
    pub fn wipe() {
        if std::io::stderr().is_terminal() {
            let _ = write!(std::io::stderr(), "\r\u{1b}[2K");
        }
    }
}

/// How much of its limits a run has used, in steps of the bar.
fn used(seconds: f64, ticks: Option<u64>, progress: &Progress) -> u64 {
    let by_time = progress.elapsed.as_secs_f64() / seconds.max(1e-9);
    let by_ticks = ticks.map_or(0.0, |limit| progress.ticks as f64 / limit.max(1) as f64);
    ((by_time.max(by_ticks) * STEPS as f64) as u64).min(STEPS)
}

/// What is to be said, in the order in which it stands in the line, each with its rank: 0 is the most important.
fn facts(seconds: f64, progress: &Progress, pool: usize) -> Vec<(usize, String)> {
    let elapsed = progress.elapsed.as_secs_f64();
    let rate = (progress.ticks as f64 / elapsed.max(1e-3)) as usize;
    let mut facts = vec![
        (1, format!("{elapsed:.1}/{seconds:.0} s")),
        (0, format!("best {}", progress.best)),
        (2, format!("bound {}", progress.lower)),
        (4, format!("{} rules ({}/s)", thousands(progress.ticks as usize), thousands(rate))),
        (6, format!("body {}", progress.level)),
        (5, format!("pool {pool}")),
    ];
    if let Some(gap) = gap(&progress.best, &progress.lower) {
        facts.insert(3, (3, gap));
    }
    facts
}

/// The most important facts that go into a line of `width` columns together, two blanks between them.
fn fitting(facts: &[(usize, String)], width: usize) -> String {
    let mut most = facts.len();
    loop {
        let line: Vec<&str> = facts.iter().filter(|(rank, _)| *rank < most).map(|(_, fact)| fact.as_str()).collect();
        let line = line.join("  ");
        if line.len() <= width || most == 0 {
            return line;
        }
        most -= 1;
    }
}

/// The gap between cost and bound in per cent of the cost, for costs that are one number.
fn gap(best: &CostValue, lower: &CostValue) -> Option<String> {
    match (best.0.as_slice(), lower.0.as_slice()) {
        ([best], [lower]) if *best > 0 => {
            Some(format!("gap {:.0} %", best.saturating_sub(*lower) as f64 * 100.0 / *best as f64))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(best: &[u64], lower: &[u64]) -> Progress {
        let mut progress = Progress::default();
        (progress.best, progress.lower) = (CostValue(best.to_vec()), CostValue(lower.to_vec()));
        (progress.ticks, progress.rules, progress.level) = (1_234_567, 10, 4);
        progress.elapsed = Duration::from_secs(5);
        progress
    }

    #[test]
    fn a_narrow_line_keeps_the_cost_then_the_time_then_the_bound() {
        let facts = facts(60.0, &at(&[40], &[10]), 7);
        let whole = "5.0/60 s  best 40  bound 10  gap 75 %  1,234,567 rules (246,913/s)  body 4  pool 7";
        assert_eq!(fitting(&facts, 200), whole);
        assert_eq!(fitting(&facts, 80), "5.0/60 s  best 40  bound 10  gap 75 %  1,234,567 rules (246,913/s)  pool 7");
        assert_eq!(fitting(&facts, 40), "5.0/60 s  best 40  bound 10  gap 75 %");
        assert_eq!(fitting(&facts, 30), "5.0/60 s  best 40  bound 10");
        assert_eq!(fitting(&facts, 10), "best 40");
        assert_eq!(fitting(&facts, 3), "");
    }

    #[test]
    fn lexicographic_costs_have_no_gap() {
        assert_eq!(
            fitting(&facts(60.0, &at(&[1, 2, 3], &[0, 0, 0]), 7), 45),
            "5.0/60 s  best (1, 2, 3)  bound (0, 0, 0)"
        );
    }
}
