//! What a set of rules with calls of the program covers, for all units of base rules at once.
//!
//! A table belongs to one call. It holds answers, each with the set of units from which it follows: the least fixpoint of
//! the rules over sets of units, where a conjunction is an intersection and alternatives are a union. Since that is the
//! same computation in each bit, bit `b` of an answer says whether it follows from the rules and unit `b` alone. So one run
//! tests as many programs as there are units. In the words of databases that is Datalog over the semiring of sets of units
//! (Green, Karvounarakis and Tannen, *Provenance semirings*, 2007). It has no recursion of its own: tables wait until
//! something they use has grown ([`Tables`]).
//!
//! Rules need not be whole. A call that is not there yet counts as answered, a variable that nothing binds yet may have
//! any value ([`ANY`]), so what comes out for a beginning of a rule is at least what comes out for the rule.
//!
//! Where all arguments of the calls are bound by the background literals, a table remembers which calls would make it
//! true and goes through the background once.

use super::bases::Bases;
use super::caller::{Caller, Plan};
use super::calls::{CallIx, Calls};
use super::lookup::{ANY, Lookup, Pattern, UNBOUND};
use super::stage::Sets;
use super::tables::{TableIx, Tables};
use super::words::Words;
use crate::language::{Lit, MAX_ARITY};
use std::time::Instant;

/// Why a run was not finished and is of no use. What base rules have answered is remembered, so that the next one gets further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfinished {
    /// Base classes changed on the way.
    Regrouped,
    /// It is time to let others work.
    TurnOver,
}

/// What a run is given.
pub(super) struct Ground<'a, 't> {
    pub(super) words: &'a Words,
    pub(super) bases: &'a mut Bases<'t>,
    pub(super) calls: &'a mut Calls,
    pub(super) lookup: &'a mut Lookup<'t>,
    /// Where units are sets of classes.
    pub(super) sets: Option<&'a Sets>,
    /// Whether the rules define the predicate that they call.
    pub(super) recursive: bool,
    /// When the turn is over. Base rules may take long to answer a call, and are the last to be asked before that is looked at.
    pub(super) until: Option<Instant>,
}

/// What is being run: a rule, for a table.
#[derive(Clone, Copy)]
struct Frame<'p> {
    table: TableIx,
    plan: &'p Plan,
}

/// What a rule that is being run knows up to the literal at hand.
///
/// A register holds [`UNBOUND`] unless a literal before, or the call, gives its variable a value; whoever sets one on the
/// way down resets it on the way up. The set at `depth` has the units for which the first `depth` calls are
/// answered as the registers say, so each is a subset of the one before, and the first is what was asked for.
struct Activation {
    registers: Vec<u32>,
    sets: Vec<u64>,
    /// Words of a set.
    words: usize,
}

/// Variables of a rule, with room to spare: a bias allows 63 at most.
const REGISTERS: usize = 64;

/// Literals of a body, at most: the command line and the bias allow no more.
const MOST_LITERALS: usize = 256;

impl Activation {
    fn begin(&mut self, words: usize) {
        self.words = words;
        let room = words * (MOST_LITERALS + 2);
        if self.sets.len() < room {
            self.sets.resize(room, 0);
        }
    }

    fn set(&self, depth: usize) -> &[u64] {
        &self.sets[depth * self.words..(depth + 1) * self.words]
    }

    /// The set at `depth` and the next, which is to be made of it.
    fn set_and_next(&mut self, depth: usize) -> (&[u64], &mut [u64]) {
        let (before, after) = self.sets.split_at_mut((depth + 1) * self.words);
        (&before[depth * self.words..], &mut after[..self.words])
    }

    /// Give these variables values.
    fn bind(&mut self, free: &[u8], values: &[u32]) {
        for (&var, &value) in free.iter().zip(values) {
            self.registers[var as usize] = value;
        }
    }

    /// Give all these variables one value.
    fn fill(&mut self, free: &[u8], value: u32) {
        free.iter().for_each(|&var| self.registers[var as usize] = value);
    }
}

/// What may be spent on one example, and what has been.
#[derive(Default)]
struct ExampleMeter {
    /// Literals run for the example.
    steps: u64,
    /// The run may have this number of tables at the end of the example.
    most_tables: usize,
    /// Tables made in all runs.
    made: u64,
    /// Whether the example reached one of the limits.
    bounded: bool,
}

/// Calls, each with a table, that a program may make for one example: docs/FORMATS.md tells users so. With limits ten times
/// as high on both calls and steps, runs took two to six times as long and no task of the reference gained by it.
const MOST_CALLS: usize = 1_000;

