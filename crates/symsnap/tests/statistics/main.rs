//! The statistics of the `evaluate` room against SciPy's values, on data sets with ties, zeros and constant parts.
//! `generate.py` beside this file makes `values.json`.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use symsnap::internals::evaluate::{
    TestResult, friedman, paired_t, pearson, regression, shapiro_wilk, spearman, t_interval, wilcoxon,
};

fn values() -> Value {
    serde_json::from_str(include_str!("values.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Equal up to a relative difference; SciPy's own Shapiro-Wilk has single-precision constants in it.
fn agree(name: &str, ours: f64, theirs: f64, tolerance: f64) {
    let scale = theirs.abs().max(1e-6);
    assert!((ours - theirs).abs() <= tolerance * scale, "{name}: {ours} is not SciPy's {theirs}");
}

fn agree_tested(name: &str, ours: TestResult, theirs: &Value, tolerance: f64) {
    agree(&format!("{name}, statistic"), ours.statistic, theirs["statistic"].as_f64().unwrap(), tolerance);
    agree(&format!("{name}, p"), ours.p, theirs["p"].as_f64().unwrap(), tolerance);
}

/// Every data set that has a value for `key`, with its name and differences.
fn each(key: &str, least: usize, mut check: impl FnMut(&str, &[f64], &Value, &Value)) {
    let all = values();
    let mut checked = 0;
    for sample in all["samples"].as_array().unwrap() {
        if !sample[key].is_null() {
            check(sample["name"].as_str().unwrap(), &numbers(&sample["differences"]), &sample[key], sample);
            checked += 1;
        }
    }
    assert!(checked >= least, "only {checked} data sets have {key}");
}

#[test]
fn shapiro_wilk_is_scipys() {
    each("shapiro", 50, |name, differences, theirs, _| {
        agree_tested(name, shapiro_wilk(differences).unwrap(), theirs, 1e-6);
    });
    assert_eq!(shapiro_wilk(&[1.0, 2.0]), None);
}

#[test]
fn the_paired_t_test_is_scipys() {
    each("t", 50, |name, differences, theirs, _| agree_tested(name, paired_t(differences), theirs, 1e-9));
}

#[test]
fn the_signed_rank_test_is_scipys_exact_one() {
    each("wilcoxon", 50, |name, differences, theirs, _| agree_tested(name, wilcoxon(differences), theirs, 1e-9));
}

#[test]
fn intervals_are_scipys() {
    each("half_width", 50, |name, differences, theirs, _| {
        agree(name, t_interval(differences, 0.95).half_width, theirs.as_f64().unwrap(), 1e-9);
    });
}

#[test]
fn correlations_and_lines_are_scipys() {
    each("pearson", 50, |name, differences, theirs, sample| {
        let (theirs, other) = (numbers(theirs), numbers(&sample["other"]));
        let ours = pearson(differences, &other).unwrap();
        agree(name, ours.coefficient, theirs[0], 1e-8);
        agree(name, ours.p, theirs[1], 1e-7);
        let (ours, theirs) = (spearman(differences, &other).unwrap(), numbers(&sample["spearman"]));
        agree(name, ours.coefficient, theirs[0], 1e-9);
        agree(name, ours.p, theirs[1], 1e-7);
        let (ours, theirs) = (regression(differences, &other).unwrap(), numbers(&sample["line"]));
        agree(name, ours.slope, theirs[0], 1e-8);
        agree(name, ours.intercept, theirs[1], 1e-6);
        agree(name, ours.r_squared, theirs[2], 1e-7);
    });
}

#[test]
fn rankings_are_scipys() {
    let all = values();
    let rankings = all["rankings"].as_array().unwrap();
    assert!(rankings.len() >= 12);
    for (at, theirs) in rankings.iter().enumerate() {
        let name = format!("ranking {at}");
        let scores: Vec<Vec<f64>> = theirs["scores"].as_array().unwrap().iter().map(numbers).collect();
        let ours = friedman(&scores).unwrap();
        agree_tested(&name, ours.friedman, &theirs["friedman"], 1e-9);
        agree(&name, ours.critical_difference, theirs["critical_difference"].as_f64().unwrap(), 1e-6);
        for (a, b) in ours.mean_ranks.iter().zip(numbers(&theirs["mean_ranks"])) {
            agree(&name, *a, b, 1e-12);
        }
    }
}
