//! Every kind of thing that a path can lead to, and what becomes of it.

use super::*;
use std::fs;
use std::path::PathBuf;

/// A folder of its own for a test, gone at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("symsnap-file-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn refusal(path: &Path) -> String {
    Output::open(path, &Partials::default()).unwrap_err().to_string()
}

#[test]
fn opening_changes_nothing_and_writing_replaces_the_file_and_leaves_nothing_beside_it() {
    let place = Place::new("replace");
    let path = place.join("m.json");
    fs::write(&path, "old").unwrap();
    let output = Output::open(&path, &Partials::default()).unwrap();
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), place.names()), ("old", vec!["m.json".to_owned()]));
    output.write(b"new").unwrap();
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), place.names()), ("new", vec!["m.json".to_owned()]));
    Output::open(&place.join("new.json"), &Partials::default()).unwrap();
    assert_eq!(place.names(), ["m.json"]);
}

#[test]
fn a_stream_is_empty_at_first_and_grows_in_place() {
    use std::io::Write;
    let place = Place::new("stream");
    let path = place.join("s.jsonl");
    fs::write(&path, "old").unwrap();
    let mut stream = Output::open(&path, &Partials::default()).unwrap().stream().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "");
    stream.write_all(b"one\n").unwrap();
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), place.names()), ("one\n", vec!["s.jsonl".to_owned()]));
}

#[test]
fn what_cannot_be_a_file_is_refused_with_the_reason() {
    let place = Place::new("refused");
    let shown = |name: &str| place.join(name).display().to_string();
    assert_eq!(refusal(&place.0), format!("error: {} is a folder, not a file", place.0.display()));
    assert_eq!(
        refusal(&place.join("gone/m.json")),
        format!("error: cannot write {}: there is no folder {}", shown("gone/m.json"), shown("gone"))
    );
    assert_eq!(refusal(&place.join("new/")), format!("error: cannot write {}: it names no file", shown("new/")));
    assert!(refusal(Path::new("")).starts_with("error: cannot write : it names no file"));
    fs::write(place.join("file"), "").unwrap();
    assert!(refusal(&place.join("file/m.json")).starts_with("error: cannot write "));
}

#[test]
fn a_name_as_long_as_the_system_allows_can_be_written() {
    let place = Place::new("long");
    let path = place.join(&"m".repeat(255));
    write(&path, "text").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "text");
}

#[test]
fn many_writers_of_one_path_each_leave_a_whole_file() {
    let place = Place::new("many");
    let path = place.join("m.json");
    write(&path, &"0".repeat(50_000)).unwrap();
    std::thread::scope(|scope| {
        for writer in 1..=6 {
            let path = &path;
            scope.spawn(move || (0..20).for_each(|_| write(path, &writer.to_string().repeat(50_000)).unwrap()));
        }
        for _ in 0..200 {
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.len() == 50_000 && text.bytes().all(|byte| byte == text.as_bytes()[0]));
        }
    });
    assert_eq!(place.names(), ["m.json"]);
}

#[test]
fn half_written_files_are_swept_and_no_new_ones_are_made() {
    let place = Place::new("sweep");
    let partials = Partials::default();
    let half = partials.create(&place.join("m.json")).unwrap();
    assert_eq!(place.names().len(), 1);
    partials.sweep();
    assert!(place.names().is_empty());
    // Dropping would wait forever, as it does in a process that exits.
    std::mem::forget(half);
    let (late, path) = (partials.clone(), place.join("late.json"));
    std::thread::spawn(move || late.create(&path));
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert!(place.names().is_empty());
}

#[test]
fn a_write_that_fails_leaves_the_old_file_and_nothing_else() {
    let place = Place::new("fails");
    let path = place.join("m.json");
    fs::write(&path, "old").unwrap();
    let output = Output::open(&path, &Partials::default()).unwrap();
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let said = output.write(b"new").unwrap_err().to_string();
    assert!(said.starts_with(&format!("error: cannot write {}: ", path.display())), "{said}");
    assert_eq!(place.names(), ["m.json"]);
    assert!(path.is_dir());
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::Command;

    #[test]
    fn a_device_stays_a_device() {
        for device in ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/2"] {
            write(Path::new(device), "").unwrap();
        }
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let full = write(Path::new("/dev/full"), "text").unwrap_err().to_string();
        assert!(full.starts_with("error: cannot write /dev/full: No space left on device"), "{full}");
        assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
    }

    #[test]
    fn a_link_stays_a_link_and_one_that_leads_nowhere_is_refused() {
        let place = Place::new("links");
        let (file, link) = (place.join("m.json"), place.join("link.json"));
        symlink("m.json", &link).unwrap();
        assert_eq!(
            refusal(&link),
            format!("error: cannot write {}: it is a link to m.json, which does not exist", link.display())
        );
        fs::write(&file, "old").unwrap();
        write(&link, "new").unwrap();
        assert!(link.is_symlink() && file.symlink_metadata().unwrap().is_file());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }

    #[test]
    fn permissions_are_kept_and_a_file_that_must_not_be_written_is_refused() {
        let place = Place::new("permissions");
        let path = place.join("m.json");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write(&path, "new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
        if fs::OpenOptions::new().write(true).open(&path).is_ok() {
            println!("SKIPPED: this user may write every file");
            return;
        }
        assert!(refusal(&path).contains("Permission denied"));
    }

    #[test]
    fn one_file_has_one_identity_under_all_its_names() {
        let place = Place::new("identity");
        let [file, hard, soft, other] = ["a", "b", "c", "d"].map(|name| place.join(name));
        fs::write(&file, "").unwrap();
        fs::write(&other, "").unwrap();
        fs::hard_link(&file, &hard).unwrap();
        symlink(&file, &soft).unwrap();
        let dotted = place.0.join("../").join(place.0.file_name().unwrap()).join("a");
        let identity = Identity::of(&file);
        assert!(identity.is_some());
        for same in [&hard, &soft, &dotted] {
            assert_eq!(Identity::of(same), identity, "{}", same.display());
        }
        assert_ne!(Identity::of(&other), identity);
        // Files to be are compared by their folder and name.
        assert_eq!(Identity::of(&place.join("new")), Identity::of(&dotted.with_file_name("new")));
        assert_ne!(Identity::of(&place.join("new")), Identity::of(&place.join("newer")));
        assert_eq!((Identity::of(&place.join("gone/new")), Identity::of(Path::new("/dev/null"))), (None, None));
    }

    #[test]
    fn a_named_pipe_is_written_into_if_somebody_reads_from_it_and_refused_if_not() {
        let place = Place::new("pipe");
        let path = place.join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let said = refusal(&path);
        assert!(said.contains("nobody reads from this pipe"), "{said}");
        let reading = path.clone();
        let reader = std::thread::spawn(move || fs::read_to_string(reading).unwrap());
        write(&path, "text").unwrap();
        assert_eq!(reader.join().unwrap(), "text");
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
    }
}
