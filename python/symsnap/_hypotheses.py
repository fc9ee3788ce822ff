"""Hypotheses with their figures: snapshots of a run, and members of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from . import _core, _html


class Confusion(NamedTuple):
    """What a hypothesis does with examples, by their weights.

    Examples
    --------
    >>> import symsnap
    >>> symsnap.Confusion(tp=3, fn=1, tn=4, fp=0).accuracy
    0.875
    """

    tp: int
    fn: int
    tn: int
    fp: int

    @property
    def accuracy(self) -> float:
        """The share of the examples that are labelled right; 0 if there are none."""
        total = sum(self)
        return (self.tp + self.tn) / total if total else 0.0

    @property
    def precision(self) -> float | None:
        """The share of positives among those labelled so; None if none is."""
        said = self.tp + self.fp
        return self.tp / said if said else None

    @property
    def recall(self) -> float | None:
        """The share of the positives that are labelled so; None if there are none."""
        there = self.tp + self.fn
        return self.tp / there if there else None

    def __str__(self) -> str:
        return f"tp {self.tp}, fn {self.fn}, tn {self.tn}, fp {self.fp}"


@dataclass(frozen=True)
class Snapshot:
    """A hypothesis that was at most as costly as all before it.

    Attributes
    ----------
    index : int
        Its place in the order of arrival, from 0.
    rules : tuple of str
        Its rules, in Prolog.
    cost : str
        What was minimised.
    value : tuple of int
        Its cost, the most important figure first.
    confusion : Confusion
        What it does with the training examples.
    size : int
        Literals, heads included, and learned numbers.
    elapsed : float
        When it was found, in seconds.
    ticks : int
        After how many rules tested.
    source : str
        How it was found.
    improves : bool
        Whether it costs less than all before.
    """

    index: int
    rules: tuple[str, ...]
    cost: str
    value: tuple[int, ...]
    confusion: Confusion
    size: int
    elapsed: float
    ticks: int
    source: str
    improves: bool

    @classmethod
    def _of(cls, raw: _core.Snapshot) -> Snapshot:
        return cls(
            raw.index,
            tuple(raw.rules),
            raw.cost,
            tuple(raw.value),
            Confusion(*raw.confusion),
            raw.size,
            raw.elapsed,
            raw.ticks,
            raw.source,
            raw.improves,
        )

    def __str__(self) -> str:
        value = ", ".join(map(str, self.value))
        return "\n".join([f"% {self.cost} ({value}): {self.confusion}, size {self.size}", *self.rules])

    def _repr_html_(self) -> str:
        value = ", ".join(map(str, self.value))
        figures = f"{self.cost} ({value}) · {self.confusion} · size {self.size} · found after {self.elapsed:.3f} s"
        return _html.block(f"Snapshot {self.index}", _html.rules(self.rules) + _html.small(figures))


@dataclass(frozen=True)
class Member:
    """A hypothesis that votes in a model.

    Attributes
    ----------
    weight : float
        Its share of the vote, from 0 to 1.
    rules : tuple of str
        Its rules, in Prolog.
    confusion : Confusion
        What it does with the training examples.
    size : int
        Literals, heads included, and learned numbers.
    value : tuple of int
        Its cost on the training examples.
    """

    weight: float
    rules: tuple[str, ...]
    confusion: Confusion
    size: int
    value: tuple[int, ...]

    @classmethod
    def _of(cls, raw: _core.RawMember) -> Member:
        weight, rules, confusion, size, value = raw
        return cls(weight, tuple(rules), Confusion(*confusion), size, tuple(value))

    def __str__(self) -> str:
        return "\n".join([f"% weight {self.weight:.4f}: {self.confusion}, size {self.size}", *self.rules])

    def _repr_html_(self) -> str:
        figures = f"weight {self.weight:.4f} · {self.confusion} · size {self.size}"
        return _html.block("Member", _html.rules(self.rules) + _html.small(figures))
