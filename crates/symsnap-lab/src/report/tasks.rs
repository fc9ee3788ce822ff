//! Each task by itself: a table of all of them that can be sorted and filtered, and how the first trial went.

use super::ReportPart;
use super::chart::escape;
use super::figures;
use super::page::PageTable;
use super::study::{Measure, Study, StudyCell};
use crate::experiment::{BASELINE, PAPER, PoolMember, Run};
use symsnap::internals::ensemble::DEFAULT_METHOD;
use symsnap::internals::evaluate::{compare_paired, mean};

/// How many members of a pool are listed, those with most weight.
const LISTED: usize = 8;
/// How many rules of a member a table shows.
pub const FEW: usize = 6;

fn tags(cell: &StudyCell<'_>) -> String {
    format!(
        " data-task=\"{}\" data-family=\"{}\" data-cost=\"{}\" data-split=\"{}\"",
        escape(cell.task),
        escape(cell.family),
        cell.cost,
        cell.split.word()
    )
}

/// A control for each property that a task can be chosen by.
fn filters(study: &Study<'_>) -> String {
    let select = |name: &str, label: &str, values: Vec<&str>| {
        let mut seen: Vec<&str> = Vec::new();
        let options: String = values
            .into_iter()
            .filter(|value| {
                !seen.contains(value) && {
                    seen.push(value);
                    true
                }
            })
            .map(|value| format!("<option>{}</option>", escape(value)))
            .collect();
        format!(
            "<select name=\"{name}\" aria-label=\"{label}\"><option value=\"\">{label}: all</option>{options}</select>\n"
        )
    };
    let cells = &study.cells;
    format!(
        "<form class=\"filters\">\n<input type=\"search\" placeholder=\"task name\" aria-label=\"task name\">\n{}{}{}<output></output>\n</form>\n",
        select("family", "family", cells.iter().map(|cell| cell.family).collect()),
        select("cost", "cost", cells.iter().map(|cell| cell.cost).collect()),
        select("split", "split", cells.iter().map(|cell| cell.split.word()).collect()),
    )
}

/// All tasks in one table.
pub fn overview(study: &Study<'_>) -> ReportPart {
    let mut table = PageTable::new(&[
        ("task", false),
        ("family", false),
        ("split", false),
        ("cost", false),
        ("baseline", true),
        ("ensemble", true),
        ("default", true),
        ("difference", true),
        ("95 % ±", true),
        ("p", true),
        ("test", false),
        ("gap", true),
        ("members", true),
        ("proved", true),
        ("failed", true),
    ]);
    for cell in &study.cells {
        let differences = cell.paired(PAPER, BASELINE, Measure::Accuracy);
        let (interval, test) = (differences.interval(), compare_paired(&differences.points()));
        let several = differences.count() > 1;
        let percent = |method| {
            let share = cell.mean_accuracy(method, Measure::Accuracy);
            share.map_or_else(|| "–".to_owned(), |share| format!("{:.1}", share.times(100)))
        };
        let runs: Vec<&Run> = cell.snapshots().map(|(_, run)| run).collect();
        let members: Vec<f64> = runs.iter().map(|run| run.members as f64).collect();
        let class = match (several && test.p < 0.05, interval.mean > 0.0) {
            (false, _) => "same",
            (true, true) => "up",
            (true, false) => "down",
        };
        table.tagged(
            tags(cell),
            vec![
                escape(cell.task),
                escape(cell.family),
                cell.split.word().to_owned(),
                cell.cost.to_owned(),
                percent(BASELINE),
                percent(PAPER),
                percent(DEFAULT_METHOD),
                format!("<span class=\"{class}\">{:+.2}</span>", interval.mean),
                if several { format!("{:.2}", interval.half_width) } else { "–".to_owned() },
                if several { format!("{:.3}", test.p) } else { "–".to_owned() },
                if several { test.which.word().to_owned() } else { "one trial".to_owned() },
                format!("{:.1}", cell.member_minus(true, BASELINE).interval().mean),
                format!("{:.0}", mean(&members)),
                format!("{}/{}", runs.iter().filter(|run| run.optimal).count(), runs.len()),
                cell.results.iter().filter(|result| result.error.is_some()).count().to_string(),
            ],
        );
    }
    let html = filters(study) + &table.html("tasks-table", true);
    ReportPart {
        id: "tasks".to_owned(),
        short: "All tasks".to_owned(),
        title: "All tasks".to_owned(),
        html,
        markdown: table.markdown(),
        figures: Vec::new(),
    }
}

