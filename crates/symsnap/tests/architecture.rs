//! The house rules that a compiler does not check: ARCHITECTURE.md names every room and links only to what exists,
//! a room uses only rooms above it, files stay short, and nothing depends on where this machine keeps its files.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// No Rust file may be longer, its unit tests included.
const MAX_LINES: usize = 800;
/// No Rust file may be longer, its unit tests left out.
const MAX_LINES_OF_CODE: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

/// All files below `folder` in a fixed order, without build products and Git's own.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_symlink() || ["target", ".git", "__pycache__"].contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

fn files_named(folder: &Path, extension: &str) -> Vec<PathBuf> {
    files(folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == extension)).collect()
}

/// The rooms in the order of ARCHITECTURE.md's table: the first name in back quotes of each row.
fn rooms() -> Vec<String> {
    let text = read(&root().join("ARCHITECTURE.md"));
    let rows = text.lines().filter(|line| line.starts_with("| `") || line.starts_with("| [`"));
    rows.map(|row| row.split('`').nth(1).unwrap().to_owned()).collect()
}

/// The targets of `[text](target)` links in Markdown, anchors removed, other sites left out.
fn links(markdown: &str) -> Vec<String> {
    let targets = markdown.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    local.map(|target| target.split('#').next().unwrap().to_owned()).collect()
}

/// The text without comments and without items that exist only in tests.
///
/// rustfmt puts the closing brace of an item in the column where the item begins; that is how its end is found.
fn production_code(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim_start().starts_with("#[cfg(test)]") {
            let indent = &line[..line.len() - line.trim_start().len()];
            let item = lines.by_ref().find(|line| !line.trim_start().starts_with("#[")).unwrap_or_default();
            if item.trim_end().ends_with('{') {
                let end = format!("{indent}}}");
                lines.by_ref().find(|line| *line == end);
            }
            continue;
        }
        kept.push_str(line.split("//").next().unwrap());
        kept.push('\n');
    }
    kept
}

/// The names that follow `prefix` in `code`, those in braces included: `crate::{a, b::c}` gives `a` and `b`.
fn names_after(code: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(|last: char| last.is_alphanumeric() || last == '_' || last == ':') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        let Some(group) = rest.strip_prefix('{') else {
            names.push(name(rest));
            continue;
        };
        let (mut depth, mut member) = (0, String::new());
        for c in group.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => names.push(name(std::mem::take(&mut member).trim())),
                _ => member.push(c),
            }
        }
        names.push(name(member.trim()));
    }
    names
}

/// Where a file of the library stands: `src/task/bias.rs` is `["task", "bias"]`, `src/task/mod.rs` is `["task"]`.
fn module_path(file: &Path) -> Vec<String> {
    let relative = file.strip_prefix(root().join("crates/symsnap/src")).unwrap().with_extension("");
    let mut path: Vec<String> = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if path.last().is_some_and(|last| last == "mod" || last == "lib") {
        path.pop();
    }
    path
}

/// The modules that a file declares under `#[cfg(test)]`.
fn test_modules(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let pairs = lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]");
    pairs.filter_map(|pair| pair[1].strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)).collect()
}

#[test]
fn every_link_in_the_documents_leads_to_a_file() {
    for document in files_named(&root(), "md") {
        for link in links(&read(&document)) {
            let target = document.parent().unwrap().join(&link);
            assert!(target.exists(), "{}: the link to {link} leads nowhere", document.display());
        }
    }
}

#[test]
fn the_table_of_architecture_is_the_list_of_rooms() {
    let (rooms, text) = (rooms(), read(&root().join("ARCHITECTURE.md")));
    let library = read(&root().join("crates/symsnap/src/lib.rs"));
    let modules = library.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned));
    assert_eq!(modules.collect::<BTreeSet<String>>(), rooms.iter().cloned().collect());
    for room in rooms {
        assert!(text.contains(&format!("| [`{room}`](")), "ARCHITECTURE.md has no link to the room `{room}`");
    }
}

#[test]
fn a_room_uses_only_rooms_above_it() {
    let rooms = rooms();
    let rank = |name: &str| rooms.iter().position(|room| room == name);
    let sources = files_named(&root().join("crates/symsnap/src"), "rs");
    let only_tests: BTreeSet<Vec<String>> = sources
        .iter()
        .flat_map(|file| {
            let parent = module_path(file);
            test_modules(&read(file)).into_iter().map(move |name| [parent.clone(), vec![name]].concat())
        })
        .collect();
    let mut wrong = Vec::new();
    for file in &sources {
        let path = module_path(file);
        let Some(room) = path.first() else { continue };
        if (1..=path.len()).any(|depth| only_tests.contains(&path[..depth])) {
            continue;
        }
        let own = rank(room).unwrap_or_else(|| panic!("ARCHITECTURE.md's table has no room `{room}`"));
        let code = production_code(&read(file));
        let mut used = names_after(&code, "crate::");
        used.extend(names_after(&code, &"super::".repeat(path.len())));
        for name in used {
            if rank(&name).is_some_and(|other| other > own) {
                wrong.push(format!("{}: `{room}` uses `{name}`, which is below it", path.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_but_the_table_of_costs_tells_costs_apart() {
    // A cost is one row: whoever would match on costs asks the row instead.
    let tells_apart = |line: &str| {
        let is_arm = line.contains("=>") && line.split("=>").next().is_some_and(|arm| arm.contains("Cost::"));
        is_arm || line.contains("== Cost::") || line.contains("!= Cost::")
    };
    for file in files_named(&root().join("crates/symsnap/src"), "rs") {
        if module_path(&file) != ["cost", "costs"] {
            let code = production_code(&read(&file));
            let line = code.lines().find(|line| tells_apart(line));
            assert!(line.is_none(), "{}: {}", file.display(), line.unwrap_or_default());
        }
    }
}

#[test]
fn the_layering_test_sees_paths_and_groups_but_not_tests_and_comments() {
    let text = "use crate::{learn::Loop, task::{A, B}};\n// crate::space\nfn f() { crate::cost::g() }\n\
                #[cfg(test)]\nmod tests {\n    use crate::ensemble;\n}\nuse crate::search;\n";
    assert_eq!(names_after(&production_code(text), "crate::"), ["learn", "task", "cost", "search"]);
}

#[test]
fn no_rust_file_is_too_long_to_read() {
    for file in files_named(&root(), "rs") {
        let text = read(&file);
        let (all, code) = (text.lines().count(), production_code(&text).lines().count());
        let short = all <= MAX_LINES && code <= MAX_LINES_OF_CODE;
        assert!(short, "{} has {all} lines, {code} without unit tests; split it", file.display());
    }
}

#[test]
fn no_file_names_a_folder_of_the_machine_it_was_written_on() {
    let folders = [concat!("/wo", "rk/"), concat!("/tmp/", "wt-"), concat!("/ro", "ot/")];
    for file in files(&root()) {
        let bytes = fs::read(&file).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        for folder in folders {
            assert!(!text.contains(folder), "{} holds the path {folder}", file.display());
        }
    }
}
