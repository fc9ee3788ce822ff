//! Votes where the examples of one label weigh much more than those of the other.
//!
//! A share of the vote counts hypotheses. What it is worth where a positive weighs a thousand negatives, its
//! [`Calibration`] says; and it may say that no vote, not even a unanimous one, makes one of the labels the likelier. Then the
//! vote must not decide: a [constant member](super::constant) does, so that labels of all commands and exports agree with
//! the probabilities. Where examples weigh about the same the vote stands: out of the bag, a hypothesis for a handful of
//! examples is often wrong, and people expect to see it all the same.

use super::calibration::Calibration;
use super::constant::{always, with_threshold};
use super::training::Training;
use super::voter::Voter;
use crate::task::Examples;

/// The mean weight of one label's examples is at least as many times that of the other's.
const LOPSIDED: u64 = 2;

/// The voters and the curve, with a member more that decides where the curve says that votes do not.
pub(super) fn decided(
    training: &Training<'_>,
    voters: Vec<Voter>,
    curve: Option<Calibration>,
) -> (Vec<Voter>, Option<Calibration>) {
    let side = curve.as_ref().and_then(Calibration::one_side);
    let (Some(positive), Some(curve)) = (side.filter(|_| is_lopsided(&training.task().examples)), &curve) else {
        return (voters, curve);
    };
    let given: Vec<f64> = voters.iter().map(|voter| voter.weight).collect();
    let total: f64 = given.iter().sum();
    let (shares, constant) = with_threshold(&given, if positive { 0.0 } else { 1.5 * total });
    let scale: f64 = shares.iter().sum();
    let curve = curve.moved(if positive { constant } else { 0.0 }, scale);
    let weighed = voters.into_iter().zip(shares).map(|(voter, weight)| Voter { weight, ..voter });
    let same = training.voter(always(positive, training.task().bias.head), constant.abs());
    let label = if positive { "positive" } else { "negative" };
    training.note(format!(
        "by the weights of the examples all are likelier {label}, however members vote: one that always votes {label} decides"
    ));
    (weighed.chain([same]).collect(), Some(curve))
}

fn is_lopsided(examples: &Examples) -> bool {
    let sum = |weights: &[u32]| weights.iter().map(|&weight| u128::from(weight)).sum::<u128>();
    let (pos, neg) = (examples.positive_weights(), examples.negative_weights());
    // Means are compared without division.
    let (of_pos, of_neg) = (sum(pos) * neg.len() as u128, sum(neg) * pos.len() as u128);
    let factor = u128::from(LOPSIDED);
    !pos.is_empty() && !neg.is_empty() && (of_pos >= factor * of_neg || of_neg >= factor * of_pos)
}

#[cfg(test)]
mod tests {
    use crate::cost::Cost;
    use crate::ensemble::{METHODS, Model, OutsideHypothesis, Predictor, Training, evaluate};
    use crate::snapshot::SnapshotPool;
    use crate::task::Task;

    const BK: &str = "p(a). p(b). p(c). p(d). p(e). p(f). p(g). p(h).";

    /// What a method makes of one rule that covers six positives and two negatives, which weigh as much as is said, as do six
    /// others.
    fn model(weight: u32, method: &str) -> (Task, Model) {
        let pos = ["a", "b", "c", "d", "e", "f"].map(|name| format!("pos(x({name})). "));
        let neg = ["g", "h", "i", "j", "k", "l", "m", "n"].map(|name| format!("neg(x({name}),{weight}). "));
        let exs = pos.concat() + &neg.concat();
        let mut task = Task::from_texts(BK, &exs, "head_pred(x,1). body_pred(p,1).").unwrap();
        let found = [OutsideHypothesis { rules: "x(A) :- p(A).".to_owned(), line: 1 }];
        let mut pool = SnapshotPool::default();
        for candidate in evaluate("<test>", &found, &mut task, Cost::Mdl).unwrap() {
            pool.offer(&candidate);
        }
        let method = METHODS.iter().find(|it| it.name() == method).unwrap();
        let model = Model::fit(&Training::new(&task, &pool, Cost::Mdl), *method).unwrap();
        (task, model)
    }

    #[test]
    fn a_vote_that_weights_outweigh_does_not_decide_and_labels_agree_with_probabilities() {
        for method in ["resampled", "single", "paper"] {
            for (weight, covered) in [(1, true), (4_000, false)] {
                let (task, model) = model(weight, method);
                let mut predictor = Predictor::new(&model, &task).unwrap();
                let said = predictor.ask([["c"], ["k"]]).unwrap();
                let told = format!("{method}, {weight}: {:?}", said.probabilities);
                assert_eq!(said.labels, [covered, false], "{told}");
                for (probability, label) in said.probabilities.iter().zip(&said.labels) {
                    assert_eq!(*probability > 0.5, *label, "{told}");
                }
                let total: f64 = model.members.iter().map(|member| member.weight).sum();
                assert!((total - 1.0).abs() < 1e-9, "{told}");
                assert_eq!(model.notes.iter().any(|note| note.contains("likelier negative")), !covered, "{told}");
            }
        }
    }
}
