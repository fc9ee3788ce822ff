//! Bodies as they are read: the literals of parts put together, in an order that starts at the head.

use super::literal::Lit;
use crate::index::narrow;

/// The literals of a part in an order that reads well, local variables numbered as they come: each literal shares a
/// variable with the head or those before it, what introduces none comes first, then what is nearest to the head.
pub fn from_the_head(part: &[Lit], head: usize) -> Vec<Lit> {
    let mut names: Vec<u8> = (0..).take(head).collect();
    let mut rest: Vec<Lit> = part.to_vec();
    let mut body = Vec::with_capacity(part.len());
    while !rest.is_empty() {
        let next = (0..rest.len()).min_by_key(|&at| {
            let places = rest[at].args().iter().map(|arg| names.iter().position(|name| name == arg));
            let nearest = places.clone().flatten().min().unwrap_or(usize::MAX);
            (nearest == usize::MAX, places.filter(Option::is_none).count() > 0, nearest, at)
        });
        let lit = rest.remove(next.unwrap_or(0));
        for &arg in lit.args() {
            if !names.contains(&arg) {
                names.push(arg);
            }
        }
        body.push(lit.renamed(|arg| names.iter().position(|name| *name == arg).map_or(arg, narrow)));
    }
    body
}

/// The literals of all parts, with local variables numbered apart.
pub fn join_parts<'b>(parts: impl Iterator<Item = &'b [Lit]>, head: usize) -> Vec<Lit> {
    let mut body = Vec::new();
    let mut next = head;
    for part in parts {
        let mut top = head;
        for lit in part {
            let apart = |arg: u8| if (arg as usize) < head { arg } else { narrow(arg as usize + next - head) };
            top = top.max(lit.args().iter().map(|&arg| arg as usize + 1).max().unwrap_or(0));
            body.push(lit.renamed(apart));
        }
        next += top - head;
    }
    body
}
