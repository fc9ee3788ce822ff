"""Columns that say what the labels say: rules that speak of them are right, and worth nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from . import _core

#: Cells that are looked at. Of larger tables rows are left out, evenly: who fits them should not wait for a warning.
_MOST_CELLS = 500_000
#: Rows that are looked at, however many columns there are.
_LEAST_ROWS = 500
#: Two values in three rows agree by chance.
_LEAST_AGREED = 5


def telling_columns(table: _core.Table, target: str, spared: Sequence[str]) -> list[str]:
    """The columns of a table that say what the column ``target`` of it says; ``spared`` ones are not asked."""
    columns = {title: values for title, _, values in _some_rows(table).columns()}
    labels = columns[target]
    return [
        title
        for title, values in columns.items()
        if title != target and title not in spared and _is_renaming(values, labels)
    ]


def telling_columns_of_keys(
    table: _core.Table, key: str, label_of_key: Mapping[str, str | None], spared: Sequence[str]
) -> list[str]:
    """The same for a table whose labels are known by its keys."""
    columns = {title: values for title, _, values in _some_rows(table).columns()}
    labels = [None if name is None else label_of_key.get(name) for name in columns[key]]
    return [
        title
        for title, values in columns.items()
        if title != key and title not in spared and _is_renaming(values, labels)
    ]


def _some_rows(table: _core.Table) -> _core.Table:
    some = max(_LEAST_ROWS, _MOST_CELLS // max(1, len(table.titles)))
    if table.rows <= some:
        return table
    taken = np.zeros(table.rows, dtype=np.int64)
    taken[np.linspace(0, table.rows - 1, some).astype(np.int64)] = 1
    return table.arranged(taken.tolist())


def _is_renaming(values: list[str | None], labels: list[str | None]) -> bool:
    """Whether each value stands with one label, and each label with one value, in nearly all rows that have a label."""
    # The quick question first: most columns have other numbers of values.
    if len(set(values) - {None}) != len(set(labels) - {None}):
        return False
    pairs = [pair for pair in zip(values, labels, strict=True) if None not in pair]
    labelled = sum(label is not None for label in labels)
    if len(pairs) < _LEAST_AGREED or len(pairs) * 10 < labelled * 9:
        return False
    different = set(pairs)
    return len(different) == len({value for value, _ in different}) == len({label for _, label in different})
