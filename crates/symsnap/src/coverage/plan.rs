//! From a rule to the order in which its literals are joined.
//!
//! A rule covers an example iff its body has a solution, so a plan is a tree of existence tests, not a list of joins.
//! Literals that share a variable not yet bound belong together; those that do not are separate children, each of
//! which needs just one solution. The tree is built greedily: tests that bind nothing first, then, in each connected
//! part, the literal with the fewest expected answers, and below it the same again for what is left of the part, which
//! its variables may have split. Without the splitting, `f(T) :- car(T,C), a(C,X), b(X), c(C,Y), d(Y)` would repeat
//! the search for `Y` for every `X`. Santos Costa et al. (JMLR 4, 2003) get the same effect in Prolog by rewriting a clause
//! with `once/1` around the parts that are independent of each other.
//!
//! Comparisons of numbers are tests as soon as their variables are bound, provided that every value they can meet is a
//! number: an atom would raise an error, and when that happens depends on the order of answers.
//!
//! Literals that are called (see [`Database`]) keep their written order, are not split, and come with all the table
//! literals they are connected with: what they answer, and whether they raise an error before a solution is found,
//! depends on what is bound and on what was tried before. Parts without any call that are written wholly before or wholly
//! after each call are independent of that: if such a part has no solution the rule covers nothing either way, and if it
//! has one it changes nothing that the calls see. One with a call in its midst is not: when its later literals fail,
//! Prolog comes back to the call, which may raise an error, before it tries another answer of its earlier ones.
//!
//! What a part behind the calls rejects they are never asked about, so errors that they would have raised are not met. Whoever
//! wants to know of these ([`JoinPlan::meets_all_errors`]) has such parts tested behind the calls, too.
//!
//! The plan lives in vectors that are cleared and filled again, so planning allocates only until they have grown.

use super::example::example;
use crate::database::{Columns, Database, Evaluation, Index, MOST_INDEX_BYTES, PredIx, Want};
use crate::index::narrow;
use crate::logic::{Arg, Comparison, Literal, Number, Rule};
use crate::task::Examples;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Registers below this number hold variables; those from it on hold the rule's constants.
pub(super) const VARIABLES: usize = 64;

/// A place in [`JoinPlan::nodes`].
pub(super) type NodeIx = u16;

/// No node.
pub(super) const NONE: NodeIx = NodeIx::MAX;

/// What a node asks.
#[derive(Debug, Clone, Copy)]
pub(super) enum NodeAccess {
    /// An index, by its place in [`JoinPlan::indexes`].
    Table(u32),
    /// A call pattern, by its place in [`JoinPlan::patterns`].
    Call(u32),
    /// A comparison, by its place in [`JoinPlan::comparisons`].
    Compare(u32),
}

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub(super) enum JoinOperand {
    /// The value of a register.
    Register(u8),
    /// A number.
    Number(Number),
}

/// One literal: look the key up, and for each answer bind the outputs and ask the children.
#[derive(Debug, Clone, Copy)]
pub(super) struct JoinNode {
    pub(super) access: NodeAccess,
    /// The registers that make the key.
    pub(super) keys: (u32, u32),
    /// What to do with each value of an answer. None: the node is a test.
    pub(super) outputs: (u32, u32),
    /// The first child; all must hold.
    pub(super) child: NodeIx,
    /// The next node that must hold beside this one.
    pub(super) next: NodeIx,
}

/// What to do with one value of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerUse {
    /// Bind a variable.
    Bind(u8),
    /// Compare with a variable that the same answer has just bound.
    Check(u8),
    /// Nothing; the variable occurs nowhere else.
    Ignore,
}

/// A part of the body that shares no variable with the rest but those of the head.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyPart {
    /// The argument positions of the head that it depends on.
    pub(super) positions: Columns,
    /// The variables at those positions, in [`JoinPlan::inputs`].
    pub(super) inputs: (u32, u32),
    /// The first of the nodes that must all hold.
    pub(super) root: NodeIx,
}

/// What a plan makes of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleShape {
    /// It covers what satisfies all parts.
    Joined,
    /// It covers nothing: some literal has no answers at all.
    Nothing,
    /// It is recursive, or too large for the plan: it is resolved.
    Resolved,
}

/// What planning needs to know of a body literal.
#[derive(Debug, Clone, Copy)]
struct PlannedGoal {
    kind: GoalKind,
    vars: Set,
}

#[derive(Debug, Clone, Copy)]
enum GoalKind {
    Table(PredIx),
    Called(PredIx),
    Compared(Comparison),
}

