//! Programs in the loop: searched in turns with rules, scored exactly, offered like any other hypothesis.

use super::candidate::Source;
use super::exact::Symsnap;
use super::linear::LinearSearch;
use super::run::{Run, Stopped};
use super::settings::Settings;
use std::time::Instant;

impl Run<'_, '_> {
    /// Test programs of at most `size` as long as it is their turn, or all of them; unless something stops it.
    pub(super) fn search_programs(&mut self, size: Option<usize>) -> Stopped {
        while size.is_none() || self.share.is_programs_turn() {
            let began = self.share.reading(self.ticks());
            let until = if size.is_some() { self.share.end_of_turn() } else { None };
            let linear = self.search_linear(size.is_none());
            if !self.test_programs(size, until) && !linear {
                break;
            }
            self.share.note_programs(began, self.share.reading(self.ticks()));
            self.report();
            self.check()?;
        }
        Ok(())
    }

    /// Look for base rules beside one linear rule, if there is one left and no more rules are tested in all than others have
    /// been, or `alone`; whether that was so.
    fn search_linear(&mut self, alone: bool) -> bool {
        let (most, others) = (self.ticks_left(), self.rules.mine.tests());
        let due = |linear: &LinearSearch<'_>| !linear.is_done() && (alone || linear.tests_then() <= others);
        let Some(recursion) = &mut self.recursion else { return false };
        let Some(linear) = recursion.linear.as_mut().filter(|linear| due(linear)) else { return false };
        let settings = Settings { optima: 1, keep: 0, functional: false, ..self.settings.clone() };
        for program in linear.step(&Symsnap { settings }, self.budget, most) {
            let (cost, best) = (self.settings.cost, &self.known.value);
            let recursion = self.recursion.as_mut().expect("it was there before the step");
            if let Some(confusion) = recursion.score(&program, self.examples, cost, best) {
                let value = cost.value(&confusion, program.size());
                self.offer_hypothesis(program, value, confusion, Source::PROGRAM);
            }
        }
        true
    }

    /// Test some programs of at most `size`, and begin no test after `until`; whether there were any left.
    fn test_programs(&mut self, size: Option<usize>, until: Option<Instant>) -> bool {
        let left = self.ticks_left();
        let Some(recursion) = self.recursion.as_mut() else { return false };
        let Some(programs) = recursion.next(size, self.settings.cost, &self.known.value) else { return false };
        for program in programs.step(&self.known.value, left, until) {
            if program.value > self.known.value {
                // One of those before it is better.
                continue;
            }
            let recursion = self.recursion.as_mut().expect("it was there before the step");
            let confusion = recursion.score(&program.hypothesis, self.examples, self.settings.cost, &self.known.value);
            if confusion.is_none() && self.budget.check().is_some() {
                break;
            }
            let size = program.hypothesis.size();
            let value = confusion.map(|confusion| self.settings.cost.value(&confusion, size));
            recursion.differed |= value.as_ref() != Some(&program.value);
            if let (Some(value), Some(confusion)) = (value, confusion) {
                self.offer_hypothesis(program.hypothesis, value, confusion, Source::PROGRAM);
            }
        }
        true
    }
}
