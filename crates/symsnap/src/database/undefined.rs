//! What is called although nothing defines it, or although it is not available: body predicates of the bias, and goals of
//! background rules.
//!
//! Either is empty in SWI-Prolog's eyes or an error, and a slip of the pen most of the time, so it comes with the name
//! that was probably meant.

use super::datalog::parts;
use crate::error::{Diagnostic, nearest};
use crate::logic::{Clause, Pred};
use crate::prolog::{BuiltIns, Standing};
use crate::task::{Definition, Task};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// Goals inside goals: name, number of arguments, which of them is a goal, and how many arguments are added to it when it is
/// called. Those that take any number of arguments are in [`inner`].
const GOALS: [(&str, u32, usize, u32); 26] = [
    (",", 2, 0, 0),
    (",", 2, 1, 0),
    (";", 2, 0, 0),
    (";", 2, 1, 0),
    ("|", 2, 0, 0),
    ("|", 2, 1, 0),
    ("->", 2, 0, 0),
    ("->", 2, 1, 0),
    ("*->", 2, 0, 0),
    ("*->", 2, 1, 0),
    ("\\+", 1, 0, 0),
    ("not", 1, 0, 0),
    ("once", 1, 0, 0),
    ("ignore", 1, 0, 0),
    ("forall", 2, 0, 0),
    ("forall", 2, 1, 0),
    ("findall", 3, 1, 0),
    ("findall", 4, 1, 0),
    ("bagof", 3, 1, 0),
    ("setof", 3, 1, 0),
    ("aggregate_all", 3, 1, 0),
    ("^", 2, 1, 0),
    ("include", 3, 0, 1),
    ("exclude", 3, 0, 1),
    ("partition", 4, 0, 1),
    ("catch", 3, 0, 0),
];

/// Built-ins that are written wrongly often enough to be worth a suggestion.
const COMMON: [&str; 24] = [
    "append",
    "atom",
    "atom_length",
    "between",
    "delete",
    "findall",
    "forall",
    "foldl",
    "include",
    "integer",
    "last",
    "length",
    "max_list",
    "maplist",
    "member",
    "memberchk",
    "min_list",
    "msort",
    "nth0",
    "nth1",
    "number",
    "reverse",
    "succ",
    "sum_list",
];

/// What becomes of calls of predicates that Prolog has and we do not.
const MISSING: &str = "SWI-Prolog has it, symsnap leaves it out (docs/CONFORMITY.md): what depends on it is unknown and \
                       counts as not covered; define it in bk.pl or do without";

/// The most warnings about undefined predicates: where a whole file is missing, further ones say nothing new.
const MOST: usize = 20;

/// Warnings about body predicates that nothing defines, then about goals of background rules that nothing defines; each
/// predicate once of either.
pub fn undefined(task: &Task) -> Vec<Diagnostic> {
    let mut inquiry = Inquiry { task, known: BuiltIns::default(), told: FxHashSet::default(), warnings: Vec::new() };
    task.bias.body.iter().for_each(|&pred| inquiry.body_predicate(pred));
    // A rule that calls what the bias declares by the same slip is to be corrected, too.
    inquiry.told.clear();
    for predicate in task.program.predicates() {
        if let Definition::Clauses(clauses) = &predicate.definition {
            clauses.iter().for_each(|clause| inquiry.clause(predicate.pred, clause));
        }
    }
    inquiry.warnings.truncate(MOST);
    inquiry.warnings
}

/// Warnings about definitions that SWI-Prolog refuses, because it has a predicate of that name that no program may define. Here
/// the definition holds, so rules and models that use it say something else there.
pub fn redefined(task: &Task) -> Vec<Diagnostic> {
    let all = task.program.predicates().iter().map(|predicate| predicate.pred);
    let refused = all.filter(|pred| BuiltIns::are_protected(task.terms.name(pred.name), pred.arity));
    let warning = |pred: Pred| {
        let shown = pred.show(&task.terms);
        let message = format!("bk.pl defines {shown}, which SWI-Prolog has and lets nobody define");
        let help =
            "here the definition of bk.pl holds; give it another name if rules or models are to be run in SWI-Prolog";
        Diagnostic::warning(message).with_help(help)
    };
    refused.map(warning).take(MOST).collect()
}

struct Inquiry<'t> {
    task: &'t Task,
    known: BuiltIns,
    /// Predicates that have been looked up, so that each is asked about once of either kind.
    told: FxHashSet<Pred>,
    warnings: Vec<Diagnostic>,
}

