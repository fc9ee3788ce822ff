//! The ties that the learner lists against brute force on thousands of small random tasks: where it says that these are
//! all, they are exactly the hypotheses of least cost, up to names of variables and order.

mod brute_force;

use brute_force::{Draw, Scale, best_rules, random_task, score, seeds};
use std::collections::{BTreeMap, BTreeSet};
use symsnap::internals::coverage::SlowEvaluator;
use symsnap::internals::database::Database;
use symsnap::internals::learn::{Pricing, Symsnap};
use symsnap::internals::logic::canonical_hypothesis;
use symsnap::internals::sets::Cover;
use symsnap::internals::space::Space;
use symsnap::{Budget, Candidate, Cost, CostValue, Hypothesis, Learner, Rule, Settings, Task, Ties};

fn scale(random: &mut Draw) -> Scale {
    Scale { constants: 3 + random.below(3), preds: 2 + random.below(3) as usize, arities: &[1, 2, 2, 3] }
}

fn limits(random: &mut Draw, _: &Scale, head_arity: u64) -> String {
    format!("max_vars({}).\nmax_body({}).\n", head_arity + 1 + random.below(2), 1 + random.below(3))
}

/// Rules that cover the same examples, the smallest of them.
struct Class {
    cover: Cover,
    size: usize,
    rules: Vec<Rule>,
}

fn classes(task: &Task) -> Vec<Class> {
    let (space, database) = (Space::new(task), Database::new(task));
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    let mut classes: BTreeMap<(Vec<usize>, Vec<usize>), Class> = BTreeMap::new();
    // Smaller rules come first.
    for rule in space.enumerate(task.bias.max_body + 1) {
        let cover = slow.rule(&rule);
        let key = (cover.pos().iter().collect(), cover.neg().iter().collect());
        let class =
            classes.entry(key).or_insert_with(|| Class { cover: cover.clone(), size: rule.size(), rules: Vec::new() });
        if class.size == rule.size() {
            class.rules.push(rule);
        }
    }
    classes.into_values().filter(|class| !class.cover.pos().is_empty()).collect()
}

/// Every set of classes that costs `best`, among the first sets up to the limit.
struct Sets<'t> {
    task: &'t Task,
    cost: Cost,
    best: &'t CostValue,
    classes: &'t [Class],
    /// What the classes from each on cover.
    rest: Vec<Cover>,
    chosen: Vec<usize>,
    found: Vec<Vec<usize>>,
    left: u32,
}

impl Sets<'_> {
    fn go(&mut self, from: usize, covered: &Cover, size: usize) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let value = |cover: &Cover| self.cost.value(&self.task.examples.confusion(cover), size);
        if value(covered) == *self.best {
            self.found.push(self.chosen.clone());
        }
        let mut most = covered.clone();
        most.union_with(&self.rest[from]);
        if value(&most) >= *self.best {
            return;
        }
        for at in from..self.classes.len() {
            let class = &self.classes[at];
            let mut wider = covered.clone();
            wider.union_with(&class.cover);
            self.chosen.push(at);
            self.go(at + 1, &wider, size + class.size);
            self.chosen.pop();
        }
    }
}

/// Every hypothesis that costs `best`; `None` if there are too many to try.
fn all_ties(task: &Task, cost: Cost, best: &CostValue) -> Option<BTreeSet<String>> {
    let classes = classes(task);
    let mut rest = vec![Cover::empty(task.examples.sides())];
    for class in classes.iter().rev() {
        let mut with = rest[rest.len() - 1].clone();
        with.union_with(&class.cover.clone().positives_only());
        rest.push(with);
    }
    rest.reverse();
    let (chosen, found) = (Vec::new(), Vec::new());
    let mut sets = Sets { task, cost, best, classes: &classes, rest, chosen, found, left: 300_000 };
    sets.go(0, &Cover::empty(task.examples.sides()), 0);
    let mut all = BTreeSet::new();
    for set in sets.found.iter().filter(|set| !set.is_empty()) {
        let mut partial: Vec<Vec<Rule>> = vec![Vec::new()];
        for &class in set {
            let with = |before: &Vec<Rule>, rule: &Rule| before.iter().chain([rule]).cloned().collect();
            partial = partial
                .iter()
                .flat_map(|before| classes[class].rules.iter().map(move |rule| with(before, rule)))
                .collect();
            if partial.len() > 5_000 {
                return None;
            }
        }
        all.extend(partial.into_iter().map(|rules| shown(&Hypothesis { rules }, task)));
    }
    (sets.left > 0).then_some(all)
}

