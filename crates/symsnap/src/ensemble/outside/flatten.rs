//! From clauses as other learners write them to flat ones that say the same.
//!
//! A member of a pool is a set of flat rules: conjunctions of literals over variables and constants. Of what is not flat,
//! much can be said flatly:
//!
//! | written | becomes |
//! |---|---|
//! | `f(X) :- p(X) ; q(X).` | two rules |
//! | `f([H|T]) :- p(H).` | `f(L) :- functor(L,'[|]',2), arg(1,L,H), p(H).` |
//! | `f(X) :- p(X,s(Y)), q(Y).` | `f(X) :- p(X,Z), functor(Z,s,1), arg(1,Z,Y), q(Y).` |
//! | `f(X) :- p(X,N), M is 2*N+1, q(M).` | `f(X) :- p(X,N), K is 2*N, M is K+1, q(M).` |
//! | `\+ (p(X) ; q(X))`, `\+ X > 3` | `\+ p(X), \+ q(X)`, `X =< 3` |
//!
//! Sizes are those of the flat form. What cannot be said so (cuts, if-then-else, negated conjunctions, calls of goals that
//! are terms) is an error, in words that go on after "the hypothesis is skipped: ".

use crate::logic::{Clause, Comparison, Computation, Open, Symbol, Term, Terms};
use rustc_hash::FxHashSet;

/// Rules that one clause may become.
const MOST_RULES: usize = 64;
/// Variables that may be added to a clause; rules have at most 256.
const MOST_FRESH: u32 = 64;

/// Predicates whose arguments are goals.
const GOAL_TAKERS: [&str; 14] = [
    "call",
    "findall",
    "forall",
    "once",
    "ignore",
    "bagof",
    "setof",
    "maplist",
    "catch",
    "foldl",
    "include",
    "exclude",
    "call_cleanup",
    "findnsols",
];

/// Flat clauses that together say what `clause` does.
///
/// # Errors
/// If there are none, with what is in the way.
pub(super) fn flatten(clause: &Clause, terms: &mut Terms) -> Result<Vec<Clause>, String> {
    let bodies = alternatives(&clause.body, terms)?;
    bodies.into_iter().map(|goals| Flattening::of(clause, goals, terms)).collect()
}

/// The conjunctions that a body is a disjunction of.
fn alternatives(body: &Open, terms: &Terms) -> Result<Vec<Vec<Open>>, String> {
    let mut done = Vec::new();
    // Each with the goals that are still to be looked at, the next one last.
    let mut open: Vec<(Vec<Open>, Vec<Open>)> = vec![(Vec::new(), vec![body.clone()])];
    while let Some((mut goals, mut rest)) = open.pop() {
        let Some(goal) = rest.pop() else {
            done.push(goals);
            continue;
        };
        let (name, arguments) = called(&goal, terms)?;
        match (name, arguments.as_slice()) {
            (",", [first, second]) => rest.extend([second.clone(), first.clone()]),
            (";" | "|", [first, second]) => {
                if open.len() + done.len() >= MOST_RULES {
                    return Err(format!("its disjunctions make more than {MOST_RULES} rules"));
                }
                let mut other = rest.clone();
                other.push(second.clone());
                open.push((goals.clone(), other));
                rest.push(first.clone());
            }
            ("true", []) => {}
            _ => goals.push(goal),
        }
        open.push((goals, rest));
    }
    Ok(done)
}

/// The name and the arguments of a goal.
fn called<'t>(goal: &Open, terms: &'t Terms) -> Result<(&'t str, Vec<Open>), String> {
    let pred = goal.pred(terms).ok_or("it calls what is no atom")?;
    Ok((terms.name(pred.name), goal.arguments(terms)))
}

/// A clause that is being made flat.
struct Flattening<'t> {
    terms: &'t mut Terms,
    /// How often each variable of the clause occurs, in this alternative.
    occurrences: Vec<usize>,
    /// Variables that have a value when the next goal is called, or so it is hoped.
    bound: FxHashSet<u32>,
    body: Vec<Open>,
    variables: Vec<String>,
    fresh: u32,
}

impl<'t> Flattening<'t> {
    fn of(clause: &Clause, goals: Vec<Open>, terms: &'t mut Terms) -> Result<Clause, String> {
        let mut occurrences = vec![0; clause.variables.len()];
        for term in goals.iter().chain([&clause.head]) {
            variables(term).into_iter().for_each(|var| occurrences[var as usize] += 1);
        }
        let variables = clause.variables.clone();
        let bound = FxHashSet::default();
        let mut flat = Flattening { terms, occurrences, bound, body: Vec::new(), variables, fresh: 0 };
        let head = flat.head(&clause.head)?;
        for goal in goals {
            flat.goal(&goal)?;
        }
        let (variables, terms) = (flat.variables, flat.terms);
        let comma = terms.intern(",");
        let joined = flat.body.into_iter().rev().reduce(|rest, goal| Open::Compound(comma, [goal, rest].into()));
        let body = joined.unwrap_or_else(|| Open::Ground(terms.atom_named("true")));
        Ok(Clause { head, body, variables, location: clause.location.clone() })
    }

