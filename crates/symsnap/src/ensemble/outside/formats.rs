//! The formats by name. A new one is a file of its own and a line here.

use super::reader::Reader;
use super::{aleph, amie, anyburl, ilasp, jsonl, metagol, plain, popper};
use crate::error::nearest;

/// A form in which learners write hypotheses.
pub struct Format {
    /// The name that the command line uses.
    pub name: &'static str,
    /// Whose form it is, in a few words without a full stop.
    pub summary: &'static str,
    /// Whether a line shows that the text has this form.
    pub(super) recognises: fn(&str) -> bool,
    pub(super) reader: fn() -> Box<dyn Reader>,
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Format").field(&self.name).finish()
    }
}

/// All formats; the last is what a text has that shows no other.
pub static FORMATS: [Format; 8] = [
    Format {
        name: "jsonl",
        summary: "JSON lines with `rules`, as --snapshots writes them",
        recognises: jsonl::recognises,
        reader: || Box::new(jsonl::JsonLines),
    },
    Format {
        name: "popper",
        summary: "logs of Popper 1 to 5",
        recognises: popper::recognises,
        reader: || Box::new(popper::Popper::default()),
    },
    Format {
        name: "aleph",
        summary: "what Aleph prints, and theories it writes",
        recognises: aleph::recognises,
        reader: || Box::new(aleph::Aleph::default()),
    },
    Format {
        name: "anyburl",
        summary: "rule files of AnyBURL",
        recognises: anyburl::recognises,
        reader: || Box::new(anyburl::AnyBurl::default()),
    },
    Format {
        name: "amie",
        summary: "rule tables of AMIE",
        recognises: amie::recognises,
        reader: || Box::new(amie::Amie::default()),
    },
    Format {
        name: "metagol",
        summary: "what Metagol prints",
        recognises: metagol::recognises,
        reader: || Box::new(metagol::Metagol::default()),
    },
    Format {
        name: "ilasp",
        summary: "what ILASP and FastLAS print",
        recognises: ilasp::recognises,
        reader: || Box::new(ilasp::Ilasp::default()),
    },
    Format {
        name: "plain",
        summary: "Prolog rules, hypotheses between blank lines",
        recognises: |_| false,
        reader: || Box::new(plain::Plain::default()),
    },
];

/// The format with that name.
///
/// # Errors
/// If there is none, in words that list those there are.
pub fn format_named(name: &str) -> Result<&'static Format, String> {
    FORMATS.iter().find(|format| format.name == name).ok_or_else(|| {
        let names = || FORMATS.iter().map(|format| format.name);
        let meant = nearest(name, names()).map_or_else(String::new, |meant| format!(" (did you mean `{meant}`?)"));
        format!("there is no format `{name}`{meant}; there are {}", names().collect::<Vec<_>>().join(", "))
    })
}