fn shown(hypothesis: &Hypothesis, task: &Task) -> String {
    canonical_hypothesis(hypothesis).show(&task.terms)
}

/// The ties listed and what was said of them, held against brute force; `None` if the task is passed over.
fn check(seed: u64, (bk, exs, bias): &(String, String, String), settings: Settings) -> Option<Ties> {
    let task = Task::from_texts(bk, exs, bias).expect("it is a task");
    let (cost, cap) = (settings.cost, settings.optima);
    let mut candidates: Vec<Candidate> = Vec::new();
    let outcome =
        Symsnap { settings }.learn_task(&task, &Budget::unlimited(), &mut candidates).expect("small weights fit");
    let text = || format!("seed {seed}, {}\n--- bk\n{bk}--- exs\n{exs}--- bias\n{bias}", cost.name());
    assert!(outcome.optimal, "{}", text());
    assert_eq!(outcome.value, best_rules(&task, cost, |_| true).0, "{}", text());
    outcome.best.as_ref()?;
    let tied = candidates.iter().filter(|candidate| candidate.value == outcome.value);
    let listed: Vec<String> = tied.map(|candidate| shown(&candidate.hypothesis, &task)).collect();
    let distinct: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(distinct.len(), listed.len(), "no tie is listed twice\n{}", text());
    let database = Database::new(&task);
    let mut slow = SlowEvaluator::new(&database, &task.examples);
    for candidate in candidates.iter().filter(|candidate| candidate.value == outcome.value) {
        assert_eq!(score(&mut slow, &task, cost, &candidate.hypothesis).0, outcome.value, "{}", text());
    }
    let all = all_ties(&task, cost, &outcome.value)?;
    assert!(distinct.is_subset(&all), "every tie is one\n{:?}\n{}", distinct.difference(&all), text());
    match outcome.ties {
        Ties::Complete => {
            let missing: Vec<&String> = all.difference(&distinct).collect();
            assert!(missing.is_empty(), "{} of {} ties are missing: {missing:?}\n{}", missing.len(), all.len(), text());
        }
        Ties::Capped => {
            assert!(distinct.len() == cap && all.len() > cap, "{} of {}\n{}", listed.len(), all.len(), text())
        }
        Ties::Incomplete => {}
        Ties::NotSought => panic!("ties are sought\n{}", text()),
    }
    Some(outcome.ties)
}

fn settings(seed: u64) -> Settings {
    let pricing = if seed.is_multiple_of(2) { Pricing::Early } else { Pricing::Late };
    Settings { cost: Cost::ALL[(seed % 3) as usize], seed, pricing, ..Settings::default() }
}

fn share(said: &[Ties], what: Ties) -> usize {
    said.iter().filter(|ties| **ties == what).count() * 100 / said.len().max(1)
}

#[test]
fn ties_that_are_said_to_be_complete_are_all_there_are() {
    let said: Vec<Ties> = seeds(750)
        .filter_map(|seed| {
            let task = random_task(seed, scale, limits);
            check(seed, &task, Settings { until_limit: true, ..settings(seed) })
        })
        .collect();
    let complete = share(&said, Ties::Complete);
    println!("complete on {complete} % of {} tasks", said.len());
    assert!(complete > 80, "complete on {complete} % of {}", said.len());
}

#[test]
fn without_being_told_to_go_on_ties_are_complete_on_most_small_tasks_and_never_more_than_asked_for() {
    let said: Vec<Ties> = seeds(600)
        .filter_map(|seed| {
            let task = random_task(seed, scale, limits);
            check(seed, &task, Settings { optima: 2 + (seed % 30) as usize, ..settings(seed) })
        })
        .collect();
    let (complete, capped) = (share(&said, Ties::Complete), share(&said, Ties::Capped));
    println!("complete on {complete} %, capped on {capped} % of {} tasks", said.len());
    assert!(complete > 50, "complete on {complete} %, capped on {capped} % of {}", said.len());
}
