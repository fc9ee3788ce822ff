//! The model file: the members of an ensemble with their weights, as JSON.

use crate::output::confusion_json;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use symsnap::cost::{Confusion, Cost};
use symsnap::coverage::SlowEvaluator;
use symsnap::database::Database;
use symsnap::ensemble::Paper;
use symsnap::error::{Diagnostic, Error, Result};
use symsnap::snapshot::{SnapshotPool, Variant};
use symsnap::task::Task;

/// The version of the file format; readers refuse newer ones.
const FORMAT: u32 = 1;

/// How a pool becomes an ensemble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The published method: all snapshots, weighted by coverage and description length.
    Paper,
    /// The first of the best snapshots alone.
    Single,
}

impl Method {
    /// The method with that name.
    pub fn from_name(name: &str) -> std::result::Result<Self, String> {
        match name {
            "paper" => Ok(Method::Paper),
            "single" => Ok(Method::Single),
            _ => Err("expected one of paper, single".to_owned()),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Method::Paper => "paper",
            Method::Single => "single",
        }
    }
}

/// The model that `method` makes of a pool.
pub fn build(task: &Task, pool: &SnapshotPool, cost: Cost, method: Method, seed: u64, folder: &Path) -> Value {
    let members = pool.select(match method {
        Method::Paper => Variant::All,
        Method::Single => Variant::Baseline,
    });
    let paper = Paper::default();
    let figures: Vec<(Confusion, usize)> =
        members.iter().map(|member| (*member.confusion(), member.candidate.size)).collect();
    let weights = paper.weights(&figures);
    let members = members.iter().zip(weights).map(|(member, weight)| {
        let rules = member.hypothesis().rules.iter().map(|rule| rule.show(&task.terms));
        json!({
            "weight": weight,
            "rules": rules.collect::<Vec<_>>(),
            "confusion": confusion_json(member.confusion()),
            "size": member.candidate.size,
            "value": member.candidate.value.0,
        })
    });
    json!({
        "format": FORMAT,
        "symsnap": env!("CARGO_PKG_VERSION"),
        "task": folder.display().to_string(),
        "head": task.bias.head.show(&task.terms),
        "cost": cost.name(),
        "method": method.name(),
        "alpha": paper.alpha,
        "beta": paper.beta,
        "seed": seed,
        "members": members.collect::<Vec<_>>(),
    })
}

/// Write a model whole or not at all: to a file beside it, then renamed.
pub fn write(path: &Path, model: &Value) -> Result<()> {
    let failed = |source| Error::Io { action: "write", path: path.to_owned(), source };
    let mut beside = path.as_os_str().to_owned();
    beside.push(".partial");
    let mut file = std::fs::File::create(&beside).map_err(failed)?;
    writeln!(file, "{model:#}").and_then(|()| file.sync_all()).map_err(failed)?;
    std::fs::rename(&beside, path).map_err(failed)
}

/// Test every member again with the slow evaluator.
pub fn verify(task: &Task, pool: &SnapshotPool) -> Result<()> {
    let database = Database::new(task);
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    for member in pool.members() {
        let cover = slow.hypothesis(member.hypothesis());
        let found = Confusion::new(&cover.pos, &cover.neg, &task.examples);
        if found != *member.confusion() {
            let message = format!(
                "snapshot {} was learned with {:?} but tests as {found:?}: this is a bug in symsnap",
                member.index,
                member.confusion()
            );
            return Err(Diagnostic::error(message).with_help("please report it with the task").into());
        }
    }
    Ok(())
}
