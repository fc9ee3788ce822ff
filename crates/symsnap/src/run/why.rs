//! Why a run found nothing better than the empty hypothesis, and what would help.
//!
//! Asked once, after the run, so it may look at the task again from scratch. First at what makes rules impossible (types,
//! directions, empty relations, examples and facts that do not meet). Then it *tries*: it learns again for a short while
//! with another cost, with larger limits, without constraints, types or directions, and names what was seen to help. An
//! advice that was not seen to help is not given. It explains; it decides nothing.

use super::advice::{Change, Next, Reason};
use crate::budget::{Budget, StopReason};
use crate::cost::{Confusion, Cost};
use crate::coverage::Evaluator;
use crate::database::{Evaluation, undefined};
use crate::index::{narrow, variables};
use crate::instance::Instance;
use crate::learn::{Candidate, Closest, NamedLearner, Outcome, Settings};
use crate::logic::{Literal, Pred, Rule, Symbol};
use crate::task::{Bias, Constraints, Direction, Examples};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// What is known after a run that found nothing.
pub(super) struct Inquest<'i> {
    /// What was learned from.
    pub(super) on: &'i Instance<'i>,
    /// What the learner was told.
    pub(super) settings: &'i Settings,
    /// How the run ended.
    pub(super) outcome: &'i Outcome,
    /// Who learned, and makes short attempts at what would have helped.
    pub(super) learner: &'i NamedLearner,
}

/// Literals tried, at most: the inquest is to take no noticeable time.
const PROBES: usize = 2_000;

/// Rules tested in each attempt, at most.
const TICKS: u64 = 5_000;

/// Time for all attempts together, at most. Under a limit on ticks the result must not depend on the clock, so there is
/// none then.
const TIME: Duration = Duration::from_secs(1);

/// How much larger limits are tried.
const STEP: usize = 2;

/// Constraints that are tried one by one, at most.
const CONSTRAINTS: usize = 8;

