//! Hypotheses that another learner found, from the text it wrote: JSON lines, or the log of Popper.
//!
//! Only the rules are taken. Figures in the text are ignored, because a [`SnapshotPool`](crate::snapshot::SnapshotPool)
//! is about what hypotheses do with the examples, and that is for us to find out ([`evaluate`]).
//!
//! A JSON line is an object with `rules`, an array of texts, as `learn --snapshots` writes. In a log, a hypothesis is
//! a block that begins with a line `New best hypothesis:` or `*** SOLUTION ***` and ends with a line of asterisks;
//! each line may begin with a time (`12:34:56` in Popper 4, `1.2s` in Popper 5). The last block of a log that was cut
//! off counts unless its last line was.

use super::members::{declare_bodies, read_hypothesis};
use crate::cost::Cost;
use crate::coverage::{CoverCache, Evaluator};
use crate::database::Database;
use crate::error::{Diagnostic, Error, Location, Result};
use crate::learn::{Candidate, Source};
use crate::logic::Hypothesis;
use crate::task::Task;
use serde::Deserialize;
use std::time::Duration;

/// A hypothesis as text, and where it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideHypothesis {
    /// Its rules, one a line.
    pub rules: String,
    /// The line of its first rule, from 1.
    pub line: usize,
}

/// The hypotheses in the output of another learner, in order; `file` is named in errors.
///
/// # Errors
/// If a line that begins like a JSON object is none with `rules`.
pub fn read_outside(file: &str, text: &str) -> Result<Vec<OutsideHypothesis>> {
    #[derive(Deserialize)]
    struct Line {
        rules: Vec<String>,
    }
    let mut found = Vec::new();
    let mut block: Option<OutsideHypothesis> = None;
    for (at, line) in text.lines().enumerate() {
        let number = at + 1;
        if line.trim_start().starts_with('{') {
            let line: Line = serde_json::from_str(line).map_err(|error| {
                let place = Location::new(file, number, error.column());
                let finding = Diagnostic::error(format!("not a snapshot: {error}")).at(place);
                Error::from(finding.with_help("a snapshot is an object with `rules`, an array of texts"))
            })?;
            found.push(OutsideHypothesis { rules: line.rules.join("\n"), line: number });
            continue;
        }
        let line = without_time(line.trim());
        let stars = line.starts_with("***");
        if line.starts_with("New best hypothesis") || (stars && line.contains("SOLUTION")) {
            found.extend(block.replace(OutsideHypothesis { rules: String::new(), line: number }).filter(has_rules));
        } else if stars {
            found.extend(block.take().filter(has_rules));
        } else if let Some(block) = &mut block
            && is_rule(line)
        {
            if block.rules.is_empty() {
                block.line = number;
            } else {
                block.rules.push('\n');
            }
            block.rules.push_str(line);
        }
    }
    let is_cut = !text.ends_with('\n') && !text.trim_end().ends_with('.');
    found.extend(block.filter(|block| has_rules(block) && !is_cut));
    Ok(found)
}

fn has_rules(found: &OutsideHypothesis) -> bool {
    !found.rules.is_empty()
}

/// Lines of figures (`tp:5 fn:0 ...`, `Precision:1.00 ...`) are no rules.
fn is_rule(line: &str) -> bool {
    line.ends_with('.') && !line.starts_with("tp:") && !line.starts_with("Precision:")
}

/// The line behind a time (`12:34:56 `, `1.2s `) that it may begin with.
fn without_time(line: &str) -> &str {
    let Some((first, rest)) = line.split_once(' ') else { return line };
    let digits = |text: &str, others: &str| text.chars().all(|c| c.is_ascii_digit() || others.contains(c));
    let clock = first.contains(':') && digits(first, ":.,");
    let seconds = first.strip_suffix('s').is_some_and(|number| !number.is_empty() && digits(number, "."));
    if clock || seconds { rest.trim_start() } else { line }
}

