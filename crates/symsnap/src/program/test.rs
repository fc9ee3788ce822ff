//! Test one rule that calls the program, with all base rules that it may go with.

use super::bases::EMPTY;
use super::bits::{clear, has, is_empty, ones, set, words_for};
use super::fixpoint::{Broken, Caller, Ground, order};
use super::growth::Node;
use super::words::Words;
use super::{CallIx, Program, Programs};
use crate::cost::Incumbent;
use crate::language::Lit;
use crate::logic::{Hypothesis, Rule};

/// So many interchangeable base rules of one class are offered.
const MOST_ALIKE: usize = 8;

/// Every so many tests the order of the positives is looked at.
const REORDER: u64 = 64;

/// What came of a test.
pub(super) enum Tested {
    /// The rule with the units for which extensions of it may be worth while, and programs that are good enough.
    Worth(Node, Vec<Program>),
    /// Nothing better can come of the rule.
    Worthless,
    /// Units have changed, and the rules that were grown for them are of no use.
    Stale,
}

impl Programs<'_> {
    /// Test a rule with the units of its mask.
    pub(super) fn test(&mut self, mut node: Node, incumbent: &Incumbent) -> Tested {
        loop {
            if self.stages[self.at].renew() {
                return Tested::Stale;
            }
            if self.stages[self.at].sets.is_none() {
                node.extend(&self.stages[self.at].bases);
            }
            match self.try_test(&node, incumbent) {
                Ok(Some((viable, programs))) => {
                    node.mask = viable;
                    return Tested::Worth(node, programs);
                }
                Ok(None) => return Tested::Worthless,
                Err(Broken::Classes) => {}
            }
        }
    }

    /// Test a rule with the units of its mask; `Err` if units have changed on the way.
    ///
    /// **Idle** units are those without programs of the size in question: base rules that no call has been answered by,
    /// and classes for which a smaller rule stands. The calls of this rule may tell them apart, those for negatives too,
    /// so they are run like all others: left out, a base rule that nothing else tells from a smaller one would never be
    /// tried. A tight search, which proves nothing, lets them wait.
    #[expect(clippy::type_complexity, reason = "said once")]
    fn try_test(&mut self, node: &Node, incumbent: &Incumbent) -> Result<Option<(Vec<u64>, Vec<Program>)>, Broken> {
        let size = self.stages[self.at].base + node.body.len() + 1;
        let relaxed = self.stages[self.at].relaxed;
        let most = if relaxed { self.total.checked_sub(1) } else { self.most_missed(size, incumbent) };
        let Some(most) = most else { return Ok(None) };
        let recursive = node.body.iter().any(|lit| self.words.calls_program(lit));
        let mut mask = node.mask.clone();
        let mut idle = vec![0; mask.len()];
        let stage = &mut self.stages[self.at];
        stage.weigh(&self.neg);
        for unit in ones(&node.mask) {
            let empty = unit == EMPTY.index();
            let is_idle = empty && recursive || !empty && !stage.has_size(unit);
            if is_idle {
                set(&mut idle, unit);
            }
            let runs = !is_idle || !self.tight && (empty || stage.holds_size(unit));
            if !runs || !incumbent.is_beaten_by(0, stage.harm[unit], size) {
                clear(&mut mask, unit);
            }
        }
        let mut rules = [Caller::new(&node.body, node.vars)];
        let Some(missed) = self.positives(&mut mask, most, &mut rules)? else { return Ok(None) };
        let mut programs = Vec::new();
        if recursive && self.words.is_whole(&node.body) {
            programs = self.candidates(&[&node.body], size, &mask, &idle, &missed, &mut rules, incumbent)?;
            if relaxed {
                programs.extend(self.promising(node, &mask, &missed, &mut rules, incumbent)?);
            }
        }
        if !relaxed {
            let beaten: Vec<usize> =
                ones(&mask).filter(|&unit| !incumbent.is_beaten_by(missed[unit], 0, size + 1)).collect();
            beaten.into_iter().for_each(|unit| clear(&mut mask, unit));
        }
        if is_empty(&mask) && programs.is_empty() {
            return Ok(None);
        }
        if self.tight {
            mask.iter_mut().zip(&idle).for_each(|(mask, idle)| *mask |= idle);
        }
        Ok(Some((mask, programs)))
    }

    /// Take from `mask` the units with which the rules miss positives of more than weight `most`. Returns what they
    /// miss with the others; `None` if there are none.
    pub(super) fn positives(
        &mut self,
        mask: &mut [u64],
        most: u64,
        rules: &mut [Caller],
    ) -> Result<Option<Vec<u64>>, Broken> {
        let units = self.stages[self.at].units();
        let mut missed = vec![0u64; units];
        self.fixpoint.begin(units);
        // Those that took least work so far go first.
        if self.tests.is_multiple_of(REORDER) {
            self.order.sort_by_key(|&(at, times, tables)| (tables / times, at));
        }
        for turn in 0..self.pos.len() {
            let (call, weight) = self.pos[self.order[turn].0];
            let before = self.fixpoint.made();
            self.solve(call, rules, mask)?;
            self.order[turn].1 += 1;
            self.order[turn].2 += self.fixpoint.made() - before;
            for (place, &found) in self.fixpoint.found().iter().enumerate() {
                let mut rest = mask[place] & !found;
                while rest != 0 {
                    let unit = place * 64 + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    missed[unit] += weight;
                    if missed[unit] > most {
                        clear(mask, unit);
                    }
                }
            }
            if is_empty(mask) || self.budget.check().is_some() {
                return Ok(None);
            }
        }
        Ok(Some(missed))
    }

    /// Find the units of `mask` from which a call follows.
    pub(super) fn solve(&mut self, call: CallIx, rules: &mut [Caller], mask: &[u64]) -> Result<(), Broken> {
        self.solve_once(call, rules, mask)?;
        // A search that proves nothing can do without what is hard to tell.
        if self.fixpoint.bounded && !self.tight {
            let found = self.fixpoint.found().to_vec();
            self.solve_apart(call, rules, mask, found)?;
        }
        Ok(())
    }

    /// The same where a run has ended at a limit. That may be because of one unit, and the others must not suffer for it:
    /// what is not `found` is solved again in halves, until what is left at the limit is a single program. Unless the
    /// calls that need no answer are too many already, because those every program makes.
    fn solve_apart(
        &mut self,
        call: CallIx,
        rules: &mut [Caller],
        mask: &[u64],
        mut found: Vec<u64>,
    ) -> Result<(), Broken> {
        self.fixpoint.begin(self.stages[self.at].units());
        self.solve_once(call, rules, &vec![0; mask.len()])?;
        let left: Vec<usize> = ones(mask).filter(|&unit| !has(&found, unit)).collect();
        self.limited |= self.fixpoint.bounded && !left.is_empty();
        let mut todo = if self.fixpoint.bounded { Vec::new() } else { vec![left] };
        while let Some(mut units) = todo.pop() {
            if units.len() <= 1 {
                self.limited |= !units.is_empty();
                continue;
            }
            if self.budget.check().is_some() {
                break;
            }
            let rest = units.split_off(units.len() / 2);
            for half in [units, rest] {
                let mut part = vec![0; mask.len()];
                half.iter().for_each(|&unit| set(&mut part, unit));
                // Tables that were made for some units say nothing about others.
                self.fixpoint.begin(self.stages[self.at].units());
                self.solve_once(call, rules, &part)?;
                found.iter_mut().zip(self.fixpoint.found()).for_each(|(all, found)| *all |= found);
                if self.fixpoint.bounded {
                    todo.push(half.into_iter().filter(|&unit| !has(&found, unit)).collect());
                }
            }
        }
        self.fixpoint.begin(self.stages[self.at].units());
        self.fixpoint.set_found(found);
        Ok(())
    }

    fn solve_once(&mut self, call: CallIx, rules: &mut [Caller], mask: &[u64]) -> Result<(), Broken> {
        let stage = &mut self.stages[self.at];
        let mut ground = Ground {
            words: &self.words,
            bases: &mut stage.bases,
            calls: &mut self.calls,
            lookup: &mut self.lookup,
            sets: stage.sets.as_ref(),
            recursive: self.invented.is_none(),
        };
        self.fixpoint.solve(call, rules, mask, &mut ground)
    }

    /// Take from `mask` the units with which the rules give a wrong output, or more outputs than the limits let
    /// us see.
    fn only_functional(&mut self, mask: &mut [u64], rules: &mut [Caller]) -> Result<(), Broken> {
        for at in 0..self.queries.len() {
            let mut split = false;
            let mut todo = vec![ones(mask).collect::<Vec<usize>>()];
            while let Some(mut units) = todo.pop().filter(|units| !units.is_empty()) {
                let mut part = vec![0; mask.len()];
                units.iter().for_each(|&unit| set(&mut part, unit));
                self.solve_once(self.queries[at].0, rules, &part)?;
                if !self.fixpoint.bounded {
                    let (call, right) = &self.queries[at];
                    for (values, wrong) in self.fixpoint.answers(*call) {
                        if right.iter().all(|right| **right != *values) {
                            mask.iter_mut().zip(&part).zip(wrong).for_each(|((mask, part), wrong)| {
                                *mask &= !(part & wrong);
                            });
                        }
                    }
                } else if let [unit] = units[..] {
                    self.limited = true;
                    clear(mask, unit);
                } else {
                    split = true;
                    todo.push(units.split_off(units.len() / 2));
                    todo.push(units);
                }
                if split {
                    self.fixpoint.begin(self.stages[self.at].units());
                }
            }
        }
        Ok(())
    }

    /// The programs of a whole rule and one unit that cost no more than the best; those of `idle` units are only run.
    #[expect(clippy::too_many_arguments, reason = "what is known of one test")]
    pub(super) fn candidates(
        &mut self,
        bodies: &[&[Lit]],
        size: usize,
        mask: &[u64],
        idle: &[u64],
        missed: &[u64],
        rules: &mut [Caller],
        incumbent: &Incumbent,
    ) -> Result<Vec<Program>, Broken> {
        let mut mask = mask.to_vec();
        let mut wrong = vec![0u64; missed.len()];
        debug_assert_eq!(mask.len(), words_for(missed.len()));
        for at in 0..self.neg.len() {
            if is_empty(&mask) {
                return Ok(Vec::new());
            }
            let (call, weight) = self.neg[at];
            self.solve(call, rules, &mask)?;
            for class in ones(self.fixpoint.found()) {
                wrong[class] += weight;
                if !incumbent.is_met_by(missed[class], wrong[class], size) {
                    clear(&mut mask, class);
                }
            }
        }
        self.only_functional(&mut mask, rules)?;
        mask.iter_mut().zip(idle).for_each(|(mask, idle)| *mask &= !idle);
        let mut good: Vec<(crate::cost::CostValue, usize)> =
            ones(&mask).map(|class| (incumbent.value(missed[class], wrong[class], size), class)).collect();
        good.sort();
        let callers: Vec<Rule> = bodies.iter().map(|body| written(body, &self.words)).collect();
        let mut programs = Vec::new();
        for (value, unit) in good {
            let stage = &self.stages[self.at];
            let classes = stage.classes(unit);
            // Interchangeable rules are worth offering: they may differ on new examples.
            let alike = if let [class] = classes[..] { stage.bases.smallest(class).count().min(MOST_ALIKE) } else { 1 };
            for choice in 0..alike {
                let bases = classes.iter().filter_map(|&class| stage.bases.smallest(class).nth(choice));
                let mut rules: Vec<Rule> = bases.map(|body| written(body, &self.base_words)).collect();
                rules.extend_from_slice(&callers);
                if self.invented.is_some() {
                    rules.rotate_right(callers.len());
                }
                let hypothesis = Hypothesis { rules };
                if self.space.contains_hypothesis(&hypothesis).is_ok() {
                    programs.push(Program { hypothesis, value: value.clone() });
                }
            }
        }
        Ok(programs)
    }
}

/// A body as a rule, in an order in which it can be run.
fn written(body: &[Lit], words: &Words) -> Rule {
    words.rule(&order(body, words.inputs(), words).0)
}
