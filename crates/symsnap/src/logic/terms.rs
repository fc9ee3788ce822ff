//! Ground terms as numbers: equal terms have equal [`TermId`]s, so joins compare `u32`s and never look inside.
//!
//! Lists are compounds `'[|]'(Head, Tail)` that end in the reserved constant `[]`, which, as in SWI-Prolog 7 and
//! later, is not the atom `'[]'`. Integers and floats never equal each other; `0.0` and `-0.0` differ. An integer that
//! does not fit in 64 bits is a term of another kind, so that the others, nearly all, stay plain numbers.

use super::key_table::{Key, KeyTable};
use super::{Symbol, Symbols, integers};
use crate::index::{integer, narrow};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::sync::Arc;

/// A ground term, by its number among the [`Terms`] of one task; it means nothing to those of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

impl TermId {
    /// The position of the term in its [`Terms`].
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The term at `index` of a [`Terms`]; for tables that store terms as plain `u32`.
    #[inline]
    pub(crate) fn from_index(index: u32) -> Self {
        TermId(index)
    }
}

/// A ground term, one level deep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Term<'a> {
    /// An integer of 64 bits.
    Int(i64),
    /// An integer beyond 64 bits.
    Big(&'a BigInt),
    /// A float.
    Float(f64),
    /// An atom.
    Atom(Symbol),
    /// A string (`"..."`), which is not an atom.
    Str(Symbol),
    /// The empty list.
    Nil,
    /// A compound; lists have the functor [`Terms::cons`] and two arguments.
    Compound(Symbol, &'a [TermId]),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum TermNode {
    Int(i64),
    /// The place of the integer in [`Terms::bigs`].
    Big(u32),
    Float(u64),
    Atom(Symbol),
    Str(Symbol),
    Nil,
    Compound {
        functor: Symbol,
        start: u32,
        arity: u32,
    },
}

/// All ground terms of a task, each once, and the names in them.
#[derive(Debug, Clone)]
pub struct Terms {
    symbols: Symbols,
    nodes: Vec<TermNode>,
    arguments: Vec<TermId>,
    /// Integers, floats, strings and the empty list.
    constants: KeyTable,
    /// The integers beyond 64 bits.
    bigs: Vec<Arc<BigInt>>,
    big_ids: FxHashMap<Arc<BigInt>, TermId>,
    /// How many bytes the digits of these integers take.
    big_bytes: usize,
    /// The atoms, by symbol.
    atoms: Vec<TermId>,
    /// Hash of functor and arguments to the compounds that have it; collisions share a chain.
    compounds: FxHashMap<u64, Vec<TermId>>,
    cons: Symbol,
}

impl Default for Terms {
    fn default() -> Self {
        let mut symbols = Symbols::default();
        let cons = symbols.intern("[|]");
        Terms {
            symbols,
            nodes: Vec::new(),
            arguments: Vec::new(),
            constants: KeyTable::default(),
            bigs: Vec::new(),
            big_ids: FxHashMap::default(),
            big_bytes: 0,
            atoms: Vec::new(),
            compounds: FxHashMap::default(),
            cons,
        }
    }
}

impl Terms {
    /// The names.
    #[doc(hidden)]
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The symbol of `name`, new if need be.
    #[doc(hidden)]
    pub fn intern(&mut self, name: &str) -> Symbol {
        self.symbols.intern(name)
    }

    /// The name of `symbol`.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }

    /// The functor of list cells, `'[|]'`.
    #[doc(hidden)]
    pub fn cons(&self) -> Symbol {
        self.cons
    }

    /// How many terms there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// About how many bytes the terms take.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<TermNode>() * 3)
            + self.arguments.len() * 4
            + self.compounds.len() * 40
            + self.big_bytes
    }

    /// An integer.
    #[doc(hidden)]
    pub fn int(&mut self, value: i64) -> TermId {
        self.constant(TermNode::Int(value))
    }

    /// An integer of any size.
    pub(crate) fn integer(&mut self, value: BigInt) -> TermId {
        if let Ok(small) = i64::try_from(&value) {
            return self.int(small);
        }
        if let Some(&id) = self.big_ids.get(&value) {
            return id;
        }
        let place = u32::try_from(self.bigs.len()).expect("fewer than 2^32 terms fit in memory");
        let id = self.push(TermNode::Big(place));
        self.big_bytes += integers::bytes(&value);
        let value = Arc::new(value);
        self.bigs.push(value.clone());
        self.big_ids.insert(value, id);
        id
    }

    /// A float. All NaNs are one term.
    #[doc(hidden)]
    pub fn float(&mut self, value: f64) -> TermId {
        let value = if value.is_nan() { f64::NAN } else { value };
        self.constant(TermNode::Float(value.to_bits()))
    }

    /// An atom.
    pub(crate) fn atom(&mut self, symbol: Symbol) -> TermId {
        match self.atoms.get(symbol.index()) {
            Some(&id) if id != NO_TERM => id,
            _ => self.new_atom(symbol),
        }
    }

    #[cold]
    fn new_atom(&mut self, symbol: Symbol) -> TermId {
        let id = self.push(TermNode::Atom(symbol));
        if symbol.index() >= self.atoms.len() {
            self.atoms.resize(symbol.index() + 1, NO_TERM);
        }
        self.atoms[symbol.index()] = id;
        id
    }

    /// An atom, by name.
    #[doc(hidden)]
    pub fn atom_named(&mut self, name: &str) -> TermId {
        let symbol = self.intern(name);
        self.atom(symbol)
    }

    /// A string.
    #[doc(hidden)]
    pub fn string(&mut self, text: &str) -> TermId {
        let symbol = self.intern(text);
        self.constant(TermNode::Str(symbol))
    }

    /// The empty list.
    #[doc(hidden)]
    pub fn nil(&mut self) -> TermId {
        self.constant(TermNode::Nil)
    }

    /// A compound. With no arguments it is the atom of that name.
    #[doc(hidden)]
    pub fn compound(&mut self, functor: Symbol, arguments: &[TermId]) -> TermId {
        if arguments.is_empty() {
            return self.atom(functor);
        }
        let hash = hash_compound(functor, arguments);
        if let Some(chain) = self.compounds.get(&hash)
            && let Some(&found) = chain.iter().find(|&&id| self.get(id) == Term::Compound(functor, arguments))
        {
            return found;
        }
        let start = u32::try_from(self.arguments.len()).expect("fewer than 2^32 arguments fit in memory");
        let arity = u32::try_from(arguments.len()).expect("the parser limits arity");
        self.arguments.extend_from_slice(arguments);
        let id = self.push(TermNode::Compound { functor, start, arity });
        self.compounds.entry(hash).or_default().push(id);
        id
    }

    /// A list cell.
    #[doc(hidden)]
    pub fn cell(&mut self, head: TermId, tail: TermId) -> TermId {
        self.compound(self.cons, &[head, tail])
    }

    /// A proper list.
    #[doc(hidden)]
    pub fn list(&mut self, items: &[TermId]) -> TermId {
        let nil = self.nil();
        items.iter().rev().fold(nil, |tail, &head| self.cell(head, tail))
    }

    /// The items of a proper list; `None` for anything else.
    #[doc(hidden)]
    pub fn list_items(&self, mut id: TermId) -> Option<Vec<TermId>> {
        let mut items = Vec::new();
        loop {
            match self.get(id) {
                Term::Nil => return Some(items),
                Term::Compound(functor, &[head, tail]) if functor == self.cons => {
                    items.push(head);
                    id = tail;
                }
                _ => return None,
            }
        }
    }

    /// What `id` is.
    #[inline]
    #[doc(hidden)]
    pub fn get(&self, id: TermId) -> Term<'_> {
        match self.nodes[id.index()] {
            TermNode::Int(value) => Term::Int(value),
            TermNode::Big(place) => Term::Big(&self.bigs[place as usize]),
            TermNode::Float(bits) => Term::Float(f64::from_bits(bits)),
            TermNode::Atom(symbol) => Term::Atom(symbol),
            TermNode::Str(symbol) => Term::Str(symbol),
            TermNode::Nil => Term::Nil,
            TermNode::Compound { functor, start, arity } => {
                Term::Compound(functor, &self.arguments[start as usize..(start + arity) as usize])
            }
        }
    }

    /// How two numbers compare in arithmetic, where an integer beside a float counts as a float; `None` if either is
    /// no number or NaN.
    pub(crate) fn compare_values(&self, a: TermId, b: TermId) -> Option<Ordering> {
        match (self.get(a), self.get(b)) {
            (Term::Int(_) | Term::Big(_), Term::Int(_) | Term::Big(_)) => Some(self.compare(a, b)),
            (a, b) => as_float(a)?.partial_cmp(&as_float(b)?),
        }
    }

    /// Prolog's standard order as SWI-Prolog 9 has it: numbers by value (a float before the equal integer), strings,
    /// `[]`, atoms, compounds by arity, name and arguments.
    #[doc(hidden)]
    pub fn compare(&self, a: TermId, b: TermId) -> Ordering {
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            if a == b {
                continue;
            }
            let order = match (self.get(a), self.get(b)) {
                (Term::Int(m), Term::Int(n)) => m.cmp(&n),
                (Term::Float(m), Term::Float(n)) => compare_floats(m, n),
                (Term::Int(m), Term::Float(n)) => compare_int_float(m, n).then(Ordering::Greater),
                (Term::Float(m), Term::Int(n)) => compare_int_float(n, m).reverse().then(Ordering::Less),
                (Term::Big(m), Term::Big(n)) => m.cmp(n),
                (Term::Big(m), Term::Int(_)) => integers::sign_order(m),
                (Term::Int(_), Term::Big(n)) => integers::sign_order(n).reverse(),
                (Term::Big(m), Term::Float(n)) => integers::compare_float(m, n).then(Ordering::Greater),
                (Term::Float(m), Term::Big(n)) => integers::compare_float(n, m).reverse().then(Ordering::Less),
                (Term::Str(m), Term::Str(n)) | (Term::Atom(m), Term::Atom(n)) => self.name(m).cmp(self.name(n)),
                (Term::Compound(f, xs), Term::Compound(g, ys)) => {
                    let order = xs.len().cmp(&ys.len()).then_with(|| self.name(f).cmp(self.name(g)));
                    if order.is_eq() {
                        todo.extend(xs.iter().copied().zip(ys.iter().copied()).rev());
                    }
                    order
                }
                (x, y) => rank(x).cmp(&rank(y)),
            };
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    }

    /// The term as Prolog text that reads back as the same term.
    pub fn show(&self, id: TermId) -> String {
        let mut text = String::new();
        self.write(&mut text, id);
        text
    }

    /// Writes with a stack of its own, because terms may be deeper than the machine's.
    fn write(&self, out: &mut String, id: TermId) {
        let mut todo = vec![TermPiece::Term(id)];
        while let Some(piece) = todo.pop() {
            match piece {
                TermPiece::Text(text) => out.push_str(text),
                TermPiece::Tail(id) => match self.get(id) {
                    Term::Nil => out.push(']'),
                    Term::Compound(functor, &[head, tail]) if functor == self.cons => {
                        out.push(',');
                        todo.extend([TermPiece::Tail(tail), TermPiece::Term(head)]);
                    }
                    _ => {
                        out.push('|');
                        todo.extend([TermPiece::Text("]"), TermPiece::Term(id)]);
                    }
                },
                TermPiece::Term(id) => match self.get(id) {
                    Term::Int(value) => write!(out, "{value}").expect("writing to a string"),
                    Term::Big(value) => write!(out, "{value}").expect("writing to a string"),
                    Term::Float(value) => write_float(out, value),
                    Term::Atom(symbol) => write_atom(out, self.name(symbol)),
                    Term::Str(symbol) => write_quoted(out, self.name(symbol), '"'),
                    Term::Nil => out.push_str("[]"),
                    Term::Compound(functor, &[head, tail]) if functor == self.cons => {
                        out.push('[');
                        todo.extend([TermPiece::Tail(tail), TermPiece::Term(head)]);
                    }
                    Term::Compound(functor, arguments) => {
                        write_atom(out, self.name(functor));
                        out.push('(');
                        todo.push(TermPiece::Text(")"));
                        for (at, &argument) in arguments.iter().enumerate().rev() {
                            todo.push(TermPiece::Term(argument));
                            if at > 0 {
                                todo.push(TermPiece::Text(","));
                            }
                        }
                    }
                },
            }
        }
    }

    /// The number of an integer that is here already; asking does not add it.
    pub(crate) fn find_int(&self, value: i64) -> Option<TermId> {
        self.find_constant(&TermNode::Int(value))
    }

    /// The number of a float that is here already; asking does not add it.
    pub(crate) fn find_float(&self, value: f64) -> Option<TermId> {
        let value = if value.is_nan() { f64::NAN } else { value };
        self.find_constant(&TermNode::Float(value.to_bits()))
    }

    /// The terms of many constants, appended to `ids`; new ones get their numbers in this order, as if they were asked for
    /// one by one. `keys` is memory to be reused.
    pub(crate) fn constants(&mut self, constants: &[Constant<'_>], keys: &mut Vec<(Key, bool)>, ids: &mut Vec<TermId>) {
        keys.clear();
        keys.extend(constants.iter().map(|constant| match constant {
            Constant::Atom(name) => Key::of_name(name),
            Constant::Int(value) => (int_key(*value), true),
        }));
        let touched = constants.iter().zip(&*keys).fold(0, |sum, (constant, (key, _))| match constant {
            Constant::Atom(_) => sum ^ self.symbols.touch(*key),
            Constant::Int(_) => sum ^ self.constants.touch(*key),
        });
        std::hint::black_box(touched);
        ids.extend(constants.iter().zip(&*keys).map(|(constant, &key)| match constant {
            Constant::Atom(name) => {
                let symbol = self.symbols.intern_by(key, name);
                self.atom(symbol)
            }
            Constant::Int(value) => match self.constants.get(key.0, |_| true) {
                Some(id) => TermId(id),
                None => self.int(*value),
            },
        }));
    }

    fn find_constant(&self, node: &TermNode) -> Option<TermId> {
        self.constants.get(constant_key(node), |_| true).map(TermId)
    }

    #[inline]
    fn constant(&mut self, node: TermNode) -> TermId {
        match self.find_constant(&node) {
            Some(id) => id,
            None => {
                let id = self.push(node);
                self.constants.insert(constant_key(&node), id.0);
                id
            }
        }
    }

    fn push(&mut self, node: TermNode) -> TermId {
        let id = TermId(narrow(self.nodes.len()));
        // That number stands for none, and no memory holds as many terms.
        assert!(id != NO_TERM, "fewer than 2^32 - 1 terms fit in memory");
        self.nodes.push(node);
        id
    }
}

