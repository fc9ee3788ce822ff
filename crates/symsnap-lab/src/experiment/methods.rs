//! The methods that a suite may compare: those of the library, and the paper's ensemble without some of its members.

use super::Suite;
use symsnap::internals::ensemble::{Needs, Paper, Training, Voter};
use symsnap::internals::snapshot::Selection;
use symsnap::{METHODS, Method, Snapshot, method_named};

/// The best hypothesis alone: what the paper compares with.
pub const BASELINE: &str = "single";
/// The published ensemble.
pub const PAPER: &str = "paper";
/// The published ensemble with one optimum only (question 2).
pub const ONE_OPTIMUM: &str = "paper-one-optimum";
/// The published ensemble with optima only (question 3).
pub const ONLY_OPTIMA: &str = "paper-only-optima";
/// Votes of hypotheses learned from bootstrap samples (question 5).
pub const BAGGING: &str = "bagging";

/// Methods that are gone. Recorded results may have them, and reports of such results can still be made.
pub const RETIRED: [&str; 4] = ["clustered", "greedy", "pseudobma", "stacking"];

/// The names that a suite may use.
pub fn known_methods() -> Vec<&'static str> {
    METHODS.iter().map(|method| method.name()).chain([ONE_OPTIMUM, ONLY_OPTIMA]).collect()
}

/// The method that a suite names, and the snapshots that it is made of: `paper@last:5` takes the last five, `paper` all. The
/// names of the paper's questions stand for the selections that they are about.
///
/// # Errors
/// If what follows the sign is no selection, in words.
pub fn method_and_selection(name: &str) -> Result<(&str, Selection), String> {
    match (name, name.split_once('@')) {
        (ONE_OPTIMUM, _) => Ok((PAPER, Selection::OneOptimum)),
        (ONLY_OPTIMA, _) => Ok((PAPER, Selection::OnlyOptima)),
        (_, Some((method, selection))) => Ok((method, Selection::named(selection)?)),
        (_, None) => Ok((name, Selection::All)),
    }
}

/// The snapshots that a method of a checked suite is made of.
pub fn selection_of(name: &str) -> Selection {
    method_and_selection(name).expect("a checked suite names selections that there are").1
}

/// Whether a method runs the learner itself, rather than looking at a pool.
pub fn learns_by_itself(name: &str) -> bool {
    method_named(name).is_some_and(|method| method.needs() == Needs::Learner)
}

/// The method with the suite's settings.
fn configured(name: &str, suite: &Suite) -> Box<dyn Method> {
    let (name, _) = method_and_selection(name).expect("a checked suite names selections that there are");
    if name == PAPER {
        return Box::new(Paper { alpha: suite.alpha, beta: suite.beta });
    }
    method_named(name).expect("a checked suite names known methods").boxed()
}

/// How often the method uses the learner, if it does so itself.
pub fn runs(name: &str, suite: &Suite) -> usize {
    if learns_by_itself(name) { configured(name, suite).runs().max(1) } else { 1 }
}

/// Who votes, and with how much weight. The pool of `training` has the snapshots that the method is made of.
///
/// # Errors
/// As the learner's, where the method uses one.
pub fn fit(name: &str, training: &Training<'_>, suite: &Suite) -> symsnap::Result<Vec<Voter>> {
    configured(name, suite).fit(training)
}

/// These members, with the paper's weights.
pub fn weigh(paper: &Paper, members: &[&Snapshot]) -> Vec<Voter> {
    let figures: Vec<_> = members.iter().map(|member| (*member.confusion(), member.candidate.size)).collect();
    members.iter().zip(paper.weights(&figures)).map(|(member, weight)| Voter::of(member, weight)).collect()
}
