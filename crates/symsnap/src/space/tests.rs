//! Membership, construct by construct: every form of CONSTRUCTS.md's bias sections, read and applied.

use super::*;
use crate::logic::{Hypothesis, Terms};
use crate::parse::Text;

/// A bias and the names it uses.
pub(super) struct BiasWorld {
    pub(super) terms: Terms,
    pub(super) space: Space,
}

pub(super) fn world(text: &str) -> BiasWorld {
    let mut terms = Terms::default();
    let read = Bias::read(&Text::new("bias.pl", text), &mut terms);
    let (bias, _) = read.unwrap_or_else(|error| panic!("{error}"));
    BiasWorld { space: Space::of(&bias), terms }
}

impl BiasWorld {
    /// A rule from text like `f(0) :- p(0,1), q(1)`: arguments are variable numbers.
    pub(super) fn rule(&mut self, text: &str) -> Rule {
        let mut literals = text.split([' ', ':', '-', ';']).filter(|part| !part.is_empty()).map(|part| {
            let part = part.trim_end_matches(',');
            let (name, args) = part.split_once('(').unwrap_or((part, ""));
            let args = args.trim_end_matches(')').split(',').filter(|arg| !arg.is_empty());
            let vars: Vec<u8> = args.map(|arg| arg.parse().expect("arguments are numbers of variables")).collect();
            Literal::over(Pred::new(self.terms.intern(name), vars.len() as u32), &vars)
        });
        let head = literals.next().expect("a rule has a head");
        Rule { head, body: literals.collect() }
    }

    pub(super) fn verdict(&mut self, text: &str) -> String {
        let rule = self.rule(text);
        match self.space.contains(&rule) {
            Ok(()) => "ok".to_owned(),
            Err(violation) => violation.show(&self.terms),
        }
    }

    fn verdict_of(&mut self, rules: &[&str]) -> String {
        let hypothesis = Hypothesis { rules: rules.iter().map(|rule| self.rule(rule)).collect() };
        match self.space.contains_hypothesis(&hypothesis) {
            Ok(()) => "ok".to_owned(),
            Err(violation) => violation.show(&self.terms),
        }
    }

    /// All rules up to a size, as texts.
    pub(super) fn all(&self, max_size: usize) -> Vec<String> {
        self.space.enumerate(max_size).map(|rule| rule.show(&self.terms)).collect()
    }
}

const BASE: &str = "head_pred(f,1). body_pred(p,2). body_pred(q,1). body_pred(r,3). ";

#[test]
fn the_requirements_of_section_3_are_reported_one_by_one() {
    let mut world = world(&format!("{BASE} max_vars(4). max_body(2). max_clauses(2)."));
    for (rule, expected) in [
        ("f(0) :- p(0,1), q(1)", "ok"),
        ("f(3) :- p(3,1), q(1)", "ok"),
        ("g(0) :- p(0,1)", "g/1 is not the predicate to learn"),
        ("f(0)", "the body is empty"),
        ("f(0) :- p(0,1), q(1), q(0)", "3 body literals, max_body is 2"),
        ("f(0) :- r(0,1,2), r(0,3,4)", "5 variables, max_vars is 4"),
        ("f(0) :- s(0)", "s/1 is not declared as body_pred"),
        ("f(0) :- f(0)", "the head predicate is called without enable_recursion"),
        ("f(0) :- p(0,0)", "p(V0,V0) has a variable twice"),
        ("f(0) :- q(0), q(0)", "q(V0) stands twice"),
        ("f(0) :- q(0), q(1)", "V1 is not connected to the head"),
        ("f(0) :- q(1)", "V1 is not connected to the head"),
    ] {
        assert_eq!(world.verdict(rule), expected, "{rule}");
    }
}

#[test]
fn the_space_of_a_small_bias_is_what_one_writes_by_hand() {
    let world = world("head_pred(f,1). body_pred(p,2). body_pred(q,1). max_vars(2). max_body(2).");
    assert_eq!(
        world.all(3),
        [
            "f(V0) :- p(V0,V1).",
            "f(V0) :- p(V1,V0).",
            "f(V0) :- q(V0).",
            "f(V0) :- p(V0,V1), p(V1,V0).",
            "f(V0) :- p(V0,V1), q(V0).",
            "f(V0) :- p(V0,V1), q(V1).",
            "f(V0) :- p(V1,V0), q(V0).",
            "f(V0) :- p(V1,V0), q(V1).",
        ]
    );
}

