//! A learner that is another program: start it, read what it writes as it comes, and stop it at the limit.
//!
//! The program gets a process group of its own, so that whatever it starts ends with it. Standard output and standard
//! error go into one pipe: Popper logs to one and prints its result on the other. What it has written until it is
//! stopped counts.
//!
//! The group has a [`Warden`], which ends it when this process is gone without having done so: a job of an experiment that takes
//! too long is killed, and nobody else knows of the program that it had started.

use std::io::{PipeReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};
use symsnap::{Budget, Diagnostic, Error, Result, StopReason};

/// The most bytes read of what a program writes.
const MOST_BYTES: usize = 64 << 20;
/// The bytes at the end that are kept, to show the last line of.
const TAIL: usize = 1 << 12;
/// The pause between two looks at the clock.
const PAUSE: Duration = Duration::from_millis(20);
/// How long a program may take to end when it is asked to, before it is made to.
const GRACE: Duration = Duration::from_millis(400);

/// How a program ended.
#[derive(Debug)]
pub struct Said {
    /// The last that it wrote.
    tail: Vec<u8>,
    heard: usize,
    /// Why it was stopped, if it did not end by itself.
    pub stop: Option<StopReason>,
    /// How it ended, if by itself and not well.
    pub failure: Option<String>,
}

impl Said {
    fn note(&mut self, part: &[u8]) {
        self.heard += part.len();
        self.tail.extend_from_slice(part);
        self.tail.drain(..self.tail.len().saturating_sub(TAIL));
    }
}

/// Run `command` in a shell, with `{task}` replaced by the folder, until it ends or the budget does; `hear` is given what it
/// writes as it comes.
pub fn listen(command: &str, task: &Path, budget: &Budget, hear: &mut dyn FnMut(&[u8])) -> Result<Said> {
    let failed = |source| Error::Io { action: "run", path: command.into(), source };
    let (reader, writer) = std::io::pipe().map_err(failed)?;
    let folder = std::path::absolute(task).map_err(failed)?;
    let line = command.replace("{task}", &quoted(&folder.to_string_lossy()));
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(&line).stdin(Stdio::null());
    shell.stdout(writer.try_clone().map_err(failed)?).stderr(writer);
    // What Python holds back in a buffer would be lost when it is stopped.
    shell.env("PYTHONUNBUFFERED", "1");
    let mut warden = Warden::start().map_err(failed)?;
    warden.watches(&mut shell);
    let mut child = shell.spawn().map_err(failed)?;
    // The command still holds ends of the pipe to write to: without them the reader sees the end.
    drop(shell);
    let heard = read_on(reader).map_err(failed)?;
    let mut said = Said { tail: Vec::new(), heard: 0, stop: None, failure: None };
    let mut hear = |part: &[u8]| {
        // What a program says when it is asked to end counts, too, but not more than there may be.
        if said.heard <= MOST_BYTES {
            hear(part);
        }
        said.note(part);
        said.heard
    };
    let mut closed = None;
    let (mut stop, mut length) = (None, 0);
    let status = loop {
        let open = next_part(&heard, &mut |part| length = hear(part));
        if let Some(status) = child.try_wait().map_err(failed)? {
            while next_part(&heard, &mut |part| _ = hear(part)) == OutputRead::Something {}
            break Some(status);
        }
        if open == OutputRead::End {
            // A program that ends closes its output a moment before its status can be had; one that has closed its
            // output and goes on will say nothing more.
            if closed.get_or_insert_with(Instant::now).elapsed() > GRACE {
                break None;
            }
            std::thread::sleep(PAUSE / 10);
        }
        stop = budget.check();
        if length > MOST_BYTES {
            stop = Some(StopReason::Memory);
        }
        if stop.is_some() {
            break None;
        }
    };
    warden.end(&mut child, &heard, &mut |part| _ = hear(part));
    said.stop = stop;
    if let Some(status) = status
        && !status.success()
    {
        said.failure = Some(format!("`{line}` ended with {status}"));
    }
    Ok(said)
}

/// The text as one word of the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The first process of the group: it waits for the end of its input, which comes when this process ends, even if it is killed,
/// and then kills the group. Asked to end with the others it goes on, because these may not.
#[cfg(unix)]
struct Warden(Child);

#[cfg(unix)]
impl Warden {
    fn start() -> std::io::Result<Self> {
        use std::os::unix::process::CommandExt;
        let mut shell = Command::new("sh");
        shell.arg("-c").arg("trap '' TERM; read -r line; kill -KILL 0").process_group(0);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(Warden)
    }

    /// The program will be of this group.
    fn watches(&self, program: &mut Command) {
        use std::os::unix::process::CommandExt;
        // A number that is none would be a group of its own, which is the next best.
        program.process_group(i32::try_from(self.0.id()).unwrap_or(0));
    }

