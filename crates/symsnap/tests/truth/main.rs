//! What the learner says is so: tasks on which an earlier version claimed a proof, or figures, that were false. Each is the
//! smallest that shows its kind; `scripts/hunt` looks for others.
#![allow(clippy::unwrap_used)]

mod space;

use symsnap::internals::coverage::{SlowEvaluator, assess};
use symsnap::internals::database::Database;
use symsnap::internals::ensemble::Single;
use symsnap::internals::learn::Symsnap;
use symsnap::{Budget, Candidate, Cost, Learn, Learner, Outcome, Settings, Task, Text};

/// What was learned. Every candidate has the figures that plain resolution gives it, and that its text gives.
fn learned(bk: &str, exs: &str, bias: &str, cost: Cost) -> (Outcome, String) {
    let mut task = Task::from_texts(bk, exs, bias).unwrap();
    let learner = Symsnap { settings: Settings { cost, ..Settings::default() } };
    let mut candidates: Vec<Candidate> = Vec::new();
    let outcome = learner.learn_task(&task, &Budget::unlimited(), &mut candidates).unwrap();
    for candidate in &candidates {
        let text = candidate.hypothesis.show(&task.terms);
        let given = task.read_rules(&Text::new("learned", &text)).unwrap();
        let database = Database::new(&task);
        let slow = SlowEvaluator::new(&database, &task.examples).hypothesis(&candidate.hypothesis);
        for cover in [slow, assess(&task, &given).whole] {
            let confusion = task.examples.confusion(&cover);
            assert_eq!(confusion, candidate.confusion, "{text}");
        }
    }
    let text = outcome.best.as_ref().map_or_else(String::new, |best| best.hypothesis.show(&task.terms));
    (outcome, text)
}

fn facts(name: &str, from: usize, to: usize) -> String {
    (from..to).map(|at| format!("{name}(a{at}).\n")).collect()
}

fn examples(positives: usize, negatives: usize) -> String {
    let positives = (0..positives).map(|at| format!("pos(f(a{at})).\n"));
    positives.chain((0..negatives).map(|at| format!("neg(f(b{at})).\n"))).collect()
}

#[test]
fn a_predicate_beyond_the_first_65536_is_found() {
    let bias: String = (0..65_600).map(|at| format!("body_pred(p{at},1).\n")).collect();
    let bk = "p65599(a0). p65599(a1). p0(b0).\n";
    let (outcome, text) =
        learned(bk, &examples(2, 1), &format!("head_pred(f,1).\n{bias}max_body(1).\n"), Cost::ErrorSize);
    assert_eq!(text, "f(V0) :- p65599(V0).\n");
    assert!(outcome.optimal);
}

#[test]
fn a_call_that_needs_arguments_is_made_once_others_have_bound_them() {
    let (outcome, text) = learned(
        "p(a,1). p(b,5). p(c,6). k(3). gt(X,Y) :- X > Y.",
        "pos(f(b)). pos(f(c)). neg(f(a)).",
        "head_pred(f,1). body_pred(p,2). body_pred(k,1). body_pred(gt,2).",
        Cost::ErrorSize,
    );
    assert_eq!(outcome.value.0, [0, 4], "{text}");
    assert_eq!(text, "f(V0) :- p(V0,V1), k(V2), gt(V1,V2).\n");
}

/// `memberchk/2` answers the first element only if it is asked for one, and is a test once it has one.
#[test]
fn a_predicate_of_the_library_that_commits_forbids_a_proof_and_with_a_direction_it_does_not() {
    let bk = "has(a,[x,y]). has(b,[y,x]). has(c,[z]). col(x). chk(L,X) :- memberchk(X,L).";
    let bias = "head_pred(f,1). body_pred(has,2). body_pred(chk,2). body_pred(col,1). type(f,(t,)). type(has,(t,l)).
        type(chk,(l,e)). type(col,(e,)). max_vars(3). max_body(3). direction(has,(in,out)).";
    let exs = "pos(f(a)). pos(f(b)). neg(f(c)).";
    let (outcome, text) = learned(bk, exs, bias, Cost::ErrorSize);
    assert!(!outcome.optimal && outcome.limits[0].contains("memberchk"), "{text}{:?}", outcome.limits);
    // Nor does it help to declare what it gives, because it holds of more.
    let (outcome, text) = learned(bk, exs, &format!("{bias} direction(chk,(in,out))."), Cost::ErrorSize);
    assert!(!outcome.optimal && outcome.limits[0].contains("memberchk"), "{text}{:?}", outcome.limits);
    let (outcome, text) = learned(bk, exs, &format!("{bias} direction(chk,(in,in))."), Cost::ErrorSize);
    assert_eq!((outcome.value.0, outcome.optimal), (vec![0, 4], true), "{text}{:?}", outcome.limits);
}

