//! Atoms to classify, from a text of any length: `f(a,b).`, or `pos(f(a,b)).` and `neg(f(a,b)).` where the answer is
//! known.
//!
//! A file of examples to predict need not fit in memory, so the text is read in pieces. Where a clause ends only the
//! reader knows (a full stop may stand in quotes or a comment), so each piece is read clause by clause, and what
//! is left of its last clause is put before the next piece. Not for the examples of a task, which are all needed at
//! once.

use super::convert::Converter;
use super::{Program, directive};
use crate::error::{Diagnostic, Error, Result};
use crate::logic::{Pred, TermId, Terms};
use crate::parse::{CONS, Form, NodeId, Notation, Reader, Text, Tree};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// Bytes of text read at once.
const PIECE: usize = 1 << 20;
/// The most bytes of one clause: where no clause ends within them, the text is taken to be broken at its beginning.
const MAX_CLAUSE: usize = 16 << 20;

/// Atoms of one predicate, some with known labels.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    width: usize,
    args: Vec<TermId>,
    labels: Vec<Option<(bool, u32)>>,
}

impl Batch {
    /// Atoms of a predicate of `arity` arguments; there are none yet.
    pub fn new(arity: usize) -> Self {
        Batch { width: arity, ..Batch::default() }
    }

    /// Add an atom, by its arguments, whose label is not known.
    ///
    /// # Panics
    /// If there are more or fewer arguments than the others have.
    pub fn push(&mut self, args: &[TermId]) {
        assert_eq!(args.len(), self.width, "atoms of one predicate have as many arguments");
        self.args.extend_from_slice(args);
        self.labels.push(None);
    }

    /// How many atoms there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The arguments of an atom.
    pub fn args(&self, at: usize) -> &[TermId] {
        &self.args[at * self.width..(at + 1) * self.width]
    }

    /// Whether an atom is positive, and its weight, if the text says.
    pub fn label(&self, at: usize) -> Option<(bool, u32)> {
        self.labels[at]
    }
}

/// Reads atoms from a text, a batch at a time.
#[derive(Debug)]
pub struct Queries<R> {
    input: R,
    name: Arc<str>,
    head: Pred,
    /// Text that was read but not used yet.
    rest: Vec<u8>,
    /// Lines before it.
    lines: u32,
    ended: bool,
    /// What directives have said of how the rest is written.
    notation: Notation,
}

impl<R: Read> Queries<R> {
    /// Atoms of `head` from `input`, which messages call `name`.
    pub fn new(name: impl Into<Arc<str>>, input: R, head: Pred) -> Self {
        Queries {
            input,
            name: name.into(),
            head,
            rest: Vec::new(),
            lines: 0,
            ended: false,
            notation: Notation::default(),
        }
    }

    /// The next atoms, about as many as fit in a piece of text; none at the end. New constants become terms of `terms`.
    ///
    /// # Errors
    /// If the text cannot be read, or is no list of ground atoms of the head predicate.
    pub fn next(&mut self, terms: &mut Terms) -> Result<Batch> {
        let mut wanted = PIECE;
        loop {
            self.fill(wanted)?;
            let bytes = std::mem::take(&mut self.rest);
            let (batch, used) = self.read(&bytes, terms)?;
            // What is used ends behind a full stop, so lines before the rest are those in it.
            let lines = bytes[..used].iter().filter(|&&byte| byte == b'\n').count();
            self.lines = self.lines.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            self.rest = bytes[used..].to_vec();
            if !batch.is_empty() || (self.ended && self.rest.is_empty()) {
                return Ok(batch);
            }
            wanted = if used > 0 { PIECE } else { wanted * 2 };
        }
    }

    fn fill(&mut self, wanted: usize) -> Result<()> {
        let missing = wanted.saturating_sub(self.rest.len());
        if missing > 0 && !self.ended {
            let failed = |source| Error::Io { action: "read", path: PathBuf::from(&*self.name), source };
            let got = self.input.by_ref().take(missing as u64).read_to_end(&mut self.rest).map_err(failed)?;
            self.ended = got < missing;
        }
        Ok(())
    }

