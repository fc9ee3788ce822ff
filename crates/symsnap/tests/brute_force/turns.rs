//! Where rules and programs take turns: by the clock or by tests, whichever the run is limited by.

use std::time::Duration;
use symsnap::Budget;

/// More time than any of these tasks takes, or no limit at all, as the seed says.
pub fn budget(seed: u64) -> Budget {
    let plenty = Duration::from_secs(600);
    if seed % 2 == 1 { Budget::unlimited().with_time(plenty) } else { Budget::unlimited() }
}
