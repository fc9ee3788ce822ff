//! Programs, the library and hypotheses into the machine.

use super::code::{ClauseCode, Goal, ProcId};
use super::facts::FactTable;
use super::machine::Machine;
use super::procedure::{ClauseSet, ProcedureDefinition};
use crate::index::narrow;
use crate::logic::{Arg, Clause, Literal, Open, Pred, Rule, Term, TermId, Terms};
use crate::parse::Text;
use crate::task::{self, Program};

const LIBRARY: &str = include_str!("library.pl");

/// Whose names a clause's goals mean.
#[derive(Debug, Clone, Copy)]
pub(super) enum NameScope {
    Program,
    Library,
}

/// A body goal before it is compiled; ground ones are not copied out of `Terms`.
enum BodyGoal<'a> {
    Open(&'a Open),
    Ground(TermId),
}

impl Machine {
    /// Compile the library.
    pub fn load_library(&mut self) {
        let source = Text::new("<library>", LIBRARY);
        let library = Program::read(&source, &mut self.store.terms).expect("the library is well formed");
        self.load(&library, NameScope::Library);
    }

    /// Compile a program.
    pub fn load(&mut self, program: &Program, scope: NameScope) {
        // All names first: a goal may come before the definition that wins over a built-in of its name.
        let procs: Vec<ProcId> = program.predicates().iter().map(|it| self.define(it.pred, scope)).collect();
        for (predicate, proc) in program.predicates().iter().zip(procs) {
            let definition = match &predicate.definition {
                task::Definition::Facts(facts) => ProcedureDefinition::Facts(FactTable::new(facts.clone())),
                task::Definition::Clauses(clauses) => {
                    let clauses = clauses.iter().map(|clause| self.compile(clause, scope)).collect();
                    ProcedureDefinition::Clauses(ClauseSet::new(clauses))
                }
            };
            self.procedures[proc.0 as usize].definition = definition;
        }
        for &pred in program.tabled() {
            let proc = self.resolve(pred);
            self.procedures[proc.0 as usize].tabled = true;
        }
    }

    fn define(&mut self, pred: Pred, scope: NameScope) -> ProcId {
        match scope {
            NameScope::Program => self.resolve(pred),
            NameScope::Library => self.resolve_in_library(pred),
        }
    }

    /// Compile a clause.
    pub fn compile(&mut self, clause: &Clause, scope: NameScope) -> ClauseCode {
        let head = clause.head.arguments(&self.store.terms);
        let body = narrow(self.code.goals.len());
        let mut todo = vec![BodyGoal::Open(&clause.body)];
        let mut goals = Vec::new();
        while let Some(part) = todo.pop() {
            let part = match part {
                BodyGoal::Open(Open::Ground(id)) => BodyGoal::Ground(*id),
                part => part,
            };
            match part {
                BodyGoal::Open(Open::Compound(name, args)) if *name == self.store.names.comma && args.len() == 2 => {
                    todo.extend([BodyGoal::Open(&args[1]), BodyGoal::Open(&args[0])]);
                }
                BodyGoal::Ground(id) => match self.store.terms.get(id) {
                    Term::Compound(name, &[left, right]) if name == self.store.names.comma => {
                        todo.extend([BodyGoal::Ground(right), BodyGoal::Ground(left)]);
                    }
                    _ => {
                        let goal = self.compile_goal(&Open::Ground(id), scope);
                        goals.extend(goal);
                    }
                },
                BodyGoal::Open(open) => {
                    let goal = self.compile_goal(open, scope);
                    goals.extend(goal);
                }
            }
        }
        self.code.goals.extend(goals);
        self.code.goals.push(Goal::Proceed);
        self.clause_code(&head, narrow(clause.variables.len()), body)
    }

    fn clause_code(&mut self, head: &[Open], vars: u32, body: u32) -> ClauseCode {
        let arity = narrow(head.len());
        let head = self.code.templates(&self.store, head.iter());
        let key = if arity == 0 { None } else { self.code.key(&self.store, head) };
        ClauseCode { head, arity, vars, body, key }
    }

