"""Tables of any kind, as the extension module takes them.

What has Arrow's stream interface (polars, pyarrow, DuckDB, pandas with pyarrow) is read through it; everything else column by
column: pandas without pyarrow, NumPy, rows of sqlite3, lists and dictionaries. Both ways give equal tables.
"""

from __future__ import annotations

import datetime
import decimal
import importlib.util
import numbers
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._arguments import broken, first_broken, is_broken, shown
from ._errors import SymsnapError

#: A column: title, type, and values as bytes of numbers or as texts.
RawColumn = tuple[str, str, "bytes | list[str | None]"]

_KINDS = (
    "a frame of pandas, polars, pyarrow or DuckDB, a dictionary of columns, rows of sqlite3, or a two-dimensional array"
)


def is_pandas(frame: object) -> bool:
    """Whether it is a frame of pandas, without asking for pandas."""
    return _is(frame, "pandas", "DataFrame")


def _is(frame: object, package: str, name: str) -> bool:
    return type(frame).__module__.split(".")[0] == package and type(frame).__name__ == name


def is_frame(frame: object) -> bool:
    """Whether it is a table with titles, rather than an array."""
    if is_pandas(frame) or isinstance(frame, (Mapping, sqlite3.Cursor)) or _is_lazy(frame) or _is_rows(frame):
        return True
    # Single columns have Arrow's interfaces, too.
    single = hasattr(frame, "dtype") or type(frame).__name__.endswith("Array")
    return not single and (hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__arrow_c_array__"))


def table_of(name: str, frame: Any, argument: str) -> _core.Table:
    """The table that a frame holds; messages call the frame by its argument."""
    if _is_lazy(frame):
        frame = frame.collect()
    if is_pandas(frame):
        return _of_pandas(name, frame, argument)
    if _is(frame, "polars", "DataFrame"):
        # Columns of its type Null have a buffer in its stream that the interface has no place for.
        polars = importlib.import_module("polars")
        frame = frame.cast({polars.Null: polars.String}) if polars.Null in frame.dtypes else frame
    if hasattr(frame, "__arrow_c_stream__") and is_frame(frame):
        return _of_stream(name, frame, argument)
    if hasattr(frame, "__arrow_c_array__") and is_frame(frame) and importlib.util.find_spec("pyarrow"):
        pyarrow = importlib.import_module("pyarrow")
        return _of_stream(name, pyarrow.Table.from_batches([pyarrow.record_batch(frame)]), argument)
    if isinstance(frame, sqlite3.Cursor):
        if frame.description is None:
            raise SymsnapError(f"`{argument}` is a cursor that has selected nothing", "execute a SELECT first")
        titles = [each[0] for each in frame.description]
        return _of_rows(name, titles, frame.fetchall(), argument)
    if _is_rows(frame):
        titles = list(frame[0].keys())
        rows = [tuple(row[title] for title in titles) if _has(row, titles) else None for row in frame]
        for at, row in enumerate(rows):
            if row is None:
                raise SymsnapError(f"row {at} of `{argument}` has other columns than the first", "give all the same")
        return _of_rows(name, titles, rows, argument)
    if isinstance(frame, Mapping):
        for title in frame:
            if not isinstance(title, str):
                raise SymsnapError(f"`{argument}` has a column called {shown(title)}", "titles of columns are strings")
        columns = [(title, _array(values, title, argument)) for title, values in frame.items()]
        return columns_table(name, columns, argument)
    if isinstance(frame, (np.ndarray, Sequence)) and not isinstance(frame, (str, bytes)):
        array = frame if isinstance(frame, np.ndarray) else _array(frame, "", argument)
        if array.ndim == 2:
            return array_table(name, array, argument)
    raise SymsnapError(f"`{argument}` is {shown(frame)}", f"give {_KINDS}")


def _of_stream(name: str, frame: Any, argument: str) -> _core.Table:
    try:
        return _core.Table.from_arrow(name, frame)
    except SymsnapError:
        raise
    except ValueError as error:
        raise SymsnapError(f"`{argument}` cannot be read as a table: {error}", f"give {_KINDS}") from error


def array_table(name: str, array: np.ndarray[Any, Any], argument: str) -> _core.Table:
    """The table of a two-dimensional array; its columns are called x0, x1, ..."""
    return columns_table(name, [(f"x{at}", array[:, at]) for at in range(array.shape[1])], argument)


def columns_table(name: str, columns: Iterable[tuple[str, np.ndarray[Any, Any]]], argument: str) -> _core.Table:
    """The table of columns."""
    return _core.Table.from_columns(name, [column_of(title, values, argument) for title, values in columns])


def column_of(title: str, values: np.ndarray[Any, Any], argument: str) -> RawColumn:
    """A column, with its type; messages about texts say which argument has it."""
    if is_broken(title):
        raise broken(f"`{argument}` has a column called {shown(title)}")
    raw = _column_of(title, values)
    at = first_broken(raw[2]) if raw[1] == "text" and isinstance(raw[2], list) else None
    if at is not None:
        raise broken(f"column '{title}' of `{argument}` has {shown(raw[2][at])} in row {at}")
    return raw


def _column_of(title: str, values: np.ndarray[Any, Any]) -> RawColumn:
    kind = values.dtype.kind
    if kind == "f":
        return title, "float", np.ascontiguousarray(values, dtype="<f8").tobytes()
    if kind == "u" and len(values) and int(values.max()) >= 2**63:
        raise _too_large(title, int(values.max()))
    if kind in "iu":
        return title, "integer", np.ascontiguousarray(values, dtype="<i8").tobytes()
    if kind == "b":
        return title, "boolean", np.ascontiguousarray(values, dtype="?").tobytes()
    if kind == "M":
        whole_days = np.datetime_data(values.dtype)[0] in ("Y", "M", "W", "D")
        texts = np.datetime_as_string(values.astype("M8[D]" if whole_days else "M8[s]")).tolist()
        return title, "date" if whole_days else "datetime", [None if text == "NaT" else text for text in texts]
    if kind in "UT":
        return title, "text", [str(text) for text in values.tolist()]
    if kind == "O":
        return _of_objects(title, values.tolist())
    raise SymsnapError(
        f"column '{title}' has the type {values.dtype}, which rules cannot speak of",
        "make numbers, texts, truth values or dates of it, or leave it out",
    )


def _of_objects(title: str, values: list[Any]) -> RawColumn:
    """A column of Python's objects, which must be of one type but for those that are missing."""
    kinds: dict[str, int] = {}
    for at, value in enumerate(values):
        if is_missing(value):
            values[at] = None
            continue
        kind = _kind(value)
        if kind is None:
            nested = isinstance(value, (list, tuple, dict, set, np.ndarray))
            advice = "make a table of its own of it, linked by a key, or leave it out" if nested else "leave it out"
            what = "which is nested" if nested else f"of type {type(value).__name__}"
            raise SymsnapError(f"column '{title}' has {shown(value)} in row {at}, {what}", advice)
        kinds.setdefault(kind, at)
    for wide, narrow in (("float", "integer"), ("datetime", "date")):
        if wide in kinds:
            kinds.pop(narrow, None)
    if len(kinds) > 1:
        (one, first), (other, second) = list(kinds.items())[:2]
        raise SymsnapError(
            f"column '{title}' has a value of type {one} in row {first} and one of type {other} in row {second}",
            "make all of them the same",
        )
    kind = next(iter(kinds), "text")
    if kind == "integer":
        for value in values:
            if value is not None and not -(2**63) <= int(value) < 2**63:
                raise _too_large(title, int(value))
    write = {
        "integer": lambda value: str(int(value)),
        "float": lambda value: repr(float(value)),
        "boolean": lambda value: "true" if value else "false",
        "date": lambda value: value.isoformat(),
        "datetime": _moment,
    }.get(kind, str)
    return title, kind, [None if value is None else write(value) for value in values]


def _moment(value: datetime.date) -> str:
    if not isinstance(value, datetime.datetime):
        return f"{value.isoformat()}T00:00:00"
    if value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return value.isoformat(timespec="seconds")


def _kind(value: object) -> str | None:
    if isinstance(value, (bool, np.bool_)):
        return "boolean"
    if isinstance(value, numbers.Integral):
        return "integer"
    if isinstance(value, (numbers.Real, decimal.Decimal)):
        return "float"
    if isinstance(value, str):
        return "text"
    if isinstance(value, datetime.datetime):
        return "datetime"
    return "date" if isinstance(value, datetime.date) else None


def is_missing(value: Any) -> bool:
    """Whether it stands for a value that is not known: None, NaN, or pandas' words for them."""
    return (
        value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    )


def _too_large(title: str, value: int) -> SymsnapError:
    return SymsnapError(
        f"column '{title}' has {value}, and whole numbers have at most 63 bits", "make floats or texts of them"
    )


def _of_pandas(name: str, frame: Any, argument: str) -> _core.Table:
    titles = list(frame.columns)
    check_titles(titles, argument)
    columns = []
    for at, title in enumerate(titles):
        values = frame.iloc[:, at]
        plain = isinstance(values.dtype, np.dtype)
        columns.append((str(title), values.to_numpy() if plain else np.asarray(values.astype(object), dtype=object)))
    return columns_table(name, columns, argument)


def check_titles(titles: list[object], argument: str) -> None:
    """Titles are all different, also as texts, and can be written."""
    names = [str(title) for title in titles]
    at = first_broken(names)
    if at is not None:
        raise broken(f"`{argument}` has a column called {shown(titles[at])}")
    if len(set(names)) != len(names):
        twice = next(title for title in titles if names.count(str(title)) > 1)
        raise SymsnapError(f"`{argument}` has two columns called {shown(twice)}", "rename one of them")


def _of_rows(name: str, titles: list[str], rows: Sequence[Any], argument: str) -> _core.Table:
    if not rows:
        raise SymsnapError(f"`{argument}` has no rows", "give at least one")
    columns = []
    for at, title in enumerate(titles):
        values = np.empty(len(rows), dtype=object)
        values[:] = [row[at] for row in rows]
        columns.append((title, values))
    return columns_table(name, columns, argument)


def _array(values: Any, title: str, argument: str) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(values)
        # NumPy makes texts of numbers that stand beside texts, and one array of nested lists.
        if array.dtype.kind in "US" or (array.ndim > 1 and title):
            array = np.empty(len(values), dtype=object)
            array[:] = list(values)
    except ValueError:
        where = f"column '{title}' of `{argument}`" if title else f"`{argument}`"
        raise SymsnapError(f"{where} has rows of different lengths", "give all the same length") from None
    if title and array.ndim != 1:
        raise SymsnapError(f"column '{title}' of `{argument}` is {shown(values)}", "give a list of values")
    return array


def _is_lazy(frame: object) -> bool:
    return _is(frame, "polars", "LazyFrame")


def _is_rows(frame: object) -> bool:
    return isinstance(frame, Sequence) and len(frame) > 0 and isinstance(frame[0], (sqlite3.Row, Mapping))


def _has(row: Any, titles: list[str]) -> bool:
    return hasattr(row, "keys") and list(row.keys()) == titles