#[test]
fn head_variables_may_be_missing_only_with_non_datalog() {
    let text = "head_pred(f,2). body_pred(q,1). ";
    assert_eq!(world(text).verdict("f(0,1) :- q(0)"), "the head variable V1 is not in the body");
    assert_eq!(world(&format!("{text} non_datalog.")).verdict("f(0,1) :- q(0)"), "ok");
}

#[test]
fn types_must_agree_wherever_they_are_declared() {
    let text = "head_pred(f,1). type(f,(a,)). body_pred(p,2). type(p,(a,b)). body_pred(q,1). body_pred(c,1).
        constant(c,b). type(P,(T,)) :- constant(P,T).";
    let mut world = world(text);
    assert_eq!(world.verdict("f(0) :- p(0,1), c(1)"), "ok");
    assert_eq!(world.verdict("f(0) :- p(0,1), q(1), q(0)"), "ok");
    assert_eq!(world.verdict("f(0) :- p(1,0)"), "the types of p(V1,V0) clash with the rest");
    assert_eq!(world.verdict("f(0) :- c(0)"), "the types of c(V0) clash with the rest");
}

#[test]
fn several_types_of_one_predicate_are_alternatives() {
    let text = "head_pred(f,1). type(f,(a,)). body_pred(p,2). type(p,(a,b)). type(p,(b,a)). body_pred(q,1).
        type(q,(b,)).";
    let mut world = world(text);
    assert_eq!(world.verdict("f(0) :- p(0,1), q(1)"), "ok");
    assert_eq!(world.verdict("f(0) :- p(1,0), q(1)"), "ok");
    assert_eq!(world.verdict("f(0) :- p(1,0), p(1,2), q(2)"), "the types of q(V2) clash with the rest");
}

#[test]
fn directions_ask_for_an_order_of_evaluation() {
    let text = "head_pred(f,2). direction(f,(in,out)). body_pred(p,2). direction(p,(in,out)). body_pred(q,1).
        direction(q,(in,)). body_pred(free,1). body_pred(c,1). constant(c,t). direction(P,(out,)) :- constant(P,_).";
    let mut world = world(text);
    assert_eq!(world.verdict("f(0,1) :- p(0,1)"), "ok");
    assert_eq!(world.verdict("f(0,1) :- p(2,1), p(0,2)"), "ok");
    assert_eq!(world.verdict("f(0,1) :- q(1), p(0,1)"), "ok");
    assert_eq!(world.verdict("f(0,1) :- p(1,0)"), "no order of the body binds the in-arguments of p(V1,V0)");
    assert_eq!(world.verdict("f(0,1) :- c(1), p(1,0)"), "ok");
    assert_eq!(world.verdict("f(0,1) :- free(1), p(1,0)"), "ok");
    let rule = world.rule("f(0,1) :- q(1), p(2,1), q(2), p(0,2)");
    let ordered = world.space.order(&rule).expect("the directions allow an order");
    assert_eq!(ordered.show(&world.terms), "f(V0,V1) :- p(V0,V2), q(V2), p(V2,V1), q(V1).");
    let rule = world.rule("f(0,1) :- p(1,0)");
    assert_eq!(world.space.order(&rule), None);
}

#[test]
fn without_directions_for_the_head_its_arguments_are_given() {
    let mut world = world("head_pred(f,1). body_pred(p,2). direction(p,(in,out)).");
    assert_eq!(world.verdict("f(0) :- p(0,1)"), "ok");
    assert_eq!(world.verdict("f(0) :- p(1,0)"), "no order of the body binds the in-arguments of p(V1,V0)");
}

/// Verdicts on rules under `BASE` and a statement: `+` in the space, `-` forbidden by the statement itself.
fn under(statement: &str, verdicts: &[(&str, char)]) {
    let mut world = world(&format!("{BASE}{statement}"));
    for (rule, expected) in verdicts {
        let verdict = world.verdict(rule);
        let found = match &*verdict {
            "ok" => '+',
            verdict if verdict.starts_with("the bias forbids it: ") => '-',
            other => panic!("{rule}: {other}"),
        };
        assert_eq!(found, *expected, "{rule} under {statement}: {verdict}");
    }
}