/// `f(V0) :- p(V1), many(V1), r(V0,V1,V2).` ends the proof of c2 at 1.5, before it comes to 5; the search calls `many/1` for what
/// both others have.
#[test]
fn an_error_for_values_that_no_rule_has_been_called_with_forbids_a_proof() {
    let bk = "p(1). p(1.5). p(5). r(c2,5,5). r(c3,1,1). many(X) :- between(0,400000,X).";
    let bias = "head_pred(f,1). body_pred(many,1). body_pred(p,1). body_pred(r,3). direction(f,(in,)). max_vars(3). max_body(3).";
    let (outcome, text) = learned(bk, "pos(f(c3)). neg(f(c2)).", bias, Cost::ErrorSize);
    assert!(!outcome.optimal && outcome.limits[0].contains("many/1 raises errors"), "{text}{:?}", outcome.limits);
}

#[test]
fn with_types_that_keep_errors_away_the_same_is_proved() {
    let (outcome, text) = learned(
        "p(a,1). p(b,5). p(c,6). k(3). gt(X,Y) :- X > Y.",
        "pos(f(b)). pos(f(c)). neg(f(a)).",
        "head_pred(f,1). body_pred(p,2). body_pred(k,1). body_pred(gt,2).
         type(f,(name,)). type(p,(name,number)). type(k,(number,)). type(gt,(number,number)).",
        Cost::ErrorSize,
    );
    assert_eq!((outcome.value.0, outcome.optimal, outcome.limits), (vec![0, 4], true, vec![]), "{text}");
}

#[test]
fn an_endless_generator_is_a_test_once_its_output_is_bound() {
    let endless = "r(X,Y) :- k(X), between(1,inf,Y).";
    let long = "r(X,Y) :- k(X), between(1,3000000,Y).";
    for generator in [endless, long] {
        let outputs: String = (0..6).map(|at| format!("s(a{at},{}).\n", at + 1)).collect();
        let others: String = (0..6).map(|at| format!("s(b{at},-{at}).\n k(b{at}).\n")).collect();
        let bk = format!("{}{outputs}{others}{generator}\n", facts("k", 0, 6));
        let bias = "head_pred(f,1). body_pred(r,2). body_pred(s,2).
            direction(f,(in,)). direction(r,(in,out)). direction(s,(in,out)).";
        let (outcome, text) = learned(&bk, &examples(6, 6), bias, Cost::Mdl);
        assert_eq!((outcome.value.0, text.as_str()), (vec![3], "f(V0) :- s(V0,V1), r(V0,V1).\n"));
        // Nothing better has room for two literals, so the answers of r(+,-) are not needed for the proof.
        assert!(outcome.optimal, "{:?}", outcome.limits);
    }
}

#[test]
fn rules_that_go_on_from_the_answers_of_an_endless_generator_forbid_a_proof() {
    let bk = "k(a). k(b). k(c). t(a). t(b). r(X,Y) :- k(X), between(1,inf,Y). s(7).";
    let bias = "head_pred(f,1). body_pred(k,1). body_pred(r,2). body_pred(s,1). body_pred(t,1).
        direction(f,(in,)). direction(r,(in,out)). direction(s,(in,)). direction(k,(in,)). direction(t,(in,)).";
    let (outcome, text) = learned(bk, "pos(f(a)). neg(f(b)). neg(f(c)).", bias, Cost::ErrorSize);
    assert!(!outcome.optimal && outcome.limits[0].contains("r(+,-)"), "{text} {:?}", outcome.limits);
}

