//! Labels as people have them: two values of any kind, truth values, or several classes.

use crate::column::Column;
use crate::findings::{count, list, quoted};
use crate::kind::{Kind, kind_of};
use crate::schema::Target;
use crate::table::Table;
use crate::value::whole;
use symsnap::internals::error::nearest;
use symsnap::{Diagnostic, Result};

/// Labels that mean yes, the surest first; letters may be large or small.
const YES: [&str; 9] = ["1", "1.0", "true", "yes", "y", "t", "positive", "pos", "active"];
/// More different numbers than this are a quantity, not classes.
const MOST_NUMBERS: usize = 20;
/// More different labels than this are no classes.
const MOST_CLASSES: usize = 50;

/// What there is to tell apart by the values of a column: the same target with its positive label or its classes.
///
/// # Errors
/// If there are no values, one, or too many; or if `positive` is none of them.
pub(crate) fn choose(table: &Table, at: usize, positive: Option<&str>, target: Target) -> Result<Target> {
    let column = &table.columns()[at];
    let name = quoted(&column.name);
    let wrong = |message: String| Diagnostic::error(message).at(table.title_place(at));
    let labels: Vec<&str> = column.dictionary.iter().collect();
    match labels.as_slice() {
        [] => return Err(wrong(format!("the target {name} has no values")).into()),
        [one] => {
            let message =
                format!("the target {name} has only one value, {}: there is nothing to tell apart", quoted(one));
            return Err(wrong(message).into());
        }
        _ => {}
    }
    if let Some(positive) = positive {
        if !labels.contains(&positive) {
            let finding = wrong(format!("the target {name} has no value {}", quoted(positive)));
            return Err(finding.with_help(meant(positive, &labels)).into());
        }
        let negative = match labels.as_slice() {
            [one, other] | [other, one] if *one == positive => (*other).to_owned(),
            _ => rest(positive),
        };
        return Ok(Target { positive: Some(positive.to_owned()), negative: Some(negative), ..target });
    }
    if let [one, other] = labels.as_slice() {
        let (positive, negative) = if is_positive(column, one, other) { (one, other) } else { (other, one) };
        return Ok(Target { positive: Some((*positive).to_owned()), negative: Some((*negative).to_owned()), ..target });
    }
    let numeric = kind_of(column).is_numeric();
    if numeric && labels.len() > MOST_NUMBERS {
        let finding = wrong(format!("the target {name} is a quantity: it has {} different numbers", labels.len()));
        return Err(finding.with_help("rules predict labels; make a column of them, such as `high` and `low`").into());
    }
    if labels.len() > MOST_CLASSES {
        let finding = wrong(format!("the target {name} has {} different values", labels.len()));
        let help =
            format!("at most {MOST_CLASSES} can be told apart; --positive VALUE learns one of them against the rest");
        return Err(finding.with_help(help).into());
    }
    let mut classes: Vec<String> = labels.iter().map(|label| (*label).to_owned()).collect();
    classes.sort();
    Ok(Target { classes, ..target })
}

/// Whether a label says no more than yes.
pub(crate) fn means_yes(label: &str) -> bool {
    YES.iter().any(|yes| yes.eq_ignore_ascii_case(label))
}

/// Which labels there are, and which was meant.
pub(crate) fn meant(given: &str, labels: &[&str]) -> String {
    let known = list(labels.iter().copied());
    match nearest(given, labels.iter().copied()) {
        Some(label) => format!("did you mean {}? there are {known}", quoted(label)),
        None => format!("there are {known}"),
    }
}

/// Whether `one` rather than `other` is the positive label: it means yes, or it is the rarer one, or it comes first in the alphabet.
fn is_positive(column: &Column, one: &str, other: &str) -> bool {
    let rank = |label: &str| YES.iter().position(|yes| yes.eq_ignore_ascii_case(label)).unwrap_or(YES.len());
    let rows = |label: &str| column.dictionary.find(label).map(|code| column.counts()[code as usize]);
    (rank(one), rows(one), one) < (rank(other), rows(other), other)
}

