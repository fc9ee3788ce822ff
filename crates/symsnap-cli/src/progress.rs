//! One line on standard error that says how a run stands: a bar for the time or ticks used, the best cost, the bound
//! and the gap between them, rules tested and their rate, and the size of the pool. Nothing where standard error is
//! not a terminal, unless it is asked for.

use crate::output::thousands;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use symsnap::cost::CostValue;
use symsnap::learn::Progress;

/// Between two updates of the line.
const PAUSE: Duration = Duration::from_millis(100);
const LOG_PAUSE: Duration = Duration::from_secs(5);
const BAR: usize = 20;

/// The line.
pub struct Meter {
    seconds: f64,
    ticks: Option<u64>,
    terminal: bool,
    last: Option<Instant>,
    shown: bool,
}

impl Meter {
    /// A meter for a run with these limits, if there is somewhere to show it.
    pub fn new(seconds: f64, ticks: Option<u64>, always: bool) -> Option<Self> {
        let terminal = std::io::stderr().is_terminal();
        // A log gets its first line after the first pause: a short run needs none.
        let last = (!terminal).then(Instant::now);
        (terminal || always).then_some(Meter { seconds, ticks, terminal, last, shown: false })
    }

    /// Show how the run stands, unless that was shown a moment ago.
    pub fn show(&mut self, progress: &Progress, pool: usize) {
        let pause = if self.terminal { PAUSE } else { LOG_PAUSE };
        if self.last.is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        self.last = Some(Instant::now());
        let line = self.line(progress, pool);
        let mut out = std::io::stderr().lock();
        let _ = if self.terminal { write!(out, "\r\u{1b}[2K{line}") } else { writeln!(out, "{line}") };
        let _ = out.flush();
        self.shown = true;
    }

    /// Make room for other output.
    pub fn clear(&mut self) {
        if self.shown && self.terminal {
            let _ = write!(std::io::stderr(), "\r\u{1b}[2K");
        }
        self.shown = false;
    }

    /// Make room after a run that was left behind and took its meter with it.
    pub fn wipe() {
        if std::io::stderr().is_terminal() {
            let _ = write!(std::io::stderr(), "\r\u{1b}[2K");
        }
    }

    fn line(&self, progress: &Progress, pool: usize) -> String {
        let elapsed = progress.elapsed.as_secs_f64();
        let by_time = elapsed / self.seconds.max(1e-9);
        let by_ticks = self.ticks.map_or(0.0, |limit| progress.ticks as f64 / limit.max(1) as f64);
        let full = ((by_time.max(by_ticks) * BAR as f64) as usize).min(BAR);
        format!(
            "[{}{}] {elapsed:.1}/{:.0} s  best {}  bound {}{}  {} rules ({}/s)  body {}  pool {pool}",
            "=".repeat(full),
            " ".repeat(BAR - full),
            self.seconds,
            progress.best,
            progress.lower,
            gap(&progress.best, &progress.lower),
            thousands(progress.ticks as usize),
            thousands((progress.ticks as f64 / elapsed.max(1e-3)) as usize),
            progress.level,
        )
    }
}

/// The gap between cost and bound in per cent of the cost, for costs that are one number.
fn gap(best: &CostValue, lower: &CostValue) -> String {
    match (best.0.as_slice(), lower.0.as_slice()) {
        ([best], [lower]) if *best > 0 => {
            format!("  gap {:.0} %", best.saturating_sub(*lower) as f64 * 100.0 / *best as f64)
        }
        _ => String::new(),
    }
}
