//! Why what was concluded may not hold: whatever was not evaluated to its end, by its cause.

use crate::coverage::Notes;
use crate::database::Columns;
use crate::logic::{Pred, Terms};

/// A cause of doubt. A run that has met one proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Taint {
    /// Calls with these arguments bound reached a limit, so that it is not known what they answer.
    Cut {
        /// What was called.
        pred: Pred,
        /// The arguments that were bound.
        bound: Columns,
        /// Which limit.
        message: String,
    },
    /// Calls with these arguments bound answer for some values, and for others need more of them bound.
    Unsteady {
        /// What was called.
        pred: Pred,
        /// The arguments that were bound.
        bound: Columns,
        /// What is needed.
        message: String,
    },
    /// Calls raise errors on examples. An error ends the proof of its example, so rules with fewer false positives may
    /// exist in orders of their literals that were not tried.
    Raises {
        /// What was called.
        pred: Pred,
        /// The first error.
        message: String,
    },
    /// What the predicate answers depends on which of its arguments are bound, so it matters in which order literals are
    /// run, and not all orders were tried.
    Sensitive {
        /// What was called.
        pred: Pred,
        /// What it uses that can tell.
        cause: &'static str,
    },
    /// It is known whether a call has answers but not which, so rules that go on from it were not looked at.
    Unbound {
        /// What was called.
        pred: Pred,
    },
    /// A rule covers other examples in the order in which it is written than in the order in which it was found.
    Order,
    /// It would have taken too long to find out whether some rules are in the space.
    Undecided,
    /// Tables outgrew the memory set aside for them.
    Rows,
    /// Evaluating a rule reached a limit.
    Rule {
        /// Which.
        message: String,
    },
    /// The predicate has more arguments than a literal can have.
    Wide {
        /// Which.
        pred: Pred,
    },
    /// A variable can be compared with more numbers than are looked at.
    Cuts,
    /// The bias allows exact multiples, which are not searched yet.
    NotSearched,
    /// The bias allows constants in heads, which are not tried in rules that call each other.
    HeadConstants,
    /// There are more forms of the head, with constants in some arguments, than are tried.
    HeadForms,
    /// Variables may be multiplied by real numbers, of which some are tried.
    Slopes,
    /// Numbers and constants have a price, and of rules that cover the same the one with the fewest literals was kept.
    Priced,
    /// Not every constant that the bias allows was tried.
    Constants,
    /// A variable that is compared with numbers has other values, too.
    NoNumber,
    /// Comparisons and constants are looked for in few of the programs whose rules call each other.
    Programs,
    /// Programs met the limits on recursion.
    Recursion,
    /// A recursive program covers other examples when it is run than its search says.
    Run,
}

impl Taint {
    /// What evaluating a rule leaves in doubt.
    pub fn of(notes: &Notes) -> Option<Taint> {
        let message = notes.messages.first().map_or("it took too many steps", String::as_str).to_owned();
        (notes.unfinished > 0 || notes.faults > 0).then_some(Taint::Rule { message })
    }

    /// In words.
    pub fn show(&self, terms: &Terms) -> String {
        match self {
            Taint::Cut { pred, bound, message } => {
                format!("calls of {} were cut short: {message}", pattern(*pred, *bound, terms))
            }
            Taint::Unsteady { pred, bound, message } => {
                format!("calls of {} have answers for some values only: {message}", pattern(*pred, *bound, terms))
            }
            Taint::Raises { pred, message } => {
                format!("{} raises errors on some examples: {message}", pred.show(terms))
            }
            Taint::Sensitive { pred, cause } => {
                let name = pred.show(terms);
                format!(
                    "{name} may answer otherwise when its arguments are bound later (it uses `{cause}`): declare its direction"
                )
            }
            Taint::Unbound { pred } => {
                format!("{} cannot list its answers, so rules that go on from them were left out", pred.show(terms))
            }
            Taint::Order => "rules with called predicates cover other examples in another order".to_owned(),
            Taint::Undecided => {
                "constraints or types took too long to check, and the rules they speak of were left out".to_owned()
            }
            Taint::Rows => "tables of bindings outgrew the memory set aside for them".to_owned(),
            Taint::Rule { message } => format!("rules were not evaluated to their end: {message}"),
            Taint::Wide { pred } => {
                format!("{} has more arguments than the search handles and was left out", pred.show(terms))
            }
            Taint::Cuts => "variables can be compared with more numbers than are looked at".to_owned(),
            Taint::NotSearched => {
                "exact multiples (`mult` with its result as input) are allowed and not searched yet".to_owned()
            }
            Taint::HeadConstants => "constants in heads were tried only in rules that call no learned rule".to_owned(),
            Taint::HeadForms => "not every constant that heads can have was tried".to_owned(),
            Taint::Slopes => "variables were multiplied by some of the real numbers only".to_owned(),
            Taint::Priced => {
                "of rules that cover the same, some with more literals and fewer numbers were left out".to_owned()
            }
            Taint::Constants => "not every constant that calls can answer, or that tables have, was tried".to_owned(),
            Taint::NoNumber => "values that are compared with numbers are not all numbers".to_owned(),
            Taint::Programs => {
                "comparisons and constants were looked for in base rules beside one recursive rule only".to_owned()
            }
            Taint::Recursion => "recursive programs met the limits on recursion".to_owned(),
            Taint::Run => "a recursive program covers other examples when it is run than its search says".to_owned(),
        }
    }
}

/// A call pattern as manuals of Prolog write it: `r(+,-)` has its first argument bound.
fn pattern(pred: Pred, bound: Columns, terms: &Terms) -> String {
    let sign = |at| if bound.contains(at) { "+" } else { "-" };
    let args: Vec<&str> = (0..pred.arity as usize).map(sign).collect();
    let name = pred.show(terms);
    let name = name.rsplit_once('/').map_or(name.as_str(), |(name, _)| name);
    if args.is_empty() { name.to_owned() } else { format!("{name}({})", args.join(",")) }
}
