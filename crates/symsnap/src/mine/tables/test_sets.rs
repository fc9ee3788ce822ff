//! Sets of tests of one skeleton: conjunctions of row sets, all of one size at a level.
//!
//! Of the sets with given rows that use as much of what the bias rations, or less, the smallest stand for all (the free sets, or
//! generators, of Boulicaut, Bykowski and Rigotti 2003): by number of tests, then variables, then order. Each prefix of such a set is first among its equals, or replacing
//! it would give a smaller or earlier set with the same rows; sets are visited by number of tests and in order, so that one
//! is never passed over.

use super::found_tests::{Test, digest};
use super::skeleton::Skeleton;
use crate::index::{index_type, narrow};
use crate::language::{Lit, Resources};
use crate::mine::feature::Part;
use crate::mine::look::Look;
use crate::sets::Cover;
use rustc_hash::FxHashMap;
use std::sync::Arc;

index_type! {
    /// A test of a skeleton, by its place in [`Skeleton::tests`].
    struct TestIx;
}

impl TestIx {
    fn of(self, skeleton: &Skeleton) -> &Test {
        &skeleton.tests[self.index()]
    }
}

/// A set of tests of a skeleton.
#[derive(Debug)]
struct TestSet {
    tests: Box<[TestIx]>,
    fresh: u8,
    /// What they use, with the skeleton, of what is rationed.
    uses: Resources,
}

impl TestSet {
    /// Whether `test` is not a comparison with what is compared already in the same direction: the stricter of the two would do.
    fn admits_cut(&self, test: &Test, skeleton: &Skeleton, look: Look<'_>) -> bool {
        let same = |lit: &Lit| lit.pred == test.lit.pred && lit.args() == test.lit.args();
        !look.cx.language.is_cut(&test.lit) || !self.tests.iter().any(|at| same(&at.of(skeleton).lit))
    }

    /// The rows that satisfy all tests. Made anew when needed: kept, they would take most of the memory.
    fn rows(&self, skeleton: &Skeleton) -> Vec<u64> {
        let (&first, others) = self.tests.split_first().expect("a node has a test");
        let mut rows = first.of(skeleton).rows.to_vec();
        for other in others {
            rows.iter_mut().zip(&*other.of(skeleton).rows).for_each(|(row, other)| *row &= other);
        }
        rows
    }
}

/// Sets of tests of one skeleton, all of one size, to be extended.
#[derive(Debug)]
pub struct TestSets {
    skeleton: Arc<Skeleton>,
    nodes: Vec<TestSet>,
    /// Row sets seen, by what is used, with the fewest fresh variables.
    seen: FxHashMap<(u128, Resources), u8>,
}

/// What came of extending sets of tests.
#[derive(Default)]
pub struct ExtendedTestSets {
    /// Parts of one test more.
    pub parts: Vec<Part>,
    /// Those that may be extended again, if there are some.
    pub next: Option<TestSets>,
    /// How many sets were tested.
    pub tests: u64,
}

impl TestSets {
    /// The sets of one test each: those that must have one of the skeleton's first tests, and what each test alone covers.
    /// Also returns the parts that they are.
    pub fn singles(skeleton: &Arc<Skeleton>, covers: Vec<Vec<u64>>, look: Look<'_>) -> ExtendedTestSets {
        let firsts = if skeleton.must_use_newest { skeleton.newest } else { skeleton.tests.len() };
        let mut sets = TestSets { skeleton: Arc::clone(skeleton), nodes: Vec::new(), seen: FxHashMap::default() };
        let mut parts = Vec::new();
        let used = look.cx.language.resources(&skeleton.body);
        for (at, cover) in covers.into_iter().enumerate().take(firsts) {
            let test = &skeleton.tests[at];
            let uses = used.plus(look.cx.language.resources(&[test.lit]));
            let node = TestSet { tests: [TestIx::new(at)].into(), fresh: narrow(test.lit.fresh()), uses };
            sets.offer(node, &test.rows, &cover, look, &mut parts);
        }
        ExtendedTestSets { parts, next: sets.if_some(), tests: 0 }
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        let node = |node: &TestSet| size_of::<TestSet>() + node.tests.len() * size_of::<TestIx>();
        let tests = self.skeleton.tests.iter().map(|test| test.rows.len() * 8).sum::<usize>();
        tests + self.nodes.iter().map(node).sum::<usize>() + self.seen.capacity() * 48
    }

