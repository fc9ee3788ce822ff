//! Rules as Prolog writes them: a hypothesis is what stands between blank lines. Theories that Aleph writes to files
//! (`write_rules`) are such, too. Blocks without anything that looks like a rule are chatter.

use super::reader::{Block, Line, Read, Reader, looks_like_rules};

/// The reader of plain rules.
#[derive(Default)]
pub(super) struct Plain {
    block: Block,
}

impl Reader for Plain {
    fn line(&mut self, line: Line<'_>, found: &mut Vec<Read>) {
        if line.text.trim().is_empty() {
            self.end(found);
        } else {
            self.block.push(line.text, line.number, line.heard);
        }
    }

    fn end(&mut self, found: &mut Vec<Read>) {
        found.extend(self.block.take().filter(|block| looks_like_rules(&block.rules)).map(Ok));
    }
}

#[cfg(test)]
mod tests {
    use crate::ensemble::outside::transcript::tests::rules;

    #[test]
    fn blank_lines_part_hypotheses_and_rules_may_span_lines() {
        let text =
            "Hello. This is a learner\n\nf(A) :-\n   p(A), % a comment\n   q(A).\nf(A) :- r(A).\n  \n\nf(A) :- p(A).";
        let expected = [(3, "f(A) :-\n   p(A), % a comment\n   q(A).\nf(A) :- r(A)."), (9, "f(A) :- p(A).")];
        assert_eq!(rules(None, text), expected.map(|(line, rules)| (line, rules.to_owned())));
    }
}
