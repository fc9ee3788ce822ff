//! What the paper says, to stand beside what we measure. Figures are those of its text and tables.

/// A mean with half the width of its 95 % interval, in percentage points.
pub type Cited = (f64, f64);

/// The costs in the order of the paper's figures.
pub const COSTS: [&str; 3] = ["mdl", "errorsize", "lexfnsize"];

/// Question 1: the gain of the ensemble over the baseline.
pub fn gain(cost: &str) -> Option<Cited> {
    pick(cost, [(0.5, 0.3), (0.2, 0.4), (11.8, 4.0)])
}

/// Question 1: the over-fit gap.
pub fn gap(cost: &str) -> Option<Cited> {
    pick(cost, [(0.5, 0.9), (0.0, 0.0), (12.0, 10.0)])
}

/// Question 4: overhead in per cent of learning.
pub fn overhead(cost: &str) -> Option<Cited> {
    pick(cost, [(0.2, 0.2), (0.6, 0.7), (0.1, 0.1)])
}

/// Question 5: the accuracy of bagging.
pub fn bagging(cost: &str) -> Option<Cited> {
    pick(cost, [(84.0, 4.0), (78.0, 5.0), (59.0, 6.0)])
}

/// Question 5: the accuracy of the snapshot ensemble.
pub fn snapshots(cost: &str) -> Option<Cited> {
    pick(cost, [(85.0, 4.0), (78.0, 5.0), (71.0, 5.0)])
}

/// The line through gains over gaps: slope and intercept.
pub const LINE: (f64, f64) = (0.9663, -0.253);

fn pick(cost: &str, values: [Cited; 3]) -> Option<Cited> {
    COSTS.iter().position(|name| *name == cost).map(|at| values[at])
}
