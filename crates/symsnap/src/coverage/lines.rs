//! Lines of rules, and how wide the margin beside them is.
//!
//! A rule `V3 is k*V1, V4 is V2+V3, V4 =< c` covers what lies on one side of a line. With these three literals left out it has
//! some points `(V1,V2)` for each example, and it covers the example iff one of them lies on that side. Many slopes `k` cover the
//! same training examples. The one to print is that with the widest strip between the points of the examples that are covered
//! and those of the examples that are not: the maximal margin, as for the middle of an interval ([`FreeNumbers`]). The width
//! is measured across the line, so it is divided by the square root of `1 + k*k`.
//!
//! Of an example that is covered one point on the right side is enough: its deepest. With one point for each example the strip
//! between two lines of slope `k` is a concave function of `k`, over a convex one, so that it has one peak; with several it may
//! have more, and what is found is the highest of those next to slopes that are tried.

use super::FreeNumbers;
use super::free::all;
use crate::logic::{Arg, Comparison, Computation, Literal, Number, Rule, Terms};
use crate::task::Examples;

/// Angles of lines that are tried before the best is improved upon.
const ANGLES: u32 = 180;
/// Steps of a search by the golden section: they narrow two degrees to a billionth of one.
const STEPS: u32 = 48;
/// Points that are worth while; each is looked at for every slope.
const MOST_POINTS: usize = 100_000;

/// A line in the body of a rule: the places of its literals, and the signs of what is added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// `V3 is k*V1`
    pub multiple: usize,
    /// `V4 is V2+V3`
    sum: usize,
    /// `V4 =< c`
    pub comparison: usize,
    /// The variables `V1` and `V2`.
    vars: [Arg; 2],
    /// With which signs the multiple and the other number count, where less is covered.
    signs: [f64; 2],
}

impl Line {
    /// The line of which the literal `comparison` is the last; `None` if there is none, or if other literals or the head use
    /// what is computed.
    pub fn of(rule: &Rule, comparison: usize, terms: &Terms) -> Option<Line> {
        let compared = rule.body[comparison].args.first().copied()?;
        let covers_less = match Comparison::of(rule.body[comparison].pred, terms)? {
            Comparison::AtMost => 1.0,
            Comparison::AtLeast => -1.0,
            _ => return None,
        };
        let computes = |literal: &Literal, result| literal.args.last() == Some(&result) && is_computed(literal, terms);
        let place = |result| rule.body.iter().position(|literal| computes(literal, result));
        let sum = place(compared)?;
        let &[left, right, _] = &*rule.body[sum].args else { return None };
        let (second, sign) = match Computation::of(rule.body[sum].pred, terms)? {
            Computation::Sum => (1.0, covers_less),
            Computation::Difference => (-1.0, covers_less),
            Computation::Product | Computation::Ratio => return None,
        };
        let is_multiple = |arg: Arg| {
            let at =
                place(arg).filter(|at| Computation::of(rule.body[*at].pred, terms) == Some(Computation::Product))?;
            matches!(*rule.body[at].args, [Arg::Number(_), Arg::Var(_), _]).then_some(at)
        };
        let (multiple, other, signs) = match (is_multiple(left), is_multiple(right)) {
            (Some(at), None) => (at, right, [sign, sign * second]),
            (None, Some(at)) => (at, left, [sign * second, sign]),
            _ => return None,
        };
        let [_, of, result] = &*rule.body[multiple].args else { return None };
        let uses = |arg: &Arg| rule.body.iter().flat_map(|literal| &literal.args).filter(|used| *used == arg).count();
        let only_here = |arg: &Arg| uses(arg) == 2 && !rule.head.args.contains(arg);
        let line = Line { multiple, sum, comparison, vars: [*of, other], signs };
        (only_here(result) && only_here(&compared) && *of != other).then_some(line)
    }

    /// The number by which a variable is multiplied.
    pub fn factor(&self, rule: &Rule) -> Option<Number> {
        match rule.body[self.multiple].args[0] {
            Arg::Number(factor) => Some(factor),
            _ => None,
        }
    }
}

fn is_computed(literal: &Literal, terms: &Terms) -> bool {
    Computation::of(literal.pred, terms).is_some()
}

/// The points of examples beside a line.
#[derive(Debug, Default)]
pub struct LinePoints {
    /// Of examples that the rule covers, each by itself.
    covered: Vec<Vec<[f64; 2]>>,
    /// Of all others.
    uncovered: Vec<[f64; 2]>,
}

