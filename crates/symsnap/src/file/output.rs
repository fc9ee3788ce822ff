//! A file to be written.

use super::identity::{Identity, folder_of};
use super::partials::Partials;
use crate::error::{Diagnostic, Error, Result};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A path that can be written, found out before the work whose result it takes.
///
/// A regular file is replaced whole: the text goes to a new file in the same folder, which is then renamed. Whoever reads
/// the path sees the old file or the new one, however many processes write it at once. The new file has the permissions
/// of the old one. A link stays a link: the file it leads to is replaced. What is not a file is written into as it is:
/// character devices (`/dev/null`, `/dev/stdout`) and pipes; a named pipe that nobody reads from is refused after two
/// seconds. Folders, disks and links that lead nowhere are refused.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    place: Destination,
}

#[derive(Debug)]
enum Destination {
    /// A regular file, or none yet.
    Whole { target: PathBuf, partials: Partials },
    /// A device or a pipe.
    Into(File),
}

impl Output {
    /// Find out whether `path` can be written. Nothing is changed by this. Files that are half-written later are listed
    /// in `partials`.
    ///
    /// # Errors
    /// If it cannot, or must not.
    pub fn open(path: &Path, partials: &Partials) -> Result<Self> {
        let failed = |source| Error::Io { action: "write", path: path.to_owned(), source };
        let refused = |why: String| Error::from(Diagnostic::error(format!("cannot write {}: {why}", path.display())));
        let into = |file| Output { path: path.to_owned(), place: Destination::Into(file) };
        if let Some(stream) = descriptor(path) {
            return stream.map(into).map_err(failed);
        }
        let target = match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                return Err(Diagnostic::error(format!("{} is a folder, not a file", path.display())).into());
            }
            Ok(found) if !found.is_file() => return special(path, &found).map(into),
            Ok(_) => {
                let identity = Identity::of(path);
                for (stream, name) in
                    [(Identity::of_stdout(), "standard output"), (Identity::of_stderr(), "standard error")]
                {
                    if stream.is_some() && stream == identity {
                        return Err(refused(format!("{name} goes there already")));
                    }
                }
                let target = fs::canonicalize(path).map_err(failed)?;
                // Replacing a file needs no right to write it; who made it read-only did not want it replaced.
                OpenOptions::new().write(true).open(&target).map_err(failed)?;
                target
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if let Ok(nowhere) = fs::read_link(path) {
                    return Err(refused(format!("it is a link to {}, which does not exist", nowhere.display())));
                }
                if path.file_name().is_none() || ends_like_a_folder(path) {
                    return Err(refused("it names no file".to_owned()));
                }
                let folder = folder_of(path);
                if !folder.is_dir() {
                    return Err(refused(format!("there is no folder {}", folder.display())));
                }
                path.to_owned()
            }
            Err(error) => return Err(failed(error)),
        };
        drop(partials.create(&target).map_err(failed)?);
        Ok(Output { path: path.to_owned(), place: Destination::Whole { target, partials: partials.clone() } })
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Write `bytes`, all or nothing.
    ///
    /// # Errors
    /// If the system refuses; a file that was there before is then still there.
    pub fn write(self, bytes: &[u8]) -> Result<()> {
        let written = match self.place {
            Destination::Into(mut file) => file.write_all(bytes),
            Destination::Whole { target, partials } => partials.create(&target).and_then(|mut partial| {
                partial.file.write_all(bytes)?;
                // Without this, a power cut can leave an empty file in the place of the old one.
                partial.file.sync_all()?;
                partial.put(&target)
            }),
        };
        written.map_err(|source| Error::Io { action: "write", path: self.path, source })
    }

    /// Replace the file by an empty one, to be written bit by bit. Two processes that do so have a file each; the path
    /// leads to that of the later one.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn stream(self) -> Result<File> {
        let opened = match self.place {
            Destination::Into(file) => Ok(file),
            Destination::Whole { target, partials } => partials.create(&target).and_then(|partial| {
                let file = partial.file.try_clone()?;
                partial.put(&target)?;
                Ok(file)
            }),
        };
        opened.map_err(|source| Error::Io { action: "write", path: self.path, source })
    }
}

fn ends_like_a_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|&last| std::path::is_separator(char::from(last)))
}

/// An open descriptor of this process that `path` names. Standard output and error are shared, so that what is written
/// here and what is printed later follow each other even in a regular file; for the same reason others are appended to.
#[cfg(unix)]
fn descriptor(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd;
    let text = path.to_str()?;
    let number = match text {
        "/dev/stdout" => "1",
        "/dev/stderr" => "2",
        _ => text.strip_prefix("/dev/fd/").or_else(|| text.strip_prefix("/proc/self/fd/"))?,
    };
    Some(match number {
        "1" => io::stdout().as_fd().try_clone_to_owned().map(File::from),
        "2" => io::stderr().as_fd().try_clone_to_owned().map(File::from),
        _ => OpenOptions::new().append(true).open(path),
    })
}

#[cfg(not(unix))]
fn descriptor(_: &Path) -> Option<io::Result<File>> {
    None
}

/// Open what is neither a regular file nor a folder.
#[cfg(unix)]
fn special(path: &Path, found: &Metadata) -> Result<File> {
    use std::os::unix::fs::FileTypeExt;
    let kind = found.file_type();
    if kind.is_block_device() {
        return Err(Diagnostic::error(format!("cannot write {}: it is a disk", path.display())).into());
    }
    let failed = |source| Error::Io { action: "write", path: path.to_owned(), source };
    if !kind.is_fifo() {
        return OpenOptions::new().write(true).open(path).map_err(failed);
    }
    pipe(path).map_err(failed)?.ok_or_else(|| {
        let finding = Diagnostic::error(format!("cannot write {}: nobody reads from this pipe", path.display()));
        finding.with_help("start the program that reads from it first").into()
    })
}

#[cfg(not(unix))]
fn special(path: &Path, _: &Metadata) -> Result<File> {
    let failed = |source| Error::Io { action: "write", path: path.to_owned(), source };
    OpenOptions::new().write(true).open(path).map_err(failed)
}

/// Open a named pipe, which takes until someone reads from it; nothing if nobody does for two seconds.
#[cfg(unix)]
fn pipe(path: &Path) -> io::Result<Option<File>> {
    use std::sync::mpsc::channel;
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);
    let (send, opened) = channel();
    let waiting = path.to_owned();
    let opener = std::thread::Builder::new().name("pipe".to_owned()).spawn(move || {
        // Nobody listens any more if it took too long.
        let _ = send.send(OpenOptions::new().write(true).open(waiting));
    })?;
    if let Ok(file) = opened.recv_timeout(PATIENCE) {
        return file.map(Some);
    }
    // Reading from the pipe for a moment lets the other thread go.
    drop(File::open(path)?);
    let _ = opener.join();
    Ok(None)
}
