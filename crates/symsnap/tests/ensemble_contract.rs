//! What every ensemble method must do, whatever the pool: fit, predict with probabilities that agree with labels, come
//! back from a file unchanged, and be the same for the same pool. Every method gets what it needs: a pool, and a
//! learner that may run again; those that choose by held-out examples are tested with such examples, too.
#![allow(clippy::unwrap_used)]

use std::time::Duration;
use symsnap::internals::ensemble::{Needs, OutsideHypothesis, Training, evaluate};
use symsnap::internals::learn::Symsnap;
use symsnap::internals::task::Queries;
use symsnap::{
    Budget, Cancel, Candidate, Cost, Instance, Learner, METHODS, Method, Model, Observer, Outcome, Predictor, Settings,
    SnapshotPool, Task, Text, method_named,
};

const BACKGROUND: &str = "p(a,1). p(b,2). p(c,2). p(d,3). q(a). q(b). q(d). r(c). r(d). s(X) :- q(X), r(X).";
const BIAS: &str = "head_pred(f,1). body_pred(p,2). body_pred(q,1). body_pred(r,1). body_pred(s,1).";
/// From worse to better on the examples `pos(f(a)). pos(f(b)). neg(f(c)). neg(f(d)).`, with ties.
const RULES: [&str; 6] = [
    "f(A) :- r(A).",
    "f(A) :- p(A,B).",
    "f(A) :- p(A,B), p(C,B).",
    "f(A) :- q(A).",
    "f(X) :- q(X).",
    "f(A) :- q(A).\nf(A) :- p(A,B), q(A), r(A), s(A).",
];

struct Scenario {
    name: &'static str,
    examples: &'static str,
    rules: &'static [&'static str],
}

const SCENARIOS: [Scenario; 6] = [
    Scenario { name: "some of both", examples: "pos(f(a)). pos(f(b)). neg(f(c)). neg(f(d)).", rules: &RULES },
    Scenario { name: "empty pool", examples: "pos(f(a)). neg(f(c)).", rules: &[] },
    Scenario { name: "all positive", examples: "pos(f(a)). pos(f(b)). pos(f(c)).", rules: &RULES },
    Scenario { name: "all negative", examples: "neg(f(a)). neg(f(b)).", rules: &RULES },
    Scenario { name: "one example", examples: "pos(f(a)).", rules: &RULES },
    Scenario {
        name: "duplicates and contradictions",
        examples: "pos(f(a)). pos(f(a)). pos(f(a),1000000). neg(f(a)). neg(f(c)). neg(f(c)).",
        rules: &RULES,
    },
];

fn fit_with(scenario: &Scenario, method: &dyn Method, cost: Cost, held_out: Option<&str>) -> Model {
    fit_within(scenario, method, cost, held_out, Budget::unlimited()).0
}

/// The model, and how many snapshots it was made from.
fn fit_within(
    scenario: &Scenario,
    method: &dyn Method,
    cost: Cost,
    held_out: Option<&str>,
    budget: Budget,
) -> (Model, usize) {
    let mut task = Task::from_texts(BACKGROUND, scenario.examples, BIAS).unwrap();
    let found: Vec<OutsideHypothesis> = scenario
        .rules
        .iter()
        .enumerate()
        .map(|(at, &rules)| OutsideHypothesis { rules: rules.to_owned(), line: at + 1 })
        .collect();
    let mut pool = SnapshotPool::default();
    for candidate in evaluate("<test>", &found, &mut task, cost).unwrap() {
        pool.offer(&candidate);
    }
    let held_out = held_out.map(|text| Task::from_texts(BACKGROUND, text, BIAS).unwrap().examples);
    let learner = Again { rules: !scenario.rules.is_empty(), cost };
    let mut training = Training::new(&task, &pool, cost).with_seed(7).with_learner(&learner).with_budget(budget);
    if let Some(examples) = &held_out {
        training = training.with_held_out(examples);
    }
    (Model::fit(&training, method).unwrap(), pool.members().len())
}

