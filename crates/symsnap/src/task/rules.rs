//! A hypothesis that a user gives as text: rules for the task's head predicate, and for helpers that these call.
//!
//! Such rules may be any Prolog that the background may be. They need not lie in the space of the bias, so that it can
//! be asked what a rule would do before the bias allows it.

use super::{Task, bk};
use crate::error::{Diagnostic, Error, MAX_ERRORS, Result};
use crate::logic::{Clause, Computation, Open, Pred, Symbol, Term, TermId, Terms};
use crate::parse::{Span, Text};
use std::path::Path;

/// A rule as a user wrote it.
#[derive(Debug, Clone)]
pub struct GivenRule {
    /// The rule.
    pub clause: Clause,
    /// Its text on one line, with the full stop.
    pub text: String,
}

impl Task {
    /// Read a hypothesis from a file; see [`Task::read_rules`].
    ///
    /// # Errors
    /// If the file cannot be read, or as [`Task::read_rules`].
    #[doc(hidden)]
    pub fn read_rules_file(&mut self, path: &Path) -> Result<Vec<GivenRule>> {
        let bytes = crate::file::read(path)?;
        let source = Text::from_bytes(path.display().to_string(), &bytes).map_err(|finding| Error::from(*finding))?;
        self.read_rules(&source)
    }

    /// Read a hypothesis: rules for the head predicate of the task, and for predicates that other rules call and the
    /// background does not define. Constants of the rules become terms of the task.
    ///
    /// # Errors
    /// If the text does not parse, or has a rule for a predicate that is neither the head nor such a helper.
    #[doc(hidden)]
    pub fn read_rules(&mut self, source: &Text<'_>) -> Result<Vec<GivenRule>> {
        Computation::name_all(&mut self.terms);
        let read = bk::read_clauses(source, &mut self.terms)?;
        // Those of built-ins and of helpers stay goals like others: rules with them are not flat.
        for (clause, _) in &read {
            for summarised in clause.summaries(&self.terms) {
                if self.program.get(summarised.of).is_some() {
                    self.program.summarise(&summarised, &mut self.terms);
                }
            }
        }
        let mut findings = Vec::new();
        for (clause, span) in &read {
            let pred = head_of(clause, &self.terms);
            if pred == self.bias.head {
                continue;
            }
            if self.program.get(pred).is_some() {
                findings.push(self.complain(source, *span, pred, "which the background defines"));
            } else if !is_called(pred, &read, &self.terms) {
                findings.push(self.complain(source, *span, pred, "which no other rule calls"));
            }
        }
        findings.truncate(MAX_ERRORS);
        if !findings.is_empty() {
            return Err(Error::Input(findings));
        }
        let given = read.into_iter().map(|(clause, span)| GivenRule { text: one_line(source, span), clause });
        Ok(given.collect())
    }

    fn complain(&self, source: &Text<'_>, span: Span, pred: Pred, reason: &str) -> Diagnostic {
        let head = self.bias.head.show(&self.terms);
        let finding = source.error(span, format!("a rule for {}, {reason}", pred.show(&self.terms)));
        finding.with_help(format!("the task is to learn {head}; rules for other predicates must serve it"))
    }
}

fn head_of(clause: &Clause, terms: &Terms) -> Pred {
    clause.head.pred(terms).expect("the reader accepts only heads that are atoms or compounds")
}

/// Whether a rule for another predicate mentions the name of `pred` in its body. By name and at any depth, because
/// the call may be made by `maplist` or `call` with further arguments.
fn is_called(pred: Pred, clauses: &[(Clause, Span)], terms: &Terms) -> bool {
    let others = clauses.iter().filter(|(clause, _)| head_of(clause, terms) != pred);
    others.map(|(clause, _)| &clause.body).any(|body| mentions(body, pred.name, terms))
}

fn mentions(body: &Open, name: Symbol, terms: &Terms) -> bool {
    let (mut open, mut ground): (Vec<&Open>, Vec<TermId>) = (vec![body], Vec::new());
    while let Some(part) = open.pop() {
        match part {
            Open::Var(_) => {}
            Open::Ground(id) => ground.push(*id),
            Open::Compound(functor, _) if *functor == name => return true,
            Open::Compound(_, arguments) => open.extend(arguments.iter()),
        }
    }
    while let Some(part) = ground.pop() {
        match terms.get(part) {
            Term::Atom(symbol) | Term::Compound(symbol, _) if symbol == name => return true,
            Term::Compound(_, arguments) => ground.extend(arguments),
            _ => {}
        }
    }
    false
}

/// The text of a clause with its layout reduced to single blanks.
fn one_line(source: &Text<'_>, span: Span) -> String {
    let text = &source.text[span.start as usize..span.end as usize];
    text.split_whitespace().collect::<Vec<_>>().join(" ") + "."
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rules: &str) -> Result<Vec<GivenRule>> {
        let bias = "head_pred(f,1). body_pred(p,2). body_pred(q,1).";
        let mut task = Task::from_texts("p(a,b). q(b).", "pos(f(a)). neg(f(b)).", bias)?;
        task.read_rules(&Text::new("rules.pl", rules))
    }

    fn message(rules: &str) -> String {
        read(rules).unwrap_err().to_string().lines().next().unwrap().to_owned()
    }

    #[test]
    fn rules_keep_their_text_on_one_line() {
        let rules = read("f(X) :-\n    p(X, Y),\n    q(Y).\nf(b).").unwrap();
        let texts: Vec<&str> = rules.iter().map(|rule| rule.text.as_str()).collect();
        assert_eq!(texts, ["f(X) :- p(X, Y), q(Y).", "f(b)."]);
    }

    #[test]
    fn helpers_may_be_called_in_any_way_that_names_them() {
        for rules in [
            "f(X) :- r(X). r(X) :- q(X).",
            "f(X) :- \\+ r(X). r(X) :- q(X).",
            "f(X) :- call(r, X). r(X) :- q(X).",
            "f(X) :- maplist(r, [X,b]). r(X) :- s(X). s(X) :- q(X).",
        ] {
            assert!(read(rules).is_ok(), "{rules}");
        }
    }

    #[test]
    fn rules_that_serve_nothing_are_errors() {
        assert_eq!(
            message("f(X) :- q(X). r(X) :- r(X)."),
            "rules.pl:1:15: error: a rule for r/1, which no other rule calls"
        );
        assert_eq!(message("f(X,Y) :- p(X,Y)."), "rules.pl:1:1: error: a rule for f/2, which no other rule calls");
        assert_eq!(
            message("f(X) :- p(X,_). p(b,a)."),
            "rules.pl:1:17: error: a rule for p/2, which the background defines"
        );
    }
}