impl Inquest<'_> {
    /// The reasons, the most fundamental first.
    pub(super) fn reasons(&self, budget: &Budget) -> Vec<Reason> {
        if self.on.examples().positives() == 0 {
            let text =
                "there are no positive examples, so covering nothing makes no error: add `pos(...)` facts to exs.pl";
            return vec![check(text)];
        }
        let impossible = self.impossible();
        if !impossible.is_empty() {
            return impossible.into_iter().map(check).collect();
        }
        if let Some(reason) = self.limit() {
            return vec![reason];
        }
        let closest = match self.probe(budget) {
            Probed::Holds(closest) => self.outcome.closest.clone().or(closest),
            Probed::Nowhere(_) if self.has_more_than_predicates() => self.outcome.closest.clone(),
            Probed::Nowhere(text) => return vec![check(text)],
        };
        let budget = if budget.tick_limit().is_some() { budget.clone() } else { budget.no_later_than(TIME) };
        let budget = budget.with_ticks(TICKS);
        let reasons = self.attempts(&budget);
        if reasons.is_empty() { vec![self.no_way_out(closest, budget.check().is_none())] } else { reasons }
    }

    /// Nothing was seen to help; whether everything was `tried`.
    fn no_way_out(&self, closest: Option<Closest>, tried: bool) -> Reason {
        let mut text = self.condition();
        if let Some(Closest { rule, confusion }) = closest.filter(|closest| closest.confusion.tp > 0) {
            let shown = rule.show(self.on.terms());
            text +=
                &format!(": `{}`, for one, has size {} and covers {}", plain(&shown), rule.size(), covers(&confusion));
        }
        if tried {
            let Bias { max_body, max_vars, .. } = self.on.bias();
            text += &format!(
                "; other costs, {} body literals and {} variables were tried for a moment, and told positives from \
                 negatives no better",
                max_body + STEP,
                max_vars + STEP
            );
        }
        check(text)
    }

    /// The limit that ended the run, if one did.
    fn limit(&self) -> Option<Reason> {
        let stop = self.outcome.stop;
        let words = match stop {
            StopReason::Time => "the time limit",
            StopReason::Ticks => "the limit on rules tested",
            StopReason::Memory => "the memory limit",
            StopReason::Cancelled | StopReason::Observer => "an interruption",
            StopReason::Proved | StopReason::Exhausted => return None,
        };
        let text =
            format!("{words} ended the search after {}, before it was complete", count(self.outcome.ticks, "rule"));
        // Without an option to raise, a smaller space is what needs less memory.
        let smaller = (stop == StopReason::Memory).then(|| self.on.bias().max_body.saturating_sub(1).max(1));
        let change = Change { more: Some(stop), max_body: smaller, ..Change::default() };
        Some(Reason { text, next: Next::Learn(change), finds: None })
    }

    /// What rules out every rule whatever the examples are.
    fn impossible(&self) -> Vec<String> {
        let (bias, terms) = (self.on.bias(), self.on.terms());
        if self.has_more_than_predicates() {
            return Vec::new();
        }
        if bias.body.is_empty() {
            return vec!["bias.pl declares no body predicate: add `body_pred(Name,Arity).`".to_owned()];
        }
        let holds_of_nothing = |pred: &Pred| match self.on.database().evaluation(*pred) {
            Evaluation::Facts { rows } | Evaluation::Materialised { rows } => rows == 0,
            Evaluation::Undefined => true,
            Evaluation::Called { .. } => false,
        };
        if bias.body.iter().all(holds_of_nothing) {
            let names: Vec<String> = bias.body.iter().take(3).map(|pred| pred.show(terms)).collect();
            let more = if bias.body.len() > names.len() { ", ..." } else { "" };
            return vec![format!(
                "no body predicate holds of anything: bk.pl has no facts or answers for {}{more}; add them, or correct \
                 body_pred in bias.pl",
                names.join(", ")
            )];
        }
        let mut reasons = Vec::new();
        let lonely: Vec<usize> = (0..bias.head.arity as usize).filter(|&at| !self.has_partner(at)).collect();
        if !lonely.is_empty() && (!bias.non_datalog || lonely.len() == bias.head.arity as usize) {
            for at in lonely {
                let kind = kinds(bias, bias.head, at).map_or("?", |mut kinds| terms.name(kinds.next().expect("typed")));
                reasons.push(format!(
                    "no body predicate takes an argument of type {kind}, that of argument {} of {}: declare one that \
                     does, or correct type(...) in bias.pl",
                    at + 1,
                    bias.head.show(terms),
                ));
            }
        }
        if !self.starts() {
            reasons.push(
                "no body predicate can come first: each has an `in` argument, and the head has none that binds it; \
                 correct direction(...) in bias.pl"
                    .to_owned(),
            );
        }
        reasons
    }

    /// Whether rules may be made of more than body predicates over variables: a comparison holds of an example, and a constant
    /// stands in the head or for an input, whatever the predicates are like.
    fn has_more_than_predicates(&self) -> bool {
        let bias = self.on.bias();
        !bias.constants.is_empty() || !bias.cuts.is_empty() || !bias.summaries.is_empty()
    }

    /// Whether some body predicate may share the head's argument `at`.
    fn has_partner(&self, at: usize) -> bool {
        let bias = self.on.bias();
        bias.body.iter().any(|&pred| (0..pred.arity as usize).any(|there| agree(bias, pred, there, at)))
    }

    /// Whether some body predicate needs no input, or the head has one to give.
    fn starts(&self) -> bool {
        let bias = self.on.bias();
        let takes = |modes: &Vec<Box<[Direction]>>| modes.iter().all(|mode| mode.contains(&Direction::In));
        let head_binds = bias
            .directions
            .get(&bias.head)
            .is_none_or(|modes| bias.head.arity > 0 && modes.iter().any(|mode| mode.contains(&Direction::In)));
        head_binds || bias.body.iter().any(|pred| bias.directions.get(pred).is_none_or(|modes| !takes(modes)))
    }

    /// What is true of every hypothesis, because the empty one is best.
    fn condition(&self) -> String {
        let kind = if self.settings.functional { "no functional hypothesis" } else { "no hypothesis" };
        let none = if self.outcome.optimal { kind.to_owned() } else { format!("{kind} that was found") };
        format!("{none} {}", self.settings.cost.asks())
    }

    /// What was seen to help, what makes the fewest errors first: at most one other cost, and at most one other space.
    fn attempts(&self, budget: &Budget) -> Vec<Reason> {
        let mut helped = Vec::new();
        if self.settings.functional {
            let change = Change { any_function: true, ..Change::default() };
            let text = "--functional refused what was found that would be better, and what else there may be was not looked for";
            helped.extend(self.attempt(self.on.bias(), &change, budget).map(|found| found.by(text, change)));
        }
        helped.extend(self.other_cost(budget));
        helped.extend(self.larger(budget).or_else(|| self.freer(budget)));
        helped.sort_by_key(|(errors, _)| *errors);
        helped.into_iter().map(|(_, reason)| reason).collect()
    }

    /// Another cost, the more patient with errors the later.
    fn other_cost(&self, budget: &Budget) -> Option<(u64, Reason)> {
        Cost::ALL.into_iter().filter(|&cost| cost != self.settings.cost).find_map(|cost| {
            let change = Change { cost: Some(cost), ..Change::default() };
            Some(self.attempt(self.on.bias(), &change, budget)?.by(self.condition(), change))
        })
    }

    /// Larger limits, under the same cost.
    fn larger(&self, budget: &Budget) -> Option<(u64, Reason)> {
        let Bias { max_body, max_vars, .. } = *self.on.bias();
        let (literals, variables) = (count(max_body as u64, "body literal"), count(max_vars as u64, "variable"));
        let body = Change { max_body: Some(max_body + STEP), ..Change::default() };
        let vars = Change { max_vars: Some(max_vars + STEP), ..Change::default() };
        let both = Change { max_vars: vars.max_vars, ..body.clone() };
        let ways = [(body, literals.clone()), (vars, variables.clone()), (both, format!("{literals} and {variables}"))];
        ways.into_iter().find_map(|(change, limit)| {
            let found = self.attempt(self.on.bias(), &change, budget)?;
            Some(found.by(format!("rules with at most {limit} are too small"), change))
        })
    }

    /// Fewer declarations, under the same cost: what bias.pl rules out.
    fn freer(&self, budget: &Budget) -> Option<(u64, Reason)> {
        let bias = self.on.bias();
        let mut ways: Vec<(String, Bias)> = Vec::new();
        for (at, text) in bias.constraints.texts().enumerate().take(CONSTRAINTS) {
            let constraints = bias.constraints.without(at);
            ways.push((
                format!("the constraint `{}` in bias.pl rules", plain(text)),
                Bias { constraints, ..bias.clone() },
            ));
        }
        if bias.constraints.len() > 1 {
            let constraints = Constraints::default();
            ways.push(("the constraints in bias.pl rule".to_owned(), Bias { constraints, ..bias.clone() }));
        }
        // Without directions no hypothesis is functional or not, so that would be another question.
        if !bias.directions.is_empty() && !self.settings.functional {
            let directions = FxHashMap::default();
            ways.push(("the directions in bias.pl rule".to_owned(), Bias { directions, ..bias.clone() }));
        }
        // Without types there is nothing to compare with numbers, or everything.
        if !bias.types.is_empty() && bias.cuts.is_empty() {
            let types = FxHashMap::default();
            ways.push(("the types in bias.pl rule".to_owned(), Bias { types, ..bias.clone() }));
        }
        ways.into_iter().find_map(|(what, freer)| {
            let found = self.attempt(&freer, &Change::default(), budget)?;
            Some((found.errors, check(format!("{what} out {}: change what is not meant", found.text))))
        })
    }

    /// Learn for a short while under another bias or told something else. Returns what was found, if it tells positives
    /// from negatives.
    fn attempt(&self, bias: &Bias, change: &Change, budget: &Budget) -> Option<BestOfAttempt> {
        if budget.check().is_some() {
            return None;
        }
        let mut bias = bias.clone();
        bias.max_body = change.max_body.unwrap_or(bias.max_body);
        bias.max_vars = change.max_vars.unwrap_or(bias.max_vars);
        let settings = Settings {
            cost: change.cost.unwrap_or(self.settings.cost),
            functional: self.settings.functional && !change.any_function,
            optima: 1,
            keep: 0,
            ..self.settings.clone()
        };
        let on = self.on.with_bias(bias, budget);
        let best = self.learner.make(settings).learn(&on, budget, &mut Vec::new()).ok()?.best?;
        tells_apart(&best.confusion, on.examples()).then(|| BestOfAttempt::new(&best, &on))
    }

    /// Test every literal by itself: if none holds of a positive example, then no rule does.
    fn probe(&self, budget: &Budget) -> Probed {
        let (bias, examples) = (self.on.bias(), self.on.examples());
        let literals = probes(bias);
        let all = literals.len() < PROBES;
        let mut evaluator = Evaluator::new(self.on.database(), examples).with_budget(budget.clone());
        let mut best: Option<Closest> = None;
        let mut holds = false;
        for literal in literals {
            let head = variables(bias.head.arity);
            let rule = Rule { head: Literal::over(bias.head, &head), body: vec![literal] };
            let cover = evaluator.rule(&rule);
            if budget.check().is_some() {
                return Probed::Holds(best);
            }
            let confusion = examples.confusion(&cover);
            holds |= confusion.tp > 0;
            let better = best.as_ref().is_none_or(|best| gain(&confusion) > gain(&best.confusion));
            if confusion.tp > 0 && better && self.on.space().contains(&rule).is_ok() {
                best = Some(Closest { rule, confusion });
            }
        }
        // Of a literal that could not be evaluated to its end it is not known where it holds.
        if holds || !all || evaluator.notes().unfinished > 0 {
            return Probed::Holds(best);
        }
        let tables: Vec<_> = bias.body.iter().filter_map(|&pred| self.on.database().relation(pred)).collect();
        let known =
            |value: u32| tables.iter().any(|table| (0..table.arity()).any(|at| !table.rows(at, value).is_empty()));
        let all_tables = tables.len() == bias.body.len();
        let mut values = (0..examples.positives()).flat_map(|at| examples.positive(at));
        Probed::Nowhere(match examples.positive(0).first() {
            Some(&first) if all_tables && values.all(|value| !known(narrow(value.index()))) => format!(
                "no constant of a positive example occurs in the facts of a body predicate, {} for one: correct the \
                 spelling in exs.pl or bk.pl",
                self.on.terms().show(first),
            ),
            _ => match undefined(&self.on.as_task()).first() {
                Some(slip) => format!("no body literal by itself holds of a positive example, and {}", slip.message),
                None => {
                    "no body literal by itself holds of a positive example: correct the order of arguments, types or \
                         directions"
                        .to_owned()
                }
            },
        })
    }
}

