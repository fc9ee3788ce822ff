//! Who learns in a suite: one of our learners, or another program.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// `learner = "foil"` or `learner = { command = "...", format = "popper" }`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum SuiteLearner {
    /// One of [`symsnap::LEARNERS`], by name.
    Named(String),
    /// Another program.
    Outside(OutsideLearner),
}

/// A program that writes hypotheses as it finds them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutsideLearner {
    /// A command of the shell, with `{task}` for the folder of the task.
    pub command: String,
    /// How it writes hypotheses, if that is not to be recognised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

impl Default for SuiteLearner {
    fn default() -> Self {
        SuiteLearner::Named(symsnap::LEARNERS[0].name.to_owned())
    }
}

impl SuiteLearner {
    /// Results from before suites could name a learner are those of the first, so that one is not written down.
    pub(super) fn is_first(&self) -> bool {
        *self == SuiteLearner::default()
    }

    /// What reports call it.
    pub fn words(&self) -> &str {
        match self {
            SuiteLearner::Named(name) => name,
            SuiteLearner::Outside(outside) => &outside.command,
        }
    }
}

/// By hand, because the derived one would say of any slip that no variant matched.
impl<'de> Deserialize<'de> for SuiteLearner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrTable;
        impl<'de> Visitor<'de> for NameOrTable {
            type Value = SuiteLearner;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a learner, or a table with `command` and perhaps `format`")
            }

            fn visit_str<E>(self, name: &str) -> Result<SuiteLearner, E> {
                Ok(SuiteLearner::Named(name.to_owned()))
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<SuiteLearner, M::Error> {
                OutsideLearner::deserialize(MapAccessDeserializer::new(map)).map(SuiteLearner::Outside)
            }
        }
        deserializer.deserialize_any(NameOrTable)
    }
}
