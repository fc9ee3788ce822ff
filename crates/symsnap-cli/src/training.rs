//! What a model says of the examples it was made of, where these are still what they were.

use crate::background::Background;
use std::path::Path;
use symsnap::internals::ensemble::Fingerprint;
use symsnap::internals::sets::Bitset;
use symsnap::internals::task::Queries;
use symsnap::{Confusion, Model};

/// Figures on the training examples.
pub struct TrainingFigures {
    /// For each member, the fraction of the examples on which it votes as the ensemble decides.
    pub agreement: Vec<f64>,
    /// What the vote gets right and wrong, by the weights of the examples.
    pub confusion: Confusion,
}

/// Run the members of a model, which was read from `path`, on its training examples. `None` if these are gone, or are other
/// files by now.
pub fn figures(model: &Model, path: &Path) -> Option<TrainingFigures> {
    let examples = symsnap::internals::file::read(Path::new(model.task.as_ref()?).join("exs.pl")).ok()?;
    let fingerprint = model.fingerprint.as_ref()?;
    if Fingerprint::hash(&examples) != fingerprint.exs {
        return None;
    }
    let mut predictor = Background::default().open_as_it_is(model, path).ok()?;
    let mut queries = Queries::new("exs.pl", examples.as_slice(), predictor.head());
    let (mut agreed, mut total) = (vec![0usize; model.members.len()], 0usize);
    let mut confusion = Confusion { tp: 0, fn_: 0, tn: 0, fp: 0 };
    loop {
        let batch = queries.next(predictor.terms_for_batch()).ok()?;
        if batch.is_empty() {
            break;
        }
        let said = predictor.predict(&batch);
        let mut positive = Bitset::new(batch.len());
        for (at, &label) in said.labels.iter().enumerate() {
            if label {
                positive.insert(at);
            }
            let (truth, weight) = batch.label(at)?;
            let count = match (truth, label) {
                (true, true) => &mut confusion.tp,
                (true, false) => &mut confusion.fn_,
                (false, true) => &mut confusion.fp,
                (false, false) => &mut confusion.tn,
            };
            *count += u64::from(weight);
        }
        total += batch.len();
        for (agreed, votes) in agreed.iter_mut().zip(&said.votes) {
            *agreed += batch.len() - votes.count_and_not(&positive) - positive.count_and_not(votes);
        }
    }
    let agreement = agreed.iter().map(|&agreed| agreed as f64 / total as f64).collect();
    (total > 0).then_some(TrainingFigures { agreement, confusion })
}
