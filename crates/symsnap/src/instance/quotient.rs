//! Examples that no rule tells apart, as one.
//!
//! Call two constants *alike* if exchanging them leaves every table of a body predicate as it is. A rule without
//! comparisons has no constants, so it covers an example exactly if it covers the example with alike constants exchanged; and as any two of a class of
//! alike constants can be exchanged, examples of the same sign are covered together if their arguments are alike one by
//! one and equal to each other in the same places. Such examples become one with the sum of their weights: costs stay
//! what they are. It is worth most where negatives are all pairs that are not positive.
//!
//! Alike are constants that stand in the same rows in the same places. The rows of a constant are summed up in a hash of
//! 128 bits; should a row mention two constants, their hashes differ, so no exchange moves both.

use super::Instance;
use crate::database::{Relation, Tuples};
use crate::index::narrow;
use crate::language::Language;
use crate::logic::TermId;
use crate::random::{STEP, mix};
use crate::sets::{Cover, Sides};
use crate::task::Examples;
use rustc_hash::FxHashMap;

/// An instance with examples as one that no rule tells apart, and which ones these are.
#[derive(Debug)]
pub struct Quotient<'t> {
    instance: Instance<'t>,
    /// How many examples there were.
    sides: Sides,
    /// For each of them the number of the one that stands for it.
    class: Vec<u32>,
}

impl<'t> Quotient<'t> {
    pub(super) fn new(instance: &Instance<'t>) -> Option<Self> {
        let examples = instance.examples();
        let constant = instance.bias().constants.in_head(instance.bias());
        let (merged, class) = merged(examples, &constant, &Language::new(instance.bias(), instance.database()))?;
        let sides = examples.sides();
        Some(Quotient { instance: instance.with_examples(merged), sides, class })
    }

    /// The instance with fewer examples.
    pub fn instance(&self) -> &Instance<'t> {
        &self.instance
    }

    /// What covers these of the fewer examples, as a cover of all.
    pub fn whole(&self, cover: &Cover) -> Cover {
        let mut whole = Cover::empty(self.sides);
        let covered = self.class.iter().enumerate().filter(|(_, class)| cover.contains(**class as usize));
        covered.for_each(|(example, _)| whole.insert(example));
        whole
    }
}

/// The examples with those as one that no rule of the language tells apart, and for each example the number of the one that
/// stands for it; `None` if that is not known, or if it makes no difference. Rules may name the arguments in `constant`, so
/// examples that differ there are told apart.
fn merged(examples: &Examples, constant: &[usize], language: &Language<'_>) -> Option<(Examples, Vec<u32>)> {
    // A number that is compared with tells constants apart that are alike in all tables.
    if language.has_cuts() {
        return None;
    }
    let tables = language.tables()?;
    let arity = examples.pred().arity as usize;
    let rows = || {
        let positives = (0..examples.positives()).map(|at| (true, examples.positive(at)));
        positives.chain((0..examples.negatives()).map(|at| (false, examples.negative(at))))
    };
    let classes = classes(rows().flat_map(|(_, args)| args), &tables)?;
    // An example by its sign, the classes of its arguments and where each of these is mentioned first.
    let mut known = Tuples::new(1 + 2 * arity);
    let mut kept: Vec<(bool, &[TermId], u32)> = Vec::new();
    let mut class = Vec::with_capacity(examples.sides().examples());
    let weights = examples.positive_weights().iter().chain(examples.negative_weights());
    let mut key = Vec::with_capacity(known.width());
    for ((positive, args), &weight) in rows().zip(weights) {
        key.clear();
        key.push(u32::from(positive));
        for (at, id) in args.iter().enumerate() {
            let first = args.iter().position(|other| other == id).unwrap_or(arity);
            let class = if constant.contains(&at) { narrow(id.index()) } else { classes[id.index()] };
            key.extend([class, narrow(first)]);
        }
        let (at, new) = known.insert(&key);
        if new {
            kept.push((positive, args, weight));
        } else {
            let (.., sum) = &mut kept[at as usize];
            *sum = sum.checked_add(weight)?;
        }
        // Positives come before negatives here as there, so that the place in the list is the number of the example.
        class.push(at);
    }
    if kept.len() == class.len() {
        return None;
    }
    let mut merged = Examples::new(examples.pred());
    kept.into_iter().for_each(|(positive, args, weight)| merged.push(positive, args, weight));
    Some((merged, class))
}

/// A number for each constant, the same for those that are alike; `None` if all differ.
fn classes<'e>(mentioned: impl Iterator<Item = &'e TermId>, tables: &[&Relation]) -> Option<Vec<u32>> {
    // The hash of each constant that examples mention.
    let mut hashes: Vec<Option<u128>> = Vec::new();
    for id in mentioned {
        if id.index() >= hashes.len() {
            hashes.resize(id.index() + 1, None);
        }
        hashes[id.index()] = Some(0);
    }
    tables.iter().enumerate().for_each(|(table, relation)| add_rows(table as u64, relation, &mut hashes));
    let mut numbers: FxHashMap<u128, u32> = FxHashMap::default();
    let mut constants = 0;
    let classes = hashes.iter().map(|hash| {
        let Some(hash) = hash else { return u32::MAX };
        constants += 1;
        let next = narrow(numbers.len());
        *numbers.entry(*hash).or_insert(next)
    });
    let classes = classes.collect();
    (numbers.len() < constants).then_some(classes)
}

