//! The compiled form of a bias program's rules and constraints: variables are slots, bodies are steps in an order in
//! which every variable is bound before it is needed.

use super::value::BiasValue;
use crate::logic::Symbol;
use std::sync::Arc;

/// A variable of a compiled body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodySlot(pub u32);

impl BodySlot {
    /// Its place among the slots of its body.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A relation of the bias program, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationId(pub u32);

impl RelationId {
    /// Its place among the relations.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where the rows of a relation come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// From facts of the file and rules over them: the same for every hypothesis.
    Given,
    /// From the hypothesis under test.
    View(HypothesisView),
    /// By rules of the file that look at the hypothesis under test.
    Derived,
    /// Computed: tuples of variables, which are too many to store.
    Domain(TupleRelation),
}

/// What a bias program can see of a hypothesis. The names are those of Popper's encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HypothesisView {
    /// `clause(C)`.
    Clause,
    /// `head_literal(C,P,A,Vars)`.
    HeadLiteral,
    /// `body_literal(C,P,A,Vars)`.
    BodyLiteral,
    /// `head_var(C,V)`.
    HeadVar,
    /// `body_var(C,V)`.
    BodyVar,
    /// `clause_var(C,V)`.
    ClauseVar,
    /// `var_type(C,V,T)`.
    VarType,
    /// `body_size(C,N)`.
    BodySize,
    /// `var_in_literal(C,P,Vars,V)`, head and body.
    VarInLiteral,
    /// `recursive`.
    Recursive,
    /// `recursive(C)`.
    RecursiveRule,
    /// `recursive_clause(C,P,A)`.
    RecursiveClause,
    /// `base_clause(C,P,A)`.
    BaseClause,
    /// `invented(P,A)`.
    Invented,
    /// `head_aux(P,A)`: the head predicate and invented ones.
    HeadAux,
    /// `body_aux(P,A)`: body predicates, invented ones, and with recursion the head predicate.
    BodyAux,
    /// `lower(P,Q)`: P is the head predicate or invented before Q.
    Lower,
}

/// Relations over tuples of variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TupleRelation {
    /// `vars(A,Vars)`: Vars is a tuple of A distinct variables.
    Vars,
    /// `var_pos(V,Vars,I)`: V is at position I (from 0) of Vars.
    VarPos,
    /// `var_member(V,Vars)`.
    VarMember,
}

/// A term of a compiled body.
#[derive(Debug, Clone, PartialEq)]
pub enum BiasPattern {
    /// `_`.
    Wild,
    /// A variable.
    Slot(BodySlot),
    /// A ground term.
    Value(BiasValue),
    /// A compound or tuple with a variable inside.
    Compound(Symbol, Box<[BiasPattern]>),
    /// Arithmetic on integers.
    Arithmetic(IntegerOperator, Box<[BiasPattern; 2]>),
}

/// The operators of integer arithmetic. Division and remainder truncate, as in clingo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegerOperator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Divide,
    /// `\`
    Remainder,
}

pub use crate::parse::BiasComparison;

/// One step of a compiled body.
#[derive(Debug, Clone, PartialEq)]
pub enum BiasStep {
    /// For each row that matches.
    Scan(RelationId, Box<[BiasPattern]>),
    /// If no row matches. All slots are bound.
    Absent(RelationId, Box<[BiasPattern]>),
    /// If the comparison holds. All slots are bound.
    Compare(BiasPattern, BiasComparison, BiasPattern),
    /// If the first, a pattern that may bind slots, matches the value of the second.
    Match(BiasPattern, BiasPattern),
    /// If the number of different tuples satisfies the guards.
    Count(Box<Count>),
}

/// A `#count` aggregate.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    /// Whether `not` stands before it.
    pub negated: bool,
    /// The elements: tuple and condition.
    pub elements: Vec<(Box<[BiasPattern]>, Vec<BiasStep>)>,
    /// `count COMPARISON term`, all of which must hold (one of which must fail under `not`).
    pub guards: Vec<(BiasComparison, BiasPattern)>,
    /// A slot that takes the count.
    pub result: Option<BodySlot>,
}

/// A compiled body.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// The steps, in order.
    pub steps: Vec<BiasStep>,
    /// How many slots they use.
    pub slots: usize,
}

/// A compiled rule of the bias program.
#[derive(Debug, Clone)]
pub struct Derivation {
    /// What it derives.
    pub relation: RelationId,
    /// The arguments of the head.
    pub head: Box<[BiasPattern]>,
    /// Its body.
    pub body: Body,
    /// When it runs: after all strata below, together with its own.
    pub stratum: usize,
}

/// A compiled constraint: a hypothesis for which the body holds is not in the space.
#[derive(Debug, Clone)]
pub struct Constraint {
    /// The statement as written, on one line.
    pub text: Arc<str>,
    /// Its body.
    pub body: Body,
}
