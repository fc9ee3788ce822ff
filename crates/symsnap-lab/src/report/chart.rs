//! Charts as SVG text, drawn by hand: a panel with axes into which marks are put.
//!
//! Colours are classes. In a page they follow its style sheet, in a file of its own the chart carries one, so both are
//! right in the dark. A mark's title is what a pointer sees, without any script. *Rejected*: plotting crates, which
//! draw with fixed colours and bring fonts and rasterisers along.

use std::fmt::Write;

/// Text that may stand in SVG and HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The style of a chart that stands alone.
const STYLE: &str = include_str!("chart.css");

/// An axis from `low` to `high` with its ticks.
#[derive(Debug, Clone)]
pub struct Axis {
    low: f64,
    high: f64,
    ticks: Vec<(f64, String)>,
    label: String,
}

impl Axis {
    /// An axis that covers `values` (and 0, if it should) with round ticks.
    pub fn over(values: impl IntoIterator<Item = f64>, with_zero: bool, label: &str) -> Self {
        let values = values.into_iter().filter(|value| value.is_finite());
        let (mut low, mut high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        if with_zero {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < 1e-9 {
            (low, high) = (low - 0.5, high + 0.5);
        }
        let step = nice((high - low) / 4.0);
        let (from, to) = ((low / step).floor() as i64, (high / step).ceil() as i64);
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let ticks = (from..=to).map(|at| (at as f64 * step, format!("{:.digits$}", at as f64 * step))).collect();
        Axis { low: from as f64 * step, high: to as f64 * step, ticks, label: label.to_owned() }
    }

    /// Where a value lies between the ends: 0 at the low one, 1 at the high one.
    pub fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// Its ticks.
    pub fn ticks(&self) -> &[(f64, String)] {
        &self.ticks
    }

    /// What it shows.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// An axis of the logarithms of `values`, with their own values at the ticks.
    pub fn logarithmic(values: &[f64], label: &str) -> Self {
        let ticks: Vec<(f64, String)> =
            values.iter().filter(|value| **value > 0.0).map(|value| (value.log10(), value.to_string())).collect();
        let low = ticks.iter().map(|tick| tick.0).fold(f64::INFINITY, f64::min);
        let high = ticks.iter().map(|tick| tick.0).fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
        let margin = (high - low) * 0.04;
        Axis { low: low - margin, high: high + margin, ticks, label: label.to_owned() }
    }
}

/// 1, 2 or 5 times a power of ten, near `step` and not below.
fn nice(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|it| *it >= step * 0.999).unwrap_or(power)
}

/// A chart in the making.
#[derive(Debug, Clone)]
pub struct Panel {
    title: String,
    x: Axis,
    y: Axis,
    body: String,
}

const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 262.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 42.0;

impl Panel {
    /// An empty chart.
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        Panel { title: title.to_owned(), x, y, body: String::new() }
    }

