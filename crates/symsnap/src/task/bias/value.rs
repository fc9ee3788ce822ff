//! The ground terms of a bias program: what its facts hold and what rules look like to its constraints.
//!
//! They are kept apart from [`Terms`] because checking a rule makes new ones (variable numbers, tuples, sums) all the
//! time, and a check must neither change the task nor fill its tables.

use crate::logic::{Symbol, Terms, write_atom};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::sync::Arc;

/// A ground term. A tuple is a compound whose functor is the empty name; `()` is the empty name itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BiasValue {
    /// An integer: a clause number, a variable, a position, a count.
    Int(i64),
    /// A float, by its bits; only `bounds` has such.
    Float(u64),
    /// A name.
    Name(Symbol),
    /// A string.
    Text(Symbol),
    /// A compound or tuple with at least one argument.
    Compound(Symbol, Arc<[BiasValue]>),
}

/// The names that occur in a bias program, for the orders that need them: by text, not by number.
#[derive(Debug, Clone, Default)]
pub struct BiasNames {
    names: FxHashMap<Symbol, Arc<str>>,
}

impl BiasNames {
    /// Remember the text of `symbol`.
    pub fn insert(&mut self, symbol: Symbol, terms: &Terms) {
        self.names.entry(symbol).or_insert_with(|| terms.name(symbol).into());
    }

    /// The text of `symbol`; empty for a name the bias does not mention.
    pub fn get(&self, symbol: Symbol) -> &str {
        self.names.get(&symbol).map_or("", |name| name)
    }

    /// The order of answer-set programs: integers, names, strings, then compounds by arity, functor and arguments.
    /// They have no floats; ours stand behind the integers.
    pub fn compare(&self, a: &BiasValue, b: &BiasValue) -> Ordering {
        let rank = |value: &BiasValue| match value {
            BiasValue::Int(_) => 0,
            BiasValue::Float(_) => 1,
            BiasValue::Name(_) => 2,
            BiasValue::Text(_) => 3,
            BiasValue::Compound(..) => 4,
        };
        match (a, b) {
            (BiasValue::Int(a), BiasValue::Int(b)) => a.cmp(b),
            (BiasValue::Float(a), BiasValue::Float(b)) => f64::from_bits(*a).total_cmp(&f64::from_bits(*b)),
            (BiasValue::Name(a), BiasValue::Name(b)) | (BiasValue::Text(a), BiasValue::Text(b)) => {
                self.get(*a).cmp(self.get(*b))
            }
            (BiasValue::Compound(f, xs), BiasValue::Compound(g, ys)) => {
                xs.len().cmp(&ys.len()).then_with(|| self.get(*f).cmp(self.get(*g))).then_with(|| {
                    let orders = xs.iter().zip(ys.iter()).map(|(x, y)| self.compare(x, y));
                    orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
                })
            }
            _ => rank(a).cmp(&rank(b)),
        }
    }
}

impl BiasValue {
    /// As the bias file would write it.
    pub fn show(&self, terms: &Terms) -> String {
        let mut text = String::new();
        self.write(&mut text, terms);
        text
    }

    fn write(&self, out: &mut String, terms: &Terms) {
        match self {
            BiasValue::Int(value) => write!(out, "{value}").expect("writing to a string"),
            BiasValue::Float(bits) => write!(out, "{:?}", f64::from_bits(*bits)).expect("writing to a string"),
            BiasValue::Name(name) if terms.name(*name).is_empty() => out.push_str("()"),
            BiasValue::Name(name) => write_atom(out, terms.name(*name)),
            BiasValue::Text(text) => write!(out, "{:?}", terms.name(*text)).expect("writing to a string"),
            BiasValue::Compound(functor, arguments) => {
                let name = terms.name(*functor);
                if !name.is_empty() {
                    write_atom(out, name);
                }
                out.push('(');
                for (at, argument) in arguments.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    argument.write(out, terms);
                }
                if name.is_empty() && arguments.len() == 1 {
                    out.push(',');
                }
                out.push(')');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_sort_and_print_as_in_answer_set_programs() {
        let mut terms = Terms::default();
        let mut names = BiasNames::default();
        let [empty, a, ab, b, f, g] = ["", "a", "ab", "b", "f", "g"].map(|name| terms.intern(name));
        for symbol in [b, a, ab, empty, g, f] {
            names.insert(symbol, &terms);
        }
        let compound =
            |functor, args: &[i64]| BiasValue::Compound(functor, args.iter().map(|&n| BiasValue::Int(n)).collect());
        let sorted = [
            BiasValue::Int(-3),
            BiasValue::Int(1),
            BiasValue::Name(empty),
            BiasValue::Name(a),
            BiasValue::Name(ab),
            BiasValue::Name(b),
            BiasValue::Text(a),
            compound(empty, &[1]),
            compound(f, &[1]),
            compound(g, &[0]),
            compound(empty, &[1, 2]),
            compound(f, &[0, 0]),
        ];
        let mut shuffled = sorted.to_vec();
        shuffled.reverse();
        shuffled.sort_by(|x, y| names.compare(x, y));
        assert_eq!(shuffled, sorted);
        let shown: Vec<String> = sorted.iter().skip(5).map(|value| value.show(&terms)).collect();
        assert_eq!(shown, ["b", "\"a\"", "(1,)", "f(1)", "g(0)", "(1,2)", "f(0,0)"]);
    }
}
