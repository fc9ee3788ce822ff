//! From statements as read to compiled bodies: names become relations and slots, steps are put in an order in which
//! everything is bound when it is needed. What cannot be ordered is unsafe and refused, as in answer-set programming.

use super::clauses::{
    BiasComparison, BiasPattern, BiasStep, Body, BodySlot, Count, HypothesisView, IntegerOperator, Origin, RelationId,
    TupleRelation,
};
use super::value::{BiasNames, BiasValue};
use crate::logic::{Symbol, Terms};
use crate::parse::{Ast, AstKind, CountElement, Element, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Something wrong at a place, before it becomes a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Where.
    pub span: Span,
    /// What.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Finding {
    /// A finding without advice.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Finding { span, message: message.into(), help: None }
    }

    /// With advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The relations and names of a bias program while it is compiled.
#[derive(Debug)]
pub struct Compiler<'t> {
    terms: &'t mut Terms,
    names: BiasNames,
    tuple: Symbol,
    /// Whether the atom that is being compiled may hold floats.
    floats: bool,
    relations: Vec<(Symbol, usize)>,
    origins: Vec<Origin>,
    index: FxHashMap<(Symbol, usize), RelationId>,
}

/// What a hypothesis looks like to a bias program, by name and arity.
const VIEWS: [(&str, usize, HypothesisView); 17] = [
    ("clause", 1, HypothesisView::Clause),
    ("head_literal", 4, HypothesisView::HeadLiteral),
    ("body_literal", 4, HypothesisView::BodyLiteral),
    ("head_var", 2, HypothesisView::HeadVar),
    ("body_var", 2, HypothesisView::BodyVar),
    ("clause_var", 2, HypothesisView::ClauseVar),
    ("var_type", 3, HypothesisView::VarType),
    ("body_size", 2, HypothesisView::BodySize),
    ("var_in_literal", 4, HypothesisView::VarInLiteral),
    ("recursive", 0, HypothesisView::Recursive),
    ("recursive", 1, HypothesisView::RecursiveRule),
    ("recursive_clause", 3, HypothesisView::RecursiveClause),
    ("base_clause", 3, HypothesisView::BaseClause),
    ("invented", 2, HypothesisView::Invented),
    ("head_aux", 2, HypothesisView::HeadAux),
    ("body_aux", 2, HypothesisView::BodyAux),
    ("lower", 2, HypothesisView::Lower),
];

const DOMAINS: [(&str, usize, TupleRelation); 3] = [
    ("vars", 2, TupleRelation::Vars),
    ("var_pos", 3, TupleRelation::VarPos),
    ("var_member", 2, TupleRelation::VarMember),
];

/// The relations of a compiled program.
#[derive(Debug, Clone, Default)]
pub struct Relations {
    /// Name and arity by number.
    pub relations: Vec<(Symbol, usize)>,
    /// Where their rows come from, by number.
    pub origins: Vec<Origin>,
    /// The texts of all names.
    pub names: BiasNames,
}

/// A body element whose names are resolved, before it is put in order.
enum ResolvedElement {
    Atom { negated: bool, relation: RelationId, args: Box<[BiasPattern]> },
    Compare { left: BiasPattern, comparison: BiasComparison, right: BiasPattern },
    Count { count: Count, needs: Vec<BodySlot> },
}

/// The variables of one statement.
#[derive(Default)]
struct StatementScope<'s> {
    slots: FxHashMap<&'s str, BodySlot>,
    names: Vec<&'s str>,
}

impl<'s> StatementScope<'s> {
    fn slot(&mut self, name: &'s str) -> BodySlot {
        if let Some(&slot) = self.slots.get(name) {
            return slot;
        }
        let slot = BodySlot(u32::try_from(self.names.len()).expect("the parser limits statements"));
        self.names.push(name);
        self.slots.insert(name, slot);
        slot
    }
}

impl<'t> Compiler<'t> {
    /// A compiler that interns into `terms`.
    pub fn new(terms: &'t mut Terms) -> Self {
        let tuple = terms.intern("");
        let mut names = BiasNames::default();
        names.insert(tuple, terms);
        let (relations, origins, index) = (Vec::new(), Vec::new(), FxHashMap::default());
        Compiler { terms, names, tuple, floats: false, relations, origins, index }
    }

    /// The functor of tuples.
    pub fn tuple(&self) -> Symbol {
        self.tuple
    }