/// A constant of a text, in the form in which most of them are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constant<'s> {
    /// An atom.
    Atom(&'s str),
    /// An integer.
    Int(i64),
}

/// No term.
const NO_TERM: TermId = TermId(u32::MAX);

#[inline]
fn int_key(value: i64) -> Key {
    Key::new(value.cast_unsigned(), 0)
}

/// The key of a constant that is no atom.
#[inline]
fn constant_key(node: &TermNode) -> Key {
    match node {
        TermNode::Int(value) => int_key(*value),
        TermNode::Float(bits) => Key::new(*bits, 1),
        TermNode::Str(symbol) => Key::new(symbol.index() as u64, 2),
        TermNode::Nil => Key::new(0, 3),
        TermNode::Big(_) | TermNode::Atom(_) | TermNode::Compound { .. } => unreachable!("these are found otherwise"),
    }
}

/// What is left to write.
enum TermPiece {
    Term(TermId),
    Tail(TermId),
    Text(&'static str),
}

/// The place of a kind of term in the standard order.
fn rank(term: Term<'_>) -> u8 {
    match term {
        Term::Int(_) | Term::Big(_) | Term::Float(_) => 0,
        Term::Str(_) => 1,
        Term::Nil => 2,
        Term::Atom(_) => 3,
        Term::Compound(..) => 4,
    }
}

/// The float nearest to a number.
fn as_float(term: Term<'_>) -> Option<f64> {
    match term {
        Term::Int(value) => Some(value as f64),
        Term::Big(value) => Some(integers::to_float(value)),
        Term::Float(value) => Some(value),
        _ => None,
    }
}

/// Floats by value; `-0.0` before `0.0`, NaN first.
pub fn compare_floats(m: f64, n: f64) -> Ordering {
    m.partial_cmp(&n).unwrap_or_else(|| n.is_nan().cmp(&m.is_nan())).then_with(|| m.total_cmp(&n))
}

fn hash_compound(functor: Symbol, arguments: &[TermId]) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    functor.hash(&mut hasher);
    arguments.hash(&mut hasher);
    hasher.finish()
}

