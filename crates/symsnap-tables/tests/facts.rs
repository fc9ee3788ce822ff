//! Tables to facts: what the crate makes of random tables is what an obvious conversion, cell by cell, makes of them.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use std::collections::BTreeSet;
use symsnap::Task;
use symsnap_tables::{Dataset, ExampleOptions, Purpose, ReadOptions, Table, TableTask, Wish, csv_line, infer};

/// A molecule: its weight in tenths, if known, and its colour, if known.
type Molecule = (Option<i32>, Option<usize>);
/// An atom: its molecule, if known, and its charge in hundredths, if known.
type Atom = (Option<usize>, Option<i32>);

const COLOURS: [&str; 4] = ["red", "deep blue", "it's", "Ünder"];

fn table(name: &str, titles: &[&str], rows: &[Vec<String>]) -> Table {
    let titles: Vec<String> = titles.iter().map(|title| (*title).to_owned()).collect();
    let text = rows.iter().fold(csv_line(&titles), |text, row| text + &csv_line(row));
    Table::parse(name, &format!("{name}.csv"), text.into_bytes(), &ReadOptions::default(), &mut |_| {}).unwrap()
}

fn number(tenths: i32, digits: usize) -> String {
    format!("{:.digits$}", f64::from(tenths) / f64::from(10i32.pow(u32::try_from(digits).unwrap())))
}

fn quoted(atom: &str) -> String {
    let plain = atom.chars().all(|c| c.is_ascii_lowercase());
    if plain { atom.to_owned() } else { format!("'{}'", atom.replace('\'', "\\'")) }
}

/// A float as Prolog writes it.
fn float(text: &str) -> String {
    let number: f64 = text.parse().unwrap();
    if number == 0.0 { "0.0".to_owned() } else { format!("{number:?}") }
}

proptest! {
    #[test]
    fn facts_are_those_of_an_obvious_conversion(
        molecules in prop::collection::vec((prop::option::weighted(0.8, -50i32..50), prop::option::weighted(0.8, 0usize..4)), 8..20),
        atoms in prop::collection::vec((prop::option::weighted(0.9, 0usize..8), prop::option::weighted(0.9, -90i32..90)), 8..40),
    ) {
        // Enough different values for each column to have its kind.
        let molecules: Vec<Molecule> = [(Some(15), Some(0)), (Some(17), Some(0)), (Some(15), Some(1)), (Some(19), Some(1))].into_iter().chain(molecules).collect();
        let atoms: Vec<Atom> = [(Some(0), Some(11)), (Some(1), Some(12))].into_iter().chain(atoms).collect();
        let text = |value: Option<String>| value.unwrap_or_default();
        let rows: Vec<Vec<String>> = molecules.iter().enumerate().map(|(at, (weight, colour))| vec![
            format!("m{at}"), text(weight.map(|weight| number(weight, 1))), text(colour.map(|at| COLOURS[at].to_owned())),
            if at % 3 == 0 { "yes" } else { "no" }.to_owned(),
        ]).collect();
        let molecule_table = table("molecules", &["id", "weight", "colour", "active"], &rows);
        let rows: Vec<Vec<String>> = atoms.iter().enumerate().map(|(at, (molecule, charge))| vec![
            (at + 1).to_string(), text(molecule.map(|at| format!("m{at}"))), text(charge.map(|charge| number(charge, 2))),
        ]).collect();
        let atom_table = table("atoms", &["id", "molecule_id", "charge"], &rows);

        let mut expected: BTreeSet<String> = BTreeSet::new();
        for (at, (weight, colour)) in molecules.iter().enumerate() {
            expected.extend(weight.map(|weight| format!("weight(m{at},{}).", float(&number(weight, 1)))));
            expected.extend(colour.map(|colour| format!("colour(m{at},{}).", quoted(COLOURS[colour]))));
        }
        for (at, (molecule, charge)) in atoms.iter().enumerate() {
            expected.extend(molecule.map(|molecule| format!("molecule_id({},m{molecule}).", at + 1)));
            expected.extend(charge.map(|charge| format!("charge({},{}).", at + 1, float(&number(charge, 2)))));
        }

        let tables = vec![molecule_table, atom_table];
        let wish = Wish { column: Some("active".to_owned()), ..Wish::default() };
        let (schema, _) = infer(&tables, &wish).unwrap();
        let data = Dataset::new(schema, tables, Purpose::Learning).unwrap();
        let rows = data.examples(&ExampleOptions::default()).unwrap();
        let made = TableTask::new(&data);
        let texts = made.texts(&rows, 0);
        let facts: BTreeSet<String> = texts.bk.lines().map(str::to_owned).collect();
        prop_assert_eq!(&facts, &expected);
        let positives = texts.exs.lines().filter(|line| line.starts_with("pos")).count();
        prop_assert_eq!(positives, molecules.len().div_ceil(3));

        // The texts and the task in memory say the same.
        let read = Task::from_texts(&texts.bk, &texts.exs, &texts.bias).unwrap();
        let task = made.task(&rows, 0).unwrap();
        prop_assert_eq!(read.examples.positives(), task.examples.positives());
        prop_assert_eq!(read.examples.negatives(), task.examples.negatives());
        prop_assert_eq!(facts_of(&read), facts_of(&task));
    }
}

/// The facts of a task's body predicates, as text.
fn facts_of(task: &Task) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    for &pred in &task.bias.body {
        let Some(predicate) = task.program.get(pred) else { continue };
        if let symsnap::internals::task::Definition::Facts(rows) = &predicate.definition {
            for row in 0..rows.len() {
                let values: Vec<String> = rows.row(row).map(|id| task.terms.show(id)).collect();
                facts.insert(format!("{}({})", task.terms.name(pred.name), values.join(",")));
            }
        }
    }
    facts
}
