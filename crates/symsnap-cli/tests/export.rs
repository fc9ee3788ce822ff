//! Exported models say in the real engines what `predict` says: SWI-Prolog, SQLite (of Python) and DuckDB (of the
//! Python that `SYMSNAP_PYTHON` names). Tasks of ours, with ensembles whose members disagree, and real tasks where
//! `SYMSNAP_DATA` has them. Without an engine a test is skipped, and counted.
#![allow(clippy::unwrap_used)]

#[path = "../../symsnap/tests/folders/mod.rs"]
mod folders;
#[path = "../../symsnap/tests/skip/mod.rs"]
mod skip;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A task, its cost and the method of the model.
type Case = (&'static str, &'static str, &'static str);

const CASES: [Case; 8] = [
    ("trains", "mdl", "paper"),
    ("family", "lexfnsize", "paper"),
    ("stones", "errorsize", "paper"),
    ("trains", "lexfnsize", "confidence"),
    ("parcels", "errorsize", "paper"),
    ("parcels", "mdl", "resampled"),
    ("customers", "errorsize", "paper"),
    ("kettle", "errorsize", "paper"),
];
const REAL: [Case; 3] = [
    ("alzheimer/amine", "mdl", "resampled"),
    ("trains/trains2", "errorsize", "paper"),
    ("zendo/zendo3", "mdl", "paper"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn symsnap(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_symsnap")).args(words).current_dir(root()).output().unwrap()
}

fn text(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What was learned from a task, with the predictions for its own examples: atom, probability, label.
struct Learned {
    name: String,
    folder: PathBuf,
    task: PathBuf,
    model: PathBuf,
    said: Vec<(String, f64, String)>,
}

fn learned(engine: &str) -> Vec<Learned> {
    let ours = CASES.iter().map(|case| (root().join("examples").join(case.0), case));
    let real = folders::data()
        .into_iter()
        .flat_map(|data| REAL.iter().map(move |case| (data.join("tasks").join(case.0), case)));
    let all: Vec<Learned> = ours
        .chain(real)
        .map(|(task, (name, cost, method))| {
            let name = format!("{engine}-{}-{cost}-{method}", name.replace('/', "-"));
            let folder = std::env::temp_dir().join(format!("symsnap-export-{}-{name}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            let model = folder.join("model.json");
            let (at, out) = (task.to_str().unwrap().to_owned(), model.to_str().unwrap().to_owned());
            let ticks = ["--ticks", "20000", "--threads", "1", "-q"];
            text(symsnap(&[&["learn", &at, "--cost", cost, "--method", method, "-o", &out], &ticks[..]].concat()));
            let exs = task.join("exs.pl");
            let lines = text(symsnap(&["predict", &out, "--examples", exs.to_str().unwrap(), "--json"]));
            let said = lines.lines().map(|line| {
                let line: serde_json::Value = serde_json::from_str(line).unwrap();
                let word = |field: &str| line[field].as_str().unwrap().to_owned();
                (word("example"), line["probability"].as_f64().unwrap(), word("label"))
            });
            Learned { name, folder, said: said.collect(), task, model }
        })
        .collect();
    assert!(all.len() >= 3);
    assert!(all.iter().any(|it| it.said.iter().any(|(_, share, _)| *share > 0.0 && *share < 1.0)), "all agree");
    all
}

impl Learned {
    fn export(&self, to: &str, more: &[&str]) -> String {
        text(symsnap(&[&["export", self.model.to_str().unwrap(), "--to", to], more].concat()))
    }

    /// Compare with what an engine said, one `share label` a line in the order of `order`.
    fn compare(&self, lines: &str, order: &[usize]) {
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines.len(), self.said.len(), "{}: {}", self.name, lines.join("\n"));
        for (line, &at) in lines.iter().zip(order) {
            let (share, label) = line.split_once(' ').unwrap();
            let (atom, expected_share, expected) = &self.said[at];
            assert_eq!(label, expected, "{}: {atom}", self.name);
            assert!((share.parse::<f64>().unwrap() - expected_share).abs() < 1e-9, "{}: {atom}: {share}", self.name);
        }
    }
}

impl Drop for Learned {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn swi_prolog_predicts_the_same() {
    if !skip::has("swipl") {
        return;
    }
    for it in learned("swipl") {
        let (program, ask) = (it.folder.join("model.pl"), it.folder.join("ask.pl"));
        fs::write(&program, it.export("prolog", &[])).unwrap();
        let asked: String = it.said.iter().map(|(atom, _, _)| format!("ask({atom}).\n")).collect();
        let main =
            "main :- forall(ask(A), (symsnap_probability(A,P), symsnap_label(A,L), format(\"~w ~w~n\",[P,L]))).\n";
        fs::write(&ask, asked + main).unwrap();
        let files = [it.task.join("bk.pl"), program, ask];
        let output = Command::new("swipl").args(["-q", "-g", "main", "-t", "halt"]).args(&files).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !errors.contains("model.pl"), "{}: {errors}", it.name);
        let order: Vec<usize> = (0..it.said.len()).collect();
        it.compare(&String::from_utf8(output.stdout).unwrap(), &order);
    }
}

/// Runs a script in a database and prints `share label` in the order of ids.
fn in_database(python: &str, module: &str, connect: &str) {
    if !skip::has_module(python, module) {
        return;
    }
    for it in learned(module) {
        let script = it.folder.join("model.sql");
        let exs = it.task.join("exs.pl");
        fs::write(&script, it.export("sql", &["--facts", "--examples", exs.to_str().unwrap()])).unwrap();
        let code = format!(
            "import sys, {module}\nc = {connect}\n\
             for row in c.execute('SELECT probability, label FROM predictions ORDER BY id').fetchall():\n    \
                 print(repr(row[0]), row[1])\n"
        );
        let output = Command::new(python).args(["-c", &code, script.to_str().unwrap()]).output().unwrap();
        assert!(output.status.success(), "{}: {}", it.name, String::from_utf8_lossy(&output.stderr));
        // Rows are numbered positives first; `predict` keeps the order of the file.
        let file = fs::read_to_string(&exs).unwrap();
        assert!(file.contains("pos("));
        let truth =
            text(symsnap(&["predict", it.model.to_str().unwrap(), "--examples", exs.to_str().unwrap(), "--json"]));
        let truth: Vec<bool> = truth.lines().map(|line| line.contains("\"truth\":\"pos\"")).collect();
        let side = |positive: bool| (0..truth.len()).filter(move |&at| truth[at] == positive);
        let order: Vec<usize> = side.clone()(true).chain(side(false)).collect();
        it.compare(&String::from_utf8(output.stdout).unwrap(), &order);
    }
}

#[test]
fn sqlite_predicts_the_same() {
    let connect = "sqlite3.connect(':memory:'); c.executescript(open(sys.argv[1]).read())";
    in_database("python3", "sqlite3", connect);
}

#[test]
fn duckdb_predicts_the_same() {
    let python = std::env::var("SYMSNAP_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    in_database(&python, "duckdb", "duckdb.connect(':memory:'); c.execute(open(sys.argv[1]).read())");
}

#[test]
fn what_sql_cannot_say_is_refused_with_the_reason() {
    let folder = std::env::temp_dir().join(format!("symsnap-export-{}-refused", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let refused = |rules: &str, background: &str| {
        let model = folder.join("model.json");
        let member = format!(
            r#"{{"weight":1.0,"rules":["{rules}"],"confusion":{{"tp":0,"fn":0,"tn":0,"fp":0}},"size":1,"value":[1]}}"#
        );
        let head =
            r#""format":1,"symsnap":"","task":null,"fingerprint":null,"head":{"name":"f","arity":1},"cost":"mdl""#;
        let json = format!(r#"{{{head},"method":"paper","settings":{{}},"seed":1,"members":[{member}]}}"#);
        fs::write(&model, json).unwrap();
        let bk = folder.join("bk.pl");
        fs::write(&bk, background).unwrap();
        let output = symsnap(&["export", model.to_str().unwrap(), "--to", "sql", "--bk", bk.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("f(A) :- e(A,B), f(B).", "e(1,2).").contains("member 0 calls itself"));
    assert!(refused("f(A) :- p(A).", "p(X) :- X > 2.").contains("p/1 is computed by calls"));
    let large = refused("f(A) :- p(A,B), B =< 9007199254740992.", "p(a,9007199254740993). p(b,1).");
    assert!(large.contains("larger numbers than databases compare exactly"), "{large}");
    let other = refused("f(A) :- p(A,B), B =< 4.", "p(a,na). p(b,1).");
    assert!(other.contains("meets na, which is no number"), "{other}");
    let end = refused("f(A) :- 'x\\\\0\\\\y'(A).", "'x\\0\\y'(a).");
    assert!(end.contains("has the character NUL"), "{end}");
    fs::remove_dir_all(folder).unwrap();
}
