//! The settings of Aleph that this learner has.

/// What Aleph's users set; the names are Aleph's.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Aleph {
    /// Layers of new variables in a bottom clause.
    pub(in super::super) i: usize,
    /// Literals of a rule, its head included, beside what the bias allows.
    pub(in super::super) clauselength: usize,
    /// Negatives that a rule may cover.
    pub(in super::super) noise: u64,
    /// The part of what a rule covers that must be positive.
    pub(in super::super) minacc: f64,
    /// Rules that are looked at for one seed.
    pub(in super::super) nodes: u64,
}

impl Aleph {
    /// `i` and `nodes` are Aleph's. Rules may be as long as the bias says, not four literals. Aleph's users say how noisy their
    /// examples are, and it takes them for free of noise otherwise; here the cost says what an error is worth, so nothing is
    /// asked of a rule by itself.
    pub(in super::super) const DEFAULT: Aleph =
        Aleph { i: 2, clauselength: usize::MAX, noise: u64::MAX, minacc: 0.0, nodes: 5000 };
}
