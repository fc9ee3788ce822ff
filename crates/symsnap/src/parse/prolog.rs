//! Prolog clauses, one at a time, by operator precedence.
//!
//! This is Pratt's algorithm with the recursion turned into a stack of [`OpenTerm`]s: what is open (an argument list, a
//! list, a bracket, an operator that waits for its right side) is data, so nesting is limited by a number and not by
//! the machine's stack. It accepts what SWI-Prolog 9 accepts, except dicts, `f()` and integers beyond 64 bits, and like
//! it lets arguments hold operators of any priority (`f(a:-b)`), which ISO forbids.

use super::lexer::{Dialect, Lexed, Lexer};
use super::operators::{MAX_PRIORITY, Operators};
use super::tree::{NodeId, Tree};
use super::{Span, Text, Token, TokenKind};
use std::borrow::Cow;

/// How deeply terms may nest. Lists are as long as they like.
pub const MAX_DEPTH: usize = 10_000;
/// How many arguments a compound may have.
pub const MAX_ARITY: usize = 4_096;

/// What a string `"..."` means: the flag `double_quotes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoubleQuotes {
    /// A string.
    String,
    /// A list of character codes.
    Codes,
    /// A list of one-character atoms.
    Chars,
    /// An atom.
    Atom,
}

/// Reads the clauses of a text.
#[derive(Debug)]
pub struct Reader<'a, 's> {
    pub(super) lexer: Lexer<'a, 's>,
    /// The token under consideration.
    pub(super) token: Token<'s>,
    /// The end of the token before it.
    pub(super) previous: u32,
    /// The first byte of the clause.
    pub(super) start: u32,
    notation: Notation,
    frames: Vec<OpenTerm<'s>>,
    operands: Vec<NodeId>,
}

/// How a text is written, as far as directives in it can change that.
#[derive(Debug, Clone)]
pub struct Notation {
    operators: Operators,
    double_quotes: DoubleQuotes,
}

impl Default for Notation {
    fn default() -> Self {
        Notation { operators: Operators::default(), double_quotes: DoubleQuotes::String }
    }
}

/// What may follow: the highest priority, and whether `,` and `|` are operators here.
#[derive(Debug, Clone, Copy)]
struct OperandLimit {
    priority: u16,
    comma: bool,
    bar: bool,
}

impl OperandLimit {
    const TERM: OperandLimit = OperandLimit { priority: MAX_PRIORITY, comma: true, bar: true };
    const ARGUMENT: OperandLimit = OperandLimit { priority: MAX_PRIORITY, comma: false, bar: true };
    const ITEM: OperandLimit = OperandLimit { priority: MAX_PRIORITY, comma: false, bar: false };

    fn at(self, priority: u16) -> OperandLimit {
        OperandLimit { priority, ..self }
    }
}

