//! Numbers, constants, absence and counts in one bias, against brute force on small random tasks.
//!
//! Each of these has a suite of its own; here they meet, with directions, constraints, weights and heads of several arguments.
//! The oracle is the same task with all of it made by hand: a predicate for each comparison, for each way to put constants into
//! a table, for what has no answers and for how many there are; constants of heads are rules over variables, restricted to
//! the examples that have them. It is enumerated and tested by the slow oracles for plain tasks.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)] // this test makes tasks of its own
mod brute_force;

use brute_force::{Columns, Draw, each_rule, score, seeds};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use symsnap::internals::coverage::SlowEvaluator;
use symsnap::internals::database::Database;
use symsnap::internals::learn::{Pricing, Symsnap};
use symsnap::internals::space::Space;
use symsnap::{Budget, Candidate, Cost, Learner, Settings, Task};

const NUMBERS: [&[&str]; 3] = [&["1", "2", "3"], &["-1.5", "0.0", "2.25"], &["1", "1.0", "-3"]];
const COLOURS: [&str; 3] = ["red", "green", "7"];

/// Whether all values of a predicate's argument are asked for (`in`) or given.
type Ways = Vec<bool>;

/// A table: its name, the types of its arguments, and its rows, some of them twice.
struct Table {
    name: &'static str,
    types: &'static [&'static str],
    ways: Ways,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn any(&self, bound: &Ways, values: &[&String]) -> usize {
        let matches = |row: &&Vec<String>| {
            let held = row.iter().zip(bound).filter(|(_, bound)| **bound).map(|(value, _)| value);
            held.eq(values.iter().copied())
        };
        self.rows.iter().filter(matches).count()
    }
}

/// A task of these features, and what its statements are by hand.
struct Mixed {
    tables: Vec<Table>,
    head: Vec<&'static str>,
    head_ways: Ways,
    directed: bool,
    examples: Vec<(bool, Vec<String>, u64)>,
    /// Limits, `non_datalog` and constraints.
    rest: String,
    numeric: bool,
    bounds: Option<(f64, f64)>,
    most_numeric: u64,
    colours: bool,
    /// Arguments of the head that may be constants, as bits.
    held: usize,
    most_constants: u64,
    absent: Vec<(usize, Ways)>,
    counted: Vec<(usize, Ways)>,
}

/// What the labels are about, so that optima are not empty: an example is positive if a table has a row that shares a value
/// with it, and whose last value is large enough or the right one.
struct Planted {
    table: usize,
    last: String,
    absent: bool,
}

impl Planted {
    fn draw(random: &mut Draw, tables: &[Table]) -> Self {
        let table = random.below(tables.len() as u64) as usize;
        let rows = &tables[table].rows;
        let row = &rows[random.below(rows.len() as u64) as usize];
        Planted { table, last: row[row.len() - 1].clone(), absent: random.chance(25) }
    }

    fn says(&self, tables: &[Table], head: &[&str], args: &[String]) -> bool {
        let Table { types, rows, .. } = &tables[self.table];
        let shares = |row: &Vec<String>| {
            head.iter()
                .zip(args)
                .any(|(kind, arg)| types.iter().zip(row).any(|(own, value)| own == kind && value == arg))
        };
        let last = |row: &Vec<String>| match (row[row.len() - 1].parse::<f64>(), self.last.parse::<f64>()) {
            (Ok(value), Ok(cut)) => value >= cut,
            _ => row[row.len() - 1] == self.last,
        };
        rows.iter().any(|row| shares(row) && last(row)) != self.absent
    }
}

fn tuple(items: &[&str]) -> String {
    format!("({},)", items.join(","))
}

fn ways(ways: &[bool]) -> String {
    tuple(&ways.iter().map(|way| if *way { "in" } else { "out" }).collect::<Vec<_>>())
}

