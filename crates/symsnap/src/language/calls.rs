//! What became of the calls that miners made, and which call patterns that rules out.
//!
//! A predicate that is called (see [`Database`]) may answer with some of its arguments bound
//! and not with fewer: `X > Y` raises an instantiation error, `between(1,inf,Y)` never ends, `tail(L,T)` leaves a list
//! open whose head nobody knows. What a rule covers is then a matter of the order of its literals, and an order in which
//! such a call is made says nothing about the others. So there is a record of every *call pattern* (a predicate,
//! which of its arguments are bound, and whether all answers are wanted or only whether there is one). A pattern that has
//! never answered and once failed so is *barred*: the predicate then has inputs, as if the bias had declared a direction,
//! and mining begins anew with them. A pattern that fails for some values and answers for others stays, and what it
//! failed to say taints the result ([`Taint`]).
//!
//! **Dear calls are put off.** Some calls take long, and nothing is found while they are made. So calls have few steps at
//! first. A pattern with a call that needs more is *put off*: barred for the time being, so that rules are found without it, or
//! with more of its arguments bound. When there is nothing else to do, or enough of it has been done, calls get more
//! steps, up to all that a call may take, and mining begins anew with what had been put off. No rule rests on a call that was
//! cut short before that, and what is still put off in the end taints the result.
//!
//! *Rejected*: to count a call without enough steps as one without answers (rules would cover less than they say); to call
//! dear predicates last at each level (the first level would not end: mutagenesis has ring predicates that take minutes).
//!
//! Whether a pattern is barred is decided between two steps of the miner, from all calls made until then: the set of
//! calls of a step depends on neither threads nor time, so neither does the decision.

use super::literal::PredNo;
use super::taint::Taint;
use crate::database::{Answers, CallOutcome, Columns, Database, Want};
use crate::logic::Pred;
use crate::prolog::Fault;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// Calls of a pattern that may reach a limit before it is barred, though it answered for other values: each takes a
/// noticeable part of a second.
const MOST_CUT: u32 = 8;

/// Steps of a call at first, about a tenth of a millisecond, and how much more they become each time.
const FIRST_STEPS: u64 = 2_000;
const MORE_STEPS: u64 = 16;

/// A predicate, the arguments that are bound, and what is asked.
pub type CallPattern = (PredNo, Columns, Want);

/// What is known of a call pattern.
#[derive(Debug, Default)]
struct Record {
    /// Whether some call had an answer.
    answered: bool,
    /// The first message of a call that needs more arguments bound, or leaves some open.
    unready: Option<String>,
    /// Calls that reached a limit, and the limit.
    cut: u32,
    limit: Option<String>,
    /// The first message of an error that may end the proof of a negative, or that came after an answer.
    error: Option<String>,
    barred: bool,
    /// Whether a call needs more steps than calls have for now.
    put_off: bool,
}

impl Record {
    /// A call needs more steps than these.
    fn put_off(&mut self, steps: u64) {
        self.put_off = true;
        self.limit = Some(format!("they take more than {steps} steps, and were put off"));
    }
}

/// The records of all patterns. Shared by threads.
#[derive(Debug)]
pub struct CallLog {
    /// Steps that a call may take for now.
    steps: u64,
    records: Mutex<BTreeMap<CallPattern, Record>>,
    /// Predicates whose answers may depend on what is bound, and why.
    suspects: Mutex<BTreeMap<PredNo, &'static str>>,
    /// Predicates that raise an error for values of the task that no rule has called them with yet, and which.
    raising: Mutex<BTreeMap<PredNo, String>>,
}

impl Default for CallLog {
    fn default() -> Self {
        CallLog { steps: FIRST_STEPS, records: Mutex::default(), suspects: Mutex::default(), raising: Mutex::default() }
    }
}

impl CallLog {
    /// Steps that a call may take for now.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether patterns are put off that could be tried with more steps.
    pub fn has_put_off(&self) -> bool {
        let records = self.records.lock().expect("no thread panics while it holds the lock");
        self.steps < Database::MOST_STEPS && records.values().any(|record| record.put_off)
    }

    /// Give calls more steps, and those that were put off another chance. Returns the patterns that get one, and those that
    /// stay barred.
    pub fn give_more_steps(&mut self) -> (Vec<CallPattern>, Vec<CallPattern>) {
        self.steps = (self.steps * MORE_STEPS).min(Database::MOST_STEPS);
        let records = self.records.get_mut().expect("no thread panics while it holds the lock");
        let all = |chosen: fn(&Record) -> bool| -> Vec<CallPattern> {
            records.iter().filter(|(_, record)| chosen(record)).map(|(pattern, _)| *pattern).collect()
        };
        let (freed, barred) = (all(|record| record.put_off), all(|record| record.barred && !record.put_off));
        records.retain(|_, record| !record.put_off);
        (freed, barred)
    }

    /// Take note of the answers to a call. `exempts` tells whether an error could keep a rule from covering a negative, or
    /// lose an answer that came before it.
    pub fn note(&self, pattern: CallPattern, answers: &Answers, exempts: impl FnOnce() -> bool) {
        let mut records = self.records.lock().expect("no thread panics while it holds the lock");
        let record = records.entry(pattern).or_default();
        match answers.outcome() {
            CallOutcome::Exact => record.answered |= !answers.is_empty(),
            CallOutcome::Open => {
                record.unready.get_or_insert_with(|| "it leaves arguments open".to_owned());
            }
            CallOutcome::Fault(Fault::Steps) if self.steps < Database::MOST_STEPS => {
                record.put_off(self.steps);
            }
            CallOutcome::Fault(fault) if fault.leaves_unknown() => {
                record.cut += 1;
                record.limit.get_or_insert_with(|| fault.to_string());
            }
            CallOutcome::Fault(fault) if fault.is_instantiation() => {
                record.unready.get_or_insert_with(|| fault.to_string());
            }
            CallOutcome::Fault(fault) => {
                if record.error.is_none() && exempts() {
                    record.error = Some(fault.to_string());
                }
            }
        }
    }

