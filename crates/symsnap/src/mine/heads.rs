//! Examples by what a part sees of them.
//!
//! A part that mentions only some head variables covers all or none of the examples that agree on those. So bindings
//! are kept, and literals tested, once per distinct tuple of the head variables a part mentions: on tasks whose
//! examples are pairs of a few dozen individuals, a part of one individual costs dozens of lookups instead of hundreds.

use super::head_form::HeadForm;
use crate::database::Tuples;
use crate::index::narrow;
use crate::sets::Sides;
use crate::task::Examples;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock, RwLock};

/// The distinct tuples of some head variables, those with a positive example first.
#[derive(Debug)]
pub struct Heads {
    /// The variables, ascending.
    vars: Vec<u8>,
    tuples: Tuples,
    /// The examples with each tuple: `examples[starts[g]..starts[g + 1]]`.
    starts: Vec<u32>,
    examples: Vec<u32>,
    /// Where in `examples` the negatives of each tuple begin; positives come first.
    borders: Vec<u32>,
    with_positives: usize,
    /// The tuple of each example, [`NONE`] if it is not of the form of the head.
    of_example: Vec<u32>,
}

/// No tuple.
const NONE: u32 = u32::MAX;

impl Heads {
    fn new(arguments: &Arguments, mask: u64) -> Self {
        let sides = arguments.sides;
        let vars: Vec<u8> = (0..narrow(arguments.arity)).filter(|var| mask >> var & 1 == 1).collect();
        let mut known = Tuples::new(vars.len());
        let mut of_example = Vec::with_capacity(sides.examples());
        let mut with_positives = 0;
        let mut tuple = Vec::new();
        for example in 0..sides.examples() {
            if !arguments.fit(example) {
                of_example.push(NONE);
                continue;
            }
            tuple.clear();
            tuple.extend(vars.iter().map(|&var| arguments.of(example, var as usize)));
            of_example.push(known.insert(&tuple).0);
            if example < sides.positives() {
                with_positives = known.len();
            }
        }
        let mut starts = vec![0u32; known.len() + 1];
        let grouped = || of_example.iter().enumerate().filter(|(_, group)| **group != NONE);
        grouped().for_each(|(_, &group)| starts[group as usize + 1] += 1);
        (0..known.len()).for_each(|group| starts[group + 1] += starts[group]);
        let mut next = starts.clone();
        let mut examples = vec![0; grouped().count()];
        let mut borders = starts[..known.len()].to_vec();
        for (example, &group) in grouped() {
            borders[group as usize] += u32::from(example < sides.positives());
            examples[next[group as usize] as usize] = narrow(example);
            next[group as usize] += 1;
        }
        Heads { vars, tuples: known, starts, examples, borders, with_positives, of_example }
    }

    /// How many tuples there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many of them, from the first on, some positive has.
    pub fn with_positives(&self) -> usize {
        self.with_positives
    }

    /// Where in a tuple a variable is.
    pub fn place(&self, var: u8) -> usize {
        self.vars.iter().position(|&known| known == var).expect("the mask was made with this variable")
    }

    /// A tuple.
    #[inline]
    pub fn tuple(&self, group: usize) -> &[u32] {
        self.tuples.row(group)
    }

