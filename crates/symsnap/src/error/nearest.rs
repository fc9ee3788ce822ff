//! Which known name was meant: for the `did you mean` of every message.

/// The known name that `name` is a slip of the pen away from: at most two letters added, left out, changed or swapped, and
/// no more than a third of the name. Of several the nearest, then the first in the alphabet.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let (slips, found) = known.into_iter().map(|known| (distance(name, known), known)).min()?;
    (slips <= 2 && slips * 3 <= name.chars().count()).then_some(found)
}

/// How many letters must be added, left out or changed, or neighbours swapped, to get from one name to the other.
fn distance(from: &str, to: &str) -> usize {
    // Names of files can be long; those of very different length are not alike.
    if from.len().abs_diff(to.len()) > 8 {
        return usize::MAX;
    }
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for (i, &letter) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &other) in to.iter().enumerate() {
            let changed = rows[i][j] + usize::from(letter != other);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && letter == to[j - 1] && from[i - 1] == other {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen_are_undone_and_other_names_are_left_alone() {
        let known = ["charge", "bond", "atom_type", "max_vars", "größe"];
        let meant = |name: &str| nearest(name, known);
        assert_eq!(meant("chrage"), Some("charge"), "swapped");
        assert_eq!(meant("charg"), Some("charge"), "left out");
        assert_eq!(meant("atomtypes"), Some("atom_type"), "left out and added");
        assert_eq!(meant("größen"), Some("größe"));
        assert_eq!(meant("bend"), Some("bond"));
        assert_eq!(meant("be"), None, "two of two letters are no slip");
        assert_eq!(meant("mass"), None);
        assert_eq!(meant(&"x".repeat(1_000_000)), None);
        assert_eq!(nearest("ab", []), None);
    }
}
