//! The model file: an ensemble with its weights and where it came from, as versioned JSON.
//!
//! Rules are kept as text: they read back over any background, they survive a change of the program's internals, and
//! people can read them. `docs/FORMATS.md` describes the file. A reader takes fields it does not know for additions and
//! ignores them; a change that an old reader must not ignore raises [`FORMAT`], and readers refuse newer files.

use super::lopsided::decided;
use super::troubles::note_troubles;
use super::{Calibration, Fingerprint, Method, Training, VoteFigures, Voter};
use crate::cost::Confusion;
use crate::error::{Diagnostic, Error, Location, Result};
use crate::logic::{Hypothesis, Pred, Terms};
use crate::snapshot::Selection;
use crate::task::Bias;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The version of the file format that this program writes, and the newest that it reads.
pub const FORMAT: u64 = 1;

/// The predicate that a model predicts, by name: a model stands apart from the terms of any task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Its name, without quotes.
    pub name: String,
    /// How many arguments it takes.
    pub arity: u32,
}

impl Head {
    /// The predicate among the names of `terms`.
    pub(crate) fn pred(&self, terms: &mut Terms) -> Pred {
        Pred::new(terms.intern(&self.name), self.arity)
    }
}

/// A hypothesis that votes in a [`Model`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Member {
    /// Its share of the vote, from 0 to 1.
    pub weight: f64,
    /// Its rules, as Prolog text.
    pub rules: Vec<String>,
    /// What it does with the training examples.
    #[serde(with = "super::confusion_json")]
    pub confusion: Confusion,
    /// Its size.
    pub size: usize,
    /// Its cost on the training examples.
    pub value: Vec<u64>,
}

/// What a rule does by itself with the training examples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleFigures {
    /// The rule, as Prolog text.
    pub rule: String,
    /// The weight of the positives that it covers.
    pub tp: u64,
    /// The weight of the negatives that it covers.
    pub fp: u64,
}

/// An ensemble as it is kept in a file: rules as text, weights, and where they came from. To ask it something, put it over a
/// background with [`Predictor::new`](super::Predictor::new).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Model {
    /// The version of the file format.
    pub(crate) format: u64,
    /// The version of the program that wrote it.
    #[doc(hidden)]
    pub symsnap: String,
    /// The folder of the training task, if it came from one.
    pub task: Option<String>,
    /// Hashes of the training task's files.
    #[doc(hidden)]
    pub fingerprint: Option<Fingerprint>,
    /// What it predicts.
    pub head: Head,
    /// The cost that was minimised.
    pub cost: String,
    /// How members were chosen and weighted.
    pub method: String,
    /// The method's settings.
    pub settings: BTreeMap<String, f64>,
    /// Which snapshots it was made of, if not of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[doc(hidden)]
    pub pool: Option<String>,
    /// The seed of the run.
    #[doc(hidden)]
    pub seed: u64,
    /// What users should know about how it came to be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How shares of the vote become probabilities; without it they are the shares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[doc(hidden)]
    pub calibration: Option<Calibration>,
    /// What the vote does with the training examples, and its cost; nothing if there was no time to find that out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[doc(hidden)]
    pub vote: Option<VoteFigures>,
    /// The members, in the order in which they were found.
    pub members: Vec<Member>,
    /// What the different rules of the members do by themselves, as far as that is known: rules that call each other do nothing
    /// alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[doc(hidden)]
    pub rules: Vec<RuleFigures>,
}

impl Model {
    /// What `method` makes of what `training` has.
    ///
    /// # Errors
    /// As the learner's, if the method runs one.
    #[doc(hidden)]
    pub fn fit(training: &Training<'_>, method: &dyn Method) -> Result<Self> {
        let voters = method.fit(training)?;
        let calibration = Calibration::of(training, &voters, method.is_sampled())?;
        let (voters, calibration) = decided(training, voters, calibration);
        let vote = VoteFigures::of(training, &voters);
        Ok(Model { calibration, vote, ..Model::of_voters(training, method, voters) })
    }

    /// What stands in for `method` where it could not be used at all: the snapshots, and a note that says `why`.
    pub(crate) fn of_snapshots(training: &Training<'_>, method: &dyn Method, why: &str) -> Self {
        let voters = training.fall_back(why);
        let calibration = (!voters.is_empty()).then(|| Calibration::of_figures(&voters));
        Model { calibration, ..Model::of_voters(training, method, voters) }
    }

