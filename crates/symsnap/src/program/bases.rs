//! Rules that do not call the program: what each of them answers to the calls met so far.
//!
//! The rules, up to some size, are a tree, each a child of one with a literal less, so that a call is answered for all of
//! them in one walk that carries tables of bindings and leaves a branch as soon as its table is empty: a query pack
//! (Blockeel et al., *Improving the efficiency of inductive logic programming through the use of query packs*, 2002) that
//! grows while it is used. Rules that answer all calls alike are interchangeable in every program, so they form one **class**, for which the smallest stands; a class falls
//! apart when a new call tells its members from each other. Which calls matter is known only while programs are
//! tested: there is no telling in advance where recursion leads, and there may be no end to it.
//!
//! A rule that has answered no call yet is in the class [`EMPTY`], whether it has been written down or not: branches
//! are grown only when some call reaches them. With constraints rules are not interchangeable, and each is a class.
//!
//! *Rejected*: testing each rule on the examples only (rules like `f([],[])` cover none and begin everything), and a
//! closure of all calls ahead of time (endless wherever there is arithmetic).

use super::bits::{has, set, words_for};
use super::calls::{CallIx, Calls};
use super::lookup::{ANY, Lookup, Pattern, UNBOUND};
use super::words::Words;
use crate::index::{index_type, narrow};
use crate::language::{Lit, key};
use crate::random::mix;
use crate::space::Space;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{Hash, Hasher};

index_type! {
    /// Rules that answer every call alike so far.
    pub(super) struct ClassIx;
}

/// The class of rules that have answered no call.
pub(super) const EMPTY: ClassIx = ClassIx(0);

/// Rows of a table of bindings. A longer one is cut off here, which is said ([`Bases::truncated`]): a rule that needs more
/// is not told apart from one that does not.
const MOST_ROWS: usize = 200_000;

#[derive(Debug)]
struct BaseNode {
    body: Box<[Lit]>,
    vars: usize,
    /// Whether it is a rule of the space, not only the beginning of one.
    whole: bool,
    grown: bool,
    /// Whether some call has reached it.
    alive: bool,
    children: Vec<u32>,
    /// What it has answered so far, as a sum of hashes over calls; 0 if nothing.
    history: u128,
    class: ClassIx,
}

#[derive(Debug)]
struct BaseClass {
    members: Vec<u32>,
    /// The class that it was part of.
    parent: Option<ClassIx>,
    /// What its members have answered.
    history: u128,
    smallest: Option<u32>,
}

/// One answer to a call: values of the arguments that the call left open, and the rules that give it.
#[derive(Debug)]
struct Answer {
    values: Box<[u32]>,
    nodes: Vec<u32>,
    bits: Vec<u64>,
    version: u32,
}

/// The rules without calls of the program.
pub(super) struct Bases<'t> {
    space: &'t Space,
    words: Words,
    nodes: Vec<BaseNode>,
    keys: FxHashSet<u128>,
    /// How many literals a rule has at most.
    depth: usize,
    classes: Vec<BaseClass>,
    by_history: FxHashMap<u128, ClassIx>,
    memo: Vec<Option<Vec<Answer>>>,
    /// Counts the times that classes have changed.
    version: u32,
    merge: bool,
    judge: bool,
    touched: Vec<u32>,
    pub(super) truncated: bool,
    /// Rules written down and tested.
    pub(super) tests: u64,
    /// No more are when `tests` has got here.
    end: u64,
}

