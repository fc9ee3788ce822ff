//! Which files a command reads and writes: none is written that is read, and none is written twice.

use std::path::Path;
use std::sync::LazyLock;
use symsnap::internals::file::{Identity, Output, Partials};
use symsnap::{Diagnostic, Model, Result};
use symsnap_tables::TableModel;

/// The half-written files of this process.
pub static PARTIALS: LazyLock<Partials> = LazyLock::new(Partials::default);

/// The files of one command, by what they are and what messages call them.
#[derive(Default)]
pub struct Files {
    inputs: Vec<(Identity, String)>,
    outputs: Vec<(Identity, String)>,
}

impl Files {
    /// The files of a command that reads the task in `folder`.
    pub fn of_task(folder: &Path) -> Self {
        Files::default().reading_task(folder)
    }

    fn reading_task(self, folder: &Path) -> Self {
        ["bk.pl", "exs.pl", "bias.pl"].iter().fold(self, |files, name| files.reading(&folder.join(name)))
    }

    /// The command reads `path`, too; `-` is standard input.
    #[must_use]
    pub fn reading(mut self, path: &Path) -> Self {
        let identity = if path == Path::new("-") { Identity::of_stdin() } else { Identity::of(path) };
        self.inputs.extend(identity.map(|identity| (identity, path.display().to_string())));
        self
    }

    /// The command reads the model in the file at `path`, too, and may read what it was learned from, which the model names.
    #[must_use]
    pub fn reading_model(self, path: &Path) -> Self {
        let tables = TableModel::read(path).ok().flatten().map(|model| model.origin.files);
        let task = Model::read(path).ok().and_then(|model| model.task);
        let files = self.reading(path);
        match (tables, task) {
            (Some(tables), _) => tables.iter().fold(files, |files, table| files.reading(Path::new(table))),
            (None, Some(folder)) => files.reading_task(Path::new(&folder)),
            (None, None) => files,
        }
    }

    /// The command reads `path`, too, if it is given.
    #[must_use]
    pub fn maybe_reading(self, path: Option<&Path>) -> Self {
        path.into_iter().fold(self, Files::reading)
    }

    /// The command writes `path`, too. Whatever is wrong with that is found here, before any work is done.
    pub fn output(&mut self, path: &Path) -> Result<Output> {
        let name = path.display().to_string();
        if let Some(identity) = Identity::of(path) {
            let same = |files: &[(Identity, String)]| {
                files.iter().find(|(other, _)| *other == identity).map(|(_, other)| other.clone())
            };
            let message = match (same(&self.inputs), same(&self.outputs)) {
                (Some(input), _) if input == name => format!("{name} would be overwritten, but this command reads it"),
                (Some(input), _) => format!("{name} is the same file as {input}, which this command reads"),
                (None, Some(other)) if other == name => format!("{name} would be written twice"),
                (None, Some(other)) => format!("{name} is the same file as {other}, which is written, too"),
                (None, None) => String::new(),
            };
            if !message.is_empty() {
                return Err(Diagnostic::error(message).with_help("name another file to write").into());
            }
            self.outputs.push((identity, name));
        }
        Output::open(path, &PARTIALS)
    }

    /// The command prints its answer: standard output must not go to a file that it reads.
    pub fn printing(&self) -> Result<()> {
        let out = Identity::of_stdout();
        let Some((_, input)) = self.inputs.iter().find(|(input, _)| Some(input) == out.as_ref()) else { return Ok(()) };
        let finding = Diagnostic::error(format!("standard output goes to {input}, which this command reads"));
        Err(finding.with_help("redirect it to another file").into())
    }
}
