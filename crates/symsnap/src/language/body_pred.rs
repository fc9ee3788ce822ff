//! A body predicate as the learner uses it: its arguments' types, which of them must be bound, and where its answers are.

use super::calls::without;
use super::literal::{Lit, PredNo};
use crate::database::{Answers, CallOutcome, Columns, Database, PredIx, Selection, Want};
use crate::index::narrow;
use crate::logic::{Arg, Literal, Pred, Symbol, TermId, Var};
use crate::prolog::Fault;
use crate::task::Bias;
use std::sync::Arc;

/// A body predicate.
#[derive(Debug, Clone)]
pub struct BodyPred {
    /// Name and arity.
    pub pred: Pred,
    pub(super) place: PredIx,
    pub(super) table: bool,
    /// Constants, and `None` for the arguments that literals give; empty if literals give all.
    pub(super) constants: Box<[Option<TermId>]>,
    /// Where the constant of each literal stands that is chosen when the literal is made, if there is one.
    pub(super) chosen: Option<ChosenArgument>,
    /// The type of each argument; `None` where it is not declared or declared in several ways.
    pub(super) types: Box<[Option<Symbol>]>,
    /// Sets of arguments one of which must be bound before all answers are asked for: one for each declared direction,
    /// or one empty set if none is declared, and more of them where calls turned out to need it ([`CallLog`](super::calls::CallLog)).
    pub(super) modes: Vec<u64>,
    /// The same before it is asked whether there is an answer.
    pub(super) test_modes: Vec<u64>,
    /// What can tell bound from unbound arguments, if the predicate is called and uses such a thing.
    pub(super) sensitive: Option<&'static str>,
    /// The inputs of the declared directions; none if none is declared.
    pub(super) declared: Vec<u64>,
}

/// An argument of a called predicate that is a constant. What calls answer for a constant is known only where they are made,
/// so the constant is chosen there, among what they answer when the argument is left open, and each literal has its own.
#[derive(Debug, Clone, Copy)]
pub struct ChosenArgument {
    /// The predicate whose argument it is.
    pub of: PredNo,
    /// Which argument.
    pub at: usize,
}

impl BodyPred {
    /// A predicate that is called, with what `bias` declares for it.
    pub(super) fn called(pred: Pred, place: PredIx, bias: &Bias) -> BodyPred {
        let modes = bias.inputs(pred);
        BodyPred {
            pred,
            place,
            table: false,
            constants: Box::new([]),
            chosen: None,
            types: bias.argument_types(pred),
            test_modes: modes.clone(),
            modes,
            sensitive: None,
            declared: if bias.directions.contains_key(&pred) { bias.inputs(pred) } else { Vec::new() },
        }
    }

    /// The predicate once for each of its types, if it is a computation: what it gives has the type of what it takes.
    pub(super) fn computing(self, bias: &Bias) -> Vec<BodyPred> {
        let alternatives = bias.types.get(&self.pred).filter(|_| bias.cuts.computations.contains(&self.pred));
        let Some(alternatives) = alternatives else { return vec![self] };
        let typed = |types: &[Symbol]| BodyPred { types: types.iter().copied().map(Some).collect(), ..self.clone() };
        alternatives.iter().map(|types| typed(types)).collect()
    }

