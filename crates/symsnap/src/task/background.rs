//! Background knowledge by itself: what a task is built on, and what a model is asked over.
//!
//! From texts and rows in any mixture, or that of a task. Nothing fails before it is used; then everything that
//! is wrong is reported at once.

use super::findings::Findings;
use super::{Program, Task, bk};
use crate::error::Result;
use crate::index::narrow;
use crate::logic::{Clause, Open, Pred, TermId, Terms};
use crate::parse::Text;

/// A simple argument of a fact or example. Lists and compounds are made with [`Background::terms`] and given as
/// [`Value::Term`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Value<'v> {
    /// An atom.
    Atom(&'v str),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A string.
    Str(&'v str),
    /// A term made before.
    #[doc(hidden)]
    Term(TermId),
}

impl<'v> From<&'v str> for Value<'v> {
    fn from(name: &'v str) -> Self {
        Value::Atom(name)
    }
}

impl<'v> From<&'v String> for Value<'v> {
    fn from(name: &'v String) -> Self {
        Value::Atom(name)
    }
}

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}

impl From<f64> for Value<'_> {
    fn from(value: f64) -> Self {
        Value::Float(value)
    }
}

impl From<TermId> for Value<'_> {
    fn from(id: TermId) -> Self {
        Value::Term(id)
    }
}

/// Facts and rules, without examples or bias: what a [`Predictor`](crate::Predictor) is asked over. From texts and rows, or that of
/// a [`Task`].
#[derive(Debug, Default)]
pub struct Background {
    pub(super) terms: Terms,
    pub(super) program: Program,
    pub(super) findings: Findings,
}

impl Background {
    /// Nothing yet.
    pub fn new() -> Self {
        Background::default()
    }

    /// Nothing yet, over these terms, with what was found before.
    pub(super) fn over(terms: Terms, findings: Findings) -> Self {
        Background { terms, program: Program::default(), findings }
    }

    /// The terms, to make lists and compounds with.
    #[doc(hidden)]
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// Add facts, rules and directives from text.
    pub fn text<'s>(&mut self, text: impl Into<Text<'s>>) -> &mut Self {
        bk::read_program(&text.into(), &mut self.terms, &mut self.program, &mut self.findings);
        self
    }

    /// Add a fact.
    pub fn fact<'v, V: Into<Value<'v>>>(&mut self, name: &str, args: impl IntoIterator<Item = V>) -> &mut Self {
        let row = self.row(args);
        let pred = Pred::new(self.terms.intern(name), narrow(row.len()));
        let terms = &mut self.terms;
        self.program.add_fact(pred, &row, || Clause {
            head: Open::Ground(terms.compound(pred.name, &row)),
            body: Open::Ground(terms.atom_named("true")),
            variables: Vec::new(),
            location: Text::new("<code>", "").location(0),
        });
        self
    }

    pub(super) fn row<'v, V: Into<Value<'v>>>(&mut self, args: impl IntoIterator<Item = V>) -> Vec<TermId> {
        args.into_iter().map(|arg| arg.into().intern(&mut self.terms)).collect()
    }

    /// The terms and the program.
    ///
    /// # Errors
    /// Everything that was wrong with what was given, up to [`MAX_ERRORS`](crate::error::MAX_ERRORS) findings.
    pub(crate) fn finish(self) -> Result<(Terms, Program)> {
        self.findings.finish()?;
        Ok((self.terms, self.program))
    }
}

impl Value<'_> {
    /// The value as a term.
    pub(crate) fn intern(self, terms: &mut Terms) -> TermId {
        match self {
            Value::Atom(name) => terms.atom_named(name),
            Value::Int(value) => terms.int(value),
            Value::Float(value) => terms.float(value),
            Value::Str(content) => terms.string(content),
            Value::Term(id) => id,
        }
    }
}

impl From<&Task> for Background {
    /// The background of a task, without its examples.
    fn from(task: &Task) -> Self {
        Background { terms: task.terms.clone(), program: task.program.clone(), findings: Findings::default() }
    }
}

impl From<&[Text<'_>]> for Background {
    /// What the texts describe together.
    fn from(texts: &[Text<'_>]) -> Self {
        let mut background = Background::new();
        texts.iter().for_each(|text| _ = background.text(text.clone()));
        background
    }
}

impl<const N: usize> From<&[Text<'_>; N]> for Background {
    fn from(texts: &[Text<'_>; N]) -> Self {
        Background::from(texts.as_slice())
    }
}
