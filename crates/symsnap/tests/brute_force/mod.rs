//! What the tests against brute force share: small random tasks, and the best set of rules without recursion by dynamic
//! programming over sets of covered examples.

use symsnap::internals::coverage::SlowEvaluator;
use symsnap::internals::database::Database;
use symsnap::internals::random::Random;
use symsnap::internals::space::Space;
use symsnap::{Confusion, Cost, CostValue, Examples, Hypothesis, Rule, Task};

/// The library's generator, so that a failing seed stays a failing seed.
pub struct Draw(Random);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Draw(Random::new(seed))
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0.below(n as usize) as u64
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// The seeds to try: `SYMSNAP_BRUTE_FORCE_TASKS`, or `default`, from `SYMSNAP_BRUTE_FORCE_FROM` on.
pub fn seeds(default: u64) -> std::ops::Range<u64> {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let from = number("SYMSNAP_BRUTE_FORCE_FROM", 0);
    from..from + number("SYMSNAP_BRUTE_FORCE_TASKS", default)
}

/// Cost and confusion of a hypothesis by the slow evaluator.
pub fn score(slow: &mut SlowEvaluator<'_>, task: &Task, cost: Cost, hypothesis: &Hypothesis) -> (CostValue, Confusion) {
    let cover = slow.hypothesis(hypothesis);
    let confusion = task.examples.confusion(&cover);
    (cost.value(&confusion, hypothesis.size()), confusion)
}

/// How large the relations of a task are.
pub struct Scale {
    pub constants: u64,
    pub preds: usize,
    /// The arities that are drawn from.
    pub arities: &'static [usize],
}

/// A random task as text: bk, exs, bias. `scale` is drawn first, `limits`, statements of the bias that depend on the
/// head's arity, after the relations.
pub fn random_task(
    seed: u64,
    scale: impl Fn(&mut Draw) -> Scale,
    limits: impl Fn(&mut Draw, &Scale, u64) -> String,
) -> (String, String, String) {
    let mut random = Draw::new(seed);
    let head_arity = [0, 1, 1, 1, 1, 2, 2, 2, 2, 3][random.below(10) as usize];
    let typed = random.chance(50);
    let directed = random.chance(40);
    let scale = scale(&mut random);
    let constants = scale.constants;
    let kinds = ["s", "t"];
    let mut bias = format!("head_pred(f,{head_arity}).\n");
    let mut bk = String::new();
    let kind_of = |c: u64| kinds[(c % 2) as usize];
    let mut bodies = Vec::new();
    for at in 0..scale.preds {
        let arity = scale.arities[random.below(scale.arities.len() as u64) as usize];
        let name = format!("p{at}");
        let types: Vec<&str> = (0..arity).map(|_| kinds[random.below(2) as usize]).collect();
        bias += &format!("body_pred({name},{arity}).\n");
        if typed && arity > 0 {
            bias += &format!("type({name},({},)).\n", types.join(","));
        }
        if directed && arity > 0 {
            let ways: Vec<&str> = (0..arity).map(|_| if random.chance(50) { "in" } else { "out" }).collect();
            bias += &format!("direction({name},({},)).\n", ways.join(","));
        }
        let density = if arity == 1 { 45 } else { 25 };
        for tuple in 0..constants.pow(arity as u32) {
            let values: Vec<u64> = (0..arity).map(|k| tuple / constants.pow(k as u32) % constants).collect();
            let fits = !typed || values.iter().zip(&types).all(|(&value, kind)| kind_of(value) == *kind);
            if fits && random.chance(density + if typed { 25 } else { 0 }) {
                let values: Vec<String> = values.iter().map(|value| format!("c{value}")).collect();
                let args = if arity == 0 { String::new() } else { format!("({})", values.join(",")) };
                bk += &format!("{name}{args}.\n");
            }
        }
        bodies.push((name, arity));
    }
    let head_types: Vec<&str> = (0..head_arity).map(|_| kinds[random.below(2) as usize]).collect();
    if typed && head_arity > 0 {
        bias += &format!("type(f,({},)).\n", head_types.join(","));
    }
    if directed && head_arity > 0 {
        let ways: Vec<&str> =
            (0..head_arity).map(|at| if at == 0 || random.chance(60) { "in" } else { "out" }).collect();
        bias += &format!("direction(f,({},)).\n", ways.join(","));
    }
    bias += &limits(&mut random, &scale, head_arity as u64);
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
        let args = if values.is_empty() { String::new() } else { format!("({})", values.join(",")) };
        exs += &format!("{label}(f{args}{weight}).\n");
    }
    (bk, exs, bias)
}

/// The least cost over all sets of admitted rules of the space that do not call each other, and how many such rules it
/// has.
pub fn best_rules(task: &Task, cost: Cost, mut admits: impl FnMut(&Rule) -> bool) -> (CostValue, usize) {
    let mut columns = Columns::new(task);
    let mut rules = 0;
    each_rule(task, |rule, mask| {
        if admits(rule) {
            rules += 1;
            columns.add(rule.size(), mask);
        }
    });
    (columns.best(task, cost), rules)
}

/// All rules of a space that do not call each other, with a bit for each example that they cover, positives first.
pub fn each_rule(task: &Task, mut visit: impl FnMut(&Rule, usize)) {
    let space = Space::new(task);
    let database = Database::new(task);
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    let positives = task.examples.positives();
    for rule in space.enumerate(task.bias.max_body + 1).filter(|rule| !rule.is_recursive()) {
        let cover = slow.rule(&rule);
        let mask = cover.pos().iter().fold(0usize, |mask, at| mask | 1 << at);
        visit(&rule, cover.neg().iter().fold(mask, |mask, at| mask | 1 << (positives + at)));
    }
}

/// The size of the smallest rule for each set of covered examples.
pub struct Columns(Vec<Option<usize>>);

impl Columns {
    pub fn new(task: &Task) -> Self {
        Columns(vec![None; 1 << (task.examples.positives() + task.examples.negatives())])
    }

    pub fn add(&mut self, size: usize, mask: usize) {
        self.0[mask] = Some(self.0[mask].map_or(size, |known| known.min(size)));
    }

    /// The least cost over all sets of these rules.
    pub fn best(&self, task: &Task, cost: Cost) -> CostValue {
        best_set(&self.0, &task.examples, cost)
    }
}

fn best_set(smallest: &[Option<usize>], examples: &Examples, cost: Cost) -> CostValue {
    let (positives, count) = (examples.positives(), examples.positives() + examples.negatives());
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
    all.min().expect("the empty hypothesis is one")
}
