//! Rules that AMIE prints, one a line: `?a  <lives>  ?b  ?b  <in>  ?c   => ?a  <from>  ?c`, then figures parted by tabs, of
//! which the second is the confidence and the fourth the number of right predictions. Variables begin with a question mark;
//! angle brackets around relations and entities are left out.

use super::dump::{Dump, Named, Triple, rule};
use super::reader::{Line, Read, Reader, Skipped};

/// Whether a line is such a rule, or the heading above them.
pub(super) fn recognises(line: &str) -> bool {
    let rule = line.split_once("=>").is_some_and(|(body, head)| {
        body.trim_start().starts_with('?') && head.contains('\t') || head.trim_start().starts_with('?')
    });
    rule || line.starts_with("Rule\tHead Coverage")
}

/// The reader of rules that AMIE prints.
#[derive(Default)]
pub(super) struct Amie {
    dump: Dump,
}

impl Reader for Amie {
    fn line(&mut self, line: Line<'_>, found: &mut Vec<Read>) {
        let mut columns = line.text.split('\t');
        let Some((body, head)) = columns.next().and_then(|rule| rule.split_once("=>")) else { return };
        let figures: Vec<f64> = columns.map(|column| column.trim().parse().unwrap_or(0.0)).collect();
        let figure = |at: usize| figures.get(at).copied().unwrap_or(0.0);
        match in_prolog(head, body) {
            Some(rule) => self.dump.push(figure(1), figure(3), rule, line.number),
            None => found.push(Err(Skipped::new(line.number, line.text, "no rule as AMIE prints them"))),
        }
    }

    fn end(&mut self, found: &mut Vec<Read>) {
        self.dump.end(found);
    }
}

fn in_prolog(head: &str, body: &str) -> Option<String> {
    let [head] = triples(head)?.try_into().ok()?;
    Some(rule(&head, &triples(body)?))
}

/// The atoms of a text of three words each.
fn triples(text: &str) -> Option<Vec<Triple<'_>>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let triples = words.chunks(3).map(|words| match *words {
        [subject, relation, object] => {
            Some(Triple { relation: bare(relation), subject: named(subject), object: named(object) })
        }
        _ => None,
    });
    triples.collect()
}

fn bare(text: &str) -> &str {
    text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).filter(|rest| !rest.is_empty()).unwrap_or(text)
}

fn named(text: &str) -> Named<'_> {
    match text.strip_prefix('?') {
        Some(name) if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            Named::Variable(name)
        }
        _ => Named::Entity(bare(text)),
    }
}

#[cfg(test)]
mod tests {
    use crate::ensemble::outside::transcript::tests::{rules, skipped};

    #[test]
    fn rules_come_with_the_most_confident_first_and_variables_in_capitals() {
        let text = "Starting the mining phase... \nRule\tHead Coverage\tStd Confidence\tPCA Confidence\tPositive Examples\n\
                    ?a  <lives>  ?b  ?b  <in>  ?c   => ?a  <from>  ?c\t0.1\t0.25\t0.5\t30\n\
                    ?b  <likes>  ?a   => ?a  <from>  <Old Town>\t0.1\t0.5\t0.5\t3\n\
                    ?b  likes  ?a   => ?a  from  <Town>\t0.1\t0.75\t0.5\t3\nMining done in 3 s\n";
        let expected = [(5, "from(A,'Town') :- likes(B,A)."), (3, "from(A,C) :- lives(A,B), in(B,C).")];
        assert_eq!(rules(None, text), expected.map(|(line, rules)| (line, rules.to_owned())));
        assert_eq!(skipped(None, text).iter().map(|it| it.line).collect::<Vec<_>>(), [4]);
    }
}
