//! The declarations of a bias program, checked one by one, as a [`Bias`].

use super::compile::Finding;
use super::declared::{Declaration, DeclaredBias, given_limit};
use super::findings::BiasFindings;
use super::tuples::{tuple_for, ways};
use super::value::BiasValue;
use super::{Bias, constants, cuts, price};
use crate::error::nearest;
use crate::logic::{Pred, Symbol, Terms};
use crate::parse::Span;
use rustc_hash::FxHashSet;

/// The declarations.
pub const KNOWN: [(&str, usize); 25] = [
    ("head_pred", 2),
    ("body_pred", 2),
    ("type", 2),
    ("direction", 2),
    ("max_vars", 1),
    ("max_body", 1),
    ("max_clauses", 1),
    ("enable_recursion", 0),
    ("enable_pi", 0),
    ("non_datalog", 0),
    ("numeric", 1),
    ("arithmetic", 1),
    ("lines", 1),
    ("ratios", 1),
    ("constants", 1),
    ("absence", 2),
    ("counting", 2),
    ("numerical_pred", 2),
    ("bounds", 3),
    ("max_numeric", 1),
    ("magic_value_type", 1),
    ("magic_value", 2),
    ("magic_value_all", 0),
    ("max_magic", 1),
    ("constant_price", 1),
];

/// Statements that files in the wild hold although they mean nothing unless a rule of the file reads them.
pub const NO_EFFECT: [(&str, usize); 11] = [
    ("allow_singletons", 0),
    ("pred_task_specific", 1),
    ("lazy_evaluate_type", 1),
    ("max_rule_body", 1),
    ("type", 1),
    ("type", 3),
    ("constant", 2),
    ("only_once", 1),
    ("tmp", 1),
    ("prop", 2),
    ("prop", 3),
];

/// BiasNames that bodies may read, for suggestions.
const READABLE: [&str; 20] = [
    "clause",
    "head_literal",
    "body_literal",
    "head_var",
    "body_var",
    "clause_var",
    "var_type",
    "body_size",
    "var_in_literal",
    "recursive",
    "recursive_clause",
    "base_clause",
    "invented",
    "head_aux",
    "body_aux",
    "lower",
    "vars",
    "var_pos",
    "var_member",
    "bad_body",
];

/// Statements of other systems, of older versions and of common sense, and what they are here.
const SYNONYMS: [(&str, &str); 29] = [
    ("max_rules", "max_clauses"),
    ("max_rule", "max_clauses"),
    ("max_variables", "max_vars"),
    ("max_var", "max_vars"),
    ("max_literals", "max_body"),
    ("max_body_literals", "max_body"),
    ("head", "head_pred"),
    ("head_predicate", "head_pred"),
    ("target", "head_pred"),
    ("body", "body_pred"),
    ("body_predicate", "body_pred"),
    ("pred", "body_pred"),
    ("recursion", "enable_recursion"),
    ("invention", "enable_pi"),
    ("predicate_invention", "enable_pi"),
    ("mode", "direction"),
    ("number", "numeric"),
    ("numerical", "numeric"),
    ("threshold", "numeric"),
    ("sums", "arithmetic"),
    ("differences", "arithmetic"),
    ("ratio", "ratios"),
    ("quotients", "ratios"),
    ("negation", "absence"),
    ("absent", "absence"),
    ("count", "counting"),
    ("counts", "counting"),
    ("max_constants", "max_magic"),
    ("max_thresholds", "max_numeric"),
];

/// The known name that `name` is, means or looks like.
pub fn suggestion(name: &str) -> Option<&'static str> {
    let known = || KNOWN.iter().map(|(known, _)| *known).chain(READABLE).chain(["constant"]);
    if let Some(same) = known().find(|known| *known == name) {
        return Some(same);
    }
    let synonym = SYNONYMS.iter().find(|(other, _)| *other == name).map(|(_, ours)| *ours);
    synonym.or_else(|| nearest(name, known()))
}

/// How a known name is used, for one that has the wrong number of arguments.
pub fn usage(name: &str) -> String {
    let form = match name {
        "head_pred" | "body_pred" | "absence" | "counting" => "p,2",
        "type" => "p,(a,b)",
        "direction" => "p,(in,out)",
        "max_vars" | "max_body" | "max_clauses" => "6",
        "numeric" | "arithmetic" | "lines" | "ratios" | "constants" | "magic_value_type" => "t",
        "numerical_pred" => "geq,2",
        "bounds" => "geq,1,(0,10)",
        "max_numeric" | "max_magic" | "constant_price" => "2",
        "magic_value" => "p,1",
        "clause" => "C",
        "head_literal" | "body_literal" => "C,P,A,Vars",
        "head_var" | "body_var" | "clause_var" => "C,V",
        "var_type" => "C,V,T",
        "body_size" => "C,N",
        "var_in_literal" => "C,P,Vars,V",
        "recursive_clause" | "base_clause" => "C,P,A",
        "invented" | "head_aux" | "body_aux" => "P,A",
        "lower" => "P,Q",
        "vars" => "A,Vars",
        "var_pos" => "V,Vars,I",
        "var_member" => "V,Vars",
        "bad_body" => "P,Vars",
        "constant" => "c,t",
        _ => return format!("it is written `{name}`"),
    };
    format!("it is written `{name}({form})`")
}

