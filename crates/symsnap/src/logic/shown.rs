//! Predicates as they are named in messages.

use super::{Computation, Pred, Summarised, Summary, Terms, write_atom};
use std::fmt::Write as _;

impl Pred {
    /// `name/arity`, as Prolog writes it; computations and summaries as rules write them.
    pub fn show(self, terms: &Terms) -> String {
        let mut text = String::new();
        if let Some(computation) = Computation::of(self, terms) {
            return format!("is/2 with {}", computation.sign());
        }
        if let Some(Summarised { summary, of, bound }) = Summarised::by(self, terms) {
            let modes: Vec<&str> = bound.iter().map(|bound| if *bound { "+" } else { "_" }).collect();
            write_atom(&mut text, terms.name(of.name));
            let call = if modes.is_empty() { text } else { format!("{text}({})", modes.join(",")) };
            return match summary {
                Summary::Absence => format!("\\+ {call}"),
                Summary::Count => format!("aggregate_all(count, {call}, -)"),
            };
        }
        write_atom(&mut text, terms.name(self.name));
        write!(text, "/{}", self.arity).expect("writing to a string");
        text
    }
}
