//! Which background clauses are Datalog: what can be run bottom-up with the same answers as top-down.
//!
//! A clause qualifies if its arguments are variables and ground terms, its body is a conjunction of program predicates,
//! negations of them and comparisons, and every variable is bound by a goal *before* it is compared, and every head
//! variable by some goal. Then no goal's answers depend on which arguments the caller had bound, so one table serves
//! all calls. A variable of a negation may stay unbound (there is no such row at all) if it is not one of the head's.

use crate::index::narrow;
use crate::logic::{Clause, Comparison, Open, Pred, TermId, Terms};
use crate::prolog::BuiltIns;
use crate::task::Program;
use std::borrow::Cow;

/// An argument: a variable of the clause or a ground term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DatalogArg {
    Var(u32),
    Value(u32),
}

/// A predicate applied to arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DatalogAtom {
    pub(super) pred: Pred,
    pub(super) args: Box<[DatalogArg]>,
}

/// How two bound values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundComparison {
    /// The same term: `=` and `==` on ground terms.
    Same,
    /// Not the same term: `\=` and `\==` on ground terms.
    Different,
    /// Numbers, by value.
    Number(Comparison),
}

/// A goal of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DatalogGoal {
    Holds(DatalogAtom),
    Fails(DatalogAtom),
    Compare(BoundComparison, DatalogArg, DatalogArg),
    /// `X = t` with `X` not bound yet.
    Bind(u32, DatalogArg),
}

/// A clause that can be run bottom-up.
#[derive(Debug, Clone)]
pub(super) struct DatalogRule {
    pub(super) head: DatalogAtom,
    pub(super) body: Vec<DatalogGoal>,
    pub(super) variables: usize,
}

/// The most goals, and the most variables, of a clause that is evaluated bottom-up: evaluation recurses once per goal.
const MOST: usize = 64;

/// The clause as Datalog, or why it is not.
pub(super) fn recognise(
    clause: &Clause,
    program: &Program,
    terms: &Terms,
    known: &mut BuiltIns,
) -> Result<DatalogRule, &'static str> {
    if clause.variables.len() > MOST {
        return Err("has a clause with many variables");
    }
    let head = atom(&clause.head, terms)?;
    let in_head = head.args.iter().fold(0u64, |vars, arg| vars | bit(*arg));
    let mut bound = 0u64;
    let mut body = Vec::new();
    let mut pending = vec![Cow::Borrowed(&clause.body)];
    while let Some(term) = pending.pop() {
        let pred = term.pred(terms).ok_or("calls a variable")?;
        let mut arguments = parts(&term, terms);
        match (terms.name(pred.name), pred.arity) {
            (",", 2) => {
                arguments.reverse();
                pending.append(&mut arguments);
                continue;
            }
            ("true", 0) => continue,
            ("\\+" | "not", 1) if terms.name(pred.name) == "\\+" || program.get(pred).is_none() => {
                let inner = &arguments[0];
                let negated = inner.pred(terms).ok_or("calls a variable")?;
                if program.get(negated).is_none() {
                    return Err(not_of_the_program(negated, "negates a built-in", terms, known));
                }
                let negated = atom(inner, terms)?;
                let vars = negated.args.iter().fold(0u64, |vars, arg| vars | bit(*arg));
                if vars & in_head & !bound != 0 {
                    return Err("negates before a variable is bound");
                }
                let unbound = |arg: &DatalogArg| bit(*arg) & !bound != 0;
                if negated.args.iter().enumerate().any(|(at, arg)| unbound(arg) && negated.args[..at].contains(arg)) {
                    return Err("negates a repeated variable");
                }
                body.push(DatalogGoal::Fails(negated));
            }
            _ if program.get(pred).is_some() => {
                let goal = atom(&term, terms)?;
                bound |= goal.args.iter().fold(0u64, |vars, arg| vars | bit(*arg));
                body.push(DatalogGoal::Holds(goal));
            }
            (name, 2) => {
                let Some(comparison) = comparison(name) else {
                    return Err(not_of_the_program(pred, "calls a built-in", terms, known));
                };
                let (a, b) = (operand(&arguments[0])?, operand(&arguments[1])?);
                let is_bound = |operand| bit(operand) & !bound == 0;
                match (is_bound(a), is_bound(b), a, b) {
                    (true, true, ..) => body.push(DatalogGoal::Compare(comparison, a, b)),
                    (false, true, DatalogArg::Var(var), other) | (true, false, other, DatalogArg::Var(var))
                        if name == "=" =>
                    {
                        body.push(DatalogGoal::Bind(var, other));
                        bound |= 1 << var;
                    }
                    _ => return Err("compares before a variable is bound"),
                }
            }
            _ => return Err(not_of_the_program(pred, "calls a built-in", terms, known)),
        }
        if body.len() > MOST {
            return Err("has a long clause");
        }
    }
    if in_head & !bound != 0 {
        return Err("has a head variable that its body does not bind");
    }
    Ok(DatalogRule { head, body, variables: clause.variables.len() })
}

/// Why a clause that calls what the program does not define is not Datalog: `built_in` if it is there all the same.
fn not_of_the_program(pred: Pred, built_in: &'static str, terms: &Terms, known: &mut BuiltIns) -> &'static str {
    if known.have(terms.name(pred.name), pred.arity) { built_in } else { "calls what nothing defines" }
}

/// The arguments of a term, without copying what may be deep.
pub(super) fn parts<'c>(term: &Cow<'c, Open>, terms: &Terms) -> Vec<Cow<'c, Open>> {
    match term {
        Cow::Borrowed(Open::Compound(_, arguments)) => arguments.iter().map(Cow::Borrowed).collect(),
        ground => ground.arguments(terms).into_iter().map(Cow::Owned).collect(),
    }
}

/// Compare two numbers as Prolog's arithmetic comparison does; `None` if either is no number.
pub(super) fn compare_numbers(test: Comparison, a: u32, b: u32, terms: &Terms) -> Option<bool> {
    let order = terms.compare_values(TermId::from_index(a), TermId::from_index(b))?;
    Some(test.holds(order))
}

fn comparison(name: &str) -> Option<BoundComparison> {
    Some(match name {
        "=" | "==" => BoundComparison::Same,
        "\\=" | "\\==" => BoundComparison::Different,
        _ => BoundComparison::Number(Comparison::signed(name)?),
    })
}

fn atom(term: &Open, terms: &Terms) -> Result<DatalogAtom, &'static str> {
    let pred = term.pred(terms).ok_or("calls a variable")?;
    let args = match term {
        Open::Compound(_, arguments) => arguments.iter().map(operand).collect::<Result<_, _>>()?,
        ground => ground.arguments(terms).iter().map(operand).collect::<Result<_, _>>()?,
    };
    Ok(DatalogAtom { pred, args })
}

fn operand(term: &Open) -> Result<DatalogArg, &'static str> {
    match term {
        Open::Var(var) => Ok(DatalogArg::Var(*var)),
        Open::Ground(id) => Ok(DatalogArg::Value(narrow(id.index()))),
        Open::Compound(..) => Err("takes terms apart or builds them"),
    }
}

fn bit(operand: DatalogArg) -> u64 {
    match operand {
        DatalogArg::Var(var) => 1 << var,
        DatalogArg::Value(_) => 0,
    }
}
