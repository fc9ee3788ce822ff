//! The tree of one clause, flat: nodes in a vector, children before parents, the root last.
//!
//! Flat because input is hostile and facts are many. Walking, converting and dropping need no recursion, so no depth
//! of nesting can exhaust the stack, and one tree's memory serves every clause of a file. Boxed nodes would need a
//! hand-written `Drop` and an allocation per compound.

use super::Span;
use crate::index::narrow;
use crate::logic::BigInt;
use std::borrow::Cow;

/// A node of a [`Tree`], by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The position of the node in its tree.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The functor of list cells.
pub const CONS: &str = "[|]";

/// What a node is, one level deep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form<'a, 's> {
    /// A variable by its name; `_` is anonymous.
    Var(&'s str),
    /// An integer of 64 bits.
    Int(i64),
    /// An integer beyond 64 bits.
    Big(&'a BigInt),
    /// A float.
    Float(f64),
    /// An atom. `[]` is [`Form::Nil`] unless it was quoted; `{}` is the atom `{}`.
    Atom(&'a str),
    /// A string.
    Str(&'a str),
    /// The empty list.
    Nil,
    /// A compound `f(A1,...,An)` with at least one argument, or an operator applied to its operands. List cells are
    /// `'[|]'(Head,Tail)`; `{T}` is `{}(T)`.
    Compound(&'a str, &'a [NodeId]),
}

#[derive(Debug, Clone)]
enum NodeShape<'s> {
    Var(&'s str),
    Int(i64),
    Big(Box<BigInt>),
    Float(f64),
    Atom(Cow<'s, str>),
    Str(Cow<'s, str>),
    Nil,
    Compound { functor: Cow<'s, str>, start: u32, arity: u32 },
}

#[derive(Debug, Clone)]
struct TreeNode<'s> {
    shape: NodeShape<'s>,
    span: Span,
    depth: u32,
}

/// A term as written.
#[derive(Debug, Clone, Default)]
pub struct Tree<'s> {
    nodes: Vec<TreeNode<'s>>,
    children: Vec<NodeId>,
}

impl<'s> Tree<'s> {
    /// The whole term.
    ///
    /// # Panics
    /// If no clause has been read into the tree.
    pub fn root(&self) -> NodeId {
        NodeId(u32::try_from(self.nodes.len()).expect("a node per byte at most") - 1)
    }

    /// All nodes, children before parents.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..narrow(self.nodes.len())).map(NodeId)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing has been read into the tree.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What `node` is.
    pub fn form(&self, node: NodeId) -> Form<'_, 's> {
        match &self.nodes[node.index()].shape {
            NodeShape::Var(name) => Form::Var(name),
            NodeShape::Int(value) => Form::Int(*value),
            NodeShape::Big(value) => Form::Big(value),
            NodeShape::Float(value) => Form::Float(*value),
            NodeShape::Atom(name) => Form::Atom(name),
            NodeShape::Str(content) => Form::Str(content),
            NodeShape::Nil => Form::Nil,
            NodeShape::Compound { functor, start, arity } => {
                Form::Compound(functor, &self.children[*start as usize..(*start + *arity) as usize])
            }
        }
    }

    /// Where `node` stands.
    pub fn span(&self, node: NodeId) -> Span {
        self.nodes[node.index()].span
    }

    /// The nodes of a proper list; `None` for anything else.
    pub fn list_items(&self, mut node: NodeId) -> Option<Vec<NodeId>> {
        let mut items = Vec::new();
        loop {
            match self.form(node) {
                Form::Nil => return Some(items),
                Form::Compound(CONS, &[head, tail]) => {
                    items.push(head);
                    node = tail;
                }
                _ => return None,
            }
        }
    }

    /// The operands of a chain `a,b,c` of the right-associative operator `name`, from the left; the node itself if it
    /// is no such chain.
    pub fn chain(&self, name: &str, mut node: NodeId) -> Vec<NodeId> {
        let mut operands = Vec::new();
        while let Form::Compound(functor, &[left, right]) = self.form(node) {
            if functor != name {
                break;
            }
            operands.push(left);
            node = right;
        }
        operands.push(node);
        operands
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.children.clear();
    }

    /// How deeply nested `node` is; a list is no deeper than its deepest item and one.
    pub(super) fn depth(&self, node: NodeId) -> usize {
        self.nodes[node.index()].depth as usize
    }

    /// Let `node` stand at `span`, brackets included.
    pub(super) fn widen(&mut self, node: NodeId, span: Span) {
        self.nodes[node.index()].span = span;
    }

    pub(super) fn var(&mut self, name: &'s str, span: Span) -> NodeId {
        self.leaf(NodeShape::Var(name), span)
    }

    pub(super) fn int(&mut self, value: i64, span: Span) -> NodeId {
        self.leaf(NodeShape::Int(value), span)
    }

    pub(super) fn big(&mut self, value: Box<BigInt>, span: Span) -> NodeId {
        self.leaf(i64::try_from(&*value).map_or(NodeShape::Big(value), NodeShape::Int), span)
    }

    pub(super) fn float(&mut self, value: f64, span: Span) -> NodeId {
        self.leaf(NodeShape::Float(value), span)
    }

    pub(super) fn atom(&mut self, name: Cow<'s, str>, span: Span) -> NodeId {
        self.leaf(NodeShape::Atom(name), span)
    }

    pub(super) fn string(&mut self, content: Cow<'s, str>, span: Span) -> NodeId {
        self.leaf(NodeShape::Str(content), span)
    }

    pub(super) fn nil(&mut self, span: Span) -> NodeId {
        self.leaf(NodeShape::Nil, span)
    }

    pub(super) fn compound(&mut self, functor: Cow<'s, str>, arguments: &[NodeId], span: Span) -> NodeId {
        let start = narrow(self.children.len());
        self.children.extend_from_slice(arguments);
        let depth = narrow::<_, u32>(arguments.iter().map(|&argument| self.depth(argument)).max().unwrap_or(0)) + 1;
        self.push(TreeNode {
            shape: NodeShape::Compound { functor, start, arity: narrow(arguments.len()) },
            span,
            depth,
        })
    }

    pub(super) fn cell(&mut self, head: NodeId, tail: NodeId, span: Span) -> NodeId {
        let depth = narrow::<_, u32>(self.depth(head).max(self.depth(tail).saturating_sub(1))) + 1;
        let start = narrow(self.children.len());
        self.children.extend_from_slice(&[head, tail]);
        self.push(TreeNode {
            shape: NodeShape::Compound { functor: Cow::Borrowed(CONS), start, arity: 2 },
            span,
            depth,
        })
    }

    fn leaf(&mut self, shape: NodeShape<'s>, span: Span) -> NodeId {
        self.push(TreeNode { shape, span, depth: 0 })
    }

    fn push(&mut self, node: TreeNode<'s>) -> NodeId {
        self.nodes.push(node);
        self.root()
    }
}
