//! Linear recursion: a rule that calls the program once leads from each call to others, and what base rules beside it cover
//! is what they cover of these.
//!
//! Let `r` be `f(X) :- b(X,Y), f(Y)` with background literals `b` that bind all of `Y`. A derivation of `f(x)` from `r` and
//! base rules is a chain of steps by `r` that ends with a base rule. So the program covers `x` iff some base rule covers
//! some call that `r` leads to from `x` in any number of steps, none included. With the calls that each example
//! reaches as a table, base rules are plain rules over that table, and all that plain rules may have they may have too:
//! comparisons with numbers chosen where they stand, constants, computations. The table is the reflexive and transitive
//! closure of one step, as in the theory of linear Datalog programs (Bancilhon and Ramakrishnan, *An amateur's introduction
//! to recursive query processing strategies*, 1986).

use super::bases::extend;
use super::caller::order;
use super::goals::Goals;
use super::lookup::Lookup;
use super::words::Words;
use crate::database::Database;
use crate::index::narrow;
use crate::language::{Lit, key};
use crate::logic::Rule;
use crate::space::Space;
use crate::task::Task;
use rustc_hash::FxHashSet;

/// Literals besides the call that a rule has at most.
const MOST_LITERALS: usize = 2;
/// Rules that are listed at most.
const MOST_RULES: usize = 200;
/// Calls that one example may reach.
const MOST_CALLS: usize = 2_000;
/// Bindings of one rule for one call.
const MOST_BINDINGS: usize = 2_000;

/// A rule that calls the program once, after literals that bind all arguments of the call.
pub struct LinearRule {
    /// The rule.
    pub rule: Rule,
    /// Its literals in the order in which they are run, the call last.
    body: Vec<Lit>,
}

impl LinearRule {
    /// Whether the call has the same value for argument `at` as the head, whatever it leads to.
    pub fn keeps(&self, at: usize) -> bool {
        self.body.last().is_some_and(|call| usize::from(call.args()[at]) == at)
    }
}

/// The linear rules of a task.
pub struct LinearRules<'t> {
    words: Words,
    lookup: Lookup<'t>,
}

impl<'t> LinearRules<'t> {
    /// `None` if predicates have more arguments than the search handles.
    pub fn new(task: &Task, database: &'t Database) -> Option<Self> {
        let words = Words::new(&task.bias, database, task.bias.head, Some(task.bias.head))?;
        Some(LinearRules { words, lookup: Lookup::new(database, Goals::reach(task)) })
    }

    /// The smallest of them that are rules of the space, by size.
    pub fn list(&self, space: &Space) -> Vec<LinearRule> {
        let arity = self.words.head_arity();
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        let mut begun: Vec<(Vec<Lit>, usize)> = vec![(Vec::new(), arity)];
        for _ in 0..=MOST_LITERALS {
            let mut longer = Vec::new();
            for (body, vars) in &begun {
                let mut literals = Vec::new();
                self.words.literals(body, *vars, &mut literals);
                for lit in literals {
                    let extended: Vec<Lit> = body.iter().copied().chain([lit]).collect();
                    let vars = lit.args().iter().map(|&arg| arg as usize + 1).fold(*vars, usize::max);
                    if !seen.insert(key(&extended, arity, vars)) {
                        continue;
                    }
                    if !self.words.calls_program(&lit) {
                        longer.push((extended, vars));
                    } else if let Some(rule) = self.linear(&extended, space) {
                        found.push(rule);
                    }
                }
            }
            begun = longer;
        }
        found.truncate(MOST_RULES);
        found
    }

    /// The rule with this body, whose last literal is the call, if it is a rule of the space that can be run so.
    fn linear(&self, body: &[Lit], space: &Space) -> Option<LinearRule> {
        let (call, background) = body.split_last()?;
        let known = background.iter().fold((1u64 << self.words.head_arity()) - 1, |known, lit| known | lit.mask());
        if call.mask() & !known != 0 || !self.words.is_whole(body) {
            return None;
        }
        let rule = self.words.rule(&order(body, self.words.inputs(), &self.words).0);
        space.contains(&rule).ok()?;
        Some(LinearRule { rule, body: body.to_vec() })
    }

    /// The calls that a rule leads to from a call, that itself first; `None` if there are too many.
    pub fn reached(&mut self, rule: &LinearRule, from: &[u32]) -> Option<Vec<Box<[u32]>>> {
        let (call, background) = rule.body.split_last().expect("it has a call");
        let mut reached: Vec<Box<[u32]>> = vec![from.into()];
        let mut known: FxHashSet<Box<[u32]>> = reached.iter().cloned().collect();
        let mut next = 0;
        while next < reached.len() {
            let (mut rows, mut vars) = (reached[next].to_vec(), from.len());
            for lit in background {
                let more = lit.args().iter().map(|&arg| arg as usize + 1).fold(vars, usize::max);
                rows = extend(&rows, (vars, more), lit, &self.words, &mut self.lookup, MOST_BINDINGS);
                vars = more;
                if rows.len() >= MOST_BINDINGS * vars {
                    return None;
                }
                if rows.is_empty() {
                    break;
                }
            }
            for row in rows.chunks(vars) {
                let called: Box<[u32]> = call.args().iter().map(|&arg| row[arg as usize]).collect();
                if known.insert(called.clone()) {
                    reached.push(called);
                }
            }
            next += 1;
            if reached.len() > MOST_CALLS {
                return None;
            }
        }
        Some(reached)
    }
}

/// An example's arguments as values.
pub fn values_of(args: &[crate::logic::TermId]) -> Vec<u32> {
    args.iter().map(|id| narrow(id.index())).collect()
}
