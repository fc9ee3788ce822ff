//! What a set of rules with calls of the program covers, for all units of base rules at once.
//!
//! A table belongs to one call. It holds answers, each with the set of base classes from which it follows: the least
//! fixpoint of the rules over sets of units, where a conjunction is an intersection and alternatives are a union. Since
//! that is the same computation in each bit, bit `b` of an answer says whether it follows from the rules and base `b`
//! alone. So one run tests as many programs as there are base rules. It has no recursion of its own: tables wait until
//! something they use has grown, the newest first, so that a chain of calls is walked down once and up once.
//!
//! Rules need not be whole. A call that is not there yet counts as answered, a variable that nothing binds yet may have
//! any value ([`ANY`]), so what comes out for a beginning of a rule is at least what comes out for the rule.
//!
//! Where all arguments of the calls are bound by the background literals, a table remembers which calls would make it
//! true and goes through the background once.

use super::bases::Bases;
use super::bits::words_for;
use super::calls::{CallIx, Calls};
use super::lookup::{ANY, Lookup, UNBOUND};
use super::stage::Sets;
use super::words::Words;
use crate::index::narrow;
use crate::language::{Lit, MAX_ARITY};
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// A rule in the order in which it is run when the arguments of `bound` are.
#[derive(Debug)]
struct Plan {
    bound: u64,
    body: Vec<Lit>,
    /// The first literal from which on all call the program with all arguments bound.
    ground: Option<usize>,
}

/// A rule that may call the program, with its plans.
#[derive(Debug)]
pub(super) struct Caller {
    body: Box<[Lit]>,
    vars: usize,
    plans: Vec<Plan>,
}

impl Caller {
    pub(super) fn new(body: &[Lit], vars: usize) -> Self {
        Caller { body: body.into(), vars, plans: Vec::new() }
    }

    fn plan(&mut self, bound: u64, words: &Words) -> usize {
        if let Some(at) = self.plans.iter().position(|plan| plan.bound == bound) {
            return at;
        }
        let (body, ground) = order(&self.body, bound, words);
        self.plans.push(Plan { bound, body, ground });
        self.plans.len() - 1
    }
}

/// The body in the order in which it is run when the variables of `bound` are bound: checks first, calls of the program
/// after the background literals that do not need them. And where the literals begin that only check such calls.
pub(super) fn order(body: &[Lit], mut bound: u64, words: &Words) -> (Vec<Lit>, Option<usize>) {
    let mut waiting: Vec<Lit> = body.to_vec();
    let mut ordered = Vec::with_capacity(waiting.len());
    let mut ground = Some(body.len());
    while !waiting.is_empty() {
        let rank = |lit: &Lit| {
            let free = lit.args().iter().filter(|&&arg| bound >> arg & 1 == 0).count();
            let known = lit.args().len() - free;
            let rank = match (words.calls_program(lit), free, known) {
                (false, 0, _) => 0,
                (false, _, 1..) => 1,
                (false, _, 0) => {
                    if words.directed() {
                        2
                    } else {
                        4
                    }
                }
                (true, 0, _) => 3,
                (true, _, 1..) => 5,
                (true, _, 0) => 6,
            };
            (!words.ready(lit, bound), rank, free)
        };
        let best = (0..waiting.len()).min_by_key(|&at| rank(&waiting[at])).expect("something is waiting");
        let lit = waiting.remove(best);
        let calls = words.calls_program(&lit);
        match ground {
            Some(from) if calls && lit.mask() & !bound == 0 => ground = Some(from.min(ordered.len())),
            Some(from) if calls || from < body.len() => ground = None,
            _ => {}
        }
        bound |= lit.mask();
        ordered.push(lit);
    }
    (ordered, ground)
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    values: u32,
    bits: u32,
}

#[derive(Debug)]
struct Table {
    call: CallIx,
    width: usize,
    answers: Vec<Entry>,
    /// Tables that have used this one.
    users: Vec<u32>,
    waiting: bool,
    /// Whether the ways to make it true are all known.
    expanded: bool,
    /// Ways to make it true: how many calls, then their tables.
    ways: Vec<u32>,
}

