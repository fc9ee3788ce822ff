//! Background literals, answered from tables or from the answers of earlier calls, without a lock.
//!
//! Calls build new terms (longer lists, larger numbers), and recursion over them may never end. So answers with terms
//! that are deeper or larger than those of the examples, with some room to spare ([`Reach`]), do not count. That bounds nearly every
//! recursion, it is a property of the background and not of a program, and a program that computes the examples stays
//! within it.
//!
//! *Rejected*: a limit on calls or steps for each program alone. It is reached late, and when many programs are tested
//! in one run it makes the result for one depend on the others. And a limit on how many calls it takes to build a term:
//! that depends on the order in which they are made.

use crate::database::{CallOutcome, Columns, Database, Index, PredIx, Tuples};
use crate::index::narrow;
use crate::language::{Lit, MAX_ARITY, Taint};
use crate::logic::integers::sign_order;
use crate::logic::{Term, TermId, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of a variable that nothing has bound.
pub(super) const UNBOUND: u32 = u32::MAX;
/// The value of a variable of which only a rule that is not whole yet knows nothing: it may have any value.
pub(super) const ANY: u32 = u32::MAX - 1;

/// Numbers of 32 bits that answers to calls may take before they are forgotten: 512 MB.
const MOST_VALUES: usize = 1 << 27;

/// How a literal calls its predicate: the arguments that have values, these values, and the variables of the others.
pub(super) struct Pattern {
    /// The arguments that have values.
    pub(super) bound: u64,
    /// Whether some of these are [`ANY`].
    pub(super) any: bool,
    key: [u32; MAX_ARITY],
    keys: usize,
    free: [u8; MAX_ARITY],
    frees: usize,
}

impl Pattern {
    /// The call of a literal whose variables have these values. Variables beyond them have none.
    #[inline]
    pub(super) fn of(lit: &Lit, values: &[u32]) -> Self {
        let (mut key, mut free) = ([0; MAX_ARITY], [0; MAX_ARITY]);
        let (mut bound, mut any, mut keys, mut frees) = (0, false, 0, 0);
        for (at, &arg) in lit.args().iter().enumerate() {
            match values.get(arg as usize) {
                Some(&value) if value != UNBOUND => {
                    any |= value == ANY;
                    bound |= 1 << at;
                    key[keys] = value;
                    keys += 1;
                }
                _ => {
                    free[frees] = arg;
                    frees += 1;
                }
            }
        }
        Pattern { bound, any, key, keys, free, frees }
    }

    /// The values of the arguments that have some.
    #[inline]
    pub(super) fn key(&self) -> &[u32] {
        &self.key[..self.keys]
    }

    /// The variables that have no value.
    #[inline]
    pub(super) fn free(&self) -> &[u8] {
        &self.free[..self.frees]
    }
}

/// Where the answers to a literal lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows {
    pattern: u32,
    start: u32,
    /// How many there are.
    pub(super) count: u32,
    width: u32,
}

#[derive(Debug)]
enum AnswerSource {
    Table(Arc<Index>),
    Called { keys: Tuples, spans: Vec<(u32, u32)>, values: Vec<u32> },
}

/// Answers by predicate and bound arguments.
#[derive(Debug)]
pub(super) struct Lookup<'d> {
    database: &'d Database,
    patterns: Vec<(PredIx, Columns, AnswerSource)>,
    by_pattern: FxHashMap<(PredIx, Columns), u32>,
    held: usize,
    /// Which terms count.
    reach: Reach,
    /// Terms from this number on are not of the task.
    known: usize,
    /// Whether those count; `None` if nobody has asked.
    counts: Vec<Option<bool>>,
    /// Whether answers have been left out because of their size.
    pub(super) limited: bool,
    /// Calls that gave no answers for a reason that is not logic: they raised an error, reached a limit or left arguments
    /// open. By predicate and bound arguments, with the first reason.
    troubles: BTreeMap<(PredIx, Columns), String>,
}

