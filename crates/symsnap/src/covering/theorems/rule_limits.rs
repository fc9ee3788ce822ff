//! Limits on single rules.

/// What the best hypothesis so far leaves to be desired: rules outside these limits are in no better or equal one.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// Largest weight of false positives.
    pub fp: u64,
    /// Largest size.
    pub size: u64,
    /// Largest sum of both.
    pub sum: u64,
}

impl Wanted {
    /// No limits.
    pub const ALL: Wanted = Wanted { fp: u64::MAX, size: u64::MAX, sum: u64::MAX };

    /// Whether a rule is within the limits.
    #[inline]
    pub fn admits(&self, fp: u64, size: u64) -> bool {
        fp <= self.fp && size <= self.size && fp.saturating_add(size) <= self.sum
    }
}
