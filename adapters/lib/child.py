"""A learner that is another program: where it is found, how it is run, and how it is stopped.

The learner writes to the adapter's own standard output, without anything in between that could hold text back. What it
writes to standard error comes out after it has ended: `symsnap ensemble --learner` reads both as one text, and a
warning in the middle of a clause would spoil the clause.
"""

import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

# How long a learner may take to end when it is asked to. `symsnap` waits for 0.4 s.
GRACE = 0.2
# A learner that complains about every example would fill the terminal.
MOST_COMPLAINTS = 1 << 14


class Unusable(Exception):
    """Why there is no run, and what to do about it."""


def main(run):
    """Run the adapter: `run` gives the exit code. What makes a run impossible is one message, and exit code 2."""
    try:
        sys.exit(run())
    except Unusable as why:
        name = Path(sys.argv[0]).name
        sys.exit(complain(f"{name}: {why}"))
    except BrokenPipeError:
        # Whoever read the output has gone; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def complain(message):
    print(message, file=sys.stderr)
    return 2


def program(variable, default, what):
    """The program that the environment variable names, or the one of this name on the path."""
    named = os.environ.get(variable) or default
    found = shutil.which(named)
    if found is None:
        raise Unusable(f"there is no program `{named}`: install {what}, or let {variable} name the program")
    return found


def source(variable, what):
    """The file that the environment variable names."""
    named = os.environ.get(variable)
    if not named:
        raise Unusable(f"{variable} is not set: obtain {what}, and let {variable} name it")
    path = Path(named)
    if not path.is_file():
        raise Unusable(f"{variable} names `{named}`, which is no file: it should be {what}")
    return path.resolve()


def folder():
    """A temporary folder, which is removed however the run ends."""
    return tempfile.TemporaryDirectory(prefix="symsnap-adapter-", ignore_cleanup_errors=True)


def learn(command, at, environment=None, hear=None, errors_too=False, litter=None):
    """Run the learner in the folder `at` until it ends or a signal comes, and give its exit code.

    `hear` is given its lines instead of standard output, if there is anything to be done to them. With `errors_too`
    what it writes to standard error goes to standard output, for learners that write hypotheses there. `litter` is the
    pattern of files that it leaves elsewhere, with its process number as `{}`.
    """
    stopped = []
    child = None

    def end(number):
        if child is not None and child.poll() is None:
            _end_group(child.pid, number)

    def stop(number, _):
        stopped.append(number)
        # SWI-Prolog answers an interrupt with a question; every learner knows what this one means.
        end(signal.SIGTERM)
        signal.setitimer(signal.ITIMER_REAL, GRACE)

    signal.signal(signal.SIGALRM, lambda *_: end(signal.SIGKILL))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    heir = _heir(at, litter)
    with open(Path(at) / "complaints.txt", "w+b") as complaints:
        child = subprocess.Popen(
            [str(word) for word in command],
            cwd=at,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if hear else None,
            stderr=subprocess.STDOUT if errors_too else complaints,
            preexec_fn=os.setpgrp,
        )
        os.write(heir, f"{child.pid} ".encode())
        if stopped:
            end(signal.SIGTERM)
        if hear:
            for line in child.stdout:
                hear(line.decode("utf-8", "replace"))
        code = child.wait()
        signal.setitimer(signal.ITIMER_REAL, 0)
        # Whatever the learner started ends with it.
        _end_group(child.pid)
        _tidy(litter, child.pid)
        os.write(heir, b"ended")
        os.close(heir)
        if not stopped:
            _pass_on(complaints)
    if stopped:
        return 128 + stopped[0]
    return code if code >= 0 else 128 - code


def _end_group(group, number=signal.SIGKILL):
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        pass


def _tidy(litter, process):
    for left in glob.glob(litter.format(process)) if litter else ():
        Path(left).unlink(missing_ok=True)


def _heir(folder, litter):
    """Start a process that ends the learner and removes the folder if this one is killed outright.

    `symsnap` starts a shell that starts the adapter, asks both to end, and kills what is left as soon as the shell has
    ended, which may leave the adapter no time. The heir waits for the end of a pipe that only the adapter holds; what
    comes through it is the learner's process group, and a word if all is over.
    """
    reader, writer = os.pipe()
    if os.fork():
        os.close(reader)
        return writer
    try:
        os.close(writer)
        os.setsid()
        # Who reads the adapter's output must not wait for this process.
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        said = b""
        while part := os.read(reader, 100):
            said += part
        group, _, ended = said.partition(b" ")
        if not ended:
            if group:
                _end_group(int(group))
                _tidy(litter, int(group))
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os._exit(0)


def _pass_on(complaints):
    size = complaints.seek(0, os.SEEK_END)
    complaints.seek(max(0, size - MOST_COMPLAINTS))
    sys.stderr.write(complaints.read().decode("utf-8", "replace"))
    sys.stderr.flush()
