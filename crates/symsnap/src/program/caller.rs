//! Rules that call the program, and the order in which their literals are run.

use super::words::Words;
use crate::language::Lit;

/// A rule in the order in which it is run when the head's arguments of `bound` have values.
#[derive(Debug)]
pub(super) struct Plan {
    bound: u64,
    pub(super) body: Vec<Lit>,
    /// The first literal from which on all call the program with all arguments bound; `None` if there is no such literal
    /// because another comes after a call, or a call binds something.
    pub(super) ground: Option<usize>,
}

/// A rule that may call the program, with its plans: one for each set of arguments that a call has bound so far.
#[derive(Debug)]
pub(super) struct Caller {
    body: Box<[Lit]>,
    vars: usize,
    plans: Vec<Plan>,
}

impl Caller {
    pub(super) fn new(body: &[Lit], vars: usize) -> Self {
        Caller { body: body.into(), vars, plans: Vec::new() }
    }

    /// Its literals, as it was grown.
    pub(super) fn body(&self) -> &[Lit] {
        &self.body
    }

    /// How many variables it has, those of the head included.
    pub(super) fn vars(&self) -> usize {
        self.vars
    }

    /// How many literals it has, its head included.
    pub(super) fn size(&self) -> usize {
        self.body.len() + 1
    }

    /// How it is run for calls with these arguments bound.
    pub(super) fn plan(&mut self, bound: u64, words: &Words) -> &Plan {
        let at = self.plans.iter().position(|plan| plan.bound == bound).unwrap_or_else(|| {
            let (body, ground) = order(&self.body, bound, words);
            self.plans.push(Plan { bound, body, ground });
            self.plans.len() - 1
        });
        &self.plans[at]
    }
}

/// The body in the order in which it is run when the variables of `bound` are bound: checks first, calls of the program
/// after the background literals that do not need them. And where the literals begin that only check such calls.
pub(super) fn order(body: &[Lit], mut bound: u64, words: &Words) -> (Vec<Lit>, Option<usize>) {
    let mut waiting: Vec<Lit> = body.to_vec();
    let mut ordered = Vec::with_capacity(waiting.len());
    let mut ground = Some(body.len());
    while !waiting.is_empty() {
        let rank = |lit: &Lit| {
            let free = lit.args().iter().filter(|&&arg| bound >> arg & 1 == 0).count();
            let known = lit.args().len() - free;
            let rank = match (words.calls_program(lit), free, known) {
                (false, 0, _) => 0,
                (false, _, 1..) => 1,
                (false, _, 0) => {
                    if words.directed() {
                        2
                    } else {
                        4
                    }
                }
                (true, 0, _) => 3,
                (true, _, 1..) => 5,
                (true, _, 0) => 6,
            };
            (!words.ready(lit, bound), rank, free)
        };
        let best = (0..waiting.len()).min_by_key(|&at| rank(&waiting[at])).expect("something is waiting");
        let lit = waiting.remove(best);
        let calls = words.calls_program(&lit);
        match ground {
            Some(from) if calls && lit.mask() & !bound == 0 => ground = Some(from.min(ordered.len())),
            Some(from) if calls || from < body.len() => ground = None,
            _ => {}
        }
        bound |= lit.mask();
        ordered.push(lit);
    }
    (ordered, ground)
}
