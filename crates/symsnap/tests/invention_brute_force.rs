//! The learner with invented predicates against brute force on small random tasks: every program of up to `max_clauses`
//! rules that defines and calls `inv1` and, where an optimum is claimed, `inv1` and `inv2`, tested by the slow evaluator.

mod brute_force;
#[path = "brute_force/turns.rs"]
mod turns;

use brute_force::{Draw, Scale, best_rules, random_task, score, seeds};
use std::collections::BTreeSet;
use symsnap::internals::coverage::SlowEvaluator;
use symsnap::internals::database::Database;
use symsnap::internals::learn::Symsnap;
use symsnap::internals::logic::canonical_rule;
use symsnap::internals::random::Random;
use symsnap::internals::sets::Cover;
use symsnap::internals::space::Space;
use symsnap::internals::task::Constraints;
use symsnap::{
    Bias, Candidate, Confusion, Cost, CostValue, Examples, Hypothesis, Learner, Literal, Pred, Rule, Settings, Task,
    TermId,
};
use turns::budget;

/// Tasks for which more than this number of programs would have to be run are passed over.
const MOST_RUNS: usize = 3_000;

/// Tasks have fewer constants than this, so the last one stands for all that the background does not know.
const CONSTANTS: u64 = 6;

fn scale(random: &mut Draw) -> Scale {
    Scale { constants: 3 + random.below(3), preds: 1 + random.below(2) as usize, arities: &[1, 2, 2] }
}

fn limits(random: &mut Draw, _: &Scale, head_arity: u64) -> String {
    let (vars, body) = (if random.chance(70) { 3 } else { 2 }, if random.chance(70) { 2 } else { 1 });
    let vars = head_arity.max(vars);
    format!("max_vars({vars}).\nmax_body({body}).\nenable_pi.\nmax_clauses({}).\n", 2 + random.below(2))
}

/// A random task as text. Most have no declarations but limits, because with others no optimum is claimed. In half of
/// them there is something to be found. And examples that count once are hardly worth an invented predicate under `mdl`.
fn inventing_task(seed: u64) -> Option<(String, String, String)> {
    let (bk, mut exs, mut bias) = random_task(seed, scale, limits);
    if !seed.is_multiple_of(4) {
        let is_plain = |line: &&str| ["type(", "direction(", ":-"].iter().all(|kind| !line.starts_with(kind));
        bias = bias.lines().filter(is_plain).map(|line| line.to_owned() + "\n").collect();
    }
    if seed.is_multiple_of(3) {
        exs = exs.replace(")).", "),3).");
    }
    if !seed.is_multiple_of(2) {
        exs = planted(seed, &Task::from_texts(&bk, &exs, &bias).expect("it is a task"))?;
    }
    Some((bk, exs, bias))
}

/// The examples, labelled by a random program with an invented predicate instead of at random: where nothing is right,
/// there is no small hypothesis to prove. `None` if no such program tells examples apart.
fn planted(seed: u64, task: &Task) -> Option<String> {
    let (bias, examples) = (&task.bias, &task.examples);
    let mut random = Random::new(seed);
    let pred = Pred::new(task.terms.symbols().get(Bias::INVENTED)?, 1 + random.below(2) as u32);
    let definitions = all_rules(bias, pred, &[]);
    let callers: Vec<Rule> = all_rules(bias, bias.head, &[pred]).into_iter().filter(|rule| calls(rule, pred)).collect();
    if definitions.is_empty() || callers.is_empty() {
        return None;
    }
    let database = Database::new(task);
    let mut slow = SlowEvaluator::new(&database, examples);
    let covers = (0..20).map(|_| {
        let rules = [&callers, &definitions].map(|rules| rules[random.below(rules.len())].clone());
        slow.hypothesis(&Hypothesis { rules: rules.to_vec() })
    });
    let cover = covers.into_iter().find(|cover| !cover.is_empty() && *cover != Cover::full(examples.sides()))?;
    let show = |is_covered: bool, args: &[TermId], weight: u32| {
        let args: Vec<String> = args.iter().map(|&id| task.terms.show(id)).collect();
        format!("{}(f({}),{weight}).\n", if is_covered { "pos" } else { "neg" }, args.join(","))
    };
    let positives = (0..examples.positives())
        .map(|at| show(cover.pos().contains(at), examples.positive(at), examples.positive_weights()[at]));
    let negatives = (0..examples.negatives())
        .map(|at| show(cover.neg().contains(at), examples.negative(at), examples.negative_weights()[at]));
    Some(positives.chain(negatives).collect())
}

