"""The rules of a fitted classifier, as objects and as a table for notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from . import _html


@dataclass(frozen=True)
class ClassRule:
    """A rule of a fitted classifier.

    Attributes
    ----------
    text : str
        The rule, in Prolog.
    label : object
        The class that it speaks for.
    weight : float
        The share of the votes for or against this class that hypotheses with the rule have.
    words : str
        What it says, in words.
    sql : str or None
        A query for the rows that it covers, if it can be said in SQL.
    support : int or None
        How many training examples it covers, by their weights, if the model knows.
    precision : float or None
        The share of them that are of the class.
    lift : float or None
        How much likelier the class is among them than among all training examples.
    """

    text: str
    label: Any
    weight: float
    words: str
    sql: str | None
    support: int | None
    precision: float | None
    lift: float | None

    def __str__(self) -> str:
        return self.text


class RuleList(Sequence[ClassRule]):
    """The rules of a fitted classifier, those with the most weight first."""

    def __init__(self, rules: Sequence[ClassRule]) -> None:
        self._rules = tuple(rules)

    def __len__(self) -> int:
        return len(self._rules)

    @overload
    def __getitem__(self, at: int) -> ClassRule: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[ClassRule, ...]: ...
    def __getitem__(self, at: int | slice) -> ClassRule | tuple[ClassRule, ...]:
        return self._rules[at]

    def __iter__(self) -> Iterator[ClassRule]:
        return iter(self._rules)

    def __repr__(self) -> str:
        return "\n".join(map(str, self._rules))

    def _repr_html_(self) -> str:
        rows = [
            (
                _html.escape(each.label),
                _html.bar(each.weight),
                f"<div>{_html.escape(each.words)}</div>{_html.rules([each.text])}",
                "" if each.support is None else str(each.support),
                "" if each.precision is None else f"{each.precision:.2f}",
                "" if each.lift is None else f"{each.lift:.2f}",
            )
            for each in self._rules[:20]
        ]
        more = _html.small(f"and {_counted(len(self) - 20)} with less weight") if len(self) > 20 else ""
        titles = ["class", "weight", "rule", "support", "precision", "lift"]
        return _html.block(_counted(len(self)), _html.table(titles, rows, numbers=(3, 4, 5)) + more)


def _counted(rules: int) -> str:
    return "1 rule" if rules == 1 else f"{rules} rules"
