//! A column in memory: each cell is the number of its text among the different texts of the column.
//!
//! Types, links, constants and labels are questions about the different texts, which are few as a rule, and facts are made of
//! each of them once. A cell takes four bytes; a text is kept once, in one string for all, with the place where it ends.

use crate::value;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

/// What programs write for a value that is not known, unless a schema says otherwise. Case matters: `Na` is sodium. The last one
/// is that of the UCI repository.
pub(crate) const MISSING_WORDS: [&str; 9] = ["", "NA", "N/A", "n/a", "null", "NULL", "NaN", "nan", "?"];
/// The number of a cell without a value.
const MISSING: u32 = u32::MAX;

/// The different texts of a column, in the order in which they come first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dictionary {
    texts: String,
    ends: Vec<u32>,
}

impl Dictionary {
    /// How many different texts there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text with that number.
    pub(crate) fn get(&self, code: u32) -> &str {
        let at = code as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[start as usize..self.ends[at] as usize]
    }

    /// All texts, in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.texts[start as usize..end as usize])
    }

    /// The number of a text, by looking at all: for a question or two.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        self.iter().zip(0..).find(|(have, _)| *have == text).map(|(_, code)| code)
    }
}

/// A column of a table.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    codes: Vec<u32>,
    pub(crate) dictionary: Dictionary,
    /// What its cells were before they became texts, where that is known.
    pub(crate) cells: Option<CellType>,
}

/// What the cells of a column in memory are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellType {
    /// Whole numbers.
    Integer,
    /// Numbers.
    Float,
    /// True or false.
    Boolean,
    /// Texts.
    Text,
    /// Days.
    Date,
    /// Days and times.
    DateTime,
}

impl Column {
    /// The same column with the rows in `order`, which may leave out some and repeat others.
    pub(crate) fn rearranged(&self, order: &[u32]) -> Column {
        let codes: Vec<u32> = order.iter().map(|&row| self.codes[row as usize]).collect();
        // Texts are numbered anew, in the order in which they come first now, as if the column had been read so.
        let mut numbers: Vec<u32> = vec![MISSING; self.dictionary.len()];
        let mut dictionary = Dictionary::default();
        let renumbered = codes.iter().map(|&code| {
            if code == MISSING {
                return MISSING;
            }
            let number = &mut numbers[code as usize];
            if *number == MISSING {
                // There are no more of them than before.
                *number = u32::try_from(dictionary.len()).unwrap_or(MISSING);
                dictionary.texts.push_str(self.dictionary.get(code));
                dictionary.ends.push(u32::try_from(dictionary.texts.len()).unwrap_or(MISSING));
            }
            *number
        });
        let codes = renumbered.collect();
        Column { name: self.name.clone(), codes, dictionary, cells: self.cells }
    }

    /// The same column with whole numbers as such, if all its texts are whole numbers with a fraction of zeros: programs whose
    /// columns of whole numbers cannot have gaps write `5.0` for 5. `None` if some are not, or two would be one.
    pub(crate) fn without_fractions(&self) -> Option<Column> {
        let mut dictionary = Dictionary::default();
        for text in self.dictionary.iter() {
            let (before, zeros) = text.split_once('.')?;
            let whole = value::integer(before).is_some() && !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0');
            if !whole {
                return None;
            }
            dictionary.texts.push_str(before);
            dictionary.ends.push(u32::try_from(dictionary.texts.len()).ok()?);
        }
        let different: HashSet<&str> = dictionary.iter().collect();
        let cells = self.cells.map(|_| CellType::Integer);
        (different.len() == dictionary.len()).then(|| Column {
            name: self.name.clone(),
            codes: self.codes.clone(),
            dictionary: dictionary.clone(),
            cells,
        })
    }

