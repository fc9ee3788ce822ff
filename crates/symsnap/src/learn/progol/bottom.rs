//! The bottom clause: all that the background says about one example, layer by layer, with a variable for each term.
//!
//! Every rule of the language that covers the example, and in which different variables stand for different terms, is made of
//! literals of it. A layer is what can be said of the terms known so far; what it mentions for the first time is what the next
//! layer speaks of. After the last layer only literals are added that mention nothing new, so that something can be said of
//! the last layer's terms, too.

use crate::budget::Budget;
use crate::database::{Columns, Database, Evaluation, Want};
use crate::instance::Instance;
use crate::logic::{Arg, Literal, Pred, Rule, Symbol, TermId, Var};
use crate::task::Direction;
use rustc_hash::{FxHashMap, FxHashSet};

/// Answers of one call that are taken: Aleph's recall.
const RECALL: usize = 100;

/// Literals that a bottom clause may have. Beyond, it is cut off where it is: the search looks at some thousand rules, and so at
/// pairs of literals at most.
const MOST_LITERALS: usize = 1000;

/// Calls of one predicate in one layer: one with three inputs can be asked about all triples of terms.
const MOST_CALLS: usize = 5000;

/// Steps that one call of a predicate may take which is no table.
const STEPS: u64 = 20_000;

/// An argument in a bottom clause.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum BottomArg {
    /// A variable, by number. There may be more of them than a rule may have.
    Var(usize),
    Const(Arg),
}

/// A literal of a bottom clause.
#[derive(Clone, PartialEq, Eq, Hash)]
struct BottomLiteral {
    pred: Pred,
    args: Box<[BottomArg]>,
}

impl BottomLiteral {
    fn vars(&self) -> impl Iterator<Item = usize> + '_ {
        self.args.iter().filter_map(|arg| match arg {
            BottomArg::Var(var) => Some(*var),
            BottomArg::Const(_) => None,
        })
    }
}

/// All that is said of an example.
pub(super) struct Bottom {
    head: Literal,
    literals: Vec<BottomLiteral>,
}

impl Bottom {
    /// The bottom clause of a positive, with `layers` layers of new variables, or what is known of it when the budget ends.
    pub(super) fn new(on: &Instance<'_>, positive: usize, layers: usize, budget: &Budget) -> Self {
        let mut saturation = Saturation::of(on, positive);
        for layer in 0..=layers {
            let known = saturation.terms.len();
            saturation.add_layer(layer < layers, budget);
            let is_done = saturation.terms.len() == known && layer < layers;
            if is_done || saturation.literals.len() >= MOST_LITERALS || budget.check().is_some() {
                break;
            }
        }
        Bottom { head: on.space().bare().head, literals: saturation.literals }
    }

    /// How many literals it has.
    pub(super) fn len(&self) -> usize {
        self.literals.len()
    }

    /// The rule of some of its literals; `None` if they have more variables than a rule may have.
    pub(super) fn rule(&self, literals: &[usize], most_vars: usize) -> Option<Rule> {
        let arity = self.head.args.len();
        let mut names: Vec<usize> = (0..arity).collect();
        let mut body = Vec::with_capacity(literals.len());
        for &at in literals {
            let literal = &self.literals[at];
            let mut args = Vec::with_capacity(literal.args.len());
            for arg in &literal.args {
                args.push(match *arg {
                    BottomArg::Const(arg) => arg,
                    BottomArg::Var(var) => {
                        let name = names.iter().position(|&it| it == var).unwrap_or_else(|| {
                            names.push(var);
                            names.len() - 1
                        });
                        Arg::Var(Var(u8::try_from(name).ok().filter(|_| name < most_vars)?))
                    }
                });
            }
            body.push(Literal::new(literal.pred, args));
        }
        Some(Rule { head: self.head.clone(), body })
    }

    /// Whether a literal has a variable of the head or of some others.
    pub(super) fn touches(&self, at: usize, others: &[usize]) -> bool {
        let arity = self.head.args.len();
        let has =
            |var: usize| var < arity || others.iter().any(|&other| self.literals[other].vars().any(|it| it == var));
        self.literals[at].vars().any(has)
    }
}