/// Literals that may be run for one example.
const MOST_STEPS: u64 = 50_000;

/// Least fixpoints, one example after the other; examples with the same rules and units share a run.
pub(super) struct Fixpoint {
    tables: Tables,
    path: Activation,
    meter: ExampleMeter,
    /// The units from which the example that was asked for last follows: a subset of those that it was asked for.
    found: Vec<u64>,
    /// Room for the units of one answer.
    units: Vec<u64>,
}

impl Fixpoint {
    pub(super) fn new() -> Self {
        Fixpoint {
            tables: Tables::default(),
            path: Activation { registers: vec![UNBOUND; REGISTERS], sets: Vec::new(), words: 0 },
            meter: ExampleMeter::default(),
            found: Vec::new(),
            units: Vec::new(),
        }
    }

    /// Begin a run: with other rules, or with units that those before were not solved for.
    pub(super) fn begin(&mut self, units: usize) {
        self.tables.begin(units);
        self.path.begin(self.tables.words());
    }

    /// From which units of `mask` a call follows, by `rules` and the unit.
    ///
    /// # Errors
    /// If classes have changed; the run is of no use then.
    pub(super) fn solve(
        &mut self,
        call: CallIx,
        rules: &mut [Caller],
        mask: &[u64],
        ground: &mut Ground<'_, '_>,
    ) -> Result<(), Unfinished> {
        self.meter.steps = 0;
        self.meter.bounded = false;
        self.meter.most_tables = self.tables.len() + MOST_CALLS;
        self.path.sets[..self.path.words].copy_from_slice(mask);
        let root = self.table(call, ground)?;
        while let Some(at) = self.tables.next() {
            if self.meter.bounded {
                break;
            }
            self.expand(at, rules, ground)?;
        }
        let units = self.tables.answer(root, 0).map_or(&[][..], |answer| self.tables.units(answer));
        self.found.clear();
        self.found.extend(mask.iter().enumerate().map(|(at, &mask)| mask & units.get(at).copied().unwrap_or(0)));
        if self.meter.bounded {
            self.tables.abandon();
        }
        Ok(())
    }

    /// The answers of a call that was solved, unless it was bounded, with the units from which they follow.
    pub(super) fn answers(&self, call: CallIx) -> impl Iterator<Item = (&[u32], &[u64])> {
        self.tables.answers(call)
    }

    /// How many tables have been made in all runs.
    pub(super) fn made(&self) -> u64 {
        self.meter.made
    }

    /// Whether the last example reached the limit on calls or the one on steps.
    pub(super) fn is_bounded(&self) -> bool {
        self.meter.bounded
    }

    /// The units from which the call that was solved last follows, if all its arguments were bound.
    pub(super) fn found(&self) -> &[u64] {
        &self.found
    }

    /// Say from which units the call that was solved last follows, where that took several runs.
    pub(super) fn set_found(&mut self, found: Vec<u64>) {
        self.found = found;
    }

    /// The table of a call; a new one has what the base rules answer.
    fn table(&mut self, call: CallIx, ground: &mut Ground<'_, '_>) -> Result<TableIx, Unfinished> {
        if let Some(table) = self.tables.of(call) {
            return Ok(table);
        }
        let example = ground.calls.is_example(call);
        if !example {
            let version = ground.bases.version();
            let new = ground.bases.meet(call, ground.calls, ground.lookup);
            if ground.bases.version() != version {
                return Err(Unfinished::Regrouped);
            }
            if new && ground.until.is_some_and(|until| Instant::now() >= until) {
                return Err(Unfinished::TurnOver);
            }
        }
        let arity = if example { ground.words.head_arity() } else { ground.words.defined_arity() };
        let width = arity - ground.calls.get(call).0.count_ones() as usize;
        let table = self.tables.open(call, width, example || ground.recursive);
        self.meter.made += 1;
        self.meter.bounded |= self.tables.len() > self.meter.most_tables;
        for answer in 0..if example { 0 } else { ground.bases.answers(call) } {
            let (values, classes) = ground.bases.answer(call, answer);
            match ground.sets {
                Some(sets) => {
                    sets.units(classes, &mut self.units);
                    self.tables.push(table, values, &self.units);
                }
                None => self.tables.push(table, values, classes),
            }
        }
        Ok(table)
    }

