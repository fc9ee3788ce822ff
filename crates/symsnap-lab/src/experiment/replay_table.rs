//! Replayed runs as tables: per cost, how often the last hypothesis is right on test examples, and by how much each method
//! differs; over tasks, because a task with many examples should not count for more.

use super::replay::{RecordedRun, Replayed};
use serde_json::{Value, json};
use symsnap::internals::evaluate::{Differences, Fraction, compare_paired, mean};
use symsnap::{Confusion, Cost};

/// Runs with what came of them.
pub type ReplayedRuns = Vec<(RecordedRun, Replayed)>;

/// One method on all runs of one cost.
struct Line {
    method: String,
    differences: Differences,
}

fn share(confusion: &Confusion) -> Fraction {
    Fraction::share(confusion.tp + confusion.tn, confusion.total())
}

fn lines(runs: &[&(RecordedRun, Replayed)]) -> Vec<Line> {
    let methods: Vec<String> =
        runs.first().map_or_else(Vec::new, |(_, it)| it.methods.iter().map(|(name, _)| name.clone()).collect());
    let line = |(at, method): (usize, String)| {
        let differences = runs.iter().map(|(_, it)| &share(&it.methods[at].1) - &share(&it.last));
        Line { method, differences: differences.collect() }
    };
    methods.into_iter().enumerate().map(line).collect()
}

fn by_cost(runs: &ReplayedRuns) -> Vec<(Cost, Vec<&(RecordedRun, Replayed)>)> {
    let of = |cost: Cost| runs.iter().filter(|(run, _)| run.cost == cost).collect::<Vec<_>>();
    Cost::ALL.iter().map(|&cost| (cost, of(cost))).filter(|(_, runs)| !runs.is_empty()).collect()
}

/// The accuracy of the last hypothesis, in per cent, in the mean over runs.
fn baseline(runs: &[&(RecordedRun, Replayed)]) -> f64 {
    mean(&runs.iter().map(|(_, it)| share(&it.last).times(100)).collect::<Vec<_>>())
}

/// The tables, for people and in Markdown.
pub fn replay_text(runs: &ReplayedRuns) -> String {
    let mut text = String::new();
    for (cost, runs) in by_cost(runs) {
        text += &format!(
            "\n{}: {} runs, the last hypothesis is right on {:.1} % of test examples\n\n\
             | method | difference, points | 95 % ± | p | better | worse |\n|---|---:|---:|---:|---:|---:|\n",
            cost.name(),
            runs.len(),
            baseline(&runs)
        );
        for Line { method, differences } in lines(&runs) {
            let (points, interval) = (differences.points(), differences.interval());
            let count = |better: bool| points.iter().filter(|it| if better { **it > 0.0 } else { **it < 0.0 }).count();
            text += &format!(
                "| `{method}` | {:+.2} | {:.2} | {:.3} | {} | {} |\n",
                interval.mean,
                interval.half_width,
                compare_paired(&points).p,
                count(true),
                count(false)
            );
        }
    }
    text
}

/// The same as one value, with all runs.
pub fn replay_json(runs: &ReplayedRuns) -> Value {
    let costs = by_cost(runs).into_iter().map(|(cost, runs)| {
        let methods = lines(&runs).into_iter().map(|Line { method, differences }| {
            let (points, interval) = (differences.points(), differences.interval());
            json!({
                "method": method, "difference": interval.mean, "interval": interval.half_width,
                "p": compare_paired(&points).p, "test": compare_paired(&points).which.word(),
                "better": points.iter().filter(|it| **it > 0.0).count(),
                "worse": points.iter().filter(|it| **it < 0.0).count(),
            })
        });
        let methods: Vec<Value> = methods.collect();
        json!({ "cost": cost.name(), "runs": runs.len(), "baseline": baseline(&runs), "methods": methods })
    });
    let figures = |it: &Confusion| json!({ "tp": it.tp, "fn": it.fn_, "tn": it.tn, "fp": it.fp });
    let each = runs.iter().map(|(run, it)| {
        let methods = it.methods.iter().map(|(name, confusion)| (name.clone(), figures(confusion)));
        json!({
            "task": run.task, "cost": run.cost.name(), "hypotheses": it.hypotheses, "skipped": it.skipped,
            "snapshots": it.snapshots, "last": figures(&it.last), "methods": methods.collect::<serde_json::Map<_, _>>(),
        })
    });
    json!({ "costs": costs.collect::<Vec<_>>(), "runs": each.collect::<Vec<_>>() })
}

/// A line for each run and method; the last hypothesis is the method `last`.
pub fn replay_csv(runs: &ReplayedRuns) -> String {
    let mut text = "task,cost,method,hypotheses,skipped,snapshots,tp,fn,tn,fp,accuracy\n".to_owned();
    for (run, it) in runs {
        for (method, confusion) in std::iter::once(&("last".to_owned(), it.last)).chain(&it.methods) {
            let Confusion { tp, fn_, tn, fp } = confusion;
            let task = if run.task.contains([',', '"', '\n']) { format!("{:?}", run.task) } else { run.task.clone() };
            let (hypotheses, skipped, snapshots) = (it.hypotheses, it.skipped, it.snapshots);
            let accuracy = share(confusion).times(1);
            text += &format!(
                "{task},{},{method},{hypotheses},{skipped},{snapshots},{tp},{fn_},{tn},{fp},{accuracy:.4}\n",
                run.cost.name()
            );
        }
    }
    text
}
