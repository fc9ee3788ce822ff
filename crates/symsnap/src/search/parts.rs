//! Mining parts: connected pieces of bodies, each with the examples it covers.
//!
//! Two literals belong to the same part if a chain of shared local variables (those not in the head) links them. A
//! rule covers an example iff each of its parts does, so a part is joined once and then only its bits are used
//! ([`conjoin`](super::conjoin)). Parts grow by one literal that touches a local variable, level by level; every
//! connected part has an order of its literals in which each prefix is a part, so none is missed.
//!
//! A literal that is dead at a part stays dead at every extension of it, and is not tried there again:
//! - it leaves too few positives, or a rival outdoes all that it leaves (both only get worse);
//! - it adds no variable, speaks of no head variable that the part does not, and removes no binding: then every rule
//!   with it covers what the rule without it covers, and that rule is in the space too (it has the same variables,
//!   stays connected, and constraints that are not monotone switch this test off).

use super::Context;
use super::bindings::Table;
use super::bounds::Rival;
use super::key::key;
use super::literal::Lit;
use crate::logic::Symbol;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A part that may grow.
#[derive(Debug, Clone)]
struct Node {
    body: Box<[Lit]>,
    vars: u8,
    /// Literals that were alive at the parent.
    inherited: Arc<[Lit]>,
    /// How many of the last variables are new since the parent.
    fresh: u8,
}

/// A part and what it covers.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its literals, in an order in which each touches an earlier one.
    pub body: Box<[Lit]>,
    /// Variables, head included.
    pub vars: u8,
    /// The examples it covers.
    pub cover: Box<[u64]>,
}

struct Child {
    key: u128,
    part: Part,
    lit: Lit,
    may_grow: bool,
}

struct Expansion {
    children: Vec<Child>,
    alive: Arc<[Lit]>,
    tests: u64,
}

/// The miner: a frontier of parts of one size, and the next.
#[derive(Debug)]
pub struct Miner {
    frontier: Vec<Node>,
    cursor: usize,
    next: Vec<Node>,
    seen: FxHashSet<u128>,
}

impl Miner {
    /// A miner that has found nothing yet; its first level has parts of one literal.
    pub fn new(context: &Context<'_>) -> Self {
        let root =
            Node { body: Box::new([]), vars: context.vocabulary.head_arity() as u8, inherited: Arc::new([]), fresh: 0 };
        Miner { frontier: vec![root], cursor: 0, next: Vec::new(), seen: FxHashSet::default() }
    }

    /// Whether every part of the frontier has been extended.
    pub fn level_done(&self) -> bool {
        self.cursor == self.frontier.len()
    }

    /// Go on to the next level.
    pub fn next_level(&mut self) {
        self.frontier = std::mem::take(&mut self.next);
        self.cursor = 0;
    }

    /// About how many bytes it holds.
    pub fn bytes(&self) -> usize {
        let node = |node: &Node| size_of::<Node>() + node.body.len() * size_of::<Lit>() + node.inherited.len();
        self.frontier.iter().chain(&self.next).map(node).sum::<usize>() + self.seen.capacity() * 17
    }

    /// Extend the next `batch` parts of the frontier; what is found is returned in an order that depends on neither
    /// threads nor time. Also returns the number of tests.
    pub fn step(&mut self, context: &Context<'_>, rivals: &[Rival], batch: usize) -> (Vec<Part>, u64) {
        let end = (self.cursor + batch).min(self.frontier.len());
        let nodes = &self.frontier[self.cursor..end];
        let seen = &self.seen;
        let expansions = context.threads.map(nodes, |node| expand(node, context, rivals, seen));
        let mut parts = Vec::new();
        let mut tests = 0;
        for expansion in expansions {
            tests += expansion.tests;
            for child in expansion.children {
                if !self.seen.insert(child.key) {
                    continue;
                }
                if child.may_grow {
                    self.next.push(Node {
                        body: child.part.body.clone(),
                        vars: child.part.vars,
                        inherited: Arc::clone(&expansion.alive),
                        fresh: child.lit.fresh() as u8,
                    });
                }
                parts.push(child.part);
            }
        }
        // What is behind the cursor is not needed again; let go of it once it is most of the frontier.
        self.cursor = end;
        if self.cursor > 4096 && self.cursor * 2 > self.frontier.len() {
            self.frontier.drain(..self.cursor);
            self.cursor = 0;
        }
        (parts, tests)
    }
}

