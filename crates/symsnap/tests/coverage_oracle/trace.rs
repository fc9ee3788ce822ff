//! The hypotheses that Popper tried, with the confusion that SWI-Prolog found for them.

use std::collections::BTreeMap;
use std::path::Path;
use symsnap::Text;
use symsnap::{Confusion, Hypothesis, Rule, Task};

/// One row of the table.
pub struct Row {
    pub rules: String,
    pub confusion: Confusion,
}

/// The rows of `popper-trace.csv` by task.
pub fn rows(csv: &str) -> BTreeMap<String, Vec<Row>> {
    let mut lines = csv.lines();
    let names: Vec<String> = cells(lines.next().unwrap());
    let at = |name: &str| names.iter().position(|have| have == name).unwrap();
    let (task, tp, fn_, tn, fp, rules) = (at("task"), at("tp"), at("fn"), at("tn"), at("fp"), at("rules"));
    let mut found: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for line in lines {
        let cells = cells(line);
        let number = |at: usize| cells[at].parse().unwrap();
        let confusion = Confusion { tp: number(tp), fn_: number(fn_), tn: number(tn), fp: number(fp) };
        found.entry(cells[task].clone()).or_default().push(Row { rules: cells[rules].clone(), confusion });
    }
    found
}

/// Cells of a line of CSV; those in double quotes may hold commas.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

/// The rules, which the table joins by ` ; `.
pub fn hypothesis(task: &mut Task, rules: &str) -> Option<Hypothesis> {
    let text = rules.replace(" ; ", "\n");
    let given = task.read_rules(&Text::new("<trace>", &text)).ok()?;
    let rules: Option<Vec<Rule>> = given.iter().map(|given| given.clause.as_rule(&task.terms)).collect();
    Some(Hypothesis { rules: rules? })
}

pub fn folder(data: &Path, task: &str) -> std::path::PathBuf {
    data.join("tasks").join(task)
}
