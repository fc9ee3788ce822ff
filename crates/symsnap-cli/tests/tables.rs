//! Tables from end to end: learn from the CSV files in `examples/`, predict new ones, and look at what lies between.
#![allow(clippy::unwrap_used)]

#[path = "../../symsnap/tests/skip/mod.rs"]
mod skip;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const COMPOUNDS: [&str; 7] = [
    "examples/compounds/molecules.csv",
    "--target",
    "active",
    "--table",
    "examples/compounds/atoms.csv",
    "--table",
    "examples/compounds/bonds.csv",
];
const PENGUINS: [&str; 3] = ["examples/penguins/penguins.csv", "--target", "species"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A new folder for a test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_symsnap")).args(words).current_dir(root()).output().unwrap()
}

/// What a command prints that must succeed.
fn stdout(words: &[&str]) -> String {
    let output = run(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[words, &["--json"]].concat())).unwrap()
}

/// What a command says that must fail because of its input.
fn complaint(words: &[&str]) -> String {
    let output = run(words);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    assert!(output.stdout.is_empty(), "{words:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Predictions as CSV: the titles, and keys and label of each row with a probability on its side, and far from one half.
fn assert_labels(csv: &str, titles: &str, rows: &[(&str, bool)]) {
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some(titles));
    for (row, positive) in rows {
        let (said, probability) = lines.next().unwrap().rsplit_once(',').unwrap();
        assert_eq!(said, *row, "{csv}");
        let probability: f64 = probability.parse().unwrap();
        assert!(if *positive { probability > 0.9 } else { probability < 0.1 }, "{csv}");
    }
    assert_eq!(lines.next(), None, "{csv}");
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

#[test]
fn three_linked_tables_give_the_rule_that_made_them_and_predict_new_ones() {
    let folder = folder("compounds");
    let model = path(&folder, "model.json");
    let report = json(&[&["learn"], &COMPOUNDS[..], &["--cost", "errorsize", "-o", &model]].concat());
    assert_eq!(report["optimal"], true);
    assert_eq!(report["confusion"]["fn"], 0);
    assert_eq!(report["confusion"]["fp"], 0);
    assert_eq!(report["labels"], serde_json::json!([{"label": "yes", "rows": 23}, {"label": "no", "rows": 127}]));
    let rule = report["hypothesis"][0].as_str().unwrap();
    for part in ["active(V0) :- ", "mol_id(", "element(V1,n)", "double)", ",o)", "charge(V1,", ">= 0.3"] {
        assert!(rule.contains(part), "{rule} has no {part}");
    }
    let new = ["molecules", "atoms", "bonds"].map(|name| format!("examples/compounds/new/{name}.csv"));
    let said = stdout(&["predict", &model, "--table", &new[0], "--table", &new[1], "--table", &new[2]]);
    let truth = fs::read_to_string(root().join(&new[0])).unwrap();
    let (mut lines, mut right) = (said.lines(), 0);
    assert_eq!(lines.next(), Some("id,label,probability"));
    for (line, row) in lines.by_ref().zip(truth.lines().skip(1)) {
        let (said, known): (Vec<&str>, Vec<&str>) = (line.split(',').collect(), row.split(',').collect());
        assert_eq!(said[0], known[0], "rows come in the order of the table");
        right += usize::from(said[1] == known[2]);
    }
    assert_eq!(lines.next(), None);
    assert!(right >= 28, "{right} of 30");
}

#[test]
fn several_classes_have_probabilities_that_sum_to_one() {
    let folder = folder("penguins");
    let model = path(&folder, "model.json");
    let report = json(&[&["learn"], &PENGUINS[..], &["--cost", "errorsize", "-o", &model]].concat());
    let classes: Vec<&str> =
        report["classes"].as_array().unwrap().iter().map(|class| class["label"].as_str().unwrap()).collect();
    assert_eq!(classes, ["Adelie", "Chinstrap", "Gentoo"]);
    let gentoo = report["classes"][2]["hypothesis"][0].as_str().unwrap();
    assert!(gentoo.starts_with("species_Gentoo(V0) :- flipper_mm(V0,V1), V1 >= 20"), "{gentoo}");
    let said = stdout(&["predict", &model, "--table", "examples/penguins/new.csv", "--json"]);
    let new = fs::read_to_string(root().join("examples/penguins/new.csv")).unwrap();
    let mut right = 0;
    for (line, row) in said.lines().zip(new.lines().skip(1)) {
        let line: Value = serde_json::from_str(line).unwrap();
        let each: f64 = line["probabilities"].as_object().unwrap().values().map(|share| share.as_f64().unwrap()).sum();
        assert!((each - 1.0).abs() < 1e-9, "{line}");
        let cells: Vec<&str> = row.split(',').collect();
        let (bill, flipper): (f64, i64) = (cells[1].parse().unwrap(), cells[2].parse().unwrap());
        let truth = if flipper >= 207 {
            "Gentoo"
        } else if bill >= 44.0 {
            "Chinstrap"
        } else {
            "Adelie"
        };
        right += usize::from(line["label"] == truth);
    }
    assert_eq!(said.lines().count(), 12);
    assert!(right >= 11, "{right} of 12");
    let csv = stdout(&["predict", &model, "--table", "examples/penguins/new.csv"]);
    let titles = "row,label,probability,probability_Adelie,probability_Chinstrap,probability_Gentoo";
    assert_eq!(csv.lines().next(), Some(titles));
}

#[test]
fn other_commands_read_models_of_tables_and_ask_for_the_class_of_several() {
    let folder = folder("commands");
    let (one, several, page) = (path(&folder, "one.json"), path(&folder, "several.json"), path(&folder, "page.html"));
    stdout(&[&["learn"], &PENGUINS[..], &["--positive", "Gentoo", "-o", &one, "-q"]].concat());
    stdout(&[&["learn"], &PENGUINS[..], &["-o", &several, "-q"]].concat());
    for words in
        [vec!["show"], vec!["report", "-o", &page], vec!["export", "--to", "prolog"], vec!["export", "--to", "sql"]]
    {
        let command: Vec<&str> = [&words[..1], &[one.as_str()], &words[1..]].concat();
        stdout(&command);
        let command: Vec<&str> = [&words[..1], &[several.as_str()], &words[1..]].concat();
        let said = complaint(&command);
        assert!(said.contains("has a model for each of 3 classes"), "{said}");
        assert!(said.contains("choose one with --class: `Adelie`, `Chinstrap`, `Gentoo`"), "{said}");
        stdout(&[&command[..], &["--class", "Adelie"]].concat());
    }
    // The training tables are the background unless others are given.
    let why = stdout(&["explain", &one, "species_Gentoo(1)"]);
    assert!(why.contains("flipper_mm(1,183)"), "{why}");
    let why = stdout(&["explain", &one, "species_Gentoo(1)", "--table", "examples/penguins/new.csv"]);
    assert!(why.contains("flipper_mm(1,225)") && why.contains("in words: species = Gentoo if "), "{why}");
    let said = complaint(&["show", &several, "--class", "Gento"]);
    assert!(said.contains("has no class `Gento`") && said.contains("did you mean `Gentoo`?"), "{said}");
    let said = complaint(&["show", &one, "--class", "Gentoo"]);
    assert!(said.contains("has one model, not one for each class"), "{said}");
}

#[test]
fn an_imported_folder_has_the_same_optimum_and_the_schema_reads_back() {
    let folder = folder("import");
    let task = path(&folder, "task");
    let imported = json(&[&["import"], &COMPOUNDS[..], &["-o", &task]].concat());
    assert_eq!(imported["files"].as_array().unwrap().len(), 4);
    assert_eq!(imported["warnings"], serde_json::json!([]));
    let learn = |words: &[&str]| {
        let report = json(&[&["learn"], words, &["--cost", "errorsize", "-q"]].concat());
        (
            report["value"].clone(),
            report["optimal"].clone(),
            report["hypothesis"].clone(),
            report["rules_tested"].clone(),
        )
    };
    let (of_tables, of_folder) = (learn(&COMPOUNDS), learn(&[&task]));
    assert_eq!(of_tables, of_folder);
    // The schema in the folder says where the tables are, seen from there.
    let schema = path(&folder, "task/schema.toml");
    assert_eq!(learn(&[COMPOUNDS[0], "--schema", &schema]), of_tables);
    // A folder with a schema and no task is a folder of tables.
    let tables = folder.join("tables");
    fs::create_dir(&tables).unwrap();
    fs::copy(&schema, tables.join("schema.toml")).unwrap();
    let tables = tables.display().to_string();
    assert_eq!(learn(&[&tables]), of_tables);
    // Importing again by the schema gives the same files, and writes over nothing else.
    let before = fs::read(folder.join("task/bk.pl")).unwrap();
    stdout(&["import", &tables, "-o", &task]);
    assert_eq!(fs::read(folder.join("task/bk.pl")).unwrap(), before);
    fs::remove_file(folder.join("task/schema.toml")).unwrap();
    let said = complaint(&["import", &tables, "-o", &task]);
    assert!(said.contains("has a bk.pl that no import has written"), "{said}");
}

#[test]
fn a_schema_is_shown_and_an_edited_one_is_heeded() {
    let folder = folder("schema");
    let text = stdout(&[&["import"], &PENGUINS[..]].concat());
    assert!(text.contains("{ name = \"seen\", kind = \"date\" }"), "{text}");
    assert!(text.contains("classes = [\"Adelie\", \"Chinstrap\", \"Gentoo\"]"), "{text}");
    let edited = text
        .replace("{ name = \"flipper_mm\", kind = \"integer\" }", "{ name = \"flipper_mm\", kind = \"ignore\" }")
        .replace(
            "{ name = \"bill_mm\", kind = \"float\" }",
            "{ name = \"bill_mm\", kind = \"float\", predicate = \"bill\" }",
        )
        .replace("classes = [\"Adelie\", \"Chinstrap\", \"Gentoo\"]", "positive = \"Chinstrap\"");
    let schema = path(&folder, "schema.toml");
    fs::write(&schema, edited).unwrap();
    let report = json(&["learn", PENGUINS[0], "--schema", &schema, "--cost", "mdl", "-q"]);
    let rules = report["hypothesis"].to_string();
    assert!(rules.contains("species_Chinstrap(V0) :- ") && rules.contains("bill("), "{rules}");
    assert!(!rules.contains("flipper"), "{rules}");
    assert_eq!(report["labels"][1]["label"], "not Chinstrap");
}

#[test]
fn rules_may_ask_what_is_missing_and_new_categories_are_counted() {
    let folder = folder("missing");
    let (table, schema, model) = (path(&folder, "t.csv"), path(&folder, "schema.toml"), path(&folder, "m.json"));
    let rows = (0..60).map(|at| {
        let (colour, gap) = (["red", "blue", "green"][at % 3], at % 4 == 0);
        let number = if gap { String::new() } else { (at % 9).to_string() };
        format!("{colour},{number},{}\n", if gap { "yes" } else { "no" })
    });
    fs::write(&table, format!("colour,n,y\n{}", rows.collect::<String>())).unwrap();
    let text = stdout(&["import", &table, "--target", "y"]);
    let asked =
        text.replace("{ name = \"n\", kind = \"integer\" }", "{ name = \"n\", kind = \"integer\", missing = true }");
    assert_ne!(asked, text);
    fs::write(&schema, asked).unwrap();
    let report = json(&["learn", &table, "--schema", &schema, "--cost", "errorsize", "-q", "-o", &model]);
    assert_eq!(report["hypothesis"], serde_json::json!(["y(V0) :- missing_n(V0)."]));
    let new = path(&folder, "new.csv");
    fs::write(&new, "colour,n\nred,\nmauve,3\npink,\nmauve,\n").unwrap();
    let output = run(&["predict", &model, "--table", &new]);
    let labels = [("1,yes", true), ("2,no", false), ("3,yes", true), ("4,yes", true)];
    assert_labels(&String::from_utf8(output.stdout).unwrap(), "row,label,probability", &labels);
    let said = String::from_utf8(output.stderr).unwrap();
    let expected =
        ":3:1: warning: 3 rows of column `colour` have categories that the model has not seen: `mauve`, `pink`\n";
    assert!(said.ends_with(expected), "{said}");
}

#[test]
fn weights_of_classes_and_rows_are_those_of_the_examples() {
    let folder = folder("weights");
    let table = path(&folder, "t.csv");
    let rows = (0..40).map(|at| format!("{},{},{}\n", at % 7, if at % 8 == 0 { "yes" } else { "no" }, 1 + at % 2));
    fs::write(&table, format!("a,y,w\n{}", rows.collect::<String>())).unwrap();
    let exs = |more: &[&str]| {
        let task = path(&folder, "task");
        stdout(&[&["import", &table, "--target", "y", "-o", &task], more].concat());
        fs::read_to_string(folder.join("task/exs.pl")).unwrap()
    };
    assert!(exs(&[]).starts_with("pos(y(1)).\n"));
    let balanced = exs(&["--class-weight", "balanced"]);
    assert!(balanced.starts_with("pos(y(1),7).\n") && balanced.contains("\nneg(y(2)).\n"), "{balanced}");
    let weighted = exs(&["--weight", "w"]);
    assert!(weighted.starts_with("pos(y(1)).\n") && weighted.contains("\nneg(y(2),2).\n"), "{weighted}");
}

#[test]
fn pairs_of_rows_are_learned_with_negatives_that_are_drawn() {
    let folder = folder("pairs");
    let people: String = (0..40).map(|at| format!("p{at},{}\n", ["red", "blue", "green", "gray"][at % 4])).collect();
    fs::write(folder.join("people.csv"), format!("name,team\n{people}")).unwrap();
    let same = (0..40).flat_map(|a| (0..40).map(move |b| (a, b))).filter(|(a, b)| a != b && a % 4 == b % 4);
    let pairs: String = same.map(|(a, b)| format!("p{a},p{b}\n")).collect();
    fs::write(folder.join("mates.csv"), format!("one,other\n{pairs}")).unwrap();
    let (people, mates, model) = (path(&folder, "people.csv"), path(&folder, "mates.csv"), path(&folder, "m.json"));
    let learn = ["learn", &people, "--target", &mates, "--cost", "errorsize", "--negatives", "2", "-o", &model];
    let report = json(&learn);
    assert_eq!(report["hypothesis"], serde_json::json!(["mates(V0,V1) :- team(V0,V2), team(V1,V2)."]));
    assert_eq!(report["confusion"]["tn"], 720);
    fs::write(folder.join("new.csv"), "one,other\np1,p5\np1,p6\n").unwrap();
    let new = format!("mates={}", path(&folder, "new.csv"));
    let said = stdout(&["predict", &model, "--table", &people, "--table", &new]);
    assert_labels(&said, "one,other,label,probability", &[("p1,p5,yes", true), ("p1,p6,no", false)]);
}

#[test]
fn options_of_tables_are_for_tables() {
    let said = complaint(&["learn", "examples/trains", "--target", "x"]);
    assert!(said.contains("--target is for tables, and examples/trains is none"), "{said}");
    let said = complaint(&["learn", "examples/penguins/penguins.csv"]);
    assert!(said.contains("it is not said what to predict"), "{said}");
    let said = complaint(&["learn", "examples/penguins/penguins.csv", "--target", "spcies", "--json"]);
    let said: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!(said["errors"][0]["help"], "did you mean `species`?");
    let output = Command::new(env!("CARGO_BIN_EXE_symsnap"))
        .args([
            "learn",
            "examples/penguins/penguins.csv",
            "--target",
            "species",
            "-o",
            "examples/penguins/penguins.csv",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("would be overwritten, but this command reads it"));
}

/// Rows numbered from 1 with a number, of which those from 11 on are `yes`.
fn numbered(titles: &str, rows: u32, cells: impl Fn(u32, &str) -> String) -> String {
    let row = |at: u32| cells(at, if at > 10 { "yes" } else { "no" }) + "\n";
    format!("{titles}\n{}", (1..=rows).map(row).collect::<String>())
}

#[test]
fn labels_that_a_model_does_not_know_are_told() {
    let folder = folder("unknown_labels");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (learned, new, model) = (path("t.csv"), path("new.csv"), path("m.json"));
    fs::write(&learned, numbered("id,size,y", 20, |at, label| format!("r{at},{at},{label}"))).unwrap();
    stdout(&["learn", &learned, "--target", "y", "-q", "-o", &model]);
    let table = format!("t={new}");
    let predicted = |text: String| {
        fs::write(&new, text).unwrap();
        String::from_utf8(run(&["predict", &model, "--table", &table]).stderr).unwrap()
    };
    let said = predicted(numbered("id,size,y", 20, |at, label| {
        format!("r{at},{at},{}", if at % 10 == 0 { "maybe" } else { label })
    }));
    assert!(
        said.contains(
            "new.csv:11:8: warning: 2 rows of column `y` have labels that the model does not know, and are not \
                       scored: `maybe`\n  help: it knows `yes`, `no`"
        ),
        "{said}"
    );
    assert!(said.contains("on 18 rows with known labels"), "{said}");
    // Programs write whole numbers with gaps as fractions.
    let number = |label: &str| if label == "yes" { "1.0" } else { "0.0" };
    fs::write(&learned, numbered("id,size,y", 20, |at, label| format!("r{at},{at},{}", number(label)))).unwrap();
    stdout(&["learn", &learned, "--target", "y", "-q", "-o", &model]);
    let said = predicted(numbered("id,size,y", 20, |at, label| format!("r{at},{at},{}", &number(label)[..1])));
    assert!(said.contains("on 20 rows with known labels") && !said.contains("warning"), "{said}");
}

#[test]
fn a_column_may_be_called_not() {
    let folder = folder("not");
    let table = folder.join("t.csv");
    fs::write(&table, numbered("id,not,y", 20, |at, label| format!("r{at},{at},{label}"))).unwrap();
    let learned = stdout(&["learn", table.to_str().unwrap(), "--target", "y", "-q"]);
    assert!(learned.contains("y(V0) :- not(V0,V1), V1 >= 11."), "{learned}");
    let task = folder.join("task");
    stdout(&["import", table.to_str().unwrap(), "--target", "y", "-o", task.to_str().unwrap()]);
    stdout(&["check", task.to_str().unwrap()]);
}

#[test]
fn commands_to_try_next_are_commands() {
    let folder = folder("next");
    let table = folder.join("a b.csv");
    // Only errors first learn from two rows of twenty.
    fs::write(&table, numbered("id,size,y", 12, |at, label| format!("r{at},{},{label}", at % 12))).unwrap();
    let words = ["learn", table.to_str().unwrap(), "--target", "y", "--cost", "mdl", "-q"];
    let output = run(&words);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    let command = said.split("try `symsnap ").nth(1).and_then(|rest| rest.split('`').next()).unwrap();
    let script = format!("{} {command} -q", env!("CARGO_BIN_EXE_symsnap"));
    let again = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert!(again.status.success(), "{command}: {}", String::from_utf8_lossy(&again.stderr));
}

/// Load CSV files into SQLite, numbers as numbers, run queries and print how many rows each gives.
const SQLITE: &str = "
import csv, json, sqlite3, sys
c = sqlite3.connect(':memory:')
def value(cell):
    for kind in (int, float):
        try: return kind(cell)
        except ValueError: pass
    return cell or None
for path in sys.argv[2:]:
    rows = list(csv.reader(open(path)))
    name = path.split('/')[-1][:-4]
    c.execute('CREATE TABLE \"%s\" (%s)' % (name, ', '.join('\"%s\"' % title for title in rows[0])))
    for row in rows[1:]:
        c.execute('INSERT INTO \"%s\" VALUES (%s)' % (name, ','.join('?' * len(row))), [value(cell) for cell in row])
for query in json.loads(sys.argv[1]):
    print(len(c.execute(query).fetchall()))
";

#[test]
fn rules_in_words_say_which_rows_and_their_queries_find_as_many_as_the_rules_cover() {
    let folder = folder("words");
    let model = path(&folder, "model.json");
    stdout(&[&["learn"], &COMPOUNDS[..], &["--cost", "errorsize", "--ticks", "400000", "-o", &model, "-q"]].concat());
    let shown = json(&["show", &model]);
    let rules = shown["rules"].as_array().unwrap();
    assert!(rules.iter().all(|rule| rule["words"].as_str().unwrap().starts_with("active if ")), "{shown}");
    let text = stdout(&["show", &model, "--sql"]);
    assert!(text.contains("active if it has an atom with ") && text.contains("\nWHERE EXISTS ("), "{text}");
    let python = std::env::var("SYMSNAP_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if !skip::has_module(&python, "sqlite3") {
        return;
    }
    let queries: Vec<&str> = rules.iter().map(|rule| rule["sql"].as_str().unwrap()).collect();
    let covered: Vec<u64> =
        rules.iter().map(|rule| rule["tp"].as_u64().unwrap() + rule["fp"].as_u64().unwrap()).collect();
    let queries = serde_json::to_string(&queries).unwrap();
    let files = ["molecules", "atoms", "bonds"].map(|name| format!("examples/compounds/{name}.csv"));
    let output = Command::new(python).args(["-c", SQLITE, &queries]).args(files).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = String::from_utf8(output.stdout).unwrap();
    let found: Vec<u64> = found.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(found, covered, "{shown}");
    assert!(covered.len() > 1 && covered.iter().any(|&rows| rows < 127));
}

#[test]
fn cross_validation_predicts_every_row_once_without_it() {
    let folder = folder("cv");
    let file = path(&folder, "out.csv");
    let words = ["--positive", "Gentoo", "--cv", "4", "--seed", "3", "--ticks", "40000", "--out-of-fold", &file];
    let report = json(&[&["learn"], &PENGUINS[..], &words[..]].concat());
    assert_eq!((report["runs"].as_u64(), report["folds"].as_array().unwrap().len()), (Some(4), 4));
    let accuracy = &report["summary"]["accuracy"];
    assert!(
        accuracy["mean"].as_f64().unwrap() > 0.9 && accuracy["low"].as_f64() <= accuracy["mean"].as_f64(),
        "{report}"
    );
    let written = fs::read_to_string(&file).unwrap();
    let mut lines = written.lines();
    assert_eq!(lines.next(), Some("repeat,fold,row,truth,label,probability_Gentoo,probability_not Gentoo"));
    let rows: std::collections::BTreeSet<&str> = lines.map(|line| line.split(',').nth(2).unwrap()).collect();
    assert_eq!(rows.len(), 150);
    let again = json(&[&["learn"], &PENGUINS[..], &words[..8]].concat());
    assert_eq!(again["folds"], report["folds"], "the same seed and ticks give the same folds and figures");
    let three = json(&[&["learn"], &PENGUINS[..], &["--cv", "3", "--repeats", "2", "--ticks", "60000"]].concat());
    assert_eq!(three["folds"].as_array().unwrap().len(), 6);
    assert!(three["summary"]["balanced_accuracy"]["mean"].as_f64().unwrap() > 0.85, "{three}");
}

#[test]
fn cross_validation_keeps_groups_together_and_works_on_task_folders() {
    let folder = folder("groups");
    let (table, file) = (path(&folder, "people.csv"), path(&folder, "out.csv"));
    let rows: String =
        (0..60).map(|at| format!("p{at},h{},{},{}\n", at / 4, at % 7, if at % 7 > 3 { "yes" } else { "no" })).collect();
    fs::write(&table, format!("id,house,size,tall\n{rows}")).unwrap();
    let words = [
        "learn",
        &table,
        "--target",
        "tall",
        "--cv",
        "5",
        "--group",
        "house",
        "--ticks",
        "20000",
        "--out-of-fold",
        &file,
    ];
    json(&words);
    let written = fs::read_to_string(&file).unwrap();
    let mut folds: std::collections::BTreeMap<usize, &str> = Default::default();
    for line in written.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let house = cells[2][1..].parse::<usize>().unwrap() / 4;
        assert_eq!(*folds.entry(house).or_insert(cells[1]), cells[1], "{line}");
    }
    assert_eq!(folds.len(), 15);
    let said = complaint(&["learn", &table, "--target", "tall", "--cv", "5", "--group", "hose"]);
    assert!(said.contains("has no column `hose`") && said.contains("house"), "{said}");
    let report = json(&["learn", "examples/trains", "--cv", "3", "--ticks", "30000"]);
    assert_eq!(report["folds"].as_array().unwrap().len(), 3);
    assert!(report["summary"]["log_loss"]["mean"].as_f64().unwrap() < 0.7, "{report}");
    let said = complaint(&["learn", "examples/trains", "--cv", "3", "--group", "2"]);
    assert!(said.contains("--group 2 is not the number of an argument of the head"), "{said}");
}

#[test]
fn columnar_files_are_told_how_to_be_read() {
    let folder = folder("columnar");
    let file = path(&folder, "t.parquet");
    fs::write(&file, b"PAR1\x15\x04nothing more").unwrap();
    let said = complaint(&["learn", &file, "--target", "y", "-q"]);
    let expected = if cfg!(feature = "columnar") {
        format!("error: {file} cannot be read as Parquet: ")
    } else {
        format!(
            "error: {file} is a Parquet file, and this symsnap was built without support for these\n  help: `cargo \
             install --path crates/symsnap-cli --features columnar` builds it with support; CSV needs none\n"
        )
    };
    assert!(said.starts_with(&expected), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn decimal_commas_are_fractions_in_rules_and_in_new_files() {
    let folder = folder("commas");
    let row = |at: i32| format!("{},{};{}\n", at / 4, at % 4 * 25, if at > 30 { "yes" } else { "no" });
    let table = path(&folder, "t.csv");
    fs::write(&table, (0..60).map(row).fold("mass;heavy\n".to_owned(), |text, row| text + &row)).unwrap();
    let model = path(&folder, "m.json");
    let said = stdout(&["learn", &table, "--target", "heavy", "--cost", "errorsize", "-q", "-o", &model]);
    assert!(said.contains("heavy(V0) :- mass(V0,V1), V1 >= 7."), "{said}");
    let schema = stdout(&["import", &table, "--target", "heavy"]);
    assert!(schema.contains("{ name = \"mass\", kind = \"float\", decimal = \",\" }"), "{schema}");
    let new = path(&folder, "new.csv");
    fs::write(&new, "mass;heavy\n3,5;\n9;\n").unwrap();
    let csv = stdout(&["predict", &model, "--table", &new]);
    assert_labels(&csv, "row,label,probability", &[("1,no", false), ("2,yes", true)]);
    fs::write(&new, "mass;heavy\n3.5;\n").unwrap();
    let said = complaint(&["predict", &model, "--table", &new]);
    assert!(said.contains("expected a finite number, with a comma before its fraction"), "{said}");
}

#[test]
fn exported_json_predicts_new_tables_as_the_model_does() {
    let folder = folder("exported");
    for (positive, name) in [(Some("Gentoo"), "one"), (None, "several")] {
        let (model, bare) = (path(&folder, &format!("{name}.json")), path(&folder, &format!("{name}_bare.json")));
        let positive: Vec<&str> = positive.iter().flat_map(|label| ["--positive", label]).collect();
        let limits = ["--ticks", "20000", "-q", "-o", &model];
        stdout(&[&["learn"], &PENGUINS[..], &positive, &limits].concat());
        stdout(&["export", &model, "--to", "json", "-o", &bare]);
        let text = fs::read_to_string(&bare).unwrap();
        assert!(!text.contains("digests") && !text.contains("\"files\": [\n"), "{text}");
        let said = |model: &str| stdout(&["predict", model, "--table", "examples/penguins/new.csv"]);
        assert_eq!(said(&bare), said(&model));
    }
}

#[test]
fn training_tables_that_have_changed_are_told_and_give_no_figures() {
    let folder = folder("changed");
    let (table, model, page) = (path(&folder, "t.csv"), path(&folder, "m.json"), path(&folder, "m.html"));
    let text = fs::read_to_string(root().join(PENGUINS[0])).unwrap();
    fs::write(&table, &text).unwrap();
    let limits = ["--ticks", "20000", "-q", "-o", &model];
    stdout(&[&["learn", &table, "--target", "species", "--positive", "Gentoo"], &limits[..]].concat());
    assert!(json(&["show", &model])["members"][0]["agrees"].is_number());
    stdout(&["report", &model, "-o", &page]);
    let report = fs::read_to_string(&page).unwrap();
    assert!(report.contains("<h2>Probabilities</h2>") && report.contains("of 150 right"));
    // The same rows in another file are the same table.
    fs::write(&table, text.replace('\n', "\r\n")).unwrap();
    assert!(!String::from_utf8(run(&["explain", &model, "species_Gentoo(1)"]).stderr).unwrap().contains("changed"));
    fs::write(&table, text.replacen("183", "184", 1)).unwrap();
    let said = String::from_utf8(run(&["explain", &model, "species_Gentoo(1)"]).stderr).unwrap();
    assert_eq!(said, format!("warning: {table} has changed since the model was learned\n"));
    stdout(&["report", &model, "-o", &page]);
    assert!(!fs::read_to_string(&page).unwrap().contains("<h2>Probabilities</h2>"));
}
