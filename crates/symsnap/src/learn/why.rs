//! Why a run found nothing better than the empty hypothesis, and what would help.
//!
//! Asked once, after the run, so it may look at the task again from scratch: first for what makes rules impossible
//! (types, directions, empty relations, examples and facts that do not meet), then at the rule that came closest. It
//! explains; it decides nothing.

use crate::budget::{Budget, StopReason};
use crate::cost::{Confusion, Cost};
use crate::coverage::Evaluator;
use crate::database::{Database, Evaluation};
use crate::logic::{Literal, Pred, Rule, Symbol};
use crate::space::Space;
use crate::task::{Bias, Direction, Task};

/// A rule and what it does with the training examples.
#[derive(Debug, Clone)]
pub struct Tested {
    /// The rule.
    pub rule: Rule,
    /// What it covers.
    pub confusion: Confusion,
}

/// What is known after a run.
pub struct Inquest<'t> {
    /// The task.
    pub task: &'t Task,
    /// Its space.
    pub space: &'t Space,
    /// Its background knowledge.
    pub database: &'t Database,
    /// What was minimised.
    pub cost: Cost,
    /// The rule that came closest to being worth it, if any was worth keeping.
    pub closest: Option<Tested>,
    /// Rules tested.
    pub ticks: u64,
}

/// Literals tried, at most: the inquest is to take no noticeable time.
const PROBES: usize = 2_000;