#[test]
fn what_takes_too_many_steps_is_not_known_rather_than_false() {
    let (outcome, _) = learned(
        "count(0) :- !. count(N) :- M is N - 1, count(M). slow(X) :- count(3000000), X > 0.",
        "pos(f(1)). pos(f(2)). pos(f(3)). pos(f(4)). pos(f(5)). neg(f(-1)).",
        "head_pred(f,1). body_pred(slow,1).",
        Cost::ErrorSize,
    );
    assert!(!outcome.optimal && outcome.limits[0].contains("slow(+)"), "{:?}", outcome.limits);
    assert_eq!(outcome.lower.0, [0, 0]);
}

#[test]
fn rules_are_found_before_dear_calls_are_made_and_proved_after() {
    // A call of dear/1 takes about 60,000 steps, one of endless/1 more than any call may.
    let bk = "p(1). p(2). p(3). p(7). q(1). q(2). q(3). q(8).
        dear(X) :- q(X), between(1,30000,N), N >= 30000.
        endless(X) :- q(X), count(3000000). count(0) :- !. count(N) :- M is N - 1, count(M).";
    let exs = "pos(f(1)). pos(f(2)). pos(f(3)). neg(f(7)). neg(f(8)). neg(f(9)).";
    let bias = "head_pred(f,1). direction(f,(in,)). body_pred(p,1). body_pred(dear,1). direction(dear,(in,)).";
    let (outcome, text) = learned(bk, exs, bias, Cost::ErrorSize);
    assert_eq!((text.as_str(), outcome.optimal), ("f(V0) :- p(V0), dear(V0).\n", true), "{:?}", outcome.limits);
    assert!(outcome.limits.is_empty());

    let task =
        Task::from_texts(bk, exs, &(bias.to_owned() + "body_pred(endless,1). direction(endless,(in,)).")).unwrap();
    let mut candidates: Vec<Candidate> = Vec::new();
    let settings = Settings { cost: Cost::ErrorSize, ..Settings::default() };
    let outcome = Symsnap { settings }.learn_task(&task, &Budget::unlimited(), &mut candidates).unwrap();
    assert_eq!(candidates[0].hypothesis.show(&task.terms), "f(V0) :- p(V0).\n", "what is cheap comes first");
    assert_eq!(outcome.value.0, [0, 3]);
    assert!(
        !outcome.optimal && outcome.limits.iter().any(|limit| limit.contains("endless(+)")),
        "{:?}",
        outcome.limits
    );
}

#[test]
fn an_error_in_one_rule_leaves_the_examples_to_the_others() {
    let numbers: String = (1..=10).map(|at| format!("pos(f({at})).\n")).collect();
    let lists: String = ('a'..='j').map(|name| format!("pos(f([{name}])).\n")).collect();
    let (outcome, text) = learned(
        "btw(X) :- between(0,X,1). lst(X) :- is_list(X).",
        &(numbers + &lists),
        "head_pred(f,1). body_pred(btw,1). body_pred(lst,1).",
        Cost::Mdl,
    );
    assert_eq!((outcome.value.0, outcome.optimal), (vec![4], true), "{text}");
    let note = "`f(V0) :- btw(V0).` raises an error on some training examples, which it does not cover";
    assert!(outcome.notes.iter().any(|said| said.starts_with(note)), "{:?}", outcome.notes);
}

#[test]
fn an_error_on_a_negative_forbids_a_proof() {
    // Run from the left, `p(V0,V1), small(V1)` raises an error on the negative before it finds the solution that joins
    // find, so it covers only the positive.
    let (outcome, text) = learned(
        "p(a,1). p(b,x). p(b,1). small(X) :- X < 3.",
        "pos(f(a)). neg(f(b)).",
        "head_pred(f,1). body_pred(p,2). body_pred(small,1).",
        Cost::ErrorSize,
    );
    assert!(!outcome.optimal && outcome.limits[0].contains("small/1"), "{text}{:?}", outcome.limits);
}

#[test]
fn examples_of_mixed_kinds_have_the_figures_that_resolution_gives() {
    let (_, text) = learned(
        "mem(X,Y) :- member(Y,X). sm(X,N) :- sumlist(X,N). n(3). n(1).",
        "pos(f([1,2])). pos(f([3])). pos(f(a)). neg(f([a,3])). neg(f(b)). neg(f([x])).",
        "head_pred(f,1). body_pred(mem,2). body_pred(sm,2). body_pred(n,1). max_vars(3). max_body(3).",
        Cost::ErrorSize,
    );
    assert!(!text.is_empty());
}

