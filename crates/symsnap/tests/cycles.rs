//! Files of a room depend on each other in one direction: whoever reads one can stop at those that it names.
//!
//! Cycles that are there are listed below with all their files. The list may only shrink: a cycle that grows, and one that
//! has become smaller and is still listed as it was, fail.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module as a path below the crate: `["mine", "branches", "edges"]`.
type Module = Vec<String>;

/// The cycles that there are, each as the files that reach each other.
const CYCLES: [&str; 1] = [
    // The machine calls built-ins, and they work on the machine: this one may stay.
    "prolog::builtins prolog::builtins::constraints prolog::catching prolog::code prolog::collect prolog::control \
     prolog::functions prolog::machine prolog::number prolog::procedure prolog::raise prolog::store prolog::tabling",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every file below `folder` that is a module, by its path.
fn modules(folder: &Path, above: &[String], found: &mut BTreeMap<Module, String>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut module = above.to_vec();
        if path.is_dir() {
            module.push(name);
            modules(&path, &module, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            if name != "mod" && name != "lib" {
                module.push(name);
            }
            found.insert(module, fs::read_to_string(&path).unwrap());
        }
    }
}

/// The modules that exist only in tests: `#[cfg(test)]` stands before their declaration.
fn only_in_tests(modules: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    for (module, text) in modules {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for pair in lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]") {
            let declared = pair[1].rsplit_once("mod ").and_then(|(_, rest)| rest.strip_suffix(';'));
            found.extend(declared.map(|name| [module.clone(), vec![name.to_owned()]].concat()));
        }
    }
    found
}

/// The text without comments and without items that exist only in tests, which rustfmt ends in the column they begin in.
fn production(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim_start().starts_with("#[cfg(test)]") {
            let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
            let item = lines.by_ref().find(|line| !line.trim_start().starts_with("#[")).unwrap_or_default();
            if item.trim_end().ends_with('{') {
                lines.by_ref().find(|line| *line == end);
            }
            continue;
        }
        kept.push_str(line.split("//").next().unwrap());
        kept.push('\n');
    }
    kept
}

/// `a::{b, c::{d, e as f}}` as `a::b`, `a::c::d`, `a::c::e`.
fn expanded(tree: &str, found: &mut Vec<String>) {
    let Some((prefix, inside)) = tree.split_once('{') else {
        found.push(tree.split(" as ").next().unwrap().trim().to_owned());
        return;
    };
    let inside = &inside[..inside.rfind('}').unwrap_or(inside.len())];
    let (mut depth, mut start) = (0, 0);
    for (at, c) in inside.char_indices().chain([(inside.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inside[start..at].trim();
                if !part.is_empty() {
                    expanded(&format!("{prefix}{part}"), found);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// What a module mentions: whether it passes it on, and the path.
struct Mention {
    public: bool,
    path: Vec<String>,
}

/// The `use` items of a text, and the text without them.
fn uses(text: &str) -> (Vec<Mention>, String) {
    let (mut found, mut rest) = (Vec::new(), String::new());
    let mut statement: Option<(bool, String)> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        if statement.is_none() {
            let item = trimmed.strip_prefix("pub").map_or(trimmed, |rest| {
                let rest = rest.trim_start();
                if rest.starts_with('(') {
                    rest.split_once(')').map_or(rest, |(_, rest)| rest).trim_start()
                } else {
                    rest
                }
            });
            match item.strip_prefix("use ") {
                Some(item) => statement = Some((trimmed.starts_with("pub"), item.to_owned())),
                None => {
                    rest.push_str(line);
                    rest.push('\n');
                    continue;
                }
            }
        } else if let Some((_, text)) = &mut statement {
            text.push_str(trimmed);
        }
        if trimmed.ends_with(';')
            && let Some((public, text)) = statement.take()
        {
            let mut paths = Vec::new();
            expanded(text.trim_end_matches(';'), &mut paths);
            let path = |path: String| path.split("::").map(|part| part.trim().to_owned()).collect();
            found.extend(paths.into_iter().map(|text| Mention { public, path: path(text) }));
        }
    }
    (found, rest)
}

/// Paths that a text mentions outside of `use` items: those that begin with `super::` or `crate::`.
fn paths(text: &str) -> Vec<Vec<String>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = text.split(|c| !is_part(c));
    let paths = words.filter(|word| word.starts_with("super::") || word.starts_with("crate::"));
    paths.map(|word| word.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect()).collect()
}

struct Crate {
    modules: BTreeMap<Module, String>,
    /// For each module, what names in it stand for.
    names: BTreeMap<Module, BTreeMap<String, Module>>,
}

impl Crate {
    /// A path that is written in `module`, from the crate on.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Module> {
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([module, &path[1..]].concat()),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                let base = module.len().checked_sub(up)?;
                Some([&module[..base], &path[up..]].concat())
            }
            first => {
                let child = [module.as_slice(), &[first.to_owned()]].concat();
                self.modules.contains_key(&child).then(|| [module.as_slice(), path].concat())
            }
        }
    }

    /// The module that defines what a path leads to; names that modules pass on are followed.
    fn home(&self, path: &[String], depth: usize) -> Module {
        let known = (0..=path.len()).rev().find(|&end| self.modules.contains_key(&path[..end])).unwrap_or(0);
        let base = path[..known].to_vec();
        let passed_on = path.get(known).and_then(|name| self.names.get(&base)?.get(name));
        match passed_on {
            Some(target) if depth < 6 && target.as_slice() != path => self.home(target, depth + 1),
            _ => base,
        }
    }
}

