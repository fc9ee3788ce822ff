//! Every command prints JSON when it is asked to, and errors are JSON then, too.

use crate::run::{last_json, run, said, scratch};
use serde_json::Value;
use std::collections::BTreeSet;

/// The commands that `symsnap COMMAND help` lists.
fn listed(command: &str) -> Vec<String> {
    let (text, _, _) = said(&run(&format!("{command} --help")));
    let Some((_, rest)) = text.split_once("Commands:\n") else { return Vec::new() };
    let lines = rest.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect()
}

/// A call of each command that succeeds, in an order in which each finds what it needs. `{}` is a folder.
const CALLS: [(&str, &str); 22] = [
    ("learn", "learn examples/trains -q --snapshots {}/s.jsonl -o {}/m.json"),
    ("check", "check examples/trains"),
    ("test", "test examples/family --rules examples/family/solution.pl"),
    ("predict", "predict {}/m.json --examples crates/symsnap-cli/tests/models/new.pl"),
    ("show", "show {}/m.json"),
    ("explain", "explain {}/m.json hazardous(train2)"),
    ("ensemble", "ensemble examples/trains --from {}/s.jsonl -o {}/e.json"),
    ("generate", "generate"),
    ("generate", "generate trains --size 5 -o {}/made"),
    ("experiment plan", "experiment plan smoke"),
    ("experiment run", "experiment run {}/suite.toml -o {}/results -q"),
    ("experiment run", "experiment run {}/suite.toml -o {}/one --job 0"),
    ("experiment replay", "experiment replay crates/symsnap-cli/tests/experiment/recorded -q"),
    ("experiment collect", "experiment collect {}/results {}/one -o {}/both"),
    ("report", "report {}/results"),
    ("report", "report {}/m.json -o {}/m.html"),
    ("export", "export {}/m.json --to prolog"),
    ("import", "import examples/penguins/penguins.csv --target species -o {}/imported"),
    ("learn", "learn examples/penguins/penguins.csv --target species -o {}/t.json -q"),
    ("predict", "predict {}/t.json --table examples/penguins/new.csv"),
    ("completions", "completions zsh"),
    ("man", "man -o {}/man"),
];

#[test]
fn every_command_answers_in_json() {
    let folder = scratch("json");
    let suite = "name = \"tiny\"\ntitle = \"A test\"\ntrials = 1\ncosts = [\"mdl\"]\nmethods = [\"single\"]\n\
                 [limits]\nticks = 100\n\
                 [[tasks]]\nname = \"trains\"\nfamily = \"Trains\"\ngenerate = \"trains\"\nsize = 20\n";
    std::fs::write(folder.join("suite.toml"), suite).unwrap();
    for (_, call) in CALLS {
        let call = call.replace("{}", folder.to_str().unwrap());
        let (stdout, stderr, code) = said(&run(&format!("{call} --json")));
        assert_eq!(code, 0, "{call}: {stderr}");
        assert!(!stdout.is_empty(), "{call}");
        for line in stdout.lines() {
            let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{call}: {error} in {line}"));
            assert!(value.is_object(), "{call}: {line}");
        }
        if !call.starts_with("predict") {
            assert_eq!(stdout.lines().count(), 1, "{call}: {stdout}");
        }
    }
    let called: BTreeSet<&str> = CALLS.iter().map(|(command, _)| *command).collect();
    for command in listed("") {
        let below = listed(&command);
        let names: Vec<String> = if below.is_empty() {
            vec![command]
        } else {
            below.iter().map(|name| format!("{command} {name}")).collect()
        };
        for name in names {
            assert!(called.contains(name.as_str()), "`{name}` is not called by this test");
        }
    }
}

#[test]
fn errors_are_json_on_the_last_line_of_standard_error() {
    let errors = |line: &str| {
        let (stdout, stderr, code) = said(&run(line));
        assert_eq!((stdout.as_str(), code), ("", 2), "{line}: {stderr}");
        last_json(&stderr)["errors"].as_array().unwrap().clone()
    };
    let found = errors("check crates/symsnap-cli/tests/tasks/broken --json");
    assert_eq!(found.len(), 4);
    assert_eq!(found[0]["severity"], "error");
    assert_eq!(found[0]["message"], "example of happy/2, but the head predicate is happy/1");
    assert_eq!(found[0]["file"], "crates/symsnap-cli/tests/tasks/broken/exs.pl");
    assert_eq!((&found[0]["line"], &found[0]["column"]), (&Value::from(2), &Value::from(5)));
    assert_eq!(found[0]["help"], "the bias says with head_pred that it takes 1 argument");
    let found = errors("show nowhere.json --json");
    assert_eq!(found[0]["message"], "cannot read nowhere.json: No such file or directory (os error 2)");
    let found = errors("learn examples/family --timeout soon --json");
    assert_eq!(found[0]["message"], "invalid value 'soon' for '--timeout <S>': expected a number of seconds");
    for line in
        ["learn nowhere", "test nowhere --rules x", "experiment run nowhere -o x", "generate chess -o x", "chek"]
    {
        assert!(!errors(&format!("{line} --json")).is_empty());
    }
}
