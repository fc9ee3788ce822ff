//! Plain facts that have been read and are added together: then the looks into memory that their constants take are made
//! together, too ([`Terms::constants`]), which is most of what loading costs.
//!
//! Names and terms get their numbers in the order of the text: the arguments of a fact, then, if it is new, its predicate.
//!
//! *Rejected*: reading on several threads. Of nine seconds for ten million facts reading them took
//! 0.4 and interning seven; and interning gives numbers in the order of the text, so it would follow on one thread, once more for
//! what each thread had numbered by itself.

use super::Program;
use crate::error::Location;
use crate::index::narrow;
use crate::logic::{Clause, Constant, Key, Open, Pred, TermId, Terms};
use crate::parse::{Fact, Places};
use rustc_hash::FxHashMap;

/// Facts that wait, with the memory for the next ones.
#[derive(Default)]
pub(super) struct WaitingFacts<'s> {
    /// The predicates met so far, each with its place in the program.
    known: FxHashMap<(&'s str, usize), (Pred, usize)>,
    /// The predicate of the last fact.
    last: Option<(&'s str, Pred, usize)>,
    /// The predicate of each fact with its place in the program, and where the fact begins.
    facts: Vec<(Pred, usize, u32)>,
    constants: Vec<Constant<'s>>,
    keys: Vec<(Key, bool)>,
    ids: Vec<TermId>,
}

/// How many facts wait: what they need, some 100 bytes each, should stay in a cache of the processor.
const MOST: usize = 512;

impl<'s> WaitingFacts<'s> {
    /// Whether they should be added now. A fact among rules becomes a clause, which is a term of its own, and terms get their
    /// numbers in the order of the text.
    pub fn is_full(&self, program: &Program) -> bool {
        self.facts.len() >= MOST || self.last.is_some_and(|(.., place)| program.has_rules(place))
    }

    /// Let `fact` wait. Its predicate is declared if it is new.
    pub fn take(&mut self, fact: &Fact<'s>, terms: &mut Terms, program: &mut Program) {
        self.constants.extend_from_slice(&fact.arguments);
        let arity = fact.arguments.len();
        let (_, pred, place) = match self.last {
            Some(last) if last.0 == fact.name && last.1.arity as usize == arity => last,
            _ => match self.known.get(&(fact.name, arity)) {
                Some(&(pred, place)) => (fact.name, pred, place),
                None => {
                    self.intern(terms);
                    let pred = Pred::new(terms.intern(fact.name), narrow(arity));
                    let place = program.place(pred);
                    self.known.insert((fact.name, arity), (pred, place));
                    (fact.name, pred, place)
                }
            },
        };
        self.last = Some((fact.name, pred, place));
        self.facts.push((pred, place, fact.start));
    }

    /// Add the facts to the program; none waits then.
    pub fn add_to(&mut self, program: &mut Program, terms: &mut Terms, places: &mut Places<'_, '_>) {
        self.intern(terms);
        let mut rows = &self.ids[..];
        for facts in self.facts.chunk_by(|one, next| one.1 == next.1) {
            let (pred, place, _) = facts[0];
            let arity = pred.arity as usize;
            let (these, rest) = rows.split_at(facts.len() * arity);
            program.add_facts(place, these, |at| {
                ground_clause(pred, &these[at * arity..(at + 1) * arity], terms, places.location(facts[at].2))
            });
            rows = rest;
        }
        self.facts.clear();
        self.ids.clear();
    }

    /// Make terms of the constants.
    fn intern(&mut self, terms: &mut Terms) {
        terms.constants(&self.constants, &mut self.keys, &mut self.ids);
        self.constants.clear();
    }
}

/// A ground fact as a clause.
pub(super) fn ground_clause(pred: Pred, row: &[TermId], terms: &mut Terms, location: Location) -> Clause {
    Clause {
        head: Open::Ground(terms.compound(pred.name, row)),
        body: Open::Ground(terms.atom_named("true")),
        variables: Vec::new(),
        location,
    }
}