    /// `None` for `true`.
    fn compile_goal(&mut self, goal: &Open, scope: NameScope) -> Option<Goal> {
        let pred = goal.pred(&self.store.terms);
        let Some(pred) = pred.filter(|&pred| !is_construct(pred, &self.store.terms)) else {
            let marked = match scope {
                NameScope::Program => None,
                NameScope::Library => Some(self.mark_goals(goal)),
            };
            let template = self.code.templates(&self.store, std::iter::once(marked.as_ref().unwrap_or(goal)));
            return Some(Goal::Control(template));
        };
        match (self.store.terms.name(pred.name), pred.arity) {
            ("!", 0) => return Some(Goal::Cut),
            ("true", 0) => return None,
            _ => {}
        }
        let proc = self.define(pred, scope);
        let args = match goal {
            Open::Compound(_, args) => self.code.templates(&self.store, args.iter()),
            _ => {
                let args = goal.arguments(&self.store.terms);
                self.code.templates(&self.store, args.iter())
            }
        };
        Some(Goal::Call { proc, args, arity: pred.arity })
    }

    /// The same construct with each goal `g` in it as `'$library'(g)`. Recurses, but only over the library's own text.
    fn mark_goals(&mut self, goal: &Open) -> Open {
        let pred = goal.pred(&self.store.terms).expect("the library has no variable goals");
        let (name, args) = (self.store.terms.name(pred.name).to_string(), goal.arguments(&self.store.terms));
        match name.as_str() {
            "," | ";" | "->" | "\\+" => {
                Open::Compound(pred.name, args.iter().map(|goal| self.mark_goals(goal)).collect())
            }
            "!" => goal.clone(),
            _ => Open::Compound(self.store.terms.intern("$library"), Box::new([goal.clone()])),
        }
    }

    /// Compile a rule; its literals are calls of predicates whatever their names are.
    pub fn compile_rule(&mut self, rule: &Rule) -> ClauseCode {
        let body = narrow(self.code.goals.len());
        let goals: Vec<Goal> = rule.body.iter().map(|literal| self.compile_literal(literal)).collect();
        self.code.goals.extend(goals);
        self.code.goals.push(Goal::Proceed);
        let head = open_args(&rule.head, &mut self.store.terms);
        self.clause_code(&head, narrow(rule.var_count()), body)
    }

    fn compile_literal(&mut self, literal: &Literal) -> Goal {
        let proc = self.resolve(literal.pred);
        let args = open_args(literal, &mut self.store.terms);
        let args = self.code.templates(&self.store, args.iter());
        Goal::Call { proc, args, arity: literal.pred.arity }
    }

    /// A clause that calls `proc` with its own arguments.
    pub fn forward(&mut self, proc: ProcId, arity: u32) -> ClauseCode {
        let vars: Vec<Open> = (0..arity).map(Open::Var).collect();
        let body = narrow(self.code.goals.len());
        let args = self.code.templates(&self.store, vars.iter());
        self.code.goals.extend([Goal::Call { proc, args, arity }, Goal::Proceed]);
        self.clause_code(&vars, arity, body)
    }
}

fn open_args(literal: &Literal, terms: &mut Terms) -> Vec<Open> {
    let open = |arg: &Arg| match arg {
        Arg::Var(var) => Open::Var(narrow(var.index())),
        Arg::Const(id) => Open::Ground(*id),
        Arg::Number(number) => Open::Ground(number.intern(terms)),
    };
    literal.args.iter().map(open).collect()
}

/// Whether a goal of this name is a control construct, which the solver interprets.
fn is_construct(pred: Pred, terms: &Terms) -> bool {
    matches!((terms.name(pred.name), pred.arity), (";" | "|" | "->" | "*->" | ":", 2) | ("\\+", 1))
}
