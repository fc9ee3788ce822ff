//! What is printed reads back as the same term: for every ground term, `Terms::show` and the reader are inverse.

use proptest::prelude::*;
use symsnap::internals::task::{Definition, Program};
use symsnap::{TermId, Terms, Text};

/// A term to be interned.
#[derive(Debug, Clone)]
enum Made {
    Int(i64),
    Float(f64),
    Atom(String),
    Str(String),
    Nil,
    List(Vec<Made>, Option<Box<Made>>),
    Compound(String, Vec<Made>),
}

fn intern(made: &Made, terms: &mut Terms) -> TermId {
    match made {
        Made::Int(value) => terms.int(*value),
        Made::Float(value) => terms.float(*value),
        Made::Atom(name) => terms.atom_named(name),
        Made::Str(content) => terms.string(content),
        Made::Nil => terms.nil(),
        Made::List(items, tail) => {
            let items: Vec<TermId> = items.iter().map(|item| intern(item, terms)).collect();
            let mut list = match tail {
                Some(tail) => intern(tail, terms),
                None => terms.nil(),
            };
            for &item in items.iter().rev() {
                list = terms.cell(item, list);
            }
            list
        }
        Made::Compound(name, arguments) => {
            let arguments: Vec<TermId> = arguments.iter().map(|argument| intern(argument, terms)).collect();
            let functor = terms.intern(name);
            terms.compound(functor, &arguments)
        }
    }
}

fn name() -> impl Strategy<Value = String> {
    let special = [
        "",
        "[]",
        "{}",
        "[|]",
        ",",
        "|",
        ";",
        "!",
        ".",
        "-",
        "+",
        "/*",
        "%",
        ":-",
        "dynamic",
        "mod",
        "is",
        "\\+",
        "a b",
        "X",
        "_",
        "it's",
        "\\",
        "\n",
        "\t",
        "\u{0}",
        "é",
        "É",
        "日本",
        "→",
        "'",
        "\"",
        "`",
        "0",
        "1a",
        "end_of_file",
        "#",
        "pos",
        "-->",
        "\u{feff}",
        "\u{a0}",
        "ª",
        "²",
        "ǅ",
    ];
    prop_oneof![
        4 => "[a-z][a-zA-Z0-9_]{0,6}",
        2 => "[-+*/\\\\^<>=~:.?@#&$]{1,3}",
        2 => prop::sample::select(special.to_vec()).prop_map(str::to_owned),
        1 => ".{0,6}",
        1 => any::<String>(),
    ]
}

fn made() -> impl Strategy<Value = Made> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(Made::Int),
        (-20i64..20).prop_map(Made::Int),
        any::<f64>().prop_map(Made::Float),
        (-100i32..100).prop_map(|value| Made::Float(f64::from(value) / 8.0)),
        name().prop_map(Made::Atom),
        name().prop_map(Made::Str),
        Just(Made::Nil),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let items = prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            (items.clone(), prop::option::of(inner.prop_map(Box::new)))
                .prop_map(|(items, tail)| Made::List(items, tail)),
            (name(), items).prop_map(|(name, arguments)| Made::Compound(name, arguments)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn a_printed_ground_term_reads_back_as_itself(made in made()) {
        let mut terms = Terms::default();
        let id = intern(&made, &mut terms);
        let text = format!("p({}).", terms.show(id));
        let program = Program::read(&Text::new("printed", &text), &mut terms);
        let program = program.map_err(|error| TestCaseError::fail(format!("{text}\n{error}")))?;
        let Definition::Facts(facts) = &program.predicates()[0].definition else { panic!("a ground fact") };
        prop_assert_eq!(facts.get(0, 0), id, "{} reads as {}", &text, terms.show(facts.get(0, 0)));
    }
}

#[test]
fn the_deepest_terms_that_can_be_read_print_and_compare() {
    let deep = |leaf: &str| format!("p({}{leaf}{}).", "f(".repeat(9_990), ")".repeat(9_990));
    let mut terms = Terms::default();
    let text = deep("a") + "\n" + &deep("b");
    let program = Program::read(&Text::new("deep", &text), &mut terms).unwrap();
    let Definition::Facts(facts) = &program.predicates()[0].definition else { panic!("ground facts") };
    let column: Vec<TermId> = facts.column(0).collect();
    assert_eq!(format!("p({}).", terms.show(column[0])), deep("a"));
    assert_eq!(terms.compare(column[0], column[1]), std::cmp::Ordering::Less);
}