    fn of_voters(training: &Training<'_>, method: &dyn Method, voters: Vec<Voter>) -> Self {
        let (task, cost) = (training.task(), training.cost());
        let head = task.bias.head;
        note_troubles(training, &voters);
        let rules = rule_figures(training, &voters);
        let members = voters.into_iter().map(|voter| {
            let size = voter.hypothesis.size();
            Member {
                // Sums of rounded shares may exceed 1 by a bit in the last place.
                weight: voter.weight.clamp(0.0, 1.0),
                rules: voter.hypothesis.rules.iter().map(|rule| rule.show(&task.terms)).collect(),
                confusion: voter.confusion,
                size,
                value: cost.value(&voter.confusion, size).0,
            }
        });
        Model {
            format: FORMAT,
            symsnap: env!("CARGO_PKG_VERSION").to_owned(),
            task: None,
            fingerprint: None,
            head: Head { name: task.terms.name(head.name).to_owned(), arity: head.arity },
            cost: cost.name().to_owned(),
            method: method.name().to_owned(),
            settings: method.settings().into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            pool: (training.selection() != Selection::All).then(|| training.selection().to_string()),
            seed: training.seed(),
            notes: training.notes(),
            calibration: None,
            vote: None,
            members: members.collect(),
            rules,
        }
    }

    /// The same model with the folder that its task came from, and the fingerprint of that.
    ///
    /// # Errors
    /// If the files of the folder cannot be read.
    #[doc(hidden)]
    pub fn learned_from(mut self, folder: &Path) -> Result<Self> {
        self.fingerprint = Some(Fingerprint::of_dir(folder)?);
        self.task = Some(folder.display().to_string());
        Ok(self)
    }

    /// The model as the text of its file.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a model has only finite numbers and text keys") + "\n"
    }

    /// The model that `text` describes; `file` is named in errors.
    ///
    /// # Errors
    /// If the text is not JSON, not a model, of a newer format, or has weights or a head that cannot be.
    pub fn from_json(file: &str, text: &[u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            format: u64,
        }
        let broken = |error: serde_json::Error| {
            let place = Location::new(file, error.line(), error.column());
            let text = error.to_string();
            let message = text.split(" at line ").next().unwrap_or(&text);
            let finding = Diagnostic::error(format!("this is not a model: {message}")).at(place);
            Error::from(finding.with_help("`symsnap learn DIR -o MODEL` writes one"))
        };
        let version: Version = serde_json::from_slice(text).map_err(broken)?;
        if version.format > FORMAT || version.format == 0 {
            let message = format!("{file} has model format {}; this program reads up to {FORMAT}", version.format);
            return Err(Diagnostic::error(message).with_help("use a newer version of symsnap").into());
        }
        let model: Model = serde_json::from_slice(text).map_err(broken)?;
        if model.head.arity as usize > Bias::MOST_VARS {
            let (Head { name, arity }, most) = (&model.head, Bias::MOST_VARS);
            let message =
                format!("{file}: the head {name}/{arity} has too many arguments: rules have at most {most} variables");
            return Err(Diagnostic::error(message).into());
        }
        let odd = model.members.iter().position(|member| !(0.0..=1.0).contains(&member.weight));
        if let Some(at) = odd {
            let weight = model.members[at].weight;
            let message = format!("{file}: member {at} has weight {weight}, which is not between 0 and 1");
            return Err(Diagnostic::error(message).into());
        }
        model.calibration.iter().try_for_each(|calibration| calibration.check(file))?;
        Ok(model)
    }

    /// Read a model file.
    ///
    /// # Errors
    /// If the file cannot be read, or as [`Model::from_json`].
    pub fn read(path: &Path) -> Result<Self> {
        Model::from_json(&path.display().to_string(), &crate::file::read(path)?)
    }

    /// Write a model file as [`Output`](crate::file::Output) does, whole or not at all.
    ///
    /// # Errors
    /// If the path cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        crate::file::write(path, &self.to_json())
    }
}

