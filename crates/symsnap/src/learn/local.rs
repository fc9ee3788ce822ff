//! Local search with a temperature that rises again and again: one snapshot for each time it falls.
//!
//! Snapshot ensembles (Huang, Li, Pleiss, Liu, Hopcroft and Weinberger 2017, *Snapshot ensembles: train 1, get M for free*, ICLR
//! 2017) are made of the local minima that one network meets when its learning rate falls along a cosine, is raised, and falls
//! again. Here a set of rules is changed by a random move at a time (a literal or a rule more, less, or another one), and a move
//! that makes it worse is taken with the probability `exp(-loss / temperature)` (Kirkpatrick, Gelatt and Vecchi 1983,
//! *Optimization by simulated annealing*, Science 220, 671-680). When the temperature has fallen, the best set of the rules met
//! in that cycle, by the local search of [`covering`](crate::covering), is the snapshot. The next cycle starts from it; where
//! nothing better was found for a while, from no rules at all.
//!
//! Who listens is told of a snapshot as a candidate only if it is at most as costly as all before it, as with every learner, and
//! of all of them as ends of cycles, for ensembles of these. The rules are handed over at the end, for ensembles that make
//! hypotheses of rules.

use super::assembly::Assembly;
use super::candidate::Observer;
use super::learner::Learner;
use super::outcome::Outcome;
use super::settings::Settings;
use super::testbed::Testbed;
use super::theory::{Moves, Theory};
use crate::budget::Budget;
use crate::cost::Objective;
use crate::error::Result;
use crate::instance::Instance;
use crate::random::Random;
use std::f64::consts::PI;

/// Moves in a cycle.
const CYCLE: u32 = 400;

/// The temperature that a cycle starts with: a loss of one example is taken in one of three cases, and where there are many
/// positives, so is one of two per cent of them.
const HOT: f64 = 1.0;
const HOT_PER_POSITIVE: f64 = 0.02;

/// Of cycles in a row without a better hypothesis every fourth starts from no rules, and after sixteen the run ends.
const STALE: u32 = 4;
const PATIENCE: u32 = 16;

/// Rules that the local search weighs at the end of a cycle.
const EFFORT: u64 = 100_000;

/// The learner.
pub(super) struct Local {
    pub(super) settings: Settings,
}

impl Learner for Local {
    fn learn(&self, on: &Instance<'_>, budget: &Budget, observer: &mut dyn Observer) -> Result<Outcome> {
        let mut run = LocalCycles {
            on,
            settings: &self.settings,
            budget,
            testbed: Testbed::new("local", on, &self.settings, budget, observer),
            objective: *Assembly::new(on, &self.settings)?.objective(),
            random: Random::new(self.settings.seed),
            all: Assembly::new(on, &self.settings)?,
        };
        run.cycles()?;
        let kept = run.all.kept(self.settings.keep);
        run.testbed.hand_over(&kept);
        Ok(run.testbed.outcome())
    }
}

struct LocalCycles<'r> {
    on: &'r Instance<'r>,
    settings: &'r Settings,
    budget: &'r Budget,
    testbed: Testbed<'r>,
    objective: Objective,
    random: Random,
    /// The rules of all cycles.
    all: Assembly<'r>,
}

