//! Rules with constants in the head, `next(V0,p) :- does(V0,a)`, as rules over variables.
//!
//! Such a rule is one over variables of which some stand for a constant, as in MagicPopper (Hocquette and Cropper 2023). So limits,
//! types and constraints see a variable there, which counts as one of `max_vars`; only that it must be in the body is not asked
//! of it.

use crate::logic::{Arg, Literal, Rule, Var};
use crate::task::Bias;

/// Readings of a rule that are tried; only rules with one constant in many places have more.
const MOST_READINGS: usize = 1_000;

/// The rule over variables, in every way that it can be read, with the head variables that stand for constants. Where the body has
/// a constant of the head, it may stand for the same variable, or for itself. None if the bias does not allow the constants of the
/// head, or if there is nothing else in it.
pub(super) fn readings(rule: &Rule, bias: &Bias) -> impl Iterator<Item = (Rule, u64)> {
    let head = GeneralHead::new(rule, bias);
    // For each argument of the body what it may be.
    let choices = head.iter().flat_map(|head| {
        let args = rule.body.iter().flat_map(|literal| &literal.args);
        args.map(|arg| head.variables(arg).chain([*arg]).collect())
    });
    let choices: Vec<Vec<Arg>> = choices.collect();
    let all = choices.iter().fold(1usize, |all, choice| all.saturating_mul(choice.len()));
    let readings = if head.is_some() { all.min(MOST_READINGS) } else { 0 };
    (0..readings).filter_map(move |mut reading| {
        let head = head.as_ref()?;
        let mut args = choices.iter().map(|choice| {
            let arg = choice[reading % choice.len()];
            reading /= choice.len();
            arg
        });
        let body = rule.body.iter().map(|literal| {
            let args: Vec<Arg> = args.by_ref().take(literal.args.len()).collect();
            Literal::new(literal.pred, args)
        });
        Some((Rule { body: body.collect(), head: head.literal.clone() }, head.constant))
    })
}

/// A head with variables for its constants.
struct GeneralHead {
    literal: Literal,
    /// Which variables stand for constants.
    constant: u64,
    /// The constants, each with its variable.
    known: Vec<(Arg, Arg)>,
}

impl GeneralHead {
    fn new(rule: &Rule, bias: &Bias) -> Option<Self> {
        let allowed = bias.constants.in_head(bias);
        let mut args = rule.head.args.to_vec();
        let (mut constant, mut known) = (0u64, Vec::new());
        for (at, arg) in args.iter_mut().enumerate().filter(|(_, arg)| !matches!(arg, Arg::Var(_))) {
            if !allowed.contains(&at) {
                return None;
            }
            let variable = Arg::Var(Var(u8::try_from(rule.var_count() + known.len()).ok()?));
            known.push((*arg, variable));
            constant |= 1u64.checked_shl(u32::try_from(at).ok()?)?;
            *arg = variable;
        }
        (known.len() < args.len()).then(|| GeneralHead { literal: Literal::new(rule.head.pred, args), constant, known })
    }

    /// The variables that stand for `arg`.
    fn variables(&self, arg: &Arg) -> impl Iterator<Item = Arg> {
        self.known.iter().filter(move |(constant, _)| constant == arg).map(|(_, variable)| *variable)
    }
}
