//! From keys of at most 16 bytes to numbers: the hash table behind names and constants.
//!
//! A slot holds the whole key, so that a look at it, one cache line, decides; what is longer than a key leaves its hash
//! there and is compared by the caller. Loading a million facts is little else than such looks, each of which waits for
//! memory, so [`KeyTable::touch`] asks for many slots at once before they are needed. A `HashMap<Arc<str>, u32>` looks at
//! three places one after the other: of ten million facts about a million names, three quarters of the loading time.

use crate::index::narrow;

/// What a thing is found by: equal things have equal keys, and those that [fit](Key::of_name) in a key no other has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    bits: u64,
    tag: u32,
}

/// A key, in its parts so that four slots fill a cache line, and its number.
#[derive(Debug, Clone, Copy)]
struct KeySlot {
    bits: u64,
    tag: u32,
    /// The number plus one; 0 is a free slot.
    number: u32,
}

/// Numbers by key.
#[derive(Debug, Clone)]
pub struct KeyTable {
    /// Its length is a power of two; open addressing, linear probing, at most two thirds full.
    slots: Vec<KeySlot>,
    len: usize,
}

const FREE: KeySlot = KeySlot { bits: 0, tag: 0, number: 0 };

/// Names of up to this many bytes are keys as they are.
const SHORT: usize = 8;

impl Key {
    /// A key of these bits, of a kind told by `tag`.
    #[inline]
    pub fn new(bits: u64, tag: u32) -> Self {
        Key { bits, tag }
    }

    /// The key of a name, and whether it is the name's alone.
    #[inline]
    pub fn of_name(name: &str) -> (Self, bool) {
        let bytes = name.as_bytes();
        let bits = match bytes.len() {
            0 => 0,
            1..4 => {
                let at = |place: usize| u64::from(bytes[place]) << (8 * place);
                at(0) | at(bytes.len() / 2) | at(bytes.len() - 1)
            }
            4..=SHORT => {
                // Where the two halves overlap they agree.
                let half = |place: usize| {
                    let half: [u8; 4] = bytes[place..place + 4].try_into().expect("four bytes");
                    u64::from(u32::from_le_bytes(half)) << (8 * place)
                };
                half(0) | half(bytes.len() - 4)
            }
            _ => digest(bytes),
        };
        (Key { bits, tag: narrow(bytes.len()) }, bytes.len() <= SHORT)
    }

    /// Both halves of a product: the upper one depends on all bits of the key, the lower one on the low bits most.
    #[inline]
    fn hash(self) -> u64 {
        fold(self.bits ^ u64::from(self.tag).rotate_right(8) ^ 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9)
    }
}

/// A digest of more than [`SHORT`] bytes, eight at a time; the last eight may overlap those before.
fn digest(bytes: &[u8]) -> u64 {
    let word = |place: usize| u64::from_le_bytes(bytes[place..place + 8].try_into().expect("eight bytes"));
    let whole = (0..bytes.len() - 8).step_by(8);
    let start = whole.fold(bytes.len() as u64, |sum, place| fold(sum ^ word(place), 0x9e37_79b9_7f4a_7c15));
    fold(start ^ word(bytes.len() - 8), 0x9e37_79b9_7f4a_7c15)
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the two halves of a product")]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

impl Default for KeyTable {
    fn default() -> Self {
        KeyTable { slots: vec![FREE; 16], len: 0 }
    }
}

impl KeyTable {
    /// The number of what has this key, among things with the same key the one for which `same` says so.
    #[inline]
    pub fn get(&self, key: Key, same: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.place(key);
        loop {
            let slot = self.slots[at];
            if slot.number == 0 {
                return None;
            }
            if slot.bits == key.bits && slot.tag == key.tag && same(slot.number - 1) {
                return Some(slot.number - 1);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Give what has this key, and is not there, a number.
    pub fn insert(&mut self, key: Key, number: u32) {
        if (self.len + 1) * 3 > self.slots.len() * 2 {
            self.grow();
        }
        let number = number.checked_add(1).expect("fewer than 2^32 things fit in memory");
        self.put(KeySlot { bits: key.bits, tag: key.tag, number });
        self.len += 1;
    }

    /// Something of the slot where the search for `key` begins. Whoever combines what many keys give, and then looks them
    /// up, waits for the memory of all at once and not for one after the other.
    #[inline]
    pub fn touch(&self, key: Key) -> u64 {
        self.slots[self.place(key)].bits
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a few bits of a hash")]
    fn place(&self, key: Key) -> usize {
        key.hash() as usize & (self.slots.len() - 1)
    }

    fn put(&mut self, slot: KeySlot) {
        let mut at = self.place(Key { bits: slot.bits, tag: slot.tag });
        while self.slots[at].number != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = slot;
    }

    fn grow(&mut self) {
        let slots = vec![FREE; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, slots);
        old.into_iter().filter(|slot| slot.number != 0).for_each(|slot| self.put(slot));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn names_are_found_as_in_a_map(names in prop::collection::vec("[ab\0é]{0,12}", 0..300)) {
            let mut table = KeyTable::default();
            let mut map: HashMap<&str, u32> = HashMap::new();
            let mut known: Vec<&str> = Vec::new();
            for name in &names {
                let (key, alone) = Key::of_name(name);
                let found = table.get(key, |number| alone || known[number as usize] == name);
                prop_assert_eq!(found, map.get(&name[..]).copied());
                if found.is_none() {
                    let number = known.len() as u32;
                    table.insert(key, number);
                    map.insert(name, number);
                    known.push(name);
                }
            }
            prop_assert_eq!(table.len, map.len());
        }

        #[test]
        fn short_names_have_keys_of_their_own(a in "[\0ab]{0,8}", b in "[\0ab]{0,8}") {
            let (key, alone) = Key::of_name(&a);
            prop_assert!(alone);
            prop_assert_eq!(key == Key::of_name(&b).0, a == b);
        }
    }

    #[test]
    fn names_that_share_a_key_are_told_apart_by_who_asks() {
        let mut table = KeyTable::default();
        let key = Key::new(7, 9);
        (0..40).for_each(|number| table.insert(key, number));
        assert_eq!(table.get(key, |number| number == 33), Some(33));
        assert_eq!(table.get(key, |_| false), None);
    }
}
