//! `symsnap generate KIND -o DIR`: a task of our own, with the rules that are true of it.

use crate::Exit;
use crate::files::PARTIALS;
use crate::output::{Align, TextTable, count, print};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use symsnap::{Diagnostic, Result};
use symsnap_lab::generate::{KINDS, Kind};

/// Make a task: background, examples, bias, test examples and the true rules. Without a kind, list the kinds.
#[derive(Args)]
pub struct Generate {
    /// What kind of task.
    #[arg(value_name = "KIND", requires = "output", value_parser = parse_kind)]
    kind: Option<Kind>,
    /// From which everything is drawn; the same seed gives the same task.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many lists, trains, scenes, states, rows or pairs to learn from; half as many more are for testing.
    #[arg(long, value_name = "N", default_value_t = 100)]
    size: usize,
    /// The fraction of training examples with the wrong label, from 0 to 1.
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    noise: f64,
    /// The folder for the task; it must be empty or not there yet.
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

fn parse_kind(name: &str) -> std::result::Result<Kind, String> {
    Kind::named(name).ok_or_else(|| format!("expected one of {}", KINDS.map(|kind| kind.name).join(", ")))
}

impl Generate {
    /// Make and write, or list.
    pub fn run(self) -> Result<Exit> {
        let Some(kind) = self.kind else {
            if self.json {
                let kinds: Vec<Value> =
                    KINDS.iter().map(|kind| json!({ "name": kind.name, "about": kind.about })).collect();
                print(&format!("{}\n", json!({ "kinds": kinds })))?;
                return Ok(Exit::Done);
            }
            let mut table = TextTable::new(&[Align::Left, Align::Left]);
            KINDS.iter().for_each(|kind| table.row([kind.name, kind.about]));
            print(&table.to_string())?;
            return Ok(Exit::Done);
        };
        let folder = self.output.ok_or_else(|| Diagnostic::error("there is no folder to write to"))?;
        let made = kind.generate(self.seed, self.size, self.noise)?;
        made.write(&folder, &PARTIALS)?;
        let (examples, tests) = (made.examples.lines().count(), made.test_examples.lines().count());
        let name = folder.display();
        if self.json {
            let made = json!({
                "folder": name.to_string(),
                "kind": kind.name,
                "about": kind.about,
                "examples": examples,
                "test_examples": tests,
                "rules": made.rules.lines().collect::<Vec<_>>(),
            });
            print(&format!("{made}\n"))?;
            return Ok(Exit::Done);
        }
        let (examples, tests) = (count(examples, "example"), count(tests, "test example"));
        print(&format!(
            "{name}: {}, {examples}, {tests}\n\n{}\ntry: symsnap learn {name}\n     symsnap test {name} --rules {}\n",
            kind.about,
            made.rules,
            folder.join("rules.pl").display(),
        ))?;
        Ok(Exit::Done)
    }
}
