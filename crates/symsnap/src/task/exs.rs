//! The examples file: `pos(Atom).` and `neg(Atom).`, each with an optional weight.

use super::convert::Converter;
use super::findings::Findings;
use super::numbers::Numbers;
use super::{Bias, Examples, Program, Task, directive};
use crate::error::{Diagnostic, Error};
use crate::index::narrow;
use crate::logic::{Pred, TermId, Terms};
use crate::parse::{CONS, Fact, Form, NodeId, Reader, Text, Tree};
use rustc_hash::FxHashMap;
use std::path::Path;

/// Read examples of the bias's head. Without a bias (it is wrong) only the form of the file is checked. Values that
/// rules may compare with numbers are left to `numbers`.
pub(super) fn read_examples(
    source: &Text<'_>,
    terms: &mut Terms,
    bias: Option<&Bias>,
    numbers: &mut Numbers,
    findings: &mut Findings,
) -> Option<Examples> {
    let head = bias.map(|bias| bias.head);
    let mut examples = head.map(Examples::new);
    let mut reader = Reader::new(source);
    let mut tree = Tree::default();
    let mut converter = Converter::default();
    let mut declared = Program::default();
    let mut fact = Fact::default();
    let mut starts = Starts::default();
    while !findings.is_full() {
        if reader.fact(true, &mut fact) {
            if let Some(positive) = plain(&fact, terms, head) {
                let row = converter.constants(&fact.arguments, terms);
                if let Some(examples) = &mut examples {
                    examples.push(positive, row, 1);
                    starts.push(positive, fact.start);
                }
                continue;
            }
            // Something is wrong with it; the tree says what and where.
            reader.unread(&fact);
        }
        match reader.read(&mut tree) {
            None => break,
            Some(Err(finding)) => findings.add(*finding),
            Some(Ok(())) => match tree.form(tree.root()) {
                Form::Atom("end_of_file") => break,
                Form::Compound(":-", &[goal]) => {
                    if let Err(finding) = directive::obey(goal, &tree, source, &mut reader, terms, &mut declared) {
                        findings.add(*finding);
                    }
                }
                _ => match example(&tree, source, &mut converter, terms, head) {
                    Ok((positive, row, weight)) => {
                        if let Some(examples) = &mut examples {
                            examples.push(positive, &row, weight);
                            starts.push(positive, tree.span(tree.root()).start);
                        }
                    }
                    Err(finding) => findings.add(*finding),
                },
            },
        }
    }
    if let (Some(examples), Some(bias)) = (&examples, bias) {
        findings.extend(contradictions(examples, &starts, source, terms));
        numbers.examples(bias, examples, source, |positive, at| starts.0[usize::from(!positive)][at], terms);
    }
    examples
}

/// Where the examples of a file begin: positives, then negatives.
#[derive(Default)]
struct Starts([Vec<u32>; 2]);

impl Starts {
    fn push(&mut self, positive: bool, start: u32) {
        self.0[usize::from(!positive)].push(start);
    }
}

/// How many contradicting examples the warning about them names.
const NAMED: usize = 3;

/// A warning that names the examples that are both positive and negative, with the lines where they are.
fn contradictions(examples: &Examples, starts: &Starts, source: &Text<'_>, terms: &Terms) -> Option<Diagnostic> {
    let mut positives: FxHashMap<&[TermId], usize> = FxHashMap::default();
    (0..examples.positives()).rev().for_each(|at| _ = positives.insert(examples.positive(at), at));
    let mut both: Vec<(usize, usize)> = Vec::new();
    for at in 0..examples.negatives() {
        // Each atom once, however often it stands there.
        both.extend(positives.remove(examples.negative(at)).map(|positive| (positive, at)));
    }
    let line = |start: u32| source.location(start).line;
    let named = both.iter().take(NAMED).map(|&(positive, negative)| {
        let atom = examples.pred().show_atom(examples.positive(positive), terms);
        format!("{atom} (lines {} and {})", line(starts.0[0][positive]), line(starts.0[1][negative]))
    });
    let named = named.collect::<Vec<_>>().join(", ");
    let message = match both.len() {
        0 => return None,
        1 => format!("an example is both positive and negative: {named}"),
        many if many > NAMED => format!("{many} examples are both positive and negative: {named}, ..."),
        many => format!("{many} examples are both positive and negative: {named}"),
    };
    let finding = Diagnostic::warning(message).at(source.location(starts.0[1][both[0].1]));
    Some(finding.with_help("no hypothesis is right about both: remove one of each pair, or take it for noise"))
}

