//! The evaluator against SWI-Prolog on random goals: nested calls of every supported built-in, with wrong, unbound and odd
//! arguments. Both sides must give the same answers in the same order, or raise the same error term.
//!
//! The number of goals and the seed come from the environment, and how many differences are printed (`SYMSNAP_SHOW`):
//!
//!     SYMSNAP_GOALS=100000 SYMSNAP_SEED=1 cargo test --release -p symsnap --test prolog_random -- --nocapture

#![allow(clippy::print_stderr)] // a long run says what it did

mod goals;
#[path = "../skip/mod.rs"]
mod skip;
#[path = "../swipl/mod.rs"]
mod swipl;

use goals::Goals;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use symsnap::internals::logic::Term;
use symsnap::internals::prolog::{Engine, Fault, Limits};
use symsnap::internals::task::{Definition, Program};
use symsnap::{Pred, TermId, Terms, Text};

/// Loaded on both sides. An outcome has all answers, or the error without its context; variables are numbered.
const OUTCOME: &str = r"
outcome(Row, Goal, Outcome) :-
    catch(( findall(Row, Goal, Rows), Outcome = rows(Rows) ), Error, ( formal(Error, Formal), Outcome = raised(Formal) )),
    numbervars(Outcome, 0, _).
formal(Error, Formal) :- ( Error = error(Formal, _) -> true ; Formal = thrown(Error) ).
";

const SCRIPT: &str = r"
:- set_prolog_flag(verbose, silent).
:- set_prolog_flag(stack_limit, 268435456).
:- style_check(-singleton).
:- use_module([library(lists), library(apply), library(aggregate), library(pairs), library(ordsets), library(backcomp), library(occurs)]).
main :- current_prolog_flag(argv, [File]), open(File, read, S, [encoding(utf8)]), goals(S, 0), close(S).
goals(S, I) :-
    read_term(S, Read, []),
    ( Read = goal(Row, Goal) -> run(I, Row, Goal), I1 is I + 1, goals(S, I1) ; true ).
run(I, Row, Goal) :-
    catch(call_with_inference_limit(outcome(Row, Goal, Outcome), 20000, Limit), Error, true),
    ( Limit == inference_limit_exceeded -> say(I, limit)
    ; nonvar(Error) -> say(I, limit)
    ; Outcome == raised(thrown(inference_limit_exceeded)) -> say(I, limit)
    ; Outcome = raised(resource_error(_)) -> say(I, limit)
    ; acyclic_term(Outcome), sub_term(Part, Outcome), rational(Part), \+ integer(Part) -> say(I, rational)
    ; ground(Outcome), acyclic_term(Outcome) -> say(I, Outcome)
    ; nonvar(Outcome), \+ acyclic_term(Outcome) -> say(I, cyclic)
    ; say(I, limit) ).
say(I, Outcome) :-
    write_term(said(I, Outcome), [ignore_ops(true), quoted(true), cycles(true), numbervars(false)]), write('.\n'), flush_output.
";

/// How many goals go to one SWI-Prolog process.
const BATCH: usize = 2_000;

/// A goal and what this evaluator says.
struct Case {
    goal: String,
    ours: Result<TermId, Fault>,
}

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

#[test]
fn random_goals_answer_or_raise_as_in_swi_prolog() {
    let (count, seed) = (number("SYMSNAP_GOALS", 4_000), number("SYMSNAP_SEED", 1));
    let mut goals = Goals::new(seed as u64);
    let mut tally = Tally::default();
    let mut left = count;
    while left > 0 {
        let batch: Vec<String> = (0..left.min(BATCH)).map(|_| goals.goal(2)).collect();
        left -= batch.len();
        if !tally.compare(&batch) {
            return;
        }
    }
    let built_ins = goals.built_ins().len();
    eprintln!("{count} goals over {built_ins} built-ins, seed {seed}: {} agree, {:?}", tally.agree, tally.explained);
    let shown: Vec<&str> = tally.wrong.iter().take(number("SYMSNAP_SHOW", 40)).map(String::as_str).collect();
    assert!(tally.wrong.is_empty(), "{} of {count} goals differ\n{}", tally.wrong.len(), shown.join("\n"));
    assert!(tally.agree * 10 >= count * 9, "only {} of {count} goals were compared", tally.agree);
    let died = tally.explained.get("SWI-Prolog died of it").copied().unwrap_or_default();
    assert!(died * 1_000 <= count, "SWI-Prolog died of {died} goals");
}

