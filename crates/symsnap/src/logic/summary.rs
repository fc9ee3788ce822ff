//! What is said of all answers to a call at once, as literals of rules: that there are none, and how many there are.

use super::{Clause, Open, Pred, Terms, write_atom};
use crate::error::Location;

/// What a literal says of the answers to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Summary {
    /// `\+ p(V,_)`: there are none.
    Absence,
    /// `aggregate_all(count, p(V,_), N)`: there are N, the same answer as often as it is given.
    Count,
}

/// A summary of calls of one predicate, with some of its arguments bound. As a predicate of its own, whose name no program uses,
/// it takes these arguments, and the count, so that its literals are flat as others are; they are printed and read as Prolog
/// writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summarised {
    /// What is said.
    pub summary: Summary,
    /// Of which predicate.
    pub of: Pred,
    /// For each of its arguments, whether it is bound.
    pub bound: Box<[bool]>,
}

/// The names of summaries begin with these: `$absent p(+,-)`.
const NAMES: [(Summary, &str); 2] = [(Summary::Absence, "$absent "), (Summary::Count, "$count ")];

impl Summarised {
    /// The summary that a predicate is.
    pub fn by(pred: Pred, terms: &Terms) -> Option<Self> {
        let name = terms.name(pred.name);
        let (summary, rest) = NAMES.iter().find_map(|(summary, start)| Some((*summary, name.strip_prefix(start)?)))?;
        let (of, modes) = rest.strip_suffix(')')?.rsplit_once('(')?;
        let bound: Box<[bool]> = modes.split(',').filter(|mode| !mode.is_empty()).map(|mode| mode == "+").collect();
        let found =
            Summarised { summary, of: Pred::new(terms.symbols().get(of)?, u32::try_from(bound.len()).ok()?), bound };
        (found.arity() == pred.arity).then_some(found)
    }

    /// The predicate that literals of `pred` ask: that of the calls if it is a summary, or else itself.
    pub fn asked(pred: Pred, terms: &Terms) -> Pred {
        Summarised::by(pred, terms).map_or(pred, |summarised| summarised.of)
    }

    fn name(&self, terms: &Terms) -> String {
        let start = NAMES.iter().find(|(summary, _)| *summary == self.summary).map_or("", |(_, start)| start);
        let modes: Vec<&str> = self.bound.iter().map(|bound| if *bound { "+" } else { "-" }).collect();
        format!("{start}{}({})", terms.name(self.of.name), modes.join(","))
    }

    fn arity(&self) -> u32 {
        let counted = u32::from(self.summary == Summary::Count);
        self.bound.iter().fold(counted, |arity, bound| arity + u32::from(*bound))
    }

    /// It as a predicate.
    pub fn pred(&self, terms: &mut Terms) -> Pred {
        let name = self.name(terms);
        Pred::new(terms.intern(&name), self.arity())
    }

    /// It as a predicate, if `terms` has its name.
    pub fn known_pred(&self, terms: &Terms) -> Option<Pred> {
        Some(Pred::new(terms.symbols().get(&self.name(terms))?, self.arity()))
    }

    /// Its definition.
    pub fn clause(&self, terms: &mut Terms) -> Clause {
        let pred = self.pred(terms);
        let mut next = 0;
        let mut fresh = || {
            next += 1;
            Open::Var(next - 1)
        };
        let all: Vec<Open> = self.bound.iter().map(|_| fresh()).collect();
        let mut head: Vec<Open> =
            all.iter().zip(&self.bound).filter(|(_, bound)| **bound).map(|(arg, _)| arg.clone()).collect();
        let call = compound(self.of, all, terms);
        let body = match self.summary {
            Summary::Absence => Open::Compound(terms.intern("\\+"), [call].into()),
            Summary::Count => {
                let count = fresh();
                head.push(count.clone());
                Open::Compound(
                    terms.intern("aggregate_all"),
                    [Open::Ground(terms.atom_named("count")), call, count].into(),
                )
            }
        };
        let location = Location { file: "<summary>".into(), line: 1, column: 1 };
        Clause { head: compound(pred, head, terms), body, variables: vec!["_".to_owned(); next as usize], location }
    }

    /// A literal of it with these arguments, as Prolog writes them all.
    pub fn write(&self, args: &[String], terms: &Terms) -> String {
        let mut text = String::from(if self.summary == Summary::Absence { "\\+ " } else { "aggregate_all(count, " });
        write_atom(&mut text, terms.name(self.of.name));
        let mut given = args.iter();
        for (at, bound) in self.bound.iter().enumerate() {
            text.push(if at == 0 { '(' } else { ',' });
            text.push_str(bound.then(|| given.next()).flatten().map_or("_", String::as_str));
        }
        if !self.bound.is_empty() {
            text.push(')');
        }
        if let (Summary::Count, Some(count)) = (self.summary, args.last()) {
            text += &format!(", {count})");
        }
        text
    }

