//! Rules with one literal more: the refinement operator of learners that grow rules from the top (Shapiro 1983).

use super::{Space, typing, unconnected};
use crate::logic::{Arg, Literal, Pred, Rule, Var};

impl Space {
    /// The rule without a body that all others are refined from.
    pub fn bare(&self) -> Rule {
        let var = |at: u32| Arg::Var(Var(u8::try_from(at).expect("max_vars is at least the arity")));
        Rule {
            head: Literal::new(self.bias.head, (0..self.bias.head.arity).map(var).collect::<Vec<_>>()),
            body: Vec::new(),
        }
    }

    /// The rule with each literal over variables that keeps variables connected and types consistent. Whether what comes out
    /// is in the space is another question ([`Space::contains`]): it may still lack something.
    pub fn refinements(&self, rule: &Rule) -> Vec<Rule> {
        let head: Vec<Var> = rule.head.vars().collect();
        let used = rule.var_count();
        let mut grown = Vec::new();
        for pred in self.callable() {
            for vars in tuples(pred, used, self.bias.max_vars) {
                let literal = Literal::new(pred, vars.into_iter().map(Arg::Var).collect::<Vec<_>>());
                if literal == rule.head || rule.body.contains(&literal) {
                    continue;
                }
                let mut more = rule.clone();
                more.body.push(literal);
                if unconnected(&more, &head).is_none() && typing::typings(&self.bias, &more).is_ok() {
                    grown.push(more);
                }
            }
        }
        grown
    }
}

/// All argument tuples of different variables: `used` old ones and new ones in order, below `limit`.
fn tuples(pred: Pred, used: usize, limit: usize) -> Vec<Vec<Var>> {
    let mut all: Vec<(Vec<Var>, usize)> = vec![(Vec::new(), used)];
    for _ in 0..pred.arity {
        let mut longer = Vec::new();
        for (tuple, used) in all {
            for number in 0..=used.min(limit.saturating_sub(1)) {
                let var = Var(u8::try_from(number).expect("max_vars is below 256"));
                if !tuple.contains(&var) && number < limit {
                    let mut tuple = tuple.clone();
                    tuple.push(var);
                    longer.push((tuple, used.max(number + 1)));
                }
            }
        }
        all = longer;
    }
    all.into_iter().map(|(tuple, _)| tuple).collect()
}
