//! The predicates that bodies may use, as the search sees them: types and modes by argument, and how to look them up.

use super::literal::{FRESH, Lit, MAX_ARITY, WordIx};
use crate::database::{Columns, Database, Index, PredIx, Relation, digest_of};
use crate::logic::{Literal, Pred, Rule, Symbol};
use crate::task::Bias;
use std::sync::Arc;

/// A body predicate.
#[derive(Debug, Clone)]
pub struct Word {
    /// Name and arity.
    pub pred: Pred,
    place: PredIx,
    table: bool,
    /// The type of each argument; `None` where it is not declared or declared in several ways.
    types: Box<[Option<Symbol>]>,
    /// For each declared direction the set of arguments that must be bound; one empty set if none is declared.
    modes: Vec<u64>,
}

/// The body predicates of a bias with their tables.
#[derive(Debug)]
pub struct Vocabulary<'d> {
    database: &'d Database,
    words: Vec<Word>,
    head: Pred,
    head_types: Box<[Option<Symbol>]>,
    /// Head variables that are bound before the body runs.
    head_inputs: u64,
    max_vars: usize,
}

/// How a literal is looked up, given values for its bound arguments.
pub enum Access<'d> {
    /// In a table.
    Table(Arc<Index>),
    /// By a call, whose answers the database keeps.
    Called {
        /// Who answers.
        database: &'d Database,
        /// What is called.
        place: PredIx,
        /// Which arguments are bound.
        bound: Columns,
    },
}

impl<'d> Vocabulary<'d> {
    /// The vocabulary of `bias` over `database`.
    pub fn new(bias: &Bias, database: &'d Database) -> Self {
        let words = bias
            .body
            .iter()
            .filter(|pred| pred.arity as usize <= MAX_ARITY)
            .filter_map(|&pred| {
                let place = database.place(pred)?;
                Some(Word {
                    pred,
                    place,
                    table: database.table(place).is_some(),
                    types: bias.argument_types(pred),
                    modes: bias.inputs(pred),
                })
            })
            .collect();
        let head_inputs = bias.bound_by_callers(bias.head);
        Vocabulary {
            database,
            words,
            head: bias.head,
            head_types: bias.argument_types(bias.head),
            head_inputs,
            max_vars: bias.max_vars,
        }
    }

