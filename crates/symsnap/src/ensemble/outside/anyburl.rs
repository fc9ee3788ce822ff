//! Rules that AnyBURL writes, one a line: how many predictions, how many of them right, the confidence, and the rule, parted by
//! tabs: `120  60  0.5  speaks(X,french) <= lives(X,A), in(A,france)`. A letter is a variable, anything else an entity.

use super::dump::{Dump, Named, Triple, rule};
use super::reader::{Line, Read, Reader, Skipped};

/// The entity that stands for the other argument of its atom.
const SELF: &str = "me_myself_i";

/// Whether a line is such a rule.
pub(super) fn recognises(line: &str) -> bool {
    columns(line).is_some_and(|(_, _, rule)| rule.contains(") <="))
}

/// The reader of rules that AnyBURL writes.
#[derive(Default)]
pub(super) struct AnyBurl {
    dump: Dump,
}

impl Reader for AnyBurl {
    fn line(&mut self, line: Line<'_>, found: &mut Vec<Read>) {
        let Some((confidence, right, text)) = columns(line.text) else { return };
        match in_prolog(text) {
            Some(rule) => self.dump.push(confidence, right, rule, line.number),
            None => found.push(Err(Skipped::new(line.number, text, "no rule as AnyBURL writes them"))),
        }
    }

    fn end(&mut self, found: &mut Vec<Read>) {
        self.dump.end(found);
    }
}

/// Confidence, right predictions and the rule.
fn columns(line: &str) -> Option<(f64, f64, &str)> {
    let mut columns = line.trim().splitn(4, '\t');
    let _predictions: f64 = columns.next()?.parse().ok()?;
    let (right, confidence) = (columns.next()?.parse().ok()?, columns.next()?.parse().ok()?);
    Some((confidence, right, columns.next()?))
}

fn in_prolog(text: &str) -> Option<String> {
    let (head, body) = text.split_once("<=")?;
    let body = body.trim();
    // Arguments are parted by a comma alone, atoms by a comma and a blank.
    let atoms: Vec<&str> = if body.is_empty() { Vec::new() } else { body.split("), ").collect() };
    let body: Option<Vec<Triple<'_>>> = atoms.into_iter().map(triple).collect();
    Some(rule(&triple(head)?, &body?))
}

/// The closing bracket may be missing.
fn triple(text: &str) -> Option<Triple<'_>> {
    let text = text.trim();
    let (relation, arguments) = text.strip_suffix(')').unwrap_or(text).split_once('(')?;
    let (subject, object) = arguments.split_once(',')?;
    let (subject, object) = (subject.trim(), object.trim());
    if relation.is_empty() || subject.is_empty() || object.is_empty() {
        return None;
    }
    let subject = if subject == SELF { object } else { subject };
    let object = if object == SELF { subject } else { object };
    Some(Triple { relation, subject: named(subject), object: named(object) })
}

fn named(text: &str) -> Named<'_> {
    let is_variable = text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    if is_variable { Named::Variable(text) } else { Named::Entity(text) }
}

#[cfg(test)]
mod tests {
    use crate::ensemble::outside::transcript::tests::{rules, skipped};

    #[test]
    fn rules_come_with_the_most_confident_first_and_entities_are_atoms() {
        let text = "120\t60\t0.5\tspeaks(X,french) <= lives(X,A), in(A,/m/0f8l9c)\n\
                    9\t9\t1.0\tspeaks(X,Y) <= near(X,me_myself_i), of(Y,12)\n\
                    4\t2\t0.5\tspeaks(X,Y) <=\nchatter\n3\t1\t0.3\tspeaks <= x\n";
        let expected = [
            (2, "speaks(X,Y) :- near(X,X), of(Y,12)."),
            (1, "speaks(X,french) :- lives(X,A), in(A,'/m/0f8l9c')."),
            (3, "speaks(X,Y)."),
        ];
        assert_eq!(rules(None, text), expected.map(|(line, rules)| (line, rules.to_owned())));
        assert_eq!(skipped(None, text).iter().map(|it| it.line).collect::<Vec<_>>(), [5]);
    }
}