#[test]
fn counts_of_typed_variables_with_the_guard_on_either_side() {
    let types = "type(f,(ex,)). type(p,(ex,ex)). type(q,(ex,)). ";
    for constraint in [
        ":- clause(C), #count{V : var_type(C,V,ex)} != 1.",
        ":- clause(C), 1 != #count{V : clause_var(C,V), var_type(C,V,ex)}.",
        ":- clause(C); not #count{V : clause_var(C,V), var_type(C,V,ex)} = 1.",
        ":- clause(C), N = #count{V : var_type(C,V,ex)}, N > 1.",
        ":- clause(C), 2 #count{V : var_type(C,V,ex)}.",
    ] {
        under(&format!("{types}{constraint}"), &[("f(0) :- q(0)", '+'), ("f(0) :- p(0,1)", '-')]);
    }
    let constraint = ":- clause(C), 3 >= #count{V : clause_var(C,V), var_type(C,V,ex)}.";
    under(&format!("{types}{constraint}"), &[("f(0) :- p(0,1), p(0,2), p(0,3)", '+'), ("f(0) :- p(0,1), p(0,2)", '-')]);
}

#[test]
fn counts_of_literals_and_of_several_elements() {
    let once = "only_once(p). :- only_once(P), clause(C), 1 < #count{Vars : body_literal(C,P,A,Vars)}.";
    under(once, &[("f(0) :- p(0,1)", '+'), ("f(0) :- p(0,1), p(1,0)", '-'), ("f(0) :- q(0), p(0,1), q(1)", '+')]);
    let twice = ":- clause_var(Clause,Var), #count{P,Vars : var_in_literal(Clause,P,Vars,Var)} != 2.";
    under(twice, &[("f(0) :- q(0)", '+'), ("f(0) :- p(0,1), q(1)", '+'), ("f(0) :- p(0,1)", '-')]);
    let mixed = ":- clause(C), #count{V : body_var(C,V); P : body_literal(C,P,_,_), P != q} > 2.";
    under(mixed, &[("f(0) :- q(0), p(0,1)", '-'), ("f(0) :- q(0)", '+')]);
}

#[test]
fn bad_body_forbids_literals_in_all_its_forms() {
    let first = [("f(0) :- r(0,1,2)", '+'), ("f(0) :- r(1,0,2)", '-'), ("f(0) :- p(1,0)", '+')];
    for statement in [
        "bad_body(r,Vars) :- vars(_,Vars), Vars = (V0,_,_), V0 != 0.",
        "bad_body(P,A,Vars) :- P = r, vars(A,Vars), Vars = (X,_,_), X != 0.",
        "tmp(r). bad_body(P,A,Vars) :- tmp(P), body_pred(P,A), var_pos(Var,Vars,0), Var != 0.",
        "bad_body(r,(X,Y,Z)) :- var_member(X,(X,Y,Z)), X > 0.",
    ] {
        under(statement, &first);
    }
    under("bad_body(q,(0,)).", &[("f(0) :- q(0)", '-'), ("f(0) :- p(0,1), q(1)", '+')]);
}

