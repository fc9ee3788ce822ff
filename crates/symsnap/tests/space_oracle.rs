//! The space of random small biases, as our enumerator gives it and as clingo does by an encoding of its own
//! (tests/clingo/space.py): the same set of rules, up to renaming. Skipped, and counted, without Python's clingo module.
#![allow(clippy::unwrap_used)]

mod skip;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use symsnap::internals::logic::canonical_rule;
use symsnap::internals::space::Space;
use symsnap::{Bias, Literal, Pred, Rule, Terms, Text};

/// How many biases are compared; SYMSNAP_CASES asks for more.
const CASES: u64 = 60;

/// Constraints and the like in the forms of CONSTRUCTS.md. `P`, `Q` and `R` stand for predicates of one, two and
/// three arguments.
const STATEMENTS: &[&str] = &[
    ":- clause(C), #count{V : var_type(C,V,a)} != 1.",
    ":- clause(C), 1 != #count{V : clause_var(C,V), var_type(C,V,b)}.",
    ":- clause(C), 3 >= #count{V : clause_var(C,V)}.",
    ":- clause(C); 2 < #count{V : body_var(C,V)}.",
    ":- not body_var(_,1).",
    ":- not body_var(_,2).",
    ":- body_literal(Rule,Q,_,(A,B)), body_literal(Rule,X,_,(B,)), constant(X,t).",
    ":- body_literal(Rule,Q,_,(A,B)), body_literal(Rule,X,_,(A,)), body_literal(Rule,Y,_,(B,)), X != Y.",
    ":- body_literal(Rule,R,_,(A,_,_)), body_literal(Rule,P,_,(A,)).",
    ":- body_literal(Rule,R,_,(A,B,C)), body_literal(Rule,Q,_,(A,C)).",
    ":- body_literal(Rule,P,_,(B,)), head_literal(Rule,f,_,(B,_)).",
    ":- body_literal(Rule,P,_,(B,)), head_literal(Rule,f,_,(B,)).",
    ":- body_literal(0,_,2,_).",
    ":- body_literal(1,P,_,_).",
    "only_once(Q). :- only_once(X); clause(C); 1 < #count{Vars: body_literal(C,X,A,Vars)}.",
    ":- not body_literal(0,Q,2,(0,2)).",
    ":- not body_literal(0,Q,2,(1,2)).",
    ":- not body_literal(0,P,_,_).",
    ":- body_literal(Cl,X,_,(A,B)); body_literal(Cl,Y,_,(C,D)); X != Y; A = C.",
    ":- body_literal(Cl,X,_,(A,B)); body_literal(Cl,Y,_,(C,D)); A != C; B = D.",
    ":- body_literal(Cl,_,_,(A,B)); A != 0; B != 1; B != (A+1).",
    ":- body_literal(_,Q,_,(A,B)); A > B.",
    ":- clause_var(Clause,Var); 2 != #count{X,Vars: var_in_literal(Clause,X,Vars,Var)}.",
    ":- not body_size(C,1); body_literal(C,_,_,(0,B)); B != 2.",
    ":- body_size(C,N), N >= 2, not body_literal(C,Q,2,(0,1)).",
    "bad_body(Q,Vars) :- vars(_,Vars), Vars = (A,_), A != 0.",
    "bad_body(R,Vars) :- vars(_,Vars), Vars = (A,_,_), A != 0.",
    "tmp(Q). bad_body(X,A,Vars) :- tmp(X), body_pred(X,A), var_pos(Var,Vars,0), Var != 0.",
    "bad_body(X,A,Vars) :- X = Q, vars(A,Vars), Vars = (Y,_), Y != 0.",
    "chain(C) :- body_literal(C,X,2,(0,2)), body_literal(C,Y,2,(2,_)), low(X,Y). low(X,Y) :- head_aux(X,_), Y = X.
     low(X,Y) :- body_pred(X,_), body_pred(Y,_), not head_aux(Y,_). :- clause(C), not chain(C).",
    ":- clause(C), N = #count{V : body_var(C,V)}, N > 2, not body_literal(C,P,_,_).",
    ":- clause(C), 1 #count{V : body_var(C,V), V > 0; X : body_literal(C,X,1,_)} 2.",
    ":- body_literal(C,Q,_,T), body_literal(C,Q,_,U), T < U.",
    ":- body_literal(C,Q,_,(A,B)), not body_literal(C,Q,_,(B,A)).",
];

/// The random numbers of SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    fn tuple(&mut self, of: &[&str], length: u64) -> String {
        let items: Vec<&str> = (0..length).map(|_| of[self.below(of.len() as u64) as usize]).collect();
        format!("({},)", items.join(",")).replace(",)", if length == 1 { ",)" } else { ")" })
    }
}

