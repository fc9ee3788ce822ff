//! Rules that compare numbers: joins decide as resolution does, whatever the order, and leave to it what may raise errors.

use super::*;
use crate::parse::Text;
use crate::random::Random;
use crate::task::Task;

const NUMBERS: [&str; 8] = ["-3", "0", "1", "1.0", "2.5", "0.1", "7", "-0.0"];

/// A task over `f(number, key)` with columns of numbers, one column with an atom in it, and a predicate that is called.
fn task(random: &mut Random) -> Task {
    let mut pick = |values: &[&str]| values[random.below(values.len())].to_owned();
    let keys = ["a", "b", "c"];
    let (mut bk, mut exs) = (String::from("twice(X,Y) :- Y is X*2.\nodd(a,x). "), String::new());
    for _ in 0..6 {
        bk += &format!(
            "size({},{}). pair({},{}). odd({},{}).\n",
            pick(&keys),
            pick(&NUMBERS),
            pick(&NUMBERS),
            pick(&NUMBERS),
            pick(&keys),
            pick(&NUMBERS)
        );
    }
    for at in 0..8 {
        exs += &format!("{}(f({},{})).\n", if at % 2 == 0 { "pos" } else { "neg" }, pick(&NUMBERS), pick(&keys));
    }
    let bias = "head_pred(f,2). body_pred(size,2). body_pred(pair,2). body_pred(odd,2). body_pred(twice,2).";
    Task::from_texts(&bk, &exs, bias).expect("the task is well formed")
}

/// A random body over `V0`, `V1` (the head's) and `V2`, `V3`.
fn body(random: &mut Random) -> String {
    let mut literals = Vec::new();
    for _ in 0..1 + random.below(3) {
        let number = NUMBERS[random.below(NUMBERS.len())];
        let (left, right) = (["V0", "V2", "V3"][random.below(3)], ["V0", "V2", "V3", number, number][random.below(5)]);
        let sign = ["=<", ">=", "<", ">", "=:=", "=\\="][random.below(6)];
        literals.push(match random.below(9) {
            0 | 1 => "size(V1,V2)".to_owned(),
            2 => "pair(V2,V3)".to_owned(),
            3 => "odd(V1,V3)".to_owned(),
            4 => "twice(V2,V3)".to_owned(),
            5 => format!("size(V1,{number})"),
            _ => format!("{left} {sign} {right}"),
        });
    }
    if random.below(3) > 0 {
        literals.insert(0, "size(V1,V2)".to_owned());
    }
    literals.join(", ")
}

#[test]
fn comparisons_cover_what_resolution_says() {
    let (mut joined, mut covered) = (0, 0);
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let mut task = task(&mut random);
        let text = format!("f(V0,V1) :- {}.", body(&mut random));
        let given = task.read_rules(&Text::new("<test>", &text)).expect("the rule is well formed");
        let rule = given[0].clause.as_rule(&task.terms).expect("and flat");
        let database = Database::new(&task);
        let mut evaluator = Evaluator::new(&database, &task.examples);
        let (fast, slow) = (evaluator.rule(&rule), SlowEvaluator::new(&database, &task.examples).rule(&rule));
        assert_eq!(fast, slow, "seed {seed}: {}", rule.show(&task.terms));
        joined += usize::from(evaluator.plan.make(&database, &task.examples, &rule) == RuleShape::Joined);
        covered += usize::from(!fast.is_empty());
    }
    assert!(joined > 800 && covered > 300, "{joined} rules were joined, {covered} cover something");
}

#[test]
fn a_comparison_reads_back_as_it_was_written() {
    let mut task = task(&mut Random::new(1));
    let text = "f(V0,V1) :- size(V1,V2), V2 =< -3.5, V2 >= 1, V0 =\\= V2.";
    let given = task.read_rules(&Text::new("<test>", text)).expect("the rule is well formed");
    assert_eq!(given[0].clause.as_rule(&task.terms).expect("and flat").show(&task.terms), text);
}
