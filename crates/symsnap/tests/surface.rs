//! The public surface: what `lib.rs` re-exports is small, and all of it is documented.
//!
//! The source is read line by line, as rustfmt lays it out, because a compiler of the stable channel does not list what a
//! crate exports. Types, functions, methods, constants, fields and variants count, also the fields of variants; what is
//! behind `#[doc(hidden)]` does not. The costs, which a macro makes of a table, are counted by themselves.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use symsnap::Cost;

/// Public items must be fewer than this: types, functions, constants, methods, fields and variants.
const FEWER_THAN: usize = 300;

/// A public item: `Task`, `Task::terms`, `Task::from_dir`.
#[derive(Debug, PartialEq)]
struct Item {
    name: String,
    doc: String,
    /// Its line, and the next ones up to the body if it is a function.
    declaration: String,
}

/// What a line is inside of.
#[derive(Clone, PartialEq)]
enum Inside {
    Fields(String),
    Variants(String),
    /// A variant with named fields.
    Variant(String),
    /// An `impl` of a type itself.
    Methods(String),
    Trait(String),
    Other,
}

/// The word that `text` begins with.
fn word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap()
}

/// The name of the type that an `impl` line is about, if it implements no trait.
fn own_impl(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?;
    let rest = if rest.starts_with('<') { rest.split_once("> ")?.1 } else { rest.trim_start() };
    (!line.contains(" for ")).then(|| word(rest))
}