/// What found hypotheses do with the examples of `task`, as candidates in their order.
///
/// # Errors
/// If rules do not parse, are for other predicates than the task's, or are not flat.
pub fn evaluate(file: &str, found: &[OutsideHypothesis], task: &mut Task, cost: Cost) -> Result<Vec<Candidate>> {
    let mut hypotheses: Vec<Hypothesis> = Vec::with_capacity(found.len());
    for found in found {
        let name = format!("{file}, hypothesis at line {}", found.line);
        hypotheses.push(read_hypothesis(&name, &found.rules, task)?);
    }
    declare_bodies(&hypotheses, task);
    let database = Database::new(task);
    let (mut cache, mut evaluator) = (CoverCache::default(), Evaluator::new(&database, &task.examples));
    let candidates = hypotheses.into_iter().enumerate().map(|(at, hypothesis)| {
        let confusion = task.examples.confusion(&cache.hypothesis(&mut evaluator, &hypothesis).cover);
        let size = hypothesis.size();
        let value = cost.value(&confusion, size + task.bias.price(&hypothesis.rules));
        let source = Source::OUTSIDE;
        Candidate { hypothesis, value, confusion, size, elapsed: Duration::ZERO, ticks: at as u64, source }
    });
    Ok(candidates.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Vec<(usize, String)> {
        read_outside("log", text).unwrap().into_iter().map(|found| (found.line, found.rules)).collect()
    }

    #[test]
    fn logs_of_popper_4_and_5_give_their_hypotheses() {
        let four = "12:00:01 Generating programs of size: 3\n12:00:01 ********************\n\
                    12:00:01 New best hypothesis:\n12:00:01 tp:1 fn:1 tn:2 fp:0 size:3 mdl:4\n\
                    12:00:01 f(V0):- p(V0,V1),q(V1).\n12:00:01 ********************\n\
                    ********** SOLUTION **********\nPrecision:1.00 Recall:1.00 TP:2 FN:0 TN:2 FP:0 Size:5\n\
                    f(V0):- p(V0,V1),q(V1).\nf(V0):- r(V0).\n******************************\n";
        let expected =
            [(5, "f(V0):- p(V0,V1),q(V1).".to_owned()), (9, "f(V0):- p(V0,V1),q(V1).\nf(V0):- r(V0).".to_owned())];
        assert_eq!(rules(four), expected);
        let five = "0.1s ********************\n0.1s New best hypothesis:\n0.1s tp:5 fn:0 tn:5 fp:0 size:3\n\
                    0.1s f(V0):- p(V0,V1).\n0.1s ********************\n2.2s Generating\n";
        assert_eq!(rules(five), [(4, "f(V0):- p(V0,V1).".to_owned())]);
    }

    #[test]
    fn a_block_that_was_cut_off_counts_up_to_its_last_whole_line() {
        assert_eq!(rules("New best hypothesis:\nf(V0):- p(V0).\n"), [(2, "f(V0):- p(V0).".to_owned())]);
        assert!(rules("New best hypothesis:\nf(V0):- p(V0).\nf(V0):- q(V").is_empty());
        assert!(rules("nothing here.\n").is_empty());
    }

    #[test]
    fn json_lines_give_their_rules_and_broken_ones_are_errors_at_their_place() {
        let text = "{\"index\":0,\"rules\":[\"f(V0) :- p(V0).\",\"f(V0) :- q(V0).\"]}\n\n";
        assert_eq!(rules(text), [(1, "f(V0) :- p(V0).\nf(V0) :- q(V0).".to_owned())]);
        let error = read_outside("s.jsonl", "{\"rules\":[]}\n{\"rules\":5}").unwrap_err().to_string();
        assert!(error.starts_with("s.jsonl:2:"), "{error}");
    }

    #[test]
    fn figures_are_ours_and_not_those_of_the_text() {
        let mut task =
            Task::from_texts("p(a). p(b). q(a).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1).").unwrap();
        let found =
            read_outside("log", "{\"size\":99,\"rules\":[\"f(A) :- p(A).\"]}\n{\"rules\":[\"f(A):-q(A).\"]}").unwrap();
        let candidates = evaluate("log", &found, &mut task, Cost::Mdl).unwrap();
        let values: Vec<u64> = candidates.iter().map(|candidate| candidate.value.0[0]).collect();
        assert_eq!(values, [3, 2]);
        let bad = [OutsideHypothesis { rules: "g(A) :- p(A).".to_owned(), line: 7 }];
        let error = evaluate("log", &bad, &mut task, Cost::Mdl).unwrap_err().to_string();
        assert!(error.starts_with("log, hypothesis at line 7:1:1: error: a rule for g/1"), "{error}");
    }
}