    /// The atoms of the whole clauses in `bytes`, and how many bytes they take.
    fn read(&mut self, bytes: &[u8], terms: &mut Terms) -> Result<(Batch, usize)> {
        let whole = match std::str::from_utf8(bytes) {
            Err(error) if !self.ended && error.error_len().is_none() => &bytes[..error.valid_up_to()],
            _ => bytes,
        };
        let source = Text::from_bytes(self.name.clone(), whole).map_err(|finding| self.place(*finding))?;
        let mut batch = Batch { width: self.head.arity as usize, ..Batch::default() };
        let mut reader = Reader::in_notation(&source, std::mem::take(&mut self.notation));
        let (mut tree, mut converter) = (Tree::default(), Converter::default());
        let mut used = 0;
        let used = loop {
            let found = reader.read(&mut tree);
            let stop = reader.end();
            match found {
                None if self.ended => break bytes.len(),
                None => break used,
                Some(Err(finding)) if self.ended || whole.len() - used >= MAX_CLAUSE => {
                    return Err(self.place(*finding));
                }
                // Either broken or incomplete: more text will tell.
                Some(Err(_)) => break used,
                // Something must follow the full stop: `1.` may go on as `1.5`.
                Some(Ok(())) if stop >= whole.len() && !self.ended => break used,
                Some(Ok(())) => {}
            }
            let read = match tree.form(tree.root()) {
                Form::Compound(":-", &[goal]) => {
                    directive::obey(goal, &tree, &source, &mut reader, terms, &mut Program::default())
                }
                _ => self.atom(&tree, &source, &mut converter, terms, &mut batch),
            };
            read.map_err(|finding| self.place(*finding))?;
            used = stop.max(used);
        };
        self.notation = reader.into_notation();
        Ok((batch, used))
    }

