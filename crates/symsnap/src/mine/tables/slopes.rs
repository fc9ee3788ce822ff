//! By which numbers a variable may be multiplied: the slopes of lines `k*U + V =< c`.
//!
//! What a line covers depends on its slope only through the order of the units along it, and two units change places where
//! `k*u + v` is the same for both, at `k = -(v - v') / (u - u')`. So one slope from between each two such places gives every
//! order, and with the cuts of [`cuts`](super::cuts) everything that some line covers; a slope at such a place itself covers what one of its
//! neighbours covers, or does not tell the two units apart. Only places of a positive and a negative unit matter: units of one
//! sign may be in any order. It is a sweep by angle, as for arrangements of lines (Edelsbrunner, *Algorithms in Combinatorial
//! Geometry*, 1987).
//!
//! That is so for one line over the rows at hand. Two lines of one rule share neither rows nor signs, numbers have bounds, planes
//! have three variables, and a head variable may not be known yet: so rules with such slopes are never proved to be best.

use crate::language::between;
use crate::logic::{Comparison, Number};
use crate::task::Bounds;

/// Slopes that are tried; of more, as many of them evenly.
const MOST_SLOPES: usize = 128;
/// Units of each sign that are paired with those of the other; of more, as many of them evenly.
const MOST_UNITS: usize = 64;

/// The slopes of lines through units with the values `of`, beside each of the `others`.
pub fn slopes(of: &[Number], others: &[Vec<Number>], signs: &[(bool, bool)], bounds: Bounds) -> Vec<Number> {
    let pick =
        |sign: fn(&(bool, bool)) -> bool| -> Vec<usize> { (0..of.len()).filter(|&at| sign(&signs[at])).collect() };
    let (pos, neg) = (pick(|sign| sign.0), pick(|sign| sign.1));
    let mut places: Vec<f64> = Vec::new();
    for other in others {
        for p in evenly(&pos, MOST_UNITS) {
            for n in evenly(&neg, MOST_UNITS) {
                let (u, v) = (of[p].to_f64() - of[n].to_f64(), other[p].to_f64() - other[n].to_f64());
                let place = -v / u;
                if place.is_finite() {
                    places.push(place.clamp(bounds.low, bounds.high));
                }
            }
        }
    }
    places.sort_by(f64::total_cmp);
    places.dedup();
    let mut factors = Vec::new();
    if let (Some(&first), Some(&last)) = (places.first(), places.last()) {
        let ends =
            [first - first.abs().max(1.0), last + last.abs().max(1.0)].map(|end| end.clamp(bounds.low, bounds.high));
        let all: Vec<f64> = std::iter::once(ends[0]).chain(places).chain([ends[1]]).collect();
        let pairs = all.windows(2).filter(|pair| pair[0] < pair[1]);
        let middle = |pair: &[f64]| {
            let [low, high] = [pair[0], pair[1]].map(Number::float);
            Some(between(low?, high, Comparison::AtMost, bounds))
        };
        factors = pairs.filter_map(middle).filter(|k| k.to_f64() != 0.0).collect();
    }
    if factors.len() > MOST_SLOPES {
        let all: Vec<usize> = (0..factors.len()).collect();
        factors = evenly(&all, MOST_SLOPES).map(|at| factors[at]).collect();
    }
    factors
}

/// The whole factors `k` of which `result` is `k*of` for some unit, and one of each sign beside them if zero is multiplied.
/// Factors are at most 512, so that the quotient of two floats is much nearer to the right one than to any other.
pub fn ratios(of: &[Number], results: &[Number], factors: &[Number]) -> Vec<Number> {
    let pairs = of.iter().zip(results).map(|(of, result)| (of.to_f64(), result.to_f64()));
    let mut quotients: Vec<f64> =
        pairs.clone().filter(|(of, _)| *of != 0.0).map(|(of, result)| (result / of).round()).collect();
    quotients.sort_by(f64::total_cmp);
    quotients.dedup();
    let holds = |factor: &Number| quotients.binary_search_by(|known| known.total_cmp(&factor.to_f64())).is_ok();
    let (mut kept, others): (Vec<Number>, Vec<Number>) = factors.iter().partition(|factor| holds(factor));
    if pairs.clone().any(|(of, result)| of == 0.0 && result == 0.0) {
        kept.extend(others.iter().find(|factor| factor.to_f64() < 0.0));
        kept.extend(others.iter().find(|factor| factor.to_f64() > 0.0));
    }
    kept
}