impl LocalCycles<'_> {
    /// Cycle after cycle, until a limit is reached or nothing better was found for long.
    fn cycles(&mut self) -> Result<()> {
        let (mut theory, mut stale) = (Theory::default(), 0);
        while stale < PATIENCE {
            let before = self.testbed.value().clone();
            if stale % STALE == STALE - 1 {
                theory = Theory::default();
            }
            let settings = Settings { seed: self.random.next_u64(), ..self.settings.clone() };
            let mut met = Assembly::new(self.on, &settings)?;
            let Some(snapshot) = self.cycle(theory, &mut met) else { break };
            theory = snapshot;
            stale = if *self.testbed.value() < before { 0 } else { stale + 1 };
        }
        Ok(())
    }

    /// One cycle, with the rules that it meets; `None` if a limit ends it.
    fn cycle(&mut self, mut theory: Theory, met: &mut Assembly<'_>) -> Option<Theory> {
        let moves = Moves { on: self.on };
        theory.rules().for_each(|(rule, cover)| met.add(rule.clone(), cover));
        let mut energy = theory.number(self.on, &self.objective);
        let hot = HOT + HOT_PER_POSITIVE * self.on.examples().positives() as f64;
        for step in 0..CYCLE {
            let temperature = hot / 2.0 * (1.0 + (PI * f64::from(step) / f64::from(CYCLE)).cos());
            let Some(next) = moves.random(&theory, &mut self.random, &mut self.testbed)? else { continue };
            for (rule, cover) in next.rules().filter(|(rule, _)| !theory.has(rule)) {
                met.add(rule.clone(), cover);
                self.all.add(rule.clone(), cover);
            }
            let number = next.number(self.on, &self.objective);
            if number < energy && !next.is_empty() {
                self.testbed.test(&next.hypothesis())?;
            }
            let draw = (self.random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            if draw < (-self.loss(number - energy) / temperature).exp() {
                (theory, energy) = (next, number);
            }
        }
        for hypothesis in met.improve(EFFORT, self.budget) {
            self.testbed.test(&hypothesis)?;
            theory = Theory::of(&hypothesis, &mut self.testbed)?;
        }
        self.testbed.end_cycle(&theory.hypothesis());
        for hypothesis in self.all.improve(EFFORT, self.budget) {
            self.testbed.test(&hypothesis)?;
        }
        Some(theory)
    }

    /// How much worse a difference is, counted at the level of the cost where it shows: a false negative more is as bad as a
    /// literal more where nothing else differs. So the same temperatures serve all costs, also those in which an error counts
    /// more than any number of literals.
    fn loss(&self, difference: i128) -> f64 {
        let Objective { fn_, fp, size, .. } = self.objective;
        let unit = [fn_, fp, size].into_iter().filter(|&unit| unit <= difference).max().unwrap_or(1);
        difference.max(0) as f64 / unit as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::learn::candidate::Candidate;
    use crate::task::Task;
    use std::ops::ControlFlow;

    fn task() -> Task {
        let bk = "e(a,b). e(b,c). e(c,d). e(d,e). e(x,y). s(y). s(e).";
        let exs = "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(y)). pos(f(e)). neg(f(d)). neg(f(x)).";
        let bias = "head_pred(f,1). body_pred(e,2). body_pred(s,1). max_vars(3). max_body(2).";
        Task::from_texts(bk, exs, bias).unwrap()
    }

    fn learn(cost: Cost, seed: u64) -> (Vec<String>, Outcome) {
        let (task, mut heard) = (task(), Vec::new());
        let settings = Settings { cost, seed, ..Settings::default() };
        let outcome = Local { settings }.learn_task(&task, &Budget::unlimited(), &mut heard).unwrap();
        (heard.iter().map(|it| it.hypothesis.show(&task.terms)).collect(), outcome)
    }

    #[test]
    fn a_small_task_is_solved_under_every_cost_and_the_run_ends() {
        for cost in Cost::ALL {
            let (_, outcome) = learn(cost, 1);
            assert!(!outcome.optimal);
            // Two rules of three and two literals; under `mdl` one with two errors is cheaper.
            let expected: &[u64] = match cost.levels().len() {
                1 => &[4],
                2 => &[0, 5],
                _ => &[0, 0, 5],
            };
            assert_eq!(outcome.value.0, expected, "{}", cost.name());
        }
    }

    #[test]
    fn a_seed_gives_one_sequence_of_candidates_and_others_give_others() {
        let heard: Vec<Vec<String>> = (1..9).map(|seed| learn(Cost::ErrorSize, seed).0).collect();
        assert_eq!(heard[0], learn(Cost::ErrorSize, 1).0);
        assert!(heard.iter().any(|other| *other != heard[0]), "{heard:?}");
    }

    #[test]
    fn every_cycle_tells_where_it_ended_be_it_worse_than_another() {
        #[derive(Default)]
        struct Ends {
            best: Vec<Vec<u64>>,
            ends: Vec<Vec<u64>>,
        }
        impl Observer for Ends {
            fn candidate(&mut self, candidate: &Candidate) -> ControlFlow<()> {
                self.best.push(candidate.value.0.clone());
                ControlFlow::Continue(())
            }
            fn cycle(&mut self, end: &Candidate) {
                assert_eq!(end.value, Cost::ErrorSize.value(&end.confusion, end.size));
                self.ends.push(end.value.0.clone());
            }
        }
        let (task, mut heard) = (task(), Ends::default());
        let settings = Settings { cost: Cost::ErrorSize, ..Settings::default() };
        Local { settings }.learn_task(&task, &Budget::unlimited(), &mut heard).unwrap();
        // The best is found once; sixteen cycles that find nothing better follow.
        assert!(heard.ends.len() > PATIENCE as usize / 2, "{:?}", heard.ends);
        assert!(heard.ends.iter().all(|end| end >= heard.best.last().unwrap() && end[0] < 5), "{:?}", heard.ends);
    }

    #[test]
    fn a_loss_counts_at_the_level_where_it_shows() {
        for cost in Cost::ALL {
            let (task, budget, mut heard) = (task(), Budget::unlimited(), Vec::new());
            let (on, settings) = (Instance::new(&task), Settings { cost, ..Settings::default() });
            let all = Assembly::new(&on, &settings).unwrap();
            let run = LocalCycles {
                on: &on,
                settings: &settings,
                budget: &budget,
                testbed: Testbed::new("local", &on, &settings, &budget, &mut heard),
                objective: *all.objective(),
                random: Random::new(1),
                all,
            };
            let Objective { fn_, fp, size, .. } = run.objective;
            let losses = [run.loss(2 * fn_), run.loss(2 * fp), run.loss(4 * size), run.loss(0), run.loss(-fn_)];
            assert_eq!(losses, [2.0, 2.0, 4.0, 0.0, 0.0], "{}", cost.name());
        }
    }
}
