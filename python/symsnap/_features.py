"""What rules are learned over: a table of features, or keys into the tables of a database."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from . import _core
from ._arguments import broken, first_broken, shown, wrong
from ._errors import SymsnapError
from ._examples import free_title
from ._frames import array_table, check_titles, column_of, is_frame, is_missing, is_pandas, table_of

#: What the table with the labels is called in schemas and messages.
TABLE = "X"


def features_table(estimator: Any, X: Any, *, reset: bool) -> _core.Table:
    """The features as a table; what ``estimator`` knows of them is compared with what it learned from, or set anew."""
    if is_pandas(X) or not is_frame(X):
        # The messages about names and numbers of features are those of all estimators.
        if is_pandas(X):
            if X.shape[0] == 0:
                raise SymsnapError(
                    f"Found array with 0 sample(s) (shape={X.shape}): `X` has no rows", "give at least one"
                )
            if X.shape[1] == 0:
                raise SymsnapError(f"Found array with 0 feature(s) (shape={X.shape}): `X` has no columns", "give some")
            # What reads the titles for scikit-learn has an exception of its own.
            check_titles(list(X.columns), "X")
            validate_data(estimator, X, reset=reset, skip_check_array=True)
            table = table_of(TABLE, X, "X")
        else:
            checked = validate_data(estimator, X, reset=reset, dtype=None, ensure_all_finite="allow-nan")
            table = array_table(TABLE, checked, "X")
        _refuse_infinite(table, X)
        return table
    table = table_of(TABLE, X, "X")
    names = np.array(table.titles, dtype=object)
    if table.rows == 0:
        raise SymsnapError("`X` has no rows", "give at least one")
    if reset:
        estimator.n_features_in_, estimator.feature_names_in_ = len(names), names
    elif list(names) != list(getattr(estimator, "feature_names_in_", names)) or len(names) != estimator.n_features_in_:
        known = list(getattr(estimator, "feature_names_in_", []))
        lacking = [name for name in known if name not in names]
        strange = [name for name in names if name not in known]
        raise SymsnapError(
            "the columns of `X` are not those that it was fitted with"
            + (f"; missing: {', '.join(lacking)}" if lacking else "")
            + (f"; new: {', '.join(strange)}" if strange else "")
            + ("; they are in another order" if not lacking and not strange else ""),
            f"give {', '.join(known)}" if known else f"give {estimator.n_features_in_} columns without names",
        )
    return table


def keys_table(X: Any, taken: Container[str]) -> _core.Table:
    """Keys, one in each row, as a table whose name is none of those that are taken."""
    if is_frame(X):
        table = table_of(TABLE, X, "X")
        columns = table.columns()
        if len(columns) != 1:
            raise SymsnapError(
                f"`X` has {len(columns)} columns, but with a database it has keys", "give one column with the keys"
            )
        values: NDArray[Any] = np.array([None, *columns[0][2]], dtype=object)[1:]
        kind = columns[0][1]
    else:
        values = np.asarray(X)
        if values.ndim == 2 and values.shape[1] == 1:
            values = values[:, 0]
        if values.ndim != 1:
            raise wrong("X", X, "one key for each example, as there is a database")
        kind = "array"
    if len(values) == 0:
        raise SymsnapError("`X` has no rows", "give at least one")
    missing = next((at for at, value in enumerate(values) if is_missing(value)), None)
    if missing is not None:
        raise SymsnapError(f"`X` has no key in row {missing}", "leave the row out")
    if kind == "array":
        odd = first_broken([value if isinstance(value, str) else None for value in values.tolist()])
        if odd is not None:
            raise broken(f"{keys_called(X)} has {shown(values[odd])} in row {odd}")
    raw = column_of("key", values, "X") if kind == "array" else ("key", kind, list(values))
    return _core.Table.from_columns(free_title(TABLE, taken), [raw])


def keys_called(X: Any) -> str:
    """What messages call the keys: a column if they have a title, and otherwise the argument."""
    title = None
    if is_frame(X):
        try:
            title = table_of(TABLE, X, "X").titles[0]
        except SymsnapError:
            # Cursors and streams were read to their ends when the keys were.
            pass
    elif isinstance(getattr(X, "name", None), str):
        title = X.name
    return f"column {shown(title)} of `X`" if title else "`X`"


def refuse_repeated(table: _core.Table, X: Any) -> None:
    """Each key is one example."""
    first: dict[str | None, int] = {}
    for at, name in enumerate(table.columns()[0][2]):
        before = first.setdefault(name, at)
        if before != at:
            raise SymsnapError(
                f"{keys_called(X)} has the key {shown(name)} in row {before} and again in row {at}",
                "give each key once; `sample_weight` makes an example count more than once",
            )


def strange_keys(
    table: _core.Table, X: Any, to: _core.Table, key: str, row: int | None = None
) -> SymsnapError | None:
    """The error about keys that name no row of the table ``to``, if there are some; about one row only, if that is given."""
    _, kind, values = table.columns()[0]
    _, own, names = next(column for column in to.columns() if column[0] == key)
    known = set(names)
    odd = [at for at, value in enumerate(values) if value not in known and row in (None, at)]
    if not odd:
        return None
    many = f"{len(odd)} keys that are" if len(odd) > 1 else "a key that is"
    first = "the first is " if len(odd) > 1 else ""
    types = f"; those of `X` have the type {kind}, those of the table {own}" if kind != own else ""
    return SymsnapError(
        f"{keys_called(X)} has {many} not in column '{key}' of the table '{to.name}' of `database`: "
        f"{first}{shown(values[odd[0]])} in row {odd[0]}",
        f"give keys that are there, such as {shown(names[0])}{types}",
    )


def one_key(table: _core.Table, row: int) -> _core.Table:
    """The key of one row."""
    title, kind, values = table.columns()[0]
    return _core.Table.from_columns(table.name, [(title, kind, [values[row]])])


def distinct(table: _core.Table) -> tuple[_core.Table, NDArray[np.intp]]:
    """Different keys, and which of them each row has: keys name one row each."""
    title, kind, values = table.columns()[0]
    places: dict[str | None, int] = {}
    rows = np.array([places.setdefault(value, len(places)) for value in values], dtype=np.intp)
    return _core.Table.from_columns(table.name, [(title, kind, list(places))]), rows


def _refuse_infinite(table: _core.Table, X: Any) -> None:
    values = np.asarray(X.select_dtypes("number")) if is_pandas(X) else np.asarray(X)
    if values.dtype.kind == "f" and np.isinf(values).any():
        row = int(np.argmax(np.isinf(values).any(axis=1)))
        raise SymsnapError(
            f"Input X contains infinity: `X` has it in row {row}", "give finite numbers; NaN is a missing value"
        )
