//! Members of an ensemble from text: flat rules for the head predicate, and for what these call.

use crate::error::{Diagnostic, Result};
use crate::logic::{Hypothesis, Pred, Summarised};
use crate::parse::Text;
use crate::task::{GivenRule, Task};

/// A hypothesis of flat rules; `name` is what messages call the text.
///
/// # Errors
/// If the text does not parse, has rules for other predicates than the head and what it calls, or a rule is not flat.
pub fn read_hypothesis(name: &str, text: &str, task: &mut Task) -> Result<Hypothesis> {
    let given = task.read_rules(&Text::new(name, text))?;
    flat_hypothesis(&given, task)
}

/// The hypothesis that flat rules are.
///
/// # Errors
/// If one of them is not flat, or negates what they define: rules are tested one by one, where that would be unknown.
pub(super) fn flat_hypothesis(given: &[GivenRule], task: &mut Task) -> Result<Hypothesis> {
    for summarised in given.iter().flat_map(|given| given.clause.summaries(&task.terms)).collect::<Vec<_>>() {
        // Also of predicates that nothing defines, so that these are what is complained about.
        if !takes_goals(task.terms.name(summarised.of.name)) {
            task.program.summarise(&summarised, &mut task.terms);
        }
    }
    let mut rules = Vec::with_capacity(given.len());
    for GivenRule { clause, text } in given {
        let Some(rule) = clause.as_rule(&task.terms) else {
            let finding = Diagnostic::error(format!("the rule `{text}` is not flat")).at(clause.location.clone());
            let help = "members are conjunctions of literals over variables and constants, without control constructs";
            return Err(finding.with_help(help).into());
        };
        rules.push((rule, &clause.location));
    }
    for (rule, location) in &rules {
        let own = |pred: Pred| rules.iter().any(|(other, _)| other.head.pred == pred);
        let negated = rule.body.iter().filter_map(|literal| Summarised::by(literal.pred, &task.terms));
        if let Some(negated) = negated.map(|summarised| summarised.of).find(|&pred| own(pred)) {
            let message =
                format!("a rule asks for all answers of {}, which it helps to define", negated.show(&task.terms));
            return Err(Diagnostic::error(message).at((*location).clone()).into());
        }
    }
    Ok(Hypothesis { rules: rules.into_iter().map(|(rule, _)| rule).collect() })
}

/// Whether a goal of this name is made of goals, so that nothing can be said of its answers without them.
fn takes_goals(name: &str) -> bool {
    let control = [",", ";", "|", "->", "*->", "\\+", "not", "!", ":"];
    let calls = ["call", "findall", "forall", "once", "ignore", "bagof", "setof", "aggregate_all", "maplist", "catch"];
    control.contains(&name) || calls.contains(&name)
}

/// Let the bias of `task` name all predicates that the rules call, so that a database of it evaluates them.
pub(super) fn declare_bodies(hypotheses: &[Hypothesis], task: &mut Task) {
    let rules = || hypotheses.iter().flat_map(|hypothesis| &hypothesis.rules);
    let heads: Vec<Pred> = rules().map(|rule| rule.head.pred).collect();
    for literal in rules().flat_map(|rule| &rule.body) {
        // A summary, and what it asks: whoever looks for undefined predicates looks there.
        for pred in [literal.pred, Summarised::asked(literal.pred, &task.terms)] {
            if !task.bias.body.contains(&pred) && !heads.contains(&pred) {
                task.bias.body.push(pred);
            }
        }
    }
}
