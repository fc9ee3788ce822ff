//! Commands write neither over what they read nor over what is no file, and lose no result to a full disk.

use crate::run::{last_json, root, run, said, scratch, symsnap};
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const MODEL: &str = "crates/symsnap-cli/tests/models/trains.json";

/// A copy of the trains task in a folder of its own, with a model and snapshots.
fn place(name: &str) -> PathBuf {
    let folder = scratch(name);
    for file in ["bk.pl", "exs.pl", "bias.pl"] {
        fs::copy(root().join("examples/trains").join(file), folder.join(file)).unwrap();
    }
    fs::copy(root().join(MODEL), folder.join("m.json")).unwrap();
    fs::write(folder.join("s.jsonl"), "{\"rules\":[\"hazardous(A) :- wagon(A,B), flat(B).\"]}\n").unwrap();
    folder
}

/// The files of a folder with what is in them, in order.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap_or_default()))
        .collect();
    found.sort();
    found
}

/// Run a command that must be refused and must change nothing; `{}` is the folder.
fn refused(folder: &Path, line: &str) -> String {
    let before = contents(folder);
    let name = folder.to_str().unwrap();
    let (stdout, stderr, code) = said(&run(&line.replace("{}", name)));
    assert_eq!((stdout.as_str(), code), ("", 2), "{line}: {stderr}");
    assert!(contents(folder) == before, "{line} has changed something");
    stderr.replace(name, "{}").lines().next().unwrap_or_default().to_owned()
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let folder = place("inputs");
    fs::hard_link(folder.join("bk.pl"), folder.join("hard.json")).unwrap();
    symlink("exs.pl", folder.join("soft.json")).unwrap();
    fs::copy(folder.join("m.json"), folder.join("model.html")).unwrap();
    let name = folder.display();
    let learned = run(&format!("learn {name} -q --ticks 50 --method single -o {name}/own.json"));
    assert!(learned.status.success(), "{}", said(&learned).1);
    let reads = |name: &str| format!("error: {{}}/{name} would be overwritten, but this command reads it");
    for (line, name) in [
        ("learn {} -o {}/bk.pl", "bk.pl"),
        ("learn {} --snapshots {}/exs.pl", "exs.pl"),
        ("ensemble {} --from {}/s.jsonl -o {}/s.jsonl", "s.jsonl"),
        ("ensemble {} --from {}/s.jsonl -o {}/bias.pl", "bias.pl"),
        ("ensemble {} --from {}/s.jsonl --held-out {}/m.json -o {}/m.json", "m.json"),
        ("report {}/m.json -o {}/m.json", "m.json"),
        ("report {}/model.html", "model.html"),
        ("export {}/m.json --to prolog -o {}/m.json", "m.json"),
        ("export {}/m.json --to sql --bk {}/bk.pl -o {}/bk.pl", "bk.pl"),
        ("export {}/m.json --to sql --bk {}/bk.pl --examples {}/exs.pl -o {}/exs.pl", "exs.pl"),
        // What a model was learned from is read again, where it is still what it was.
        ("report {}/own.json -o {}/exs.pl", "exs.pl"),
        ("export {}/own.json --to sql --facts -o {}/bk.pl", "bk.pl"),
        ("export {}/own.json --to prolog -o {}/bias.pl", "bias.pl"),
    ] {
        assert_eq!(refused(&folder, line), reads(name), "{line}");
    }
    assert_eq!(
        refused(&folder, "learn {} -o {}/hard.json"),
        "error: {}/hard.json is the same file as {}/bk.pl, which this command reads"
    );
    assert_eq!(
        refused(&folder, "learn {} -o {}/soft.json"),
        "error: {}/soft.json is the same file as {}/exs.pl, which this command reads"
    );
    assert_eq!(
        refused(&folder, "learn {}/. -o {}/bk.pl"),
        "error: {}/bk.pl is the same file as {}/./bk.pl, which this command reads"
    );
}

