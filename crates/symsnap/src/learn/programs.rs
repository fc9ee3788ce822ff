//! Programs in the loop: searched between the levels of rules, scored exactly, offered like any other hypothesis.

use super::candidate::Source;
use super::run::{Run, Stopped};

/// Tests of programs before their share is looked at.
const FIRST_TESTS: u64 = 30_000;

impl Run<'_, '_> {
    /// Test programs of at most `size`, as many as their share of all tests allows, or all; unless something stops it.
    pub(super) fn search_programs(&mut self, size: Option<usize>) -> Stopped {
        loop {
            let tests = self.recursion.as_ref().map_or(0, |recursion| recursion.tests());
            if size.is_some() && tests > FIRST_TESTS + self.rules.mine.tests() / 2 {
                return Ok(());
            }
            let left = self.ticks_left();
            let Some(recursion) = self.recursion.as_mut() else { return Ok(()) };
            let Some(programs) = recursion.next(size, self.settings.cost, &self.known.value) else { return Ok(()) };
            for program in programs.step(&self.known.value, left) {
                if program.value > self.known.value {
                    // One of those before it is better.
                    continue;
                }
                let recursion = self.recursion.as_mut().expect("it was there before the step");
                let confusion =
                    recursion.score(&program.hypothesis, self.examples, self.settings.cost, &self.known.value);
                let size = program.hypothesis.size();
                let value = confusion.map(|confusion| self.settings.cost.value(&confusion, size));
                recursion.differed |= value.as_ref() != Some(&program.value);
                if let (Some(value), Some(confusion)) = (value, confusion) {
                    self.offer_hypothesis(program.hypothesis, value, confusion, Source::PROGRAM);
                }
            }
            self.report();
            self.check()?;
        }
    }
}