/// What a row is an example of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labels {
    /// The labels: the positive and the negative one, or all classes.
    pub names: Vec<String>,
    /// For each row the place of its label, if it has one.
    pub of_rows: Vec<Option<usize>>,
}

impl Labels {
    /// The labels of all rows of a column. What is none of them is an error if `strict`, no label otherwise.
    pub(crate) fn read(table: &Table, at: usize, target: &Target, strict: bool) -> Result<Self> {
        let names = names(target);
        let column = &table.columns()[at];
        // Without a second label, or with one that says so, all others are the negatives.
        let rest =
            target.positive.as_ref().is_some_and(|yes| target.negative.as_ref().is_none_or(|no| *no == rest(yes)));
        let mut codes = Vec::with_capacity(column.dictionary.len());
        for (text, code) in column.dictionary.iter().zip(0..) {
            // Programs write a column of whole numbers with gaps as fractions, and 1.0 is 1.
            let same = |name: &String| name == text || whole(name).is_some_and(|number| whole(text) == Some(number));
            let label = names.iter().position(|name| name == text).or_else(|| names.iter().position(same));
            let label = label.or_else(|| rest.then_some(1));
            if label.is_none() && strict {
                let row = column.first_row(code).unwrap_or(0);
                let message =
                    format!("the target {} has no label {} in the schema", quoted(&column.name), quoted(text));
                let help = format!("there are {}", list(names.iter().map(String::as_str)));
                return Err(Diagnostic::error(message).at(table.place(row, at)).with_help(help).into());
            }
            codes.push(label);
        }
        let of_rows = column.codes().map(|code| codes[code? as usize]).collect();
        Ok(Labels { names, of_rows })
    }

    /// How many rows have each label.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.names.len()];
        self.of_rows.iter().flatten().for_each(|&label| counts[label] += 1);
        counts
    }
}

/// What is said of all that have another label.
fn rest(positive: &str) -> String {
    format!("not {positive}")
}

/// The labels of a target: the positive and the negative one, or all classes.
pub(crate) fn names(target: &Target) -> Vec<String> {
    match (&target.positive, &target.negative) {
        (Some(positive), Some(negative)) => vec![positive.clone(), negative.clone()],
        (Some(positive), None) => vec![positive.clone(), rest(positive)],
        _ => target.classes.clone(),
    }
}

/// A warning for each other column that says what the target says: the same values, or others one to one.
pub(crate) fn leaks(table: &Table, target: usize, others: &[usize]) -> Vec<Diagnostic> {
    let labels = &table.columns()[target];
    let mut findings = Vec::new();
    for &at in others.iter().filter(|&&at| at != target) {
        let column = &table.columns()[at];
        if column.dictionary.len() != labels.dictionary.len() || !one_to_one(column, labels) {
            continue;
        }
        let copies = column.dictionary.iter().all(|text| labels.dictionary.find(text).is_some());
        let how = if copies { "is a copy of" } else { "says the same in other words as" };
        let message = format!("column {} {how} the target {}", quoted(&column.name), quoted(&labels.name));
        let help = "if it is not known before the target is, leave it out: `kind = \"ignore\"` in a schema";
        findings.push(Diagnostic::warning(message).at(table.title_place(at)).with_help(help));
    }
    findings
}

/// Whether each value of one column stands with one value of the other, and the other way round, in all rows that have both; and
/// nearly all have.
fn one_to_one(one: &Column, other: &Column) -> bool {
    let mut forth: Vec<Option<u32>> = vec![None; one.dictionary.len()];
    let mut back: Vec<Option<u32>> = vec![None; other.dictionary.len()];
    let mut both = 0usize;
    for (a, b) in one.codes().zip(other.codes()) {
        let (Some(a), Some(b)) = (a, b) else { continue };
        both += 1;
        if *forth[a as usize].get_or_insert(b) != b || *back[b as usize].get_or_insert(a) != a {
            return false;
        }
    }
    // Two values in three rows agree by chance.
    both >= 5 && both * 10 >= other.present() * 9
}

