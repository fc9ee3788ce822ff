//! The learner against brute force on thousands of small random tasks: every rule of the space from the slow
//! enumerator, tested by the slow evaluator, and every set of covered examples by dynamic programming.

mod brute_force;

use brute_force::{Draw, Scale, best_rules, random_task, score, seeds};
use symsnap::internals::coverage::SlowEvaluator;
use symsnap::internals::database::Database;
use symsnap::internals::learn::{Pricing, Symsnap};
use symsnap::internals::space::Space;
use symsnap::{Budget, Candidate, Cost, CostValue, Learner, Settings, Task};

/// Some tasks are deep instead of wide: few constants and predicates, more literals and variables.
fn scale(random: &mut Draw) -> Scale {
    if random.chance(6) {
        Scale { constants: 2 + random.below(2), preds: 2 + random.below(2) as usize, arities: &DEEP }
    } else {
        Scale { constants: 3 + random.below(3), preds: 2 + random.below(3) as usize, arities: &WIDE }
    }
}

const DEEP: [usize; 4] = [1, 2, 2, 2];
const WIDE: [usize; 5] = [0, 1, 2, 2, 3];

fn limits(random: &mut Draw, scale: &Scale, head_arity: u64) -> String {
    let deep = scale.arities == DEEP;
    let (locals, body) = if deep { (2 + random.below(2), 4) } else { (1 + random.below(2), 1 + random.below(3)) };
    format!("max_vars({}).\nmax_body({body}).\n", head_arity + locals)
}

fn check(seed: u64) -> usize {
    let (bk, exs, bias) = random_task(seed, scale, limits);
    let pricing = if seed.is_multiple_of(2) { Pricing::Early } else { Pricing::Late };
    check_task(
        &bk,
        &exs,
        &bias,
        Settings { cost: Cost::ALL[(seed % 3) as usize], seed, pricing, ..Settings::default() },
    )
    .0
}

/// Hold the learner against brute force; returns the number of rules of the space and the best cost.
fn check_task(bk: &str, exs: &str, bias: &str, settings: Settings) -> (usize, CostValue) {
    let (cost, seed) = (settings.cost, settings.seed);
    let text = || format!("seed {seed}\n--- bk\n{bk}--- exs\n{exs}--- bias\n{bias}");
    let task = Task::from_texts(bk, exs, bias).unwrap_or_else(|error| panic!("{error}\n{}", text()));
    let (expected, rules) = best_rules(&task, cost, |_| true);
    let learner = Symsnap { settings };
    let mut candidates: Vec<Candidate> = Vec::new();
    let outcome = learner.learn_task(&task, &Budget::unlimited(), &mut candidates).expect("small weights fit");
    assert_eq!(outcome.value, expected, "the optimum under {}\n{}", cost.name(), text());
    assert!(outcome.optimal, "a proof\n{}", text());
    assert_eq!(outcome.lower, expected, "the bound meets the optimum\n{}", text());
    let space = Space::new(&task);
    let database = Database::new(&task);
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    let mut last: Option<CostValue> = None;
    for candidate in &candidates {
        let (value, confusion) = score(&mut slow, &task, cost, &candidate.hypothesis);
        let shown = candidate.hypothesis.show(&task.terms);
        assert_eq!(confusion, candidate.confusion, "the confusion of\n{shown}{}", text());
        assert_eq!(
            (value, candidate.hypothesis.size()),
            (candidate.value.clone(), candidate.size),
            "the cost of\n{shown}{}",
            text()
        );
        assert!(last.as_ref().is_none_or(|last| candidate.value <= *last), "candidates never get worse\n{}", text());
        for rule in &candidate.hypothesis.rules {
            assert!(space.contains(rule).is_ok(), "{} is not in the space\n{}", rule.show(&task.terms), text());
        }
        last = Some(candidate.value.clone());
    }
    (rules, expected)
}

/// A task of many properties of a few things, most of which are positive: many small rules must go together.
fn many_rules(seed: u64) -> (String, String, String) {
    let mut random = Draw::new(seed);
    let (things, properties) = (11 + random.below(4), 5 + random.below(5));
    let (mut bk, mut exs) = (String::new(), String::new());
    let mut bias = String::from("head_pred(f,1).\nmax_vars(3).\n");
    bias += &format!("max_body({}).\n", 2 + random.below(3));
    for property in 0..properties {
        bias += &format!("body_pred(p{property},1).\n");
        let density = 15 + random.below(30);
        (0..things).filter(|_| random.chance(density)).for_each(|thing| bk += &format!("p{property}(c{thing}).\n"));
    }
    if random.chance(30) {
        bias += "body_pred(to,2).\n";
        (0..things).for_each(|thing| bk += &format!("to(c{thing},c{}).\n", (thing * 5 + 3) % things));
    }
    for thing in 0..things {
        let label = if random.chance(75) { "pos" } else { "neg" };
        exs += &format!("{label}(f(c{thing})).\n");
    }
    (bk + "p0(none).\n", exs, bias)
}

