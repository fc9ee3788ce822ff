//! How far one call may go, and the ways in which it can end without an answer.

use crate::logic::Pred;
use std::fmt;

/// What one call may use. A call that goes beyond ends in a [`Fault`]; nothing is left behind by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Resolution steps, with the work inside built-ins (cells visited by unification, copying, sorting) counted too.
    pub steps: u64,
    /// Goals that wait for another to finish, and choices that are still open. They live on our own stacks.
    pub depth: u32,
    /// Bytes of working memory. Integers of more than four million bits are over the limit too.
    pub bytes: usize,
    /// Answers, where all are wanted. A call with more is of no use to a join, and one without end is told early.
    pub answers: usize,
}

impl Limits {
    /// Steps of a call unless it is said otherwise: a fraction of a second.
    pub const STEPS: u64 = 2_000_000;
}

impl Default for Limits {
    /// Two million steps, a million waiting goals, 256 MB, a hundred thousand answers.
    fn default() -> Self {
        Limits { steps: Limits::STEPS, depth: 1_000_000, bytes: 256 << 20, answers: 100_000 }
    }
}

/// Why a call gave no answer. The first group are the errors that Prolog itself would raise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A built-in needed an argument that is not bound.
    Instantiation {
        /// The built-in, `name/arity`.
        goal: String,
    },
    /// A built-in got an argument of the wrong type.
    Type {
        /// What it wanted (`integer`, `list`, `callable`, `evaluable`, ...).
        expected: &'static str,
        /// What it got.
        found: String,
        /// The built-in, `name/arity`.
        goal: String,
    },
    /// A built-in got an argument of the right type with a value it cannot use.
    Domain {
        /// What it wanted.
        expected: &'static str,
        /// What it got.
        found: String,
        /// The built-in, `name/arity`.
        goal: String,
    },
    /// Arithmetic has no result: division by zero, the logarithm of nothing.
    Evaluation {
        /// What happened.
        what: &'static str,
        /// The built-in, `name/arity`.
        goal: String,
    },
    /// A call of a predicate that neither the program, nor the built-ins, nor the library define.
    UnknownProcedure {
        /// The predicate.
        pred: Pred,
        /// `name/arity`.
        name: String,
    },
    /// A call of a Prolog built-in that this evaluator leaves out on purpose: input and output, processes, clocks,
    /// randomness, and changes to the program.
    Forbidden {
        /// The predicate.
        pred: Pred,
        /// `name/arity`.
        name: String,
    },
    /// A call of a Prolog built-in, or a function of arithmetic, that this evaluator does not have.
    Unsupported {
        /// The predicate or function.
        pred: Pred,
        /// `name/arity`.
        name: String,
    },
    /// A function of arithmetic gives a rational number that is no integer, which this evaluator does not have.
    Rational {
        /// The function, `name/arity`.
        goal: &'static str,
    },
    /// The program called `throw/1` and nothing caught it.
    Thrown {
        /// What was thrown.
        ball: String,
    },
    /// [`Limits::steps`] were used up.
    Steps,
    /// [`Limits::depth`] was reached.
    Depth,
    /// [`Limits::bytes`] were used up.
    Memory,
    /// There are more than [`Limits::answers`].
    Answers,
}

impl Fault {
    /// Whether the call needs more of its arguments bound.
    pub fn is_instantiation(&self) -> bool {
        matches!(self, Fault::Instantiation { .. })
    }

    /// Whether it is unknown what the call would have answered, because a limit ended it or because it needs what this
    /// evaluator does not have. Anything else is an error in SWI-Prolog, too.
    pub fn leaves_unknown(&self) -> bool {
        self.is_limit() || matches!(self, Fault::Forbidden { .. } | Fault::Unsupported { .. } | Fault::Rational { .. })
    }

    /// Whether a limit ended the call, which may have taken long.
    pub fn is_limit(&self) -> bool {
        matches!(self, Fault::Steps | Fault::Depth | Fault::Memory | Fault::Answers)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Instantiation { goal } => write!(f, "{goal} needs an argument that is not bound when it is called"),
            Fault::Type { expected, found, goal } => write!(f, "{goal} expects {expected}, not {found}"),
            Fault::Domain { expected, found, goal } => write!(f, "{goal} expects {expected}, not {found}"),
            Fault::Evaluation { what, goal } => write!(f, "{goal}: {what}"),
            Fault::UnknownProcedure { name, .. } => write!(f, "{name} is called but nothing defines it"),
            Fault::Forbidden { name, .. } => write!(
                f,
                "{name} is not available: background knowledge cannot do input or output, start processes, ask for \
                 time or chance, or change itself"
            ),
            Fault::Unsupported { name, .. } => {
                write!(f, "{name} is built into SWI-Prolog and not supported here; the background may define it")
            }
            Fault::Rational { goal } => write!(f, "{goal} gives a rational number, which is not supported here"),
            Fault::Thrown { ball } => write!(f, "the background throws {ball} and nothing catches it"),
            Fault::Steps => write!(f, "the evaluation took more steps than a call may (endless recursion?)"),
            Fault::Depth => write!(f, "the evaluation went deeper than a call may (endless recursion?)"),
            Fault::Memory => write!(f, "the evaluation took more memory than a call may"),
            Fault::Answers => write!(f, "there are more answers than a call may have (endless?)"),
        }
    }
}

impl std::error::Error for Fault {}
