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
use symsnap::internals::ensemble::VoteFigures;
use symsnap::{Confusion, Member, Model, Result};
use symsnap_tables::{ReadableRule, carriers};

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
    /// For models of tables: show a query for the rows that each rule covers.
    #[arg(long)]
    sql: bool,
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
        Files::default().reading_model(&self.model).printing()?;
        let model = self.class.read(&self.model)?;
        let (asked, path, class) = (model.clone(), self.model.clone(), self.class.class.clone());
        // Where the training files are gone, or are other files by now, there is no agreement to show.
        let agreement = self.limits.keep(move |stage| {
            stage.at("running the members on the training examples");
            Ok(training::figures(&asked, &path, class.as_deref()).map(|figures| figures.agreement).unwrap_or_default())
        })?;
        let (agreement, exit) = match agreement {
            Ended::Done(agreement) => (agreement, Exit::Done),
            Ended::Stopped(stopped) => {
                complain(&stopped.message("how far members agree"));
                (Vec::new(), stopped.exit())
            }
        };
        let rules = self.class.rules(&model, &self.model)?;
        if self.json {
            print(&format!("{}\n", self.json(&model, &rules, &agreement)))?;
            return Ok(exit);
        }
        let paint = Paint::for_stdout();
        let mut text = format!("{}\n", self.summary(&model));
        if !model.members.is_empty() {
            text += &format!("\n{}\n{}", self.members(&model, &agreement, paint), self.rules(&rules, paint));
        }
        print(&text)?;
        Ok(exit)
    }

    fn json(&self, model: &Model, rules: &[ReadableRule], agreement: &[f64]) -> Value {
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
        let rules = rules.iter().map(|it| {
            let mut entry = json!({ "weight": it.weight, "members": it.members, "rule": it.rule });
            if let Some(figures) = &it.figures {
                (entry["tp"], entry["fp"]) = (json!(figures.tp), json!(figures.fp));
                (entry["precision"], entry["lift"]) = (json!(it.precision()), json!(it.lift));
            }
            if it.words.is_some() {
                (entry["words"], entry["sql"]) = (json!(it.words), json!(it.sql));
            }
            entry
        });
        json!({
            "model": self.model.display().to_string(),
            "head": format!("{}/{}", model.head.name, model.head.arity),
            "method": model.method,
            "settings": model.settings,
            "cost": model.cost,
            "pool": model.pool,
            "seed": model.seed,
            "task": model.task,
            "vote": model.vote.as_ref().map(|vote| json!({
                "confusion": confusion_json(&vote.confusion), "size": vote.size, "value": vote.value,
            })),
            "notes": model.notes,
            "members": members.collect::<Vec<_>>(),
            "rules": rules.collect::<Vec<_>>(),
        })
    }

    fn summary(&self, model: &Model) -> String {
        let settings: Vec<String> = model.settings.iter().map(|(name, value)| format!(", {name} {value}")).collect();
        let task = model.task.as_ref().map_or_else(String::new, |task| format!("\nlearned from {task}"));
        let notes: String = model.notes.iter().map(|note| format!("\nnote: {note}")).collect();
        let pool = model.pool.as_ref().map_or_else(String::new, |pool| format!("; pool {pool}"));
        // One member alone is told of in its row.
        let vote = model.vote.as_ref().filter(|_| model.members.len() > 1);
        let vote = vote.map_or_else(String::new, |vote| format!("\n{}", vote_line(vote, &model.cost)));
        format!(
            "{}: {} for {}/{}\nmethod {}{}{pool}; cost {}; seed {}{task}{vote}{notes}",
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

    fn rules(&self, rules: &[ReadableRule], paint: Paint) -> String {
        let shown = if self.all { rules.len() } else { rules.len().min(FEW) };
        let right = Align::Right;
        let mut table = TextTable::new(&[right, right, right, right, right, right, Align::Left]);
        let number = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
        for it in &rules[..shown] {
            let (tp, fp) = (it.figures.as_ref().map(|it| it.tp), it.figures.as_ref().map(|it| it.fp));
            let precision = it.precision().map_or_else(String::new, |precision| fraction(Some(precision)));
            let lift = it.lift.map_or_else(String::new, |lift| format!("{lift:.2}"));
            let weight = format!("{:.4}", it.weight);
            table.row([weight, it.members.to_string(), number(tp), number(fp), precision, lift, it.rule.clone()]);
        }
        table.titles(paint, &["weight", "members", "tp", "fp", "precision", "lift", "rule"]);
        let hidden = rules.len() - shown;
        let more = if hidden > 0 {
            format!("and {}; see them with --all\n", count(hidden, "other rule"))
        } else {
            String::new()
        };
        let mut words = String::new();
        for it in rules[..shown].iter().filter(|it| it.words.is_some()) {
            words += &format!("{:.4}  {}\n", it.weight, it.words.as_deref().unwrap_or_default());
            if self.sql {
                words += it.sql.as_deref().unwrap_or("-- no query over the tables alone says this\n");
            }
        }
        let words = if words.is_empty() { words } else { format!("\n{words}") };
        format!("{table}{more}{words}")
    }
}

/// What the vote does with the training examples, as one line.
fn vote_line(vote: &VoteFigures, cost: &str) -> String {
    let Confusion { tp, fn_, tn, fp } = vote.confusion;
    let value: Vec<String> = vote.value.iter().map(u64::to_string).collect();
    format!(
        "the vote: tp {tp}, fn {fn_}, tn {tn}, fp {fp}; size of all rules {}; {cost} {}",
        vote.size,
        value.join(",")
    )
}

/// How many rules of a member others have, too.
fn shared(member: &Member, carriers: &BTreeMap<&str, Vec<usize>>) -> usize {
    member.rules.iter().filter(|rule| carriers[rule.as_str()].len() > 1).count()
}