impl Mixed {
    fn draw(random: &mut Draw) -> Self {
        let things: Vec<String> = (0..2 + random.below(3)).map(|at| format!("c{at}")).collect();
        let numbers = NUMBERS[random.below(3) as usize];
        let pick = |random: &mut Draw, kind: &str| match kind {
            "thing" => things[random.below(things.len() as u64) as usize].clone(),
            "num" => numbers[random.below(3) as usize].to_owned(),
            _ => COLOURS[random.below(3) as usize].to_owned(),
        };
        let directed = random.chance(40);
        let head: Vec<&str> = match random.below(8) {
            0 => vec!["num"],
            1 => vec!["thing", "num"],
            2 => vec!["thing", "color"],
            3 => vec!["color", "thing"],
            4 => vec!["thing", "thing"],
            _ => vec!["thing"],
        };
        let all: [(&str, &[&str]); 9] = [
            ("size", &["thing", "num"]),
            ("paint", &["thing", "color"]),
            ("to", &["thing", "thing"]),
            ("mix", &["thing", "num", "color"]),
            ("red", &["thing"]),
            ("old", &["thing"]),
            ("wet", &["thing"]),
            ("warm", &["color"]),
            ("high", &["num"]),
        ];
        let mut tables: Vec<Table> = Vec::new();
        for (name, types) in all {
            if random.chance(50) {
                let rows =
                    (0..2 + random.below(7)).map(|_| types.iter().map(|kind| pick(random, kind)).collect()).collect();
                let ways = (0..types.len()).map(|at| at == 0 || random.chance(20)).collect();
                tables.push(Table { name, types, ways, rows });
            }
        }
        if tables.is_empty() {
            let rows = vec![vec![pick(random, "thing"), pick(random, "num")]];
            tables.push(Table { name: "size", types: &["thing", "num"], ways: vec![true, false], rows });
        }
        let head_ways = (0..head.len()).map(|at| at == 0 || random.chance(70)).collect();
        let weighted = random.chance(60);
        let planted = Planted::draw(random, &tables);
        let examples = (0..6 + random.below(8))
            .map(|_| {
                let args: Vec<String> = head.iter().map(|kind| pick(random, kind)).collect();
                let label = planted.says(&tables, &head, &args) != random.chance(15);
                (label, args, if weighted { 1 + random.below(4) } else { 1 })
            })
            .collect();
        let mut rest = format!(
            "max_vars({}). max_body({}).\n",
            head.len() as u64 + u64::from(random.chance(85)) + random.below(2),
            if tables.len() > 3 { 2 } else { 1 + random.below(3).min(1) + random.below(2) }
        );
        if random.chance(20) {
            rest += "non_datalog.\n";
        }
        // Constraints name predicates, and tables with colours have other names by hand.
        let plain: Vec<&str> =
            tables.iter().filter(|table| !table.types.contains(&"color")).map(|table| table.name).collect();
        match random.below(6) {
            0 if !plain.is_empty() => rest += &format!(":- not body_literal(_,{},_,_).\n", plain[0]),
            1 if plain.len() > 1 => {
                rest += &format!(":- body_literal(C,{},_,_), body_literal(C,{},_,_).\n", plain[0], plain[1]);
            }
            2 => rest += ":- not body_var(_,0).\n",
            _ => {}
        }
        let summaries = |random: &mut Draw, percent: u64| -> Vec<(usize, Ways)> {
            let mut chosen = Vec::new();
            for (at, table) in tables.iter().enumerate() {
                if random.chance(percent) {
                    let bound: Ways = (0..table.types.len()).map(|at| at == 0 || random.chance(25)).collect();
                    chosen.push((at, bound));
                }
            }
            chosen
        };
        let absent = if random.chance(50) { summaries(random, 50) } else { Vec::new() };
        let counted = if random.chance(50) { summaries(random, 40) } else { Vec::new() };
        let has = |kind: &str| head.contains(&kind) || tables.iter().any(|table| table.types.contains(&kind));
        let numeric = has("num") && random.chance(70);
        let bounds = (numeric && counted.is_empty() && random.chance(25)).then(|| {
            let ends = [-2.0, 0.0, 1.0, 2.25];
            let (a, b) = (ends[random.below(4) as usize], ends[random.below(4) as usize]);
            if a <= b { (a, b) } else { (b, a) }
        });
        let most_numeric = 1 + random.below(3);
        let colours = has("color") && random.chance(60);
        let magic = if random.chance(40) { random.below(1 << head.len()) as usize } else { 0 };
        let coloured = head.iter().enumerate().filter(|(_, kind)| colours && **kind == "color");
        let held = coloured.fold(magic, |held, (at, _)| held | 1 << at);
        let most_constants = random.below(4);
        Mixed {
            tables,
            head,
            head_ways,
            directed,
            examples,
            rest,
            numeric,
            bounds,
            most_numeric,
            colours,
            held,
            most_constants,
            absent,
            counted,
        }
    }

