//! Individuals of new examples that the background does not mention. Whatever rules look up about them has no answer,
//! so the model votes negative without knowing anything.

use super::Predictor;
use crate::logic::{Arg, Literal, Rule};
use crate::random::mix;
use crate::task::Batch;
use rustc_hash::FxHashSet;

/// So many different individuals are told apart; beyond that there are only "more".
const MOST: usize = 1_000_000;
/// So many are named.
const NAMED: usize = 3;

/// Counts individuals that occur nowhere in the background of a model.
#[derive(Debug, Clone, Default)]
pub struct Strangers {
    /// Hashes of their texts: the terms of one batch are forgotten when others come.
    met: FxHashSet<u64>,
    first: Vec<String>,
}

impl Strangers {
    /// Count those of `batch`, whose terms are those of [`Predictor::terms`].
    pub fn count(&mut self, predictor: &Predictor, batch: &Batch) {
        let places = looked_up(predictor);
        for at in 0..batch.len() {
            let args = batch.args(at);
            for &arg in places.iter().map(|&place| &args[place]).filter(|&&arg| !predictor.is_known(arg)) {
                if self.met.len() > MOST {
                    return;
                }
                let text = predictor.terms().show(arg);
                let hash = text.bytes().fold(1, |hash, byte| mix(hash ^ u64::from(byte)));
                if self.met.insert(hash) && self.first.len() < NAMED {
                    self.first.push(text);
                }
            }
        }
    }

    /// How many different ones there are.
    pub fn len(&self) -> usize {
        self.met.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.met.is_empty()
    }

    /// What to say about them, if there are any.
    pub fn warning(&self) -> Option<String> {
        let names = self.first.join(", ");
        let (count, rest) = match self.len() {
            0 => return None,
            1 => {
                return Some(format!(
                    "1 individual occurs nowhere in the background and was looked up in vain: {names}"
                ));
            }
            count if count > MOST => (format!("more than {MOST}"), ", ..."),
            count if count > NAMED => (count.to_string(), ", ..."),
            count => (count.to_string(), ""),
        };
        Some(format!("{count} individuals occur nowhere in the background and were looked up in vain: {names}{rest}"))
    }
}

/// The arguments of examples that rules look up in tables. What is computed with (a list, a number) need not occur in
/// the background, so an argument counts only if every rule that uses it looks it up.
fn looked_up(predictor: &Predictor) -> Vec<usize> {
    let arity = predictor.head().arity as usize;
    let rules = || predictor.hypotheses().iter().flat_map(|it| &it.rules).filter(|it| it.head.pred == predictor.head());
    let uses = |rule: &Rule, place: usize, tables_only: bool| {
        let Arg::Var(var) = rule.head.args[place] else { return false };
        let table = |literal: &&Literal| !tables_only || predictor.database().relation(literal.pred).is_some();
        rule.body.iter().filter(table).any(|literal| literal.vars().any(|other| other == var))
    };
    let counts = |&place: &usize| {
        rules().any(|rule| uses(rule, place, true))
            && rules().all(|rule| uses(rule, place, true) || !uses(rule, place, false))
    };
    (0..arity).filter(counts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::model::FORMAT;
    use crate::ensemble::{Head, Member, Model};
    use crate::parse::Text;
    use crate::task::Queries;

    fn warning(rules: &[&str], background: &str, atoms: &str) -> Option<String> {
        let member = Member {
            weight: 1.0,
            rules: rules.iter().map(|&rule| rule.to_owned()).collect(),
            confusion: Default::default(),
            size: 0,
            value: Vec::new(),
        };
        let model = Model {
            format: FORMAT,
            symsnap: String::new(),
            task: None,
            fingerprint: None,
            head: Head { name: "f".to_owned(), arity: 2 },
            cost: "mdl".to_owned(),
            method: "paper".to_owned(),
            settings: Default::default(),
            seed: 1,
            notes: Vec::new(),
            pool: None,
            vote: None,
            calibration: None,
            members: vec![member],
            rules: Vec::new(),
        };
        let mut predictor = Predictor::new(&model, &[Text::from(background)]).unwrap();
        let mut strangers = Strangers::default();
        let mut queries = Queries::new("<text>", atoms.as_bytes(), predictor.head());
        loop {
            let batch = queries.next(predictor.terms_for_batch()).unwrap();
            if batch.is_empty() {
                return strangers.warning();
            }
            strangers.count(&predictor, &batch);
        }
    }

    #[test]
    fn individuals_that_the_background_lacks_are_counted_and_the_first_named() {
        let (rules, background) = (["f(A,B) :- p(A), q(B)."], "p(a). q(b).");
        assert_eq!(warning(&rules, background, "f(a,b). f(b,a)."), None);
        let one = "1 individual occurs nowhere in the background and was looked up in vain: z";
        assert_eq!(warning(&rules, background, "f(a,z). f(z,b). f(z,z).").as_deref(), Some(one));
        let many = "5 individuals occur nowhere in the background and were looked up in vain: v, w, [x], ...";
        assert_eq!(warning(&rules, background, "f(v,w). f(v,[x]). f(7,8.5).").as_deref(), Some(many));
    }

    #[test]
    fn what_rules_compute_with_or_do_not_use_need_not_be_in_the_background() {
        let background = "p(a). len(X,N) :- length(X,N).";
        assert_eq!(warning(&["f(A,B) :- p(A).", "f(A,B) :- p(A), len(B,C)."], background, "f(a,[z]). f(a,9)."), None);
        assert!(warning(&["f(A,B) :- p(A), len(B,C)."], background, "f(z,[y]).").is_some_and(|it| it.ends_with(": z")));
    }
}
