//! Comparisons with a number, `V =< c` and `V >= c`, as predicates of one argument.
//!
//! The number is not part of the language: a miner chooses it among the values that the variable takes where the comparison
//! stands ([`Lit::cut`](super::Lit::cut)), and only what is printed has one.

use crate::logic::{Comparison, Number, Pred, Symbol};
use crate::task::{Bias, Bounds};

/// A comparison that variables of a type allow.
#[derive(Debug, Clone)]
pub struct CutPred {
    /// Which one.
    pub comparison: Comparison,
    /// Where its number lies.
    pub bounds: Bounds,
    pub(super) pred: Pred,
    pub(super) types: [Option<Symbol>; 1],
}

impl CutPred {
    /// What `bias` allows.
    pub(super) fn all(bias: &Bias) -> Vec<CutPred> {
        let Some([at_most, at_least]) = bias.cuts.signs.filter(|_| !bias.cuts.is_empty()) else { return Vec::new() };
        let cut = |kind, comparison, pred, bounds: Option<Bounds>| {
            Some(CutPred { comparison, bounds: bounds?, pred, types: [Some(kind)] })
        };
        let both = bias.cuts.types.iter().flat_map(|allowed| {
            [
                cut(allowed.kind, Comparison::AtMost, at_most, allowed.at_most),
                cut(allowed.kind, Comparison::AtLeast, at_least, allowed.at_least),
            ]
        });
        both.flatten().collect()
    }
}

/// A number `c` within `bounds` for which the comparison holds for `at` and not for `beyond`: the one with the fewest digits
/// in the middle half between the two, or what comes closest to it.
pub fn between(at: Number, beyond: Option<Number>, comparison: Comparison, bounds: Bounds) -> Number {
    // Values beyond the bounds are compared with the bounds themselves.
    let clip = |value: f64| value.clamp(bounds.low, bounds.high);
    let inside = clip(at.to_f64()) == at.to_f64();
    let Some(beyond) = beyond else { return if inside { at } else { nearest(clip(at.to_f64()), at) } };
    if let (Some(from), Some(to), true) = (at.as_int(), beyond.as_int(), inside) {
        let half = i64::try_from((i128::from(to) - i128::from(from)) / 2).expect("half of the range of integers fits");
        let (low, high) = (bounds.low.ceil(), bounds.high.floor());
        let middle = from + half;
        let allowed = middle as f64 >= low && middle as f64 <= high;
        // Rounded towards `at`, so that it holds for `at` and not for `beyond`.
        return if allowed { Number::int(middle) } else { at };
    }
    let (from, to) = (clip(at.to_f64()), clip(beyond.to_f64()));
    let quarter = (to - from) / 4.0;
    let (least, most) = (from + quarter, to - quarter);
    let (least, most) = if least <= most { (least, most) } else { (most, least) };
    let middle = from + (to - from) / 2.0;
    let short = (0..=16).map(|digits| rounded(middle, digits)).find(|value| (least..=most).contains(value));
    let holds = |value: f64| {
        let number = nearest(value, at);
        (comparison.holds(at.compare(number)) && !comparison.holds(beyond.compare(number))).then_some(number)
    };
    short.and_then(holds).or_else(|| holds(middle)).unwrap_or(at)
}

/// `value` with this many digits behind the point.
fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    let scaled = (value * scale).round();
    if scaled.is_finite() { scaled / scale } else { value }
}

fn nearest(value: f64, otherwise: Number) -> Number {
    Number::float(value).unwrap_or(otherwise)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(value: f64) -> Number {
        Number::float(value).expect("finite")
    }

    #[test]
    fn the_number_lies_in_the_middle_and_is_short() {
        let cut = |at, beyond, comparison| between(at, Some(beyond), comparison, Bounds::ALL).to_string();
        assert_eq!(cut(float(3.71), float(3.81), Comparison::AtMost), "3.76");
        assert_eq!(cut(float(0.0), float(100.0), Comparison::AtMost), "50.0");
        assert_eq!(cut(Number::int(3), Number::int(8), Comparison::AtMost), "5");
        assert_eq!(cut(Number::int(8), Number::int(3), Comparison::AtLeast), "6");
        assert_eq!(cut(Number::int(3), Number::int(4), Comparison::AtMost), "3");
        assert_eq!(cut(Number::int(4), Number::int(3), Comparison::AtLeast), "4");
        assert_eq!(cut(Number::int(1), float(2.0), Comparison::AtMost), "1.5");
        assert_eq!(cut(Number::int(i64::MIN), Number::int(i64::MAX), Comparison::AtMost), "-1");
    }

    #[test]
    fn neighbouring_floats_keep_the_value_itself() {
        let (low, high) = (float(1.0), float(1.0_f64.next_up()));
        assert_eq!(between(low, Some(high), Comparison::AtMost, Bounds::ALL), low);
        assert_eq!(between(high, Some(low), Comparison::AtLeast, Bounds::ALL), high);
    }

    #[test]
    fn the_number_keeps_to_its_bounds() {
        let bounds = Bounds { low: 0.0, high: 10.0 };
        let cut = |at, beyond| between(at, beyond, Comparison::AtMost, bounds).to_f64();
        assert_eq!(cut(float(-5.0), Some(float(8.0))), 4.0);
        assert_eq!(cut(float(6.0), Some(float(30.0))), 8.0);
        assert_eq!(cut(float(-5.0), None), 0.0);
    }

    #[test]
    fn it_holds_for_one_value_and_not_for_the_other() {
        let mut random = crate::random::Random::new(7);
        for _ in 0..20_000 {
            let mut draw = || match random.below(4) {
                0 => Number::int(i64::try_from(random.below(20)).expect("small") - 10),
                1 => float(random.below(2_000) as f64 / 100.0 - 10.0),
                2 => Number::float(f64::from_bits(random.next_u64())).unwrap_or(float(0.5)),
                _ => float((random.next_u64() as f64) / 1e18),
            };
            let (a, b) = (draw(), draw());
            if a.compare(b).is_eq() {
                continue;
            }
            let comparison = if a.compare(b).is_lt() { Comparison::AtMost } else { Comparison::AtLeast };
            let middle = between(a, Some(b), comparison, Bounds::ALL);
            assert!(comparison.holds(a.compare(middle)) && !comparison.holds(b.compare(middle)), "{a} {b}: {middle}");
        }
    }
}