    /// Ask the program and all it has started to end, and after a while make them.
    fn end(&mut self, child: &mut Child, heard: &Receiver<Vec<u8>>, hear: &mut dyn FnMut(&[u8])) {
        use nix::sys::signal::{Signal, killpg};
        let group = i32::try_from(self.0.id()).map(nix::unistd::Pid::from_raw);
        // A group that has ended by itself cannot be signalled; that is no failure.
        let send = |signal: Signal| group.is_ok_and(|group| killpg(group, signal).is_ok());
        let asked = Instant::now();
        send(Signal::SIGTERM);
        while asked.elapsed() < GRACE && !matches!(child.try_wait(), Ok(Some(_))) {
            next_part(heard, hear);
        }
        send(Signal::SIGKILL);
        let _ = child.wait();
        let _ = self.0.wait();
    }
}

#[cfg(not(unix))]
struct Warden;

#[cfg(not(unix))]
impl Warden {
    fn start() -> std::io::Result<Self> {
        Ok(Warden)
    }

    fn watches(&self, _: &mut Command) {}

    fn end(&mut self, child: &mut Child, _: &Receiver<Vec<u8>>, _: &mut dyn FnMut(&[u8])) {
        let _ = child.kill();
        let _ = child.wait();
    }
}

#[derive(PartialEq, Eq)]
enum OutputRead {
    Something,
    Nothing,
    End,
}

fn next_part(heard: &Receiver<Vec<u8>>, hear: &mut dyn FnMut(&[u8])) -> OutputRead {
    match heard.recv_timeout(PAUSE) {
        Ok(part) => {
            hear(&part);
            OutputRead::Something
        }
        Err(RecvTimeoutError::Timeout) => OutputRead::Nothing,
        Err(RecvTimeoutError::Disconnected) => OutputRead::End,
    }
}

/// Read on a thread of its own, some parts ahead at most: hypotheses are tested while their learner goes on.
fn read_on(mut reader: PipeReader) -> std::io::Result<Receiver<Vec<u8>>> {
    let (send, heard) = sync_channel(1024);
    let work = move || {
        let mut block = vec![0; 1 << 16];
        while let Ok(count @ 1..) = reader.read(&mut block) {
            if send.send(block[..count].to_vec()).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("listen".to_owned()).spawn(work)?;
    Ok(heard)
}

/// What a user should know about how a program ended.
pub fn complaint(said: &Said, found: usize) -> Option<Diagnostic> {
    let failure = said.failure.as_ref()?;
    let last = String::from_utf8_lossy(&said.tail);
    let last = last.lines().last().unwrap_or_default().chars().take(200).collect::<String>();
    let finding = Diagnostic::warning(failure.clone());
    Some(if found == 0 && !last.is_empty() { finding.with_help(format!("its last line was: {last}")) } else { finding })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(command: &str, seconds: f64) -> (Said, String, f64) {
        let budget = Budget::unlimited().with_time(Duration::from_secs_f64(seconds));
        let mut bytes = Vec::new();
        let said =
            listen(command, Path::new("it's a folder"), &budget, &mut |part| bytes.extend_from_slice(part)).unwrap();
        (said, String::from_utf8(bytes).unwrap(), budget.elapsed().as_secs_f64())
    }

    #[test]
    fn both_outputs_are_heard_and_the_task_is_one_word() {
        let (said, text, _) = run("basename {task}; echo log >&2", 20.0);
        assert_eq!(text, "it's a folder\nlog\n");
        assert!(said.stop.is_none() && said.failure.is_none());
    }

    #[test]
    fn a_program_and_what_it_started_end_at_the_limit_and_what_they_said_counts() {
        let mark = format!("{}", 90_000 + std::process::id());
        let command = format!("echo one; printf cut; (sleep {mark} & sleep {mark}) ; echo never");
        let (said, text, seconds) = run(&command, 0.3);
        assert_eq!((text.as_str(), said.stop), ("one\ncut", Some(StopReason::Time)));
        assert!(seconds < 1.3, "{seconds}");
        let left = Command::new("ps").args(["-eo", "args"]).output().unwrap();
        assert!(!String::from_utf8_lossy(&left.stdout).lines().any(|line| line.trim() == format!("sleep {mark}")));
    }

    #[test]
    fn a_program_that_ignores_the_request_to_end_is_made_to() {
        let (_, text, seconds) = run("trap '' TERM; echo here; while true; do sleep 0.05; done", 0.2);
        assert_eq!(text, "here\n");
        assert!(seconds < 1.2, "{seconds}");
    }

    #[test]
    fn a_failure_is_told_with_the_last_line() {
        let (said, ..) = run("echo no such option; exit 3", 20.0);
        let complaint = complaint(&said, 0).unwrap().to_string();
        assert!(complaint.contains("exit status: 3") && complaint.contains("no such option"), "{complaint}");
    }

    #[test]
    fn a_program_may_close_its_output_a_while_before_it_ends() {
        let (said, text, _) = run("echo done; exec >&- 2>&-; sleep 0.1; exit 4", 20.0);
        assert_eq!(text, "done\n");
        assert!(said.failure.is_some_and(|failure| failure.contains("exit status: 4")));
    }

    #[test]
    fn a_program_that_closes_its_output_and_goes_on_is_not_waited_for() {
        let (said, text, seconds) = run("echo done; exec >&- 2>&-; sleep 30", 20.0);
        assert_eq!(text, "done\n");
        assert!(said.stop.is_none() && said.failure.is_none() && seconds < 3.0, "{seconds}");
    }
}
