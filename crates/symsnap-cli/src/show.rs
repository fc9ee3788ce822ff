//! `symsnap show MODEL`: who votes in an ensemble, with how much weight, and how much they have in common.

use crate::Exit;
use crate::files::Files;
use crate::limits::{Ended, Limits};
use crate::models::ClassChoice;
use crate::output::{Align, Paint, TextTable, complain, confusion_json, count, fraction, print};
use crate::training;
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use symsnap::{Member, Model, Result};

/// How many rules are listed without `--all`.
const FEW: usize = 20;

/// Show the members of a model, their weights and what they share.
#[derive(Args)]
pub struct Show {
    /// The model file, as `learn -o` writes it.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// List all rules, not only those with the most weight.
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

impl Show {
    /// Read and show.
    pub fn run(self) -> Result<Exit> {
        Files::default().reading(&self.model).printing()?;
        let model = self.class.read(&self.model)?;
        let (asked, path) = (model.clone(), self.model.clone());
        // Where the training files are gone, or are other files by now, there is no agreement to show.
        let agreement = self.limits.keep(move |stage| {
            stage.at("running the members on the training examples");
            Ok(training::figures(&asked, &path).map(|figures| figures.agreement).unwrap_or_default())
        })?;
        let (agreement, exit) = match agreement {
            Ended::Done(agreement) => (agreement, Exit::Done),
            Ended::Stopped(stopped) => {
                complain(&stopped.message("how far members agree"));
                (Vec::new(), stopped.exit())
            }
        };
        if self.json {
            print(&format!("{}\n", self.json(&model, &agreement)))?;
            return Ok(exit);
        }
        let paint = Paint::for_stdout();
        let mut text = format!("{}\n", self.summary(&model));
        if !model.members.is_empty() {
            text += &format!("\n{}\n{}", self.members(&model, &agreement, paint), self.rules(&model, paint));
        }
        print(&text)?;
        Ok(exit)
    }

    fn json(&self, model: &Model, agreement: &[f64]) -> Value {
        let carriers = carriers(model);
        let members = model.members.iter().enumerate().map(|(at, member)| {
            json!({
                "weight": member.weight,
                "confusion": confusion_json(&member.confusion),
                "size": member.size,
                "value": member.value,
                "rules": member.rules,
                "shared": shared(member, &carriers),
                "agrees": agreement.get(at),
            })
        });
        let rules = ranked(model)
            .into_iter()
            .map(|(weight, members, rule)| json!({ "weight": weight, "members": members, "rule": rule }));
        json!({
            "model": self.model.display().to_string(),
            "head": format!("{}/{}", model.head.name, model.head.arity),
            "method": model.method,
            "settings": model.settings,
            "cost": model.cost,
            "seed": model.seed,
            "task": model.task,
            "notes": model.notes,
            "members": members.collect::<Vec<_>>(),
            "rules": rules.collect::<Vec<_>>(),
        })
    }

    fn summary(&self, model: &Model) -> String {
        let settings: Vec<String> = model.settings.iter().map(|(name, value)| format!(", {name} {value}")).collect();
        let task = model.task.as_ref().map_or_else(String::new, |task| format!("\nlearned from {task}"));
        let notes: String = model.notes.iter().map(|note| format!("\nnote: {note}")).collect();
        format!(
            "{}: {} for {}/{}\nmethod {}{}; cost {}; seed {}{task}{notes}",
            self.model.display(),
            count(model.members.len(), "member"),
            model.head.name,
            model.head.arity,
            model.method,
            settings.concat(),
            model.cost,
            model.seed,
        )
    }

    fn members(&self, model: &Model, agreement: &[f64], paint: Paint) -> TextTable {
        let carriers = carriers(model);
        let mut table = TextTable::new(&[Align::Right; 11]);
        for (at, member) in model.members.iter().enumerate() {
            let value: Vec<String> = member.value.iter().map(u64::to_string).collect();
            let it = member.confusion;
            table.row([
                at.to_string(),
                format!("{:.4}", member.weight),
                it.tp.to_string(),
                it.fn_.to_string(),
                it.tn.to_string(),
                it.fp.to_string(),
                member.size.to_string(),
                value.join(","),
                member.rules.len().to_string(),
                shared(member, &carriers).to_string(),
                agreement.get(at).map_or_else(String::new, |share| fraction(Some(*share))),
            ]);
        }
        let titles = ["member", "weight", "tp", "fn", "tn", "fp", "size", "value", "rules", "shared", "agrees"];
        table.titles(paint, &titles);
        table
    }

    fn rules(&self, model: &Model, paint: Paint) -> String {
        let rules = ranked(model);
        let shown = if self.all { rules.len() } else { rules.len().min(FEW) };
        let mut table = TextTable::new(&[Align::Right, Align::Right, Align::Left]);
        for (weight, members, rule) in &rules[..shown] {
            table.row([format!("{weight:.4}"), members.to_string(), (*rule).to_owned()]);
        }
        table.titles(paint, &["weight", "members", "rule"]);
        let hidden = rules.len() - shown;
        let more = if hidden > 0 {
            format!("and {}; see them with --all\n", count(hidden, "other rule"))
        } else {
            String::new()
        };
        format!("{table}{more}")
    }
}

/// For each rule, the members that have it.
fn carriers(model: &Model) -> BTreeMap<&str, Vec<usize>> {
    let mut carriers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, member) in model.members.iter().enumerate() {
        for rule in &member.rules {
            let members = carriers.entry(rule).or_default();
            if members.last() != Some(&at) {
                members.push(at);
            }
        }
    }
    carriers
}

/// How many rules of a member others have, too.
fn shared(member: &Member, carriers: &BTreeMap<&str, Vec<usize>>) -> usize {
    member.rules.iter().filter(|rule| carriers[rule.as_str()].len() > 1).count()
}

/// The rules with the weight and the number of their members, most weight first.
fn ranked(model: &Model) -> Vec<(f64, usize, &str)> {
    let mut rules: Vec<(f64, usize, &str)> = carriers(model)
        .into_iter()
        .map(|(rule, members)| (members.iter().map(|&at| model.members[at].weight).sum(), members.len(), rule))
        .collect();
    rules.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(b.2)));
    rules
}
