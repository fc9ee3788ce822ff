//! The evaluator as the rest of the library sees it.

use super::code::{ClauseCode, ProcId};
use super::limits::{Fault, Limits};
use super::load::NameScope;
use super::machine::{Flow, Machine};
use super::procedure::{ClauseSet, ProcedureDefinition, Standing};
use super::store::Cell;
use crate::logic::{Clause, Pred, Rule, TermId, Terms};
use crate::task::Program;
use rustc_hash::{FxHashMap, FxHashSet};

/// Up to this number of answers, a new one is compared with each; beyond, a hash set finds repetitions.
const FEW: usize = 8;

/// An evaluator for one background program. It owns its terms, which grow with the answers; to use it on several
/// threads give each its own.
#[derive(Debug)]
pub struct Engine {
    machine: Machine,
    /// What the hypothesis has replaced, to be put back.
    replaced: Vec<Replaced>,
    /// Where a definition of the program lives on while a hypothesis adds to it.
    shelves: FxHashMap<Pred, ProcId>,
    /// Where the hypothesis's code begins.
    templates: usize,
    goals: usize,
}

#[derive(Debug)]
struct Replaced {
    proc: ProcId,
    definition: ProcedureDefinition,
    tabled: bool,
    shelf: Option<ProcId>,
}

/// The answers of a call, each once, in the order found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solutions {
    rows: Vec<Box<[TermId]>>,
    /// Whether some answer left an argument unbound or partly so; such answers are not among the rows.
    pub open: bool,
}

impl Solutions {
    /// The answers: all arguments of the call, bound ones included.
    pub fn rows(&self) -> &[Box<[TermId]>] {
        &self.rows
    }

    /// The answers, for keeping.
    pub fn into_rows(self) -> Vec<Box<[TermId]>> {
        self.rows
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none, not even an open one.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && !self.open
    }
}

impl Engine {
    /// An evaluator for `program`, whose terms are in `terms`.
    pub fn new(terms: Terms, program: &Program, limits: Limits) -> Engine {
        let mut machine = Machine::new(terms, limits);
        machine.load_library();
        machine.load(program, NameScope::Program);
        let (templates, goals) = (machine.code.templates.len(), machine.code.goals.len());
        Engine { machine, replaced: Vec::new(), shelves: FxHashMap::default(), templates, goals }
    }

    /// The terms that calls and answers refer to.
    pub fn terms(&self) -> &Terms {
        &self.machine.store.terms
    }