    /// The summary that a goal is, with its arguments, where `bound` says which variables are bound before it and `elsewhere`
    /// which stand in other goals or twice in this one. Only arguments that are bound, and variables that stand nowhere else,
    /// make one.
    pub fn read(
        goal: &Open,
        bound: impl Fn(u32) -> bool,
        elsewhere: impl Fn(u32) -> bool,
        terms: &Terms,
    ) -> Option<(Self, Vec<Open>)> {
        let Open::Compound(functor, arguments) = goal else { return None };
        let (summary, call, count) = match (terms.name(*functor), &**arguments) {
            ("\\+" | "not", [call]) => (Summary::Absence, call, None),
            ("aggregate_all", [Open::Ground(kind), call, count @ Open::Var(_)]) if terms.show(*kind) == "count" => {
                (Summary::Count, call, Some(count))
            }
            _ => return None,
        };
        let of = call.pred(terms)?;
        let (mut modes, mut args) = (Vec::new(), Vec::new());
        for argument in call.arguments(terms) {
            let is_bound = match &argument {
                Open::Var(var) if bound(*var) => true,
                Open::Var(var) if !elsewhere(*var) => false,
                Open::Ground(_) => true,
                Open::Var(_) | Open::Compound(..) => return None,
            };
            modes.push(is_bound);
            args.extend(is_bound.then_some(argument));
        }
        args.extend(count.cloned());
        Some((Summarised { summary, of, bound: modes.into() }, args))
    }
}

fn compound(pred: Pred, args: Vec<Open>, terms: &mut Terms) -> Open {
    if args.is_empty() {
        let name = terms.name(pred.name).to_owned();
        return Open::Ground(terms.atom_named(&name));
    }
    Open::Compound(pred.name, args.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Text;
    use crate::task::Task;

    /// The rules as they are printed, if they are flat over a background with `p/2` and `q/1`.
    fn shown(rule: &str) -> Option<String> {
        let mut task =
            Task::from_texts("p(a,b). q(a).", "pos(f(a)).", "head_pred(f,1). body_pred(p,2).").expect("a task");
        let given = task.read_rules(&Text::new("rules", rule)).expect("it can be read");
        Some(given[0].clause.as_rule(&task.terms)?.show(&task.terms))
    }

    #[test]
    fn summaries_are_read_and_printed_as_prolog_writes_them() {
        for (rule, printed) in [
            ("f(A) :- \\+ p(A,_).", "f(V0) :- \\+ p(V0,_)."),
            ("f(A) :- not(p(_,A)).", "f(V0) :- \\+ p(_,V0)."),
            ("f(A) :- q(B), \\+ p(A,B).", "f(V0) :- q(V1), \\+ p(V0,V1)."),
            ("f(A) :- \\+ p(A,b).", "f(V0) :- \\+ p(V0,b)."),
            ("f(A) :- q(A), \\+ p(_,_).", "f(V0) :- q(V0), \\+ p(_,_)."),
            (
                "f(A) :- aggregate_all(count, p(A,_), N), N >= 2.",
                "f(V0) :- aggregate_all(count, p(V0,_), V2), V2 >= 2.",
            ),
        ] {
            assert_eq!(shown(rule).as_deref(), Some(printed), "{rule}");
        }
    }

    /// What is bound later or stands twice, built-ins and other aggregates are goals of Prolog and not literals.
    #[test]
    fn what_is_no_summary_is_not_flat() {
        for rule in [
            "f(A) :- \\+ p(A,B), q(B).",
            "f(A) :- q(A), \\+ p(B,B).",
            "f(A) :- \\+ atom(A).",
            "f(A) :- \\+ p(A,g(_)).",
            "f(A) :- \\+ (p(A,_), q(A)).",
            "f(A) :- aggregate_all(count, (p(A,_), q(A)), N), N >= 2.",
        ] {
            assert_eq!(shown(rule), None, "{rule}");
        }
    }

    #[test]
    fn a_summary_is_known_by_its_name() {
        let mut terms = Terms::default();
        let of = Pred::new(terms.intern("odd (name"), 3);
        for summary in [Summary::Absence, Summary::Count] {
            let summarised = Summarised { summary, of, bound: [true, false, true].into() };
            let pred = summarised.pred(&mut terms);
            assert_eq!(Summarised::by(pred, &terms), Some(summarised));
        }
        assert_eq!(Summarised::by(of, &terms), None);
    }
}
