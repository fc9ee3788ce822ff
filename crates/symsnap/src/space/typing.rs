//! Types of a rule's variables. A predicate may be declared with several types, so a rule may have several typings;
//! nearly always it has one.

use crate::logic::{Arg, Literal, Rule, Symbol};
use crate::task::Bias;

/// The type of each variable by number; `None` where no typed argument holds it.
pub(super) type Typing = Vec<Option<Symbol>>;

/// How many typings of one rule are looked at: alternatives multiply.
const MOST_TYPINGS: usize = 64;
/// How many partial typings are tried.
const MOST_WORK: usize = 100_000;

/// The typings of a rule.
#[derive(Debug)]
pub(super) struct Typings {
    pub(super) found: Vec<Typing>,
    /// Whether there are no others.
    pub(super) complete: bool,
}

/// The ways to give each variable one type such that every literal fits one declaration of its predicate. The
/// variables must be numbered without gaps.
///
/// # Errors
/// The literal at which the longest attempt failed.
pub(super) fn typings<'r>(bias: &Bias, rule: &'r Rule) -> Result<Typings, &'r Literal> {
    let literals: Vec<&Literal> = std::iter::once(&rule.head).chain(&rule.body).collect();
    let mut search = TypingSearch { bias, literals, found: Vec::new(), deepest: 0, work: MOST_WORK };
    search.assign(0, &mut vec![None; rule.var_count()]);
    let complete = search.work > 0 && search.found.len() < MOST_TYPINGS;
    if complete && search.found.is_empty() {
        return Err(search.literals[search.deepest]);
    }
    Ok(Typings { found: search.found, complete })
}

struct TypingSearch<'b, 'r> {
    bias: &'b Bias,
    literals: Vec<&'r Literal>,
    found: Vec<Typing>,
    deepest: usize,
    work: usize,
}

impl TypingSearch<'_, '_> {
    fn assign(&mut self, at: usize, typing: &mut Typing) {
        if self.found.len() == MOST_TYPINGS || self.work == 0 {
            return;
        }
        self.work -= 1;
        let Some(&literal) = self.literals.get(at) else {
            if !self.found.contains(typing) {
                self.found.push(typing.clone());
            }
            return;
        };
        self.deepest = self.deepest.max(at);
        let cuts = &self.bias.cuts;
        let compared: Vec<Box<[Symbol]>> = match cuts.comparison(literal.pred) {
            Some(comparison) => cuts.kinds(comparison).map(|kind| [kind].into()).collect(),
            None => Vec::new(),
        };
        let declared = self.bias.types.get(&literal.pred).map(Vec::as_slice);
        let Some(alternatives) = declared.or((!compared.is_empty()).then_some(&*compared)) else {
            return self.assign(at + 1, typing);
        };
        for types in alternatives {
            let mut set = Vec::new();
            let mut vars = literal.args.iter().zip(types).filter_map(|(arg, kind)| match arg {
                Arg::Var(var) => Some((*var, kind)),
                Arg::Const(_) | Arg::Number(_) => None,
            });
            let fits = vars.all(|(var, kind)| match typing[var.index()] {
                Some(have) => have == *kind,
                None => {
                    typing[var.index()] = Some(*kind);
                    set.push(var);
                    true
                }
            });
            if fits {
                self.assign(at + 1, typing);
            }
            set.iter().for_each(|var| typing[var.index()] = None);
        }
    }
}