/// The public items of a file: those of the types in `names` and the functions, constants and statics in it.
fn items(text: &str, names: &BTreeSet<String>) -> Vec<Item> {
    let mut found = Vec::new();
    let mut inside: Vec<(usize, Inside)> = Vec::new();
    let (mut doc, mut hidden) = (String::new(), false);
    let lines: Vec<&str> = text.lines().collect();
    for (at, &line) in lines.iter().enumerate() {
        let (code, indent) = (line.trim(), line.len() - line.trim_start().len());
        if let Some(text) = code.strip_prefix("///") {
            doc = doc + text + "\n";
            continue;
        }
        if code.starts_with("#[") {
            hidden |= code == "#[doc(hidden)]" || code == "#[cfg(test)]";
            continue;
        }
        if code.starts_with(['}', ')']) {
            while inside.last().is_some_and(|(depth, _)| *depth >= indent) {
                inside.pop();
            }
        }
        let place = inside.last().map_or(Inside::Other, |(_, place)| place.clone());
        let public = code.strip_prefix("pub ").unwrap_or_default();
        let after = |keyword: &str| public.strip_prefix(keyword).map(word).filter(|name| names.contains(*name));
        let top = inside.is_empty();
        let type_name =
            after("struct ").or_else(|| after("enum ")).or_else(|| after("trait ")).or_else(|| after("type "));
        let other_name = after("fn ").or_else(|| after("const ")).or_else(|| after("static "));
        let member = match &place {
            Inside::Fields(owner) if public.contains(": ") => Some((owner, word(public))),
            Inside::Fields(owner) if !public.is_empty() => Some((owner, "0")),
            Inside::Variants(owner) if indent > 0 && code.starts_with(char::is_uppercase) => Some((owner, word(code))),
            Inside::Variant(owner) if code.contains(": ") => Some((owner, word(code))),
            Inside::Methods(owner) if public.starts_with("fn ") => Some((owner, word(&public[3..]))),
            Inside::Methods(owner) if public.starts_with("const fn ") => Some((owner, word(&public[9..]))),
            Inside::Methods(owner) if public.starts_with("const ") => Some((owner, word(&public[6..]))),
            Inside::Trait(owner) if code.starts_with("fn ") => Some((owner, word(&code[3..]))),
            _ => None,
        };
        let name = match &member {
            Some((owner, name)) => Some(format!("{owner}::{name}")),
            None => type_name.or(other_name.filter(|_| top)).map(str::to_owned),
        };
        if let Some(name) = name.clone().filter(|_| !hidden) {
            if matches!(place, Inside::Variants(_)) && code.contains('(') {
                let (name, doc) = (format!("{name}::0"), doc.clone());
                found.push(Item { name, doc, declaration: code.to_owned() });
            }
            let end = (at..lines.len()).find(|&end| lines[end].ends_with(['{', ';', ','])).unwrap_or(at);
            found.push(Item { name, doc: std::mem::take(&mut doc), declaration: lines[at..=end].join(" ") });
        }
        let tuple = public.starts_with("struct ") && code.ends_with('(');
        if code.ends_with('{') || tuple {
            let entered = match (type_name, own_impl(code)) {
                _ if hidden => Inside::Other,
                _ if matches!(place, Inside::Variants(_)) => name.clone().map_or(Inside::Other, Inside::Variant),
                (Some(name), _) if public.starts_with("struct ") => Inside::Fields(name.to_owned()),
                (Some(name), _) if public.starts_with("enum ") => Inside::Variants(name.to_owned()),
                (Some(name), _) if public.starts_with("trait ") => Inside::Trait(name.to_owned()),
                (None, Some(name)) if names.contains(name) => Inside::Methods(name.to_owned()),
                _ => Inside::Other,
            };
            inside.push((indent, entered));
        }
        (doc, hidden) = (String::new(), false);
    }
    found
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The room and the name of what `lib.rs` re-exports.
fn exports() -> BTreeSet<(String, String)> {
    let library = fs::read_to_string(source().join("lib.rs")).unwrap();
    let lines = library.lines().filter_map(|line| line.strip_prefix("pub use ")?.strip_suffix(';'));
    lines
        .flat_map(|line| {
            let (room, names) = line.split_once("::").unwrap();
            let names = names.trim_matches(['{', '}']).split(", ");
            names.map(|name| (room.to_owned(), name.to_owned())).collect::<Vec<_>>()
        })
        .collect()
}

/// All public items of the library.
fn surface() -> Vec<Item> {
    let exports = exports();
    let rooms: BTreeSet<&String> = exports.iter().map(|(room, _)| room).collect();
    let mut found = Vec::new();
    for room in rooms {
        let names: BTreeSet<String> =
            exports.iter().filter(|(other, _)| other == room).map(|(_, name)| name.clone()).collect();
        for file in files(&source()) {
            let relative = file.strip_prefix(source()).unwrap().with_extension("");
            if relative.iter().next().is_some_and(|first| first.to_string_lossy() == *room) {
                found.extend(items(&fs::read_to_string(&file).unwrap(), &names));
            }
        }
    }
    found
}

#[test]
fn the_surface_is_small() {
    let surface = surface();
    for (room, name) in exports() {
        assert!(surface.iter().any(|item| item.name == name), "{room} has no public `{name}`");
    }
    // All costs, and the list of them.
    let count = surface.len() + Cost::ALL.len() + 1;
    assert!(count < FEWER_THAN, "{count} public items; hide what only this repository needs");
}

#[test]
fn every_public_item_is_documented_and_says_when_it_fails() {
    for Item { name, doc, declaration } in surface() {
        assert!(doc.trim().len() > 3, "`{name}` is not documented");
        let fails = declaration.contains("-> Result<") && declaration.contains("fn ");
        assert!(!fails || doc.contains("# Errors"), "`{name}` does not say when it fails: {doc}");
    }
}

#[test]
fn the_reader_sees_types_members_and_what_is_hidden() {
    let text = "
/// A type.
#[derive(Debug)]
pub struct Task {
    /// A field.
    pub terms: Terms,
    #[doc(hidden)]
    pub program: Program,
    bias: Bias,
}

impl Task {
    /// A method.
    pub fn read(path: &Path) -> Result<Task> {
        let task = Task { terms: 1 };
    }

    pub(crate) fn inner(&self) {}
    #[doc(hidden)]
    pub fn secret(&self) {}
}

impl Display for Task {
    fn fmt() {}
}

pub struct Other {
    pub field: u8,
}

pub enum Event<'e> {
    /// With fields.
    Begun {
        task: &'e Task,
    },
    Done(Task),
}

pub trait Method: Debug {
    fn name(&self) -> &'static str;
    #[doc(hidden)]
    fn boxed(&self);
}
";
    let names = ["Task", "Event", "Method"].map(str::to_owned).into();
    let found = items(text, &names);
    let seen: Vec<&str> = found.iter().map(|item| item.name.as_str()).collect();
    let expected = [
        "Task",
        "Task::terms",
        "Task::read",
        "Event",
        "Event::Begun",
        "Event::Begun::task",
        "Event::Done::0",
        "Event::Done",
        "Method",
        "Method::name",
    ];
    assert_eq!(seen, expected);
    assert_eq!(found[1].doc, " A field.\n");
    assert!(found[2].declaration.contains("-> Result<Task>"));
}
