"""The pool of snapshots of a run, and ensembles of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import overload

from . import _core, _html
from ._arguments import maybe_seconds, method_settings, one_of, wrong
from ._hypotheses import Snapshot
from ._model import Model
from ._task import Task

#: The names of the methods, the default first.
METHODS: dict[str, str] = dict(_core.methods())
#: The names of the costs, the default first.
COSTS: list[str] = _core.costs()
#: The method that is used where none is named.
DEFAULT_METHOD: str = next(iter(METHODS))


class SnapshotPool(Sequence[Snapshot]):
    """All hypotheses of a run that were at most as costly as every one before, in the order of arrival.

    A run of :func:`learn` has one: ``learned.pool``. Ensembles are made of it by :func:`ensemble`.
    """

    def __init__(self, learned: _core.Learned) -> None:
        if not isinstance(learned, _core.Learned):
            raise wrong("learned", learned, "nothing: pools come from learn(...).pool")
        self._learned = learned
        self._members = tuple(Snapshot._of(each) for each in learned.pool())

    @property
    def task(self) -> Task:
        """The task, with the limits that it was searched with."""
        return Task._of(self._learned.task)

    @property
    def best(self) -> Snapshot | None:
        """The best snapshot, if there is one."""
        best = self._learned.best()
        return None if best is None else Snapshot._of(best)

    def __len__(self) -> int:
        return len(self._members)

    @overload
    def __getitem__(self, at: int) -> Snapshot: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Snapshot, ...]: ...
    def __getitem__(self, at: int | slice) -> Snapshot | tuple[Snapshot, ...]:
        return self._members[at]

    def __repr__(self) -> str:
        return f"<SnapshotPool of {len(self)} snapshot{'' if len(self) == 1 else 's'}>"

    def _repr_html_(self) -> str:
        if not self._members:
            return _html.block("No snapshots", "")
        points = [(each.elapsed, float(errors(each))) for each in self._members]
        shown = self._members if len(self) <= 12 else self._members[:4] + self._members[-8:]
        rows = [
            (
                str(each.index),
                f"{each.elapsed:.3f} s",
                _html.escape(", ".join(map(str, each.value))),
                str(errors(each)),
                _html.rules(each.rules),
            )
            for each in shown
        ]
        table = _html.table(["", "found after", self._members[0].cost, "errors", "rules"], rows, numbers=(0, 1, 2, 3))
        left_out = len(self) - len(shown)
        small = _html.small(f"{left_out} snapshots between the first and the last are not shown") if left_out else ""
        return _html.block(repr(self)[1:-1], _html.curve(points, "seconds", "training errors") + table + small)


def errors(snapshot: Snapshot) -> int:
    """How many training examples a snapshot labels wrong, by their weights."""
    return snapshot.confusion.fn + snapshot.confusion.fp


def ensemble(
    pool: SnapshotPool,
    method: str = DEFAULT_METHOD,
    *,
    settings: Mapping[str, float] | None = None,
    timeout: float | None = None,
) -> Model:
    """Make a model of a pool: which snapshots vote, and with which weights.

    Parameters
    ----------
    pool : SnapshotPool
        The snapshots of a run.
    method : str
        How they are chosen and weighted; ``symsnap.METHODS`` lists all.
    settings : dict, optional
        Settings of the method, such as ``{"bags": 5}``.
    timeout : float, optional
        Seconds that it may take, for methods that learn again.

    Returns
    -------
    Model

    Examples
    --------
    >>> import symsnap
    >>> pool = symsnap.learn("../examples/family", ticks=1000, method=None).pool
    >>> symsnap.ensemble(pool, method="paper").predict([("ada", "ines"), ("ines", "ada")])
    array([ True, False])
    """
    if not isinstance(pool, SnapshotPool):
        raise wrong("pool", pool, "a SnapshotPool, such as learn(...).pool")
    name = one_of("method", method, METHODS)
    made = pool._learned.ensemble(name, method_settings("settings", settings), maybe_seconds("timeout", timeout))
    return Model._of(made, Task._of(pool._learned.task))