/// Something open, waiting for a term.
#[derive(Debug)]
enum OpenTerm<'s> {
    Infix { name: Cow<'s, str>, priority: u16, left: NodeId, limit: OperandLimit },
    Prefix { name: Cow<'s, str>, priority: u16, start: u32, limit: OperandLimit },
    Arguments { functor: Cow<'s, str>, first: usize, start: u32, open: u32, limit: OperandLimit },
    List { first: usize, start: u32, tail: bool, limit: OperandLimit },
    Bracket { start: u32, limit: OperandLimit },
    Brace { start: u32, limit: OperandLimit },
}

/// What the parser does next.
enum ReadStep {
    /// Read an operand.
    Operand(OperandLimit),
    /// An operand of this priority is there; an operator may follow.
    Operator { left: NodeId, priority: u16, limit: OperandLimit },
}

impl<'a, 's> Reader<'a, 's> {
    /// At the beginning of `source`.
    pub fn new(source: &'a Text<'s>) -> Self {
        Reader::in_notation(source, Notation::default())
    }

    /// At the beginning of `source`, which goes on in the notation of a text before it.
    pub fn in_notation(source: &'a Text<'s>, notation: Notation) -> Self {
        let span = Span { start: 0, end: 0 };
        Reader {
            lexer: Lexer::new(source, Dialect::Prolog),
            token: Token { kind: TokenKind::Eof, span, layout_before: false, applied: false },
            previous: 0,
            start: 0,
            notation,
            frames: Vec::new(),
            operands: Vec::new(),
        }
    }

    /// The operators, to change them as directives say.
    pub fn operators(&mut self) -> &mut Operators {
        &mut self.notation.operators
    }

    /// How the text is written behind what was read.
    pub fn into_notation(self) -> Notation {
        self.notation
    }

    /// What strings mean from here on.
    pub fn set_double_quotes(&mut self, meaning: DoubleQuotes) {
        self.notation.double_quotes = meaning;
    }

    /// The byte at which the clause that was read last begins, whether or not it could be read.
    pub fn start(&self) -> usize {
        self.start as usize
    }

    /// The byte behind the full stop of the clause that was read last.
    pub fn end(&self) -> usize {
        self.token.span.end as usize
    }

    /// Read the next clause into `tree`; `None` at the end of the text. After an error the next call goes on behind
    /// the end of the clause that is wrong.
    pub fn read(&mut self, tree: &mut Tree<'s>) -> Option<Lexed<()>> {
        tree.clear();
        self.frames.clear();
        self.operands.clear();
        let result = self.advance().and_then(|()| {
            self.start = self.token.span.start;
            if self.token.kind == TokenKind::Eof { Ok(false) } else { self.clause(tree).map(|()| true) }
        });
        match result {
            Ok(true) => Some(Ok(())),
            Ok(false) => None,
            Err(finding) => {
                if self.token.kind != TokenKind::End {
                    self.lexer.skip_clause();
                }
                Some(Err(finding))
            }
        }
    }

    fn advance(&mut self) -> Lexed<()> {
        self.previous = self.token.span.end;
        // Should the lexer fail, recovery must not take the old token for the end of this clause.
        self.token.kind = TokenKind::Eof;
        self.token = self.lexer.next_token()?;
        Ok(())
    }

    fn clause(&mut self, tree: &mut Tree<'s>) -> Lexed<()> {
        let mut step = ReadStep::Operand(OperandLimit::TERM);
        loop {
            step = match step {
                ReadStep::Operand(limit) => self.operand(tree, limit)?,
                ReadStep::Operator { left, priority, limit } => match self.operator(tree, left, priority, limit)? {
                    Some(step) => step,
                    None => match self.frames.pop() {
                        Some(frame) => self.close(tree, frame, left)?,
                        None if self.token.kind == TokenKind::End => return Ok(()),
                        None => return Err(self.expected_end()),
                    },
                },
            };
        }
    }

    fn push(&mut self, frame: OpenTerm<'s>) -> Lexed<()> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.frames.push(frame);
        Ok(())
    }

    fn operand(&mut self, tree: &mut Tree<'s>, limit: OperandLimit) -> Lexed<ReadStep> {
        let span = self.token.span;
        let kind = std::mem::replace(&mut self.token.kind, TokenKind::Eof);
        let applied = self.token.applied;
        let left = match kind {
            TokenKind::Name(name) | TokenKind::Symbol(name) => {
                return self.name(tree, Cow::Borrowed(name), limit, false);
            }
            TokenKind::Quoted(name) => return self.name(tree, name, limit, true),
            TokenKind::Int(value) => tree.int(value, span),
            TokenKind::Float(value) => tree.float(value, span),
            TokenKind::Var(name) if applied => return Err(self.applied_variable(name, span)),
            TokenKind::Var(name) => tree.var(name, span),
            TokenKind::Big(value) => tree.big(value, span),
            TokenKind::Str(content) => self.string(tree, content, span),
            TokenKind::BackQuoted(content) => codes(tree, &content, span),
            TokenKind::Open => {
                self.push(OpenTerm::Bracket { start: span.start, limit })?;
                self.advance()?;
                return Ok(ReadStep::Operand(OperandLimit::TERM));
            }
            TokenKind::OpenList => {
                self.advance()?;
                if self.token.kind != TokenKind::CloseList {
                    self.push(OpenTerm::List { first: self.operands.len(), start: span.start, tail: false, limit })?;
                    return Ok(ReadStep::Operand(OperandLimit::ITEM));
                }
                tree.nil(Span { start: span.start, end: self.token.span.end })
            }
            TokenKind::OpenBrace => {
                self.advance()?;
                if self.token.kind != TokenKind::CloseBrace {
                    self.push(OpenTerm::Brace { start: span.start, limit })?;
                    return Ok(ReadStep::Operand(OperandLimit::TERM));
                }
                self.token.span.start = span.start;
                return self.name(tree, Cow::Borrowed("{}"), limit, true);
            }
            other => {
                self.token.kind = other;
                return Err(self.expected_operand());
            }
        };
        self.advance()?;
        Ok(ReadStep::Operator { left, priority: 0, limit })
    }

    /// An operand that begins with a name: a compound, a prefix operator, a negative number or an atom.
    fn name(&mut self, tree: &mut Tree<'s>, name: Cow<'s, str>, limit: OperandLimit, quoted: bool) -> Lexed<ReadStep> {
        let Token { span, applied, .. } = self.token;
        self.advance()?;
        if applied {
            let open = self.token.span.start;
            self.advance()?;
            if self.token.kind == TokenKind::Close {
                return Err(self.no_arguments(&name, Span { start: span.start, end: self.token.span.end }));
            }
            let first = self.operands.len();
            self.push(OpenTerm::Arguments { functor: name, first, start: span.start, open, limit })?;
            return Ok(ReadStep::Operand(OperandLimit::ARGUMENT));
        }
        if name == "-" && !quoted && !self.token.layout_before {
            let whole = Span { start: span.start, end: self.token.span.end };
            let negative = match &self.token.kind {
                TokenKind::Int(value) => Some(tree.int(-value, whole)),
                TokenKind::Big(value) => Some(tree.big(Box::new(-&**value), whole)),
                TokenKind::Float(value) => Some(tree.float(-value, whole)),
                _ => None,
            };
            if let Some(left) = negative {
                self.advance()?;
                return Ok(ReadStep::Operator { left, priority: 0, limit });
            }
        }
        if !self.at_delimiter()
            && let Some(operator) = self.notation.operators.prefix(&name)
            && !self.at_infix_only()
        {
            if operator.priority > limit.priority {
                return Err(self.clash(&name, span, operator.priority, limit.priority));
            }
            self.push(OpenTerm::Prefix { name, priority: operator.priority, start: span.start, limit })?;
            return Ok(ReadStep::Operand(limit.at(operator.right)));
        }
        let left = tree.atom(name, span);
        Ok(ReadStep::Operator { left, priority: 0, limit })
    }

    /// Whether the token ends an operand.
    fn at_delimiter(&self) -> bool {
        matches!(
            self.token.kind,
            TokenKind::Close
                | TokenKind::CloseList
                | TokenKind::CloseBrace
                | TokenKind::Comma
                | TokenKind::Bar
                | TokenKind::End
                | TokenKind::Eof
        )
    }

    /// Whether the token can only be an infix operator, so that the prefix operator before it is an atom: `- = x`.
    fn at_infix_only(&self) -> bool {
        match &self.token.kind {
            TokenKind::Name(name) | TokenKind::Symbol(name) => {
                !self.token.applied
                    && self.notation.operators.infix(name).is_some()
                    && self.notation.operators.prefix(name).is_none()
            }
            _ => false,
        }
    }

    /// What the token does after an operand; `None` if it is no operator that fits here.
    fn operator(
        &mut self,
        tree: &mut Tree<'s>,
        left: NodeId,
        priority: u16,
        limit: OperandLimit,
    ) -> Lexed<Option<ReadStep>> {
        let name: Cow<'s, str> = match &self.token.kind {
            TokenKind::Name(name) | TokenKind::Symbol(name) => Cow::Borrowed(name),
            TokenKind::Quoted(name) => name.clone(),
            TokenKind::Comma if limit.comma => Cow::Borrowed(","),
            TokenKind::Bar if limit.bar => Cow::Borrowed("|"),
            _ => return Ok(None),
        };
        if let Some(operator) = self.notation.operators.infix(&name) {
            if operator.priority > limit.priority {
                return Ok(None);
            }
            if priority > operator.left {
                return Err(self.clash(&name, self.token.span, operator.priority, priority));
            }
            self.push(OpenTerm::Infix { name, priority: operator.priority, left, limit })?;
            self.advance()?;
            return Ok(Some(ReadStep::Operand(limit.at(operator.right))));
        }
        match self.notation.operators.postfix(&name) {
            Some(operator) if operator.priority <= limit.priority && priority <= operator.left => {
                let span = Span { start: tree.span(left).start, end: self.token.span.end };
                let left = self.compound(tree, name, &[left], span)?;
                self.advance()?;
                Ok(Some(ReadStep::Operator { left, priority: operator.priority, limit }))
            }
            _ => Ok(None),
        }
    }

    /// Give a finished term to what waits for it.
    fn close(&mut self, tree: &mut Tree<'s>, frame: OpenTerm<'s>, node: NodeId) -> Lexed<ReadStep> {
        let end = self.token.span.end;
        match frame {
            OpenTerm::Infix { name, priority, left, limit } => {
                let span = Span { start: tree.span(left).start, end: tree.span(node).end };
                let left = self.compound(tree, name, &[left, node], span)?;
                Ok(ReadStep::Operator { left, priority, limit })
            }
            OpenTerm::Prefix { name, priority, start, limit } => {
                let span = Span { start, end: tree.span(node).end };
                let left = self.compound(tree, name, &[node], span)?;
                Ok(ReadStep::Operator { left, priority, limit })
            }
            OpenTerm::Arguments { functor, first, start, open, limit } => {
                self.operands.push(node);
                match self.token.kind {
                    TokenKind::Comma => {
                        if self.operands.len() - first >= MAX_ARITY {
                            return Err(self.too_many_arguments(&functor, start));
                        }
                        self.frames.push(OpenTerm::Arguments { functor, first, start, open, limit });
                        self.advance()?;
                        Ok(ReadStep::Operand(OperandLimit::ARGUMENT))
                    }
                    TokenKind::Close => {
                        let arguments = self.operands.split_off(first);
                        let left = self.compound(tree, functor, &arguments, Span { start, end })?;
                        self.advance()?;
                        Ok(ReadStep::Operator { left, priority: 0, limit })
                    }
                    _ => Err(self.expected_close(&format!("`,` or `)` in the arguments of `{functor}`"), open, ')')),
                }
            }
            OpenTerm::List { first, start, tail, limit } => {
                self.operands.push(node);
                match self.token.kind {
                    TokenKind::Comma | TokenKind::Bar if !tail => {
                        let tail = self.token.kind == TokenKind::Bar;
                        self.frames.push(OpenTerm::List { first, start, tail, limit });
                        self.advance()?;
                        Ok(ReadStep::Operand(OperandLimit::ITEM))
                    }
                    TokenKind::CloseList => {
                        let span = Span { start, end };
                        let last = if tail { self.operands.pop() } else { None };
                        let mut list = last.unwrap_or_else(|| tree.nil(span));
                        for item in self.operands.drain(first..).rev() {
                            list = tree.cell(item, list, span);
                        }
                        self.check_depth(tree, list)?;
                        self.advance()?;
                        Ok(ReadStep::Operator { left: list, priority: 0, limit })
                    }
                    _ if tail => Err(self.expected_close("`]` after the tail of the list", start, ']')),
                    _ => Err(self.expected_close("`,`, `|` or `]` in the list", start, ']')),
                }
            }
            OpenTerm::Bracket { start, limit } => {
                if self.token.kind != TokenKind::Close {
                    return Err(self.expected_close("an operator or `)`", start, ')'));
                }
                tree.widen(node, Span { start, end });
                self.advance()?;
                Ok(ReadStep::Operator { left: node, priority: 0, limit })
            }
            OpenTerm::Brace { start, limit } => {
                if self.token.kind != TokenKind::CloseBrace {
                    return Err(self.expected_close("an operator or `}`", start, '}'));
                }
                let left = self.compound(tree, Cow::Borrowed("{}"), &[node], Span { start, end })?;
                self.advance()?;
                Ok(ReadStep::Operator { left, priority: 0, limit })
            }
        }
    }

    fn compound(&self, tree: &mut Tree<'s>, name: Cow<'s, str>, parts: &[NodeId], span: Span) -> Lexed<NodeId> {
        let node = tree.compound(name, parts, span);
        self.check_depth(tree, node).map(|()| node)
    }

    fn check_depth(&self, tree: &Tree<'s>, node: NodeId) -> Lexed<()> {
        if tree.depth(node) > MAX_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    fn string(&self, tree: &mut Tree<'s>, content: Cow<'s, str>, span: Span) -> NodeId {
        match self.notation.double_quotes {
            DoubleQuotes::String => tree.string(content, span),
            DoubleQuotes::Atom => tree.atom(content, span),
            DoubleQuotes::Codes => codes(tree, &content, span),
            DoubleQuotes::Chars => {
                let chars: Vec<NodeId> = content.chars().map(|c| tree.atom(Cow::Owned(c.to_string()), span)).collect();
                list(tree, &chars, span)
            }
        }
    }
}

fn codes<'s>(tree: &mut Tree<'s>, content: &str, span: Span) -> NodeId {
    let codes: Vec<NodeId> = content.chars().map(|c| tree.int(i64::from(u32::from(c)), span)).collect();
    list(tree, &codes, span)
}

fn list(tree: &mut Tree<'_>, items: &[NodeId], span: Span) -> NodeId {
    let nil = tree.nil(span);
    items.iter().rev().fold(nil, |tail, &head| tree.cell(head, tail, span))
}

#[cfg(test)]
mod tests;
