//! The predicates that bodies may use, by number: their types, which literals can be made of them, and how to look
//! these up.

use super::access::Access;
use super::body_pred::{BodyPred, ChosenArgument};
use super::calls::{CallLog, CallPattern};
use super::cut::CutPred;
use super::joint::{JointLookup, Projections};
use super::literal::{FRESH, Lit, MAX_ARITY, PredNo};
use super::resources::Resources;
use super::taint::Taint;
use crate::database::{Answers, Columns, Database, Index, Relation, Want, values_of};
use crate::index::{narrow, variables};
use crate::logic::{Arg, Literal, Pred, Rule, Symbol, TermId, Var};
use crate::task::{Bias, Factors};
use std::sync::Arc;

/// The body predicates of a bias with their tables.
#[derive(Debug)]
pub struct Language<'d> {
    pub(super) database: &'d Database,
    pub(super) preds: Vec<BodyPred>,
    projections: Projections,
    /// Comparisons with numbers, whose numbers follow those of the predicates.
    pub(super) cut_preds: Vec<CutPred>,
    /// What a body may use of what the bias rations.
    pub(super) limits: Resources,
    /// Whether the bias allows what is not searched yet.
    partial: bool,
    /// Whether numbers and constants have a price.
    pub(super) priced: bool,
    /// The predicates that are computations.
    pub(super) computations: Vec<PredNo>,
    /// For each type the predicate of multiples by a chosen number, and what it is chosen from.
    multiples: Vec<(Symbol, PredNo, Factors)>,
    /// A predicate that a body may have only once.
    pub(super) once: Option<PredNo>,
    head: Pred,
    /// The arguments of the head that are constants.
    head_constants: Vec<(Var, Arg)>,
    pub(super) head_types: Box<[Option<Symbol>]>,
    /// Head variables that are bound before the body runs.
    pub(super) head_inputs: u64,
    max_vars: usize,
    /// Predicates with more arguments than a literal can have.
    wide: Vec<Pred>,
    pub(super) log: CallLog,
}

impl<'d> Language<'d> {
    /// The language of `bias` over `database`.
    pub fn new(bias: &Bias, database: &'d Database) -> Self {
        let mut preds: Vec<BodyPred> = bias
            .body
            .iter()
            .filter(|pred| pred.arity as usize <= MAX_ARITY)
            .filter_map(|&pred| {
                let place = database.place(pred)?;
                let (table, sensitive) = (database.table(place).is_some(), database.sensitive(place));
                Some(BodyPred { table, sensitive, ..BodyPred::called(pred, place, bias) })
            })
            .flat_map(|known| known.computing(bias))
            .collect();
        let selected: Vec<BodyPred> = database
            .selections()
            .iter()
            .filter_map(|selection| {
                let known = preds.iter().find(|known| known.pred == selection.pred)?;
                Some(BodyPred::selected(known, selection))
            })
            .collect();
        preds.extend(selected);
        let mut choosing = Vec::new();
        for (at, known) in preds.iter().enumerate().filter(|(_, known)| !known.table) {
            let arity = known.types.len();
            let places = (0..arity).filter(|&place| {
                arity > 1 && arity <= Lit::MOST_BESIDE_CHOSEN && bias.constants.allows(bias, known.pred, place)
            });
            choosing.extend(places.map(|place| BodyPred::choosing(known, PredNo::new(at), place)));
        }
        preds.extend(choosing);
        let mut multiples = Vec::new();
        let product = bias.cuts.multiples.as_ref().and_then(|multiples| {
            let place = database.place(multiples.product)?;
            Some(BodyPred::called(multiples.product, place, bias))
        });
        for known in product.iter().flat_map(|known| known.clone().computing(bias)) {
            let of = PredNo::new(preds.len());
            let typed = known.types[0].and_then(|kind| Some((kind, bias.cuts.factors(kind)?)));
            let choosing = BodyPred::choosing(&known, of, 0);
            preds.extend([known, choosing]);
            multiples.extend(typed.map(|(kind, factors)| (kind, PredNo::new(of.index() + 1), factors)));
        }
        let numbered = preds.iter().enumerate();
        let computations: Vec<PredNo> = numbered
            .filter(|(_, known)| bias.cuts.computations.contains(&known.pred))
            .map(|(at, _)| PredNo::new(at))
            .collect();
        let once = preds.iter().position(|known| Some(known.pred) == bias.once).map(PredNo::new);
        let head_inputs = bias.bound_by_callers(bias.head);
        let cut_preds = CutPred::all(bias);
        let constants = preds.iter().any(|pred| pred.constants() > 0);
        let numeric = !cut_preds.is_empty() || !computations.is_empty();
        let limits = Resources {
            numeric: Resources::limit(bias.cuts.most.filter(|_| numeric)),
            constants: Resources::limit(bias.constants.most.filter(|_| constants)),
            once: Resources::limit(once.map(|_| 1)),
        };
        let wide = |pred: &&Pred| pred.arity as usize > MAX_ARITY && bias.fewest_variables(**pred) <= bias.max_vars;
        Language {
            wide: bias.body.iter().filter(wide).copied().collect(),
            log: CallLog::default(),
            cut_preds,
            priced: bias.price_of_constant() > 0,
            partial: bias.cuts.exact_multiples,
            limits,
            database,
            projections: Projections::new(&preds, database),
            computations,
            multiples,
            once,
            preds,
            head: bias.head,
            head_constants: Vec::new(),
            head_types: bias.argument_types(bias.head),
            head_inputs,
            max_vars: bias.max_vars,
        }
    }