/// All tuples of `length` items.
fn tuples<T: Copy>(items: &[T], length: u32) -> Vec<Vec<T>> {
    (0..length).fold(vec![Vec::new()], |tuples, _| {
        let longer = |tuple: &Vec<T>| items.iter().map(|&item| [&tuple[..], &[item]].concat()).collect::<Vec<_>>();
        tuples.iter().flat_map(longer).collect()
    })
}

/// All sets of one to `most` of the numbers below `count`.
fn sets(count: usize, most: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..most {
        let longer = |set: &Vec<usize>| {
            let first = set.last().map_or(0, |last| last + 1);
            (first..count).map(|at| [&set[..], &[at]].concat()).collect::<Vec<_>>()
        };
        let longer: Vec<Vec<usize>> = all[from..].iter().flat_map(longer).collect();
        from = all.len();
        all.extend(longer);
    }
    all.split_off(1)
}

/// All rules for `head` that call the background and `invented`, as far as they can be judged one by one, smaller ones
/// first.
fn all_rules(bias: &Bias, head: Pred, invented: &[Pred]) -> Vec<Rule> {
    let body: Vec<Pred> = bias.body.iter().chain(invented).copied().collect();
    let vars: Vec<u8> = (0..bias.max_vars as u8).collect();
    let over = |&pred: &Pred| tuples(&vars, pred.arity).into_iter().map(move |vars| Literal::over(pred, &vars));
    let is_simple = |literal: &Literal| literal.vars().collect::<BTreeSet<_>>().len() == literal.args.len();
    let literals: Vec<Literal> = body.iter().flat_map(over).filter(is_simple).collect();
    // Constraints see programs as a whole.
    let mut bias = bias.clone();
    (bias.head, bias.body, bias.constraints) = (head, body, Constraints::default());
    let single = Space::of(&bias);
    let mut rules = BTreeSet::new();
    for set in sets(literals.len(), bias.max_body) {
        let body = set.iter().map(|&at| literals[at].clone()).collect();
        let rule = Rule { head: Literal::over(head, &vars[..head.arity as usize]), body };
        if single.contains(&rule).is_ok() {
            rules.insert(canonical_rule(&rule));
        }
    }
    let mut rules: Vec<Rule> = rules.into_iter().collect();
    rules.sort_by_key(Rule::size);
    rules
}

fn calls(rule: &Rule, pred: Pred) -> bool {
    rule.body.iter().any(|literal| literal.pred == pred)
}

/// A task and the best hypothesis that brute force has met.
struct BruteForce<'t> {
    task: &'t Task,
    cost: Cost,
    space: Space,
    database: &'t Database,
    slow: SlowEvaluator<'t>,
    constants: Vec<TermId>,
    value: CostValue,
    best: Option<Hypothesis>,
}

