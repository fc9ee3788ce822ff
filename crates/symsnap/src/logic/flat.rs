//! From clauses, which may be anything, to rules, which are flat: when is a clause a rule, and how large is it?

use super::{Arg, Clause, Computation, Literal, Open, Rule, Summarised, Terms, Var};
use std::borrow::Cow;

/// The control constructs: a goal of one of these is made of goals.
const CONTROL: [(&str, u32); 6] = [(",", 2), (";", 2), ("->", 2), ("*->", 2), ("\\+", 1), ("not", 1)];

impl Clause {
    /// Size as costs count it: one for the head and one for each goal of the body, however control constructs combine
    /// them. The atom `true` is no goal, so a fact has size 1.
    pub fn size(&self, terms: &Terms) -> usize {
        let goals = parts(&self.body, terms, |goal| is_one_of(goal, &CONTROL, terms));
        1 + goals.iter().filter(|goal| !is_one_of(goal, &[("true", 0)], terms)).count()
    }

    /// The clause as a rule, if it is flat: a conjunction of literals whose arguments are variables and ground terms. A
    /// summary is one if `terms` has its name ([`Clause::summaries`]).
    pub fn as_rule(&self, terms: &Terms) -> Option<Rule> {
        let goals = self.goals(terms);
        let body = (0..goals.len()).map(|at| {
            if let Some((summarised, args)) = self.summary(&goals, at, terms) {
                let args: Option<Vec<Arg>> = args.iter().map(|argument| arg(argument, terms)).collect();
                return Some(Literal::new(summarised.known_pred(terms)?, args?));
            }
            let goal = &goals[at];
            let plain = !is_one_of(goal, &CONTROL, terms) && !is_one_of(goal, &[("!", 0)], terms);
            if plain { literal(goal, terms) } else { None }
        });
        Some(Rule { head: literal(&self.head, terms)?, body: body.collect::<Option<_>>()? })
    }

    /// The summaries among the goals of the body.
    pub fn summaries(&self, terms: &Terms) -> Vec<Summarised> {
        let goals = self.goals(terms);
        (0..goals.len()).filter_map(|at| Some(self.summary(&goals, at, terms)?.0)).collect()
    }

    /// The goals of the conjunction that the body is.
    fn goals(&self, terms: &Terms) -> Vec<Cow<'_, Open>> {
        let mut goals = parts(&self.body, terms, |goal| is_one_of(goal, &[(",", 2)], terms));
        goals.retain(|goal| !is_one_of(goal, &[("true", 0)], terms));
        goals
    }

    fn summary(&self, goals: &[Cow<'_, Open>], at: usize, terms: &Terms) -> Option<(Summarised, Vec<Open>)> {
        let occurs = |goal: &Open, var| occurrences(goal, var) > 0;
        let bound = |var| occurs(&self.head, var) || goals[..at].iter().any(|goal| occurs(goal, var));
        let elsewhere = |var| occurrences(&goals[at], var) > 1 || goals[at + 1..].iter().any(|goal| occurs(goal, var));
        Summarised::read(&goals[at], bound, elsewhere, terms)
    }
}

/// How often a variable stands in a term.
fn occurrences(term: &Open, var: u32) -> usize {
    let (mut count, mut rest) = (0, vec![term]);
    while let Some(part) = rest.pop() {
        match part {
            Open::Var(other) => count += usize::from(*other == var),
            Open::Ground(_) => {}
            Open::Compound(_, arguments) => rest.extend(arguments.iter()),
        }
    }
    count
}

fn is_one_of(goal: &Open, names: &[(&str, u32)], terms: &Terms) -> bool {
    goal.pred(terms).is_some_and(|pred| names.contains(&(terms.name(pred.name), pred.arity)))
}

