//! The background file: ground facts straight into columns, other clauses as [`Clause`]s, directives obeyed or
//! rejected by name.
//!
//! A program that defines a predicate under a built-in's name means its own; only what cannot be told from control
//! (`,`, `;`, `|`, `!`, `:-`) cannot be defined. `->` can: tasks have facts of that name.

use super::convert::{Converter, MAX_OPEN_DEPTH, TooDeep};
use super::findings::Findings;
use super::waiting::{WaitingFacts, ground_clause};
use super::{Program, aleph, directive};
use crate::error::{Diagnostic, Result};
use crate::index::narrow;
use crate::logic::{Clause, Open, Pred, TermId, Terms};
use crate::parse::{CONS, Fact, Form, NodeId, Places, Reader, Span, Text, Tree};

/// The parts of a clause.
enum ClausePart {
    Rule { head: NodeId, body: NodeId },
    Fact,
}

impl Program {
    /// Read a program from text.
    ///
    /// # Errors
    /// If the text is not a program: up to [`MAX_ERRORS`](crate::error::MAX_ERRORS) findings.
    pub fn read(source: &Text<'_>, terms: &mut Terms) -> Result<Program> {
        let mut program = Program::default();
        let mut findings = Findings::default();
        read_program(source, terms, &mut program, &mut findings);
        findings.finish().map(|_| program)
    }
}

/// Read clauses from text, each with its place: facts too, no directives but harmless ones. For hypotheses that are
/// given as text.
///
/// # Errors
/// If the text is not a program: up to [`MAX_ERRORS`](crate::error::MAX_ERRORS) findings.
pub(super) fn read_clauses(source: &Text<'_>, terms: &mut Terms) -> Result<Vec<(Clause, Span)>> {
    let mut clauses = Vec::new();
    let mut findings = Findings::default();
    let mut ignored = Program::default();
    let mut reading = Reading::new(source, terms);
    while let Some(part) = reading.next(&mut ignored, &mut findings) {
        let span = reading.tree.span(reading.tree.root());
        let clause = match part {
            ClausePart::Rule { head, body } => reading.rule(head, body),
            ClausePart::Fact => {
                let (pred, arguments) = reading.fact();
                reading.open_fact(pred, &arguments)
            }
        };
        clauses.push((clause, span));
    }
    findings.finish().map(|_| clauses)
}

/// Add the clauses of `source` to `program`.
pub(super) fn read_program(source: &Text<'_>, terms: &mut Terms, program: &mut Program, findings: &mut Findings) {
    let mut reading = Reading::new(source, terms);
    let mut waiting = WaitingFacts::default();
    loop {
        reading.add_plain(&mut waiting, program);
        let Some(part) = reading.next(program, findings) else { break };
        match part {
            ClausePart::Rule { head, body } => {
                let clause = reading.rule(head, body);
                let pred = clause.head.pred(reading.terms).expect("the head has been checked");
                program.add_clause(pred, clause, reading.terms);
            }
            ClausePart::Fact => reading.add_fact(program),
        }
    }
}

/// Where in `source` the first fact of `pred` has `value` as its `argument`. For messages: it reads the text again.
pub(super) fn find_fact(
    source: &Text<'_>,
    terms: &mut Terms,
    pred: Pred,
    argument: usize,
    value: TermId,
) -> Option<Span> {
    let (mut program, mut findings) = (Program::default(), Findings::default());
    let mut reading = Reading::new(source, terms);
    let mut fact = Fact::default();
    loop {
        while reading.reader.fact(false, &mut fact) {
            let row = reading.converter.constants(&fact.arguments, reading.terms);
            if row.len() == pred.arity as usize && row[argument] == value && reading.terms.name(pred.name) == fact.name
            {
                let length: u32 = narrow(fact.name.len());
                return Some(Span { start: fact.start, end: fact.start + length });
            }
        }
        if let ClausePart::Fact = reading.next(&mut program, &mut findings)? {
            let (found, arguments) = reading.fact();
            let row = reading.converter.row(&arguments);
            if found == pred && row.is_some_and(|row| row[argument] == value) {
                return Some(reading.tree.span(arguments[argument]));
            }
        }
    }
}