fn fit(scenario: &Scenario, method: &dyn Method, cost: Cost) -> Model {
    fit_with(scenario, method, cost, None)
}

/// A learner that finds nothing where the pool of a scenario is empty.
struct Again {
    rules: bool,
    cost: Cost,
}

impl Learner for Again {
    fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> symsnap::Result<Outcome> {
        let settings = Settings { cost: self.cost, optima: 5, ..Settings::default() };
        let mut nobody: Vec<Candidate> = Vec::new();
        Symsnap { settings }.learn(on, budget, if self.rules { observer } else { &mut nobody })
    }
}

/// Probability and label of the atoms with known constants and one unknown.
fn predict(model: &Model) -> Vec<(f64, bool)> {
    let mut predictor = Predictor::new(model, &[Text::from(BACKGROUND)]).unwrap();
    let text = "f(a). f(b). f(c). f(d). f(nobody). f(a).";
    let batch = Queries::new("<test>", text.as_bytes(), predictor.head()).next(predictor.terms_for_batch()).unwrap();
    let said = predictor.predict(&batch);
    said.probabilities.into_iter().zip(said.labels).collect()
}

fn for_all(check: impl Fn(&str, &Scenario, &dyn Method, Cost)) {
    for method in METHODS {
        for scenario in &SCENARIOS {
            for cost in Cost::ALL {
                let case = format!("{}, {}, {}", method.name(), scenario.name, cost.name());
                check(&case, scenario, method, cost);
            }
        }
    }
}

#[test]
fn weights_sum_to_one_unless_nobody_votes() {
    for_all(|case, scenario, method, cost| {
        let model = fit(scenario, method, cost);
        let sum: f64 = model.members.iter().map(|member| member.weight).sum();
        assert!(!scenario.rules.is_empty() || model.members.is_empty(), "{case}");
        // A learner finds nothing where there is nothing to cover; the pool has members all the same.
        let learns = method.needs() != Needs::Pool;
        assert!(scenario.rules.is_empty() || learns || !model.members.is_empty(), "{case}");
        assert!(model.members.is_empty() || (sum - 1.0).abs() < 1e-9, "{case}: {sum}");
    });
}

#[test]
fn without_any_time_every_method_has_voters_and_says_what_it_could_not_do() {
    let cancel = Cancel::default();
    cancel.raise();
    let spent = [Budget::unlimited().with_time(Duration::ZERO), Budget::unlimited().with_cancel(cancel)];
    for_all(|case, scenario, method, cost| {
        for budget in &spent {
            let (model, snapshots) = fit_within(scenario, method, cost, None, budget.clone());
            let sum: f64 = model.members.iter().map(|member| member.weight).sum();
            assert_eq!(model.members.is_empty(), snapshots == 0, "{case}");
            assert!(snapshots == 0 || (sum - 1.0).abs() < 1e-9, "{case}: {sum}");
            let needs_time = !["paper", "single", "loglik"].contains(&method.name());
            assert_eq!(model.notes.is_empty(), snapshots == 0 || !needs_time, "{case}: {:?}", model.notes);
            if model.notes.iter().any(|note| note.contains("weighted as `paper` weighs them")) {
                assert_eq!(model.members.len(), snapshots, "{case}");
            }
        }
    });
}

#[test]
fn probabilities_lie_between_0_and_1_and_agree_with_labels() {
    for_all(|case, scenario, method, cost| {
        for (probability, label) in predict(&fit(scenario, method, cost)) {
            assert!((0.0..=1.0).contains(&probability), "{case}: {probability}");
            assert_eq!(label, probability >= 0.5 - 1e-9, "{case}: {probability}");
        }
    });
}

#[test]
fn equal_atoms_are_predicted_alike_and_an_empty_pool_predicts_all_negative() {
    for_all(|case, scenario, method, cost| {
        let said = predict(&fit(scenario, method, cost));
        assert_eq!(said[0], said[5], "{case}");
        assert!(!scenario.rules.is_empty() || said.iter().all(|said| *said == (0.0, false)), "{case}");
    });
}