impl<'d> Lookup<'d> {
    pub(super) fn new(database: &'d Database, reach: Reach) -> Self {
        Lookup {
            database,
            patterns: Vec::new(),
            by_pattern: FxHashMap::default(),
            held: 0,
            reach,
            known: database.values(),
            counts: Vec::new(),
            limited: false,
            troubles: BTreeMap::new(),
        }
    }

    /// The answers of the predicate at `place` to such a call. One that raises an error or leaves an answer open has none
    /// here.
    pub(super) fn rows(&mut self, place: PredIx, pattern: &Pattern) -> Rows {
        let (bound, key, free) = (Columns(pattern.bound), pattern.key(), pattern.frees);
        let at = match self.by_pattern.get(&(place, bound)) {
            Some(&at) => at,
            None => self.add(place, bound, key.len(), free),
        };
        let (start, count) = match &mut self.patterns[at as usize].2 {
            AnswerSource::Table(index) if free == 0 => (0, u32::from(index.contains(key))),
            AnswerSource::Table(index) => {
                let range = index.range(key);
                (narrow(range.start), narrow(range.len() / free))
            }
            AnswerSource::Called { keys, spans, values } => match keys.get(key) {
                Some(known) => spans[known as usize],
                None => {
                    let answers = self.database.answers_at(place, bound, key);
                    let mut limit = Limit {
                        database: self.database,
                        reach: self.reach,
                        known: self.known,
                        counts: &mut self.counts,
                    };
                    let start = narrow(values.len());
                    let mut count = 0;
                    if free == 0 && *answers.outcome() == CallOutcome::Exact {
                        count = narrow(answers.len());
                    } else if *answers.outcome() == CallOutcome::Exact {
                        for row in answers.values().chunks(free) {
                            if row.iter().all(|&value| limit.admits(value)) {
                                values.extend_from_slice(row);
                                count += 1;
                            } else {
                                self.limited = true;
                            }
                        }
                    }
                    let trouble = match answers.outcome() {
                        CallOutcome::Exact => None,
                        CallOutcome::Open => Some("it leaves arguments open".to_owned()),
                        CallOutcome::Fault(fault) => Some(fault.to_string()),
                    };
                    if let Some(trouble) = trouble {
                        self.troubles.entry((place, bound)).or_insert(trouble);
                    }
                    keys.insert(key);
                    spans.push((start, count));
                    self.held += key.len() + count as usize * free + 4;
                    (start, count)
                }
            },
        };
        Rows { pattern: at, start, count, width: narrow(free) }
    }

    /// What is in doubt because calls gave no answers.
    pub(super) fn taints(&self) -> impl Iterator<Item = Taint> {
        let taint = |(&(place, bound), message): (&(PredIx, Columns), &String)| Taint::Unsteady {
            pred: self.database.pred_at(place),
            bound,
            message: message.clone(),
        };
        self.troubles.iter().map(taint)
    }

    /// One row of an answer: the values of the arguments that were not bound.
    #[inline]
    pub(super) fn row(&self, rows: Rows, at: u32) -> &[u32] {
        let start = (rows.start + at * rows.width) as usize;
        let values = match &self.patterns[rows.pattern as usize].2 {
            AnswerSource::Table(index) => index.values(),
            AnswerSource::Called { values, .. } => values,
        };
        &values[start..start + rows.width as usize]
    }

    /// Forget answers if there are too many; not while any [`Rows`] are in use.
    pub(super) fn trim(&mut self) {
        if self.held > MOST_VALUES {
            self.forget();
        }
    }

    /// Forget all answers.
    pub(super) fn forget(&mut self) {
        self.patterns = Vec::new();
        self.by_pattern.clear();
        self.held = 0;
    }

