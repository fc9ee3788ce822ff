//! The statements of answer-set programs, as trees.

use super::{Ast, Span};

/// A statement as written.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement<'s> {
    /// A fact, a rule, or, without a head, a constraint.
    Rule {
        /// What follows, if anything does.
        head: Option<Ast<'s>>,
        /// From what it follows.
        body: Vec<Element<'s>>,
        /// The whole statement.
        span: Span,
    },
    /// `#defined name/arity.`
    Defined {
        /// The whole statement.
        span: Span,
    },
}

/// A part of a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Element<'s> {
    /// An atom, possibly after `not`.
    Atom {
        /// Whether `not` stands before it.
        negated: bool,
        /// The atom.
        atom: Ast<'s>,
    },
    /// Two terms compared, possibly after `not`.
    Comparison {
        /// Whether `not` stands before it.
        negated: bool,
        /// The left term.
        left: Ast<'s>,
        /// How they compare.
        comparison: BiasComparison,
        /// The right term.
        right: Ast<'s>,
    },
    /// `left #count{ elements } right`, possibly after `not`.
    Count {
        /// Whether `not` stands before it.
        negated: bool,
        /// `term COMPARISON` before it.
        left: Option<(BiasComparison, Ast<'s>)>,
        /// What is counted.
        elements: Vec<CountElement<'s>>,
        /// `COMPARISON term` after it.
        right: Option<(BiasComparison, Ast<'s>)>,
        /// All of it.
        span: Span,
    },
}

impl Element<'_> {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Element::Atom { atom, .. } => atom.span,
            Element::Comparison { left, right, .. } => Span { start: left.span.start, end: right.span.end },
            Element::Count { span, .. } => *span,
        }
    }
}

/// `tuple : condition` of a `#count`.
#[derive(Debug, Clone, PartialEq)]
pub struct CountElement<'s> {
    /// The terms of which different tuples are counted.
    pub tuple: Vec<Ast<'s>>,
    /// When a tuple counts.
    pub condition: Vec<Element<'s>>,
    /// Where it stands.
    pub span: Span,
}

/// The comparisons. `==` is `=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BiasComparison {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl BiasComparison {
    /// The comparison that holds where this one does not.
    pub fn negated(self) -> Self {
        match self {
            BiasComparison::Equal => BiasComparison::Unequal,
            BiasComparison::Unequal => BiasComparison::Equal,
            BiasComparison::Less => BiasComparison::GreaterOrEqual,
            BiasComparison::LessOrEqual => BiasComparison::Greater,
            BiasComparison::Greater => BiasComparison::LessOrEqual,
            BiasComparison::GreaterOrEqual => BiasComparison::Less,
        }
    }

    /// The comparison with its sides exchanged.
    pub fn mirrored(self) -> Self {
        match self {
            BiasComparison::Less => BiasComparison::Greater,
            BiasComparison::LessOrEqual => BiasComparison::GreaterOrEqual,
            BiasComparison::Greater => BiasComparison::Less,
            BiasComparison::GreaterOrEqual => BiasComparison::LessOrEqual,
            same => same,
        }
    }
}