#[test]
fn two_outputs_do_not_go_to_one_path() {
    let folder = place("twice");
    assert_eq!(refused(&folder, "learn {} -o {}/new --snapshots {}/new"), "error: {}/new would be written twice");
    assert_eq!(
        refused(&folder, "learn {} -o {}/new --snapshots {}/./new"),
        "error: {}/./new is the same file as {}/new, which is written, too"
    );
    let line = format!("learn {} -q --ticks 50 -o /dev/null --snapshots /dev/null", folder.display());
    assert_eq!(run(&line).status.code(), Some(0), "a device takes any number of writers");
}

#[test]
fn standard_output_does_not_go_to_what_is_read_or_written() {
    let folder = place("streams");
    let name = folder.to_str().unwrap();
    let to = |file: &str, line: &str| {
        let file = OpenOptions::new().append(true).create(true).open(folder.join(file)).unwrap();
        said(&symsnap(line.replace("{}", name).split_whitespace()).stdout(file).output().unwrap())
    };
    let before = contents(&folder);
    for (file, line) in [
        ("m.json", "export {}/m.json --to json"),
        ("m.json", "show {}/m.json"),
        ("exs.pl", "predict {}/m.json --bk {}/bk.pl --examples {}/exs.pl"),
        ("bk.pl", "explain {}/m.json hazardous(train2) --bk {}/bk.pl"),
        ("bias.pl", "check {}"),
        ("bk.pl", "learn {} -q --ticks 50"),
    ] {
        let (_, stderr, code) = to(file, line);
        assert_eq!(code, 2, "{line}: {stderr}");
        assert!(stderr.starts_with(&format!("error: standard output goes to {name}/{file}, which")), "{stderr}");
    }
    assert!(contents(&folder) == before);
    let (_, stderr, code) = to("out", "learn {} -q --ticks 50 -o {}/out");
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("standard output goes there already"), "{stderr}");
}

#[test]
fn devices_and_pipes_are_written_into() {
    let folder = place("devices");
    let learn = |output: &str, to: Stdio| -> Output {
        let line = format!("learn {} -q --method single --ticks 300 -o {output}", folder.display());
        symsnap(line.split_whitespace()).stdout(to).output().unwrap()
    };
    assert_eq!(learn("/dev/null", Stdio::piped()).status.code(), Some(0));
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let (piped, _, code) = said(&learn("/dev/stdout", Stdio::piped()));
    assert!(code == 0 && piped.starts_with("{\n") && piped.contains("\"members\""), "{piped}");
    assert!(piped.ends_with("model written to /dev/stdout\n"), "{piped}");
    // In a regular file, too, the text follows the model and does not write over it.
    let path = folder.join("out.txt");
    assert_eq!(learn("/dev/stdout", fs::File::create(&path).unwrap().into()).status.code(), Some(0));
    let redirected = fs::read_to_string(&path).unwrap();
    assert!(redirected.starts_with("{\n") && redirected.ends_with("model written to /dev/stdout\n"), "{redirected}");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    assert_eq!(learn(pipe.to_str().unwrap(), Stdio::null()).status.code(), Some(0));
    let read = reader.wait_with_output().unwrap().stdout;
    assert!(serde_json::from_slice::<Value>(&read).unwrap()["members"].is_array());
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    fs::remove_file(&pipe).unwrap();
}

