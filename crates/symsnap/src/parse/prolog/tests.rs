//! What the reader makes of text, and what it says of text it cannot read.

use super::super::{CONS, Form};
use super::*;

/// The term in canonical notation, as `write_canonical/1` of SWI-Prolog prints it (but for quotes).
fn canonical(tree: &Tree<'_>, node: NodeId) -> String {
    match tree.form(node) {
        Form::Var(name) => name.to_owned(),
        Form::Int(value) => value.to_string(),
        Form::Big(value) => value.to_string(),
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
    let source = Text::new("t", text);
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
        "f().",
    ] {
        assert!(read_all(text).iter().any(Result::is_err), "{text}");
    }
}

#[test]
fn double_quotes_mean_what_the_flag_says() {
    let source = Text::new("t", "\"ab\".");
    for (meaning, expected) in [
        (DoubleQuotes::String, "\"ab\""),
        (DoubleQuotes::Codes, "[97|[98|[]]]"),
        (DoubleQuotes::Chars, "[a|[b|[]]]"),
        (DoubleQuotes::Atom, "ab"),
    ] {
        let mut reader = Reader::new(&source);
        reader.set_double_quotes(meaning);
        let mut tree = Tree::default();
        reader.read(&mut tree).expect("a clause").expect("which is well formed");
        assert_eq!(canonical(&tree, tree.root()), expected);
    }
}

#[test]
fn new_operators_are_read_from_the_next_clause_on() {
    let source = Text::new("t", "a ==> b. a ==> b. c !! .");
    let mut reader = Reader::new(&source);
    let mut tree = Tree::default();
    assert!(reader.read(&mut tree).expect("a clause").is_err());
    reader.operators().add(700, super::super::Fixity::Xfx, "==>");
    reader.read(&mut tree).expect("a clause").expect("which is well formed");
    assert_eq!(canonical(&tree, tree.root()), "==>(a,b)");
    reader.operators().add(200, super::super::Fixity::Yf, "!");
    reader.read(&mut tree).expect("a clause").expect("which is well formed");
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
    let source = Text::new("t", &text);
    let mut tree = Tree::default();
    Reader::new(&source).read(&mut tree).expect("a clause").expect("which is well formed");
    assert_eq!(tree.len(), 600_004);
    let deep = format!("p({}x{}).", "f(".repeat(9_000), ")".repeat(9_000));
    let source = Text::new("t", &deep);
    Reader::new(&source).read(&mut tree).expect("a clause").expect("which is well formed");
}
