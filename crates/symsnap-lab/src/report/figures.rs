//! The paper's figures from our results, and some of our own.

use super::chart::{Axis, Panel, escape, svg};
use super::cited;
use super::forest::{ForestRow, forest};
use super::study::{Difference, Measure, Study};
use crate::experiment::{BASELINE, PAPER, Run, SplitKind};
use symsnap::internals::evaluate::{Ranking, mean, pearson, regression, spearman, t_interval};

/// A drawing with the name of its file.
pub struct Figure {
    /// The file's name, without its ending.
    pub file: String,
    /// The drawing.
    pub svg: String,
}

impl Figure {
    fn new(file: impl Into<String>, svg: String) -> Self {
        Figure { file: file.into(), svg }
    }
}

fn signed(value: f64) -> String {
    format!("{value:+.1}")
}

/// Differences of tasks, from the largest gain to the largest loss, with their intervals. Those that are significant by
/// the trials have a colour.
pub fn ranked(file: &str, title: &str, differences: &[Difference<'_, '_>]) -> Figure {
    let mut order: Vec<&Difference<'_, '_>> = differences.iter().collect();
    order.sort_by(|a, b| b.interval.mean.total_cmp(&a.interval.mean).then(a.cell.task.cmp(b.cell.task)));
    // With few trials an interval can be wider than all that was measured: it is cut off where it would dwarf the points.
    let widest = 3.0 + 1.5 * order.iter().map(|it| it.interval.mean.abs()).fold(0.0, f64::max);
    let row = |it: &&Difference<'_, '_>| {
        let (mean, half) = (it.interval.mean, it.interval.half_width);
        let told = format!("{}: {} ± {half:.1}, p = {:.3}", it.cell.task, signed(mean), it.test.p);
        ForestRow {
            task: it.cell.task.to_owned(),
            interval: Some(((mean - half).max(-widest), (mean + half).min(widest))),
            points: vec![(mean, colour(mean, it.test.p), told)],
        }
    };
    let rows: Vec<ForestRow> = order.iter().map(row).collect();
    let reach = rows.iter().filter_map(|row| row.interval).flat_map(|(low, high)| [low, high]);
    let axis = Axis::over(reach, true, "difference (points)");
    let kinds = [("three", "better"), ("two", "worse"), ("plain", "not significant")];
    Figure::new(file, forest(title, &axis, &rows, &drawn(&rows, &kinds)))
}

/// The class of a difference: a colour only where it is significant.
fn colour(mean: f64, p: f64) -> &'static str {
    match (p < 0.05, mean > 0.0) {
        (false, _) => "plain",
        (true, true) => "three",
        (true, false) => "two",
    }
}

/// The kinds of points that there are.
fn drawn<'k>(rows: &[ForestRow], kinds: &[(&'k str, &'k str)]) -> Vec<(&'k str, &'k str)> {
    let has = |class: &str| rows.iter().any(|row| row.points.iter().any(|point| point.1 == class));
    kinds.iter().copied().filter(|(class, _)| has(class)).collect()
}

/// The best and the worst member of the pool, minus the ensemble.
pub fn extremes(study: &Study<'_>, split: SplitKind, cost: &str) -> Figure {
    let mut tasks: Vec<(f64, f64, &str)> = study
        .cells_of(split, cost)
        .map(|cell| {
            let extreme = |best| cell.member_minus(best, PAPER).interval().mean;
            (extreme(true), extreme(false), cell.task)
        })
        .collect();
    tasks.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.2.cmp(b.2)));
    let axis = Axis::over(tasks.iter().flat_map(|it| [it.0, it.1]), true, "member − ensemble (points)");
    let row = |&(best, worst, task): &(f64, f64, &str)| ForestRow {
        task: task.to_owned(),
        interval: Some((worst, best)),
        points: vec![
            (worst, "two", format!("{task}: worst member {}", signed(worst))),
            (best, "three", format!("{task}: best member {}", signed(best))),
        ],
    };
    let rows: Vec<ForestRow> = tasks.iter().map(row).collect();
    let drawing = forest(cost, &axis, &rows, &drawn(&rows, &[("three", "best member"), ("two", "worst member")]));
    Figure::new(format!("extremes-{}-{cost}", split.word()), drawing)
}