#[test]
fn a_predicate_that_is_too_wide_for_the_search_forbids_a_proof() {
    let args: Vec<String> = (0..14).map(|at| format!("x{at}")).collect();
    let (outcome, _) = learned(
        &format!("wide({}).\n", args.join(",")),
        "pos(f(x0)). neg(f(x1)).",
        "head_pred(f,1). body_pred(wide,14). max_vars(14).",
        Cost::ErrorSize,
    );
    assert!(!outcome.optimal && outcome.limits[0].contains("wide/14"), "{:?}", outcome.limits);
}

#[test]
fn predicates_without_arguments_stand_beside_others() {
    for (constraint, expected) in [("", vec![0, 3]), (":- not body_literal(_,rain,_,_).", vec![0, 4])] {
        let bias = "head_pred(f,1). body_pred(rain,0). body_pred(snow,0). body_pred(p,2). body_pred(q,1).\n";
        let bk = "rain. p(a0,1). p(a1,2). p(b0,3). q(1). q(2).";
        let (outcome, text) = learned(bk, &examples(2, 1), &format!("{bias}{constraint}"), Cost::ErrorSize);
        assert_eq!((outcome.value.0, outcome.optimal), (expected, true), "{text}");
    }
}

#[test]
fn a_predicate_without_arguments_may_be_the_whole_rule() {
    let (outcome, text) = learned(
        "rain. p(b0).",
        &examples(3, 1),
        "head_pred(f,1). body_pred(rain,0). body_pred(p,1). non_datalog.",
        Cost::ErrorSize,
    );
    assert_eq!((outcome.value.0, text.as_str()), (vec![1, 2], "f(V0) :- rain.\n"));
}

#[test]
fn a_negation_that_is_asked_for_its_rows_forbids_a_proof_and_with_inputs_it_does_not() {
    let bk = "p(a0,1). p(a1,2). p(b0,3). p(b1,4). small(1). small(2). big(X) :- \\+ small(X).";
    let bias = "head_pred(f,1). body_pred(big,1). body_pred(p,2).
        type(f,(name,)). type(big,(number,)). type(p,(name,number)). max_body(2).\n";
    let exs = "pos(f(b0)). pos(f(b1)). neg(f(a0)). neg(f(a1)).";
    let (outcome, text) = learned(bk, exs, &format!("{bias}direction(big,(in,)).\n"), Cost::ErrorSize);
    assert_eq!((outcome.value.0.clone(), outcome.optimal), (vec![0, 3], true), "{text}{:?}", outcome.limits);
    let (outcome, text) = learned(bk, exs, bias, Cost::ErrorSize);
    assert!(outcome.value.0 == [0, 3] || !outcome.optimal, "{text}");
}

#[test]
fn a_cut_before_the_output_is_compared_forbids_a_proof() {
    // larger(3,1,1) holds, though larger(3,1,Z) answers 3 alone.
    let (outcome, _) = learned(
        "p(a0,3). q(a0,1). p(b0,1). q(b0,3). larger(X,Y,X) :- X >= Y, !. larger(_,Y,Y).",
        "pos(f(a0)). neg(f(b0)).",
        "head_pred(f,1). body_pred(p,2). body_pred(q,2). body_pred(larger,3). max_vars(4). max_body(4).
         direction(f,(in,)). direction(p,(in,out)). direction(q,(in,out)). direction(larger,(in,in,out)).
         type(f,(name,)). type(p,(name,number)). type(q,(name,number)). type(larger,(number,number,number)).",
        Cost::ErrorSize,
    );
    assert!(!outcome.optimal && outcome.limits[0].contains("larger/3"), "{:?}", outcome.limits);
}

#[test]
fn what_the_evaluator_leaves_out_is_unknown_and_not_false() {
    // SWI-Prolog has current_op/3; here its answers are unknown.
    let bk = "p(a0). p(a1). p(b0). q(X) :- p(X), current_op(_, xfx, X).";
    let bias = "head_pred(f,1). body_pred(p,1). body_pred(q,1).";
    let (outcome, _) = learned(bk, &examples(2, 1), bias, Cost::ErrorSize);
    assert!(!outcome.optimal);
    assert!(outcome.limits.iter().any(|limit| limit.contains("current_op/3")), "{:?}", outcome.limits);
}