    fn head(&mut self, head: &Open) -> Result<Open, String> {
        let Open::Compound(name, arguments) = head else { return Ok(head.clone()) };
        let mut patterns = Vec::new();
        let arguments: Result<Box<[Open]>, String> =
            arguments.iter().map(|argument| self.plain(argument, &mut patterns)).collect();
        self.see(head);
        for (var, pattern) in patterns {
            self.take_apart(var, &pattern)?;
        }
        Ok(Open::Compound(*name, arguments?))
    }

    /// A variable in place of a compound, which goes to `patterns`.
    fn plain(&mut self, argument: &Open, patterns: &mut Vec<(u32, Open)>) -> Result<Open, String> {
        if !matches!(argument, Open::Compound(..)) {
            return Ok(argument.clone());
        }
        let var = self.fresh()?;
        patterns.push((var, argument.clone()));
        Ok(Open::Var(var))
    }

    fn fresh(&mut self) -> Result<u32, String> {
        self.fresh += 1;
        if self.fresh > MOST_FRESH {
            return Err(format!("its terms are too large: they need more than {MOST_FRESH} further variables"));
        }
        self.variables.push("_".to_owned());
        self.occurrences.push(2);
        u32::try_from(self.variables.len() - 1).map_err(|_| "it has too many variables".to_owned())
    }

    /// Have seen all variables of a term.
    fn see(&mut self, term: &Open) {
        self.bound.extend(variables(term));
    }

    /// Say that a variable is a compound of this form.
    fn take_apart(&mut self, var: u32, pattern: &Open) -> Result<(), String> {
        let mut open = vec![(var, pattern.clone())];
        while let Some((var, pattern)) = open.pop() {
            let Open::Compound(name, arguments) = pattern else { continue };
            let (name, arity) = (self.atom(name), self.number(arguments.len()));
            self.emit("functor", vec![Open::Var(var), name, arity]);
            let mut inner = Vec::new();
            for (at, argument) in arguments.iter().enumerate() {
                if matches!(argument, Open::Var(other) if self.occurrences[*other as usize] == 1) {
                    continue;
                }
                let argument = self.plain(argument, &mut inner)?;
                let place = self.number(at + 1);
                self.emit("arg", vec![place, Open::Var(var), argument]);
            }
            open.extend(inner.into_iter().rev());
        }
        Ok(())
    }

    fn atom(&mut self, name: Symbol) -> Open {
        let name = self.terms.name(name).to_owned();
        Open::Ground(self.terms.atom_named(&name))
    }

    fn number(&mut self, number: usize) -> Open {
        Open::Ground(self.terms.int(i64::try_from(number).unwrap_or(i64::MAX)))
    }

    fn emit(&mut self, name: &str, arguments: Vec<Open>) {
        let goal = Open::Compound(self.terms.intern(name), arguments.into());
        self.see(&goal);
        self.body.push(goal);
    }

