//! The solver: SLD resolution, depth first, on explicit stacks.
//!
//! What remains to be done is a chain of frames; a call in last place adds none, so tail recursion runs in constant
//! depth. What else could be tried is a stack of choices. A step looks at one goal and says how to go on ([`Flow`]).
//! Frames above the newest choice are given back as soon as they are done; all others when that choice goes.

use super::builtins::constraints::Waiting;
use super::code::{Code, Goal, ProcId};
use super::collect::{Bag, Finish};
use super::facts::FactRows;
use super::limits::{Fault, Limits};
use super::procedure::{Pick, Procedure, ProcedureDefinition};
use super::raise::{Raise, Raised, What};
use super::store::{Cell, Store};
use super::tabling::AnswerTables;
use crate::index::narrow;
use crate::logic::{Pred, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// Fuel that a limit of one step stands for: a step of the solver burns half of it, and the unification and indexing around
/// the step about the other half; the loops inside built-ins burn 1 for each cell they visit.
const FUEL_PER_STEP: u64 = 8;

/// One thing to do.
#[derive(Debug, Clone, Copy)]
pub(super) enum MachineStep {
    /// Go on in a body: the goal, where the clause's variables are, and how many choices a cut leaves.
    Body { goal: u32, env: u32, cut: u32 },
    /// Interpret a term as a goal.
    Goal { goal: Cell, cut: u32 },
    /// The same for a term that comes from outside of a body, and may be no goal.
    Enter { goal: Cell, cut: u32 },
    /// The condition of `->` is proved: commit to it.
    Commit(u32),
    /// The condition of `*->` is proved: forget the other branch, keep the condition's own choices.
    SoftCommit(u32),
    /// The goal of `\+` is proved: fail.
    Refute(u32),
    /// The goal of `findall` is proved: note this term, then look for more.
    Collect(Cell),
    /// A tabled goal is proved: note the answer, then look for more.
    Answer(Cell),
    /// The goal of `catch/3` is proved: errors from here on are not its own. The number is that of its choice.
    Leave(u32),
    /// The call itself is proved.
    Stop,
}

#[derive(Debug, Clone, Copy)]
struct CallFrame {
    step: MachineStep,
    next: u32,
}

/// How to go on after a step.
#[derive(Debug, Clone, Copy)]
pub(super) enum Flow {
    Fail,
    /// With this frame.
    Proceed(u32),
    /// With this step, and then this frame.
    Go(MachineStep, u32),
}

/// What to try when everything after a choice has failed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Alternative {
    Clauses {
        proc: ProcId,
        pick: Pick,
        at: u32,
    },
    Rows {
        proc: ProcId,
        rows: FactRows,
        at: u32,
    },
    Step(MachineStep),
    Proceed,
    /// Unify the pattern with the next element of the list.
    Each {
        pattern: Cell,
        rest: Cell,
    },
    Between {
        var: Cell,
        next: i64,
        last: i64,
    },
    /// Lists of growing length.
    Lengthen {
        tail: Cell,
        length: Cell,
        known: i64,
        next: i64,
    },
    Repeat,
    /// The goal of `catch/3` has no more solutions. This choice also marks the state to which an error returns.
    Catch {
        catcher: Cell,
        recovery: Cell,
        bags: u32,
    },
    /// All solutions of `findall` and its kin are collected.
    Collected(Finish),
    /// One round of evaluation of a tabled goal is over.
    Evaluated {
        goal: Cell,
    },
    /// The answers of a table from `at` on.
    Answers {
        table: u32,
        goal: Cell,
        at: u32,
    },
    /// Nothing (what a soft cut leaves behind).
    Dead,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub alternative: Alternative,
    pub next: u32,
    trail: u32,
    heap: u32,
    frames: u32,
    args: u32,
    waiting: u32,
}

#[derive(Debug)]
pub(super) struct Machine {
    pub store: Store,
    pub code: Code,
    pub procedures: Vec<Procedure>,
    pub program: FxHashMap<Pred, ProcId>,
    pub library: FxHashMap<Pred, ProcId>,
    pub limits: Limits,
    /// The arguments of the call at hand.
    pub args: Vec<Cell>,
    /// The name of the call at hand, if it is one of a control construct.
    pub called: Option<Symbol>,
    frames: Vec<CallFrame>,
    pub choices: Vec<Choice>,
    saved_args: Vec<Cell>,
    /// Which of the arguments are ground, as interned terms, for calls of facts.
    pub known: Vec<Option<TermId>>,
    pub bags: Vec<Bag>,
    /// Constraints that could not be decided when they were called.
    pub waiting: Vec<Waiting>,
    pub tables: AnswerTables,
    pub evaluables: FxHashMap<Pred, super::functions::Op>,
    /// How big `Terms` and the tables may become in this call.
    max_terms: usize,
}