impl<'t> Bases<'t> {
    /// Rules of at most `depth` body literals.
    pub(super) fn new(space: &'t Space, words: Words, depth: usize) -> Self {
        let bias = space.bias();
        let root = BaseNode {
            body: Box::new([]),
            vars: words.head_arity(),
            whole: false,
            grown: false,
            alive: true,
            children: Vec::new(),
            history: 0,
            class: EMPTY,
        };
        let merge = bias.constraints.is_empty();
        let untyped_head = !bias.types.is_empty() && !bias.types.contains_key(&bias.head);
        let loosely_typed = untyped_head || bias.types.values().any(|types| types.len() > 1);
        Bases {
            space,
            words,
            nodes: vec![root],
            keys: FxHashSet::default(),
            depth,
            classes: vec![BaseClass { members: Vec::new(), parent: None, history: 0, smallest: None }],
            by_history: FxHashMap::default(),
            memo: Vec::new(),
            version: 0,
            merge,
            judge: !merge || loosely_typed,
            touched: Vec::new(),
            truncated: false,
            tests: 0,
            end: u64::MAX,
        }
    }

    /// From now on write down no more than `most` other rules.
    pub(super) fn allow(&mut self, most: u64) {
        self.end = self.tests.saturating_add(most);
    }

    pub(super) fn version(&self) -> u32 {
        self.version
    }

    pub(super) fn class_count(&self) -> usize {
        self.classes.len()
    }

    /// The class that a class fell off from.
    pub(super) fn parent(&self, class: ClassIx) -> Option<ClassIx> {
        self.classes[class.index()].parent
    }

    /// The size of the smallest rule of a class; `None` for [`EMPTY`].
    pub(super) fn size(&self, class: ClassIx) -> Option<usize> {
        self.classes[class.index()].members.first().map(|&node| self.nodes[node as usize].body.len() + 1)
    }

    /// The size of the largest rule of a class; `None` for [`EMPTY`].
    pub(super) fn largest(&self, class: ClassIx) -> Option<usize> {
        self.classes[class.index()].members.last().map(|&node| self.nodes[node as usize].body.len() + 1)
    }

    /// The rules of a class that are as small as its smallest.
    pub(super) fn smallest(&self, class: ClassIx) -> impl Iterator<Item = &[Lit]> {
        let members = self.classes[class.index()].members.iter().map(|&node| &*self.nodes[node as usize].body);
        let size = self.size(class);
        members.filter(move |body| Some(body.len() + 1) == size)
    }

    /// Make sure that a call has been answered; whether it had not been before.
    pub(super) fn meet(&mut self, call: CallIx, calls: &Calls, lookup: &mut Lookup<'_>) -> bool {
        let at = call.index();
        if self.memo.len() <= at {
            self.memo.resize_with(at + 1, || None);
        }
        let new = self.memo[at].is_none();
        if new {
            let answers = self.walk(call, calls, lookup);
            self.memo[at] = Some(answers);
            self.regroup();
        }
        new
    }

    /// How many different answers a call has that was met.
    pub(super) fn answers(&self, call: CallIx) -> usize {
        self.memo.get(call.index()).and_then(Option::as_ref).map_or(0, Vec::len)
    }

    /// One answer to a call that was met, and the classes that give it.
    pub(super) fn answer(&mut self, call: CallIx, at: usize) -> (&[u32], &[u64]) {
        let answers = self.memo[call.index()].as_mut().expect("a call is met before it is asked about");
        let answer = &mut answers[at];
        if answer.version != self.version || answer.bits.is_empty() {
            answer.bits.clear();
            answer.bits.resize(words_for(self.classes.len()), 0);
            for &node in &answer.nodes {
                let class = self.nodes[node as usize].class;
                if self.classes[class.index()].members.first() == Some(&node) {
                    set(&mut answer.bits, class.index());
                }
            }
            answer.version = self.version;
        }
        (&answer.values, &answer.bits)
    }

    /// Whether a class answers a call that was met and has all arguments bound.
    pub(super) fn covers(&mut self, call: CallIx, class: usize) -> bool {
        self.answers(call) > 0 && has(self.answer(call, 0).1, class)
    }

