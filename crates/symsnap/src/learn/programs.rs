//! Recursive programs in the loop: searched between the levels of rules, scored exactly, offered like any other.

use super::{Run, Source};
use crate::budget::StopReason;
use crate::cost::Confusion;
use crate::coverage::Evaluator;
use crate::program::Programs;

/// The search over programs and who has the last word on what they cover.
pub(super) struct Recursion<'t> {
    programs: Programs<'t>,
    exact: Evaluator<'t>,
}

impl<'t> Recursion<'t> {
    pub(super) fn new(programs: Programs<'t>, exact: Evaluator<'t>) -> Self {
        Recursion { programs, exact }
    }

    /// Rules tested.
    pub(super) fn tests(&self) -> u64 {
        self.programs.tests()
    }

    /// Whether all programs of the space have been tested or shown to be needless.
    pub(super) fn is_exhausted(&self) -> bool {
        self.programs.done() && self.programs.complete()
    }
}

impl Run<'_, '_> {
    /// Test programs of at most `size`, or all; `Some` if something stopped it.
    pub(super) fn search_programs(&mut self, size: Option<usize>) -> Option<StopReason> {
        loop {
            let recursion = self.recursion.as_mut()?;
            if recursion.programs.done() || size.is_some_and(|size| recursion.programs.size() > size) {
                return None;
            }
            for program in recursion.programs.step(&self.value) {
                let recursion = self.recursion.as_mut().expect("it was there before the step");
                let cover = recursion.exact.hypothesis(&program.hypothesis);
                let confusion = Confusion::new(&cover.pos, &cover.neg, self.examples);
                let value = self.settings.cost.value(&confusion, program.hypothesis.size());
                self.differed |= value != program.value;
                self.offer_hypothesis(program.hypothesis, value, confusion, Source::Program);
            }
            self.report();
            if let Some(stop) = self.stop() {
                return Some(stop);
            }
        }
    }
}