impl PlannedGoal {
    fn is_called(&self) -> bool {
        matches!(self.kind, GoalKind::Called(_))
    }
}

/// A set of variables or of body literals, by number. Rules with more than 64 of either are resolved.
type Set = u64;

/// The plan of one rule, and the indexes that all plans so far have needed.
#[derive(Debug, Default)]
pub(super) struct JoinPlan {
    pub(super) nodes: Vec<JoinNode>,
    pub(super) keys: Vec<u16>,
    pub(super) outputs: Vec<AnswerUse>,
    pub(super) constants: Vec<u32>,
    pub(super) parts: Vec<BodyPart>,
    pub(super) inputs: Vec<u8>,
    pub(super) indexes: Vec<Arc<Index>>,
    /// Predicates that are called, with the arguments that are bound.
    pub(super) patterns: Vec<(PredIx, Columns, Want)>,
    /// Comparisons.
    pub(super) comparisons: Vec<(Comparison, [JoinOperand; 2])>,
    /// The head positions at which all examples have numbers, once somebody has asked.
    numeric_heads: Option<u64>,
    numeric_columns: FxHashMap<(PredIx, usize), bool>,
    /// For each head position: the variable that it binds, unless an earlier position or a constant decides.
    pub(super) head: Vec<Option<u8>>,
    /// The literals of the part that calls.
    pub(super) calling: Set,
    /// Whether parts that are written behind a call wait for it, so that every error is met that running the body raises.
    pub(super) meets_all_errors: bool,
    index_bytes: usize,
    index_slots: FxHashMap<(PredIx, Columns, Columns), u32>,
    pattern_slots: FxHashMap<(PredIx, Columns, Want), u32>,
    goals: Vec<PlannedGoal>,
}

impl JoinPlan {
    /// JoinPlan `rule`. Everything but the indexes is forgotten first.
    pub(super) fn make(&mut self, database: &Database, examples: &Examples, rule: &Rule) -> RuleShape {
        self.nodes.clear();
        self.keys.clear();
        self.outputs.clear();
        self.constants.clear();
        self.parts.clear();
        self.inputs.clear();
        self.comparisons.clear();
        self.head.clear();
        self.goals.clear();
        self.calling = 0;
        if self.index_bytes > MOST_INDEX_BYTES {
            self.indexes.clear();
            self.index_slots.clear();
            self.index_bytes = 0;
        }
        let small = rule.body.len() <= VARIABLES && rule.head.args.len() <= Columns::MAX;
        if !small || rule.is_recursive() || rule.var_count() > VARIABLES {
            return RuleShape::Resolved;
        }
        let mut bound: Set = 0;
        for arg in &rule.head.args {
            self.head.push(match arg {
                Arg::Var(var) if bound >> var.0 & 1 == 0 => {
                    bound |= 1 << var.0;
                    Some(var.0)
                }
                _ => None,
            });
        }
        for literal in &rule.body {
            if literal.args.len() > Columns::MAX {
                return RuleShape::Resolved;
            }
            let comparison = database.comparison(literal.pred);
            let has_number = || literal.args.iter().any(|arg| matches!(arg, Arg::Number(_)));
            // A comparison that the bias names as a predicate of bodies is called, like the others, unless it is with a number.
            let kind = match database.place(literal.pred).filter(|_| comparison.is_none() || !has_number()) {
                Some(place) => match database.evaluation_at(place) {
                    Evaluation::Facts { rows: 0 } | Evaluation::Materialised { rows: 0 } | Evaluation::Undefined => {
                        return RuleShape::Nothing;
                    }
                    Evaluation::Facts { .. } | Evaluation::Materialised { .. } => GoalKind::Table(place),
                    Evaluation::Called { .. } => GoalKind::Called(place),
                },
                None => match comparison {
                    Some(comparison) => GoalKind::Compared(comparison),
                    // Another built-in, or an error for resolution to raise.
                    None => return RuleShape::Resolved,
                },
            };
            let unknown = |arg: &Arg| matches!(arg, Arg::Number(number) if database.value_of(*number).is_none());
            match kind {
                // A number that is no value of the task is in no table.
                GoalKind::Table(_) if literal.args.iter().any(unknown) => return RuleShape::Nothing,
                GoalKind::Called(_) if literal.args.iter().any(unknown) => return RuleShape::Resolved,
                GoalKind::Compared(_) if !self.compares_numbers(database, examples, rule, literal) => {
                    return RuleShape::Resolved;
                }
                _ => {}
            }
            let vars = literal.vars().fold(0, |vars, var| vars | 1 << var.0);
            self.goals.push(PlannedGoal { kind, vars });
        }
        self.split(database, rule, bound)
    }

