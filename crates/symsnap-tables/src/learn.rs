//! The runs that learning from tables takes: one for two labels, one for each of several classes against the rest.
//!
//! What stands around these runs is the same for whoever learns from tables (the command line, cross-validation, other
//! languages): the task of each label is read within the limits of its run, and all runs together keep the limits of one.

use crate::examples::{ExampleOptions, LabelledRows};
use crate::fit::Dataset;
use crate::model::{TableModel, TableOrigin};
use crate::task::TableTask;
use std::sync::Arc;
use std::time::Duration;
use symsnap::{Budget, Ended, Learn, Learned, Result, StopReason, Task};

/// What is done to each task before it is learned from.
type Prepare = Arc<dyn Fn(Task) -> Result<Task> + Send + Sync>;

/// A dataset that is about to be learned from.
pub struct TableLearn {
    data: Arc<Dataset>,
    options: ExampleOptions,
    origin: TableOrigin,
    prepare: Prepare,
    /// How long a run that was cancelled may take to end, if that is not left to it.
    patience: Option<Duration>,
}

impl std::fmt::Debug for TableLearn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableLearn").field("labels", &self.origin.labels).finish_non_exhaustive()
    }
}

/// How the runs ended.
#[derive(Debug)]
pub enum TableEnded {
    /// With what each has learned, in the order of [`TableLearn::tasks`].
    Learned(Vec<Learned>),
    /// A limit came while the facts of a task were still being made.
    Unread(StopReason),
}

impl TableLearn {
    /// Learn from `data`.
    ///
    /// # Errors
    /// As [`Dataset::examples`].
    pub fn new(data: Arc<Dataset>, options: ExampleOptions) -> Result<Self> {
        let rows = data.examples(&options)?;
        let origin = TableOrigin::new(&data, rows.labels.clone(), rows.counts());
        Ok(TableLearn { data: Arc::clone(&data), options, origin, prepare: Arc::new(Ok), patience: None })
    }

    /// The same with something that is done to each task before it is learned from, such as other limits on rules.
    #[must_use]
    pub fn preparing(mut self, prepare: impl Fn(Task) -> Result<Task> + Send + Sync + 'static) -> Self {
        self.prepare = Arc::new(prepare);
        self
    }

    /// The same for whoever cannot wait long after Ctrl-C: a cancelled run that takes longer than `patience` to end is left
    /// behind, with what it has found.
    #[must_use]
    pub fn impatient(mut self, patience: Duration) -> Self {
        self.patience = Some(patience);
        self
    }

    /// What models remember of the tables.
    pub fn origin(&self) -> &TableOrigin {
        &self.origin
    }

    /// How many runs there are: one for two labels, one for each class otherwise.
    pub fn tasks(&self) -> usize {
        if self.origin.labels.len() == 2 { 1 } else { self.origin.labels.len() }
    }

    /// The task of telling the examples with one label from all others.
    ///
    /// # Errors
    /// As [`TableTask::task`], and what preparing it finds wrong.
    pub fn task(&self, label: usize) -> Result<Task> {
        read(&self.data, &self.options, &self.prepare, label)
    }

    /// Run all of them, one after the other, within `budget`. `set_up` is given the number of the label and the run about to be
    /// made, and says what else it is: its cost, its method, who listens.
    ///
    /// # Errors
    /// As [`Learn::run`].
    pub fn run(&self, budget: &Budget, mut set_up: impl FnMut(usize, Learn) -> Result<Learn>) -> Result<TableEnded> {
        let runs = self.tasks();
        let mut all = Vec::with_capacity(runs);
        for label in 0..runs {
            let (data, options, prepare) = (Arc::clone(&self.data), self.options, Arc::clone(&self.prepare));
            let learn = Learn::reading(move || read(&data, &options, &prepare, label));
            let learn = set_up(label, learn.budget(budget.share(runs, runs - label)))?;
            let running = learn.spawn()?;
            let ended = match self.patience {
                Some(patience) => running.wait_impatiently(patience)?,
                None => running.wait()?,
            };
            match ended {
                Ended::Learned(learned) => all.push(*learned),
                Ended::Unread(stop) => return Ok(TableEnded::Unread(stop)),
            }
        }
        Ok(TableEnded::Learned(all))
    }

    /// The model of what the runs have learned, for runs that were to make one.
    pub fn model(&self, learned: &[Learned]) -> Option<TableModel> {
        let models: Option<Vec<_>> = learned.iter().map(|one| one.model_to_keep()).collect();
        Some(TableModel { origin: self.origin.clone(), models: models.filter(|models| models.len() == self.tasks())? })
    }
}

fn read(data: &Dataset, options: &ExampleOptions, prepare: &Prepare, label: usize) -> Result<Task> {
    let rows: LabelledRows<'_> = data.examples(options)?;
    prepare(TableTask::new(data).task(&rows, label)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Purpose, ReadOptions, Table, Wish, infer};
    use symsnap::METHODS;

    fn data(text: &str) -> Arc<Dataset> {
        let table = Table::parse("birds", "birds.csv", text.into(), &ReadOptions::default(), &mut |_| {}).unwrap();
        let wish = Wish { column: Some("kind".to_owned()), ..Wish::default() };
        let (schema, _) = infer(std::slice::from_ref(&table), &wish).unwrap();
        Arc::new(Dataset::new(schema, vec![table], Purpose::Learning).unwrap())
    }

    #[test]
    fn two_labels_are_one_run_and_three_are_three() {
        let two = TableLearn::new(data("mass,kind\n1,a\n2,a\n5,b\n6,b\n7,b\n"), ExampleOptions::default()).unwrap();
        assert_eq!(two.tasks(), 1);
        let three = data("mass,kind\n1,a\n2,a\n5,b\n6,b\n11,c\n12,c\n");
        let three = TableLearn::new(three, ExampleOptions::default()).unwrap();
        let mut labels = Vec::new();
        let ended = three.run(&Budget::unlimited(), |label, learn| {
            labels.push(label);
            Ok(learn.strict().ensemble(METHODS[0].boxed()))
        });
        let TableEnded::Learned(learned) = ended.unwrap() else { panic!("there was no limit") };
        assert_eq!(labels, [0, 1, 2]);
        assert_eq!(three.model(&learned).unwrap().models.len(), 3);
        assert!(three.model(&learned[..2]).is_none(), "a class without a model is no model");
    }

    #[test]
    fn tasks_are_prepared_and_what_is_wrong_with_them_ends_the_runs() {
        let learn = TableLearn::new(data("mass,kind\n1,a\n2,a\n5,b\n6,b\n7,b\n"), ExampleOptions::default()).unwrap();
        let learn = learn.preparing(|_| Err(symsnap::Diagnostic::error("no").into()));
        assert!(learn.run(&Budget::unlimited(), |_, learn| Ok(learn)).unwrap_err().to_string().contains("error: no"));
    }
}