/// The bias; `None` (with errors recorded) if it has no head.
pub(super) fn bias(declared: &DeclaredBias<'_>, terms: &mut Terms, findings: &mut BiasFindings) -> Option<Bias> {
    let mut bias = Bias::new(head(declared, terms, findings)?);
    let arity = bias.head.arity as usize;
    let mut limit = |name: &str, least: usize, default: usize| limit(declared, name, least, default, findings);
    bias.max_vars = limit("max_vars", 0, Bias::MAX_VARS);
    bias.max_body = limit("max_body", 1, Bias::MAX_BODY);
    bias.max_body_given = !declared.rows("max_body", 1).is_empty();
    bias.max_clauses = limit("max_clauses", 1, Bias::MAX_CLAUSES);
    bias.recursion = declared.is_set("enable_recursion");
    bias.invention = declared.is_set("enable_pi");
    if bias.invention {
        // A task's names do not change once it is read, so the name of what may be invented is made here.
        terms.intern(Bias::INVENTED);
    }
    bias.non_datalog = declared.is_set("non_datalog");

    let vars_at = declared.rows("max_vars", 1).first().map_or(Span { start: 0, end: 0 }, |given| given.span);
    if bias.max_vars > Bias::MOST_VARS {
        let message = format!("`max_vars` is {} but a rule has at most {} variables", bias.max_vars, Bias::MOST_VARS);
        findings.error(Finding::new(vars_at, message));
    }
    if bias.max_body > Bias::MOST_BODY {
        let at = declared.rows("max_body", 1).first().map_or(Span { start: 0, end: 0 }, |given| given.span);
        let message =
            format!("`max_body` is {} but a rule has at most {} body literals", bias.max_body, Bias::MOST_BODY);
        findings.error(Finding::new(at, message));
    }
    if arity > Bias::MOST_VARS {
        let most = Bias::MOST_VARS;
        let message = format!(
            "the head {} has {arity} arguments, but a rule has at most {most} variables",
            bias.head.show(terms)
        );
        let at = declared.rows("head_pred", 2).first().map_or(Span { start: 0, end: 0 }, |given| given.span);
        findings.error(Finding::new(at, message).help("put arguments that belong together into one term"));
    } else if bias.max_vars < arity {
        let message =
            format!("`max_vars` is {} but the head {} has {arity} arguments", bias.max_vars, bias.head.show(terms));
        findings.error(Finding::new(vars_at, message).help(format!("set `max_vars({arity}).` or more")));
    }
    body_preds(declared, &mut bias, terms, findings);
    let numerical = cuts::numerical(declared, terms, findings);
    let preds: Vec<Pred> =
        std::iter::once(bias.head).chain(bias.body.iter().copied()).chain(numerical.iter().copied()).collect();
    for given in declared.rows("type", 2) {
        if let Some((pred, items)) = tuple_for(given, declared.tuple, &preds, terms, findings) {
            let types = items.iter().map(|item| constants::kind_of(item, terms)).collect();
            bias.types.entry(pred).or_default().push(types);
        }
    }
    for given in declared.rows("direction", 2) {
        if let Some((pred, items)) = tuple_for(given, declared.tuple, &preds, terms, findings) {
            match ways(items, terms) {
                Ok(ways) => bias.directions.entry(pred).or_default().push(ways),
                Err(message) => {
                    findings.error(Finding::new(given.span, message).help("directions are `in` and `out`"));
                }
            }
        }
    }
    bias.cuts = cuts::read(declared, &numerical, &mut bias, terms, findings);
    bias.constants = constants::read(declared, !numerical.is_empty(), &bias, terms, findings);
    bias.constant_price = price::read(declared, &bias, terms, findings);
    if bias.body.is_empty() && bias.cuts.types.is_empty() {
        let finding = Finding::new(Span { start: 0, end: 0 }, "the bias has no `body_pred` declaration");
        findings.error(finding.help("declare the predicates that bodies may use, as in `body_pred(p,2).`"));
    }
    warn_of_wide(declared, &bias, terms, findings);
    warn_unusable(declared, &bias, terms, findings);
    Some(bias)
}