#[test]
fn links_planted_beside_an_output_are_not_followed() {
    let folder = place("planted");
    let victim = folder.join("victim");
    fs::write(&victim, "precious").unwrap();
    for name in ["new.json.partial", "new.json.tmp", ".new.json.partial"] {
        symlink("victim", folder.join(name)).unwrap();
    }
    let line = format!("learn {0} -q --ticks 300 -o {0}/new.json", folder.display());
    assert_eq!(run(&line).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert!(folder.join("new.json").symlink_metadata().unwrap().is_file());
}

#[test]
fn simultaneous_runs_with_one_output_each_leave_a_whole_model() {
    let folder = place("simultaneous");
    let path = folder.join("new.json");
    let children: Vec<_> = (1..=6)
        .map(|seed| {
            let line = format!(
                "learn {0} -q --ticks 3000 --method paper --seed {seed} -o {0}/new.json --snapshots {0}/new.jsonl",
                folder.display()
            );
            symsnap(line.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let model: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        assert!(model["members"].is_array());
    }
    for line in fs::read_to_string(folder.join("new.jsonl")).unwrap().lines() {
        assert!(serde_json::from_str::<Value>(line).unwrap()["rules"].is_array());
    }
    assert!(contents(&folder).iter().all(|(name, _)| !name.ends_with(".partial")));
}

/// A full disk costs the files on it, not the result.
fn assert_told(folder: &Path, snapshots: &str, model: &str, lost: &[&str]) {
    let line = format!("learn {} -q --ticks 2000 --snapshots {snapshots} -o {model}", folder.display());
    let (stdout, stderr, code) = said(&run(&line));
    assert_eq!(code, 2, "{stdout}{stderr}");
    assert!(stdout.contains("hazardous(V0) :- ") && stdout.contains("rules tested"), "{stdout}");
    let told = stderr.matches("No space left on device").count();
    assert_eq!(told, lost.len(), "each is told once: {stderr}");
    let (json, _, code) = said(&run(&format!("{line} --json")));
    let report = last_json(&json);
    assert_eq!(code, 2);
    assert!(!report["hypothesis"].as_array().unwrap().is_empty(), "{report}");
    let notes: Vec<&str> = report["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap()).collect();
    for lost in lost {
        assert!(notes.iter().any(|note| note.starts_with(lost) && note.contains("No space left")), "{notes:?}");
    }
}

const SNAPSHOTS_LOST: &str = "not all snapshots were written: ";
const MODEL_LOST: &str = "the model was not written: ";

#[test]
fn a_device_that_is_full_costs_no_result() {
    let folder = place("full");
    assert_told(&folder, "/dev/full", "/dev/null", &[SNAPSHOTS_LOST]);
    assert_told(&folder, "/dev/null", "/dev/full", &[MODEL_LOST]);
    assert_told(&folder, "/dev/full", "/dev/full", &[SNAPSHOTS_LOST, MODEL_LOST]);
}

/// A small file system, gone at the end.
struct Disk(PathBuf);

impl Disk {
    fn new(folder: PathBuf) -> Option<Self> {
        fs::create_dir(&folder).unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=8k", "tmpfs"]).arg(&folder).output();
        mounted.is_ok_and(|output| output.status.success()).then_some(Disk(folder))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_disk_that_is_full_costs_no_result_and_leaves_whole_lines_and_the_old_model() {
    let folder = place("disk");
    let Some(disk) = Disk::new(folder.join("disk")) else {
        return crate::skip::skip("only root may mount a small file system");
    };
    let at = |name: &str| disk.0.join(name).display().to_string();
    fs::write(disk.0.join("m.json"), "an older model").unwrap();
    // One page is the older model's; the other is for the snapshots and full before long.
    fs::write(disk.0.join("filler"), vec![b'x'; 4096]).unwrap();
    assert_told(&folder, &at("s.jsonl"), &at("m.json"), &[SNAPSHOTS_LOST, MODEL_LOST]);
    assert_eq!(fs::read_to_string(disk.0.join("m.json")).unwrap(), "an older model");
    let lines = fs::read_to_string(disk.0.join("s.jsonl")).unwrap();
    assert!(lines.is_empty() || lines.ends_with('\n'), "{lines}");
    assert!(contents(&disk.0).iter().all(|(name, _)| !name.ends_with(".partial")));
}

#[test]
fn a_limit_on_the_size_of_files_is_a_full_disk() {
    let folder = place("size");
    let name = folder.display();
    let line = format!("learn {name} -q --ticks 300 --method single -o {name}/new.json --snapshots {name}/new.jsonl");
    let script = format!("ulimit -f 0; exec {} {line}", env!("CARGO_BIN_EXE_symsnap"));
    let (stdout, stderr, code) = said(&Command::new("bash").args(["-c", &script]).output().unwrap());
    assert_eq!(code, 2, "{stderr}");
    assert!(stdout.contains("the model was not written") && stdout.contains(":-"), "the best is printed: {stdout}");
    assert!(!folder.join("new.json").exists());
}