/// Exact comparison of an integer with a float; NaN is below everything, as in SWI-Prolog's standard order.
pub fn compare_int_float(int: i64, float: f64) -> Ordering {
    let floor = float.floor();
    match integer(floor) {
        Some(whole) => int.cmp(&whole).then(if float > floor { Ordering::Less } else { Ordering::Equal }),
        None if float > 0.0 => Ordering::Less,
        None => Ordering::Greater,
    }
}

/// A float with the shortest digits that read back as the same float, always with a `.` or exponent; infinities and
/// NaN as SWI-Prolog writes them.
pub fn write_float(out: &mut String, value: f64) {
    if value.is_infinite() {
        out.push_str(if value > 0.0 { "1.0Inf" } else { "-1.0Inf" });
    } else if value.is_nan() {
        out.push_str("1.5NaN");
    } else {
        write!(out, "{value:?}").expect("writing to a string");
    }
}

/// An atom, quoted only if it must be.
pub fn write_atom(out: &mut String, name: &str) {
    const SYMBOLIC: &str = "#$&*+-./:<=>?@^~\\";
    let mut chars = name.chars();
    let plain = match chars.next() {
        None => false,
        Some(first) if first.is_lowercase() => chars.all(|c| c.is_alphanumeric() || c == '_'),
        Some(first) if SYMBOLIC.contains(first) => {
            // A full stop ends a clause and `/*` opens a comment.
            chars.all(|c| SYMBOLIC.contains(c)) && name != "." && !name.starts_with("/*")
        }
        Some(_) => matches!(name, "[]" | "!" | ";" | "{}"),
    };
    // The atom '[]' and the empty list are two terms; only the list is written bare.
    if plain && name != "[]" {
        out.push_str(name);
    } else {
        write_quoted(out, name, '\'');
    }
}

