//! The runs that learning from tables takes: one for two labels, one for each of several classes against the rest.
//!
//! What stands around these runs is the same for whoever learns from tables (the command line, cross-validation, other
//! languages): the task of each label is read within the limits of its run, and all runs together keep the limits of one.

use crate::examples::ExampleOptions;
use crate::fit::Dataset;
use crate::model::{TableModel, TableOrigin};
use crate::predict::{ask_all, shares, text};
use crate::task::TableTask;
use std::sync::Arc;
use std::time::Duration;
use symsnap::{Budget, Diagnostic, Ended, Learn, Learned, Predictor, Result, StopReason, Task, Value};

/// What is done to each task before it is learned from.
type Prepare = Arc<dyn Fn(Task) -> Result<Task> + Send + Sync>;

/// A dataset that is about to be learned from.
pub struct TableLearn {
    data: Arc<Dataset>,
    options: ExampleOptions,
    origin: TableOrigin,
    /// The examples that are learned from, by their numbers; all if not given.
    some: Option<Arc<[usize]>>,
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
        let (data, prepare) = (Arc::clone(&data), Arc::new(Ok));
        Ok(TableLearn { data, options, origin, some: None, prepare, patience: None })
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

    /// The same with only some of the examples, by their numbers, from 0 on in the order of the rows: the facts are still about all
    /// rows.
    ///
    /// # Errors
    /// If there is nothing to tell apart among them.
    pub fn of_some(&self, numbers: &[usize]) -> Result<Self> {
        let rows = self.data.examples(&self.options)?.some(numbers);
        let counts = rows.counts();
        if counts.iter().filter(|&&count| count > 0).count() < 2 {
            return Err(Diagnostic::error("the examples have one label: there is nothing to tell apart").into());
        }
        let mut origin = self.origin.clone();
        origin.counts = counts;
        Ok(TableLearn {
            data: Arc::clone(&self.data),
            options: self.options,
            origin,
            some: Some(numbers.into()),
            prepare: Arc::clone(&self.prepare),
            patience: self.patience,
        })
    }

    /// The label of each example, as its place among the labels, and how much it weighs.
    ///
    /// # Errors
    /// As [`Dataset::examples`].
    pub fn labels(&self) -> Result<Vec<(usize, u32)>> {
        Ok(self.data.examples(&self.options)?.examples.iter().map(|example| (example.label, example.weight)).collect())
    }

    /// What names each example: its key or number, or both keys of a pair.
    ///
    /// # Errors
    /// As [`Dataset::examples`].
    pub fn keys(&self) -> Result<Vec<Vec<String>>> {
        let rows = self.data.examples(&self.options)?;
        Ok(rows.arguments().map(|atom| atom.into_iter().map(text).collect()).collect())
    }

    /// The titles of what names an example.
    pub fn key_titles(&self) -> Vec<String> {
        self.data.key_titles()
    }

    /// Numbers for the examples, the same for rows with the same value of a column; rows without a value are by themselves.
    ///
    /// # Errors
    /// If the table with the labels has no such column, or examples are pairs that are not rows of it.
    pub fn group_by(&self, title: &str) -> Result<Vec<usize>> {
        self.data.groups(title, &self.options)
    }

    /// What `model` says about some of the examples, by their numbers: the label, and the probability of each label.
    ///
    /// # Errors
    /// As [`Predictor::new`].
    pub fn ask(&self, model: &TableModel, numbers: &[usize]) -> Result<Vec<(usize, Vec<f64>)>> {
        let rows = self.data.examples(&self.options)?.some(numbers);
        let facts = TableTask::new(&self.data);
        let each = model.models.iter().map(|model| Predictor::new(model, facts.background()));
        let mut predictors = each.collect::<Result<Vec<_>>>()?;
        let atoms: Vec<Vec<Value<'_>>> = rows.arguments().collect();
        let told = ask_all(&mut predictors, &shares(&model.origin.counts), &atoms)?;
        Ok(told.into_iter().map(|answer| (answer.label, answer.probabilities)).collect())
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
        self.reader(label)()
    }

