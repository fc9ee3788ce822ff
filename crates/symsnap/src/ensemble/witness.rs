//! How far one rule that does not call itself comes with an example, and with which values: exactly what resolution
//! does when it decides whether the rule covers the example.
//!
//! The body is run from its first literal, one literal more each time, with all variables of the rule as the arguments
//! of a predicate that is not the head's, until there is no solution, an error, or nothing left to add.

use crate::logic::{Arg, Literal, Pred, Rule, TermId, Var};
use crate::prolog::{Engine, Fault};

/// How far a rule comes.
pub(super) struct Reached {
    /// How many literals of the body hold together.
    pub(super) literals: usize,
    /// The first values for which they do; a variable may be left open.
    pub(super) values: Vec<Option<TermId>>,
    /// What the next literal raised, if it did not just fail.
    pub(super) fault: Option<Fault>,
}

/// How far `rule` comes when the variables of its head have `values`.
pub(super) fn reached(engine: &mut Engine, rule: &Rule, values: &[Option<TermId>]) -> Reached {
    let count = u8::try_from(values.len()).expect("variables are numbered by bytes");
    let name = engine.terms_mut().intern("$witness");
    let pred = Pred::new(name, u32::from(count));
    let args: Vec<Arg> = (0..count).map(|var| Arg::Var(Var(var))).collect();
    let mut best = Reached { literals: 0, values: values.to_vec(), fault: None };
    for literals in 1..=rule.body.len() {
        let body = rule.body[..literals].to_vec();
        engine.set_hypothesis(&[Rule { head: Literal::new(pred, args.clone()), body }]);
        match engine.first(pred, values) {
            Ok(Some(values)) => best = Reached { literals, values, fault: None },
            Ok(None) => break,
            Err(fault) => {
                best.fault = Some(fault);
                break;
            }
        }
    }
    engine.remove_hypothesis();
    best
}
