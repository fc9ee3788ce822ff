//! Why a member says what it says about one atom: a proof, or how far the closest rule came.
//!
//! A proof is a rule instance: every variable with its value, every body literal a fact, something that the background
//! derives, or, for recursive members, an atom that another instance proves. A failure is the rule with the fewest
//! literals left when it stuck, its literals up to there with the values that came that far, and the literal
//! that has no answer for them, or raises an error: that ends this rule, and others are still tried. Literals are tried
//! in the order in which rules are written, as Prolog would, so that what is shown can be followed by hand. One atom at a
//! time, with calls through the embedded evaluator; for many atoms there is
//! [`Predictor::predict`](super::Predictor::predict).

use super::witness::{Reached, reached};
use crate::database::{Database, Evaluation};
use crate::logic::{Arg, Hypothesis, Literal, Pred, Rule, TermId, Terms};
use crate::prolog::Engine;
use std::fmt::Write as _;

/// Answers looked at for one atom before the search gives up.
const MOST_STEPS: u32 = 200_000;
/// How many rule instances a proof may stack.
const MOST_DEPTH: usize = 50;

/// A rule with values for its variables: a proof of an atom, or how far one came.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleInstance {
    /// Which rule of the member it is.
    #[doc(hidden)]
    pub rule: usize,
    /// The head with its values.
    pub head: String,
    /// The body literals, in order, with their values; a variable without a value keeps its name.
    #[doc(hidden)]
    pub body: Vec<Step>,
}

/// A body literal of a [`RuleInstance`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The literal.
    pub literal: String,
    /// Why it holds.
    pub reason: Justification,
}

/// Why a body literal of a [`RuleInstance`] holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Justification {
    /// It is a fact of the background.
    Fact,
    /// Rules of the background, or built-in predicates, derive it.
    Derived,
    /// A rule of the member proves it; `None` where that would be too long to show.
    Rule(Option<Box<RuleInstance>>),
}

/// How far the closest rule of a member came to covering an atom.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The rule with the values that came furthest, up to the literal that failed.
    pub reached: RuleInstance,
    /// The literal without an answer; `None` if the head itself does not match.
    pub failed: Option<String>,
    /// What that literal raised, if it raised an error rather than just have no answer.
    pub error: Option<String>,
    /// The literals behind it, which were not tried.
    #[doc(hidden)]
    pub untried: Vec<String>,
}

/// Why a member votes as it does on one atom ([`Predictor::explain`](super::Predictor::explain)).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It covers the atom.
    Proof(RuleInstance),
    /// It does not.
    Failure(Failure),
    /// The search for either took too long, or the member has no rules.
    Unknown,
}

/// Explains votes over one background.
#[derive(Debug)]
pub struct Explainer<'d> {
    database: &'d Database,
    engine: Engine,
}

impl<'d> Explainer<'d> {
    /// An explainer over `database`, which knows the terms of the atoms to be explained.
    pub fn new(database: &'d Database) -> Self {
        Explainer { database, engine: database.engine() }
    }

    /// Why `hypothesis` covers the atom of `pred` with these arguments, or does not.
    pub fn why(&mut self, hypothesis: &Hypothesis, pred: Pred, args: &[TermId]) -> Why {
        if hypothesis.is_recursive() {
            self.engine.set_hypothesis(&hypothesis.rules);
        } else {
            self.engine.remove_hypothesis();
        }
        let (proving, closest) = (Vec::new(), None);
        let mut search = Search { explainer: self, hypothesis, steps: MOST_STEPS, proving, closest, raised: false };
        let proof = if hypothesis.is_recursive() { search.prove(pred, args) } else { search.one_by_one(pred, args) };
        if let Some(proof) = proof {
            return Why::Proof(proof);
        }
        match (search.steps, search.closest) {
            (1.., Some(closest)) => Why::Failure(closest.failure),
            _ => Why::Unknown,
        }
    }
}

struct ClosestFailure {
    left: usize,
    failure: Failure,
}