/// Tasks too large for brute force, on which two ways to mine parts must agree.
fn larger(random: &mut Draw) -> Scale {
    Scale { constants: 4 + random.below(4), preds: 2 + random.below(3) as usize, arities: &LARGER }
}

const LARGER: [usize; 5] = [1, 2, 2, 2, 3];

fn larger_limits(random: &mut Draw, _: &Scale, head_arity: u64) -> String {
    format!("max_vars({}).\nmax_body({}).\n", head_arity + 2 + random.below(3), 3 + random.below(3))
}

/// Mine the task of `seed` both ways; whether both end with a proof. Then they must find the same cost.
fn ways_agree(seed: u64) -> bool {
    let (bk, exs, bias) = random_task(seed, larger, larger_limits);
    let task = Task::from_texts(&bk, &exs, &bias).expect("it is a task");
    let cost = Cost::ALL[(seed % 3) as usize];
    let ways = [(false, Pricing::Early), (true, Pricing::Never)];
    let [branches, tables] = ways.map(|(tables, pricing)| {
        let settings = Settings { cost, optima: 1, keep: 0, tables, pricing, ..Settings::default() };
        let budget = Budget::unlimited().with_ticks(TICKS);
        let outcome = Symsnap { settings }.learn_task(&task, &budget, &mut Vec::new()).expect("small weights fit");
        (outcome.optimal, outcome.value)
    });
    let text = || format!("seed {seed}, {}\n--- bk\n{bk}--- exs\n{exs}--- bias\n{bias}", cost.name());
    let proved = branches.0 && tables.0;
    assert!(
        !proved || branches.1 == tables.1,
        "{:?} from branches, {:?} from tables\n{}",
        branches.1,
        tables.1,
        text()
    );
    proved
}

/// A task that takes more tests than this is passed over.
const TICKS: u64 = 200_000;

#[test]
fn branches_with_prices_and_tables_without_find_the_same() {
    let seeds = seeds(600);
    let tasks = seeds.end - seeds.start;
    let both = seeds.filter(|&seed| ways_agree(seed)).count() as u64;
    assert!(both * 3 > tasks * 2, "{both} of {tasks} were mined both ways to the end");
}

#[test]
fn two_literals_over_the_same_variables_may_need_all_but_one_of_the_body() {
    let bk = "to(a,b). to(b,c). to(c,d). back(c,b). back(d,a).\n";
    let exs = "pos(f(a)). neg(f(b)). neg(f(c)). neg(f(d)).\n";
    let bias = "head_pred(f,1). body_pred(to,2). body_pred(back,2). max_vars(3). max_body(3).\n";
    for cost in Cost::ALL {
        check_task(bk, exs, bias, Settings { cost, ..Settings::default() });
    }
}

#[test]
fn a_literal_may_want_inputs_that_only_others_bind() {
    let bk = "p(a,b,c). p(a,d,c). p(d,d,d). p(a,d,a). q(a). q(c).\n";
    let exs = "pos(f(b)). pos(f(d)). neg(f(a)). neg(f(c)).\n";
    let bias = "head_pred(f,1). direction(f,(in,)). body_pred(p,3). direction(p,(in,in,in)). body_pred(q,1).
        direction(q,(out,)). max_vars(3). max_body(3).\n";
    for cost in Cost::ALL {
        check_task(bk, exs, bias, Settings { cost, ..Settings::default() });
    }
}

#[test]
fn the_learner_finds_and_proves_the_optimum_of_small_random_tasks() {
    let seeds = seeds(1500);
    let tasks = seeds.end - seeds.start;
    let rules: usize = seeds.map(check).sum();
    assert!(rules as u64 > tasks * 5, "the tasks are worth the name: {rules} rules in {tasks} spaces");
}

