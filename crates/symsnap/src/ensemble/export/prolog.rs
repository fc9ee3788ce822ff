//! A model as a Prolog program, to be loaded after the background: `swipl bk.pl model.pl`.
//!
//! Rules that several members share are written once. Each rule is run by itself, and one that raises an error for an
//! atom does not cover it while the others still may, as it is here. A member that calls itself keeps its rules together
//! under names of its own, tabled, so that it ends where the background goes round in circles; an error ends its proof.
//! Predicates that the background lacks have no answers.

use super::shared::Shared;
use crate::ensemble::{Calibration, Predictor};
use crate::index::variables;
use crate::logic::{
    Comparison, Computation, Hypothesis, Literal, Pred, Rule, Summarised, Terms, write_atom, write_float,
};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What follows the rules and weights: how they vote.
const VOTE: &str = "\
% symsnap_share(+Atom, -Share): the share of the weight that votes positive.
symsnap_share(Atom, Share) :-
    findall(Weight, symsnap_vote(Atom, Weight), Positive), symsnap_sum(Positive, 0.0, Sum),
    findall(Weight, symsnap_member(_, Weight, _), All), symsnap_sum(All, 0.0, Total),
    ( Total > 0.0 -> Share is max(0.0, min(1.0, Sum / Total)) ; Share = 0.0 ).

% symsnap_label(+Atom, -Label): pos if members with at least half of the weight cover the atom, else neg.
symsnap_label(Atom, Label) :-
    symsnap_share(Atom, Share), symsnap_decide(Share, Label).

symsnap_decide(Share, Label) :-
    ( symsnap_member(_, _, _), Share >= 0.5 * (1.0 - 1.0e-9) -> Label = pos ; Label = neg ).

% symsnap_vote(+Atom, -Weight): the weight of each member that covers the atom, in their order.
symsnap_vote(Atom, Weight) :-
    symsnap_member(_, Weight, Rules),
    once(( symsnap_among(Rule, Rules), catch(symsnap_rule(Rule, Atom), Thrown, symsnap_thrown(Thrown)) )).

% symsnap_thrown(+Term): whatever a rule throws, the rule does not cover the atom; what stops Prolog itself goes on.
symsnap_thrown(Thrown) :-
    nonvar(Thrown), symsnap_among(Thrown, ['$aborted', time_limit_exceeded, unwind(_)]), throw(Thrown).

symsnap_among(X, [X|_]).
symsnap_among(X, [_|Rest]) :- symsnap_among(X, Rest).

symsnap_sum([], Sum, Sum).
symsnap_sum([X|Rest], So, Sum) :- More is So + X, symsnap_sum(Rest, More, Sum).
";

/// How members that call themselves ask the background, which may define their predicates as well. What the library of Prolog
/// defines under the same name is something else.
const KNOWN: &str = "
% symsnap_known(+Goal): whether the background itself says so.
symsnap_known(Goal) :-
    predicate_property(Goal, number_of_clauses(Clauses)), Clauses > 0,
    \\+ predicate_property(Goal, imported_from(_)), call(Goal).
";

/// The program of a model.
pub(super) fn prolog(predictor: &Predictor) -> String {
    let (terms, hypotheses) = (predictor.terms(), predictor.hypotheses());
    let shared = Shared::new(hypotheses);
    let mut text = String::from("% An ensemble learned by symsnap. Load it after the background: swipl bk.pl THIS\n\n");
    text += ":- style_check(-singleton).\n:- discontiguous symsnap_rule/2, symsnap_member/3.\n:- dynamic symsnap_rule/2, symsnap_member/3.\n";
    let called: BTreeSet<String> = hypotheses.iter().flat_map(|it| absent(it, terms)).collect();
    called.into_iter().for_each(|goal| text += &goal);
    text += "\n% symsnap_rule(Number, Atom): the rules.\n";
    for (number, rule) in shared.rules() {
        text += &numbered(number, rule, terms);
    }
    text += "\n% symsnap_member(Number, Weight, Rules): who votes with how much weight, and with which rules.\n";
    let mut next = shared.rules().count();
    for (member, (hypothesis, weight)) in hypotheses.iter().zip(predictor.weights()).enumerate() {
        let mut rules = shared.members[member].clone();
        if hypothesis.is_recursive() {
            text += &own_rules((member, next), hypothesis, predictor);
            rules.push(next);
            next += 1;
        }
        text += &format!("symsnap_member({member}, ");
        write_float(&mut text, *weight);
        let rules: Vec<String> = rules.iter().map(usize::to_string).collect();
        text += &format!(", [{}]).\n", rules.join(","));
    }
    let known = if hypotheses.iter().any(Hypothesis::is_recursive) { KNOWN } else { "" };
    text + "\n" + VOTE + known + &probability(predictor)
}