    /// The tables of all predicates; `None` if some have none.
    pub fn tables(&self) -> Option<Vec<&'d Relation>> {
        self.words.iter().map(|word| self.database.table(word.place)).collect()
    }

    /// The predicate with that number.
    pub fn word(&self, word: WordIx) -> &Word {
        &self.words[word.index()]
    }

    /// How many arguments the head has.
    pub fn head_arity(&self) -> usize {
        self.head.arity as usize
    }

    /// The head variables that the body must bind.
    pub fn head_outputs(&self) -> u64 {
        !self.head_inputs & ((1 << self.head.arity) - 1)
    }

    /// All literals, fresh variables as placeholders, that use at least one variable of `touching`, given the types of
    /// the variables so far.
    pub fn literals(&self, types: &[Option<Symbol>], touching: u64, out: &mut Vec<Lit>) {
        let mut args = [0u8; MAX_ARITY];
        for at in 0..self.words.len() {
            self.fill(WordIx(at as u16), 0, &mut args, types, touching, out);
        }
    }

    fn fill(
        &self,
        word: WordIx,
        at: usize,
        args: &mut [u8; MAX_ARITY],
        types: &[Option<Symbol>],
        touching: u64,
        out: &mut Vec<Lit>,
    ) {
        let arity = self.word(word).types.len();
        if at == arity {
            let lit = Lit::new(word, &args[..arity]);
            if (lit.mask() & touching != 0 || arity == 0) && types.len() + lit.fresh() <= self.max_vars {
                out.push(lit);
            }
            return;
        }
        let wanted = self.word(word).types[at];
        for (var, &has) in types.iter().enumerate() {
            let agrees = wanted.is_none() || has.is_none() || wanted == has;
            if agrees && !args[..at].contains(&(var as u8)) {
                args[at] = var as u8;
                self.fill(word, at + 1, args, types, touching, out);
            }
        }
        args[at] = FRESH + args[..at].iter().filter(|&&arg| arg >= FRESH).count() as u8;
        self.fill(word, at + 1, args, types, touching, out);
    }

    /// The types of the head's variables.
    pub fn head_types(&self) -> Vec<Option<Symbol>> {
        self.head_types.to_vec()
    }

    /// The types of all variables of a body with `vars` variables.
    pub fn types(&self, body: &[Lit], vars: usize) -> Vec<Option<Symbol>> {
        let mut types = self.head_types();
        types.resize(vars, None);
        for lit in body {
            for (&arg, &kind) in lit.args().iter().zip(&*self.word(lit.word).types) {
                types[arg as usize] = types[arg as usize].or(kind);
            }
        }
        types
    }

    /// Numbers for the types of a body's local variables, equal for equal types.
    pub fn kinds(&self, body: &[Lit], vars: usize) -> Vec<u32> {
        let types = self.types(body, vars);
        types[self.head_arity()..].iter().map(|kind| kind.map_or(0, |kind| kind.index() as u32 + 1)).collect()
    }

    /// The types of the fresh variables of a literal.
    pub fn fresh_types(&self, lit: &Lit) -> Vec<Option<Symbol>> {
        let types = &self.word(lit.word).types;
        lit.args().iter().zip(types).filter(|(arg, _)| **arg >= FRESH).map(|(_, &kind)| kind).collect()
    }

    /// How to look `lit` up when its variables below [`FRESH`] are bound.
    pub fn access(&self, lit: &Lit, binding: bool) -> Access<'d> {
        let word = self.word(lit.word);
        let (mut bound, mut fresh) = (Columns::default(), Columns::default());
        for (at, &arg) in lit.args().iter().enumerate() {
            if arg < FRESH {
                bound = bound.with(at);
            } else {
                fresh = fresh.with(at);
            }
        }
        if word.table {
            let values = if binding { fresh } else { Columns::default() };
            Access::Table(self.database.index(word.place, bound, values))
        } else {
            Access::Called { database: self.database, place: word.place, bound }
        }
    }

    /// The types of a predicate's arguments.
    pub fn argument_types(&self, word: WordIx) -> &[Option<Symbol>] {
        &self.word(word).types
    }

    /// The index of a predicate's table.
    pub fn index(&self, word: WordIx, keys: Columns, values: Columns) -> Arc<Index> {
        self.database.index(self.word(word).place, keys, values)
    }

    /// The types of arguments, each with the values it takes, ascending; `None` if a predicate has no table or some
    /// types are declared and others not.
    pub fn domains(&self) -> Option<Vec<(Option<Symbol>, Vec<u32>)>> {
        let mut domains: Vec<(Option<Symbol>, Vec<u32>)> = Vec::new();
        for word in &self.words {
            let table = self.database.table(word.place)?;
            for (at, &kind) in word.types.iter().enumerate() {
                let slot = domains.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
                    domains.push((kind, Vec::new()));
                    domains.len() - 1
                });
                domains[slot].1.extend_from_slice(table.column(at));
            }
        }
        for (_, values) in &mut domains {
            values.sort_unstable();
            values.dedup();
        }
        let mixed = domains.len() > 1 && domains.iter().any(|(kind, _)| kind.is_none());
        (!mixed).then_some(domains)
    }

    /// Whether directions are declared for body predicates. Then parts are grown in an order in which they can be run,
    /// and may begin at several places: `p(V0,X), q(V0,Y), r(X,Y)` with inputs `X` and `Y` of `r`.
    pub fn directed(&self) -> bool {
        self.words.iter().any(|word| word.modes != [0])
    }

    /// Whether the declared directions let `lit` run once its variables below [`FRESH`] are bound.
    pub fn callable(&self, lit: &Lit) -> bool {
        let args = lit.args().iter().enumerate();
        let bound = args.filter(|(_, arg)| **arg < FRESH).fold(0u64, |set, (at, _)| set | 1 << at);
        self.word(lit.word).modes.iter().any(|mode| mode & !bound == 0)
    }

    /// Literals over fresh variables alone that can be run before anything is bound and bind what another predicate
    /// wants as input: with directions a part may begin with one, far from the head.
    pub fn free(&self) -> Vec<Lit> {
        let wanted = |kind: Option<Symbol>| {
            self.words.iter().any(|word| {
                word.types.iter().enumerate().any(|(at, &input)| {
                    let is_input = word.modes.iter().any(|mode| mode >> at & 1 == 1);
                    is_input && (kind.is_none() || input.is_none() || kind == input)
                })
            })
        };
        let fresh = |arity: usize| (0..arity as u8).map(|at| FRESH + at).collect::<Vec<_>>();
        let words = self.words.iter().enumerate();
        words
            .filter(|(_, word)| word.modes.contains(&0) && word.types.iter().any(|&kind| wanted(kind)))
            .map(|(at, word)| Lit::new(WordIx(at as u16), &fresh(word.types.len())))
            .collect()
    }

    /// About how many tuples a literal's table has for each combination of its bound arguments; 1 for calls.
    pub fn fan_out(&self, lit: &Lit) -> u64 {
        let word = self.word(lit.word);
        let Some(table) = self.database.table(word.place) else { return 1 };
        let bound = lit.args().iter().enumerate().filter(|(_, arg)| **arg < FRESH);
        let keys = bound.map(|(at, _)| table.distinct(at)).max().unwrap_or(1);
        (table.len() / keys.max(1)).max(1) as u64
    }

    /// Whether some predicate is called rather than looked up in a table.
    pub fn calls(&self) -> bool {
        self.words.iter().any(|word| !word.table)
    }

    /// How many variables the widest predicate takes.
    pub fn widest(&self) -> usize {
        self.words.iter().map(|word| word.types.len()).max().unwrap_or(0)
    }

    /// Whether the literals can be run in some order, each with its input arguments bound, so that all head variables
    /// in `needed` end up bound.
    pub fn executable(&self, body: &[Lit], needed: u64) -> bool {
        self.executable_given(body, 0, needed)
    }

    /// The same if the variables in `given` are bound from the start.
    pub fn executable_given(&self, body: &[Lit], given: u64, needed: u64) -> bool {
        let mut bound = self.head_inputs | given;
        let mut waiting: Vec<&Lit> = body.iter().collect();
        loop {
            let before = waiting.len();
            waiting.retain(|lit| {
                let ready = self.word(lit.word).modes.iter().any(|mode| {
                    lit.args().iter().enumerate().all(|(at, &arg)| mode >> at & 1 == 0 || bound >> arg & 1 == 1)
                });
                if ready {
                    bound |= lit.mask();
                }
                !ready
            });
            if waiting.is_empty() {
                return needed & !bound == 0;
            }
            if waiting.len() == before {
                return false;
            }
        }
    }

    /// The body as a rule.
    pub fn rule(&self, body: &[Lit]) -> Rule {
        let head: Vec<u8> = (0..self.head.arity as u8).collect();
        Rule {
            head: Literal::over(self.head, &head),
            body: body.iter().map(|lit| Literal::over(self.word(lit.word).pred, lit.args())).collect(),
        }
    }
}

