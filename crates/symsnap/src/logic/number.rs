//! Numbers in rules: what a variable is compared with, or a constant that some call computed.
//!
//! They are values and not terms, because a learner makes up numbers that occur nowhere in the data (the middle between two
//! of them), and terms cannot be added while it runs.

use super::terms::write_float;
use super::{Term, TermId, Terms};
use std::cmp::Ordering;
use std::fmt;

/// An integer of 64 bits, or a float that is neither infinite nor undefined.
///
/// The derived order is for sorting rules; [`Number::compare`] is the one of arithmetic, in which 1 and 1.0 are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number(IntOrFloat);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum IntOrFloat {
    Int(i64),
    /// The bits of a float.
    Float(u64),
}

impl Number {
    /// An integer.
    pub fn int(value: i64) -> Self {
        Number(IntOrFloat::Int(value))
    }

    /// A float; `None` if it is infinite or undefined.
    pub fn float(value: f64) -> Option<Self> {
        value.is_finite().then(|| Number(IntOrFloat::Float(value.to_bits())))
    }

    /// The term's value; `None` if it is none of these numbers.
    pub fn of(id: TermId, terms: &Terms) -> Option<Self> {
        match terms.get(id) {
            Term::Int(value) => Some(Number::int(value)),
            Term::Float(value) => Number::float(value),
            _ => None,
        }
    }

    /// The nearest float.
    pub fn to_f64(self) -> f64 {
        match self.0 {
            IntOrFloat::Int(value) => value as f64,
            IntOrFloat::Float(bits) => f64::from_bits(bits),
        }
    }

    /// The integer, if it is one and no float.
    pub fn as_int(self) -> Option<i64> {
        match self.0 {
            IntOrFloat::Int(value) => Some(value),
            IntOrFloat::Float(_) => None,
        }
    }

    /// The order of arithmetic, where an integer beside a float counts as the nearest float.
    pub fn compare(self, other: Number) -> Ordering {
        match (self.0, other.0) {
            (IntOrFloat::Int(a), IntOrFloat::Int(b)) => a.cmp(&b),
            _ => self.to_f64().partial_cmp(&other.to_f64()).expect("neither is undefined"),
        }
    }

    /// The term, if it is there.
    pub fn find(self, terms: &Terms) -> Option<TermId> {
        match self.0 {
            IntOrFloat::Int(value) => terms.find_int(value),
            IntOrFloat::Float(bits) => terms.find_float(f64::from_bits(bits)),
        }
    }

    /// The term, new if need be.
    pub fn intern(self, terms: &mut Terms) -> TermId {
        match self.0 {
            IntOrFloat::Int(value) => terms.int(value),
            IntOrFloat::Float(bits) => terms.float(f64::from_bits(bits)),
        }
    }
}

/// As Prolog writes it: digits that read back as the same number.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IntOrFloat::Int(value) => write!(f, "{value}"),
            IntOrFloat::Float(bits) => {
                let mut text = String::new();
                write_float(&mut text, f64::from_bits(bits));
                f.write_str(&text)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_compares_values_and_not_forms() {
        let (one, one_float) = (Number::int(1), Number::float(1.0).expect("finite"));
        assert_eq!(one.compare(one_float), Ordering::Equal);
        assert_ne!(one, one_float);
        assert_eq!(Number::int(i64::MAX).compare(Number::int(i64::MAX - 1)), Ordering::Greater);
        let zeros = (Number::float(0.0).expect("finite"), Number::float(-0.0).expect("finite"));
        assert_eq!(zeros.0.compare(zeros.1), Ordering::Equal);
        assert_eq!((Number::float(f64::NAN), Number::float(f64::INFINITY)), (None, None));
    }

    #[test]
    fn numbers_are_written_so_that_they_read_back() {
        let float = |value| Number::float(value).expect("finite").to_string();
        assert_eq!(
            (float(0.1 + 0.2), float(3.0), float(1e300)),
            ("0.30000000000000004".into(), "3.0".into(), "1e300".into())
        );
        assert_eq!(Number::int(-7).to_string(), "-7");
    }
}
