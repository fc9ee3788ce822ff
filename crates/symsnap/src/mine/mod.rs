//! Which rule next: a complete enumeration of the rules of a space, smallest first, with what they cover. To
//! [`covering`](crate::covering) these are columns.
//!
//! The body of a rule falls into parts that share no variable but the head's. Parts are mined once, from branches
//! ([`branches`]) or with joins on binding tables ([`tables`]), which are the two [`Miner`](miner::Miner)s; rules are
//! conjunctions of parts, found with bit operations alone ([`conjoin`]); [`levels`] takes turns. What is left out is left out
//! by a [theorem](crate::covering::theorems), asked through a [`Pruner`], or by an argument in the module that uses it: for
//! every hypothesis there is one at most as costly made of rules that are not left out. Rules come out in an order that
//! depends on neither threads nor time.
//!
//! Miners know nothing of sets of rules, nor which cost is minimised.

mod beam;
mod bindings;
mod bodies;
mod branches;
mod conjoin;
mod context;
mod feature;
mod head_form;
mod heads;
mod levels;
mod look;
mod miner;
mod one_head;
mod products;
mod tables;
mod threads;

pub use beam::Aim;
pub use feature::{MinedRule, PartIx, Parts};
pub use products::products;

use crate::budget::Budget;
use crate::covering::Pruner;
use crate::instance::Instance;
use crate::language::Taint;
use crate::logic::Rule;
use bodies::Bodies;
use head_form::HeadForm;
use one_head::OneHead;
use std::collections::VecDeque;

/// The rules of a space, mined on demand: call [`Mine::step`] until [`Mine::done`].
pub struct Mine<'t> {
    on: &'t Instance<'t>,
    threads: usize,
    budget: Budget,
    /// Whether all parts are mined with tables.
    tables: bool,
    /// One for each form of the head that has had a turn, that of variables alone first.
    heads: Vec<OneHead<'t>>,
    /// The forms that have had none. Each takes memory for all body predicates once it has.
    unopened: VecDeque<HeadForm>,
    bodies: Bodies,
    /// What is in doubt about the forms of heads.
    doubts: Option<Taint>,
}

impl<'t> Mine<'t> {
    /// A mine that has not been opened.
    pub fn new(on: &'t Instance<'_>, threads: usize, budget: Budget) -> Self {
        let bias = on.bias();
        let (constant, whole) = HeadForm::with_constants(bias, on.examples());
        let apart = !constant.is_empty() && (bias.recursion || bias.invention);
        let doubts = apart.then_some(Taint::HeadConstants).or((!whole).then_some(Taint::HeadForms));
        let variables = OneHead::new(on, HeadForm::variables(), threads, budget.clone());
        let (heads, unopened) = (vec![variables], constant.into());
        Mine { on, threads, budget, tables: false, heads, unopened, bodies: Bodies::default(), doubts }
    }

    /// Mine all parts with tables; to be said before the first step.
    pub fn use_tables(&mut self) {
        self.tables = true;
        self.heads.iter_mut().for_each(OneHead::use_tables);
    }

    /// Begin anew, to find every rule that some optimum has, given pruners that seek all of them. Parts are mined with
    /// tables, because branches that look different and say the same are one.
    pub fn restart_for_all(&mut self) {
        self.heads.iter_mut().for_each(OneHead::restart_for_all);
    }

    /// Begin anew. Rules found before stay what they are.
    pub fn restart(&mut self) {
        self.heads.iter_mut().for_each(OneHead::restart);
    }

    /// How often it began anew because calls turned out to need inputs. What was concluded before from the levels that
    /// were done no longer holds.
    pub fn restarts(&self) -> u32 {
        self.heads.iter().map(OneHead::restarts).sum()
    }

    /// Whether every rule has been found or shown to be needless. Not so after the budget ended a step early.
    pub fn done(&self) -> bool {
        self.unopened.is_empty() && self.heads.iter().all(OneHead::done)
    }

    /// What was not evaluated to its end: then the enumeration, though done, was not complete.
    pub fn taints(&self) -> Vec<Taint> {
        self.heads.iter().flat_map(OneHead::taints).chain(self.doubts.clone()).collect()
    }

    /// Whether there is none such.
    pub fn is_untainted(&self) -> bool {
        self.taints().is_empty()
    }

    /// The weight of positives that no part of one literal covers, and so no rule worth considering; 0 if unknown. Rules with
    /// constants in the head are made of the same literals.
    pub fn unreachable(&self) -> u64 {
        self.variable_head().unreachable()
    }