    /// Name and arity of each relation.
    pub fn relation_names(&self) -> Vec<(String, usize)> {
        self.relations.iter().map(|&(name, arity)| (self.terms.name(name).to_owned(), arity)).collect()
    }

    /// Where the relations' rows come from, to be completed with what is derived.
    pub fn finish(self) -> Relations {
        Relations { relations: self.relations, origins: self.origins, names: self.names }
    }

    /// The symbol of `name`, remembered for comparisons.
    pub fn name(&mut self, name: &str) -> Symbol {
        let symbol = self.terms.intern(name);
        self.names.insert(symbol, self.terms);
        symbol
    }

    /// The relation `name/arity`, new if need be.
    pub fn relation(&mut self, name: &str, arity: usize) -> RelationId {
        let symbol = self.name(name);
        if let Some(&id) = self.index.get(&(symbol, arity)) {
            return id;
        }
        let id = RelationId(u32::try_from(self.relations.len()).expect("fewer relations than characters"));
        let view = VIEWS.iter().find(|(view, n, _)| (*view, *n) == (name, arity)).map(|v| Origin::View(v.2));
        let domain = DOMAINS.iter().find(|(domain, n, _)| (*domain, *n) == (name, arity)).map(|d| Origin::Domain(d.2));
        self.relations.push((symbol, arity));
        self.origins.push(view.or(domain).unwrap_or(Origin::Given));
        self.index.insert((symbol, arity), id);
        id
    }

    /// Where a relation's rows come from.
    pub fn origin(&self, relation: RelationId) -> Origin {
        self.origins[relation.index()]
    }

    /// Compile a statement: the head's relation and arguments if it has one, and its body.
    ///
    /// # Errors
    /// What is unsafe or not a statement of the language.
    #[expect(clippy::type_complexity, reason = "used once, by the reader next door")]
    pub fn statement<'s>(
        &mut self,
        head: Option<&Ast<'s>>,
        body: &[Element<'s>],
    ) -> Result<(Option<(RelationId, Box<[BiasPattern]>)>, Body), Finding> {
        let mut scope = StatementScope::default();
        let mut parts = Vec::new();
        // Atoms and comparisons first: their variables are global to the aggregates.
        for element in body.iter().filter(|element| !matches!(element, Element::Count { .. })) {
            parts.push(self.part(element, &mut scope)?);
        }
        let head_atom = head.map(|atom| self.atom(atom, &mut scope)).transpose()?;
        for element in body {
            if let Element::Count { left, right, .. } = element {
                for (_, guard) in left.iter().chain(right) {
                    self.pattern(guard, &mut scope)?;
                }
            }
        }
        let globals = scope.names.len();
        for element in body.iter().filter(|element| matches!(element, Element::Count { .. })) {
            let mut inner = StatementScope { slots: scope.slots.clone(), names: std::mem::take(&mut scope.names) };
            let part = self.count(element, &mut inner, globals)?;
            scope.names = inner.names;
            parts.push(part);
        }
        let mut bound = vec![false; scope.names.len()];
        let steps = self.schedule(parts, &mut bound).map_err(|slot| unsafe_variable(&scope, slot, head, body))?;
        if let Some((_, args)) = &head_atom {
            let mut free = Vec::new();
            args.iter().for_each(|arg| slots_of(arg, &mut free));
            if let Some(&slot) = free.iter().find(|slot| !bound[slot.index()]) {
                return Err(unsafe_variable(&scope, Some(slot), head, body));
            }
            if let (true, Some(head)) = (args.iter().any(has_wild), head) {
                return Err(Finding::new(head.span, "`_` cannot stand in the head of a rule or in a fact"));
            }
        }
        Ok((head_atom, Body { steps, slots: scope.names.len() }))
    }

