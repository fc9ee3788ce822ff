//! What holds of every learner in `LEARNERS`: limits, ticks, repetition on any number of threads, figures that the slow evaluator
//! confirms, rules of the space, also of those that are handed over for ensembles, and no proof that is none.
#![allow(clippy::unwrap_used)]

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;
use symsnap::internals::coverage::SlowEvaluator;
use symsnap::internals::database::Database;
use symsnap::internals::space::Space;
use symsnap::{Budget, Cancel, Cost, Event, LEARNERS, Learn, Learned, METHODS, NamedLearner, StopReason, Task};

/// Tasks without recursion, which not every learner has, one where nothing is better than no rules, and one without negatives.
fn tasks() -> Vec<(String, Task)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut tasks: Vec<(String, Task)> = ["family", "trains", "stones"]
        .iter()
        .map(|name| ((*name).to_owned(), Task::from_dir(root.join(name)).unwrap()))
        .collect();
    let bias = "head_pred(f,1). body_pred(p,1).";
    let nothing = Task::from_texts("p(a). p(b). p(c).", "pos(f(a)). neg(f(b)). neg(f(c)).", bias).unwrap();
    tasks.push(("nothing".to_owned(), nothing));
    let bias = "head_pred(f,1). body_pred(p,1). body_pred(q,2).";
    let exs = "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d)). pos(f(e)). pos(f(g)).";
    let positives = Task::from_texts("p(a). p(b). p(c). q(d,a). q(e,b). q(g,c). q(a,b).", exs, bias).unwrap();
    tasks.push(("positives".to_owned(), positives));
    tasks
}

fn learn(learner: &'static NamedLearner, task: &Task, cost: Cost) -> Learn {
    Learn::new(task.clone()).learner(learner).cost(cost).threads(1)
}

/// The snapshots as text, with their costs and ticks.
fn snapshots(learned: &Learned) -> Vec<String> {
    let members = learned.pool.members().iter().map(|member| &member.candidate);
    members.map(|it| format!("{} {} {}", it.ticks, it.value, it.hypothesis.show(&learned.task.terms))).collect()
}

