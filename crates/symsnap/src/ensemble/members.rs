//! Members of an ensemble from text: flat rules for the head predicate, and for what these call.

use crate::error::{Diagnostic, Error, Result};
use crate::logic::{Hypothesis, Pred};
use crate::parse::Text;
use crate::prolog::BuiltIns;
use crate::task::Task;

/// A hypothesis of flat rules; `name` is what messages call the text.
///
/// # Errors
/// If the text does not parse, has rules for other predicates than the head and what it calls, or a rule is not flat.
pub fn read_hypothesis(name: &str, text: &str, task: &mut Task) -> Result<Hypothesis> {
    let given = task.read_rules(&Text::new(name, text))?;
    // Also of predicates that nothing defines, so that these are what is complained about.
    let mut known = BuiltIns::default();
    for summarised in given.iter().flat_map(|given| given.clause.summaries(&task.terms)).collect::<Vec<_>>() {
        let of = summarised.of;
        if task.program.get(of).is_none() && !known.have(task.terms.name(of.name), of.arity) {
            task.program.summarise(&summarised, &mut task.terms);
        }
    }
    let rules = given.iter().map(|given| {
        given.clause.as_rule(&task.terms).ok_or_else(|| {
            let finding = Diagnostic::error(format!("the rule `{}` is not flat", given.text));
            let help = "members are conjunctions of literals over variables and constants, without control constructs";
            Error::from(finding.at(given.clause.location.clone()).with_help(help))
        })
    });
    Ok(Hypothesis { rules: rules.collect::<Result<_>>()? })
}

/// Let the bias of `task` name all predicates that the rules call, so that a database of it evaluates them.
pub(super) fn declare_bodies(hypotheses: &[Hypothesis], task: &mut Task) {
    let rules = || hypotheses.iter().flat_map(|hypothesis| &hypothesis.rules);
    let heads: Vec<Pred> = rules().map(|rule| rule.head.pred).collect();
    for literal in rules().flat_map(|rule| &rule.body) {
        if !task.bias.body.contains(&literal.pred) && !heads.contains(&literal.pred) {
            task.bias.body.push(literal.pred);
        }
    }
}
