//! The predicates that bodies may use, as the search sees them: types and modes by argument, and how to look them up.

use super::calls::{CallLog, Pattern, without};
use super::literal::{FRESH, Lit, MAX_ARITY, WordIx};
use super::taint::Taint;
use crate::database::{Answers, Columns, Database, Index, Outcome, PredIx, Relation, Want, digest_of};
use crate::index::{narrow, variables};
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
    /// Sets of arguments one of which must be bound before all answers are asked for: one for each declared direction,
    /// or one empty set if none is declared, and more of them where calls turned out to need it ([`CallLog`]).
    modes: Vec<u64>,
    /// The same before it is asked whether there is an answer.
    test_modes: Vec<u64>,
    /// What can tell bound from unbound arguments, if the predicate is called and uses such a thing.
    sensitive: Option<&'static str>,
    /// The inputs of the declared directions; none if none is declared.
    declared: Vec<u64>,
}

impl Word {
    /// What must be bound for a use.
    fn modes(&self, want: Want) -> &[u64] {
        match want {
            Want::All => &self.modes,
            Want::One => &self.test_modes,
        }
    }

    /// Whether the answers to a call are those that the declared directions give: the call has just their inputs bound,
    /// or it has all arguments bound and holds exactly if they answer so. Nothing else is known to be right.
    fn is_steady(&self, key: &[u32], bound: Columns, answers: &Answers, database: &Database) -> bool {
        let arity = self.types.len();
        if bound.len() < arity {
            return self.declared.contains(&bound.0);
        }
        self.declared.iter().all(|&inputs| {
            let (known, wanted): (Vec<usize>, Vec<usize>) = (0..arity).partition(|at| inputs >> at & 1 == 1);
            if wanted.is_empty() {
                return true;
            }
            let pick = |of: &[usize]| of.iter().map(|&at| key[at]).collect::<Vec<u32>>();
            let given = database.answers_at(self.place, Columns(inputs), &pick(&known));
            let holds = given.values().chunks(wanted.len()).any(|row| row == pick(&wanted));
            *given.outcome() != Outcome::Exact || holds != answers.is_empty()
        })
    }

