"""How tests run adapters, symsnap, and real learners, and what they do if one is missing."""

import importlib.machinery
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ADAPTERS = Path(__file__).resolve().parent.parent
EXAMPLES = ADAPTERS.parent / "examples"


def adapter(name, *arguments, environment=None, timeout=120):
    """Run an adapter to its end."""
    command = [ADAPTERS / name, *map(str, arguments)]
    environment = {**os.environ, **(environment or {})}
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=timeout)


def stopped(case, name, folder, begun, environment=None):
    """Stop an adapter in every way once a line says that the learner has `begun`. Nothing may be left of it."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        with tempfile.TemporaryDirectory() as temporary:
            variables = {**os.environ, **(environment or {}), "TMPDIR": temporary}
            run = subprocess.Popen([ADAPTERS / name, folder], env=variables, stdout=subprocess.PIPE, text=True)
            for line in run.stdout:
                if begun(line):
                    break
            case.assertEqual(len(list(Path(temporary).iterdir())), 1)
            run.send_signal(number)
            # The end of the output is the end of all who could write to it, and the learner is one of them.
            run.stdout.read()
            run.stdout.close()
            case.assertEqual(run.wait(10), -9 if number == signal.SIGKILL else 128 + number)
            # After SIGKILL somebody else removes the folder, in a moment.
            for _ in range(50):
                if not list(Path(temporary).iterdir()):
                    break
                time.sleep(0.1)
            case.assertEqual(list(Path(temporary).iterdir()), [])


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