/// What literals do by themselves.
enum Probed {
    /// Some may hold of a positive example; the one that saves most, if the bias allows it as a rule.
    Holds(Option<Closest>),
    /// None does; why.
    Nowhere(String),
}

/// What a rule saves in errors.
fn gain(confusion: &Confusion) -> i128 {
    i128::from(confusion.tp) - i128::from(confusion.fp)
}

/// A hypothesis that was found in an attempt.
struct BestOfAttempt {
    text: String,
    errors: u64,
}

impl BestOfAttempt {
    fn new(best: &Candidate, on: &Instance<'_>) -> Self {
        let what = match &best.hypothesis.rules[..] {
            [rule] => format!("`{}`", plain(&rule.show(on.terms()))),
            rules => format!("a hypothesis of {} rules", rules.len()),
        };
        let Confusion { tp, fn_, tn, fp } = best.confusion;
        let text = format!("{what} ({tp} of {}, {fp} of {})", count(tp + fn_, "positive"), count(tn + fp, "negative"));
        BestOfAttempt { text, errors: fp + fn_ }
    }

    /// The reason that leads to it by a change, with its errors.
    fn by(self, text: impl Into<String>, change: Change) -> (u64, Reason) {
        (self.errors, Reason { text: text.into(), next: Next::Learn(change), finds: Some(self.text) })
    }
}