impl Table {
    fn new(call: CallIx) -> Self {
        Table {
            call,
            width: 0,
            answers: Vec::new(),
            users: Vec::new(),
            waiting: false,
            expanded: false,
            ways: Vec::new(),
        }
    }
}

/// Why a run ended before its fixpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// Base classes changed on the way: begin again.
    Classes,
}

/// The tables of one run, and room for the next.
pub(super) struct Fixpoint {
    tables: Vec<Table>,
    used: usize,
    made: u64,
    /// The table of each call, plus one, if its stamp is this run's.
    of_call: Vec<(u32, u32)>,
    stamp: u32,
    values: Vec<u32>,
    bits: Vec<u64>,
    /// The answers of tables with many.
    index: FxHashMap<(u32, Box<[u32]>), u32>,
    /// Words of a set of classes.
    words: usize,
    waiting: BinaryHeap<u32>,
    result: Vec<u64>,
    units: Vec<u64>,
    registers: Vec<u32>,
    /// Sets of classes, one for each call of the program on the way.
    sets: Vec<u64>,
    steps: u64,
    /// The run for an example may have so many tables.
    most_tables: usize,
    /// Whether the last example reached that limit, or the one on steps.
    pub(super) bounded: bool,
}

/// Up to so many answers of a table are compared one by one.
const FEW: usize = 12;

/// A body has at most so many literals: the command line and the bias allow no more.
const MOST_LITERALS: usize = 256;

/// Calls, each with a table, for one example.
const MOST_CALLS: usize = 1_000;

/// Literals run for one example.
const MOST_STEPS: u64 = 50_000;

/// What a run works with.
pub(super) struct Ground<'a, 't> {
    pub(super) words: &'a Words,
    pub(super) bases: &'a mut Bases<'t>,
    pub(super) calls: &'a mut Calls,
    pub(super) lookup: &'a mut Lookup<'t>,
    /// Where units are sets of classes.
    pub(super) sets: Option<&'a Sets>,
    /// Whether the rules define the predicate that they call.
    pub(super) recursive: bool,
}

impl Fixpoint {
    pub(super) fn new() -> Self {
        Fixpoint {
            tables: Vec::new(),
            used: 0,
            made: 0,
            of_call: Vec::new(),
            stamp: 0,
            values: Vec::new(),
            bits: Vec::new(),
            index: FxHashMap::default(),
            words: 0,
            waiting: BinaryHeap::new(),
            result: Vec::new(),
            units: Vec::new(),
            registers: vec![UNBOUND; 64],
            sets: Vec::new(),
            steps: 0,
            most_tables: 0,
            bounded: false,
        }
    }

    /// Begin with other rules.
    pub(super) fn begin(&mut self, units: usize) {
        self.used = 0;
        self.stamp += 1;
        self.values.clear();
        self.bits.clear();
        self.index.clear();
        self.waiting.clear();
        self.words = words_for(units);
        let room = self.words * (MOST_LITERALS + 2);
        if self.sets.len() < room {
            self.sets.resize(room, 0);
        }
    }

    /// From which classes of `mask` a call follows, by `rules` and the class.
    ///
    /// # Errors
    /// If classes have changed; the run is of no use then.
    pub(super) fn solve(
        &mut self,
        call: CallIx,
        rules: &mut [Caller],
        mask: &[u64],
        ground: &mut Ground<'_, '_>,
    ) -> Result<(), Broken> {
        self.steps = 0;
        self.bounded = false;
        self.most_tables = self.used + MOST_CALLS;
        self.sets[..self.words].copy_from_slice(mask);
        let root = self.table(call, ground)?;
        while let Some(at) = self.waiting.pop() {
            if self.bounded {
                break;
            }
            self.tables[at as usize].waiting = false;
            self.expand(at, rules, ground)?;
        }
        self.result.clear();
        let entry = self.tables[root as usize].answers.first();
        let bits = entry.map_or(&[][..], |entry| &self.bits[entry.bits as usize..entry.bits as usize + self.words]);
        self.result.extend(mask.iter().enumerate().map(|(at, &mask)| mask & bits.get(at).copied().unwrap_or(0)));
        if self.bounded {
            // Tables that still wait are not complete and must not be taken for it by later examples.
            while self.waiting.pop().is_some() {}
            self.of_call.iter_mut().for_each(|entry| entry.0 = 0);
        }
        Ok(())
    }