/// Gains over gaps of all tasks and costs, and what their relation is.
pub struct GapGain {
    /// The drawing.
    pub figure: Figure,
    /// What it shows, in a sentence.
    pub sentence: String,
}

/// The gain of the ensemble over the over-fit gap, with the line of least squares and the paper's.
pub fn gap_gain(study: &Study<'_>, split: SplitKind) -> GapGain {
    let mut points = Vec::new();
    for cell in study.cells.iter().filter(|cell| cell.split == split) {
        let (gaps, gains) = (cell.member_minus(true, BASELINE), cell.paired(PAPER, BASELINE, Measure::Accuracy));
        if gaps.count() > 0 && gains.count() > 0 {
            points.push((gaps.interval().mean, gains.interval().mean, cell));
        }
    }
    let (gaps, gains): (Vec<f64>, Vec<f64>) = points.iter().map(|point| (point.0, point.1)).unzip();
    let x = Axis::over(gaps.iter().copied(), true, "over-fit gap (points)");
    let y = Axis::over(gains.iter().copied(), true, "gain of the ensemble (points)");
    let mut panel = Panel::new("Gain over gap", x, y);
    panel.zero();
    let top = gaps.iter().copied().fold(0.0, f64::max);
    let theirs = [(0.0, cited::LINE.1), (top, cited::LINE.0 * top + cited::LINE.1)];
    let line = regression(&gaps, &gains);
    let fit = line.map(|line| [(0.0, line.intercept), (top, line.slope * top + line.intercept)]);
    let theirs = Some(theirs).filter(|ends| panel.shows(ends));
    let fit = fit.filter(|ends| panel.shows(ends));
    theirs.iter().for_each(|ends| panel.line(ends, "dashed"));
    fit.iter().for_each(|ends| panel.line(ends, "two"));
    for (gap, gain, cell) in &points {
        let class = match cell.cost {
            "mdl" => "one",
            "errorsize" => "three",
            _ => "four",
        };
        panel.dot(*gap, *gain, class, &format!("{}, {}: gap {gap:.1}, gain {}", cell.task, cell.cost, signed(*gain)));
    }
    let known = |cost: &str| points.iter().any(|(_, _, cell)| cell.cost == cost);
    let mut legend: Vec<(&str, &str)> = [("one", "mdl"), ("three", "errorsize"), ("four", "lexfnsize")].into();
    legend.retain(|(_, cost)| known(cost));
    legend.extend(fit.map(|_| ("two", "fit")));
    legend.extend(theirs.map(|_| ("dashed", "paper")));
    panel.legend(&legend);
    let relation = match (pearson(&gaps, &gains), spearman(&gaps, &gains), line) {
        (Some(pearson), Some(spearman), Some(line)) => format!(
            "Pearson's correlation is {:.2}, Spearman's {:.2}; the line is gain = {:.2} · gap {:+.2} (R² {:.2}).",
            pearson.coefficient, spearman.coefficient, line.slope, line.intercept, line.r_squared
        ),
        _ => "The points do not vary enough for a correlation.".to_owned(),
    };
    GapGain { figure: Figure::new(format!("gap-gain-{}", split.word()), panel.inline()), sentence: relation }
}

