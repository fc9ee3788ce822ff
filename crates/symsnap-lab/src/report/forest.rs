//! Tasks as rows, with their names, and marks on a common axis: a forest plot.

use super::chart::{Axis, escape, svg};

/// What is drawn for one task.
pub struct ForestRow {
    /// Its name.
    pub task: String,
    /// The interval, if there is one.
    pub interval: Option<(f64, f64)>,
    /// Points: value, class and what a pointer sees.
    pub points: Vec<(f64, &'static str, String)>,
}

const WIDTH: f64 = 380.0;
const RIGHT: f64 = 12.0;
/// A row with its gap. The text is 10.5 pixels high.
const ROW: f64 = 15.0;
/// A character of a name, in the widest of the usual fonts.
const CHARACTER: f64 = 6.3;
/// Longer names lose their beginning: more would leave too little room for the marks.
const LONGEST: usize = 24;

/// The drawing; rows from top to bottom. `legend` has the class and the name of each kind of point.
pub fn forest(title: &str, axis: &Axis, rows: &[ForestRow], legend: &[(&str, &str)]) -> String {
    let names: Vec<String> = rows.iter().map(|row| short(&row.task)).collect();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let left = 10.0 + CHARACTER * longest as f64;
    let top = if legend.is_empty() { 26.0 } else { 40.0 };
    let bottom = top + ROW * rows.len() as f64;
    let x = |value: f64| left + axis.share(value).clamp(0.0, 1.0) * (WIDTH - left - RIGHT);
    let mut body = format!("<text class=\"name\" x=\"4\" y=\"15\">{}</text>", escape(title));
    for (value, text) in axis.ticks() {
        let (at, class) = (x(*value), if value.abs() < 1e-9 { "zero" } else { "grid" });
        body += &format!(
            "<line class=\"{class}\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>\
             <text class=\"tick mid\" x=\"{at:.1}\" y=\"{}\">{}</text>",
            bottom + 14.0,
            escape(text)
        );
    }
    for (at, (row, name)) in rows.iter().zip(&names).enumerate() {
        let y = top + ROW * (at as f64 + 0.5);
        body += &format!(
            "<text class=\"tick end\" x=\"{:.1}\" y=\"{:.1}\">{}<title>{}</title></text>",
            left - 6.0,
            y + 3.5,
            escape(name),
            escape(&row.task)
        );
        if let Some((low, high)) = row.interval {
            let (low, high) = (x(low), x(high));
            body += &format!("<line class=\"whisker\" x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
        }
        for (value, class, told) in &row.points {
            body += &format!(
                "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"3\"><title>{}</title></circle>",
                x(*value),
                escape(told)
            );
        }
    }
    let mut at = 4.0;
    for (class, name) in legend {
        body += &format!(
            "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"28\" r=\"3\"/><text class=\"key\" x=\"{:.1}\" y=\"31.5\">{}</text>",
            at + 4.0,
            at + 11.0,
            escape(name)
        );
        at += 24.0 + 6.1 * name.chars().count() as f64;
    }
    body += &format!(
        "<text class=\"label mid\" x=\"{:.1}\" y=\"{}\">{}</text>",
        (left + WIDTH - RIGHT) / 2.0,
        bottom + 29.0,
        escape(axis.label())
    );
    svg(WIDTH, bottom + 35.0, title, &body)
}

/// A name that fits; what is left out is in the row's title.
fn short(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let kept: String = name.chars().skip(name.chars().count() - (LONGEST - 1)).collect();
    format!("…{kept}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_named_and_long_names_keep_their_end() {
        let row = |task: &str| ForestRow {
            task: task.to_owned(),
            interval: Some((-1.0, 2.0)),
            points: vec![(0.5, "plain", "half".to_owned())],
        };
        let long = "a-family-with-a-long-name/and-a-task";
        let axis = Axis::over([-1.0, 2.0], true, "points");
        let drawing = forest("mdl", &axis, &[row("trains"), row(long)], &[("plain", "not significant")]);
        assert!(drawing.contains(">trains<title>") && drawing.contains(">…-a-long-name/and-a-task<"), "{drawing}");
        assert!(drawing.contains(long) && drawing.contains("not significant"), "{drawing}");
    }
}
