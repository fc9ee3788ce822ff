//! Random rules of the space, spread over sizes, for differential tests, and random literals for learners that wander.

use super::{Space, typing, unconnected};
use crate::logic::{Arg, Hypothesis, Literal, Pred, Rule, Symbol, Var};

/// How often a random walk is begun before giving up.
const ATTEMPTS: usize = 1000;
/// How many literals are tried at each step of a walk.
const TRIES: usize = 60;
/// How often argument tuples are drawn anew at each step of a walk.
const MOST_RESTARTS: usize = 2000;

impl Space {
    /// A random rule of the space with at most `max_body` body literals. `draw` gives random numbers; equal numbers
    /// give equal rules. `None` if none was found, which does not mean that there is none.
    pub fn sample(&self, max_body: usize, draw: &mut dyn FnMut() -> u64) -> Option<Rule> {
        self.sample_where(max_body, draw, &|space, rule| !rule.is_recursive() && space.contains(rule).is_ok())
    }

    /// A random hypothesis: of one or two rules, or, where the bias allows it, a recursive one in one case of two.
    pub fn sample_hypothesis(&self, max_body: usize, draw: &mut dyn FnMut() -> u64) -> Option<Hypothesis> {
        let recursive = self.bias.recursion && draw().is_multiple_of(2);
        for _ in 0..ATTEMPTS / 10 {
            let rules = if recursive {
                let base = |space: &Space, rule: &Rule| !rule.is_recursive() && space.fits(rule).is_ok();
                let step = |space: &Space, rule: &Rule| rule.is_recursive() && space.fits(rule).is_ok();
                vec![self.sample_where(max_body, draw, &base)?, self.sample_where(max_body, draw, &step)?]
            } else {
                let count = 1 + draw() % 2;
                (0..count).map(|_| self.sample(max_body, draw)).collect::<Option<Vec<Rule>>>()?
            };
            let hypothesis = Hypothesis { rules };
            if self.contains_hypothesis(&hypothesis).is_ok() {
                return Some(hypothesis);
            }
        }
        None
    }

    /// The rule with a random literal more that keeps it connected and well typed; `None` if none was found. It may still lack
    /// something that rules of the space have.
    pub fn random_refinement(&self, rule: &Rule, draw: &mut dyn FnMut() -> u64) -> Option<Rule> {
        let preds: Vec<Pred> = self.callable().filter(|pred| pred.arity as usize <= self.bias.max_vars).collect();
        let mut longer = rule.clone();
        self.extend(&mut longer, &preds, &self.places(&preds), draw).then_some(longer)
    }

    fn sample_where(
        &self,
        max_body: usize,
        draw: &mut dyn FnMut() -> u64,
        wanted: &dyn Fn(&Space, &Rule) -> bool,
    ) -> Option<Rule> {
        let longest = max_body.min(self.bias.max_body).max(1);
        let preds: Vec<Pred> = self.callable().filter(|pred| pred.arity as usize <= self.bias.max_vars).collect();
        let places = self.places(&preds);
        let mut best: Option<Rule> = None;
        for _ in 0..ATTEMPTS {
            let target = 1 + pick(draw, longest);
            let mut rule = self.bare();
            while rule.body.len() < target && self.extend(&mut rule, &preds, &places, draw) {
                if wanted(self, &rule) && best.as_ref().is_none_or(|best| best.body.len() < rule.body.len()) {
                    best = Some(rule.clone());
                }
            }
            if best.as_ref().is_some_and(|best| best.body.len() <= target) {
                return best;
            }
        }
        best
    }

    /// For each head variable, the predicates and argument places that its types allow it at.
    fn places(&self, preds: &[Pred]) -> Vec<Vec<(Pred, usize)>> {
        let fits = |pred: Pred, place: usize, at: usize| {
            let (there, here) = (self.types(pred), self.types(self.bias.head));
            let same = |types: &[Symbol]| here.iter().any(|head| head[at] == types[place]);
            there.is_empty() || here.is_empty() || there.iter().any(|types| same(types))
        };
        let all = |at: usize| {
            let places = preds.iter().flat_map(|&pred| (0..pred.arity as usize).map(move |place| (pred, place)));
            places.filter(|&(pred, place)| fits(pred, place, at)).collect()
        };
        (0..self.bias.head.arity as usize).map(all).collect()
    }

    /// A random predicate, with a head variable that the body lacks at a place that suits it, if there is one.
    fn start(
        &self,
        rule: &Rule,
        preds: &[Pred],
        places: &[Vec<(Pred, usize)>],
        draw: &mut dyn FnMut() -> u64,
    ) -> (Pred, Option<(usize, Var)>) {
        let lacks = |var: &Var| !rule.body.iter().any(|literal| literal.vars().any(|other| other == *var));
        let missing: Vec<Var> = rule.head.vars().filter(lacks).collect();
        if !missing.is_empty() && !draw().is_multiple_of(4) {
            let var = missing[pick(draw, missing.len())];
            if let suitable @ [_, ..] = &places[var.index()][..] {
                let (pred, place) = suitable[pick(draw, suitable.len())];
                return (pred, Some((place, var)));
            }
        }
        (preds[pick(draw, preds.len())], None)
    }

    /// Add a random literal that keeps the rule connected, well typed and clear of monotone constraints.
    fn extend(
        &self,
        rule: &mut Rule,
        preds: &[Pred],
        places: &[Vec<(Pred, usize)>],
        draw: &mut dyn FnMut() -> u64,
    ) -> bool {
        if preds.is_empty() {
            return false;
        }
        let head: Vec<Var> = rule.head.vars().collect();
        let mut restarts = 0;
        for _ in 0..TRIES {
            let (pred, given) = self.start(rule, preds, places, draw);
            let mut used = rule.var_count();
            let mut args: Vec<Var> = Vec::new();
            while args.len() < pred.arity as usize {
                let var = match given {
                    Some((place, var)) if place == args.len() => var,
                    _ => {
                        let number = pick(draw, (used + 1).min(self.bias.max_vars));
                        Var(u8::try_from(number).expect("max_vars is below 256"))
                    }
                };
                if args.contains(&var) {
                    // A variable was drawn twice or took the place of the given one: begin again, within reason.
                    restarts += 1;
                    if restarts > MOST_RESTARTS {
                        return false;
                    }
                    args.clear();
                    used = rule.var_count();
                    continue;
                }
                args.push(var);
                used = used.max(var.index() + 1);
            }
            let literal = Literal::new(pred, args.into_iter().map(Arg::Var).collect::<Vec<_>>());
            if literal == rule.head || rule.body.contains(&literal) {
                continue;
            }
            rule.body.push(literal);
            if unconnected(rule, &head).is_none()
                && typing::typings(&self.bias, rule).is_ok()
                && !self.violates_monotone(rule)
            {
                return true;
            }
            rule.body.pop();
        }
        false
    }
}

fn pick(draw: &mut dyn FnMut() -> u64, below: usize) -> usize {
    let below = u64::try_from(below).expect("a small number");
    usize::try_from(draw() % below).expect("below a small number")
}
