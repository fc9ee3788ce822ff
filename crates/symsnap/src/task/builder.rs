//! A task put together in code, from texts, facts and examples in any mixture.
//!
//! The bias comes first because it names the head predicate that examples are of. Nothing fails before
//! [`TaskBuilder::build`], which reports everything that is wrong at once.

use super::background::{Background, Value};
use super::exs::read_examples;
use super::findings::Findings;
use super::numbers::Numbers;
use super::{Bias, Examples, Task};
use crate::error::{Diagnostic, Error, Result};
use crate::logic::Terms;
use crate::parse::Text;

/// Puts a [`Task`] together in code. The bias comes first; nothing fails before [`TaskBuilder::build`].
#[derive(Debug)]
pub struct TaskBuilder {
    background: Background,
    bias: Option<Bias>,
    examples: Option<Examples>,
    numbers: Numbers,
}

impl TaskBuilder {
    /// A task with the bias that the text declares.
    pub fn new<'s>(bias: impl Into<Text<'s>>) -> Self {
        let mut terms = Terms::default();
        let mut findings = Findings::default();
        let bias = match Bias::read(&bias.into(), &mut terms) {
            Ok((bias, warnings)) => {
                findings.extend(warnings);
                Some(bias)
            }
            Err(Error::Input(errors)) => {
                findings.extend(errors);
                None
            }
            Err(other) => {
                findings.add(Diagnostic::error(other.to_string()));
                None
            }
        };
        TaskBuilder::start(terms, bias, findings)
    }

    /// A task with a bias made in code over `terms`.
    #[doc(hidden)]
    pub fn from_bias(bias: Bias, terms: Terms) -> Self {
        TaskBuilder::start(terms, Some(bias), Findings::default())
    }

    fn start(terms: Terms, bias: Option<Bias>, findings: Findings) -> Self {
        let examples = bias.as_ref().map(|bias| Examples::new(bias.head));
        TaskBuilder { background: Background::over(terms, findings), bias, examples, numbers: Numbers::default() }
    }

    /// The terms of the task, to make lists and compounds with.
    #[doc(hidden)]
    pub fn terms(&mut self) -> &mut Terms {
        self.background.terms()
    }

    /// Add background facts, rules and directives from text.
    pub fn background<'s>(&mut self, text: impl Into<Text<'s>>) -> &mut Self {
        let source = text.into();
        self.check_facts(None);
        self.background.text(source.clone());
        self.check_facts(Some(&source));
        self
    }

    /// Add a background fact.
    pub fn fact<'v, V: Into<Value<'v>>>(&mut self, name: &str, args: impl IntoIterator<Item = V>) -> &mut Self {
        self.background.fact(name, args);
        self
    }

    /// Add examples from text: `pos(Atom).`, `neg(Atom).`, `pos(Atom,Weight).`
    pub fn examples<'s>(&mut self, text: impl Into<Text<'s>>) -> &mut Self {
        let Background { terms, findings, .. } = &mut self.background;
        let read = read_examples(&text.into(), terms, self.bias.as_ref(), &mut self.numbers, findings);
        if let (Some(examples), Some(read)) = (&mut self.examples, read) {
            examples.append(&read);
        }
        self
    }

    /// Add a positive example by its arguments.
    pub fn positive<'v, V: Into<Value<'v>>>(&mut self, args: impl IntoIterator<Item = V>) -> &mut Self {
        self.example(true, args, 1)
    }

    /// Add a negative example by its arguments.
    pub fn negative<'v, V: Into<Value<'v>>>(&mut self, args: impl IntoIterator<Item = V>) -> &mut Self {
        self.example(false, args, 1)
    }

    /// Add an example with a weight of at least 1.
    pub fn example<'v, V: Into<Value<'v>>>(
        &mut self,
        positive: bool,
        args: impl IntoIterator<Item = V>,
        weight: u32,
    ) -> &mut Self {
        let row = self.background.row(args);
        let Some(examples) = &mut self.examples else { return self };
        let head = examples.pred();
        if row.len() != head.arity as usize {
            let message = format!("example with {} arguments of {}", row.len(), head.show(&self.background.terms));
            self.background.findings.add(Diagnostic::error(message));
        } else if weight == 0 {
            self.background.findings.add(Diagnostic::error("the weight of an example is 0"));
        } else {
            examples.push(positive, &row, weight);
            if let Some(bias) = &self.bias {
                self.numbers.example(bias, &row, &self.background.terms);
            }
        }
        self
    }

    /// Check numbers in facts that are new since the last time; they come from `source`, if from a text.
    fn check_facts(&mut self, source: Option<&Text<'_>>) {
        let Background { terms, program, .. } = &mut self.background;
        if let Some(bias) = &self.bias {
            self.numbers.program(bias, program, source, terms);
        }
    }

    pub(super) fn reject(&mut self, finding: Diagnostic) {
        self.background.findings.add(finding);
    }

    /// The task.
    ///
    /// # Errors
    /// Everything that was wrong with what was given, up to [`MAX_ERRORS`](crate::error::MAX_ERRORS) findings.
    pub fn build(mut self) -> Result<Task> {
        self.check_facts(None);
        if let Some(bias) = &mut self.bias {
            self.numbers.whole(&mut bias.cuts);
        }
        self.background.findings.extend(self.numbers.errors());
        if let Some(examples) = &self.examples {
            match (examples.positives(), examples.negatives()) {
                (0, 0) if self.background.findings.is_empty() => {
                    let finding = Diagnostic::error("the task has no examples");
                    self.background
                        .findings
                        .add(finding.with_help("an example is a fact `pos(Atom).` or `neg(Atom).`"));
                }
                (0, 0) => {}
                (0, _) => {
                    let finding = Diagnostic::warning("the task has no positive examples");
                    self.background.findings.add(finding.with_help("the best hypothesis is the empty one"));
                }
                _ => {}
            }
        }
        if let Some(bias) = &self.bias
            && self.background.program.get(bias.head).is_some()
        {
            let message =
                format!("the background defines the head predicate {}", bias.head.show(&self.background.terms));
            let help = "examples that it covers by itself tell nothing about a hypothesis";
            self.background.findings.add(Diagnostic::warning(message).with_help(help));
        }
        let Background { mut terms, mut program, findings } = self.background;
        for summarised in self.bias.iter().flat_map(|bias| &bias.summaries) {
            program.summarise(summarised, &mut terms);
        }
        let warnings = findings.finish()?;
        let bias = self.bias.expect("a bias that could not be read is an error");
        let examples = self.examples.expect("there are examples if there is a bias");
        let mut task = Task { terms, program, examples, bias, warnings };
        task.settle_price();
        Ok(task)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Definition;
    use super::super::examples::Repetitions;
    use super::*;

    const BIAS: &str = "head_pred(f,1). body_pred(edge,2). body_pred(big,1).";

    #[test]
    fn texts_facts_and_examples_mix() {
        let mut builder = TaskBuilder::new(BIAS);
        builder
            .background("edge(a,b). big(X) :- X > 1.")
            .fact("edge", ["b", "c"])
            .fact("edge", [1.into(), Value::Float(0.5)]);
        let (one, two) = (builder.terms().int(1), builder.terms().int(2));
        let list = builder.terms().list(&[one, two]);
        builder.fact("edge", [list, one]);
        builder.examples("pos(f(a)). neg(f(c), 3).").positive(["b"]).negative([list]).example(true, ["d"], 2);
        let task = builder.build().unwrap();
        assert_eq!(task.examples.positive_weights(), [1, 1, 2]);
        assert_eq!(task.examples.negative_weights(), [3, 1]);
        assert_eq!(task.terms.show(task.examples.negative(1)[0]), "[1,2]");
        let Definition::Facts(edge) = &task.program.get(task.bias.body[0]).unwrap().definition else { panic!("facts") };
        assert_eq!(edge.len(), 4);
        assert!(matches!(task.program.get(task.bias.body[1]).unwrap().definition, Definition::Clauses(_)));
        assert!(task.warnings.is_empty(), "{:?}", task.warnings);
    }

    #[test]
    fn everything_that_is_wrong_is_reported_at_once() {
        let mut builder = TaskBuilder::new("head_pred(f,1).\nmax_vars(-1). body_pred(p,1).");
        builder.background("p(a,).").examples("pos(f(X)). maybe(f(a)).").negative(["a", "b"]);
        let Err(Error::Input(findings)) = builder.build() else { panic!("wrong in several ways") };
        let files: Vec<String> =
            findings.iter().filter_map(|finding| Some(finding.location.as_ref()?.file.to_string())).collect();
        assert!(findings.len() >= 4, "{findings:?}");
        assert!(files.iter().all(|file| file == "<text>"));
    }

    #[test]
    fn wrong_examples_from_code_are_reported() {
        let mut builder = TaskBuilder::new(BIAS);
        builder.positive(["a", "b"]).example(true, ["a"], 0);
        let error = builder.build().unwrap_err().to_string();
        assert_eq!(error, "error: example with 2 arguments of f/1\nerror: the weight of an example is 0");
    }

    #[test]
    fn odd_but_usable_tasks_are_warned_about() {
        let warnings = |bk: &str, exs: &str| -> Vec<String> {
            let task = Task::from_texts(bk, exs, BIAS).unwrap();
            task.warnings.iter().map(|warning| warning.message.clone()).collect()
        };
        assert_eq!(warnings("edge(a,b). big(a).", "neg(f(a))."), ["the task has no positive examples"]);
        assert_eq!(
            warnings("edge(a,b). big(a). f(a).", "pos(f(a))."),
            ["the background defines the head predicate f/1"]
        );
    }

    #[test]
    fn contradicting_examples_are_named_with_their_lines() {
        let warning = |exs: &str| -> Vec<String> {
            let task = Task::from_texts("edge(a,b). big(a).", exs, BIAS).unwrap();
            task.warnings.iter().map(|warning| warning.to_string().lines().next().unwrap().to_owned()).collect()
        };
        assert_eq!(warning("pos(f(a)). pos(f(a)). neg(f(b)). neg(f(b))."), [""; 0]);
        assert_eq!(
            warning("pos(f(a)).\npos(f('B c')).\npos(f(a)).\nneg(f('B c')).\nneg(f('B c'))."),
            ["exs.pl:4:1: warning: an example is both positive and negative: f('B c') (lines 2 and 4)"]
        );
        assert_eq!(
            warning("pos(f(1)).\npos(f(2)).\npos(f(3),2).\npos(f(4)).\nneg(f(4)).\nneg(f(3)).\nneg(f(2)).\nneg(f(1))."),
            [
                "exs.pl:5:1: warning: 4 examples are both positive and negative: f(4) (lines 4 and 5), f(3) (lines 3 and 6), \
                 f(2) (lines 2 and 7), ..."
            ]
        );
    }

    #[test]
    fn repeated_and_contradicting_examples_are_kept_and_counted() {
        let exs = "pos(f(a)). pos(f(a)). pos(f(b)). neg(f(b)). neg(f(b)). neg(f(c)).";
        let task = Task::from_texts("edge(a,b).", exs, BIAS).unwrap();
        assert_eq!((task.examples.positives(), task.examples.negatives()), (3, 3));
        assert_eq!(task.examples.repetitions(), Repetitions { positives: 1, negatives: 1, contradictions: 1 });
    }
}
