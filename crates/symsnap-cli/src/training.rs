//! What a model says of the examples it was made of, where these are still what they were.

use crate::background::Background;
use std::path::Path;
use symsnap::internals::ensemble::Fingerprint;
use symsnap::internals::evaluate::ProbabilityScore;
use symsnap::internals::sets::Bitset;
use symsnap::internals::task::Queries;
use symsnap::{Confusion, Model, Predictions};
use symsnap_lab::report::OnTraining;
use symsnap_tables::{Dataset, Purpose, TableModel};

/// Figures on the training examples.
pub struct TrainingFigures {
    /// For each member, the fraction of the examples on which it votes as the ensemble decides.
    pub agreement: Vec<f64>,
    /// What the vote gets right and wrong, and how good its probabilities are, by the weights of the examples.
    pub fit: OnTraining,
}

/// Counts what is said about examples.
struct Tally {
    agreed: Vec<usize>,
    total: usize,
    fit: OnTraining,
}

/// Run the members of a model, which was read from `path`, on its training examples; of a file with several models, it is that of
/// `class`. `None` if these examples are gone, or are others by now.
pub fn figures(model: &Model, path: &Path, class: Option<&str>) -> Option<TrainingFigures> {
    let mut tally = Tally::new(model.members.len());
    match TableModel::read(path).ok()? {
        Some(whole) => on_tables(&whole, path, class, &mut tally)?,
        None => on_task(model, path, &mut tally)?,
    }
    tally.figures()
}

fn on_task(model: &Model, path: &Path, tally: &mut Tally) -> Option<()> {
    let examples = symsnap::internals::file::read(Path::new(model.task.as_ref()?).join("exs.pl")).ok()?;
    let fingerprint = model.fingerprint.as_ref()?;
    if Fingerprint::hash(&examples) != fingerprint.exs {
        return None;
    }
    let mut predictor = Background::default().open_as_it_is(model, path).ok()?;
    let mut queries = Queries::new("exs.pl", examples.as_slice(), predictor.head());
    loop {
        let batch = queries.next(predictor.terms_for_batch()).ok()?;
        if batch.is_empty() {
            return Some(());
        }
        let said = predictor.predict(&batch);
        let truth: Vec<(bool, u32)> = (0..batch.len()).map(|at| batch.label(at)).collect::<Option<_>>()?;
        tally.count(&said, &truth);
    }
}

fn on_tables(whole: &TableModel, path: &Path, class: Option<&str>, tally: &mut Tally) -> Option<()> {
    let name = path.display().to_string();
    let tables = Background::default().tables(whole, &name, &mut |_, _| {}).ok()?;
    let data = Dataset::new(whole.origin.schema(&name).ok()?, tables, Purpose::Learning).ok()?;
    let label = class.map_or(Some(0), |class| whole.origin.labels.iter().position(|label| label == class))?;
    let rows = whole.on_training_rows(label, &data).ok()??;
    tally.count(&rows.said, &rows.truth);
    Some(())
}

impl Tally {
    fn new(members: usize) -> Self {
        let confusion = Confusion { tp: 0, fn_: 0, tn: 0, fp: 0 };
        let fit = OnTraining { confusion, probabilities: ProbabilityScore::default() };
        Tally { agreed: vec![0; members], total: 0, fit }
    }

    /// Count what is said about examples of which the truth and the weight are known.
    fn count(&mut self, said: &Predictions, truth: &[(bool, u32)]) {
        let mut positive = Bitset::new(truth.len());
        for (at, &(truth, weight)) in truth.iter().enumerate() {
            if said.labels[at] {
                positive.insert(at);
            }
            let confusion = &mut self.fit.confusion;
            let count = match (truth, said.labels[at]) {
                (true, true) => &mut confusion.tp,
                (true, false) => &mut confusion.fn_,
                (false, true) => &mut confusion.fp,
                (false, false) => &mut confusion.tn,
            };
            *count += u64::from(weight);
            let probability = said.probabilities[at];
            self.fit.probabilities.count(&[probability, 1.0 - probability], usize::from(!truth), f64::from(weight));
        }
        self.total += truth.len();
        for (agreed, votes) in self.agreed.iter_mut().zip(&said.votes) {
            *agreed += truth.len() - votes.count_and_not(&positive) - positive.count_and_not(votes);
        }
    }

    fn figures(self) -> Option<TrainingFigures> {
        let agreement = self.agreed.iter().map(|&agreed| agreed as f64 / self.total as f64).collect();
        (self.total > 0).then_some(TrainingFigures { agreement, fit: self.fit })
    }
}
