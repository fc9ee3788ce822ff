"""The command: options, workers, what is kept of failures, the summary."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time

from . import checks, kinds, pairs
from .optimum import mask
from .oracle import Silent, rule_text, run
from .shrink import shrink
from .space import Space, TooLarge
from .truth import Truth

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRAFTS = 40
PAIRS = "pairs"
# What pairs are made of besides large tasks.
PAIRED = [kind for kind in kinds.KINDS if kind not in ("generate", "limits")]


def options():
    about = "Random tasks for symsnap, checked by brute force with SWI-Prolog: docs/HUNT.md."
    parser = argparse.ArgumentParser(prog="scripts/hunt", description=about)
    parser.add_argument("--tasks", type=int, help="stop after so many tasks (default: 200, any number with --seconds)")
    parser.add_argument("--seconds", type=float, help="stop after so many seconds")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same tasks (default: 1)")
    parser.add_argument("--from", type=int, default=0, dest="first", help="number of the first task (default: 0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="tasks at a time (default: all cores)")
    parser.add_argument("--kinds", help=f"some of {','.join([*kinds.KINDS, PAIRS])} (default: all)")
    parser.add_argument("--keep", type=pathlib.Path, default=ROOT / "target/hunt", help="folder for what fails")
    parser.add_argument("--symsnap", default=str(ROOT / "target/release/symsnap"), help="the binary")
    parser.add_argument("--shrink-seconds", type=float, default=60.0, help="at most so long for each failure; 0: none")
    parser.add_argument("--each", type=int, default=2, help="failures to shrink and keep of each kind and check")
    return parser.parse_args()


def make(kind, source):
    """A labelled task of a kind with its truth; `None` if no draft was small enough."""
    for _ in range(DRAFTS):
        task = kinds.draft(kind, source)
        try:
            truth = Truth(task.but(functional=False))
            covers = truth.covers()
            if len(covers) < 3 and source.random() < 0.9:
                continue
            task = kinds.label(task, covers, source)
            return task, Truth(task) if task.functional else truth
        except TooLarge:
            continue
    return None


def make_large(source):
    """A task that is too large for brute force, labelled by a few rules; it has no truth."""
    for _ in range(DRAFTS):
        task = kinds.draft("large", source)
        space = Space(task)
        bodies = [body for body in (space.random_body(source) for _ in range(30)) if space.is_whole(body)]
        queries = [f"rule(0, {rule_text(task.head, next(space.orders(body)))}, go)" for body in bodies]
        covers = {mask(outcomes): 1 for outcomes in run(task, task.atoms(), queries)}
        few = {cover: 1 for cover in covers if 2 <= cover.bit_count() <= len(task.atoms()) // 2}
        if few:
            return kinds.label(task, few, source), None
    return None


class Worker:
    """Makes and checks one task after the other in a process of its own."""

    def __init__(self, symsnap, keep, shrink_seconds):
        self.symsnap, self.keep, self.shrink_seconds = symsnap, keep, shrink_seconds

    def __call__(self, number, kind, seed, known):
        """`known` are the (kind, check) of which enough failures are kept already."""
        source = random.Random(f"{seed} {number} {kind}")
        result = {"number": number, "kind": kind, "passed": [], "failed": [], "notes": [], "kept": []}
        try:
            is_large = kind == PAIRS and source.random() < 0.5
            made = make_large(source) if is_large else make(source.choice(PAIRED) if kind == PAIRS else kind, source)
            if made is None:
                result["notes"].append("no draft was small enough")
                return result
            task, truth = made
            examine = self.pair_examiner(task, source) if kind == PAIRS else self.examiner(truth, seed)
            failures, result["passed"], notes = examine(task, None)
            result["notes"] += sorted(notes)
        except Silent as silent:
            result["notes"].append("SWI-Prolog did not finish")
            result["silent"] = str(silent)
            return result
        by_check = {failure.check: failure for failure in reversed(failures)}
        consequences = set().union(*(checks.CONSEQUENCES.get(check, ()) for check in by_check))
        for failure in by_check.values():
            result["failed"].append(failure.check)
            if (kind, failure.check) not in known and failure.check not in consequences:
                result["kept"].append(self.keep_failure(task, failure, examine, f"{kind}-{seed}-{number}"))
        return result

    def examiner(self, truth, seed):
        def examine(task, wanted):
            # Whether a run ends can be seen without brute force.
            own = truth if wanted is None else None if wanted == {"ends"} else Truth(task, seconds=20.0)
            with tempfile.TemporaryDirectory(prefix="hunt-") as folder:
                choices = random.Random(seed)
                done = checks.Examination(self.symsnap, task, own, pathlib.Path(folder), choices, wanted)
            return done.failures, sorted(set(done.passed)), done.notes

        return examine

    def pair_examiner(self, task, source):
        transform = source.choice(pairs.TRANSFORMS)
        name = f"pair:{transform.__name__.replace('_', '-')}"
        state = source.getstate()

        def examine(task, wanted):
            source.setstate(state)
            other = transform(task, source)
            if other is None:
                return [], [], {"the pair does not apply"}
            notes = set()
            failures = pairs.differences(self.symsnap, task, other, name, notes)
            return failures, [] if failures else [name], notes

        return examine

    def keep_failure(self, task, failure, examine, name):
        found = [failure]

        def fails(smaller):
            try:
                failures, _, _ = examine(smaller, {failure.check})
            except (TooLarge, Silent):
                return False
            same = [each for each in failures if kind_of(each) == kind_of(failure)]
            found[:] = same[:1] or found
            return bool(same)

        if self.shrink_seconds:
            task = shrink(task, fails, self.shrink_seconds)
        failure = found[0]
        folder = self.keep / f"{failure.check.replace(':', '-')}-{name}"
        shutil.rmtree(folder, ignore_errors=True)
        task.write(folder)
        command = " ".join(map(str, failure.command)).replace(self.symsnap, "symsnap")
        command = re.sub(r"/\S*/hunt-\w+", "DIR", command)
        text = f"check: {failure.check}\nkind: {task.kind}\ncommand: {command}\n"
        text += f"\nexpected:\n{failure.expected}\n\ngot:\n{failure.got}\n"
        (folder / "what.txt").write_text(text)
        for name, content in failure.files.items():
            (folder / name).write_text(re.sub(r"/[^\s\"]*/hunt-\w+", str(folder), content))
        return str(folder)


def kind_of(failure):
    """What a smaller task must fail in, too: a command that refuses it fails the same check for another reason."""
    return failure.check, failure.got.startswith("exit code")


class Tally:
    """What has come of the tasks so far."""

    def __init__(self):
        self.tasks = collections.Counter()
        self.passed = collections.Counter()
        self.failed = collections.Counter()
        self.notes = collections.Counter()
        self.kept = collections.Counter()

    def add(self, result):
        self.tasks[result["kind"]] += 1
        self.passed.update(result["passed"])
        self.failed.update(result["failed"])
        self.notes.update(result["notes"])
        self.kept.update((result["kind"], check) for check in result["failed"])

    def summary(self):
        lines = ["tasks   " + ", ".join(f"{kind} {count}" for kind, count in sorted(self.tasks.items()))]
        for check in (*checks.NAMES, *pairs.NAMES):
            if self.passed[check] or self.failed[check]:
                lines.append(f"{check:24} {self.passed[check]:6} passed {self.failed[check]:6} failed")
        lines += [f"{count:6} {note}" for note, count in self.notes.most_common()]
        failed = sum(self.failed.values())
        lines.append(f"{sum(self.tasks.values())} tasks: {sum(self.passed.values())} checks passed, {failed} failed")
        return "\n".join(lines)


def main():
    given = options()
    if shutil.which("swipl") is None:
        print("hunt: 0 tasks, skipped: swipl is not installed (apt install swi-prolog-nox)", file=sys.stderr)
        return 0
    if not pathlib.Path(given.symsnap).is_file():
        print(f"hunt: no binary at {given.symsnap}: run `cargo build --release`, or give --symsnap", file=sys.stderr)
        return 2
    names = given.kinds.split(",") if given.kinds else [*kinds.KINDS, PAIRS]
    unknown = [name for name in names if name not in kinds.KINDS and name != PAIRS]
    if unknown:
        print(f"hunt: no kind {unknown[0]}: there are {', '.join([*kinds.KINDS, PAIRS])}", file=sys.stderr)
        return 2
    tally = hunt(given, names)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{tally.summary()}, {used.ru_utime + used.ru_stime:.0f} s of processor time")
    return 1 if sum(tally.failed.values()) else 0


def hunt(given, names):
    """Run tasks until a limit; results are counted in the order in which they end."""
    tally, started = Tally(), time.monotonic()
    tasks = given.tasks if given.tasks is not None else (200 if given.seconds is None else sys.maxsize)
    until = started + given.seconds if given.seconds is not None else float("inf")
    worker = Worker(given.symsnap, given.keep, given.shrink_seconds)
    given.keep.mkdir(parents=True, exist_ok=True)
    number, running = given.first, set()
    last = given.first + tasks

    def enough(*_):
        nonlocal last
        last = number
        print("hunt: ending after the tasks that are running", file=sys.stderr)

    for wish in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wish, enough)
    with concurrent.futures.ProcessPoolExecutor(given.jobs, initializer=leave_signals) as pool:
        while running or (number < last and time.monotonic() < until):
            while len(running) < 2 * given.jobs and number < last and time.monotonic() < until:
                known = frozenset(key for key, count in tally.kept.items() if count >= given.each)
                running.add(pool.submit(worker, number, names[number % len(names)], given.seed, known))
                number += 1
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                result = future.result()
                tally.add(result)
                tell(result, tally, time.monotonic() - started)
    return tally


def leave_signals():
    """Ctrl-C is for the command, which lets the workers finish. Not ignored: what they start would ignore it, too."""
    for wish in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wish, lambda *_: None)


def tell(result, tally, elapsed):
    """Progress, and failures as they are found, on standard error."""
    if "silent" in result:
        print(f"task {result['number']} ({result['kind']}): {result['silent']}", file=sys.stderr)
    if result["failed"]:
        print(f"task {result['number']} ({result['kind']}) fails: {', '.join(result['failed'])}", file=sys.stderr)
    for folder in result["kept"]:
        print(f"  kept in {folder}", file=sys.stderr)
    done = sum(tally.tasks.values())
    if done % 20 == 0:
        failed = sum(tally.failed.values())
        print(f"{done} tasks in {elapsed:.0f} s, {failed} checks failed", file=sys.stderr, flush=True)
