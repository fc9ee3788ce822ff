//! The rules of a space whose heads have one form.

use super::beam::Aim;
use super::bodies::Bodies;
use super::context::Context;
use super::feature::MinedRule;
use super::head_form::HeadForm;
use super::heads::AllHeads;
use super::levels::{Levels, Stepped};
use super::look::Look;
use super::threads::Threads;
use crate::budget::Budget;
use crate::covering::Pruner;
use crate::instance::Instance;
use crate::language::{Language, Membership, Taint};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows that the table of a skeleton may have: 4 MB for each variable. Beyond, its extensions are tested one by one without
/// a table.
const ROW_CAP: usize = 1_000_000;

/// The rules with one form of head, mined on demand: call [`OneHead::step`] until [`OneHead::done`].
pub struct OneHead<'t> {
    context: Context<'t>,
    levels: Levels,
    restarts: u32,
    calls: CallPhase,
}

/// How long calls may take for now ([`Language::give_more_steps`]).
#[derive(Default)]
struct CallPhase {
    /// How often calls were given more steps.
    given: u32,
    /// What could be asked when all rules had been found without what was put off.
    exhausted: Option<Vec<(Vec<u64>, Vec<u64>)>>,
}

/// Tests that are made without the calls that were put off before these get more steps for the first time; each time ten times as
/// many. So the work that is done again when mining begins anew is a small part of all.
const TESTS_BEFORE_DEAR_CALLS: u64 = 2_000;

impl<'t> OneHead<'t> {
    /// Rules with heads of this form; none has been found.
    pub fn new(on: &'t Instance<'_>, form: HeadForm, threads: usize, budget: Budget) -> Self {
        let (bias, database, examples) = (on.bias(), on.database(), on.examples());
        let mut language = Language::new(bias, on.reachable());
        language.fix_head(form.constants());
        language.sample_steadiness(examples);
        let membership = Membership::new(bias, on.space(), &language);
        let mut context = Context {
            membership,
            database,
            examples,
            max_vars: bias.max_vars,
            max_body: bias.max_body,
            row_cap: ROW_CAP,
            weights: examples.weights(),
            all_optima: false,
            threads: Threads::new(threads),
            directed: language.directed(),
            may_link: language.may_link_locals(),
            inferred: false,
            free: if language.directed() { language.free() } else { Vec::new() },
            taints: Mutex::default(),
            quota: AtomicU64::new(u64::MAX),
            language,
            sides: examples.sides(),
            heads: AllHeads::new(examples, form),
            budget,
            from_head: false,
        };
        let levels = Levels::new(&context);
        context.from_head = levels.uses_branches();
        OneHead { context, levels, restarts: 0, calls: CallPhase::default() }
    }

    /// Mine all parts with tables; to be said before the first step.
    pub fn use_tables(&mut self) {
        self.levels.use_tables();
        self.context.from_head = false;
    }

    /// Begin anew, to find every rule that some optimum has, given pruners that seek all of them. Parts are mined with
    /// tables, because branches that look different and say the same are one.
    pub fn restart_for_all(&mut self) {
        self.context.all_optima = true;
        self.levels.use_tables();
        self.levels.forget_unreachable();
        self.restart();
    }

    /// Begin anew. Rules found before stay what they are.
    pub fn restart(&mut self) {
        // What was needless before may be needed now.
        self.calls.exhausted = None;
        self.levels.restart(&self.context);
    }

    /// How often it began anew because calls turned out to need inputs. What was concluded before from the levels that
    /// were done no longer holds.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Whether every rule has been found or shown to be needless. Not so after the budget ended a step early.
    pub fn done(&self) -> bool {
        self.levels.done() && !self.context.language.has_put_off()
    }

    /// What was not evaluated to its end: then the enumeration, though done, was not complete.
    pub fn taints(&self) -> Vec<Taint> {
        let mut taints = self.context.language.taints();
        taints.extend(self.context.taints.lock().expect("no thread panics while it holds the lock").iter().cloned());
        taints.extend(self.context.membership.ran_out().then_some(Taint::Undecided));
        taints
    }

    /// The weight of positives that no part of one literal covers, and so no rule worth considering; 0 if unknown.
    pub fn unreachable(&self) -> u64 {
        self.levels.unreachable()
    }

    /// Whether rules may compare variables with numbers.
    pub fn has_cuts(&self) -> bool {
        self.context.language.has_cuts()
    }

    /// Whether some body predicate is called rather than looked up in a table.
    pub fn calls(&self) -> bool {
        self.context.language.calls()
    }

    /// How many rules (and parts of rules) have been tested.
    pub fn tests(&self) -> u64 {
        self.levels.tests()
    }

    /// The number of body literals of the rules that are found now.
    pub fn level(&self) -> usize {
        self.levels.level()
    }

    /// The size of the largest rules.
    pub fn largest(&self) -> u64 {
        self.context.max_body as u64 + 1
    }

    /// About how many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.levels.bytes()
    }

    /// What its miners share.
    pub fn context(&self) -> &Context<'t> {
        &self.context
    }

    /// Mine on a little, with at most `most` tests; returns the rules found, which may be none, and adds their parts to `bodies`.
    pub fn step(&mut self, pruner: &Pruner, most: u64, bodies: &mut Bodies) -> Vec<MinedRule> {
        let due = TESTS_BEFORE_DEAR_CALLS.saturating_mul(10u64.saturating_pow(self.calls.given));
        if (self.levels.done() || self.tests() >= due) && self.make_dear_calls(self.levels.done()) {
            return Vec::new();
        }
        self.context.quota.store(most, Ordering::Relaxed);
        match self.levels.step(Look::new(&self.context, pruner), bodies, most) {
            Stepped::Found(found) => found,
            Stepped::NeedInputs(failed) => {
                self.context.language.bar(&failed);
                self.begin_with_other_inputs();
                if self.calls.exhausted.as_ref() == Some(&self.context.language.all_modes()) {
                    self.levels.finish();
                }
                Vec::new()
            }
        }
    }

    /// Rules of several parts that would improve a set of rules, for each of these aims, with at most `most` tests.
    pub fn aim(&mut self, aims: &[Aim], pruner: &Pruner, most: u64, bodies: &Bodies) -> Vec<MinedRule> {
        self.context.quota.store(most, Ordering::Relaxed);
        self.levels.aim(aims, Look::new(&self.context, pruner), bodies)
    }

    /// Give calls more steps, if some were put off, and begin anew. `exhausted` says that all other rules were found or shown
    /// to be needless: if nothing that was put off turns out to be of use, they need not be mined again.
    pub fn make_dear_calls(&mut self, exhausted: bool) -> bool {
        let language = &mut self.context.language;
        if !language.has_put_off() {
            return false;
        }
        self.calls.exhausted = exhausted.then(|| language.all_modes());
        self.calls.given += 1;
        let freed = language.give_more_steps();
        // Whether their answers can be listed is to be seen again.
        let taints = self.context.taints.get_mut().expect("no thread panics while it holds the lock");
        taints.retain(|taint| !matches!(taint, Taint::Unbound { pred } if freed.contains(pred)));
        self.begin_with_other_inputs();
        true
    }

    fn begin_with_other_inputs(&mut self) {
        let context = &mut self.context;
        (context.directed, context.inferred) = (context.language.directed(), true);
        context.free = if context.directed { context.language.free() } else { Vec::new() };
        self.levels.forget_unreachable();
        self.restarts += 1;
        self.levels.restart(&self.context);
    }
}