    /// Whether rules may compare variables with numbers.
    pub fn has_cuts(&self) -> bool {
        self.variable_head().has_cuts()
    }

    /// Whether heads may have constants.
    pub fn has_constant_heads(&self) -> bool {
        self.heads.len() + self.unopened.len() > 1
    }

    /// Whether some body predicate is called rather than looked up in a table.
    pub fn calls(&self) -> bool {
        self.variable_head().calls()
    }

    /// How many rules (and parts of rules) have been tested.
    pub fn tests(&self) -> u64 {
        self.heads.iter().map(OneHead::tests).sum()
    }

    /// The number of body literals of the rules that are found now: all smaller ones are known.
    pub fn level(&self) -> usize {
        let open = self.heads.iter().filter(|head| !head.done()).map(OneHead::level);
        let first = (!self.unopened.is_empty()).then_some(1);
        open.chain(first).min().unwrap_or_else(|| self.variable_head().level())
    }

    /// The size of the largest rules.
    pub fn largest(&self) -> u64 {
        self.variable_head().largest()
    }

    /// About how many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.heads.iter().map(OneHead::bytes).sum::<usize>() + self.bodies.bytes()
    }

    /// A found rule in full, ready to run.
    pub fn rule(&self, parts: &[PartIx]) -> Rule {
        self.bodies.rule(parts, self.head_of(parts).context())
    }

    /// The same rule with its literals in other orders in which it can be run, at most `cap`.
    pub fn orders(&self, parts: &[PartIx], cap: usize) -> Vec<Rule> {
        self.bodies.orders(parts, cap, self.head_of(parts).context())
    }

    /// From now on, write a found rule like this.
    pub fn write(&mut self, parts: &[PartIx], rule: Rule) {
        self.bodies.write(parts, rule);
    }

    /// Rules of the same size and coverage, at most `cap`: the rule itself, those with one part exchanged for a twin, and
    /// those with several.
    pub fn variants(&self, parts: &[PartIx], cap: usize) -> Vec<Rule> {
        self.bodies.variants(parts, cap, self.head_of(parts).context())
    }

    /// How many of the [variants](Mine::variants) of a rule differ from it in at most one part, itself included.
    pub fn single_exchanges(&self, parts: &[PartIx]) -> usize {
        self.bodies.single_exchanges(parts)
    }

    /// Mine on a little, with at most `most` tests; returns the rules found, which may be none. A mine that has made as
    /// many has left something out and is not to go on. Of all forms of the head the one that is furthest behind has its turn.
    pub fn step(&mut self, pruner: &Pruner, most: u64) -> Vec<MinedRule> {
        let open = self.heads.iter().enumerate().filter(|(_, head)| !head.done());
        let behind = open.min_by_key(|(_, head)| head.level()).map(|(at, head)| (at, head.level()));
        match behind {
            Some((at, level)) if level == 1 || self.unopened.is_empty() => {
                self.bodies.of_head(at);
                self.heads[at].step(pruner, most, &mut self.bodies)
            }
            _ => {
                if let Some(form) = self.unopened.pop_front() {
                    let mut head = OneHead::new(self.on, form, self.threads, self.budget.clone());
                    if self.tables {
                        head.use_tables();
                    }
                    self.heads.push(head);
                }
                Vec::new()
            }
        }
    }

    /// Rules of several parts that would improve a set of rules, for each of these aims, made of the parts found so far with at
    /// most `most` tests.
    pub fn aim(&mut self, aims: &[Aim], pruner: &Pruner, most: u64) -> Vec<MinedRule> {
        let (mut found, mut left) = (Vec::new(), most);
        for head in &mut self.heads {
            let before = head.tests();
            found.extend(head.aim(aims, pruner, left, &self.bodies));
            left = left.saturating_sub(head.tests() - before);
        }
        found
    }

    /// Give calls more steps, if some were put off, and begin anew. `exhausted` says that all other rules were found or shown
    /// to be needless: if nothing that was put off turns out to be of use, they need not be mined again.
    pub fn make_dear_calls(&mut self, exhausted: bool) -> bool {
        self.heads.iter_mut().fold(false, |made, head| head.make_dear_calls(exhausted) | made)
    }

    fn variable_head(&self) -> &OneHead<'t> {
        &self.heads[0]
    }

    /// The form of the head of a rule that was found.
    fn head_of(&self, parts: &[PartIx]) -> &OneHead<'t> {
        &self.heads[self.bodies.head(parts)]
    }
}
