//! An exported model says in SWI-Prolog what `predict` says, also where its rules raise errors: each rule runs by itself,
//! and one that raises an error for an example does not cover it, while the others still may. Models of random rules
//! over backgrounds that raise type, instantiation and evaluation errors, and throw what is no error; without SWI-Prolog the test is skipped, and counted.
#![allow(clippy::unwrap_used)]

#[path = "../../symsnap/tests/skip/mod.rs"]
mod skip;

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use symsnap::internals::random::Random;

const BACKGROUNDS: [&str; 3] = [
    // Answers before and after an error, errors by type, and by division.
    "p(a,1). p(a,5). p(b,6). p(c,x). p(d,[1,2]). p(e,0). p(1,2). p([1,2],3). q(5). q(x). q([1,2]).\n\
     gt(X,Y) :- X > Y.\nnext(X,Y) :- Y is X + 1.\nratio(X,Y) :- 2 is 6 // Y, X \\== Y.\n\
     late(a). late(X) :- X > 1.\nearly(X) :- X > 1. early(a).\n\
     odd(X) :- q(X), throw(odd). odd(a).\n",
    // Lists that are none, and sums of what are no numbers.
    "p([1,2],1). p([a],2). p(a,3). p(7,4). p([],0). p([3|x],5). q(1). q(a).\n\
     gt(X,Y) :- nonvar(X), member(Y,X).\nnext(X,Y) :- sum_list(X,Y).\nratio(X,Y) :- nonvar(X), length(X,Y).\n\
     late(X) :- is_list(X), msort(X,X).\nearly(X) :- N is X * 2, N > 0.\n\
     odd(a). odd(X) :- p(X,Y), throw(Y).\n",
    // What is called again calls what raises.
    "p(1,2). p(2,0). p(3,b). p(a,b). p(b,1). q(0). q(b). q(2).\n\
     half(X,Y) :- 0 is X mod 2, Y is X // 2.\ngt(X,Y) :- half(X,Y).\nnext(X,Y) :- p(X,Z), half(Z,Y).\n\
     ratio(X,Y) :- \\+ gt(X,Y).\nlate(X) :- findall(Z, next(X,Z), [_|_]).\nearly(X) :- between(0,X,2).\n\
     odd(X) :- q(X), throw(ball(_)). odd(X) :- p(X,_).\n",
];
const ATOMS: [&str; 14] = ["a", "b", "c", "d", "e", "1", "2", "3", "7", "0", "[1,2]", "[a]", "[]", "nobody"];

fn literal(random: &mut Random) -> String {
    let var = |random: &mut Random| ["A", "B", "C"][random.below(3)];
    let (x, y) = (var(random), var(random));
    match ["p", "p", "q", "gt", "next", "ratio", "late", "early", "odd"][random.below(9)] {
        one @ ("q" | "late" | "early" | "odd") => format!("{one}({x})"),
        two => format!("{two}({x},{y})"),
    }
}

fn model(random: &mut Random, background: &Path) -> Value {
    let count = 1 + random.below(4);
    let members: Vec<Value> = (0..count)
        .map(|_| {
            let rules: Vec<String> = (0..1 + random.below(3))
                .map(|_| {
                    let body: Vec<String> = (0..1 + random.below(3)).map(|_| literal(random)).collect();
                    format!("f(A) :- {}.", body.join(", "))
                })
                .collect();
            let confusion = json!({ "tp": 0, "fn": 0, "tn": 0, "fp": 0 });
            json!({ "weight": 1.0 / count as f64, "rules": rules, "confusion": confusion, "size": 2, "value": [2] })
        })
        .collect();
    json!({
        "format": 1, "symsnap": "", "task": background.parent(), "fingerprint": null,
        "head": { "name": "f", "arity": 1 }, "cost": "mdl", "method": "paper", "settings": {}, "seed": 1,
        "members": members,
    })
}

