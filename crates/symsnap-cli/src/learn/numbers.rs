//! How far the numbers of what was learned may be moved.

use serde_json::{Value, json};
use std::time::{Duration, Instant};
use symsnap::internals::coverage::{FreeNumber, FreeNumbers};
use symsnap::internals::logic::Number;
use symsnap::{Hypothesis, Task};

/// A comparison of the best hypothesis, and between which numbers its own may be moved: what it covers of the training
/// examples stays the same.
pub(super) struct MovableNumber {
    rule: usize,
    literal: String,
    /// Where the interval ends, if it does.
    ends: [Option<Number>; 2],
}

impl MovableNumber {
    pub(super) fn text(&self) -> String {
        let [low, high] = self.ends.map(|end| end.map_or_else(String::new, |end| end.to_string()));
        format!("{} ({low}..{high})", self.literal)
    }

    pub(super) fn json(&self) -> Value {
        let [low, high] = self.ends.map(|end| match end {
            Some(number) => number.as_int().map_or_else(|| json!(number.to_f64()), |whole| json!(whole)),
            None => Value::Null,
        });
        json!({ "rule": self.rule, "literal": self.literal, "low": low, "high": high })
    }
}

/// How long finding these may take.
const FOR_NUMBERS: Duration = Duration::from_millis(300);

/// The numbers of a hypothesis that may be moved.
pub(super) fn free_numbers(task: &Task, hypothesis: &Hypothesis) -> Vec<MovableNumber> {
    let begun = Instant::now();
    let found = FreeNumbers::of(task, hypothesis, || begun.elapsed() < FOR_NUMBERS);
    let movable = |(rule, number): (usize, FreeNumber)| {
        let literal = hypothesis.rules[rule].body[number.literal].show(&task.terms);
        MovableNumber { rule, literal, ends: number.ends() }
    };
    found.into_iter().map(movable).collect()
}
