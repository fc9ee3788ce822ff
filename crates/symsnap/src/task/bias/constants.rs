//! Which numbers and names rules may hold: comparisons of variables with learned numbers, and constants in arguments.
//!
//! The statements are those of NumSynth (Hocquette and Cropper, *Relational program synthesis with numerical reasoning*,
//! AAAI 2023), read in [`cuts`](super::cuts), those of MagicPopper (the same, *Learning programs with magic values*,
//! 2023), and a short form of each of our own.

use super::Bias;
use super::compile::Finding;
use super::declared::{Declaration, DeclaredBias, given_limit};
use super::findings::BiasFindings;
use super::value::BiasValue;
use crate::error::nearest;
use crate::logic::{Comparison, Number, Pred, Symbol, Terms};
use crate::parse::Span;

/// Which variables bodies may compare with learned numbers: `V =< c`, `V >= c`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cuts {
    /// The types whose variables may be compared, each once.
    pub types: Vec<CutType>,
    /// At most this many comparisons and computations in a rule.
    pub most: Option<usize>,
    /// The body predicates that are computations.
    pub computations: Vec<Pred>,
    /// Multiples by learned numbers.
    pub multiples: Option<Multiples>,
    /// Whether the bias allows ratios that are a learned number, which are not searched.
    pub exact_multiples: bool,
    /// `=<` and `>=` as names of the task; set with the first type.
    pub signs: Option<[Pred; 2]>,
}

/// Which variables bodies may multiply by a learned number: `W is c*V`.
#[derive(Debug, Clone, PartialEq)]
pub struct Multiples {
    /// The product as a predicate.
    pub product: Pred,
    /// Where the number lies.
    pub factor: Bounds,
    /// The types of V and W.
    pub kinds: Vec<Symbol>,
}

/// The numbers by which variables of one type may be multiplied; 0 and 1 are not among them.
#[derive(Debug, Clone, PartialEq)]
pub enum Factors {
    /// These whole numbers.
    Whole(Vec<Number>),
    /// All numbers between the bounds.
    Real(Bounds),
}

impl Factors {
    /// Where more whole numbers than this lie between the bounds, the factors are real.
    const MOST_WHOLE: f64 = 512.0;

    fn new(whole: bool, bounds: Bounds) -> Factors {
        let Bounds { low, high } = bounds;
        if !whole || high - low > Self::MOST_WHOLE {
            return Factors::Real(bounds);
        }
        #[expect(clippy::cast_possible_truncation, reason = "bounds lie within 2^53")]
        let all = low.ceil() as i64..=high.floor() as i64;
        Factors::Whole(all.filter(|k| !matches!(k, 0 | 1)).map(Number::int).collect())
    }

    fn contains(&self, factor: Number) -> bool {
        match self {
            Factors::Whole(factors) => factors.contains(&factor),
            Factors::Real(Bounds { low, high }) => {
                let factor = factor.to_f64();
                factor != 0.0 && factor != 1.0 && (*low..=*high).contains(&factor)
            }
        }
    }
}

/// The comparisons that variables of one type allow.
#[derive(Debug, Clone, PartialEq)]
pub struct CutType {
    /// Variables of this type.
    pub kind: Symbol,
    /// Whether constants are whole numbers: all values that files give are; where they give none, what NumSynth takes
    /// the type's name for.
    pub whole: bool,
    /// Where the constant of `V =< c` lies; `None` if that comparison is not allowed.
    pub at_most: Option<Bounds>,
    /// Where the constant of `V >= c` lies; `None` if that comparison is not allowed.
    pub at_least: Option<Bounds>,
}

/// A range of numbers, both ends included; infinite where nothing is said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The least number.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

impl Bounds {
    /// All numbers.
    pub const ALL: Bounds = Bounds { low: f64::NEG_INFINITY, high: f64::INFINITY };
}

/// Which arguments of literals may be constants.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Constants {
    /// Arguments of these types.
    pub types: Vec<Symbol>,
    /// These arguments, which count from 0.
    pub arguments: Vec<(Pred, usize)>,
    /// Any argument (`magic_value_all`).
    pub all: bool,
    /// Whether heads have variables alone, whatever is allowed: no file says so, but base rules of programs are learned like this.
    pub variable_heads: bool,
    /// At most this many constants in a rule.
    pub most: Option<usize>,
}

