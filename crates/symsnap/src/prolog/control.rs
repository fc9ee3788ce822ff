//! Control: conjunction, disjunction, if-then-else, cut, negation and the calling of terms.
//!
//! A cut inside a condition, a negation or a called term is local to it; elsewhere it is the clause's. Programs may
//! define facts called `->` or `;`: as goals these names still mean the constructs, and the facts are reached only
//! from outside, through [`Engine::call`](super::Engine::call).

use super::catching;
use super::limits::Fault;
use super::machine::{Alternative, Flow, Machine, MachineStep};
use super::procedure::{ProcedureDefinition, Steer};
use super::raise::{Raise, Raised, What};
use super::store::{Args, Cell, View};
use crate::index::narrow;
use crate::logic::{Pred, Symbol};

/// The control predicate `name/arity`.
pub(super) fn find(name: &str, arity: u32) -> Option<ProcedureDefinition> {
    let steer: Steer = match (name, arity) {
        ("," | ";" | "|" | "->" | "*->" | ":", 2) | ("\\+", 1) | ("!", 0) => as_term,
        ("call", 1..=8) => call,
        ("$library", 1) => in_library,
        ("not", 1) => |m, next| {
            let called = m.store.terms.intern("call");
            let goal = m.store.structure(called, &[m.args[0]]);
            Ok(m.negate(goal, next))
        },
        ("once", 1) => |m, next| Ok(m.once(m.args[0], next)),
        ("ignore", 1) => ignore,
        ("forall", 2) => forall,
        ("catch" | "catch_with_backtrace", 3) => catching::catch,
        ("repeat", 0) => |m, next| {
            m.choose(Alternative::Repeat, next);
            Ok(Flow::Proceed(next))
        },
        _ => return None,
    };
    Some(ProcedureDefinition::Steer(steer))
}

/// A construct that was called like a predicate: make the term again and interpret it. An error names the whole
/// construct, but for a negation, where it names what is negated.
fn as_term(m: &mut Machine, next: u32) -> Result<Flow, Raised> {
    let cut = m.height();
    let name = m.called.expect("`call` notes the name");
    let args = std::mem::take(&mut m.args);
    let goal = m.store.structure(name, &args);
    let is_negation = args.len() == 1;
    m.args = args;
    let step = if is_negation { MachineStep::Goal { goal, cut } } else { MachineStep::Enter { goal, cut } };
    Ok(Flow::Go(step, next))
}

fn call(m: &mut Machine, next: u32) -> Result<Flow, Raised> {
    let cut = m.height();
    if m.args.len() == 1 {
        return Ok(Flow::Go(MachineStep::Enter { goal: m.args[0], cut }, next));
    }
    let goal = m.strip_module(m.args[0]);
    let extra: Vec<Cell> = m.args[1..].to_vec();
    m.args.clear();
    let name = match m.store.view(goal) {
        View::Atom(name) => name,
        View::Nil => return Err(Raise::new(What::UnknownNil(u32::try_from(extra.len()).expect("eight at most")))),
        View::Compound(name, arity, args) => {
            m.args.extend((0..arity).map(|at| m.store.arg(args, at)));
            name
        }
        View::Var(_) => return Err(Raise::instantiation()),
        _ => return Err(m.not_callable(goal)),
    };
    m.args.extend(extra);
    let proc = m.resolve(Pred::new(name, narrow(m.args.len())));
    m.call(proc, next)
}

