//! Positives that are asked about before anything is computed for the others.

/// Some positives with prices. A rule may miss some of them, as long as their prices sum to no more than the slack. Most of
/// what covers too little misses more, which is soon seen.
#[derive(Debug, Clone, Copy)]
pub struct Witnesses<'g> {
    asked: &'g [(u32, u64)],
    slack: u64,
}

impl<'g> Witnesses<'g> {
    /// Ask about these positives, each with its price.
    pub fn new(asked: &'g [(u32, u64)], slack: u64) -> Self {
        Witnesses { asked, slack }
    }

    /// Whom to ask where nothing is known.
    pub const NONE: Witnesses<'static> = Witnesses { asked: &[], slack: 0 };

    /// Whether nobody is asked.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// Whether too many are missed.
    #[inline]
    pub fn lack(&self, mut misses: impl FnMut(u32) -> bool) -> bool {
        let mut slack = self.slack;
        self.asked.iter().any(|&(example, price)| {
            if !misses(example) {
                return false;
            }
            let too_many = price > slack;
            slack = slack.saturating_sub(price);
            too_many
        })
    }
}