/// A task of predicates that lead from things to values, and on every other seed of one that compares two of these, without
/// which nothing can link what hangs on the head apart.
fn columns(seed: u64) -> (String, String, String) {
    let mut random = Draw::new(seed);
    let (mut bk, mut exs) = (String::new(), String::new());
    let mut bias = String::from("head_pred(f,1).\ndirection(f,(in,)).\ntype(f,(s,)).\nmax_body(3).\n");
    bias += &format!("max_vars({}).\n", 3 + random.below(2));
    let values = ["t", "u"];
    let mut preds: Vec<(Vec<&str>, &str)> = vec![(vec!["s", values[random.below(2) as usize]], "in,out"); 2];
    preds[1].0[1] = values[random.below(2) as usize];
    if seed.is_multiple_of(2) {
        preds.push((vec![preds[0].0[1], preds[1].0[1]], "in,in"));
    }
    if random.chance(50) {
        preds.push((vec![["s", "t", "u"][random.below(3) as usize]], "in,"));
    }
    for (at, (types, ways)) in preds.iter().enumerate() {
        let arity = types.len();
        bias += &format!("body_pred(p{at},{arity}).\ntype(p{at},({},)).\n", types.join(","));
        bias += &format!("direction(p{at},({ways})).\n");
        for _ in 0..3 + random.below(6) {
            let things: Vec<String> = types.iter().map(|kind| format!("{kind}{}", random.below(4))).collect();
            bk += &format!("p{at}({}).\n", things.join(","));
        }
    }
    for thing in 0..4 {
        let label = if random.chance(50) { "pos" } else { "neg" };
        exs += &format!("{label}(f(s{thing}),{}).\n", 1 + random.below(9));
    }
    (bk, exs, bias)
}

#[test]
fn the_optimum_is_found_where_values_lead_nowhere() {
    let seeds = seeds(800);
    let tasks = seeds.end - seeds.start;
    let rules: usize = seeds
        .map(|seed| {
            let (bk, exs, bias) = columns(seed);
            let cost = Cost::ALL[(seed % 3) as usize];
            check_task(&bk, &exs, &bias, Settings { cost, seed, tables: true, ..Settings::default() }).0
        })
        .sum();
    assert!(rules as u64 > tasks * 5, "the tasks are worth the name: {rules} rules in {tasks} spaces");
}

#[test]
fn the_optimum_is_found_where_many_rules_go_together() {
    let sizes = seeds(750).map(|seed| {
        let (bk, exs, bias) = many_rules(seed);
        let cost = [Cost::LexFnSize, Cost::ErrorSize][(seed % 2) as usize];
        check_task(&bk, &exs, &bias, Settings { cost, seed, pricing: Pricing::Early, ..Settings::default() })
            .1
            .0
            .last()
            .copied()
            .unwrap_or(0)
    });
    let (tasks, size) = sizes.fold((0, 0), |(tasks, sum), size| (tasks + 1, sum + size));
    assert!(size > 5 * tasks, "{tasks} hypotheses have {size} literals");
}

#[test]
fn a_positive_may_be_reached_only_by_a_rule_that_begins_far_from_the_head() {
    let bk = "p0(c0,c0). p0(c1,c1). p0(c1,c2). p1(c0,c0). p1(c1,c0).\n";
    let exs = "neg(f(c1,c1),7). neg(f(c0,c0),8). neg(f(c2,c0),3). neg(f(c2,c1),6). neg(f(c1,c0),1).\n\
               pos(f(c0,c0),6). pos(f(c2,c0),2). pos(f(c2,c2),6).\n";
    let bias = "head_pred(f,2). direction(f,(in,out,)).\n\
                body_pred(p0,2). direction(p0,(in,out,)). body_pred(p1,2). direction(p1,(out,out,)).\n\
                max_vars(4). max_body(3).\n";
    for cost in Cost::ALL {
        check_task(bk, exs, bias, Settings { cost, ..Settings::default() });
    }
}

#[test]
fn a_literal_far_from_the_head_is_no_rule_that_a_refinement_must_beat() {
    let bk = "p0(c2). p2(c2,c2,c0). p2(c0,c2,c2). p2(c2,c2,c3). p2(c0,c2,c4). p2(c1,c3,c0).\n";
    let exs = "pos(f(c4,c2)). pos(f(c3,c3)). pos(f(c2,c2)). pos(f(c4,c1)). pos(f(c3,c4)). pos(f(c0,c3)).\n\
               neg(f(c1,c2)).\n";
    let bias = "head_pred(f,2). direction(f,(in,out,)). body_pred(p0,1). direction(p0,(out,)).\n\
                body_pred(p2,3). direction(p2,(out,in,in,)). max_vars(4). max_body(2). non_datalog.\n";
    for cost in Cost::ALL {
        check_task(bk, exs, bias, Settings { cost, ..Settings::default() });
    }
}