#[test]
fn constraints_on_literals_with_constants_variables_and_comparisons() {
    under(
        "constant(q,position). :- body_literal(Rule,p,_,(A,B)), body_literal(Rule,P,_,(B,)), constant(P,position).",
        &[("f(0) :- p(0,1), q(1)", '-'), ("f(0) :- p(0,1), q(0)", '+')],
    );
    under(
        ":- body_literal(Rule,r,_,(A,B,C)), body_literal(Rule,p,_,(A,C)).",
        &[("f(0) :- r(0,1,2), p(0,2)", '-'), ("f(0) :- r(0,1,2), p(0,1)", '+')],
    );
    under(":- body_literal(Rule,r,_,(_,B,_)), body_literal(Rule,q,_,(B,)).", &[("f(0) :- r(1,0,2), q(0)", '-')]);
    under(
        ":- body_literal(Rule,q,_,(B,)), head_literal(Rule,f,_,(B,)).",
        &[("f(0) :- q(0)", '-'), ("f(0) :- p(0,1), q(1)", '+')],
    );
    under(":- body_literal(0,_,2,_).", &[("f(0) :- p(0,1)", '-'), ("f(0) :- q(0)", '+')]);
    under(":- body_literal(1,p,_,_).", &[("f(0) :- p(0,1)", '+')]);
    under(
        ":- body_literal(Cl,P,_,(PV1,PV2)), body_literal(Cl,Q,_,(QV1,QV2)), PV1 != QV1, PV2 = QV2.",
        &[("f(0) :- p(0,1), p(2,1)", '-'), ("f(0) :- p(0,1), p(0,2)", '+')],
    );
    under(":- recursive.", &[("f(0) :- p(0,1)", '+')]);
    under(":- not body_literal(0,q,_,_).", &[("f(0) :- q(0)", '+'), ("f(0) :- p(0,1)", '-')]);
    under(":- body_size(C,N), N > 1.", &[("f(0) :- q(0)", '+'), ("f(0) :- q(0), p(0,1)", '-')]);
    under("#defined nothing/1. :- nothing(X), body_var(_,X).", &[("f(0) :- q(0)", '+')]);
}

#[test]
fn constraints_that_name_variables_hold_if_some_numbering_meets_them() {
    let needs = ":- not body_literal(0,p,2,(0,2)).";
    under(needs, &[("f(0) :- p(0,1)", '-'), ("f(0) :- p(0,1), q(1)", '-'), ("f(0) :- p(0,1), p(1,2)", '+')]);
    under(":- not body_var(_,2).", &[("f(0) :- p(0,1)", '-'), ("f(0) :- p(0,1), p(0,2)", '+')]);
    under(":- body_literal(_,p,_,(V0,V1)), V0 > V1.", &[("f(0) :- p(0,1)", '+'), ("f(0) :- p(1,0)", '-')]);
    under(
        ":- body_literal(Rule,p,_,(V0,V1)), V0 > V1.",
        &[("f(0) :- p(0,2), p(2,1)", '+'), ("f(0) :- p(0,1), p(1,2), p(2,1)", '-')],
    );
    let chain = ":- body_literal(Cl,_,_,(V1,V2)), V1 != 0, V2 != 1, V2 != (V1+1).";
    under(chain, &[("f(0) :- p(0,1), p(1,2), p(2,3)", '+'), ("f(0) :- p(0,1), p(1,2), p(1,3), p(1,4)", '-')]);
    let sized = ":- not body_size(C,1), body_literal(C,_,_,(0,B)), B != 2.";
    // `C` is bound by the literal: the statement is safe in any order.
    under(sized, &[("f(0) :- p(0,1)", '+'), ("f(0) :- p(0,1), q(1)", '-'), ("f(0) :- p(0,1), p(1,2)", '+')]);
}

#[test]
fn helper_rules_that_look_at_the_hypothesis_are_evaluated_for_each() {
    let chain = "head_pred(f,2). body_pred(p,2). body_pred(q,2). enable_recursion.
        meta_lower(P,Q) :- head_aux(P,_), body_pred(Q,_), not head_aux(Q,_).
        meta_lower(P,Q) :- lower(P,Q).
        meta_clause(C) :- head_literal(C,P,2,(0,1)), body_literal(C,Q,2,(0,2)), body_literal(C,R,2,(2,1)),
            meta_lower(P,Q), meta_lower(P,R), body_size(C,2).
        :- clause(C), not meta_clause(C).";
    let mut world = world(chain);
    assert_eq!(world.verdict("f(0,1) :- p(0,2), q(2,1)"), "ok");
    let forbidden = "the bias forbids it: :- clause(C), not meta_clause(C).";
    assert_eq!(world.verdict("f(0,1) :- p(0,2), q(1,2)"), forbidden);
    assert_eq!(world.verdict_of(&["f(0,1) :- p(0,2), q(2,1)", "f(0,1) :- p(0,2), f(2,1)"]), forbidden);
    // The helper speaks of variable 2, so the constraint does, although it does not show.
    let helper = "chain(C) :- body_literal(C,p,2,(0,2)), body_literal(C,p,2,(2,_)). :- clause(C), not chain(C).";
    under(helper, &[("f(0) :- p(0,1), p(1,2)", '+'), ("f(0) :- p(0,1), p(2,1)", '-')]);
}

