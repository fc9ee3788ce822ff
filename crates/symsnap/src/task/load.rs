//! A task from its folder: `bk.pl`, `exs.pl` and `bias.pl`.

use super::{Task, TaskBuilder};
use crate::error::{Diagnostic, Error, Result};
use crate::parse::Text;
use std::path::Path;

/// The files of a task folder.
const FILES: [&str; 3] = ["bk.pl", "exs.pl", "bias.pl"];

impl Task {
    /// Read the task in the folder `path`.
    ///
    /// # Errors
    /// If the folder or one of its three files is missing or cannot be read, or if what they say is wrong.
    pub fn from_dir(path: impl AsRef<Path>) -> Result<Task> {
        let path = path.as_ref();
        let expects = "a task folder holds the files bk.pl, exs.pl and bias.pl";
        let found = std::fs::metadata(path);
        if found.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
            return Err(Diagnostic::error(format!("there is no folder {}", path.display())).with_help(expects).into());
        }
        if !found.map_err(|source| Error::Io { action: "read", path: path.to_owned(), source })?.is_dir() {
            return Err(Diagnostic::error(format!("{} is not a folder", path.display())).with_help(expects).into());
        }
        let missing: Vec<&str> = FILES.into_iter().filter(|file| !path.join(file).exists()).collect();
        if !missing.is_empty() {
            let message = format!("{} has no {}", path.display(), missing.join(", no "));
            return Err(Diagnostic::error(message).with_help(expects).into());
        }
        let [bk, exs, bias] = FILES.map(|file| path.join(file));
        Task::from_files(bk, exs, bias)
    }

    /// Read the task in three files.
    ///
    /// # Errors
    /// If a file is missing or cannot be read, or if what they say is wrong.
    pub fn from_files(bk: impl AsRef<Path>, exs: impl AsRef<Path>, bias: impl AsRef<Path>) -> Result<Task> {
        let paths = [bk.as_ref(), exs.as_ref(), bias.as_ref()];
        let names = paths.map(|path| path.display().to_string());
        let [bk, exs, bias] =
            [crate::file::read(paths[0])?, crate::file::read(paths[1])?, crate::file::read(paths[2])?];
        let [bk_name, exs_name, bias_name] = names;
        assemble(Text::from_bytes(bk_name, &bk), Text::from_bytes(exs_name, &exs), Text::from_bytes(bias_name, &bias))
    }

    /// Read the task in three texts.
    ///
    /// # Errors
    /// If what they say is wrong.
    pub fn from_texts(bk: &str, exs: &str, bias: &str) -> Result<Task> {
        assemble(Ok(Text::new("bk.pl", bk)), Ok(Text::new("exs.pl", exs)), Ok(Text::new("bias.pl", bias)))
    }
}

type Decoded<'s> = std::result::Result<Text<'s>, Box<Diagnostic>>;

fn assemble(bk: Decoded<'_>, exs: Decoded<'_>, bias: Decoded<'_>) -> Result<Task> {
    let mut builder = TaskBuilder::new(bias.map_err(|finding| *finding)?);
    match exs {
        Ok(source) => _ = builder.examples(source),
        Err(finding) => builder.reject(*finding),
    }
    match bk {
        Ok(source) => _ = builder.background(source),
        Err(finding) => builder.reject(*finding),
    }
    builder.build()
}