    fn part<'s>(&mut self, element: &Element<'s>, scope: &mut StatementScope<'s>) -> Result<ResolvedElement, Finding> {
        match element {
            Element::Atom { negated, atom } => {
                let (relation, args) = self.atom(atom, scope)?;
                Ok(ResolvedElement::Atom { negated: *negated, relation, args })
            }
            Element::Comparison { negated, left, comparison, right } => {
                let comparison = if *negated { comparison.negated() } else { *comparison };
                let left = self.pattern(left, scope)?;
                let right = self.pattern(right, scope)?;
                Ok(ResolvedElement::Compare { left, comparison, right })
            }
            Element::Count { span, .. } => Err(Finding::new(*span, "`#count` cannot stand inside `#count`")),
        }
    }

    fn atom<'s>(
        &mut self,
        atom: &Ast<'s>,
        scope: &mut StatementScope<'s>,
    ) -> Result<(RelationId, Box<[BiasPattern]>), Finding> {
        match &atom.kind {
            AstKind::Atom(name) => Ok((self.relation(name, 0), Box::default())),
            AstKind::Compound(name, args) => {
                self.floats = (&**name, args.len()) == ("bounds", 3);
                let args: Result<Box<[BiasPattern]>, Finding> =
                    args.iter().map(|arg| self.pattern(arg, scope)).collect();
                self.floats = false;
                let args = args?;
                Ok((self.relation(name, args.len()), args))
            }
            _ => Err(Finding::new(atom.span, "expected an atom such as `body_pred(p,2)`")),
        }
    }

    fn count<'s>(
        &mut self,
        element: &Element<'s>,
        scope: &mut StatementScope<'s>,
        globals: usize,
    ) -> Result<ResolvedElement, Finding> {
        let Element::Count { negated, left, elements, right, .. } = element else {
            unreachable!("only called for aggregates")
        };
        let is_global = |slot: &BodySlot| slot.index() < globals;
        let mut needs: Vec<BodySlot> = Vec::new();
        let mut compiled = Vec::new();
        let outer = scope.slots.clone();
        for CountElement { tuple, condition, span } in elements {
            scope.slots.clone_from(&outer);
            let mut parts = Vec::new();
            for element in condition {
                parts.push(self.part(element, scope)?);
            }
            let tuple: Result<Box<[BiasPattern]>, Finding> =
                tuple.iter().map(|term| self.pattern(term, scope)).collect();
            let tuple = tuple?;
            let mut used = Vec::new();
            tuple.iter().for_each(|term| slots_of(term, &mut used));
            parts.iter().for_each(|part| part_slots(part, &mut used));
            needs.extend(used.iter().filter(|slot| is_global(slot)));
            let mut bound = vec![false; scope.names.len()];
            bound[..globals].fill(true);
            let unsafe_in = |scope: &StatementScope<'_>, slot: Option<BodySlot>| {
                let name = slot.map_or("_", |slot| scope.names[slot.index()]);
                Finding::new(*span, format!("unsafe variable `{name}` in `#count`"))
                    .help("a variable must occur in an atom without `not` in the same condition")
            };
            let steps = self.schedule(parts, &mut bound).map_err(|slot| unsafe_in(scope, slot))?;
            if let Some(&slot) = used.iter().find(|slot| !bound[slot.index()]) {
                return Err(unsafe_in(scope, Some(slot)));
            }
            if tuple.iter().any(has_wild) {
                return Err(Finding::new(*span, "`_` cannot be counted: name the variable"));
            }
            compiled.push((tuple, steps));
        }
        scope.slots = outer;
        let mut guards = Vec::new();
        let left = left.iter().map(|(comparison, guard)| (comparison.mirrored(), guard));
        for (comparison, guard) in left.chain(right.iter().map(|(comparison, guard)| (*comparison, guard))) {
            guards.push((comparison, self.pattern(guard, scope)?));
        }
        Ok(ResolvedElement::Count {
            count: Count { negated: *negated, elements: compiled, guards, result: None },
            needs,
        })
    }

    /// A term. Arithmetic on numbers is done at once.
    fn pattern<'s>(&mut self, ast: &Ast<'s>, scope: &mut StatementScope<'s>) -> Result<BiasPattern, Finding> {
        match &ast.kind {
            AstKind::Var("_") => Ok(BiasPattern::Wild),
            AstKind::Var(name) => Ok(BiasPattern::Slot(scope.slot(name))),
            AstKind::Int(value) => Ok(BiasPattern::Value(BiasValue::Int(*value))),
            AstKind::Float(value) if self.floats => Ok(BiasPattern::Value(BiasValue::Float(value.to_bits()))),
            AstKind::Float(_) => Err(Finding::new(ast.span, "bias files have integers only, no floats")
                .help("floats can stand in `bounds(geq,1,(-2.5,2.5)).` and nowhere else")),
            AstKind::Atom(name) => Ok(BiasPattern::Value(BiasValue::Name(self.name(name)))),
            AstKind::Str(text) => Ok(BiasPattern::Value(BiasValue::Text(self.name(text)))),
            AstKind::Compound(name, args) => {
                let args: Result<Vec<BiasPattern>, Finding> = args.iter().map(|arg| self.pattern(arg, scope)).collect();
                let args = args?;
                let operator = match (&**name, args.len()) {
                    ("+", 2) => Some(IntegerOperator::Plus),
                    ("-", 2) => Some(IntegerOperator::Minus),
                    ("*", 2) => Some(IntegerOperator::Times),
                    ("/", 2) => Some(IntegerOperator::Divide),
                    ("\\", 2) => Some(IntegerOperator::Remainder),
                    _ => None,
                };
                // The reader takes `-2.5` for `0-2.5`.
                if let (
                    Some(IntegerOperator::Minus),
                    [BiasPattern::Value(BiasValue::Int(0)), BiasPattern::Value(BiasValue::Float(bits))],
                ) = (operator, &args[..])
                {
                    return Ok(BiasPattern::Value(BiasValue::Float((-f64::from_bits(*bits)).to_bits())));
                }
                if let Some(operator) = operator {
                    let operands = <[BiasPattern; 2]>::try_from(args).expect("both operands were compiled");
                    return Ok(BiasPattern::Arithmetic(operator, Box::new(operands)));
                }
                let functor = self.name(name);
                let values: Option<Arc<[BiasValue]>> = args
                    .iter()
                    .map(|arg| match arg {
                        BiasPattern::Value(value) => Some(value.clone()),
                        _ => None,
                    })
                    .collect();
                Ok(match values {
                    Some(_) if args.is_empty() => BiasPattern::Value(BiasValue::Name(functor)),
                    Some(values) => BiasPattern::Value(BiasValue::Compound(functor, values)),
                    None => BiasPattern::Compound(functor, args.into()),
                })
            }
        }
    }

    /// Put parts in an order in which each has what it needs; tests as early as possible, then scans with most
    /// arguments bound, those of the hypothesis (a few literals) before those of the file, tuples of variables last.
    ///
    /// # Errors
    /// A slot that nothing binds; `None` if it is a `_` that needs a value.
    fn schedule(&self, parts: Vec<ResolvedElement>, bound: &mut [bool]) -> Result<Vec<BiasStep>, Option<BodySlot>> {
        let mut waiting: Vec<Option<ResolvedElement>> = parts.into_iter().map(Some).collect();
        let mut steps = Vec::with_capacity(waiting.len());
        for _ in 0..waiting.len() {
            let best = (0..waiting.len()).filter_map(|at| Some((self.rank(waiting[at].as_ref()?, bound)?, at))).min();
            let Some((_, at)) = best else {
                let mut used = Vec::new();
                waiting.iter().flatten().for_each(|part| part_slots(part, &mut used));
                return Err(used.iter().find(|slot| !bound[slot.index()]).copied());
            };
            let part = waiting[at].take().expect("only waiting parts are ranked");
            let mut binds = Vec::new();
            steps.push(match part {
                ResolvedElement::Atom { negated: true, relation, args } => BiasStep::Absent(relation, args),
                ResolvedElement::Atom { negated: false, relation, args } => {
                    args.iter().for_each(|arg| slots_of(arg, &mut binds));
                    BiasStep::Scan(relation, args)
                }
                ResolvedElement::Compare { left, comparison, right } => {
                    let (left_ready, right_ready) = (is_bound(&left, bound), is_bound(&right, bound));
                    slots_of(&left, &mut binds);
                    slots_of(&right, &mut binds);
                    match (left_ready, right_ready) {
                        (true, true) => BiasStep::Compare(left, comparison, right),
                        (false, _) => BiasStep::Match(left, right),
                        (true, false) => BiasStep::Match(right, left),
                    }
                }
                ResolvedElement::Count { mut count, .. } => {
                    if let Some(slot) = assigned(&count, bound) {
                        count.guards.retain(|guard| *guard != (BiasComparison::Equal, BiasPattern::Slot(slot)));
                        count.result = Some(slot);
                        binds.push(slot);
                    }
                    BiasStep::Count(Box::new(count))
                }
            });
            binds.iter().for_each(|slot| bound[slot.index()] = true);
        }
        Ok(steps)
    }

    /// How soon a part should run; `None` if it cannot yet.
    fn rank(&self, part: &ResolvedElement, bound: &[bool]) -> Option<(u8, usize)> {
        match part {
            ResolvedElement::Compare { left, comparison, right } => {
                let (left_ready, right_ready) = (is_bound(left, bound), is_bound(right, bound));
                let ready = (left_ready && right_ready)
                    || (*comparison == BiasComparison::Equal
                        && ((left_ready && can_match(right, bound)) || (right_ready && can_match(left, bound))));
                ready.then_some((0, 0))
            }
            ResolvedElement::Atom { negated: true, args, .. } => {
                args.iter().all(|arg| is_closed(arg, bound)).then_some((1, 0))
            }
            ResolvedElement::Count { count, needs } => {
                let assigned = assigned(count, bound);
                let guards = count.guards.iter().all(|(_, guard)| {
                    is_bound(guard, bound) || matches!((guard, assigned), (BiasPattern::Slot(a), Some(b)) if *a == b)
                });
                (guards && needs.iter().all(|slot| bound[slot.index()])).then_some((2, 0))
            }
            ResolvedElement::Atom { negated: false, relation, args } => {
                let free = args.iter().filter(|arg| !is_bound(arg, bound)).count();
                let source = match self.origins[relation.index()] {
                    _ if free == 0 => 3,
                    Origin::View(_) => 4,
                    Origin::Given | Origin::Derived => 5,
                    Origin::Domain(_) => 6,
                };
                args.iter().all(|arg| can_match(arg, bound)).then_some((source, free))
            }
        }
    }
}

