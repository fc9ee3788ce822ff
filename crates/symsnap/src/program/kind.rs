//! Which programs a search is for, and when one that is done has seen all of them.

use crate::cost::{Cost, Incumbent};
use crate::index::narrow;
use crate::logic::Pred;
use crate::space::Space;
use crate::task::{Bias, Task};

/// Which programs are sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// As [`Kind::Ambitious`], of rules that use each variable twice: few, and most that people would write.
    Tight,
    /// The same where positives may be missed under any cost: what is right about noisy examples misses some, and under the
    /// lexicographic costs nothing else looks for it before all programs are searched.
    Forgiving,
    /// Recursive ones that miss few positives: none under the lexicographic costs. There are far fewer, so they are
    /// found sooner, and where one without errors is known no others matter.
    Ambitious,
    /// All recursive ones that are better than the best.
    Recursive,
    /// Ones that define and call this predicate.
    Inventing(Pred),
}

/// Where positives may be missed, an ambitious search allows a third of what the incumbent would.
const AMBITION: u64 = 3;

/// Programs below this size with more than one invented predicate, or several rules that call one, are not needed.
const MOST_UNFOLDED: usize = 7;

/// What a search for invented predicates leaves out.
pub(super) const UNFOLDED: &str = "those with several invented predicates, or several rules that call one, are not";

/// More variables than this in a rule are not handled.
const MOST_VARS: usize = 60;

impl Kind {
    /// Whether rules are left out that do not use each variable twice. Such a search proves nothing, so it may be hasty.
    pub(super) fn is_tight(self) -> bool {
        matches!(self, Kind::Tight | Kind::Forgiving)
    }

    /// Whether programs are left out that miss more than a few positives.
    pub(super) fn is_ambitious(self) -> bool {
        matches!(self, Kind::Tight | Kind::Forgiving | Kind::Ambitious)
    }

    /// The predicate that programs define besides the examples'.
    pub(super) fn invents(self) -> Option<Pred> {
        if let Kind::Inventing(pred) = self { Some(pred) } else { None }
    }

    /// Whether the bias has such programs, and they are handled.
    pub(super) fn is_allowed(self, bias: &Bias) -> bool {
        let allowed = if self.invents().is_some() { bias.invention } else { bias.recursion };
        allowed && bias.max_clauses >= 2 && bias.max_vars <= MOST_VARS
    }

    /// Whether all programs with two rules that call the program are to be tried.
    pub(super) fn has_pairs(self, bias: &Bias) -> bool {
        bias.max_clauses > 2 && self.invents().is_none() && !self.is_tight()
    }

    /// The largest weight of positives that a program of this size may miss; `None` if it is of no use anyway.
    pub(super) fn most_missed(self, cost: Cost, size: usize, incumbent: &Incumbent) -> Option<u64> {
        let most = incumbent.most_missed(size)?;
        Some(match self {
            Kind::Recursive | Kind::Inventing(_) => most,
            Kind::Tight | Kind::Ambitious if cost.size_breaks_ties() => 0,
            Kind::Tight | Kind::Ambitious | Kind::Forgiving => most / AMBITION,
        })
    }

    /// Which programs that may matter a search that is done and met no limit has not seen; `None` if it has seen all.
    pub(super) fn unseen(self, task: &Task, space: &Space) -> Option<&'static str> {
        let bias = &task.bias;
        if self.invents().is_some() {
            return (!unfolds(bias)).then_some(UNFOLDED);
        }
        let several_directions = bias.directions.get(&bias.head).is_some_and(|ways| ways.len() > 1);
        let reasons = [
            (self.is_tight(), "only rules that use each variable twice are tried"),
            (bias.max_clauses > 3, "of more than three rules not all are tried"),
            (several_directions, "the head has several directions"),
            (task.program.get(bias.head).is_some(), "the background itself defines the predicate to learn"),
            // Base rules that answer nothing are not tried as one of several.
            (bias.max_clauses > 2 && space.needs_idle_rules(), "a constraint speaks of rules that may cover nothing"),
        ];
        reasons.into_iter().find_map(|(holds, why)| holds.then_some(why))
    }

    /// Whether all programs of this kind that could be better than the incumbent are small enough for [`Kind::unseen`].
    pub(super) fn is_small(self, incumbent: &Incumbent) -> bool {
        self.invents().is_none() || incumbent.most_missed(MOST_UNFOLDED).is_none()
    }
}

/// Whether programs with one invented predicate, called by one rule, are all that matter up to [`MOST_UNFOLDED`].
///
/// The others of up to three rules have an invented predicate with a single rule of one literal, called by a rule of one
/// literal; put in the place of the call it gives a program without it, which is smaller and in the space, as long as
/// neither types nor directions nor constraints tell them apart. With `non_datalog` it need not be in the space: the
/// variables of that literal come on top of those of the head, and may be too many.
fn unfolds(bias: &Bias) -> bool {
    let plain = bias.types.is_empty() && bias.directions.is_empty() && bias.constraints.is_empty();
    plain && !bias.non_datalog && !bias.recursion && bias.max_clauses <= 3 && bias.max_vars <= 4
}

/// The predicates that programs of a task may invent.
pub fn invented(task: &Task) -> Vec<Pred> {
    let bias = &task.bias;
    let Some(name) = task.terms.symbols().get(Bias::INVENTED).filter(|_| bias.invention) else { return Vec::new() };
    let widest = if unfolds(bias) { bias.max_vars } else { bias.max_vars.min(2) };
    let fresh = |pred: &Pred| task.program.get(*pred).is_none() && !bias.body.contains(pred) && *pred != bias.head;
    (1..=narrow(widest)).map(|arity| Pred::new(name, arity)).filter(fresh).collect()
}
