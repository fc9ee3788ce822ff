//! The predicates that the bodies of a program's rules may use: those of the background, and the one that the program
//! itself defines.

use crate::database::{Database, PredIx};
use crate::index::variables;
use crate::language::{FRESH, Lit, MAX_ARITY, PredNo};
use crate::logic::{Literal, Pred, Rule, Symbol};
use crate::task::Bias;

/// A body predicate.
#[derive(Debug, Clone)]
struct Word {
    pred: Pred,
    /// Its place in the database; `None` for the predicate that the program defines.
    place: Option<PredIx>,
    /// The type of each argument; `None` where it is not declared, or declared in several ways.
    types: Box<[Option<Symbol>]>,
    /// For each declared direction the set of arguments that must be bound; one empty set if none is declared.
    modes: Vec<u64>,
}

/// The head and the body predicates of one kind of rule.
#[derive(Debug, Clone)]
pub(super) struct Words {
    words: Vec<Word>,
    head: Pred,
    head_types: Box<[Option<Symbol>]>,
    /// Head variables that every call binds.
    inputs: u64,
    directed: bool,
    max_vars: usize,
    non_datalog: bool,
}

impl Words {
    /// The words of rules for `head`, which may call the background and `defined`. `None` if some predicate has more
    /// arguments than a literal of the search holds.
    pub(super) fn new(bias: &Bias, database: &Database, head: Pred, defined: Option<Pred>) -> Option<Self> {
        let background = bias.body.iter().copied().filter(|pred| pred.arity as usize <= bias.max_vars);
        let mut words = Vec::new();
        for pred in background.chain(defined) {
            if pred.arity as usize > MAX_ARITY || head.arity as usize > MAX_ARITY {
                return None;
            }
            let place = if Some(pred) == defined { None } else { Some(database.place(pred)?) };
            words.push(Word { pred, place, types: bias.argument_types(pred), modes: bias.inputs(pred) });
        }
        Some(Words {
            directed: words.iter().any(|word| word.modes != [0]),
            words,
            head,
            head_types: bias.argument_types(head),
            inputs: bias.bound_by_callers(head),
            max_vars: bias.max_vars,
            non_datalog: bias.non_datalog,
        })
    }

    pub(super) fn head_arity(&self) -> usize {
        self.head.arity as usize
    }

    /// How many arguments the predicate has that the program defines.
    pub(super) fn defined_arity(&self) -> usize {
        self.words.last().map_or(0, |word| word.types.len())
    }

    /// Where the background answers a literal; `None` if the program does.
    #[inline]
    pub(super) fn place(&self, lit: &Lit) -> Option<PredIx> {
        self.words[lit.pred.index()].place
    }

    /// Whether the literal calls the predicate that the program defines.
    #[inline]
    pub(super) fn calls_program(&self, lit: &Lit) -> bool {
        self.words[lit.pred.index()].place.is_none()
    }

    /// Whether some literal of the body does.
    pub(super) fn calls_program_in(&self, body: &[Lit]) -> bool {
        body.iter().any(|lit| self.calls_program(lit))
    }

    /// Whether the declared directions let `lit` run with the variables of `bound` bound.
    pub(super) fn ready(&self, lit: &Lit, bound: u64) -> bool {
        let given = |at: usize, arg: u8| arg < FRESH && bound >> arg & 1 == 1 || at >= 64;
        let inputs = |mode: u64| lit.args().iter().enumerate().all(|(at, &arg)| mode >> at & 1 == 0 || given(at, arg));
        self.words[lit.pred.index()].modes.iter().any(|&mode| inputs(mode))
    }

    /// Whether directions are declared for body predicates.
    pub(super) fn directed(&self) -> bool {
        self.directed
    }

    /// The variables that are bound when the body begins, whoever calls.
    pub(super) fn inputs(&self) -> u64 {
        self.inputs
    }

    /// All literals that may be added to `body`, which has `vars` variables: they can run once the body has, agree
    /// with the types of its variables, and hang together with it (unless they only bind: those may be connected
    /// later).
    pub(super) fn literals(&self, body: &[Lit], vars: usize, out: &mut Vec<Lit>) {
        let types = self.types(body, vars);
        let bound = body.iter().fold(self.inputs, |bound, lit| bound | lit.mask());
        for (at, word) in self.words.iter().enumerate() {
            Lit::each(PredNo::new(at), &word.types, &types, &mut |lit| {
                let apart = lit.mask() == 0 && !lit.args().is_empty();
                let touches = !apart || self.directed && self.ready(&lit, 0);
                let itself = lit.args().len() == self.head_arity()
                    && word.pred == self.head
                    && lit.args().iter().enumerate().all(|(at, &arg)| arg as usize == at);
                if touches && !itself && vars + lit.fresh() <= self.max_vars && self.ready(&lit, bound) {
                    let lit = lit.named(vars);
                    if !body.contains(&lit) {
                        out.push(lit);
                    }
                }
            });
        }
    }

    fn types(&self, body: &[Lit], vars: usize) -> Vec<Option<Symbol>> {
        let mut types = self.head_types.to_vec();
        types.resize(vars, None);
        for lit in body {
            for (&arg, &kind) in lit.args().iter().zip(&*self.words[lit.pred.index()].types) {
                types[arg as usize] = types[arg as usize].or(kind);
            }
        }
        types
    }

    /// Whether a body that was grown literal by literal is whole: all head variables that must be are in it and are
    /// bound by it, and all its variables hang together with the head.
    pub(super) fn is_whole(&self, body: &[Lit]) -> bool {
        let head = (1u64 << self.head.arity) - 1;
        let all = body.iter().fold(0, |mask, lit| mask | lit.mask());
        if body.is_empty() || !self.non_datalog && head & !all != 0 {
            return false;
        }
        let mut connected = head;
        loop {
            let before = connected;
            for lit in body.iter().filter(|lit| lit.mask() & before != 0) {
                connected |= lit.mask();
            }
            if connected == before {
                return all & !connected == 0;
            }
        }
    }

    /// Whether `left` more literals can make it a rule that calls the program and uses each variable twice.
    pub(super) fn may_get_tight(&self, body: &[Lit], vars: usize, left: usize) -> bool {
        let mut uses = [0u8; 64];
        uses[..self.head_arity()].fill(1);
        body.iter().flat_map(|lit| lit.args()).for_each(|&arg| uses[arg as usize] = (uses[arg as usize] + 1).min(2));
        let single = uses[..vars].iter().filter(|&&uses| uses == 1).count();
        let calls = self.calls_program_in(body);
        let widest = self.words.iter().map(|word| word.types.len()).max().unwrap_or(0);
        let callee = self.defined_arity();
        // One of the literals must be a call if there is none yet.
        match (calls, left) {
            (true, left) => single <= left * widest,
            (false, 0) => false,
            (false, left) => single <= (left - 1) * widest + callee,
        }
    }

    /// The body as a rule.
    pub(super) fn rule(&self, body: &[Lit]) -> Rule {
        let head = variables(self.head.arity);
        Rule {
            head: Literal::over(self.head, &head),
            body: body.iter().map(|lit| Literal::over(self.words[lit.pred.index()].pred, lit.args())).collect(),
        }
    }
}