/// Which files of its own room each file uses.
fn dependencies() -> BTreeMap<Module, BTreeSet<Module>> {
    let mut all = BTreeMap::new();
    modules(&source(), &[], &mut all);
    let tests = only_in_tests(&all);
    all.retain(|module, _| (1..=module.len()).all(|end| !tests.contains(&module[..end])));
    let read: BTreeMap<Module, (Vec<Mention>, String)> =
        all.iter().map(|(module, text)| (module.clone(), uses(&production(text)))).collect();
    let mut house = Crate { modules: all, names: BTreeMap::new() };
    for (module, (mentions, _)) in &read {
        let named = mentions
            .iter()
            .filter_map(|mention| Some((mention.path.last()?.clone(), house.absolute(module, &mention.path)?)));
        let named = named.collect();
        house.names.insert(module.clone(), named);
    }
    let mut edges: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, (mentions, rest)) in read.iter().filter(|(module, _)| !module.is_empty()) {
        let mut targets: Vec<Module> = Vec::new();
        for mention in mentions {
            let Some(path) = house.absolute(module, &mention.path) else { continue };
            // A module that passes on what a file below it defines uses nothing.
            if !(mention.public && path.starts_with(module)) {
                targets.push(path);
            }
        }
        targets.extend(paths(rest).iter().filter_map(|path| house.absolute(module, path)));
        let homes = targets.iter().map(|path| house.home(path, 0));
        let inside = homes.filter(|home| home != module && home.first() == module.first());
        edges.insert(module.clone(), inside.collect());
    }
    edges
}

/// Everything that can be reached from a module in one step or more.
fn reachable<'a>(from: &'a Module, edges: &'a BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<&'a Module> {
    let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
    while let Some(module) = todo.pop() {
        todo.extend(edges.get(module).into_iter().flatten().filter(|next| seen.insert(*next)));
    }
    seen
}

#[test]
fn files_of_a_room_form_no_cycle_that_is_not_listed() {
    let edges = dependencies();
    let reach: BTreeMap<&Module, BTreeSet<&Module>> =
        edges.keys().map(|module| (module, reachable(module, &edges))).collect();
    let mut cycles: BTreeSet<String> = BTreeSet::new();
    for (module, reached) in reach.iter().filter(|(module, reached)| reached.contains(*module)) {
        let cycle = reached.iter().filter(|other| reach.get(*other).is_some_and(|back| back.contains(module)));
        let cycle: Vec<String> = cycle.map(|other| other.join("::")).collect();
        cycles.insert(cycle.join(" "));
    }
    let listed: BTreeSet<String> = CYCLES.iter().map(|cycle| (*cycle).to_owned()).collect();
    let new: Vec<&String> = cycles.difference(&listed).collect();
    let gone: Vec<&String> = listed.difference(&cycles).collect();
    assert!(new.is_empty() && gone.is_empty(), "cycles that are not listed: {new:#?}\nlisted and not there: {gone:#?}");
}

#[test]
fn use_items_are_taken_apart() {
    let mut found = Vec::new();
    expanded("crate::logic::{Pred, terms::{self, Term as T}, Rule}", &mut found);
    assert_eq!(
        found,
        ["crate::logic::Pred", "crate::logic::terms::self", "crate::logic::terms::Term", "crate::logic::Rule"]
    );
    let (mentions, rest) = uses("pub(super) use a::{\n    b,\n    c,\n};\nlet x = super::y::z();\n");
    assert!(mentions.iter().all(|mention| mention.public) && mentions.len() == 2);
    assert_eq!(paths(&rest), [["super", "y", "z"]]);
}