    /// Things that lie in a cell each, of which predicates, colours and numbers say much, for rules with few constants and
    /// comparisons: what uses one must not stand for what uses none, however alike their rows are.
    fn rationed(random: &mut Draw) -> Self {
        let things = 7 + random.below(3);
        let each = |columns: &dyn Fn(u64) -> Option<Vec<String>>| (0..things).filter_map(columns).collect::<Vec<_>>();
        let mut tables = vec![Table {
            name: "lies",
            types: &["thing", "cell"],
            ways: vec![true, false],
            rows: each(&|at| Some(vec![format!("c{at}"), format!("b{at}")])),
        }];
        let mut add = |name, types, rows| tables.push(Table { name, types, ways: vec![true; 2], rows });
        // What each is about: a bit for each cell, often those that two others have in common.
        let mut marks: Vec<Vec<bool>> = Vec::new();
        let mark = |random: &mut Draw, marks: &Vec<Vec<bool>>, percent: u64| -> Vec<bool> {
            let one = |random: &mut Draw| &marks[random.below(marks.len() as u64) as usize];
            if marks.len() > 2 && random.chance(65) {
                let (a, b) = (one(random), one(random));
                a.iter().zip(b).map(|(a, b)| *a && *b).collect()
            } else {
                (0..things).map(|_| random.chance(percent)).collect()
            }
        };
        for name in ["dry", "old", "wet"] {
            let mark = mark(random, &marks, 70);
            add(name, &["cell"], each(&|at| mark[at as usize].then(|| vec![format!("b{at}")])));
            marks.push(mark);
        }
        for name in ["paint", "hue"] {
            let mark = mark(random, &marks, 60);
            let colour = |at: u64| COLOURS[usize::from(mark[at as usize])].to_owned();
            add(name, &["cell", "color"], each(&|at| Some(vec![format!("b{at}"), colour(at)])));
            marks.push(mark);
        }
        let numeric = random.chance(50);
        for name in ["size", "mass"].into_iter().filter(|_| numeric) {
            let mark = mark(random, &marks, 60);
            let sizes: Vec<u64> = mark.iter().map(|&large| 2 * u64::from(large) + random.below(2)).collect();
            add(name, &["cell", "num"], each(&|at| Some(vec![format!("b{at}"), sizes[at as usize].to_string()])));
            marks.push(mark);
        }
        let all = marks.len() as u64;
        let planted: Vec<usize> = (0..3).map(|_| random.below(all) as usize).collect();
        let examples = (0..things).map(|at| {
            let label = planted.iter().all(|&mark| marks[mark][at as usize]);
            (label != random.chance(5), vec![format!("c{at}")], 1 + random.below(3))
        });
        Mixed {
            examples: examples.collect(),
            tables,
            head: vec!["thing"],
            head_ways: vec![true],
            directed: false,
            rest: format!("max_vars({}). max_body({}).\n", if numeric { 3 } else { 2 }, if numeric { 4 } else { 5 }),
            numeric,
            bounds: None,
            most_numeric: 1,
            colours: true,
            held: 0,
            most_constants: random.below(2),
            absent: Vec::new(),
            counted: Vec::new(),
        }
    }

