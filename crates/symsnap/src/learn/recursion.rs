//! The second source of hypotheses: recursive programs, whose rules are no columns because what they cover together is not
//! the union of what each covers.

use super::linear::LinearSearch;
use crate::budget::Budget;
use crate::cost::{Confusion, Cost, CostValue, Objective};
use crate::coverage::Evaluator;
use crate::instance::Instance;
use crate::language::Taint;
use crate::logic::Hypothesis;
use crate::program::{Kind, Programs, Query, invented};
use crate::sets::Cover;
use crate::task::{Examples, Task};

/// The searches over programs and who has the last word on what they cover.
pub(super) struct Recursion<'t> {
    searches: Vec<Programs<'t>>,
    exact: Evaluator<'t>,
    /// Whether a program covered something else than the search for programs says.
    pub(super) differed: bool,
    /// Whether rules without recursion may have comparisons or constants, which are not looked for here.
    partial: bool,
    /// Base rules with comparisons and constants, where the bias allows some.
    pub(super) linear: Option<LinearSearch<'t>>,
}

impl<'t> Recursion<'t> {
    /// Recursive programs and programs with each of the predicates that may be invented; `None` if there are none. `task`
    /// is the instance as one.
    pub(super) fn new(
        task: &'t Task,
        on: &'t Instance<'t>,
        objective: Objective,
        budget: &Budget,
    ) -> Option<Box<Self>> {
        let (space, database) = (on.space(), on.database());
        let forgiving = objective.cost().size_breaks_ties().then_some(Kind::Forgiving);
        let kinds = std::iter::once(Kind::Tight).chain(forgiving).chain([Kind::Ambitious, Kind::Recursive]);
        let kinds = kinds.chain(invented(task).into_iter().map(Kind::Inventing));
        let searches: Vec<Programs<'t>> =
            kinds.filter_map(|kind| Programs::new(task, space, database, kind, objective, budget.clone())).collect();
        let exact = Evaluator::new(database, &task.examples).with_budget(budget.clone());
        let partial = !task.bias.cuts.is_empty() || !task.bias.constants.is_empty();
        (!searches.is_empty()).then(|| {
            Box::new(Recursion { searches, exact, differed: false, partial, linear: LinearSearch::new(task, on) })
        })
    }

    /// What a program does with the examples when it is run; `None` if it misses too many positives to be as good as
    /// `best`, or the budget ended. Positives go first: a program that goes on forever takes long, and most of those do on some positive.
    pub(super) fn score(
        &mut self,
        program: &Hypothesis,
        examples: &Examples,
        cost: Cost,
        best: &CostValue,
    ) -> Option<Confusion> {
        let all = Cover::full(examples.sides());
        let covered = self.exact.hypothesis_within(program, &all.clone().positives_only());
        let mut covered = self.exact.finished(covered)?;
        if cost.value(&examples.confusion(&covered), program.size()) > *best {
            return None;
        }
        covered.union_with(&self.exact.hypothesis_within(program, &all.negatives_only()));
        self.exact.finished(examples.confusion(&covered))
    }

    /// Leave out programs that are not functional.
    pub(super) fn set_functional(&mut self, queries: &[Query]) {
        self.searches.iter_mut().for_each(|search| search.set_functional(queries));
    }

    /// Rules tested.
    pub(super) fn tests(&self) -> u64 {
        self.program_tests() + self.linear.as_ref().map_or(0, LinearSearch::tests)
    }

    fn program_tests(&self) -> u64 {
        self.searches.iter().map(Programs::tests).sum()
    }

    /// What was not evaluated to its end. The search for tight rules proves nothing, so nothing depends on it.
    pub(super) fn taints(&self) -> impl Iterator<Item = Taint> {
        let taints = self.searches.iter().filter(|search| !search.is_tight()).flat_map(Programs::taints);
        taints.chain(self.differed.then_some(Taint::Run)).chain(self.partial.then_some(Taint::Programs))
    }

    /// Whether all programs of the space that could be better than `value` have been tested or shown to be needless.
    pub(super) fn is_exhausted(&self, cost: Cost, value: &CostValue) -> bool {
        // Where nothing may be missed, the ambitious search has seen all that the other would.
        let settled = |ambitious: bool| {
            ambitious
                && cost.size_breaks_ties()
                && cost.misses_nothing(value)
                && self
                    .searches
                    .iter()
                    .any(|search| search.is_ambitious() && search.done() && search.unseen(value).is_none())
        };
        self.searches.iter().all(|search| {
            search.is_ambitious() || search.done() && search.unseen(value).is_none() || settled(!search.is_inventing())
        })
    }

    /// Which programs that may be better than `value` are never tried.
    pub(super) fn unseen(&self, value: &CostValue) -> Option<&'static str> {
        self.searches.iter().filter(|search| !search.is_ambitious()).find_map(|search| search.unseen(value))
    }

    /// The search that has got least far, if one is not done and has not passed `size`; ambitious ones are ahead.
    pub(super) fn next(&mut self, size: Option<usize>, cost: Cost, value: &CostValue) -> Option<&mut Programs<'t>> {
        if self.is_exhausted(cost, value) {
            return None;
        }
        let ahead = |search: &Programs<'t>| {
            let steps = usize::from(search.is_ambitious()) + usize::from(search.is_tight());
            search.size().saturating_sub(steps * AHEAD)
        };
        // Where nothing may be missed, there is nothing to forgive.
        let strict = cost.misses_nothing(value);
        let open = |search: &&mut Programs<'t>| {
            !(search.done() || strict && search.is_forgiving()) && size.is_none_or(|size| ahead(search) <= size)
        };
        let tests = self.program_tests();
        let is_due = |search: &Programs<'t>| search.is_forgiving() && search.tests() * FORGIVING_PART <= tests;
        self.searches.iter_mut().filter(open).min_by_key(|search| (!is_due(search), ahead(search)))
    }
}

/// The search for programs that may miss positives under a lexicographic cost makes one of this number of tests. In the order of
/// sizes it would have to wait for the one that may miss none, which on noisy examples finds nothing: the program of dropk-20
/// came after 7.4 s that way and comes after 2.3 s this way (`errorsize`, processor time).
const FORGIVING_PART: u64 = 4;

/// An ambitious search is ahead of the others by so much in size, and one for tight rules by twice as much.
const AHEAD: usize = 4;