impl Machine {
    pub fn new(terms: Terms, limits: Limits) -> Self {
        let max_cells = (limits.bytes / size_of::<Cell>()).min(u32::MAX as usize / 2);
        Machine {
            store: Store::new(terms, max_cells),
            code: Code::default(),
            procedures: Vec::new(),
            program: FxHashMap::default(),
            library: FxHashMap::default(),
            limits,
            args: Vec::new(),
            called: None,
            frames: Vec::new(),
            choices: Vec::new(),
            saved_args: Vec::new(),
            known: Vec::new(),
            bags: Vec::new(),
            waiting: Vec::new(),
            tables: AnswerTables::default(),
            evaluables: FxHashMap::default(),
            max_terms: usize::MAX,
        }
    }

    /// Empty all stacks for a new call.
    pub fn reset(&mut self) {
        const KEEP: usize = 1 << 20;
        self.store.cells.clear();
        self.store.cells.shrink_to(KEEP);
        self.store.trail.clear();
        self.store.pairs.clear();
        self.store.mark = 0;
        self.store.fuel = i64::try_from(self.limits.steps.saturating_mul(FUEL_PER_STEP)).unwrap_or(i64::MAX);
        self.frames.clear();
        self.frames.shrink_to(KEEP);
        self.choices.clear();
        self.choices.shrink_to(KEEP);
        self.saved_args.clear();
        self.saved_args.shrink_to(KEEP);
        self.bags.clear();
        self.waiting.clear();
        self.tables.abandon();
        self.max_terms = self.store.terms.bytes().saturating_add(self.limits.bytes);
    }

    /// How many steps have been taken since the [reset](Machine::reset), at most those that there were.
    pub fn steps_taken(&self) -> u64 {
        let left = u64::try_from(self.store.fuel).unwrap_or(0);
        self.limits.steps - (left / FUEL_PER_STEP).min(self.limits.steps)
    }

    /// Begin the call of `proc` with [`Machine::args`]; run the result with [`Machine::run`].
    pub fn begin(&mut self, proc: ProcId) -> Result<Flow, Raised> {
        self.frames.push(CallFrame { step: MachineStep::Stop, next: 0 });
        self.call(proc, 0)
    }

    /// Go on until the call is proved (`true`) or nothing is left to try (`false`).
    pub fn run(&mut self, mut flow: Flow) -> Result<bool, Raised> {
        loop {
            self.check()?;
            let (step, next) = match flow {
                Flow::Go(step, next) => (step, next),
                Flow::Proceed(frame) => self.pop(frame),
                Flow::Fail => match self.backtrack()? {
                    Some(again) => {
                        flow = again;
                        continue;
                    }
                    None => return Ok(false),
                },
            };
            let waits = matches!(
                step,
                MachineStep::Body { .. } | MachineStep::Goal { .. } | MachineStep::Enter { .. } | MachineStep::Leave(_)
            );
            if !waits && !self.constraints_hold()? {
                flow = Flow::Fail;
                continue;
            }
            let result = match step {
                MachineStep::Stop => return Ok(true),
                MachineStep::Body { goal, env, cut } => self.body(goal, env, cut, next),
                MachineStep::Goal { goal, cut } => self.goal(goal, cut, next),
                MachineStep::Enter { goal, cut } => self.enter(goal, cut, next),
                MachineStep::Commit(height) => {
                    self.cut_to(height, next);
                    Ok(Flow::Proceed(next))
                }
                MachineStep::SoftCommit(height) => {
                    self.choices[height as usize].alternative = Alternative::Dead;
                    Ok(Flow::Proceed(next))
                }
                MachineStep::Refute(height) => {
                    self.cut_to(height, next);
                    Ok(Flow::Fail)
                }
                MachineStep::Collect(template) => self.collect(template).map(|()| Flow::Fail),
                MachineStep::Answer(goal) => self.note_answer(goal),
                MachineStep::Leave(height) => {
                    if self.height() == height + 1 {
                        self.cut_to(height, next);
                    }
                    Ok(Flow::Proceed(next))
                }
            };
            flow = match result {
                Ok(flow) => flow,
                Err(raised) => self.recover(raised, next)?,
            };
        }
    }

    fn check(&mut self) -> Result<(), Raised> {
        self.store.fuel -= narrow::<_, i64>(FUEL_PER_STEP) / 2;
        if self.store.fuel < 0 {
            return Err(Fault::Steps.into());
        }
        let depth = self.limits.depth as usize;
        if self.frames.len() > depth || self.choices.len() > depth {
            return Err(Fault::Depth.into());
        }
        if self.store.cells.len() > self.store.max_cells
            || (self.store.fuel & 1020 == 0 && self.store.terms.bytes() + self.tables.bytes() > self.max_terms)
        {
            return Err(Fault::Memory.into());
        }
        Ok(())
    }