    /// The answers of a call that was solved, unless it was bounded, with the units from which they follow.
    pub(super) fn answers(&self, call: CallIx) -> impl Iterator<Item = (&[u32], &[u64])> {
        let (stamp, table) = self.of_call.get(call.index()).copied().unwrap_or_default();
        let table = (stamp == self.stamp).then(|| &self.tables[table as usize]);
        table.into_iter().flat_map(|table| {
            table.answers.iter().map(|entry| {
                let values = &self.values[entry.values as usize..entry.values as usize + table.width];
                (values, &self.bits[entry.bits as usize..entry.bits as usize + self.words])
            })
        })
    }

    /// How many tables have been made in all runs.
    pub(super) fn made(&self) -> u64 {
        self.made
    }

    /// The classes from which the call that was solved last follows, if all its arguments were bound.
    pub(super) fn found(&self) -> &[u64] {
        &self.result
    }

    /// Say from which classes the call that was solved last follows, where that took several runs.
    pub(super) fn set_found(&mut self, found: Vec<u64>) {
        self.result = found;
    }

    fn table(&mut self, call: CallIx, ground: &mut Ground<'_, '_>) -> Result<u32, Broken> {
        let at = call.index();
        if self.of_call.len() <= at {
            self.of_call.resize(ground.calls.len().max(at + 1), (0, 0));
        }
        let (stamp, table) = self.of_call[at];
        if stamp == self.stamp {
            return Ok(table);
        }
        let example = ground.calls.is_example(call);
        if !example {
            let version = ground.bases.version();
            ground.bases.meet(call, ground.calls, ground.lookup);
            if ground.bases.version() != version {
                return Err(Broken::Classes);
            }
        }
        let table = narrow(self.used);
        if self.used == self.tables.len() {
            self.tables.push(Table::new(call));
        }
        self.used += 1;
        self.made += 1;
        self.bounded |= self.used > self.most_tables;
        let fresh = &mut self.tables[table as usize];
        fresh.call = call;
        let arity = if example { ground.words.head_arity() } else { ground.words.defined_arity() };
        fresh.width = arity - ground.calls.get(call).0.count_ones() as usize;
        fresh.answers.clear();
        fresh.users.clear();
        fresh.ways.clear();
        fresh.expanded = false;
        fresh.waiting = example || ground.recursive;
        if fresh.waiting {
            self.waiting.push(table);
        }
        self.of_call[at] = (self.stamp, table);
        for answer in 0..if example { 0 } else { ground.bases.answers(call) } {
            let (values, classes) = ground.bases.answer(call, answer);
            let bits = match ground.sets {
                Some(sets) => {
                    sets.units(classes, &mut self.units);
                    &self.units[..]
                }
                None => classes,
            };
            let entry = Entry { values: narrow(self.values.len()), bits: narrow(self.bits.len()) };
            self.values.extend_from_slice(values);
            self.bits.extend_from_slice(bits);
            self.push(table, entry);
        }
        Ok(table)
    }

    fn expand(&mut self, at: u32, rules: &mut [Caller], ground: &mut Ground<'_, '_>) -> Result<(), Broken> {
        let call = self.tables[at as usize].call;
        let (bound, _) = ground.calls.get(call);
        let expanded = std::mem::replace(&mut self.tables[at as usize].expanded, true);
        for rule in rules.iter_mut() {
            let plan = rule.plan(bound, ground.words);
            let plan = &rule.plans[plan];
            if expanded && plan.ground.is_some() && self.tables[at as usize].width == 0 {
                continue;
            }
            self.registers[..rule.vars].fill(UNBOUND);
            ground.calls.bind(call, ground.words.head_arity(), &mut self.registers);
            self.run(at, plan, 0, 0, ground)?;
        }
        self.follow(at);
        Ok(())
    }