/// The mean accuracy on validation and test examples for each alpha.
pub fn sweep(study: &Study<'_>) -> Option<(Figure, Vec<SweepRow>)> {
    let runs: Vec<&Run> = study.cells.iter().flat_map(|cell| cell.snapshots().map(|(_, run)| run)).collect();
    let ratio = |alpha: f64| {
        let ratios: Vec<f64> = runs
            .iter()
            .filter_map(|run| run.spread)
            .filter(|it| it.mdl_max > it.mdl_min && it.coverage_min > 0.0)
            .map(|it| {
                let spread = study.suite.beta * (it.coverage_max / it.coverage_min).ln();
                spread / (alpha * (it.mdl_max - it.mdl_min) as f64)
            })
            .collect();
        symsnap::internals::evaluate::median(&ratios)
    };
    let mut rows = Vec::new();
    for &alpha in &study.suite.sweep {
        let points = || runs.iter().flat_map(|run| run.sweep.iter().filter(|point| point.alpha == alpha));
        let validation: Vec<f64> = points().map(|point| 100.0 * point.validation).collect();
        let test: Vec<f64> = points().map(|point| 100.0 * point.test).collect();
        if !validation.is_empty() {
            rows.push(SweepRow { alpha, ratio: ratio(alpha), validation: mean(&validation), test: mean(&test) });
        }
    }
    if rows.len() < 2 {
        return None;
    }
    let x = Axis::logarithmic(&study.suite.sweep, "alpha (logarithmic)");
    let y = Axis::over(rows.iter().flat_map(|row| [row.validation, row.test]), false, "mean accuracy (%)");
    let mut panel = Panel::new("Sweep over alpha", x, y);
    let points = |pick: fn(&SweepRow) -> f64| -> Vec<(f64, f64)> {
        rows.iter().map(|row| (row.alpha.log10(), pick(row))).collect()
    };
    panel.line(&points(|row| row.validation), "one");
    panel.line(&points(|row| row.test), "two");
    for row in &rows {
        let title = format!("alpha {}: validation {:.2} %, R {:.1}", row.alpha, row.validation, row.ratio);
        panel.dot(row.alpha.log10(), row.validation, "one", &title);
    }
    panel.legend(&[("one", "validation"), ("two", "test")]);
    Some((Figure::new("sweep", panel.inline()), rows))
}

/// What an alpha gives.
pub struct SweepRow {
    /// It.
    pub alpha: f64,
    /// The coverage-cost ratio: the median over runs.
    pub ratio: f64,
    /// Mean accuracy on validation examples, in per cent.
    pub validation: f64,
    /// The same on test examples.
    pub test: f64,
}

/// What there was at one of the checkpoints, as means over runs.
pub struct BudgetRow {
    /// Seconds or ticks.
    pub at: f64,
    /// Members of the pool.
    pub members: f64,
    /// Test accuracy of the best hypothesis, in per cent.
    pub baseline: f64,
    /// Test accuracy of the ensemble, in per cent.
    pub ensemble: f64,
}

/// Mean test accuracy of baseline and ensemble at the checkpoints.
pub fn budgets(study: &Study<'_>, split: SplitKind, cost: &str) -> Option<(Figure, Vec<BudgetRow>)> {
    let mut rows: Vec<BudgetRow> = Vec::new();
    for &at in &study.suite.checkpoints {
        let points = || {
            let runs = study.cells_of(split, cost).flat_map(|cell| cell.snapshots().map(|(_, run)| run));
            runs.flat_map(move |run| run.checkpoints.iter().filter(move |point| point.at == at))
        };
        let members: Vec<f64> = points().map(|point| point.members as f64).collect();
        let baseline: Vec<f64> = points().map(|point| 100.0 * point.baseline).collect();
        let ensemble: Vec<f64> = points().map(|point| 100.0 * point.ensemble).collect();
        if !members.is_empty() {
            let row = BudgetRow { at, members: mean(&members), baseline: mean(&baseline), ensemble: mean(&ensemble) };
            rows.push(row);
        }
    }
    if rows.len() < 2 {
        return None;
    }
    let line = |of: fn(&BudgetRow) -> f64| rows.iter().map(|row| (row.at.log10(), of(row))).collect();
    let lines: [Vec<(f64, f64)>; 2] = [line(|row| row.baseline), line(|row| row.ensemble)];
    let unit = if study.suite.is_repeatable() { "rules tested (logarithmic)" } else { "seconds (logarithmic)" };
    let x = Axis::logarithmic(&study.suite.checkpoints, unit);
    let y = Axis::over(lines.iter().flatten().map(|point| point.1), false, "mean test accuracy (%)");
    let mut panel = Panel::new(cost, x, y);
    for (line, (class, name)) in lines.iter().zip([("one", "baseline"), ("two", "ensemble")]) {
        panel.line(line, class);
        line.iter().for_each(|&(x, y)| panel.dot(x, y, class, &format!("{name}: {y:.1} %")));
    }
    panel.legend(&[("one", "baseline"), ("two", "ensemble")]);
    Some((Figure::new(format!("budgets-{}-{cost}", split.word()), panel.inline()), rows))
}

