//! Tests of one binding table, made together for all literals that differ in nothing but their predicates.

use super::{BindingTable, TableGround, ValuePlace};
use crate::database::Incidence;
use crate::index::narrow;
use crate::language::{FRESH, JointLookup, Lit};
use crate::mine::heads::Heads;
use std::ops::Range;
use std::sync::Arc;

/// What has been asked of a table so far.
pub struct JointTests<'t> {
    table: &'t BindingTable,
    ground: TableGround<'t>,
    rows: Vec<(Question, BitSets)>,
    /// For literals with a head variable that the table does not know, the tuples of the head variables that satisfy them:
    /// those with positives, and, once they are asked for, the others.
    tuples: Vec<(Question, BitSets, Option<BitSets>)>,
    /// The different values of columns.
    values: Vec<(usize, Arc<SlotValues>)>,
}

/// Literals that are looked up together, and their variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Question {
    group: u32,
    /// The variables of the key; [`FRESH`] where there is only one.
    vars: [u8; 2],
}

/// Sets of numbers below one bound, as bits, for each member of a group.
struct BitSets {
    words: usize,
    bits: Vec<u64>,
}

/// The different values of a column, slot by slot.
struct SlotValues {
    starts: Vec<u32>,
    values: Vec<u32>,
}

/// Literals are looked up one by one where the bits of all would take more than this many bytes.
const MOST_BYTES: usize = 1 << 24;

impl<'t> JointTests<'t> {
    /// Nothing has been asked of `table`.
    pub fn new(table: &'t BindingTable, ground: TableGround<'t>) -> Self {
        JointTests { table, ground, rows: Vec::new(), tuples: Vec::new(), values: Vec::new() }
    }

    /// As [`BindingTable::test`].
    pub fn test(&mut self, lit: &Lit) -> Vec<u64> {
        let Some((joint, question)) = self.question(lit, self.table.rows()) else {
            return self.table.test(lit, self.ground);
        };
        let at = self.rows.iter().position(|(known, _)| *known == question).unwrap_or_else(|| {
            self.rows.push((question, self.rows_of(lit, joint.incidence)));
            self.rows.len() - 1
        });
        self.rows[at].1.of(joint.member).to_vec()
    }

    /// As [`BindingTable::try_finer`].
    pub fn try_finer(
        &mut self,
        lit: &Lit,
        consistent: bool,
        cover: &mut [u64],
        worth: impl Fn(&[u64]) -> bool,
    ) -> bool {
        let heads = self.table.finer(self.table.mask | self.ground.head_mask(lit), self.ground);
        let Some((joint, question)) = self.question(lit, heads.len()) else {
            return self.table.try_finer(lit, self.ground, consistent, cover, worth);
        };
        let border = heads.with_positives();
        let at = self.tuples.iter().position(|(known, ..)| *known == question).unwrap_or_else(|| {
            let found = self.tuples_of(lit, &heads, 0..border, joint.incidence);
            self.tuples.push((question, found, None));
            self.tuples.len() - 1
        });
        let sides = self.ground.heads.sides();
        for tuple in self.tuples[at].1.numbers(joint.member) {
            heads.positives(tuple).iter().for_each(|&example| sides.set(cover, example as usize));
            if consistent && !heads.negatives(tuple).is_empty() {
                return false;
            }
            heads.negatives(tuple).iter().for_each(|&example| sides.set(cover, example as usize));
        }
        if !worth(cover) {
            return false;
        }
        if self.tuples[at].2.is_none() {
            self.tuples[at].2 = Some(self.tuples_of(lit, &heads, border..heads.len(), joint.incidence));
        }
        let others = self.tuples[at].2.as_ref().expect("it has just been made");
        for tuple in others.numbers(joint.member) {
            if consistent {
                return false;
            }
            heads.negatives(border + tuple).iter().for_each(|&example| sides.set(cover, example as usize));
        }
        true
    }

    /// With which others a literal is looked up, if the bits of all do not take too much; each has `bits`.
    fn question(&self, lit: &Lit, bits: usize) -> Option<(JointLookup<'t>, Question)> {
        let joint = self.ground.language.joint_lookup(lit)?;
        if joint.incidence.projections().saturating_mul(bits.div_ceil(64) * 8) > MOST_BYTES {
            return None;
        }
        let mut vars = lit.args().iter().copied().filter(|&arg| arg < FRESH);
        let vars = std::array::from_fn(|_| vars.next().unwrap_or(FRESH));
        Some((joint, Question { group: joint.group, vars }))
    }

