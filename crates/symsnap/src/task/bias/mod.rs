//! What rules may look like, as the bias file declares it.
//!
//! A bias file is a small answer-set program. What it says of predicates, types, directions and limits is computed
//! once, when it is read ([`Bias::read`]); what it says of hypotheses (constraints, `bad_body`, rules over
//! `body_literal` and the like) is compiled and kept, for the `space` room to apply.
//!
//! The evaluator is our own: the files use a small part of the language, and an answer-set solver would be by far the
//! heaviest dependency of the crate.

mod arithmetic;
pub(crate) mod clauses;
mod compile;
mod constants;
mod cuts;
mod declared;
mod derive;
pub(crate) mod eval;
mod findings;
mod price;
mod read;
mod summaries;
mod tuples;
mod validate;
pub(crate) mod value;
pub(crate) mod view;

pub use constants::{Bounds, Constants, CutType, Cuts, Factors, Multiples};
pub use price::ConstantPrice;

use crate::error::Location;
use crate::logic::{Pred, Summarised, Symbol};
use clauses::{Constraint, Derivation, Origin};
use eval::{BiasEvaluator, BiasRows, Exhausted, Fuel, Variables};
use rustc_hash::FxHashMap;
use value::BiasNames;
use view::{DeclaredPredicates, Seen};

/// Whether an argument must be bound before a literal is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// It must be bound.
    In,
    /// The literal binds it.
    Out,
}

/// The declarations of a bias file, derived ones included.
///
/// Several `type` or `direction` declarations for one predicate are alternatives: a literal is well typed (can be
/// evaluated) if it is under one of them.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Bias {
    /// The predicate to learn.
    pub head: Pred,
    /// The predicates that bodies may use, in the order of declaration, each once.
    pub body: Vec<Pred>,
    /// Declared types; a predicate that is not in here is untyped.
    #[doc(hidden)]
    pub types: FxHashMap<Pred, Vec<Box<[Symbol]>>>,
    /// Declared directions; a predicate that is not in here has none.
    #[doc(hidden)]
    pub directions: FxHashMap<Pred, Vec<Box<[Direction]>>>,
    /// The most variables that a rule may have.
    pub max_vars: usize,
    /// The most body literals that a rule may have.
    pub max_body: usize,
    /// Whether `max_body` was asked for, by the bias file or by whoever learns with it; a limit that nobody has asked for
    /// may be raised.
    #[doc(hidden)]
    pub max_body_given: bool,
    /// The most rules that a recursive hypothesis may have.
    pub max_clauses: usize,
    /// Whether the head's predicate may be called in bodies.
    pub recursion: bool,
    /// Whether predicates may be invented.
    #[doc(hidden)]
    pub invention: bool,
    /// Whether head variables may be missing from the body.
    #[doc(hidden)]
    pub non_datalog: bool,
    /// Which variables bodies may compare with learned numbers.
    #[doc(hidden)]
    pub cuts: Cuts,
    /// Which arguments of literals may be constants.
    #[doc(hidden)]
    pub constants: Constants,
    /// What bodies may say of all answers to a call at once, in the order of their predicates in `body`.
    #[doc(hidden)]
    pub summaries: Vec<Summarised>,
    /// What a learned number or constant counts beside its literal.
    pub(crate) constant_price: ConstantPrice,
    /// A predicate that a rule may use only once; no statement says so, learners do.
    pub(crate) once: Option<Pred>,
    /// What hypotheses must not look like.
    #[doc(hidden)]
    pub constraints: Constraints,
    /// Where body predicates are declared, for messages; none for a bias that is made in code.
    pub(crate) places: FxHashMap<Pred, Location>,
}

impl Bias {
    /// The most variables that a rule can have: sets of them are words of 64 bits, one of which programs keep for
    /// themselves.
    #[doc(hidden)]
    pub const MOST_VARS: usize = 63;
    /// The most literals that a body can have: the search counts them in 16 bits.
    pub(crate) const MOST_BODY: usize = u16::MAX as usize;
    /// The default of `max_vars`.
    pub(crate) const MAX_VARS: usize = 6;
    /// The default of `max_body`.
    pub(crate) const MAX_BODY: usize = 6;
    /// The default of `max_clauses`.
    pub(crate) const MAX_CLAUSES: usize = 2;

    /// The name of an invented predicate.
    #[doc(hidden)]
    pub const INVENTED: &str = "inv1";

    /// The types of a predicate's arguments, each where all its declarations agree.
    pub(crate) fn argument_types(&self, pred: Pred) -> Box<[Option<Symbol>]> {
        let declared = self.types.get(&pred).map_or(&[][..], Vec::as_slice);
        (0..pred.arity as usize)
            .map(|at| {
                let first = declared.first().map(|types| types[at])?;
                declared.iter().all(|types| types[at] == first).then_some(first)
            })
            .collect()
    }