struct Search<'s, 'd> {
    explainer: &'s mut Explainer<'d>,
    hypothesis: &'s Hypothesis,
    steps: u32,
    /// The atoms whose proofs are under way: none of them helps to prove itself.
    proving: Vec<(Pred, Vec<TermId>)>,
    closest: Option<ClosestFailure>,
    /// Whether an error has ended the proof of a program whose rules call each other.
    raised: bool,
}

type Values = Vec<Option<TermId>>;

impl Search<'_, '_> {
    /// Run each rule by itself, for a hypothesis whose rules do not call each other.
    fn one_by_one(&mut self, pred: Pred, args: &[TermId]) -> Option<RuleInstance> {
        let hypothesis = self.hypothesis;
        for (at, rule) in hypothesis.rules.iter().enumerate().filter(|(_, rule)| rule.head.pred == pred) {
            let mut values: Values = vec![None; rule.var_count()];
            if !bind(&rule.head, args, &mut values, self.explainer.engine.terms()) {
                self.stuck(at, rule, &vec![None; rule.var_count()], None, None);
                continue;
            }
            let Reached { literals, values, fault } = reached(&mut self.explainer.engine, rule, &values);
            if literals == rule.body.len() {
                return Some(self.instance(at, rule, &values, literals));
            }
            self.stuck(at, rule, &values, Some(literals), fault.map(|fault| fault.to_string()));
        }
        None
    }

    /// Prove an atom with rules that may call each other.
    fn prove(&mut self, pred: Pred, args: &[TermId]) -> Option<RuleInstance> {
        let hypothesis = self.hypothesis;
        self.proving.push((pred, args.to_vec()));
        let mut found = None;
        for (at, rule) in hypothesis.rules.iter().enumerate().filter(|(_, rule)| rule.head.pred == pred) {
            let mut values: Values = vec![None; rule.var_count()];
            if bind(&rule.head, args, &mut values, self.explainer.engine.terms()) {
                found = self.body(at, rule, &mut values, 0);
            } else {
                self.stuck(at, rule, &vec![None; rule.var_count()], None, None);
            }
            if found.is_some() || self.raised {
                break;
            }
        }
        self.proving.pop();
        found
    }

    /// Prove the literals from `at` on; the values are those of the whole proof if there is one.
    fn body(&mut self, number: usize, rule: &Rule, values: &mut Values, at: usize) -> Option<RuleInstance> {
        let Some(literal) = rule.body.get(at) else { return self.finish(number, rule, values) };
        let terms = self.explainer.engine.terms_mut();
        let pattern: Vec<Option<TermId>> = literal.args.iter().map(|arg| value(arg, values, terms)).collect();
        let answers = match self.explainer.engine.call(literal.pred, &pattern) {
            Ok(answers) => answers.into_rows(),
            Err(fault) => {
                self.raised = true;
                self.stuck(number, rule, values, Some(at), Some(fault.to_string()));
                return None;
            }
        };
        let mut any = false;
        for row in answers {
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 {
                return None;
            }
            let before = values.clone();
            if bind(literal, &row, values, self.explainer.engine.terms()) {
                any = true;
                if let Some(proof) = self.body(number, rule, values, at + 1) {
                    return Some(proof);
                }
                if self.raised {
                    return None;
                }
            }
            *values = before;
        }
        if !any {
            self.stuck(number, rule, values, Some(at), None);
        }
        None
    }

    /// All literals hold: prove those that the member itself defines.
    fn finish(&mut self, number: usize, rule: &Rule, values: &Values) -> Option<RuleInstance> {
        let mut instance = self.instance(number, rule, values, rule.body.len());
        for (literal, step) in rule.body.iter().zip(&mut instance.body) {
            if !self.hypothesis.rules.iter().any(|rule| rule.head.pred == literal.pred) {
                continue;
            }
            let terms = self.explainer.engine.terms_mut();
            let args: Option<Vec<TermId>> = literal.args.iter().map(|arg| value(arg, values, terms)).collect();
            let Some(args) = args.filter(|_| self.proving.len() < MOST_DEPTH) else { continue };
            let atom = (literal.pred, args);
            if self.proving.contains(&atom) {
                return None;
            }
            let proof = self.prove(atom.0, &atom.1)?;
            step.reason = Justification::Rule(Some(Box::new(proof)));
        }
        Some(instance)
    }