#[test]
fn what_only_rational_numbers_can_tell_is_unknown_and_not_false() {
    // SWI-Prolog covers the positives and no negative with each of these.
    for test in [
        "Y is 5 rdiv 2, Y > X",
        "Y is rationalize(2.5), Y > X",
        "\\+ (Y is 5 rdiv 2, Y < X)",
        "catch((Y is 5 rdiv 2, Y > X), _, fail)",
        "Y is roundtoward(5/2, to_positive), Y > X",
    ] {
        let bk = format!("q(X) :- {test}.");
        let exs = "pos(f(0)). pos(f(1)). pos(f(2)). neg(f(3)). neg(f(4)).";
        let bias = "head_pred(f,1). body_pred(q,1). direction(f,(in,)). direction(q,(in,)).";
        let (outcome, _) = learned(&bk, exs, bias, Cost::ErrorSize);
        assert!(!outcome.optimal, "{test}");
        let limit = outcome.limits.iter().find(|limit| limit.contains("q(+)")).expect("it is said why");
        assert!(limit.contains("rational number") || limit.contains("roundtoward/2"), "{limit}");
    }
}

#[test]
fn integers_beyond_64_bits_are_computed() {
    let bk = "p(a0,9223372036854775807). p(a1,9223372036854775806). p(b0,5).
        over(X) :- Y is X + 2, Y > 9 223 372 036 854 775 807.";
    let bias = "head_pred(f,1). body_pred(p,2). body_pred(over,1).
        type(f,(t,)). type(p,(t,n)). type(over,(n,)). direction(over,(in,)).";
    let (outcome, text) = learned(bk, &examples(2, 1), bias, Cost::ErrorSize);
    assert_eq!(text, "f(V0) :- p(V0,V1), over(V1).\n");
    assert!(outcome.optimal, "{:?}", outcome.limits);
}

#[test]
fn a_cycle_of_variables_beyond_the_first_256_types_is_found() {
    // Only `edge(V1,V2), back(V2,V1)` together tell positives from negatives, and no variable cuts these two apart. Of all
    // types that of V1 and V2 is the last.
    let declared: String = (0..300).map(|at| format!("body_pred(a{at},1). type(a{at},(t{at},)).\n")).collect();
    let values: String = (0..300).map(|at| format!("a{at}(x{at}).\n")).collect();
    let cycles: String =
        (0..3).map(|at| format!("has(a{at},n{at}). edge(n{at},m{at}). back(m{at},n{at}).\n")).collect();
    let paths: String = (0..3).map(|at| format!("has(b{at},o{at}). edge(o{at},p{at}). back(q{at},o{at}).\n")).collect();
    let bias = format!(
        "head_pred(f,1). type(f,(name,)).\n{declared}
         body_pred(has,2). type(has,(name,node)). body_pred(edge,2). type(edge,(node,node)).
         body_pred(back,2). type(back,(node,node)). max_vars(3). max_body(3).\n"
    );
    let (outcome, text) = learned(&format!("{values}{cycles}{paths}"), &examples(3, 3), &bias, Cost::ErrorSize);
    assert_eq!((outcome.value.0, outcome.optimal), (vec![0, 4], true), "{text}");
}

#[test]
fn a_literal_with_more_arguments_than_a_word_has_bits_covers_what_resolution_says() {
    // The first argument is unbound and the 65th is bound; as bits of a word of 64 they would be the same.
    let between = "c,".repeat(63);
    let mut task = Task::from_texts(
        &format!("wide(z,{between}a0). wide(b0,{between}z)."),
        "pos(f(a0)). neg(f(b0)).",
        "head_pred(f,1). body_pred(p,1).",
    )
    .unwrap();
    let rules = task.read_rules(&Text::new("wide", &format!("f(X) :- wide(_,{between}X)."))).unwrap();
    let cover = assess(&task, &rules).whole;
    assert_eq!((cover.pos().count(), cover.neg().count()), (1, 0));
}

