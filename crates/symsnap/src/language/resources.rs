//! What the bias rations: comparisons and computations (`max_numeric`), constants (`max_magic`), and a predicate that a body may
//! have only once.
//!
//! Wherever one body stands for another because both have the same bindings, what extends the other must fit the first as well.
//! So the first must use no more of anything that is rationed: dominance between labels, as in shortest paths with resource
//! constraints (Desrochers and Soumis 1988). Where that was forgotten, `q(B,red)` stood for `p(B), r(B)` with the same rows,
//! and the rule with `s(B,blue)` beside it was lost under `max_magic(1)`.

/// How much of what is rationed a body uses, or may use. What has no limit is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Resources {
    /// Comparisons and computations.
    pub(super) numeric: u16,
    /// Constants.
    pub(super) constants: u16,
    /// Literals of the predicate that a body may have only once.
    pub(super) once: u16,
}

impl Resources {
    /// No limits.
    pub(super) const ALL: Resources = Resources { numeric: u16::MAX, constants: u16::MAX, once: u16::MAX };

    /// A limit, if there is one.
    pub(super) fn limit(most: Option<usize>) -> u16 {
        most.map_or(u16::MAX, |most| u16::try_from(most).unwrap_or(u16::MAX - 1))
    }

    /// What two bodies use together.
    #[must_use]
    pub fn plus(self, other: Resources) -> Self {
        Resources {
            numeric: self.numeric.saturating_add(other.numeric),
            constants: self.constants.saturating_add(other.constants),
            once: self.once.saturating_add(other.once),
        }
    }

    /// Whether this is no more of anything.
    pub fn within(self, other: Resources) -> bool {
        self.numeric <= other.numeric && self.constants <= other.constants && self.once <= other.once
    }

    /// Everything that is within this, least first.
    pub fn below(self) -> impl Iterator<Item = Resources> {
        let all = move |numeric| {
            let of = move |constants| (0..=self.once).map(move |once| Resources { numeric, constants, once });
            (0..=self.constants).flat_map(of)
        };
        (0..=self.numeric).flat_map(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_of_one_thing_does_not_make_up_for_more_of_another() {
        let one = Resources { numeric: 1, constants: 0, once: 0 };
        let other = Resources { numeric: 0, constants: 2, once: 0 };
        assert!(!one.within(other) && !other.within(one));
        assert!(one.within(one.plus(other)) && other.within(one.plus(other)));
        let below: Vec<Resources> = one.plus(other).below().collect();
        assert_eq!(below.len(), 6);
        assert!(below.iter().all(|it| it.within(one.plus(other))));
        assert_eq!(Resources::default().below().count(), 1);
    }
}