    /// Remember how far a rule for the atom in question came, if none came closer.
    fn stuck(&mut self, number: usize, rule: &Rule, values: &Values, at: Option<usize>, error: Option<String>) {
        // How rules for atoms further down fail explains nothing about this one.
        if self.proving.len() > 1 {
            return;
        }
        let left = at.map_or(rule.body.len() + 1, |at| rule.body.len() - at);
        if self.closest.as_ref().is_some_and(|closest| closest.left <= left) {
            return;
        }
        let reached = self.instance(number, rule, values, at.unwrap_or(0));
        let terms = self.explainer.engine.terms();
        let mut rest = rule.body[at.unwrap_or(0)..].iter().map(|literal| show(literal, values, terms));
        let failed = at.and_then(|_| rest.next());
        let failure = Failure { reached, failed, error, untried: rest.collect() };
        self.closest = Some(ClosestFailure { left, failure });
    }

    /// The first `count` literals of a rule with their values.
    fn instance(&self, number: usize, rule: &Rule, values: &Values, count: usize) -> RuleInstance {
        let terms = self.explainer.engine.terms();
        let defined = |pred| self.hypothesis.rules.iter().any(|rule| rule.head.pred == pred);
        let body = rule.body[..count].iter().map(|literal| {
            let reason = match self.explainer.database.evaluation(literal.pred) {
                _ if defined(literal.pred) => Justification::Rule(None),
                Evaluation::Facts { .. } => Justification::Fact,
                _ => Justification::Derived,
            };
            Step { literal: show(literal, values, terms), reason }
        });
        RuleInstance { rule: number, head: show(&rule.head, values, terms), body: body.collect() }
    }
}

fn value(arg: &Arg, values: &Values, terms: &mut Terms) -> Option<TermId> {
    match arg {
        Arg::Var(var) => values[var.index()],
        Arg::Const(id) => Some(*id),
        Arg::Number(number) => Some(number.intern(terms)),
    }
}

/// Give the variables of a literal the values of a row; false if they have others.
fn bind(literal: &Literal, row: &[TermId], values: &mut Values, terms: &Terms) -> bool {
    literal.args.iter().zip(row).all(|(arg, id)| match arg {
        Arg::Var(var) => values[var.index()].get_or_insert(*id) == id,
        constant => constant.term(terms) == Some(*id),
    })
}

fn show(literal: &Literal, values: &Values, terms: &Terms) -> String {
    let shown = |arg: &Arg| match arg {
        Arg::Var(var) => values[var.index()].map_or(*arg, |id| Arg::ground(id, terms)),
        constant => *constant,
    };
    let args: Vec<Arg> = literal.args.iter().map(shown).collect();
    Literal::new(literal.pred, args).show(terms)
}