impl FreeNumbers {
    /// The points of the examples, of which `covered` says whether the rule covers them; `None` if they cannot be found out within
    /// the limits of the evaluator, are too many, or if `go_on` says no.
    pub fn points(
        &mut self,
        (rule, line): (&Rule, &Line),
        covered: &[bool],
        examples: &Examples,
        go_on: impl Fn() -> bool,
    ) -> Option<LinePoints> {
        let pred = self.leave_out(rule, &[line.multiple, line.sum, line.comparison], &line.vars);
        let (mut points, mut count) = (LinePoints::default(), 0);
        for (args, &covered) in all(examples).zip(covered) {
            let answers = if go_on() { self.answers(pred, args)? } else { return None };
            let point = |row: &[_]| {
                let [.., x, y] = *row else { return None };
                let [x, y] = [x, y].map(|value| Some(Number::of(value, self.terms())?.to_f64()));
                Some([line.signs[0] * x?, line.signs[1] * y?])
            };
            let found: Vec<[f64; 2]> = answers.rows().iter().map(|row| point(row)).collect::<Option<_>>()?;
            count += found.len();
            if count > MOST_POINTS {
                return None;
            }
            match covered {
                true => points.covered.push(found),
                false => points.uncovered.extend(found),
            }
        }
        Some(points)
    }
}

impl LinePoints {
    /// How wide the strip beside lines of slope `k` is that has no points of examples that are to be told apart; negative if
    /// no such line tells them apart.
    pub fn margin(&self, k: f64) -> f64 {
        let along = |point: &[f64; 2]| k * point[0] + point[1];
        let deepest = |points: &Vec<[f64; 2]>| points.iter().map(along).fold(f64::INFINITY, f64::min);
        let inside = self.covered.iter().map(deepest).fold(f64::NEG_INFINITY, f64::max);
        let outside = self.uncovered.iter().map(along).fold(f64::INFINITY, f64::min);
        (outside - inside) / k.hypot(1.0)
    }

    /// The slope between two ends with the widest margin, or a short number with nearly that; `known` is one to begin with.
    pub fn widest(&self, (low, high): (f64, f64), known: f64) -> f64 {
        let margin = |angle: f64| self.margin(angle.tan().clamp(low, high));
        let step = std::f64::consts::PI / f64::from(ANGLES);
        let angles = (1..ANGLES).map(|at| f64::from(at) * step - std::f64::consts::FRAC_PI_2).chain([known.atan()]);
        let best = angles.map(|angle| (angle, margin(angle))).max_by(|a, b| a.1.total_cmp(&b.1));
        let (angle, _) = best.expect("there is an angle");
        let ratio = (5f64.sqrt() - 1.0) / 2.0;
        let (mut from, mut to) = (angle - step, angle + step);
        for _ in 0..STEPS {
            let (left, right) = (to - ratio * (to - from), from + ratio * (to - from));
            if margin(left) >= margin(right) {
                to = right;
            } else {
                from = left;
            }
        }
        let found = [angle, (from + to) / 2.0].into_iter().max_by(|a, b| margin(*a).total_cmp(&margin(*b)));
        let slope = found.unwrap_or(angle).tan().clamp(low, high);
        let rounded = |digits: i32| (slope * 10f64.powi(digits)).round() / 10f64.powi(digits);
        let fits = |k: &f64| (low..=high).contains(k) && *k != 0.0 && *k != 1.0;
        let enough = SHORTER * self.margin(slope);
        (0..=8).map(rounded).filter(fits).find(|k| self.margin(*k) >= enough).unwrap_or(slope)
    }
}

/// The part of the widest margin that a shorter number may cost.
const SHORTER: f64 = 0.99;

#[cfg(test)]
mod tests {
    use super::*;

    /// With one point for each example, no slope of a fine grid has a margin that is much wider.
    #[test]
    fn no_slope_of_a_fine_grid_is_wider() {
        let mut random = crate::random::Random::new(5);
        let mut told_apart = 0;
        for _ in 0..500 {
            let mut draw = || random.below(41) as f64 / 4.0;
            let (k, c) = (draw() - 5.0, draw());
            let mut points = LinePoints::default();
            for _ in 0..12 {
                let point = [draw(), draw()];
                match k * point[0] + point[1] <= c {
                    true => points.covered.push(vec![point]),
                    false => points.uncovered.push(point),
                }
            }
            if points.covered.is_empty() || points.uncovered.is_empty() {
                continue;
            }
            told_apart += 1;
            let widest = points.margin(points.widest((-1e3, 1e3), k));
            assert!(widest > 0.0, "it tells apart what the first slope does");
            for step in 1..2_000 {
                let k = (f64::from(step) * std::f64::consts::PI / 2_000.0 - std::f64::consts::FRAC_PI_2).tan();
                assert!(points.margin(k) <= widest / SHORTER + 1e-6, "{points:?} {k}");
            }
        }
        assert!(told_apart > 200, "{told_apart}");
    }
}
