//! What literals are worth in examples, as whole numbers that need no division.
//!
//! The theorems compare weights of examples with numbers of literals. Miners ask so often that 128-bit arithmetic would
//! show, so the quotients are computed once for the few sizes that occur.

use crate::cost::Objective;

/// What is sought, and so what may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seek {
    /// One best hypothesis: a rule may be left out if without it hypotheses cost no more.
    One,
    /// Every best hypothesis: a rule may be left out only if hypotheses with it cost more than others.
    All,
}

/// How many literals pay for how much weight, under one cost.
#[derive(Debug, Clone)]
pub struct Rates {
    objective: Objective,
    seek: Seek,
    support: Box<[u64]>,
    improvement: Box<[u64]>,
    spare: Box<[u64]>,
}

/// Sizes up to this are looked up; larger ones, which no known task has, are computed.
const TABLE: u64 = 64;

impl Rates {
    /// The rates of `objective`.
    pub fn new(objective: Objective, seek: Seek) -> Self {
        let table = |unit: i128, seek: Seek| (0..TABLE).map(|count| at_most(&objective, unit, count, seek)).collect();
        Rates {
            objective,
            seek,
            support: table(objective.fn_, seek),
            improvement: table(objective.fp, seek),
            spare: table(objective.fn_, Seek::One),
        }
    }

    /// What is sought.
    pub fn seek(&self) -> Seek {
        self.seek
    }

    /// The objective that they are the rates of.
    pub fn objective(&self) -> &Objective {
        &self.objective
    }

    /// The largest weight of positives that is not worth `literals`: `A·w <= C·literals`, or less than that where every
    /// best hypothesis is sought.
    #[inline]
    pub fn support(&self, literals: u64) -> u64 {
        self.look_up(&self.support, self.objective.fn_, literals, self.seek)
    }

    /// The largest weight of negatives that is not worth `literals`, likewise: `B·w <= C·literals`.
    #[inline]
    pub fn improvement(&self, literals: u64) -> u64 {
        self.look_up(&self.improvement, self.objective.fp, literals, self.seek)
    }

    /// The largest weight of positives that `literals` pay for, whatever is sought: `A·w <= C·literals`.
    #[inline]
    pub fn spare(&self, literals: u64) -> u64 {
        self.look_up(&self.spare, self.objective.fn_, literals, Seek::One)
    }

    #[inline]
    fn look_up(&self, table: &[u64], unit: i128, count: u64, seek: Seek) -> u64 {
        let known = usize::try_from(count).ok().and_then(|at| table.get(at));
        known.copied().unwrap_or_else(|| at_most(&self.objective, unit, count, seek))
    }
}

/// The largest `w` with `unit·w <= C·literals`, or with `unit·w < C·literals` where every best hypothesis is sought.
fn at_most(objective: &Objective, unit: i128, literals: u64, seek: Seek) -> u64 {
    let price = objective.size * i128::from(literals) - i128::from(seek == Seek::All);
    u64::try_from(price.max(0) / unit).unwrap_or(u64::MAX)
}
