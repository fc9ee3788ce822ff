//! Reports as a reader sees them, in headless Chromium: no errors, tables that sort, filters that filter, nothing wider
//! than the window. Skipped, and counted, where there is no Chromium.
//!
//! The page is put into frames of the widths to be tested, inside a page that tries it out and writes down what it found
//! where `--dump-dom` shows it. So nothing but the browser itself is needed.
#![allow(clippy::unwrap_used)]

#[path = "../../symsnap/tests/skip/mod.rs"]
mod skip;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PROBE: &str = include_str!("report/probe.js");

fn symsnap(arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_symsnap")).args(arguments).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    folders.iter().flat_map(|folder| names.map(|name| folder.join(name))).find(|path| path.is_file())
}

/// A folder of its own, gone at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("symsnap-report-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    fn join(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What the probe finds at each width.
fn probe(place: &Place, browser: &Path, page: &str) -> Value {
    let text = fs::read_to_string(page).unwrap();
    for foreign in ["http://", "https://", "src=", "@import", "url("] {
        let rest = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!rest.contains(foreign), "the page refers to something outside: {foreign}");
    }
    let quoted = serde_json::to_string(&text).unwrap().replace("</", "<\\/");
    let outer =
        format!("<!doctype html><meta charset=\"utf-8\"><body><script>const PAGE = {quoted};\n{PROBE}</script></body>");
    let harness = place.join("harness.html");
    fs::write(&harness, outer).unwrap();
    let profile = format!("--user-data-dir={}", place.join("profile"));
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"])
        .args(["--disable-background-networking", "--disable-component-update", "--window-size=1400,1000"])
        .args(["--virtual-time-budget=20000", "--dump-dom", &profile, &format!("file://{harness}")])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let found = dom.split("<pre id=\"found\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let found =
        found.unwrap_or_else(|| panic!("the probe did not finish: {}", String::from_utf8_lossy(&output.stderr)));
    serde_json::from_str(&found.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")).unwrap()
}

fn check_widths(found: &Value) {
    for width in ["1280", "400"] {
        let it = &found[width];
        assert_eq!(it["errors"], serde_json::json!([]), "at {width} pixels");
        assert_eq!(it["overflow"], serde_json::json!([]), "wider than {width} pixels");
        assert!(it["charts"].as_u64().unwrap() > 0 && it["text"].as_u64().unwrap() > 200, "{it}");
    }
}

#[test]
fn the_report_of_an_experiment_works_in_a_browser() {
    let place = Place::new("experiment");
    let suite = place.join("suite.toml");
    let tasks = [("trains", 40), ("scenes", 40), ("grid-move", 3)];
    let tasks: String = tasks
        .iter()
        .map(|(kind, size)| {
            let family = kind.split('-').next().unwrap();
            format!("[[tasks]]\nname = \"{kind}\"\nfamily = \"{family}\"\ngenerate = \"{kind}\"\nsize = {size}\nnoise = 0.1\n")
        })
        .collect();
    let head = "name = \"browser\"\ntitle = \"A <test> & more\"\ntrials = 3\ncosts = [\"mdl\", \"lexfnsize\"]\n\
        methods = [\"single\", \"paper\", \"paper-one-optimum\", \"paper-only-optima\", \"bagging\"]\n\
        sweep = [0.001, 0.01]\ncheckpoints = [100.0, 1000.0]\n[limits]\nticks = 1000\n";
    fs::write(&suite, head.to_owned() + &tasks).unwrap();
    let results = place.join("results");
    symsnap(&["experiment", "run", &suite, "-o", &results, "-q"]);
    symsnap(&["report", &results]);
    let markdown = fs::read_to_string(place.join("results/report.md")).unwrap();
    assert!(
        markdown.contains("## Does the ensemble generalise better?") && markdown.contains("| mdl | 3 |"),
        "{markdown}"
    );
    let drawing = fs::read_to_string(place.join("results/figures/gain-random-mdl.svg")).unwrap();
    assert!(drawing.starts_with("<svg ") && drawing.contains("<style>"), "{drawing}");
    let Some(browser) = chromium() else {
        return skip::skip("there is no Chromium");
    };
    let found = probe(&place, &browser, &place.join("results/report.html"));
    check_widths(&found);
    for width in ["1280", "400"] {
        let it = &found[width];
        assert_eq!(it["sorted"], true, "numbers sort as numbers, both ways");
        assert_eq!(it["rows"], serde_json::json!({ "all": 6, "cost": 3, "text": 2, "none": 0 }));
        assert_eq!(it["title"], "symsnap: browser");
        assert!(it["details"].as_u64().unwrap() >= 4, "{it}");
    }
    let page = fs::read_to_string(place.join("results/report.html")).unwrap();
    let verdict = page.find("<p class=\"verdict\">The published ensemble is").expect("a verdict in words");
    assert!(verdict < page.find("<h2>").unwrap(), "before any figure");
    assert!(page.contains("3 trials") && page.contains("With 3 tasks no difference can be significant"));
    assert!(!drawing.contains(">better<") && drawing.contains(">trains<title>"), "no legend without data, named tasks");
    for text in ["class=\"up\"", "class=\"down\""] {
        assert!(!page.contains(text), "three trials of three tasks colour nothing");
    }
}

#[test]
fn the_report_of_a_model_works_in_a_browser() {
    let place = Place::new("model");
    let (task, model) = (place.join("task"), place.join("model.json"));
    symsnap(&["generate", "scenes", "--noise", "0.15", "--size", "60", "-o", &task]);
    symsnap(&["learn", &task, "--ticks", "2000", "-q", "-o", &model]);
    symsnap(&["report", &model]);
    let page = fs::read_to_string(place.join("model.html")).unwrap();
    assert!(page.contains("members vote on <code>right/1</code>"), "{page}");
    assert!(
        page.contains("<small>accuracy</small>") && !page.contains("heaviest member alone"),
        "the vote's own figures"
    );
    let Some(browser) = chromium() else {
        return skip::skip("there is no Chromium");
    };
    check_widths(&probe(&place, &browser, &place.join("model.html")));
}
