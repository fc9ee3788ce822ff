"""How tests run adapters, symsnap, and real learners, and what they do if one is missing."""

import importlib.machinery
import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ADAPTERS = Path(__file__).resolve().parent.parent
EXAMPLES = ADAPTERS.parent / "examples"


def adapter(name, *arguments, environment=None, timeout=120):
    """Run an adapter to its end."""
    command = [ADAPTERS / name, *map(str, arguments)]
    environment = {**os.environ, **(environment or {})}
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=timeout)


def needs_program(variable, default, what):
    """Skip the test unless the program is there."""
    if shutil.which(os.environ.get(variable) or default) is None:
        raise unittest.SkipTest(f"{what} is missing ({variable})")


def needs_file(variable, what):
    """Skip the test unless the environment variable names a file."""
    if not Path(os.environ.get(variable) or "/nothing").is_file():
        raise unittest.SkipTest(f"{what} is missing ({variable})")


def data(name):
    """The folder of a real task, or the test is skipped."""
    folder = Path(os.environ.get("SYMSNAP_DATA") or "/nothing", "tasks", name)
    if not folder.is_dir():
        raise unittest.SkipTest("real tasks are missing (SYMSNAP_DATA)")
    return folder


def ensemble(folder, *arguments, timeout=60):
    """Run `symsnap ensemble`: its exit code, its report and the snapshots."""
    symsnap = os.environ.get("SYMSNAP")
    if not symsnap or not Path(symsnap).is_file():
        raise unittest.SkipTest("the program symsnap is missing (SYMSNAP; cargo build --release)")
    with tempfile.TemporaryDirectory() as into:
        written = Path(into, "snapshots.jsonl")
        command = [symsnap, "ensemble", folder, "--json", "--timeout", timeout, "--snapshots", written, *arguments]
        ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=timeout + 60)
        snapshots = [json.loads(line) for line in written.read_text().splitlines()] if written.exists() else []
    report = json.loads(ended.stdout) if ended.stdout.strip() else None
    return ended.returncode, report, snapshots, ended.stderr


def learner(name, *arguments, log=None):
    """The command for --learner; what the learner prints is kept in the file `log`, too."""
    command = " ".join([f"'{ADAPTERS / name}'", "{task}", *map(str, arguments)])
    return f"{command} | tee '{log}'" if log else command


def compared(name):
    """Note that a real learner was run and its figures compared."""
    if path := os.environ.get("SYMSNAP_COMPARED"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{name}\n")


class TaskFolder:
    """A task folder with these texts."""

    def __init__(self, bias, examples="pos(f(a)).\nneg(f(b)).\n", background="p(a).\n"):
        self.texts = {"bias.pl": bias, "exs.pl": examples, "bk.pl": background}

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory()
        # Blanks and quotes in a path are nothing special.
        folder = Path(self.temporary.name, "a task's folder")
        folder.mkdir()
        for name, text in self.texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        return folder

    def __exit__(self, *_):
        self.temporary.cleanup()


def loaded(name):
    """An adapter as a module."""
    loader = importlib.machinery.SourceFileLoader(f"adapter_{name}", str(ADAPTERS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