impl Inquiry<'_> {
    /// Where a predicate stands that the program does not define; a second time it counts as available.
    fn standing(&mut self, pred: Pred) -> Standing {
        if self.task.program.get(pred).is_some() || pred == self.task.bias.head || !self.told.insert(pred) {
            return Standing::Available;
        }
        self.known.standing(self.task.terms.name(pred.name), pred.arity)
    }

    fn body_predicate(&mut self, pred: Pred) {
        let shown = pred.show(&self.task.terms);
        let finding = match self.standing(pred) {
            Standing::Available => return,
            Standing::Missing => {
                Diagnostic::warning(format!("the body predicate {shown} is not available")).with_help(MISSING)
            }
            Standing::Unknown => {
                let help = match self.meant(pred) {
                    Some(meant) => format!("did you mean {meant}? Rules that use {shown} cover nothing"),
                    None => "rules that use it cover nothing; define it in bk.pl or remove its body_pred from bias.pl"
                        .to_owned(),
                };
                Diagnostic::warning(format!("nothing defines the body predicate {shown}")).with_help(help)
            }
        };
        self.warnings.push(match self.task.bias.places.get(&pred) {
            Some(place) => finding.at(place.clone()),
            None => finding,
        });
    }

    /// Look at all goals of a clause, those inside control and inside built-ins that call their arguments included.
    fn clause(&mut self, caller: Pred, clause: &Clause) {
        let (task, terms) = (self.task, &self.task.terms);
        let mut pending = vec![(Cow::Borrowed(&clause.body), 0)];
        while let Some((term, added)) = pending.pop() {
            let Some(goal) = term.pred(terms) else { continue };
            let called = Pred::new(goal.name, goal.arity + added);
            if task.program.get(called).is_some() && added == 0 && !matches!(terms.name(goal.name), "," | ";" | "->") {
                continue;
            }
            let (shown, caller) = (called.show(terms), caller.show(terms));
            let finding = match self.standing(called) {
                Standing::Available => None,
                Standing::Missing => Some(
                    Diagnostic::warning(format!("{shown}, which {caller} calls, is not available")).with_help(MISSING),
                ),
                Standing::Unknown => {
                    let help = match self.meant(called) {
                        Some(meant) => format!("did you mean {meant}?"),
                        None => "calling it is an error, as in SWI-Prolog: define it in bk.pl".to_owned(),
                    };
                    Some(Diagnostic::warning(format!("nothing defines {shown}, which {caller} calls")).with_help(help))
                }
            };
            self.warnings.extend(finding.map(|finding| finding.at(clause.location.clone())));
            let inner = inner(terms.name(goal.name), goal.arity);
            if !inner.is_empty() {
                let arguments = parts(&term, terms);
                pending.extend(inner.into_iter().rev().map(|(at, added)| (arguments[at].clone(), added)));
            }
        }
    }

    /// The predicate that was probably meant: the same name with another number of arguments, or a name alike.
    fn meant(&mut self, pred: Pred) -> Option<String> {
        let (program, terms) = (&self.task.program, &self.task.terms);
        let others = || program.predicates().iter().map(|predicate| predicate.pred);
        if let Some(other) = others().find(|other| other.name == pred.name) {
            return Some(other.show(terms));
        }
        let alike = others().filter(|other| other.arity == pred.arity).map(|other| terms.name(other.name));
        let common = COMMON.into_iter().filter(|name| self.known.have(name, pred.arity));
        let name = nearest(terms.name(pred.name), alike.chain(common))?;
        let named = others().find(|other| other.arity == pred.arity && terms.name(other.name) == name);
        Some(named.map_or_else(|| format!("{name}/{}", pred.arity), |other| other.show(terms)))
    }
}

/// Which arguments of a built-in are goals, and how many arguments each gets when it is called.
fn inner(name: &str, arity: u32) -> Vec<(usize, u32)> {
    match (name, arity) {
        ("call" | "maplist", 1..) => vec![(0, arity - 1)],
        // The lists but the last two arguments, and the accumulator before and after.
        ("foldl", 4..=7) => vec![(0, arity - 1)],
        _ => {
            let goals = GOALS.iter().filter(|goal| (goal.0, goal.1) == (name, arity));
            goals.map(|&(_, _, at, added)| (at, added)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warnings(bk: &str, body: &str) -> Vec<String> {
        let bias = format!("head_pred(f,1).\n{body}");
        let task = Task::from_texts(bk, "pos(f(a)).", &bias).unwrap();
        undefined(&task).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn body_predicates_that_nothing_defines_come_with_what_was_meant() {
        let bk = "charge(a,1). bond(a,b,2).";
        assert_eq!(warnings(bk, "body_pred(charge,2). body_pred(between,3)."), [""; 0]);
        assert_eq!(
            warnings(bk, "body_pred(chrage,2).\nbody_pred(bond,2).\nbody_pred(zzz,1)."),
            [
                "bias.pl:2:1: warning: nothing defines the body predicate chrage/2\n  help: did you mean charge/2? Rules that \
                 use chrage/2 cover nothing",
                "bias.pl:3:1: warning: nothing defines the body predicate bond/2\n  help: did you mean bond/3? Rules that use \
                 bond/2 cover nothing",
                "bias.pl:4:1: warning: nothing defines the body predicate zzz/1\n  help: rules that use it cover nothing; \
                 define it in bk.pl or remove its body_pred from bias.pl",
            ]
        );
    }

    #[test]
    fn goals_that_nothing_defines_are_found_wherever_they_are_called() {
        let bk = "p(a).\n\
            q(X) :- pp(X).\n\
            r(X) :- ( p(X) -> \\+ nope(X) ; findall(Y, some(X,Y), L), lenght(L,2) ).\n\
            s(L) :- maplist(pair(1), L, _), foldl(step, L, 0, _), call(p, L), forall(member(X,L), p(X)).\n\
            t(X) :- f(X), pp(X), X > 1, u(X).\n\
            :- dynamic u/1.";
        let found = warnings(bk, "body_pred(p,1).");
        let first_lines: Vec<&str> = found.iter().map(|text| text.lines().next().unwrap()).collect();
        assert_eq!(
            first_lines,
            [
                "bk.pl:2:1: warning: nothing defines pp/1, which q/1 calls",
                "bk.pl:3:1: warning: nothing defines nope/1, which r/1 calls",
                "bk.pl:3:1: warning: nothing defines some/2, which r/1 calls",
                "bk.pl:3:1: warning: nothing defines lenght/2, which r/1 calls",
                "bk.pl:4:1: warning: nothing defines pair/3, which s/1 calls",
                "bk.pl:4:1: warning: nothing defines step/3, which s/1 calls",
            ],
            "{found:#?}"
        );
        assert!(found[3].ends_with("help: did you mean length/2?"), "{}", found[3]);
        assert!(
            found[1].ends_with("help: calling it is an error, as in SWI-Prolog: define it in bk.pl"),
            "{}",
            found[1]
        );
    }
}
