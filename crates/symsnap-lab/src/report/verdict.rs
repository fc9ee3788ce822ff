//! What an experiment found, in words, before any figure.

use super::chart::escape;
use super::study::{Measure, Study, summarise};
use crate::experiment::{BASELINE, PAPER, SplitKind};
use symsnap::internals::ensemble::DEFAULT_METHOD;
use symsnap::internals::evaluate::holm;

/// Fewer tasks that differ cannot have a p below 0.05 in Wilcoxon's exact test: with five it is at least 1/16.
const LEAST_TASKS: usize = 6;

/// A sentence for each method that the report asks about and each split, as HTML. None without a baseline.
pub fn verdict(study: &Study<'_>) -> Vec<String> {
    let has = |method: &str| study.suite.methods.iter().any(|name| name == method);
    let subjects = [
        (DEFAULT_METHOD, format!("he default, <code>{DEFAULT_METHOD}</code>, is")),
        (PAPER, "he published ensemble is".to_owned()),
    ];
    let (mut sentences, mut tasks) = (Vec::new(), 0);
    for &split in &study.suite.splits {
        let the = match study.suite.splits.len() {
            1 => "T".to_owned(),
            _ => format!("With {} splits t", split.word()),
        };
        for (method, subject) in subjects.iter().filter(|(method, _)| has(method) && has(BASELINE)) {
            let found = found(study, split, method);
            if !found.is_empty() {
                sentences.push(format!("{the}{subject} {}.", said(&found)));
                tasks = found.iter().map(|it| it.tasks).fold(tasks, usize::max);
            }
        }
    }
    sentences.extend(too_few(tasks).filter(|_| tasks > 0));
    sentences
}

/// A cost with the mean difference to the baseline over tasks, its p, and how many tasks there are.
struct Found<'s> {
    cost: &'s str,
    mean: f64,
    p: f64,
    tasks: usize,
}

fn found<'s>(study: &'s Study<'_>, split: SplitKind, method: &str) -> Vec<Found<'s>> {
    let mut found: Vec<Found<'s>> = Vec::new();
    for cost in &study.suite.costs {
        let differences = study.differences(split, cost, method, BASELINE, Measure::Accuracy);
        if !differences.is_empty() {
            let summary = summarise(&differences);
            found.push(Found { cost, mean: summary.interval.mean, p: summary.test.p, tasks: differences.len() });
        }
    }
    let corrected = holm(&found.iter().map(|it| it.p).collect::<Vec<_>>());
    found.iter_mut().zip(corrected).for_each(|(it, p)| it.p = p);
    found
}

fn said(found: &[Found<'_>]) -> String {
    let significant = |it: &&Found<'_>| it.p < 0.05;
    let named = |it: &Found<'_>| {
        let p = if it.p < 0.001 { "p &lt; 0.001".to_owned() } else { format!("p = {:.3}", it.p) };
        let p = if significant(&it) { format!(", {p}") } else { String::new() };
        format!("{} ({:+.2} points{p})", escape(it.cost), it.mean)
    };
    let of = |right: &dyn Fn(&&Found<'_>) -> bool| -> Vec<String> { found.iter().filter(right).map(named).collect() };
    let groups = [
        ("more accurate on test examples than", "more accurate", of(&|it| significant(it) && it.mean > 0.0)),
        ("less accurate on test examples than", "less accurate", of(&|it| significant(it) && it.mean < 0.0)),
        (
            "not significantly more or less accurate on test examples than",
            "not significantly different",
            of(&|it| !significant(it)),
        ),
    ];
    let groups = groups.into_iter().filter(|(_, _, costs)| !costs.is_empty());
    let parts = groups.enumerate().map(|(at, (first, later, costs))| match at {
        0 => format!("{first} the best hypothesis alone under {}", listed(&costs)),
        _ => format!("{later} under {}", listed(&costs)),
    });
    parts.collect::<Vec<_>>().join("; ")
}

fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn too_few(tasks: usize) -> Option<String> {
    let counted = if tasks == 1 { "one task".to_owned() } else { format!("{tasks} tasks") };
    (tasks < LEAST_TASKS).then(|| {
        format!("With {counted} no difference can be significant: the test over tasks needs at least {LEAST_TASKS} that differ.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn it(cost: &'static str, mean: f64, p: f64) -> Found<'static> {
        Found { cost, mean, p, tasks: 20 }
    }

    #[test]
    fn what_is_significant_comes_first_and_has_its_p() {
        let found = [it("mdl", 0.14, 0.4), it("errorsize", -1.5, 0.012), it("lexfnsize", 11.15, 0.0001)];
        assert_eq!(
            said(&found),
            "more accurate on test examples than the best hypothesis alone under lexfnsize (+11.15 points, p &lt; 0.001); \
             less accurate under errorsize (-1.50 points, p = 0.012); not significantly different under mdl (+0.14 points)"
        );
        assert_eq!(
            said(&found[..1]),
            "not significantly more or less accurate on test examples than the best hypothesis alone under mdl (+0.14 points)"
        );
    }

    #[test]
    fn few_tasks_are_said_to_be_few() {
        assert_eq!(too_few(6), None);
        assert!(too_few(5).unwrap().starts_with("With 5 tasks no difference can be significant"));
        assert!(too_few(1).unwrap().starts_with("With one task "));
    }
}