    fn grow(&mut self, at: usize) {
        self.nodes[at].grown = true;
        let (body, vars) = (self.nodes[at].body.clone(), self.nodes[at].vars);
        let mut literals = Vec::new();
        self.words.literals(&body, vars, &mut literals);
        for lit in literals {
            if self.tests >= self.end {
                self.truncated = true;
                break;
            }
            let longer: Box<[Lit]> = body.iter().copied().chain([lit]).collect();
            let vars = vars.max(lit.args().iter().map(|&arg| arg as usize + 1).max().unwrap_or(0));
            if !self.keys.insert(key(&longer, self.words.head_arity(), vars)) {
                continue;
            }
            self.tests += 1;
            if !self.merge && self.space.violates_monotone(&self.words.rule(&longer)) {
                continue;
            }
            let leaf = longer.len() == self.depth;
            let whole =
                self.words.is_whole(&longer) && (!self.judge || self.space.fits(&self.words.rule(&longer)).is_ok());
            if leaf && !whole {
                continue;
            }
            let child = BaseNode {
                body: longer,
                vars,
                whole,
                grown: false,
                alive: false,
                children: Vec::new(),
                history: 0,
                class: EMPTY,
            };
            let number = u32::try_from(self.nodes.len()).expect("fewer rules than fit in memory");
            self.nodes[at].children.push(number);
            self.nodes.push(child);
        }
    }

    /// Answer a call for all rules.
    fn walk(&mut self, call: CallIx, calls: &Calls, lookup: &mut Lookup<'_>) -> Vec<Answer> {
        let arity = self.words.head_arity();
        let mut row = vec![UNBOUND; arity];
        calls.bind(call, arity, &mut row);
        let open: Vec<usize> = (0..arity).filter(|&at| row[at] == UNBOUND).collect();
        let mut walk = Walk { call, open, answers: Vec::new(), index: FxHashMap::default() };
        self.visit(0, &row, &mut walk, lookup);
        walk.answers
    }

    fn visit(&mut self, at: usize, rows: &[u32], walk: &mut Walk, lookup: &mut Lookup<'_>) {
        if !self.nodes[at].grown {
            self.grow(at);
        }
        for place in 0..self.nodes[at].children.len() {
            let child = self.nodes[at].children[place] as usize;
            let (before, vars) = (self.nodes[at].vars, self.nodes[child].vars);
            let lit = *self.nodes[child].body.last().expect("children have a last literal");
            let leaf = self.nodes[child].body.len() == self.depth;
            let most = if leaf && walk.open.is_empty() { 1 } else { MOST_ROWS };
            let longer = extend(rows, (before, vars), &lit, &self.words, lookup, most);
            self.truncated |= longer.len() >= MOST_ROWS * vars.max(1);
            if longer.is_empty() {
                continue;
            }
            self.nodes[child].alive = true;
            if self.nodes[child].whole {
                self.note(child, &longer, vars, walk);
            }
            if !leaf {
                self.visit(child, &longer, walk, lookup);
            }
        }
    }

    /// Remember what a rule answers, given its table.
    fn note(&mut self, node: usize, rows: &[u32], vars: usize, walk: &mut Walk) {
        let salt = if self.merge { 0 } else { node + 1 };
        let mut sum = 0u128;
        if walk.open.is_empty() {
            sum = hash(&(walk.call, salt));
            if walk.answers.is_empty() {
                walk.answers.push(Answer { values: Box::new([]), nodes: Vec::new(), bits: Vec::new(), version: 0 });
            }
            walk.answers[0].nodes.push(narrow(node));
        } else {
            let value = |value: u32| if value == UNBOUND { ANY } else { value };
            for row in rows.chunks(vars) {
                let values: Box<[u32]> = walk.open.iter().map(|&at| value(row[at])).collect();
                let at = walk.index.get(&values).copied().unwrap_or_else(|| {
                    walk.index.insert(values.clone(), walk.answers.len());
                    let values = values.clone();
                    walk.answers.push(Answer { values, nodes: Vec::new(), bits: Vec::new(), version: 0 });
                    walk.answers.len() - 1
                });
                if walk.answers[at].nodes.last() != Some(&narrow(node)) {
                    walk.answers[at].nodes.push(narrow(node));
                    sum = sum.wrapping_add(hash(&(walk.call, &values, salt)));
                }
            }
        }
        self.nodes[node].history = self.nodes[node].history.wrapping_add(sum);
        self.touched.push(narrow(node));
    }

