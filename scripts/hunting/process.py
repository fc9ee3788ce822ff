"""Processes with limits: on processor time, because the machine may be loaded, and on the clock."""

import os
import resource
import subprocess
from dataclasses import dataclass

CLOCK_PER_PROCESSOR = 8


@dataclass
class Done:
    """How a process ended; `code` is `None` if a limit ended it."""

    code: int
    out: str
    err: str


def run(command, seconds):
    """Run a command that may take so many seconds of processor time."""
    limit = int(seconds) + 1

    def restrict():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))

    environment = {**os.environ, "RUST_BACKTRACE": "0"}
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds * CLOCK_PER_PROCESSOR,
            stdin=subprocess.DEVNULL,
            env=environment,
            preexec_fn=restrict,
        )
    except subprocess.TimeoutExpired:
        return Done(None, "", "")
    # Only the limit on processor time sends signals here, and a panic in a panic, which has a message.
    killed = done.returncode < 0 and "panicked" not in done.stderr
    return Done(None if killed else done.returncode, done.stdout, done.stderr)