#[test]
fn a_constraint_on_the_first_rule_holds_for_rules_alone_where_programs_are_allowed() {
    // In a program, `p` may be in the second rule. By itself a rule is the first, and `p` must not stand for `q`.
    for programs in ["", "enable_recursion.", "enable_pi.", "enable_recursion. enable_pi."] {
        let (outcome, text) = learned(
            "p(a). p(b). q(a). q(b). r(c).",
            "pos(f(a)). pos(f(b)). neg(f(c)).",
            &format!(
                "head_pred(f,1). body_pred(p,1). body_pred(q,1). body_pred(r,1). max_body(1). max_vars(1).
                 :- body_literal(0,p,_,_). {programs}"
            ),
            Cost::ErrorSize,
        );
        assert_eq!(text, "f(V0) :- q(V0).\n", "{programs}");
        assert_eq!(outcome.value.0, [0, 2], "{programs}");
    }
}

/// Points on a grid in two predicates, declared in both orders, with what the bias says of numbers; positive is what
/// `covers` says. The value of the optimum must be proved.
fn points(numbers: &str, covers: impl Fn(u32, u32) -> bool, value: [u64; 2]) {
    let all = || (0..6).flat_map(|x| (0..6).map(move |y| (x, y)));
    let bk: String = all().map(|(x, y)| format!("x(p{x}{y},{x}). y(p{x}{y},{y}).\n")).collect();
    let label = |x, y| if covers(x, y) { "pos" } else { "neg" };
    let exs: String = all().map(|(x, y)| format!("{}(f(p{x}{y})).\n", label(x, y))).collect();
    for order in ["body_pred(x,2). body_pred(y,2).", "body_pred(y,2). body_pred(x,2)."] {
        let bias = format!(
            "head_pred(f,1). type(f,(p,)). {order} type(x,(p,num)). type(y,(p,num)). max_vars(5). max_body(5). {numbers}"
        );
        let (outcome, text) = learned(&bk, &exs, &bias, Cost::ErrorSize);
        assert_eq!((outcome.value.0, outcome.optimal), (value.to_vec(), true), "{order}\n{text}");
    }
}

#[test]
fn a_multiple_may_wait_for_what_it_is_added_to() {
    let numbers = "numerical_pred(leq,2). type(leq,(num,num)). numerical_pred(add,3). type(add,(num,num,num)).
        numerical_pred(mult,3). type(mult,(num,num,num)). direction(mult,(in,out,out)).
        bounds(mult,1,(-3,3)). bounds(leq,1,(5,9)). max_numeric(3).";
    points(numbers, |x, y| 3 * x + y <= 7, [0, 6]);
    points(numbers, |x, y| x + 3 * y <= 7, [0, 6]);
}

#[test]
fn what_a_computation_gives_is_a_rule_only_if_it_is_used() {
    // `V2 is V0-V1` covers everything. It is no rule, so that comparing V2 may remove a single negative and pay.
    let (outcome, text) = learned(
        "p(a).",
        "pos(f(3,3)). pos(f(1,0)). pos(f(3,1)). pos(f(2,2)). neg(f(0,3)).",
        "head_pred(f,2). type(f,(num,num)). max_vars(4). max_body(3). arithmetic(num).
         bounds(geq,1,(-1,0)). bounds(leq,1,(-1,0)).",
        Cost::Mdl,
    );
    assert_eq!((outcome.value.0, outcome.optimal), (vec![3], true), "{text}");
}

#[test]
fn a_base_rule_beside_another_is_told_from_a_smaller_one_by_the_calls_of_both() {
    let bk = "p0(c0,c0). p0(c3,c0). p0(c2,c1). p0(c4,c1). p0(c0,c2). p0(c1,c2). p0(c0,c3). p0(c1,c3). p0(c0,c4).
        p1(c2,c0). p1(c3,c2). p1(c2,c3). p1(c3,c4).";
    let exs = "neg(f(c0,c4,c0),3). pos(f(c4,c0,c0),3). pos(f(c2,c4,c4),3). pos(f(c4,c4,c3),6). pos(f(c1,c3,c0),4).
        neg(f(c2,c2,c2),4). neg(f(c3,c4,c1),6). pos(f(c2,c3,c2),1). neg(f(c4,c2,c4),8).";
    let bias = "head_pred(f,3). body_pred(p0,2). body_pred(p1,2). direction(f,(in,in,out)). direction(p0,(in,in)).
        direction(p1,(in,in)). max_vars(3). max_body(2). max_clauses(3). enable_recursion. non_datalog.";
    let (outcome, text) = learned(bk, exs, bias, Cost::LexFnSize);
    // f(A,B,_) :- p0(B,A).  f(A,B,C) :- f(B,A,C), f(C,B,A).  f(A,B,_) :- p1(A,B), p1(B,A).
    // On the examples p1(A,B), p1(B,A) covers what p1(B,A) does; calls that only the whole program makes tell them apart.
    assert_eq!((outcome.value.0, outcome.optimal), (vec![9, 0, 8], true), "{text}");
}