    /// From now on rules have `constants` as these arguments of the head, and wherever bodies mention those. What is constant is
    /// bound before the body runs, and is one of the constants that a rule may have.
    pub fn fix_head(&mut self, constants: &[(u8, TermId)]) {
        for &(at, id) in constants {
            let constant = self.database.argument(narrow(id.index())).expect("examples are of terms of the task");
            self.head_constants.push((Var(at), constant));
            self.head_inputs |= 1 << at;
        }
        if self.limits.constants < u16::MAX {
            self.limits.constants = self.limits.constants.saturating_sub(narrow(constants.len()));
        }
    }

    /// The tables of all predicates; `None` if some have none.
    pub fn tables(&self) -> Option<Vec<&'d Relation>> {
        self.preds.iter().map(|pred| self.database.table(pred.place)).collect()
    }

    /// The predicate with that number.
    pub fn body_pred(&self, no: PredNo) -> &BodyPred {
        &self.preds[no.index()]
    }

    /// How many arguments the head has.
    pub fn head_arity(&self) -> usize {
        self.head.arity as usize
    }

    /// The head variables that the body must bind.
    pub fn head_outputs(&self) -> u64 {
        !self.head_inputs & ((1 << self.head.arity) - 1)
    }

    /// All literals, fresh variables as placeholders, that use at least one variable of `touching`, given the types of
    /// the variables so far.
    pub fn literals(&self, types: &[Option<Symbol>], touching: u64, out: &mut Vec<Lit>) {
        let all = self.preds.iter().enumerate();
        let product = self.multiples.first().map(|(_, no, _)| self.preds[no.index()].place);
        for (at, pred) in all.filter(|(_, pred)| pred.chosen.is_none() && Some(pred.place) != product) {
            Lit::each(PredNo::new(at), &pred.types, types, &mut |lit| {
                if (lit.mask() & touching != 0 || pred.types.is_empty()) && types.len() + lit.fresh() <= self.max_vars {
                    out.push(lit);
                }
            });
        }
    }

    /// The types of the head's variables.
    pub fn head_types(&self) -> Vec<Option<Symbol>> {
        self.head_types.to_vec()
    }

    /// The types of all variables of a body with `vars` variables.
    pub fn types(&self, body: &[Lit], vars: usize) -> Vec<Option<Symbol>> {
        let mut types = self.head_types();
        types.resize(vars, None);
        for lit in body {
            for (&arg, &kind) in lit.args().iter().zip(self.argument_types(lit.pred)) {
                types[arg as usize] = types[arg as usize].or(kind);
            }
        }
        types
    }

    /// Numbers for the types of a body's local variables, equal for equal types.
    pub fn kinds(&self, body: &[Lit], vars: usize) -> Vec<u64> {
        let types = self.types(body, vars);
        types[self.head_arity()..].iter().map(|kind| kind.map_or(0, |kind| kind.index() as u64 + 1)).collect()
    }

    /// The types of the fresh variables of a literal.
    pub fn fresh_types(&self, lit: &Lit) -> Vec<Option<Symbol>> {
        let types = &self.body_pred(lit.pred).types;
        lit.args().iter().zip(types).filter(|(arg, _)| **arg >= FRESH).map(|(_, &kind)| kind).collect()
    }

    /// How to look `lit` up when its variables below [`FRESH`] are bound.
    pub fn access(&self, lit: &Lit, binding: bool) -> Access<'_> {
        let pred = self.body_pred(lit.pred);
        let (mut bound, mut fresh) = (Columns::default(), Columns::default());
        for (at, &arg) in lit.args().iter().enumerate() {
            if arg < FRESH {
                bound = bound.with(at);
            } else {
                fresh = fresh.with(at);
            }
        }
        if pred.table {
            let values = if binding { fresh } else { Columns::default() };
            Access::Table(self.database.index(pred.place, bound, values))
        } else {
            let (chosen, log) = (pred.chosen.map(|chosen| (chosen, lit.chosen())), &self.log);
            let (no, known) = chosen.map_or((lit.pred, pred), |(chosen, _)| (chosen.of, self.body_pred(chosen.of)));
            let chosen = chosen.map(|(chosen, value)| (chosen.at, value));
            let bound = chosen.map_or(bound, |(at, _)| bound.with_inserted(at));
            let computable = bound.contains(0) && bound.contains(1);
            let computes = if computable { self.database.computation(pred.place) } else { None };
            if computes.is_some() {
                log.note_answered((no, bound, Want::All));
            }
            Access::Called { database: self.database, place: pred.place, bound, chosen, computes, no, known, log }
        }
    }

    /// How to look `lit` up together with all literals that have other predicates and the same variables; `None` if it is looked
    /// up by itself.
    pub fn joint_lookup(&self, lit: &Lit) -> Option<JointLookup<'_>> {
        if self.cut_pred(lit.pred).is_some() {
            return None;
        }
        self.projections.lookup(lit, &self.preds, self.database)
    }

    /// The predicates that `no` with a chosen constant is, each with the argument that is the constant.
    pub fn choosing(&self, no: PredNo) -> impl Iterator<Item = (PredNo, usize)> {
        let all = self.preds.iter().enumerate().filter_map(|(at, pred)| Some((at, pred.chosen?)));
        all.filter(move |(_, chosen)| chosen.of == no).map(|(at, chosen)| (PredNo::new(at), chosen.at))
    }

    /// The answers to a call of `lit`, whose bound arguments have the values `key`, whatever must be bound for it otherwise;
    /// nothing is concluded from it.
    pub fn probe(&self, lit: &Lit, key: &[u32]) -> Arc<Answers> {
        let bound = lit.args().iter().enumerate().filter(|(_, arg)| **arg < FRESH);
        let bound = bound.fold(Columns::default(), |bound, (at, _)| bound.with(at));
        self.database.ask_within(self.body_pred(lit.pred).place, bound, key, Want::All, self.log.steps())
    }

    /// For each type whose variables may be multiplied by a chosen number, the predicate of multiples and what it is chosen from.
    pub fn multiples(&self) -> &[(Symbol, PredNo, Factors)] {
        &self.multiples
    }

    /// A value as it is written, for an order that no thread decides.
    pub fn written(&self, value: u32) -> String {
        self.database.with_answer_terms(|terms| terms.show(TermId::from_index(value)))
    }

    /// Whether a value can be written as an argument.
    pub fn is_writable(&self, value: u32) -> bool {
        self.database.argument(value).is_some()
    }

    /// The types of a predicate's arguments.
    pub fn argument_types(&self, no: PredNo) -> &[Option<Symbol>] {
        self.cut_pred(no).map_or_else(|| &*self.body_pred(no).types, |cut| &cut.types)
    }

    /// What must be bound for a use of a predicate: one of these sets of arguments.
    pub(super) fn modes(&self, no: PredNo, want: Want) -> &[u64] {
        if self.cut_pred(no).is_some() { &[1] } else { self.body_pred(no).modes(want) }
    }

    /// The index of a predicate's table.
    pub fn index(&self, no: PredNo, keys: Columns, values: Columns) -> Arc<Index> {
        self.database.index(self.body_pred(no).place, keys, values)
    }

    /// The types of arguments, each with the values it takes, ascending; `None` if a predicate has no table or some
    /// types are declared and others not.
    pub fn domains(&self) -> Option<Vec<(Option<Symbol>, Vec<u32>)>> {
        let mut domains: Vec<(Option<Symbol>, Vec<&[u32]>)> = Vec::new();
        for pred in &self.preds {
            let table = self.database.table(pred.place)?;
            for (at, &kind) in pred.types.iter().enumerate() {
                let slot = domains.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
                    domains.push((kind, Vec::new()));
                    domains.len() - 1
                });
                domains[slot].1.push(table.column(at));
            }
        }
        let mixed = domains.len() > 1 && domains.iter().any(|(kind, _)| kind.is_none());
        (!mixed).then(|| domains.into_iter().map(|(kind, columns)| (kind, values_of(&columns))).collect())
    }

    /// The call patterns that turned out not to answer since this was last asked.
    pub fn failed_calls(&self) -> Vec<CallPattern> {
        self.log.review()
    }

    /// From now on, make no calls of these patterns.
    pub fn bar(&mut self, patterns: &[CallPattern]) {
        for &(no, bound, want) in patterns {
            self.preds[no.index()].bar(bound, want);
        }
        for at in 0..self.preds.len() {
            if let Some(ChosenArgument { of, at: place }) = self.preds[at].chosen {
                self.preds[at] = BodyPred::choosing(&self.preds[of.index()], of, place);
            }
        }
    }

    /// Whether calls were put off that could be made with more steps.
    pub fn has_put_off(&self) -> bool {
        self.log.has_put_off()
    }

    /// Give calls more steps, so that those that were put off are made again; of which predicates these are.
    pub fn give_more_steps(&mut self) -> Vec<Pred> {
        let (freed, barred) = self.log.give_more_steps();
        for pred in &mut self.preds {
            pred.unbar();
        }
        self.bar(&barred);
        freed.iter().map(|(no, ..)| self.body_pred(*no).pred).collect()
    }

    /// What must be bound for each predicate, which tells what can be mined.
    pub fn all_modes(&self) -> Vec<(Vec<u64>, Vec<u64>)> {
        self.preds.iter().map(|pred| (pred.modes.clone(), pred.test_modes.clone())).collect()
    }

    /// What is in doubt because of calls, or because predicates are too wide.
    pub fn taints(&self) -> Vec<Taint> {
        let wide = self.wide.iter().map(|&pred| Taint::Wide { pred });
        let partial = self.partial.then_some(Taint::NotSearched);
        let real = self.multiples.iter().any(|(_, _, factors)| matches!(factors, Factors::Real(_)));
        let slopes = real.then_some(Taint::Slopes);
        let priced = self.priced.then_some(Taint::Priced);
        let constants = (!self.database.has_all_selections()).then_some(Taint::Constants);
        let log = self.log.taints(|no| self.body_pred(no).pred).into_iter();
        log.chain(wide).chain(constants).chain(partial).chain(slopes).chain(priced).collect()
    }

    /// About how many tuples a literal's table has for each combination of its bound arguments; 1 for calls.
    pub fn fan_out(&self, lit: &Lit) -> u64 {
        let pred = self.body_pred(lit.pred);
        let Some(table) = self.database.table(pred.place) else { return 1 };
        let bound = lit.args().iter().enumerate().filter(|(_, arg)| **arg < FRESH);
        let keys = bound.map(|(at, _)| table.distinct(at)).max().unwrap_or(1);
        (table.len() / keys.max(1)).max(1) as u64
    }

    /// Whether some predicate is called rather than looked up in a table.
    pub fn calls(&self) -> bool {
        self.preds.iter().any(|pred| !pred.table)
    }

    /// How many variables the widest predicate takes.
    pub fn widest(&self) -> usize {
        self.preds.iter().map(|pred| pred.types.len()).max().unwrap_or(0)
    }

    fn literal(&self, lit: &Lit) -> Literal {
        match self.cut_pred(lit.pred) {
            Some(cut) => self.cut_literal(lit, cut),
            None => self.body_pred(lit.pred).literal(lit, self.database),
        }
    }

    /// The body as a rule over variables, with those that stand for constants of the head.
    pub(super) fn general_rule(&self, body: &[Lit]) -> Rule {
        let head = Literal::over(self.head, &variables(self.head.arity));
        Rule { head, body: body.iter().map(|lit| self.literal(lit)).collect() }
    }

    /// The head variables that stand for constants.
    pub(super) fn constant_heads(&self) -> u64 {
        self.head_constants.iter().fold(0, |mask, (var, _)| mask | 1 << var.0)
    }

    /// The body as a rule.
    pub fn rule(&self, body: &[Lit]) -> Rule {
        let mut rule = self.general_rule(body);
        if !self.head_constants.is_empty() {
            let args = std::iter::once(&mut rule.head).chain(&mut rule.body).flat_map(|literal| &mut literal.args);
            for arg in args {
                let constant = self.head_constants.iter().find(|(var, _)| *arg == Arg::Var(*var));
                *arg = constant.map_or(*arg, |(_, constant)| *constant);
            }
        }
        rule
    }
}