impl Inquest<'_> {
    /// The reasons, the most fundamental first, each a sentence without a full stop.
    pub fn reasons(&self, stop: StopReason, budget: &Budget) -> Vec<String> {
        if self.task.examples.positives() == 0 {
            return vec!["there are no positive examples, so covering nothing makes no error".to_owned()];
        }
        let mut reasons = Vec::new();
        if let Some(limit) = limit_words(stop) {
            reasons.push(format!("the {limit} came after {} rules were tested: allow more", self.ticks));
        }
        if self.task.bias.recursion || self.task.bias.invention {
            reasons.push("recursive rules and invented predicates, which bias.pl enables, are not searched".to_owned());
        }
        let impossible = self.impossible();
        if !impossible.is_empty() {
            reasons.extend(impossible);
        } else if let Some(closest) = &self.closest {
            reasons.push(self.not_worth_it(closest));
        } else if budget.check().is_none() {
            reasons.extend(self.after_probing(budget));
        }
        reasons
    }

    /// What rules out every rule whatever the examples are.
    fn impossible(&self) -> Vec<String> {
        let (bias, terms) = (&self.task.bias, &self.task.terms);
        if bias.body.is_empty() {
            return vec!["bias.pl declares no body predicate: add body_pred(Name,Arity)".to_owned()];
        }
        let mut reasons = Vec::new();
        let lonely: Vec<usize> = (0..bias.head.arity as usize).filter(|&at| !self.has_partner(at)).collect();
        if !lonely.is_empty() && (!bias.non_datalog || lonely.len() == bias.head.arity as usize) {
            for at in lonely {
                let kind = kinds(bias, bias.head, at).map_or("?", |mut kinds| terms.name(kinds.next().expect("typed")));
                reasons.push(format!(
                    "no body predicate takes an argument of type {kind}, that of argument {} of {}: \
                     declare one that does, or correct type(...) in bias.pl",
                    at + 1,
                    bias.head.show(terms),
                ));
            }
        }
        let empty = |pred: &Pred| match self.database.evaluation(*pred) {
            Evaluation::Facts { rows } | Evaluation::Materialised { rows } => rows == 0,
            Evaluation::Undefined => true,
            Evaluation::Called { .. } => false,
        };
        if bias.body.iter().all(empty) {
            reasons
                .push("no body predicate holds of anything: bk.pl has no facts or answers for any of them".to_owned());
        } else if !self.starts() {
            reasons.push(
                "no body predicate can come first: each has an `in` argument that the head does not bind; \
                 correct direction(...) in bias.pl"
                    .to_owned(),
            );
        }
        reasons
    }

    /// Whether some body predicate may share the head's argument `at`.
    fn has_partner(&self, at: usize) -> bool {
        let bias = &self.task.bias;
        bias.body.iter().any(|&pred| (0..pred.arity as usize).any(|there| agree(bias, pred, there, at)))
    }

    /// Whether some literal needs no more inputs than the head has.
    fn starts(&self) -> bool {
        let bias = &self.task.bias;
        let inputs = |mode: &[Direction]| mode.iter().filter(|&&direction| direction == Direction::In).count();
        let bound = match bias.directions.get(&bias.head) {
            None => bias.head.arity as usize,
            Some(modes) => modes.iter().map(|mode| inputs(mode)).max().unwrap_or(0),
        };
        let free = |pred: &Pred| match bias.directions.get(pred) {
            None => true,
            Some(modes) => modes.iter().any(|mode| inputs(mode) <= bound),
        };
        bias.body.iter().any(free)
    }

    /// Why the rule that came closest is no better than nothing.
    fn not_worth_it(&self, closest: &Tested) -> String {
        let Confusion { tp, fn_, fp, .. } = closest.confusion;
        let (rule, size) = (closest.rule.show(&self.task.terms), closest.rule.size());
        let covers = format!("`{}` covers {tp} of {} positives and {fp} negatives", plain(&rule), tp + fn_);
        match self.cost {
            Cost::Mdl => {
                let instead = if tp > fp { "--cost errorsize or --cost lexfnsize" } else { "--cost lexfnsize" };
                format!(
                    "no rule covers more positives than its size and its negatives together: {covers} with size \
                     {size}; {instead} would accept it"
                )
            }
            Cost::ErrorSize => format!(
                "every rule covers at least as many negatives as positives: {covers}; \
                 --cost lexfnsize would accept it, a larger --max-body or --max-vars may tell them apart"
            ),
            Cost::LexFnSize => format!("{covers}, but no more was found"),
        }
    }

    /// Try every literal by itself.
    fn after_probing(&self, budget: &Budget) -> Vec<String> {
        let (bias, examples) = (&self.task.bias, &self.task.examples);
        let mut evaluator = Evaluator::new(self.database, examples).with_budget(budget.clone());
        let mut best: Option<Tested> = None;
        let mut holds = false;
        for literal in probes(bias) {
            let head: Vec<u8> = (0..bias.head.arity as u8).collect();
            let rule = Rule { head: Literal::over(bias.head, &head), body: vec![literal] };
            let cover = evaluator.rule(&rule);
            if budget.check().is_some() {
                return Vec::new();
            }
            let confusion = Confusion::new(&cover.pos, &cover.neg, examples);
            holds |= confusion.tp > 0;
            let better = best.as_ref().is_none_or(|best| gain(&confusion) > gain(&best.confusion));
            if confusion.tp > 0 && better && self.space.contains(&rule).is_ok() {
                best = Some(Tested { rule, confusion });
            }
        }
        match best {
            Some(best) if self.cost == Cost::Mdl => vec![self.not_worth_it(&best)],
            _ if !holds => self.strangers(),
            _ => vec![self.nothing_fits()],
        }
    }

    /// No literal holds of a positive example.
    fn strangers(&self) -> Vec<String> {
        let examples = &self.task.examples;
        let tables: Vec<_> = self.task.bias.body.iter().filter_map(|&pred| self.database.relation(pred)).collect();
        let known =
            |value: u32| tables.iter().any(|table| (0..table.arity()).any(|at| !table.rows(at, value).is_empty()));
        let all_tables = tables.len() == self.task.bias.body.len();
        let mut values = (0..examples.positives()).flat_map(|at| examples.positive(at));
        match examples.positive(0).first() {
            Some(&first) if all_tables && values.all(|value| !known(value.index() as u32)) => vec![format!(
                "the examples and the background knowledge share no constants: no body predicate knows {}, for example; \
                 check the spelling in exs.pl and bk.pl",
                self.task.terms.show(first),
            )],
            _ => vec![
                "no body literal holds of any positive example: check the order of arguments, types and directions"
                    .to_owned(),
            ],
        }
    }

    /// Literals hold of positive examples, but no rule came of them.
    fn nothing_fits(&self) -> String {
        let worth = match self.cost {
            Cost::Mdl => "more positives than its size",
            Cost::ErrorSize | Cost::LexFnSize => "a positive example",
        };
        let Bias { max_body, max_vars, .. } = &self.task.bias;
        format!(
            "no rule that bias.pl allows covers {worth} (max_body is {max_body}, max_vars is {max_vars}): \
             raise --max-body or --max-vars, or relax the constraints"
        )
    }
}

/// What a rule saves in errors.
fn gain(confusion: &Confusion) -> i128 {
    i128::from(confusion.tp) - i128::from(confusion.fp)
}

fn plain(rule: &str) -> &str {
    rule.trim_end_matches('.')
}

fn limit_words(stop: StopReason) -> Option<&'static str> {
    match stop {
        StopReason::Time => Some("time limit"),
        StopReason::Ticks => Some("tick limit"),
        StopReason::Memory => Some("memory limit"),
        StopReason::Cancelled | StopReason::Observer => Some("interruption"),
        StopReason::Proved | StopReason::Exhausted => None,
    }
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
    let head = bias.head.arity as u8;
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
    if fresh < bias.max_vars {
        args.push(fresh as u8);
        fill(bias, pred, args, found);
        args.pop();
    }
}