    /// The values of a type, in tables and examples.
    fn universe(&self, kind: &str) -> Vec<String> {
        let rows = self.tables.iter().flat_map(|table| table.rows.iter().map(|row| (row, table.types)));
        let heads = self.examples.iter().map(|(_, args, _)| (args, self.head.as_slice()));
        let values = rows.chain(heads).flat_map(|(row, types)| row.iter().zip(types));
        let values: BTreeSet<&String> = values.filter(|(_, own)| **own == kind).map(|(value, _)| value).collect();
        values.into_iter().cloned().collect()
    }

    fn bk(&self) -> String {
        let mut bk = String::new();
        for table in &self.tables {
            table.rows.iter().for_each(|row| bk += &format!("{}({}).\n", table.name, row.join(",")));
        }
        bk
    }

    fn exs(&self) -> String {
        let line = |(positive, args, weight): &(bool, Vec<String>, u64)| {
            format!("{}(f({}),{weight}).\n", if *positive { "pos" } else { "neg" }, args.join(","))
        };
        self.examples.iter().map(line).collect()
    }

    /// The bias without what is made by hand, for rules in which head variables `constant` (bits) are bound by constants.
    fn plain(&self, constant: usize) -> String {
        let mut bias = format!("head_pred(f,{}). type(f,{}).\n", self.head.len(), tuple(&self.head));
        if self.directed {
            let head: Ways =
                self.head_ways.iter().enumerate().map(|(at, way)| *way || constant >> at & 1 == 1).collect();
            let _ = writeln!(bias, "direction(f,{}).", ways(&head));
        }
        for table in &self.tables {
            declare(&mut bias, table.name, table.types, self.directed.then_some(&table.ways));
        }
        bias += &self.rest;
        if constant != 0 && !bias.contains("non_datalog") {
            bias += "non_datalog.\n";
        }
        bias
    }

    /// As the learner is told.
    fn own(&self) -> String {
        let mut bias = self.plain(0);
        if self.numeric {
            bias += "numeric(num).\n";
        }
        if let Some((low, high)) = self.bounds {
            let _ = writeln!(bias, "bounds(leq,1,({low},{high})). bounds(geq,1,({low},{high})).");
        }
        if self.colours {
            bias += "constants(color).\n";
        }
        for at in (0..self.head.len()).filter(|at| self.held >> at & 1 == 1) {
            let _ = writeln!(bias, "magic_value(f,{at}).");
        }
        let _ = writeln!(bias, "max_numeric({}). max_magic({}).", self.most_numeric, self.most_constants);
        for (at, bound) in &self.absent {
            let _ = writeln!(bias, "absence({},{}).", self.tables[*at].name, ways(bound));
        }
        for (at, bound) in &self.counted {
            let _ = writeln!(bias, "counting({},{}).", self.tables[*at].name, ways(bound));
        }
        bias
    }

