//! The statements of a bias program, by name, each with its place.

use super::clauses::RelationId;
use super::compile::Finding;
use super::eval::{BiasRow, BiasRows};
use super::findings::BiasFindings;
use super::value::BiasValue;
use crate::error::Location;
use crate::logic::{Pred, Symbol};
use crate::parse::{Places, Span, Text};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a bias program says, with the places.
pub struct DeclaredBias<'a> {
    /// Name and arity of the relations.
    pub relations: &'a [(String, usize)],
    /// Their rows.
    pub given: &'a [BiasRows],
    /// Where each row comes from.
    pub spans: &'a FxHashMap<(RelationId, BiasRow), Span>,
    /// The relations that rules and constraints of the file read.
    pub read: &'a FxHashSet<RelationId>,
    /// The functor of tuples.
    pub tuple: Symbol,
}

/// A declaration as it stands in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Declaration<'a> {
    pub(super) name: &'a str,
    pub(super) row: &'a [BiasValue],
    pub(super) span: Span,
}

impl<'a> DeclaredBias<'a> {
    /// The declarations with that name and arity; without those that are defaults.
    pub(super) fn rows(&self, name: &str, arity: usize) -> Vec<Declaration<'a>> {
        let Some((at, id)) = self.relation(name, arity) else { return Vec::new() };
        let place = |row: &[BiasValue]| self.spans.get(&(id, BiasRow::from(row))).copied();
        let name = &self.relations[at].0;
        let rows = self.given[at].iter().filter_map(|row| Some(Declaration { name, row, span: place(row)? }));
        rows.filter(|row| row.span.end > 0).collect()
    }

    /// The rows of a declaration whose name other files give to relations of their own: none if rules of the file read
    /// it.
    pub(super) fn unread_rows(&self, name: &str, arity: usize) -> Vec<Declaration<'a>> {
        match self.relation(name, arity) {
            Some((_, id)) if !self.read.contains(&id) => self.rows(name, arity),
            _ => Vec::new(),
        }
    }

    fn relation(&self, name: &str, arity: usize) -> Option<(usize, RelationId)> {
        let at = self.relations.iter().position(|(have, n)| have == name && *n == arity)?;
        Some((at, RelationId(u32::try_from(at).expect("relations are numbered by u32"))))
    }

    /// Where each body predicate is declared.
    pub(super) fn body_places(&self, source: &Text<'_>) -> FxHashMap<Pred, Location> {
        let rows = self.rows("body_pred", 2);
        let pred = |row: &[BiasValue]| match row {
            [BiasValue::Name(name), BiasValue::Int(arity)] => Some(Pred::new(*name, u32::try_from(*arity).ok()?)),
            _ => None,
        };
        // A place is found by counting lines from the last one, so they are asked for in the order of the text.
        let mut placed: Vec<(Pred, u32)> =
            rows.iter().filter_map(|given| Some((pred(given.row)?, given.span.start))).collect();
        placed.sort_by_key(|&(_, start)| start);
        let mut places = Places::new(source);
        placed.into_iter().map(|(pred, start)| (pred, places.location(start))).collect()
    }

    pub(super) fn is_set(&self, name: &str) -> bool {
        !self.rows(name, 0).is_empty()
    }
}

/// The limit that the file gives, if it does; `example` is one for messages.
pub(super) fn given_limit(
    declared: &DeclaredBias<'_>,
    name: &str,
    least: usize,
    example: usize,
    findings: &mut BiasFindings,
) -> Option<usize> {
    let mut found: Option<usize> = None;
    for Declaration { row, span, .. } in declared.rows(name, 1) {
        let value = match &row[0] {
            BiasValue::Int(value) => usize::try_from(*value).ok().filter(|value| *value >= least),
            _ => None,
        };
        match (value, found) {
            (None, _) => {
                let finding = Finding::new(span, format!("`{name}` must be a whole number, {least} or more"));
                findings.error(finding.help(format!("as in `{name}({example}).`")));
            }
            (Some(value), None) => found = Some(value),
            (Some(value), Some(first)) => {
                findings.error(Finding::new(span, format!("`{name}` is {value} here and {first} elsewhere")));
            }
        }
    }
    found
}
