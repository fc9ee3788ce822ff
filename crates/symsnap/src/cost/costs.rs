//! The costs: what the learner may be asked to minimise, one row each.
//!
//! A cost is a list of levels, compared from the left; a level is a sum of false negatives, false positives and size, each
//! times a whole number. Everything else follows from that ([`Objective`](super::Objective)), so a new cost is a new row of
//! the table below.

use super::confusion::Confusion;

/// What one false negative, one false positive and one literal count at a level of a cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// A positive of weight 1 that is not covered.
    pub fn_: u32,
    /// A negative of weight 1 that is.
    pub fp: u32,
    /// A literal, heads included.
    pub size: u32,
}

impl Level {
    const fn new(fn_: u32, fp: u32, size: u32) -> Self {
        Level { fn_, fp, size }
    }

    /// The level of a hypothesis with these errors and this size.
    fn value(self, fn_: u64, fp: u64, size: u64) -> u64 {
        u64::from(self.fn_) * fn_ + u64::from(self.fp) * fp + u64::from(self.size) * size
    }
}

/// All that makes a cost.
struct CostRow {
    cost: Cost,
    name: &'static str,
    levels: &'static [Level],
    /// What a hypothesis must do to be better than the empty one: it completes the sentence "no hypothesis ...".
    asks: &'static str,
}

/// The most levels of a cost; a check at compile time holds the table to it.
pub const MOST_LEVELS: usize = 3;

macro_rules! costs {
    ($($(#[$doc:meta])* $cost:ident: $name:literal, $levels:expr, $asks:literal;)*) => {
        /// A cost function: what the learner minimises.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[non_exhaustive]
        pub enum Cost {
            $($(#[$doc])* $cost,)*
        }

        const ROWS: &[CostRow] = &[$(CostRow { cost: Cost::$cost, name: $name, levels: &$levels, asks: $asks },)*];

        impl Cost {
            /// All of them.
            pub const ALL: [Cost; ROWS.len()] = [$(Cost::$cost,)*];
        }
    };
}

costs! {
    /// `fp + fn + size`.
    #[default]
    Mdl: "mdl", [Level::new(1, 1, 1)], "saves more errors than its size, which mdl asks for";
    /// `fp + fn`, then size.
    ErrorSize: "errorsize", [Level::new(1, 1, 0), Level::new(0, 0, 1)],
        "covers more positives than negatives, which errorsize asks for";
    /// `fn`, then `fp`, then size.
    LexFnSize: "lexfnsize", [Level::new(1, 0, 0), Level::new(0, 1, 0), Level::new(0, 0, 1)], "covers a positive example";
}

const _: () = {
    let mut at = 0;
    while at < ROWS.len() {
        assert!(!ROWS[at].levels.is_empty() && ROWS[at].levels.len() <= MOST_LEVELS);
        at += 1;
    }
};

impl Cost {
    fn row(self) -> &'static CostRow {
        ROWS.iter().find(|row| row.cost == self).expect("every cost has a row")
    }

    /// The name that the command line and JSON use.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The cost with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.cost)
    }

    /// Its levels, the one that decides first first.
    pub(crate) fn levels(self) -> &'static [Level] {
        self.row().levels
    }

    /// What it counts, for people: `fp + fn, then size`.
    #[doc(hidden)]
    pub fn formula(self) -> String {
        let term = |count: u32, name: &str| match count {
            0 => None,
            1 => Some(name.to_owned()),
            _ => Some(format!("{count} {name}")),
        };
        let level = |level: &Level| {
            let terms = [term(level.fp, "fp"), term(level.fn_, "fn"), term(level.size, "size")];
            terms.into_iter().flatten().collect::<Vec<_>>().join(" + ")
        };
        self.levels().iter().map(level).collect::<Vec<_>>().join(", then ")
    }

    /// What a hypothesis must do to be better than the empty one: it completes the sentence "no hypothesis ...".
    pub(crate) fn asks(self) -> &'static str {
        self.row().asks
    }

    /// Whether size only decides between hypotheses with equal errors. This is what strategies ask of a cost: if so, the
    /// first levels decide nearly everything, single changes of a hypothesis leave them as they are, and a rule that covers
    /// no negative is worth more than any that does.
    pub(crate) fn size_breaks_ties(self) -> bool {
        let (last, others) = self.levels().split_last().expect("a cost has a level");
        last.fn_ == 0 && last.fp == 0 && others.iter().all(|level| level.size == 0)
    }

    /// Whether every hypothesis that costs at most `value` covers all positives.
    pub(crate) fn misses_nothing(self, value: &CostValue) -> bool {
        let mut zero = self.levels().iter().zip(&value.0).take_while(|(_, value)| **value == 0);
        zero.any(|(level, _)| level.fn_ > 0)
    }

    /// The cost of a hypothesis with this confusion and size.
    pub fn value(self, confusion: &Confusion, size: usize) -> CostValue {
        let value = |level: &Level| level.value(confusion.fn_, confusion.fp, size as u64);
        CostValue(self.levels().iter().map(value).collect())
    }
}

/// The value of a [`Cost`], ordered as the cost orders hypotheses. Values of different costs are not to be compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CostValue(
    /// The levels, the one that decides first first.
    pub Vec<u64>,
);

impl std::fmt::Display for CostValue {
    /// The number, or the levels in brackets: `126`, `(0, 0, 11)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.as_slice() {
            [one] => write!(f, "{one}"),
            levels => {
                let levels: Vec<String> = levels.iter().map(u64::to_string).collect();
                write!(f, "({})", levels.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_costs_are_those_of_the_paper() {
        let confusion = Confusion { tp: 5, fn_: 2, tn: 7, fp: 3 };
        assert_eq!(Cost::Mdl.value(&confusion, 4), CostValue(vec![9]));
        assert_eq!(Cost::ErrorSize.value(&confusion, 4), CostValue(vec![5, 4]));
        assert_eq!(Cost::LexFnSize.value(&confusion, 4), CostValue(vec![2, 3, 4]));
        assert!(
            Cost::LexFnSize.value(&confusion, 4) < Cost::LexFnSize.value(&Confusion { fn_: 3, fp: 0, ..confusion }, 1)
        );
        let paper = [Cost::Mdl, Cost::ErrorSize, Cost::LexFnSize];
        assert_eq!(paper.map(Cost::size_breaks_ties), [false, true, true]);
        assert_eq!(paper.map(Cost::formula), ["fp + fn + size", "fp + fn, then size", "fn, then fp, then size"]);
    }

    #[test]
    fn a_cost_whose_first_levels_are_zero_and_count_misses_misses_nothing() {
        let misses_nothing = |cost: Cost, value: &[u64]| cost.misses_nothing(&CostValue(value.to_vec()));
        assert!(misses_nothing(Cost::ErrorSize, &[0, 4]) && !misses_nothing(Cost::ErrorSize, &[1, 4]));
        assert!(misses_nothing(Cost::LexFnSize, &[0, 3, 4]) && !misses_nothing(Cost::LexFnSize, &[1, 0, 4]));
        assert!(!misses_nothing(Cost::Mdl, &[4]));
    }

    #[test]
    fn a_cost_is_found_by_its_name() {
        assert!(Cost::ALL.into_iter().all(|cost| Cost::from_name(cost.name()) == Some(cost)));
        assert_eq!(Cost::from_name("least"), None);
    }
}
