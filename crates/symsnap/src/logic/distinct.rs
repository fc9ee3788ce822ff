//! Rules that are the same but for the names of their variables, counted once.
//!
//! The order of body literals is kept, unlike in [`canonical_rule`](super::canonical_rule): where a predicate is called
//! rather than looked up, `p(A,B), B > 3` has answers and `B > 3, p(A,B)` raises an error. Whoever remembers what a rule
//! covers, or writes it down once for several hypotheses, must tell the two apart. Rules over tables alone that differ
//! in order only are then taken for two, which costs a little time and is never wrong.

use super::{Arg, Literal, Rule, Var};
use rustc_hash::FxHashMap;

/// The rule with its variables numbered in the order in which they first occur, head first.
pub fn renumbered_rule(rule: &Rule) -> Rule {
    let mut numbers: FxHashMap<Var, Var> = FxHashMap::default();
    let mut renumber = |literal: &Literal| {
        let args = literal.args.iter().map(|arg| match arg {
            Arg::Var(var) => {
                let next = u8::try_from(numbers.len()).expect("a rule has no more variables than their numbers");
                Arg::Var(*numbers.entry(*var).or_insert(Var(next)))
            }
            constant => *constant,
        });
        Literal { pred: literal.pred, args: args.collect() }
    };
    Rule { head: renumber(&rule.head), body: rule.body.iter().map(&mut renumber).collect() }
}

/// Different rules with their numbers, from 0, in the order in which they were met.
#[derive(Debug, Clone, Default)]
pub struct DistinctRules {
    rules: Vec<Rule>,
    numbers: FxHashMap<Rule, usize>,
}

impl DistinctRules {
    /// The number of a rule; a rule that is new gets the next one.
    pub fn number(&mut self, rule: &Rule) -> usize {
        *self.numbers.entry(renumbered_rule(rule)).or_insert_with(|| {
            self.rules.push(rule.clone());
            self.rules.len() - 1
        })
    }

    /// The rules, by number, each as it was first met.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pred, Symbols};
    use super::*;

    #[test]
    fn names_of_variables_do_not_matter_and_the_order_of_literals_does() {
        let mut symbols = Symbols::default();
        let [f, p, q] = ["f", "p", "q"].map(|name| symbols.intern(name));
        let (f, p, q) = (Pred::new(f, 1), Pred::new(p, 2), Pred::new(q, 1));
        let rule = |body: Vec<Literal>, head: u8| Rule { head: Literal::over(f, &[head]), body };
        let first = rule(vec![Literal::over(p, &[0, 1]), Literal::over(q, &[1])], 0);
        let renamed = rule(vec![Literal::over(p, &[5, 2]), Literal::over(q, &[2])], 5);
        let turned = rule(vec![Literal::over(q, &[1]), Literal::over(p, &[0, 1])], 0);
        let repeated = rule(vec![Literal::over(p, &[0, 1]), Literal::over(q, &[1]), Literal::over(q, &[1])], 0);
        let mut rules = DistinctRules::default();
        let numbers = [&first, &renamed, &turned, &repeated, &first].map(|rule| rules.number(rule));
        assert_eq!(numbers, [0, 0, 1, 2, 0]);
        assert_eq!(rules.rules(), [first, turned, repeated]);
    }
}
