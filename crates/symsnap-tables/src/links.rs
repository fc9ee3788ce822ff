//! Keys and links between tables: proposed by the titles of columns, verified by their values.
//!
//! Values alone propose nothing: whole numbers from 1 on are included in every key of whole numbers. Titles alone prove nothing: a
//! link is used only if each of its values is a key of the other table. A proposal that fails is told, with the first value that
//! dangles and its line.

use crate::column::{Column, whole};
use crate::findings::quoted;
use crate::kind::{Kind, kind_of};
use crate::table::Table;
use crate::titles::{About, about, is_plain_key, names_something};
use std::collections::HashSet;
use symsnap::Diagnostic;

/// Fewer whole numbers may follow each other by chance.
const LEAST_NUMBERED: usize = 5;

/// The column that names the rows of a table, if one does; and what is odd about one that looks as if it did. Columns in
/// `taken` are not considered: they are predicted, or weights.
pub(crate) fn find_key(table: &Table, taken: &[&str]) -> (Option<usize>, Option<Diagnostic>) {
    let columns: Vec<(usize, &Column)> =
        table.columns().iter().enumerate().filter(|(_, column)| !taken.contains(&column.name.as_str())).collect();
    let plain = columns.iter().filter(|(_, column)| is_plain_key(&column.name));
    let named = columns.iter().filter(|(_, column)| about(&column.name, table.name()) == Some(About::Named));
    let short = columns.iter().filter(|(_, column)| about(&column.name, table.name()) == Some(About::Shortened));
    let by_title: Vec<usize> = plain.chain(named).chain(short).map(|(at, _)| *at).collect();
    if let Some(&at) = by_title.iter().find(|&&at| table.columns()[at].is_unique()) {
        return (Some(at), None);
    }
    let first = columns.first().filter(|(at, column)| *at == 0 && column.is_unique() && names_rows(column));
    if let Some(&(at, _)) = first {
        return (Some(at), None);
    }
    let odd = by_title.first().filter(|&&at| names_something(&table.columns()[at].name));
    (None, odd.and_then(|&at| no_key(table, at)))
}

/// Whether the values of a column whose title says nothing look like names of rows: texts that are no numbers, or the numbers of
/// the rows.
fn names_rows(column: &Column) -> bool {
    match kind_of(column) {
        Kind::Text => {
            // Numbers with decimal commas, and numbers with a slip among them, are texts, too.
            let like_a_number = |text: &&str| text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
            column.dictionary.iter().filter(like_a_number).count() * 2 <= column.dictionary.len()
        }
        Kind::Integer => {
            let numbers: Vec<i64> = column.dictionary.iter().filter_map(crate::value::integer).collect();
            let one_by_one = numbers.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == 1);
            numbers.len() >= LEAST_NUMBERED && matches!(numbers[0], 0 | 1) && one_by_one
        }
        _ => false,
    }
}

/// What to say of a column that is called like a key and is none.
fn no_key(table: &Table, at: usize) -> Option<Diagnostic> {
    let column = &table.columns()[at];
    let name = quoted(&column.name);
    let (message, row) = match column.first_repeated() {
        Some((code, first, second)) => {
            let value = quoted(column.dictionary.get(code));
            let before = table.row_words(first);
            (format!("column {name} is no key: {value} is in {before} and here; rows are numbered instead"), second)
        }
        None => {
            let row = column.codes().position(|code| code.is_none())?;
            (format!("column {name} is no key: it has no value here; rows are numbered instead"), row)
        }
    };
    Some(Diagnostic::warning(message).at(table.place(row, at)))
}

/// A link: a column of a table, and the table whose key it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) table: usize,
    pub(crate) column: usize,
    pub(crate) to: usize,
}

/// The links between tables whose keys are known, and what was proposed and failed. Columns that are `taken` (the number of their
/// table, and their title) are not considered.
pub(crate) fn find_links(
    tables: &[Table],
    keys: &[Option<usize>],
    taken: impl Fn(usize, &str) -> bool,
) -> (Vec<Link>, Vec<Diagnostic>) {
    let mut known: Vec<Option<Names<'_>>> = vec![None; tables.len()];
    let (mut links, mut failed) = (Vec::new(), Vec::new());
    for (from, table) in tables.iter().enumerate() {
        for (at, column) in table.columns().iter().enumerate() {
            // A key may name rows of another table, too: more columns of the same things, in another file.
            let is_key = keys[from] == Some(at);
            if taken(from, &column.name)
                || (is_key && (is_plain_key(&column.name) || about(&column.name, table.name()).is_some()))
            {
                continue;
            }
            let mut proposed: Vec<(About, usize)> = (0..tables.len())
                .filter(|&to| keys[to].is_some())
                .filter_map(|to| Some((proposes(&column.name, &tables[to], keys[to]?)?, to)))
                .filter(|&(how, to)| if is_key { to < from } else { to != from || how == About::Qualified })
                .collect();
            proposed.sort_unstable();
            let mut first: Option<Diagnostic> = None;
            let found = proposed.iter().find(|&&(_, to)| {
                let Some(key) = keys[to].map(|key| &tables[to].columns()[key]) else { return false };
                let names = known[to].get_or_insert_with(|| Names::of(key));
                match dangling(table, at, names) {
                    None => true,
                    Some(_) if names_wholes(table, at, names).is_some() => true,
                    Some((number, text, row)) => {
                        first.get_or_insert_with(|| no_link(table, (at, row), &tables[to], &key.name, number, text));
                        false
                    }
                }
            });
            match found {
                Some(&(_, to)) => links.push(Link { table: from, column: at, to }),
                None => failed.extend(first),
            }
        }
    }
    (links, failed)
}

