//! Declarations of Aleph, which are recognised so that the message can say how they are written here.
//!
//! They are looked for only where something is wrong already (a directive that is not allowed, a clause that cannot be
//! read) and in bias files, where `:- modeb(...)` would otherwise be read as a constraint.

use crate::error::Diagnostic;
use crate::parse::{Dialect, Lexer, Span, Text, Token, TokenKind};

/// The names of Aleph's declarations.
const NAMES: [&str; 12] = [
    "modeh",
    "modeb",
    "mode",
    "determination",
    "set",
    "setting",
    "aleph",
    "aleph_set",
    "begin_bg",
    "end_bg",
    "begin_in_pos",
    "begin_in_neg",
];

/// Tokens looked at; a mode declaration has far fewer.
const MOST_TOKENS: usize = 400;

/// The statement that begins at `from`, if it is a declaration of Aleph: an error that says how it is written here.
pub(super) fn declaration(source: &Text<'_>, from: usize) -> Option<Box<Diagnostic>> {
    let rest = Text::new(source.name.clone(), source.text.get(from..)?);
    let mut lexer = Lexer::new(&rest, Dialect::Prolog);
    let mut tokens: Vec<Token<'_>> = Vec::new();
    while tokens.len() < MOST_TOKENS {
        let token = lexer.next_token().ok()?;
        if matches!(token.kind, TokenKind::End | TokenKind::Eof) {
            break;
        }
        tokens.push(token);
    }
    let [
        Token { kind: TokenKind::Symbol(":-"), span: first, .. },
        Token { kind: TokenKind::Name(name), .. },
        arguments @ ..,
    ] = &tokens[..]
    else {
        return None;
    };
    // A constraint of a bias file may begin with an atom of that name, but goes on behind it.
    if !NAMES.contains(name) || !is_one_atom(arguments) {
        return None;
    }
    let offset = u32::try_from(from).ok()?;
    let last = tokens.last().map_or(first.end, |token| token.span.end);
    let span = Span { start: first.start + offset, end: last + offset };
    let what = match *name {
        "modeh" | "modeb" | "mode" => "a mode declaration",
        "determination" => "a determination",
        _ => "a setting",
    };
    let message = format!("`{}` is {what} of Aleph", source.quote(span, 80));
    Some(Box::new(source.error(span, message).with_help(help(name, arguments))))
}

/// Whether the tokens behind a name are its arguments and nothing else.
fn is_one_atom(arguments: &[Token<'_>]) -> bool {
    let mut depth = 0usize;
    for (at, token) in arguments.iter().enumerate() {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1 == arguments.len();
        }
    }
    arguments.is_empty()
}

fn help(name: &str, arguments: &[Token<'_>]) -> String {
    match name {
        "modeh" | "modeb" | "mode" => match Mode::read(arguments) {
            Some(mode) => mode.written_here(if name == "modeh" { "head_pred" } else { "body_pred" }),
            None => "in bias.pl a mode is written `body_pred(p,2). type(p,(a,b)). direction(p,(in,out)).`, with head_pred for \
                     the predicate to learn"
                .to_owned(),
        },
        "determination" => {
            "remove it: every predicate that bias.pl declares with body_pred may be used in rules".to_owned()
        }
        "set" | "setting" | "aleph_set" => {
            "remove it: limits are `max_vars(6).` and `max_body(6).` in bias.pl, others are options of `symsnap learn`"
                .to_owned()
        }
        _ => "remove it: background, examples and bias are files of their own, bk.pl, exs.pl and bias.pl".to_owned(),
    }
}

/// `(Recall, p(+a,-b,#c))`, with the marks and types of the arguments.
struct Mode<'t> {
    name: &'t str,
    arguments: Vec<(char, &'t str)>,
}

impl<'t> Mode<'t> {
    fn read(tokens: &'t [Token<'t>]) -> Option<Self> {
        let mut kinds = tokens.iter().map(|token| &token.kind);
        let mut next = || kinds.next();
        (next()? == &TokenKind::Open).then_some(())?;
        // The recall, a number or `*`, means nothing here.
        next()?;
        (next()? == &TokenKind::Comma).then_some(())?;
        let TokenKind::Name(name) = next()? else { return None };
        let mut arguments = Vec::new();
        match next()? {
            TokenKind::Close => return Some(Mode { name, arguments }),
            TokenKind::Open => {}
            _ => return None,
        }
        loop {
            let mark = match next()? {
                TokenKind::Symbol("+") => '+',
                TokenKind::Symbol("-") => '-',
                TokenKind::Symbol("#") => '#',
                _ => return None,
            };
            let TokenKind::Name(kind) = next()? else { return None };
            arguments.push((mark, *kind));
            match next()? {
                TokenKind::Comma => {}
                TokenKind::Close => return Some(Mode { name, arguments }),
                _ => return None,
            }
        }
    }

    /// The same in the words of a bias file.
    fn written_here(&self, declaration: &str) -> String {
        let tuple = |words: Vec<&str>| match &words[..] {
            [one] => format!("({one},)"),
            several => format!("({})", several.join(",")),
        };
        let name = self.name;
        let mut text = format!("in bias.pl it is written `{declaration}({name},{}).", self.arguments.len());
        if !self.arguments.is_empty() {
            let types = tuple(self.arguments.iter().map(|argument| argument.1).collect());
            let ways =
                tuple(self.arguments.iter().map(|argument| if argument.0 == '-' { "out" } else { "in" }).collect());
            text += &format!(" type({name},{types}). direction({name},{ways}).");
        }
        text.push('`');
        if self.arguments.iter().any(|argument| argument.0 == '#') {
            text += "; rules hold no constants, which `#` asks for: give each constant a predicate of its own in bk.pl";
        }
        text
    }
}