/// At most this many of them, evenly.
fn evenly(all: &[usize], most: usize) -> impl Iterator<Item = usize> + '_ {
    let count = all.len();
    let kept = move |at: usize| count <= most || at * most / count != (at + 1) * most / count;
    all.iter().enumerate().filter(move |(at, _)| kept(*at)).map(|(_, unit)| *unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: &[f64]) -> Vec<Number> {
        values.iter().map(|value| Number::float(*value).expect("finite")).collect()
    }

    /// Every factor that is left out holds for the units of one that is kept, or for none.
    #[test]
    fn factors_that_are_left_out_hold_for_no_other_units() {
        let mut random = crate::random::Random::new(23);
        let factors: Vec<Number> = (-5..=5).filter(|k| !matches!(k, 0 | 1)).map(Number::int).collect();
        let float = |value: f64| Number::float(value).expect("finite");
        for _ in 0..2_000 {
            let count = 1 + random.below(4);
            let mut draw = || match random.below(3) {
                0 => Number::int(i64::try_from(random.below(7)).expect("small") - 3),
                1 => float(0.0 * (random.below(2) as f64 - 0.5)),
                _ => float((random.below(13) as f64 - 6.0) / 10.0),
            };
            let of: Vec<Number> = (0..count).map(|_| draw()).collect();
            // As Prolog computes it: the same kind of number, and the same bits.
            let times = |k: Number, value: Number| match (k.as_int(), value.as_int()) {
                (Some(k), Some(value)) => Number::int(k * value),
                _ => float(k.to_f64() * value.to_f64()),
            };
            let other = |value| {
                if random.below(2) == 0 {
                    draw_from(&factors, &mut random).map_or(value, |k| times(k, value))
                } else {
                    value
                }
            };
            let results: Vec<Number> = of.iter().copied().map(other).collect();
            let kept = ratios(&of, &results, &factors);
            let units = |k: Number| -> Vec<bool> {
                of.iter().zip(&results).map(|(of, result)| times(k, *of) == *result).collect()
            };
            for k in &factors {
                let nothing = units(*k).iter().all(|holds| !holds);
                assert!(
                    nothing || kept.iter().any(|other| units(*other) == units(*k)),
                    "{k}: {of:?} {results:?} {kept:?}"
                );
            }
        }
    }

    fn draw_from(factors: &[Number], random: &mut crate::random::Random) -> Option<Number> {
        factors.get(random.below(factors.len())).copied()
    }

    /// Every cover of points by a line that some slope of a fine grid gives is given by a slope that is tried.
    #[test]
    fn one_slope_of_each_interval_gives_every_cover() {
        let mut random = crate::random::Random::new(11);
        for _ in 0..300 {
            let mut draw = || random.below(9) as f64 / 2.0;
            let (us, vs): (Vec<f64>, Vec<f64>) = (0..6).map(|_| (draw(), draw())).unzip();
            let signs: Vec<(bool, bool)> = (0..6).map(|at| (at < 3, at >= 3)).collect();
            let found = slopes(&floats(&us), &[floats(&vs)], &signs, Bounds::ALL);
            let best = |k: f64| {
                // For each number of positives the fewest negatives.
                let along = |at: usize| k * us[at] + vs[at];
                let mut fewest = [usize::MAX; 4];
                for end in 0..6 {
                    let covered = |at: &usize| along(*at) <= along(end);
                    let positives = (0..3).filter(covered).count();
                    fewest[positives] = fewest[positives].min((3..6).filter(covered).count());
                }
                fewest
            };
            // Without a slope it is a cut of the other variable.
            let mut reached = best(0.0);
            for k in &found {
                best(k.to_f64()).iter().zip(&mut reached).for_each(|(new, known)| *known = *new.min(known));
            }
            for step in -60..=60 {
                let k = f64::from(step) / 7.3;
                for (positives, negatives) in best(k).into_iter().enumerate() {
                    let as_good = (positives..4).any(|more| reached[more] <= negatives);
                    assert!(negatives == usize::MAX || as_good, "{us:?} {vs:?} {k}");
                }
            }
        }
    }
}
