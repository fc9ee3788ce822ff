//! Examples by what a part sees of them.
//!
//! A part that mentions only some head variables covers all or none of the examples that agree on those. So bindings
//! are kept, and literals tested, once per distinct tuple of the head variables a part mentions: on tasks whose
//! examples are pairs of a few dozen individuals, a part of one individual costs dozens of lookups instead of hundreds.

use super::cover::Layout;
use crate::database::Tuples;
use rustc_hash::FxHashMap;
use std::sync::{Arc, RwLock};

/// The distinct tuples of some head variables, those with a positive example first.
#[derive(Debug)]
pub struct Heads {
    /// The variables, ascending.
    vars: Vec<u8>,
    tuples: Tuples,
    /// The examples with each tuple: `examples[starts[g]..starts[g + 1]]`.
    starts: Vec<u32>,
    examples: Vec<u32>,
    with_positives: usize,
    /// The tuple of each example.
    of_example: Vec<u32>,
}

impl Heads {
    fn new(layout: &Layout, mask: u64) -> Self {
        let vars: Vec<u8> = (0..layout.arity() as u8).filter(|var| mask >> var & 1 == 1).collect();
        let mut known = Tuples::new(vars.len());
        let mut of_example = Vec::with_capacity(layout.examples());
        let mut with_positives = 0;
        let mut tuple = Vec::new();
        for example in 0..layout.examples() {
            if example == layout.positives() {
                with_positives = known.len();
            }
            tuple.clear();
            tuple.extend(vars.iter().map(|&var| layout.argument(example, var as usize)));
            of_example.push(known.insert(&tuple).0);
        }
        if layout.positives() == layout.examples() {
            with_positives = known.len();
        }
        let mut starts = vec![0u32; known.len() + 1];
        of_example.iter().for_each(|&group| starts[group as usize + 1] += 1);
        (0..known.len()).for_each(|group| starts[group + 1] += starts[group]);
        let mut next = starts.clone();
        let mut examples = vec![0; of_example.len()];
        for (example, &group) in of_example.iter().enumerate() {
            examples[next[group as usize] as usize] = example as u32;
            next[group as usize] += 1;
        }
        Heads { vars, tuples: known, starts, examples, with_positives, of_example }
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

    /// The tuple of an example.
    #[inline]
    pub fn of_example(&self, example: u32) -> usize {
        self.of_example[example as usize] as usize
    }

    /// Whether some negative has a tuple. Examples of a tuple are ascending, and negatives come last.
    #[inline]
    pub fn has_negative(&self, group: usize, layout: &Layout) -> bool {
        self.examples(group).last().is_some_and(|&last| last as usize >= layout.positives())
    }

    /// The tuple of `coarser` that a tuple of this is part of; `coarser` has a subset of the variables.
    #[inline]
    pub fn within(&self, group: usize, coarser: &Heads) -> usize {
        coarser.of_example[self.examples(group)[0] as usize] as usize
    }
}

/// For each tuple of some head variables the tuple of fewer that it is part of.
pub type Coarser = Arc<[u32]>;

/// [`Heads`] for each set of head variables, made when first asked for.
#[derive(Debug, Default)]
pub struct AllHeads {
    known: RwLock<FxHashMap<u64, Arc<Heads>>>,
    coarser: RwLock<FxHashMap<(u64, u64), Coarser>>,
}

impl AllHeads {
    /// The tuples of the head variables in `mask`.
    pub fn get(&self, layout: &Layout, mask: u64) -> Arc<Heads> {
        let known = self.known.read().expect("no thread panics while it holds the lock").get(&mask).cloned();
        known.unwrap_or_else(|| {
            let heads = Arc::new(Heads::new(layout, mask));
            let mut known = self.known.write().expect("no thread panics while it holds the lock");
            Arc::clone(known.entry(mask).or_insert(heads))
        })
    }

    /// For each tuple of the head variables in `fine` the tuple of those in `coarse`, a subset, that it is part of.
    pub fn coarser(&self, layout: &Layout, fine: u64, coarse: u64) -> Coarser {
        let of = (fine, coarse);
        let known = self.coarser.read().expect("no thread panics while it holds the lock").get(&of).cloned();
        known.unwrap_or_else(|| {
            let (finer, coarser) = (self.get(layout, fine), self.get(layout, coarse));
            let map: Coarser = (0..finer.len()).map(|group| finer.within(group, &coarser) as u32).collect();
            let mut known = self.coarser.write().expect("no thread panics while it holds the lock");
            Arc::clone(known.entry(of).or_insert(map))
        })
    }
}