    fn goal(&mut self, goal: &Open) -> Result<(), String> {
        let (name, arguments) = called(goal, self.terms)?;
        let name = name.to_owned();
        match (name.as_str(), arguments.as_slice()) {
            ("!", []) => Err("it has a cut".to_owned()),
            ("->" | "*->", _) => Err("it has an if-then".to_owned()),
            ("\\+" | "not", [negated]) => self.negated(negated),
            ("is", [result, expression]) => self.computed(result, expression),
            ("=", [Open::Var(var), pattern @ Open::Compound(..)] | [pattern @ Open::Compound(..), Open::Var(var)]) => {
                self.take_apart(*var, pattern)
            }
            (sign, [left, right]) if Comparison::signed(sign).is_some() => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.emit(sign, vec![left, right]);
                Ok(())
            }
            ("aggregate_all", _) => {
                self.see(goal);
                self.body.push(goal.clone());
                Ok(())
            }
            (name, [..]) if GOAL_TAKERS.contains(&name) => Err(format!("it calls `{name}`, which takes a goal")),
            _ => self.call(goal, &arguments),
        }
    }

    /// Terms that are known are built before the call, others are looked at after it.
    fn call(&mut self, goal: &Open, arguments: &[Open]) -> Result<(), String> {
        let Open::Compound(name, _) = goal else {
            self.body.push(goal.clone());
            return Ok(());
        };
        let mut patterns = Vec::new();
        let plain: Result<Box<[Open]>, String> = arguments.iter().map(|it| self.plain(it, &mut patterns)).collect();
        let (before, after): (Vec<_>, Vec<_>) = patterns
            .into_iter()
            .partition(|(_, pattern)| variables(pattern).iter().all(|var| self.bound.contains(var)));
        for (var, pattern) in before {
            self.take_apart(var, &pattern)?;
        }
        let goal = Open::Compound(*name, plain?);
        self.see(&goal);
        self.body.push(goal);
        for (var, pattern) in after {
            self.take_apart(var, &pattern)?;
        }
        Ok(())
    }

    fn computed(&mut self, result: &Open, expression: &Open) -> Result<(), String> {
        if matches!(result, Open::Compound(..)) {
            return Err("it compares a term with a number".to_owned());
        }
        let expression = match self.operands(expression)? {
            Some((sign, left, right)) => Open::Compound(sign, [left, right].into()),
            None => expression.clone(),
        };
        self.emit("is", vec![result.clone(), expression]);
        Ok(())
    }

    /// The value of an expression: itself, or a variable that is computed.
    fn value(&mut self, expression: &Open) -> Result<Open, String> {
        let Some((sign, left, right)) = self.operands(expression)? else { return Ok(expression.clone()) };
        let result = Open::Var(self.fresh()?);
        self.emit("is", vec![result.clone(), Open::Compound(sign, [left, right].into())]);
        Ok(result)
    }

    /// The sign and the operands of an expression of two, with their values; `None` for a variable or a number. Recursion is
    /// bounded by the variables that may be added.
    fn operands(&mut self, expression: &Open) -> Result<Option<(Symbol, Open, Open)>, String> {
        let is_compound = match expression {
            Open::Var(_) => false,
            Open::Compound(..) => true,
            Open::Ground(id) => matches!(self.terms.get(*id), Term::Compound(..)),
        };
        if !is_compound {
            return Ok(None);
        }
        let (sign, arguments) = called(expression, self.terms)?;
        let [left, right] = arguments.as_slice() else {
            return Err(format!("it computes with `{sign}`, which members cannot"));
        };
        if Computation::signed(sign, self.terms).is_none() {
            return Err(format!("it computes with `{sign}`, which members cannot"));
        }
        let sign = expression.pred(self.terms).ok_or("it computes with what is no number")?.name;
        Ok(Some((sign, self.value(left)?, self.value(right)?)))
    }

    fn negated(&mut self, goal: &Open) -> Result<(), String> {
        let (name, arguments) = called(goal, self.terms)?;
        let name = name.to_owned();
        match (name.as_str(), arguments.as_slice()) {
            (";" | "|", [first, second]) => {
                self.negated(first)?;
                self.negated(second)
            }
            (",", [_, _]) => Err("it negates a conjunction".to_owned()),
            ("\\+" | "not" | "->" | "*->" | "!", _) => Err(format!("it negates `{name}`")),
            ("=" | "==", [left, right]) => {
                if [left, right].into_iter().any(|side| matches!(side, Open::Compound(..))) {
                    return Err("it says that something is not of a form".to_owned());
                }
                let sign = if name == "=" { "\\=" } else { "\\==" };
                self.body.push(Open::Compound(self.terms.intern(sign), [left.clone(), right.clone()].into()));
                Ok(())
            }
            (sign, [left, right]) if Comparison::signed(sign).is_some() => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.emit(opposite(sign), vec![left, right]);
                Ok(())
            }
            (name, [..]) if GOAL_TAKERS.contains(&name) || name == "aggregate_all" => {
                Err(format!("it negates `{name}`, which takes a goal"))
            }
            _ => self.absent(goal, &arguments),
        }
    }

    /// `\+ p(...)`. A variable without a value is one that nothing else knows, whatever comes later.
    fn absent(&mut self, goal: &Open, arguments: &[Open]) -> Result<(), String> {
        let mut plain = Vec::new();
        for argument in arguments {
            let free = |var: &u32| !self.bound.contains(var);
            let argument = match argument {
                Open::Var(var) if free(var) => {
                    let here = arguments.iter().map(|it| variables(it).iter().filter(|&other| other == var).count());
                    if here.sum::<usize>() > 1 {
                        return Err("it negates a call with the same unknown twice".to_owned());
                    }
                    let var = self.fresh()?;
                    self.occurrences[var as usize] = 1;
                    Open::Var(var)
                }
                Open::Compound(..) if variables(argument).iter().any(free) => {
                    return Err("it negates a call with a term that has unknowns".to_owned());
                }
                Open::Compound(..) => {
                    let var = self.fresh()?;
                    self.take_apart(var, argument)?;
                    Open::Var(var)
                }
                argument => argument.clone(),
            };
            plain.push(argument);
        }
        let call = match goal {
            Open::Compound(name, _) => Open::Compound(*name, plain.into()),
            other => other.clone(),
        };
        let goal = Open::Compound(self.terms.intern("\\+"), [call].into());
        self.body.push(goal);
        Ok(())
    }
}

fn opposite(sign: &str) -> &'static str {
    match sign {
        "<" => ">=",
        ">" => "=<",
        "=<" => ">",
        ">=" => "<",
        "=:=" => "=\\=",
        _ => "=:=",
    }
}

/// The variables of a term, as often as they stand there.
fn variables(term: &Open) -> Vec<u32> {
    let (mut found, mut rest) = (Vec::new(), vec![term]);
    while let Some(part) = rest.pop() {
        match part {
            Open::Var(var) => found.push(*var),
            Open::Ground(_) => {}
            Open::Compound(_, arguments) => rest.extend(arguments.iter()),
        }
    }
    found
}
