//! Phase 3 of the paper on new examples: which members cover them, and what the vote is.
//!
//! Members of a pool grow out of each other and share most of their rules. So the distinct rules are tested once each,
//! for all atoms of a batch, by the joins that learning uses; a member's votes are the union of its rules' covers.
//! Members that call themselves are resolved whole. A batch is divided among threads; what comes out does not depend
//! on how.

use super::Model;
use super::members::{declare_bodies, read_hypothesis};
use super::weights::is_positive;
use crate::bitset::Bitset;
use crate::coverage::{Evaluator, Notes};
use crate::database::Database;
use crate::error::Result;
use crate::logic::{Hypothesis, Pred, Rule, Terms, canonical_rule};
use crate::parse::Source;
use crate::task::{Batch, Bias, Examples, Task, TaskBuilder};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// No thread gets fewer atoms than this: each makes its plans anew.
const LEAST_SHARE: usize = 512;
/// When new constants take so many bytes more than those of the background they are forgotten.
const MOST_NEW_BYTES: usize = 64 << 20;

/// A model over a background, ready to predict.
#[derive(Debug)]
pub struct Predictor {
    weights: Vec<f64>,
    hypotheses: Vec<Hypothesis>,
    /// The different rules of members that do not call themselves.
    rules: Vec<Rule>,
    voters: Vec<Voter>,
    task: Task,
    /// The terms of the background and of the members alone.
    base: Terms,
    database: Database,
}

#[derive(Debug)]
enum Voter {
    /// Covers what any of these rules does.
    Union(Vec<usize>),
    /// To be tested as a whole.
    Whole,
}

/// What a model says about a batch of atoms.
#[derive(Debug, Clone)]
pub struct Predictions {
    /// For each atom, the share of the weight that votes positive.
    pub probabilities: Vec<f64>,
    /// For each atom, whether that is a positive vote.
    pub labels: Vec<bool>,
    /// For each member, the atoms that it covers.
    pub votes: Vec<Bitset>,
    /// What kept atoms from being covered other than logic.
    pub notes: Notes,
}

impl Predictor {
    /// `model` over the background that `background` describes. No bias is needed: the members' rules say which
    /// predicates matter.
    ///
    /// # Errors
    /// If the background or a rule of the model does not parse, or a rule is not flat.
    pub fn new(model: &Model, background: &Source<'_>) -> Result<Self> {
        let mut terms = Terms::default();
        let head = model.head.pred(&mut terms);
        let mut builder = TaskBuilder::from_bias(Bias::new(head), terms);
        builder.background(background.clone());
        // A task has examples; these are not known yet.
        let nothing = vec!["?"; head.arity as usize];
        builder.negative(nothing);
        let mut task = builder.build()?;
        let hypotheses = read_members(model, &mut task)?;
        let mut predictor = Predictor {
            weights: model.members.iter().map(|member| member.weight).collect(),
            rules: Vec::new(),
            voters: Vec::new(),
            database: Database::new(&task),
            base: task.terms.clone(),
            hypotheses,
            task,
        };
        predictor.divide();
        Ok(predictor)
    }

    /// Find the different rules, and of which of them each member is made.
    fn divide(&mut self) {
        let mut known: FxHashMap<Rule, usize> = FxHashMap::default();
        for hypothesis in &self.hypotheses {
            self.voters.push(if hypothesis.is_recursive() {
                Voter::Whole
            } else {
                let parts = hypothesis.rules.iter().map(|rule| {
                    *known.entry(canonical_rule(rule)).or_insert_with(|| {
                        self.rules.push(rule.clone());
                        self.rules.len() - 1
                    })
                });
                Voter::Union(parts.collect())
            });
        }
    }

    /// The predicate that is predicted.
    pub fn head(&self) -> Pred {
        self.task.bias.head
    }

    /// The terms that batches to predict are made of.
    pub fn terms(&self) -> &Terms {
        &self.task.terms
    }

    /// The same, to read a batch with; terms of earlier batches may be gone.
    pub fn terms_for_batch(&mut self) -> &mut Terms {
        if self.task.terms.bytes() > self.base.bytes() + MOST_NEW_BYTES {
            self.task.terms = self.base.clone();
            self.database.learn_terms(&self.base);
        }
        &mut self.task.terms
    }

    /// The same, for batches whose terms must outlive the next.
    pub fn terms_to_keep(&mut self) -> &mut Terms {
        &mut self.task.terms
    }

    /// The members' hypotheses.
    pub fn hypotheses(&self) -> &[Hypothesis] {
        &self.hypotheses
    }

