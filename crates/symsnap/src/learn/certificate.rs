//! A bound that can be checked by others: the rules that a run kept, what they cover, and why no set of them costs less
//! ([`certify`](crate::covering::certify)).
//!
//! The format is written down in docs/FORMATS.md, "Certificates"; `scripts/check-certificate` checks one from the statements there.
//! Everything is over the examples of the task, one by one, whatever the run merged on its way.

use crate::cost::{Cost, CostValue};
use crate::covering::{Fate, PackingCertificate, Problem};
use crate::error::Result;
use crate::instance::Instance;
use crate::sets::Cover;
use serde::{Serialize, Serializer};

/// A lower bound on the cost of all hypotheses that can be made of the rules that a run kept, with its proof.
#[derive(Debug, Clone, Serialize)]
pub struct Certificate {
    format: &'static str,
    version: u32,
    /// What the certificate does not say, for whoever opens the file.
    scope: &'static str,
    cost: &'static str,
    /// What a false negative, a false positive and a literal count at each level of the cost.
    levels: Vec<[u32; 3]>,
    positives: Vec<CertifiedExample>,
    negatives: Vec<CertifiedExample>,
    /// The best hypothesis, and what it costs.
    hypothesis: Vec<String>,
    value: Vec<u64>,
    /// What was not evaluated to its end: covers may be too small.
    limits: Vec<String>,
    rules: Vec<CertifiedRule>,
    /// What each level counts in least units, and the parts that make one of these.
    #[serde(serialize_with = "digits")]
    units: Vec<i128>,
    #[serde(serialize_with = "number")]
    parts: i128,
    cores: Vec<CoreLine>,
    bound: Vec<u64>,
}

#[derive(Debug, Clone, Serialize)]
struct CertifiedExample {
    atom: String,
    weight: u32,
}

#[derive(Debug, Clone, Serialize)]
struct CertifiedRule {
    rule: String,
    size: u32,
    /// Numbers of the examples that it covers.
    positives: Vec<usize>,
    negatives: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<Instead>,
}

/// What does as well as a rule.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
enum Instead {
    Rule(usize),
    Nothing(&'static str),
}

/// The core of a positive and some negatives, with its share.
#[derive(Debug, Clone, Serialize)]
struct CoreLine {
    positive: u32,
    negatives: Vec<u32>,
    #[serde(serialize_with = "number")]
    share: i128,
}

/// Numbers that may have more than 64 bits are written as texts then: not every reader of JSON takes longer ones.
fn number<S: Serializer>(number: &i128, to: S) -> std::result::Result<S::Ok, S::Error> {
    match u64::try_from(*number) {
        Ok(number) if number < 1 << 53 => to.serialize_u64(number),
        _ => to.serialize_str(&number.to_string()),
    }
}

fn digits<S: Serializer>(numbers: &[i128], to: S) -> std::result::Result<S::Ok, S::Error> {
    to.collect_seq(numbers.iter().map(i128::to_string))
}

const SCOPE: &str = "The bound holds for all hypotheses made of the rules listed, each covering what is listed. That the rules cover \
                     this, and that no other rule is worth anything, is for others to check.";

impl Certificate {
    /// The cost that no hypothesis made of the rules goes below.
    pub fn bound(&self) -> CostValue {
        CostValue(self.bound.clone())
    }

    /// How many rules it is about.
    pub fn rules(&self) -> usize {
        self.rules.len()
    }

    /// The text of the file.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn to_json(&self) -> Result<String> {
        let text = serde_json::to_string(self).map_err(|error| crate::error::Diagnostic::error(error.to_string()))?;
        Ok(text + "\n")
    }
}

/// Put a certificate together.
pub(super) fn written_down(
    cost: Cost,
    on: &Instance<'_>,
    (rules, covers, problem): (Vec<String>, &[Cover], &Problem),
    packing: PackingCertificate,
    (hypothesis, value, limits): (Vec<String>, Vec<u64>, Vec<String>),
) -> Certificate {
    let (examples, terms) = (on.examples(), on.terms());
    let atom = |args, weight| CertifiedExample { atom: examples.pred().show_atom(args, terms), weight };
    let positives =
        examples.positive_weights().iter().copied().enumerate().map(|(at, weight)| atom(examples.positive(at), weight));
    let negatives =
        examples.negative_weights().iter().copied().enumerate().map(|(at, weight)| atom(examples.negative(at), weight));
    let rule = |((rule, cover), (id, fate)): ((String, &Cover), (_, &Fate))| CertifiedRule {
        rule,
        size: problem.size(id),
        positives: cover.pos().iter().collect(),
        negatives: cover.neg().iter().collect(),
        instead: match fate {
            Fate::Kept => None,
            Fate::Replaced(by) => Some(Instead::Rule(by.index())),
            Fate::Dropped => Some(Instead::Nothing("nothing")),
        },
    };
    let cores = packing.cores.into_iter();
    Certificate {
        format: "symsnap-certificate",
        version: 1,
        scope: SCOPE,
        cost: cost.name(),
        levels: cost.levels().iter().map(|level| [level.fn_, level.fp, level.size]).collect(),
        positives: positives.collect(),
        negatives: negatives.collect(),
        hypothesis,
        value,
        limits,
        rules: rules.into_iter().zip(covers).zip(problem.ids().zip(&packing.fates)).map(rule).collect(),
        units: packing.units,
        parts: packing.parts,
        cores: cores
            .map(|core| CoreLine { positive: core.positive, negatives: core.negatives, share: core.share })
            .collect(),
        bound: packing.lower.0,
    }
}