/// Warn of predicates that no rule has enough variables for.
fn warn_of_wide(declared: &DeclaredBias<'_>, bias: &Bias, terms: &Terms, findings: &mut BiasFindings) {
    for given in declared.rows("body_pred", 2) {
        let [BiasValue::Name(name), BiasValue::Int(arity)] = given.row else { continue };
        let declares = |pred: &&Pred| pred.name == *name && i64::from(pred.arity) == *arity;
        let Some(&pred) = bias.body.iter().find(declares) else { continue };
        if bias.fewest_variables(pred) > bias.max_vars {
            let constants = if bias.constants.is_empty() { "" } else { " that must be variables" };
            let (shown, limit) = (pred.show(terms), bias.max_vars);
            let message =
                format!("{shown} cannot be used: it has more arguments{constants} than `max_vars`, which is {limit}");
            findings.warning(Finding::new(given.span, message));
        }
    }
}

fn head(declared: &DeclaredBias<'_>, terms: &Terms, findings: &mut BiasFindings) -> Option<Pred> {
    let mut heads = Vec::new();
    for given in declared.rows("head_pred", 2) {
        if let Some(pred) = pred(given, terms, findings) {
            heads.push((pred, given.span));
        } else {
            return None;
        }
    }
    let Some(&(head, _)) = heads.first() else {
        let finding = Finding::new(Span { start: 0, end: 0 }, "the bias has no `head_pred` declaration");
        findings.error(finding.help("declare the predicate to learn, as in `head_pred(f,1).`"));
        return None;
    };
    for (other, span) in &heads[1..] {
        let message = format!("a second head predicate {} beside {}", other.show(terms), head.show(terms));
        findings.error(Finding::new(*span, message).help("one predicate is learned at a time"));
    }
    Some(head)
}

fn pred(given: Declaration<'_>, terms: &Terms, findings: &mut BiasFindings) -> Option<Pred> {
    let Declaration { name: declaration, row, span } = given;
    match row {
        [BiasValue::Name(name), BiasValue::Int(arity @ 0..=255)] if !terms.name(*name).is_empty() => {
            Some(Pred::new(*name, u32::try_from(*arity).expect("at most 255")))
        }
        [name, arity] => {
            let message = format!(
                "`{declaration}` takes a name and a number of arguments, not `{}` and `{}`",
                name.show(terms),
                arity.show(terms)
            );
            findings.error(Finding::new(span, message).help(format!("as in `{declaration}(p,2).`, with at most 255")));
            None
        }
        _ => None,
    }
}

fn limit(declared: &DeclaredBias<'_>, name: &str, least: usize, default: usize, findings: &mut BiasFindings) -> usize {
    given_limit(declared, name, least, default, findings).unwrap_or(default)
}

fn body_preds(declared: &DeclaredBias<'_>, bias: &mut Bias, terms: &Terms, findings: &mut BiasFindings) {
    for given in declared.rows("body_pred", 2) {
        let Some(pred) = pred(given, terms, findings) else { continue };
        if pred == bias.head {
            let message = format!("the head predicate {} is declared as a body predicate", pred.show(terms));
            let help = if bias.recursion {
                "`enable_recursion` allows it in bodies already"
            } else {
                "the declaration is ignored; `enable_recursion.` allows it in bodies"
            };
            findings.warning(Finding::new(given.span, message).help(help));
            continue;
        }
        bias.body.push(pred);
    }
}

/// Warn of predicates whose types no rule can reach from the head.
fn warn_unusable(declared: &DeclaredBias<'_>, bias: &Bias, terms: &Terms, findings: &mut BiasFindings) {
    let Some(head_types) = bias.types.get(&bias.head) else { return };
    let mut reached: FxHashSet<Symbol> = head_types.iter().flat_map(|types| types.iter().copied()).collect();
    let mut waiting: Vec<Pred> = bias.body.clone();
    loop {
        let before = waiting.len();
        let mut anything = false;
        waiting.retain(|pred| match bias.types.get(pred) {
            None => {
                anything |= pred.arity > 0;
                false
            }
            Some(alternatives) => {
                let touches = |types: &[Symbol]| types.is_empty() || types.iter().any(|kind| reached.contains(kind));
                let usable: Vec<_> = alternatives.iter().filter(|types| touches(types)).collect();
                let none = usable.is_empty();
                usable.into_iter().for_each(|types| reached.extend(types.iter().copied()));
                none
            }
        });
        // A variable of an untyped argument can be of any type.
        if anything {
            return;
        }
        if waiting.len() == before {
            break;
        }
    }
    for Declaration { row, span, .. } in declared.rows("body_pred", 2) {
        if let [BiasValue::Name(name), BiasValue::Int(arity)] = row
            && waiting.iter().any(|pred| pred.name == *name && i64::from(pred.arity) == *arity)
        {
            let message =
                format!("{}/{arity} cannot be used: no rule reaches its types from the head", terms.name(*name));
            findings.warning(Finding::new(span, message));
        }
    }
}
