//! Predicates that the rules of a model call and no background defines. Such a rule covers nothing, so what the model
//! says about new examples would be a guess in silence.

use super::Predictor;
use crate::database::Evaluation;
use crate::error::nearest;
use crate::logic::{Pred, Summarised, Terms};

/// A predicate that nothing defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undefined {
    /// The predicate, `name/arity`.
    pub pred: String,
    /// The first member that calls it.
    pub member: usize,
    /// The rule of that member that calls it.
    pub rule: String,
    /// A predicate of the background with nearly that name.
    pub similar: Option<String>,
}

impl Predictor {
    /// The predicates that rules of members call and that neither the background, nor the built-ins, nor the member
    /// itself define, each once. One that the background declares (`:- dynamic p/2.`) is defined: it has no facts.
    #[doc(hidden)]
    pub fn undefined(&self) -> Vec<Undefined> {
        let mut met: Vec<Pred> = Vec::new();
        let mut found = Vec::new();
        for (member, hypothesis) in self.hypotheses().iter().enumerate() {
            let own = |pred: Pred| hypothesis.rules.iter().any(|rule| rule.head.pred == pred);
            for rule in &hypothesis.rules {
                let called = rule.body.iter().map(|literal| Summarised::asked(literal.pred, self.terms()));
                for pred in called.filter(|&pred| !own(pred)) {
                    if self.database().evaluation(pred) != Evaluation::Undefined || met.contains(&pred) {
                        continue;
                    }
                    met.push(pred);
                    let (pred, similar) = (pred.show(self.terms()), self.similar(pred));
                    found.push(Undefined { pred, member, rule: rule.show(self.terms()), similar });
                }
            }
        }
        found
    }

    /// The predicate of the background whose name is nearest: the same name with another number of arguments, or one
    /// that is a slip of the pen away.
    fn similar(&self, pred: Pred) -> Option<String> {
        let (name, terms) = (name_of(self.terms(), pred), self.terms());
        let known = || self.program().predicates().iter().map(|predicate| predicate.pred);
        let same = known().filter(|other| other.name == pred.name).min_by_key(|other| other.arity.abs_diff(pred.arity));
        let alike =
            || nearest(name, known().filter(|other| other.arity == pred.arity).map(|other| name_of(terms, other)));
        same.map(|other| other.show(terms)).or_else(|| {
            let found = alike()?;
            known().find(|&other| other.arity == pred.arity && name_of(terms, other) == found).map(|it| it.show(terms))
        })
    }
}

fn name_of(terms: &Terms, pred: Pred) -> &str {
    terms.name(pred.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::Model;
    use crate::parse::Text;

    fn undefined(rules: &[&str], background: &[&str]) -> Vec<(String, usize, Option<String>)> {
        let members = rules.iter().map(|rules| {
            let confusion = r#"{"tp":0,"fn":0,"tn":0,"fp":0}"#;
            format!(r#"{{"weight":0.5,"rules":["{rules}"],"confusion":{confusion},"size":1,"value":[1]}}"#)
        });
        let members = members.collect::<Vec<_>>().join(",");
        let head = r#""format":1,"symsnap":"","task":null,"fingerprint":null,"head":{"name":"f","arity":1}"#;
        let text =
            format!(r#"{{{head},"cost":"mdl","method":"paper","settings":{{}},"seed":1,"members":[{members}]}}"#);
        let model = Model::from_json("m.json", text.as_bytes()).unwrap();
        let sources: Vec<Text<'_>> = background.iter().map(|&text| Text::from(text)).collect();
        let found = Predictor::new(&model, sources.as_slice()).unwrap().undefined();
        found.into_iter().map(|it| (it.pred, it.member, it.similar)).collect()
    }

    #[test]
    fn what_nothing_defines_is_found_once_with_a_suggestion() {
        let rules = ["f(A) :- p(A,B), lenght(B,C).", "f(A) :- lenght(A,B), colour(B).", "f(A) :- p(A)."];
        let found = undefined(&rules, &["p(a,b).", "length_of(a,3). color(red). q(a)."]);
        let expected = [
            ("lenght/2".to_owned(), 0, None),
            ("colour/1".to_owned(), 1, Some("color/1".to_owned())),
            ("p/1".to_owned(), 2, Some("p/2".to_owned())),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn facts_rules_declarations_builtins_and_own_predicates_are_defined() {
        let rules = [
            "f(A) :- p(A), q(A), empty(A), A > 3, length(A,B).",
            "f(A) :- p(A), f(A).",
            "f(A) :- inv(A). inv(A) :- p(A).",
        ];
        assert_eq!(undefined(&rules, &["p(1).", "q(X) :- p(X). :- dynamic empty/1."]), []);
    }
}