fn check(text: impl Into<String>) -> Reason {
    Reason { text: text.into(), next: Next::Check, finds: None }
}

/// Whether a larger share of the positives than of the negatives is covered.
fn tells_apart(confusion: &Confusion, examples: &Examples) -> bool {
    let total = |weights: &[u32]| weights.iter().map(|&weight| u128::from(weight)).sum::<u128>();
    let (positives, negatives) = (total(examples.positive_weights()), total(examples.negative_weights()));
    let (tp, fp) = (u128::from(confusion.tp), u128::from(confusion.fp));
    if negatives == 0 { tp > 0 } else { tp * negatives > fp * positives }
}

fn covers(confusion: &Confusion) -> String {
    let Confusion { tp, fn_, tn, fp } = confusion;
    format!("{tp} of {} and {fp} of {}", count(tp + fn_, "positive"), count(tn + fp, "negative"))
}

fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn plain(rule: &str) -> &str {
    rule.trim_end_matches('.')
}

/// The declared types of an argument; `None` if it has none.
fn kinds(bias: &Bias, pred: Pred, at: usize) -> Option<impl Iterator<Item = Symbol> + '_> {
    bias.types.get(&pred).filter(|declared| !declared.is_empty()).map(move |all| all.iter().map(move |types| types[at]))
}