/// Mean ranks on a line; methods that a bar joins do not differ significantly.
pub fn critical_difference(ranking: &Ranking, methods: &[&str], split: SplitKind) -> Figure {
    let mut order: Vec<usize> = (0..methods.len()).collect();
    order.sort_by(|&a, &b| ranking.mean_ranks[a].total_cmp(&ranking.mean_ranks[b]));
    let (width, left, right) = (560.0, 20.0, 540.0);
    let row = 18.0;
    let half = methods.len().div_ceil(2);
    let top = 44.0;
    let bars = joined(ranking, &order);
    let start = top + 12.0 + 7.0 * bars.len() as f64;
    let height = start + row * half as f64 + 14.0;
    let x = |rank: f64| left + (rank - 1.0) / (methods.len() as f64 - 1.0).max(1.0) * (right - left);
    let mut body = format!("<line class=\"dashed\" x1=\"{left}\" x2=\"{right}\" y1=\"{top}\" y2=\"{top}\"/>");
    for rank in 1..=methods.len() {
        let at = x(rank as f64);
        body += &format!("<text class=\"tick mid\" x=\"{at:.1}\" y=\"{}\">{rank}</text>", top - 6.0);
    }
    let width_of = x(1.0 + ranking.critical_difference) - left;
    body += &format!(
        "<line class=\"bar\" x1=\"{left}\" x2=\"{:.1}\" y1=\"12\" y2=\"12\"/><text class=\"key\" x=\"{:.1}\" y=\"16\">critical difference {:.2}</text>",
        left + width_of,
        left + width_of + 6.0,
        ranking.critical_difference
    );
    for (level, &(from, to)) in bars.iter().enumerate() {
        let y = top + 8.0 + 7.0 * level as f64;
        let (a, b) = (x(ranking.mean_ranks[order[from]]) - 3.0, x(ranking.mean_ranks[order[to]]) + 3.0);
        body += &format!("<line class=\"bar\" x1=\"{a:.1}\" x2=\"{b:.1}\" y1=\"{y}\" y2=\"{y}\"/>");
    }
    for (place, &at) in order.iter().enumerate() {
        let rank = ranking.mean_ranks[at];
        let (line, anchor, edge) =
            if place < half { (place, "", left) } else { (methods.len() - 1 - place, "end", right) };
        let y = start + row * line as f64 + 8.0;
        let px = x(rank);
        body += &format!(
            "<polyline class=\"grid\" points=\"{px:.1},{top} {px:.1},{y} {edge},{y}\"/><circle class=\"one\" cx=\"{px:.1}\" cy=\"{top}\" r=\"3\"/>\
             <text class=\"key {anchor}\" x=\"{edge}\" y=\"{:.1}\">{} ({rank:.2})</text>",
            y - 3.0,
            escape(methods[at])
        );
    }
    Figure::new(format!("ranking-{}", split.word()), svg(width, height, "Critical difference of mean ranks", &body))
}

/// The longest runs of methods, in the order of their ranks, that lie within the critical difference.
fn joined(ranking: &Ranking, order: &[usize]) -> Vec<(usize, usize)> {
    let mut bars: Vec<(usize, usize)> = Vec::new();
    for from in 0..order.len() {
        let near =
            |to: &usize| ranking.mean_ranks[order[*to]] - ranking.mean_ranks[order[from]] < ranking.critical_difference;
        let to = (from..order.len()).take_while(near).last().unwrap_or(from);
        if to > from && bars.last().is_none_or(|&(_, end)| end < to) {
            bars.push((from, to));
        }
    }
    bars
}

