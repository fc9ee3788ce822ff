//! A model as SQL that SQLite, DuckDB and others run: a table for each predicate, one view that predicts.
//!
//! All columns are text, the terms as Prolog writes them: equality is all that rules ask for, and `1` and `1.0` are two
//! terms. The view is one query: for each different rule a semi-join of the table `examples` with the tables of its
//! body (one for each part of the body that shares no variable with the others but the head's), then members by their
//! rules, then the sum of weights. Databases ignore the case of names and Prolog does not, so table names are made
//! different where they would clash.
//!
//! The tables come from the background that the predictor has: facts, and what Datalog rules derive. Members that call
//! themselves and predicates that are computed by calls are refused.

use super::exported::Exported;
use super::shared::Shared;
use crate::ensemble::{Calibration, Predictor};
use crate::error::{Diagnostic, Result};
use crate::logic::{Arg, Comparison, Computation, Literal, Pred, Rule, Summarised, Summary, TermId, Terms};
use crate::task::Definition;
use std::collections::{BTreeMap, BTreeSet};

/// SQLite takes at most 500 parts of a `UNION ALL`, rows of `VALUES` without limit.
const UNION: usize = 200;
/// Rows of one `INSERT`.
const ROWS: usize = 200;

/// The script of a model: tables and view, with the rows of the tables if facts are asked for, and with those of the table
/// `examples`, numbered from 0, positives first, if there are some.
///
/// # Errors
/// If a member calls itself, or a predicate has no table.
pub(super) fn sql(exported: &Exported<'_>) -> Result<String> {
    let predictor = exported.predictor;
    refuse(predictor)?;
    let (terms, head) = (predictor.terms(), predictor.head());
    let names = Names::new(predictor);
    let mut text = String::from("-- An ensemble learned by symsnap: SELECT * FROM predictions;\n\n");
    text += &create("examples", head.arity, "id INTEGER");
    for (pred, name) in &names.0 {
        text += &create(name, pred.arity, if pred.arity == 0 { "a0 TEXT" } else { "" });
        if exported.facts {
            text += &rows_of(predictor, *pred, name);
        }
    }
    if let Some(examples) = exported.examples {
        let row = |id: usize, args: &[TermId]| {
            let args = args.iter().map(|&arg| quoted(&terms.show(arg)));
            std::iter::once(id.to_string()).chain(args).collect::<Vec<_>>()
        };
        let positives = examples.positives();
        let pos = (0..positives).map(|at| row(at, examples.positive(at)));
        let neg = (0..examples.negatives()).map(|at| row(positives + at, examples.negative(at)));
        text += &insert("examples", pos.chain(neg));
    }
    text = text + "\n" + &view(predictor, &names);
    if text.contains('\0') {
        let message = "a name has the character NUL, at which databases take a script to end";
        return Err(Diagnostic::error(message).with_help("export the model with `--to prolog`").into());
    }
    Ok(text)
}

fn refuse(predictor: &Predictor) -> Result<()> {
    use crate::database::Evaluation;
    let failed = |message: String, help: &str| Err(Diagnostic::error(message).with_help(help).into());
    if let Some(member) = predictor.hypotheses().iter().position(|hypothesis| hypothesis.is_recursive()) {
        let message = format!("member {member} calls itself, which SQL cannot say in one way for all databases");
        return failed(message, "export it with `--to prolog`");
    }
    let rules = predictor.hypotheses().iter().flat_map(|hypothesis| &hypothesis.rules);
    for (rule, literal) in rules.flat_map(|rule| rule.body.iter().map(move |literal| (rule, literal))) {
        let large =
            |arg: &Arg| matches!(arg, Arg::Number(number) if number.as_int().is_some_and(|it| it.abs() > EXACT));
        let calculates = compares(literal, predictor).is_some() || computes(literal, predictor).is_some();
        if calculates && literal.args.iter().any(|arg| large(arg) || takes_large(rule, arg, predictor)) {
            let message =
                format!("{} is about larger numbers than databases compare exactly", literal.show(predictor.terms()));
            return failed(message, "export the model with `--to prolog`");
        }
        let mut odd = literal.args.iter().filter_map(|arg| takes_others(rule, arg, predictor));
        if let Some(value) = odd.next().filter(|_| calculates) {
            let shown = literal.show(predictor.terms());
            let message =
                format!("{shown} meets {value}, which is no number: in Prolog that ends the rule for its example");
            return failed(message, "leave such values out of the background, or export the model with `--to prolog`");
        }
        if compares(literal, predictor).is_some() {
            continue;
        }
        if gives_number(literal, predictor) && is_looked_up(literal, rule, predictor) {
            let message = format!("what {} gives is looked up in a table", literal.show(predictor.terms()));
            return failed(message, "export the model with `--to prolog`");
        }
        if computes(literal, predictor) == Some(Computation::Ratio) {
            let message = format!(
                "{} may divide by zero, which ends the rule for its example in Prolog and not in SQL",
                literal.show(predictor.terms())
            );
            return failed(message, "export the model with `--to prolog`");
        }
        if computes(literal, predictor).is_some() {
            continue;
        }
        let pred = Summarised::asked(literal.pred, predictor.terms());
        if gives_number(literal, predictor) && may_count_twice(pred, predictor) {
            let shown = pred.show(predictor.terms());
            let message = format!("{shown} may have an answer twice, which Prolog counts twice and a table holds once");
            return failed(message, "export the model with `--to prolog`");
        }
        if let Evaluation::Called { why } = predictor.database().evaluation(pred) {
            let shown = pred.show(predictor.terms());
            let message = format!("{shown} is computed by calls ({why}) and has no table");
            return failed(message, "export the model with `--to prolog`");
        }
    }
    Ok(())
}

