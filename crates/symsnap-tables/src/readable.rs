//! Rules of a model for people: how much they weigh, what each does by itself and, for models of tables, words and SQL.

use crate::model::TableOrigin;
use crate::rule_sql::rule_as_sql;
use crate::words::{label_in_words, rule_in_words};
use std::collections::BTreeMap;
use symsnap::internals::ensemble::RuleFigures;
use symsnap::{Background, Model, Predictor, Result};

/// A rule of a model.
#[derive(Debug, Clone)]
pub struct ReadableRule {
    /// The weight of the members that have it.
    pub weight: f64,
    /// How many they are.
    pub members: usize,
    /// As Prolog writes it.
    pub rule: String,
    /// What it does by itself with the training examples, if the model knows.
    pub figures: Option<RuleFigures>,
    /// How much likelier a positive is among what it covers than among all training examples.
    pub lift: Option<f64>,
    /// What it says about the tables that the model was learned from.
    pub words: Option<String>,
    /// A query for the rows that it covers.
    pub sql: Option<String>,
}

impl ReadableRule {
    /// Which share of what it covers is positive.
    pub fn precision(&self) -> Option<f64> {
        let figures = self.figures.as_ref().filter(|it| it.tp + it.fp > 0)?;
        Some(figures.tp as f64 / (figures.tp + figures.fp) as f64)
    }
}

/// For each rule, the members that have it.
pub fn carriers(model: &Model) -> BTreeMap<&str, Vec<usize>> {
    let mut carriers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, member) in model.members.iter().enumerate() {
        for rule in &member.rules {
            let members = carriers.entry(rule).or_default();
            if members.last() != Some(&at) {
                members.push(at);
            }
        }
    }
    carriers
}

/// The different rules of a model, most weight first; `tables` is what it was learned from and the label it is about, if it was
/// learned from tables, and `file` is named in errors.
///
/// # Errors
/// If a rule cannot be read, or what the model says of tables is wrong.
pub fn readable_rules(model: &Model, tables: Option<(&TableOrigin, &str)>, file: &str) -> Result<Vec<ReadableRule>> {
    let base = model
        .members
        .first()
        .map(|member| member.confusion)
        .map(|it| (it.tp + it.fn_) as f64 / ((it.tp + it.fn_ + it.tn + it.fp) as f64).max(1.0));
    let mut rules: Vec<ReadableRule> = carriers(model)
        .into_iter()
        .map(|(rule, members)| {
            let figures = model.rules.iter().find(|figures| figures.rule == rule).cloned();
            let mut readable = ReadableRule {
                weight: members.iter().map(|&at| model.members[at].weight).sum(),
                members: members.len(),
                rule: rule.to_owned(),
                figures,
                lift: None,
                words: None,
                sql: None,
            };
            let base = base.filter(|base| *base > 0.0);
            readable.lift = readable.precision().zip(base).map(|(precision, base)| precision / base);
            readable
        })
        .collect();
    rules.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(b.members.cmp(&a.members)).then(a.rule.cmp(&b.rule)));
    let Some((origin, label)) = tables else { return Ok(rules) };
    let schema = origin.schema(file)?;
    let label = label_in_words(&schema, label);
    let predictor = Predictor::new(model, Background::new())?;
    for (member, hypothesis) in model.members.iter().zip(predictor.hypotheses()) {
        for (text, rule) in member.rules.iter().zip(&hypothesis.rules) {
            if let Some(readable) = rules.iter_mut().find(|it| it.rule == *text && it.words.is_none()) {
                readable.words = Some(rule_in_words(&schema, &label, rule, predictor.terms()));
                readable.sql = rule_as_sql(&schema, rule, predictor.terms());
            }
        }
    }
    Ok(rules)
}