/// How a title proposes a link to a table: it is about the table, or it is the title of its key.
pub(crate) fn proposes(title: &str, to: &Table, key: usize) -> Option<About> {
    let key = &to.columns()[key].name;
    if !is_plain_key(key) && key.eq_ignore_ascii_case(title) { Some(About::Named) } else { about(title, to.name()) }
}

/// The texts of a key, for the question whether another text is one. Whole numbers are bits: a set of millions of texts is out of
/// every cache, and each question costs what it misses.
#[derive(Debug, Clone)]
pub(crate) struct Names<'k> {
    whole: Vec<u64>,
    others: HashSet<&'k str>,
}

impl<'k> Names<'k> {
    pub(crate) fn of(key: &'k Column) -> Self {
        // Bits for 64 numbers a text take no more than the texts do.
        let reach = 64 * key.dictionary.len();
        let mut names = Names { whole: Vec::new(), others: HashSet::new() };
        for text in key.dictionary.iter() {
            match whole(text).filter(|&number| number < reach) {
                Some(number) => {
                    let word = number / 64;
                    if names.whole.len() <= word {
                        names.whole.resize(word + 1, 0);
                    }
                    names.whole[word] |= 1 << (number % 64);
                }
                None => _ = names.others.insert(text),
            }
        }
        names
    }

    fn contains(&self, text: &str) -> bool {
        let bit = |number: usize| self.whole.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1);
        whole(text).is_some_and(bit) || (!self.others.is_empty() && self.others.contains(text))
    }
}

/// The table in which the texts of a column are in `names`, if they are once their fractions of zeros are left out.
pub(crate) fn names_wholes(table: &Table, at: usize, names: &Names<'_>) -> Option<Table> {
    let whole = table.with_column(at, table.columns()[at].without_fractions()?);
    dangling(&whole, at, names).is_none().then_some(whole)
}

/// How many rows of a column name nothing in `names`, with the first such text and its row.
pub(crate) fn dangling<'t>(table: &'t Table, at: usize, names: &Names<'_>) -> Option<(usize, &'t str, usize)> {
    let column = &table.columns()[at];
    let strange: Vec<bool> = column.dictionary.iter().map(|text| !names.contains(text)).collect();
    if !strange.contains(&true) {
        return None;
    }
    let mut rows = column.codes().enumerate().filter(|(_, code)| code.is_some_and(|code| strange[code as usize]));
    let (row, code) = rows.next()?;
    Some((1 + rows.count(), column.dictionary.get(code?), row))
}