fn write_quoted(out: &mut String, text: &str, quote: char) {
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => write!(out, "\\x{:x}\\", u32::from(c)).expect("writing to a string"),
            c => out.push(c),
        }
    }
    out.push(quote);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_get_one_number() {
        let mut terms = Terms::default();
        let (one, two) = (terms.int(1), terms.int(2));
        let list = terms.list(&[one, two]);
        assert_eq!(terms.list(&[one, two]), list);
        assert_ne!(terms.list(&[two, one]), list);
        assert_ne!(terms.float(1.0), one);
        assert_eq!(terms.show(list), "[1,2]");
        assert_eq!(terms.list_items(list), Some(vec![one, two]));
        let f = terms.intern("f");
        assert_eq!(terms.compound(f, &[]), terms.atom(f));
    }

    #[test]
    fn numbers_compare_by_value_and_an_integer_beside_a_float_as_a_float() {
        let mut terms = Terms::default();
        let odd = terms.int((1 << 53) + 1);
        let float = terms.float(9_007_199_254_740_992.0);
        let big = terms.integer(BigInt::from(1) << 70);
        let text = terms.atom_named("a");
        // As in SWI-Prolog: arithmetic rounds, the standard order does not.
        assert_eq!(terms.compare_values(odd, float), Some(Ordering::Equal));
        assert_eq!(terms.compare(odd, float), Ordering::Greater);
        assert_eq!(terms.compare_values(big, float), Some(Ordering::Greater));
        assert_eq!(terms.compare_values(odd, big), Some(Ordering::Less));
        assert_eq!(terms.compare_values(text, big), None);
    }

    #[test]
    fn terms_print_as_they_read() {
        let mut terms = Terms::default();
        let nil_atom = terms.atom_named("[]");
        let nil = terms.nil();
        let odd = terms.atom_named("it's \n");
        let upper = terms.atom_named("Abc");
        let plus = terms.atom_named("+");
        let tail = terms.cell(odd, upper);
        let float = terms.float(1e22);
        let half = terms.float(-0.5);
        let text = terms.string("a\"b");
        let shown: Vec<String> =
            [nil_atom, nil, odd, plus, tail, float, half, text].iter().map(|&id| terms.show(id)).collect();
        assert_eq!(shown, ["'[]'", "[]", "'it\\'s \\n'", "+", "['it\\'s \\n'|'Abc']", "1e22", "-0.5", "\"a\\\"b\""]);
    }

    #[test]
    fn the_standard_order_puts_numbers_strings_atoms_compounds() {
        let mut terms = Terms::default();
        let f = terms.intern("f");
        let one = terms.int(1);
        let sorted = vec![
            terms.float(0.5),
            terms.float(1.0),
            one,
            terms.int(2),
            terms.string("a"),
            terms.nil(),
            terms.atom_named("A"),
            terms.atom_named("b"),
            terms.compound(f, &[one]),
            terms.compound(f, &[one, one]),
        ];
        let mut shuffled = sorted.clone();
        shuffled.reverse();
        shuffled.sort_by(|&a, &b| terms.compare(a, b));
        assert_eq!(shuffled, sorted);
    }

    #[test]
    fn terms_of_any_depth_are_compared_and_written() {
        let mut terms = Terms::default();
        let f = terms.intern("f");
        let (mut a, mut b) = (terms.int(1), terms.int(2));
        for _ in 0..300_000 {
            a = terms.compound(f, &[a]);
            b = terms.compound(f, &[b]);
        }
        assert_eq!(terms.compare(a, b), Ordering::Less);
        assert_eq!(terms.show(a).len(), 3 * 300_000 + 1);
    }
}
