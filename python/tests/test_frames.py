"""Tables from all sources give equal models; what cannot be read is refused."""

from __future__ import annotations

import datetime
import sqlite3
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from symsnap import RuleEnsembleClassifier, _core
from symsnap._frames import table_of

PENGUINS = "../examples/penguins/penguins.csv"


def penguins() -> pd.DataFrame:
    frame = pd.read_csv(PENGUINS)
    frame["seen"] = pd.to_datetime(frame["seen"])
    frame["heavy"] = frame["mass_g"] > 4000
    return frame


def columns(table: _core.Table) -> list[tuple[str, str, list[str | None]]]:
    return table.columns()


def all_frames(frame: pd.DataFrame) -> dict[str, Any]:
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    return {
        "pandas": frame,
        "categorical": frame.astype({"island": "category", "sex": "category"}),
        "nullable": frame.convert_dtypes(),
        "shuffled index": frame.set_index(np.arange(len(frame))[::-1]),
        "polars": pl.from_arrow(arrow),
        "lazy": pl.from_arrow(arrow).lazy(),
        "pyarrow": arrow,
        "batches": pa.Table.from_batches(arrow.to_batches(max_chunksize=7)),
        "batch": arrow.combine_chunks().to_batches()[0],
        "large texts": arrow.cast(
            pa.schema([(f.name, pa.large_string() if f.type == pa.string() else f.type) for f in arrow.schema])
        ),
        "dictionary": pa.table(
            {
                n: c.dictionary_encode() if c.type in (pa.string(), pa.large_string()) else c
                for n, c in zip(arrow.column_names, arrow.columns, strict=True)
            }
        ),
        "duckdb": duckdb.from_arrow(arrow),
        "lists": {name: frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in frame},
    }


@pytest.fixture(scope="module")
def frames() -> dict[str, Any]:
    return all_frames(pd.read_csv(PENGUINS).drop(columns=["seen"]))


def test_all_frames_are_equal_tables(frames: dict[str, Any]) -> None:
    expected = columns(table_of("t", frames["pandas"], "X"))
    assert [kind for _, kind, _ in expected].count("text") >= 2
    for name, frame in frames.items():
        assert columns(table_of("t", frame, "X")) == expected, name


def test_all_frames_give_equal_models(frames: dict[str, Any]) -> None:
    y = frames["pandas"]["species"].to_numpy()
    models = {}
    for name in ("pandas", "polars", "pyarrow", "duckdb", "lists"):
        frame = all_frames(frames["pandas"].drop(columns="species"))[name]
        fitted = RuleEnsembleClassifier(ticks=5000).fit(frame, y)
        models[name] = fitted.model_.to_json()
        assert fitted.score(frame, y) > 0.95 if name in ("pandas", "polars") else True
    assert len(set(models.values())) == 1


def test_rows_of_sqlite3_are_tables() -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "create table t (a integer, b real, c text); insert into t values (1, 1.5, 'x'), (2, null, 'y')"
    )
    expected = [("a", "integer", ["1", "2"]), ("b", "float", ["1.5", None]), ("c", "text", ["x", "y"])]
    assert columns(table_of("t", connection.execute("select * from t"), "X")) == expected
    connection.row_factory = sqlite3.Row
    assert columns(table_of("t", connection.execute("select * from t").fetchall(), "X")) == expected
    assert columns(table_of("t", [{"a": 1, "b": 1.5, "c": "x"}, {"a": 2, "b": None, "c": "y"}], "X")) == expected


def test_types_are_those_of_the_columns() -> None:
    moments = [datetime.datetime(2024, 2, 29, 23, 59, 1), None]
    days = [datetime.date(2024, 2, 29), datetime.date(1969, 12, 31)]
    zone = datetime.timezone(datetime.timedelta(hours=2))
    made = {
        "day": days,
        "moment": moments,
        "abroad": [datetime.datetime(2024, 3, 1, 1, 0, tzinfo=zone), None],
        "price": [Decimal("1.50"), None],
        "mixed": [1, 2.5],
        "truth": [True, None],
        "code": ["007", "5"],
        "none": [None, None],
    }
    expected = {
        "day": ("date", ["2024-02-29", "1969-12-31"]),
        "moment": ("datetime", ["2024-02-29T23:59:01", None]),
        "abroad": ("datetime", ["2024-02-29T23:00:00", None]),
        "price": ("float", ["1.5", None]),
        "mixed": ("float", ["1.0", "2.5"]),
        "truth": ("boolean", ["true", None]),
        "code": ("text", ["007", "5"]),
        "none": ("text", [None, None]),
    }
    assert {name: (kind, values) for name, kind, values in columns(table_of("t", made, "X"))} == expected
    arrow = pa.table({name: made[name] for name in ("day", "moment", "truth", "code", "none")})
    for name, kind, values in columns(table_of("t", arrow, "X")):
        assert (kind, values) == expected[name]


def test_numbers_of_all_widths_are_read() -> None:
    for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
        array = np.array([1, 2, 100], dtype=kind)
        assert columns(table_of("t", {"a": array}, "X")) == [("a", "integer", ["1", "2", "100"])]
        assert columns(table_of("t", pa.table({"a": array}), "X")) == [("a", "integer", ["1", "2", "100"])]
    for kind in ("f2", "f4", "f8"):
        array = np.array([0.5, -0.0, np.nan], dtype=kind)
        expected = [("a", "float", ["0.5", "0.0", None])]
        assert columns(table_of("t", {"a": array}, "X")) == expected
        assert columns(table_of("t", pa.table({"a": pa.array(array)}), "X")) == expected


def test_dates_in_frames_are_compared_by_rules() -> None:
    days = pd.date_range("2024-01-01", periods=60)
    y = np.where(days < "2024-02-10", "early", "late")
    fitted = RuleEnsembleClassifier(ticks=3000).fit(pd.DataFrame({"day": days}), y)
    assert fitted.score(pd.DataFrame({"day": days}), y) == 1.0
    assert "2024" in fitted.rules_[0].text


def test_tables_are_pickled_with_their_types() -> None:
    table = table_of("t", penguins(), "X")
    again = _core.Table.from_columns("t", table.columns())
    assert again.columns() == table.columns()
