//! What Aleph prints while it induces. `[best clause]` is followed by the clause that a search found, which joins the theory
//! so far: the hypothesis at that moment is that theory with it. `[theory]` is followed by the theory as a whole, each rule
//! behind a line `[Rule 1] [Pos cover = 5 Neg cover = 0]`. Other clauses (of searches, bottom clauses) are looked over.
//!
//! Without either heading, a text is one theory, as `write_rules` writes it.

use super::reader::{Block, Line, Read, Reader, Reported};
use std::time::Duration;

/// Whether a line is one that only Aleph prints.
pub(super) fn recognises(line: &str) -> bool {
    let line = line.trim();
    let headings = ["[best clause]", "[theory]", "[bottom clause]", "[reduce]"];
    headings.contains(&line) || (line.starts_with("[sat] [") || line.starts_with("[Rule ")) && line.ends_with(']')
}

/// The reader of what Aleph prints.
#[derive(Default)]
pub(super) struct Aleph {
    /// Clauses without any heading.
    bare: Block,
    headed: bool,
    section: Section,
    /// The clause whose lines are read.
    clause: Block,
    /// The clauses since the last `[theory]`.
    so_far: Vec<String>,
    theory: Block,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Section {
    /// Clauses are not for us.
    #[default]
    Other,
    BestClause,
    Theory,
}

impl Reader for Aleph {
    fn line(&mut self, line: Line<'_>, found: &mut Vec<Read>) {
        let text = line.text.trim();
        if text.starts_with('[') && text.ends_with(']') {
            return self.heading(text, found);
        }
        if !self.headed && !text.is_empty() {
            self.bare.push(text, line.number, line.heard);
        }
        if self.section == Section::Other || text.is_empty() {
            return;
        }
        self.clause.push(text, line.number, line.heard);
        if text.ends_with('.') {
            self.end_clause(found);
        }
    }

    fn end(&mut self, found: &mut Vec<Read>) {
        self.end_theory(found);
        if !self.headed {
            found.extend(self.bare.take().map(Ok));
        }
    }
}

impl Aleph {
    fn heading(&mut self, text: &str, found: &mut Vec<Read>) {
        self.clause.take();
        // Between the rules of a theory stand what they cover and, if Aleph is talkative, which examples.
        let within = text.starts_with("[Rule ") || text.contains("examples covered]");
        if self.section == Section::Theory && within {
            return;
        }
        self.end_theory(found);
        self.headed |= recognises(text);
        self.section = match text {
            "[best clause]" => Section::BestClause,
            "[theory]" => Section::Theory,
            _ => Section::Other,
        };
    }

    fn end_clause(&mut self, found: &mut Vec<Read>) {
        let Some(Reported { rules: clause, line, elapsed, .. }) = self.clause.take() else { return };
        match self.section {
            Section::Theory => self.theory.push(&clause, line, elapsed),
            Section::BestClause => {
                self.so_far.push(clause);
                found.push(self.hypothesis(line, elapsed));
                self.section = Section::Other;
            }
            Section::Other => {}
        }
    }

    fn hypothesis(&self, line: usize, elapsed: Option<Duration>) -> Read {
        Ok(Reported::whole(self.so_far.join("\n"), line, elapsed))
    }

    /// What comes after a theory is another run.
    fn end_theory(&mut self, found: &mut Vec<Read>) {
        if self.section == Section::Theory {
            self.so_far.clear();
            found.extend(self.theory.take().map(Ok));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ensemble::outside::transcript::tests::rules;

    const LOG: &str = "[sat] [1]\n[f(a)]\n\n[bottom clause]\nf(A) :-\n   p(A,B), q(B), r(A).\n[literals] [4]\n\
        [reduce]\n[best label so far] [[1,0,2,1]/0]\nf(A).\n[5/5]\n[best clause]\nf(A) :-\n   p(A,B), \n   q(B).\n\
        [pos cover = 3 neg cover = 0] [pos-neg] [3]\n[atoms left] [2]\n[best clause]\nf(b).\n\
        [pos cover = 1 neg cover = 0] [pos-neg] [1]\n\n[theory]\n\n[Rule 1] [Pos cover = 3 Neg cover = 0]\nf(A) :-\n\
        \x20  p(A,B), q(B).\n\n[Rule 2] [Pos cover = 1 Neg cover = 0]\nf(b).\n\n[Training set performance]\n\
        \x20         Actual\n       +        -\n[Accuracy = 1.0]\n[time taken] [0.01]\n";

    #[test]
    fn each_best_clause_joins_the_theory_so_far_and_the_theory_comes_last() {
        let expected = [
            (13, "f(A) :-\np(A,B),\nq(B)."),
            (19, "f(A) :-\np(A,B),\nq(B).\nf(b)."),
            (25, "f(A) :-\np(A,B), q(B).\nf(b)."),
        ];
        assert_eq!(rules(None, LOG), expected.map(|(line, rules)| (line, rules.to_owned())));
    }

    #[test]
    fn a_log_that_is_cut_off_has_what_was_whole() {
        let cut = &LOG[..LOG.find("f(b).\n[pos").unwrap()];
        assert_eq!(rules(None, cut).len(), 1);
        assert_eq!(rules(None, &LOG[..LOG.find("   p(A,B), \n").unwrap()]), []);
    }

    #[test]
    fn a_file_of_rules_is_one_theory() {
        let text = "f(A) :-\n   p(A).\n\nf(A) :-\n   q(A).\n";
        assert_eq!(rules(Some("aleph"), text), [(1, "f(A) :-\np(A).\nf(A) :-\nq(A).".to_owned())]);
    }
}
