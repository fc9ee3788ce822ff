//! `symsnap explain MODEL 'atom(a,b)'`: which members vote how about one atom, and why.

use crate::Exit;
use crate::background::Background;
use crate::files::Files;
use crate::limits::{Limits, Stage};
use crate::models::ClassChoice;
use crate::output::{complain, count};
use crate::predict::{show_atom, word};
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use symsnap::internals::ensemble::{Explainer, Justification, Strangers};
use symsnap::internals::task::Queries;
use symsnap::{Diagnostic, Failure, Model, Result, RuleInstance, Why};

/// How many members are explained without `--all`.
const FEW: usize = 10;

/// Explain what a model says about one example.
#[derive(Args)]
pub struct Explain {
    /// The model file, as `learn -o` writes it.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The example: a ground atom of the predicate that was learned.
    #[arg(value_name = "ATOM")]
    atom: String,
    #[command(flatten)]
    background: Background,
    /// Explain the votes of all members, not only of those with the most weight.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    class: ClassChoice,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

impl Explain {
    /// Read, predict, explain.
    pub fn run(self) -> Result<Exit> {
        self.background.files(Files::default().reading_model(&self.model)).printing()?;
        let (json, limits) = (self.json, self.limits.clone());
        limits.answer(json, "what the model says about the example", move |stage| self.answer(stage))
    }

    fn answer(&self, stage: &Stage) -> Result<String> {
        stage.at("reading the model and the background");
        let model = self.class.read(&self.model)?;
        let mut predictor = self.background.open(&model, &self.model)?;
        let dot = if self.atom.trim_end().ends_with('.') { "\n" } else { " .\n" };
        let text = format!("{}{dot}", self.atom);
        let mut queries = Queries::new("<atom>", text.as_bytes(), predictor.head());
        let batch = queries.next(predictor.terms_for_batch())?;
        if batch.len() != 1 {
            return Err(Diagnostic::error(format!("expected one atom, found {}", batch.len())).into());
        }
        stage.at("explaining");
        let said = predictor.predict(&batch);
        let mut strangers = Strangers::default();
        strangers.count(&predictor, &batch);
        strangers.warning().into_iter().for_each(|text| complain(&Diagnostic::warning(text)));
        let mut order: Vec<usize> = (0..model.members.len()).collect();
        order.sort_by(|&a, &b| model.members[b].weight.total_cmp(&model.members[a].weight).then(a.cmp(&b)));
        if !self.all && !self.json {
            order.truncate(FEW);
        }
        let mut explainer = Explainer::new(predictor.database());
        let reasons: Vec<(usize, Why)> = order
            .into_iter()
            .map(|at| (at, explainer.why(&predictor.hypotheses()[at], predictor.head(), batch.args(0))))
            .collect();
        let rules = self.class.rules(&model, &self.model)?;
        let report = ExplainReport {
            atom: show_atom(&model.head.name, batch.args(0), predictor.terms()),
            probability: said.probabilities[0],
            share: said.shares[0],
            label: said.labels[0],
            votes: said.votes.iter().map(|votes| votes.contains(0)).collect(),
            model: &model,
            reasons,
            words: rules.into_iter().filter_map(|it| Some((it.rule, it.words?))).collect(),
        };
        Ok(if self.json { format!("{}\n", report.json()) } else { report.text() })
    }
}

struct ExplainReport<'m> {
    atom: String,
    probability: f64,
    share: f64,
    label: bool,
    votes: Vec<bool>,
    model: &'m Model,
    reasons: Vec<(usize, Why)>,
    /// What rules say about tables, where they do.
    words: BTreeMap<String, String>,
}

impl ExplainReport<'_> {
    fn text(&self) -> String {
        let positive = self.votes.iter().filter(|vote| **vote).count();
        let members = count(self.votes.len(), "member");
        let mut text = format!(
            "{}: {}, probability {:.4} ({positive} of {members} vote pos)\n",
            self.atom,
            word(self.label),
            self.probability
        );
        for (at, why) in &self.reasons {
            let member = &self.model.members[*at];
            text += &format!("\nmember {at}, weight {:.4}, votes {}\n", member.weight, word(self.votes[*at]));
            let (rule, lines) = match why {
                Why::Proof(proof) => (Some(proof.rule), proof.lines()),
                Why::Failure(failure) => (Some(failure.reached.rule), failure_lines(failure, &member.rules)),
                Why::Unknown => (None, vec!["no explanation was found within the limits".to_owned()]),
            };
            let words = rule.and_then(|rule| self.words.get(member.rules.get(rule)?));
            words.iter().for_each(|words| text += &format!("  in words: {words}\n"));
            lines.iter().for_each(|line| text += &format!("  {line}\n"));
        }
        let hidden = self.votes.len() - self.reasons.len();
        if hidden > 0 {
            text += &format!("\nand {} with less weight; see them with --all\n", count(hidden, "member"));
        }
        text
    }

    fn json(&self) -> Value {
        let members = self.reasons.iter().map(|(at, why)| {
            let member = &self.model.members[*at];
            let mut object = json!({ "member": at, "weight": member.weight, "vote": word(self.votes[*at]) });
            match why {
                Why::Proof(proof) => object["proof"] = instance_json(proof, &member.rules),
                Why::Failure(failure) => {
                    object["closest"] = instance_json(&failure.reached, &member.rules);
                    object["fails"] = Value::from(failure.failed.clone());
                    if let Some(error) = &failure.error {
                        object["error"] = Value::from(error.clone());
                    }
                    object["untried"] = Value::from(failure.untried.clone());
                }
                Why::Unknown => {}
            }
            let rule = match why {
                Why::Proof(proof) => Some(proof.rule),
                Why::Failure(failure) => Some(failure.reached.rule),
                Why::Unknown => None,
            };
            if let Some(words) = rule.and_then(|rule| self.words.get(member.rules.get(rule)?)) {
                object["words"] = Value::from(words.as_str());
            }
            object
        });
        json!({
            "example": self.atom,
            "probability": self.probability,
            "vote": self.share,
            "label": word(self.label),
            "members": members.collect::<Vec<_>>(),
        })
    }
}

fn failure_lines(failure: &Failure, rules: &[String]) -> Vec<String> {
    let reached = &failure.reached;
    let text = rules.get(reached.rule).map_or("", String::as_str);
    let mut lines = vec![format!("closest is rule {}: {text}", reached.rule + 1)];
    lines.extend(reached.body.iter().map(|step| format!("  holds  {}", step.literal)));
    lines.push(match (&failure.failed, &failure.error) {
        (Some(literal), Some(error)) => format!("  raises {literal}: {error}"),
        (Some(literal), None) => format!("  fails  {literal}"),
        (None, _) => "  its head does not match".to_owned(),
    });
    lines
}

fn instance_json(instance: &RuleInstance, rules: &[String]) -> Value {
    let body = instance.body.iter().map(|step| {
        let mut object = json!({ "literal": step.literal });
        match &step.reason {
            Justification::Fact => object["by"] = Value::from("fact"),
            Justification::Derived => object["by"] = Value::from("background"),
            Justification::Rule(None) => object["by"] = Value::from("member"),
            Justification::Rule(Some(inner)) => {
                object["by"] = Value::from("member");
                object["proof"] = instance_json(inner, rules);
            }
        }
        object
    });
    json!({ "head": instance.head, "rule": rules.get(instance.rule), "body": body.collect::<Vec<_>>() })
}