/// Whole numbers up to this are floats without loss.
const EXACT: i64 = 1 << 53;

/// Whether a variable has, in the table of some literal, whole numbers that are not floats without loss.
fn takes_large(rule: &Rule, variable: &Arg, predictor: &Predictor) -> bool {
    let database = predictor.database();
    let is_large = |value: u32| database.number(value).and_then(|it| it.as_int()).is_some_and(|it| it.abs() > EXACT);
    rule.body.iter().any(|literal| {
        let column = literal.args.iter().position(|arg| arg == variable && matches!(arg, Arg::Var(_)));
        let table = database.relation(literal.pred).zip(column);
        table.is_some_and(|(rows, column)| rows.column(column).iter().any(|&value| is_large(value)))
    })
}

/// A value, as it is written, that is no number and that a variable has in the table of some literal.
fn takes_others(rule: &Rule, variable: &Arg, predictor: &Predictor) -> Option<String> {
    let database = predictor.database();
    rule.body.iter().find_map(|literal| {
        let column = literal.args.iter().position(|arg| arg == variable && matches!(arg, Arg::Var(_)))?;
        let mut values = database.relation(literal.pred)?.column(column).iter();
        let other = values.find(|&&value| database.number(value).is_none())?;
        Some(predictor.terms().show(TermId::from_index(*other)))
    })
}

/// The comparison that a literal is.
fn compares(literal: &Literal, predictor: &Predictor) -> Option<Comparison> {
    predictor.database().comparison(literal.pred)
}

/// The computation that a literal is.
fn computes(literal: &Literal, predictor: &Predictor) -> Option<Computation> {
    Computation::of(literal.pred, predictor.terms())
}

/// The summary that a literal is.
fn summarises(literal: &Literal, predictor: &Predictor) -> Option<Summarised> {
    Summarised::by(literal.pred, predictor.terms())
}

/// Whether a literal gives a number that is made where it is needed, and not looked up.
fn gives_number(literal: &Literal, predictor: &Predictor) -> bool {
    let counts = |summarised: Summarised| summarised.summary == Summary::Count;
    computes(literal, predictor).is_some() || summarises(literal, predictor).is_some_and(counts)
}

/// Whether the background may have an answer of `pred` more than once, so that Prolog counts it more than once.
fn may_count_twice(pred: Pred, predictor: &Predictor) -> bool {
    let distinct = predictor.database().relation(pred).map_or(0, |relation| relation.len());
    match predictor.program().get(pred).map(|predicate| &predicate.definition) {
        Some(Definition::Facts(facts)) => facts.len() != distinct,
        Some(Definition::Clauses(_)) => true,
        None => false,
    }
}

/// Whether the result of a computation stands elsewhere than in comparisons and computations: there it would be text, and
/// databases do not write numbers as Prolog does.
fn is_looked_up(computed: &Literal, rule: &Rule, predictor: &Predictor) -> bool {
    let result = computed.args.last();
    let looks_up = |literal: &&Literal| compares(literal, predictor).is_none() && !gives_number(literal, predictor);
    let gives = |literal: &&Literal| *literal != computed && gives_number(literal, predictor);
    rule.body
        .iter()
        .filter(looks_up)
        .chain([&rule.head])
        .any(|literal| literal.args.iter().any(|arg| Some(arg) == result))
        || rule.body.iter().filter(gives).any(|literal| literal.args.last() == result)
}

