//! What a learner is.

use super::candidate::Observer;
use super::outcome::Outcome;
use crate::budget::Budget;
use crate::error::Result;
use crate::instance::Instance;
use crate::task::Task;

/// A learner that calls an observer for every candidate: the paper's `NextCandidate`. Whoever has an idea which hypothesis to
/// look at next can write one: a [`Testbed`](super::Testbed) tests hypotheses and speaks to the observer, and
/// [`Learn`](crate::Learn) does the rest, limits, the pool and ensembles.
///
/// ```
/// use symsnap::{Budget, Hypothesis, Instance, Learn, Learner, Literal, NamedLearner, Observer, Outcome, Result, Rule, Task};
/// use symsnap::{Settings, Testbed};
///
/// /// Looks at the rules with a single literal over the variables of the head.
/// struct Single {
///     settings: Settings,
/// }
///
/// impl Learner for Single {
///     fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
///         let mut testbed = Testbed::new("single", on, &self.settings, budget, observer);
///         let bias = on.bias();
///         let vars: Vec<u8> = (0..).take(bias.head.arity as usize).collect();
///         for &pred in bias.body.iter().filter(|pred| pred.arity == bias.head.arity) {
///             let rule = Rule { head: Literal::over(bias.head, &vars), body: vec![Literal::over(pred, &vars)] };
///             if on.allows(&rule) && testbed.test(&Hypothesis { rules: vec![rule] }).is_none() {
///                 break;
///             }
///         }
///         Ok(testbed.outcome())
///     }
/// }
///
/// static SINGLE: NamedLearner =
///     NamedLearner::new("single", "rules with one literal", |settings| Box::new(Single { settings }));
///
/// let task = Task::from_texts(
///     "red(apple). red(brick). round(apple). round(pea). round(plum).",
///     "pos(eaten(apple)). pos(eaten(pea)). pos(eaten(plum)). neg(eaten(brick)).",
///     "head_pred(eaten,1). body_pred(red,1). body_pred(round,1).",
/// )?;
/// let learned = Learn::new(task).learner(&SINGLE).run()?;
/// assert_eq!(learned.best().unwrap().hypothesis.show(&learned.task.terms), "eaten(V0) :- round(V0).\n");
/// # Ok::<(), symsnap::Error>(())
/// ```
pub trait Learner {
    /// Learn until the space is exhausted, the budget ends or the observer asks to stop.
    ///
    /// # Errors
    /// If the task cannot be learned from at all (weights out of range, for example).
    fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome>;

    /// [`Learner::learn`] from a task that is learned from once; its background is evaluated within the budget, too.
    ///
    /// # Errors
    /// As [`Learner::learn`].
    #[doc(hidden)]
    fn learn_task(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
        self.learn(&Instance::within(task, budget), budget, observer)
    }
}
