//! A confusion matrix as model files spell it: `{"tp": 1, "fn": 2, "tn": 3, "fp": 4}`.

use crate::cost::Confusion;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
struct Figures {
    tp: u64,
    #[serde(rename = "fn")]
    fn_: u64,
    tn: u64,
    fp: u64,
}

pub(super) fn serialize<S: Serializer>(it: &Confusion, serializer: S) -> Result<S::Ok, S::Error> {
    Figures { tp: it.tp, fn_: it.fn_, tn: it.tn, fp: it.fp }.serialize(serializer)
}

pub(super) fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Confusion, D::Error> {
    let it = Figures::deserialize(deserializer)?;
    Ok(Confusion { tp: it.tp, fn_: it.fn_, tn: it.tn, fp: it.fp })
}
