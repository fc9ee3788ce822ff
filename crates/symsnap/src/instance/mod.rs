//! What is learned from: a task with its background ready for joins, the space of its bias and its examples.
//!
//! Whoever learns needs all four, and they must belong together: examples over the terms that the database knows, a space
//! over the predicates that it has. So there is no way to put an instance together from parts. One is made of a task, and
//! others are made of it: with [other examples](Instance::on), as bagging learns from, with [another
//! bias](Instance::with_bias), as attempts with larger limits do, or with examples that no rule tells apart
//! [as one](Instance::quotient). Evaluating the background is most of the work of making one, and it depends on neither, so
//! they share the database. Only one that was finished is shared: under a budget that has ended predicates are called that
//! would be tables, and a later run may have the time to do better.

mod quotient;

pub use quotient::Quotient;

use crate::budget::Budget;
use crate::database::Database;
use crate::language::Language;
use crate::logic::{Rule, Terms};
use crate::space::Space;
use crate::task::{Bias, Examples, Task};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// What a [`Learner`](crate::Learner) learns from: a task, or another with its background, such as a sample of its examples.
#[derive(Debug, Clone)]
pub struct Instance<'t> {
    /// Whose terms and program these are; its bias and examples may be others.
    task: &'t Task,
    bias: Cow<'t, Bias>,
    examples: Cow<'t, Examples>,
    space: Arc<Space>,
    database: Arc<Database>,
    /// The background without rows that no rule can meet on an example, once it was asked for, if that is much less.
    reachable: OnceLock<Option<Arc<Database>>>,
}

impl<'t> Instance<'t> {
    /// The instance of a task.
    #[doc(hidden)]
    pub fn new(task: &'t Task) -> Self {
        Instance::within(task, &Budget::unlimited())
    }

    /// [`Instance::new`] with a background that is evaluated as far as the budget allows ahead of time.
    #[doc(hidden)]
    pub fn within(task: &'t Task, budget: &Budget) -> Self {
        Instance {
            task,
            bias: Cow::Borrowed(&task.bias),
            examples: Cow::Borrowed(&task.examples),
            space: Arc::new(Space::new(task)),
            database: Arc::new(Database::within(task, budget)),
            reachable: OnceLock::new(),
        }
    }

    /// The same with other examples of the task, a sample for instance. The budget counts if the background was not
    /// finished before.
    ///
    /// # Panics
    /// If they are examples of another predicate.
    #[doc(hidden)]
    #[must_use]
    pub fn on(&self, examples: Examples, budget: &Budget) -> Self {
        assert_eq!(examples.pred(), self.bias.head, "the examples of an instance are of the head's predicate");
        self.with_examples(examples).finished(budget)
    }

    /// The same with another bias over the same predicates. The budget counts as in [`Instance::on`].
    ///
    /// # Panics
    /// If it names other predicates.
    #[doc(hidden)]
    #[must_use]
    pub fn with_bias(&self, bias: Bias, budget: &Budget) -> Self {
        let same = bias.head == self.bias.head && bias.body == self.bias.body;
        assert!(same, "another bias of an instance is over the predicates that the database was made for");
        let space = Arc::new(Space::of(&bias));
        Instance { bias: Cow::Owned(bias), space, reachable: OnceLock::new(), ..self.clone() }.finished(budget)
    }

    fn with_examples(&self, examples: Examples) -> Self {
        Instance { examples: Cow::Owned(examples), reachable: OnceLock::new(), ..self.clone() }
    }

    /// The same with a background of its own, if the one that it shares was not finished.
    fn finished(mut self, budget: &Budget) -> Self {
        if !self.database.is_finished() {
            self.database = Arc::new(Database::within(self.task, budget));
        }
        self
    }

    /// Whether this is an instance of `task` with the bias and the examples that it has.
    #[doc(hidden)]
    pub fn is_of(&self, task: &Task) -> bool {
        std::ptr::eq(self.task, task) && self.is_unchanged()
    }

