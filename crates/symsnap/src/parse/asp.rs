//! The answer-set programs of bias files: facts, rules, constraints and `#defined`, with `not`, comparisons,
//! arithmetic, tuples and `#count`. Everything else of the language is refused with the statement quoted: a statement
//! that is read past in silence would change what is learned.

use super::term::offset;
use super::{
    Ast, AstKind, BiasComparison, CountElement, Dialect, Element, Lexed, Lexer, Span, Statement, Text, Token, TokenKind,
};
use crate::error::{Diagnostic, MAX_ERRORS};
use std::borrow::Cow;

/// How deep terms may nest, operators of one sum included.
const MAX_DEPTH: usize = 100;
/// How many parts one statement may have.
const MAX_ELEMENTS: usize = 200;

const SUPPORTED: &str =
    "a bias file holds facts `p(a).`, rules `p(X) :- q(X).`, constraints `:- q(X), not p(X).` and `#defined p/1.`";

/// Read all statements.
///
/// # Errors
/// All errors of the text, up to [`MAX_ERRORS`], in its order.
pub fn read_answer_set<'s>(source: &Text<'s>) -> Result<Vec<Statement<'s>>, Vec<Diagnostic>> {
    let mut parser =
        Parser { lexer: Lexer::new(source, Dialect::AnswerSet), token: None, depth: 0, elements: 0, end: 0 };
    let mut statements = Vec::new();
    let mut errors = Vec::new();
    while errors.len() < MAX_ERRORS {
        match parser.statement() {
            Ok(Some(statement)) => statements.push(statement),
            Ok(None) => break,
            Err(finding) => {
                errors.push(*finding);
                parser.recover();
            }
        }
    }
    if errors.is_empty() { Ok(statements) } else { Err(errors) }
}

struct Parser<'a, 's> {
    lexer: Lexer<'a, 's>,
    /// The next token, if it is cut already.
    token: Option<Token<'s>>,
    depth: usize,
    elements: usize,
    /// Where the last token taken ends.
    end: u32,
}

