//! Phase 3 of the paper on new examples: which members cover them, and what the vote is.
//!
//! Each different rule is tested once, for all atoms of a batch, by the joins that learning uses
//! ([`CoverCache`]). A batch is divided among threads; what comes out does not depend on how.

use super::explain::{Explainer, Why};
use super::members::{declare_bodies, read_hypothesis};
use super::weights::is_positive;
use super::{Calibration, Model};
use crate::coverage::{CoverCache, Evaluator, Notes};
use crate::database::Database;
use crate::error::{Diagnostic, Result};
use crate::logic::{Hypothesis, Pred, TermId, Terms};
use crate::sets::Bitset;
use crate::task::{Background, Batch, Bias, Examples, Program, Task, Value};
use rayon::prelude::*;

/// No thread gets fewer atoms than this: each makes its plans anew.
const LEAST_SHARE: usize = 512;
/// Bytes that constants of the examples asked about may take beside those of the background before they are forgotten.
const MOST_NEW_BYTES: usize = 64 << 20;

/// A model over a background, ready to predict and to explain. Making one reads the rules and evaluates the background; asking
/// it is cheap, so keep it for further questions.
#[derive(Debug)]
pub struct Predictor {
    weights: Vec<f64>,
    calibration: Option<Calibration>,
    hypotheses: Vec<Hypothesis>,
    task: Task,
    /// The terms of the background and of the members alone.
    base: Terms,
    database: Database,
}

/// What a model says about a batch of atoms, in the order in which they were asked about.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Predictions {
    /// For each atom, how probable it is that it is positive. Above one half for those that are labelled so.
    pub probabilities: Vec<f64>,
    /// For each atom, the share of the weight that votes positive.
    pub shares: Vec<f64>,
    /// For each atom, whether that is a positive vote: at least half.
    pub labels: Vec<bool>,
    /// For each member, the atoms that it covers.
    #[doc(hidden)]
    pub votes: Vec<Bitset>,
    /// What kept atoms from being covered other than logic.
    #[doc(hidden)]
    pub notes: Notes,
}

impl Predictor {
    /// `model` over a background: texts, rows made in code, or that of a task. No bias is needed: the members' rules say
    /// which predicates matter.
    ///
    /// # Errors
    /// If the background or a rule of the model does not parse, or a rule is not flat.
    pub fn new(model: &Model, background: impl Into<Background>) -> Result<Self> {
        let (mut terms, program) = background.into().finish()?;
        let bias = Bias::new(model.head.pred(&mut terms));
        let mut task = Task { examples: Examples::new(bias.head), terms, program, bias, warnings: Vec::new() };
        let hypotheses = read_members(model, &mut task)?;
        Ok(Predictor {
            weights: model.members.iter().map(|member| member.weight).collect(),
            calibration: model.calibration.clone(),
            database: Database::new(&task),
            base: task.terms.clone(),
            hypotheses,
            task,
        })
    }

    /// What the model says about atoms, given by their arguments.
    ///
    /// # Errors
    /// If an atom has more or fewer arguments than the head.
    pub fn ask<'v, V: Into<Value<'v>>, A: IntoIterator<Item = V>>(
        &mut self,
        atoms: impl IntoIterator<Item = A>,
    ) -> Result<Predictions> {
        let (head, terms) = (self.head(), self.terms_for_batch());
        let mut batch = Batch::new(head.arity as usize);
        for (at, atom) in atoms.into_iter().enumerate() {
            batch.push(&interned(head, at, atom, terms)?);
        }
        Ok(self.predict(&batch))
    }

    /// Why each member votes as it does on the atom with these arguments, in the order of the members. This searches for a
    /// proof that people can follow, one atom at a time; for labels alone [`Predictor::ask`] is faster.
    ///
    /// # Errors
    /// If the atom has more or fewer arguments than the head.
    pub fn explain<'v, V: Into<Value<'v>>>(&mut self, atom: impl IntoIterator<Item = V>) -> Result<Vec<Why>> {
        let (head, terms) = (self.head(), self.terms_for_batch());
        let atom = interned(head, 0, atom, terms)?;
        self.tell_database();
        let mut explainer = Explainer::new(&self.database);
        Ok(self.hypotheses.iter().map(|hypothesis| explainer.why(hypothesis, head, &atom)).collect())
    }

    /// The predicate that is predicted.
    #[doc(hidden)]
    pub fn head(&self) -> Pred {
        self.task.bias.head
    }

    /// The terms that batches to predict are made of.
    #[doc(hidden)]
    pub fn terms(&self) -> &Terms {
        &self.task.terms
    }

