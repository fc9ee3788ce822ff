//! The learner against brute force on thousands of small random tasks: every rule of the space from the slow
//! enumerator, tested by the slow evaluator, and every set of covered examples by dynamic programming.

use symsnap::budget::Budget;
use symsnap::cost::{Confusion, Cost, CostValue};
use symsnap::coverage::SlowEvaluator;
use symsnap::database::Database;
use symsnap::learn::{Candidate, Learner, Settings, Symsnap};
use symsnap::space::Space;
use symsnap::task::{Random, Task};

/// The library's generator, so that a failing seed stays a failing seed.
struct Draw(Random);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n as usize) as u64
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A random task as text: bk, exs, bias.
fn random_task(seed: u64) -> (String, String, String) {
    let mut random = Draw(Random::new(seed));
    let head_arity = 1 + random.below(2) as usize;
    let typed = random.chance(50);
    let directed = random.chance(40);
    // Some tasks are deep instead of wide: few constants and predicates, more literals and variables.
    let deep = random.chance(6);
    let constants = if deep { 2 + random.below(2) } else { 3 + random.below(3) };
    let kinds = ["s", "t"];
    let mut bias = format!("head_pred(f,{head_arity}).\n");
    let mut bk = String::new();
    let preds = 2 + if deep { random.below(2) } else { random.below(3) } as usize;
    let kind_of = |c: u64| kinds[(c % 2) as usize];
    let mut bodies = Vec::new();
    for at in 0..preds {
        let arity = if deep { [1, 2, 2, 2] } else { [1, 2, 2, 3] }[random.below(4) as usize];
        let name = format!("p{at}");
        let types: Vec<&str> = (0..arity).map(|_| kinds[random.below(2) as usize]).collect();
        bias += &format!("body_pred({name},{arity}).\n");
        if typed {
            bias += &format!("type({name},({},)).\n", types.join(","));
        }
        if directed {
            let ways: Vec<&str> = (0..arity).map(|_| if random.chance(50) { "in" } else { "out" }).collect();
            bias += &format!("direction({name},({},)).\n", ways.join(","));
        }
        let density = if arity == 1 { 45 } else { 25 };
        for tuple in 0..constants.pow(arity as u32) {
            let values: Vec<u64> = (0..arity).map(|k| tuple / constants.pow(k as u32) % constants).collect();
            let fits = !typed || values.iter().zip(&types).all(|(&value, kind)| kind_of(value) == *kind);
            if fits && random.chance(density + if typed { 25 } else { 0 }) {
                let values: Vec<String> = values.iter().map(|value| format!("c{value}")).collect();
                bk += &format!("{name}({}).\n", values.join(","));
            }
        }
        bodies.push((name, arity));
    }
    let head_types: Vec<&str> = (0..head_arity).map(|_| kinds[random.below(2) as usize]).collect();
    if typed {
        bias += &format!("type(f,({},)).\n", head_types.join(","));
    }
    if directed {
        let ways: Vec<&str> =
            (0..head_arity).map(|at| if at == 0 || random.chance(60) { "in" } else { "out" }).collect();
        bias += &format!("direction(f,({},)).\n", ways.join(","));
    }
    let (locals, body) = if deep { (2 + random.below(2), 4) } else { (1 + random.below(2), 1 + random.below(3)) };
    bias += &format!("max_vars({}).\nmax_body({body}).\n", head_arity as u64 + locals);
    if random.chance(20) {
        bias += "non_datalog.\n";
    }
    let (first, second) = (&bodies[0], &bodies[1 % bodies.len()]);
    match random.below(8) {
        0 if typed => bias += ":- clause(C), #count{V : var_type(C,V,s)} != 1.\n",
        1 => bias += &format!(":- body_literal(C,{},_,_), body_literal(C,{},_,_).\n", first.0, second.0),
        2 => bias += &format!(":- not body_literal(_,{},_,_).\n", first.0),
        3 => bias += ":- not body_var(_,0).\n",
        4 if first.1 == 2 => bias += &format!(":- body_literal(_,{},_,(A,B)), A > B.\n", first.0),
        _ => {}
    }
    let mut exs = String::new();
    let weighted = random.chance(30);
    for _ in 0..6 + random.below(6) {
        let values: Vec<String> = (0..head_arity)
            .map(|at| {
                loop {
                    let value = random.below(constants);
                    if !typed || kind_of(value) == head_types[at] {
                        break format!("c{value}");
                    }
                }
            })
            .collect();
        let label = if random.chance(50) { "pos" } else { "neg" };
        let weight = if weighted { format!(",{}", 1 + random.below(9)) } else { String::new() };
        exs += &format!("{label}(f({}){weight}).\n", values.join(","));
    }
    (bk, exs, bias)
}