    /// Whether a comparison that follows the literals planned so far meets nothing but numbers, or what a call answers, for
    /// which the walk looks.
    fn compares_numbers(&mut self, database: &Database, examples: &Examples, rule: &Rule, literal: &Literal) -> bool {
        literal.args.iter().all(|arg| match arg {
            Arg::Number(_) => true,
            Arg::Const(_) => false,
            Arg::Var(var) => {
                if let Some(position) = self.head.iter().position(|head| *head == Some(var.0)) {
                    let heads = self.numeric_heads.get_or_insert_with(|| numeric_heads(database, examples));
                    return *heads >> position & 1 == 1;
                }
                let binds = |literal: &Literal| literal.args.iter().position(|arg| *arg == Arg::Var(*var));
                let before = rule.body[..self.goals.len()].iter().enumerate();
                let binder = before.filter(|(at, _)| !matches!(self.goals[*at].kind, GoalKind::Compared(_)));
                match binder.filter_map(|(at, literal)| Some((at, binds(literal)?))).next() {
                    Some((at, column)) => match self.goals[at].kind {
                        GoalKind::Table(place) => self.is_numeric(database, place, column),
                        _ => true,
                    },
                    None => false,
                }
            }
        })
    }

    /// Whether a table has nothing but numbers in a column.
    fn is_numeric(&mut self, database: &Database, place: PredIx, column: usize) -> bool {
        *self.numeric_columns.entry((place, column)).or_insert_with(|| {
            let table = database.table(place).expect("it is a table");
            table.column(column).iter().all(|&value| database.number(value).is_some())
        })
    }

    /// Make the parts of the body: those without calls by connectedness, all those with calls among them as one.
    fn split(&mut self, database: &Database, rule: &Rule, bound: Set) -> RuleShape {
        let all: Set = if rule.body.is_empty() { 0 } else { Set::MAX >> (64 - rule.body.len()) };
        let calls = members(all).filter(|&at| self.goals[at].is_called()).fold(0, |set: Set, at| set | 1 << at);
        let mut rest = all;
        while rest != 0 {
            let part = self.connected(rest, bound);
            rest &= !part;
            let span = (Set::MAX << part.trailing_zeros()) & (Set::MAX >> part.leading_zeros());
            let waits = self.meets_all_errors && part.trailing_zeros() > calls.trailing_zeros();
            if span & calls != 0 || waits {
                self.calling |= part;
            } else {
                let root = self.conjunction(database, rule, part, bound);
                self.part(part, root);
            }
        }
        // Parts that see few head variables have few groups of examples to decide about, and tests are cheaper than
        // searches: what they take away, the later parts need not look at. The calls come last.
        self.parts.sort_by_key(|part| {
            let (from, to) = self.nodes[part.root as usize].outputs;
            (part.positions.len(), to - from)
        });
        if self.calling != 0 {
            let Some(root) = self.sequence(database, rule, self.calling, bound) else { return RuleShape::Resolved };
            self.part(self.calling, root);
        }
        RuleShape::Joined
    }

    /// The members of `among` that are connected with its first by variables that are not `bound`.
    fn connected(&self, among: Set, bound: Set) -> Set {
        let mut part = among & among.wrapping_neg();
        let mut vars = self.goals[among.trailing_zeros() as usize].vars & !bound;
        loop {
            let more =
                members(among & !part).filter(|&at| self.goals[at].vars & vars != 0).fold(0, |s, at| s | 1 << at);
            if more == 0 {
                return part;
            }
            part |= more;
            vars |= members(more).fold(0, |vars, at| vars | self.goals[at].vars) & !bound;
        }
    }

    /// Note a part made of these literals.
    fn part(&mut self, literals: Set, root: NodeIx) {
        let vars = members(literals).fold(0, |vars, at| vars | self.goals[at].vars);
        let mut positions = Columns::default();
        let from = narrow(self.inputs.len());
        for (position, var) in self.head.iter().enumerate() {
            if let Some(var) = var.filter(|var| vars >> var & 1 == 1) {
                positions = positions.with(position);
                self.inputs.push(var);
            }
        }
        self.parts.push(BodyPart { positions, inputs: (from, narrow(self.inputs.len())), root });
    }

