//! A bias file from text to [`Bias`]: parse, compile, derive the declarations, keep the constraints.

use super::clauses::{BiasPattern, Constraint, Derivation, Origin, RelationId};
use super::compile::{Compiler, Finding};
use super::declared::DeclaredBias;
use super::eval::{BiasEvaluator, BiasRow, BiasRows, Bindings, Fuel, Variables};
use super::findings::BiasFindings;
use super::validate::{self, KNOWN, NO_EFFECT};
use super::value::{BiasNames, BiasValue};
use super::{Bias, Constraints, derive};
use crate::error::{Diagnostic, Error, MAX_ERRORS, Result};
use crate::logic::Terms;
use crate::parse::{Ast, AstKind, Element, Span, Statement, Text, read_answer_set};
use crate::task::aleph;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::sync::Arc;

/// How much work deriving the declarations may take: about a second, for files that do it in milliseconds.
const FUEL: u64 = 3_000_000;
/// How many characters of a constraint messages show.
const QUOTED: usize = 200;

impl Bias {
    /// Read a bias file: the bias and what the user should know although it can be used.
    ///
    /// # Errors
    /// Up to [`MAX_ERRORS`] findings in the order of the text.
    #[doc(hidden)]
    pub fn read(source: &Text<'_>, terms: &mut Terms) -> Result<(Bias, Vec<Diagnostic>)> {
        let modes = aleph::declarations(source);
        if !modes.is_empty() {
            return Err(Error::Input(modes.into_iter().take(MAX_ERRORS).collect()));
        }
        let statements = read_answer_set(source).map_err(Error::Input)?;
        let mut reader = BiasReader::new(source, terms);
        reader.compile(&statements);
        let program = reader.finish()?;
        program.bias(source, terms)
    }
}

struct BiasReader<'r, 's, 't> {
    source: &'r Text<'s>,
    compiler: Compiler<'t>,
    findings: BiasFindings,
    facts: Vec<(RelationId, BiasRow, Span)>,
    derivations: Vec<(Derivation, Span)>,
    constraints: Vec<(Constraint, Span)>,
    defined: FxHashSet<RelationId>,
}

impl<'r, 's, 't> BiasReader<'r, 's, 't> {
    fn new(source: &'r Text<'s>, terms: &'t mut Terms) -> Self {
        BiasReader {
            source,
            compiler: Compiler::new(terms),
            findings: BiasFindings::default(),
            facts: Vec::new(),
            derivations: Vec::new(),
            constraints: Vec::new(),
            defined: FxHashSet::default(),
        }
    }

    fn compile(&mut self, statements: &[Statement<'s>]) {
        for statement in statements {
            if let Statement::Rule { head, body, span } = statement
                && let Err(finding) = self.rule(head.as_ref(), body, *span)
            {
                self.findings.error(finding);
            }
        }
    }

    fn rule(&mut self, head: Option<&Ast<'s>>, body: &[Element<'s>], span: Span) -> std::result::Result<(), Finding> {
        let quoted = self.source.quote(span, 80);
        let Some(head) = head else { return self.constraint(body, span) };
        if let Some(literal) = forbidden_literal(head) {
            let mut whole = vec![Element::Atom { negated: false, atom: literal }];
            whole.extend_from_slice(body);
            return self.constraint(&whole, span);
        }
        let (compiled, body) = self.compiler.statement(Some(head), body)?;
        let (relation, args) = compiled.expect("a statement with a head has one");
        if !matches!(self.compiler.origin(relation), Origin::Given) {
            let finding = Finding::new(span, format!("`{quoted}` defines what only a hypothesis can"));
            return Err(finding.help("it can stand in bodies of rules and constraints"));
        }
        self.defined.insert(relation);
        if body.steps.is_empty() {
            let evaluated = self.evaluate(&args);
            let row = evaluated.ok_or_else(|| Finding::new(span, format!("`{quoted}` has no value")))?;
            self.facts.push((relation, row, span));
        } else {
            self.derivations.push((Derivation { relation, head: args, body, stratum: 0 }, span));
        }
        Ok(())
    }

