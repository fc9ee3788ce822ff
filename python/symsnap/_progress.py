"""How a run stands, while it runs: a line that is written over in terminals and notebooks, and nowhere else."""

from __future__ import annotations

import importlib
import multiprocessing
import sys
import time
from typing import Any

from . import _core

#: Runs that are done sooner show nothing.
_FIRST = 0.7
#: Seconds between two writings.
_PAUSE = 0.2


class Meter:
    """A line of figures. ``wanted`` is True, False, or None for what suits the place."""

    def __init__(self, wanted: bool | None, timeout: float | None, ticks: int | None) -> None:
        self._display: Any = None
        self._notebook = wanted is not False and _in_notebook()
        self._on = wanted if wanted is not None else _alone() and (self._notebook or sys.stderr.isatty())
        self._timeout, self._ticks = timeout, ticks
        self._next = time.monotonic() + _FIRST
        self._width = 0

    def show(self, run: _core.Run | _core.TableRun) -> None:
        """Write how the run stands, if it is time to."""
        if not self._on or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _PAUSE
        stands = run.progress()
        if stands is not None:
            self._write(self._line(*stands))

    def _line(self, ticks: int, seconds: float, snapshots: int, best: list[int], lower: list[int]) -> str:
        shares = [seconds / self._timeout] if self._timeout else []
        shares += [ticks / self._ticks] if self._ticks else []
        share = min(max(shares, default=0.0), 1.0)
        done = round(share * 20)
        bar = f"|{'█' * done}{' ' * (20 - done)}| {share:4.0%} " if shares else ""
        return f"{bar}{seconds:.1f} s, {ticks} rules tested, {snapshots} snapshots, best {_value(best)}, bound {_value(lower)}"

    def _write(self, line: str) -> None:
        if not self._notebook:
            sys.stderr.write("\r" + line.ljust(self._width))
            sys.stderr.flush()
            self._width = len(line)
            return
        display: Any = importlib.import_module("IPython.display").display
        shown = {"text/plain": line}
        if self._display is None:
            self._display = display(shown, raw=True, display_id=True)
        else:
            self._display.update(shown, raw=True)

    def close(self) -> None:
        """Leave nothing behind."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0
        if self._display is not None:
            self._display.update({"text/plain": ""}, raw=True)
            self._display = None
        self._on = False


def _value(value: list[int]) -> str:
    return str(value[0]) if len(value) == 1 else f"({', '.join(map(str, value))})"


def _alone() -> bool:
    """Whether this is no worker of a pool: several of them would write over each other's lines."""
    return multiprocessing.current_process().name == "MainProcess"


def _in_notebook() -> bool:
    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python is not None else None
    return type(shell).__name__ == "ZMQInteractiveShell"