#[test]
fn recursive_hypotheses_need_a_base_rule_and_few_rules() {
    let mut world = world("head_pred(f,1). body_pred(p,2). body_pred(q,1). enable_recursion.");
    assert_eq!(world.verdict("f(0) :- p(0,1), f(1)"), "ok");
    assert_eq!(world.verdict("f(0) :- q(0), f(0)"), "f(V0) stands twice");
    assert_eq!(world.verdict_of(&["f(0) :- q(0)", "f(0) :- p(0,1), f(1)"]), "ok");
    assert_eq!(world.verdict_of(&["f(0) :- p(0,1), f(1)", "f(0) :- q(0)"]), "ok");
    assert_eq!(world.verdict_of(&["f(0) :- p(0,1), f(1)"]), "every rule of f/1 calls it");
    let third = "f(0) :- p(1,0), f(1)";
    assert_eq!(world.verdict_of(&["f(0) :- q(0)", "f(0) :- p(0,1), f(1)", third]), "3 rules, max_clauses is 2");
    assert_eq!(world.verdict_of(&["f(0) :- q(0)", "f(0) :- p(0,1)", "f(0) :- p(1,0)"]), "ok");
    assert_eq!(world.verdict_of(&["f(0) :- p(0,1)", "f(0) :- p(0,2)"]), "a rule stands twice");
    assert_eq!(world.verdict_of(&[]), "there is no rule");
}

#[test]
fn clause_numbers_count_base_rules_before_recursive_ones() {
    let text = "head_pred(f,1). body_pred(p,2). body_pred(q,1). enable_recursion. max_clauses(3). ";
    let hypotheses = |constraint: &str, rules: &[&str]| world(&format!("{text}{constraint}")).verdict_of(rules);
    let (base, step, other) = ("f(0) :- q(0)", "f(0) :- p(0,1), f(1)", "f(0) :- p(1,0), q(1), f(1)");
    assert_eq!(hypotheses(":- body_literal(1,q,_,_).", &[step, base]), "ok");
    assert_eq!(hypotheses(":- not body_literal(1,p,_,(0,1)).", &[base, step]), "ok");
    assert!(hypotheses(":- body_literal(0,q,_,_).", &[step, base]).starts_with("the bias forbids"));
    assert!(hypotheses(":- not body_literal(2,q,_,_).", &[base, step]).starts_with("the bias forbids"));
    // Two recursive rules may go by either number.
    assert_eq!(hypotheses(":- not body_literal(1,q,_,_).", &[base, step, other]), "ok");
    assert_eq!(hypotheses(":- not body_literal(2,q,_,_).", &[base, step, other]), "ok");
    assert!(hypotheses(":- recursive.", &[base, step]).starts_with("the bias forbids"));
    assert!(hypotheses(":- recursive(C), body_size(C,2).", &[base, step]).starts_with("the bias forbids"));
    assert_eq!(hypotheses(":- recursive(C), body_size(C,1).", &[base, step]), "ok");
}

#[test]
fn invented_predicates_are_called_from_above_and_not_in_circles() {
    let mut world = world("head_pred(f,2). body_pred(p,2). enable_pi. max_clauses(3).");
    let top = "f(0,1) :- inv1(0,2), inv1(2,1)";
    assert_eq!(world.verdict_of(&[top, "inv1(0,1) :- p(0,1)"]), "ok");
    assert_eq!(
        world.verdict_of(&["f(0,1) :- p(0,1)", "inv1(0,1) :- p(0,1)"]),
        "the invented inv1/2 is not called by a rule above it"
    );
    assert_eq!(world.verdict_of(&[top]), "inv1/2 is not declared as body_pred");
    let circle = [top, "inv1(0,1) :- inv2(0,1)", "inv2(0,1) :- inv1(1,0)"];
    assert_eq!(world.verdict_of(&circle), "inv1/2 is defined in a circle of invented predicates");
    assert_eq!(world.verdict_of(&["f(0,1) :- p(0,1)", "p(0,1) :- p(1,0)"]), "p/2 is not the predicate to learn");
}