fn no_link(table: &Table, (at, row): (usize, usize), to: &Table, key: &str, number: usize, text: &str) -> Diagnostic {
    let name = quoted(&table.columns()[at].name);
    let all = table.columns()[at].present();
    let message = format!(
        "column {name} is no link to {}: {number} of its {all} values {} not in {}, the first is {}",
        to.name(),
        if number == 1 { "is" } else { "are" },
        quoted(key),
        quoted(text)
    );
    let help = "it is read as any other column; `kind = \"link\"` in a schema makes such values errors";
    Diagnostic::warning(message).at(table.place(row, at)).with_help(help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    fn links_of(tables: &[Table]) -> (Vec<Option<usize>>, Vec<Link>, Vec<String>) {
        let found: Vec<_> = tables.iter().map(|table| find_key(table, &[])).collect();
        let keys: Vec<Option<usize>> = found.iter().map(|(key, _)| *key).collect();
        let odd = found.into_iter().filter_map(|(_, odd)| odd);
        let (links, failed) = find_links(tables, &keys, |_, _| false);
        (keys, links, odd.chain(failed).map(|finding| finding.to_string()).collect())
    }

    #[test]
    fn titles_propose_and_values_verify() {
        let molecules = table("molecules", "logp,id\n1.5,m1\n2.5,m2\n");
        let atoms = table("atoms", "id,mol_id,element\n1,m1,c\n2,m1,n\n3,m2,c\n");
        let bonds = table("bonds", "atom1,atom2,type\n1,2,1\n2,1,2\n");
        let (keys, links, odd) = links_of(&[molecules, atoms, bonds]);
        assert_eq!(keys, [Some(1), Some(0), None]);
        let expected = [(1, 1, 0), (2, 0, 1), (2, 1, 1)].map(|(table, column, to)| Link { table, column, to });
        assert_eq!(links, expected);
        assert_eq!(odd, [""; 0]);
    }

    #[test]
    fn a_link_that_dangles_is_told_and_not_used() {
        let molecules = table("molecules", "id,logp\nm1,1.5\n");
        let atoms = table("atoms", "id,mol_id\n1,m1\n2,m7\n3,\n4,m8\n");
        let (_, links, odd) = links_of(&[molecules, atoms]);
        assert_eq!(links, []);
        assert_eq!(
            odd,
            [
                "atoms.csv:3:3: warning: column `mol_id` is no link to molecules: 2 of its 3 values are not in `id`, the first is \
              `m7`\n  help: it is read as any other column; `kind = \"link\"` in a schema makes such values errors"
            ]
        );
    }

    #[test]
    fn values_alone_propose_nothing() {
        let people = table("people", "id,age\n1,2\n2,1\n3,1\n");
        let (keys, links, odd) = links_of(&[people, table("things", "id,size\n1,1\n2,2\n")]);
        assert_eq!((keys, links.len(), odd.len()), (vec![Some(0), Some(0)], 0, 0));
    }

    #[test]
    fn rows_without_unique_names_are_numbered() {
        let (keys, _, odd) = links_of(&[table("t", "id,x\na,1\nb,2\na,3\n")]);
        assert_eq!(keys, [None]);
        assert_eq!(
            odd,
            ["t.csv:4:1: warning: column `id` is no key: `a` is in line 2 and here; rows are numbered instead"]
        );
        let (keys, ..) =
            links_of(&[table("t", "length,width\n5.1,1\n4.9,2\n5.2,3\n"), table("u", "age,x\n30,1\n20,2\n")]);
        assert_eq!(keys, [None, None], "measurements that happen to be unique are no names");
        let (keys, ..) =
            links_of(&[table("t", "name,x\nann,1\nbob,2\ncid,3\n"), table("u", "n,x\n1,1\n2,2\n3,2\n4,2\n5,2\n")]);
        assert_eq!(keys, [Some(0), Some(0)]);
        let (keys, ..) = links_of(&[table("t", "a;x\n1,5;1\n2,5;2\n"), table("u", "a,x\n1.5,1\n2.5,2\nn.d.,3\n")]);
        assert_eq!(keys, [None, None], "numbers that cannot be read are no names");
    }

    #[test]
    fn equal_titles_link_and_rows_may_link_to_their_own_table() {
        let genes = table("genes", "gene,size\ng1,1\ng2,2\ng3,2\n");
        let pairs = table("interactions", "gene,other_gene\ng1,g2\ng2,g1\n");
        let (_, links, _) = links_of(&[genes, pairs]);
        assert_eq!(links.len(), 2);
        let staff = table("employees", "id,manager_employee_id\n1,\n2,1\n3,1\n");
        let (_, links, _) = links_of(&[staff]);
        assert_eq!(links, [Link { table: 0, column: 1, to: 0 }]);
    }

    #[test]
    fn whole_numbers_with_a_fraction_of_zeros_name_the_rows_of_whole_numbers() {
        let molecules = table("molecules", "id\n0\n1\n2\n");
        let names = Names::of(&molecules.columns()[0]);
        let texts = |text: &str| {
            let atoms = table("atoms", text);
            let whole = names_wholes(&atoms, 0, &names)?;
            Some((0..atoms.rows()).map(|row| whole.columns()[0].text(row).map(str::to_owned)).collect::<Vec<_>>())
        };
        let all = |texts: [&str; 3]| Some(texts.map(|text| Some(text.to_owned()).filter(|it| !it.is_empty())).to_vec());
        assert_eq!(texts("molecule,n\n0.0,1\n,1\n2.0,1\n"), all(["0", "", "2"]));
        assert_eq!(texts("molecule\n0.0\n0.5\n"), None, "half a molecule");
        assert_eq!(texts("molecule\n0.0\n7.0\n"), None, "there is no 7");
        assert_eq!(texts("molecule\n1.0\n1.00\n"), None, "two texts for one molecule");
        assert_eq!(texts("molecule\n0.0\n01.0\n"), None, "a code, not a number");
    }
}