#[test]
fn a_proof_that_plain_resolution_does_not_end_is_no_difference() {
    // seek(0) fails after more steps than a proof has, seek(3) succeeds within those of a call.
    let bk = "p(0,a). p(4,b). p(3,a). seek(X) :- between(1,900000,Y), Y =:= X * 250000.";
    let bias = "head_pred(f,1). body_pred(seek,1). body_pred(p,2). max_vars(2). max_body(2).";
    let task = Task::from_texts(bk, "pos(f(a)). neg(f(b)).", bias).expect("a task");
    let learned = Learn::new(task).cost(Cost::ErrorSize).run().expect("it learns");
    let verified = learned.verify(&Budget::unlimited()).expect("no difference is found");
    assert_eq!(verified.done + verified.unfinished, verified.total);
    assert!(verified.unfinished > 0 && !verified.is_complete(), "{verified:?}");
}

#[test]
fn an_error_in_front_of_what_rejects_the_example_is_noted() {
    // quot/2 raises an error for "bc", which p1/1 rejects as well, but only behind it. "a" is a number there: its code.
    let bk = "p1(c0). quot(X,Y) :- Y is 12 // X.";
    let bias = "head_pred(f,2). body_pred(quot,2). body_pred(p1,1). direction(f,(in,out)). max_vars(3). max_body(2).";
    let task = Task::from_texts(bk, "pos(f(\"a\",c0)). neg(f(\"bc\",c1)).", bias).expect("a task");
    let learned = Learn::new(task).cost(Cost::ErrorSize).ensemble(Box::new(Single)).run().expect("it learns");
    let best = learned.best().expect("there is a rule without errors");
    let text = best.hypothesis.show(&learned.task.terms);
    let quot_first = text.find("quot") < text.find("p1");
    let notes = |notes: &[String]| notes.iter().filter(|note| note.contains("raises an error")).count();
    assert_eq!(notes(&learned.outcome.notes), usize::from(quot_first), "{text}");
    let model = learned.model.expect("there is an ensemble");
    assert_eq!(notes(&model.notes), usize::from(quot_first), "{text}");
    assert!(quot_first, "the head's second argument is bound by p1 alone: {text}");
}

#[test]
fn a_positive_that_only_a_computation_or_a_count_reaches_is_not_given_up() {
    // No comparison holds for the arguments themselves, so every rule for a positive begins with a literal that is none.
    let (outcome, text) = learned(
        "q(a).",
        "pos(f(6,5)). pos(f(5,6)). neg(f(6,3)). neg(f(3,6)).",
        "head_pred(f,2). type(f,(n,n)). max_vars(3). max_body(2). numerical_pred(geq,2). type(geq,(n,n)).
         bounds(geq,1,(10,20)). numerical_pred(add,3). type(add,(n,n,n)).",
        Cost::ErrorSize,
    );
    assert_eq!((outcome.value.0, outcome.optimal), (vec![0, 3], true), "{text}");
    for cost in Cost::ALL {
        let (outcome, text) = learned(
            "size(c0,2). size(c0,5).",
            "pos(f(c1)). pos(f(c2)). pos(f(c3)). pos(f(c4)). pos(f(c5)). neg(f(c0)).",
            "head_pred(f,1). body_pred(size,2). type(f,(thing,)). type(size,(thing,num)). direction(size,(in,out)).
             counting(size,2). max_vars(2). max_body(2).",
            cost,
        );
        assert!(outcome.optimal && text.contains("aggregate_all(count, size(V0,_), V1), V1 =<"), "{text}");
    }
}
