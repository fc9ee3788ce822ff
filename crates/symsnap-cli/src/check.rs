//! `symsnap check DIR`: what a task holds, how each of its relations is evaluated, and what is odd about it.

use crate::Exit;
use crate::files::Files;
use crate::limits::{Limits, Stage};
use crate::output::{Align, Paint, TextTable, count, diagnostic_json, thousands};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use symsnap::internals::database::{Database, Evaluation, redefined, undefined};
use symsnap::internals::task::{Bounds, Direction};
use symsnap::{Diagnostic, Examples, Pred, Result, Task};

/// Show what a task holds, how it is evaluated and what is odd about it.
#[derive(Args)]
pub struct Check {
    /// The folder with bk.pl, exs.pl and bias.pl.
    #[arg(value_name = "DIR")]
    task: PathBuf,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

impl Check {
    /// Read, evaluate, show.
    pub fn run(self) -> Result<Exit> {
        Files::of_task(&self.task).printing()?;
        let (json, limits) = (self.json, self.limits.clone());
        limits.answer(json, "what the task holds and how it is evaluated", move |stage| self.answer(stage))
    }

    fn answer(&self, stage: &Stage) -> Result<String> {
        stage.at("reading the task");
        let task = Task::from_dir(&self.task)?;
        stage.at("evaluating the background");
        let report = CheckReport { database: Database::new(&task), task };
        Ok(if self.json {
            format!("{}\n", report.json())
        } else {
            format!("{}\n\n{}", self.task.display(), report.text(Paint::for_stdout()))
        })
    }
}

struct CheckReport {
    task: Task,
    database: Database,
}

impl CheckReport {
    /// The predicates that rules may use, each with how it is evaluated, then those that only the background uses.
    fn relations(&self) -> [Vec<(Pred, Evaluation)>; 2] {
        let body = &self.task.bias.body;
        let usable = body.iter().map(|&pred| (pred, self.database.evaluation(pred))).collect();
        [usable, self.database.predicates().filter(|(pred, _)| !body.contains(pred)).collect()]
    }

    /// The declared types of a predicate, one list of names for each alternative.
    fn types(&self, pred: Pred) -> Vec<Vec<&str>> {
        let declared = self.task.bias.types.get(&pred).into_iter().flatten();
        declared.map(|types| types.iter().map(|&name| self.task.terms.name(name)).collect()).collect()
    }

    /// The declared directions of a predicate, one list of `in` and `out` for each alternative.
    fn directions(&self, pred: Pred) -> Vec<Vec<&str>> {
        let word = |direction: &Direction| match direction {
            Direction::In => "in",
            Direction::Out => "out",
        };
        let declared = self.task.bias.directions.get(&pred).into_iter().flatten();
        declared.map(|directions| directions.iter().map(word).collect()).collect()
    }

    /// The types of all predicates, each once, in the order of the head and then of the body declarations.
    fn all_types(&self) -> Vec<&str> {
        let preds = std::iter::once(self.task.bias.head).chain(self.task.bias.body.iter().copied());
        let mut seen = Vec::new();
        for name in preds.flat_map(|pred| self.types(pred)).flatten() {
            if !seen.contains(&name) {
                seen.push(name);
            }
        }
        seen
    }

    /// What reading found odd, what is used without a definition, and what the bias could declare.
    fn warnings(&self) -> Vec<Diagnostic> {
        let Task { warnings, .. } = &self.task;
        let odd = undefined(&self.task).into_iter().chain(redefined(&self.task));
        warnings.iter().cloned().chain(odd).chain(self.task.suggestions()).collect()
    }

    fn text(&self, paint: Paint) -> String {
        let [usable, others] = self.relations();
        let mut text = self.facts(paint).to_string();
        for (title, relations) in [("relation in rules", usable), ("relation in the background", others)] {
            if !relations.is_empty() {
                text += &format!("\n{}", self.table(title, &relations, paint));
            }
        }
        let warnings = self.warnings();
        if !warnings.is_empty() {
            text += &format!("\n{}\n", paint.title("warnings"));
            warnings.iter().for_each(|warning| text += &format!("{warning}\n"));
        }
        text
    }