    /// For each member of the group the rows that satisfy it.
    fn rows_of(&self, lit: &Lit, incidence: &Incidence) -> BitSets {
        let table = self.table;
        let mut found = BitSets::new(incidence.projections(), table.rows());
        let bound = table.bound(lit, &table.heads, self.ground.heads.arity());
        if let [ValuePlace::Local(only)] = bound[..] {
            for (row, &value) in table.columns[only].iter().enumerate() {
                found.add(row, incidence.of_value(value));
            }
            return found;
        }
        for (group, rows) in table.groups() {
            let tuple = table.heads.tuple(group);
            for row in rows {
                let value = |place: ValuePlace| match place {
                    ValuePlace::Head(at) => tuple[at],
                    ValuePlace::Local(at) => table.columns[at][row],
                };
                found.add(row, look_up(incidence, &bound, value));
            }
        }
        found
    }

    /// For each member of the group those of some tuples that satisfy it with some row; they are numbered from the first of
    /// `among` on.
    fn tuples_of(&mut self, lit: &Lit, heads: &Arc<Heads>, among: Range<usize>, incidence: &Incidence) -> BitSets {
        let mut found = BitSets::new(incidence.projections(), among.len());
        let table = self.table;
        let bound = table.bound(lit, heads, self.ground.heads.arity());
        let local = bound.iter().find_map(|place| if let ValuePlace::Local(at) = place { Some(*at) } else { None });
        let values = local.map(|column| self.values_of(column));
        table.each_group(heads, among.clone(), |group, slot| {
            let tuple = heads.tuple(group);
            let at = group - among.start;
            let look = |found: &mut BitSets, local: u32| {
                let value = |place: ValuePlace| if let ValuePlace::Head(at) = place { tuple[at] } else { local };
                found.add(at, look_up(incidence, &bound, value));
            };
            match &values {
                Some(values) => values.of(slot).iter().for_each(|&value| look(&mut found, value)),
                None => look(&mut found, 0),
            }
            true
        });
        found
    }

    fn values_of(&mut self, column: usize) -> Arc<SlotValues> {
        if let Some((_, values)) = self.values.iter().find(|(known, _)| *known == column) {
            return Arc::clone(values);
        }
        let made = Arc::new(SlotValues::new(self.table, column));
        self.values.push((column, Arc::clone(&made)));
        made
    }
}

#[inline]
fn look_up<'i>(incidence: &'i Incidence, bound: &[ValuePlace], value: impl Fn(ValuePlace) -> u32) -> &'i [u32] {
    match *bound {
        [only] => incidence.of_value(value(only)),
        [first, second] => incidence.of_pair(value(first), value(second)),
        _ => unreachable!("literals with one bound argument or two are looked up together"),
    }
}

impl BitSets {
    fn new(members: usize, bound: usize) -> Self {
        let words = bound.div_ceil(64);
        BitSets { words, bits: vec![0; members * words] }
    }

    #[inline]
    fn add(&mut self, number: usize, members: &[u32]) {
        let (word, bit) = (number / 64, 1 << (number % 64));
        for &member in members {
            self.bits[member as usize * self.words + word] |= bit;
        }
    }

    fn of(&self, member: u32) -> &[u64] {
        &self.bits[member as usize * self.words..][..self.words]
    }

    /// The numbers of a member's set, ascending.
    fn numbers(&self, member: u32) -> impl Iterator<Item = usize> + '_ {
        self.of(member).iter().enumerate().flat_map(|(at, &word)| {
            let rest = |word: &u64| Some(word & (word - 1)).filter(|&rest| rest != 0);
            let words = std::iter::successors(Some(word).filter(|&word| word != 0), rest);
            words.map(move |word| at * 64 + word.trailing_zeros() as usize)
        })
    }
}

impl SlotValues {
    fn new(table: &BindingTable, column: usize) -> Self {
        let (mut starts, mut values) = (vec![0u32], Vec::new());
        let mut slot = Vec::new();
        for (_, rows) in table.groups() {
            slot.clear();
            slot.extend_from_slice(&table.columns[column][rows]);
            slot.sort_unstable();
            slot.dedup();
            values.extend_from_slice(&slot);
            starts.push(narrow(values.len()));
        }
        SlotValues { starts, values }
    }

