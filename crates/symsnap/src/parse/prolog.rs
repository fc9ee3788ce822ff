//! Prolog clauses, one at a time, by operator precedence.
//!
//! This is Pratt's algorithm with the recursion turned into a stack of [`Frame`]s: what is open (an argument list, a
//! list, a bracket, an operator that waits for its right side) is data, so nesting is limited by a number and not by
//! the machine's stack. It accepts what SWI-Prolog 9 accepts, except dicts, `f()` and integers beyond 64 bits, and like
//! it lets arguments hold operators of any priority (`f(a:-b)`), which ISO forbids.

use super::lexer::{Dialect, Lexed, Lexer};
use super::operators::{MAX_PRIORITY, Operators};
use super::tree::{NodeId, Tree};
use super::{Source, Span, Token, TokenKind};
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
    operators: Operators,
    double_quotes: DoubleQuotes,
    frames: Vec<Frame<'s>>,
    operands: Vec<NodeId>,
}

/// What may follow: the highest priority, and whether `,` and `|` are operators here.
#[derive(Debug, Clone, Copy)]
struct Limit {
    priority: u16,
    comma: bool,
    bar: bool,
}

impl Limit {
    const TERM: Limit = Limit { priority: MAX_PRIORITY, comma: true, bar: true };
    const ARGUMENT: Limit = Limit { priority: MAX_PRIORITY, comma: false, bar: true };
    const ITEM: Limit = Limit { priority: MAX_PRIORITY, comma: false, bar: false };

    fn at(self, priority: u16) -> Limit {
        Limit { priority, ..self }
    }
}