/// How cost and bound went, and validation accuracy beside them.
pub fn anytime(run: &Run, unit: &str) -> [Figure; 2] {
    let at: Vec<f64> = run.anytime.iter().map(|step| step.at).collect();
    // The levels of a lexicographic cost cannot be drawn at once; the first that changes is what the run worked on.
    let levels = run.value.len();
    let moved = |level: usize| run.anytime.iter().any(|step| step.value.get(level) != run.value.get(level));
    let level = (0..levels).find(|&level| moved(level));
    let level = level.unwrap_or(0);
    let pick = |value: &[u64]| value.get(level).copied().unwrap_or(0) as f64;
    let costs: Vec<(f64, f64)> = run.anytime.iter().map(|step| (step.at, pick(&step.value))).collect();
    let bounds: Vec<(f64, f64)> = run.anytime.iter().map(|step| (step.at, pick(&step.lower))).collect();
    let title = if levels == 1 { "Cost".to_owned() } else { format!("Cost, level {} of {levels}", level + 1) };
    let values = costs.iter().chain(&bounds).map(|point| point.1);
    let mut cost =
        Panel::new(&title, Axis::over(at.iter().copied(), true, unit), Axis::over(values, true, "training cost"));
    cost.steps(&bounds, "three");
    cost.steps(&costs, "one");
    for (step, &(x, y)) in run.anytime.iter().zip(&costs) {
        cost.dot(x, y, "one", &format!("{x:.3}: cost {y}, {} snapshots", step.members));
    }
    cost.legend(&[("one", "best so far"), ("three", "lower bound")]);
    let single: Vec<(f64, f64)> = run.anytime.iter().map(|step| (step.at, 100.0 * step.baseline)).collect();
    let ensemble: Vec<(f64, f64)> = run.anytime.iter().map(|step| (step.at, 100.0 * step.ensemble)).collect();
    let values = single.iter().chain(&ensemble).map(|point| point.1);
    let mut accuracy =
        Panel::new("Validation accuracy", Axis::over(at, true, unit), Axis::over(values, false, "accuracy (%)"));
    accuracy.steps(&single, "one");
    accuracy.steps(&ensemble, "two");
    accuracy.legend(&[("one", "baseline"), ("two", "ensemble")]);
    [Figure::new("cost", cost.inline()), Figure::new("accuracy", accuracy.inline())]
}

/// A square of cells, the darker the more two members share.
pub fn heat_map(overlap: &[Vec<f64>], names: &[String], title: &str) -> Figure {
    let side = 200.0;
    let cell = side / overlap.len().max(1) as f64;
    let (left, top) = (34.0, 30.0);
    let mut body = format!("<text class=\"name\" x=\"4\" y=\"14\">{}</text>", escape(title));
    let name = |at: usize| names.get(at).map_or("?", String::as_str);
    for (row, values) in overlap.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            let (x, y) = (left + cell * column as f64, top + cell * row as f64);
            let title = format!("{} and {}: {:.0} %", name(row), name(column), 100.0 * value);
            body += &format!(
                "<rect class=\"cell\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" opacity=\"{:.2}\"><title>{}</title></rect>",
                cell - 0.5,
                cell - 0.5,
                0.05 + 0.95 * value,
                escape(&title)
            );
        }
        if overlap.len() <= 12 || row % 4 == 0 {
            let y = top + cell * (row as f64 + 0.5) + 3.5;
            body += &format!("<text class=\"tick end\" x=\"{}\" y=\"{y:.1}\">{}</text>", left - 4.0, escape(name(row)));
        }
    }
    let drawing = svg(side + left + 6.0, side + top + 6.0, title, &body);
    Figure::new("overlap", drawing.replacen("class=\"chart\"", "class=\"chart map\"", 1))
}

/// A mean with its interval, as text: `12.3 ± 0.4`.
pub fn plus_minus(values: &[f64]) -> String {
    let interval = t_interval(values, 0.95);
    format!("{:.2} ± {:.2}", interval.mean, interval.half_width)
}
