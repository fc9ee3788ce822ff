//! All exports by name. A new one is a file of its own and a line here.

use super::exported::Exported;
use super::prolog::prolog;
use super::sql::sql;
use crate::ensemble::Model;
use crate::error::Result;

/// A way to write a model for another system.
#[derive(Debug)]
pub struct Export {
    /// The name that the command line uses.
    pub name: &'static str,
    /// What is written and how it is used, in lines of up to 110 characters, without a full stop.
    pub summary: &'static str,
    /// Whether it looks at a background, so that facts and examples can be written.
    pub background: bool,
    write: fn(&Exported<'_>) -> Result<String>,
}

impl Export {
    /// The text for the other system.
    ///
    /// # Errors
    /// If the other system cannot say what the model says.
    pub fn write(&self, exported: &Exported<'_>) -> Result<String> {
        (self.write)(exported)
    }
}

/// All exports.
pub static EXPORTS: &[Export] = &[
    Export {
        name: "prolog",
        summary: "load it after the background, `swipl bk.pl model.pl`, and ask symsnap_label(Atom, Label) or\n\
                  symsnap_probability(Atom, Probability)",
        background: false,
        write: |exported| Ok(prolog(exported.predictor)),
    },
    Export {
        name: "sql",
        summary: "a table for each predicate, a table `examples` (id, a1, a2, ...) for what is to be predicted, and a view\n\
                  `predictions` (id, probability, vote, label); all terms are text. With --facts the tables are filled from the\n\
                  background, with --examples the table `examples` from a file, numbered from 0, positives first. Only this\n\
                  looks at a background",
        background: true,
        write: sql,
    },
    Export {
        name: "json",
        summary: "the model file itself, without what is only about its training",
        background: false,
        write: |exported| Ok(Model { task: None, fingerprint: None, ..exported.model.clone() }.to_json()),
    },
];

/// The export with that name.
pub fn export_named(name: &str) -> Option<&'static Export> {
    EXPORTS.iter().find(|export| export.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_are_found_by_name_and_their_help_fits_a_terminal() {
        for export in EXPORTS {
            assert!(export_named(export.name).is_some_and(|found| std::ptr::eq(found, export)), "{}", export.name);
            assert!(export.summary.lines().all(|line| line.len() <= 110), "{}", export.name);
            assert!(!export.summary.ends_with('.'), "{}", export.name);
        }
        assert!(export_named("latex").is_none());
    }
}