impl<'s> Parser<'_, 's> {
    fn peek(&mut self) -> Lexed<&Token<'s>> {
        let token = match self.token.take() {
            Some(token) => token,
            None => self.lexer.next_token()?,
        };
        Ok(self.token.insert(token))
    }

    fn take(&mut self) -> Lexed<Token<'s>> {
        let token = match self.token.take() {
            Some(token) => token,
            None => self.lexer.next_token()?,
        };
        self.end = token.span.end;
        Ok(token)
    }

    /// Go on behind the statement in which an error was found.
    fn recover(&mut self) {
        (self.depth, self.elements) = (0, 0);
        match self.token.take().map(|token| token.kind) {
            Some(TokenKind::End) => {}
            Some(TokenKind::Eof) => self.token = None,
            _ => self.lexer.skip_clause(),
        }
    }

    fn is_symbol(&mut self, symbol: &str) -> Lexed<bool> {
        Ok(self.peek()?.kind == TokenKind::Symbol(symbol))
    }

    fn error(&self, span: Span, message: impl Into<String>, help: impl Into<String>) -> Box<Diagnostic> {
        Box::new(self.lexer.source().error(span, message).with_help(help))
    }

    fn unexpected(&mut self, expected: &str) -> Box<Diagnostic> {
        let token = match self.peek() {
            Ok(token) => token.clone(),
            Err(finding) => return finding,
        };
        let found = token.kind.describe();
        let finding = self.lexer.source().error(token.span, format!("expected {expected}, found {found}"));
        let starts = matches!(token.kind, TokenKind::Name(_) | TokenKind::Eof | TokenKind::Keyword("#defined"));
        if expected.contains("`.`") && (starts || token.kind == TokenKind::Symbol(":-")) {
            return Box::new(finding.with_help("is the `.` missing at the end of the statement?"));
        }
        if expected == "a term" && matches!(token.kind, TokenKind::Keyword(_)) {
            return Box::new(finding.with_help("`#` marks no types or constants here: write the name of the type"));
        }
        finding
    }

    /// Refuse the statement that begins at `start`, quoting it.
    fn unsupported(&mut self, start: u32, what: &str) -> Box<Diagnostic> {
        if !matches!(self.token.as_ref().map(|token| &token.kind), Some(TokenKind::End | TokenKind::Eof)) {
            self.lexer.skip_clause();
        }
        let at = offset(self.lexer.at);
        self.token = Some(Token {
            kind: TokenKind::End,
            span: Span { start: at, end: at },
            layout_before: false,
            applied: false,
        });
        let span = Span { start, end: at };
        let quoted = self.lexer.source().quote(span, 80);
        self.error(span, format!("unsupported statement `{quoted}`: {what}"), SUPPORTED)
    }

    fn statement(&mut self) -> Lexed<Option<Statement<'s>>> {
        self.elements = 0;
        let first = self.peek()?.clone();
        let start = first.span.start;
        let head = match first.kind {
            TokenKind::Eof => return Ok(None),
            TokenKind::Symbol(":-") => None,
            TokenKind::Keyword("#defined") => return self.defined(start).map(Some),
            TokenKind::Keyword(word) => return Err(self.unsupported(start, &format!("`{word}` has no meaning here"))),
            TokenKind::Symbol(":~") => return Err(self.unsupported(start, "weak constraints have no meaning here")),
            TokenKind::OpenBrace => return Err(self.unsupported(start, "choice rules have no meaning here")),
            TokenKind::Symbol("-") => return Err(self.unsupported(start, "classical negation is not supported")),
            _ => {
                let head = self.term()?;
                match self.peek()?.kind {
                    TokenKind::OpenBrace => return Err(self.unsupported(start, "choice rules have no meaning here")),
                    TokenKind::Symbol(";") | TokenKind::Bar => {
                        return Err(self.unsupported(start, "disjunction is not supported"));
                    }
                    _ if is_atom(&head) => Some(head),
                    TokenKind::Open if matches!(head.kind, AstKind::Var(_)) => {
                        let help = "the name of a predicate begins with a small letter";
                        return Err(self.error(head.span, "a statement cannot begin with a variable", help));
                    }
                    _ => return Err(self.error(head.span, "expected a fact, a rule or a constraint", SUPPORTED)),
                }
            }
        };
        let mut body = Vec::new();
        if self.is_symbol(":-")? {
            self.take()?;
            if self.peek()?.kind != TokenKind::End {
                body = self.body(&[";"])?;
            }
        }
        match self.peek()?.kind {
            TokenKind::End => self.take()?,
            _ if body.is_empty() => return Err(self.unexpected("`.` or `:-`")),
            _ => return Err(self.unexpected("`,` or `.`")),
        };
        Ok(Some(Statement::Rule { head, body, span: Span { start, end: self.end } }))
    }

    fn defined(&mut self, start: u32) -> Lexed<Statement<'s>> {
        self.take()?;
        let kinds = [self.take()?.kind, self.take()?.kind, self.take()?.kind];
        if !matches!(kinds, [TokenKind::Name(_), TokenKind::Symbol("/"), TokenKind::Int(_)]) {
            return Err(self.error(Span { start, end: self.end }, "expected `#defined name/arity.`", SUPPORTED));
        }
        match self.peek()?.kind {
            TokenKind::End => self.take()?,
            _ => return Err(self.unexpected("`.`")),
        };
        Ok(Statement::Defined { span: Span { start, end: self.end } })
    }

    /// Elements separated by `,` or one of `separators`.
    fn body(&mut self, separators: &[&str]) -> Lexed<Vec<Element<'s>>> {
        let mut elements = Vec::new();
        loop {
            self.element(&mut elements)?;
            let more = match self.peek()?.kind {
                TokenKind::Comma => true,
                TokenKind::Symbol(symbol) => separators.contains(&symbol),
                _ => false,
            };
            if !more {
                return Ok(elements);
            }
            self.take()?;
        }
    }

    /// One element; a chain of comparisons `0 < X < 3` gives several.
    fn element(&mut self, out: &mut Vec<Element<'s>>) -> Lexed<()> {
        let start = self.peek()?.span;
        self.elements += 1;
        if self.elements > MAX_ELEMENTS {
            let message = format!("a statement of more than {MAX_ELEMENTS} parts");
            return Err(self.error(start, message, "split it into several statements"));
        }
        let negated = self.peek()?.kind == TokenKind::Name("not");
        if negated {
            self.take()?;
            if self.peek()?.kind == TokenKind::Name("not") {
                return Err(self.error(start, "double negation is not supported", "write the atom without `not not`"));
            }
        }
        if matches!(self.peek()?.kind, TokenKind::Keyword(_)) {
            out.push(self.count(negated, None, start.start)?);
            return Ok(());
        }
        let mut left = self.term()?;
        if matches!(self.peek()?.kind, TokenKind::Keyword(_)) {
            out.push(self.count(negated, Some((BiasComparison::LessOrEqual, left)), start.start)?);
            return Ok(());
        }
        let Some(mut comparison) = self.comparison()? else {
            if !is_atom(&left) {
                return Err(self.error(left.span, "expected an atom or a comparison", "as in `p(X)` or `X != 1`"));
            }
            if self.is_symbol(":")? {
                return Err(self.error(left.span, "conditional literals `a : b` are not supported", SUPPORTED));
            }
            out.push(Element::Atom { negated, atom: left });
            return Ok(());
        };
        if matches!(self.peek()?.kind, TokenKind::Keyword(_)) {
            out.push(self.count(negated, Some((comparison, left)), start.start)?);
            return Ok(());
        }
        loop {
            let right = self.term()?;
            let next = self.comparison()?;
            if let (Some(_), true) = (next, negated) {
                return Err(self.error(start, "`not` before a chain of comparisons is not supported", SUPPORTED));
            }
            out.push(Element::Comparison { negated, left, comparison, right: right.clone() });
            match next {
                Some(next) => (left, comparison) = (right, next),
                None => return Ok(()),
            }
        }
    }

    fn comparison(&mut self) -> Lexed<Option<BiasComparison>> {
        let comparison = match self.peek()?.kind {
            TokenKind::Symbol("=" | "==") => BiasComparison::Equal,
            TokenKind::Symbol("!=") => BiasComparison::Unequal,
            TokenKind::Symbol("<") => BiasComparison::Less,
            TokenKind::Symbol("<=") => BiasComparison::LessOrEqual,
            TokenKind::Symbol(">") => BiasComparison::Greater,
            TokenKind::Symbol(">=") => BiasComparison::GreaterOrEqual,
            _ => return Ok(None),
        };
        let first = self.take()?;
        // `<>` is an old `!=`; `=<` and the like are Prolog.
        let next = self.peek()?.clone();
        match (&first.kind, &next.kind) {
            (TokenKind::Symbol("<"), TokenKind::Symbol(">")) if !next.layout_before => {
                self.take()?;
                Ok(Some(BiasComparison::Unequal))
            }
            (TokenKind::Symbol("="), TokenKind::Symbol("<")) if !next.layout_before => {
                let span = Span { start: first.span.start, end: next.span.end };
                Err(self.error(span, "`=<` is not a comparison of bias files", "write `<=`"))
            }
            _ => Ok(Some(comparison)),
        }
    }

    fn count(&mut self, negated: bool, left: Option<(BiasComparison, Ast<'s>)>, start: u32) -> Lexed<Element<'s>> {
        let word = self.take()?;
        if word.kind != TokenKind::Keyword("#count") {
            let name = self.lexer.source().quote(word.span, 30);
            return Err(self.error(word.span, format!("`{name}` is not supported"), "the only aggregate is `#count`"));
        }
        if self.peek()?.kind != TokenKind::OpenBrace {
            return Err(self.unexpected("`{` after `#count`"));
        }
        self.take()?;
        let mut elements = Vec::new();
        while self.peek()?.kind != TokenKind::CloseBrace {
            let start = self.peek()?.span.start;
            let mut tuple = Vec::new();
            if !self.is_symbol(":")? {
                tuple.push(self.term()?);
                while self.peek()?.kind == TokenKind::Comma {
                    self.take()?;
                    tuple.push(self.term()?);
                }
            }
            let mut condition = Vec::new();
            if self.is_symbol(":")? {
                self.take()?;
                if !matches!(self.peek()?.kind, TokenKind::CloseBrace | TokenKind::Symbol(";")) {
                    condition = self.body(&[])?;
                }
            }
            elements.push(CountElement { tuple, condition, span: Span { start, end: self.end } });
            if self.is_symbol(";")? {
                self.take()?;
            } else if self.peek()?.kind != TokenKind::CloseBrace {
                return Err(self.unexpected("`,`, `;` or `}` in `#count`"));
            }
        }
        self.take()?;
        let right = match self.comparison()? {
            Some(comparison) => Some((comparison, self.term()?)),
            None => match self.peek()?.kind {
                TokenKind::Int(_) | TokenKind::Var(_) | TokenKind::Open | TokenKind::Name(_) => {
                    Some((BiasComparison::LessOrEqual, self.term()?))
                }
                _ => None,
            },
        };
        Ok(Element::Count { negated, left, elements, right, span: Span { start, end: self.end } })
    }

    fn term(&mut self) -> Lexed<Ast<'s>> {
        self.operation(&["+", "-"])
    }

    /// A chain of operators of one level, grouped from the left.
    fn operation(&mut self, operators: &[&'static str]) -> Lexed<Ast<'s>> {
        let operand =
            |parser: &mut Self| if operators[0] == "+" { parser.operation(&["*", "/", "\\"]) } else { parser.unary() };
        let mut left = operand(self)?;
        let outside = self.depth;
        loop {
            let operator = match self.peek()?.kind {
                TokenKind::Symbol(symbol) => operators.iter().find(|operator| **operator == symbol),
                _ => None,
            };
            if self.is_symbol("..")? {
                let span = self.peek()?.span;
                return Err(self.error(span, "intervals `1..3` are not supported", "write one fact for each number"));
            }
            let Some(operator) = operator else { break };
            self.take()?;
            self.deeper(left.span)?;
            let right = operand(self)?;
            let span = Span { start: left.span.start, end: right.span.end };
            left = Ast { kind: AstKind::Compound(Cow::Borrowed(operator), vec![left, right]), span };
        }
        self.depth = outside;
        Ok(left)
    }

    fn deeper(&mut self, span: Span) -> Lexed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(span, format!("a term nested more than {MAX_DEPTH} deep"), "use a simpler term"));
        }
        Ok(())
    }

    fn unary(&mut self) -> Lexed<Ast<'s>> {
        if !self.is_symbol("-")? {
            return self.primary();
        }
        let minus = self.take()?.span;
        self.deeper(minus)?;
        let operand = self.unary()?;
        self.depth -= 1;
        let span = Span { start: minus.start, end: operand.span.end };
        let kind = match operand.kind {
            AstKind::Int(value) => AstKind::Int(-value),
            // The minus of a name is part of it: `-ring` is another constant than `ring`.
            AstKind::Atom(name) if !name.is_empty() => AstKind::Atom(format!("-{name}").into()),
            _ => AstKind::Compound(Cow::Borrowed("-"), vec![Ast { kind: AstKind::Int(0), span: minus }, operand]),
        };
        Ok(Ast { kind, span })
    }

    fn primary(&mut self) -> Lexed<Ast<'s>> {
        let token = self.peek()?.clone();
        let kind = match token.kind {
            TokenKind::Var(name) => AstKind::Var(name),
            TokenKind::Int(value) => AstKind::Int(value),
            TokenKind::Float(value) => AstKind::Float(value),
            TokenKind::Str(text) => AstKind::Str(text),
            TokenKind::Name("not") => return Err(self.unexpected("a term")),
            TokenKind::Name(name) => return self.application(Cow::Borrowed(name)),
            TokenKind::Quoted(name) if !name.is_empty() => return self.application(name),
            TokenKind::Open => return self.parenthesised(),
            TokenKind::Big(_) => {
                return Err(self.error(token.span, "this integer is too big", "integers have 64 bits"));
            }
            _ => return Err(self.unexpected("a term")),
        };
        self.take()?;
        Ok(Ast { kind, span: token.span })
    }

    fn application(&mut self, name: Cow<'s, str>) -> Lexed<Ast<'s>> {
        let start = self.take()?.span.start;
        if self.peek()?.kind != TokenKind::Open {
            return Ok(Ast { kind: AstKind::Atom(name), span: Span { start, end: self.end } });
        }
        let (args, trailing) = self.arguments()?;
        if trailing {
            let span = Span { start: self.end - 1, end: self.end };
            return Err(self.error(
                span,
                "unexpected `)` after `,`",
                "a tuple of one has its own parentheses: `p((a,))`",
            ));
        }
        let kind = if args.is_empty() { AstKind::Atom(name) } else { AstKind::Compound(name, args) };
        Ok(Ast { kind, span: Span { start, end: self.end } })
    }

    /// `(a)` is `a`, `(a,)` a tuple of one, `(a,b)` of two.
    fn parenthesised(&mut self) -> Lexed<Ast<'s>> {
        let start = self.peek()?.span.start;
        let (mut args, trailing) = self.arguments()?;
        let span = Span { start, end: self.end };
        if args.len() == 1 && !trailing {
            return Ok(Ast { span, ..args.remove(0) });
        }
        let kind =
            if args.is_empty() { AstKind::Atom(Cow::Borrowed("")) } else { AstKind::Compound(Cow::Borrowed(""), args) };
        Ok(Ast { kind, span })
    }

    /// Terms in parentheses, and whether the last has a comma behind it.
    fn arguments(&mut self) -> Lexed<(Vec<Ast<'s>>, bool)> {
        let open = self.take()?.span;
        self.deeper(open)?;
        let mut args = Vec::new();
        let mut trailing = false;
        while self.peek()?.kind != TokenKind::Close {
            args.push(self.term()?);
            trailing = self.peek()?.kind == TokenKind::Comma;
            if trailing {
                self.take()?;
            } else if self.is_symbol(";")? {
                let span = self.peek()?.span;
                return Err(self.error(span, "pools `(a;b)` are not supported", "write one statement for each"));
            } else if self.peek()?.kind != TokenKind::Close {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        self.take()?;
        self.depth -= 1;
        Ok((args, trailing))
    }
}

/// Whether the term can stand as an atom: a name, applied or not, that is neither a tuple nor arithmetic.
fn is_atom(term: &Ast<'_>) -> bool {
    match &term.kind {
        AstKind::Atom(name) => !name.is_empty(),
        AstKind::Compound(name, _) => !name.is_empty() && !["+", "-", "*", "/", "\\"].contains(&&**name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Statement<'_>> {
        read_answer_set(&Text::new("t", text)).unwrap_or_else(|errors| panic!("{errors:?}"))
    }

    /// A term as text that shows its structure: tuples in angle brackets.
    fn show(term: &Ast<'_>) -> String {
        match &term.kind {
            AstKind::Var(name) => (*name).to_owned(),
            AstKind::Int(value) => value.to_string(),
            AstKind::Float(value) => value.to_string(),
            AstKind::Atom(name) => {
                if name.is_empty() {
                    "<>".to_owned()
                } else {
                    name.to_string()
                }
            }
            AstKind::Str(text) => format!("{text:?}"),
            AstKind::Compound(name, args) => {
                let args: Vec<String> = args.iter().map(show).collect();
                if name.is_empty() { format!("<{}>", args.join(",")) } else { format!("{name}({})", args.join(",")) }
            }
        }
    }

    fn show_element(element: &Element<'_>) -> String {
        let not = |negated: &bool| if *negated { "not " } else { "" };
        let guard = |guard: &Option<(BiasComparison, Ast<'_>)>| match guard {
            Some((comparison, term)) => format!("{comparison:?} {}", show(term)),
            None => String::new(),
        };
        match element {
            Element::Atom { negated, atom } => format!("{}{}", not(negated), show(atom)),
            Element::Comparison { negated, left, comparison, right } => {
                format!("{}{} {comparison:?} {}", not(negated), show(left), show(right))
            }
            Element::Count { negated, left, elements, right, .. } => {
                let elements = elements.iter().map(|element| {
                    let tuple: Vec<String> = element.tuple.iter().map(show).collect();
                    let condition: Vec<String> = element.condition.iter().map(show_element).collect();
                    format!("{} if {}", tuple.join(","), condition.join(" & "))
                });
                let elements: Vec<String> = elements.collect();
                format!("{}[{}] count({}) [{}]", not(negated), guard(left), elements.join(" or "), guard(right))
            }
        }
    }

    fn shown(text: &str) -> Vec<String> {
        let statements = read(text);
        let show_one = |statement: &Statement<'_>| match statement {
            Statement::Rule { head, body, .. } => {
                let body: Vec<String> = body.iter().map(show_element).collect();
                format!("{} <- {}", head.as_ref().map(show).unwrap_or_default(), body.join(" & "))
            }
            Statement::Defined { .. } => "defined".to_owned(),
        };
        statements.iter().map(show_one).collect()
    }

    #[test]
    fn tuples_of_one_have_a_comma_and_parentheses_alone_mean_nothing() {
        assert_eq!(
            shown("type(p,(a,)). type(p,(a)). type(p,(a,b)). type(p,()). non_datalog. d(-3,-a)."),
            [
                "type(p,<a>) <- ",
                "type(p,a) <- ",
                "type(p,<a,b>) <- ",
                "type(p,<>) <- ",
                "non_datalog <- ",
                "d(-3,-a) <- "
            ]
        );
    }

    #[test]
    fn bodies_are_separated_by_commas_or_semicolons() {
        let expected = ["p(X) <- q(X) & not r(X,_) & X Unequal 0 & X Less +(Y,1)"];
        assert_eq!(shown("p(X) :- q(X), not r(X,_), X != 0, X < Y+1."), expected);
        assert_eq!(shown("p(X):-q(X);not r(X,_);X!=0;X<(Y+1)."), expected);
    }

    #[test]
    fn comparisons_chain_and_arithmetic_groups_from_the_left() {
        assert_eq!(shown(":- 0 < X <= 3."), [" <- 0 Less X & X LessOrEqual 3"]);
        assert_eq!(shown(":- X == 1-2-3*4, not X >= Y."), [" <- X Equal -(-(1,2),*(3,4)) & not X GreaterOrEqual Y"]);
        assert_eq!(shown(":- X <> 2."), [" <- X Unequal 2"]);
    }

    #[test]
    fn counts_have_guards_on_either_side_and_several_elements() {
        assert_eq!(
            shown(":- clause(C), 1 != #count{ V : var_type(C,V,ex) }."),
            [" <- clause(C) & [Unequal 1] count(V if var_type(C,V,ex)) []"]
        );
        assert_eq!(
            shown(":- not 1 < #count{P,V : b(P,V), V != 0; X : c(X)} <= N."),
            [" <- not [Less 1] count(P,V if b(P,V) & V Unequal 0 or X if c(X)) [LessOrEqual N]"]
        );
        assert_eq!(shown(":- 2 #count{V : b(V)} 3."), [" <- [LessOrEqual 2] count(V if b(V)) [LessOrEqual 3]"]);
    }

    #[test]
    fn comments_and_definitions_are_read_over() {
        assert_eq!(shown("% no.\n#defined p/2. %* a. b. *% q."), ["defined", "q <- "]);
    }

    #[test]
    fn errors_are_collected_statement_by_statement() {
        let text = "a(. b(1). c d. e. {f}. g :- . h(";
        let errors = read_answer_set(&Text::new("t", text)).unwrap_err();
        let places: Vec<String> =
            errors.iter().map(|error| error.location.as_ref().unwrap().column.to_string()).collect();
        assert_eq!(places, ["3", "13", "19", "33"]);
    }
}