/// The table of each predicate that rules call, in the order of their names.
struct Names(BTreeMap<Pred, String>);

impl Names {
    fn new(predictor: &Predictor) -> Self {
        let rules = predictor.hypotheses().iter().flat_map(|hypothesis| &hypothesis.rules);
        let is_stored =
            |literal: &&Literal| compares(literal, predictor).is_none() && computes(literal, predictor).is_none();
        let stored = rules.flat_map(|rule| &rule.body).filter(is_stored);
        let preds = stored.map(|literal| Summarised::asked(literal.pred, predictor.terms()));
        let mut preds: Vec<(&str, Pred)> = preds.map(|pred| (predictor.terms().name(pred.name), pred)).collect();
        preds.sort_by_key(|(name, pred)| (name.to_lowercase(), pred.arity, *name));
        preds.dedup();
        let mut taken = BTreeSet::from(["examples".to_owned(), "predictions".to_owned()]);
        let mut names = BTreeMap::new();
        for (name, pred) in preds {
            let mut table = format!("{name}_{}", pred.arity);
            while !taken.insert(table.to_lowercase()) {
                table.push('_');
            }
            names.insert(pred, table);
        }
        Names(names)
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn named(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn create(name: &str, arity: u32, first: &str) -> String {
    let columns = (1..=arity).map(|at| format!("a{at} TEXT"));
    let columns: Vec<String> = std::iter::once(first.to_owned()).filter(|it| !it.is_empty()).chain(columns).collect();
    format!("CREATE TABLE {} ({});\n", named(name), columns.join(", "))
}

fn rows_of(predictor: &Predictor, pred: Pred, name: &str) -> String {
    let Some(relation) = predictor.database().relation(pred) else { return String::new() };
    let cell = |value: u32| quoted(&predictor.terms().show(TermId::from_index(value)));
    insert(
        name,
        (0..relation.len()).map(|at| match pred.arity {
            0 => vec![quoted("true")],
            _ => relation.row(at).map(cell).collect(),
        }),
    )
}

fn insert(name: &str, rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: Vec<String> = rows.map(|row| format!("({})", row.join(","))).collect();
    rows.chunks(ROWS).map(|rows| format!("INSERT INTO {} VALUES {};\n", named(name), rows.join(","))).collect()
}

/// The one query.
fn view(predictor: &Predictor, names: &Names) -> String {
    let shared = Shared::new(predictor.hypotheses());
    let cases: Vec<String> = shared
        .rules()
        .map(|(number, rule)| {
            let condition = condition(rule, names, predictor);
            format!("  SELECT e.id AS id, {number} AS rule FROM examples e{condition}")
        })
        .collect();
    let nothing = || "  SELECT id, 0 AS rule FROM examples WHERE 1 = 0".to_owned();
    let groups: Vec<String> = cases.chunks(UNION).map(|cases| cases.join("\n  UNION ALL\n")).collect();
    let groups = if groups.is_empty() { vec![nothing()] } else { groups };
    let mut text = String::from("CREATE VIEW predictions AS\nWITH\n");
    for (at, group) in groups.iter().enumerate() {
        text += &format!("covered_{at} AS (\n{group}\n),\n");
    }
    let union: Vec<String> = (0..groups.len()).map(|at| format!("SELECT id, rule FROM covered_{at}")).collect();
    text += &format!("covered AS (\n  {}\n),\n", union.join(" UNION ALL "));
    let pairs = shared.members.iter().enumerate();
    let pairs: Vec<String> =
        pairs.flat_map(|(member, rules)| rules.iter().map(move |rule| format!("({rule},{member})"))).collect();
    text += &format!("member_rules(rule, member) AS (VALUES {}),\n", or(&pairs, "(-1,-1)"));
    let weights: Vec<String> =
        predictor.weights().iter().enumerate().map(|(member, weight)| format!("({member},{weight:e})")).collect();
    text += &format!("weights(member, weight) AS (VALUES {}),\n", or(&weights, "(-1,0.0)"));
    let total: f64 = predictor.weights().iter().sum();
    text += "votes AS (SELECT DISTINCT c.id, m.member FROM covered c JOIN member_rules m ON m.rule = c.rule),\n";
    text += "sums AS (SELECT v.id, SUM(w.weight) AS weight FROM votes v JOIN weights w ON w.member = v.member GROUP BY v.id)";
    // Half of the weight is enough, with the tolerance of the vote.
    let (total, half) = if total > 0.0 { (total, 0.5 * (1.0 - 1e-9)) } else { (1.0, 2.0) };
    text += &format!(
        ",\nsaid AS (SELECT e.id AS id, COALESCE(s.weight, 0.0) / {total:e} AS vote FROM examples e LEFT JOIN sums s ON s.id = e.id)\n"
    );
    text += &format!(
        "SELECT id, {} AS probability, vote, CASE WHEN vote >= {half} THEN 'pos' ELSE 'neg' END AS label FROM said;\n",
        probability(predictor.calibration(), half)
    );
    text
}

/// From the share of the vote to the probability: straight lines between the points of the model's curve, on the label's side of
/// one half.
fn probability(curve: Option<&Calibration>, half: f64) -> String {
    let Some(curve) = curve else { return "vote".to_owned() };
    let (negative, positive) = Calibration::SIDES;
    let lines: Vec<((f64, f64), (f64, f64))> = curve.points().windows(2).map(|pair| (pair[0], pair[1])).collect();
    let mut text = "CASE".to_owned();
    for (at, ((from, low), (to, high))) in lines.iter().enumerate() {
        let value = format!("{low:e} + {:e} * (vote - {from:e}) / {:e}", high - low, to - from);
        let held =
            |better: &str, bound: f64| format!("CASE WHEN {value} {better} {bound:e} THEN {value} ELSE {bound:e} END");
        // Sums of weights may miss 1 by a bit in the last place.
        let upto = if at + 1 == lines.len() { 2.0 } else { *to };
        text += &format!("\n  WHEN vote <= {upto:e} AND vote >= {half:e} THEN {}", held(">", positive));
        text += &format!("\n  WHEN vote <= {upto:e} THEN {}", held("<", negative));
    }
    text + "\n  END"
}

fn or(rows: &[String], nothing: &str) -> String {
    if rows.is_empty() { nothing.to_owned() } else { rows.join(",") }
}

/// When a rule covers an example `e`: a semi-join for each part of its body.
fn condition(rule: &Rule, names: &Names, predictor: &Predictor) -> String {
    let terms = predictor.terms();
    let mut bound: BTreeMap<u8, String> = BTreeMap::new();
    let mut conditions = equalities("e", &rule.head, &mut bound, terms);
    let head: BTreeSet<u8> = bound.keys().copied().collect();
    for part in parts(&rule.body, &head) {
        let mut bound = bound.clone();
        let (mut tables, mut inner) = (Vec::new(), Vec::new());
        let (compared, others): (Vec<&Literal>, Vec<&Literal>) =
            part.iter().partition(|literal| compares(literal, predictor).is_some());
        let (computed, others): (Vec<&Literal>, Vec<&Literal>) =
            others.iter().partition(|literal| gives_number(literal, predictor));
        let (absent, stored): (Vec<&Literal>, Vec<&Literal>) =
            others.iter().partition(|literal| summarises(literal, predictor).is_some());
        for (at, literal) in stored.iter().enumerate() {
            let alias = format!("t{at}");
            tables.push(format!("{} {alias}", named(&names.0[&literal.pred])));
            inner.extend(equalities(&alias, literal, &mut bound, terms));
        }
        for literal in computed {
            let value = match summarises(literal, predictor) {
                Some(summarised) => {
                    Some(format!("(SELECT COUNT(*){})", from(&summarised, literal, &bound, names, terms)))
                }
                None => computation(literal, &bound, predictor),
            };
            if let (Some(value), Some(Arg::Var(result))) = (value, literal.args.last()) {
                bound.insert(result.0, value);
            }
        }
        inner.extend(compared.iter().map(|literal| comparison(literal, &bound, predictor)));
        for literal in absent {
            let summarised = summarises(literal, predictor).expect("it is a summary");
            inner.push(format!("NOT EXISTS (SELECT 1{})", from(&summarised, literal, &bound, names, terms)));
        }
        if tables.is_empty() {
            conditions.extend(inner);
            continue;
        }
        let inner = if inner.is_empty() { String::new() } else { format!(" WHERE {}", inner.join(" AND ")) };
        conditions.push(format!("EXISTS (SELECT 1 FROM {}{inner})", tables.join(", ")));
    }
    if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) }
}

/// A comparison of columns and numbers. Columns are text, as everything is; a variable that nothing binds makes it false, as
/// the error does that it is in Prolog.
fn comparison(literal: &Literal, bound: &BTreeMap<u8, String>, predictor: &Predictor) -> String {
    let sign = match compares(literal, predictor) {
        Some(Comparison::AtMost) => "<=",
        Some(Comparison::AtLeast) => ">=",
        Some(Comparison::Below) => "<",
        Some(Comparison::Above) => ">",
        Some(Comparison::Equal) => "=",
        Some(Comparison::Unequal) | None => "<>",
    };
    match (operand(literal.args[0], bound), operand(literal.args[1], bound)) {
        (Some(left), Some(right)) => format!("{left} {sign} {right}"),
        _ => "1 = 0".to_owned(),
    }
}

/// A computation with columns and numbers, if all of them are bound.
fn computation(literal: &Literal, bound: &BTreeMap<u8, String>, predictor: &Predictor) -> Option<String> {
    let (left, right) = (operand(literal.args[0], bound)?, operand(literal.args[1], bound)?);
    Some(format!("({left} {} {right})", computes(literal, predictor)?.sign()))
}

/// The rows that a summary is about: ` FROM table WHERE ...`.
fn from(
    summarised: &Summarised,
    literal: &Literal,
    bound: &BTreeMap<u8, String>,
    names: &Names,
    terms: &Terms,
) -> String {
    let places = (0u32..).zip(&summarised.bound).filter(|(_, bound)| **bound).map(|(at, _)| at + 1);
    let equal = places.zip(&literal.args).map(|(place, arg)| {
        let value = match arg {
            Arg::Var(var) => bound.get(&var.0).cloned().unwrap_or_else(|| "NULL".to_owned()),
            Arg::Const(id) => quoted(&terms.show(*id)),
            Arg::Number(number) => quoted(&number.to_string()),
        };
        format!("s.a{place} = {value}")
    });
    let equal: Vec<String> = equal.collect();
    let filter = if equal.is_empty() { String::new() } else { format!(" WHERE {}", equal.join(" AND ")) };
    format!(" FROM {} s{filter}", named(&names.0[&summarised.of]))
}

/// A number, or a column as one.
fn operand(arg: Arg, bound: &BTreeMap<u8, String>) -> Option<String> {
    match arg {
        Arg::Var(var) => bound.get(&var.0).map(|column| format!("CAST({column} AS DOUBLE PRECISION)")),
        Arg::Number(number) => Some(format!("{:e}", number.to_f64())),
        Arg::Const(_) => None,
    }
}

/// What the columns of a literal's table must equal; variables met for the first time are bound to theirs.
fn equalities(alias: &str, literal: &Literal, bound: &mut BTreeMap<u8, String>, terms: &Terms) -> Vec<String> {
    let mut conditions = Vec::new();
    for (at, arg) in literal.args.iter().enumerate() {
        let column = format!("{alias}.a{}", at + 1);
        match arg {
            Arg::Const(id) => conditions.push(format!("{column} = {}", quoted(&terms.show(*id)))),
            Arg::Number(number) => conditions.push(format!("{column} = {}", quoted(&number.to_string()))),
            Arg::Var(var) => match bound.get(&var.0) {
                Some(other) => conditions.push(format!("{column} = {other}")),
                None => _ = bound.insert(var.0, column),
            },
        }
    }
    conditions
}

/// The body in parts that share no variable but those of the head.
fn parts<'r>(body: &'r [Literal], head: &BTreeSet<u8>) -> Vec<Vec<&'r Literal>> {
    let mut parts: Vec<(BTreeSet<u8>, Vec<&Literal>)> = Vec::new();
    for literal in body {
        let vars = literal.vars().map(|var| var.0).filter(|var| !head.contains(var));
        let mut joined: (BTreeSet<u8>, Vec<&Literal>) = (vars.collect(), Vec::new());
        let (meet, apart): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(vars, _)| !vars.is_disjoint(&joined.0));
        for (vars, literals) in meet {
            joined.0.extend(vars);
            joined.1.extend(literals);
        }
        joined.1.push(literal);
        parts = apart;
        parts.push(joined);
    }
    parts.into_iter().map(|(_, literals)| literals).collect()
}