/// Something open, waiting for a term.
#[derive(Debug)]
enum Frame<'s> {
    Infix { name: Cow<'s, str>, priority: u16, left: NodeId, limit: Limit },
    Prefix { name: Cow<'s, str>, priority: u16, start: u32, limit: Limit },
    Arguments { functor: Cow<'s, str>, first: usize, start: u32, open: u32, limit: Limit },
    List { first: usize, start: u32, tail: bool, limit: Limit },
    Bracket { start: u32, limit: Limit },
    Brace { start: u32, limit: Limit },
}

/// What the parser does next.
enum Step {
    /// Read an operand.
    Operand(Limit),
    /// An operand of this priority is there; an operator may follow.
    Operator { left: NodeId, priority: u16, limit: Limit },
}

impl<'a, 's> Reader<'a, 's> {
    /// At the beginning of `source`.
    pub fn new(source: &'a Source<'s>) -> Self {
        let span = Span { start: 0, end: 0 };
        Reader {
            lexer: Lexer::new(source, Dialect::Prolog),
            token: Token { kind: TokenKind::Eof, span, layout_before: false, applied: false },
            previous: 0,
            start: 0,
            operators: Operators::default(),
            double_quotes: DoubleQuotes::String,
            frames: Vec::new(),
            operands: Vec::new(),
        }
    }

    /// The operators, to change them as directives say.
    pub fn operators(&mut self) -> &mut Operators {
        &mut self.operators
    }

    /// What strings mean from here on.
    pub fn set_double_quotes(&mut self, meaning: DoubleQuotes) {
        self.double_quotes = meaning;
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
        let mut step = Step::Operand(Limit::TERM);
        loop {
            step = match step {
                Step::Operand(limit) => self.operand(tree, limit)?,
                Step::Operator { left, priority, limit } => match self.operator(tree, left, priority, limit)? {
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

    fn push(&mut self, frame: Frame<'s>) -> Lexed<()> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.frames.push(frame);
        Ok(())
    }

    fn operand(&mut self, tree: &mut Tree<'s>, limit: Limit) -> Lexed<Step> {
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
            TokenKind::HugeInt => return Err(self.huge(span)),
            TokenKind::Str(content) => self.string(tree, content, span),
            TokenKind::BackQuoted(content) => codes(tree, &content, span),
            TokenKind::Open => {
                self.push(Frame::Bracket { start: span.start, limit })?;
                self.advance()?;
                return Ok(Step::Operand(Limit::TERM));
            }
            TokenKind::OpenList => {
                self.advance()?;
                if self.token.kind != TokenKind::CloseList {
                    self.push(Frame::List { first: self.operands.len(), start: span.start, tail: false, limit })?;
                    return Ok(Step::Operand(Limit::ITEM));
                }
                tree.nil(Span { start: span.start, end: self.token.span.end })
            }
            TokenKind::OpenBrace => {
                self.advance()?;
                if self.token.kind != TokenKind::CloseBrace {
                    self.push(Frame::Brace { start: span.start, limit })?;
                    return Ok(Step::Operand(Limit::TERM));
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
        Ok(Step::Operator { left, priority: 0, limit })
    }

    /// An operand that begins with a name: a compound, a prefix operator, a negative number or an atom.
    fn name(&mut self, tree: &mut Tree<'s>, name: Cow<'s, str>, limit: Limit, quoted: bool) -> Lexed<Step> {
        let Token { span, applied, .. } = self.token;
        self.advance()?;
        if applied {
            let open = self.token.span.start;
            self.advance()?;
            if self.token.kind == TokenKind::Close {
                return Err(self.no_arguments(&name, Span { start: span.start, end: self.token.span.end }));
            }
            let first = self.operands.len();
            self.push(Frame::Arguments { functor: name, first, start: span.start, open, limit })?;
            return Ok(Step::Operand(Limit::ARGUMENT));
        }
        if name == "-" && !quoted && !self.token.layout_before {
            let whole = Span { start: span.start, end: self.token.span.end };
            let negative = match self.token.kind {
                TokenKind::Int(value) => Some(tree.int(-value, whole)),
                TokenKind::Float(value) => Some(tree.float(-value, whole)),
                TokenKind::HugeInt if self.is_least_integer() => Some(tree.int(i64::MIN, whole)),
                TokenKind::HugeInt => return Err(self.huge(whole)),
                _ => None,
            };
            if let Some(left) = negative {
                self.advance()?;
                return Ok(Step::Operator { left, priority: 0, limit });
            }
        }
        if !self.at_delimiter()
            && let Some(operator) = self.operators.prefix(&name)
            && !self.at_infix_only()
        {
            if operator.priority > limit.priority {
                return Err(self.clash(&name, span, operator.priority, limit.priority));
            }
            self.push(Frame::Prefix { name, priority: operator.priority, start: span.start, limit })?;
            return Ok(Step::Operand(limit.at(operator.right)));
        }
        let left = tree.atom(name, span);
        Ok(Step::Operator { left, priority: 0, limit })
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
                !self.token.applied && self.operators.infix(name).is_some() && self.operators.prefix(name).is_none()
            }
            _ => false,
        }
    }

    /// Whether the huge integer here is the magnitude of the least integer.
    fn is_least_integer(&self) -> bool {
        let digits = self.lexer.source().quote(self.token.span, 40).replace('_', "");
        digits == i64::MIN.unsigned_abs().to_string()
    }

    /// What the token does after an operand; `None` if it is no operator that fits here.
    fn operator(&mut self, tree: &mut Tree<'s>, left: NodeId, priority: u16, limit: Limit) -> Lexed<Option<Step>> {
        let name: Cow<'s, str> = match &self.token.kind {
            TokenKind::Name(name) | TokenKind::Symbol(name) => Cow::Borrowed(name),
            TokenKind::Quoted(name) => name.clone(),
            TokenKind::Comma if limit.comma => Cow::Borrowed(","),
            TokenKind::Bar if limit.bar => Cow::Borrowed("|"),
            _ => return Ok(None),
        };
        if let Some(operator) = self.operators.infix(&name) {
            if operator.priority > limit.priority {
                return Ok(None);
            }
            if priority > operator.left {
                return Err(self.clash(&name, self.token.span, operator.priority, priority));
            }
            self.push(Frame::Infix { name, priority: operator.priority, left, limit })?;
            self.advance()?;
            return Ok(Some(Step::Operand(limit.at(operator.right))));
        }
        match self.operators.postfix(&name) {
            Some(operator) if operator.priority <= limit.priority && priority <= operator.left => {
                let span = Span { start: tree.span(left).start, end: self.token.span.end };
                let left = self.compound(tree, name, &[left], span)?;
                self.advance()?;
                Ok(Some(Step::Operator { left, priority: operator.priority, limit }))
            }
            _ => Ok(None),
        }
    }

    /// Give a finished term to what waits for it.
    fn close(&mut self, tree: &mut Tree<'s>, frame: Frame<'s>, node: NodeId) -> Lexed<Step> {
        let end = self.token.span.end;
        match frame {
            Frame::Infix { name, priority, left, limit } => {
                let span = Span { start: tree.span(left).start, end: tree.span(node).end };
                let left = self.compound(tree, name, &[left, node], span)?;
                Ok(Step::Operator { left, priority, limit })
            }
            Frame::Prefix { name, priority, start, limit } => {
                let span = Span { start, end: tree.span(node).end };
                let left = self.compound(tree, name, &[node], span)?;
                Ok(Step::Operator { left, priority, limit })
            }
            Frame::Arguments { functor, first, start, open, limit } => {
                self.operands.push(node);
                match self.token.kind {
                    TokenKind::Comma => {
                        if self.operands.len() - first >= MAX_ARITY {
                            return Err(self.too_many_arguments(&functor, start));
                        }
                        self.frames.push(Frame::Arguments { functor, first, start, open, limit });
                        self.advance()?;
                        Ok(Step::Operand(Limit::ARGUMENT))
                    }
                    TokenKind::Close => {
                        let arguments = self.operands.split_off(first);
                        let left = self.compound(tree, functor, &arguments, Span { start, end })?;
                        self.advance()?;
                        Ok(Step::Operator { left, priority: 0, limit })
                    }
                    _ => Err(self.expected_close(&format!("`,` or `)` in the arguments of `{functor}`"), open, ')')),
                }
            }
            Frame::List { first, start, tail, limit } => {
                self.operands.push(node);
                match self.token.kind {
                    TokenKind::Comma | TokenKind::Bar if !tail => {
                        let tail = self.token.kind == TokenKind::Bar;
                        self.frames.push(Frame::List { first, start, tail, limit });
                        self.advance()?;
                        Ok(Step::Operand(Limit::ITEM))
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
                        Ok(Step::Operator { left: list, priority: 0, limit })
                    }
                    _ if tail => Err(self.expected_close("`]` after the tail of the list", start, ']')),
                    _ => Err(self.expected_close("`,`, `|` or `]` in the list", start, ']')),
                }
            }
            Frame::Bracket { start, limit } => {
                if self.token.kind != TokenKind::Close {
                    return Err(self.expected_close("an operator or `)`", start, ')'));
                }
                tree.widen(node, Span { start, end });
                self.advance()?;
                Ok(Step::Operator { left: node, priority: 0, limit })
            }
            Frame::Brace { start, limit } => {
                if self.token.kind != TokenKind::CloseBrace {
                    return Err(self.expected_close("an operator or `}`", start, '}'));
                }
                let left = self.compound(tree, Cow::Borrowed("{}"), &[node], Span { start, end })?;
                self.advance()?;
                Ok(Step::Operator { left, priority: 0, limit })
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
        match self.double_quotes {
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
mod tests {
    use super::super::{CONS, Form};
    use super::*;

    /// The term in canonical notation, as `write_canonical/1` of SWI-Prolog prints it (but for quotes).
    fn canonical(tree: &Tree<'_>, node: NodeId) -> String {
        match tree.form(node) {
            Form::Var(name) => name.to_owned(),
            Form::Int(value) => value.to_string(),
            Form::Float(value) => format!("{value:?}"),
            Form::Atom(name) => name.to_owned(),
            Form::Str(content) => format!("{content:?}"),
            Form::Nil => "[]".to_owned(),
            Form::Compound(CONS, &[head, tail]) => {
                format!("[{}|{}]", canonical(tree, head), canonical(tree, tail))
            }
            Form::Compound(functor, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|&argument| canonical(tree, argument)).collect();
                format!("{functor}({})", arguments.join(","))
            }
        }
    }

    fn read_all(text: &str) -> Vec<Result<String, String>> {
        let source = Source::new("t", text);
        let mut reader = Reader::new(&source);
        let mut tree = Tree::default();
        let mut clauses = Vec::new();
        while let Some(result) = reader.read(&mut tree) {
            clauses.push(match result {
                Ok(()) => Ok(canonical(&tree, tree.root())),
                Err(finding) => Err(finding.message),
            });
        }
        clauses
    }

    #[test]
    fn operators_bind_as_in_swi_prolog() {
        let cases = [
            ("p:-q,r;s->t.", ":-(p,;(,(q,r),->(s,t)))"),
            ("a:-b,c->d;e.", ":-(a,;(->(,(b,c),d),e))"),
            ("1-2-3.", "-(-(1,2),3)"),
            ("2^3^4.", "^(2,^(3,4))"),
            ("a:b:c.", ":(a,:(b,c))"),
            ("x is y mod z * 2.", "is(x,*(mod(y,z),2))"),
            ("X = f(Y).", "=(X,f(Y))"),
            ("\\+a,b.", ",(\\+(a),b)"),
            ("\\+ (a,b).", "\\+(,(a,b))"),
            ("\\+(a,b).", "\\+(a,b)"),
            ("\\+ \\+ a.", "\\+(\\+(a))"),
            (":- dynamic foo/1, bar/2.", ":-(dynamic(,(/(foo,1),/(bar,2))))"),
            ("table f/1 as incremental.", "table(as(/(f,1),incremental))"),
            ("f(a:-b).", "f(:-(a,b))"),
            ("f(a:-b,c).", "f(:-(a,b),c)"),
            ("[a:-b|c].", "[:-(a,b)|c]"),
            ("(a|b).", "|(a,b)"),
            ("{a,b}.", "{}(,(a,b))"),
            ("X #= Y+1.", "#=(X,+(Y,1))"),
            ("(a:-b):-c.", ":-(:-(a,b),c)"),
        ];
        for (text, expected) in cases {
            assert_eq!(read_all(text), [Ok(expected.to_owned())], "{text}");
        }
    }

    #[test]
    fn minus_is_a_sign_only_right_before_a_number() {
        let cases = [
            ("-1.", "-1"),
            ("- 1.", "-(1)"),
            ("-(1).", "-(1)"),
            ("-(-(1)).", "-(-(1))"),
            ("-(-1).", "-(-1)"),
            ("a- -1.", "-(a,-1)"),
            ("a -1.", "-(a,1)"),
            ("1 - 1.", "-(1,1)"),
            ("[1]-1.", "-([1|[]],1)"),
            ("-2^2.", "^(-2,2)"),
            ("- 2^2.", "-(^(2,2))"),
            ("-(2)^2.", "^(-(2),2)"),
            ("-a.", "-(a)"),
            ("-1.5.", "-1.5"),
            ("-0.0.", "-0.0"),
            ("-0'a.", "-97"),
            ("-9223372036854775808.", "-9223372036854775808"),
            ("- - a.", "-(-(a))"),
        ];
        for (text, expected) in cases {
            assert_eq!(read_all(text), [Ok(expected.to_owned())], "{text}");
        }
    }

    #[test]
    fn operators_are_atoms_where_they_have_no_operands() {
        let cases = [
            ("f(+).", "f(+)"),
            ("[-].", "[-|[]]"),
            ("- = x.", "=(-,x)"),
            ("x = - .", "=(x,-)"),
            ("maplist(=,[a|T]).", "maplist(=,[a|T])"),
            ("=(a,b).", "=(a,b)"),
            ("- mod 3.", "mod(-,3)"),
            ("mod mod mod.", "mod(mod,mod)"),
            ("+ + + .", "+(+(+))"),
            ("f(:- ).", "f(:-)"),
            ("f(;,'|',',').", "f(;,|,,)"),
            ("->(a,b).", "->(a,b)"),
            ("dynamic.", "dynamic"),
            ("!;a.", ";(!,a)"),
            ("{}(x).", "{}(x)"),
            ("{}.", "{}"),
            ("'[]'.", "[]"),
        ];
        for (text, expected) in cases {
            assert_eq!(read_all(text), [Ok(expected.to_owned())], "{text}");
        }
    }

    #[test]
    fn clauses_follow_each_other_on_one_line_and_span_lines() {
        let text = "a. b(X):-\n  c(X),\n  % no\n  d. /* e. */\r\nf(\"s\",`ab`).";
        let expected = ["a", ":-(b(X),,(c(X),d))", "f(\"s\",[97|[98|[]]])"];
        assert_eq!(read_all(text), expected.map(|clause| Ok(clause.to_owned())));
    }

    #[test]
    fn reading_goes_on_behind_a_wrong_clause() {
        let text = "p(a,).\nq(b).\nr(c)\ns(d).\nt(]).\nu('\\q').\nv(x";
        let expected = [
            Err("expected a term, found `)`".to_owned()),
            Ok("q(b)".to_owned()),
            Err("expected an operator or `.`, found `s`".to_owned()),
            Err("expected a term, found `]`".to_owned()),
            Err("`\\q` is not an escape that Prolog knows".to_owned()),
            Err("the text ends in the middle of the clause that begins at line 7: \
                 expected `,` or `)` in the arguments of `v`"
                .to_owned()),
        ];
        assert_eq!(read_all(text), expected);
    }

    #[test]
    fn what_swi_prolog_rejects_is_rejected() {
        for text in [
            "a=b=c.",
            "a:-b:-c.",
            "X = dynamic foo.",
            "a= \\+b.",
            "f(,).",
            "f(|).",
            "[a|b,c].",
            "[a|b|c].",
            "X(a).",
            "foo (a).",
            "f(a)(b).",
            "a.b.",
            "(a , | b).",
            ".5.",
            "f(a b).",
            ")",
            "a",
            "9223372036854775808.",
            "f().",
        ] {
            assert!(read_all(text).iter().any(Result::is_err), "{text}");
        }
    }

    #[test]
    fn double_quotes_mean_what_the_flag_says() {
        let source = Source::new("t", "\"ab\".");
        for (meaning, expected) in [
            (DoubleQuotes::String, "\"ab\""),
            (DoubleQuotes::Codes, "[97|[98|[]]]"),
            (DoubleQuotes::Chars, "[a|[b|[]]]"),
            (DoubleQuotes::Atom, "ab"),
        ] {
            let mut reader = Reader::new(&source);
            reader.set_double_quotes(meaning);
            let mut tree = Tree::default();
            reader.read(&mut tree).unwrap().unwrap();
            assert_eq!(canonical(&tree, tree.root()), expected);
        }
    }

    #[test]
    fn new_operators_are_read_from_the_next_clause_on() {
        let source = Source::new("t", "a ==> b. a ==> b. c !! .");
        let mut reader = Reader::new(&source);
        let mut tree = Tree::default();
        assert!(reader.read(&mut tree).unwrap().is_err());
        reader.operators().add(700, super::super::Fixity::Xfx, "==>");
        reader.read(&mut tree).unwrap().unwrap();
        assert_eq!(canonical(&tree, tree.root()), "==>(a,b)");
        reader.operators().add(200, super::super::Fixity::Yf, "!");
        reader.read(&mut tree).unwrap().unwrap();
        assert_eq!(canonical(&tree, tree.root()), "!(!(c))");
    }

    #[test]
    fn no_nesting_exhausts_the_stack_and_long_lists_are_fine() {
        let n = 1_000_000;
        for open in ["(", "[", "{", "f(", "- ", "a,", "\\+ ", "a:-", "1+", "'"] {
            let text = open.repeat(n);
            assert!(read_all(&text)[0].is_err(), "{open}");
        }
        let text = format!("p([{}1]).", "1,".repeat(300_000));
        let source = Source::new("t", &text);
        let mut tree = Tree::default();
        Reader::new(&source).read(&mut tree).unwrap().unwrap();
        assert_eq!(tree.len(), 600_004);
        let deep = format!("p({}x{}).", "f(".repeat(9_000), ")".repeat(9_000));
        let source = Source::new("t", &deep);
        Reader::new(&source).read(&mut tree).unwrap().unwrap();
    }
}
