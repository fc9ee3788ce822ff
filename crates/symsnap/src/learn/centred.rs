//! Numbers in the middle: a comparison that was mined holds for one value of the table at hand and not for the next, and its
//! number lies between the two. What examples are covered by may lie further apart, and the widest margin is the middle of
//! that ([`FreeNumbers`]). So rules that are offered have their numbers moved there, one comparison after the other, each given
//! those before it. What a rule covers of the training examples stays the same.
//!
//! Lines have a second number, their slope, which is moved first, to the widest margin of all slopes that cover the same
//! ([`LinePoints`]). Which numbers the line then takes is computed anew as Prolog does, so that nothing depends on how
//! exactly the width was computed.

use crate::budget::Budget;
use crate::coverage::{FreeNumber, FreeNumbers, Line, LinePoints};
use crate::database::Database;
use crate::instance::Instance;
use crate::language::between;
use crate::logic::{Arg, Comparison, Number, Rule, Terms};
use crate::task::{Bias, Bounds, Examples, Factors};
use rustc_hash::FxHashMap;

/// Examples up to which it is worth while: it takes all solutions for each, and with more examples there is less to be moved.
const MOST_EXAMPLES: usize = 2_000;
/// Whole slopes, those with the widest margins first, of which it is computed exactly what they cover. The first does as a
/// rule; bounds of the number that is compared may rule it out.
const MOST_SLOPES: usize = 8;

/// Moves the numbers of rules.
pub(super) struct Centred<'t> {
    /// Made when there is a rule to be moved: it has the whole background.
    free: Option<FreeNumbers>,
    database: &'t Database,
    terms: &'t Terms,
    examples: &'t Examples,
    /// Where the numbers of `=<` and `>=` lie.
    bounds: [Bounds; 2],
    /// What slopes are chosen from, if that does not depend on the type of the variable.
    factors: Option<Factors>,
    budget: Budget,
    known: FxHashMap<Rule, Rule>,
}

impl<'t> Centred<'t> {
    /// `None` if no rule compares numbers, or there are too many examples.
    pub(super) fn new(on: &'t Instance<'_>, budget: &Budget) -> Option<Self> {
        let (bias, examples) = (on.bias(), on.examples());
        if bias.cuts.is_empty() || examples.positives() + examples.negatives() > MOST_EXAMPLES {
            return None;
        }
        let bounds = [bounds_of(bias, Comparison::AtMost)?, bounds_of(bias, Comparison::AtLeast)?];
        let (database, budget) = (on.database(), budget.clone());
        let kinds = bias.cuts.multiples.iter().flat_map(|multiples| &multiples.kinds);
        let mut factors = kinds.map(|kind| bias.cuts.factors(*kind));
        let first = factors.next().flatten();
        let factors = if factors.all(|other| other == first) { first } else { None };
        Some(Centred {
            free: None,
            database,
            terms: on.terms(),
            examples,
            bounds,
            factors,
            budget,
            known: FxHashMap::default(),
        })
    }

    /// The rule with its numbers moved.
    pub(super) fn rule(&mut self, rule: Rule) -> Rule {
        if !rule.body.iter().any(|literal| matches!(*literal.args, [Arg::Var(_), Arg::Number(_)])) {
            return rule;
        }
        if let Some(known) = self.known.get(&rule) {
            return known.clone();
        }
        let mut moved = rule.clone();
        for at in 0..rule.body.len() {
            if let Some(wider) = self.widened(&moved, at) {
                moved = wider;
            }
        }
        for at in 0..rule.body.len() {
            let (examples, budget) = (self.examples, self.budget.clone());
            let go_on = || budget.check().is_none();
            let Some(number) = self.free().of_literal(&moved, at, examples, go_on) else { continue };
            let FreeNumber { comparison, covered: Some(covered), uncovered: Some(uncovered), .. } = number else {
                continue;
            };
            let bounds = self.bounds[usize::from(comparison == Comparison::AtLeast)];
            moved.body[at].args[1] = Arg::Number(between(covered, Some(uncovered), comparison, bounds));
        }
        self.known.insert(rule, moved.clone());
        moved
    }

    /// The rule with the line of its literal `at` moved to the widest margin; `None` if there is no line, or none wider.
    fn widened(&mut self, rule: &Rule, at: usize) -> Option<Rule> {
        let factors = self.factors.clone()?;
        let &[Arg::Var(_), Arg::Number(number)] = &*rule.body[at].args else { return None };
        let line = Line::of(rule, at, self.terms)?;
        let comparison = Comparison::of(rule.body[at].pred, self.terms)?;
        let firsts = self.firsts(rule, at)?;
        let covers = |first: &Option<Number>| first.is_some_and(|first| comparison.holds(first.compare(number)));
        let covered: Vec<bool> = firsts.iter().map(covers).collect();
        let (examples, budget) = (self.examples, self.budget.clone());
        let points = self.free().points((rule, &line), &covered, examples, || budget.check().is_none())?;
        let known = line.factor(rule)?.to_f64();
        for factor in wider(&points, &factors, known) {
            let mut moved = rule.clone();
            moved.body[line.multiple].args[0] = Arg::Number(factor);
            let firsts = self.firsts(&moved, at)?;
            let taken = |wanted: bool| {
                let firsts = firsts.iter().zip(&covered).filter(move |(_, covered)| **covered == wanted);
                firsts.filter_map(|(first, _)| *first)
            };
            let last = taken(true).max_by(|a, b| comparison.order(*a, *b))?;
            let beyond = taken(false).min_by(|a, b| comparison.order(*a, *b))?;
            let number =
                between(last, Some(beyond), comparison, self.bounds[usize::from(comparison == Comparison::AtLeast)]);
            if comparison.holds(last.compare(number)) && !comparison.holds(beyond.compare(number)) {
                moved.body[at].args[1] = Arg::Number(number);
                return Some(moved);
            }
        }
        None
    }