    fn facts(&self, paint: Paint) -> TextTable {
        let bias = &self.task.bias;
        let mut facts = TextTable::new(&[Align::Left, Align::Left]);
        let mut line = |title: &str, text: String| facts.row([paint.title(title), text]);
        let (types, directions) = (alternatives(&self.types(bias.head)), alternatives(&self.directions(bias.head)));
        let head = [bias.head.show(&self.task.terms), types, directions];
        line("head", head.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  "));
        line("examples", self.examples());
        let types = self.all_types().join(", ");
        line("types", if types.is_empty() { "none declared".to_owned() } else { types });
        let mut limits = vec![count(bias.max_vars, "variable"), count(bias.max_body, "body literal")];
        if bias.recursion || bias.invention {
            limits.push(count(bias.max_clauses, "rule"));
        }
        line("limits", format!("at most {}", limits.join(", ")));
        let options = [
            (bias.recursion, "rules may be recursive"),
            (bias.invention, "predicates may be invented"),
            (bias.non_datalog, "head variables may be missing from the body"),
        ];
        if !bias.cuts.is_empty() {
            line("comparisons", self.comparisons());
        }
        if !bias.constants.is_empty() {
            line("constants", self.constants());
        }
        if !bias.constraints.is_empty() {
            line("forbidden", count(bias.constraints.len(), "constraint"));
        }
        options.into_iter().filter(|(on, _)| *on).for_each(|(_, text)| line("allowed", text.to_owned()));
        facts
    }

    /// Which variables rules may compare with numbers, and where these lie.
    fn comparisons(&self) -> String {
        let cuts = &self.task.bias.cuts;
        let types = cuts.types.iter().map(|cut| {
            let sides = [("=<", cut.at_most), (">=", cut.at_least)];
            let sides = sides.iter().filter_map(|(sign, bounds)| Some(format!("{sign} {}", range((*bounds)?))));
            let numbers = if cut.whole { "integers" } else { "floats" };
            format!("{} with {numbers}, {}", self.task.terms.name(cut.kind), sides.collect::<Vec<_>>().join(" and "))
        });
        [types.collect(), most(cuts.most)].concat().join("; ")
    }

    /// Which arguments may be constants.
    fn constants(&self) -> String {
        let (constants, terms) = (&self.task.bias.constants, &self.task.terms);
        let mut parts = Vec::new();
        if constants.all {
            parts.push("any argument".to_owned());
        }
        if !constants.types.is_empty() {
            let names: Vec<&str> = constants.types.iter().map(|&kind| terms.name(kind)).collect();
            parts.push(format!("arguments of type {}", names.join(", ")));
        }
        let argument = |(pred, at): &(Pred, usize)| format!("argument {at} (from 0) of {}", pred.show(terms));
        parts.extend(constants.arguments.iter().map(argument));
        [parts, most(constants.most)].concat().join("; ")
    }

    /// How many examples there are, and what is odd about them.
    fn examples(&self) -> String {
        let (examples, repeated) = (&self.task.examples, self.task.examples.repetitions());
        let mut parts =
            vec![format!("{} positive, {} negative", thousands(examples.positives()), thousands(examples.negatives()))];
        let (positive, negative) = weights(examples);
        if (positive, negative) != (examples.positives() as u64, examples.negatives() as u64) {
            parts.push(format!("weighing {positive} and {negative}"));
        }
        let duplicates = repeated.positives + repeated.negatives;
        for (number, noun) in [(duplicates, "duplicate"), (repeated.contradictions, "contradiction")] {
            parts.push(if number == 0 { format!("no {noun}s") } else { count(number, noun) });
        }
        parts.join(", ")
    }

    fn table(&self, title: &str, relations: &[(Pred, Evaluation)], paint: Paint) -> TextTable {
        let mut table = TextTable::new(&[Align::Left, Align::Left, Align::Left, Align::Right, Align::Left]);
        for &(pred, evaluation) in relations {
            let (rows, how, why) = describe(evaluation);
            let rows = rows.map_or_else(|| "-".to_owned(), thousands);
            let how = why.map_or_else(|| how.to_owned(), |why| format!("{how} ({why})"));
            let types = alternatives(&self.types(pred));
            table.row([pred.show(&self.task.terms), types, alternatives(&self.directions(pred)), rows, how]);
        }
        table.titles(paint, &[title, "types", "directions", "rows", "evaluated as"]);
        table
    }

    fn json(&self) -> Value {
        let (bias, examples) = (&self.task.bias, &self.task.examples);
        let repeated = examples.repetitions();
        let [usable, others] = self.relations();
        let relation = |&(pred, evaluation): &(Pred, Evaluation), in_rules: bool| {
            let (rows, how, why) = describe(evaluation);
            json!({
                "predicate": pred.show(&self.task.terms),
                "in_rules": in_rules,
                "types": self.types(pred),
                "directions": self.directions(pred),
                "rows": rows,
                "evaluation": how,
                "why": why,
            })
        };
        let used = usable.iter().map(|entry| relation(entry, true));
        let relations: Vec<Value> = used.chain(others.iter().map(|entry| relation(entry, false))).collect();
        json!({
            "head": bias.head.show(&self.task.terms),
            "head_types": self.types(bias.head),
            "head_directions": self.directions(bias.head),
            "examples": {
                "positive": examples.positives(),
                "negative": examples.negatives(),
                "positive_weight": weights(examples).0,
                "negative_weight": weights(examples).1,
                "duplicates": repeated.positives + repeated.negatives,
                "contradictions": repeated.contradictions,
            },
            "types": self.all_types(),
            "relations": relations,
            "limits": { "max_vars": bias.max_vars, "max_body": bias.max_body, "max_clauses": bias.max_clauses },
            "recursion": bias.recursion,
            "invention": bias.invention,
            "non_datalog": bias.non_datalog,
            "comparisons": {
                "types": bias.cuts.types.iter().map(|cut| json!({
                    "type": self.task.terms.name(cut.kind),
                    "whole": cut.whole,
                    "at_most": cut.at_most.map(ends),
                    "at_least": cut.at_least.map(ends),
                })).collect::<Vec<_>>(),
                "most": bias.cuts.most,
            },
            "constants": {
                "types": bias.constants.types.iter().map(|&kind| self.task.terms.name(kind)).collect::<Vec<_>>(),
                "arguments": bias.constants.arguments.iter().map(|(pred, argument)| json!({
                    "predicate": pred.show(&self.task.terms),
                    "argument": argument,
                })).collect::<Vec<_>>(),
                "all": bias.constants.all,
                "most": bias.constants.most,
            },
            "constraints": bias.constraints.texts().collect::<Vec<_>>(),
            "warnings": self.warnings().iter().map(diagnostic_json).collect::<Vec<_>>(),
        })
    }
}

/// `any number`, `from 0 to 60`, `up to 60`.
fn range(bounds: Bounds) -> String {
    match (bounds.low.is_finite(), bounds.high.is_finite()) {
        (false, false) => "any number".to_owned(),
        (true, false) => format!("from {}", bounds.low),
        (false, true) => format!("up to {}", bounds.high),
        (true, true) => format!("from {} to {}", bounds.low, bounds.high),
    }
}

/// Both ends; null where there is none.
fn ends(bounds: Bounds) -> [Option<f64>; 2] {
    [bounds.low, bounds.high].map(|end| end.is_finite().then_some(end))
}

/// A limit on the number in a rule, if there is one.
fn most(limit: Option<usize>) -> Vec<String> {
    limit.map(|limit| format!("at most {limit} in a rule")).into_iter().collect()
}

/// The total weight of positives and of negatives.
fn weights(examples: &Examples) -> (u64, u64) {
    let total = |weights: &[u32]| weights.iter().map(|&weight| u64::from(weight)).sum();
    (total(examples.positive_weights()), total(examples.negative_weights()))
}

/// `(list,element) | (list,list)`; nothing for no alternative.
fn alternatives(tuples: &[Vec<&str>]) -> String {
    tuples.iter().map(|tuple| format!("({})", tuple.join(","))).collect::<Vec<_>>().join(" | ")
}

/// Rows, how the relation is evaluated, and why it is called, where it is.
fn describe(evaluation: Evaluation) -> (Option<usize>, &'static str, Option<&'static str>) {
    match evaluation {
        Evaluation::Facts { rows } => (Some(rows), "facts", None),
        Evaluation::Materialised { rows } => (Some(rows), "materialised", None),
        Evaluation::Called { why } => (None, "called", Some(why)),
        Evaluation::Undefined => (Some(0), "undefined", None),
    }
}