    /// The examples with a tuple.
    #[inline]
    pub fn examples(&self, group: usize) -> &[u32] {
        &self.examples[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// The positives with a tuple.
    #[inline]
    pub fn positives(&self, group: usize) -> &[u32] {
        &self.examples[self.starts[group] as usize..self.borders[group] as usize]
    }

    /// For each tuple, whether it is a positive's and whether it is a negative's.
    pub fn signs(&self) -> Vec<(bool, bool)> {
        (0..self.len()).map(|group| (!self.positives(group).is_empty(), !self.negatives(group).is_empty())).collect()
    }

    /// The negatives with a tuple.
    #[inline]
    pub fn negatives(&self, group: usize) -> &[u32] {
        &self.examples[self.borders[group] as usize..self.starts[group + 1] as usize]
    }

    /// The tuple of an example; `None` if it is not of the form of the head, so that nothing covers it.
    #[inline]
    pub fn of_example(&self, example: u32) -> Option<u32> {
        let group = self.of_example[example as usize];
        (group != NONE).then_some(group)
    }

    /// The tuple of `coarser` that a tuple of this is part of; `coarser` has a subset of the variables.
    #[inline]
    pub fn within(&self, group: usize, coarser: &Heads) -> u32 {
        coarser.of_example[self.examples(group)[0] as usize]
    }
}

/// For each tuple of some head variables the tuple of fewer that it is part of.
pub type Coarser = Arc<[u32]>;

/// The arguments of all examples, positives first.
#[derive(Debug)]
struct Arguments {
    sides: Sides,
    arity: usize,
    values: Vec<u32>,
    form: HeadForm,
}

impl Arguments {
    fn new(examples: &Examples, form: HeadForm) -> Self {
        let positives = (0..examples.positives()).map(|at| examples.positive(at));
        let rows = positives.chain((0..examples.negatives()).map(|at| examples.negative(at)));
        let values = rows.flatten().map(|id| narrow(id.index())).collect();
        Arguments { sides: examples.sides(), arity: examples.pred().arity as usize, values, form }
    }

    /// Whether an example is of the form of the head.
    fn fit(&self, example: usize) -> bool {
        self.form.constants().iter().all(|&(at, id)| self.of(example, at as usize) as usize == id.index())
    }

    /// Argument `at` of an example.
    fn of(&self, example: usize, at: usize) -> u32 {
        self.values[example * self.arity + at]
    }
}

/// [`Heads`] for each set of head variables, made when first asked for.
#[derive(Debug)]
pub struct AllHeads {
    arguments: Arguments,
    known: HeadMemo<Arc<Heads>>,
    coarser: HeadMemo<Coarser>,
}

/// Heads of up to this many variables are found without a lock; nearly all tasks have fewer.
const FEW: u32 = 6;

impl AllHeads {
    /// The heads of those of these examples that are of a form.
    pub fn new(examples: &Examples, form: HeadForm) -> Self {
        let (known, coarser) = (HeadMemo::new(1 << FEW), HeadMemo::new(1 << (2 * FEW)));
        AllHeads { arguments: Arguments::new(examples, form), known, coarser }
    }

    /// How many arguments an example has.
    pub fn arity(&self) -> usize {
        self.arguments.arity
    }

    /// The positives of the form, as words.
    pub fn positives(&self) -> Box<[u64]> {
        let mut words = vec![0u64; self.sides().pos_words()];
        let all = (0..self.sides().positives()).filter(|&example| self.arguments.fit(example));
        all.for_each(|example| words[example / 64] |= 1 << (example % 64));
        words.into()
    }

    /// How many examples there are of each kind.
    pub fn sides(&self) -> Sides {
        self.arguments.sides
    }

    /// The tuples of the head variables in `mask`.
    pub fn get(&self, mask: u64) -> Arc<Heads> {
        self.known.get((mask, 0), narrow(mask), || Arc::new(Heads::new(&self.arguments, mask)))
    }

    /// For each tuple of the head variables in `fine` the tuple of those in `coarse`, a subset, that it is part of.
    pub fn coarser(&self, fine: u64, coarse: u64) -> Coarser {
        let place = if fine >> FEW == 0 { narrow(fine << FEW | coarse) } else { usize::MAX };
        self.coarser.get((fine, coarse), place, || {
            let (finer, coarser) = (self.get(fine), self.get(coarse));
            (0..finer.len()).map(|group| finer.within(group, &coarser)).collect()
        })
    }
}

/// What is made once for each key: in an array where the key has a place in it, else in a map.
#[derive(Debug)]
struct HeadMemo<T> {
    array: Box<[OnceLock<T>]>,
    map: RwLock<FxHashMap<(u64, u64), T>>,
}

impl<T: Clone> HeadMemo<T> {
    fn new(places: usize) -> Self {
        HeadMemo { array: (0..places).map(|_| OnceLock::new()).collect(), map: RwLock::default() }
    }

    #[inline]
    fn get(&self, key: (u64, u64), place: usize, make: impl FnOnce() -> T) -> T {
        if let Some(slot) = self.array.get(place) {
            return slot.get_or_init(make).clone();
        }
        let known = self.map.read().expect("no thread panics while it holds the lock").get(&key).cloned();
        known.unwrap_or_else(|| {
            let made = make();
            self.map.write().expect("no thread panics while it holds the lock").entry(key).or_insert(made).clone()
        })
    }
}