/// All declarations of Aleph in a bias file.
pub(super) fn declarations(source: &Text<'_>) -> Vec<Diagnostic> {
    // A file without any of the names has no such declaration; with one, the lexer decides.
    if !NAMES.iter().any(|name| source.text.contains(name)) {
        return Vec::new();
    }
    let mut lexer = Lexer::new(source, Dialect::AnswerSet);
    let mut found = Vec::new();
    loop {
        match lexer.next_token() {
            Ok(Token { kind: TokenKind::Eof, .. }) => return found,
            Ok(Token { kind: TokenKind::End, .. }) => continue,
            Ok(Token { kind: TokenKind::Symbol(":-"), span, .. }) => {
                found.extend(declaration(source, span.start as usize).map(|finding| *finding));
            }
            Ok(_) | Err(_) => {}
        }
        lexer.skip_clause();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Task;
    use crate::error::Error;

    fn errors(bk: &str, bias: &str) -> Vec<String> {
        match Task::from_texts(bk, "pos(f(a)).", bias) {
            Err(Error::Input(findings)) => findings.iter().map(ToString::to_string).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn modes_are_recognised_in_both_files_and_written_as_they_are_here() {
        let modes = ":- modeh(1,eastbound(+train)).\n:- modeb(*,has_car(+train,-car)).\n:- modeb(1,colour(+car,#colour)).\n\
            :- determination(eastbound/1,has_car/2).\n:- set(i,2).\n:- modeb(1, odd).\n:- modeb(1, f(g(+a))).";
        let helps = [
            "`:- modeh(1,eastbound(+train))` is a mode declaration of Aleph|in bias.pl it is written \
             `head_pred(eastbound,1). type(eastbound,(train,)). direction(eastbound,(in,)).`",
            "`:- modeb(*,has_car(+train,-car))` is a mode declaration of Aleph|in bias.pl it is written `body_pred(has_car,2). \
             type(has_car,(train,car)). direction(has_car,(in,out)).`",
            "`:- modeb(1,colour(+car,#colour))` is a mode declaration of Aleph|in bias.pl it is written `body_pred(colour,2). \
             type(colour,(car,colour)). direction(colour,(in,in)).`; rules hold no constants, which `#` asks for: give each \
             constant a predicate of its own in bk.pl",
            "`:- determination(eastbound/1,has_car/2)` is a determination of Aleph|remove it: every predicate that bias.pl \
             declares with body_pred may be used in rules",
            "`:- set(i,2)` is a setting of Aleph|remove it: limits are `max_vars(6).` and `max_body(6).` in bias.pl, others are \
             options of `symsnap learn`",
            "`:- modeb(1, odd)` is a mode declaration of Aleph|in bias.pl it is written `body_pred(odd,0).`",
            "`:- modeb(1, f(g(+a)))` is a mode declaration of Aleph|in bias.pl a mode is written `body_pred(p,2). \
             type(p,(a,b)). direction(p,(in,out)).`, with head_pred for the predicate to learn",
        ];
        for (bk, bias, file) in [("p(a).", modes, "bias.pl"), (modes, "head_pred(f,1). body_pred(p,1).", "bk.pl")] {
            let found = errors(bk, bias);
            assert_eq!(found.len(), helps.len(), "{found:#?}");
            for (at, (found, expected)) in found.iter().zip(helps).enumerate() {
                let (message, help) = expected.split_once('|').unwrap();
                assert!(found.starts_with(&format!("{file}:{}:1: error: {message}\n", at + 1)), "{found}");
                assert!(found.ends_with(&format!("\n  help: {help}")), "{found}");
            }
        }
    }

    #[test]
    fn constraints_and_comments_that_mention_aleph_are_left_alone() {
        let bias = "% :- modeh(1,f(+t)).\nhead_pred(f,1). body_pred(p,1). set(a).\n:- set(b), body_literal(_,p,1,_).";
        Task::from_texts("p(a).", "pos(f(a)).", bias).unwrap();
    }
}