    /// The called predicate `known`, which has the number `of`, with a chosen constant.
    pub(super) fn choosing(known: &BodyPred, of: PredNo, at: usize) -> BodyPred {
        let project = |modes: &[u64]| modes.iter().map(|&mode| without_argument(mode, at)).collect();
        let types = known.types.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, kind)| *kind);
        BodyPred {
            chosen: Some(ChosenArgument { of, at }),
            types: types.collect(),
            modes: project(&known.modes),
            test_modes: project(&known.test_modes),
            declared: project(&known.declared),
            ..known.clone()
        }
    }

    /// The predicate `known` with constants in some arguments.
    pub(super) fn selected(known: &BodyPred, selection: &Selection) -> BodyPred {
        let free: Vec<usize> = (0..selection.args.len()).filter(|&at| selection.args[at].is_none()).collect();
        // A constant is bound, whatever a direction says.
        let project = |modes: &[u64]| -> Vec<u64> {
            let place = |mode: &u64| free.iter().enumerate().fold(0, |set, (at, of)| set | (mode >> of & 1) << at);
            modes.iter().map(place).collect()
        };
        BodyPred {
            pred: known.pred,
            place: selection.place,
            table: true,
            constants: selection.args.clone(),
            chosen: None,
            types: free.iter().map(|&at| known.types[at]).collect(),
            modes: project(&known.modes),
            test_modes: project(&known.test_modes),
            sensitive: None,
            declared: project(&known.declared),
        }
    }

    /// How many of its arguments are constants.
    pub fn constants(&self) -> usize {
        self.constants.iter().flatten().count() + usize::from(self.chosen.is_some())
    }

    /// A literal as it is printed.
    pub(super) fn literal(&self, lit: &Lit, database: &Database) -> Literal {
        let vars = lit.args();
        if let Some(ChosenArgument { at, .. }) = self.chosen {
            let mut args: Vec<Arg> = vars.iter().map(|&var| Arg::Var(Var(var))).collect();
            args.insert(at, database.argument(lit.chosen()).expect("only what can be written is chosen"));
            return Literal::new(self.pred, args);
        }
        if self.constants.is_empty() {
            return Literal::over(self.pred, vars);
        }
        let mut vars = vars.iter();
        let args = self.constants.iter().map(|constant| match constant {
            Some(id) => database.argument(narrow(id.index())).expect("constants of tables are terms of the task"),
            None => Arg::Var(Var(*vars.next().expect("a literal gives all arguments that are no constants"))),
        });
        Literal::new(self.pred, args.collect::<Vec<Arg>>())
    }

    /// What must be bound for a use.
    pub(super) fn modes(&self, want: Want) -> &[u64] {
        match want {
            Want::All => &self.modes,
            Want::One => &self.test_modes,
        }
    }

    /// Whether the answers to a call are those that the declared directions give: the call has just their inputs bound,
    /// or it has all arguments bound and holds exactly if they answer so. Nothing else is known to be right. `ask` makes a
    /// call with these arguments bound; `None` if it needs more steps than it has.
    pub(super) fn is_steady(
        &self,
        key: &[u32],
        bound: Columns,
        answers: &Answers,
        ask: impl Fn(Columns, &[u32]) -> Arc<Answers>,
    ) -> Option<bool> {
        let arity = self.types.len();
        if bound.len() < arity {
            return Some(self.declared.contains(&bound.0));
        }
        let mut enough = true;
        for &inputs in &self.declared {
            let (known, wanted): (Vec<usize>, Vec<usize>) = (0..arity).partition(|at| inputs >> at & 1 == 1);
            if wanted.is_empty() {
                continue;
            }
            let pick = |of: &[usize]| of.iter().map(|&at| key[at]).collect::<Vec<u32>>();
            let given = ask(Columns(inputs), &pick(&known));
            match given.outcome() {
                CallOutcome::Exact => {
                    let holds = given.values().chunks(wanted.len()).any(|row| row == pick(&wanted));
                    if holds == answers.is_empty() {
                        return Some(false);
                    }
                }
                CallOutcome::Fault(Fault::Steps) => enough = false,
                CallOutcome::Open | CallOutcome::Fault(_) => {}
            }
        }
        enough.then_some(true)
    }

    /// Whatever the bias allows may be asked.
    pub(super) fn unbar(&mut self) {
        let declared = if self.declared.is_empty() { vec![0] } else { self.declared.clone() };
        (self.modes, self.test_modes) = (declared.clone(), declared);
    }

    pub(super) fn bar(&mut self, bound: Columns, want: Want) {
        let arity = self.types.len();
        // Who cannot say whether there is an answer cannot give all.
        self.modes = without(&self.modes, bound.0, arity);
        if want == Want::One {
            self.test_modes = without(&self.test_modes, bound.0, arity);
        }
    }
}

/// A set of arguments, of which argument `at` is none any more.
fn without_argument(set: u64, at: usize) -> u64 {
    let below = (1u64 << at) - 1;
    set & below | set >> 1 & !below
}
