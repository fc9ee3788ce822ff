//! The evaluator against SWI-Prolog: for each goal of the corpora in `data/prolog` all distinct answers in the order
//! found, or the kind of error; and every background rule of our own tasks and of real ones on arguments that occur in
//! them.
//!
//! All goals of a test run in one SWI-Prolog process. It prints what it found as facts, which our reader reads back
//! into the same interned terms, so answers are compared as terms and not as text.

mod folders;
mod skip;
mod swipl;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use symsnap::internals::logic::{Term, write_atom};
use symsnap::internals::parse::{Form, Reader, Tree};
use symsnap::internals::prolog::{Engine, Fault, Limits};
use symsnap::internals::task::{Definition, Program};
use symsnap::{Pred, TermId, Terms, Text};

const SCRIPT: &str = r#"
:- set_prolog_flag(verbose, silent).
:- style_check(-singleton).
:- style_check(-discontiguous).
:- use_module(library(clpfd)).
unit(Unit) :-
    atom_concat(Unit, '.pl', Program), atom_concat(Unit, '.goals', Goals),
    file_base_name(Unit, Base), atom_concat('unit ', Base, Module),
    set_module(Module:base(user)), style_check(-discontiguous),
    load_files(Module:Program, [silent(true)]),
    Module:use_module(library(clpfd)),
    open(Goals, read, S, [encoding(utf8)]), goals(S, Module, 0), close(S).
goals(S, Module, I) :-
    read_term(S, Goal, [variable_names(Names), module(Module)]),
    ( Goal == end_of_file -> true
    ; row(Names, Row), run(Module, I, Goal, Row), I1 is I + 1, goals(S, Module, I1) ).
row(Names, Row) :- values(Names, Values), Row =.. [r|Values].
values([], []).
values([Name=V|Rest], Values) :- ( sub_atom(Name, 0, 1, _, '_') -> Values = More ; Values = [V|More] ), values(Rest, More).
run(Module, I, Goal, Row) :-
    catch(call_with_inference_limit(findall(Row, Module:Goal, Rows), 50000, Limit), Error, true),
    ( Limit == inference_limit_exceeded -> say(fault(Module, I, limit))
    ; nonvar(Error) -> kind(Error, Kind), say(fault(Module, I, Kind))
    ; include(ground, Rows, Ground), list_to_set(Ground, Set),
      forall(member(R, Set), say(answer(Module, I, R))),
      ( length(Rows, N), length(Ground, N) -> true ; say(open(Module, I)) ) ).
kind(error(E, _), Kind) :- ( E = instantiation_error -> Kind = instantiation
    ; E = existence_error(matching_rule, _) -> Kind = matching ; E =.. [F|_], once(kinds(F, Kind)) ), !.
kind(_, thrown).
kinds(type_error, type).
kinds(domain_error, domain).
kinds(syntax_error, domain).
kinds(evaluation_error, evaluation).
kinds(existence_error, existence).
kinds(Other, Other).
say(T) :- write_term(T, [ignore_ops(true), quoted(true)]), write('.\n').
"#;

/// What a goal gives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Outcome {
    rows: Vec<TermId>,
    open: bool,
    fault: Option<String>,
}

/// What SWI-Prolog says to the goals of `units` (paths without extension), as facts; `None` if it is not installed.
fn swipl(test: &str, units: &[PathBuf]) -> Option<String> {
    let goal = "current_prolog_flag(argv, Us), forall(member(U, Us), unit(U))";
    swipl::run(&format!("prolog_oracle_{test}"), SCRIPT, goal, units)
}

/// SWI-Prolog's facts, by unit and goal.
fn outcomes(text: &str, terms: &mut Terms) -> BTreeMap<(String, i64), Outcome> {
    let facts = Program::read(&Text::new("swipl", text), terms).expect("SWI-Prolog prints facts");
    let mut found: BTreeMap<(String, i64), Outcome> = BTreeMap::new();
    for predicate in facts.predicates() {
        let name = terms.name(predicate.pred.name).to_string();
        let Definition::Facts(facts) = &predicate.definition else { panic!("{name} is not facts") };
        for at in 0..facts.len() {
            let row: Vec<TermId> = facts.row(at).collect();
            let (Term::Atom(unit), Term::Int(goal)) = (terms.get(row[0]), terms.get(row[1])) else {
                panic!("{name} has other arguments")
            };
            let outcome = found.entry((terms.name(unit).to_string(), goal)).or_default();
            match name.as_str() {
                "answer" => outcome.rows.push(row[2]),
                "open" => outcome.open = true,
                _ => outcome.fault = Some(terms.show(row[2])),
            }
        }
    }
    found
}

fn kind(fault: &Fault) -> String {
    match fault {
        Fault::Instantiation { .. } => "instantiation",
        Fault::Type { .. } => "type",
        Fault::Domain { .. } => "domain",
        Fault::Evaluation { .. } => "evaluation",
        Fault::UnknownProcedure { .. } => "existence",
        Fault::Forbidden { .. } => "forbidden",
        Fault::Unsupported { .. } | Fault::Rational { .. } => "unsupported",
        Fault::Thrown { .. } => "thrown",
        Fault::Steps | Fault::Depth | Fault::Memory | Fault::Answers => "limit",
    }
    .to_string()
}