/// A bottom clause while it is made.
struct Saturation<'r> {
    on: &'r Instance<'r>,
    database: &'r Database,
    /// The term that each variable stands for, with its type.
    terms: Vec<(u32, Option<Symbol>)>,
    /// The variables of a term.
    vars: FxHashMap<(u32, Option<Symbol>), Vec<usize>>,
    literals: Vec<BottomLiteral>,
    known: FxHashSet<BottomLiteral>,
    /// Calls that were made.
    called: FxHashSet<(Pred, Columns, Box<[u32]>)>,
}

impl<'r> Saturation<'r> {
    /// Nothing but the head of a positive.
    fn of(on: &'r Instance<'_>, positive: usize) -> Self {
        let head = on.bias().head;
        let mut saturation = Saturation {
            on,
            database: on.database(),
            terms: Vec::new(),
            vars: FxHashMap::default(),
            literals: Vec::new(),
            known: FxHashSet::default(),
            called: FxHashSet::default(),
        };
        let types = on.space().types(head).first();
        for (place, term) in on.examples().positive(positive).iter().enumerate() {
            let kind = types.map(|types| types[place]);
            // Rules have different variables in their heads, be the terms equal or not.
            saturation.new_var(index_of(*term), kind);
        }
        saturation
    }

    fn new_var(&mut self, value: u32, kind: Option<Symbol>) -> usize {
        self.terms.push((value, kind));
        let var = self.terms.len() - 1;
        self.vars.entry((value, kind)).or_default().push(var);
        var
    }

    /// What the background says of the terms known so far; if `brings`, terms may be mentioned that are not among them.
    fn add_layer(&mut self, brings: bool, budget: &Budget) {
        let known = self.terms.clone();
        let preds = self.on.bias().body.clone();
        for pred in preds.into_iter().filter(|pred| pred.arity as usize <= Columns::MAX) {
            for (inputs, types) in self.ways(pred) {
                let of = |place: &usize| -> Vec<u32> {
                    let mut values = Vec::new();
                    for &(value, kind) in &known {
                        if kind == types.as_ref().map(|types| types[*place]) && !values.contains(&value) {
                            values.push(value);
                        }
                    }
                    values
                };
                let choices: Vec<Vec<u32>> = inputs.iter().map(|place| of(&place)).collect();
                for key in choose(&choices) {
                    if self.literals.len() >= MOST_LITERALS || budget.check().is_some() {
                        return;
                    }
                    self.call(pred, inputs, &key, types.as_deref(), brings);
                }
            }
        }
    }

    /// The ways in which a predicate may be called, as arguments that are given, with the types that it may have. As the bias
    /// declares them; where it does not, a table is asked for what it says of each term at each place, and a predicate that is
    /// called also for all its arguments at once, because it may need them.
    fn ways(&self, pred: Pred) -> Vec<(Columns, Option<Box<[Symbol]>>)> {
        let arity = pred.arity as usize;
        let set = |places: &mut dyn Iterator<Item = usize>| places.fold(Columns::default(), Columns::with);
        let declared = self.on.space().directions(pred);
        let mut inputs: Vec<Columns> =
            declared.iter().map(|ways| set(&mut (0..arity).filter(|&place| ways[place] == Direction::In))).collect();
        if declared.is_empty() {
            inputs.extend((0..arity).map(|place| Columns::default().with(place)));
            if arity > 1 && matches!(self.database.evaluation(pred), Evaluation::Called { .. }) {
                inputs.push(set(&mut (0..arity)));
            }
        }
        let types = self.on.space().types(pred);
        let alternatives: Vec<Option<Box<[Symbol]>>> =
            if types.is_empty() { vec![None] } else { types.iter().cloned().map(Some).collect() };
        inputs.iter().flat_map(|&given| alternatives.iter().map(move |types| (given, types.clone()))).collect()
    }

    /// The literals of one call's answers.
    fn call(&mut self, pred: Pred, inputs: Columns, key: &[u32], types: Option<&[Symbol]>, brings: bool) {
        let Some(place) = self.database.place(pred) else { return };
        if brings && !self.called.insert((pred, inputs, key.into())) {
            return;
        }
        let answers = self.database.ask_within(place, inputs, key, Want::All, STEPS);
        let width = answers.width();
        for answer in 0..answers.len().min(RECALL) {
            let (mut given, mut found) = (key.iter(), answers.values()[answer * width..].iter());
            let row: Option<Vec<u32>> = (0..pred.arity as usize)
                .map(|at| if inputs.contains(at) { given.next() } else { found.next() }.copied())
                .collect();
            if let Some(row) = row {
                self.add(pred, &row, types, brings);
            }
        }
    }