impl Cuts {
    /// What is allowed of variables of type `kind`.
    pub fn of(&self, kind: Symbol) -> Option<&CutType> {
        self.types.iter().find(|cut| cut.kind == kind)
    }

    /// By which numbers variables of type `kind` may be multiplied; `None` if they may not.
    pub fn factors(&self, kind: Symbol) -> Option<Factors> {
        let multiples = self.multiples.as_ref().filter(|multiples| multiples.kinds.contains(&kind))?;
        Some(Factors::new(self.of(kind).is_some_and(|cut| cut.whole), multiples.factor))
    }

    /// Whether variables of some type may be multiplied by `factor`.
    pub fn is_factor(&self, factor: Number) -> bool {
        let kinds = self.multiples.iter().flat_map(|multiples| &multiples.kinds);
        kinds.filter_map(|kind| self.factors(*kind)).any(|factors| factors.contains(factor))
    }

    /// The comparison that a predicate is, if it is one that some type allows.
    pub fn comparison(&self, pred: Pred) -> Option<Comparison> {
        let [at_most, at_least] = self.signs?;
        match pred {
            _ if pred == at_most => Some(Comparison::AtMost),
            _ if pred == at_least => Some(Comparison::AtLeast),
            _ => None,
        }
    }

    /// Whether literals of this predicate are comparisons or computations, whose number is limited.
    pub fn is_numeric(&self, pred: Pred) -> bool {
        self.comparison(pred).is_some() || self.computations.contains(&pred)
    }

    /// The types whose variables this comparison may compare.
    pub fn kinds(&self, comparison: Comparison) -> impl Iterator<Item = Symbol> {
        let allows = move |cut: &&CutType| match comparison {
            Comparison::AtMost => cut.at_most.is_some(),
            Comparison::AtLeast => cut.at_least.is_some(),
            _ => false,
        };
        self.types.iter().filter(allows).map(|cut| cut.kind)
    }

    /// Whether nothing is allowed.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() || self.most == Some(0)
    }
}

impl Constants {
    /// Whether an argument of a literal may be a constant; none of a computation's is. By type, it may where one of the predicate's declared
    /// alternatives has the type there.
    pub fn allows(&self, bias: &Bias, pred: Pred, argument: usize) -> bool {
        let typed = || {
            let alternatives = bias.types.get(&pred).map_or(&[][..], Vec::as_slice);
            alternatives.iter().any(|types| self.types.contains(&types[argument]))
        };
        let excepted = bias.cuts.computations.contains(&pred) || bias.once == Some(pred);
        !self.is_empty() && !excepted && (self.all || self.arguments.contains(&(pred, argument)) || typed())
    }

    /// The arguments of the head that may be constants. One of the others stays a variable, so a head of one argument has none:
    /// a rule for a single example says nothing about others.
    pub fn in_head(&self, bias: &Bias) -> Vec<usize> {
        let arity = bias.head.arity as usize;
        let may = arity > 1 && !self.variable_heads;
        (0..arity).filter(|&argument| may && self.allows(bias, bias.head, argument)).collect()
    }

    /// Whether no argument may be a constant.
    pub fn is_empty(&self) -> bool {
        self.most == Some(0) || !(self.all || !self.types.is_empty() || !self.arguments.is_empty())
    }
}