/// From the share of the vote to the probability: straight lines between the points of the model's curve.
fn probability(predictor: &Predictor) -> String {
    let about = "\n% symsnap_probability(+Atom, -Probability): how probable it is that the atom is positive.\n";
    let Some(curve) = predictor.calibration() else {
        return format!("{about}symsnap_probability(Atom, Share) :- symsnap_share(Atom, Share).\n");
    };
    let (negative, positive) = Calibration::SIDES;
    let mut text = format!(
        "{about}symsnap_probability(Atom, Probability) :-
    symsnap_share(Atom, Share), symsnap_decide(Share, Label), symsnap_curve(Share, Value),
    ( Label == pos -> Probability is max(Value, {positive}) ; Probability is min(Value, {negative}) ).

symsnap_curve(Share, Value) :-
    symsnap_line(From, Low, To, High), Share =< To, !,
    Value is Low + (High - Low) * max(0.0, min(1.0, (Share - From) / (To - From))).

% symsnap_line(Share1, Probability1, Share2, Probability2): a straight line, from left to right.\n"
    );
    for pair in curve.points().windows(2) {
        let numbers = [pair[0].0, pair[0].1, pair[1].0, pair[1].1].map(|number| {
            let mut text = String::new();
            write_float(&mut text, number);
            text
        });
        text += &format!("symsnap_line({}).\n", numbers.join(", "));
    }
    text
}

/// For each predicate that a hypothesis calls and does not define: let it have no answers if nothing defines it. Prolog has
/// comparisons and computations.
fn absent(hypothesis: &Hypothesis, terms: &Terms) -> Vec<String> {
    let defines = |pred: Pred| hypothesis.rules.iter().any(|rule| rule.head.pred == pred);
    let called = hypothesis.rules.iter().flat_map(|rule| &rule.body).map(|literal| literal.pred);
    called
        .map(|pred| Summarised::asked(pred, terms))
        .filter(|&pred| !defines(pred))
        .filter(|&pred| Comparison::of(pred, terms).is_none() && Computation::of(pred, terms).is_none())
        .map(|pred| {
            let mut name = String::new();
            write_atom(&mut name, terms.name(pred.name));
            // Not as a literal: constants may fill more arguments than a rule has variables.
            let vars: Vec<String> = (0..pred.arity).map(|at| format!("V{at}")).collect();
            let goal = if vars.is_empty() { name.clone() } else { format!("{name}({})", vars.join(",")) };
            format!(":- ( predicate_property({goal}, defined) -> true ; dynamic({name}/{}) ).\n", pred.arity)
        })
        .collect()
}

fn numbered(number: usize, rule: &Rule, terms: &Terms) -> String {
    let mut text = format!("symsnap_rule({number}, {})", rule.head.show(terms));
    for (at, literal) in rule.body.iter().enumerate() {
        write!(text, "{}{}", if at == 0 { " :- " } else { ", " }, literal.show(terms)).expect("writing to a string");
    }
    text + ".\n"
}

/// The rules of a member that calls itself, with every predicate it defines renamed, and a rule, of this number, that leads to
/// them. What the background says of such a predicate holds for the program, too.
fn own_rules((member, number): (usize, usize), hypothesis: &Hypothesis, predictor: &Predictor) -> String {
    let (terms, head) = (predictor.terms(), predictor.head());
    let mut names = terms.clone();
    let defined: BTreeSet<Pred> = hypothesis.rules.iter().map(|rule| rule.head.pred).collect();
    let mut rename = |literal: &Literal| {
        let mut renamed = literal.clone();
        if defined.contains(&literal.pred) {
            let name = format!("symsnap_m{member}_{}", terms.name(literal.pred.name));
            renamed.pred = Pred::new(names.intern(&name), literal.pred.arity);
        }
        renamed
    };
    let vars = variables(head.arity);
    let entry = Literal::over(head, &vars);
    let mut rules = vec![(entry.clone(), vec![rename(&entry)])];
    for rule in &hypothesis.rules {
        rules.push((rename(&rule.head), rule.body.iter().map(&mut rename).collect()));
    }
    let goals = defined.iter().map(|&pred| Literal::over(pred, &variables(pred.arity)));
    let asked: Vec<(Literal, Literal)> = goals.map(|goal| (rename(&goal), goal)).collect();
    let tabled: BTreeSet<Pred> = rules[1..].iter().map(|(head, _)| head.pred).collect();
    let tabled: String = tabled.into_iter().map(|pred| format!(":- table {}.\n", pred.show(&names))).collect();
    let mut rules = rules.into_iter().map(|(head, body)| Rule { head, body });
    let first = rules.next().map(|rule| numbered(number, &rule, &names)).unwrap_or_default();
    let known =
        asked.iter().map(|(own, goal)| format!("{} :- symsnap_known({}).\n", own.show(&names), goal.show(&names)));
    let known: String = known.collect();
    tabled + &first + &rules.map(|rule| rule.show(&names) + "\n").collect::<String>() + &known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::Model;

    #[test]
    fn a_predicate_with_more_arguments_than_a_rule_has_variables_is_declared() {
        let constants = ",c".repeat(299);
        let model = format!(
            r#"{{"format": 1, "symsnap": "", "head": {{"name": "f", "arity": 1}}, "cost": "mdl", "method": "paper",
                "settings": {{}}, "seed": 1, "notes": [], "members": [{{"weight": 1.0, "size": 2, "value": [2],
                "rules": ["f(V0) :- wide(V0{constants})."], "confusion": {{"tp": 1, "fn": 0, "tn": 0, "fp": 0}}}}]}}"#
        );
        let model = Model::from_json("m.json", model.as_bytes()).unwrap();
        let text = prolog(&Predictor::new(&model, &[]).unwrap());
        assert!(text.contains(",V299), defined) -> true ; dynamic(wide/300) )."), "{text}");
    }
}