impl BruteForce<'_> {
    /// Whether a program of this size could be better than the best.
    fn may_improve(&self, size: usize) -> bool {
        self.cost.value(&Confusion::default(), size) < self.value
    }

    fn take<'r>(&mut self, rules: impl Iterator<Item = &'r Rule>, cover: &Cover) {
        let hypothesis = Hypothesis { rules: rules.cloned().collect() };
        let confusion = self.task.examples.confusion(cover);
        let value = self.cost.value(&confusion, hypothesis.size());
        if value < self.value && self.space.contains_hypothesis(&hypothesis).is_ok() {
            self.value = value;
            self.best = Some(hypothesis);
        }
    }

    /// What may define an invented predicate: sets of rules. Of sets that say the same of all constants the smallest
    /// stands for all, unless constraints tell them apart.
    fn definitions<'r>(&self, pred: Pred, rules: &'r [Rule]) -> Vec<Vec<&'r Rule>> {
        let mut asked = Examples::new(pred);
        tuples(&self.constants, pred.arity).iter().for_each(|tuple| asked.push(true, tuple, 1));
        let mut slow = SlowEvaluator::new(self.database, &asked);
        let says: Vec<Vec<usize>> = rules.iter().map(|rule| slow.rule(rule).pos().iter().collect()).collect();
        let mut known = BTreeSet::new();
        let mut sets = sets(rules.len(), self.task.bias.max_clauses - 1);
        sets.sort_by_key(|set| (set.len(), set.iter().map(|&at| rules[at].size()).sum::<usize>()));
        sets.retain(|set| {
            let all: BTreeSet<usize> = set.iter().flat_map(|&at| says[at].iter().copied()).collect();
            known.insert(all) || !self.task.bias.constraints.is_empty()
        });
        sets.into_iter().map(|set| set.into_iter().map(|at| &rules[at]).collect()).collect()
    }

    /// Try all programs with one invented predicate; `None` if there are too many.
    fn invent(&mut self, pred: Pred) -> Option<usize> {
        let bias = &self.task.bias;
        let rules = all_rules(bias, pred, &[]);
        let definitions = self.definitions(pred, &rules);
        let heads = all_rules(bias, bias.head, &[pred]);
        if definitions.len() * heads.len() > MOST_RUNS {
            return None;
        }
        let choices: Vec<Vec<Vec<usize>>> = (0..bias.max_clauses).map(|most| sets(heads.len(), most)).collect();
        for definition in &definitions {
            let size: usize = definition.iter().map(|rule| rule.size()).sum();
            if !self.may_improve(size + 2) {
                continue;
            }
            // Rules of the head do not call each other, so a set of them covers what each of them does.
            let mut covers = Vec::new();
            for rule in &heads {
                let rules = definition.iter().chain([&rule]).copied().cloned().collect();
                covers.push(self.slow.hypothesis(&Hypothesis { rules }));
            }
            for chosen in &choices[bias.max_clauses - definition.len()] {
                let more: usize = chosen.iter().map(|&at| heads[at].size()).sum();
                if self.may_improve(size + more) && chosen.iter().any(|&at| calls(&heads[at], pred)) {
                    let mut cover = Cover::empty(self.task.examples.sides());
                    chosen.iter().for_each(|&at| cover.union_with(&covers[at]));
                    self.take(chosen.iter().map(|&at| &heads[at]).chain(definition.iter().copied()), &cover);
                }
            }
        }
        Some(definitions.len() * heads.len())
    }

    /// Try all programs of three rules, one of which defines `one` and one `two`.
    fn invent_two(&mut self, one: Pred, two: Pred) {
        let bias = &self.task.bias;
        let heads = all_rules(bias, bias.head, &[one, two]);
        let (ones, twos) = (all_rules(bias, one, &[two]), all_rules(bias, two, &[]));
        for head in heads.iter().filter(|head| calls(head, one)) {
            for first in ones.iter().filter(|first| calls(first, two) || calls(head, two)) {
                for second in &twos {
                    let rules = [head, first, second];
                    if !self.may_improve(rules.iter().map(|rule| rule.size()).sum()) {
                        break;
                    }
                    let hypothesis = Hypothesis { rules: rules.map(Clone::clone).to_vec() };
                    let cover = self.slow.hypothesis(&hypothesis);
                    self.take(rules.into_iter(), &cover);
                }
            }
        }
    }
}

/// What a task has shown.
struct Shown {
    optimal: bool,
    /// Whether an invented predicate is in the best program.
    invents: bool,
    /// Whether that was found.
    found: bool,
    plain: bool,
}

fn check(seed: u64) -> Option<Shown> {
    let (bk, exs, bias) = inventing_task(seed)?;
    check_task(&bk, &exs, &bias, Cost::ALL[(seed % 3) as usize], seed)
}