    /// Background and bias with a predicate for everything, for rules with these constants in the head.
    fn by_hand(&self, constant: usize) -> (String, String) {
        let (mut bk, mut bias) = (self.bk(), self.plain(constant));
        bias += "cut(nothing). held(nothing,0).\n";
        if self.numeric {
            self.compare(&mut bk, &mut bias, "num", &self.universe("num"), self.bounds);
        }
        if self.colours {
            self.select(&mut bk, &mut bias);
        }
        for (number, (at, bound)) in self.absent.iter().enumerate() {
            let (name, types, inputs) = (format!("no{number}"), self.bound_types(*at, bound), self.inputs(*at, bound));
            declare(&mut bias, &name, &types, Some(&vec![true; types.len()]));
            for values in
                inputs.iter().filter(|values| self.tables[*at].any(bound, &values.iter().collect::<Vec<_>>()) == 0)
            {
                let _ = writeln!(bk, "{name}({}).", values.join(","));
            }
            let _ = writeln!(bk, "{name}({}).", vec!["nothing"; types.len()].join(","));
        }
        let mut counts = BTreeSet::new();
        for (number, (at, bound)) in self.counted.iter().enumerate() {
            let (name, mut types) = (format!("many{number}"), self.bound_types(*at, bound));
            types.push("count");
            let mut directions = vec![true; types.len() - 1];
            directions.push(false);
            declare(&mut bias, &name, &types, Some(&directions));
            let _ = writeln!(bias, "cut({name}). counted({name}).");
            for values in self.inputs(*at, bound) {
                let count = self.tables[*at].any(bound, &values.iter().collect::<Vec<_>>()).to_string();
                let _ = writeln!(bk, "{name}({},{count}).", values.join(","));
                counts.insert(count);
            }
            let _ = writeln!(bk, "{name}({},nothing).", vec!["nothing"; types.len() - 1].join(","));
        }
        if !counts.is_empty() {
            self.compare(&mut bk, &mut bias, "count", &counts.into_iter().collect::<Vec<_>>(), None);
            for arity in 2..=4 {
                let args = ["W", "X", "Y", "Z"];
                let _ = writeln!(
                    bias,
                    ":- body_literal(C,P,{arity},({})), counted(P), \
                     #count{{Q,Vars : body_literal(C,Q,_,Vars), var_member({},Vars)}} < 2.",
                    args[..arity].join(","),
                    args[arity - 1]
                );
            }
        }
        let _ = writeln!(
            bias,
            ":- clause(C), #count{{P,Vars : body_literal(C,P,_,Vars), cut(P)}} > {}.",
            self.most_numeric
        );
        let left = self.most_constants - u64::from(constant.count_ones());
        let _ = writeln!(bias, ":- clause(C), #count{{P,Vars,I : body_literal(C,P,_,Vars), held(P,I)}} > {left}.");
        (bk, bias)
    }

    fn bound_types(&self, table: usize, bound: &Ways) -> Vec<&'static str> {
        self.tables[table].types.iter().zip(bound).filter(|(_, bound)| **bound).map(|(kind, _)| *kind).collect()
    }

    /// All values that the bound arguments of a table may be asked with.
    fn inputs(&self, table: usize, bound: &Ways) -> Vec<Vec<String>> {
        let mut inputs: Vec<Vec<String>> = vec![Vec::new()];
        for kind in self.bound_types(table, bound) {
            let values = self.universe(kind);
            let longer = |input: &Vec<String>| -> Vec<Vec<String>> {
                values.iter().map(|value| input.iter().cloned().chain([value.clone()]).collect()).collect()
            };
            inputs = inputs.iter().flat_map(longer).collect();
        }
        inputs
    }

    fn compare(
        &self,
        bk: &mut String,
        bias: &mut String,
        kind: &'static str,
        values: &[String],
        bounds: Option<(f64, f64)>,
    ) {
        let number = |text: &String| text.parse::<f64>().unwrap();
        let mut cuts: Vec<f64> = values.iter().map(number).collect();
        if let Some((low, high)) = bounds {
            cuts.extend([low, high]);
            cuts.retain(|cut| *cut >= low && *cut <= high);
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup_by(|a, b| a == b);
        for (at, cut) in cuts.iter().enumerate() {
            for (sign, holds) in [("le", f64::le as fn(&f64, &f64) -> bool), ("ge", f64::ge)] {
                let name = format!("{sign}_{kind}_{at}");
                declare(bias, &name, &[kind], Some(&vec![true]));
                let _ = writeln!(bias, "cut({name}).");
                for value in values.iter().filter(|value| holds(&number(value), cut)) {
                    let _ = writeln!(bk, "{name}({value}).");
                }
                let _ = writeln!(bk, "{name}(nothing).");
            }
        }
    }

    /// A table for each way to put colours into arguments of a table, but into all of them.
    fn select(&self, bk: &mut String, bias: &mut String) {
        for Table { name, types, ways, rows } in &self.tables {
            let allowed: Vec<usize> = (0..types.len()).filter(|&at| types[at] == "color").collect();
            if allowed.is_empty() || allowed.len() == types.len() {
                continue;
            }
            let at = allowed[0];
            let values: BTreeSet<&String> = rows.iter().map(|row| &row[at]).collect();
            for (number, value) in values.into_iter().enumerate() {
                let own = format!("{name}_{number}");
                let keep = |other: &usize| *other != at;
                let rest: Vec<&'static str> = (0..types.len()).filter(keep).map(|at| types[at]).collect();
                let rest_ways: Ways = (0..types.len()).filter(keep).map(|at| ways[at]).collect();
                declare(bias, &own, &rest, self.directed.then_some(&rest_ways));
                let _ = writeln!(bias, "held({own},0).");
                for row in rows.iter().filter(|row| &row[at] == value) {
                    let rest: Vec<&str> = (0..row.len()).filter(keep).map(|at| row[at].as_str()).collect();
                    let _ = writeln!(bk, "{own}({}).", rest.join(","));
                }
            }
        }
    }
}

