//! Which snapshots an ensemble is made of: all, or those that ensembles of a single run are made of elsewhere.
//!
//! A network that is trained passes through its checkpoints whether they are good or not. The snapshots of a search are at most
//! as costly as all before them, so the last are the best and the first the worst; what the selections of the papers have in
//! common, to leave the beginning out, is all the more to the point here.
//!
//! - `last:K`: J. Xie, B. Xu, Z. Chuang. *Horizontal and vertical ensemble with deep representation for classification.* 2013
//!   (horizontal voting: the networks of the last epochs), and the last of the cycles of snapshot ensembles.
//! - `every:N`: H. Chen, S. Lundberg, S.-I. Lee. *Checkpoint ensembles: ensemble methods from a single training process.* 2017:
//!   what there is after each epoch. Here an epoch is a stretch of time or of rules tested, and one that brings nothing better
//!   has no snapshot of its own. They keep those that are best on held-out examples; `validated` and `tuned` look at these.
//! - `cycles`: G. Huang, Y. Li, G. Pleiss, Z. Liu, J. E. Hopcroft, K. Q. Weinberger. *Snapshot ensembles: train 1, get M for
//!   free.* ICLR 2017: where each cycle of a search that begins again and again has ended, be it worse than where another did.

use super::{Snapshot, SnapshotPool};
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

/// Which members of a pool form an ensemble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Selection {
    /// All members.
    #[default]
    All,
    /// The first optimum and all that is not optimal (the paper's question 2).
    OneOptimum,
    /// All optima and nothing else (question 3).
    OnlyOptima,
    /// The first optimum alone: the baseline.
    Baseline,
    /// The last so many.
    Last(usize),
    /// The last of each stretch of a run.
    Every(Stretch),
    /// Where each cycle of the learner has ended.
    Cycles,
}

/// A part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stretch {
    /// So long.
    Time(Duration),
    /// So many rules tested.
    Ticks(u64),
}

impl Stretch {
    /// The number of the stretch in which a snapshot was found; what is found at its end belongs to it.
    fn of(self, snapshot: &Snapshot) -> u128 {
        match self {
            Stretch::Time(time) => snapshot.candidate.elapsed.as_nanos().div_ceil(time.as_nanos().max(1)),
            Stretch::Ticks(ticks) => u128::from(snapshot.candidate.ticks.div_ceil(ticks.max(1))),
        }
    }
}

impl Selection {
    /// What can be asked for by name.
    pub const KNOWN: &'static str =
        "all, one-optimum, optima, last:K, every:N (rules tested), every:Ns (seconds), cycles";

    /// The selection with that name.
    ///
    /// # Errors
    /// If there is none, in words that say what there is.
    pub fn named(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<u64>().ok().filter(|&number| number > 0);
        let seconds = |text: &str| text.parse::<f64>().ok().filter(|it| (1e-6..1e9).contains(it));
        let found = match (text, text.split_once(':')) {
            ("all", _) => Some(Selection::All),
            ("one-optimum", _) => Some(Selection::OneOptimum),
            ("optima", _) => Some(Selection::OnlyOptima),
            ("cycles", _) => Some(Selection::Cycles),
            (_, Some(("last", count))) => {
                number(count).and_then(|count| usize::try_from(count).ok()).map(Selection::Last)
            }
            (_, Some(("every", stretch))) => match stretch.strip_suffix('s') {
                Some(time) => seconds(time).map(Duration::from_secs_f64).map(Stretch::Time),
                None => number(stretch).map(Stretch::Ticks),
            }
            .map(Selection::Every),
            _ => None,
        };
        found.ok_or_else(|| format!("`{text}` is no selection of snapshots; there are {}", Selection::KNOWN))
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::All => f.write_str("all"),
            Selection::OneOptimum => f.write_str("one-optimum"),
            Selection::OnlyOptima => f.write_str("optima"),
            Selection::Baseline => f.write_str("best"),
            Selection::Last(count) => write!(f, "last:{count}"),
            Selection::Every(Stretch::Time(time)) => write!(f, "every:{}s", time.as_secs_f64()),
            Selection::Every(Stretch::Ticks(ticks)) => write!(f, "every:{ticks}"),
            Selection::Cycles => f.write_str("cycles"),
        }
    }
}

impl SnapshotPool {
    /// The members that a selection is made of; all members for the cycles of a learner that has none.
    #[doc(hidden)]
    pub fn select(&self, selection: Selection) -> Vec<&Snapshot> {
        let optimal = |member: &&Snapshot| Some(&member.candidate.value) == self.best.as_ref();
        let first = self.members.iter().find(optimal).map(|member| member.index);
        let members = || self.members.iter();
        match selection {
            Selection::All => members().collect(),
            Selection::OneOptimum => members().filter(|it| !optimal(it) || Some(it.index) == first).collect(),
            Selection::OnlyOptima => members().filter(optimal).collect(),
            Selection::Baseline => members().filter(|it| Some(it.index) == first).collect(),
            Selection::Last(count) => members().skip(self.members.len().saturating_sub(count)).collect(),
            Selection::Every(stretch) => members()
                .enumerate()
                .filter(|(at, it)| self.members.get(at + 1).is_none_or(|next| stretch.of(next) > stretch.of(it)))
                .map(|(_, it)| it)
                .collect(),
            Selection::Cycles if self.has_cycles() => self.cycles.iter().collect(),
            Selection::Cycles => members().collect(),
        }
    }