/// The names of a goal's variables in the order of the text, but those that begin with `_`.
fn variables(goal: &str) -> Vec<String> {
    let source = Text::new("goal", goal);
    let mut tree = Tree::default();
    let mut reader = Reader::new(&source);
    reader.operators().add_clpfd();
    reader.read(&mut tree).expect("there is a goal").unwrap_or_else(|finding| panic!("{finding}"));
    let mut names: Vec<(u32, String)> = Vec::new();
    for node in tree.nodes() {
        if let Form::Var(name) = tree.form(node)
            && !name.starts_with('_')
        {
            names.push((tree.span(node).start, name.to_string()));
        }
    }
    names.sort();
    let mut found: Vec<String> = Vec::new();
    for (_, name) in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Equal outcomes, but where a limit ended one, where SWI-Prolog's library says "no matching rule" and ours names the
/// wrong argument, where an expression has two things wrong and they are found in another order, and where SWI-Prolog
/// goes on with a constraint that we cannot decide.
fn agree(ours: &Outcome, theirs: &Outcome) -> bool {
    match (ours.fault.as_deref(), theirs.fault.as_deref()) {
        (Some("limit"), _) | (_, Some("limit")) => true,
        (Some("type" | "instantiation"), Some("matching")) => true,
        (Some("type"), Some("instantiation")) => true,
        (Some("instantiation"), None) => theirs.open,
        _ => ours == theirs,
    }
}

/// Run the goals on our side, each as the body of a clause, and note the differences. Returns how many goals there are.
fn compare(unit: &Path, said: &str, wrong: &mut Vec<String>) -> usize {
    let name = unit.file_name().expect("a unit has a name").to_string_lossy().into_owned();
    let read = |extension: &str| std::fs::read_to_string(unit.with_extension(extension)).expect("a unit has two files");
    let (mut text, goals) = (read("pl"), read("goals"));
    let goals: Vec<&str> = goals.lines().filter(|line| !line.is_empty() && !line.starts_with('%')).collect();
    text.push_str("\n:- use_module(library(clpfd)).\n");
    for (at, goal) in goals.iter().enumerate() {
        let row = variables(goal);
        let row = if row.is_empty() { "r".to_string() } else { format!("r({})", row.join(",")) };
        let body = goal.strip_suffix('.').unwrap_or_else(|| panic!("{goal} ends in a full stop"));
        text.push_str(&format!("'goal {at}'({row}) :- ({body}).\n"));
    }
    let mut terms = Terms::default();
    let program = Program::read(&Text::new(name.as_str(), &text), &mut terms).unwrap_or_else(|error| panic!("{error}"));
    let theirs = outcomes(said, &mut terms);
    let limits = Limits { steps: 50_000, ..Limits::default() };
    let mut engine = Engine::new(terms, &program, limits);
    for (at, goal) in goals.iter().enumerate() {
        let pred = Pred::new(engine.terms_mut().intern(&format!("goal {at}")), 1);
        let ours = match engine.call(pred, &[None]) {
            Ok(answers) => {
                let rows = answers.rows().iter().map(|row| row[0]).collect();
                Outcome { rows, open: answers.open, fault: None }
            }
            Err(fault) => Outcome { fault: Some(kind(&fault)), ..Outcome::default() },
        };
        let theirs = theirs.get(&(format!("unit {name}"), at as i64)).cloned().unwrap_or_default();
        if !agree(&ours, &theirs) {
            let show = |it: &Outcome| {
                let rows: Vec<String> = it.rows.iter().map(|&id| engine.terms().show(id)).collect();
                format!("{:?} open: {} fault: {:?}", rows, it.open, it.fault)
            };
            wrong.push(format!("{name}: {goal}\n   ours:   {}\n   theirs: {}", show(&ours), show(&theirs)));
        }
    }
    goals.len()
}

#[test]
fn swi_prolog_refuses_the_definitions_that_are_said_to_be_refused() {
    let list = include_str!("../src/prolog/builtins/protected.txt").split_whitespace();
    let quoted = |name: &str| {
        let mut text = String::new();
        write_atom(&mut text, name);
        text
    };
    let named = list.filter_map(|word| word.rsplit_once('/'));
    let refused: Vec<(String, &str)> =
        named.flat_map(|(name, arities)| arities.split(',').map(move |arity| (quoted(name), arity))).collect();
    // Predicates of libraries, and some that are built in, can be defined anew.
    let others = ["append/3", "member/2", "last/2", "string/1", "succ/2", "plus/3", "msort/2"];
    let others = others.map(|word| word.rsplit_once('/').expect("a name and an arity"));
    let others = others.map(|(name, arity)| (quoted(name), arity));
    let asked: String =
        refused.iter().chain(&others).map(|(name, arity)| format!("asked({name}, {arity}).\n")).collect();
    let goal = "forall(asked(N,A), (functor(H,N,A), catch((assertz(user:(H:-fail)), writeln(no)), \
                error(permission_error(_,_,_),_), writeln(yes))))";
    let Some(said) = swipl::run("protected", &asked, goal, &[] as &[&str]) else { return };
    let expected = refused.iter().map(|_| "yes").chain(others.iter().map(|_| "no"));
    assert_eq!(said.lines().collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    assert!(refused.len() > 100);
}

#[test]
fn every_goal_of_the_corpora_answers_as_in_swi_prolog() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/prolog");
    let names = ["arithmetic", "control", "collect", "lists", "molecules", "redefined", "terms", "text"];
    let units: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    let Some(said) = swipl("corpora", &units) else { return };
    let mut wrong = Vec::new();
    let goals: usize = units.iter().map(|unit| compare(unit, &said, &mut wrong)).sum();
    assert!(wrong.is_empty(), "{} of {goals} goals differ\n{}", wrong.len(), wrong.join("\n"));
    assert!(goals >= 300, "the corpora have only {goals} goals");
}

/// A seeded stream of numbers below a bound (splitmix64).
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// Calls of each predicate that `text` defines by rules, with arguments that occur in its facts and in the examples.
fn calls(text: &str, examples: &str, draw: &mut Draw) -> String {
    let mut terms = Terms::default();
    let program = Program::read(&Text::new("bk.pl", text), &mut terms).unwrap_or_else(|error| panic!("{error}"));
    let examples = Program::read(&Text::new("exs.pl", examples), &mut terms).unwrap_or_else(|error| panic!("{error}"));
    let mut pool: Vec<TermId> = Vec::new();
    for predicate in program.predicates().iter().chain(examples.predicates()) {
        let Definition::Facts(facts) = &predicate.definition else { continue };
        for row in (0..facts.len()).step_by(facts.len() / 20 + 1) {
            for id in facts.row(row) {
                match terms.get(id) {
                    Term::Compound(name, args) if name != terms.cons() => pool.extend(args),
                    _ => pool.push(id),
                }
            }
        }
    }
    pool.extend([terms.int(1), terms.int(3), terms.float(0.5), terms.nil()]);
    let mut goals = String::new();
    for predicate in program.predicates() {
        let Definition::Clauses(_) = predicate.definition else { continue };
        for _ in 0..12 {
            let args: Vec<String> = (0..predicate.pred.arity)
                .map(|at| match draw.below(4) {
                    0 => format!("V{at}"),
                    _ => terms.show(pool[draw.below(pool.len())]),
                })
                .collect();
            let mut name = String::new();
            write_atom(&mut name, terms.name(predicate.pred.name));
            let args = if args.is_empty() { String::new() } else { format!("({})", args.join(",")) };
            goals.push_str(&format!("{name}{args}.\n"));
        }
    }
    goals
}

#[test]
fn every_background_rule_of_our_own_tasks_answers_as_in_swi_prolog() {
    compare_rules("ours", &folders::ours("prolog_oracle"), 250);
}

#[test]
fn every_background_rule_of_real_tasks_answers_as_in_swi_prolog() {
    if let Some(data) = folders::data() {
        let tasks: Vec<PathBuf> = TASKS.iter().map(|task| data.join("tasks").join(task)).collect();
        compare_rules("real", &tasks, 1000);
    }
}

/// Compare calls of all background rules of `tasks`, of which there are `least` at least.
fn compare_rules(test: &str, tasks: &[PathBuf], least: usize) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prolog_oracle_tasks").join(test);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    let mut units = Vec::new();
    let mut draw = Draw(7);
    for (at, task) in tasks.iter().enumerate() {
        let read = |file: &str| std::fs::read_to_string(task.join(file)).expect("a task has its files");
        let (text, examples) = (read("bk.pl"), read("exs.pl"));
        let name = task.file_name().expect("a task folder has a name").to_string_lossy();
        let unit = folder.join(format!("{name}_{at}"));
        std::fs::write(unit.with_extension("goals"), calls(&text, &examples, &mut draw))
            .expect("the folder is writable");
        std::fs::write(unit.with_extension("pl"), text).expect("the folder is writable");
        units.push(unit);
    }
    let Some(said) = swipl(test, &units) else { return };
    let mut wrong = Vec::new();
    let goals: usize = units.iter().map(|unit| compare(unit, &said, &mut wrong)).sum();
    assert!(wrong.is_empty(), "{} of {goals} goals differ\n{}", wrong.len(), wrong.join("\n"));
    assert!(goals >= least, "only {goals} goals were compared");
}

/// The task folders whose background has rules, one of each kind.
const TASKS: [&str; 16] = [
    "carcinogenesis/carcinogenesis",
    "iggp/buttons-goal",
    "iggp/rps-next-score",
    "mutagenesis/mutagenesis",
    "mutagenesis/regression_unfriendly",
    "noisy_dropk/dropk-20",
    "robots/functional",
    "robots/linear",
    "robots/recursion",
    "synthesis/alleven",
    "synthesis/contains",
    "synthesis/filter",
    "synthesis/finddupl",
    "synthesis/reverse",
    "synthesis/sorted",
    "zendo/zendo1",
];