impl RuleInstance {
    /// The proof as lines, the rule instances that it rests on below it, further to the right.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        self.write(0, &mut lines);
        lines
    }

    fn write(&self, depth: usize, lines: &mut Vec<String>) {
        let indent = "  ".repeat(depth);
        lines.push(format!("{indent}{} by rule {}", self.head, self.rule + 1));
        for step in &self.body {
            let mut line = format!("{indent}  {}", step.literal);
            match &step.reason {
                Justification::Fact => {}
                Justification::Derived => line.push_str("  (derived)"),
                Justification::Rule(Some(instance)) => {
                    instance.write(depth + 1, lines);
                    continue;
                }
                Justification::Rule(None) => write!(line, "  (by the member's rules)").expect("writing to a string"),
            }
            lines.push(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::read_hypothesis;
    use crate::task::Task;

    fn why(rules: &str, args: &[&str]) -> Why {
        let background = "e(a,b). e(b,c). e(c,a). e(c,d). red(d). big(X) :- red(X). z(1). \
            odd(X) :- 1 is X mod 2. odd(d). late(a). late(X) :- X > 1.";
        let exs = format!("pos(f({})).", args.join(","));
        let bias = format!(
            "head_pred(f,{}). body_pred(e,2). body_pred(red,1). body_pred(big,1). \
            body_pred(odd,1). body_pred(late,1).",
            args.len()
        );
        let mut task = Task::from_texts(background, &exs, &bias).unwrap();
        let hypothesis = read_hypothesis("<rules>", rules, &mut task).unwrap();
        let database = Database::new(&task);
        Explainer::new(&database).why(&hypothesis, task.bias.head, task.examples.positive(0))
    }

    fn proof(rules: &str, args: &[&str]) -> Vec<String> {
        match why(rules, args) {
            Why::Proof(proof) => proof.lines(),
            other => panic!("no proof: {other:?}"),
        }
    }

    #[test]
    fn a_proof_names_the_rule_its_values_and_the_facts() {
        let rules = "f(A) :- red(A). f(A) :- e(A,B), e(B,C), big(C).";
        assert_eq!(proof(rules, &["b"]), ["f(b) by rule 2", "  e(b,c)", "  e(c,d)", "  big(d)  (derived)"]);
    }

    #[test]
    fn a_recursive_proof_unfolds_and_does_not_go_round_in_circles() {
        let rules = "f(A,B) :- e(A,B). f(A,B) :- e(A,C), f(C,B).";
        let expected = [
            "f(a,d) by rule 2",
            "  e(a,b)",
            "  f(b,d) by rule 2",
            "    e(b,c)",
            "    f(c,d) by rule 1",
            "      e(c,d)",
        ];
        assert_eq!(proof(rules, &["a", "d"]), expected);
    }

    #[test]
    fn an_error_ends_the_rule_that_raises_it_and_no_other() {
        let Why::Failure(failure) = why("f(A) :- e(A,B), odd(B), red(B).", &["a"]) else { panic!("no failure") };
        assert_eq!(failure.reached.body[0].literal, "e(a,b)");
        assert_eq!(failure.failed.as_deref(), Some("odd(b)"));
        assert!(failure.error.is_some_and(|error| error.contains("expects")), "no error");
        // The error comes before the second answer of e(c,B), which would do: the rule does not cover c.
        assert!(matches!(why("f(A) :- e(A,B), odd(B).", &["c"]), Why::Failure(_)));
        assert_eq!(
            proof("f(A) :- odd(A). f(A) :- e(A,B), red(B).", &["c"]),
            ["f(c) by rule 2", "  e(c,d)", "  red(d)"]
        );
        // Answers that come before an error count.
        assert_eq!(proof("f(A) :- late(A).", &["a"]), ["f(a) by rule 1", "  late(a)  (derived)"]);
    }

    #[test]
    fn a_failure_shows_the_closest_rule_and_its_first_failing_literal() {
        let Why::Failure(failure) = why("f(A) :- red(A), big(A). f(A) :- e(A,B), red(B), big(B).", &["a"]) else {
            panic!("no failure")
        };
        assert_eq!(failure.reached.rule, 0);
        assert_eq!(
            (failure.failed.as_deref(), failure.untried.as_slice()),
            (Some("red(a)"), &["big(a)".to_owned()][..])
        );
        let Why::Failure(failure) = why("f(A) :- red(A), big(A). f(A) :- e(A,B), big(B).", &["a"]) else {
            panic!("no failure")
        };
        assert_eq!(failure.reached.rule, 1);
        assert_eq!(failure.reached.body[0].literal, "e(a,b)");
        assert_eq!((failure.failed.as_deref(), failure.untried.len()), (Some("big(b)"), 0));
        let Why::Failure(failure) = why("f(d) :- red(d).", &["a"]) else { panic!("no failure") };
        assert_eq!((failure.failed, failure.untried), (None, vec!["red(d)".to_owned()]));
    }
}