/// Whether argument `there` of `pred` may be the head's argument `at`.
fn agree(bias: &Bias, pred: Pred, there: usize, at: usize) -> bool {
    match (kinds(bias, pred, there), kinds(bias, bias.head, at)) {
        (Some(mut ours), Some(theirs)) => {
            let theirs: Vec<Symbol> = theirs.collect();
            ours.any(|kind| theirs.contains(&kind))
        }
        _ => true,
    }
}

/// Literals that share a variable with the head, every other variable used once.
fn probes(bias: &Bias) -> Vec<Literal> {
    let mut found = Vec::new();
    for &pred in &bias.body {
        let mut args = Vec::new();
        fill(bias, pred, &mut args, &mut found);
    }
    found
}

fn fill(bias: &Bias, pred: Pred, args: &mut Vec<u8>, found: &mut Vec<Literal>) {
    let head = narrow(bias.head.arity);
    if found.len() == PROBES {
        return;
    }
    if args.len() == pred.arity as usize {
        if args.is_empty() || args.iter().any(|&arg| arg < head) {
            found.push(Literal::over(pred, args));
        }
        return;
    }
    for var in (0..head).filter(|&var| agree(bias, pred, args.len(), var as usize)).collect::<Vec<_>>() {
        if !args.contains(&var) {
            args.push(var);
            fill(bias, pred, args, found);
            args.pop();
        }
    }
    let fresh = head as usize + args.iter().filter(|&&arg| arg >= head).count();
    // A constant may stand where there is no variable left.
    if fresh < bias.max_vars || bias.constants.allows(bias, pred, args.len()) {
        args.push(narrow(fresh));
        fill(bias, pred, args, found);
        args.pop();
    }
}