    /// The same, to read a batch with; terms of earlier batches may be gone.
    #[doc(hidden)]
    pub fn terms_for_batch(&mut self) -> &mut Terms {
        if self.task.terms.bytes() > self.base.bytes() + MOST_NEW_BYTES {
            self.task.terms = self.base.clone();
            self.database.learn_terms(&self.base);
        }
        &mut self.task.terms
    }

    /// The same, for batches whose terms must outlive the next.
    #[doc(hidden)]
    pub fn terms_to_keep(&mut self) -> &mut Terms {
        &mut self.task.terms
    }

    /// Whether the background, or a rule of the model, has this term: whether it was there before any batch was read.
    pub(crate) fn is_known(&self, term: TermId) -> bool {
        term.index() < self.base.len()
    }

    /// The background program.
    #[doc(hidden)]
    pub fn program(&self) -> &Program {
        &self.task.program
    }

    /// The members' hypotheses.
    #[doc(hidden)]
    pub fn hypotheses(&self) -> &[Hypothesis] {
        &self.hypotheses
    }

    /// What a share of the vote is worth as a probability, where it does not decide the label: between several classes.
    #[doc(hidden)]
    pub fn worth(&self, share: f64) -> f64 {
        self.calibration.as_ref().map_or(share, |curve| curve.value(share))
    }

    /// How shares of the vote become probabilities.
    pub(super) fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }

    /// The members' weights.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The background.
    #[doc(hidden)]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// What the model says about `batch`, whose terms are those of [`Predictor::terms`].
    #[doc(hidden)]
    pub fn predict(&mut self, batch: &Batch) -> Predictions {
        self.tell_database();
        let share = batch.len().div_ceil(rayon::current_num_threads()).max(LEAST_SHARE);
        let starts: Vec<usize> = (0..batch.len()).step_by(share).collect();
        let this = &*self;
        let parts: Vec<(Vec<Bitset>, Notes)> =
            starts.par_iter().map(|&start| this.votes(batch, start..batch.len().min(start + share))).collect();
        let mut predictions = Predictions {
            probabilities: Vec::new(),
            shares: vec![0.0; batch.len()],
            labels: vec![false; batch.len()],
            votes: vec![Bitset::new(batch.len()); self.hypotheses.len()],
            notes: Notes::default(),
        };
        for (start, (votes, notes)) in starts.iter().zip(&parts) {
            for (member, covered) in votes.iter().enumerate() {
                covered.iter().for_each(|at| predictions.votes[member].insert(start + at));
            }
            predictions.notes.add(notes);
        }
        self.tally(&mut predictions);
        predictions
    }

    /// Let the database know the terms that were made since it was last asked.
    fn tell_database(&mut self) {
        if self.database.values() != self.task.terms.len() {
            self.database.learn_terms(&self.task.terms);
        }
    }

    /// Weigh the votes, member by member; the sums are those of [`vote`](super::vote).
    fn tally(&self, predictions: &mut Predictions) {
        let total: f64 = self.weights.iter().sum();
        for (covered, weight) in predictions.votes.iter().zip(&self.weights) {
            covered.iter().for_each(|at| predictions.shares[at] += weight);
        }
        for (sum, label) in predictions.shares.iter_mut().zip(&mut predictions.labels) {
            (*sum, *label) = is_positive(*sum, total);
        }
        let said = predictions.shares.iter().zip(&predictions.labels);
        predictions.probabilities = match &self.calibration {
            Some(curve) => said.map(|(&share, &label)| curve.probability(share, label)).collect(),
            None => predictions.shares.clone(),
        };
    }

    /// For each member, which atoms of `range` it covers.
    fn votes(&self, batch: &Batch, range: std::ops::Range<usize>) -> (Vec<Bitset>, Notes) {
        let mut examples = Examples::new(self.head());
        range.for_each(|at| examples.push(true, batch.args(at), 1));
        let (mut cache, mut evaluator) = (CoverCache::default(), Evaluator::new(&self.database, &examples));
        let covers =
            self.hypotheses.iter().map(|hypothesis| cache.hypothesis(&mut evaluator, hypothesis).cover.clone());
        let votes = covers.map(|cover| cover.pos().to_bitset()).collect();
        (votes, cache.notes().clone())
    }
}

/// The arguments of atom number `at` as terms.
fn interned<'v, V: Into<Value<'v>>>(
    head: Pred,
    at: usize,
    atom: impl IntoIterator<Item = V>,
    terms: &mut Terms,
) -> Result<Vec<TermId>> {
    let args: Vec<TermId> = atom.into_iter().map(|arg| arg.into().intern(terms)).collect();
    if args.len() == head.arity as usize {
        return Ok(args);
    }
    let message = format!("atom {at} has {} arguments, but {} is asked for", args.len(), head.show(terms));
    Err(Diagnostic::error(message).into())
}

