//! Evaluation of compiled bodies by backtracking over the steps, with a limit on the work.
//!
//! Bias programs are tiny (a few hundred facts, constraints of a few literals), so rows are scanned; only a test of a
//! whole row goes through a hash set. The limit is what keeps a hostile file from running for ever: arithmetic can
//! derive facts without end and a long join can take exponential time.

use super::clauses::{
    BiasComparison, BiasPattern, BiasStep, BodySlot, Count, IntegerOperator, Origin, RelationId, TupleRelation,
};
use super::value::{BiasNames, BiasValue};
use crate::logic::Symbol;
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::cmp::Ordering;
use std::sync::Arc;

/// A row of a relation.
pub type BiasRow = Box<[BiasValue]>;

/// The rows of a relation, each once, in the order of arrival.
#[derive(Debug, Clone, Default)]
pub struct BiasRows {
    rows: Vec<BiasRow>,
    /// Kept from [`INDEXED`] rows on; a scan is faster below.
    index: FxHashSet<BiasRow>,
}

/// Rows from which on [`BiasRows`] keep a hash index.
const INDEXED: usize = 8;

impl BiasRows {
    /// Add a row; `false` if it was there already.
    pub fn insert(&mut self, row: BiasRow) -> bool {
        if self.contains(&row) {
            return false;
        }
        if self.rows.len() >= INDEXED {
            if self.index.is_empty() {
                self.index.extend(self.rows.iter().cloned());
            }
            self.index.insert(row.clone());
        }
        self.rows.push(row);
        true
    }

    /// Whether the row is there.
    pub fn contains(&self, row: &[BiasValue]) -> bool {
        if self.index.is_empty() { self.rows.iter().any(|have| **have == *row) } else { self.index.contains(row) }
    }

    /// The rows.
    pub fn iter(&self) -> impl Iterator<Item = &[BiasValue]> {
        self.rows.iter().map(|row| &**row)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
}

/// The work limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted;

/// How much work is left.
#[derive(Debug)]
pub struct Fuel(Cell<u64>);

impl Fuel {
    /// Enough for `steps` steps of evaluation.
    pub fn new(steps: u64) -> Self {
        Fuel(Cell::new(steps))
    }

    fn burn(&self) -> Result<(), Exhausted> {
        let left = self.0.get().checked_sub(1).ok_or(Exhausted)?;
        self.0.set(left);
        Ok(())
    }
}

/// The variables that rules may have and how long tuples of them may be.
#[derive(Debug, Clone, Default)]
pub struct Variables {
    /// `max_vars`.
    pub count: usize,
    /// The arities of the declared predicates, ascending.
    pub arities: Vec<usize>,
}

/// What a body is evaluated on.
#[derive(Debug, Clone, Copy)]
pub struct BiasEvaluator<'a> {
    /// Where each relation comes from.
    pub origins: &'a [Origin],
    /// The rows of given relations.
    pub given: &'a [BiasRows],
    /// The rows of relations that depend on the hypothesis.
    pub viewed: &'a [BiasRows],
    /// For the order of names.
    pub names: &'a BiasNames,
    /// For the domain relations.
    pub variables: &'a Variables,
    /// The functor of tuples.
    pub tuple: Symbol,
    /// The work limit.
    pub fuel: &'a Fuel,
}

/// The values of a body's slots while it is evaluated.
#[derive(Debug)]
pub struct Bindings {
    slots: Vec<Option<BiasValue>>,
    trail: Vec<BodySlot>,
}

impl Bindings {
    /// All slots free.
    pub fn new(slots: usize) -> Self {
        Bindings { slots: vec![None; slots], trail: Vec::new() }
    }

    fn bind(&mut self, slot: BodySlot, value: BiasValue) {
        self.slots[slot.index()] = Some(value);
        self.trail.push(slot);
    }

    fn undo(&mut self, mark: usize) {
        for slot in self.trail.drain(mark..) {
            self.slots[slot.index()] = None;
        }
    }
}