    /// Run all rules for a table, and follow the ways that are known.
    fn expand(&mut self, table: TableIx, rules: &mut [Caller], ground: &mut Ground<'_, '_>) -> Result<(), Unfinished> {
        let call = self.tables.call(table);
        let (bound, _) = ground.calls.get(call);
        let skips = self.tables.set_expanded(table) && self.tables.is_ground(table);
        for rule in rules.iter_mut() {
            let vars = rule.vars();
            let plan = rule.plan(bound, ground.words);
            if skips && plan.ground.is_some() {
                continue;
            }
            self.path.registers[..vars].fill(UNBOUND);
            ground.calls.bind(call, ground.words.head_arity(), &mut self.path.registers);
            self.run(Frame { table, plan }, 0, 0, ground)?;
        }
        let (all, units) = self.path.set_and_next(0);
        self.tables.follow_ways(table, all, units);
        Ok(())
    }

    /// Run the literals from `step` on; `depth` calls of the program have been answered.
    fn run(
        &mut self,
        frame: Frame<'_>,
        step: usize,
        depth: usize,
        ground: &mut Ground<'_, '_>,
    ) -> Result<(), Unfinished> {
        self.meter.steps += 1;
        if self.meter.steps > MOST_STEPS || self.meter.bounded {
            self.meter.bounded = true;
            return Ok(());
        }
        let Frame { table, plan } = frame;
        if plan.ground == Some(step) && step < plan.body.len() && self.tables.is_ground(table) {
            return self.write_way(table, &plan.body[step..], ground);
        }
        let Some(lit) = plan.body.get(step) else {
            self.answer(table, depth, ground);
            return Ok(());
        };
        let pattern = Pattern::of(lit, &self.path.registers);
        if pattern.any {
            // Whatever the value is, the literal may hold.
            self.path.fill(pattern.free(), ANY);
            self.run(frame, step + 1, depth, ground)?;
        } else if let Some(pred) = ground.words.place(lit) {
            let rows = ground.lookup.rows(pred, &pattern);
            for row in 0..rows.count {
                self.path.bind(pattern.free(), ground.lookup.row(rows, row));
                self.run(frame, step + 1, depth, ground)?;
            }
        } else {
            self.run_call(frame, step, depth, &pattern, ground)?;
        }
        self.path.fill(pattern.free(), UNBOUND);
        Ok(())
    }

    /// Run the literals from `step` on, the first of which calls the program: for each answer that the call has now.
    fn run_call(
        &mut self,
        frame: Frame<'_>,
        step: usize,
        depth: usize,
        pattern: &Pattern,
        ground: &mut Ground<'_, '_>,
    ) -> Result<(), Unfinished> {
        let callee = ground.calls.intern(pattern.bound, pattern.key());
        let callee = self.table(callee, ground)?;
        self.tables.note_use(callee, frame.table);
        let mut at = 0;
        // Answers may be added on the way.
        while let Some(answer) = self.tables.answer(callee, at) {
            at += 1;
            let (before, after) = self.path.set_and_next(depth);
            let mut some = 0;
            for ((all, old), new) in after.iter_mut().zip(before).zip(self.tables.units(answer)) {
                *all = old & new;
                some |= *all;
            }
            if some != 0 {
                self.path.bind(pattern.free(), self.tables.values(answer));
                self.run(frame, step + 1, depth + 1, ground)?;
            }
        }
        Ok(())
    }

    /// All literals have been run: give the table the answer that the registers hold.
    fn answer(&mut self, table: TableIx, depth: usize, ground: &Ground<'_, '_>) {
        let mut values = [0u32; MAX_ARITY];
        let mut width = 0;
        let (bound, _) = ground.calls.get(self.tables.call(table));
        for var in (0..ground.words.head_arity()).filter(|var| bound >> var & 1 == 0) {
            let value = self.path.registers[var];
            values[width] = if value == UNBOUND { ANY } else { value };
            width += 1;
        }
        self.tables.add(table, &values[..width], self.path.set(depth));
    }

    /// Remember calls that would make the table true.
    fn write_way(&mut self, table: TableIx, calls: &[Lit], ground: &mut Ground<'_, '_>) -> Result<(), Unfinished> {
        for lit in calls {
            let pattern = Pattern::of(lit, &self.path.registers);
            if pattern.any {
                continue;
            }
            let callee = ground.calls.intern(pattern.bound, pattern.key());
            let callee = self.table(callee, ground)?;
            if callee == table {
                // What needs itself adds nothing.
                self.tables.drop_way(table);
                return Ok(());
            }
            self.tables.note_use(callee, table);
            self.tables.add_to_way(table, callee);
        }
        self.tables.end_way(table);
        Ok(())
    }
}