#[test]
fn methods_that_learn_again_do_so_where_the_pool_is_empty() {
    let task = Task::from_texts(BACKGROUND, "pos(f(a),9). pos(f(b),9). neg(f(c),9).", BIAS).unwrap();
    for method in METHODS.into_iter().filter(|method| method.needs() == Needs::Learner) {
        for cost in Cost::ALL {
            let (pool, learner) = (SnapshotPool::default(), Again { rules: true, cost });
            let training = Training::new(&task, &pool, cost).with_learner(&learner);
            let model = Model::fit(&training, method).unwrap();
            assert!(!model.members.is_empty(), "{} under {}", method.name(), cost.name());
        }
    }
}

#[test]
fn a_model_that_was_saved_and_loaded_predicts_bit_for_bit_the_same() {
    for_all(|case, scenario, method, cost| {
        let model = fit(scenario, method, cost);
        let again = Model::from_json("m.json", model.to_json().as_bytes()).unwrap();
        assert_eq!(again, model, "{case}");
        let bits = |model: &Model| predict(model).iter().map(|said| said.0.to_bits()).collect::<Vec<u64>>();
        assert_eq!(bits(&again), bits(&model), "{case}");
    });
}

#[test]
fn the_same_pool_gives_the_same_file() {
    for_all(|case, scenario, method, cost| {
        assert_eq!(fit(scenario, method, cost).to_json(), fit(scenario, method, cost).to_json(), "{case}");
    });
}

#[test]
fn held_out_examples_are_enough_for_methods_that_need_no_learner() {
    for_all(|case, scenario, method, cost| {
        if method.needs() == Needs::Learner {
            return;
        }
        for held_out in ["pos(f(a)). neg(f(c)).", "pos(f(b)).", "neg(f(d)).", "pos(f(z)). neg(f(a)). neg(f(a),7)."] {
            let model = fit_with(scenario, method, cost, Some(held_out));
            let sum: f64 = model.members.iter().map(|member| member.weight).sum();
            assert_eq!(model.members.is_empty(), scenario.rules.is_empty(), "{case}, {held_out}");
            assert!(model.members.is_empty() || (sum - 1.0).abs() < 1e-9, "{case}, {held_out}: {sum}");
            assert_eq!(predict(&model).len(), 6);
        }
    });
}

#[test]
fn methods_are_found_by_name_and_every_setting_can_be_set_to_what_it_is() {
    for method in METHODS {
        assert_eq!(method_named(method.name()).unwrap().settings(), method.settings());
        assert_eq!(METHODS.iter().filter(|other| other.name() == method.name()).count(), 1);
        assert!(method.summary().len() > 10 && !method.summary().ends_with('.'), "{}", method.name());
        for (name, value) in method.settings() {
            assert_eq!(method.with_setting(name, value).unwrap().settings(), method.settings(), "{name}");
            assert!(method.with_setting(name, f64::NAN).is_none(), "{}: {name}", method.name());
            assert!(method.with_setting(name, -1.0).is_none(), "{}: {name}", method.name());
        }
        assert!(method.with_setting("no such setting", 1.0).is_none());
    }
    assert!(method_named("magic").is_none());
}

#[test]
fn a_perfect_member_that_comes_last_decides_on_separable_examples() {
    // The paper's nearly uniform weights let weaker members outvote it; that is what other methods are for. Methods
    // that learn again do not see the member.
    let chosen = |method: &&&dyn Method| method.name() != "paper" && method.needs() == Needs::Pool;
    for method in METHODS.iter().filter(chosen).copied() {
        let examples = "pos(f(a),100). pos(f(b),100). neg(f(c),100). neg(f(d),100).";
        let rules = &["f(A) :- r(A).", "f(A) :- p(A,B).", "f(A) :- p(A,B), q(A).", "f(a).\nf(b)."];
        let model = fit(&Scenario { name: "separable", examples, rules }, method, Cost::Mdl);
        let labels: Vec<bool> = predict(&model).into_iter().take(4).map(|said| said.1).collect();
        assert_eq!(labels, [true, true, false, false], "{}", method.name());
    }
}
