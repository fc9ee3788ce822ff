//! What a learned number or constant is worth in literals, if the data decides.

use super::term_set::TermSet;
use super::{ConstantPrice, Task};

impl Task {
    /// `log(values) / log(words)`, rounded up and at least 1: how many values a number or constant is chosen from, those of
    /// the type that has most, and how many words a literal is chosen from, body predicates and comparisons. Values that
    /// called predicates answer are not known and not counted.
    pub(crate) fn fair_price(&self) -> u32 {
        let (cuts, constants) = (&self.bias.cuts.types, &self.bias.constants);
        let kinds = cuts.iter().map(|cut| cut.kind).chain(constants.types.iter().copied());
        let mut most = kinds.map(|kind| self.values(kind).len()).max().unwrap_or(0);
        let everywhere = self.bias.body.iter().filter(|_| constants.all);
        let everywhere = everywhere.flat_map(|pred| (0..pred.arity as usize).map(|argument| (*pred, argument)));
        for (pred, argument) in constants.arguments.iter().copied().chain(everywhere) {
            most = most.max(self.column(pred, argument).collect::<TermSet>().len());
        }
        let words = self.words();
        let (mut price, mut reached) = (1, words);
        while reached < most {
            price += 1;
            reached = reached.saturating_mul(words);
        }
        price
    }

    /// How many predicates and comparisons a literal can be of.
    pub(crate) fn words(&self) -> usize {
        (self.bias.body.len() + 2 * self.bias.cuts.types.len()).max(2)
    }

    /// Let the data decide about a price that is to be decided.
    pub(super) fn settle_price(&mut self) {
        if self.bias.constant_price == ConstantPrice::Auto {
            self.bias.constant_price = ConstantPrice::Literals(self.fair_price());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_price_is_the_ratio_of_two_logarithms() {
        let facts: String = (0..100).map(|at| format!("size(p{at},{at}). ")).collect();
        let price = |statement: &str| {
            let bias = "head_pred(f,1). body_pred(size,2). type(f,(t,)). type(size,(t,real)). numeric(real). ";
            let exs = "pos(f(p1)). neg(f(p2)).";
            let task = Task::from_texts(&facts, exs, &format!("{bias}{statement}")).unwrap();
            (task.fair_price(), task.bias.price_of_constant())
        };
        // 100 values, 3 words: between the fourth and the fifth power.
        assert_eq!(price(""), (5, 0));
        assert_eq!(price("constant_price(auto)."), (5, 5));
        assert_eq!(price("constant_price(2)."), (5, 2));
    }
}
