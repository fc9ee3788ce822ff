//! Targets that are links: which rows of two tables belong together.
//!
//! A table of pairs has two columns that name rows, and possibly one with labels. Without labels all its pairs are positive, and
//! negatives are drawn at random.

use crate::findings::{list, quoted};
use crate::labels::could_label;
use crate::links::{Link, Names, dangling, proposes};
use crate::table::Table;
use std::collections::HashSet;
use symsnap::internals::random::Random;
use symsnap::{Diagnostic, Result};

/// Titles of columns with labels.
const LABELS: [&str; 5] = ["label", "target", "class", "y", "truth"];
/// Draws for each negative that is wanted, before it is given up: nearly all pairs are positive then.
const TRIES: usize = 50;

/// What a table of pairs is made of.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) links: [Link; 2],
    /// The column with labels.
    pub(crate) label: Option<usize>,
}

/// The two links and the label of the table of pairs, which is number `main` of the tables.
///
/// # Errors
/// If there are not two columns that name rows of other tables.
pub(crate) fn find(tables: &[Table], main: usize, keys: &[Option<usize>], weight: Option<usize>) -> Result<Pair> {
    let table = &tables[main];
    let keyed: Vec<usize> = (0..tables.len()).filter(|&at| keys[at].is_some()).collect();
    let mut links: Vec<Link> = Vec::new();
    let mut failed: Option<Diagnostic> = None;
    for (at, column) in table.columns().iter().enumerate().filter(|(at, _)| Some(*at) != weight) {
        let mut proposed: Vec<usize> = keyed
            .iter()
            .copied()
            .filter(|&to| keys[to].is_some_and(|key| proposes(&column.name, &tables[to], key).is_some()))
            .collect();
        // Where there is only one table whose rows have names, pairs can be of nothing else.
        if let ([only], true, true) = (keyed.as_slice(), proposed.is_empty(), links.len() < 2) {
            proposed.push(*only);
        }
        for to in proposed {
            let Some(key) = keys[to].map(|key| &tables[to].columns()[key]) else { continue };
            let names = Names::of(key);
            match dangling(table, at, &names) {
                None if links.len() < 2 => {
                    links.push(Link { table: main, column: at, to });
                    break;
                }
                None => break,
                Some((_, text, row)) => {
                    let message = format!(
                        "{} in column {} is no {} of {}",
                        quoted(text),
                        quoted(&column.name),
                        quoted(&key.name),
                        tables[to].name()
                    );
                    failed.get_or_insert(Diagnostic::error(message).at(table.place(row, at)));
                }
            }
        }
    }
    let Ok(links) = <[Link; 2]>::try_from(links) else {
        let named: Vec<&str> = keyed.iter().map(|&at| tables[at].name()).collect();
        let help = match named.as_slice() {
            [] => "no table has a key: a column `id` without gaps and repetitions".to_owned(),
            _ => format!(
                "their titles say of which table, as in `{}_id`; keys have {}",
                named[0],
                list(named.iter().copied())
            ),
        };
        let message = format!("{} has no two columns that name rows of other tables", table.file());
        return Err(failed.unwrap_or_else(|| Diagnostic::error(message).with_help(help)).into());
    };
    let label = label(table, &links, weight)?;
    Ok(Pair { links, label })
}

/// The column with labels: the only other one, or the one that is called so.
fn label(table: &Table, links: &[Link; 2], weight: Option<usize>) -> Result<Option<usize>> {
    let spared = |at: usize| links.iter().any(|link| link.column == at) || Some(at) == weight;
    let others: Vec<usize> = (0..table.columns().len()).filter(|&at| !spared(at)).collect();
    let name = |at: usize| table.columns()[at].name.as_str();
    let called = others.iter().copied().find(|&at| LABELS.iter().any(|label| label.eq_ignore_ascii_case(name(at))));
    match (others.as_slice(), called) {
        (_, Some(at)) => Ok(Some(at)),
        ([], _) => Ok(None),
        ([only], _) if could_label(&table.columns()[*only]) => Ok(Some(*only)),
        _ => {
            let message =
                format!("{} has columns beside its pairs: {}", table.file(), list(others.iter().map(|&at| name(at))));
            let help = "call the one with labels `label`, or leave them out";
            Err(Diagnostic::error(message).at(table.title_place(others[0])).with_help(help).into())
        }
    }
}

/// Negatives for pairs that are all positive, as numbers of rows of the two tables: `wanted` of them where there are so many, drawn
/// at random, each once. A row with itself is drawn only if some positive is of that kind.
pub(crate) fn draw(
    known: &HashSet<(u32, u32)>,
    rows: (usize, usize),
    same: bool,
    wanted: usize,
    seed: u64,
) -> Vec<(u32, u32)> {
    let selves = !same || known.iter().any(|(one, other)| one == other);
    let mut drawn: HashSet<(u32, u32)> = HashSet::new();
    let mut negatives = Vec::with_capacity(wanted);
    let mut random = Random::new(seed);
    let mut tries = wanted.saturating_mul(TRIES);
    while negatives.len() < wanted && tries > 0 && rows.0 > 0 && rows.1 > 0 {
        tries -= 1;
        let row = |bound: usize, random: &mut Random| u32::try_from(random.below(bound)).unwrap_or(u32::MAX);
        let pair = (row(rows.0, &mut random), row(rows.1, &mut random));
        if (pair.0 != pair.1 || selves) && !known.contains(&pair) && drawn.insert(pair) {
            negatives.push(pair);
        }
    }
    negatives
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    #[test]
    fn pairs_are_links_and_a_label() {
        let people = table("people", "name,age\nann,30\nbob,20\ncid,10\n");
        let found = |text: &str| find(&[people.clone(), table("knows", text)], 1, &[Some(0), None], None);
        let pair = found("a,b\nann,bob\nbob,cid\n").unwrap();
        assert_eq!((pair.links[0].column, pair.links[1].column, pair.label), (0, 1, None));
        assert_eq!(found("a,b,label\nann,bob,1\nbob,cid,0\n").unwrap().label, Some(2));
        let message = |text: &str| found(text).unwrap_err().to_string();
        assert_eq!(
            message("a,b\nann,bob\nbob,dan\n"),
            "knows.csv:3:5: error: `dan` in column `b` is no `name` of people"
        );
        assert!(
            message("a,b,x,y2\nann,bob,1,2\nbob,cid,3,4\n")
                .contains("knows.csv has columns beside its pairs: `x`, `y2`")
        );
    }

    #[test]
    fn negatives_are_new_different_and_of_two_rows() {
        let known: HashSet<(u32, u32)> = [(0, 1), (1, 2)].into();
        let drawn = draw(&known, (4, 4), true, 1000, 1);
        assert_eq!(drawn.len(), 4 * 4 - 4 - 2, "all that there are");
        assert!(drawn.iter().all(|pair| pair.0 != pair.1 && !known.contains(pair)));
        assert_eq!(draw(&known, (4, 4), true, 5, 7), draw(&known, (4, 4), true, 5, 7));
        assert_ne!(draw(&known, (40, 40), true, 5, 7), draw(&known, (40, 40), true, 5, 8));
        assert_eq!(draw(&known, (0, 4), false, 5, 7), []);
    }
}