    /// Calls of this pattern are answered without being made.
    pub fn note_answered(&self, pattern: CallPattern) {
        let mut records = self.records.lock().expect("no thread panics while it holds the lock");
        records.entry(pattern).or_default().answered = true;
    }

    /// It takes more steps than calls have to know what a pattern answers. If there can be no more, nothing is known against
    /// it.
    pub fn put_off(&self, pattern: CallPattern) {
        if self.steps < Database::MOST_STEPS {
            let mut records = self.records.lock().expect("no thread panics while it holds the lock");
            records.entry(pattern).or_default().put_off(self.steps);
        }
    }

    /// A call raises an error for values that it may be given by rules that were never run with them.
    pub fn note_raises(&self, no: PredNo, error: String) {
        self.raising.lock().expect("no thread panics while it holds the lock").entry(no).or_insert(error);
    }

    /// The answers of a predicate may depend on what is bound.
    pub fn suspect(&self, no: PredNo, cause: &'static str) {
        self.suspects.lock().expect("no thread panics while it holds the lock").insert(no, cause);
    }

    /// Whether a pattern will be barred whatever else it answers.
    pub fn is_hopeless(&self, pattern: CallPattern) -> bool {
        let records = self.records.lock().expect("no thread panics while it holds the lock");
        records.get(&pattern).is_some_and(|record| record.put_off || record.cut >= MOST_CUT)
    }

    /// The patterns that are to be barred from now on.
    pub fn review(&self) -> Vec<CallPattern> {
        let mut records = self.records.lock().expect("no thread panics while it holds the lock");
        let mut barred = Vec::new();
        for (pattern, record) in records.iter_mut().filter(|(_, record)| !record.barred) {
            let failed = record.unready.is_some() || record.cut > 0;
            if record.put_off || failed && !record.answered || record.cut >= MOST_CUT {
                record.barred = true;
                barred.push(*pattern);
            }
        }
        barred
    }

    /// What the calls leave in doubt. `pred` names a predicate.
    pub fn taints(&self, pred: impl Fn(PredNo) -> Pred) -> Vec<Taint> {
        let records = self.records.lock().expect("no thread panics while it holds the lock");
        // What never answers is in no rule that covers anything, in whatever order.
        let answering: BTreeSet<PredNo> =
            records.iter().filter(|(_, record)| record.answered).map(|((no, ..), _)| *no).collect();
        let suspects = self.suspects.lock().expect("no thread panics while it holds the lock");
        let mut taints: Vec<Taint> =
            suspects.iter().map(|(&no, &cause)| Taint::Sensitive { pred: pred(no), cause }).collect();
        let raising = self.raising.lock().expect("no thread panics while it holds the lock");
        let raised = raising.iter().filter(|(no, _)| answering.contains(no));
        taints.extend(raised.map(|(&no, message)| Taint::Raises { pred: pred(no), message: message.clone() }));
        for (&(no, bound, _), record) in &*records {
            let pred = pred(no);
            if let Some(message) = &record.limit {
                taints.push(Taint::Cut { pred, bound, message: message.clone() });
            }
            if let (Some(message), true) = (&record.unready, record.answered) {
                taints.push(Taint::Unsteady { pred, bound, message: message.clone() });
            }
            if let (Some(message), true) = (&record.error, answering.contains(&no)) {
                taints.push(Taint::Raises { pred, message: message.clone() });
            }
        }
        taints
    }
}

/// The sets of arguments that must be bound, given `modes`, once calls with just `bound` are barred: each set that these
/// calls satisfy needs one more argument. Smallest sets only.
pub fn without(modes: &[u64], bound: u64, arity: usize) -> Vec<u64> {
    let mut left: Vec<u64> = Vec::new();
    for &mode in modes {
        if mode & !bound != 0 {
            left.push(mode);
        } else {
            left.extend((0..arity).filter(|at| bound >> at & 1 == 0).map(|at| mode | 1 << at));
        }
    }
    left.sort_unstable_by_key(|mode| (mode.count_ones(), *mode));
    let mut least: Vec<u64> = Vec::new();
    for mode in left {
        if !least.iter().any(|known| known & !mode == 0) {
            least.push(mode);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn a_barred_pattern_leaves_the_smallest_sets_of_inputs_that_it_does_not_satisfy() {
        // plus/3 answers with any two arguments bound.
        let any = without(&[0], 0, 3);
        assert_eq!(any, [0b001, 0b010, 0b100]);
        let two = [0b001, 0b010, 0b100].iter().fold(any, |modes, &bound| without(&modes, bound, 3));
        assert_eq!(two, [0b011, 0b101, 0b110]);
        // A declared input stays one.
        assert_eq!(without(&[0b01], 0b01, 2), [0b11]);
        // Nothing is left once calls with all arguments bound are barred.
        assert!(without(&[0b11], 0b11, 2).is_empty());
    }
}