    /// For each row a number by which rows can be ordered: the place of its text among all, in the order of the alphabet; 0
    /// where there is none.
    pub(crate) fn ranks(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..).take(self.dictionary.len()).collect();
        order.sort_unstable_by_key(|&code| self.dictionary.get(code));
        let mut places = vec![0; order.len()];
        order.iter().zip(1..).for_each(|(&code, place)| places[code as usize] = place);
        self.codes().map(|code| code.map_or(0, |code| places[code as usize])).collect()
    }

    /// The number of the text in a row, if it has one.
    pub(crate) fn code(&self, row: usize) -> Option<u32> {
        Some(self.codes[row]).filter(|&code| code != MISSING)
    }

    /// The text in a row, if it has one.
    pub(crate) fn text(&self, row: usize) -> Option<&str> {
        self.code(row).map(|code| self.dictionary.get(code))
    }

    /// The numbers of the texts of all rows.
    pub(crate) fn codes(&self) -> impl Iterator<Item = Option<u32>> + '_ {
        self.codes.iter().map(|&code| Some(code).filter(|&code| code != MISSING))
    }

    /// How many rows have no value.
    pub(crate) fn missing(&self) -> usize {
        self.codes.iter().filter(|&&code| code == MISSING).count()
    }

    /// How many rows have a value.
    pub(crate) fn present(&self) -> usize {
        self.codes.len() - self.missing()
    }

    /// How many rows have each text.
    pub(crate) fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.dictionary.len()];
        self.codes().flatten().for_each(|code| counts[code as usize] += 1);
        counts
    }

    /// The first row with that text.
    pub(crate) fn first_row(&self, code: u32) -> Option<usize> {
        self.codes.iter().position(|&have| have == code)
    }

    /// The first text that stands in two rows, with these rows.
    pub(crate) fn first_repeated(&self) -> Option<(u32, usize, usize)> {
        if self.dictionary.len() == self.present() {
            return None;
        }
        let mut first: Vec<Option<usize>> = vec![None; self.dictionary.len()];
        self.codes.iter().enumerate().filter(|(_, code)| **code != MISSING).find_map(|(row, &code)| {
            let before = first[code as usize].replace(row)?;
            Some((code, before, row))
        })
    }

    /// Whether every row has a value, and no two have the same.
    pub(crate) fn is_unique(&self) -> bool {
        self.missing() == 0 && self.dictionary.len() == self.codes.len()
    }
}

/// More than a column can keep.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooMuch;

/// Takes the cells of a column one after the other.
pub(crate) struct ColumnBuilder {
    name: String,
    codes: Vec<u32>,
    dictionary: Dictionary,
    /// Open addressing. A map with texts as keys would take several times as much; the hasher is keyed at random because whoever
    /// writes the file may want its texts to collide.
    slots: Vec<Slot>,
    /// How many of them are taken.
    hashed: usize,
    hasher: RandomState,
    /// The numbers of the texts that are whole numbers below [`ColumnBuilder::reach`], [`MISSING`] where there is none. Keys are
    /// such texts as a rule. There are more of them than a cache holds, and what is looked up at random costs what it
    /// misses: one place here; a slot, an end and a text there.
    places: Vec<u32>,
    reach: usize,
    cells: Option<CellType>,
}

/// Whole numbers up to this times the number of cells have places, or twice that: 32 bytes a cell at the most, while the column
/// is read.
const REACH_OF_CELLS: usize = 4;

/// The number of a text, and bits of its hash, so that other texts are passed by without being looked at.
#[derive(Debug, Clone, Copy)]
struct Slot {
    code: u32,
    hash: u32,
}

const EMPTY: Slot = Slot { code: MISSING, hash: 0 };

/// The number that a text is, if it is written as numbers are: no sign, no zeros before it, and not a large one.
pub(crate) fn whole(text: &str) -> Option<usize> {
    let digits = text.as_bytes();
    if digits.is_empty() || digits.len() > 9 || (digits[0] == b'0' && digits.len() > 1) {
        return None;
    }
    digits.iter().try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + usize::from(digit - b'0')))
}

impl ColumnBuilder {
    pub(crate) fn new(name: String) -> Self {
        let slots = vec![EMPTY; 8];
        let (codes, dictionary, hasher) = (Vec::new(), Dictionary::default(), RandomState::new());
        ColumnBuilder { name, codes, dictionary, slots, hashed: 0, hasher, places: Vec::new(), reach: 256, cells: None }
    }

    /// The builder of a column whose cells are of a known type.
    pub(crate) fn typed(name: String, cells: CellType) -> Self {
        ColumnBuilder { cells: Some(cells), ..ColumnBuilder::new(name) }
    }

    /// The title of the column.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// How many cells there are.
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Add a cell without a value.
    pub(crate) fn push_missing(&mut self) {
        self.codes.push(MISSING);
    }

    /// Add a cell.
    pub(crate) fn push(&mut self, text: &str) -> Result<(), TooMuch> {
        let code = match whole(text).filter(|&number| number < self.reach) {
            Some(number) => self.intern_number(number, text)?,
            // Keys of tables that are sorted by them come in runs.
            None => match self.codes.last() {
                Some(&last) if last != MISSING && self.dictionary.get(last) == text => last,
                _ => self.intern_by_hash(text)?,
            },
        };
        self.codes.push(code);
        if self.codes.len() * REACH_OF_CELLS > self.reach {
            self.reach_further();
        }
        Ok(())
    }

