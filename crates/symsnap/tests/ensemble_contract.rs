//! What every ensemble method must do, whatever the pool: fit, predict with probabilities that agree with labels, come
//! back from a file unchanged, and be the same for the same pool.
#![allow(clippy::unwrap_used)]

use symsnap::cost::Cost;
use symsnap::ensemble::{Found, METHODS, Method, Model, Predictor, evaluate};
use symsnap::parse::Source;
use symsnap::snapshot::SnapshotPool;
use symsnap::task::{Queries, Task};

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

fn fit(scenario: &Scenario, method: &dyn Method, cost: Cost) -> Model {
    let mut task = Task::from_texts(BACKGROUND, scenario.examples, BIAS).unwrap();
    let found: Vec<Found> =
        scenario.rules.iter().enumerate().map(|(at, &rules)| Found { rules: rules.to_owned(), line: at + 1 }).collect();
    let mut pool = SnapshotPool::default();
    for candidate in evaluate("<test>", &found, &mut task, cost).unwrap() {
        pool.offer(&candidate);
    }
    Model::fit(&task, &pool, method, cost, 7)
}

/// Probability and label of the atoms with known constants and one unknown.
fn predict(model: &Model) -> Vec<(f64, bool)> {
    let mut predictor = Predictor::new(model, &Source::from(BACKGROUND)).unwrap();
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
        assert_eq!(model.members.is_empty(), scenario.rules.is_empty(), "{case}");
        assert!(model.members.is_empty() || (sum - 1.0).abs() < 1e-9, "{case}: {sum}");
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
fn a_perfect_member_that_comes_last_decides_on_separable_examples() {
    // The paper's nearly uniform weights let weaker members outvote it; that is what other methods are for.
    for method in METHODS.into_iter().filter(|method| method.name() != "paper") {
        let examples = "pos(f(a),100). pos(f(b),100). neg(f(c),100). neg(f(d),100).";
        let rules = &["f(A) :- r(A).", "f(A) :- p(A,B).", "f(A) :- p(A,B), q(A).", "f(a).\nf(b)."];
        let model = fit(&Scenario { name: "separable", examples, rules }, method, Cost::Mdl);
        let labels: Vec<bool> = predict(&model).into_iter().take(4).map(|said| said.1).collect();
        assert_eq!(labels, [true, true, false, false], "{}", method.name());
    }
}