    /// The same, to add terms.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.machine.store.terms
    }

    /// The limits of each call.
    pub fn limits(&self) -> Limits {
        self.machine.limits
    }

    /// Give each call `steps` steps from now on.
    pub fn set_steps(&mut self, steps: u64) {
        self.machine.limits.steps = steps;
    }

    /// About how many steps the last call took, not fewer; all that it had if these did not suffice.
    pub fn steps_taken(&self) -> u64 {
        self.machine.steps_taken()
    }

    /// Whether the program, the built-ins or the library define `pred`. What is left out on purpose counts as defined:
    /// calling it is an error and not just a failure.
    pub fn defines(&mut self, pred: Pred) -> bool {
        self.standing(pred) != Standing::Unknown
    }

    /// Whether `pred` can be called.
    pub fn standing(&mut self, pred: Pred) -> Standing {
        let proc = self.machine.resolve(pred);
        match self.machine.procedures[proc.0 as usize].definition {
            ProcedureDefinition::Undefined => Standing::Unknown,
            ProcedureDefinition::Forbidden | ProcedureDefinition::Unsupported => Standing::Missing,
            _ => Standing::Available,
        }
    }

    /// All distinct answers, in the order found, of `pred` called with the given arguments bound.
    ///
    /// # Errors
    /// If the program is at fault, or the call goes beyond the limits (an endless set of answers does).
    ///
    /// # Panics
    /// If there are not as many arguments as the predicate takes.
    pub fn call(&mut self, pred: Pred, args: &[Option<TermId>]) -> Result<Solutions, Fault> {
        let (query, mut flow) = self.begin(pred, args)?;
        let mut answers = Solutions::default();
        let mut seen: FxHashSet<Box<[TermId]>> = FxHashSet::default();
        let room = self.machine.limits.answers;
        let is_open = args.iter().any(Option::is_none);
        while self.run(flow)? {
            let row: Option<Box<[TermId]>> = query.iter().map(|&cell| self.machine.store.intern(cell)).collect();
            if self.machine.store.fuel < 0 {
                return Err(Fault::Steps);
            }
            match row {
                None => answers.open = true,
                Some(row) if is_open => {
                    // Most calls have a handful of answers; a set pays only beyond that.
                    let is_new = match answers.rows.len() {
                        0..FEW => !answers.rows.contains(&row),
                        FEW => {
                            seen.extend(answers.rows.iter().cloned());
                            seen.insert(row.clone())
                        }
                        _ => seen.insert(row.clone()),
                    };
                    if is_new {
                        answers.rows.push(row);
                    }
                    if answers.rows.len() > room {
                        return Err(Fault::Answers);
                    }
                }
                Some(row) => {
                    answers.rows.push(row);
                    break;
                }
            }
            flow = Flow::Fail;
        }
        Ok(answers)
    }

    /// Whether a call has a solution; stops at the first.
    ///
    /// # Errors
    /// If the program is at fault, or the call goes beyond the limits.
    ///
    /// # Panics
    /// If there are not as many arguments as the predicate takes.
    pub fn exists(&mut self, pred: Pred, args: &[Option<TermId>]) -> Result<bool, Fault> {
        let (_, flow) = self.begin(pred, args)?;
        self.run(flow)
    }

    /// Whether a call comes to its end without an error or a limit when it is asked for all its solutions, as it is when
    /// what follows it fails.
    ///
    /// # Panics
    /// If there are not as many arguments as the predicate takes.
    pub fn ends_well(&mut self, pred: Pred, args: &[Option<TermId>]) -> bool {
        let Ok((_, mut flow)) = self.begin(pred, args) else { return false };
        loop {
            match self.machine.run(flow) {
                Ok(true) => flow = Flow::Fail,
                Ok(false) => return true,
                Err(_) => return false,
            }
        }
    }

    /// The values that the first solution of a call gives its arguments; `None` for one that it leaves open.
    ///
    /// # Errors
    /// If the program is at fault before a solution is found, or the call goes beyond the limits.
    ///
    /// # Panics
    /// If there are not as many arguments as the predicate takes.
    pub fn first(&mut self, pred: Pred, args: &[Option<TermId>]) -> Result<Option<Vec<Option<TermId>>>, Fault> {
        let (query, flow) = self.begin(pred, args)?;
        let found = self.run(flow)?;
        Ok(found.then(|| query.iter().map(|&cell| self.machine.store.intern(cell)).collect()))
    }

    /// [`Engine::exists`] for a ground call.
    ///
    /// # Errors
    /// As [`Engine::exists`].
    ///
    /// # Panics
    /// As [`Engine::exists`].
    pub fn holds(&mut self, pred: Pred, args: &[TermId]) -> Result<bool, Fault> {
        let args: Vec<Option<TermId>> = args.iter().copied().map(Some).collect();
        self.exists(pred, &args)
    }

    /// Whether a ground atom follows from the program and the hypothesis.
    ///
    /// # Errors
    /// If the program is at fault, or the proof goes beyond the limits.
    ///
    /// # Panics
    /// If there are not as many arguments as the predicate takes.
    pub fn prove(&mut self, pred: Pred, args: &[TermId]) -> Result<bool, Fault> {
        self.holds(pred, args)
    }

    /// Add the rules of a hypothesis to the program, in place of an earlier hypothesis. Where they call each other their
    /// heads' predicates are tabled, so recursion ends wherever the least model is finite; otherwise they run as plain
    /// clauses, which stop at the first solution and raise errors only on the way there. Where the program defines
    /// their predicates too, both count.
    pub fn set_hypothesis(&mut self, rules: &[Rule]) {
        self.remove_hypothesis();
        let calls = |pred| rules.iter().flat_map(|rule| &rule.body).any(|literal| literal.pred == pred);
        let tabled = rules.iter().any(|rule| calls(rule.head.pred));
        let heads = rules.iter().map(|rule| rule.head.pred);
        let procs = self.claim(heads);
        for (pred, proc) in procs {
            let chosen = rules.iter().filter(|rule| rule.head.pred == pred);
            let clauses = chosen.map(|rule| self.machine.compile_rule(rule)).collect();
            self.add(proc, pred, clauses, tabled);
        }
    }

    /// [`Engine::set_hypothesis`] for any clauses: with constants, compounds, negation, built-ins. Clauses whose head
    /// is not an atom or a compound are left out.
    pub fn set_clauses(&mut self, clauses: &[Clause]) {
        self.remove_hypothesis();
        let heads: Vec<Option<Pred>> = clauses.iter().map(|clause| clause.head.pred(self.terms())).collect();
        let procs = self.claim(heads.iter().copied().flatten());
        for (pred, proc) in procs {
            let chosen = clauses.iter().zip(&heads).filter(|(_, head)| **head == Some(pred));
            let clauses = chosen.map(|(clause, _)| self.machine.compile(clause, NameScope::Program)).collect();
            self.add(proc, pred, clauses, true);
        }
    }

    /// Go back to the program alone.
    pub fn remove_hypothesis(&mut self) {
        let procedures = &mut self.machine.procedures;
        for Replaced { proc, mut definition, tabled, shelf } in self.replaced.drain(..) {
            if let Some(shelf) = shelf {
                definition = std::mem::take(&mut procedures[shelf.0 as usize].definition);
            }
            let procedure = &mut procedures[proc.0 as usize];
            procedure.definition = definition;
            procedure.tabled = tabled;
        }
        self.machine.code.templates.truncate(self.templates);
        self.machine.code.goals.truncate(self.goals);
        self.machine.tables.clear();
    }

    /// The predicates that a hypothesis defines, each once, taken out of the program.
    fn claim(&mut self, heads: impl Iterator<Item = Pred>) -> Vec<(Pred, ProcId)> {
        let mut procs: Vec<(Pred, ProcId)> = Vec::new();
        for pred in heads {
            if procs.iter().all(|&(known, _)| known != pred) {
                let proc = self.machine.resolve(pred);
                let procedure = &mut self.machine.procedures[proc.0 as usize];
                let (definition, tabled) = (std::mem::take(&mut procedure.definition), procedure.tabled);
                self.replaced.push(Replaced { proc, definition, tabled, shelf: None });
                procs.push((pred, proc));
            }
        }
        procs
    }

    fn add(&mut self, proc: ProcId, pred: Pred, mut clauses: Vec<ClauseCode>, tabled: bool) {
        let held = self.replaced.iter_mut().find(|held| held.proc == proc).expect("it was claimed");
        if matches!(held.definition, ProcedureDefinition::Facts(_) | ProcedureDefinition::Clauses(_)) {
            let shelf = *self.shelves.entry(pred).or_insert_with(|| self.machine.new_procedure(pred));
            let procedure = &mut self.machine.procedures[shelf.0 as usize];
            procedure.definition = std::mem::take(&mut held.definition);
            procedure.tabled = held.tabled;
            held.shelf = Some(shelf);
            clauses.insert(0, self.machine.forward(shelf, pred.arity));
        }
        let procedure = &mut self.machine.procedures[proc.0 as usize];
        procedure.definition = ProcedureDefinition::Clauses(ClauseSet::new(clauses));
        procedure.tabled = tabled;
    }

    fn begin(&mut self, pred: Pred, args: &[Option<TermId>]) -> Result<(Vec<Cell>, Flow), Fault> {
        assert_eq!(args.len(), pred.arity as usize, "a call has as many arguments as its predicate takes");
        let machine = &mut self.machine;
        machine.reset();
        let store = &mut machine.store;
        let mut query: Vec<Cell> = Vec::with_capacity(args.len());
        for arg in args {
            query.push(match arg {
                Some(id) => store.cell_of(*id),
                None => store.fresh(),
            });
        }
        machine.args.clear();
        machine.args.extend_from_slice(&query);
        let proc = machine.resolve(pred);
        let flow = machine.begin(proc).map_err(|raised| machine.store.fault(&raised))?;
        Ok((query, flow))
    }

    fn run(&mut self, flow: Flow) -> Result<bool, Fault> {
        self.machine.run(flow).map_err(|raised| self.machine.store.fault(&raised))
    }
}
