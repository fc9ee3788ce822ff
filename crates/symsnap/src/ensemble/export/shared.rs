//! Rules that several members share, written once.

use crate::logic::{DistinctRules, Hypothesis, Rule};

/// The different rules of members, and for each member the numbers of its rules. Members that call themselves have
/// none here.
pub(super) struct Shared {
    rules: DistinctRules,
    pub(super) members: Vec<Vec<usize>>,
}

impl Shared {
    pub(super) fn new(hypotheses: &[Hypothesis]) -> Self {
        let mut rules = DistinctRules::default();
        let members = hypotheses.iter().map(|hypothesis| {
            let own = hypothesis.rules.iter().filter(|_| !hypothesis.is_recursive());
            own.map(|rule| rules.number(rule)).collect()
        });
        let members = members.collect();
        Shared { rules, members }
    }

    pub(super) fn rules(&self) -> impl Iterator<Item = (usize, &Rule)> {
        self.rules.rules().iter().enumerate()
    }
}
