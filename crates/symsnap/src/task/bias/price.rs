//! `constant_price(N).`: what a learned number or constant counts beside the literal it stands in.
//!
//! A number that was chosen among many fits the training examples better than it fits others, and size does not see it. In a
//! description of the rule it takes the logarithm of the number of choices; in literals, each of which is one choice among
//! the words of the language, that is the ratio of two logarithms. The price is one for all numbers and constants of a task,
//! whatever their type, value and place: a comparison costs the same wherever it cuts, so that which cuts can be best does
//! not depend on it. (Prices by digits, or by the number of places to cut at in the context, would not be so.)

use super::Bias;
use super::compile::Finding;
use super::declared::{Declaration, DeclaredBias, given_limit};
use super::findings::BiasFindings;
use super::value::BiasValue;
use crate::index::narrow;
use crate::logic::{Rule, Terms};

/// What a number or constant counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstantPrice {
    /// As much as this many literals.
    Literals(u32),
    /// What follows from how many values there are to choose from; known when the task is.
    Auto,
}

/// The largest price: sizes stay small numbers.
const MOST: usize = 100;

/// The price that the statement gives; 0 without one.
pub(super) fn read(
    declared: &DeclaredBias<'_>,
    bias: &Bias,
    terms: &Terms,
    findings: &mut BiasFindings,
) -> ConstantPrice {
    let rows = declared.rows("constant_price", 1);
    let Some(Declaration { span, .. }) = rows.first() else { return ConstantPrice::Literals(0) };
    if bias.recursion || bias.invention {
        let message = "`constant_price` is not for programs whose rules call each other";
        findings.error(Finding::new(*span, message).help("leave it out, or `enable_recursion` and `enable_pi`"));
    }
    let is_auto =
        |given: &&Declaration<'_>| matches!(&given.row[0], value @ BiasValue::Name(_) if value.show(terms) == "auto");
    if rows.iter().all(|given| is_auto(&given)) {
        return ConstantPrice::Auto;
    }
    let price = given_limit(declared, "constant_price", 0, 2, findings).unwrap_or(0);
    if price > MOST {
        findings.error(Finding::new(*span, format!("`constant_price` is at most {MOST}")));
    }
    ConstantPrice::Literals(narrow(price.min(MOST)))
}

impl Bias {
    /// What a number or constant counts, in literals.
    pub(crate) fn price_of_constant(&self) -> u32 {
        match self.constant_price {
            ConstantPrice::Literals(price) => price,
            ConstantPrice::Auto => 0,
        }
    }

    /// What the numbers and constants of rules count, in literals: costs take it for a part of their size.
    #[doc(hidden)]
    pub fn price(&self, rules: &[Rule]) -> usize {
        self.price_of_constant() as usize * rules.iter().map(Rule::constants).sum::<usize>()
    }
}
