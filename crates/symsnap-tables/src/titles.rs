//! What titles of columns say about tables: `mol_id`, `molecule` and `atom1` are about molecules and atoms.
//!
//! A title only ever proposes; whether the values bear it out is for [`links`](crate::links) to see.

/// Words of a title that say that it names something.
const NAMING: [&str; 9] = ["id", "ids", "key", "ref", "fk", "no", "nr", "num", "number"];
/// The shortest beginning of a table's name that stands for it: `mol` for molecules.
const SHORTEST: usize = 3;

/// The words of a title, in lower case: `fromAtom_id2` has `from`, `atom` and `id`. Digits are left out.
fn words(title: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    let mut small = false;
    for c in title.chars() {
        if !c.is_alphabetic() {
            open = false;
            continue;
        }
        if !open || (small && c.is_uppercase()) {
            words.push(String::new());
        }
        (open, small) = (true, c.is_lowercase());
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    // `molid` is written without a gap.
    if let [word] = words.as_slice()
        && let Some(stem) = word.strip_suffix("id")
        && stem.chars().count() >= SHORTEST
    {
        return vec![stem.to_owned(), "id".to_owned()];
    }
    words
}

/// The singular of an English word, more or less: good enough to see that `molecules` has molecules.
pub(crate) fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    let sibilant = ["sses", "xes", "ches", "shes"].iter().any(|end| word.ends_with(end));
    match word {
        _ if sibilant => word[..word.len() - 2].to_owned(),
        _ if word.ends_with('s') && !word.ends_with("ss") && word.len() > 3 => word[..word.len() - 1].to_owned(),
        _ => word.to_owned(),
    }
}

/// How a title is about a table, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum About {
    /// `molecule_id`, `molecule`.
    Named,
    /// `mol_id`.
    Shortened,
    /// `from_atom`, `atom1_id`: another word says which one.
    Qualified,
}

/// Whether a title is about the rows of the table with that name.
pub(crate) fn about(title: &str, table: &str) -> Option<About> {
    let title = words(title);
    let named = title.iter().any(|word| NAMING.contains(&word.as_str()));
    let rest: Vec<String> =
        title.into_iter().filter(|word| !NAMING.contains(&word.as_str())).map(|word| singular(&word)).collect();
    let table: Vec<String> = words(table).iter().map(|word| singular(word)).collect();
    if rest.is_empty() || table.is_empty() {
        return None;
    }
    if rest == table || rest.concat() == table.concat() {
        return Some(About::Named);
    }
    let short = rest.concat();
    if named && short.chars().count() >= SHORTEST && table.concat().starts_with(&short) {
        return Some(About::Shortened);
    }
    let within = rest.windows(table.len()).any(|window| window == table);
    within.then_some(About::Qualified)
}

/// Whether a title is what keys are called whatever the table: `id`, `key`, `row_number`.
pub(crate) fn is_plain_key(title: &str) -> bool {
    let title = words(title);
    !title.is_empty() && title.iter().all(|word| NAMING.contains(&word.as_str()) || word == "row" || word == "index")
}

/// Whether a word of the title says that it names something.
pub(crate) fn names_something(title: &str) -> bool {
    words(title).iter().any(|word| NAMING.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_about_tables() {
        for title in ["molecule_id", "MoleculeID", "molecule", "moleculeId", "Molecules", "molecule no."] {
            assert_eq!(about(title, "molecules"), Some(About::Named), "{title}");
        }
        assert_eq!(about("mol_id", "molecules"), Some(About::Shortened));
        assert_eq!(about("molid", "molecules"), Some(About::Shortened));
        for title in ["atom1", "atom_2", "from_atom", "toAtomId"] {
            assert!(about(title, "atoms").is_some(), "{title}");
        }
        assert_eq!(about("from_atom", "atoms"), Some(About::Qualified));
        assert_eq!(about("order_line_id", "order_lines"), Some(About::Named));
        for title in ["id", "mol", "mo_id", "charge", "atomic_weight", ""] {
            assert_eq!(about(title, "molecules"), None, "{title}");
            assert_eq!(about(title, "atoms"), None, "{title}");
        }
        assert_eq!(about("category", "categories"), Some(About::Named));
        assert_eq!(about("box", "boxes"), Some(About::Named));
        assert_eq!(about("class", "class"), Some(About::Named));
    }

    #[test]
    fn keys_have_plain_titles() {
        assert!(["id", "ID", "Id", "key", "row", "row number"].iter().all(|title| is_plain_key(title)));
        assert!(["idea", "age", "", "molecule_id"].iter().all(|title| !is_plain_key(title)));
    }
}