impl Access<'_> {
    /// Whether some tuple has this key.
    #[inline]
    pub fn exists(&self, key: &[u32]) -> bool {
        match self {
            Access::Table(index) => index.contains(key),
            Access::Called { database, place, bound } => !database.answers_at(*place, *bound, key).is_empty(),
        }
    }

    /// A digest of the set of the fresh arguments' values for this key, `fresh` each.
    #[inline]
    pub fn digest(&self, key: &[u32], fresh: usize) -> u64 {
        match self {
            Access::Table(index) => index.digest(key),
            Access::Called { database, place, bound } => {
                digest_of(database.answers_at(*place, *bound, key).values(), fresh)
            }
        }
    }

    /// The values of the fresh arguments for this key, `fresh` each, appended to `found`; returns how many tuples.
    #[inline]
    pub fn matches(&self, key: &[u32], fresh: usize, found: &mut Vec<u32>) -> usize {
        match self {
            Access::Table(index) if fresh == 0 => usize::from(index.contains(key)),
            Access::Table(index) => {
                let range = index.range(key);
                found.extend_from_slice(&index.values()[range.clone()]);
                range.len() / fresh
            }
            Access::Called { database, place, bound } => {
                let answers = database.answers_at(*place, *bound, key);
                found.extend_from_slice(answers.values());
                answers.len()
            }
        }
    }
}
