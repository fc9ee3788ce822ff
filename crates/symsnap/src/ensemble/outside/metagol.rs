//! What Metagol prints: `% learning f/2`, `% clauses: 3` while it looks for programs of more and more clauses, and then a
//! program, one clause a line, with invented predicates as `f_1`. Rules on lines that follow each other are a program.

use super::reader::{Block, Line, Read, Reader};

/// Whether a line is one that only Metagol prints.
pub(super) fn recognises(line: &str) -> bool {
    let line = line.trim();
    let counts = line.strip_prefix("% clauses: ").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    counts || line.strip_prefix("% learning ").is_some_and(|rest| rest.contains('/'))
}

/// The reader of what Metagol prints.
#[derive(Default)]
pub(super) struct Metagol {
    block: Block,
}

impl Reader for Metagol {
    fn line(&mut self, line: Line<'_>, found: &mut Vec<Read>) {
        let text = line.text.trim();
        if text.ends_with('.') && text.contains('(') && !text.starts_with('%') {
            self.block.push(text, line.number, line.heard);
        } else {
            self.end(found);
        }
    }

    fn end(&mut self, found: &mut Vec<Read>) {
        found.extend(self.block.take().map(Ok));
    }
}

#[cfg(test)]
mod tests {
    use crate::ensemble::outside::transcript::tests::rules;

    #[test]
    fn a_program_is_what_stands_on_lines_that_follow_each_other() {
        let text = "% learning f/2\n% clauses: 1\n% clauses: 2\nf(A,B):-f_1(A,C),f_1(C,B).\nf_1(A,B):-p(A,B).\n\n\
                    f(A,B):-p(A,B).\ntrue\n% unable to learn a solution\n";
        let expected = [(4, "f(A,B):-f_1(A,C),f_1(C,B).\nf_1(A,B):-p(A,B)."), (7, "f(A,B):-p(A,B).")];
        assert_eq!(rules(None, text), expected.map(|(line, rules)| (line, rules.to_owned())));
    }
}