    fn constraint(&mut self, body: &[Element<'s>], span: Span) -> std::result::Result<(), Finding> {
        let (_, body) = self.compiler.statement(None, body)?;
        let text: Arc<str> = one_line(&self.source.quote(span, QUOTED)).into();
        self.constraints.push((Constraint { text, body }, span));
        Ok(())
    }

    fn evaluate(&self, args: &[BiasPattern]) -> Option<BiasRow> {
        let (names, variables, fuel) = (BiasNames::default(), Variables::default(), Fuel::new(FUEL));
        let evaluator = BiasEvaluator {
            origins: &[],
            given: &[],
            viewed: &[],
            names: &names,
            variables: &variables,
            tuple: self.compiler.tuple(),
            fuel: &fuel,
        };
        args.iter().map(|arg| evaluator.value(arg, &Bindings::new(0))).collect()
    }

    /// Check names, put rules in order, and derive what does not depend on a hypothesis.
    fn finish(mut self) -> Result<DerivedBias> {
        let read = self.check_names();
        let tuple = self.compiler.tuple();
        let relation_names: Vec<(String, usize)> = self.compiler.relation_names();
        // Rules may read the limits; the defaults are facts like those of the file.
        for (name, value) in
            [("max_vars", Bias::MAX_VARS), ("max_body", Bias::MAX_BODY), ("max_clauses", Bias::MAX_CLAUSES)]
        {
            let relation = self.compiler.relation(name, 1);
            if !self.defined.contains(&relation) {
                let value = BiasValue::Int(i64::try_from(value).expect("a small constant"));
                self.facts.push((relation, Box::new([value]), Span { start: 0, end: 0 }));
            }
        }
        let variables = self.variables();
        let mut relations = self.compiler.finish();
        let mut spans: FxHashMap<(RelationId, BiasRow), Span> = FxHashMap::default();
        let mut given = vec![BiasRows::default(); relations.relations.len()];
        for (relation, row, span) in self.facts {
            if !given[relation.index()].insert(row.clone()) {
                let message = format!("`{}` stands here a second time", self.source.quote(span, 80));
                self.findings.warning(Finding::new(span, message));
            }
            spans.entry((relation, row)).or_insert(span);
        }
        let rule_spans: Vec<(RelationId, Span)> =
            self.derivations.iter().map(|(derivation, span)| (derivation.relation, *span)).collect();
        let mut derivations: Vec<Derivation> = self.derivations.into_iter().map(|(derivation, _)| derivation).collect();
        derive::mark_derived(&derivations, &mut relations.origins);
        let (mut dynamic, mut fixed): (Vec<Derivation>, Vec<Derivation>) = derivations
            .drain(..)
            .partition(|derivation| relations.origins[derivation.relation.index()] == Origin::Derived);
        for group in [&mut dynamic, &mut fixed] {
            if let Err(relation) = derive::stratify(group, relations.relations.len()) {
                let span =
                    rule_spans.iter().find(|(id, _)| *id == relation).map_or(Span { start: 0, end: 0 }, |at| at.1);
                let (name, arity) = &relation_names[relation.index()];
                let message = format!("`{name}/{arity}` depends on its own negation");
                self.findings
                    .error(Finding::new(span, message).help("rules with `not` or `#count` must not be circular"));
                return Err(fail(self.findings, self.source));
            }
        }
        let fuel = Fuel::new(FUEL);
        let (origins, names) = (&relations.origins, &relations.names);
        let base = BiasEvaluator { origins, given: &[], viewed: &[], names, variables: &variables, tuple, fuel: &fuel };
        let saturated = derive::saturate(&fixed, &mut given, base, |base, given| BiasEvaluator { given, ..base });
        if saturated.is_err() {
            let span = rule_spans.first().map_or(Span { start: 0, end: 0 }, |at| at.1);
            let finding = Finding::new(span, "the rules of this file derive too much");
            self.findings.error(finding.help("is there a rule that counts up without end?"));
            return Err(fail(self.findings, self.source));
        }
        let mut placed: FxHashSet<RelationId> = FxHashSet::default();
        for (relation, span) in rule_spans.iter().filter(|(relation, _)| placed.insert(*relation)) {
            for row in given[relation.index()].iter() {
                spans.entry((*relation, row.into())).or_insert(*span);
            }
        }
        let constraints = Constraints {
            origins: relations.origins,
            given,
            names: relations.names,
            variables,
            tuple: Some(tuple),
            derivations: dynamic,
            list: self.constraints.into_iter().map(|(constraint, _)| constraint).collect(),
        };
        Ok(DerivedBias { relations: relation_names, constraints, spans, read, findings: self.findings })
    }

    /// What the domain relations range over, from the facts: the limits cannot depend on them.
    fn variables(&mut self) -> Variables {
        let limit = self.compiler.relation("max_vars", 1);
        let preds = [self.compiler.relation("head_pred", 2), self.compiler.relation("body_pred", 2)];
        let int = |value: &BiasValue| match value {
            BiasValue::Int(value) => usize::try_from(*value).ok().filter(|value| *value <= 255),
            _ => None,
        };
        let count = self.facts.iter().filter(|fact| fact.0 == limit).find_map(|fact| int(&fact.1[0])).unwrap_or(0);
        let mut arities: Vec<usize> =
            self.facts.iter().filter(|fact| preds.contains(&fact.0)).filter_map(|fact| int(&fact.1[1])).collect();
        // Derived predicates: `body_pred(P,1) :- constant(P,_).`
        for (derivation, _) in self.derivations.iter().filter(|(derivation, _)| preds.contains(&derivation.relation)) {
            if let BiasPattern::Value(value) = &derivation.head[1] {
                arities.extend(int(value));
            }
        }
        arities.sort_unstable();
        arities.dedup();
        Variables { count, arities }
    }

    /// Complain of relations that nothing reads and relations that nothing defines; those that rules of the file read.
    fn check_names(&mut self) -> FxHashSet<RelationId> {
        let mut read: Vec<(RelationId, bool)> = Vec::new();
        self.derivations.iter().for_each(|(derivation, _)| derive::reads(&derivation.body.steps, false, &mut read));
        self.constraints.iter().for_each(|(constraint, _)| derive::reads(&constraint.body.steps, false, &mut read));
        let read: FxHashSet<RelationId> = read.into_iter().map(|(relation, _)| relation).collect();
        let names = self.compiler.relation_names();
        let facts = self.facts.iter().map(|(relation, _, span)| (*relation, *span));
        let rules = self.derivations.iter().map(|(derivation, span)| (derivation.relation, *span));
        let mut seen: FxHashSet<RelationId> = FxHashSet::default();
        for (relation, span) in facts.chain(rules) {
            let (name, arity) = (&*names[relation.index()].0, names[relation.index()].1);
            if KNOWN.contains(&(name, arity)) || read.contains(&relation) || !seen.insert(relation) {
                continue;
            }
            let quoted = self.source.quote(span, 80);
            if NO_EFFECT.contains(&(name, arity)) {
                let finding = Finding::new(span, format!("`{name}/{arity}` has no effect"));
                self.findings.warning(match (name, arity) {
                    ("type", 1) => {
                        finding.help("types need no declaration; `type(p,(a,b))` gives those of p's arguments")
                    }
                    ("type", 3) => finding.help("types are given as one tuple: `type(p,(a,b))`"),
                    _ => finding,
                });
            } else {
                let finding = Finding::new(span, format!("unknown statement `{quoted}`"));
                self.findings.error(match validate::suggestion(name) {
                    Some(known) if known == name => finding.help(validate::usage(name)),
                    Some(known) => finding.help(format!("did you mean `{known}`?")),
                    None => finding.help(format!("no rule of this file reads `{name}/{arity}`")),
                });
            }
        }
        let statements = self.derivations.iter().map(|(derivation, span)| (&derivation.body, span));
        let statements = statements.chain(self.constraints.iter().map(|(constraint, span)| (&constraint.body, span)));
        for (body, span) in statements {
            let mut reads = Vec::new();
            derive::reads(&body.steps, false, &mut reads);
            for (relation, _) in reads {
                let (name, arity) = (&*names[relation.index()].0, names[relation.index()].1);
                let known = KNOWN.contains(&(name, arity)) || NO_EFFECT.contains(&(name, arity));
                let given = self.compiler.origin(relation) == Origin::Given;
                if !given || known || self.defined.contains(&relation) || !seen.insert(relation) {
                    continue;
                }
                let finding = Finding::new(*span, format!("nothing defines `{name}/{arity}`"));
                match validate::suggestion(name) {
                    Some(known) if known == name => self.findings.error(finding.help(validate::usage(name))),
                    Some(known) => self.findings.error(finding.help(format!("did you mean `{known}`?"))),
                    None => self.findings.warning(finding),
                }
            }
        }
        read
    }
}

/// A bias program after derivation.
struct DerivedBias {
    relations: Vec<(String, usize)>,
    constraints: Constraints,
    spans: FxHashMap<(RelationId, BiasRow), Span>,
    read: FxHashSet<RelationId>,
    findings: BiasFindings,
}

impl DerivedBias {
    fn bias(mut self, source: &Text<'_>, terms: &mut Terms) -> Result<(Bias, Vec<Diagnostic>)> {
        let declared = DeclaredBias {
            relations: &self.relations,
            given: &self.constraints.given,
            spans: &self.spans,
            read: &self.read,
            tuple: self.constraints.tuple.expect("the reader sets it"),
        };
        let bias = validate::bias(&declared, terms, &mut self.findings);
        let places = declared.body_places(source);
        let warnings = self.findings.settle(source)?;
        let mut bias = bias.expect("without errors there is a head");
        bias.places = places;
        bias.constraints = self.constraints;
        Ok((bias, warnings))
    }
}

fn fail(findings: BiasFindings, source: &Text<'_>) -> Error {
    findings.settle(source).expect_err("an error was just recorded")
}

/// `bad_body(P,Vars)` and `bad_body(P,A,Vars)` forbid a body literal: the literal they forbid.
fn forbidden_literal<'s>(head: &Ast<'s>) -> Option<Ast<'s>> {
    let AstKind::Compound(name, args) = &head.kind else { return None };
    let any = |span| Ast { kind: AstKind::Var("_"), span };
    let (pred, arity, vars) = match (&**name, &args[..]) {
        ("bad_body", [pred, vars]) => (pred.clone(), any(pred.span), vars.clone()),
        ("bad_body", [pred, arity, vars]) => (pred.clone(), arity.clone(), vars.clone()),
        _ => return None,
    };
    let args = vec![any(head.span), pred, arity, vars];
    Some(Ast { kind: AstKind::Compound(Cow::Borrowed("body_literal"), args), span: head.span })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
