//! Test one rule that calls the program, with all base rules that it may go with.

use super::bar::Bar;
use super::bases::{ClassIx, EMPTY};
use super::bits::{clear, ones, set, words_for};
use super::fixpoint::{Broken, Caller, Ground, order};
use super::growth::Node;
use super::{Program, Programs};
use crate::logic::{Hypothesis, Rule};

/// So many interchangeable base rules of one class are offered.
const MOST_ALIKE: usize = 8;

impl Programs<'_> {
    /// Test a rule with the base classes of its mask whose size is `base`. Returns the rule with the classes for which
    /// extensions of it may be worth while, if there are any, and programs that are good enough.
    pub(super) fn test(&mut self, mut node: Node, base: usize, bar: &Bar) -> (Option<Node>, Vec<Program>) {
        loop {
            node.extend(&self.stages[self.at].bases);
            match self.try_test(&node, base, bar) {
                Ok(Some((viable, programs))) => {
                    node.mask = viable;
                    return (Some(node), programs);
                }
                Ok(None) => return (None, Vec::new()),
                Err(Broken::Classes) => {}
            }
        }
    }

    #[expect(clippy::type_complexity, reason = "said once")]
    fn try_test(&mut self, node: &Node, base: usize, bar: &Bar) -> Result<Option<(Vec<u64>, Vec<Program>)>, Broken> {
        let size = base + node.body.len() + 1;
        let Some(most) = bar.most_missed(size) else { return Ok(None) };
        let recursive = node.body.iter().any(|lit| self.words.calls_program(lit));
        let mut mask = node.mask.clone();
        let mut idle = vec![0; mask.len()];
        self.weigh_bases();
        for class in ones(&node.mask) {
            let ix = ClassIx(class as u32);
            if ix == EMPTY && recursive || ix != EMPTY && self.stages[self.at].bases.size(ix) != Some(base) {
                clear(&mut mask, class);
                set(&mut idle, class);
            } else if !bar.beaten_by(0, self.stages[self.at].harm[class], size) {
                clear(&mut mask, class);
            }
        }
        let mut rules = [Caller::new(&node.body, node.vars)];
        let mut missed = vec![0u64; self.stages[self.at].bases.class_count()];
        self.fixpoint.begin(self.stages[self.at].bases.class_count());
        for at in 0..self.pos.len() {
            let (call, weight) = self.pos[at];
            self.solve(call, &mut rules, &mask)?;
            let found = self.fixpoint.found();
            for class in ones(&mask.iter().zip(found).map(|(mask, found)| mask & !found).collect::<Vec<_>>()) {
                missed[class] += weight;
                if missed[class] > most {
                    clear(&mut mask, class);
                }
            }
            if mask.iter().all(|&word| word == 0) || self.budget.check().is_some() {
                return Ok(None);
            }
        }
        let mut programs = Vec::new();
        if recursive && self.words.is_whole(&node.body) {
            programs = self.candidates(node, size, &mask, &missed, &mut rules, bar)?;
        }
        let viable: Vec<usize> = ones(&mask).filter(|&class| !bar.beaten_by(missed[class], 0, size + 1)).collect();
        viable.into_iter().for_each(|class| clear(&mut mask, class));
        if mask.iter().all(|&word| word == 0) && programs.is_empty() {
            return Ok(None);
        }
        mask.iter_mut().zip(&idle).for_each(|(mask, idle)| *mask |= idle);
        Ok(Some((mask, programs)))
    }

    /// How many negatives, by weight, each base class covers by itself.
    fn weigh_bases(&mut self) {
        let stage = &mut self.stages[self.at];
        if stage.harm_version == stage.bases.version() && !stage.harm.is_empty() {
            return;
        }
        stage.harm_version = stage.bases.version();
        stage.harm = vec![0; stage.bases.class_count()];
        for &(call, weight) in &self.neg {
            for at in 0..stage.bases.answers(call) {
                for class in ones(stage.bases.answer(call, at).1) {
                    stage.harm[class] += weight;
                }
            }
        }
    }

    fn solve(&mut self, call: super::CallIx, rules: &mut [Caller], mask: &[u64]) -> Result<(), Broken> {
        let bases = &mut self.stages[self.at].bases;
        let mut ground = Ground { words: &self.words, bases, calls: &mut self.calls, lookup: &mut self.lookup };
        self.fixpoint.solve(call, rules, mask, &mut ground)?;
        self.bounded |= self.fixpoint.bounded;
        Ok(())
    }

    /// The programs of a whole rule and one base that cost no more than the best.
    fn candidates(
        &mut self,
        node: &Node,
        size: usize,
        mask: &[u64],
        missed: &[u64],
        rules: &mut [Caller],
        bar: &Bar,
    ) -> Result<Vec<Program>, Broken> {
        let mut mask = mask.to_vec();
        let mut wrong = vec![0u64; missed.len()];
        debug_assert_eq!(mask.len(), words_for(missed.len()));
        for at in 0..self.neg.len() {
            if mask.iter().all(|&word| word == 0) {
                return Ok(Vec::new());
            }
            let (call, weight) = self.neg[at];
            self.solve(call, rules, &mask)?;
            for class in ones(self.fixpoint.found()) {
                wrong[class] += weight;
                if !bar.met_by(missed[class], wrong[class], size) {
                    clear(&mut mask, class);
                }
            }
        }
        let mut good: Vec<(crate::cost::CostValue, usize)> =
            ones(&mask).map(|class| (bar.value(missed[class], wrong[class], size), class)).collect();
        good.sort();
        let rule = self.written(&node.body);
        let mut programs = Vec::new();
        for (value, class) in good {
            let alike: Vec<Rule> = self.stages[self.at]
                .bases
                .smallest(ClassIx(class as u32))
                .take(MOST_ALIKE)
                .map(|body| self.written(body))
                .collect();
            for base in alike {
                let hypothesis = Hypothesis { rules: vec![base, rule.clone()] };
                if self.space.contains_hypothesis(&hypothesis).is_ok() {
                    programs.push(Program { hypothesis, value: value.clone() });
                }
            }
        }
        Ok(programs)
    }

    /// A body as a rule, in an order in which it can be run.
    fn written(&self, body: &[crate::search::Lit]) -> Rule {
        self.words.rule(&order(body, self.words.inputs(), &self.words).0)
    }
}
