//! The bodies of all parts found, and how rules are written that are made of them.
//!
//! Rules refer to parts by number for as long as a run lasts, so bodies outlive the miners that found them.

use super::context::Context;
use super::feature::PartIx;
use super::products::products;
use crate::language::Lit;
use crate::language::body::{from_the_head, join_parts};
use crate::logic::Rule;
use rustc_hash::FxHashMap;

/// Bodies that cover what a part does, with as many literals, that are remembered besides it. No proof needs them: rules
/// that are made of them are offered because they may differ on new examples.
const TWINS: usize = 8;

/// The bodies of parts, by number.
#[derive(Debug, Default)]
pub struct Bodies {
    bodies: Vec<Box<[Lit]>>,
    /// Bodies that cover what another covers with as many literals.
    twins: FxHashMap<PartIx, Vec<Box<[Lit]>>>,
    /// Rules that are written in another order than the usual.
    written: FxHashMap<Box<[PartIx]>, Rule>,
    /// From which part on which form of the head parts belong to.
    heads: Vec<(PartIx, usize)>,
}

impl Bodies {
    /// The number that the next part gets.
    pub fn next(&self) -> PartIx {
        PartIx::new(self.bodies.len())
    }

    /// Parts that are added from now on belong to rules with this form of the head.
    pub fn of_head(&mut self, head: usize) {
        if self.heads.last().is_none_or(|(_, last)| *last != head) {
            self.heads.push((self.next(), head));
        }
    }

    /// The form of the head of rules that these parts belong to.
    pub fn head(&self, parts: &[PartIx]) -> usize {
        let from = parts.first().map_or(0, |part| self.heads.partition_point(|(from, _)| from <= part));
        self.heads[..from].last().map_or(0, |(_, head)| *head)
    }

    /// Add a part.
    pub fn push(&mut self, body: Box<[Lit]>) {
        self.bodies.push(body);
    }

    /// Remember twins of a part, as many as there is room for.
    pub fn add_twins(&mut self, of: PartIx, bodies: impl Iterator<Item = Box<[Lit]>>) {
        let twins = self.twins.entry(of).or_default();
        twins.extend(bodies.take(TWINS.saturating_sub(twins.len())));
    }

    /// The literals of a part.
    pub fn get(&self, part: PartIx) -> &[Lit] {
        &self.bodies[part.index()]
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        self.bodies.len() * 96
    }

    /// A rule in full, ready to run.
    pub fn rule(&self, parts: &[PartIx], context: &Context<'_>) -> Rule {
        let written = self.written.get(parts);
        written.cloned().unwrap_or_else(|| context.ordered(&self.body(parts, context)))
    }

    /// The same rule with its literals in other orders in which it can be run, at most `cap`.
    pub fn orders(&self, parts: &[PartIx], cap: usize, context: &Context<'_>) -> Vec<Rule> {
        let orders = context.language.orders(&self.body(parts, context), cap);
        orders.iter().map(|order| context.language.rule(order)).collect()
    }

    /// From now on, write the rule of these parts like this.
    pub fn write(&mut self, parts: &[PartIx], rule: Rule) {
        self.written.insert(parts.into(), rule);
    }

    /// Rules of the same size and coverage, at most `cap`: the rule itself, those with one part exchanged for a twin, and
    /// those with several.
    pub fn variants(&self, parts: &[PartIx], cap: usize, context: &Context<'_>) -> Vec<Rule> {
        let equal: Vec<Vec<&[Lit]>> = parts.iter().map(|part| self.with_twins(*part)).collect();
        let choices: Vec<usize> = equal.iter().map(Vec::len).collect();
        let body = |chosen: Vec<usize>| self.assemble(equal.iter().zip(chosen).map(|(equal, at)| equal[at]), context);
        let others = products(&choices).take(cap).skip(1).map(|chosen| context.ordered(&body(chosen)));
        std::iter::once(self.rule(parts, context)).chain(others).collect()
    }

    /// How many of the [variants](Bodies::variants) of a rule differ from it in at most one part, itself included.
    pub fn single_exchanges(&self, parts: &[PartIx]) -> usize {
        1 + parts.iter().map(|part| self.with_twins(*part).len() - 1).sum::<usize>()
    }

    /// A part and its twins.
    fn with_twins(&self, part: PartIx) -> Vec<&[Lit]> {
        let twins = self.twins.get(&part).into_iter().flatten();
        std::iter::once(&self.bodies[part.index()]).chain(twins).map(|body| &**body).collect()
    }

    fn body(&self, parts: &[PartIx], context: &Context<'_>) -> Vec<Lit> {
        self.assemble(parts.iter().map(|part| self.get(*part)), context)
    }

    /// The body that is these parts, local variables renumbered.
    fn assemble<'b>(&self, parts: impl Iterator<Item = &'b [Lit]>, context: &Context<'_>) -> Vec<Lit> {
        let head = context.language.head_arity();
        if context.from_head {
            let parts: Vec<Vec<Lit>> = parts.map(|part| from_the_head(part, head)).collect();
            join_parts(parts.iter().map(Vec::as_slice), head)
        } else {
            // Tables grow parts from the head, and called predicates are run in that order.
            join_parts(parts, head)
        }
    }
}