fn random_bias(random: &mut Random) -> String {
    let head = 1 + random.below(2);
    let mut preds = vec![("p", 1), ("q", 2)];
    match random.below(4) {
        0 => preds.push(("r", 3)),
        1 => preds.push(("s", 2)),
        2 => preds.push(("t", 1)),
        _ => {}
    }
    let max_vars = 2 + random.below(3).max(preds.iter().any(|pred| pred.1 == 3) as u64);
    let max_body = 1 + random.below(3);
    let mut text = format!("head_pred(f,{head}). max_vars({max_vars}). max_body({max_body}). constant(p,t).\n");
    if random.below(4) == 0 {
        text.push_str("non_datalog.\n");
    }
    let (typed, directed) = (random.below(2) == 0, random.below(3) == 0);
    for (name, arity) in preds.iter().copied().chain([("f", head)]) {
        if name != "f" {
            text.push_str(&format!("body_pred({name},{arity}).\n"));
        }
        if typed && random.below(4) > 0 {
            text.push_str(&format!("type({name},{}).\n", random.tuple(&["a", "b"], arity)));
        }
        if directed && random.below(4) > 0 {
            text.push_str(&format!("direction({name},{}).\n", random.tuple(&["in", "out"], arity)));
        }
    }
    for _ in 0..random.below(3) {
        let statement = STATEMENTS[random.below(STATEMENTS.len() as u64) as usize];
        for word in statement.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
            let (name, rest) = word.split_at(word.len() - word.ends_with(|c: char| !c.is_alphanumeric()) as usize);
            text.push_str(match name {
                "P" => "p",
                "Q" => "q",
                "R" => "r",
                other => other,
            });
            text.push_str(rest);
        }
        text.push('\n');
    }
    text
}

fn ours(text: &str, terms: &mut Terms) -> BTreeSet<Rule> {
    let (bias, _) = Bias::read(&Text::new("bias.pl", text), terms).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let space = Space::of(&bias);
    let all: Vec<Rule> = space.enumerate(bias.max_body + 1).collect();
    let set: BTreeSet<Rule> = all.iter().cloned().collect();
    assert_eq!(all.len(), set.len(), "the enumerator repeats itself\n{text}");
    // Once more than allowed: a violation that is called final must be.
    for rule in &set {
        assert!(!space.violates_monotone(rule), "{} violates for ever\n{text}", rule.show(terms));
        for at in 0..rule.body.len() {
            let mut less = rule.clone();
            less.body.remove(at);
            assert!(!space.violates_monotone(&less), "{} violates for ever\n{text}", less.show(terms));
        }
    }
    set
}

fn clingos(python: &str, text: &str, terms: &mut Terms) -> BTreeSet<Rule> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clingo/space.py");
    let mut child = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "clingo failed on\n{text}");
    let head: u8 = text.split("head_pred(f,").nth(1).unwrap()[..1].parse().unwrap();
    let f = terms.intern("f");
    let head = Literal::over(Pred::new(f, u32::from(head)), &(0..head).collect::<Vec<u8>>());
    let mut rules = BTreeSet::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let body = line.split(' ').map(|literal| {
            let (name, args) = literal.trim_end_matches(')').split_once('(').unwrap();
            let vars: Vec<u8> = args.split(',').map(|var| var.parse().unwrap()).collect();
            Literal::over(Pred::new(terms.intern(name), vars.len() as u32), &vars)
        });
        rules.insert(canonical_rule(&Rule { head: head.clone(), body: body.collect() }));
    }
    rules
}

#[test]
fn the_space_is_the_set_of_rules_that_clingo_finds() {
    let python = std::env::var("SYMSNAP_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if !skip::has_module(&python, "clingo") {
        return;
    }
    let cases = std::env::var("SYMSNAP_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    let mut rules = 0;
    for case in 0..cases {
        let text = random_bias(&mut Random(case.wrapping_mul(0x1234_5678_9abc_def1)));
        let mut terms = Terms::default();
        let (found, expected) = (ours(&text, &mut terms), clingos(&python, &text, &mut terms));
        let show = |rules: &mut dyn Iterator<Item = &Rule>| -> Vec<String> {
            rules.take(5).map(|rule| rule.show(&terms)).collect()
        };
        let (extra, missing) = (show(&mut found.difference(&expected)), show(&mut expected.difference(&found)));
        assert!(extra.is_empty() && missing.is_empty(), "case {case}: extra {extra:?}, missing {missing:?}\n{text}");
        rules += found.len();
    }
    assert!(rules as u64 > cases * 5, "the biases allow next to nothing");
}