    /// The examples with those as one, with a weight, that neither a rule nor a program tells apart; `None` if there are
    /// none such, or if that is not known.
    #[doc(hidden)]
    pub fn quotient(&self) -> Option<Quotient<'t>> {
        Quotient::new(self)
    }

    /// Whether the background has clauses for the predicate of the examples.
    pub(crate) fn defines_head(&self) -> bool {
        self.task.program.get(self.bias.head).is_some()
    }

    /// The names and ground terms of the task.
    pub fn terms(&self) -> &'t Terms {
        &self.task.terms
    }

    /// What rules may look like.
    pub fn bias(&self) -> &Bias {
        &self.bias
    }

    /// The examples.
    pub fn examples(&self) -> &Examples {
        &self.examples
    }

    /// Whether the bias allows a rule.
    pub fn allows(&self, rule: &Rule) -> bool {
        self.space.contains(rule).is_ok()
    }

    /// The rules that the bias allows.
    #[doc(hidden)]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The background knowledge.
    #[doc(hidden)]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The background knowledge that rules can meet on the examples: every rule that can be run covers the same with it as
    /// with all.
    pub(crate) fn reachable(&self) -> &Database {
        let reachable = self.reachable.get_or_init(|| {
            let rows = Language::new(&self.bias, &self.database).reachable(&self.examples)?;
            Some(Arc::new(self.database.keeping(&rows)))
        });
        reachable.as_ref().unwrap_or(&self.database)
    }

    /// The instance as a task: the one that it was made of, or a copy where examples or bias are others.
    #[doc(hidden)]
    pub fn as_task(&self) -> Cow<'t, Task> {
        if self.is_unchanged() {
            return Cow::Borrowed(self.task);
        }
        let (bias, examples) = (Bias::clone(&self.bias), Examples::clone(&self.examples));
        Cow::Owned(Task { bias, examples, ..self.task.clone() })
    }

    /// Whether bias and examples are those of the task.
    fn is_unchanged(&self) -> bool {
        matches!((&self.bias, &self.examples), (Cow::Borrowed(_), Cow::Borrowed(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::Pred;
    use std::time::Duration;

    /// Chains of numbers whose closure takes many steps to compute.
    fn task() -> Task {
        let mut bk: String = (0..400).map(|at| format!("next({at},{}). ", at + 1)).collect();
        bk += "less(X,Y) :- next(X,Y). less(X,Y) :- next(X,Z), less(Z,Y).";
        let bias = "head_pred(f,1). body_pred(next,2). body_pred(less,2).";
        Task::from_texts(&bk, "pos(f(1)). pos(f(2)). neg(f(3)).", bias).unwrap()
    }

    #[test]
    fn samples_and_other_biases_share_a_background_that_is_finished() {
        let task = task();
        let whole = Instance::new(&task);
        let sample = whole.on(task.examples.bootstrap(7), &Budget::unlimited());
        let wide = whole.with_bias(Bias { max_body: 9, ..task.bias.clone() }, &Budget::unlimited());
        assert!(Arc::ptr_eq(&whole.database, &sample.database) && Arc::ptr_eq(&whole.database, &wide.database));
        assert_eq!((wide.space().bias().max_body, whole.space().bias().max_body), (9, task.bias.max_body));
        assert!(matches!(whole.as_task(), Cow::Borrowed(_)));
        let copy = sample.as_task();
        assert_eq!(format!("{:?}", copy.examples), format!("{:?}", task.examples.bootstrap(7)));
        assert_eq!(wide.as_task().bias.max_body, 9);
    }

    #[test]
    fn a_background_that_the_budget_cut_short_is_not_shared() {
        let task = task();
        let spent = Budget::unlimited().with_time(Duration::ZERO);
        let short = Instance::within(&task, &spent);
        assert!(!short.database().is_finished());
        let sample = short.on(task.examples.clone(), &Budget::unlimited());
        assert!(sample.database().is_finished());
        let again = sample.on(task.examples.clone(), &spent);
        assert!(Arc::ptr_eq(&sample.database, &again.database));
    }

    #[test]
    #[should_panic(expected = "of the head's predicate")]
    fn examples_of_another_predicate_are_refused() {
        let task = task();
        let other = Examples::new(Pred::new(task.bias.body[0].name, 1));
        let _ = Instance::new(&task).on(other, &Budget::unlimited());
    }
}
