//! What rule miners write: a list of single rules with figures, for all relations of a knowledge graph, in no order that
//! matters. They are handed on when all are there, the most confident first, and rules with more support before others.

use super::reader::{Read, Reported};
use crate::logic::write_atom;

/// Rules that were read so far.
#[derive(Default)]
pub(super) struct Dump {
    rules: Vec<(f64, f64, Reported)>,
}

/// An atom of two arguments.
pub(super) struct Triple<'t> {
    pub(super) relation: &'t str,
    pub(super) subject: Named<'t>,
    pub(super) object: Named<'t>,
}

/// What stands in an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named<'t> {
    /// A variable, by its name.
    Variable(&'t str),
    /// An entity.
    Entity(&'t str),
}

impl Dump {
    /// Add a rule.
    pub(super) fn push(&mut self, confidence: f64, support: f64, rules: String, line: usize) {
        self.rules.push((confidence, support, Reported { rules, line, elapsed: None, joins: true }));
    }

    /// All rules, the best first.
    pub(super) fn end(&mut self, found: &mut Vec<Read>) {
        let mut rules = std::mem::take(&mut self.rules);
        rules.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
        found.extend(rules.into_iter().map(|(.., rule)| Ok(rule)));
    }
}

/// A rule as Prolog.
pub(super) fn rule(head: &Triple<'_>, body: &[Triple<'_>]) -> String {
    let mut text = String::new();
    head.write(&mut text);
    for (at, atom) in body.iter().enumerate() {
        text.push_str(if at == 0 { " :- " } else { ", " });
        atom.write(&mut text);
    }
    text.push('.');
    text
}

impl Triple<'_> {
    fn write(&self, text: &mut String) {
        write_atom(text, self.relation);
        text.push('(');
        self.subject.write(text);
        text.push(',');
        self.object.write(text);
        text.push(')');
    }
}

impl Named<'_> {
    fn write(self, text: &mut String) {
        match self {
            Named::Variable(name) => text.push_str(&name.to_uppercase()),
            // What is written as a whole number is one in Prolog files, too.
            Named::Entity(name) if name.parse::<i64>().is_ok_and(|number| number.to_string() == name) => {
                text.push_str(name);
            }
            Named::Entity(name) => write_atom(text, name),
        }
    }
}