/// The constants that the statements allow; `numerical` says whether the file is one of NumSynth's.
pub(super) fn read(
    declared: &DeclaredBias<'_>,
    numerical: bool,
    bias: &Bias,
    terms: &mut Terms,
    findings: &mut BiasFindings,
) -> Constants {
    let mut constants = Constants::default();
    let mut magic: Option<Span> = None;
    for Declaration { row, span, .. } in declared.rows("magic_value_type", 1) {
        magic = magic.or(Some(span));
        let kind = kind_of(&row[0], terms);
        // MagicPopper's own files declare types that no predicate has, so it is no error.
        if has_type(bias, kind) {
            add(&mut constants.types, kind);
        } else {
            findings.warning(unknown_type(bias, "magic_value_type", kind, span, terms));
        }
    }
    for Declaration { row, span, .. } in declared.rows("magic_value", 2) {
        magic = magic.or(Some(span));
        arguments(row, span, bias, &mut constants.arguments, terms, findings);
    }
    for Declaration { span, .. } in declared.rows("magic_value_all", 0) {
        magic = magic.or(Some(span));
        constants.all = true;
    }
    for Declaration { row, span, .. } in declared.unread_rows("constants", 1) {
        let kind = kind_of(&row[0], terms);
        if has_type(bias, kind) {
            add(&mut constants.types, kind);
        } else {
            findings.error(unknown_type(bias, "constants", kind, span, terms));
        }
    }
    // The defaults of the two systems.
    let default = magic.map(|_| if numerical { 2 } else { 4 });
    let given = given_limit(declared, "max_magic", 0, 4, findings);
    if let (Some(Declaration { span, .. }), true) =
        (declared.rows("max_magic", 1).first(), constants == Constants::default())
    {
        let finding = Finding::new(*span, "`max_magic` has no effect: no constants are allowed");
        findings.warning(finding.help("`constants(t).` allows those of type t"));
    }
    constants.most = given.or(default);
    constants
}

/// The arguments that `magic_value(p,1)` names: those of all predicates of that name.
fn arguments(
    row: &[BiasValue],
    span: Span,
    bias: &Bias,
    arguments: &mut Vec<(Pred, usize)>,
    terms: &Terms,
    findings: &mut BiasFindings,
) {
    let (name, argument) = match row {
        [BiasValue::Name(name), BiasValue::Int(argument @ 0..)] => {
            (*name, usize::try_from(*argument).unwrap_or(usize::MAX))
        }
        _ => {
            let shown = row.iter().map(|value| value.show(terms)).collect::<Vec<_>>().join("` and `");
            let message = format!("`magic_value` takes a predicate's name and an argument's number, not `{shown}`");
            findings.error(Finding::new(span, message).help("as in `magic_value(p,1).`; arguments count from 0"));
            return;
        }
    };
    let named: Vec<Pred> =
        std::iter::once(bias.head).chain(bias.body.iter().copied()).filter(|pred| pred.name == name).collect();
    let able = named.iter().filter(|pred| argument < pred.arity as usize);
    able.clone().for_each(|&pred| add(arguments, (pred, argument)));
    match named.first() {
        Some(pred) if able.count() == 0 => {
            let message = format!("`magic_value` for argument {argument} of {}", pred.show(terms));
            findings.error(Finding::new(span, message).help("arguments count from 0"));
        }
        Some(_) => {}
        None => {
            let name = terms.name(name);
            let message = format!("a `magic_value` for `{name}`, which is not declared as a predicate");
            findings.warning(Finding::new(span, message));
        }
    }
}

/// The type that a term names.
pub(super) fn kind_of(value: &BiasValue, terms: &mut Terms) -> Symbol {
    match value {
        BiasValue::Name(name) => *name,
        other => {
            let text = other.show(terms);
            terms.intern(&text)
        }
    }
}

/// The types of the predicates that rules are made of.
fn types(bias: &Bias) -> impl Iterator<Item = Symbol> {
    let preds = std::iter::once(&bias.head).chain(&bias.body);
    preds.filter_map(|pred| bias.types.get(pred)).flatten().flat_map(|types| types.iter().copied())
}

/// Whether a predicate that rules are made of has an argument of type `kind`.
pub(super) fn has_type(bias: &Bias, kind: Symbol) -> bool {
    types(bias).any(|have| have == kind)
}

/// That no argument has type `kind`.
pub(super) fn unknown_type(bias: &Bias, statement: &str, kind: Symbol, span: Span, terms: &Terms) -> Finding {
    let name = terms.name(kind);
    let finding = Finding::new(span, format!("`{statement}` of type `{name}`, which no predicate's argument has"));
    match nearest(name, types(bias).map(|kind| terms.name(kind))) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding.help(format!("types are given as in `type(p,(a,{name})).`")),
    }
}

fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