    /// Add what the known ways make true.
    fn follow(&mut self, at: u32) {
        let ways = std::mem::take(&mut self.tables[at as usize].ways);
        let mut rest = &ways[..];
        while let Some((&count, more)) = rest.split_first() {
            let (tables, more) = more.split_at(count as usize);
            rest = more;
            let words = self.words;
            let (first, second) = self.sets.split_at_mut(words);
            second[..words].copy_from_slice(first);
            for &table in tables {
                match self.tables[table as usize].answers.first() {
                    Some(entry) => {
                        let bits = &self.bits[entry.bits as usize..];
                        second[..words].iter_mut().zip(bits).for_each(|(all, one)| *all &= one);
                    }
                    None => second[..words].fill(0),
                }
            }
            self.add(at, &[], 1);
        }
        self.tables[at as usize].ways = ways;
    }

    /// Run the literals from `step` on; `depth` calls of the program have been answered.
    fn run(
        &mut self,
        at: u32,
        plan: &Plan,
        step: usize,
        depth: usize,
        ground: &mut Ground<'_, '_>,
    ) -> Result<(), Broken> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.bounded {
            self.bounded = true;
            return Ok(());
        }
        if plan.ground == Some(step) && step < plan.body.len() && self.tables[at as usize].width == 0 {
            return self.way(at, &plan.body[step..], ground);
        }
        let Some(lit) = plan.body.get(step) else {
            let mut values = [0u32; MAX_ARITY];
            let mut width = 0;
            let (bound, _) = ground.calls.get(self.tables[at as usize].call);
            for var in (0..ground.words.head_arity()).filter(|var| bound >> var & 1 == 0) {
                let value = self.registers[var];
                values[width] = if value == UNBOUND { ANY } else { value };
                width += 1;
            }
            self.add(at, &values[..width], depth);
            return Ok(());
        };
        let mut key = [0u32; MAX_ARITY];
        let mut free = [0u8; MAX_ARITY];
        let (mut bound, mut keys, mut frees, mut any) = (0u64, 0, 0, false);
        for (place, &arg) in lit.args().iter().enumerate() {
            match self.registers[arg as usize] {
                UNBOUND => {
                    free[frees] = arg;
                    frees += 1;
                }
                value => {
                    any |= value == ANY;
                    bound |= 1 << place;
                    key[keys] = value;
                    keys += 1;
                }
            }
        }
        if any {
            // Whatever the value is, the literal may hold.
            free[..frees].iter().for_each(|&var| self.registers[var as usize] = ANY);
            self.run(at, plan, step + 1, depth, ground)?;
            free[..frees].iter().for_each(|&var| self.registers[var as usize] = UNBOUND);
            return Ok(());
        }
        let Some(place) = ground.words.place(lit) else {
            let callee = ground.calls.intern(bound, &key[..keys]);
            let callee = self.table(callee, ground)?;
            self.use_of(callee, at);
            return self.consume(at, callee, plan, step, depth, &free[..frees], ground);
        };
        let rows = ground.lookup.rows(place, bound, &key[..keys], frees);
        for row in 0..rows.count {
            for (&var, &value) in free[..frees].iter().zip(ground.lookup.row(rows, row)) {
                self.registers[var as usize] = value;
            }
            self.run(at, plan, step + 1, depth, ground)?;
        }
        free[..frees].iter().for_each(|&var| self.registers[var as usize] = UNBOUND);
        Ok(())
    }

    /// Go on with each answer that the table `callee` has now.
    #[expect(clippy::too_many_arguments, reason = "the state of one step")]
    fn consume(
        &mut self,
        at: u32,
        callee: u32,
        plan: &Plan,
        step: usize,
        depth: usize,
        free: &[u8],
        ground: &mut Ground<'_, '_>,
    ) -> Result<(), Broken> {
        let words = self.words;
        let mut answer = 0;
        while let Some(&Entry { values, bits }) = self.tables[callee as usize].answers.get(answer) {
            answer += 1;
            let (before, after) = self.sets.split_at_mut((depth + 1) * words);
            let bits = &self.bits[bits as usize..bits as usize + words];
            let mut some = 0;
            for ((all, old), new) in after[..words].iter_mut().zip(&before[depth * words..]).zip(bits) {
                *all = old & new;
                some |= *all;
            }
            if some == 0 {
                continue;
            }
            for (place, &var) in free.iter().enumerate() {
                self.registers[var as usize] = self.values[values as usize + place];
            }
            self.run(at, plan, step + 1, depth + 1, ground)?;
        }
        free.iter().for_each(|&var| self.registers[var as usize] = UNBOUND);
        Ok(())
    }

    /// Remember calls that would make the table true.
    fn way(&mut self, at: u32, calls: &[Lit], ground: &mut Ground<'_, '_>) -> Result<(), Broken> {
        let start = self.tables[at as usize].ways.len();
        self.tables[at as usize].ways.push(narrow(calls.len()));
        for lit in calls {
            let mut key = [0u32; MAX_ARITY];
            let args = lit.args();
            key.iter_mut().zip(args).for_each(|(key, &arg)| *key = self.registers[arg as usize]);
            if key[..args.len()].contains(&ANY) {
                self.tables[at as usize].ways[start] -= 1;
                continue;
            }
            let callee = ground.calls.intern((1 << args.len()) - 1, &key[..args.len()]);
            let callee = self.table(callee, ground)?;
            if callee == at {
                // What needs itself adds nothing.
                self.tables[at as usize].ways.truncate(start);
                return Ok(());
            }
            self.use_of(callee, at);
            self.tables[at as usize].ways.push(callee);
        }
        Ok(())
    }

    fn use_of(&mut self, callee: u32, user: u32) {
        let users = &mut self.tables[callee as usize].users;
        if !users.contains(&user) {
            users.push(user);
        }
    }

    /// Give a table an answer that it does not have.
    fn push(&mut self, at: u32, entry: Entry) {
        let table = &mut self.tables[at as usize];
        table.answers.push(entry);
        let new = match table.answers.len() {
            count if count <= FEW => 0..0,
            count if count == FEW + 1 => 0..count,
            count => count - 1..count,
        };
        for place in new {
            let start = table.answers[place].values as usize;
            self.index.insert((at, self.values[start..start + table.width].into()), narrow(place));
        }
    }

    /// Add an answer that follows from the set at `depth`.
    fn add(&mut self, at: u32, values: &[u32], depth: usize) {
        let words = self.words;
        let set = depth * words;
        let table = &self.tables[at as usize];
        let known = match values {
            [] => table.answers.first(),
            _ if table.answers.len() > FEW => {
                self.index.get(&(at, values.into())).map(|&place| &table.answers[place as usize])
            }
            _ => table.answers.iter().find(|entry| {
                values.iter().enumerate().all(|(place, value)| self.values[entry.values as usize + place] == *value)
            }),
        };
        let mut grown = false;
        match known {
            Some(entry) => {
                let bits = &mut self.bits[entry.bits as usize..entry.bits as usize + words];
                for (all, new) in bits.iter_mut().zip(&self.sets[set..set + words]) {
                    grown |= new & !*all != 0;
                    *all |= new;
                }
            }
            None => {
                grown = self.sets[set..set + words].iter().any(|&word| word != 0);
                if grown {
                    let entry = Entry { values: narrow(self.values.len()), bits: narrow(self.bits.len()) };
                    self.values.extend_from_slice(values);
                    self.bits.extend_from_slice(&self.sets[set..set + words]);
                    self.push(at, entry);
                }
            }
        }
        if grown {
            for user in 0..self.tables[at as usize].users.len() {
                let user = self.tables[at as usize].users[user] as usize;
                if !self.tables[user].waiting {
                    self.tables[user].waiting = true;
                    self.waiting.push(narrow(user));
                }
            }
        }
    }
}
