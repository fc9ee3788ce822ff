//! Programs in the loop: searched between the levels of rules, scored exactly, offered like any other hypothesis.

use super::candidate::Source;
use super::run::{Run, Stopped};

impl Run<'_, '_> {
    /// Test programs of at most `size` as long as it is their turn, or all of them; unless something stops it.
    pub(super) fn search_programs(&mut self, size: Option<usize>) -> Stopped {
        while size.is_none() || self.share.is_programs_turn() {
            let (left, began) = (self.ticks_left(), self.share.reading(self.ticks()));
            let until = if size.is_some() { self.share.end_of_turn() } else { None };
            let Some(recursion) = self.recursion.as_mut() else { return Ok(()) };
            let Some(programs) = recursion.next(size, self.settings.cost, &self.known.value) else { return Ok(()) };
            for program in programs.step(&self.known.value, left, until) {
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
            self.share.note_programs(began, self.share.reading(self.ticks()));
            self.report();
            self.check()?;
        }
        Ok(())
    }
}
