//! What was skipped of what a program said: counted, and the first of it kept to be shown.

use symsnap::internals::ensemble::Skipped;

/// So many that were skipped are kept to be shown; the others are counted.
const SHOWN: usize = 3;

/// What was skipped.
#[derive(Debug, Clone, Default)]
pub struct SkipTally {
    count: usize,
    first: Vec<Skipped>,
}

impl SkipTally {
    /// One more.
    pub fn add(&mut self, skipped: Skipped) {
        self.count += 1;
        if self.first.len() < SHOWN {
            self.first.push(skipped);
        }
    }

    /// Those of another, too.
    pub fn join(&mut self, other: &SkipTally) {
        self.count += other.count;
        let rest = SHOWN.saturating_sub(self.first.len());
        self.first.extend(other.first.iter().take(rest).cloned());
    }

    /// How many there were.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The first of them.
    pub fn first(&self) -> &[Skipped] {
        &self.first
    }
}
