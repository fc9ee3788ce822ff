//! Constants in the arguments of called literals: `add(V1,V2,10)`.
//!
//! Which constants there are is known only where the call is made. Left open, the argument takes the values that the call
//! answers; those that it takes where positives are can cover a positive, and of these the ones that most positives share
//! are tried. With the constant in its place the call may answer more than that: MagicPopper's (Hocquette and Cropper 2023)
//! `mult(A,3.142,C)` holds for any `C` near enough. So it is called again where that takes few calls.
//!
//! Tables need none of this: their constants are selections ([`database`](crate::database)).

use crate::database::Want;
use crate::language::{FRESH, Lit};
use crate::mine::bindings::BindingTable;
use crate::mine::context::Context;
use std::cmp::Reverse;

/// Constants of one argument that are tried.
const MOST_CHOSEN: usize = 32;

/// Calls that trying them may take. Where it would be more, the constant is taken for what the call answers without it: nearly
/// all predicates are like that, and rules are tested as they are written in any case.
const MOST_CALLS: usize = 1 << 16;

/// A literal with a constant, and the rows that satisfy it where that is known without calling it.
pub struct Choice {
    /// The literal.
    pub lit: Lit,
    /// The rows.
    pub rows: Option<Vec<u64>>,
}

/// The literals that `lit` is with a constant for one of its fresh variables. `unknown` are head variables that the table
/// does not know.
pub fn choices(lit: &Lit, table: &BindingTable, unknown: u64, context: &Context<'_>) -> Vec<Choice> {
    let (language, args) = (&context.language, lit.args());
    let mut choices = Vec::new();
    for (no, at) in language.choosing(lit.pred) {
        let others: Vec<u8> = args[..at].iter().chain(&args[at + 1..]).copied().collect();
        let chosen = numbered(Lit::new(no, &others));
        if args[at] < FRESH || !language.callable(&chosen, Want::One) {
            continue;
        }
        let mut values = table.values_on_positives(lit, at, context.ground());
        values.retain(|&(value, _)| language.is_writable(value));
        // Those of most positives first; the numbers of values depend on which thread met them.
        values.sort_by_cached_key(|&(value, positives)| (Reverse(positives), language.written(value)));
        values.truncate(MOST_CHOSEN);
        let values: Vec<u32> = values.iter().map(|(value, _)| *value).collect();
        if chosen.mask() & unknown != 0 || table.rows() * values.len() <= MOST_CALLS {
            choices.extend(values.iter().map(|&value| Choice { lit: chosen.choosing(value), rows: None }));
        } else {
            let rows = table.rows_with(lit, at, &values, context.ground());
            let known = values.iter().zip(rows);
            choices.extend(known.map(|(&value, rows)| Choice { lit: chosen.choosing(value), rows: Some(rows) }));
        }
    }
    choices
}

/// The literal with its fresh variables numbered in the order of their first use.
fn numbered(lit: Lit) -> Lit {
    let mut next = FRESH;
    lit.renamed(|arg| {
        if arg < FRESH {
            return arg;
        }
        next += 1;
        next - 1
    })
}