impl Task {
    /// Read further examples of the head predicate from a file; their constants become terms of the task.
    ///
    /// # Errors
    /// If the file cannot be read, or what it says is wrong.
    #[doc(hidden)]
    pub fn read_examples_file(&mut self, path: &Path) -> crate::error::Result<Examples> {
        let bytes = crate::file::read(path)?;
        let source = Text::from_bytes(path.display().to_string(), &bytes).map_err(|finding| Error::from(*finding))?;
        let mut findings = Findings::default();
        let mut numbers = Numbers::default();
        let examples = read_examples(&source, &mut self.terms, Some(&self.bias), &mut numbers, &mut findings);
        findings.extend(numbers.errors());
        findings.finish()?;
        Ok(examples.unwrap_or_else(|| Examples::new(self.bias.head)))
    }
}

/// Whether an example is positive; `None` if it is none of `head`.
fn plain(fact: &Fact<'_>, terms: &Terms, head: Option<Pred>) -> Option<bool> {
    let head = head
        .is_none_or(|head| head.arity as usize == fact.arguments.len() && terms.symbols().name(head.name) == fact.name);
    match fact.wrapper {
        "pos" if head => Some(true),
        "neg" if head => Some(false),
        _ => None,
    }
}

fn arguments_of(arity: u32) -> String {
    if arity == 1 { "1 argument".to_owned() } else { format!("{arity} arguments") }
}

fn example<'s>(
    tree: &Tree<'s>,
    source: &Text<'s>,
    converter: &mut Converter<'s>,
    terms: &mut Terms,
    head: Option<Pred>,
) -> Result<(bool, Vec<TermId>, u32), Box<Diagnostic>> {
    let fail = |node: NodeId, message: String, help: &str| -> Box<Diagnostic> {
        let mut finding = source.error(tree.span(node), message);
        finding.help = Some(help.to_owned());
        finding
    };
    let root = tree.root();
    let (positive, atom, weight) = match tree.form(root) {
        Form::Compound("pos", &[atom]) => (true, atom, None),
        Form::Compound("neg", &[atom]) => (false, atom, None),
        Form::Compound("pos", &[atom, weight]) => (true, atom, Some(weight)),
        Form::Compound("neg", &[atom, weight]) => (false, atom, Some(weight)),
        Form::Compound(":-", &[_, _]) => {
            return Err(fail(root, "examples are facts, not rules".to_owned(), "move rules to bk.pl"));
        }
        _ => {
            let shown = source.quote(tree.span(root), 40);
            let message = format!("expected `pos(Atom)` or `neg(Atom)`, found `{shown}`");
            return Err(fail(root, message, "for example `pos(grandparent(ann,bob)).`"));
        }
    };
    let weight = match weight.map(|node| (node, tree.form(node))) {
        None => 1,
        Some((node, Form::Int(value))) => u32::try_from(value).ok().filter(|&weight| weight > 0).ok_or_else(|| {
            let message = format!("weight {value} is not between 1 and {}", u32::MAX);
            fail(node, message, "weights count how often an example stands for itself")
        })?,
        Some((node, _)) => {
            let shown = source.quote(tree.span(node), 40);
            let message = format!("expected a whole number as weight, found `{shown}`");
            return Err(fail(node, message, "an example is `pos(Atom)` or `pos(Atom,Weight)`"));
        }
    };
    let (name, arguments): (&str, &[NodeId]) = match tree.form(atom) {
        Form::Compound(name, arguments) if name != CONS => (name, arguments),
        Form::Atom(name) => (name, &[]),
        _ => {
            let shown = source.quote(tree.span(atom), 40);
            let message = format!("expected an atom as example, found `{shown}`");
            return Err(fail(atom, message, "for example `pos(grandparent(ann,bob)).`"));
        }
    };
    if let Some(head) = head {
        let found = Pred::new(terms.intern(name), narrow(arguments.len()));
        if found != head {
            let message = format!("example of {}, but the head predicate is {}", found.show(terms), head.show(terms));
            let help = if found.name == head.name {
                format!("the bias says with head_pred that it takes {}", arguments_of(head.arity))
            } else {
                "the bias names the head predicate with head_pred".to_owned()
            };
            return Err(fail(atom, message, &help));
        }
    }
    if let Some(variable) = tree.nodes().find(|&node| matches!(tree.form(node), Form::Var(_))) {
        let shown = source.quote(tree.span(variable), 40);
        let message = format!("the example is not ground: `{shown}` is a variable");
        return Err(fail(variable, message, "a name that begins with a capital letter must be quoted"));
    }
    converter.convert(tree, atom, terms).expect("ground terms may be as deep as the reader allows");
    let row = converter.row(arguments).expect("there are no variables").to_vec();
    Ok((positive, row, weight))
}
