//! What a predicate does when it is called, and how names find their predicates.
//!
//! There are two spaces of names. A program's own definitions win over built-ins and library; the library's clauses
//! see only the library and the built-ins, so a program that defines its own `append/3` does not change `sumlist/2`.

use super::code::{ClauseCode, Key, ProcId};
use super::facts::FactTable;
use super::machine::{Flow, Machine};
use super::raise::Raised;
use super::{builtins, control};
use crate::index::narrow;
use crate::logic::Pred;
use rustc_hash::FxHashMap;

/// A built-in that has at most one answer; its arguments are in [`Machine::args`].
pub(super) type Det = fn(&mut Machine) -> Result<bool, Raised>;

/// A built-in that steers the evaluation; the number is the continuation.
pub(super) type Steer = fn(&mut Machine, u32) -> Result<Flow, Raised>;

#[derive(Debug, Default)]
pub(super) enum ProcedureDefinition {
    /// Nothing defines it.
    #[default]
    Undefined,
    /// Known to Prolog, left out here on purpose.
    Forbidden,
    /// Known to Prolog, not supported.
    Unsupported,
    Det(Det),
    Steer(Steer),
    /// The library's predicate of that name.
    Library(ProcId),
    Facts(FactTable),
    Clauses(ClauseSet),
}

/// Where a predicate stands without any program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It can be called: control, built-ins and the library.
    Available,
    /// Prolog has it, and it is left out on purpose or not supported. Calling it is an error that says so.
    Missing,
    /// Nothing is known of it.
    Unknown,
}

#[derive(Debug)]
pub(super) struct Procedure {
    pub pred: Pred,
    pub definition: ProcedureDefinition,
    pub tabled: bool,
}

/// Up to this number of clauses, a call tries them all: a hash index pays only beyond.
const SCAN: usize = 8;

/// Clauses in the order of the text, indexed on the first argument.
#[derive(Debug, Default)]
pub(super) struct ClauseSet {
    clauses: Vec<ClauseCode>,
    buckets: FxHashMap<Key, u32>,
    /// Which clauses a bucket has, in order; number 0 has those whose first argument is a variable.
    lists: Vec<Vec<u32>>,
}

/// Which clauses of a [`ClauseSet`] a call has to try.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pick {
    All,
    Bucket(u32),
}

impl ClauseSet {
    pub fn new(clauses: Vec<ClauseCode>) -> Self {
        let mut set = ClauseSet { clauses, ..ClauseSet::default() };
        if set.clauses.len() > SCAN {
            set.lists.push(Vec::new());
            for clause in &set.clauses {
                if let Some(key) = clause.key {
                    let next = narrow(set.lists.len());
                    if *set.buckets.entry(key).or_insert(next) == next {
                        set.lists.push(Vec::new());
                    }
                }
            }
            for (at, clause) in set.clauses.iter().enumerate() {
                match clause.key {
                    Some(key) => set.lists[set.buckets[&key] as usize].push(narrow(at)),
                    None => set.lists.iter_mut().for_each(|list| list.push(narrow(at))),
                }
            }
        }
        set
    }

    pub fn pick(&self, key: Option<Key>) -> Pick {
        match key {
            Some(key) if !self.lists.is_empty() => Pick::Bucket(self.buckets.get(&key).copied().unwrap_or(0)),
            _ => Pick::All,
        }
    }

    /// The first clause at position `from` or later that a first argument with `key` can match, and the position
    /// after it.
    pub fn next(&self, pick: Pick, from: u32, key: Option<Key>) -> Option<(&ClauseCode, u32)> {
        match pick {
            Pick::Bucket(bucket) => {
                let &at = self.lists[bucket as usize].get(from as usize)?;
                Some((&self.clauses[at as usize], from + 1))
            }
            Pick::All => {
                let fits = |clause: &ClauseCode| key.is_none() || clause.key.is_none() || clause.key == key;
                let at = (from as usize..self.clauses.len()).find(|&at| fits(&self.clauses[at]))?;
                Some((&self.clauses[at], narrow::<_, u32>(at) + 1))
            }
        }
    }
}

impl Machine {
    /// The procedure that a program means by `pred`.
    pub fn resolve(&mut self, pred: Pred) -> ProcId {
        if let Some(&proc) = self.program.get(&pred) {
            return proc;
        }
        let mut definition = self.built_in(pred);
        if let (
            ProcedureDefinition::Undefined | ProcedureDefinition::Forbidden | ProcedureDefinition::Unsupported,
            Some(&library),
        ) = (&definition, self.library.get(&pred))
            && !self.store.terms.name(pred.name).starts_with('$')
        {
            definition = ProcedureDefinition::Library(library);
        }
        let proc = self.new_procedure(pred);
        self.procedures[proc.0 as usize].definition = definition;
        self.program.insert(pred, proc);
        proc
    }

    /// The procedure that the library's own clauses mean by `pred`.
    pub fn resolve_in_library(&mut self, pred: Pred) -> ProcId {
        if let Some(&proc) = self.library.get(&pred) {
            return proc;
        }
        let definition = self.built_in(pred);
        let proc = self.new_procedure(pred);
        self.procedures[proc.0 as usize].definition = definition;
        self.library.insert(pred, proc);
        proc
    }

    fn built_in(&self, pred: Pred) -> ProcedureDefinition {
        let name = self.store.terms.name(pred.name);
        control::find(name, pred.arity).or_else(|| builtins::find(name, pred.arity)).unwrap_or_else(|| {
            if builtins::is_forbidden(name, pred.arity) {
                ProcedureDefinition::Forbidden
            } else if builtins::is_swi_prolog(name, pred.arity) {
                ProcedureDefinition::Unsupported
            } else {
                ProcedureDefinition::Undefined
            }
        })
    }

    /// A procedure that no name finds yet.
    pub fn new_procedure(&mut self, pred: Pred) -> ProcId {
        let proc = ProcId(narrow(self.procedures.len()));
        self.procedures.push(Procedure { pred, definition: ProcedureDefinition::Undefined, tabled: false });
        proc
    }
}
