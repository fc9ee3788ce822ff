//! Numbers that are stored narrower than they are counted, and the one place where they become so.
//!
//! Places and counts are `usize` while they are computed. Tables keep them in 32, 16 or 8 bits, because most of the time
//! of the learner goes to reading such tables. A number that silently lost its upper bits would name another row, another
//! predicate or another variable, and with it a proof would be false; so nothing in this crate narrows with `as`
//! (`clippy::cast_possible_truncation` sees to it) but through [`narrow`], which panics instead.
//!
//! That panic is for mistakes of ours. What a file can say is limited where it is read:
//! - *8 bits* number the variables of a rule, of which a bias allows at most 63 (`Bias::MOST_VARS`), and the arguments of
//!   a literal of the search, at most 12 (`language::MAX_ARITY`).
//! - *16 bits* count the literals of a body (`Bias::MOST_BODY`) and number the values of a type where branches are
//!   searched (`branches::MOST_VALUES`), and the variables and constants of a planned rule.
//! - *32 bits* number terms, names, rows, examples, predicates and whatever the search keeps of them. A file has at most
//!   4 GiB, and each of these takes two characters at least; rows that are computed are limited in number; and what the
//!   search keeps takes more than a byte each, which memory limits first.

use std::fmt::Display;

/// The number in a narrower type.
///
/// # Panics
/// If it does not fit, which the limits above rule out.
#[inline]
#[track_caller]
pub fn narrow<N: Copy + Display, T: TryFrom<N>>(number: N) -> T {
    match T::try_from(number) {
        Ok(narrow) => narrow,
        Err(_) => too_large(&number, size_of::<T>()),
    }
}

#[cold]
#[track_caller]
fn too_large(number: &dyn Display, bytes: usize) -> ! {
    panic!("{number} does not fit in {} bits", 8 * bytes)
}

/// The variables of an atom that has nothing but different ones: 0, 1, ...
///
/// # Panics
/// If there are more than 256 of them.
pub fn variables(count: u32) -> Vec<u8> {
    (0..count).map(narrow).collect()
}

/// The whole part of a number; 0 for what is below 0 or not a number, the largest there is for what is above it.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` gives just what is promised")]
pub fn whole(number: f64) -> u64 {
    number as u64
}

/// The integer that a float is; `None` if it has a fraction or is beyond 64 bits.
#[expect(clippy::cast_possible_truncation, reason = "the range has been checked, and there is no fraction")]
pub fn integer(float: f64) -> Option<i64> {
    // 2^63 is the first float beyond 64 bits.
    let range = -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;
    (float.fract() == 0.0 && range.contains(&float)).then_some(float as i64)
}

/// A type for the numbers of one kind of thing, so that they are not mixed up with others.
macro_rules! index_type {
    ($(#[$doc:meta])* $vis:vis struct $name:ident;) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis struct $name(u32);

        impl $name {
            /// The one at that place.
            ///
            /// # Panics
            /// If there are 2^32 or more, which take more memory than there is.
            #[inline]
            #[track_caller]
            $vis fn new(place: usize) -> Self {
                $name($crate::index::narrow(place))
            }

            /// Its place.
            #[inline]
            $vis fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
pub(crate) use index_type;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_kept() {
        assert_eq!((narrow::<usize, u8>(255), narrow::<u64, u16>(65_535)), (255, 65_535));
        assert_eq!(narrow::<usize, u32>(u32::MAX as usize), u32::MAX);
        assert_eq!(variables(3), [0, 1, 2]);
    }

    #[test]
    #[should_panic(expected = "256 does not fit in 8 bits")]
    fn what_does_not_fit_is_refused() {
        let _: u8 = narrow(256usize);
    }

    #[test]
    fn floats_are_integers_within_64_bits_and_without_a_fraction() {
        let floats = [-3.0, 0.5, 9_223_372_036_854_774_784.0, 9_223_372_036_854_775_808.0, f64::NAN, f64::INFINITY];
        let integers = [Some(-3), None, Some(9_223_372_036_854_774_784), None, None, None];
        assert_eq!(floats.map(integer), integers);
        assert_eq!(integer(-9_223_372_036_854_775_808.0), Some(i64::MIN));
    }

    #[test]
    fn whole_parts_stay_within_their_type() {
        let numbers = [2.9, -1.0, f64::NAN, f64::INFINITY];
        assert_eq!(numbers.map(whole), [2, 0, 0, u64::MAX]);
    }
}