    fn intern_number(&mut self, number: usize, text: &str) -> Result<u32, TooMuch> {
        if let Some(&code) = self.places.get(number).filter(|&&code| code != MISSING) {
            return Ok(code);
        }
        let code = self.add(text)?;
        self.put(number, code);
        Ok(code)
    }

    fn intern_by_hash(&mut self, text: &str) -> Result<u32, TooMuch> {
        // Half of the bits tell texts apart well enough; those that are alike are compared.
        #[allow(clippy::cast_possible_truncation)]
        let hash = self.hasher.hash_one(text) as u32;
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].code != MISSING {
            let Slot { code, hash: have } = self.slots[at];
            if have == hash && self.dictionary.get(code) == text {
                return Ok(code);
            }
            at = (at + 1) & mask;
        }
        let code = self.add(text)?;
        self.slots[at] = Slot { code, hash };
        self.hashed += 1;
        if self.hashed * 2 > self.slots.len() {
            self.grow();
        }
        Ok(code)
    }

    /// The number of a text that is new.
    fn add(&mut self, text: &str) -> Result<u32, TooMuch> {
        let code = u32::try_from(self.dictionary.len()).ok().filter(|&code| code < MISSING).ok_or(TooMuch)?;
        self.dictionary.texts.push_str(text);
        self.dictionary.ends.push(u32::try_from(self.dictionary.texts.len()).map_err(|_| TooMuch)?);
        Ok(code)
    }

    fn put(&mut self, number: usize, code: u32) {
        if self.places.len() <= number {
            self.places.resize(number + 1, MISSING);
        }
        self.places[number] = code;
    }

    /// Let more numbers have places; those that were hashed before move there. What they leave behind is never looked for.
    fn reach_further(&mut self) {
        let before = std::mem::replace(&mut self.reach, self.codes.len() * REACH_OF_CELLS * 2);
        for code in (0..).take(self.dictionary.len()) {
            if let Some(number) = whole(self.dictionary.get(code)).filter(|it| (before..self.reach).contains(it)) {
                self.put(number, code);
            }
        }
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let before = std::mem::replace(&mut self.slots, vec![EMPTY; mask + 1]);
        for slot in before.into_iter().filter(|slot| slot.code != MISSING) {
            let mut at = slot.hash as usize & mask;
            while self.slots[at].code != MISSING {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }

    pub(crate) fn finish(mut self) -> Column {
        self.codes.shrink_to_fit();
        self.dictionary.texts.shrink_to_fit();
        self.dictionary.ends.shrink_to_fit();
        Column { name: self.name, codes: self.codes, dictionary: self.dictionary, cells: self.cells }
    }
}

#[cfg(test)]
pub(crate) fn column(name: &str, cells: &[&str]) -> Column {
    let mut builder = ColumnBuilder::new(name.to_owned());
    for cell in cells {
        if cell.is_empty() { builder.push_missing() } else { builder.push(cell).unwrap() }
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn repeated_texts_are_found_with_both_rows() {
        let keys = column("id", &["a", "b", "", "a", "b"]);
        assert_eq!(keys.first_repeated(), Some((0, 0, 3)));
        assert_eq!((keys.missing(), keys.present(), keys.counts()), (1, 4, vec![2, 2]));
        assert!(column("id", &["a", "b"]).is_unique());
        assert!(!column("id", &["a", ""]).is_unique());
    }

    #[test]
    fn only_what_is_written_as_numbers_are_is_a_number() {
        for (text, number) in [("0", Some(0)), ("7", Some(7)), ("999999999", Some(999_999_999))] {
            assert_eq!(whole(text), number);
        }
        for text in ["", "00", "07", "+7", "-7", "7.0", " 7", "1000000000", "٣", "1e3"] {
            assert_eq!(whole(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn cells_read_back_as_they_were_pushed(
            // Numbers within reach from the beginning, later, and never, with and without zeros before them.
            cells in prop::collection::vec(prop_oneof!["[a-e]{0,3}", "0{0,1}[0-9]{0,5}", "[1-3][0-9]{2,3}"], 0..600),
        ) {
            let texts: Vec<&str> = cells.iter().map(String::as_str).collect();
            let made = column("c", &texts);
            let read: Vec<&str> = (0..cells.len()).map(|row| made.text(row).unwrap_or("")).collect();
            let different: std::collections::BTreeSet<&str> = texts.iter().copied().filter(|text| !text.is_empty()).collect();
            prop_assert_eq!(read, texts);
            prop_assert_eq!(made.dictionary.len(), different.len());
            for text in different {
                prop_assert_eq!(made.dictionary.get(made.dictionary.find(text).unwrap()), text);
            }
        }
    }
}