    /// Add a frame before `next`.
    pub fn push(&mut self, step: MachineStep, next: u32) -> u32 {
        self.frames.push(CallFrame { step, next });
        narrow::<_, u32>(self.frames.len()) - 1
    }

    fn pop(&mut self, frame: u32) -> (MachineStep, u32) {
        let CallFrame { step, next } = self.frames[frame as usize];
        let kept = self.choices.last().map_or(0, |choice| choice.frames);
        if frame >= kept && frame as usize + 1 == self.frames.len() {
            self.frames.pop();
        }
        (step, next)
    }

    /// Add a choice that goes on with `next`.
    pub fn choose(&mut self, alternative: Alternative, next: u32) {
        let args = narrow(self.saved_args.len());
        self.choices.push(Choice {
            alternative,
            next,
            trail: narrow(self.store.trail.len()),
            heap: narrow(self.store.cells.len()),
            frames: narrow(self.frames.len()),
            args,
            waiting: narrow(self.waiting.len()),
        });
        self.store.mark = narrow(self.store.cells.len());
    }

    /// Add a choice that keeps the arguments.
    pub fn choose_with_args(&mut self, alternative: Alternative, next: u32) {
        self.choose(alternative, next);
        self.saved_args.extend_from_slice(&self.args);
    }

    pub fn height(&self) -> u32 {
        narrow(self.choices.len())
    }

    /// Remove all choices from `height` on; `next` is the frame that will be gone on with.
    pub fn cut_to(&mut self, height: u32, next: u32) {
        if let Some(choice) = self.choices.get(height as usize) {
            self.saved_args.truncate(choice.args as usize);
            self.choices.truncate(height as usize);
            let kept = self.newest();
            // Frames only point to older ones, so none above both of these can be reached any more.
            self.frames.truncate(kept.max(next + 1) as usize);
        }
    }

    /// Set what depends on the newest choice; returns how many frames it keeps.
    fn newest(&mut self) -> u32 {
        let (heap, frames) = self.choices.last().map_or((0, 0), |choice| (choice.heap, choice.frames));
        self.store.mark = heap;
        frames
    }

    /// Remove the newest choice, which has just been returned to.
    pub fn drop_choice(&mut self) {
        if let Some(choice) = self.choices.pop() {
            self.saved_args.truncate(choice.args as usize);
            self.newest();
        }
    }

    fn backtrack(&mut self) -> Result<Option<Flow>, Raised> {
        let Some(&choice) = self.choices.last() else { return Ok(None) };
        self.undo(choice);
        match self.resume(choice) {
            Ok(flow) => Ok(Some(flow)),
            Err(raised) => self.recover(raised, choice.next).map(Some),
        }
    }

    /// Take back what was done since `choice` was made.
    fn undo(&mut self, choice: Choice) {
        self.store.undo(choice.trail as usize);
        self.store.cells.truncate(choice.heap as usize);
        self.frames.truncate(choice.frames as usize);
        self.waiting.truncate(choice.waiting as usize);
    }

    /// Return to the choice at `height`, whatever came after it, and remove it.
    pub fn return_to(&mut self, height: u32) -> Choice {
        let choice = self.choices[height as usize];
        self.undo(choice);
        self.saved_args.truncate(choice.args as usize);
        self.choices.truncate(height as usize);
        self.newest();
        choice
    }

    /// The frame at `at`: what it does, and the next.
    pub fn frame(&self, at: u32) -> (MachineStep, u32) {
        let CallFrame { step, next } = self.frames[at as usize];
        (step, next)
    }

    fn resume(&mut self, choice: Choice) -> Result<Flow, Raised> {
        let next = choice.next;
        Ok(match choice.alternative {
            Alternative::Clauses { proc, pick, at } => {
                self.restore_args(choice);
                self.resume_clauses(proc, pick, at, next, true)
            }
            Alternative::Rows { proc, rows, at } => {
                self.restore_args(choice);
                self.find_known();
                self.resume_rows(proc, rows, at, next, true)
            }
            Alternative::Step(step) => {
                self.drop_choice();
                Flow::Go(step, next)
            }
            Alternative::Proceed => {
                self.drop_choice();
                Flow::Proceed(next)
            }
            Alternative::Dead | Alternative::Catch { .. } => {
                self.drop_choice();
                Flow::Fail
            }
            Alternative::Repeat => Flow::Proceed(next),
            Alternative::Each { pattern, rest } => {
                self.drop_choice();
                self.each(pattern, rest, next)
            }
            Alternative::Between { var, next: value, last } => {
                self.drop_choice();
                self.between(var, value, last, next)
            }
            Alternative::Lengthen { tail, length, known, next: value } => {
                self.drop_choice();
                self.lengthen(tail, length, known, value, next)?
            }
            Alternative::Collected(finish) => {
                self.drop_choice();
                self.finish(finish, next)?
            }
            Alternative::Evaluated { goal } => self.evaluated(goal, next)?,
            Alternative::Answers { table, goal, at } => {
                self.drop_choice();
                self.answers(table, goal, at, next)
            }
        })
    }