    /// Put rules that have answered something new into classes by all that they have answered.
    fn regroup(&mut self) {
        let mut touched = std::mem::take(&mut self.touched);
        if touched.is_empty() {
            return;
        }
        touched.sort_unstable();
        let mut classes: Vec<ClassIx> = touched.iter().map(|&node| self.nodes[node as usize].class).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut changed = Vec::new();
        for class in classes {
            let of_class: Vec<u32> = if class == EMPTY {
                touched.iter().copied().filter(|&node| self.nodes[node as usize].class == EMPTY).collect()
            } else {
                std::mem::take(&mut self.classes[class.index()].members)
            };
            let known = self.classes[class.index()].history;
            let first = self.nodes[of_class[0] as usize].history;
            if class != EMPTY && of_class.iter().all(|&node| self.nodes[node as usize].history == first) {
                // They have answered alike once more.
                self.by_history.remove(&known);
                self.by_history.insert(first, class);
                self.classes[class.index()].history = first;
                self.classes[class.index()].members = of_class;
                continue;
            }
            changed.push(class);
            let history = |bases: &Self, node: u32| bases.nodes[node as usize].history;
            if class != EMPTY && of_class.iter().all(|&node| history(self, node) != known) {
                let new = history(self, of_class[0]);
                self.by_history.remove(&known);
                self.by_history.insert(new, class);
                self.classes[class.index()].history = new;
            }
            for node in of_class {
                let history = history(self, node);
                let of = self.by_history.get(&history).copied().unwrap_or_else(|| {
                    self.classes.push(BaseClass { members: Vec::new(), parent: Some(class), history, smallest: None });
                    ClassIx::new(self.classes.len() - 1)
                });
                self.by_history.insert(history, of);
                self.nodes[node as usize].class = of;
                self.classes[of.index()].members.push(node);
                changed.push(of);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        for class in changed {
            let (classes, nodes) = (&mut self.classes, &self.nodes);
            let class = &mut classes[class.index()];
            class.members.sort_unstable_by_key(|&node| (nodes[node as usize].body.len(), node));
            if class.members.first() != class.smallest.as_ref() {
                class.smallest = class.members.first().copied();
                self.version += 1;
            }
        }
    }
}

struct Walk {
    call: CallIx,
    open: Vec<usize>,
    answers: Vec<Answer>,
    index: FxHashMap<Box<[u32]>, usize>,
}

/// The rows of a table that satisfy a literal, with the variables that it binds: `vars.0` before, `vars.1` after. Not
/// many more than `most`.
pub(super) fn extend(
    rows: &[u32],
    vars: (usize, usize),
    lit: &Lit,
    words: &Words,
    lookup: &mut Lookup<'_>,
    most: usize,
) -> Vec<u32> {
    let place = words.place(lit).expect("these rules call the background only");
    let mut longer = Vec::new();
    for row in rows.chunks(vars.0.max(1)) {
        let pattern = Pattern::of(lit, row);
        let found = lookup.rows(place, &pattern);
        for at in 0..found.count {
            let start = longer.len();
            longer.extend_from_slice(&row[..vars.0]);
            longer.resize(start + vars.1, UNBOUND);
            for (&var, &value) in pattern.free().iter().zip(lookup.row(found, at)) {
                longer[start + var as usize] = value;
            }
            if longer.len() >= most * vars.1.max(1) {
                return longer;
            }
        }
    }
    longer
}

fn hash(of: &impl Hash) -> u128 {
    let half = |salt: u64| {
        let mut hasher = rustc_hash::FxHasher::default();
        (salt, of).hash(&mut hasher);
        mix(hasher.finish() ^ salt)
    };
    u128::from(half(0x9e37_79b9_7f4a_7c15)) << 64 | u128::from(half(0x2545_f491_4f6c_dd1d))
}
