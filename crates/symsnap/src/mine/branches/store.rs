//! What is known of one domain of variable: the branches that may hang on it, and sets of them.

use super::edges::joined;
use super::value_sets::ValueSets;
use crate::index::narrow;
use crate::language::Lit;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The place of a branch in a [`BranchStore`]. Those that mention head variables come after all that do not, else they are in the order in
/// which they were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u32);

impl Rank {
    /// Higher than that of any branch.
    pub const HIGHEST: Rank = Rank(u32::MAX);
}

/// What sets the ranks of branches that mention head variables apart.
const BOUND: u32 = 1 << 31;

/// A edge with all that hangs below it.
#[derive(Debug)]
pub struct Branch {
    /// How many literals it has.
    pub literals: u16,
    /// How many local variables it has, its root aside.
    pub locals: u8,
    /// The level at which it was found.
    pub level: u16,
    /// Whether it can be run before its root is bound.
    pub starts: bool,
    /// What its root can be.
    pub sets: Arc<ValueSets>,
    /// Its literals; the root is the first local variable.
    pub body: Box<[Lit]>,
}

/// A set of branches that hang on one variable.
#[derive(Debug)]
pub struct BranchSet {
    /// How many literals it has.
    pub literals: u16,
    /// How many local variables it has, the root aside.
    pub locals: u8,
    /// Whether it can be run before its root is bound.
    pub starts: bool,
    /// What the root can be.
    pub sets: Arc<ValueSets>,
    /// Its branches, highest rank first.
    pub branches: Box<[Rank]>,
}

/// Bodies with the sets of a branch that are remembered besides it, to write rules in other ways.
const ALIASES: usize = 4;

/// All branches and branch sets of one domain.
#[derive(Debug, Default)]
pub struct BranchStore {
    plain: Vec<Arc<Branch>>,
    bound: Vec<Arc<Branch>>,
    /// Other literals for a branch, as many, with as many variables and the same sets.
    aliases: FxHashMap<Rank, Vec<Box<[Lit]>>>,
    /// The ranks of branches by how many literals they have, ascending.
    by_literals: Vec<Vec<Rank>>,
    branch_sets: Vec<BranchSet>,
    branches_by_values: FxHashMap<u128, Vec<Rank>>,
    branch_sets_by_values: FxHashMap<u128, Vec<u32>>,
    bytes: usize,
}

impl BranchStore {
    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// A branch.
    #[inline]
    pub fn branch(&self, rank: Rank) -> &Arc<Branch> {
        if rank.0 & BOUND != 0 { &self.bound[(rank.0 & !BOUND) as usize] } else { &self.plain[rank.0 as usize] }
    }

    /// Other literals for a branch.
    pub fn aliases(&self, rank: Rank) -> &[Box<[Lit]>] {
        self.aliases.get(&rank).map_or(&[], Vec::as_slice)
    }

    /// The branches with this many literals, lowest rank first.
    pub fn of_size(&self, literals: usize) -> &[Rank] {
        self.by_literals.get(literals).map_or(&[], Vec::as_slice)
    }

    /// The branch sets, those with fewer literals first.
    pub fn branch_sets(&self) -> &[BranchSet] {
        &self.branch_sets
    }

    /// Forget the branch sets of which nothing can be needed any more.
    pub fn forget(&mut self, needed: impl Fn(&BranchSet) -> bool) {
        let before = self.branch_sets.len();
        self.branch_sets.retain(|branch_set| branch_set.sets.mask == 0 || needed(branch_set));
        if self.branch_sets.len() < before {
            self.branch_sets_by_values.clear();
            for (at, branch_set) in self.branch_sets.iter().enumerate() {
                self.branch_sets_by_values.entry(branch_set.sets.digest()).or_default().push(narrow(at));
            }
        }
    }

    /// The literals of a set of branches.
    pub fn body(&self, branches: impl Iterator<Item = Rank>, head: usize) -> Vec<Lit> {
        let bodies = branches.map(|rank| self.branch(rank)).map(|branch| (&*branch.body, branch.locals as usize));
        joined(bodies, head)
    }

