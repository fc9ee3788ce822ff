//! Whether two paths lead to one file.

use std::ffi::OsString;
use std::fs::Metadata;
use std::path::Path;

/// Which file a path leads to, whatever it is called: links, hard links, mounts and `..` make no difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The file, or the folder that it is to be in.
    found: FileNumber,
    /// The name in that folder, if there is no file yet.
    name: Option<OsString>,
}

/// Device and number of the file on it.
#[cfg(unix)]
type FileNumber = (u64, u64);

/// Where the system has no such numbers, the path without links.
#[cfg(not(unix))]
type FileNumber = std::path::PathBuf;

impl Identity {
    /// The identity of the file at `path`, or of the one that would be made there. `None` if the folder is missing too,
    /// and for character devices such as `/dev/null`, which any number of readers and writers may share.
    pub fn of(path: &Path) -> Option<Identity> {
        if let Ok(found) = path.metadata() {
            return Identity::found(&found, path);
        }
        let folder = folder_of(path);
        let found = Identity::found(&folder.metadata().ok()?, folder)?.found;
        Some(Identity { found, name: Some(path.file_name()?.to_owned()) })
    }

    fn found(found: &Metadata, path: &Path) -> Option<Identity> {
        let number = if is_character_device(found) { None } else { number(found, path) };
        number.map(|found| Identity { found, name: None })
    }

    /// The file that standard input comes from, if it is one.
    pub fn of_stdin() -> Option<Identity> {
        stream(&std::io::stdin())
    }

    /// The file that standard output goes to, if it is one.
    pub fn of_stdout() -> Option<Identity> {
        stream(&std::io::stdout())
    }

    /// The file that standard error goes to, if it is one.
    pub fn of_stderr() -> Option<Identity> {
        stream(&std::io::stderr())
    }
}

#[cfg(unix)]
fn number(found: &Metadata, _: &Path) -> Option<FileNumber> {
    use std::os::unix::fs::MetadataExt;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn number(_: &Metadata, path: &Path) -> Option<FileNumber> {
    path.canonicalize().ok()
}

#[cfg(unix)]
fn is_character_device(found: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    found.file_type().is_char_device()
}

#[cfg(not(unix))]
fn is_character_device(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn stream(stream: &impl std::os::fd::AsFd) -> Option<Identity> {
    let found = std::fs::File::from(stream.as_fd().try_clone_to_owned().ok()?).metadata().ok()?;
    if found.is_file() { Identity::found(&found, Path::new("")) } else { None }
}

#[cfg(not(unix))]
fn stream<T>(_: &T) -> Option<Identity> {
    None
}

/// The folder that `path` names a file in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