    /// Add one test to each set.
    pub fn extend(&self, look: Look<'_>) -> ExtendedTestSets {
        let (context, skeleton) = (look.cx, &self.skeleton);
        let mut out = ExtendedTestSets::default();
        let closed = context.membership.subset_closed && !context.language.wastes(&skeleton.body);
        let by_rows = skeleton.runs && closed && context.membership.by_parts;
        let size = skeleton.body.len() as u64 + self.nodes.first().map_or(0, |node| node.tests.len() as u64) + 2;
        let mut next = TestSets { skeleton: Arc::clone(skeleton), nodes: Vec::new(), seen: self.seen.clone() };
        let worth = |cover: &[u64]| look.worth(cover, size);
        let (mut rows, mut cover) = (Vec::new(), vec![0u64; context.sides.words()]);
        let consistent = look.only_consistent(narrow(size - 1));
        for node in &self.nodes {
            if context.stopped() {
                break;
            }
            let (last, node_rows) = (node.tests.last().expect("a node has a test").index(), node.rows(skeleton));
            for (at, test) in skeleton.tests.iter().enumerate().skip(last + 1) {
                let fresh = node.fresh + narrow::<_, u8>(test.lit.fresh());
                let uses = node.uses.plus(context.language.resources(&[test.lit]));
                let fits =
                    (skeleton.vars + fresh) as usize <= context.max_vars && uses.within(context.language.limits());
                if !fits || !node.admits_cut(test, skeleton, look) {
                    continue;
                }
                rows.clear();
                rows.extend(node_rows.iter().zip(&*test.rows).map(|(a, b)| a & b));
                let stands = |known: &TestSets| known.has_cheaper(digest(&rows), fresh, uses);
                // Where every optimum is sought, only sets with fewer tests stand for others.
                if by_rows && (rows == node_rows || stands(if context.all_optima { self } else { &next })) {
                    continue;
                }
                if context.spent(out.tests) {
                    return out;
                }
                let tests: Box<[TestIx]> = node.tests.iter().copied().chain([TestIx::new(at)]).collect();
                if context.forbids(|| assemble(skeleton, &tests, None)) {
                    continue;
                }
                out.tests += 1;
                cover.fill(0);
                if skeleton.table.cover(&rows, context.sides, consistent, &mut cover, worth) {
                    next.offer(TestSet { tests, fresh, uses }, &rows, &cover, look, &mut out.parts);
                }
            }
        }
        ExtendedTestSets { next: next.if_some(), ..out }
    }

    /// Register a set of tests as a part and, if it may grow, as one of these sets.
    fn offer(&mut self, node: TestSet, rows: &[u64], cover: &[u64], look: Look<'_>, parts: &mut Vec<Part>) {
        let (context, skeleton) = (look.cx, &self.skeleton);
        let literals = skeleton.body.len() + node.tests.len();
        let body = assemble(skeleton, &node.tests, None);
        let (twins, vars) = (twins(skeleton, &node.tests), skeleton.vars + node.fresh);
        if literals < context.max_body && look.worth_growing(cover, literals as u64 + 2, &body) {
            self.seen.insert((digest(rows), node.uses), node.fresh);
            self.nodes.push(node);
        }
        if !context.directed || context.is_part(&body) {
            parts.push(Part { body, vars, cover: Cover::from_words(context.sides, cover), twins });
        }
    }

    /// Whether a set with these rows was seen that has no more fresh variables and uses no more of what is rationed.
    fn has_cheaper(&self, rows: u128, fresh: u8, uses: Resources) -> bool {
        uses.below().any(|less| self.seen.get(&(rows, less)).is_some_and(|&seen| seen <= fresh))
    }

    /// These sets, unless there are none.
    fn if_some(self) -> Option<Self> {
        (!self.nodes.is_empty()).then_some(self)
    }
}

/// The same part with one test exchanged for an alias.
fn twins(skeleton: &Skeleton, tests: &[TestIx]) -> Vec<Box<[Lit]>> {
    let exchanged = (0..tests.len()).flat_map(|place| {
        let aliases = tests[place].of(skeleton).aliases.iter();
        aliases.map(move |alias| assemble(skeleton, tests, Some((place, *alias))))
    });
    let whole = skeleton.aliases.iter().map(|body| assemble_on(body, skeleton, tests, None));
    exchanged.chain(whole).collect()
}

/// The literals of a part, each test's fresh variables numbered apart; `exchange` replaces one test.
fn assemble(skeleton: &Skeleton, tests: &[TestIx], exchange: Option<(usize, Lit)>) -> Box<[Lit]> {
    assemble_on(&skeleton.body, skeleton, tests, exchange)
}

/// The same on other literals with the skeleton's bindings.
fn assemble_on(body: &[Lit], skeleton: &Skeleton, tests: &[TestIx], exchange: Option<(usize, Lit)>) -> Box<[Lit]> {
    let mut body = body.to_vec();
    let mut vars = skeleton.vars as usize;
    for (place, at) in tests.iter().enumerate() {
        let lit = match exchange {
            Some((there, alias)) if there == place => alias,
            _ => at.of(skeleton).lit,
        };
        body.push(lit.named(vars));
        vars += lit.fresh();
    }
    body.into()
}