    /// What has the sets of a branch, no more literals and no more variables: a branch, or a branch set, which has no rank.
    ///
    /// It was found earlier, so in every set of branches the new one can be replaced by what is smaller or comes before it.
    pub fn standing_for(&self, branch: &Branch) -> Option<Option<Rank>> {
        let digest = branch.sets.digest();
        let mut known = self.branches_by_values.get(&digest).into_iter().flatten().copied();
        let branches = known.find(|&rank| {
            let known = self.branch(rank);
            let starts = known.starts || !branch.starts;
            starts && known.literals <= branch.literals && known.locals <= branch.locals
        });
        let mut branch_sets =
            self.branch_sets_by_values.get(&digest).into_iter().flatten().map(|&at| &self.branch_sets[at as usize]);
        let is_block = |branch_set: &BranchSet| {
            let starts = branch_set.starts || !branch.starts;
            starts && branch_set.literals <= branch.literals && branch_set.locals <= branch.locals
        };
        branches.map(Some).or_else(|| branch_sets.any(is_block).then_some(None))
    }

    /// Add a branch unless something stands for it; its rank if it is new.
    pub fn add_branch(&mut self, branch: Branch) -> Option<Rank> {
        let (literals, locals) = (branch.literals, branch.locals);
        if let Some(standing) = self.standing_for(&branch) {
            if let Some(rank) = standing
                && (self.branch(rank).literals, self.branch(rank).locals, self.branch(rank).starts)
                    == (literals, locals, branch.starts)
            {
                let aliases = self.aliases.entry(rank).or_default();
                if aliases.len() < ALIASES {
                    aliases.push(branch.body);
                }
            }
            return None;
        }
        let digest = branch.sets.digest();
        self.bytes += branch.sets.bytes() + size_of::<Branch>() + branch.body.len() * size_of::<Lit>();
        let (list, mark) = if branch.sets.mask == 0 { (&mut self.plain, 0) } else { (&mut self.bound, BOUND) };
        let place: u32 = narrow(list.len());
        assert!(place < BOUND, "fewer than 2^31 branches fit in memory");
        let rank = Rank(place | mark);
        list.push(Arc::new(branch));
        self.by_literals.resize_with(self.by_literals.len().max(literals as usize + 1), Vec::new);
        let sized = &mut self.by_literals[literals as usize];
        sized.insert(sized.partition_point(|&other| other < rank), rank);
        self.branches_by_values.entry(digest).or_default().push(rank);
        Some(rank)
    }

    /// Add a branch set unless one that is smaller, or as large and comes first, has the same sets.
    pub fn add_branch_set(&mut self, branch_set: BranchSet) {
        let slot = self.branch_sets_by_values.entry(branch_set.sets.digest()).or_default();
        let stands = |&at: &u32| {
            let known = &self.branch_sets[at as usize];
            (known.starts || !branch_set.starts)
                && precedes(
                    (known.literals, known.locals, &known.branches),
                    (branch_set.literals, branch_set.locals, &branch_set.branches),
                )
        };
        if slot.iter().any(stands) {
            return;
        }
        slot.push(narrow(self.branch_sets.len()));
        self.bytes += branch_set.sets.bytes() + size_of::<BranchSet>();
        self.branch_sets.push(branch_set);
    }
}

/// Whether a set of branches may stand for another with the same sets: it has no more literals, no more variables, and
/// if it has as many of both it comes first. Ranks are compared from the highest down.
///
/// Replacing the branches at the head of a longer set by others that precede them gives one that precedes the longer set.
/// So of all sets that mean the same, the first one is not left out, nor is any that it is made from.
pub fn precedes(a: (u16, u8, &[Rank]), b: (u16, u8, &[Rank])) -> bool {
    a.0 <= b.0 && a.1 <= b.1 && ((a.0, a.1) != (b.0, b.1) || a.2 < b.2)
}
