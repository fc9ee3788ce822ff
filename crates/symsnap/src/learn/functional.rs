//! Hypotheses that are functions: one output for one input.
//!
//! With directions for the head, the arguments that are `in` are inputs and the others outputs. A hypothesis is
//! functional if for the inputs of each positive it gives no output but those that positives have for them. Nothing is
//! asked of other inputs: there is no telling which outputs they should have. Without outputs every hypothesis is
//! functional. That is what Popper's `non_functional/1` in the background of such tasks tests, one positive at a time.
//!
//! A hypothesis whose outputs cannot all be found within the limits of the evaluator is refused too.

use crate::cost::CostValue;
use crate::instance::Instance;
use crate::logic::{Hypothesis, Pred, TermId};
use crate::program::Query;
use crate::prolog::Engine;
use crate::task::Direction;

/// Asks hypotheses for all their outputs.
pub(super) struct OutputTest {
    engine: Engine,
    pred: Pred,
    queries: Vec<Query>,
    /// The least cost of what was refused.
    refused: Option<CostValue>,
}

impl OutputTest {
    /// For the positives of an instance.
    pub(super) fn new(on: &Instance<'_>) -> Self {
        let (head, examples) = (on.bias().head, on.examples());
        let ways = on.bias().directions.get(&head).and_then(|ways| ways.first());
        let is_output = |at: usize| ways.is_some_and(|ways| ways[at] == Direction::Out);
        let mut queries: Vec<Query> = Vec::new();
        for at in 0..examples.positives() {
            let args = examples.positive(at);
            let open: Box<[Option<TermId>]> =
                args.iter().enumerate().map(|(at, &id)| (!is_output(at)).then_some(id)).collect();
            let outputs: Box<[TermId]> =
                args.iter().enumerate().filter(|(at, _)| is_output(*at)).map(|(_, &id)| id).collect();
            if outputs.is_empty() {
                continue;
            }
            match queries.iter_mut().find(|query| query.args == open) {
                Some(query) => query.right.push(outputs),
                None => queries.push(Query { args: open, right: vec![outputs] }),
            }
        }
        OutputTest { engine: on.database().engine(), pred: head, queries, refused: None }
    }

    /// The inputs with their right outputs.
    pub(super) fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// Whether a hypothesis, which has that cost, is functional.
    pub(super) fn admits(&mut self, hypothesis: &Hypothesis, value: &CostValue) -> bool {
        self.engine.set_hypothesis(&hypothesis.rules);
        let (engine, pred) = (&mut self.engine, self.pred);
        let right = self.queries.iter().all(|query| {
            let Ok(answers) = engine.call(pred, &query.args) else { return false };
            let is_right = |row: &[TermId]| {
                let open = row.iter().zip(&query.args).filter(|(_, arg)| arg.is_none()).map(|(id, _)| *id);
                let outputs: Vec<TermId> = open.collect();
                query.right.iter().any(|right| **right == *outputs)
            };
            !answers.open && answers.rows().iter().all(|row| is_right(row))
        });
        if !right && self.refused.as_ref().is_none_or(|refused| value < refused) {
            self.refused = Some(value.clone());
        }
        right
    }

    /// Whether something better than this was refused: then what else there is below it has not been looked for.
    pub(super) fn has_refused(&self, value: &CostValue) -> bool {
        self.refused.as_ref().is_some_and(|refused| refused < value)
    }
}