fn declare(bias: &mut String, name: &str, types: &[&str], directions: Option<&Ways>) {
    let _ = writeln!(bias, "body_pred({name},{}). type({name},{}).", types.len(), tuple(types));
    if let Some(directions) = directions {
        let _ = writeln!(bias, "direction({name},{}).", ways(directions));
    }
}

/// The best of the task by brute force, and how many rules there were.
fn brute(mixed: &Mixed, task: &Task, exs: &str, cost: Cost) -> (symsnap::CostValue, usize) {
    let positives = task.examples.positives();
    let args = |example: usize| match example.checked_sub(positives) {
        Some(negative) => task.examples.negative(negative),
        None => task.examples.positive(example),
    };
    let (arity, mut rules) = (mixed.head.len(), 0);
    let mut columns = Columns::new(task);
    for constant in (0..1usize << arity).filter(|constant| constant & !mixed.held == 0) {
        let many = constant.count_ones();
        if constant != 0 && (many as usize == arity || u64::from(many) > mixed.most_constants) {
            continue;
        }
        let held = |example: usize| -> Vec<_> {
            (0..arity).filter(|at| constant >> at & 1 == 1).map(|at| args(example)[at]).collect()
        };
        let forms: BTreeSet<Vec<_>> = (0..positives).map(held).collect();
        let (bk, bias) = mixed.by_hand(constant);
        let general = Task::from_texts(&bk, exs, &bias).unwrap_or_else(|error| panic!("{error}\n{bias}"));
        each_rule(&general, |rule, mask| {
            let mentioned = |at: usize| {
                let var = rule.head.vars().nth(at).unwrap();
                rule.body.iter().any(|literal| literal.vars().any(|other| other == var))
            };
            if !task.bias.non_datalog && !(0..arity).all(|at| constant >> at & 1 == 1 || mentioned(at)) {
                return;
            }
            rules += 1;
            for form in &forms {
                let fits = |example: &usize| mask >> example & 1 == 1 && held(*example) == *form;
                let covered = (0..positives + task.examples.negatives()).filter(fits);
                columns.add(rule.size(), covered.fold(0, |mask, at| mask | 1 << at));
            }
        });
    }
    (columns.best(task, cost), rules)
}

/// What a run said, and whether it had a right to.
struct Checked {
    best: String,
    proved: bool,
    rules: usize,
}

