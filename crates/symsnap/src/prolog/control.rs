//! Control: conjunction, disjunction, if-then-else, cut, negation and the calling of terms.
//!
//! A cut inside a condition, a negation or a called term is local to it; elsewhere it is the clause's. Programs may
//! define facts called `->` or `;`: as goals these names still mean the constructs, and the facts are reached only
//! from outside, through [`Engine::call`](super::Engine::call).

use super::limits::Fault;
use super::machine::{Alternative, Flow, Machine, Step};
use super::procedure::{Definition, Steer};
use super::store::{Args, Cell, View};
use crate::logic::{Pred, Symbol};

/// The control predicate `name/arity`.
pub(super) fn find(name: &str, arity: u32) -> Option<Definition> {
    let steer: Steer = match (name, arity) {
        ("," | ";" | "|" | "->" | "*->" | ":", 2) | ("\\+", 1) | ("!", 0) => as_term,
        ("call", 1..=8) => call,
        ("$library", 1) => in_library,
        ("not", 1) => |m, next| Ok(m.negate(m.args[0], next)),
        ("once", 1) => |m, next| Ok(m.once(m.args[0], next)),
        ("ignore", 1) => ignore,
        ("forall", 2) => forall,
        ("repeat", 0) => |m, next| {
            m.choose(Alternative::Repeat, next);
            Ok(Flow::Proceed(next))
        },
        _ => return None,
    };
    Some(Definition::Steer(steer))
}

/// A construct that was called like a predicate: make the term again and interpret it.
fn as_term(m: &mut Machine, next: u32) -> Result<Flow, Fault> {
    let cut = m.height();
    let name = m.called.expect("`call` notes the name");
    let args = std::mem::take(&mut m.args);
    let goal = m.store.structure(name, &args);
    m.args = args;
    Ok(Flow::Go(Step::Goal { goal, cut }, next))
}

fn call(m: &mut Machine, next: u32) -> Result<Flow, Fault> {
    let cut = m.height();
    if m.args.len() == 1 {
        return Ok(Flow::Go(Step::Goal { goal: m.args[0], cut }, next));
    }
    let goal = m.strip_module(m.args[0]);
    let extra: Vec<Cell> = m.args[1..].to_vec();
    m.args.clear();
    let name = match m.store.view(goal) {
        View::Atom(name) => name,
        View::Compound(name, arity, args) => {
            m.args.extend((0..arity).map(|at| m.store.arg(args, at)));
            name
        }
        View::Var(_) => return Err(Fault::instantiation()),
        _ => return Err(m.not_callable(goal)),
    };
    m.args.extend(extra);
    let proc = m.resolve(Pred::new(name, m.args.len() as u32));
    m.call(proc, next)
}

/// A goal of a library clause, inside a construct that is interpreted: its name is the library's.
fn in_library(m: &mut Machine, next: u32) -> Result<Flow, Fault> {
    let (name, arity) = match m.store.view(m.args[0]) {
        View::Atom(name) => {
            m.args.clear();
            (name, 0)
        }
        View::Compound(name, arity, args) => {
            m.args.clear();
            m.args.extend((0..arity).map(|at| m.store.arg(args, at)));
            (name, arity)
        }
        _ => return Err(m.not_callable(m.args[0])),
    };
    let proc = m.resolve_in_library(Pred::new(name, arity));
    m.call(proc, next)
}

fn ignore(m: &mut Machine, next: u32) -> Result<Flow, Fault> {
    let height = m.height();
    m.choose(Alternative::Proceed, next);
    let commit = m.push(Step::Commit(height), next);
    Ok(Flow::Go(Step::Goal { goal: m.args[0], cut: height + 1 }, commit))
}

fn forall(m: &mut Machine, next: u32) -> Result<Flow, Fault> {
    // \+ (Condition, \+ Action)
    let (condition, action) = (m.args[0], m.args[1]);
    let height = m.height();
    m.choose(Alternative::Proceed, next);
    let refute = m.push(Step::Refute(height), next);
    let negation = m.store.terms.intern("\\+");
    let negation = m.store.structure(negation, &[action]);
    let check = m.push(Step::Goal { goal: negation, cut: height + 1 }, refute);
    Ok(Flow::Go(Step::Goal { goal: condition, cut: height + 1 }, check))
}

impl Machine {
    pub fn not_callable(&mut self, goal: Cell) -> Fault {
        Fault::wrong_type("a goal", self.store.show(goal))
    }