/// A program text in the course of being read.
struct Reading<'a, 's, 't> {
    source: &'a Text<'s>,
    reader: Reader<'a, 's>,
    tree: Tree<'s>,
    converter: Converter<'s>,
    places: Places<'a, 's>,
    terms: &'t mut Terms,
}

impl<'a, 's, 't> Reading<'a, 's, 't> {
    fn new(source: &'a Text<'s>, terms: &'t mut Terms) -> Self {
        Reading {
            source,
            reader: Reader::new(source),
            tree: Tree::default(),
            converter: Converter::default(),
            places: Places::new(source),
            terms,
        }
    }

    /// Read up to the next clause that is right and no directive, and convert it. Directives are obeyed on the way.
    fn next(&mut self, program: &mut Program, findings: &mut Findings) -> Option<ClausePart> {
        while !findings.is_full() {
            if let Err(finding) = self.reader.read(&mut self.tree)? {
                findings.add(*self.aleph_or(finding));
                continue;
            }
            let root = self.tree.root();
            let part = match self.tree.form(root) {
                Form::Atom("end_of_file") => return None,
                Form::Compound(":-" | "?-", &[goal]) => {
                    directive::obey(goal, &self.tree, self.source, &mut self.reader, self.terms, program)
                        .map(|()| None)
                        .map_err(|finding| self.aleph_or(finding))
                }
                _ => self.part().map(Some),
            };
            let converted = part.and_then(|part| match self.converter.convert(&self.tree, root, self.terms) {
                Err(TooDeep(node)) => Err(self.too_deep(node)),
                Ok(()) => Ok(part),
            });
            match converted {
                Ok(None) => {}
                Ok(part) => return part,
                Err(finding) => findings.add(*finding),
            }
        }
        None
    }

    /// What is wrong with the last clause: that it is one of Aleph's, or what was found.
    fn aleph_or(&self, finding: Box<Diagnostic>) -> Box<Diagnostic> {
        aleph::declaration(self.source, self.reader.start()).unwrap_or(finding)
    }

    /// What kind of clause the tree is.
    fn part(&self) -> std::result::Result<ClausePart, Box<Diagnostic>> {
        let root = self.tree.root();
        match self.tree.form(root) {
            Form::Compound(":-", &[head, body]) => {
                self.check_head(head)?;
                self.check_body(body)?;
                Ok(ClausePart::Rule { head, body })
            }
            Form::Compound("-->", &[_, _]) => {
                let finding = self.error(root, "grammar rules (`-->`) are not supported".to_owned());
                Err(with_help(finding, "write the rule with `:-` and two list arguments"))
            }
            Form::Compound("=>", &[_, _]) => {
                let finding = self.error(root, "rules with `=>` are not supported".to_owned());
                Err(with_help(finding, "write the rule with `:-`"))
            }
            _ => self.check_head(root).map(|()| ClausePart::Fact),
        }
    }

    fn check_head(&self, head: NodeId) -> std::result::Result<(), Box<Diagnostic>> {
        let shown = || self.source.quote(self.tree.span(head), 40);
        let (what, help) = match self.tree.form(head) {
            Form::Compound("," | ";" | "|", &[_, _]) => {
                (format!("`{}` is no head", shown()), "a head is one atom; `:-` stands between head and body")
            }
            Form::Compound(":", &[_, _]) => {
                (format!("`{}` names a module", shown()), "there are no modules: write the atom alone")
            }
            Form::Compound(":-", _) | Form::Compound(CONS, _) | Form::Nil => {
                (format!("`{}` is no head", shown()), "a head is an atom such as `p` or `p(X,Y)`")
            }
            Form::Atom("!" | "," | ";" | "|") => {
                (format!("`{}` is no head", shown()), "a head is an atom such as `p` or `p(X,Y)`")
            }
            Form::Var(name) => (
                format!("variable `{name}` is no head"),
                "a predicate begins with a lower-case letter; a capital letter begins a variable",
            ),
            Form::Int(_) | Form::Big(_) | Form::Float(_) => {
                (format!("number {} is no head", shown()), "a head is an atom such as `p` or `p(X,Y)`")
            }
            Form::Str(_) => (format!("string {} is no head", shown()), "an atom is quoted with ', not with \""),
            Form::Atom(_) | Form::Compound(..) => return Ok(()),
        };
        Err(with_help(self.error(head, what), help))
    }