fn expand(node: &Node, context: &Context<'_>, rivals: &[Rival], seen: &FxHashSet<u128>) -> Expansion {
    let nothing = || Expansion { children: Vec::new(), alive: Arc::new([]), tests: 0 };
    if context.stopped() {
        return nothing();
    }
    let Some(table) = table(node, context) else { return nothing() };
    let vocabulary = &context.vocabulary;
    let head = vocabulary.head_arity();
    let vars = node.vars as usize;
    let types = vocabulary.types(&node.body, vars);
    let mask = node.body.iter().fold(0, |mask, lit| mask | lit.mask());
    let layout = &context.layout;

    let mut children = Vec::new();
    let mut alive = Vec::new();
    let mut tests = 0;
    let mut body = node.body.to_vec();
    for candidate in candidates(node, context, &types) {
        let named = candidate.named(vars);
        let total = vars + candidate.fresh();
        if total > context.max_vars || node.body.contains(&named) {
            continue;
        }
        if !vocabulary.callable(&candidate) {
            // Not runnable here, but perhaps with more variables bound: keep it for the extensions.
            alive.push(candidate);
            continue;
        }
        body.push(named);
        let literals = body.len() as u64;
        let body_key = key(&body, head, total);
        if seen.contains(&body_key) {
            alive.push(candidate);
            body.pop();
            continue;
        }
        if context.membership.forbids(&body, vocabulary) {
            body.pop();
            continue;
        }
        tests += 1;
        let mut cover = vec![0u64; layout.words()];
        let pos = table.test_positives(&candidate, vocabulary, layout, &mut cover);
        let (covered, _) = layout.split(&cover);
        let tp = context.weights.pos(covered);
        if context.bounds.hopeless(tp, literals + 1)
            || context.bounds.outdone(&context.weights, covered, literals, rivals)
        {
            body.pop();
            continue;
        }
        let neg = table.test_negatives(&candidate, vocabulary, layout, &mut cover);
        let redundant = pos.removes_nothing && neg.removes_nothing && context.membership.subset_closed;
        if redundant && named.mask() & !mask == 0 && !node.body.is_empty() {
            body.pop();
            continue;
        }
        alive.push(candidate);
        let (pos, neg) = layout.split(&cover);
        let fp = context.weights.neg(neg);
        let all = mask | named.mask();
        let may_grow = total > head
            && body.len() < context.max_body
            && !context.bounds.hopeless(tp, literals + 2)
            && !context.bounds.outdone(&context.weights, pos, literals + 2, rivals)
            && !(context.stands_alone(&body, all) && context.bounds.room(fp) == 0);
        children.push(Child {
            key: body_key,
            lit: candidate,
            part: Part { body: body.as_slice().into(), vars: total as u8, cover: cover.into() },
            may_grow,
        });
        body.pop();
    }
    Expansion { children, alive: alive.into(), tests }
}

/// The literals worth trying at `node`: those alive at its parent, and those that touch its newest variables.
fn candidates(node: &Node, context: &Context<'_>, types: &[Option<Symbol>]) -> Vec<Lit> {
    let vars = node.vars as usize;
    let newest = if node.body.is_empty() {
        (1u64 << vars) - 1
    } else {
        ((1u64 << node.fresh) - 1) << (vars - node.fresh as usize)
    };
    let mut all = Vec::new();
    context.vocabulary.literals(types, newest, &mut all);
    if newest == 0 {
        all.clear();
    }
    // At the root's children the literals that were alive touch only head variables: they are parts of their own.
    if node.body.len() > 1 {
        all.extend_from_slice(&node.inherited);
    }
    all
}

/// The bindings of a part, joined from the examples on.
fn table(node: &Node, context: &Context<'_>) -> Option<Table> {
    let mut table = Table::of_examples(&context.layout);
    let mut vars = context.vocabulary.head_arity();
    for lit in &node.body {
        let fresh = lit.args().iter().filter(|&&arg| arg as usize >= vars).count();
        table = table.join(&unnamed(lit, vars), &context.vocabulary, context.row_cap)?;
        vars += fresh;
    }
    Some(table)
}

/// The literal with the variables from `vars` on as placeholders again.
fn unnamed(lit: &Lit, vars: usize) -> Lit {
    let args: Vec<u8> = lit
        .args()
        .iter()
        .map(|&arg| if arg as usize >= vars { arg - vars as u8 + super::literal::FRESH } else { arg })
        .collect();
    Lit::new(lit.word, &args)
}