/// Hold the learner against brute force; `None` if there are too many programs.
fn check_task(bk: &str, exs: &str, bias: &str, cost: Cost, seed: u64) -> Option<Shown> {
    let text = || format!("seed {seed}\n--- bk\n{bk}--- exs\n{exs}--- bias\n{bias}");
    let mut task = Task::from_texts(bk, exs, bias).unwrap_or_else(|error| panic!("{error}\n{}", text()));
    let constants = (0..CONSTANTS).map(|at| task.terms.atom_named(&format!("c{at}"))).collect();
    let names = ["inv1", "inv2"].map(|name| task.terms.intern(name));
    let task = task;
    let database = Database::new(&task);
    let mut brute = BruteForce {
        task: &task,
        cost,
        space: Space::new(&task),
        database: &database,
        slow: SlowEvaluator::new(&database, &task.examples),
        constants,
        value: best_rules(&task, cost, |_| true).0,
        best: None,
    };
    let arities = 1..=task.bias.max_vars as u32;
    let undeclared = task.bias.types.is_empty() && task.bias.directions.is_empty() && task.bias.constraints.is_empty();
    let plain = undeclared && !task.bias.non_datalog;
    // What the learner looks at whatever it claims: wider predicates are invented only where that gives a proof.
    let mut reached = brute.value.clone();
    for arity in arities.clone() {
        brute.invent(Pred::new(names[0], arity))?;
        if arity <= 2 || plain {
            reached = brute.value.clone();
        }
    }
    let learner = Symsnap { settings: Settings { cost, seed, ..Settings::default() } };
    let mut candidates: Vec<Candidate> = Vec::new();
    let outcome = learner.learn_task(&task, &budget(seed), &mut candidates).expect("small weights fit");
    let (value, name) = (&outcome.value, cost.name());
    assert!(*value >= brute.value, "{value} is better than the optimum {} under {name}\n{}", brute.value, text());
    if task.bias.max_clauses == 2 {
        // One rule calls and one is called, and all such programs are tried.
        let best = brute.best.as_ref().map_or_else(String::new, |best| best.show(&task.terms));
        assert!(*value <= reached, "{value} is worse than {reached} under {name}\n{best}{}", text());
    }
    let (invents, found) = (brute.best.is_some(), *value == brute.value);
    if outcome.optimal && task.bias.max_clauses > 2 {
        for (one, two) in arities.clone().flat_map(|one| arities.clone().map(move |two| (one, two))) {
            brute.invent_two(Pred::new(names[0], one), Pred::new(names[1], two));
        }
    }
    let best = brute.best.as_ref().map_or_else(String::new, |best| best.show(&task.terms));
    assert!(outcome.lower <= brute.value, "{} is no bound under {name}\n{best}{}", outcome.lower, text());
    if outcome.optimal {
        assert_eq!(*value, brute.value, "the optimum under {name}\n{best}{}", text());
        assert_eq!(outcome.lower, brute.value, "the bound meets the optimum\n{}", text());
    }
    let mut last: Option<CostValue> = None;
    for candidate in &candidates {
        let shown = candidate.hypothesis.show(&task.terms);
        let (value, confusion) = score(&mut brute.slow, &task, cost, &candidate.hypothesis);
        assert_eq!((&value, &confusion), (&candidate.value, &candidate.confusion), "the cost of\n{shown}{}", text());
        assert!(last.as_ref().is_none_or(|last| candidate.value <= *last), "candidates never get worse\n{}", text());
        let member = brute.space.contains_hypothesis(&candidate.hypothesis);
        assert!(member.is_ok(), "{member:?}\n{shown}{}", text());
        last = Some(candidate.value.clone());
    }
    Some(Shown { optimal: outcome.optimal, invents, found, plain })
}

#[test]
fn the_learner_claims_no_optimum_that_an_invented_predicate_outdoes() {
    let seeds = seeds(900);
    let tasks = seeds.end - seeds.start;
    let shown: Vec<Shown> = seeds.filter_map(check).collect();
    let count = |is: &dyn Fn(&Shown) -> bool| shown.iter().filter(|shown| is(shown)).count();
    let (plain, optimal) = (count(&|shown| shown.plain), count(&|shown| shown.optimal));
    assert!(plain as u64 > tasks / 4, "many spaces are small and plain: {plain} of {tasks}");
    assert!(optimal * 3 > plain, "many optima are proved: {optimal} of {plain}");
    let (invents, found) = (count(&|shown| shown.invents), count(&|shown| shown.invents && shown.found));
    assert!(invents as u64 > tasks / 40, "invented predicates are of use: {invents} in {tasks}");
    assert!(found * 4 > invents * 3, "nearly all that are of use are found: {found} of {invents}");
}

#[test]
fn a_definition_that_positives_do_not_tell_from_a_smaller_one_is_tried() {
    let bk = "p(c0,c1). p(c2,c3). p(c4,c2). q(c1). q(c3). r(c1). r(c2).\n";
    let exs = "pos(f(c0),9). neg(f(c2),9). neg(f(c4),9).\n";
    let bias = "head_pred(f,1). body_pred(p,2). body_pred(q,1). body_pred(r,1).\n\
                max_vars(2). max_body(2). enable_pi. max_clauses(2).\n";
    for cost in Cost::ALL {
        let shown = check_task(bk, exs, bias, cost, 1).expect("there are few programs");
        assert!(shown.invents && shown.found && shown.optimal, "the optimum under {}", cost.name());
    }
}

#[test]
fn two_rules_that_call_an_invented_predicate_may_be_best_where_head_variables_may_be_missing() {
    let bk = "p0(c0,c1).\n";
    let exs = "pos(f(c1,c2)). pos(f(c1,c3)). pos(f(c1,c4)). pos(f(c1,c5)). pos(f(c2,c1)). pos(f(c3,c1)). pos(f(c4,c1)).\n\
               neg(f(c2,c3),9).\n";
    let bias = "head_pred(f,2). body_pred(p0,2). non_datalog.\n\
                max_vars(2). max_body(1). enable_pi. max_clauses(3).\n";
    let shown = check_task(bk, exs, bias, Cost::Mdl, 1).expect("there are few programs");
    assert!(shown.invents && !shown.optimal);
}