    fn atom<'s>(
        &self,
        tree: &Tree<'s>,
        source: &Text<'s>,
        converter: &mut Converter<'s>,
        terms: &mut Terms,
        batch: &mut Batch,
    ) -> std::result::Result<(), Box<Diagnostic>> {
        let root = tree.root();
        let (atom, label) = match tree.form(root) {
            Form::Compound(name @ ("pos" | "neg"), &[atom]) if self.is_head(tree, atom, terms) => {
                (atom, Some((name == "pos", 1)))
            }
            Form::Compound(name @ ("pos" | "neg"), &[atom, weight]) if self.is_head(tree, atom, terms) => {
                let weight = match tree.form(weight) {
                    Form::Int(value) => u32::try_from(value).ok().filter(|&weight| weight > 0),
                    _ => None,
                };
                let complain = || source.error(tree.span(root), "the weight of an example is a whole number above 0");
                (atom, Some((name == "pos", weight.ok_or_else(complain)?)))
            }
            _ => (root, None),
        };
        if !self.is_head(tree, atom, terms) {
            let (head, shown) = (self.head.show(terms), source.quote(tree.span(root), 40));
            let finding = source.error(tree.span(root), format!("expected an atom of {head}, found `{shown}`"));
            return Err(Box::new(
                finding.with_help("one atom a clause, with `pos(...)` or `neg(...)` around it if known"),
            ));
        }
        if let Some(variable) = tree.nodes().find(|&node| matches!(tree.form(node), Form::Var(_))) {
            let shown = source.quote(tree.span(variable), 40);
            let finding = source.error(tree.span(variable), format!("the atom is not ground: `{shown}` is a variable"));
            return Err(Box::new(finding.with_help("a name that begins with a capital letter must be quoted")));
        }
        converter.convert(tree, atom, terms).expect("ground terms may be as deep as the reader allows");
        let arguments: &[NodeId] = if let Form::Compound(_, arguments) = tree.form(atom) { arguments } else { &[] };
        batch.args.extend_from_slice(converter.row(arguments).expect("there are no variables"));
        batch.labels.push(label);
        Ok(())
    }

    fn is_head(&self, tree: &Tree<'_>, atom: NodeId, terms: &Terms) -> bool {
        let (name, arity) = match tree.form(atom) {
            Form::Compound(name, arguments) if name != CONS => (name, arguments.len()),
            Form::Atom(name) => (name, 0),
            _ => return false,
        };
        arity == self.head.arity as usize && name == terms.name(self.head.name)
    }

    /// The finding with its line counted from the beginning of the text.
    fn place(&self, mut finding: Diagnostic) -> Error {
        if let Some(location) = &mut finding.location {
            location.line = location.line.saturating_add(self.lines);
        }
        finding.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time, as a pipe may.
    struct Drip<'t>(&'t [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let count = out.len().min(self.0.len()).min(7);
            out[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn read(text: &str) -> Result<Vec<String>> {
        let mut terms = Terms::default();
        let head = Pred::new(terms.intern("f"), 2);
        let mut queries = Queries::new("new.pl", Drip(text.as_bytes()), head);
        let mut shown = Vec::new();
        loop {
            let batch = queries.next(&mut terms)?;
            if batch.is_empty() {
                return Ok(shown);
            }
            for at in 0..batch.len() {
                let args: Vec<String> = batch.args(at).iter().map(|&id| terms.show(id)).collect();
                let label = batch.label(at).map_or_else(String::new, |(label, weight)| format!(" {label} {weight}"));
                shown.push(args.join(",") + &label);
            }
        }
    }

    fn message(text: &str) -> String {
        read(text).unwrap_err().to_string().lines().next().unwrap().to_owned()
    }

    #[test]
    fn atoms_with_and_without_labels_are_read() {
        let text =
            ":- discontiguous pos/1.\nf(a,1.5). % f(x,y).\npos(f('B.\n',[c])). neg(f(a,\"s\"),3).\n/* f(a. */ f(1,2).";
        assert_eq!(read(text).unwrap(), ["a,1.5", "'B.\\n',[c] true 1", "a,\"s\" false 3", "1,2"]);
        let operators = format!(":- op(700, xfx, ~>).\n{}f(a, x ~> y).\n", "f(a,b).\n".repeat(PIECE / 7));
        assert_eq!(read(&operators).unwrap().last().unwrap(), "a,~>(x,y)");
        assert!(read("").unwrap().is_empty());
        assert!(read("% nothing\n").unwrap().is_empty());
    }

    #[test]
    fn clauses_across_pieces_of_text_are_read_whole() {
        let long = format!("f(long,[{}0]).\n", "element, ".repeat(PIECE / 4));
        let text = format!("{}{long}f(x,'é').\n", "f(a, 'ü. b').\n% a comment.\n".repeat(PIECE / 10));
        let read = read(&text).unwrap();
        assert_eq!(read.len(), PIECE / 10 + 2);
        assert!(read[..PIECE / 10].iter().all(|shown| shown == "a,'ü. b'"));
        assert_eq!(read.last().unwrap(), "x,é");
    }

    #[test]
    fn what_is_no_ground_atom_of_the_head_is_an_error_at_its_place() {
        assert_eq!(message("f(a,b).\nf(a)."), "new.pl:2:1: error: expected an atom of f/2, found `f(a)`");
        assert_eq!(message("f(a,X)."), "new.pl:1:5: error: the atom is not ground: `X` is a variable");
        assert_eq!(message("pos(g(a))."), "new.pl:1:1: error: expected an atom of f/2, found `pos(g(a))`");
        assert_eq!(message("neg(f(a,b),0)."), "new.pl:1:1: error: the weight of an example is a whole number above 0");
        assert!(message("f(a,b).\nf(a,b)\n").starts_with("new.pl:"));
        let far = format!("{}f(a,,b).\n", "f(a,b).\n".repeat(PIECE / 4));
        assert!(message(&far).starts_with(&format!("new.pl:{}:5: error:", PIECE / 4 + 1)), "{}", message(&far));
        assert!(message(&format!("f(a,b).\nf('{}", "open ".repeat(MAX_CLAUSE / 2))).starts_with("new.pl:2:"));
    }
}
