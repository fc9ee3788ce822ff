//! How many votes of members on atoms a core gives in a second, on real tasks: learn for a fixed number of ticks, then
//! predict the task's own examples, all distinct, again and again.
//!
//! `SYMSNAP_DATA=... cargo bench -p symsnap --bench predict`
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::PathBuf;
use std::time::Instant;
use symsnap::internals::ensemble::{Paper, Training};
use symsnap::internals::learn::Symsnap;
use symsnap::internals::task::Queries;
use symsnap::{Budget, Cost, Learner, Model, Predictor, Settings, SnapshotPool, Task, Text};

const ROUNDS: usize = 20;

fn main() {
    let Some(data) = std::env::var_os("SYMSNAP_DATA").map(PathBuf::from) else {
        println!("SKIPPED: SYMSNAP_DATA names no folder with tasks");
        return;
    };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for name in ["trains/trains1", "trains/trains2", "alzheimer/amine", "alzheimer/toxic"] {
        let folder = data.join("tasks").join(name);
        let task = Task::from_dir(&folder).unwrap();
        let mut pool = SnapshotPool::default();
        let settings = Settings { threads: 1, ..Settings::default() };
        Symsnap { settings }.learn_task(&task, &Budget::unlimited().with_ticks(20_000), &mut pool).unwrap();
        let model = Model::fit(&Training::new(&task, &pool, Cost::Mdl), &Paper::DEFAULT).unwrap();
        let (bk, exs) = (
            symsnap::internals::file::read(folder.join("bk.pl")).unwrap(),
            symsnap::internals::file::read(folder.join("exs.pl")).unwrap(),
        );
        let mut predictor = Predictor::new(&model, &[Text::from_bytes("bk.pl", &bk).unwrap()]).unwrap();
        let mut queries = Queries::new("exs.pl", exs.as_slice(), predictor.head());
        let batch = queries.next(predictor.terms_for_batch()).unwrap();
        let best = (0..ROUNDS).map(|_| {
            let start = Instant::now();
            std::hint::black_box(one.install(|| predictor.predict(&batch)));
            start.elapsed().as_secs_f64()
        });
        let seconds = best.fold(f64::INFINITY, f64::min);
        let votes = batch.len() * model.members.len();
        println!(
            "{name}: {} atoms, {} members, {votes} votes in {:.3} ms: {:.1} million a second",
            batch.len(),
            model.members.len(),
            seconds * 1e3,
            votes as f64 / seconds / 1e6
        );
    }
}