    /// Nodes that hold together iff table literals do, in whatever order is best; their first.
    fn conjunction(&mut self, database: &Database, rule: &Rule, literals: Set, bound: Set) -> NodeIx {
        let mut list = List::default();
        let shared = self.shared(literals);
        let tests = members(literals).filter(|&at| self.goals[at].vars & !bound & shared == 0);
        let tests = tests.fold(0, |set: Set, at| set | 1 << at);
        for at in members(tests) {
            let node = self.stored(database, rule, at, bound, 0);
            list.push(&mut self.nodes, node);
        }
        let mut rest = literals & !tests;
        while rest != 0 {
            let part = self.connected(rest, bound);
            rest &= !part;
            let at = members(part)
                .min_by(|&a, &b| {
                    let answers = |at| self.expected_answers(database, rule, at, bound);
                    answers(a).total_cmp(&answers(b))
                })
                .expect("a part has a literal");
            let node = self.stored(database, rule, at, bound, shared);
            let child = self.conjunction(database, rule, part & !(1 << at), bound | self.goals[at].vars);
            self.nodes[node as usize].child = child;
            list.push(&mut self.nodes, node);
        }
        list.first
    }

    /// Nodes for literals in their written order, up to the last call; `None` if a call cannot be made faithfully.
    fn sequence(&mut self, database: &Database, rule: &Rule, literals: Set, mut bound: Set) -> Option<NodeIx> {
        let mut list = List::default();
        let mut rest = literals;
        while members(rest).any(|at| self.goals[at].is_called()) {
            let at = rest.trailing_zeros() as usize;
            let used = members(rest & !(1 << at)).fold(0, |used, at| used | self.goals[at].vars);
            rest &= !(1 << at);
            let node = match self.goals[at].kind {
                GoalKind::Called(place) => self.call(database, rule, (at, place), bound, used)?,
                _ => self.stored(database, rule, at, bound, used),
            };
            list.push(&mut self.nodes, node);
            let binds = self.goals[at].vars & !bound;
            bound |= binds;
            if binds & used != 0 {
                self.nodes[node as usize].child = self.sequence(database, rule, rest, bound)?;
                return Some(list.first);
            }
        }
        if rest != 0 {
            let first = self.conjunction(database, rule, rest, bound);
            list.push(&mut self.nodes, first);
        }
        Some(list.first)
    }

    /// Variables that at least two of the literals have.
    fn shared(&self, literals: Set) -> Set {
        let mut seen = 0;
        members(literals).fold(0, |shared, at| {
            let vars = self.goals[at].vars;
            let shared = shared | (seen & vars);
            seen |= vars;
            shared
        })
    }

    /// Rows over the number of different values of each bound column: exact for independent, uniform columns.
    fn expected_answers(&self, database: &Database, rule: &Rule, at: usize, bound: Set) -> f64 {
        let GoalKind::Table(place) = self.goals[at].kind else { return f64::MAX };
        let Some(table) = database.table(place) else { return f64::MAX };
        let mut answers = table.len() as f64;
        for (column, arg) in rule.body[at].args.iter().enumerate() {
            if is_bound(arg, bound) {
                answers /= table.distinct(column).max(1) as f64;
            }
        }
        answers
    }

    /// A node for a literal that is not called.
    fn stored(&mut self, database: &Database, rule: &Rule, at: usize, bound: Set, used: Set) -> NodeIx {
        match self.goals[at].kind {
            GoalKind::Compared(comparison) => self.comparison(&rule.body[at], comparison),
            GoalKind::Table(place) | GoalKind::Called(place) => self.table(database, rule, (at, place), bound, used),
        }
    }

    /// A node for a comparison of what is bound.
    fn comparison(&mut self, literal: &Literal, comparison: Comparison) -> NodeIx {
        let operand = |arg: &Arg| match arg {
            Arg::Var(var) => JoinOperand::Register(var.0),
            Arg::Number(number) => JoinOperand::Number(*number),
            Arg::Const(_) => unreachable!("constants that are no numbers are not compared"),
        };
        self.comparisons.push((comparison, [operand(&literal.args[0]), operand(&literal.args[1])]));
        let (keys, outputs) = (self.keys.len(), self.outputs.len());
        self.node(NodeAccess::Compare(narrow(self.comparisons.len() - 1)), keys, outputs)
    }