fn check(seed: u64, mixed: fn(&mut Draw) -> Mixed) -> Checked {
    let mixed = mixed(&mut Draw::new(seed));
    let (bk, exs, bias) = (mixed.bk(), mixed.exs(), mixed.own());
    let text = || format!("seed {seed}\n--- bk\n{bk}--- exs\n{exs}--- bias\n{bias}");
    let task = Task::from_texts(&bk, &exs, &bias).unwrap_or_else(|error| panic!("{error}\n{}", text()));
    let cost = Cost::ALL[(seed % 3) as usize];
    let (expected, rules) = brute(&mixed, &task, &exs, cost);
    let pricing = if seed.is_multiple_of(2) { Pricing::Early } else { Pricing::Late };
    let learner = Symsnap { settings: Settings { cost, seed, pricing, ..Settings::default() } };
    let mut candidates: Vec<Candidate> = Vec::new();
    let outcome = learner.learn_task(&task, &Budget::unlimited(), &mut candidates).expect("small weights fit");
    let best = outcome.best.as_ref().map(|best| best.hypothesis.show(&task.terms)).unwrap_or_default();
    let all = || format!("under {}\n{best}{:?}\n{}", cost.name(), outcome.limits, text());
    assert!(outcome.value >= expected, "better than brute force: {:?} {expected:?} {}", outcome.value, all());
    assert!(outcome.lower <= expected, "a bound above the optimum: {:?} {expected:?} {}", outcome.lower, all());
    if outcome.optimal {
        assert_eq!(outcome.value, expected, "a false proof {}", all());
    } else {
        assert!(!outcome.limits.is_empty(), "no proof and no reason {}", all());
    }
    let (space, database) = (Space::new(&task), Database::new(&task));
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    for candidate in &candidates {
        let found = score(&mut slow, &task, cost, &candidate.hypothesis);
        assert_eq!(found, (candidate.value.clone(), candidate.confusion), "{}", all());
        for rule in &candidate.hypothesis.rules {
            let inside = space.contains(rule);
            assert!(inside.is_ok(), "{} is not in the space: {inside:?}\n{}", rule.show(&task.terms), text());
        }
    }
    Checked { best, proved: outcome.optimal, rules }
}

#[test]
fn what_is_proved_of_everything_at_once_is_so() {
    let seeds = seeds(400);
    let tasks = seeds.end - seeds.start;
    let (mut proved, mut compared, mut absent, mut counted, mut rules) = (0, 0, 0, 0, 0);
    for Checked { best, proved: is_proved, rules: tried } in seeds.map(|seed| check(seed, Mixed::draw)) {
        proved += u64::from(is_proved);
        compared += u64::from(best.contains("=<") || best.contains(">="));
        absent += u64::from(best.contains("\\+"));
        counted += u64::from(best.contains("aggregate_all"));
        rules += tried;
    }
    println!("{tasks} tasks: {proved} proved, {compared} compare, {absent} absent, {counted} counted, {rules} rules");
    assert!(proved * 2 > tasks, "{proved} of {tasks} are proved");
    assert!(compared * 16 > tasks, "{compared} of {tasks} optima compare numbers");
    assert!(absent * 40 > tasks, "{absent} of {tasks} optima have an absence");
    assert!(counted * 80 > tasks, "{counted} of {tasks} optima count");
    assert!(rules as u64 > tasks * 20, "the tasks are worth the name: {rules} rules in {tasks} spaces");
}

#[test]
fn what_uses_nothing_that_is_rationed_is_never_lost_to_what_does() {
    let seeds = seeds(800);
    let tasks = seeds.end - seeds.start;
    let (mut proved, mut used) = (0, 0);
    for Checked { best, proved: is_proved, .. } in seeds.map(|seed| check(seed, Mixed::rationed)) {
        proved += u64::from(is_proved);
        used +=
            u64::from(best.contains("=<") || best.contains(">=") || COLOURS.iter().any(|colour| best.contains(colour)));
    }
    assert_eq!(proved, tasks, "all are proved");
    assert!(used * 4 > tasks, "{used} of {tasks} optima use a constant or a comparison");
}
