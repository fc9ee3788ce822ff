//! What programs are asked: the examples as calls and, where programs must be functional, the inputs of positives.

use super::calls::{CallIx, Calls, EXAMPLE};
use super::lookup::{Reach, extent};
use crate::index::narrow;
use crate::logic::TermId;
use crate::task::Task;

/// The inputs of positives, and the outputs that positives have for them.
#[derive(Debug, Clone)]
pub struct Query {
    /// The arguments of the head; outputs are open.
    pub args: Box<[Option<TermId>]>,
    /// Right values for the open ones.
    pub right: Vec<Box<[TermId]>>,
}

/// An example as a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExampleCall {
    pub(super) call: CallIx,
    pub(super) weight: u64,
}

/// A [`Query`] as a call.
pub(super) struct QueryCall {
    pub(super) call: CallIx,
    pub(super) right: Vec<Box<[u32]>>,
}

/// How much work a positive was so far.
struct Effort {
    /// Its place among the positives.
    at: usize,
    /// How often it was asked, and how many tables that took in all. Both begin with 1.
    times: u64,
    tables: u64,
}

/// The examples and queries as calls.
pub(super) struct Goals {
    /// From small to large terms: what fails, fails soon, and on calls that others have made.
    pub(super) pos: Vec<ExampleCall>,
    pub(super) neg: Vec<ExampleCall>,
    /// The weight of all positives.
    pub(super) total: u64,
    /// Each positive once, in the order in which they are asked.
    order: Vec<Effort>,
    pub(super) queries: Vec<QueryCall>,
}

impl Goals {
    /// The examples of a task as calls; those of programs that define another predicate are told apart from its calls.
    pub(super) fn new(task: &Task, inventing: bool, calls: &mut Calls) -> Self {
        let examples = &task.examples;
        let all = ((1u64 << task.bias.head.arity) - 1) | if inventing { EXAMPLE } else { 0 };
        let mut goal = |args: &[TermId], weight: u32| {
            let key: Vec<u32> = args.iter().map(|id| narrow(id.index())).collect();
            ExampleCall { call: calls.intern(all, &key), weight: u64::from(weight) }
        };
        let positive = |at: usize| (examples.positive(at), examples.positive_weights()[at]);
        let mut pos: Vec<(usize, ExampleCall)> = (0..examples.positives())
            .map(positive)
            .map(|(args, weight)| (extent(&task.terms, args), goal(args, weight)))
            .collect();
        pos.sort_by_key(|&(extent, _)| extent);
        let pos: Vec<ExampleCall> = pos.into_iter().map(|(_, goal)| goal).collect();
        let neg = (0..examples.negatives()).map(|at| goal(examples.negative(at), examples.negative_weights()[at]));
        Goals {
            neg: neg.collect(),
            total: pos.iter().map(|goal| goal.weight).sum(),
            order: (0..pos.len()).map(|at| Effort { at, times: 1, tables: 1 }).collect(),
            pos,
            queries: Vec::new(),
        }
    }

    /// The terms that count in a run of a program: those of the examples, and somewhat larger ones.
    pub(super) fn reach(task: &Task) -> Reach {
        let examples = &task.examples;
        let positives = (0..examples.positives()).flat_map(|at| examples.positive(at));
        let negatives = (0..examples.negatives()).flat_map(|at| examples.negative(at));
        Reach::around(&task.terms, positives.chain(negatives).copied())
    }

    /// Ask for these inputs too, and for nothing but the outputs that are right.
    pub(super) fn set_functional(&mut self, queries: &[Query], calls: &mut Calls) {
        let number = |id: &TermId| -> u32 { narrow(id.index()) };
        let functional = |query: &Query| {
            let bound = query.args.iter().enumerate().filter(|(_, arg)| arg.is_some());
            let bound = bound.fold(0u64, |set, (at, _)| set | 1 << at);
            let key: Vec<u32> = query.args.iter().flatten().map(number).collect();
            let right = query.right.iter().map(|outputs| outputs.iter().map(number).collect()).collect();
            QueryCall { call: calls.intern(bound, &key), right }
        };
        self.queries = queries.iter().map(functional).collect();
    }

    /// Ask positives that took least work so far first.
    pub(super) fn reorder(&mut self) {
        self.order.sort_by_key(|effort| (effort.tables / effort.times, effort.at));
    }

    /// The positive to be asked at this turn.
    pub(super) fn at_turn(&self, turn: usize) -> ExampleCall {
        self.pos[self.order[turn].at]
    }

    /// Note how many tables it took to ask it.
    pub(super) fn note(&mut self, turn: usize, tables: u64) {
        self.order[turn].times += 1;
        self.order[turn].tables += tables;
    }
}