    fn add(&mut self, place: PredIx, bound: Columns, width: usize, free: usize) -> u32 {
        let source = if self.database.table(place).is_some() {
            let columns = (0..width + free).filter(|&column| !bound.contains(column));
            AnswerSource::Table(self.database.index(place, bound, columns.fold(Columns::default(), Columns::with)))
        } else {
            AnswerSource::Called { keys: Tuples::new(width), spans: Vec::new(), values: Vec::new() }
        };
        self.patterns.push((place, bound, source));
        let at = u32::try_from(self.patterns.len() - 1).expect("predicates have few patterns");
        self.by_pattern.insert((place, bound), at);
        at
    }
}

struct Limit<'a> {
    database: &'a Database,
    reach: Reach,
    known: usize,
    counts: &'a mut Vec<Option<bool>>,
}

impl Limit<'_> {
    fn admits(&mut self, value: u32) -> bool {
        let Some(at) = (value as usize).checked_sub(self.known) else { return true };
        if self.counts.len() <= at {
            self.counts.resize(at + 1, None);
        }
        let look = || self.database.with_answer_terms(|terms| self.reach.covers(terms, TermId::from_index(value)));
        *self.counts[at].get_or_insert_with(look)
    }
}

/// How deep terms are, between which bounds their numbers lie and how long their texts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reach {
    depth: usize,
    least: i64,
    most: i64,
    text: usize,
}

impl Reach {
    /// What the terms have, and a quarter and a little more.
    pub(super) fn around(terms: &Terms, given: impl Iterator<Item = TermId>) -> Self {
        let mut all = Reach { depth: 0, least: 0, most: 0, text: 0 };
        given.for_each(|id| all.stretch(terms, id, usize::MAX));
        let more = |most: usize| most.saturating_add(most / 4 + usize::from(MARGIN));
        let margin = (all.most / 4).max(-(all.least / 4)).saturating_add(i64::from(MARGIN));
        Reach {
            depth: more(all.depth),
            least: all.least.saturating_sub(margin),
            most: all.most.saturating_add(margin),
            text: more(all.text),
        }
    }

    /// Whether the term is within reach.
    fn covers(self, terms: &Terms, id: TermId) -> bool {
        let mut all = self;
        all.stretch(terms, id, self.depth);
        all == self
    }

    /// Reach as far as the term does, up to about this depth.
    fn stretch(&mut self, terms: &Terms, id: TermId, deepest: usize) {
        let mut todo: Vec<(TermId, usize)> = vec![(id, 1)];
        while let Some((id, depth)) = todo.pop() {
            self.depth = self.depth.max(depth);
            match terms.get(id) {
                Term::Int(value) => {
                    self.least = self.least.min(value);
                    self.most = self.most.max(value);
                }
                Term::Big(value) if sign_order(value).is_lt() => self.least = i64::MIN,
                Term::Big(_) => self.most = i64::MAX,
                Term::Atom(name) | Term::Str(name) => self.text = self.text.max(terms.name(name).len()),
                Term::Compound(_, arguments) if depth <= deepest => {
                    todo.extend(arguments.iter().map(|&argument| (argument, depth + 1)));
                }
                _ => {}
            }
        }
    }
}

/// How far beyond the examples' terms others may reach, besides a quarter: levels of depth, numbers and characters. A
/// quarter of a small number is nothing.
const MARGIN: u8 = 4;

/// Cells counted at most: examples are only sorted by their size.
const MOST_CELLS: usize = 100_000;

/// How many cells terms have, up to [`MOST_CELLS`]: an atom or a number is one, a compound one more than its arguments.
pub(super) fn extent(terms: &Terms, given: &[TermId]) -> usize {
    let mut todo = given.to_vec();
    let mut cells = 0;
    while let Some(id) = todo.pop() {
        cells += 1;
        if let (Term::Compound(_, arguments), true) = (terms.get(id), cells < MOST_CELLS) {
            todo.extend_from_slice(arguments);
        }
    }
    cells
}