impl BiasEvaluator<'_> {
    /// Call `each` for every way to satisfy `steps`, until it returns `true`; whether it did.
    ///
    /// # Errors
    /// [`Exhausted`] when the work limit is reached.
    pub fn solve(
        &self,
        steps: &[BiasStep],
        bindings: &mut Bindings,
        each: &mut dyn FnMut(&mut Bindings) -> Result<bool, Exhausted>,
    ) -> Result<bool, Exhausted> {
        self.fuel.burn()?;
        let Some((step, rest)) = steps.split_first() else { return each(bindings) };
        let mark = bindings.trail.len();
        match step {
            BiasStep::Scan(relation, args) => {
                self.scan(*relation, args, bindings, &mut |bindings| self.solve(rest, bindings, each))
            }
            BiasStep::Absent(relation, args) => {
                if self.scan(*relation, args, bindings, &mut |_| Ok(true))? {
                    return Ok(false);
                }
                self.solve(rest, bindings, each)
            }
            BiasStep::Compare(left, comparison, right) => {
                let holds = match (self.value(left, bindings), self.value(right, bindings)) {
                    (Some(left), Some(right)) => self.holds(&left, *comparison, &right),
                    _ => false,
                };
                if holds { self.solve(rest, bindings, each) } else { Ok(false) }
            }
            BiasStep::Match(pattern, term) => {
                let Some(value) = self.value(term, bindings) else { return Ok(false) };
                let stop = self.matches(pattern, &value, bindings) && self.solve(rest, bindings, each)?;
                bindings.undo(mark);
                Ok(stop)
            }
            BiasStep::Count(count) => {
                let Some(number) = self.count(count, bindings)? else { return Ok(false) };
                if let Some(slot) = count.result {
                    bindings.bind(slot, BiasValue::Int(number));
                }
                let stop = self.solve(rest, bindings, each)?;
                bindings.undo(mark);
                Ok(stop)
            }
        }
    }

    /// Whether `steps` can be satisfied.
    ///
    /// # Errors
    /// [`Exhausted`] when the work limit is reached.
    pub fn satisfiable(&self, steps: &[BiasStep], slots: usize) -> Result<bool, Exhausted> {
        self.solve(steps, &mut Bindings::new(slots), &mut |_| Ok(true))
    }

    /// The value of a term whose slots are bound; `None` if arithmetic on it is undefined or a slot is free.
    pub fn value(&self, pattern: &BiasPattern, bindings: &Bindings) -> Option<BiasValue> {
        match pattern {
            BiasPattern::Wild => None,
            BiasPattern::Slot(slot) => bindings.slots[slot.index()].clone(),
            BiasPattern::Value(value) => Some(value.clone()),
            BiasPattern::Compound(functor, args) => {
                let args: Option<Arc<[BiasValue]>> = args.iter().map(|arg| self.value(arg, bindings)).collect();
                Some(BiasValue::Compound(*functor, args?))
            }
            BiasPattern::Arithmetic(operator, operands) => {
                let [left, right] = &**operands;
                match (self.value(left, bindings)?, self.value(right, bindings)?) {
                    (BiasValue::Int(left), BiasValue::Int(right)) => {
                        calculate(*operator, left, right).map(BiasValue::Int)
                    }
                    _ => None,
                }
            }
        }
    }

    fn holds(&self, left: &BiasValue, comparison: BiasComparison, right: &BiasValue) -> bool {
        match comparison {
            BiasComparison::Equal => left == right,
            BiasComparison::Unequal => left != right,
            _ => compares(comparison, self.names.compare(left, right)),
        }
    }

    /// The count if it satisfies the guards.
    fn count(&self, count: &Count, bindings: &mut Bindings) -> Result<Option<i64>, Exhausted> {
        let mut tuples: FxHashSet<BiasRow> = FxHashSet::default();
        for (tuple, condition) in &count.elements {
            self.solve(condition, bindings, &mut |bindings| {
                let row: Option<BiasRow> = tuple.iter().map(|term| self.value(term, bindings)).collect();
                tuples.extend(row);
                Ok(false)
            })?;
        }
        let number = i64::try_from(tuples.len()).expect("fewer tuples than memory cells");
        let mut holds = true;
        for (comparison, term) in &count.guards {
            let Some(limit) = self.value(term, bindings) else { return Ok(None) };
            holds &= self.holds(&BiasValue::Int(number), *comparison, &limit);
        }
        Ok((holds != count.negated).then_some(number))
    }

    fn scan(
        &self,
        relation: RelationId,
        args: &[BiasPattern],
        bindings: &mut Bindings,
        each: &mut dyn FnMut(&mut Bindings) -> Result<bool, Exhausted>,
    ) -> Result<bool, Exhausted> {
        let rows = match self.origins[relation.index()] {
            Origin::Given => &self.given[relation.index()],
            Origin::View(_) | Origin::Derived => &self.viewed[relation.index()],
            Origin::Domain(domain) => return self.scan_domain(domain, args, bindings, each),
        };
        if rows.len() > INDEXED {
            let row: Option<BiasRow> = args.iter().map(|arg| self.value(arg, bindings)).collect();
            if let Some(row) = row {
                return if rows.contains(&row) { each(bindings) } else { Ok(false) };
            }
        }
        let mark = bindings.trail.len();
        for row in rows.iter() {
            self.fuel.burn()?;
            let all = args.iter().zip(row).all(|(arg, value)| self.matches(arg, value, bindings));
            let stop = all && each(bindings)?;
            bindings.undo(mark);
            if stop {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Match a pattern, binding free slots; on failure some may stay bound until the caller's undo.
    fn matches(&self, pattern: &BiasPattern, value: &BiasValue, bindings: &mut Bindings) -> bool {
        match pattern {
            BiasPattern::Wild => true,
            BiasPattern::Value(expected) => expected == value,
            BiasPattern::Slot(slot) => match &bindings.slots[slot.index()] {
                Some(bound) => bound == value,
                None => {
                    bindings.bind(*slot, value.clone());
                    true
                }
            },
            BiasPattern::Compound(functor, patterns) => match value {
                BiasValue::Compound(have, args) => {
                    functor == have
                        && patterns.len() == args.len()
                        && patterns.iter().zip(args.iter()).all(|(pattern, arg)| self.matches(pattern, arg, bindings))
                }
                _ => false,
            },
            BiasPattern::Arithmetic(..) => self.value(pattern, bindings).as_ref() == Some(value),
        }
    }

    /// The domain relations: look at the tuple if it is known, go through all tuples otherwise.
    fn scan_domain(
        &self,
        domain: TupleRelation,
        args: &[BiasPattern],
        bindings: &mut Bindings,
        each: &mut dyn FnMut(&mut Bindings) -> Result<bool, Exhausted>,
    ) -> Result<bool, Exhausted> {
        if let Some(tuple) = self.value(&args[1], bindings) {
            return if self.is_variables(&tuple) {
                self.scan_tuple(domain, &tuple, args, bindings, each)
            } else {
                Ok(false)
            };
        }
        let mark = bindings.trail.len();
        for &arity in &self.variables.arities {
            let mut chosen: Vec<usize> = Vec::new();
            let mut next = 0;
            // Depth first through all sequences of distinct variables, in lexicographic order.
            loop {
                self.fuel.burn()?;
                if chosen.len() == arity {
                    let tuple = self.tuple_of(&chosen);
                    let matched = self.matches(&args[1], &tuple, bindings);
                    let stop = matched && self.scan_tuple(domain, &tuple, args, bindings, each)?;
                    bindings.undo(mark);
                    if stop {
                        return Ok(true);
                    }
                    next = self.variables.count;
                }
                match (next..self.variables.count).find(|var| !chosen.contains(var)) {
                    Some(var) => {
                        chosen.push(var);
                        next = 0;
                    }
                    None => match chosen.pop() {
                        Some(var) => next = var + 1,
                        None => break,
                    },
                }
            }
        }
        Ok(false)
    }

    fn scan_tuple(
        &self,
        domain: TupleRelation,
        tuple: &BiasValue,
        args: &[BiasPattern],
        bindings: &mut Bindings,
        each: &mut dyn FnMut(&mut Bindings) -> Result<bool, Exhausted>,
    ) -> Result<bool, Exhausted> {
        let vars: &[BiasValue] = match tuple {
            BiasValue::Compound(_, vars) => vars,
            _ => &[],
        };
        let mark = bindings.trail.len();
        if domain == TupleRelation::Vars {
            let arity = BiasValue::Int(i64::try_from(vars.len()).expect("the parser limits arity"));
            let stop = self.matches(&args[0], &arity, bindings) && each(bindings)?;
            bindings.undo(mark);
            return Ok(stop);
        }
        for (at, var) in vars.iter().enumerate() {
            self.fuel.burn()?;
            let position = BiasValue::Int(i64::try_from(at).expect("the parser limits arity"));
            let matched = self.matches(&args[0], var, bindings)
                && (domain == TupleRelation::VarMember || self.matches(&args[2], &position, bindings));
            let stop = matched && each(bindings)?;
            bindings.undo(mark);
            if stop {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_variables(&self, tuple: &BiasValue) -> bool {
        let vars: &[BiasValue] = match tuple {
            BiasValue::Compound(functor, vars) if *functor == self.tuple => vars,
            BiasValue::Name(name) if *name == self.tuple => &[],
            _ => return false,
        };
        let variable = |var: &BiasValue| matches!(var, BiasValue::Int(n) if usize::try_from(*n).is_ok_and(|n| n < self.variables.count));
        self.variables.arities.contains(&vars.len())
            && vars.iter().enumerate().all(|(at, var)| variable(var) && !vars[..at].contains(var))
    }

    fn tuple_of(&self, vars: &[usize]) -> BiasValue {
        if vars.is_empty() {
            return BiasValue::Name(self.tuple);
        }
        let vars = vars.iter().map(|&var| BiasValue::Int(i64::try_from(var).expect("max_vars is small"))).collect();
        BiasValue::Compound(self.tuple, vars)
    }
}

fn compares(comparison: BiasComparison, order: Ordering) -> bool {
    match comparison {
        BiasComparison::Equal => order.is_eq(),
        BiasComparison::Unequal => order.is_ne(),
        BiasComparison::Less => order.is_lt(),
        BiasComparison::LessOrEqual => order.is_le(),
        BiasComparison::Greater => order.is_gt(),
        BiasComparison::GreaterOrEqual => order.is_ge(),
    }
}

fn calculate(operator: IntegerOperator, left: i64, right: i64) -> Option<i64> {
    match operator {
        IntegerOperator::Plus => left.checked_add(right),
        IntegerOperator::Minus => left.checked_sub(right),
        IntegerOperator::Times => left.checked_mul(right),
        IntegerOperator::Divide => left.checked_div(right),
        IntegerOperator::Remainder => left.checked_rem(right),
    }
}
