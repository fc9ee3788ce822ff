//! The operator table: SWI-Prolog's, with the comparisons of `library(clpfd)`, and what `op/3` adds.

use rustc_hash::FxHashMap;

/// The highest priority of an operator.
pub const MAX_PRIORITY: u16 = 1200;

/// Where an operator stands and how it associates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixity {
    /// Infix, not associative.
    Xfx,
    /// Infix, right-associative.
    Xfy,
    /// Infix, left-associative.
    Yfx,
    /// Prefix, associative.
    Fy,
    /// Prefix, not associative.
    Fx,
    /// Postfix, not associative.
    Xf,
    /// Postfix, associative.
    Yf,
}

impl Fixity {
    /// The fixity that Prolog writes as `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "xfx" => Fixity::Xfx,
            "xfy" => Fixity::Xfy,
            "yfx" => Fixity::Yfx,
            "fy" => Fixity::Fy,
            "fx" => Fixity::Fx,
            "xf" => Fixity::Xf,
            "yf" => Fixity::Yf,
            _ => return None,
        })
    }
}

/// An operator's priority and the highest priorities of its operands (0 for the side that has none).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operator {
    /// Its own.
    pub priority: u16,
    /// Of the left operand.
    pub left: u16,
    /// Of the right operand.
    pub right: u16,
}

#[derive(Debug, Clone, Copy, Default)]
struct OperatorEntry {
    prefix: Option<Operator>,
    infix: Option<Operator>,
    postfix: Option<Operator>,
}

/// The operators of a text.
#[derive(Debug, Clone)]
pub struct Operators {
    table: FxHashMap<Box<str>, OperatorEntry>,
}

impl Default for Operators {
    fn default() -> Self {
        use Fixity::*;
        let mut operators = Operators { table: FxHashMap::default() };
        let groups: [(u16, Fixity, &str); 19] = [
            (1200, Xfx, ":- --> =>"),
            (1200, Fx, ":- ?-"),
            (1150, Fx, "dynamic discontiguous initialization meta_predicate module_transparent multifile public"),
            (1150, Fx, "table thread_local thread_initialization volatile"),
            (1105, Xfy, "|"),
            (1100, Xfy, ";"),
            (1050, Xfy, "-> *->"),
            (1000, Xfy, ","),
            (900, Fy, "\\+"),
            (800, Xfx, ":="),
            (700, Xfx, "< = =.. =:= =< == =@= =\\= > >= @< @=< @> @>= \\= \\== \\=@= as is >:< :<"),
            (700, Xfx, "#= #\\= #< #> #=< #>="),
            (600, Xfy, ":"),
            (500, Yfx, "+ - /\\ \\/"),
            (400, Yfx, "* / // mod rem << >> div rdiv xor"),
            (200, Xfx, "**"),
            (200, Xfy, "^"),
            (200, Fy, "- + \\"),
            (1, Fx, "$"),
        ];
        for (priority, fixity, names) in groups {
            for name in names.split_whitespace() {
                operators.add(priority, fixity, name);
            }
        }
        operators
    }
}

impl Operators {
    /// Add, change or (with priority 0) remove an operator.
    pub fn add(&mut self, priority: u16, fixity: Fixity, name: &str) {
        let below = priority.saturating_sub(1);
        let (left, right) = match fixity {
            Fixity::Xfx => (below, below),
            Fixity::Xfy => (below, priority),
            Fixity::Yfx => (priority, below),
            Fixity::Fy => (0, priority),
            Fixity::Fx => (0, below),
            Fixity::Xf => (below, 0),
            Fixity::Yf => (priority, 0),
        };
        let entry = self.table.entry(name.into()).or_default();
        let slot = match fixity {
            Fixity::Xfx | Fixity::Xfy | Fixity::Yfx => &mut entry.infix,
            Fixity::Fy | Fixity::Fx => &mut entry.prefix,
            Fixity::Xf | Fixity::Yf => &mut entry.postfix,
        };
        *slot = (priority > 0).then_some(Operator { priority, left, right });
    }

    /// Add the remaining operators of `library(clpfd)`, as its import does.
    pub fn add_clpfd(&mut self) {
        use Fixity::*;
        let groups = [
            (760, Yfx, "#<==>"),
            (750, Xfy, "#==>"),
            (750, Yfx, "#<=="),
            (740, Yfx, "#\\/"),
            (730, Yfx, "#\\"),
            (720, Yfx, "#/\\"),
            (710, Fy, "#\\"),
            (700, Xfx, "in ins in_set"),
            (450, Xfx, ".."),
        ];
        for (priority, fixity, names) in groups {
            for name in names.split_whitespace() {
                self.add(priority, fixity, name);
            }
        }
    }

    /// The prefix operator `name`.
    pub fn prefix(&self, name: &str) -> Option<Operator> {
        self.table.get(name).and_then(|entry| entry.prefix)
    }

    /// The infix operator `name`.
    pub fn infix(&self, name: &str) -> Option<Operator> {
        self.table.get(name).and_then(|entry| entry.infix)
    }

    /// The postfix operator `name`.
    pub fn postfix(&self, name: &str) -> Option<Operator> {
        self.table.get(name).and_then(|entry| entry.postfix)
    }
}
