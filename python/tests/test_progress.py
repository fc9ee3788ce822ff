"""The line that says how far a run is: in terminals, on wish, and nowhere else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import symsnap
from symsnap._progress import Meter

#: Labels by chance, so that the search goes on until its time is over.
CHANCE = np.random.default_rng(1)
X = CHANCE.normal(size=(400, 6))
Y = CHANCE.integers(0, 3, 400)

FIT = """
import numpy as np, symsnap
chance = np.random.default_rng(1)
symsnap.RuleEnsembleClassifier(timeout=3, cost="errorsize").fit(chance.normal(size=(400, 6)), chance.integers(0, 3, 400))
"""


def test_fit_shows_a_line_on_wish_and_leaves_nothing_behind(capsys: pytest.CaptureFixture[str]) -> None:
    symsnap.RuleEnsembleClassifier(timeout=3, cost="errorsize", progress=True).fit(X, Y)
    said = capsys.readouterr().err
    assert "rules tested" in said and "| " in said and "%" in said
    assert said.endswith("\r") and not said.rsplit("\r", 2)[1].strip()


@pytest.mark.parametrize("progress", [None, False])
def test_fit_shows_nothing_where_nobody_looks(progress: bool | None, capsys: pytest.CaptureFixture[str]) -> None:
    symsnap.RuleEnsembleClassifier(timeout=1.5, cost="errorsize", progress=progress).fit(X, Y)
    assert capsys.readouterr().err == ""


def test_fit_shows_a_line_in_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    child = subprocess.Popen([sys.executable, "-c", FIT], stderr=theirs, cwd=tmp_path)
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # The other end is closed.
            break
        if not part:
            break
        said += part
    os.close(ours)
    assert child.wait() == 0 and b"rules tested" in said, said


class _Stands:
    """Runs of three classes, as far as a meter asks."""

    def progress(self) -> tuple[int, float, int, list[int], list[int]]:
        return 500, 30.0, 7, [3], [1]


def test_the_bar_is_the_part_of_the_limit_that_is_nearer(capsys: pytest.CaptureFixture[str]) -> None:
    meter = Meter(True, 60.0, 10_000)
    time.sleep(0.75)
    meter.show(_Stands())  # type: ignore[arg-type]
    said = capsys.readouterr().err
    assert said == "\r|██████████          |  50% 30.0 s, 500 rules tested, 7 snapshots, best 3, bound 1"


def test_the_argument_is_checked() -> None:
    with pytest.raises(symsnap.SymsnapError, match="`progress` is 'bar'"):
        symsnap.RuleEnsembleClassifier(progress="bar").fit(X, Y)  # type: ignore[arg-type]


def test_workers_of_a_pool_are_quiet(tmp_path: Path) -> None:
    script = tmp_path / "pool.py"
    script.write_text(
        "import multiprocessing\nfrom symsnap._progress import _alone\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n        print(_alone(), pool.apply(_alone))\n"
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"
