//! JSON lines: objects with `rules`, an array of texts, and perhaps `elapsed_s`, as `symsnap learn --snapshots` writes them.
//! Lines that do not begin with a brace are chatter.

use super::reader::{Line, Read, Reader, Reported, Skipped};
use serde::Deserialize;
use std::time::Duration;

/// Whether a line is such an object, or was meant to be.
pub(super) fn recognises(line: &str) -> bool {
    line.trim_start().starts_with('{') && line.contains("\"rules\"")
}

/// The reader of JSON lines.
pub(super) struct JsonLines;

#[derive(Deserialize)]
struct Record {
    rules: Vec<String>,
    elapsed_s: Option<f64>,
}

impl Reader for JsonLines {
    fn line(&mut self, line: Line<'_>, found: &mut Vec<Read>) {
        if !line.text.trim_start().starts_with('{') {
            return;
        }
        found.push(match serde_json::from_str::<Record>(line.text) {
            Ok(record) => {
                let told = record.elapsed_s.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                Ok(Reported::whole(record.rules.join("\n"), line.number, line.heard.or(told)))
            }
            Err(error) => {
                let reason = format!("no object with `rules`, an array of texts: {error}");
                Err(Skipped::new(line.number, line.text, reason))
            }
        });
    }

    fn end(&mut self, _: &mut Vec<Read>) {}
}

#[cfg(test)]
mod tests {
    use crate::ensemble::outside::transcript::tests::{rules, skipped, times};

    #[test]
    fn lines_give_their_rules_and_broken_ones_are_skipped_at_their_place() {
        let text = "{\"index\":0,\"elapsed_s\":1.5,\"rules\":[\"f(V0) :- p(V0).\",\"f(V0) :- q(V0).\"]}\n\n\
                    chatter\n{\"rules\":5}\n{\"elapsed_s\":-1,\"rules\":[]}\n{\"rules\":[\"f(a).\"]}\n";
        let found = rules(None, text);
        let expected = [(1, "f(V0) :- p(V0).\nf(V0) :- q(V0)."), (5, ""), (6, "f(a).")];
        assert_eq!(found, expected.map(|(line, rules)| (line, rules.to_owned())));
        assert_eq!(times(None, text), [Some(1.5), None, None]);
        let skipped = skipped(None, text);
        assert_eq!(skipped.len(), 1);
        assert!(skipped[0].line == 4 && skipped[0].reason.contains("invalid type"), "{skipped:?}");
    }
}