fn symsnap(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_symsnap")).args(words).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn scratch(name: &str) -> Option<PathBuf> {
    if !skip::has("swipl") {
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    Some(folder)
}

#[test]
fn a_member_that_calls_itself_ends_where_the_background_goes_round_in_circles() {
    // What it says of the predicate itself counts, too.
    let Some(folder) = scratch("export_circles") else { return };
    fs::write(folder.join("bk.pl"), "e(a,b). e(b,c). e(c,a). e(d,a). e(x,y). e(w,z). f(z).\n").unwrap();
    let rules = ["f(A) :- e(A,B), f(B).", "f(A) :- e(A,B), e(B,B)."];
    let confusion = json!({ "tp": 0, "fn": 0, "tn": 0, "fp": 0 });
    let members: Vec<Value> =
        [&rules[..], &["f(A) :- e(A,B), reach(B).", "reach(c).", "reach(A) :- e(A,B), reach(B)."]]
            .iter()
            .map(|rules| json!({ "weight": 0.5, "rules": rules, "confusion": confusion, "size": 2, "value": [2] }))
            .collect();
    let model = json!({
        "format": 1, "symsnap": "", "task": &folder, "fingerprint": null, "head": { "name": "f", "arity": 1 },
        "cost": "mdl", "method": "paper", "settings": {}, "seed": 1, "members": members,
    });
    let file = folder.join("model.json");
    fs::write(&file, model.to_string()).unwrap();
    let program = folder.join("model.pl");
    fs::write(&program, symsnap(&["export", file.to_str().unwrap(), "--to", "prolog"])).unwrap();
    let new = folder.join("new.pl");
    fs::write(&new, "f(a). f(b). f(c). f(d). f(x). f(w).").unwrap();
    let said = symsnap(&["predict", file.to_str().unwrap(), "--examples", new.to_str().unwrap()]);
    let expected: Vec<&str> = said.lines().map(|line| &line[..3]).collect();
    assert_eq!(expected, ["pos", "pos", "pos", "pos", "neg", "pos"]);
    let goal = "forall(member(X,[a,b,c,d,x,w]), (symsnap_label(f(X),L), writeln(L)))";
    let files = [folder.join("bk.pl"), program];
    let output = Command::new("timeout").args(["60", "swipl", "-q", "-g", goal, "-t", "halt"]).args(files).output();
    assert_eq!(String::from_utf8(output.unwrap().stdout).unwrap().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn swi_prolog_predicts_the_same_where_rules_raise_errors() {
    let Some(folder) = scratch("export_errors") else { return };
    let examples = folder.join("new.pl");
    fs::write(&examples, ATOMS.map(|atom| format!("f({atom}).\n")).concat()).unwrap();
    let mut random = Random::new(12);
    let (mut positive, mut raised) = (0, 0);
    for case in 0..18 {
        let background: PathBuf = folder.join("bk.pl");
        fs::write(&background, BACKGROUNDS[case % 3]).unwrap();
        let file = folder.join("model.json");
        let model = model(&mut random, &background);
        fs::write(&file, model.to_string()).unwrap();
        let (file, examples) = (file.to_str().unwrap(), examples.to_str().unwrap());
        let said = symsnap(&["predict", file, "--examples", examples, "--json"]);
        let said: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        // Each rule is a member of its own in the exported program's tables, so its errors can be counted, too.
        let program = folder.join("model.pl");
        fs::write(&program, symsnap(&["export", file, "--to", "prolog"])).unwrap();
        let ask = folder.join("ask.pl");
        let main = "main :- forall(ask(A), (symsnap_probability(A,P), symsnap_label(A,L), format(\"~w ~w~n\",[P,L]))),\n\
            aggregate_all(count, (ask(A), clause(symsnap_rule(N,_), _),\n\
                catch((symsnap_rule(N,A), fail), _, true)), Raised), format(\"~w~n\", [Raised]).\n";
        let asked: String = ATOMS.map(|atom| format!("ask(f({atom})).\n")).concat();
        fs::write(&ask, format!("{asked}{main}")).unwrap();
        let files = [background.as_path(), &program, &ask];
        let output = Command::new("swipl").args(["-q", "-g", "main", "-t", "halt"]).args(files).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !errors.contains("model.pl"), "{model}: {errors}");
        let heard = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = heard.lines().collect();
        assert_eq!(lines.len(), ATOMS.len() + 1, "{model}: {heard}{errors}");
        for (line, said) in lines.iter().zip(&said) {
            let (share, label) = line.split_once(' ').unwrap();
            assert_eq!(label, said["label"].as_str().unwrap(), "{said} {model}");
            let (ours, theirs) = (said["probability"].as_f64().unwrap(), share.parse::<f64>().unwrap());
            assert!((ours - theirs).abs() < 1e-9, "{said} is {theirs}: {model}");
            positive += usize::from(theirs > 0.0);
        }
        raised += lines[ATOMS.len()].parse::<usize>().unwrap();
    }
    assert!(positive > 20 && raised > 100, "the models say little: {positive} positive, {raised} errors");
}