    /// The literals that a row gives: each argument is one of the variables of its term or, where the bias allows it, the term
    /// itself.
    fn add(&mut self, pred: Pred, row: &[u32], types: Option<&[Symbol]>, brings: bool) {
        let mut choices: Vec<Vec<BottomArg>> = Vec::with_capacity(row.len());
        for (at, &value) in row.iter().enumerate() {
            let kind = types.map(|types| types[at]);
            let mut args: Vec<BottomArg> =
                self.vars.get(&(value, kind)).into_iter().flatten().copied().map(BottomArg::Var).collect();
            if args.is_empty() && brings {
                args.push(BottomArg::Var(self.new_var(value, kind)));
            }
            if self.on.bias().constants.allows(self.on.bias(), pred, at) {
                args.extend(self.database.argument(value).map(BottomArg::Const));
            }
            choices.push(args);
        }
        for args in choose(&choices) {
            let literal = BottomLiteral { pred, args: args.into() };
            let repeats = literal.vars().enumerate().any(|(at, var)| literal.vars().take(at).any(|it| it == var));
            if literal.vars().next().is_some() && !repeats && self.known.insert(literal.clone()) {
                self.literals.push(literal);
            }
        }
    }
}

fn index_of(term: TermId) -> u32 {
    crate::index::narrow(term.index())
}

/// The ways to take one of each, at most [`MOST_CALLS`]; one way if there is nothing to take from.
fn choose<T: Copy>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    choices.iter().fold(vec![Vec::new()], |all, choice| {
        let longer = |chosen: &Vec<T>, &next: &T| chosen.iter().copied().chain([next]).collect();
        all.iter().flat_map(|chosen| choice.iter().map(move |next| longer(chosen, next))).take(MOST_CALLS).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Task;

    const BACKGROUND: &str = "has(t,c). has(t,d). long(c). load(d,l). round(l). on(l,m). red(m).";

    fn bottom(bias: &str, layers: usize) -> Vec<String> {
        let bias = format!(
            "head_pred(f,1). body_pred(has,2). body_pred(long,1). body_pred(load,2). body_pred(round,1). body_pred(on,2). body_pred(red,1). max_vars(6). {bias}"
        );
        let task = Task::from_texts(BACKGROUND, "pos(f(t)). neg(f(u)).", &bias).unwrap();
        let on = Instance::new(&task);
        let bottom = Bottom::new(&on, 0, layers, &Budget::unlimited());
        let all: Vec<usize> = (0..bottom.len()).collect();
        bottom.rule(&all, 9).unwrap().body.iter().map(|literal| literal.show(&task.terms)).collect()
    }

    #[test]
    fn layers_mention_terms_and_the_last_terms_are_spoken_of() {
        assert_eq!(bottom("", 1), ["has(V0,V1)", "has(V0,V2)", "long(V1)"]);
        let two = ["has(V0,V1)", "has(V0,V2)", "long(V1)", "load(V2,V3)", "round(V3)"];
        assert_eq!(bottom("", 2), two);
        assert_eq!(bottom("", 9).len(), 7, "the end is reached before the last layer");
    }

    #[test]
    fn directions_say_how_predicates_are_called() {
        let backwards = "direction(has,(out,in)).";
        assert_eq!(bottom(backwards, 3), Vec::<String>::new(), "nothing is known of what `has` needs");
        assert_eq!(bottom("direction(has,(in,out)). direction(load,(out,in)).", 3), bottom("", 1));
    }

    #[test]
    fn a_rule_with_more_variables_than_allowed_is_none() {
        let task =
            Task::from_texts("p(a,b). p(b,c).", "pos(f(a)). neg(f(c)).", "head_pred(f,1). body_pred(p,2).").unwrap();
        let on = Instance::new(&task);
        let bottom = Bottom::new(&on, 0, 2, &Budget::unlimited());
        assert!(bottom.rule(&[0, 1], 3).is_some() && bottom.rule(&[0, 1], 2).is_none());
        assert!(bottom.touches(0, &[]) && !bottom.touches(1, &[]) && bottom.touches(1, &[0]));
    }
}