    fn firsts(&mut self, rule: &Rule, at: usize) -> Option<Vec<Option<Number>>> {
        let (examples, budget) = (self.examples, self.budget.clone());
        self.free().firsts(rule, at, examples, || budget.check().is_none())
    }

    fn free(&mut self) -> &mut FreeNumbers {
        self.free.get_or_insert_with(|| FreeNumbers::new(self.database.engine()))
    }
}

/// The factors with wider margins than the `known` one, widest first, as far as they are to be tried.
fn wider(points: &LinePoints, factors: &Factors, known: f64) -> Vec<Number> {
    let least = points.margin(known);
    match factors {
        Factors::Whole(factors) => {
            let mut wider: Vec<(f64, Number)> = factors.iter().map(|k| (points.margin(k.to_f64()), *k)).collect();
            wider.retain(|(margin, _)| *margin > least);
            // Of equal ones the nearest to zero.
            wider.sort_by(|(a, k), (b, l)| b.total_cmp(a).then(k.to_f64().abs().total_cmp(&l.to_f64().abs())));
            wider.into_iter().map(|(_, k)| k).take(MOST_SLOPES).collect()
        }
        Factors::Real(Bounds { low, high }) => {
            let slope = points.widest((*low, *high), known);
            Number::float(slope).filter(|_| points.margin(slope) > least).into_iter().collect()
        }
    }
}

/// Where the number of a comparison lies, if that does not depend on the type of its variable.
fn bounds_of(bias: &Bias, comparison: Comparison) -> Option<Bounds> {
    let of_type = bias.cuts.types.iter().filter_map(|cut| match comparison {
        Comparison::AtLeast => cut.at_least,
        _ => cut.at_most,
    });
    let mut all = of_type.clone();
    let first = all.next().unwrap_or(Bounds::ALL);
    all.all(|bounds| bounds == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::SlowEvaluator;
    use crate::parse::Text;
    use crate::space::Space;
    use crate::task::Task;
    use std::fmt::Write as _;

    /// Lines of all forms over random points, whole and real: moved, they cover the same examples, and most are moved.
    #[test]
    fn rules_cover_the_same_when_their_numbers_are_moved() {
        let mut random = crate::random::Random::new(31);
        let mut moved_lines = 0;
        for round in 0..400 {
            let (mut bk, mut exs) = (String::from("at(none,0,0).\n"), String::new());
            let mut draw = |least: i32, most: usize| least + i32::try_from(random.below(most)).expect("small");
            for thing in 0..10 {
                for _ in 0..draw(0, 4) {
                    let (x, y) = (draw(-4, 9), draw(-4, 9));
                    let _ = match round % 2 {
                        0 => writeln!(bk, "at(c{thing},{x},{y})."),
                        _ => writeln!(bk, "at(c{thing},{:?},{:?}).", f64::from(x) / 3.0, f64::from(y) / 7.0),
                    };
                }
                let _ = writeln!(exs, "{}(f(c{thing})).", ["pos", "neg"][thing % 2]);
            }
            let bias = "head_pred(f,1). type(f,(thing,)). body_pred(at,3). type(at,(thing,num,num)). lines(num).\n\
                        bounds(mult,1,(-6,6)). bounds(leq,1,(-9,9)). bounds(geq,1,(-9,9)). max_vars(5). max_body(4).";
            let mut task = Task::from_texts(&bk, &exs, bias).unwrap();
            let k = [-5, -3, -2, -1, 3, 4][draw(0, 6).unsigned_abs() as usize];
            let k = if round % 2 == 0 { format!("{k}") } else { format!("{:?}", f64::from(k) / 2.0) };
            let sum = ["V2+V3", "V3+V2", "V2-V3", "V3-V2"][draw(0, 4).unsigned_abs() as usize];
            let (sign, c) = (["=<", ">="][draw(0, 2).unsigned_abs() as usize], draw(-9, 19));
            let text = format!("f(V0) :- at(V0,V1,V2), V3 is {k}*V1, V4 is {sum}, V4 {sign} {c}.");
            let given = task.read_rules(&Text::new("<test>", &text)).unwrap();
            let rule = given[0].clause.as_rule(&task.terms).unwrap();
            let on = Instance::new(&task);
            let moved = Centred::new(&on, &Budget::unlimited()).unwrap().rule(rule.clone());
            let mut slow = SlowEvaluator::new(on.database(), on.examples());
            let shown = moved.show(on.terms());
            assert_eq!(slow.rule(&rule), slow.rule(&moved), "{text} {shown}\n{bk}");
            assert!(Space::new(&task).contains(&moved).is_ok(), "{text} {shown}\n{bk}");
            moved_lines += u32::from(moved.body[1] != rule.body[1]);
        }
        assert!(moved_lines > 100, "{moved_lines} of 400 lines were moved");
    }
}
