//! docs/FORMATS.md lists the values of fields that have few; they are those that the program knows.

use crate::run::{root, run, said, task};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use symsnap::{Cost, Source, StopReason, Ties};

/// The rows of tables with a type: field and values, for strings with more than one value in back quotes.
fn documented() -> Vec<(String, BTreeSet<String>)> {
    let text = std::fs::read_to_string(root().join("docs/FORMATS.md")).unwrap();
    let mut sets = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [field, "string", meaning] = cells[..] else { continue };
        let values: BTreeSet<String> = meaning.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        if values.len() > 1 {
            sets.push((field.trim_matches('`').to_owned(), values));
        }
    }
    sets
}

fn set<'w>(words: impl IntoIterator<Item = &'w str>) -> BTreeSet<String> {
    words.into_iter().map(str::to_owned).collect()
}

#[test]
fn every_documented_set_of_values_is_that_of_the_program() {
    let labels = set(["pos", "neg"]);
    let mut known: BTreeMap<&str, Vec<BTreeSet<String>>> = BTreeMap::from([
        ("cost", vec![set(Cost::ALL.iter().map(|cost| cost.name()))]),
        ("source", vec![set(Source::KNOWN.iter().map(Source::word))]),
        // What `learn` may say, and what ends the other commands.
        (
            "stop",
            vec![
                set([StopReason::Time, StopReason::Memory, StopReason::Cancelled].map(StopReason::word)),
                set(StopReason::ALL.iter().map(|stop| stop.word())),
            ],
        ),
        ("ties", vec![set([Ties::Complete, Ties::Capped, Ties::Incomplete, Ties::NotSought].map(Ties::words))]),
        ("label", vec![labels.clone()]),
        ("truth", vec![labels]),
        ("severity", vec![set(["error", "warning"])]),
        ("evaluation", vec![seen_by_check()]),
        ("by", vec![seen_by_explain()]),
    ]);
    for (field, values) in documented() {
        let sets = known.get_mut(field.as_str());
        let sets = sets.unwrap_or_else(|| panic!("docs/FORMATS.md lists values of `{field}`, which no test compares"));
        let at = sets.iter().position(|set| *set == values);
        let at = at.unwrap_or_else(|| panic!("`{field}`: documented are {values:?}, the program knows {sets:?}"));
        sets.remove(at);
    }
    known.retain(|_, sets| !sets.is_empty());
    assert!(known.is_empty(), "docs/FORMATS.md does not list {known:?}");
}

/// The evaluations of a task that has all of them.
fn seen_by_check() -> BTreeSet<String> {
    let folder = task(
        "evaluations",
        "p(a). p(b). q(X) :- p(X). r(X,Y) :- append(X,_,Y).",
        "pos(f(a)). neg(f(b)).",
        "head_pred(f,1). body_pred(p,1). body_pred(q,1). body_pred(r,2). body_pred(s,1).",
    );
    let (text, _, _) = said(&run(&format!("check {} --json", folder.display())));
    let report: Value = serde_json::from_str(&text).unwrap();
    report["relations"].as_array().unwrap().iter().map(|it| it["evaluation"].as_str().unwrap().to_owned()).collect()
}

/// By what literals of a recursive model hold.
fn seen_by_explain() -> BTreeSet<String> {
    let folder = task(
        "reasons",
        "e(a,b). e(b,c). e(c,d). twice(X,Y) :- e(X,Z), e(Z,Y).",
        "pos(f(a,b)). pos(f(a,c)). pos(f(a,d)).",
        "head_pred(f,2). body_pred(e,2). body_pred(twice,2).",
    );
    let snapshots = folder.join("s.jsonl");
    let rules = "{\"rules\":[\"f(A,B) :- e(A,B).\",\"f(A,B) :- twice(A,C), f(C,B).\"]}\n";
    std::fs::write(&snapshots, rules).unwrap();
    let (task, model) = (folder.display(), folder.join("m.json"));
    let made = run(&format!("ensemble {task} --from {} --method single -o {}", snapshots.display(), model.display()));
    assert!(made.status.success(), "{}", said(&made).1);
    let (text, _, _) = said(&run(&format!("explain {} f(a,d) --json", model.display())));
    let explained: Value = serde_json::from_str(&text).unwrap();
    let mut seen = BTreeSet::new();
    collect(&explained, "by", &mut seen);
    seen
}

/// All strings that are called `name` anywhere in `value`.
fn collect(value: &Value, name: &str, into: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, name, into)),
        Value::Object(fields) => {
            into.extend(fields.get(name).and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| collect(field, name, into));
        }
        _ => {}
    }
}