    /// A node for a table literal; it binds the variables that are `used` elsewhere and projects the others away.
    fn table(
        &mut self,
        database: &Database,
        rule: &Rule,
        (at, place): (usize, PredIx),
        bound: Set,
        used: Set,
    ) -> NodeIx {
        let (keys_from, outputs_from) = (self.keys.len(), self.outputs.len());
        let (mut keys, mut values) = (Columns::default(), Columns::default());
        let (mut once, mut twice): (Set, Set) = (0, 0);
        for var in rule.body[at].vars() {
            twice |= once & 1 << var.0;
            once |= 1 << var.0;
        }
        let mut here: Set = 0;
        for (column, arg) in rule.body[at].args.iter().enumerate() {
            match arg {
                arg if is_bound(arg, bound) => {
                    keys = keys.with(column);
                    self.key(arg, database);
                }
                Arg::Var(var) if (used | twice) >> var.0 & 1 == 1 => {
                    values = values.with(column);
                    self.outputs.push(if here >> var.0 & 1 == 1 {
                        AnswerUse::Check(var.0)
                    } else {
                        AnswerUse::Bind(var.0)
                    });
                    here |= 1 << var.0;
                }
                _ => {}
            }
        }
        let of = (place, keys, values);
        let slot = *self.index_slots.entry(of).or_insert_with(|| {
            let index = database.index(of.0, keys, values);
            self.index_bytes += index.bytes();
            self.indexes.push(index);
            narrow(self.indexes.len() - 1)
        });
        self.node(NodeAccess::Table(slot), keys_from, outputs_from)
    }

    /// A node for a literal that is called; `None` if an unbound variable occurs in it twice, because calling it with
    /// two variables and comparing them afterwards is not the same.
    fn call(
        &mut self,
        database: &Database,
        rule: &Rule,
        (at, place): (usize, PredIx),
        bound: Set,
        used: Set,
    ) -> Option<NodeIx> {
        let (keys_from, outputs_from) = (self.keys.len(), self.outputs.len());
        let mut keys = Columns::default();
        let mut here: Set = 0;
        for (column, arg) in rule.body[at].args.iter().enumerate() {
            match arg {
                Arg::Var(var) if bound >> var.0 & 1 == 0 => {
                    if here >> var.0 & 1 == 1 {
                        return None;
                    }
                    here |= 1 << var.0;
                    self.outputs.push(if used >> var.0 & 1 == 1 { AnswerUse::Bind(var.0) } else { AnswerUse::Ignore });
                }
                arg => {
                    keys = keys.with(column);
                    self.key(arg, database);
                }
            }
        }
        let want = if here & used == 0 { Want::One } else { Want::All };
        if want == Want::One {
            self.outputs.truncate(outputs_from);
        }
        let pattern = (place, keys, want);
        let slot = *self.pattern_slots.entry(pattern).or_insert_with(|| {
            self.patterns.push(pattern);
            narrow(self.patterns.len() - 1)
        });
        Some(self.node(NodeAccess::Call(slot), keys_from, outputs_from))
    }

    fn key(&mut self, arg: &Arg, database: &Database) {
        let constant = match arg {
            Arg::Var(var) => return self.keys.push(u16::from(var.0)),
            Arg::Const(id) => narrow(id.index()),
            Arg::Number(number) => database.value_of(*number).expect("numbers that are no values were met before"),
        };
        self.constants.push(constant);
        self.keys.push(narrow(VARIABLES + self.constants.len() - 1));
    }

    fn node(&mut self, access: NodeAccess, keys_from: usize, outputs_from: usize) -> NodeIx {
        let keys = (narrow(keys_from), narrow(self.keys.len()));
        let outputs = (narrow(outputs_from), narrow(self.outputs.len()));
        self.nodes.push(JoinNode { access, keys, outputs, child: NONE, next: NONE });
        narrow(self.nodes.len() - 1)
    }
}

/// Nodes that must all hold, chained by [`JoinNode::next`].
#[derive(Debug)]
struct List {
    first: NodeIx,
    last: NodeIx,
}

impl Default for List {
    fn default() -> Self {
        List { first: NONE, last: NONE }
    }
}

impl List {
    /// Add a node and all that are chained to it.
    fn push(&mut self, nodes: &mut [JoinNode], node: NodeIx) {
        if self.first == NONE {
            self.first = node;
        } else {
            nodes[self.last as usize].next = node;
        }
        self.last = node;
        while nodes[self.last as usize].next != NONE {
            self.last = nodes[self.last as usize].next;
        }
    }
}

fn is_bound(arg: &Arg, bound: Set) -> bool {
    match arg {
        Arg::Var(var) => bound >> var.0 & 1 == 1,
        Arg::Const(_) | Arg::Number(_) => true,
    }
}

/// The head positions at which all examples have numbers.
fn numeric_heads(database: &Database, examples: &Examples) -> u64 {
    let count = examples.positives() + examples.negatives();
    (0..count).fold(u64::MAX, |numeric, at| {
        let numbers = example(examples, at).iter().map(|id| database.number(narrow(id.index())).is_some());
        numeric & numbers.enumerate().fold(0, |set, (position, is)| set | u64::from(is) << position)
    })
}

/// The members of a set, ascending.
fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        at
    })
}
