//! Work spread over threads with results in the order of the work, so that no result depends on timing.

use rayon::prelude::*;

/// A number of threads to spread work over.
#[derive(Debug)]
pub struct Threads {
    pool: Option<rayon::ThreadPool>,
}

impl Threads {
    /// `count` threads; with one (or if the system gives no more) everything runs on the caller's.
    pub fn new(count: usize) -> Self {
        let pool = (count > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(count).build().ok()).flatten();
        Threads { pool }
    }

    /// `work` on every item, results in the order of the items.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
        match &self.pool {
            Some(pool) => pool.install(|| items.par_iter().with_max_len(1).map(&work).collect()),
            None => items.iter().map(work).collect(),
        }
    }
}
