"""symsnap as a process: its exit code, what it prints, and the files it writes."""

import functools
import json
import pathlib
import re
from dataclasses import dataclass

from . import process

TIME_LIMIT = 10
# A run that has not ended so long after its time limit does not end.
GRACE = 20
MEMORY_LIMIT = 1500


@dataclass
class Run:
    """One use of symsnap."""

    command: list
    code: int  # None if it was killed because it did not end
    out: str
    err: str

    def json(self):
        try:
            return json.loads(self.out)
        except ValueError:
            return None


def call(symsnap, *args, seconds=TIME_LIMIT + GRACE):
    command = [symsnap, *map(str, args)]
    done = process.run(command, seconds)
    return Run(command, done.code, done.out, done.err)


@functools.cache
def takes(symsnap, command, option):
    """Whether a command has an option: older versions lack some."""
    return option in call(symsnap, command, "--help").out


def bounded(symsnap, command, *args):
    """`test` and `predict` with a time limit, where they take one."""
    limit = ["--timeout", TIME_LIMIT] if takes(symsnap, command, "--timeout") else []
    return call(symsnap, command, *args, *limit)


def learn_options(task):
    options = ["--cost", task.cost, "--threads", task.threads, "--timeout", TIME_LIMIT, "--max-memory", MEMORY_LIMIT]
    return options + (["--functional"] if task.functional else [])


class Learned:
    """`symsnap learn` with everything it can be asked for, in a folder that holds the task."""

    def __init__(self, symsnap, task, folder):
        self.folder = pathlib.Path(folder)
        task.write(self.folder)
        self.snapshots_file = self.folder / "snapshots.jsonl"
        self.model = self.folder / "model.json"
        options = learn_options(task.but(cost="auto") if task.chosen else task)
        options += ["--json", "--verify", "--method", "paper", "--snapshots", self.snapshots_file, "-o", self.model]
        self.run = call(symsnap, "learn", self.folder, *options)
        self.report = self.run.json()
        self.snapshots = []
        if self.snapshots_file.is_file():
            self.snapshots = [json.loads(line) for line in self.snapshots_file.read_text().splitlines() if line]


def parse_rule(text):
    """A rule that symsnap prints, as `(head name, body)`; variables are numbered by first occurrence."""
    numbers = {}

    def literal(source):
        name, _, args = source.strip().partition("(")
        args = [arg.strip() for arg in args.rstrip(")").split(",")] if args else []
        return (name.strip(), tuple(numbers.setdefault(arg, len(numbers)) for arg in args))

    head, _, body = text.strip().rstrip(".").partition(":-")
    head = literal(head)
    return head, tuple(literal(source) for source in re.findall(r"[a-z]\w*(?:\([^()]*\))?", body))
