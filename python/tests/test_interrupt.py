"""Ctrl-C: the best so far within a fifth of a second, or KeyboardInterrupt."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import symsnap


def interrupt_after(seconds: float, stamps: list[float]) -> threading.Thread:
    """Press Ctrl-C a while from now, and note when."""

    def press() -> None:
        time.sleep(seconds)
        stamps.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    return thread


@pytest.mark.parametrize("method", ["resampled", None])
def test_the_best_so_far_is_returned(hard: symsnap.Task, method: str | None) -> None:
    stamps: list[float] = []
    thread = interrupt_after(1.5, stamps)
    learned = symsnap.learn(hard, timeout=60, cost="errorsize", method=method)
    took = time.monotonic() - stamps[0]
    thread.join()
    assert learned.interrupted and learned.best is not None and learned.stop == "cancelled"
    assert (learned.model is None) == (method is None)
    # A fifth of a second on a machine that does nothing else; this one may.
    assert took < 0.2 + 0.8 * busy(), f"{took:.3f} s"


def test_a_live_run_ends_its_loop(hard: symsnap.Task) -> None:
    thread = interrupt_after(1.0, [])
    run = symsnap.learn(hard, timeout=60, cost="errorsize", live=True)
    seen = list(run)
    thread.join()
    learned = run.result()
    assert learned.interrupted and seen and learned.best is not None


def test_nothing_found_raises_keyboard_interrupt() -> None:
    task = symsnap.Task.from_text(
        bk="count(N) :- N > 0, M is N - 1, count(M). count(0). p(X) :- count(9999999), X = a.",
        exs="pos(f(a)). neg(f(b)).",
        bias="head_pred(f,1). body_pred(p,1).",
    )
    stamps: list[float] = []
    with pytest.raises(KeyboardInterrupt):
        thread = interrupt_after(0.3, stamps)
        try:
            learned = symsnap.learn(task, timeout=60)
        finally:
            thread.join()
        # The evaluator may give up before the key is pressed; then there is nothing to interrupt.
        pytest.skip(f"the run ended by itself: {learned!r}")


def test_a_process_ends_by_ctrl_c_as_others_do(tmp_path: Path, hard_texts: dict[str, str]) -> None:
    for name, text in hard_texts.items():
        (tmp_path / f"{name}.pl").write_text(text)
    script = (
        "import symsnap, sys\nsymsnap.learn(sys.argv[1], timeout=60, cost='errorsize', callback=print)\nprint('kept')\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    first = child.stdout.readline()
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=30)
    assert first.startswith("% errorsize") and rest.rstrip().endswith("kept") and child.returncode == 0


def test_threads_go_on_while_one_learns(hard: symsnap.Task) -> None:
    counted = 0
    run = symsnap.learn(hard, timeout=1, cost="errorsize", live=True)
    worker = threading.Thread(target=run.result)
    worker.start()
    while worker.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 100, "the interpreter's lock is released while learning"


def busy() -> float:
    """How many programs wait for each core, beyond one."""
    return max(0.0, os.getloadavg()[0] / (os.cpu_count() or 1) - 0.5)