/// The members as hypotheses over the terms of `task`, and their body predicates in its bias.
fn read_members(model: &Model, task: &mut Task) -> Result<Vec<Hypothesis>> {
    let members = model.members.iter().enumerate();
    let hypotheses: Vec<Hypothesis> = members
        .map(|(at, member)| read_hypothesis(&format!("<member {at}>"), &member.rules.join("\n"), task))
        .collect::<Result<_>>()?;
    declare_bodies(&hypotheses, task);
    Ok(hypotheses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Confusion, Cost};
    use crate::coverage::SlowEvaluator;
    use crate::ensemble::model::FORMAT;
    use crate::ensemble::{Head, Member, vote};
    use crate::parse::Text;
    use crate::task::{Queries, TaskBuilder};
    use proptest::prelude::*;

    fn model(head: (&str, u32), members: &[(f64, &[&str])]) -> Model {
        let members = members.iter().map(|(weight, rules)| Member {
            weight: *weight,
            rules: rules.iter().map(|&rule| rule.to_owned()).collect(),
            confusion: Confusion::default(),
            size: 0,
            value: Vec::new(),
        });
        Model {
            format: FORMAT,
            symsnap: String::new(),
            task: None,
            fingerprint: None,
            head: Head { name: head.0.to_owned(), arity: head.1 },
            cost: Cost::Mdl.name().to_owned(),
            method: "paper".to_owned(),
            settings: Default::default(),
            seed: 1,
            notes: Vec::new(),
            pool: None,
            vote: None,
            calibration: None,
            members: members.collect(),
            rules: Vec::new(),
        }
    }

    /// The obvious twin: one atom and one member after the other, by resolution.
    fn slow_votes(model: &Model, background: &str, atoms: &[String]) -> Vec<Bitset> {
        let exs: String = atoms.iter().map(|atom| format!("pos({atom}).\n")).collect();
        let mut terms = Terms::default();
        let head = model.head.pred(&mut terms);
        let mut builder = TaskBuilder::from_bias(Bias::new(head), terms);
        builder.background(background).examples(exs.as_str());
        let mut task = builder.build().unwrap();
        let hypotheses = read_members(model, &mut task).unwrap();
        let database = Database::new(&task);
        let mut slow = SlowEvaluator::new(&database, &task.examples);
        hypotheses.iter().map(|hypothesis| slow.hypothesis(hypothesis).pos().to_bitset()).collect()
    }

    fn slowly(model: &Model, background: &str, atoms: &[String]) -> Vec<(f64, bool)> {
        let covers = slow_votes(model, background, atoms);
        let weights: Vec<f64> = model.members.iter().map(|member| member.weight).collect();
        (0..atoms.len()).map(|at| vote(&weights, covers.iter().map(|cover| cover.contains(at)))).collect()
    }

    fn quickly(predictor: &mut Predictor, atoms: &[String]) -> Vec<(f64, bool)> {
        let text: String = atoms.iter().map(|atom| format!("{atom}.\n")).collect();
        let mut queries = Queries::new("<text>", text.as_bytes(), predictor.head());
        let mut said = Vec::new();
        loop {
            let batch = queries.next(predictor.terms_for_batch()).unwrap();
            if batch.is_empty() {
                return said;
            }
            let predictions = predictor.predict(&batch);
            said.extend(predictions.probabilities.into_iter().zip(predictions.labels));
        }
    }

    #[test]
    fn votes_are_those_of_resolution_member_by_member() {
        let edges: String = (0..30).map(|at| format!("e({at},{}). ", (at * 7 + 3) % 30)).collect();
        let background = format!("{edges} red(3). red(9). red(24). big(X) :- integer(X), X > 15.");
        let model = model(
            ("f", 2),
            &[
                (0.3, &["f(A,B) :- e(A,B)."]),
                (0.2, &["f(A,B) :- e(A,C), e(C,B).", "f(X,Y) :- e(X,Y)."]),
                (0.3, &["f(A,B) :- e(A,B).", "f(A,B) :- e(A,C), f(C,B)."]),
                (0.1, &["f(A,B) :- red(A), big(B)."]),
                (0.1, &["f(A,3) :- big(A)."]),
            ],
        );
        // More than one thread's share, with constants that the background does not have.
        let atoms: Vec<String> = (0..40)
            .flat_map(|a| (0..40).map(move |b| format!("f({a},{b})")))
            .chain(["f(nobody,[x])".to_owned()])
            .collect();
        let mut predictor = Predictor::new(&model, &[Text::from(background.as_str())]).unwrap();
        let said = quickly(&mut predictor, &atoms);
        assert_eq!(said, slowly(&model, &background, &atoms));
        assert!(said.iter().any(|(_, label)| *label) && said.iter().any(|(_, label)| !*label));
        assert_eq!(quickly(&mut predictor, &atoms), said, "a second batch says the same");
    }

    #[test]
    fn a_member_votes_alike_alone_and_behind_one_with_its_literals_in_another_order() {
        let background = "p(a,1). p(b,5). gt3(X) :- X > 3.";
        let (good, bad) = ("f(A) :- p(A,B), gt3(B).", "f(A) :- gt3(B), p(A,B).");
        let atoms = ["f(a)".to_owned(), "f(b)".to_owned()];
        let said = |members: &[(f64, &[&str])]| {
            quickly(&mut Predictor::new(&model(("f", 1), members), &[Text::from(background)]).unwrap(), &atoms)
        };
        assert_eq!(said(&[(1.0, &[bad])]), [(0.0, false), (0.0, false)]);
        assert_eq!(said(&[(0.5, &[good]), (0.5, &[bad])]), [(0.0, false), (0.5, true)]);
        assert_eq!(said(&[(0.5, &[bad]), (0.5, &[good])]), [(0.0, false), (0.5, true)]);
    }

    /// Tables, and predicates that are called: some raise errors when an argument is unbound or of another type.
    const CALLED: &str = "p(a,1). p(a,5). p(b,6). p(c,x). p(d,[1,2]). p(1,2). q(5). q(x). q([1,2]). k(3). k(0).
        gt(X,Y) :- X > Y. succ_of(X,Y) :- Y is X + 1. ratio(X,Y) :- 2 is 6 // Y, X \\== Y.
        item(X,Y) :- nonvar(X), member(Y,X). two(a). two(X) :- X > 1.";

    fn rules() -> impl Strategy<Value = String> {
        let literal = (0usize..8, 0usize..4, 0usize..4).prop_map(|(pred, x, y)| {
            let (x, y) = (["A", "B", "C", "D"][x], ["A", "B", "C", "D"][y]);
            match ["p", "q", "k", "gt", "succ_of", "ratio", "item", "two"][pred] {
                one @ ("q" | "k" | "two") => format!("{one}({x})"),
                two => format!("{two}({x},{y})"),
            }
        });
        prop::collection::vec(literal, 1..5).prop_map(|body| format!("f(A) :- {}.", body.join(", ")))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn votes_are_those_of_each_member_alone_whatever_its_rules_call_and_in_which_order(
            mut members in prop::collection::vec(prop::collection::vec(rules(), 1..4), 1..4),
            turned in 0usize..4,
        ) {
            // One member more has the rules of another with their literals turned round.
            let one = members[turned % members.len()].iter().map(|rule| {
                let body = rule.trim_start_matches("f(A) :- ").trim_end_matches('.');
                let mut literals: Vec<&str> = body.split(", ").collect();
                literals.reverse();
                format!("f(A) :- {}.", literals.join(", "))
            });
            let one = one.collect();
            members.push(one);
            let texts: Vec<Vec<&str>> = members.iter().map(|it| it.iter().map(String::as_str).collect()).collect();
            let weighed: Vec<(f64, &[&str])> = texts.iter().map(|rules| (0.25, rules.as_slice())).collect();
            let model = model(("f", 1), &weighed);
            let atoms: Vec<String> =
                ["a", "b", "c", "d", "1", "6", "[1,2]", "x", "nobody"].map(|term| format!("f({term})")).to_vec();
            let mut predictor = Predictor::new(&model, &[Text::from(CALLED)]).unwrap();
            let text: String = atoms.iter().map(|atom| format!("{atom}.\n")).collect();
            let batch = Queries::new("<text>", text.as_bytes(), predictor.head()).next(predictor.terms_for_batch());
            let votes = predictor.predict(&batch.unwrap()).votes;
            prop_assert_eq!(votes, slow_votes(&model, CALLED, &atoms));
        }
    }

    #[test]
    fn a_model_without_members_predicts_all_negative() {
        let mut predictor = Predictor::new(&model(("f", 0), &[]), &[Text::from("p(a).")]).unwrap();
        assert_eq!(quickly(&mut predictor, &["f".to_owned()]), [(0.0, false)]);
    }

    #[test]
    fn rules_that_cannot_vote_are_errors() {
        let message = |rule: &str| {
            let error = Predictor::new(&model(("f", 1), &[(1.0, &[rule])]), &[Text::from("p(a).")]).unwrap_err();
            error.to_string().lines().next().unwrap().to_owned()
        };
        assert_eq!(
            message("f(A) :- \\+ \\+ p(A)."),
            "<member 0>:1:1: error: the rule `f(A) :- \\+ \\+ p(A).` is not flat"
        );
        assert_eq!(message("g(A) :- p(A)."), "<member 0>:1:1: error: a rule for g/1, which no other rule calls");
        assert!(message("f(A) :- p(A").starts_with("<member 0>:1:"));
    }
}
