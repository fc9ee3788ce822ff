//! The JSON that other programs rely on: names and types of fields.

use crate::run::{command, example, learn, scratch};
use serde_json::Value;

/// Whether `value` has exactly these fields with these types; a question mark allows null.
fn assert_fields(value: &Value, fields: &[(&str, &str)]) {
    let object = value.as_object().unwrap();
    let names: Vec<&str> = object.keys().map(String::as_str).collect();
    assert_eq!(names, fields.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for (name, kind) in fields {
        let field = &object[*name];
        let fits = match kind.trim_end_matches('?') {
            "string" => field.is_string(),
            "whole" => field.is_u64(),
            "number" => field.is_number(),
            "bool" => field.is_boolean(),
            "confusion" => {
                assert_fields(field, &[("tp", "whole"), ("fn", "whole"), ("tn", "whole"), ("fp", "whole")]);
                true
            }
            "wholes" => field.as_array().is_some_and(|items| items.iter().all(Value::is_u64)),
            "objects" => field.as_array().is_some_and(|items| items.iter().all(Value::is_object)),
            "strings" => field.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
            other => panic!("no such kind: {other}"),
        };
        assert!(fits || kind.ends_with('?') && field.is_null(), "{name} is not a {kind}: {field}");
    }
}

const REPORT: [(&str, &str); 24] = [
    ("cost", "string"),
    ("choice", "string?"),
    ("value", "wholes"),
    ("confusion", "confusion"),
    ("size", "whole"),
    ("optimal", "bool"),
    ("limited", "bool"),
    ("limits", "strings"),
    ("lower_bound", "wholes"),
    ("ties", "string"),
    ("optima", "whole"),
    ("stop", "string"),
    ("elapsed_s", "number"),
    ("first_candidate_s", "number?"),
    ("best_s", "number?"),
    ("snapshots", "whole"),
    ("rules_tested", "whole"),
    ("peak_rss_mb", "number"),
    ("hypothesis", "strings"),
    ("numbers", "objects"),
    ("why", "strings"),
    ("warnings", "objects"),
    ("notes", "strings"),
    ("verified", "bool"),
];

#[test]
fn numbers_are_reported_with_what_they_may_be_instead() {
    let report = learn(&example("parcels"), "--cost errorsize --json -q").json();
    let numbers = report["numbers"].as_array().unwrap();
    assert_eq!(numbers.len(), 3, "{report}");
    for (number, rule) in numbers.iter().zip(0u64..) {
        assert_fields(number, &[("rule", "whole"), ("literal", "string"), ("low", "number?"), ("high", "number?")]);
        assert_eq!(number["rule"], rule);
        let (text, literal) = (&report["hypothesis"][rule as usize], number["literal"].as_str().unwrap());
        assert!(text.as_str().unwrap().contains(literal), "{literal} is in {text}");
        let own: f64 = literal.rsplit(' ').next().unwrap().parse().unwrap();
        assert!(number["low"].as_f64().unwrap() < own && own <= number["high"].as_f64().unwrap(), "{number}");
    }
}

#[test]
fn the_report_has_the_documented_fields_in_every_outcome() {
    for (task, arguments, code, numbers) in [
        ("family", "", 0, 2),
        ("family", "--cost mdl", 0, 1),
        ("family", "--cost errorsize", 0, 2),
        ("family", "--cost lexfnsize", 0, 3),
        ("family", "--timeout 0", 3, 2),
        ("family", "--max-body 1", 1, 2),
    ] {
        let ran = learn(&example(task), &format!("--json {arguments}"));
        assert_eq!(ran.code, code, "{task} {arguments}: {}", ran.stdout);
        let report = ran.json();
        assert_fields(&report, &REPORT);
        assert_eq!(report["value"].as_array().unwrap().len(), numbers);
        assert_eq!(report["lower_bound"].as_array().unwrap().len(), numbers);
        let learned = !report["hypothesis"].as_array().unwrap().is_empty();
        assert_eq!(learned, code == 0);
        assert_eq!(report["why"].as_array().unwrap().is_empty(), learned);
        assert_eq!(report["best_s"].is_null(), !learned);
        assert_eq!(report["ties"] == "not looked for", !learned, "{task} {arguments}");
        assert_eq!(report["choice"].is_null(), arguments.contains("--cost"), "{task} {arguments}");
        assert_eq!(report["optimal"] == true, report["lower_bound"] == report["value"]);
        assert_eq!(ran.stdout.lines().count(), 1);
    }
}

#[test]
fn snapshots_and_models_have_the_documented_fields() {
    let folder = scratch("json");
    let (lines, model) = (folder.join("snapshots.jsonl"), folder.join("model.json"));
    let mut process = command(&example("molecules"));
    process.args(["--ticks", "30000", "--method", "paper", "-q"]);
    process.arg("--snapshots").arg(&lines).arg("-o").arg(&model);
    assert!(process.output().unwrap().status.success());
    let lines = std::fs::read_to_string(&lines).unwrap();
    assert!(lines.ends_with('\n'));
    for (at, line) in lines.lines().enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_fields(
            &line,
            &[
                ("index", "whole"),
                ("elapsed_s", "number?"),
                ("ticks", "whole"),
                ("cost", "string"),
                ("value", "wholes"),
                ("confusion", "confusion"),
                ("size", "whole"),
                ("source", "string"),
                ("rules", "strings"),
            ],
        );
        assert_eq!(line["index"], at);
    }
    let model: Value = serde_json::from_str(&std::fs::read_to_string(&model).unwrap()).unwrap();
    let members = model["members"].as_array().unwrap();
    assert_eq!(members.len(), lines.lines().count());
    let member = [
        ("weight", "number"),
        ("rules", "strings"),
        ("confusion", "confusion"),
        ("size", "whole"),
        ("value", "wholes"),
    ];
    members.iter().for_each(|one| assert_fields(one, &member));
    for field in ["format", "symsnap", "task", "head", "cost", "method", "fingerprint", "settings", "seed"] {
        assert!(!model[field].is_null(), "{field}");
    }
}