/// What the different rules of the voters do by themselves, in the order in which they occur, as far as there is time to find out.
fn rule_figures(training: &Training<'_>, voters: &[Voter]) -> Vec<RuleFigures> {
    let task = training.task();
    let mut known = BTreeSet::new();
    let plain = voters.iter().map(|voter| &voter.hypothesis).filter(|hypothesis| !hypothesis.is_recursive());
    let rules = plain.flat_map(|hypothesis| &hypothesis.rules).filter(|rule| rule.head.pred == task.bias.head);
    let rules = rules.map(|rule| (rule.show(&task.terms), Hypothesis { rules: vec![rule.clone()] }));
    let (texts, alone): (Vec<String>, Vec<Hypothesis>) = rules.filter(|(text, _)| known.insert(text.clone())).unzip();
    let order: Vec<usize> = (0..alone.len()).collect();
    let tested = training.test_in_time(&alone, &order);
    let figures = texts.into_iter().zip(tested).filter_map(|(rule, tested)| {
        let confusion = task.examples.confusion(&tested?.cover);
        Some(RuleFigures { rule, tp: confusion.tp, fp: confusion.fp })
    });
    figures.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        Model {
            format: FORMAT,
            symsnap: "0.1.0".to_owned(),
            task: Some("examples/family".to_owned()),
            fingerprint: Some(Fingerprint::of_texts(b"1", b"2", b"3")),
            head: Head { name: "f".to_owned(), arity: 1 },
            cost: "mdl".to_owned(),
            method: "paper".to_owned(),
            settings: BTreeMap::from([("alpha".to_owned(), 0.0017)]),
            pool: Some("last:3".to_owned()),
            seed: u64::MAX,
            notes: Vec::new(),
            calibration: None,
            vote: Some(VoteFigures { confusion: Confusion { tp: 1, fn_: 2, tn: 3, fp: 4 }, size: 2, value: vec![8] }),
            members: vec![Member {
                weight: 0.1 + 0.2,
                rules: vec!["f(V0) :- p(V0,'A b').".to_owned()],
                confusion: Confusion { tp: 1, fn_: 2, tn: 3, fp: 4 },
                size: 2,
                value: vec![8],
            }],
            rules: vec![RuleFigures { rule: "f(V0) :- p(V0,'A b').".to_owned(), tp: 1, fp: 4 }],
        }
    }

    fn message(text: &str) -> String {
        Model::from_json("m.json", text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_model_reads_back_as_it_was_written() {
        let model = model();
        assert_eq!(Model::from_json("m.json", model.to_json().as_bytes()).unwrap(), model);
        let path = std::env::temp_dir().join(format!("symsnap-model-{}.json", std::process::id()));
        model.write(&path).unwrap();
        model.write(&path).unwrap();
        assert_eq!(Model::read(&path).unwrap(), model);
        std::fs::remove_file(&path).unwrap();
        assert!(model.write(Path::new("no/such/folder/m.json")).unwrap_err().to_string().contains("cannot write"));
    }

    #[test]
    fn a_newer_format_is_refused_whatever_else_it_says() {
        let newer = r#"{"format": 2, "members": "elsewhere"}"#;
        assert_eq!(
            message(newer),
            "error: m.json has model format 2; this program reads up to 1\n  help: use a newer version of symsnap"
        );
    }

    #[test]
    fn unknown_fields_of_the_same_format_are_ignored() {
        let text = model().to_json().replacen("\"seed\"", "\"mood\": [1, {}],\n  \"seed\"", 1);
        assert_eq!(Model::from_json("m.json", text.as_bytes()).unwrap(), model());
    }

    #[test]
    fn broken_files_are_errors_with_their_place() {
        assert!(message("{\n  \"format\": 1,\n  oops").starts_with("m.json:3:3: error: this is not a model: key must"));
        assert!(message("").starts_with("m.json:1:0: error: this is not a model: EOF while parsing a value"));
        assert!(message("{}").contains("missing field `format`"));
        let heavy = model().to_json().replacen("0.30000000000000004", "1.5", 1);
        assert_eq!(message(&heavy), "error: m.json: member 0 has weight 1.5, which is not between 0 and 1");
        let wide = model().to_json().replacen("\"arity\": 1", "\"arity\": 300", 1);
        let expected = "error: m.json: the head f/300 has too many arguments: rules have at most 63 variables";
        assert_eq!(message(&wide), expected);
        assert!(message(&"[".repeat(100_000)).contains("this is not a model"));
        assert!(Model::from_json("m.json", b"\xff\xfe").is_err());
    }
}