#[derive(Default)]
struct Tally {
    agree: usize,
    /// Differences with a reason, by reason.
    explained: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

impl Tally {
    /// Compare both sides on some goals; false if SWI-Prolog is not there.
    fn compare(&mut self, goals: &[String]) -> bool {
        let mut text = OUTCOME.to_string();
        let mut file = String::new();
        for (at, goal) in goals.iter().enumerate() {
            let goal = format!("goal(r(X,Y,Z),{goal})");
            writeln!(text, "'goal {at}'(Outcome) :- {goal} = goal(Row,Goal), outcome(Row, Goal, Outcome).")
                .expect("writing to a string");
            writeln!(file, "{goal}.").expect("writing to a string");
        }
        let mut terms = Terms::default();
        let source = Text::new("goals", &text);
        let program = Program::read(&source, &mut terms).unwrap_or_else(|error| panic!("{error}"));
        let mut engine = Engine::new(terms, &program, Limits { steps: 30_000, ..Limits::default() });
        let cases: Vec<Case> = goals
            .iter()
            .enumerate()
            .map(|(at, goal)| {
                let pred = Pred::new(engine.terms_mut().intern(&format!("goal {at}")), 1);
                let ours = engine.call(pred, &[None]).map(|answers| answers.rows()[0][0]);
                Case { goal: goal.clone(), ours }
            })
            .collect();
        // What takes much memory here would take it there.
        let asked: Vec<&str> = file
            .lines()
            .zip(&cases)
            .map(|(line, case)| if case.ours == Err(Fault::Memory) { "goal(r,true)." } else { line })
            .collect();
        let Some(theirs) = outcomes_of(&asked, engine.terms_mut()) else { return false };
        for (at, case) in cases.iter().enumerate() {
            self.judge(case, theirs.get(&at).copied(), engine.terms());
        }
        true
    }