    fn x(&self, value: f64) -> f64 {
        let share = (value - self.x.low) / (self.x.high - self.x.low);
        LEFT + share.clamp(-0.02, 1.02) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value - self.y.low) / (self.y.high - self.y.low);
        HEIGHT - BOTTOM - share.clamp(-0.02, 1.02) * (HEIGHT - TOP - BOTTOM)
    }

    fn add(&mut self, mark: std::fmt::Arguments<'_>) {
        self.body.write_fmt(mark).expect("a string takes all text");
    }

    /// A point; `title` is shown to whoever points at it.
    pub fn dot(&mut self, x: f64, y: f64, class: &str, title: &str) {
        let (px, py, title) = (self.x(x), self.y(y), escape(title));
        self.add(format_args!(
            "<circle class=\"{class}\" cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"2.6\"><title>{title}</title></circle>"
        ));
    }

    /// A line through points, cut off where it leaves the chart.
    pub fn line(&mut self, points: &[(f64, f64)], class: &str) {
        for piece in self.visible(points) {
            let places: Vec<String> =
                piece.iter().map(|&(x, y)| format!("{:.1},{:.1}", self.x(x), self.y(y))).collect();
            self.add(format_args!("<polyline class=\"{class}\" points=\"{}\"/>", places.join(" ")));
        }
    }

    /// Whether enough of a line lies within the axes to be seen: a twentieth of the chart's width.
    pub fn shows(&self, points: &[(f64, f64)]) -> bool {
        let widths = self
            .visible(points)
            .into_iter()
            .flat_map(|piece| piece.windows(2).map(|ends| (ends[1].0 - ends[0].0).abs()).collect::<Vec<f64>>());
        widths.sum::<f64>() > 0.05 * (self.x.high - self.x.low)
    }

    /// The pieces of a line that lie within the axes. Moving points that lie outside to the edge instead would change the
    /// line's slope.
    fn visible(&self, points: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
        let mut pieces: Vec<Vec<(f64, f64)>> = Vec::new();
        for ends in points.windows(2) {
            let Some([from, to]) = self.clip(ends[0], ends[1]) else { continue };
            match pieces.last_mut() {
                Some(piece) if piece.last() == Some(&from) => piece.push(to),
                _ => pieces.push(vec![from, to]),
            }
        }
        pieces
    }

    /// The part of a segment that lies within the axes (Liang and Barsky, 1984): of the way from one end to the other, the
    /// share after which all four edges are passed inwards and before which none is passed outwards.
    fn clip(&self, from: (f64, f64), to: (f64, f64)) -> Option<[(f64, f64); 2]> {
        let (across, up) = (to.0 - from.0, to.1 - from.1);
        let edges = [
            (-across, from.0 - self.x.low),
            (across, self.x.high - from.0),
            (-up, from.1 - self.y.low),
            (up, self.y.high - from.1),
        ];
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        for (outwards, room) in edges {
            // Rounding in what computed an axis must not cut off a line along its edge.
            let room =
                if room.abs() < 1e-9 * (self.x.high - self.x.low).max(self.y.high - self.y.low) { 0.0 } else { room };
            if outwards == 0.0 {
                if room < 0.0 {
                    return None;
                }
            } else if outwards > 0.0 {
                leave = leave.min(room / outwards);
            } else {
                enter = enter.max(room / outwards);
            }
        }
        let at = |share: f64| match share {
            0.0 => from,
            1.0 => to,
            _ => (from.0 + share * across, from.1 + share * up),
        };
        (enter <= leave).then(|| [at(enter), at(leave)])
    }

    /// A line that keeps each value until the next point, and the last until the edge.
    pub fn steps(&mut self, points: &[(f64, f64)], class: &str) {
        let mut corners = Vec::with_capacity(points.len() * 2 + 1);
        for &(x, y) in points {
            if let Some(&(_, before)) = corners.last() {
                corners.push((x, before));
            }
            corners.push((x, y));
        }
        if let Some(&(_, last)) = points.last() {
            corners.push((self.x.high, last));
        }
        self.line(&corners, class);
    }

    /// The level of no difference.
    pub fn zero(&mut self) {
        let y = self.y(0.0);
        self.add(format_args!(
            "<line class=\"zero\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>",
            WIDTH - RIGHT
        ));
    }

    /// Names of the lines, in a row between title and chart.
    pub fn legend(&mut self, entries: &[(&str, &str)]) {
        let mut x = LEFT;
        for (class, name) in entries {
            let text = escape(name);
            let y = 28.0;
            self.add(format_args!(
                "<line class=\"{class}\" x1=\"{x:.0}\" x2=\"{:.0}\" y1=\"{y}\" y2=\"{y}\"/><text class=\"key\" x=\"{:.0}\" y=\"{}\">{text}</text>",
                x + 14.0, x + 18.0, y + 3.5
            ));
            x += 28.0 + 6.1 * name.chars().count() as f64;
        }
    }

    /// The chart for a page that has the style.
    pub fn inline(&self) -> String {
        let mut axes = String::new();
        for (value, text) in &self.y.ticks {
            let y = self.y(*value);
            write!(
                axes,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text class=\"tick end\" x=\"{}\" y=\"{:.1}\">{}</text>",
                WIDTH - RIGHT, LEFT - 5.0, y + 3.5, escape(text)
            )
            .expect("a string takes all text");
        }
        for (value, text) in &self.x.ticks {
            let x = self.x(*value);
            write!(
                axes,
                "<text class=\"tick mid\" x=\"{x:.1}\" y=\"{}\">{}</text>",
                HEIGHT - BOTTOM + 15.0,
                escape(text)
            )
            .expect("a string takes all text");
        }
        let middle = (LEFT + WIDTH - RIGHT) / 2.0;
        let upright = (TOP + HEIGHT - BOTTOM) / 2.0;
        let body = format!(
            "<text class=\"name\" x=\"{LEFT}\" y=\"15\">{}</text>{axes}<text class=\"label mid\" x=\"{middle}\" y=\"{}\">{}</text>\
             <text class=\"label mid\" transform=\"translate(11 {upright}) rotate(-90)\">{}</text>{}",
            escape(&self.title),
            HEIGHT - 7.0,
            escape(&self.x.label),
            escape(&self.y.label),
            self.body
        );
        svg(WIDTH, HEIGHT, &self.title, &body)
    }
}