    fn of(&self, slot: usize) -> &[u32] {
        &self.values[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::instance::Instance;
    use crate::mine::Mine;
    use crate::random::Random;
    use crate::task::Task;
    use std::cell::Cell;
    use std::fmt::Write;

    /// Five predicates of one to three arguments over ten things of two types or of none, and pairs of things.
    fn task(random: &mut Random) -> Task {
        let (mut bk, mut exs) = (String::new(), String::new());
        let mut bias = String::from("head_pred(f,2). max_vars(5). max_body(4).\n");
        let typed = random.below(2) == 0;
        let kinds = ["s", "t"];
        for (no, arity) in [1, 2, 2, 2, 3].into_iter().enumerate() {
            writeln!(bias, "body_pred(p{no},{arity}).").expect("a string takes it");
            if typed {
                let types: Vec<&str> = (0..arity).map(|_| kinds[random.below(2)]).collect();
                writeln!(bias, "type(p{no},({},)).", types.join(",")).expect("a string takes it");
            }
            for _ in 0..4 + 6 * arity {
                let things: Vec<String> = (0..arity).map(|_| format!("c{}", random.below(10))).collect();
                writeln!(bk, "p{no}({}).", things.join(",")).expect("a string takes it");
            }
        }
        for at in 0..30 {
            let label = if at % 3 == 0 { "pos" } else { "neg" };
            writeln!(exs, "{label}(f(c{},c{})).", random.below(10), random.below(10)).expect("a string takes it");
        }
        Task::from_texts(&bk, &exs, &bias).expect("it is a task")
    }

    #[test]
    fn tests_made_together_are_those_made_one_by_one() {
        let (mut random, mut asked) = (Random::new(3), [0; 2]);
        for _ in 0..60 {
            let task = task(&mut random);
            let instance = Instance::new(&task);
            let mine = Mine::new(&instance, 1, Budget::unlimited());
            let context = mine.variable_head().context();
            let (ground, language) = (context.ground(), &context.language);
            let mut table = BindingTable::empty(ground);
            let (mut body, mut vars) = (Vec::new(), 2);
            for _ in 0..3 {
                let mut all = Vec::new();
                language.literals(&language.types(&body, vars), u64::MAX, &mut all);
                let heads = (1 << language.head_arity()) - 1;
                let mut joint = JointTests::new(&table, ground);
                // In any order, so that the first to be asked is another literal each time.
                random.shuffle(&mut all);
                for lit in &all {
                    if lit.mask() & heads & !table.mask == 0 {
                        asked[0] += usize::from(joint.question(lit, table.rows()).is_some());
                        assert_eq!(joint.test(lit), table.test(lit, ground), "{lit:?} after {body:?}");
                        continue;
                    }
                    asked[1] += usize::from(joint.question(lit, 1).is_some());
                    for consistent in [false, true] {
                        let found = [true, false].map(|together| {
                            let (mut cover, seen) = (vec![0; context.sides.words()], Cell::new(Vec::new()));
                            let worth = |cover: &[u64]| {
                                seen.set(cover.to_vec());
                                cover.iter().any(|&word| word != 0)
                            };
                            let goes = if together {
                                joint.try_finer(lit, consistent, &mut cover, worth)
                            } else {
                                table.try_finer(lit, ground, consistent, &mut cover, worth)
                            };
                            (goes, goes.then_some((cover, seen.take())))
                        });
                        assert_eq!(found[0], found[1], "{lit:?} after {body:?}");
                    }
                }
                let steps: Vec<&Lit> = all.iter().filter(|lit| lit.fresh() > 0).collect();
                let Some(&&step) = steps.get(random.below(steps.len().max(1))) else { break };
                let Some((longer, _)) = table.join(&step, ground, 10_000).filter(|(table, _)| table.rows() > 0) else {
                    break;
                };
                body.push(step.named(vars));
                vars += step.fresh();
                table = longer;
            }
        }
        assert!(asked.iter().all(|&asked| asked > 500), "most literals are looked up together: {asked:?}");
    }
}