/// The parts of `whole` from the left, where whatever `divides` is replaced by its arguments. Without recursion: a
/// body may be a chain of any length.
fn parts<'c>(whole: &'c Open, terms: &Terms, divides: impl Fn(&Open) -> bool) -> Vec<Cow<'c, Open>> {
    let (mut found, mut rest) = (Vec::new(), vec![Cow::Borrowed(whole)]);
    while let Some(part) = rest.pop() {
        match part {
            part if !divides(&part) => found.push(part),
            Cow::Borrowed(Open::Compound(_, arguments)) => rest.extend(arguments.iter().rev().map(Cow::Borrowed)),
            part => rest.extend(part.arguments(terms).into_iter().rev().map(Cow::Owned)),
        }
    }
    found
}

fn arg(argument: &Open, terms: &Terms) -> Option<Arg> {
    match argument {
        Open::Var(number) => u8::try_from(*number).ok().map(|number| Arg::Var(Var(number))),
        Open::Ground(id) => Some(Arg::ground(*id, terms)),
        Open::Compound(..) => None,
    }
}

fn literal(atom: &Open, terms: &Terms) -> Option<Literal> {
    let arg = |argument: &Open| arg(argument, terms);
    let pred = atom.pred(terms)?;
    if let (Open::Compound(_, sides), true) = (atom, is_one_of(atom, &[("is", 2)], terms))
        && let [result, Open::Compound(sign, operands)] = &**sides
        && let [left, right] = &**operands
    {
        let pred = Computation::signed(terms.name(*sign), terms)?;
        return Some(Literal::new(pred, [arg(left)?, arg(right)?, arg(result)?]));
    }
    let args: Option<Vec<Arg>> = match atom {
        Open::Compound(_, arguments) => arguments.iter().map(arg).collect(),
        _ => atom.arguments(terms).iter().map(arg).collect(),
    };
    Some(Literal::new(pred, args?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Location;

    /// `head :- body` over variables 0.. where a body is built by the given function.
    fn clause(terms: &mut Terms, body: impl Fn(&mut Terms) -> Open) -> Clause {
        let name = terms.intern("f");
        Clause {
            head: Open::Compound(name, [Open::Var(0)].into()),
            body: body(terms),
            variables: vec!["A".into(), "B".into()],
            location: Location { file: "rules.pl".into(), line: 1, column: 1 },
        }
    }

    fn compound(terms: &mut Terms, name: &str, arguments: &[Open]) -> Open {
        Open::Compound(terms.intern(name), arguments.into())
    }

    #[test]
    fn a_conjunction_of_flat_literals_is_a_rule() {
        let mut terms = Terms::default();
        let clause = clause(&mut terms, |terms| {
            let three = Open::Ground(terms.int(3));
            let ground = Open::Ground({
                let (name, a) = (terms.intern("q"), terms.atom_named("a"));
                terms.compound(name, &[a])
            });
            let p = compound(terms, "p", &[Open::Var(0), Open::Var(1), three]);
            compound(terms, ",", &[p, ground])
        });
        let rule = clause.as_rule(&terms).expect("it is flat");
        assert_eq!(rule.show(&terms), "f(V0) :- p(V0,V1,3), q(a).");
        assert_eq!((rule.size(), clause.size(&terms)), (3, 3));
    }

    #[test]
    fn a_fact_is_a_rule_of_size_one() {
        let mut terms = Terms::default();
        let clause = clause(&mut terms, |terms| Open::Ground(terms.atom_named("true")));
        assert_eq!(clause.as_rule(&terms).expect("it is flat").show(&terms), "f(V0).");
        assert_eq!(clause.size(&terms), 1);
    }

    #[test]
    fn negation_and_compounds_with_variables_are_not_flat_but_have_a_size() {
        let mut terms = Terms::default();
        let clause = clause(&mut terms, |terms| {
            let inner = compound(terms, "s", &[Open::Var(1)]);
            let p = compound(terms, "p", &[inner]);
            let q = compound(terms, "q", &[Open::Var(0)]);
            let not = compound(terms, "\\+", &[q]);
            compound(terms, ",", &[p, not])
        });
        assert_eq!(clause.as_rule(&terms), None);
        assert_eq!(clause.size(&terms), 3);
    }
}