/// The least cost over all hypotheses of the space, and how many rules it has.
fn brute_force(task: &Task, cost: Cost) -> (CostValue, usize) {
    let space = Space::new(task);
    let database = Database::new(task);
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    let examples = &task.examples;
    let (positives, count) = (examples.positives(), examples.positives() + examples.negatives());
    let mut smallest: Vec<Option<usize>> = vec![None; 1 << count];
    let mut rules = 0;
    for rule in space.enumerate(task.bias.max_body + 1) {
        rules += 1;
        let size = rule.size();
        let cover = slow.rule(&rule);
        let mask = cover.pos.iter().fold(0usize, |mask, at| mask | 1 << at);
        let mask = cover.neg.iter().fold(mask, |mask, at| mask | 1 << (positives + at));
        smallest[mask] = Some(smallest[mask].map_or(size, |known| known.min(size)));
    }
    let mut best: Vec<Option<usize>> = vec![None; 1 << count];
    best[0] = Some(0);
    for (cover, size) in smallest.iter().enumerate().filter_map(|(cover, size)| size.map(|size| (cover, size))) {
        for mask in 0..1 << count {
            if let Some(so_far) = best[mask] {
                let union = mask | cover;
                best[union] = Some(best[union].map_or(so_far + size, |known| known.min(so_far + size)));
            }
        }
    }
    let weight = |mask: usize, from: usize, weights: &[u32]| -> u64 {
        weights.iter().enumerate().filter(|(at, _)| mask >> (from + at) & 1 == 1).map(|(_, &w)| u64::from(w)).sum()
    };
    let total = |weights: &[u32]| weights.iter().map(|&w| u64::from(w)).sum::<u64>();
    let value = |mask: usize, size: usize| {
        let tp = weight(mask, 0, examples.positive_weights());
        let fp = weight(mask, positives, examples.negative_weights());
        let confusion = Confusion {
            tp,
            fn_: total(examples.positive_weights()) - tp,
            tn: total(examples.negative_weights()) - fp,
            fp,
        };
        cost.value(&confusion, size)
    };
    let all = (0..1usize << count).filter_map(|mask| best[mask].map(|size| value(mask, size)));
    (all.min().expect("the empty hypothesis is one"), rules)
}

fn check(seed: u64) -> usize {
    let (bk, exs, bias) = random_task(seed);
    check_task(&bk, &exs, &bias, Cost::ALL[(seed % 3) as usize], seed)
}

/// Hold the learner against brute force; returns the number of rules of the space.
fn check_task(bk: &str, exs: &str, bias: &str, cost: Cost, seed: u64) -> usize {
    let text = || format!("seed {seed}\n--- bk\n{bk}--- exs\n{exs}--- bias\n{bias}");
    let task = Task::from_texts(bk, exs, bias).unwrap_or_else(|error| panic!("{error}\n{}", text()));
    let (expected, rules) = brute_force(&task, cost);
    let learner = Symsnap { settings: Settings { cost, seed, ..Settings::default() } };
    let mut candidates: Vec<Candidate> = Vec::new();
    let outcome = learner.learn(&task, &Budget::unlimited(), &mut candidates).expect("small weights fit");
    assert_eq!(outcome.value, expected, "the optimum under {}\n{}", cost.name(), text());
    assert!(outcome.optimal, "a proof\n{}", text());
    assert_eq!(outcome.lower, expected, "the bound meets the optimum\n{}", text());
    let space = Space::new(&task);
    let database = Database::new(&task);
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    let mut last: Option<CostValue> = None;
    for candidate in &candidates {
        let cover = slow.hypothesis(&candidate.hypothesis);
        let confusion = Confusion::new(&cover.pos, &cover.neg, &task.examples);
        let shown = candidate.hypothesis.show(&task.terms);
        assert_eq!(confusion, candidate.confusion, "the confusion of\n{shown}{}", text());
        assert_eq!(cost.value(&confusion, candidate.size), candidate.value, "the cost of\n{shown}{}", text());
        assert!(last.as_ref().is_none_or(|last| candidate.value <= *last), "candidates never get worse\n{}", text());
        for rule in &candidate.hypothesis.rules {
            assert!(space.contains(rule).is_ok(), "{} is not in the space\n{}", rule.show(&task.terms), text());
        }
        last = Some(candidate.value.clone());
    }
    rules
}

/// `SYMSNAP_BRUTE_FORCE_TASKS` tasks from `SYMSNAP_BRUTE_FORCE_FROM` on.
#[test]
fn the_learner_finds_and_proves_the_optimum_of_small_random_tasks() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (from, tasks) = (number("SYMSNAP_BRUTE_FORCE_FROM", 0), number("SYMSNAP_BRUTE_FORCE_TASKS", 3000));
    let rules: usize = (from..from + tasks).map(check).sum();
    assert!(rules as u64 > tasks * 5, "the tasks are worth the name: {rules} rules in {tasks} spaces");
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
        check_task(bk, exs, bias, cost, 1);
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
        check_task(bk, exs, bias, cost, 1);
    }
}