    fn judge(&mut self, case: &Case, theirs: Option<TermId>, terms: &Terms) {
        let show = |outcome: Option<TermId>| outcome.map_or("nothing".to_string(), |id| terms.show(id));
        if let (Ok(ours), Some(theirs)) = (&case.ours, theirs)
            && *ours == theirs
        {
            self.agree += 1;
            return;
        }
        let ours = match &case.ours {
            Ok(id) => show(Some(*id)),
            Err(fault) => format!("fault: {fault}"),
        };
        if let Some(reason) = explained(case, &ours, &show(theirs)) {
            *self.explained.entry(reason).or_default() += 1;
            return;
        }
        self.wrong.push(format!("{}\n   ours:   {ours}\n   theirs: {}", case.goal, show(theirs)));
    }
}

/// What SWI-Prolog says, by goal; `None` if it is not there. Where a goal kills it, the others are asked again, and that
/// goal has no outcome.
fn outcomes_of(goals: &[&str], terms: &mut Terms) -> Option<BTreeMap<usize, TermId>> {
    let name = format!("prolog_random_{}", std::process::id());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.goals"));
    let mut found = BTreeMap::new();
    let mut start = 0;
    while start < goals.len() {
        std::fs::write(&path, goals[start..].join("\n")).expect("the target folder is writable");
        let said = swipl::run(&name, &format!("{SCRIPT}{OUTCOME}"), "main", &[&path])?;
        let outcomes = outcomes(&said, terms);
        let answered = outcomes.keys().last().map_or(0, |last| last + 1);
        found.extend(outcomes.into_iter().map(|(goal, outcome)| (start + goal, outcome)));
        start += answered + 1;
    }
    Some(found)
}

/// What SWI-Prolog said, by the number of the goal.
fn outcomes(said: &str, terms: &mut Terms) -> BTreeMap<usize, TermId> {
    // Compounds whose name is the empty list cannot be read here.
    let plain = |line: &str| match (line.contains("[]("), line.split_once(',')) {
        (true, Some((number, _))) => format!("{number},nameless).\n"),
        _ => format!("{line}\n"),
    };
    // What it was about to say when it died has no end.
    let said: String = said.lines().filter(|line| line.ends_with(").")).map(plain).collect();
    let facts = Program::read(&Text::new("swipl", &said), terms).unwrap_or_else(|error| panic!("{error}"));
    let mut found = BTreeMap::new();
    for predicate in facts.predicates() {
        let Definition::Facts(facts) = &predicate.definition else { panic!("SWI-Prolog prints facts") };
        for at in 0..facts.len() {
            let row: Vec<TermId> = facts.row(at).collect();
            let Term::Int(goal) = terms.get(row[0]) else { panic!("goals are numbered") };
            found.insert(usize::try_from(goal).expect("goals are numbered from 0"), row[1]);
        }
    }
    found
}

/// Why a difference is no mistake, if it is none.
fn explained(case: &Case, ours: &str, theirs: &str) -> Option<&'static str> {
    match &case.ours {
        // Ours walks an infinite term until its steps are used up.
        Err(fault) if fault.is_limit() && theirs == "cyclic" => Some("an infinite term"),
        Err(fault) if fault.is_limit() && theirs == "limit" => Some("a limit ended both"),
        Err(Fault::Memory) => Some("too large for ours, so not asked of theirs"),
        Err(fault) if fault.is_limit() => Some("a limit ended ours"),
        Err(Fault::Forbidden { .. }) => Some("left out on purpose"),
        Err(Fault::Unsupported { .. } | Fault::Rational { .. }) => Some("not supported, and said so"),
        _ if theirs == "nothing" => Some("SWI-Prolog died of it"),
        // The least integer divided by -1 stops the processor.
        _ if theirs.starts_with("raised(signal(") => Some("SWI-Prolog nearly died of it"),
        _ if theirs == "cyclic" => Some("an infinite term"),
        _ if theirs == "rational" => Some("a rational number"),
        _ if theirs == "nameless" => Some("a compound named []"),
        _ if theirs == "limit" => Some("a limit ended theirs"),
        // There is one module here.
        _ if case.goal.contains("':'(") => Some("a goal with a module"),
        // SWI-Prolog takes what is no list for the name of a type, and some names are types.
        _ if ours.contains("existence_error(type,") => Some("predsort/3 of the name of a type"),
        // It evaluates `[X]` only where the end of the list was written, not bound.
        _ if theirs.starts_with("raised(type_error([],[") => Some("a list in arithmetic whose end was bound"),
        // Later versions have these.
        _ if theirs.contains("/(maplist,6)") || theirs.contains("/(maplist,7)") => Some("maplist/6"),
        _ if theirs.contains(":(user,") => Some("an error that names the module"),
        // It gives a start and a length beyond the end, with the rest open, as one more answer.
        _ if ["X", "Y", "Z"]
            .iter()
            .any(|v| case.goal.contains("sub_") && case.goal.contains(&format!(",{v},{v},"))) =>
        {
            Some("sub_atom/5 whose start is its length")
        }
        // It forgets to undo what unifying an earlier argument with the place itself has bound.
        _ if place_occurs_in_term(&case.goal) => Some("arg/3 whose place occurs in the term"),
        _ => None,
    }
}

/// Whether `goal` has a call `arg(V, Term, _)` with the variable `V` in `Term`.
fn place_occurs_in_term(goal: &str) -> bool {
    ["X", "Y", "Z"].iter().any(|variable| {
        goal.split(&format!("arg({variable},")).skip(1).any(|rest| {
            let mut depth = 0;
            let end = rest.char_indices().find(|(_, c)| {
                depth += i32::from("([{".contains(*c)) - i32::from(")]}".contains(*c));
                depth == 0 && *c == ','
            });
            rest[..end.map_or(rest.len(), |(at, _)| at)].contains(variable)
        })
    })
}