/// The free slot that `N = #count{...}` gives a value to, if the aggregate has that form.
fn assigned(count: &Count, bound: &[bool]) -> Option<BodySlot> {
    if count.negated {
        return None;
    }
    count.guards.iter().find_map(|(comparison, guard)| match (comparison, guard) {
        (BiasComparison::Equal, BiasPattern::Slot(slot)) if !bound[slot.index()] => Some(*slot),
        _ => None,
    })
}

fn unsafe_variable(
    scope: &StatementScope<'_>,
    slot: Option<BodySlot>,
    head: Option<&Ast<'_>>,
    body: &[Element<'_>],
) -> Finding {
    let start = head.map(|head| head.span).or_else(|| body.first().map(Element::span));
    let end = body.last().map(Element::span).or(start);
    let (start, end) = (start.unwrap_or(Span { start: 0, end: 0 }), end.unwrap_or(Span { start: 0, end: 0 }));
    let name = slot.map_or("_", |slot| scope.names[slot.index()]);
    Finding::new(Span { start: start.start, end: end.end }, format!("unsafe variable `{name}`"))
        .help("every variable must occur in an atom of the body without `not`, outside arithmetic and `#count`")
}

fn slots_of(pattern: &BiasPattern, out: &mut Vec<BodySlot>) {
    match pattern {
        BiasPattern::Wild | BiasPattern::Value(_) => {}
        BiasPattern::Slot(slot) => out.push(*slot),
        BiasPattern::Compound(_, args) => args.iter().for_each(|arg| slots_of(arg, out)),
        BiasPattern::Arithmetic(_, operands) => operands.iter().for_each(|operand| slots_of(operand, out)),
    }
}

fn part_slots(part: &ResolvedElement, out: &mut Vec<BodySlot>) {
    match part {
        ResolvedElement::Atom { args, .. } => args.iter().for_each(|arg| slots_of(arg, out)),
        ResolvedElement::Compare { left, right, .. } => {
            slots_of(left, out);
            slots_of(right, out);
        }
        ResolvedElement::Count { count, needs } => {
            out.extend(needs);
            count.guards.iter().for_each(|(_, guard)| slots_of(guard, out));
        }
    }
}

fn has_wild(pattern: &BiasPattern) -> bool {
    match pattern {
        BiasPattern::Wild => true,
        BiasPattern::Slot(_) | BiasPattern::Value(_) => false,
        BiasPattern::Compound(_, args) => args.iter().any(has_wild),
        BiasPattern::Arithmetic(_, operands) => operands.iter().any(has_wild),
    }
}

/// Whether all slots are bound; `_` may stand in.
fn is_closed(pattern: &BiasPattern, bound: &[bool]) -> bool {
    let mut slots = Vec::new();
    slots_of(pattern, &mut slots);
    slots.iter().all(|slot| bound[slot.index()])
}

/// Whether the term has a value.
fn is_bound(pattern: &BiasPattern, bound: &[bool]) -> bool {
    is_closed(pattern, bound) && !has_wild(pattern)
}

/// Whether a value can be matched against the term: only arithmetic must have its slots bound.
fn can_match(pattern: &BiasPattern, bound: &[bool]) -> bool {
    match pattern {
        BiasPattern::Wild | BiasPattern::Slot(_) | BiasPattern::Value(_) => true,
        BiasPattern::Compound(_, args) => args.iter().all(|arg| can_match(arg, bound)),
        BiasPattern::Arithmetic(..) => is_bound(pattern, bound),
    }
}
