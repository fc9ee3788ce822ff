//! Files that are half-written: where they are made, how they take their place, and how none is left behind.

use super::identity::folder_of;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant, SystemTime};

/// Names tried for a half-written file before its folder counts as one in which no file can be made.
const ATTEMPTS: u32 = 100;

/// How long [`Partials::sweep`] waits for another thread to finish making or renaming a file.
const PATIENCE: Duration = Duration::from_secs(1);

/// The half-written files of a process, so that whoever ends it early can remove them. A file that is half-written when
/// an [`Output`](super::Output) is dropped is removed by that; this is for processes that exit without dropping, on a
/// signal for example.
#[derive(Debug, Clone, Default)]
pub struct Partials(Arc<Mutex<BTreeSet<PathBuf>>>);

impl Partials {
    /// Make a new, empty file in the folder of `target`. Nobody else has its name: where a file or a link has it already
    /// (planted by someone else, perhaps), it is left alone and another name is taken.
    pub(super) fn create(&self, target: &Path) -> io::Result<Partial> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let permissions = fs::metadata(target).ok().map(|found| found.permissions());
        if permissions.is_some() {
            only_for_the_owner(&mut options);
        }
        let mut failure = io::Error::from(io::ErrorKind::AlreadyExists);
        for attempt in 0..ATTEMPTS {
            let path = folder_of(target).join(name(attempt));
            let mut paths = self.lock();
            match options.open(&path) {
                Ok(file) => {
                    paths.insert(path.clone());
                    drop(paths);
                    let partial = Partial { path, file, partials: self.clone() };
                    if let Some(permissions) = permissions {
                        partial.file.set_permissions(permissions)?;
                    }
                    return Ok(partial);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => failure = error,
                Err(error) => return Err(error),
            }
        }
        Err(failure)
    }

    /// Remove all half-written files and let no new ones be made: threads that try to will wait forever. Only for a
    /// process that is about to exit.
    pub fn sweep(&self) {
        let asked = Instant::now();
        let paths = loop {
            match self.0.try_lock() {
                Ok(paths) => break paths,
                Err(TryLockError::Poisoned(paths)) => break paths.into_inner(),
                Err(TryLockError::WouldBlock) if asked.elapsed() > PATIENCE => return,
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        for path in &*paths {
            // There is nothing to do about a file that will not go.
            let _ = fs::remove_file(path);
        }
        std::mem::forget(paths);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name that no other process or thread is likely to take at the same time.
fn name(attempt: u32) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!(".symsnap-{}-{:x}-{attempt}.partial", std::process::id(), now.as_nanos())
}

/// What replaces a private file must at no moment be open to others.
#[cfg(unix)]
fn only_for_the_owner(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600);
}

#[cfg(not(unix))]
fn only_for_the_owner(_: &mut OpenOptions) {}

/// A half-written file; removed when dropped.
#[derive(Debug)]
pub(super) struct Partial {
    path: PathBuf,
    pub(super) file: File,
    partials: Partials,
}

impl Partial {
    /// Let the file take the place of `target`.
    pub(super) fn put(&self, target: &Path) -> io::Result<()> {
        let mut paths = self.partials.lock();
        fs::rename(&self.path, target)?;
        paths.remove(&self.path);
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        let mut paths = self.partials.lock();
        if paths.remove(&self.path) {
            // The failure that led here is the one to report.
            let _ = fs::remove_file(&self.path);
        }
    }
}