    /// The members' weights.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The background.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// What the model says about `batch`, whose terms are those of [`Predictor::terms`].
    pub fn predict(&mut self, batch: &Batch) -> Predictions {
        if self.database.values() != self.task.terms.len() {
            self.database.learn_terms(&self.task.terms);
        }
        let share = batch.len().div_ceil(rayon::current_num_threads()).max(LEAST_SHARE);
        let starts: Vec<usize> = (0..batch.len()).step_by(share).collect();
        let this = &*self;
        let parts: Vec<(Vec<Bitset>, Notes)> =
            starts.par_iter().map(|&start| this.votes(batch, start..batch.len().min(start + share))).collect();
        let mut predictions = Predictions {
            probabilities: vec![0.0; batch.len()],
            labels: vec![false; batch.len()],
            votes: vec![Bitset::new(batch.len()); self.voters.len()],
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

    /// Weigh the votes, member by member; the sums are those of [`vote`](super::vote).
    fn tally(&self, predictions: &mut Predictions) {
        let total: f64 = self.weights.iter().sum();
        for (covered, weight) in predictions.votes.iter().zip(&self.weights) {
            covered.iter().for_each(|at| predictions.probabilities[at] += weight);
        }
        for (sum, label) in predictions.probabilities.iter_mut().zip(&mut predictions.labels) {
            (*sum, *label) = is_positive(*sum, total);
        }
    }

    /// For each member, which atoms of `range` it covers.
    fn votes(&self, batch: &Batch, range: std::ops::Range<usize>) -> (Vec<Bitset>, Notes) {
        let mut examples = Examples::new(self.head());
        range.for_each(|at| examples.push(true, batch.args(at), 1));
        let mut evaluator = Evaluator::new(&self.database, &examples);
        let covers: Vec<Bitset> = self.rules.iter().map(|rule| evaluator.rule(rule).pos).collect();
        let votes = self.voters.iter().zip(&self.hypotheses).map(|(voter, hypothesis)| match voter {
            Voter::Whole => evaluator.hypothesis(hypothesis).pos,
            Voter::Union(parts) => {
                let mut cover = Bitset::new(examples.positives());
                parts.iter().for_each(|&part| cover.union_with(&covers[part]));
                cover
            }
        });
        let votes = votes.collect();
        (votes, evaluator.notes().clone())
    }
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
    use crate::ensemble::{FORMAT, Head, Member, vote};
    use crate::task::Queries;

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
            members: members.collect(),
        }
    }

    /// The obvious twin: one atom and one member after the other, by resolution.
    fn slowly(model: &Model, background: &str, atoms: &[String]) -> Vec<(f64, bool)> {
        let exs: String = atoms.iter().map(|atom| format!("pos({atom}).\n")).collect();
        let mut terms = Terms::default();
        let head = model.head.pred(&mut terms);
        let mut builder = TaskBuilder::from_bias(Bias::new(head), terms);
        builder.background(background).examples(exs.as_str());
        let mut task = builder.build().unwrap();
        let hypotheses = read_members(model, &mut task).unwrap();
        let database = Database::new(&task);
        let mut slow = SlowEvaluator::new(&database, &task.examples);
        let covers: Vec<Bitset> = hypotheses.iter().map(|hypothesis| slow.hypothesis(hypothesis).pos).collect();
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
        let mut predictor = Predictor::new(&model, &Source::from(background.as_str())).unwrap();
        let said = quickly(&mut predictor, &atoms);
        assert_eq!(said, slowly(&model, &background, &atoms));
        assert!(said.iter().any(|(_, label)| *label) && said.iter().any(|(_, label)| !*label));
        assert_eq!(quickly(&mut predictor, &atoms), said, "a second batch says the same");
    }

    #[test]
    fn a_model_without_members_predicts_all_negative() {
        let mut predictor = Predictor::new(&model(("f", 0), &[]), &Source::from("p(a).")).unwrap();
        assert_eq!(quickly(&mut predictor, &["f".to_owned()]), [(0.0, false)]);
    }

    #[test]
    fn rules_that_cannot_vote_are_errors() {
        let message = |rule: &str| {
            let error = Predictor::new(&model(("f", 1), &[(1.0, &[rule])]), &Source::from("p(a).")).unwrap_err();
            error.to_string().lines().next().unwrap().to_owned()
        };
        assert_eq!(message("f(A) :- \\+ p(A)."), "<member 0>:1:1: error: the rule `f(A) :- \\+ p(A).` is not flat");
        assert_eq!(message("g(A) :- p(A)."), "<member 0>:1:1: error: a rule for g/1, which no other rule calls");
        assert!(message("f(A) :- p(A").starts_with("<member 0>:1:"));
    }
}