    /// `Goal` of `Module:Goal`: there is one module here.
    pub fn strip_module(&self, mut goal: Cell) -> Cell {
        while let View::Compound(name, 2, args) = self.store.view(goal)
            && name == self.store.names.colon
        {
            goal = self.store.arg(args, 1);
        }
        goal
    }

    /// Interpret a term as a goal.
    pub fn goal(&mut self, goal: Cell, cut: u32, next: u32) -> Result<Flow, Fault> {
        match self.store.view(goal) {
            View::Var(_) => Err(Fault::Instantiation { goal: "call/1".to_string() }),
            View::Atom(name) => {
                if self.store.terms.name(name) == "!" {
                    self.cut_to(cut, next);
                    return Ok(Flow::Proceed(next));
                }
                self.args.clear();
                let proc = self.resolve(Pred::new(name, 0));
                self.call(proc, next)
            }
            View::Compound(name, arity, args) => {
                if let Some(flow) = self.construct(name, arity, args, cut, next) {
                    return Ok(flow);
                }
                self.args.clear();
                for at in 0..arity {
                    let arg = self.store.arg(args, at);
                    self.args.push(arg);
                }
                let proc = self.resolve(Pred::new(name, arity));
                self.call(proc, next)
            }
            View::Nil => {
                let pred = Pred::new(self.store.terms.intern("[]"), 0);
                Err(Fault::UnknownProcedure { pred, name: "[]/0".to_string() })
            }
            _ => Err(self.not_callable(goal).within(|| "call/1".to_string())),
        }
    }

    fn construct(&mut self, name: Symbol, arity: u32, args: Args, cut: u32, next: u32) -> Option<Flow> {
        let names = self.store.names;
        if arity == 1 && name == names.not {
            return Some(self.negate(self.store.arg(args, 0), next));
        }
        if arity != 2 {
            return None;
        }
        let (left, right) = (self.store.arg(args, 0), self.store.arg(args, 1));
        let height = self.height();
        Some(if name == names.comma {
            let rest = self.push(Step::Goal { goal: right, cut }, next);
            Flow::Go(Step::Goal { goal: left, cut }, rest)
        } else if name == names.bar || name == names.pipe {
            self.choose(Alternative::Step(Step::Goal { goal: right, cut }), next);
            match self.store.view(left) {
                View::Compound(arrow, 2, args) if arrow == names.arrow || arrow == names.soft_arrow => {
                    let (condition, then) = (self.store.arg(args, 0), self.store.arg(args, 1));
                    let then = self.push(Step::Goal { goal: then, cut }, next);
                    let commit = if arrow == names.arrow { Step::Commit(height) } else { Step::SoftCommit(height) };
                    let commit = self.push(commit, then);
                    Flow::Go(Step::Goal { goal: condition, cut: height + 1 }, commit)
                }
                _ => Flow::Go(Step::Goal { goal: left, cut }, next),
            }
        } else if name == names.arrow {
            let then = self.push(Step::Goal { goal: right, cut }, next);
            let commit = self.push(Step::Commit(height), then);
            Flow::Go(Step::Goal { goal: left, cut: height }, commit)
        } else if name == names.soft_arrow {
            let then = self.push(Step::Goal { goal: right, cut }, next);
            Flow::Go(Step::Goal { goal: left, cut: height }, then)
        } else if name == names.colon {
            Flow::Go(Step::Goal { goal: right, cut }, next)
        } else {
            return None;
        })
    }

    /// `\+ Goal`.
    pub fn negate(&mut self, goal: Cell, next: u32) -> Flow {
        let height = self.height();
        self.choose(Alternative::Proceed, next);
        let refute = self.push(Step::Refute(height), next);
        Flow::Go(Step::Goal { goal, cut: height + 1 }, refute)
    }

    /// `Goal -> true`.
    fn once(&mut self, goal: Cell, next: u32) -> Flow {
        let height = self.height();
        let commit = self.push(Step::Commit(height), next);
        Flow::Go(Step::Goal { goal, cut: height }, commit)
    }

    /// Unify `pattern` with each element of the list `rest` in turn.
    pub fn each(&mut self, pattern: Cell, mut rest: Cell, next: u32) -> Flow {
        while let Some((head, tail)) = self.store.uncons(rest) {
            rest = tail;
            let more = self.store.uncons(rest).is_some();
            if more {
                self.choose(Alternative::Each { pattern, rest }, next);
            }
            if self.store.unify(pattern, head) {
                return Flow::Proceed(next);
            }
            if more {
                return Flow::Fail;
            }
        }
        Flow::Fail
    }
}