    /// Goals can be anything but numbers, strings and lists.
    fn check_body(&self, body: NodeId) -> std::result::Result<(), Box<Diagnostic>> {
        let mut goals = vec![body];
        while let Some(goal) = goals.pop() {
            match self.tree.form(goal) {
                Form::Compound("," | ";" | "|" | "->" | "*->", &[left, right]) => goals.extend([right, left]),
                Form::Compound("\\+", &[inner]) => goals.push(inner),
                Form::Int(_)
                | Form::Big(_)
                | Form::Float(_)
                | Form::Str(_)
                | Form::Nil
                | Form::Compound(CONS | "{}", _) => {
                    let shown = self.source.quote(self.tree.span(goal), 40);
                    let finding = self.error(goal, format!("`{shown}` cannot be called"));
                    return Err(with_help(finding, "a body holds atoms such as `p(X,Y)` or `X > 1`"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn error(&self, node: NodeId, message: String) -> Box<Diagnostic> {
        self.source.error(self.tree.span(node), message)
    }

    fn too_deep(&self, node: NodeId) -> Box<Diagnostic> {
        let message = format!("a term with variables is nested more than {MAX_OPEN_DEPTH} levels deep");
        let finding = self.error(node, message);
        with_help(finding, "split the clause; long lists and deep terms are fine where they hold no variable")
    }

    fn rule(&mut self, head: NodeId, body: NodeId) -> Clause {
        let location = self.places.location(self.tree.span(head).start);
        Clause {
            head: self.converter.take(head),
            body: self.converter.take(body),
            variables: self.converter.variables(),
            location,
        }
    }

    /// The predicate and the argument nodes of the fact that the tree is.
    fn fact(&mut self) -> (Pred, Vec<NodeId>) {
        match self.tree.form(self.tree.root()) {
            Form::Compound(name, arguments) => {
                (Pred::new(self.terms.intern(name), narrow(arguments.len())), arguments.to_vec())
            }
            Form::Atom(name) => (Pred::new(self.terms.intern(name), 0), Vec::new()),
            _ => unreachable!("the head has been checked"),
        }
    }

    /// Add the plain facts that come next.
    fn add_plain(&mut self, waiting: &mut WaitingFacts<'s>, program: &mut Program) {
        let mut fact = Fact::default();
        while self.reader.fact(false, &mut fact) {
            waiting.take(&fact, self.terms, program);
            if waiting.is_full(program) {
                waiting.add_to(program, self.terms, &mut self.places);
            }
        }
        waiting.add_to(program, self.terms, &mut self.places);
    }

    fn add_fact(&mut self, program: &mut Program) {
        let (pred, arguments) = self.fact();
        if self.converter.row(&arguments).is_none() {
            let clause = self.open_fact(pred, &arguments);
            program.add_clause(pred, clause, self.terms);
            return;
        }
        let row = self.converter.row(&arguments).expect("just checked");
        let (terms, places, tree) = (&mut *self.terms, &mut self.places, &self.tree);
        let start = tree.span(tree.root()).start;
        program.add_fact(pred, row, || ground_clause(pred, row, terms, places.location(start)));
    }

    fn open_fact(&mut self, pred: Pred, arguments: &[NodeId]) -> Clause {
        let location = self.places.location(self.tree.span(self.tree.root()).start);
        let body = Open::Ground(self.terms.atom_named("true"));
        let head = match self.converter.row(arguments) {
            Some(row) => Open::Ground(self.terms.compound(pred.name, row)),
            None => {
                let parts = arguments.iter().map(|&argument| self.converter.take(argument)).collect();
                Open::Compound(pred.name, parts)
            }
        };
        Clause { head, body, variables: self.converter.variables(), location }
    }
}

fn with_help(mut finding: Box<Diagnostic>, help: &str) -> Box<Diagnostic> {
    finding.help = Some(help.to_owned());
    finding
}

#[cfg(test)]
mod tests {
    use super::super::Definition;
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> (Program, Terms) {
        let mut terms = Terms::default();
        let program = Program::read(&Text::new("bk.pl", text), &mut terms).unwrap_or_else(|error| panic!("{error}"));
        (program, terms)
    }

    fn facts(text: &str) -> Vec<(String, usize)> {
        let (program, terms) = read(text);
        let sizes = program.predicates().iter().map(|predicate| match &predicate.definition {
            Definition::Facts(facts) => (predicate.pred.show(&terms), facts.len()),
            Definition::Clauses(clauses) => (format!("{} rules", predicate.pred.show(&terms)), clauses.len()),
        });
        sizes.collect()
    }

    fn sizes<const N: usize>(expected: [(&str, usize); N]) -> Vec<(String, usize)> {
        expected.map(|(name, size)| (name.to_owned(), size)).to_vec()
    }

    #[test]
    fn ground_facts_go_to_columns_and_the_rest_to_clauses() {
        let text = "p(a,1). p(b,[x,f(y)]). q. r(X) :- p(X,_). r(c). s(_). s(a). ->(a,b). end_of_file. t(";
        let expected = [("p/2", 2), ("q/0", 1), ("r/1 rules", 2), ("s/1 rules", 2), ("->/2", 1)];
        assert_eq!(facts(text), sizes(expected));
        let (program, terms) = read(text);
        let Definition::Facts(p) = &program.predicates()[0].definition else { panic!("p has facts only") };
        let row: Vec<String> = p.row(1).map(|id| terms.show(id)).collect();
        assert_eq!(row, ["b", "[x,f(y)]"]);
    }

    #[test]
    fn facts_keep_their_place_among_the_rules_of_their_predicate() {
        let (program, terms) = read("p(a).\np(b).\np(X) :- q(X, X, _, _).\np(c).");
        let Definition::Clauses(clauses) = &program.predicates()[0].definition else { panic!("p has a rule") };
        let ground = |clause: &Clause| match clause.head {
            Open::Ground(id) => terms.show(id),
            _ => "rule".to_owned(),
        };
        assert_eq!(clauses.iter().map(ground).collect::<Vec<_>>(), ["p(a)", "p(b)", "rule", "p(c)"]);
        assert_eq!(clauses[2].variables, ["X", "_", "_"]);
        assert_eq!((clauses[2].location.line, clauses[3].location.line), (3, 4));
        let q = clauses[2].body.arguments(&terms);
        assert_eq!(q, [Open::Var(0), Open::Var(0), Open::Var(1), Open::Var(2)]);
    }

    /// Every clause through lexer and tree.
    fn read_slowly(source: &Text<'_>, terms: &mut Terms, program: &mut Program, findings: &mut Findings) {
        let mut reading = Reading::new(source, terms);
        while let Some(part) = reading.next(program, findings) {
            match part {
                ClausePart::Rule { head, body } => {
                    let clause = reading.rule(head, body);
                    let pred = clause.head.pred(reading.terms).expect("the head has been checked");
                    program.add_clause(pred, clause, reading.terms);
                }
                ClausePart::Fact => reading.add_fact(program),
            }
        }
    }

    /// What is read: predicates with facts as they are numbered, clauses with their places, all terms, what is wrong and where.
    fn told(text: &str, how: impl Fn(&Text<'_>, &mut Terms, &mut Program, &mut Findings)) -> String {
        let (mut terms, mut program, mut findings) = (Terms::default(), Program::default(), Findings::default());
        how(&Text::new("bk.pl", text), &mut terms, &mut program, &mut findings);
        let all: Vec<String> = (0..terms.len()).map(|at| terms.show(TermId::from_index(narrow(at)))).collect();
        // After too many errors it does not matter how far the rest was read.
        if findings.is_full() {
            format!("{findings:?}")
        } else {
            format!("{:?}\n{all:?}\n{findings:?}", program.predicates())
        }
    }

    proptest! {
        #[test]
        fn facts_that_are_added_together_are_those_read_one_by_one(
            clauses in prop::collection::vec(prop::sample::select(vec![
                "p(a,b).", "p(b,c).\n", "q(1,-2).", "p(a).", "r(a,_).", "p(X,Y) :- q(X,Y).\n", "q(a) :- p(b,d).", "% p(a,b).\n",
                "/* p(c,d).\n", "*/ ", "'p q'(a,b).", "p('a b',c).", "s(\"t\",1.5).", "p(f(a),b).\n", "p(a,", "(", ").", "\n",
                ":- dynamic t/2.", ":- op(700, xfx, p).", ":- foo.", "t(u,0x1f). ", "v(q,p). ", "p", "end_of_file.", "'", "p(ab12345678,a).",
            ]), 0..40),
            repeated in 1usize..30,
        ) {
            let text = clauses.join(" ").repeat(repeated);
            prop_assert_eq!(told(&text, read_program), told(&text, read_slowly));
        }
    }

    #[test]
    fn declarations_are_obeyed_in_every_form() {
        let text = ":- dynamic a/1, b/2. :- dynamic([c/1],[incremental(true)]). :- dynamic([d/0, e/1]).
            :- discontiguous f/1. :- table g/1 as incremental. :- table h/2, i/3. :- table j(_,_).
            :- style_check(-singleton). :- style_check(- (discontiguous)). :- use_module(library(lists)).
            :- use_module(library(lists), [append/3]). :- set_prolog_flag(double_quotes, codes). k(\"a\").
            :- op(700, xfx, ===>). x ===> y. :- use_module(library(clpfd)). l(1 .. 2).";
        let (program, terms) = read(text);
        let names: Vec<String> = program.predicates().iter().map(|p| p.pred.show(&terms)).collect();
        let expected = "a/1 b/2 c/1 d/0 e/1 f/1 g/1 h/2 i/3 j/2 k/1 ===>/2 l/1";
        assert_eq!(names.join(" "), expected);
        let tabled: Vec<String> = program.tabled().iter().map(|pred| pred.show(&terms)).collect();
        assert_eq!(tabled, ["g/1", "h/2", "i/3", "j/2"]);
        let Definition::Facts(k) = &program.predicates()[10].definition else { panic!("k is a fact") };
        assert_eq!(terms.show(k.get(0, 0)), "[97]");
    }

    #[test]
    fn clauses_of_a_hypothesis_are_read_in_order() {
        let mut terms = Terms::default();
        let text = "f(X) :- p(X, Y), q(Y).\nf(a).\nf(_).";
        let clauses = read_clauses(&Text::new("rules", text), &mut terms).unwrap();
        assert_eq!(clauses.iter().map(|(clause, _)| clause.location.line).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(clauses.iter().all(|(clause, _)| clause.head.pred(&terms).unwrap().show(&terms) == "f/1"));
    }

    #[test]
    fn deep_and_long_clauses_are_read_or_rejected_without_recursion() {
        let ground = format!("p({}a{}).", "f(".repeat(9_000), ")".repeat(9_000));
        assert_eq!(facts(&ground), sizes([("p/1", 1)]));
        let list = format!("p([{}1]).", "1,".repeat(200_000));
        assert_eq!(facts(&list), sizes([("p/1", 1)]));
        let body = format!("p(X) :- {}q(X).", "q(X),".repeat(1_900));
        assert_eq!(facts(&body), sizes([("p/1 rules", 1)]));
        let many: Vec<String> = (0..1_000).map(|at| format!("X{at}")).collect();
        assert_eq!(facts(&format!("p([{}]).", many.join(","))), sizes([("p/1 rules", 1)]));
        for deep in [format!("p(X) :- {}q(X).", "q(X),".repeat(5_000)), format!("p([{}X]).", "1,".repeat(50_000))] {
            let error = Program::read(&Text::new("bk.pl", &deep), &mut Terms::default()).unwrap_err().to_string();
            assert!(error.contains("nested more than 2000 levels deep"), "{error}");
        }
    }
}