/// Add to the hash of each constant the rows of a table that mention it: the places it has and what else is there.
fn add_rows(table: u64, relation: &Relation, hashes: &mut [Option<u128>]) {
    let mut row = Vec::with_capacity(relation.arity());
    for at in 0..relation.len() {
        row.clear();
        row.extend(relation.row(at));
        for (place, value) in row.iter().enumerate().filter(|&(place, value)| !row[..place].contains(value)) {
            let Some(Some(sum)) = hashes.get_mut(*value as usize) else { continue };
            let seen = |other: u32| if other == *value { 0 } else { u64::from(other) + 1 };
            let add = |hash: u64, &other: &u32| mix(hash ^ seen(other)).rotate_left(7);
            let low = row.iter().fold(mix(table << 8 | place as u64), add);
            *sum = sum.wrapping_add(u128::from(mix(low ^ STEP)) << 64 | u128::from(low));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Instance;
    use crate::coverage::Evaluator;
    use crate::random::Random;
    use crate::task::{Examples, Task};

    const BIAS: &str = "head_pred(f,2). body_pred(p,2). body_pred(q,1). max_vars(4). max_body(3).\n";

    fn shown(task: &Task, examples: &Examples) -> Vec<String> {
        let show = |args: &[crate::logic::TermId], weight: u32| {
            let args: Vec<String> = args.iter().map(|&id| task.terms.show(id)).collect();
            format!("{} {weight}", args.join(","))
        };
        let positives =
            (0..examples.positives()).map(|at| show(examples.positive(at), examples.positive_weights()[at]));
        let negatives =
            (0..examples.negatives()).map(|at| show(examples.negative(at), examples.negative_weights()[at]));
        positives.chain(["-".to_owned()]).chain(negatives).collect()
    }

    #[test]
    fn constants_in_the_same_rows_are_alike() {
        // x and y are alike; z is not, for it is a q; v and w mention each other.
        let bk = "p(a,x). p(a,y). p(a,z). q(z). p(v,w). p(w,v).\n";
        let exs = "pos(f(a,x)). pos(f(a,y),3). pos(f(a,z)). neg(f(x,x)). neg(f(y,y)). neg(f(x,y)). neg(f(y,x)).
            neg(f(v,a)). neg(f(w,a)). neg(f(a,x)).\n";
        let task = Task::from_texts(bk, exs, BIAS).expect("it is a task");
        let merged = Instance::new(&task).quotient().expect("some are alike");
        let expected = ["a,x 4", "a,z 1", "-", "x,x 2", "x,y 2", "v,a 1", "w,a 1", "a,x 1"];
        assert_eq!(shown(&task, merged.instance().examples()), expected);
    }

    #[test]
    fn nothing_is_merged_where_predicates_are_called() {
        let bk = "p(A,B) :- A = B. q(a).\n";
        let task = Task::from_texts(bk, "pos(f(x,x)). pos(f(y,y)).\n", BIAS).expect("it is a task");
        assert!(Instance::new(&task).quotient().is_none());
    }

    /// What rules cover of merged examples weighs what they cover of all, and is the same once it is mapped back.
    #[test]
    fn rules_cover_merged_examples_together() {
        let mut lost = 0;
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut name = |of: usize| char::from(b'a' + random.below(of) as u8);
            let mut bk: String = (0..8).map(|_| format!("p({},{}).\n", name(4), name(8))).collect();
            bk.extend((0..2).map(|_| format!("q({}).\n", name(8))));
            let sign = ["pos", "neg"];
            let exs: String = (0..40).map(|at| format!("{}(f({},{})).\n", sign[at % 2], name(9), name(9))).collect();
            let task = Task::from_texts(&bk, &exs, BIAS).expect("it is a task");
            let instance = Instance::new(&task);
            let Some(quotient) = instance.quotient() else { continue };
            let merged = quotient.instance().examples();
            lost += task.examples.positives() - merged.positives();
            for _ in 0..30 {
                let rule = instance.space().sample(3, &mut || random.next_u64()).expect("there are rules");
                let cover = |examples: &Examples| Evaluator::new(instance.database(), examples).rule(&rule);
                let (few, all) = (cover(merged), cover(&task.examples));
                assert_eq!(merged.confusion(&few), task.examples.confusion(&all), "seed {seed}");
                assert_eq!(quotient.whole(&few), all, "seed {seed}");
            }
        }
        assert!(lost > 300, "few examples were alike: {lost}");
    }
}