/// A drawing of that size; `title` names it for readers that cannot see it.
pub fn svg(width: f64, height: f64, title: &str, body: &str) -> String {
    format!(
        "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{}\">{body}</svg>",
        escape(title)
    )
}

/// A drawing for a file of its own.
pub fn standalone(inline: &str) -> String {
    match inline.split_once('>') {
        Some((open, rest)) => format!("{open}>\n<style>{STYLE}</style>\n{rest}\n"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_the_values() {
        let axis = Axis::over([-1.3, 7.2], true, "");
        let labels: Vec<&str> = axis.ticks.iter().map(|tick| tick.1.as_str()).collect();
        assert_eq!(labels, ["-5", "0", "5", "10"]);
        assert!(axis.low <= -1.3 && axis.high >= 7.2);
        let axis = Axis::over([0.751, 0.768], false, "");
        assert_eq!(axis.ticks[0].1, "0.750");
    }

    fn panel() -> Panel {
        let axis = |high: f64| Axis { low: 0.0, high, ticks: Vec::new(), label: String::new() };
        Panel::new("", axis(10.0), axis(4.0))
    }

    #[test]
    fn lines_are_cut_off_at_the_edge_and_keep_their_slope() {
        let it = panel();
        assert_eq!(it.visible(&[(0.0, 0.0), (10.0, 8.0)]), [vec![(0.0, 0.0), (5.0, 4.0)]]);
        assert_eq!(it.visible(&[(-10.0, -4.0), (20.0, 8.0)]), [vec![(0.0, 0.0), (10.0, 4.0)]]);
        assert_eq!(it.visible(&[(0.0, -1.0), (10.0, -1.0)]), [[]; 0], "below the chart");
        assert!(it.shows(&[(0.0, 0.0), (10.0, 8.0)]) && !it.shows(&[(0.0, 3.9), (10.0, 8.0)]), "a corner is not seen");
        assert_eq!(it.visible(&[(0.0, 4.0), (10.0, 4.0)]), [vec![(0.0, 4.0), (10.0, 4.0)]], "along the edge");
        assert_eq!(
            it.visible(&[(0.0, 2.0), (2.0, 6.0), (4.0, 2.0)]),
            [vec![(0.0, 2.0), (1.0, 4.0)], vec![(3.0, 4.0), (4.0, 2.0)]],
            "out and in again"
        );
        let all = [(0.0, 1.0), (3.0, 2.0), (7.0, 0.5)];
        assert_eq!(it.visible(&all), [all.to_vec()], "what is inside stays as it is");
    }

    #[test]
    fn a_line_that_leaves_the_chart_is_drawn_to_its_edge() {
        let mut it = panel();
        it.line(&[(0.0, 0.0), (10.0, 8.0)], "two");
        let (middle, top) = (LEFT + (WIDTH - LEFT - RIGHT) / 2.0, TOP);
        let expected = format!("points=\"{LEFT:.1},{:.1} {middle:.1},{top:.1}\"", HEIGHT - BOTTOM);
        assert!(it.inline().contains(&expected), "{}", it.inline());
    }

    #[test]
    fn charts_of_nothing_and_of_one_value_are_drawn() {
        for values in [vec![], vec![3.0], vec![f64::NAN]] {
            let mut panel =
                Panel::new("<a & b>", Axis::over(values.clone(), false, "x"), Axis::over(values, true, "y"));
            panel.steps(&[], "one");
            panel.zero();
            let text = panel.inline();
            assert!(text.contains("&lt;a &amp; b&gt;") && !text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
}
