//! The background that a model is used with, for the commands that use one: `--bk FILE`, more than once, or that of the
//! training task. What the rules call must be defined there.

use crate::files::Files;
use crate::output::complain;
use clap::Args;
use std::path::{Path, PathBuf};
use symsnap::internals::ensemble::{Fingerprint, Undefined};
use symsnap::{Diagnostic, Error, Model, Predictor, Result, Text};
use symsnap_tables::{Dataset, Purpose, Source, Table, TableModel, TableTask, read_tables};

/// Which background.
#[derive(Args, Default)]
pub struct Background {
    /// A file with the background to use instead of that of the training task; may be given several times, and what the
    /// files say adds up.
    #[arg(long, value_name = "FILE")]
    bk: Vec<PathBuf>,
    /// For models learned from tables: a table to use instead of those of training; may be given several times. NAME=FILE
    /// says which table it is, where neither the name of the file nor its columns do.
    #[arg(long, value_name = "FILE")]
    table: Vec<String>,
    /// Go on if rules call a predicate that the background does not define; it then has no answers.
    #[arg(long)]
    allow_undefined: bool,
}

impl Background {
    /// The model over the background, in which all that the rules call is defined.
    pub fn open(&self, model: &Model, path: &Path) -> Result<Predictor> {
        let predictor = self.open_as_it_is(model, path)?;
        let undefined = predictor.undefined();
        if self.allow_undefined {
            for Undefined { pred, .. } in undefined {
                complain(&Diagnostic::warning(format!("nothing defines {pred}: it has no answers")));
            }
        } else if !undefined.is_empty() {
            let files = self.paths(model, path)?;
            let findings = undefined.iter().enumerate().map(|(at, undefined)| finding(undefined, &files, at == 0));
            return Err(Error::Input(findings.collect()));
        }
        Ok(predictor)
    }

    /// The tables to use with a model that was learned from some: those that were given, or those of training. `name` is that
    /// of the model's file.
    pub fn tables(&self, model: &TableModel, name: &str, progress: &mut dyn FnMut(&Path, f64)) -> Result<Vec<Table>> {
        let schema = model.origin.schema(name)?;
        if !self.table.is_empty() {
            let sources: Vec<Source> = self.table.iter().map(|text| Source::parse(text)).collect();
            return read_tables(&sources, Some(&schema), progress);
        }
        let named = schema.tables.iter().zip(&model.origin.files);
        let sources = named.map(|(table, file)| Source { name: Some(table.name.clone()), path: file.into() });
        read_tables(&sources.collect::<Vec<_>>(), Some(&schema), progress).map_err(|error| match error {
            Error::Io { source, path, .. } => {
                let message = format!("cannot read the training table {}: {source}", path.display());
                Diagnostic::error(message).with_help("give tables with --table FILE").into()
            }
            error => error,
        })
    }

    /// The model over the background, whatever that defines.
    pub fn open_as_it_is(&self, model: &Model, path: &Path) -> Result<Predictor> {
        let of_tables = if self.bk.is_empty() { TableModel::read(path)? } else { None };
        if let Some(whole) = of_tables {
            let name = path.display().to_string();
            let tables = self.tables(&whole, &name, &mut |_, _| {})?;
            let data = Dataset::new(whole.origin.schema(&name)?, tables, Purpose::Predicting)?;
            data.warnings.iter().for_each(complain);
            self.complain_of_changes(&whole, &data);
            return Predictor::new(model, TableTask::new(&data).background());
        }
        if let Some(table) = self.table.first() {
            let finding =
                Diagnostic::error(format!("{} was not learned from tables, so {table} cannot be read", path.display()));
            return Err(finding.with_help("give a background with --bk FILE").into());
        }
        let files = self.paths(model, path)?;
        let trained_with = model.fingerprint.as_ref().filter(|_| self.bk.is_empty());
        let mut texts: Vec<(String, Vec<u8>)> = Vec::with_capacity(files.len());
        for file in &files {
            let bytes = symsnap::internals::file::read(file).map_err(|error| match error {
                Error::Io { source, .. } if self.bk.is_empty() => {
                    let message = format!("cannot read the training background {}: {source}", file.display());
                    Diagnostic::error(message).with_help("give a background with --bk FILE").into()
                }
                error => error,
            })?;
            if trained_with.is_some_and(|fingerprint| fingerprint.bk != Fingerprint::hash(&bytes)) {
                let message = format!("{} has changed since the model was learned", file.display());
                complain(&Diagnostic::warning(message));
            }
            texts.push((file.display().to_string(), bytes));
        }
        let sources: std::result::Result<Vec<Text<'_>>, _> =
            texts.iter().map(|(name, bytes)| Text::from_bytes(name.as_str(), bytes)).collect();
        Predictor::new(model, sources.map_err(|finding| Error::from(*finding))?.as_slice())
    }

    /// Say which of the training tables hold other things by now, if these are what is used.
    fn complain_of_changes(&self, model: &TableModel, data: &Dataset) {
        for file in model.origin.changed(data).into_iter().filter(|_| self.table.is_empty()) {
            complain(&Diagnostic::warning(format!("{file} has changed since the model was learned")));
        }
    }

    /// The same files, and those of the background that were given.
    pub fn files(&self, files: Files) -> Files {
        let files = self.bk.iter().fold(files, |files, path| files.reading(path));
        self.table.iter().fold(files, |files, table| files.reading(&Source::parse(table).path))
    }

    fn paths(&self, model: &Model, path: &Path) -> Result<Vec<PathBuf>> {
        match &model.task {
            _ if !self.bk.is_empty() => Ok(self.bk.clone()),
            Some(folder) => Ok(vec![Path::new(folder).join("bk.pl")]),
            None => {
                let finding = Diagnostic::error(format!("{} does not say where its background is", path.display()));
                Err(finding.with_help("give it with --bk FILE").into())
            }
        }
    }
}

/// What is wrong with a predicate; the ways out are the same for all and told `first`.
fn finding(undefined: &Undefined, files: &[PathBuf], first: bool) -> Diagnostic {
    let Undefined { pred, member, rule, similar } = undefined;
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let nobody = match names.as_slice() {
        [one] => format!("{one} does not define"),
        _ => format!("none of {} defines", names.join(", ")),
    };
    let message = format!("member {member} calls {pred}, which {nobody}: `{rule}`");
    let similar = similar.as_ref().map(|similar| format!("did you mean {similar}?"));
    let ways = first.then(|| {
        format!(
            "give the file that defines it with another --bk, write `:- dynamic {pred}.` into one if it has no facts, \
             or go on without it with --allow-undefined"
        )
    });
    let help: Vec<String> = similar.into_iter().chain(ways).collect();
    let finding = Diagnostic::error(message);
    if help.is_empty() { finding } else { finding.with_help(help.join(" ")) }
}