/// A goal of a library clause, inside a construct that is interpreted: its name is the library's.
fn in_library(m: &mut Machine, next: u32) -> Result<Flow, Raised> {
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

fn ignore(m: &mut Machine, next: u32) -> Result<Flow, Raised> {
    let height = m.height();
    m.choose(Alternative::Proceed, next);
    let commit = m.push(MachineStep::Commit(height), next);
    Ok(Flow::Go(MachineStep::Enter { goal: m.args[0], cut: height + 1 }, commit))
}

fn forall(m: &mut Machine, next: u32) -> Result<Flow, Raised> {
    // \+ (Condition, \+ call(Action))
    let (condition, action) = (m.args[0], m.args[1]);
    let height = m.height();
    m.choose(Alternative::Proceed, next);
    let refute = m.push(MachineStep::Refute(height), next);
    let negation = m.store.terms.intern("\\+");
    let called = m.store.terms.intern("call");
    let action = m.store.structure(called, &[action]);
    let negation = m.store.structure(negation, &[action]);
    let check = m.push(MachineStep::Goal { goal: negation, cut: height + 1 }, refute);
    Ok(Flow::Go(MachineStep::Enter { goal: condition, cut: height + 1 }, check))
}

impl Machine {
    pub fn not_callable(&mut self, goal: Cell) -> Raised {
        self.type_error("callable", goal)
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

    /// Interpret a term as a goal that was not part of a body. All of a construct must be goals before any is called, and
    /// a variable in it is called as `call/1` does, with cuts of its own.
    pub fn enter(&mut self, goal: Cell, cut: u32, next: u32) -> Result<Flow, Raised> {
        let names = self.store.names;
        let mut todo = vec![goal];
        let (mut whole, mut has_variables) = (true, false);
        while let Some(part) = todo.pop() {
            self.store.fuel -= 1;
            match self.store.view(part) {
                View::Compound(name, 2, args) if names.is_binary_control(name) => {
                    todo.extend([self.store.arg(args, 0), self.store.arg(args, 1)]);
                }
                View::Compound(name, 1, args) if name == names.not => todo.push(self.store.arg(args, 0)),
                View::Var(_) => has_variables = !whole,
                View::Atom(_) | View::Compound(..) => {}
                _ if whole => {}
                _ => return Err(self.not_callable(goal)),
            }
            if self.store.fuel < 0 {
                return Err(Fault::Steps.into());
            }
            whole = false;
        }
        let goal = if has_variables { self.with_calls(goal) } else { goal };
        self.goal(goal, cut, next)
    }

    /// The same construct with `call(V)` for each goal that is a variable.
    fn with_calls(&mut self, goal: Cell) -> Cell {
        enum ConstructWork {
            Visit(Cell),
            Build(Symbol, usize),
        }
        let names = self.store.names;
        let called = self.store.terms.intern("call");
        let (mut todo, mut done) = (vec![ConstructWork::Visit(goal)], Vec::new());
        while let Some(work) = todo.pop() {
            match work {
                ConstructWork::Build(name, arity) => {
                    let parts = done.split_off(done.len() - arity);
                    done.push(self.store.structure(name, &parts));
                }
                ConstructWork::Visit(part) => match self.store.view(part) {
                    View::Compound(name, 2, args) if names.is_binary_control(name) => {
                        todo.push(ConstructWork::Build(name, 2));
                        todo.extend([1, 0].map(|at| ConstructWork::Visit(self.store.arg(args, at))));
                    }
                    View::Var(_) => done.push(self.store.structure(called, &[part])),
                    _ => done.push(part),
                },
            }
        }
        done.pop().expect("each visit leaves a part")
    }

    /// Interpret a term as a goal.
    pub fn goal(&mut self, goal: Cell, cut: u32, next: u32) -> Result<Flow, Raised> {
        match self.store.view(goal) {
            View::Var(_) => Err(self.in_call(Raise::instantiation())),
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
                if let Some(flow) = self.construct(name, arity, args, cut, next)? {
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
            View::Nil => Err(Raise::new(What::UnknownNil(0))),
            _ => {
                let raised = self.not_callable(goal);
                Err(self.in_call(raised))
            }
        }
    }

    fn construct(&mut self, name: Symbol, arity: u32, args: Args, cut: u32, next: u32) -> Result<Option<Flow>, Raised> {
        let names = self.store.names;
        if arity == 1 && name == names.not {
            return Ok(Some(self.negate(self.store.arg(args, 0), next)));
        }
        if arity != 2 {
            return Ok(None);
        }
        let (left, right) = (self.store.arg(args, 0), self.store.arg(args, 1));
        let height = self.height();
        Ok(Some(if name == names.comma {
            let rest = self.push(MachineStep::Goal { goal: right, cut }, next);
            Flow::Go(MachineStep::Goal { goal: left, cut }, rest)
        } else if name == names.bar || name == names.pipe {
            self.choose(Alternative::Step(MachineStep::Goal { goal: right, cut }), next);
            match self.store.view(left) {
                View::Compound(arrow, 2, args) if arrow == names.arrow || arrow == names.soft_arrow => {
                    let (condition, then) = (self.store.arg(args, 0), self.store.arg(args, 1));
                    let then = self.push(MachineStep::Goal { goal: then, cut }, next);
                    let commit = if arrow == names.arrow {
                        MachineStep::Commit(height)
                    } else {
                        MachineStep::SoftCommit(height)
                    };
                    let commit = self.push(commit, then);
                    Flow::Go(MachineStep::Goal { goal: condition, cut: height + 1 }, commit)
                }
                _ => Flow::Go(MachineStep::Goal { goal: left, cut }, next),
            }
        } else if name == names.arrow {
            let then = self.push(MachineStep::Goal { goal: right, cut }, next);
            let commit = self.push(MachineStep::Commit(height), then);
            Flow::Go(MachineStep::Goal { goal: left, cut: height }, commit)
        } else if name == names.soft_arrow {
            let then = self.push(MachineStep::Goal { goal: right, cut }, next);
            Flow::Go(MachineStep::Goal { goal: left, cut: height }, then)
        } else if name == names.colon {
            if !matches!(self.store.view(left), View::Atom(_)) {
                return Err(self.type_error("atom", left));
            }
            Flow::Go(MachineStep::Goal { goal: right, cut }, next)
        } else {
            return Ok(None);
        }))
    }

    /// An error that `call/1` raises.
    fn in_call(&mut self, mut raised: Raised) -> Raised {
        raised.goal = Some(Pred::new(self.store.terms.intern("call"), 1));
        raised
    }

    /// `\+ Goal`.
    pub fn negate(&mut self, goal: Cell, next: u32) -> Flow {
        let height = self.height();
        self.choose(Alternative::Proceed, next);
        let refute = self.push(MachineStep::Refute(height), next);
        Flow::Go(MachineStep::Goal { goal, cut: height + 1 }, refute)
    }

    /// `Goal -> true`.
    fn once(&mut self, goal: Cell, next: u32) -> Flow {
        let height = self.height();
        let commit = self.push(MachineStep::Commit(height), next);
        Flow::Go(MachineStep::Enter { goal, cut: height }, commit)
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
