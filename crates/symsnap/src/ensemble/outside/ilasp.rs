//! What ILASP and FastLAS print: rules of an answer set program, one a line, and around them lines of `%`, with times
//! (ILASP), or nothing (FastLAS).
//!
//! A rule becomes Prolog: what is negated (`not p(V1)`) becomes `\+ p(V1)` and comes last, behind comparisons, because Prolog
//! evaluates from left to right and answer set programming has no order. Hypotheses with constraints, choices or several
//! heads say something else than which atoms follow; they are skipped.

use super::reader::{Block, Line, Read, Reader, Reported, Skipped};

/// Whether a line is one that only ILASP or FastLAS prints.
pub(super) fn recognises(line: &str) -> bool {
    let line = line.trim();
    let ruler = line.len() >= 40 && line.bytes().all(|byte| byte == b'%');
    let negates = line.ends_with('.') && line.split_once(":-").is_some_and(|(_, body)| negation(body).is_some());
    ruler || line.starts_with("%% ") || line.starts_with("% Optimal hypothesis") || negates
}

fn negation(body: &str) -> Option<usize> {
    parts(body).iter().position(|part| part.trim().starts_with("not "))
}

/// The reader of rules of answer set programs.
#[derive(Default)]
pub(super) struct Ilasp {
    block: Block,
}

impl Reader for Ilasp {
    fn line(&mut self, line: Line<'_>, found: &mut Vec<Read>) {
        let text = line.text.trim();
        // `:- a, b.[1@1, V1]` is a weak constraint: it, too, must not be looked over.
        let rule = text.ends_with('.') || text.starts_with(":~");
        if rule && !text.starts_with('%') {
            self.block.push(text, line.number, line.heard);
        } else {
            self.end(found);
        }
    }

    fn end(&mut self, found: &mut Vec<Read>) {
        let Some(block) = self.block.take() else { return };
        let rules: Result<Vec<String>, String> = block.rules.lines().map(in_prolog).collect();
        found.push(match rules {
            Ok(rules) => Ok(Reported { rules: rules.join("\n"), ..block }),
            Err(reason) => Err(Skipped::new(block.line, &block.rules, reason)),
        });
    }
}

/// One rule in Prolog.
fn in_prolog(rule: &str) -> Result<String, String> {
    let text = rule.trim_end_matches('.');
    if text.starts_with(":-") || text.starts_with(":~") {
        return Err("it has a constraint, which says what may not be and not what follows".to_owned());
    }
    let (head, body) = text.split_once(":-").unwrap_or((text, ""));
    if head.contains(['{', '}']) {
        return Err("it has a choice".to_owned());
    }
    if head.contains([';', '|']) {
        return Err("it has a rule with several heads".to_owned());
    }
    let (mut first, mut then, mut last) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts(body).into_iter().map(str::trim).filter(|part| !part.is_empty()) {
        if let Some(negated) = part.strip_prefix("not ") {
            last.push(format!("\\+ {}", negated.trim()));
        } else if let Some(comparison) = comparison(part) {
            then.push(comparison);
        } else {
            first.push(part.to_owned());
        }
    }
    first.extend(then.into_iter().chain(last));
    let head = head.trim();
    Ok(if first.is_empty() { format!("{head}.") } else { format!("{head} :- {}.", first.join(", ")) })
}

/// The parts of a body, between commas and semicolons that stand in no brackets and no quotes.
fn parts(body: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0_usize, false);
    for (at, c) in body.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' | ';' if depth == 0 => {
                found.push(&body[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&body[start..]);
    found
}

/// A comparison as Prolog writes it, if the part is one.
fn comparison(part: &str) -> Option<String> {
    if part.contains('"') {
        return None;
    }
    // Longer signs first: `<=` is not `<`.
    let signs = [("!=", "\\=="), ("<=", "=<"), (">=", ">="), ("==", "=="), ("<", "<"), (">", ">"), ("=", "=")];
    let (sign, prolog) = signs.into_iter().find(|(sign, _)| part.contains(sign))?;
    let (left, right) = part.split_once(sign)?;
    let (left, right) = (left.trim(), right.trim());
    let computed = |side: &str| side.contains(['+', '-', '*', '/']);
    Some(match prolog {
        "=" if computed(right) => format!("{left} is {right}"),
        "=" if computed(left) => format!("{right} is {left}"),
        _ => format!("{left} {prolog} {right}"),
    })
}

#[cfg(test)]
mod tests {
    use crate::ensemble::outside::transcript::tests::{rules, skipped};

    const RULER: &str = "%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%";

    #[test]
    fn rules_become_prolog_with_what_is_negated_last() {
        let text = format!(
            "f(V1) :- not q(V2), V2 != V1; p(V1,V2), V2 <= 3, V3 = V2 + 1.\nf(a).\n\n{RULER}\n%% Pre-processing : 0.008s\n"
        );
        let rule = "f(V1) :- p(V1,V2), V2 \\== V1, V2 =< 3, V3 is V2 + 1, \\+ q(V2).\nf(a).";
        assert_eq!(rules(None, &text), [(1, rule.to_owned())]);
    }

    #[test]
    fn two_solutions_are_two_hypotheses() {
        let text =
            "% Optimal hypothesis satisfying the prediction:\n\nf(V0) :- p(V0).\n\n\n% and not:\n\nf(V0) :- q(V0).\n";
        assert_eq!(rules(None, text), [(3, "f(V0) :- p(V0).".to_owned()), (8, "f(V0) :- q(V0).".to_owned())]);
    }

    #[test]
    fn constraints_choices_and_disjunctions_are_skipped() {
        let text =
            format!(":- p(V1).\n{RULER}\n0 {{ f(V1) }} 1 :- p(V1).\n\nf(V1) ; g(V1) :- p(V1).\n\n:~ p(V1).[1@1]\n");
        assert!(rules(None, &text).is_empty());
        let reasons: Vec<String> = skipped(None, &text).into_iter().map(|it| it.reason).collect();
        assert_eq!(reasons.len(), 4, "{reasons:?}");
        assert!(reasons[0].contains("constraint") && reasons[1].contains("choice") && reasons[2].contains("heads"));
    }
}