    fn restore_args(&mut self, choice: Choice) {
        self.args.clear();
        self.args.extend_from_slice(&self.saved_args[choice.args as usize..]);
    }

    fn body(&mut self, mut goal: u32, env: u32, cut: u32, next: u32) -> Result<Flow, Raised> {
        loop {
            match self.code.goals[goal as usize] {
                Goal::Proceed => return Ok(Flow::Proceed(next)),
                Goal::Cut => {
                    if !self.waiting.is_empty() && self.wake()? == Some(false) {
                        return Ok(Flow::Fail);
                    }
                    self.cut_to(cut, next);
                    goal += 1;
                }
                Goal::Control(template) => {
                    let term = self.store.build(&self.code, self.code.templates[template as usize], env);
                    let next = self.after(goal, env, cut, next);
                    return Ok(Flow::Go(MachineStep::Goal { goal: term, cut }, next));
                }
                Goal::Call { proc, args, arity } => {
                    self.args.clear();
                    for at in args..args + arity {
                        let cell = self.store.build(&self.code, self.code.templates[at as usize], env);
                        self.args.push(cell);
                    }
                    if let ProcedureDefinition::Det(run) = self.procedures[proc.0 as usize].definition {
                        if !run(self).map_err(|raised| self.charge(raised, proc))? {
                            return Ok(Flow::Fail);
                        }
                        self.check()?;
                        goal += 1;
                    } else {
                        let next = self.after(goal, env, cut, next);
                        return self.call(proc, next);
                    }
                }
            }
        }
    }

    /// The frame that goes on after `goal`; none is added after a last one.
    fn after(&mut self, goal: u32, env: u32, cut: u32, next: u32) -> u32 {
        match self.code.goals[goal as usize + 1] {
            Goal::Proceed => next,
            _ => self.push(MachineStep::Body { goal: goal + 1, env, cut }, next),
        }
    }

    /// The same error, blamed on `proc` unless another is to blame already; not on what is private to the library.
    fn charge(&self, mut raised: Raised, proc: ProcId) -> Raised {
        let pred = self.procedures[proc.0 as usize].pred;
        if !self.store.terms.name(pred.name).starts_with('$') {
            raised.goal.get_or_insert(pred);
        }
        raised
    }

    /// Call `proc` with [`Machine::args`].
    pub fn call(&mut self, mut proc: ProcId, next: u32) -> Result<Flow, Raised> {
        if let ProcedureDefinition::Library(library) = self.procedures[proc.0 as usize].definition {
            proc = library;
        }
        let procedure = &mut self.procedures[proc.0 as usize];
        let pred = procedure.pred;
        match &mut procedure.definition {
            ProcedureDefinition::Det(run) => {
                let run = *run;
                let holds = run(self).map_err(|raised| self.charge(raised, proc))?;
                Ok(if holds { Flow::Proceed(next) } else { Flow::Fail })
            }
            ProcedureDefinition::Steer(run) => {
                let run = *run;
                self.called = Some(pred.name);
                run(self, next).map_err(|raised| self.charge(raised, proc))
            }
            ProcedureDefinition::Clauses(_) if procedure.tabled => self.call_tabled(proc, next),
            ProcedureDefinition::Clauses(set) => {
                let pick = set.pick(self.args.first().and_then(|&cell| self.store.key(cell)));
                Ok(self.resume_clauses(proc, pick, 0, next, false))
            }
            ProcedureDefinition::Facts(_) => {
                if !self.find_known() {
                    return Ok(Flow::Fail);
                }
                let ProcedureDefinition::Facts(facts) = &mut self.procedures[proc.0 as usize].definition else {
                    unreachable!("it was facts a moment ago")
                };
                Ok(match facts.select(&self.known) {
                    Some(rows) => self.resume_rows(proc, rows, 0, next, false),
                    None => Flow::Fail,
                })
            }
            ProcedureDefinition::Undefined | ProcedureDefinition::Library(_) => Err(Raise::new(What::Unknown(pred))),
            ProcedureDefinition::Forbidden => Err(Fault::Forbidden { pred, name: pred.show(&self.store.terms) }.into()),
            ProcedureDefinition::Unsupported => {
                Err(Fault::Unsupported { pred, name: pred.show(&self.store.terms) }.into())
            }
        }
    }
}