    /// A pool of the members that a selection is made of, with all rules that were handed over.
    #[doc(hidden)]
    pub fn only(&self, selection: Selection) -> Cow<'_, Self> {
        if selection == Selection::All {
            return Cow::Borrowed(self);
        }
        let members: Vec<Snapshot> = self.select(selection).into_iter().cloned().collect();
        let best = members.iter().map(|member| &member.candidate.value).min().cloned();
        let tied = members.iter().filter(|member| Some(&member.candidate.value) == best.as_ref()).count();
        Cow::Owned(SnapshotPool { members, best, tied, ..self.clone() })
    }

    /// Whether the learner has told where its cycles ended.
    pub(crate) fn has_cycles(&self) -> bool {
        !self.cycles.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Observer;
    use crate::snapshot::tests::candidate;

    /// Members of these costs, found after these ticks and as many milliseconds.
    fn pool(found: &[(u64, u64)]) -> SnapshotPool {
        let mut pool = SnapshotPool::default();
        for (at, &(cost, ticks)) in found.iter().enumerate() {
            let mut offer = candidate(cost, &[("p", 1), ("q", u8::try_from(at).unwrap() + 1)]);
            offer.hypothesis.rules[0].body.truncate(1 + at % 2);
            offer.confusion.tp = at as u64;
            (offer.ticks, offer.elapsed) = (ticks, Duration::from_millis(ticks));
            pool.offer(&offer);
        }
        assert_eq!(pool.members().len(), found.len());
        pool
    }

    fn chosen(pool: &SnapshotPool, name: &str) -> Vec<usize> {
        let selection = Selection::named(name).unwrap();
        assert_eq!(selection.to_string(), name);
        let chosen: Vec<usize> = pool.select(selection).iter().map(|member| member.index).collect();
        let only = pool.only(selection);
        assert_eq!(only.members().iter().map(|member| member.index).collect::<Vec<_>>(), chosen, "{name}");
        assert_eq!(only.best(), only.members().iter().map(|it| &it.candidate.value).min());
        chosen
    }

    #[test]
    fn the_last_and_the_last_of_each_stretch_are_chosen() {
        let pool = pool(&[(9, 3), (7, 10), (5, 11), (5, 29), (4, 31)]);
        assert_eq!(chosen(&pool, "all"), [0, 1, 2, 3, 4]);
        assert_eq!(chosen(&pool, "last:2"), [3, 4]);
        assert_eq!(chosen(&pool, "last:9"), [0, 1, 2, 3, 4]);
        // Up to the tenth, the thirtieth and the fortieth tick; between the tenth and the twentieth there is one more.
        assert_eq!(chosen(&pool, "every:10"), [1, 2, 3, 4]);
        assert_eq!(chosen(&pool, "every:30"), [3, 4]);
        assert_eq!(chosen(&pool, "every:0.03s"), [3, 4]);
        assert_eq!(chosen(&pool, "every:100"), [4]);
        assert_eq!(chosen(&pool, "optima"), [4]);
        assert!(chosen(&SnapshotPool::default(), "last:3").is_empty());
    }

    #[test]
    fn cycles_are_where_cycles_ended_be_they_worse_and_each_once() {
        let mut pool = pool(&[(9, 1), (4, 2)]);
        assert_eq!(chosen(&pool, "cycles"), [0, 1], "a learner without cycles has all its snapshots");
        let ends = [candidate(4, &[("p", 1)]), candidate(6, &[("q", 1)]), candidate(6, &[("q", 2)])];
        ends.iter().for_each(|end| pool.cycle(end));
        let costs = |pool: &SnapshotPool| -> Vec<u64> {
            pool.members().iter().map(|member| member.candidate.value.0[0]).collect()
        };
        assert_eq!(costs(&pool), [9, 4]);
        assert_eq!(costs(&pool.only(Selection::Cycles)), [4, 6]);
        assert_eq!(pool.only(Selection::Cycles).best().unwrap().0, [4]);
    }

    #[test]
    fn what_is_no_selection_is_told_in_words() {
        for text in ["last", "last:0", "last:-1", "last:x", "every:", "every:0", "every:0s", "every:-2s", "best", ""] {
            let message = Selection::named(text).unwrap_err();
            assert!(
                message.starts_with(&format!("`{text}` is no selection of snapshots; there are all, ")),
                "{message}"
            );
        }
    }
}
