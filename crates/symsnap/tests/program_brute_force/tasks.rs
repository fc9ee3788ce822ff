//! Small random tasks with recursion, as text.

use symsnap::task::Random;

/// The library's generator, so that a failing seed stays a failing seed.
pub struct Draw(Random);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n as usize) as u64
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A random task as text: bk, exs, bias.
pub fn random_task(seed: u64) -> (String, String, String) {
    let mut random = Draw(Random::new(seed));
    let head_arity = 1 + random.below(2) as usize;
    let typed = random.chance(50);
    let directed = random.chance(40);
    let constants = 3 + random.below(3);
    let kinds = ["s", "t"];
    let mut bias = format!("head_pred(f,{head_arity}).\n");
    let mut bk = String::new();
    let preds = 1 + random.below(2) as usize;
    let kind_of = |c: u64| kinds[(c % 2) as usize];
    let mut bodies = Vec::new();
    for at in 0..preds {
        let arity = [1, 2, 2][random.below(3) as usize];
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
    let (vars, body) = (head_arity as u64 + 1 + random.below(2), 1 + random.below(3));
    let clauses = 2 + random.below(2);
    bias += &format!("max_vars({}).\nmax_body({}).\n", vars.min(3), body.min(2));
    bias += &format!("enable_recursion.\nmax_clauses({clauses}).\n");
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