/// How the first trial of each task went.
pub fn details(study: &Study<'_>) -> ReportPart {
    let unit = if study.suite.is_repeatable() { "rules tested" } else { "seconds" };
    let html: String = study.cells.iter().filter_map(|cell| detail(cell, unit)).collect();
    let html = if html.is_empty() {
        html
    } else {
        format!(
            "<p>The first trial of each task: how cost, bound and accuracy went while it learned, a mark for each snapshot \
            that was better than all before, the members with most weight, and how much of what they cover they share.</p>\n{html}"
        )
    };
    ReportPart {
        id: "details".to_owned(),
        short: "Task by task".to_owned(),
        title: "Task by task".to_owned(),
        html,
        markdown: String::new(),
        figures: Vec::new(),
    }
}

fn detail(cell: &StudyCell<'_>, unit: &str) -> Option<String> {
    let (_, run) = cell.snapshots().find(|(result, _)| result.job.trial == 1)?;
    if run.pool.is_empty() {
        return None;
    }
    let [cost, accuracy] = figures::anytime(run, unit);
    let names: Vec<String> = run.pool.iter().map(|member| member.index.to_string()).collect();
    let overlap = figures::heat_map(&run.overlap, &names, "Overlap of members");
    let [[pos, neg], _, [test_pos, test_neg]] = run.examples;
    let ended = if run.optimal { "proved optimal".to_owned() } else { format!("stopped by {}", run.stop) };
    Some(format!(
        "<details{}>\n<summary>{} <span>{}, {} split: cost {}, {ended}, {} members, trained on {pos} + {neg}, tested on \
         {test_pos} + {test_neg}</span></summary>\n<div class=\"panels\">\n{}\n{}\n{}\n</div>\n{}</details>\n",
        tags(cell),
        escape(cell.task),
        cell.cost,
        cell.split.word(),
        levels(&run.value),
        run.members,
        cost.svg,
        accuracy.svg,
        overlap.svg,
        members(&run.pool)
    ))
}

fn levels(value: &[u64]) -> String {
    value.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

fn members(pool: &[PoolMember]) -> String {
    let mut order: Vec<&PoolMember> = pool.iter().collect();
    order.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.index.cmp(&b.index)));
    let mut table = PageTable::new(&[
        ("member", true),
        ("weight", true),
        ("cost", true),
        ("size", true),
        ("training, %", true),
        ("test, %", true),
        ("rules", false),
    ]);
    for member in order.iter().take(LISTED) {
        table.row(vec![
            member.index.to_string(),
            format!("{:.4}", member.weight),
            levels(&member.value),
            member.size.to_string(),
            format!("{:.1}", 100.0 * member.train.metrics().accuracy),
            format!("{:.1}", 100.0 * member.test_accuracy),
            rules(&member.rules, FEW),
        ]);
    }
    table.html("members", false).replacen(" id=\"members\"", "", 1)
}

/// The first `most` rules, each on a line of its own.
pub fn rules(rules: &[String], most: usize) -> String {
    let mut text: String =
        rules.iter().take(most).map(|rule| format!("<span class=\"rules\">{}</span>", escape(rule))).collect();
    if rules.len() > most {
        text += &format!("<span class=\"rules note\">and {} more</span>", rules.len() - most);
    }
    text
}
