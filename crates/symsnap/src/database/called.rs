//! Predicates that are called: one embedded evaluator for all threads, and every answer it has given.
//!
//! A call pattern is a predicate and the arguments that are bound; within a pattern, answers are kept per argument
//! tuple. Terms that an answer builds get numbers above those of the task. The numbers depend on which thread asked
//! first, so nothing may order by them; answers come in the order in which resolution finds them.

use super::{Columns, PredIx, Tuples};
use crate::index::narrow;
use crate::logic::{Number, Pred, TermId, Terms};
use crate::prolog::{Engine, Fault, Limits};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Whether answers tell the whole truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallOutcome {
    /// These are all the answers, and they are ground.
    Exact,
    /// Some answer leaves an argument unbound; only resolution of the whole rule is exact.
    Open,
    /// The call raised an error or reached a limit.
    Fault(Fault),
}

/// The answers to one call: values of the arguments that were not bound, row by row, in the order found.
#[derive(Debug, Clone)]
pub struct Answers {
    values: Box<[u32]>,
    rows: usize,
    width: usize,
    outcome: CallOutcome,
}

impl Answers {
    /// These and no others.
    pub(super) fn exact(values: Vec<u32>, rows: usize, width: usize) -> Self {
        Answers { values: values.into_boxed_slice(), rows, width, outcome: CallOutcome::Exact }
    }

    /// None, because there were not enough steps.
    fn cut(width: usize) -> Self {
        Answers { values: Box::default(), rows: 0, width, outcome: CallOutcome::Fault(Fault::Steps) }
    }

    /// How many answers there are; 0 unless they are exact.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// How many arguments were not bound.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All answers, [`Answers::width`] values each.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Whether they tell the whole truth.
    pub fn outcome(&self) -> &CallOutcome {
        &self.outcome
    }
}

/// What a caller wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Want {
    /// All answers.
    All,
    /// Whether there is one: the answers have no columns, and one row if so. Much cheaper where answers are many or
    /// hard to find. Further ones may raise an error: see [`Database::ends_well`](super::Database::ends_well).
    One,
}

/// The evaluator with its memory.
#[derive(Debug)]
pub(super) struct CallMemory {
    engine: Engine,
    memo: FxHashMap<(PredIx, Columns, Want), AnswerMemo>,
    held: usize,
}

#[derive(Debug)]
struct AnswerMemo {
    keys: Tuples,
    answers: Vec<Remembered>,
}

/// The answers to a call, and the steps that it took, or was given in vain.
#[derive(Debug)]
struct Remembered {
    answers: Arc<Answers>,
    steps: u64,
}

impl Remembered {
    fn was_cut(&self) -> bool {
        self.answers.outcome == CallOutcome::Fault(Fault::Steps)
    }
}

/// Numbers held in the memo before it is forgotten: 256 MB.
const MOST_HELD: usize = 1 << 26;

/// Terms built before further calls fail. They cannot be forgotten: evaluators hold their numbers.
const MOST_TERM_BYTES: usize = 1 << 30;

impl CallMemory {
    pub(super) fn new(engine: Engine) -> Self {
        CallMemory { engine, memo: FxHashMap::default(), held: 0 }
    }

    /// The terms that answers refer to.
    pub(super) fn terms(&self) -> &Terms {
        self.engine.terms()
    }

    /// The value of a number.
    pub(super) fn value_of(&mut self, number: Number) -> u32 {
        narrow(number.intern(self.engine.terms_mut()).index())
    }

    /// The value of a number that was computed, unless there is no room for more.
    pub(super) fn value_of_computed(&mut self, number: Number) -> Option<u32> {
        (self.terms().bytes() <= MOST_TERM_BYTES).then(|| self.value_of(number))
    }

    /// Whether a call comes to its end without an error when all its answers are asked for.
    pub(super) fn ends_well(&mut self, pred: Pred, bound: Columns, key: &[u32]) -> bool {
        self.engine.set_steps(Limits::STEPS);
        self.engine.ends_well(pred, &arguments(pred, bound, key))
    }

    pub(super) fn answers(
        &mut self,
        (place, pred): (PredIx, Pred),
        bound: Columns,
        key: &[u32],
        want: Want,
        steps: u64,
    ) -> Arc<Answers> {
        let memo = self.memo.entry((place, bound, want));
        let memo = memo.or_insert_with(|| AnswerMemo { keys: Tuples::new(key.len()), answers: Vec::new() });
        let known = memo.keys.get(key).map(|at| at as usize);
        if let Some(known) = known.map(|at| &memo.answers[at])
            && (known.steps >= steps || !known.was_cut())
        {
            // What took longer, when there was time for it, is not known to those who have less.
            let cut = || Answers::cut(known.answers.width);
            return if known.steps > steps { Arc::new(cut()) } else { Arc::clone(&known.answers) };
        }
        self.engine.set_steps(steps);
        let answers = Arc::new(ask(&mut self.engine, pred, bound, key, want));
        let remembered = Remembered { answers: Arc::clone(&answers), steps: self.engine.steps_taken() };
        self.held += key.len() + answers.values.len() + 16;
        match known {
            Some(at) => memo.answers[at] = remembered,
            None => {
                memo.keys.insert(key);
                memo.answers.push(remembered);
            }
        }
        if self.held > MOST_HELD {
            self.memo.clear();
            self.held = 0;
        }
        answers
    }
}

/// The arguments of a call with `key` for the `bound` columns.
fn arguments(pred: Pred, bound: Columns, key: &[u32]) -> Vec<Option<TermId>> {
    let mut known = key.iter().map(|&value| TermId::from_index(value));
    (0..pred.arity as usize).map(|column| if bound.contains(column) { known.next() } else { None }).collect()
}

/// Call, and keep of each answer what the caller did not know.
fn ask(engine: &mut Engine, pred: Pred, bound: Columns, key: &[u32], want: Want) -> Answers {
    let width = pred.arity as usize - key.len();
    let outcome = |outcome| Answers { values: Box::default(), rows: 0, width, outcome };
    let args = arguments(pred, bound, key);
    if want == Want::One || width == 0 {
        return match engine.exists(pred, &args) {
            Ok(exists) => Answers::exact(Vec::new(), usize::from(exists), 0),
            Err(fault) => outcome(CallOutcome::Fault(fault)),
        };
    }
    if engine.terms().bytes() > MOST_TERM_BYTES {
        return outcome(CallOutcome::Fault(Fault::Memory));
    }
    match engine.call(pred, &args) {
        Err(fault) => outcome(CallOutcome::Fault(fault)),
        Ok(answers) if answers.open => outcome(CallOutcome::Open),
        Ok(answers) => {
            let mut values = Vec::with_capacity(answers.len() * width);
            for row in answers.rows() {
                let unknown = row.iter().enumerate().filter(|(column, _)| !bound.contains(*column));
                values.extend(unknown.map(|(_, id)| narrow::<_, u32>(id.index())));
            }
            Answers::exact(values, answers.len(), width)
        }
    }
}