    /// For each of a predicate's directions the set of its input arguments, bit `k` for argument `k`; one empty set if
    /// none is declared.
    pub(crate) fn inputs(&self, pred: Pred) -> Vec<u64> {
        let set = |mode: &[Direction]| {
            let inputs = mode.iter().enumerate().filter(|(_, direction)| **direction == Direction::In);
            inputs.fold(0, |set, (at, _)| set | 1 << at)
        };
        self.directions.get(&pred).map_or_else(|| vec![0], |declared| declared.iter().map(|mode| set(mode)).collect())
    }

    /// How many variables a literal of this predicate has at least: constants may stand in other arguments.
    pub(crate) fn fewest_variables(&self, pred: Pred) -> usize {
        let arity = pred.arity as usize;
        let constants = (0..arity).filter(|&at| self.constants.allows(self, pred, at)).count();
        arity - constants.min(self.constants.most.unwrap_or(usize::MAX))
    }

    /// The arguments of a head that are bound whoever calls it: inputs in each of its directions; all if none is declared.
    pub(crate) fn bound_by_callers(&self, head: Pred) -> u64 {
        let all = 1u64.checked_shl(head.arity).map_or(u64::MAX, |bit| bit - 1);
        if !self.directions.contains_key(&head) {
            return all;
        }
        self.inputs(head).into_iter().fold(all, |bound, inputs| bound & inputs)
    }

    /// A bias for `head` without body predicates, with default limits; for tasks that are built in code.
    #[doc(hidden)]
    pub fn new(head: Pred) -> Self {
        Bias {
            head,
            body: Vec::new(),
            types: FxHashMap::default(),
            directions: FxHashMap::default(),
            max_vars: Bias::MAX_VARS,
            max_body: Bias::MAX_BODY,
            max_body_given: false,
            max_clauses: Bias::MAX_CLAUSES,
            recursion: false,
            invention: false,
            non_datalog: false,
            cuts: Cuts::default(),
            constants: Constants::default(),
            summaries: Vec::new(),
            constant_price: ConstantPrice::Literals(0),
            once: None,
            constraints: Constraints::default(),
            places: FxHashMap::default(),
        }
    }
}

/// What a bias program says of hypotheses, compiled. Empty by default.
#[derive(Debug, Clone, Default)]
pub struct Constraints {
    origins: Vec<Origin>,
    given: Vec<BiasRows>,
    names: BiasNames,
    variables: Variables,
    tuple: Option<Symbol>,
    derivations: Vec<Derivation>,
    list: Vec<Constraint>,
}

impl Constraints {
    /// The constraints, in the order of the file.
    pub(crate) fn list(&self) -> &[Constraint] {
        &self.list
    }

    /// Let the domain relations range over `max_vars` variables, which a front end may have changed in the bias.
    pub(crate) fn set_max_vars(&mut self, max_vars: usize) {
        self.variables.count = max_vars;
    }

    /// Where the rows of each relation come from.
    pub(crate) fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// The functor of tuples.
    pub(crate) fn tuple(&self) -> Option<Symbol> {
        self.tuple
    }

    /// The constraints but one.
    #[must_use]
    pub fn without(&self, at: usize) -> Self {
        let mut others = self.clone();
        if at < others.list.len() {
            others.list.remove(at);
        }
        others
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The constraints as written, one line each.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|constraint| &*constraint.text)
    }

    /// Call `test` with an evaluator that sees the hypothesis `rules`.
    ///
    /// # Errors
    /// [`Exhausted`] when the work limit is reached.
    pub(crate) fn with_view<T>(
        &self,
        rules: &[Seen<'_>],
        declared: DeclaredPredicates<'_>,
        fuel: &Fuel,
        test: impl FnOnce(&BiasEvaluator<'_>) -> Result<T, Exhausted>,
    ) -> Result<T, Exhausted> {
        let mut viewed: Vec<BiasRows> = self
            .origins
            .iter()
            .zip(&self.given)
            .map(|(origin, facts)| match origin {
                Origin::View(view) => view::rows_of(*view, rules, declared),
                Origin::Derived => facts.clone(),
                Origin::Given | Origin::Domain(_) => BiasRows::default(),
            })
            .collect();
        let base = self.evaluator(declared, fuel);
        derive::saturate(&self.derivations, &mut viewed, base, |base, viewed| BiasEvaluator { viewed, ..base })?;
        test(&BiasEvaluator { viewed: &viewed, ..base })
    }

    fn evaluator<'a>(&'a self, declared: DeclaredPredicates<'_>, fuel: &'a Fuel) -> BiasEvaluator<'a> {
        BiasEvaluator {
            origins: &self.origins,
            given: &self.given,
            viewed: &[],
            names: &self.names,
            variables: &self.variables,
            tuple: declared.tuple,
            fuel,
        }
    }
}
