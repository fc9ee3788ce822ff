//! How far evaluation goes, and what happened on the way.

use crate::prolog::Fault;

/// How far evaluation goes before an example counts as not covered.
#[derive(Debug, Clone, Copy)]
pub struct CoverageLimits {
    /// Answers looked at for one example and one part of a rule.
    pub example_steps: u64,
    /// Answers looked at for one rule and all examples.
    pub rule_steps: u64,
    /// Examples of one rule or hypothesis that may reach a limit in resolution before the rest is not tried.
    pub unresolved: u32,
}

impl Default for CoverageLimits {
    fn default() -> Self {
        CoverageLimits { example_steps: 50_000_000, rule_steps: 200_000_000, unresolved: 8 }
    }
}

/// What happened on the way that a user should know: examples that count as not covered for a reason that is not
/// logic. Examples that a part of a rule cannot tell apart are counted once.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    /// Examples of which a call raised an error.
    pub faults: u64,
    /// Examples of which it is unknown whether they are covered: a call met a limit, or needed what is left out.
    pub unfinished: u64,
    /// The first few messages, each once.
    pub messages: Vec<String>,
}

impl Notes {
    /// Count what happened elsewhere, too.
    pub fn add(&mut self, other: &Notes) {
        self.faults += other.faults;
        self.unfinished += other.unfinished;
        let room = MOST_MESSAGES.saturating_sub(self.messages.len());
        let new: Vec<String> = other.messages.iter().filter(|it| !self.messages.contains(it)).cloned().collect();
        self.messages.extend(new.into_iter().take(room));
    }

    pub(super) fn fault(&mut self, fault: &Fault) {
        if fault.leaves_unknown() {
            self.unfinished += 1;
        } else {
            self.faults += 1;
        }
        let message = fault.to_string();
        if self.messages.len() < MOST_MESSAGES && !self.messages.contains(&message) {
            self.messages.push(message);
        }
    }
}

/// How many messages [`Notes`] keep.
const MOST_MESSAGES: usize = 5;