    fn bar(&mut self, bound: Columns, want: Want) {
        let arity = self.types.len();
        // Who cannot say whether there is an answer cannot give all.
        self.modes = without(&self.modes, bound.0, arity);
        if want == Want::One {
            self.test_modes = without(&self.test_modes, bound.0, arity);
        }
    }
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
    /// Predicates with more arguments than a literal of the search has.
    wide: Vec<Pred>,
    log: CallLog,
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
        /// The predicate, for the log, and what is known of it.
        word: WordIx,
        known: &'d Word,
        /// Where it is written down what became of calls.
        log: &'d CallLog,
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
                let modes = bias.inputs(pred);
                Some(Word {
                    pred,
                    place,
                    table: database.table(place).is_some(),
                    types: bias.argument_types(pred),
                    test_modes: modes.clone(),
                    modes,
                    sensitive: database.sensitive(place),
                    declared: if bias.directions.contains_key(&pred) { bias.inputs(pred) } else { Vec::new() },
                })
            })
            .collect();
        let head_inputs = bias.bound_by_callers(bias.head);
        let wide = |pred: &&Pred| pred.arity as usize > MAX_ARITY && pred.arity as usize <= bias.max_vars;
        Vocabulary {
            wide: bias.body.iter().filter(wide).copied().collect(),
            log: CallLog::default(),
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
            self.fill(WordIx::new(at), 0, &mut args, types, touching, out);
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
        for (var, &has) in (0u8..).zip(types) {
            let agrees = wanted.is_none() || has.is_none() || wanted == has;
            if agrees && !args[..at].contains(&var) {
                args[at] = var;
                self.fill(word, at + 1, args, types, touching, out);
            }
        }
        args[at] = narrow(FRESH as usize + args[..at].iter().filter(|&&arg| arg >= FRESH).count());
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
    pub fn kinds(&self, body: &[Lit], vars: usize) -> Vec<u64> {
        let types = self.types(body, vars);
        types[self.head_arity()..].iter().map(|kind| kind.map_or(0, |kind| kind.index() as u64 + 1)).collect()
    }

    /// The types of the fresh variables of a literal.
    pub fn fresh_types(&self, lit: &Lit) -> Vec<Option<Symbol>> {
        let types = &self.word(lit.word).types;
        lit.args().iter().zip(types).filter(|(arg, _)| **arg >= FRESH).map(|(_, &kind)| kind).collect()
    }

    /// How to look `lit` up when its variables below [`FRESH`] are bound.
    pub fn access(&self, lit: &Lit, binding: bool) -> Access<'_> {
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
            Access::Called {
                database: self.database,
                place: word.place,
                bound,
                word: lit.word,
                known: word,
                log: &self.log,
            }
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

    /// Whether body predicates have inputs. Then parts are grown in an order in which they can be run, and may begin at
    /// several places: `p(V0,X), q(V0,Y), r(X,Y)` with inputs `X` and `Y` of `r`.
    pub fn directed(&self) -> bool {
        self.words.iter().any(|word| word.modes != [0])
    }

    /// Whether `lit` has its inputs once its variables below [`FRESH`] are bound, if all its answers are wanted or only
    /// whether there is one.
    pub fn callable(&self, lit: &Lit, want: Want) -> bool {
        let args = lit.args().iter().enumerate();
        let bound = args.filter(|(_, arg)| **arg < FRESH).fold(0u64, |set, (at, _)| set | 1 << at);
        self.word(lit.word).modes(want).iter().any(|mode| mode & !bound == 0)
    }

    /// Bar the call patterns that turned out not to answer; whether there were any.
    pub fn bar_failed_calls(&mut self) -> bool {
        let barred = self.log.review();
        for &(word, bound, want) in &barred {
            self.words[word.index()].bar(bound, want);
        }
        !barred.is_empty()
    }

    /// What is in doubt because of calls, or because predicates are too wide.
    pub fn taints(&self) -> Vec<Taint> {
        let wide = self.wide.iter().map(|&pred| Taint::Wide { pred });
        self.log.taints(|word| self.word(word).pred).into_iter().chain(wide).collect()
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
        let fresh = |arity: usize| (FRESH..).take(arity).collect::<Vec<_>>();
        let words = self.words.iter().enumerate();
        words
            .filter(|(_, word)| word.modes.contains(&0) && word.types.iter().any(|&kind| wanted(kind)))
            .map(|(at, word)| Lit::new(WordIx::new(at), &fresh(word.types.len())))
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
                let ready = self.is_ready(lit, bound, body);
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

    /// Whether a literal of `body` can be run with the variables of `bound` bound: it can give all its answers, or it
    /// can tell whether there is one and what it would bind occurs nowhere else.
    fn is_ready(&self, lit: &Lit, bound: u64, body: &[Lit]) -> bool {
        let binds = lit.mask() & !bound;
        let apart = || body.iter().filter(|other| *other != lit).all(|other| other.mask() & binds == 0);
        self.has_inputs(lit, bound, Want::All) || self.has_inputs(lit, bound, Want::One) && apart()
    }

    /// Whether a literal has its inputs once the variables of `bound` are bound.
    fn has_inputs(&self, lit: &Lit, bound: u64, want: Want) -> bool {
        let met =
            |mode: u64| lit.args().iter().enumerate().all(|(at, &arg)| mode >> at & 1 == 0 || bound >> arg & 1 == 1);
        self.word(lit.word).modes(want).iter().any(|&mode| met(mode))
    }

    /// The literals in an order in which they can be run, where calls turned out to need inputs: what binds nothing
    /// first, then what has most arguments bound; what can only tell whether there is an answer comes last, because going
    /// back to it for another answer may take forever. `None` if there is no such order.
    pub fn order(&self, body: &[Lit]) -> Option<Vec<Lit>> {
        let mut bound = self.head_inputs;
        let mut waiting = body.to_vec();
        let mut order = Vec::with_capacity(body.len());
        while !waiting.is_empty() {
            let rank = |lit: &Lit| {
                let known = lit.args().iter().filter(|&&arg| bound >> arg & 1 == 1).count();
                let binds = known < lit.args().len();
                let only_tests = binds && !self.has_inputs(lit, bound, Want::All);
                (only_tests, binds, std::cmp::Reverse(known))
            };
            let ready = (0..waiting.len()).filter(|&at| self.is_ready(&waiting[at], bound, body));
            let next = waiting.remove(ready.min_by_key(|&at| rank(&waiting[at]))?);
            bound |= next.mask();
            order.push(next);
        }
        Some(order)
    }

    /// The literals in every order in which they can be run, at most `cap`.
    pub fn orders(&self, body: &[Lit], cap: usize) -> Vec<Vec<Lit>> {
        let mut orders = Vec::new();
        self.extend_order(&mut Vec::new(), self.head_inputs, body, cap, &mut orders);
        orders
    }

    fn extend_order(&self, order: &mut Vec<Lit>, bound: u64, body: &[Lit], cap: usize, orders: &mut Vec<Vec<Lit>>) {
        if order.len() == body.len() {
            orders.push(order.clone());
            return;
        }
        for lit in body {
            if orders.len() < cap && !order.contains(lit) && self.is_ready(lit, bound, body) {
                order.push(*lit);
                self.extend_order(order, bound | lit.mask(), body, cap, orders);
                order.pop();
            }
        }
    }

    /// The body as a rule.
    pub fn rule(&self, body: &[Lit]) -> Rule {
        let head = variables(self.head.arity);
        Rule {
            head: Literal::over(self.head, &head),
            body: body.iter().map(|lit| Literal::over(self.word(lit.word).pred, lit.args())).collect(),
        }
    }
}

impl Access<'_> {
    /// Whether some tuple has this key. `negatives` tells whether negative examples depend on it.
    #[inline]
    pub fn exists(&self, key: &[u32], negatives: impl Fn() -> bool) -> bool {
        match self {
            Access::Table(index) => index.contains(key),
            Access::Called { .. } => self.call(key, Want::One, negatives).is_some_and(|answers| !answers.is_empty()),
        }
    }

    /// A digest of the set of the fresh arguments' values for this key, `fresh` each.
    #[inline]
    pub fn digest(&self, key: &[u32], fresh: usize, negatives: impl Fn() -> bool) -> u64 {
        match self {
            Access::Table(index) => index.digest(key),
            Access::Called { .. } => {
                let answers = self.call(key, Want::All, negatives);
                digest_of(answers.as_ref().map_or(&[], |answers| answers.values()), fresh)
            }
        }
    }

    /// The values of the fresh arguments for this key, `fresh` each, appended to `found`; returns how many tuples.
    #[inline]
    pub fn matches(&self, key: &[u32], fresh: usize, found: &mut Vec<u32>, negatives: impl Fn() -> bool) -> usize {
        match self {
            Access::Table(index) if fresh == 0 => usize::from(index.contains(key)),
            Access::Table(index) => {
                let range = index.range(key);
                found.extend_from_slice(&index.values()[range.clone()]);
                range.len() / fresh
            }
            Access::Called { .. } => {
                let want = if fresh == 0 { Want::One } else { Want::All };
                let Some(answers) = self.call(key, want, negatives) else { return 0 };
                found.extend_from_slice(answers.values());
                answers.len()
            }
        }
    }

    /// The answers to a call; `None` if the pattern has failed too often to be asked again.
    fn call(&self, key: &[u32], want: Want, negatives: impl Fn() -> bool) -> Option<Arc<Answers>> {
        let Access::Called { database, place, bound, word, known, log } = self else { return None };
        let pattern: Pattern = (*word, *bound, want);
        if log.is_hopeless(pattern) {
            return None;
        }
        let answers = database.ask(*place, *bound, key, want);
        // An error matters if it may end the proof of a negative, or if it lost an answer that came before it.
        let lost = || want == Want::All && !database.ask(*place, *bound, key, Want::One).is_empty();
        log.note(pattern, &answers, || negatives() || lost());
        if let Some(cause) = known.sensitive
            && *answers.outcome() == Outcome::Exact
            && !known.is_steady(key, *bound, &answers, database)
        {
            log.suspect(*word, cause);
        }
        Some(answers)
    }
}