fn every(mut check: impl FnMut(&'static NamedLearner, &str, &Task)) {
    let tasks = tasks();
    for learner in LEARNERS {
        tasks.iter().for_each(|(name, task)| check(learner, name, task));
    }
}

#[test]
fn snapshots_get_no_worse_are_of_the_space_and_have_the_figures_of_the_slow_evaluator() {
    let mut found = 0;
    every(|learner, name, task| {
        for cost in Cost::ALL {
            let at = format!("{} on {name} under {}", learner.name, cost.name());
            let learned = learn(learner, task, cost).ticks(3000).run().unwrap();
            let values: Vec<_> = learned.pool.members().iter().map(|member| member.candidate.value.clone()).collect();
            assert!(values.is_sorted_by(|a, b| a >= b), "{at}");
            let space = Space::new(&learned.task);
            for member in learned.pool.members() {
                for rule in &member.candidate.hypothesis.rules {
                    assert!(space.contains(rule).is_ok(), "{at}: {}", rule.show(&learned.task.terms));
                }
            }
            assert_eq!(learned.best().map(|best| &best.value), values.last(), "{at}");
            assert!(learned.verify(&Budget::unlimited()).unwrap().is_complete(), "{at}");
            found += values.len();
        }
    });
    assert!(found > 10 * LEARNERS.len(), "{found} snapshots");
}

#[test]
fn under_a_tick_limit_a_run_repeats_on_any_number_of_threads_and_keeps_the_limit() {
    every(|learner, name, task| {
        for ticks in [0, 1, 40, 1500] {
            let run = |threads| learn(learner, task, Cost::ErrorSize).threads(threads).ticks(ticks).run().unwrap();
            let (one, again, three) = (run(1), run(1), run(3));
            let at = format!("{} on {name}, {ticks} ticks", learner.name);
            assert!(one.outcome.ticks <= ticks, "{at}: {} used", one.outcome.ticks);
            assert_eq!(snapshots(&one), snapshots(&again), "{at}");
            assert_eq!(snapshots(&one), snapshots(&three), "{at}, three threads");
            assert_eq!((one.outcome.stop, one.outcome.ticks), (three.outcome.stop, three.outcome.ticks), "{at}");
        }
    });
}

#[test]
fn time_a_raised_flag_and_whoever_listens_end_a_run() {
    every(|learner, name, task| {
        let at = format!("{} on {name}", learner.name);
        let spent = learn(learner, task, Cost::Mdl).timeout(Duration::ZERO).run().unwrap();
        assert_eq!(spent.outcome.stop, StopReason::Time, "{at}");
        let cancel = Cancel::default();
        cancel.raise();
        let cancelled = learn(learner, task, Cost::Mdl).cancel(cancel).run().unwrap();
        assert_eq!(cancelled.outcome.stop, StopReason::Cancelled, "{at}");
        let leave = |event: &Event<'_>| match event {
            Event::Snapshot { .. } => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let left = learn(learner, task, Cost::ErrorSize).ticks(3000).observe(leave).run().unwrap();
        if !left.pool.members().is_empty() {
            assert_eq!((left.outcome.stop, left.pool.members().len()), (StopReason::Observer, 1), "{at}");
        }
    });
}

#[test]
fn only_a_learner_that_proves_says_optimal_and_nobody_is_better_than_a_proof() {
    for (name, task) in tasks() {
        for cost in Cost::ALL {
            let run = |learner| learn(learner, &task, cost).timeout(Duration::from_secs(20)).run().unwrap();
            let exact = run(&LEARNERS[0]);
            for learner in &LEARNERS[1..] {
                let other = run(learner);
                let at = format!("{} on {name} under {}", learner.name, cost.name());
                assert!(!other.outcome.optimal || other.outcome.value == exact.outcome.value, "{at}");
                assert!(
                    !exact.outcome.optimal || other.outcome.value >= exact.outcome.value,
                    "{at}: better than a proof"
                );
            }
        }
    }
}

/// Nothing is found because nothing was tried, and that must be said.
#[test]
fn who_tries_no_learned_numbers_says_so() {
    let bias = "head_pred(f,1). body_pred(size,2). type(f,(t,)). type(size,(t,n)). numeric(n).";
    let exs = "pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)). neg(f(e)).";
    let task = Task::from_texts("size(a,7). size(b,8). size(c,9). size(d,1). size(e,2).", exs, bias).unwrap();
    for learner in LEARNERS {
        let learned = learn(learner, &task, Cost::ErrorSize).ticks(3000).run().unwrap();
        let limits = &learned.outcome.limits;
        if learned.outcome.value.0 == [0, 3] {
            assert!(limits.is_empty(), "{}: {limits:?}", learner.name);
        } else {
            let said = limits.iter().any(|limit| limit.contains("rules with learned numbers"));
            assert!(said, "{}: {limits:?}", learner.name);
        }
    }
}

#[test]
fn where_functions_are_wanted_nobody_finds_anything_else() {
    let bk = "next(1,2). next(2,3). next(3,4). any(X,Y) :- member(X,[1,2,3]), member(Y,[1,2,3,4]).";
    let bias = "head_pred(f,2). body_pred(any,2). body_pred(next,2). direction(f,(in,out)). direction(any,(in,out)).
        direction(next,(in,out)). max_vars(2). max_body(1).";
    let task = Task::from_texts(bk, "pos(f(1,2)). pos(f(2,3)). pos(f(3,1)).", bias).unwrap();
    for learner in LEARNERS {
        let run = |learn: Learn| {
            let learned = learn.ticks(3000).run().unwrap();
            learned.pool.members().iter().map(|it| it.candidate.hypothesis.show(&learned.task.terms)).collect()
        };
        let free: Vec<String> = run(learn(learner, &task, Cost::LexFnSize));
        let functional: Vec<String> = run(learn(learner, &task, Cost::LexFnSize).functional());
        let of_any = |texts: &[String]| texts.iter().any(|text| text.contains("any"));
        assert!(of_any(&free), "{}: {free:?}", learner.name);
        assert!(!of_any(&functional), "{}: {functional:?}", learner.name);
    }
}

#[test]
fn rules_that_are_handed_over_are_of_the_space_and_cover_what_the_slow_evaluator_says() {
    every(|learner, name, task| {
        let learned = learn(learner, task, Cost::ErrorSize).ticks(1000).keeping_rules().run().unwrap();
        let (space, database) = (Space::new(&learned.task), Database::new(&learned.task));
        let mut slow = SlowEvaluator::new(&database, &learned.task.examples);
        for kept in learned.pool.rules().iter().take(50) {
            let at = format!("{} on {name}: {}", learner.name, kept.rule.show(&learned.task.terms));
            assert!(space.contains(&kept.rule).is_ok(), "{at}");
            assert!(kept.cover.as_ref().is_none_or(|cover| **cover == slow.rule(&kept.rule)), "{at}");
        }
    });
}

#[test]
fn ensembles_of_all_methods_can_be_made_of_any_learner() {
    let (_, task) = tasks().swap_remove(1);
    for learner in LEARNERS {
        for method in METHODS {
            let learned = learn(learner, &task, Cost::ErrorSize).ticks(2000).ensemble(method.boxed()).run().unwrap();
            let model = learned.model.unwrap();
            assert!(!model.members.is_empty(), "{} and {}", learner.name, method.name());
        }
    }
}
