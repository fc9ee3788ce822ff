//! Tabled predicates: each call, up to renaming, is evaluated once and its answers are kept, so that left and mutual
//! recursion end and the answers are those of the least Herbrand model.
//!
//! A goal that is called while it is being evaluated gets the answers found so far. When a goal that others depend on
//! in that way (a leader: none of its callers is needed by it) is through and answers were added, it is evaluated
//! again, until a round adds nothing; then everything that depended on it is complete. That is iteration to the
//! fixpoint, per strongly connected set of goals, known as linear tabling (Zhou, Sato and Shen, TPLP 8, 2008). Suspending
//! consumers, as SLG resolution does (Chen and Warren, JACM 43, 1996), repeats less work; it also needs stacks that branch,
//! and hypotheses are small.
//!
//! Calls with no variable stop at their first proof. Negation and cuts over a goal that is still being evaluated see
//! what is there; a program that is not stratified gets no well-founded semantics here.

use super::code::ProcId;
use super::limits::Fault;
use super::machine::{Alternative, Flow, Machine, MachineStep};
use super::raise::Raised;
use super::store::{Args, Cell, View};
use crate::index::narrow;
use crate::logic::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// On the stack of evaluations, at this place.
    Active(u32),
    /// Evaluated, at this time, in a round of the evaluation at `leader`, which is not through.
    Partial {
        leader: u32,
        time: u64,
    },
    Complete,
}

#[derive(Debug)]
struct AnswerTable {
    proc: ProcId,
    state: State,
    /// Whether the call has variables.
    open: bool,
    answers: Vec<Box<[TermId]>>,
    seen: FxHashSet<Box<[TermId]>>,
    /// Whether some answer has variables.
    general: bool,
}

/// A tabled goal that is being evaluated.
#[derive(Debug)]
struct TabledGoal {
    table: u32,
    /// The oldest evaluation that this one has taken unfinished answers from; itself if none.
    link: u32,
    /// Whether someone took answers of this one before it was through.
    consumed: bool,
    /// Whether this round has added an answer, here or in what depends on this.
    changed: bool,
    proved: bool,
    began: u64,
    /// How many choices there were, its own included.
    height: u32,
    /// How many partial tables there were.
    partials: usize,
}

#[derive(Debug, Default)]
pub(super) struct AnswerTables {
    tables: Vec<AnswerTable>,
    index: FxHashMap<(u32, Box<[TermId]>), u32>,
    evaluations: Vec<TabledGoal>,
    partials: Vec<u32>,
    time: u64,
    cells: usize,
}

impl AnswerTables {
    /// Forget everything.
    pub fn clear(&mut self) {
        *self = AnswerTables::default();
    }

    /// Forget what an aborted call has left unfinished.
    pub fn abandon(&mut self) {
        if self.evaluations.is_empty() && self.partials.is_empty() {
            return;
        }
        self.evaluations.clear();
        self.partials.clear();
        for table in self.tables.iter_mut().filter(|table| table.state != State::Complete) {
            table.state = State::New;
            table.answers.clear();
            table.seen.clear();
        }
    }

    /// Forget the evaluations that an error has ended: those begun when there were more than `height` choices.
    pub fn forsake(&mut self, height: u32) {
        while let Some(evaluation) = self.evaluations.pop_if(|evaluation| evaluation.height > height) {
            let partials = self.partials.drain(evaluation.partials..);
            for id in partials.chain([evaluation.table]) {
                let table = &mut self.tables[id as usize];
                table.state = State::New;
                table.answers.clear();
                table.seen.clear();
            }
        }
    }

    /// About how many bytes the tables take.
    pub fn bytes(&self) -> usize {
        self.tables.len() * 200 + self.cells * 16
    }

    fn tick(&mut self) -> u64 {
        self.time += 1;
        self.time
    }
}

impl Machine {
    /// Call a tabled procedure with [`Machine::args`].
    pub fn call_tabled(&mut self, proc: ProcId, next: u32) -> Result<Flow, Raised> {
        let mut numbers = FxHashMap::default();
        let mut key = Vec::with_capacity(self.args.len());
        for at in 0..self.args.len() {
            key.push(self.store.encode(self.args[at], &mut numbers).ok_or(Fault::Steps)?);
        }
        let args = std::mem::take(&mut self.args);
        let pred = self.procedures[proc.0 as usize].pred;
        let goal = self.store.structure(pred.name, &args);
        self.args = args;
        let id = self.find_table(proc, key.into(), !numbers.is_empty());
        let top = self.tables.evaluations.last_mut();
        match self.tables.tables[id as usize].state {
            State::Complete => Ok(self.answers(id, goal, 0, next)),
            State::Active(at) => {
                if let Some(top) = top {
                    top.link = top.link.min(at);
                }
                self.tables.evaluations[at as usize].consumed = true;
                Ok(self.answers(id, goal, 0, next))
            }
            State::Partial { leader, time } if time >= self.tables.evaluations[leader as usize].began => {
                if let Some(top) = self.tables.evaluations.last_mut() {
                    top.link = top.link.min(leader);
                }
                self.tables.evaluations[leader as usize].consumed = true;
                Ok(self.answers(id, goal, 0, next))
            }
            State::New | State::Partial { .. } => {
                let at = narrow(self.tables.evaluations.len());
                self.tables.tables[id as usize].state = State::Active(at);
                self.choose(Alternative::Evaluated { goal }, next);
                let began = self.tables.tick();
                self.tables.evaluations.push(TabledGoal {
                    table: id,
                    link: at,
                    consumed: false,
                    changed: false,
                    proved: false,
                    began,
                    height: self.height(),
                    partials: self.tables.partials.len(),
                });
                Ok(self.evaluate(goal, proc, next))
            }
        }
    }