    /// What reads the task of one label.
    fn reader(&self, label: usize) -> impl FnOnce() -> Result<Task> + Send + 'static {
        let (data, options, prepare) = (Arc::clone(&self.data), self.options, Arc::clone(&self.prepare));
        let some = self.some.clone();
        move || {
            let rows = data.examples(&options)?;
            let rows = if let Some(numbers) = some { rows.some(&numbers) } else { rows };
            prepare(TableTask::new(&data).task(&rows, label)?)
        }
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
            let learn = Learn::reading(self.reader(label));
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
    fn some_of_the_examples_are_learned_from_and_the_others_are_asked_about() {
        let rows: String =
            (0..30).map(|at| format!("{}.5,{}\n", 3 * at, if at < 15 { "low" } else { "high" })).collect();
        let all = TableLearn::new(data(&format!("mass,kind\n{rows}")), ExampleOptions::default()).unwrap();
        let labels: Vec<usize> = all.labels().unwrap().iter().map(|it| it.0).collect();
        let (train, test): (Vec<usize>, Vec<usize>) = (0..30).partition(|at| at % 3 > 0);
        let some = all.of_some(&train).unwrap();
        assert_eq!(some.task(0).unwrap().examples.positives() + some.task(0).unwrap().examples.negatives(), 20);
        let ended = some.run(&Budget::unlimited(), |_, learn| Ok(learn.strict().ensemble(METHODS[0].boxed())));
        let TableEnded::Learned(learned) = ended.unwrap() else { panic!("there was no limit") };
        let said = all.ask(&some.model(&learned).unwrap(), &test).unwrap();
        let right = test.iter().zip(&said).filter(|(at, (label, _))| labels[**at] == *label).count();
        assert!(right >= 9, "{right} of {}", test.len());
        assert!(said.iter().all(|(_, each)| (each.iter().sum::<f64>() - 1.0).abs() < 1e-9));
        assert!(all.of_some(&[0, 1]).unwrap_err().to_string().contains("nothing to tell apart"));
    }

    #[test]
    fn where_nothing_was_learned_labels_are_as_probable_as_they_were_frequent() {
        for (text, shares) in [
            ("mass,kind\n1,a\n2,b\n1,b\n2,c\n1,c\n2,c\n", vec![1.0 / 6.0, 2.0 / 6.0, 3.0 / 6.0]),
            ("mass,kind\n1,yes\n2,no\n1,yes\n2,yes\n", vec![0.75, 0.25]),
        ] {
            let learn = TableLearn::new(data(text), ExampleOptions::default()).unwrap();
            let ended =
                learn.run(&Budget::unlimited().with_ticks(0), |_, learn| Ok(learn.ensemble(METHODS[0].boxed())));
            let TableEnded::Learned(learned) = ended.unwrap() else { panic!("the table is small") };
            let mut model = learn.model(&learned).unwrap();
            // As it is when a limit comes before anything was found.
            for model in &mut model.models {
                model.members.clear();
                model.calibration = None;
            }
            let likeliest = shares.iter().position(|&share| share >= 0.5).unwrap();
            assert_eq!(learn.ask(&model, &[0, 1]).unwrap(), vec![(likeliest, shares.clone()); 2]);
        }
    }

    #[test]
    fn tasks_are_prepared_and_what_is_wrong_with_them_ends_the_runs() {
        let learn = TableLearn::new(data("mass,kind\n1,a\n2,a\n5,b\n6,b\n7,b\n"), ExampleOptions::default()).unwrap();
        let learn = learn.preparing(|_| Err(Diagnostic::error("no").into()));
        assert!(learn.run(&Budget::unlimited(), |_, learn| Ok(learn)).unwrap_err().to_string().contains("error: no"));
    }
}