/// What is said about the rows that have no label.
pub(crate) fn unlabelled(table: &Table, at: usize) -> Option<Diagnostic> {
    let column = &table.columns()[at];
    let missing = column.missing();
    (missing > 0 && missing < table.rows()).then(|| {
        let rows = count(missing, "row");
        let verb = if missing == 1 { "has" } else { "have" };
        let left = format!("{rows} of {} {verb} no value of the target {}", table.rows(), quoted(&column.name));
        Diagnostic::warning(format!("{left} and give no examples")).at(table.title_place(at))
    })
}

/// Whether a column can be a label: not a quantity.
pub(crate) fn could_label(column: &Column) -> bool {
    (2..=MOST_CLASSES).contains(&column.dictionary.len())
        && !matches!(kind_of(column), Kind::Float | Kind::Date | Kind::DateTime)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    fn chosen(text: &str, positive: Option<&str>) -> Target {
        choose(&table("t", text), 0, positive, Target::default()).unwrap()
    }

    fn complaint(text: &str, positive: Option<&str>) -> String {
        choose(&table("t", text), 0, positive, Target::default()).unwrap_err().to_string()
    }

    #[test]
    fn yes_is_positive_and_otherwise_the_rarer_label() {
        let positive = |text: &str| chosen(text, None).positive.unwrap();
        assert_eq!(positive("a\nno\nyes\nyes\n"), "yes");
        assert_eq!(positive("a\nTRUE\nFALSE\nTRUE\n"), "TRUE");
        assert_eq!(positive("a\n0\n1\n1\n"), "1");
        assert_eq!(positive("a\nred\nblue\nred\n"), "blue");
        assert_eq!(positive("a\nred\nblue\n"), "blue");
        let target = chosen("a\nred\nblue\n", Some("red"));
        assert_eq!((target.positive.unwrap(), target.negative.unwrap()), ("red".to_owned(), "blue".to_owned()));
        let target = chosen("a\nred\nblue\ngreen\n", Some("red"));
        assert_eq!(target.negative.unwrap(), "not red");
        assert_eq!(chosen("a\nred\nblue\ngreen\n", None).classes, ["blue", "green", "red"]);
    }

    #[test]
    fn what_cannot_be_told_apart_is_refused() {
        assert_eq!(complaint("a,b\n,1\n", None), "t.csv:1:1: error: the target `a` has no values");
        assert!(complaint("a\nx\nx\n", None).contains("has only one value, `x`: there is nothing to tell apart"));
        assert_eq!(
            complaint("a\nyes\nno\n", Some("yse")),
            "t.csv:1:1: error: the target `a` has no value `yse`\n  help: did you mean `yes`? there are `yes`, `no`"
        );
        let many = (0..30).fold("a\n".to_owned(), |text, at| text + &format!("{at}.5\n"));
        assert!(complaint(&many, None).contains("the target `a` is a quantity: it has 30 different numbers"));
        let many = (0..60).fold("a\n".to_owned(), |text, at| text + &format!("c{at}\nc{at}\n"));
        assert!(complaint(&many, None).contains("the target `a` has 60 different values"));
    }

    #[test]
    fn copies_and_renamings_of_the_target_are_leaks() {
        let read = table("t", "y,copy,words,age\n1,1,yes,30\n0,0,no,30\n1,1,yes,20\n0,0,no,20\n0,,no,10\n0,0,no,7\n");
        let found: Vec<String> = leaks(&read, 0, &[0, 1, 2, 3]).into_iter().map(|finding| finding.message).collect();
        assert_eq!(
            found,
            ["column `words` says the same in other words as the target `y`"],
            "a copy with a gap of one in six rows is told only where nearly all rows have it"
        );
        let read = table("t", "y,copy\n1,1\n0,0\n1,1\n0,0\n0,0\n");
        assert_eq!(leaks(&read, 0, &[1])[0].message, "column `copy` is a copy of the target `y`");
    }
}