    fn find_table(&mut self, proc: ProcId, key: Box<[TermId]>, open: bool) -> u32 {
        let tables = &mut self.tables;
        tables.cells += key.len();
        *tables.index.entry((proc.0, key)).or_insert_with(|| {
            let (answers, seen) = (Vec::new(), FxHashSet::default());
            tables.tables.push(AnswerTable { proc, state: State::New, open, answers, seen, general: false });
            narrow::<_, u32>(tables.tables.len()) - 1
        })
    }

    /// Run the clauses of `proc` on the arguments of `goal`; each proof ends in [`Machine::note_answer`].
    fn evaluate(&mut self, goal: Cell, proc: ProcId, next: u32) -> Flow {
        let noting = self.push(MachineStep::Answer(goal), next);
        self.load_args(goal);
        self.call_clauses(proc, noting)
    }

    fn load_args(&mut self, goal: Cell) {
        self.args.clear();
        if let View::Compound(_, arity, args) = self.store.view(goal) {
            for at in 0..arity {
                self.args.push(self.store.arg(args, at));
            }
        }
    }

    /// The goal under evaluation has a proof.
    pub fn note_answer(&mut self, goal: Cell) -> Result<Flow, Raised> {
        let mut numbers = FxHashMap::default();
        let mut answer = Vec::new();
        if let View::Compound(_, arity, args) = self.store.view(goal) {
            for at in 0..arity {
                let arg = self.store.arg(args, at);
                answer.push(self.store.encode(arg, &mut numbers).ok_or(Fault::Steps)?);
            }
        }
        let answer: Box<[TermId]> = answer.into();
        let evaluation = self.tables.evaluations.last_mut().expect("answers belong to the newest evaluation");
        let table = &mut self.tables.tables[evaluation.table as usize];
        if table.seen.insert(answer.clone()) {
            self.tables.cells += 2 * answer.len() + 4;
            table.answers.push(answer);
            table.general |= !numbers.is_empty();
            evaluation.changed = true;
        }
        if !table.open {
            evaluation.proved = true;
            let height = evaluation.height;
            self.cut_to(height, 0);
        }
        Ok(Flow::Fail)
    }

    /// A round of the newest evaluation is over; its choice is the newest.
    pub fn evaluated(&mut self, goal: Cell, next: u32) -> Result<Flow, Raised> {
        let time = self.tables.tick();
        let at = narrow::<_, u32>(self.tables.evaluations.len()) - 1;
        let evaluation = self.tables.evaluations.last_mut().expect("its choice is there");
        let (id, link, from) = (evaluation.table, evaluation.link, evaluation.partials);
        if evaluation.proved {
            self.settle(from, None);
        } else if link < at {
            for &partial in &self.tables.partials[from..] {
                if let State::Partial { leader, .. } = &mut self.tables.tables[partial as usize].state {
                    *leader = (*leader).min(link);
                }
            }
            let changed = evaluation.changed;
            self.tables.evaluations.pop();
            let parent = self.tables.evaluations.last_mut().expect("the link is to an older one");
            parent.link = parent.link.min(link);
            parent.changed |= changed;
            self.tables.tables[id as usize].state = State::Partial { leader: link, time };
            self.tables.partials.push(id);
            self.drop_choice();
            return Ok(self.answers(id, goal, 0, next));
        } else if evaluation.consumed && evaluation.changed {
            evaluation.consumed = false;
            evaluation.changed = false;
            evaluation.began = time;
            let proc = self.tables.tables[id as usize].proc;
            return Ok(self.evaluate(goal, proc, next));
        } else {
            let began = evaluation.began;
            self.settle(from, Some(began));
        }
        self.tables.evaluations.pop();
        self.tables.tables[id as usize].state = State::Complete;
        self.drop_choice();
        Ok(self.answers(id, goal, 0, next))
    }

    /// The partial tables from `from` on are complete if they were evaluated since `began`, else to be done anew.
    fn settle(&mut self, from: usize, began: Option<u64>) {
        for partial in self.tables.partials.drain(from..) {
            let table = &mut self.tables.tables[partial as usize];
            if let State::Partial { time, .. } = table.state {
                let done = began.is_some_and(|began| time >= began);
                table.state = if done { State::Complete } else { State::New };
            }
        }
    }

    /// Unify `goal` with the answers of a table, from number `at` on.
    pub fn answers(&mut self, id: u32, goal: Cell, at: u32, next: u32) -> Flow {
        let table = &self.tables.tables[id as usize];
        let Some(answer) = table.answers.get(at as usize) else { return Flow::Fail };
        if !table.open {
            return Flow::Proceed(next);
        }
        let answer = answer.clone();
        let general = table.general;
        let last = table.state == State::Complete && at as usize + 1 == table.answers.len();
        if !last {
            self.choose(Alternative::Answers { table: id, goal, at: at + 1 }, next);
        }
        let View::Compound(_, _, args @ (Args::Heap(_) | Args::Ground(_))) = self.store.view(goal) else {
            return Flow::Proceed(next);
        };
        let mut vars = Vec::new();
        for (n, &known) in answer.iter().enumerate() {
            let arg = self.store.arg(args, narrow(n));
            let value = if general { self.store.decode(known, &mut vars) } else { self.store.cell_of(known) };
            if !self.store.unify(arg, value) {
                return Flow::Fail;
            }
        }
        Flow::Proceed(next)
    }
}
