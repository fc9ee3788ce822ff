//! One SWI-Prolog process per task: a batch of hypotheses on a sample of the examples.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use symsnap::internals::logic::write_atom;
use symsnap::{Arg, Hypothesis, Literal, Pred, Rule, Task, TermId};

/// What SWI-Prolog made of one hypothesis and example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Covered,
    NotCovered,
    /// It raised an error.
    Error,
    /// The inference limit, or the hypothesis ran out of its time.
    Unknown,
}

/// The verdicts of each hypothesis on each example. Hypotheses that call themselves are tabled.
pub fn run(
    task: &Task,
    bk: &Path,
    hypotheses: &[Hypothesis],
    examples: &[&[TermId]],
    seconds: f64,
) -> Vec<Vec<Verdict>> {
    let folder = std::env::temp_dir().join(format!("symsnap-oracle-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let batch = folder.join(format!("{}.pl", bk.parent().unwrap().to_string_lossy().replace(['/', '.'], "_")));
    let mut file = std::io::BufWriter::new(std::fs::File::create(&batch).unwrap());
    file.write_all(program(task, bk, hypotheses, examples, seconds).as_bytes()).unwrap();
    drop(file);
    let out = Command::new("swipl")
        .args(["-q", "--stack-limit=512m", "-g", "oracle__main", "-t", "halt"])
        .arg(&batch)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .unwrap();
    std::fs::remove_file(&batch).unwrap();
    let _ = std::fs::remove_dir(&folder);
    let text = String::from_utf8(out.stdout).unwrap();
    let verdict = |c| match c {
        '1' => Verdict::Covered,
        '0' => Verdict::NotCovered,
        'e' => Verdict::Error,
        _ => Verdict::Unknown,
    };
    text.lines().map(|line| line.chars().map(verdict).collect()).collect()
}

fn program(task: &Task, bk: &Path, hypotheses: &[Hypothesis], examples: &[&[TermId]], seconds: f64) -> String {
    let mut text = String::new();
    let mut quoted = String::new();
    write_atom(&mut quoted, &bk.to_string_lossy());
    writeln!(text, ":- style_check(-singleton), style_check(-discontiguous).\n:- consult({quoted}).").unwrap();
    // The body predicates that nothing defines are empty; computations are written with `is`.
    for pred in task.bias.body.iter().filter(|pred| !task.terms.name(pred.name).starts_with('$')) {
        let mut name = String::new();
        write_atom(&mut name, task.terms.name(pred.name));
        let arity = pred.arity;
        writeln!(
            text,
            ":- functor(H,{name},{arity}), (predicate_property(H,defined) -> true ; dynamic({name}/{arity}))."
        )
        .unwrap();
    }
    for (at, hypothesis) in hypotheses.iter().enumerate() {
        let arity = task.bias.head.arity;
        if hypothesis.is_recursive() {
            writeln!(text, ":- table oracle__h{at}/{arity}.").unwrap();
        }
        for rule in &hypothesis.rules {
            writeln!(text, "{}", clause(task, rule, task.bias.head, at)).unwrap();
        }
    }
    for (at, example) in examples.iter().enumerate() {
        let args: Vec<String> = example.iter().map(|&id| task.terms.show(id)).collect();
        writeln!(text, "oracle__example({at},[{}]).", args.join(",")).unwrap();
    }
    writeln!(
        text,
        "oracle__main :- forall(between(1,{},N), (H is N-1, oracle__all(H))).
oracle__all(H) :-
    atom_concat(oracle__h, H, Name), statistics(cputime, T0), End is T0 + {seconds},
    forall(oracle__example(_, Args), (oracle__one(Name, Args, End, V), put_char(V))), nl.
oracle__one(_, _, End, '?') :- statistics(cputime, T), T > End, !.
oracle__one(Name, Args, _, V) :-
    Goal =.. [Name|Args],
    catch((call_with_inference_limit(Goal, 100000, R) -> (R == inference_limit_exceeded -> V = '?' ; V = '1') ; V = '0'),
          _, V = e).",
        hypotheses.len()
    )
    .unwrap();
    text
}

fn clause(task: &Task, rule: &Rule, head: Pred, at: usize) -> String {
    let show = |literal: &Literal| {
        if literal.pred != head {
            return literal.show(&task.terms);
        }
        let name = format!("oracle__h{at}");
        let args: Vec<String> = literal
            .args
            .iter()
            .map(|arg| match arg {
                Arg::Var(var) => format!("V{}", var.0),
                Arg::Const(id) => task.terms.show(*id),
                Arg::Number(number) => number.to_string(),
            })
            .collect();
        if args.is_empty() { name } else { format!("{name}({})", args.join(",")) }
    };
    let body: Vec<String> = rule.body.iter().map(show).collect();
    if body.is_empty() {
        format!("{}.", show(&rule.head))
    } else {
        format!("{} :- {}.", show(&rule.head), body.join(", "))
    }
}
