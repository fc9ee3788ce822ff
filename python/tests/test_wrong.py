"""Wrong arguments: each gets one message that names the argument and the way out, word for word."""

from __future__ import annotations

import datetime
import re
import sqlite3
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import symsnap
from symsnap import Database, Model, RuleEnsembleClassifier, Task, ensemble, learn

FAMILY = "../examples/family"
X = np.array([[1.0, 5.0], [2.0, 6.0], [3.0, 5.0], [4.0, 6.0]])
Y = np.array([0, 0, 1, 1])
FRAME = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": ["x", "y", "x", "y"]})
TABLES = {
    "people": {"id": ["p1", "p2", "p3"], "age": [1, 2, 3]},
    "pets": {"name": ["a", "b"], "people_id": ["p1", "p2"]},
}


def classifier(**more: Any) -> RuleEnsembleClassifier:
    return RuleEnsembleClassifier(**{"ticks": 500, **more})


def fitted() -> RuleEnsembleClassifier:
    return classifier().fit(FRAME, Y)


def model() -> Model:
    made = learn(FAMILY, ticks=500).model
    assert made is not None
    return made


def database() -> Database:
    return Database(TABLES)


def fit(frame: Any, y: Any = Y, **more: Any) -> RuleEnsembleClassifier:
    return classifier(**more).fit(frame, y)


#: What is done, and what is said about it.
CASES: dict[str, tuple[Callable[[], object], str]] = {}


def case(name: str, do: Callable[[], object], message: str) -> None:
    assert name not in CASES
    CASES[name] = (do, message)


# Tasks.
case("task: no path", lambda: Task(3), "`path` is 3\n  help: give the folder of a task, or texts to Task.from_text")  # type: ignore[arg-type]
case(
    "task: no folder",
    lambda: Task("nowhere"),
    "there is no folder nowhere\n  help: a task folder holds the files bk.pl, exs.pl and bias.pl",
)
case(
    "task: a file",
    lambda: Task("README.md"),
    "README.md is not a folder\n  help: a task folder holds the files bk.pl, exs.pl and bias.pl",
)
case(
    "task: no files",
    lambda: Task("tests"),
    "tests has no bk.pl, no exs.pl, no bias.pl\n  help: a task folder holds the files bk.pl, exs.pl and bias.pl",
)
case("task: no text", lambda: Task.from_text(bk=1, exs="", bias=""), "`bk` is 1\n  help: give a string")  # type: ignore[arg-type]
case(
    "task: broken text",
    lambda: Task.from_text(bk="p(a.", exs="pos(f(a)).", bias="head_pred(f,1). body_pred(p,1)."),
    "...bk.pl:1:4: error: ",
)
case(
    "task: no bias",
    lambda: Task.from_text(bk="p(a).", exs="pos(f(a)).", bias=""),
    "...the bias has no `head_pred` declaration",
)
# Learning.
case("learn: task", lambda: learn(3), "`task` is 3\n  help: give a Task, or the path of its folder")  # type: ignore[call-overload]
case(
    "learn: cost", lambda: learn(FAMILY, cost="mld"), "`cost` is 'mld', which there is not\n  help: did you mean 'mdl'?"
)
case(
    "learn: cost type",
    lambda: learn(FAMILY, cost=3),
    "`cost` is 3\n  help: give one of " + ", ".join(f"'{c}'" for c in symsnap.COSTS),
)  # type: ignore[call-overload]
case(
    "learn: method",
    lambda: learn(FAMILY, method="resample"),
    "`method` is 'resample', which there is not\n  help: did you mean 'resampled'?",
)
case(
    "learn: timeout",
    lambda: learn(FAMILY, timeout=-1),
    "`timeout` is -1\n  help: give a number of seconds from 0 on, or None for no limit",
)
case(
    "learn: timeout text",
    lambda: learn(FAMILY, timeout="1"),
    "`timeout` is '1'\n  help: give a number of seconds, or None for no limit",
)  # type: ignore[call-overload]
case(
    "learn: timeout nan",
    lambda: learn(FAMILY, timeout=float("nan")),
    "`timeout` is nan\n  help: give a number of seconds, or None for no limit",
)
case(
    "learn: ticks",
    lambda: learn(FAMILY, ticks=-1),
    "`ticks` is -1\n  help: give a whole number from 0 to 9223372036854775807",
)
case(
    "learn: ticks float",
    lambda: learn(FAMILY, ticks=1.5),
    "`ticks` is 1.5\n  help: give a whole number from 0 to 9223372036854775807",
)  # type: ignore[call-overload]
case(
    "learn: ticks truth",
    lambda: learn(FAMILY, ticks=True),
    "`ticks` is True\n  help: give a whole number from 0 to 9223372036854775807",
)
case("learn: threads", lambda: learn(FAMILY, threads=0), "`threads` is 0\n  help: give a whole number from 1 to 1024")
case(
    "learn: seed",
    lambda: learn(FAMILY, seed=2**64),
    "`seed` is 18446744073709551616\n  help: give a whole number from 0 to 18446744073709551615",
)
case(
    "learn: optima", lambda: learn(FAMILY, optima=0), "`optima` is 0\n  help: give a whole number from 1 to 4294967295"
)
case("learn: strict", lambda: learn(FAMILY, strict=1), "`strict` is 1\n  help: give True or False")  # type: ignore[call-overload]
case(
    "learn: strict and optima",
    lambda: learn(FAMILY, strict=True, optima=3),
    "`strict` looks for no other optima\n  help: leave out `optima` and `until_timeout`",
)
case("learn: max_body", lambda: learn(FAMILY, max_body=0), "`max_body` is 0\n  help: give a whole number from 1 to 250")
case(
    "learn: max_vars",
    lambda: learn(FAMILY, max_vars=1),
    "`max_vars` is 1, but grandmother alone has 2\n  help: give at least 2",
)
case(
    "learn: max_vars large",
    lambda: learn(FAMILY, max_vars=61),
    "`max_vars` is 61\n  help: give a whole number from 1 to 60",
)
case(
    "learn: max_clauses",
    lambda: learn(FAMILY, max_clauses="2"),
    "`max_clauses` is '2'\n  help: give a whole number from 1 to 65535",
)  # type: ignore[call-overload]
case(
    "learn: max_memory",
    lambda: learn(FAMILY, max_memory=0),
    "`max_memory` is 0\n  help: give a whole number from 1 to 1099511627776",
)
case(
    "learn: callback",
    lambda: learn(FAMILY, callback=3),
    "`callback` is 3\n  help: give a function that takes a Snapshot",
)  # type: ignore[call-overload]
case(
    "learn: live and callback",
    lambda: learn(FAMILY, callback=print, live=True),
    "`callback` cannot go with live=True\n  help: iterate over what is returned instead",
)  # type: ignore[call-overload]
case("learn: progress", lambda: learn(FAMILY, progress="bar"), "`progress` is 'bar'\n  help: give True or False")  # type: ignore[call-overload]
case(
    "learn: settings",
    lambda: learn(FAMILY, settings=[1]),
    "`settings` is [1]\n  help: give a dictionary of names and numbers, such as {'bags': 5}",
)  # type: ignore[call-overload]
case(
    "learn: settings value",
    lambda: learn(FAMILY, settings={"bags": "5"}),
    "`settings` gives 'bags' the value '5'\n  help: give a finite number",
)  # type: ignore[dict-item]
case(
    "learn: settings name",
    lambda: learn(FAMILY, method="single", settings={"bags": 5}),
    "the method `single` has no setting bags=5\n  help: it has no settings",
)
# Ensembles and models.
case("ensemble: pool", lambda: ensemble([1]), "`pool` is [1]\n  help: give a SnapshotPool, such as learn(...).pool")  # type: ignore[arg-type]
case(
    "ensemble: method",
    lambda: ensemble(learn(FAMILY, ticks=500).pool, "papre"),
    "`method` is 'papre', which there is not\n  help: did you mean 'paper'?",
)
case(
    "pool: by hand",
    lambda: symsnap.SnapshotPool(3),
    "`learned` is 3\n  help: give nothing: pools come from learn(...).pool",
)  # type: ignore[arg-type]
case(
    "model: by hand",
    lambda: Model(),
    "a Model is not made by hand\n  help: use learn(...).model, ensemble(pool) or Model.load(path)",
)
case("model: load", lambda: Model.load("nowhere.json"), "...cannot read nowhere.json: ")
case("model: load type", lambda: Model.load(3), "`path` is 3\n  help: give the path of a model file")  # type: ignore[arg-type]
case(
    "model: load what is none",
    lambda: Model.load("README.md"),
    "...README.md:1:1: error: this is not a model: expected value",
)
case("model: text", lambda: Model.from_json(3), "`text` is 3\n  help: give the text of a model file")  # type: ignore[arg-type]
case("model: newer", lambda: Model.from_json('{"format": 99}'), "...has model format 99; this program reads up to")
case("model: save", lambda: model().save("no/such/folder/m.json"), "...cannot write no/such/folder/m.json")
case(
    "model: examples",
    lambda: model().predict("grandmother(ada,ines)"),
    "`examples` is 'grandmother(ada,ines)'\n  help: give a list of atoms, such as ['f(a)'] or [('a',)]",
)
case(
    "model: mixed examples",
    lambda: model().predict(["grandmother(ada,ines)", ("a", "b")]),
    "`examples` has texts and tuples\n  help: give all as texts, or all by their arguments",
)
case(
    "model: two atoms in one",
    lambda: model().predict(["grandmother(ada,ines). grandmother(a,b)"]),
    "`examples` has 1 texts with 2 atoms in them\n  help: give one atom in each text",
)
case(
    "model: arity",
    lambda: model().predict([("ada", "ines"), ("ada",)]),
    "`examples[1]` has 1 arguments, but grandmother has 2\n  help: give a tuple of 2",
)
case(
    "model: argument",
    lambda: model().predict([("ada", None)]),
    "`examples[0]` is ('ada', None)\n  help: give strings and numbers as arguments; write other terms as text, 'f([a,b])'",
)  # type: ignore[list-item]
case(
    "model: huge integer",
    lambda: model().predict([("ada", 2**70)]),
    "`examples[0]` has the argument 1180591620717411303424\n  help: integers have at most 64 bits",
)
case(
    "model: a number",
    lambda: model().predict([3]),
    "`examples[0]` is 3\n  help: give an atom as text, or a tuple with the 2 arguments of grandmother",
)  # type: ignore[list-item]
case(
    "model: variable", lambda: model().predict(["grandmother(X,ines)"]), "...the atom is not ground: `X` is a variable"
)
case(
    "model: other predicate",
    lambda: model().predict(["mother(ada,ines)"]),
    "...expected an atom of grandmother/2, found `mother(ada,ines)`",
)
case(
    "model: explain",
    lambda: model().explain(("ada",)),
    "`example` has 1 arguments, but grandmother has 2\n  help: give a tuple of 2",
)
case(
    "model: background",
    lambda: model().predict([("a", "b")], background=3),
    "`background` is 3\n  help: give a Task, a text in Prolog, or paths of Prolog files",
)  # type: ignore[arg-type]
case(
    "model: undefined",
    lambda: model().predict([("a", "b")], background="mother(a,b)."),
    "...member 0 calls parent/2, which the background does not define",
)
case(
    "model: no background",
    lambda: Model.from_json(model().export("json")).predict([("a", "b")]),
    "the model does not say where its background is\n  help: give it with `background`",
)
case(
    "model: export",
    lambda: model().export("sqlite"),
    "`to` is 'sqlite', which there is not\n  help: did you mean 'sql'?",
)
case(
    "model: facts",
    lambda: model().export("prolog", facts=True),
    "`facts` is True, but to='prolog' has no use for facts\n  help: leave it out, or export to='sql'",
)
case("model: report", lambda: model().report(3), "`path` is 3\n  help: give the path of the file to write")  # type: ignore[arg-type]
# Databases.
case("database: tables", lambda: Database([1]), "`tables` is [1]\n  help: give a dictionary of names and frames")  # type: ignore[arg-type]
case("database: no tables", lambda: Database({}), "`tables` is {}\n  help: give a dictionary of names and frames")
case(
    "database: name",
    lambda: Database({3: {"a": [1]}}),
    "`tables` has a table called 3\n  help: names of tables are strings",
)  # type: ignore[dict-item]
case(
    "database: link table with points",
    lambda: Database({"http://ex.org/a": {"id": [1]}}, {"http://ex.org/b.id": "http://ex.org/a"}),
    "`links` names a table 'http://ex.org/b', which there is not\n  help: did you mean 'http://ex.org/a'?",
)
case(
    "database: link column with points",
    lambda: Database({"a": {"id": [1]}, "a.b": {"id": [1]}}, {"a.b.c": "a"}),
    "`links` names a column 'c' of 'a.b', which there is not\n  help: it has 'id'",
)
case("database: frame", lambda: Database({"t": 3}), "...`tables['t']` is 3\n  help: give a frame of pandas")
case(
    "database: empty", lambda: Database({"t": {"a": []}}), "`tables['t']` has no rows\n  help: leave it out, or fill it"
)
case("database: lengths", lambda: Database({"t": {"a": [1], "b": [1, 2]}}), "t: column `b` has 2 values, others have 1")
case(
    "database: link table",
    lambda: Database(TABLES, {"pet.people_id": "people"}),
    "`links` names a table 'pet', which there is not\n  help: did you mean 'pets'?",
)
case(
    "database: link column",
    lambda: Database(TABLES, {"pets.person": "people"}),
    "`links` names a column 'person' of 'pets', which there is not\n  help: it has 'name', 'people_id'",
)
case(
    "database: link form",
    lambda: Database(TABLES, {"pets": "people"}),
    "`links` names 'pets'\n  help: name table and column with a point between, as in 'atoms.id'",
)
case(
    "database: link to",
    lambda: Database(TABLES, {"pets.name": "persons"}),
    "there is no table `persons`\n  help: there are `people`, `pets`",
)
case(
    "database: links",
    lambda: Database(TABLES, [1]),
    "`links` is [1]\n  help: give a dictionary such as {'atoms.mol': 'molecules'}",
)  # type: ignore[arg-type]
case(
    "database: key",
    lambda: Database(TABLES, keys={"people": "idd"}),
    "<people> has no column `idd` (the key)\n  help: did you mean `id`?",
)
case(
    "database: key table",
    lambda: Database(TABLES, keys={"persons": "id"}),
    "`keys` names a table 'persons', which there is not\n  help: there are 'people', 'pets'",
)
case(
    "database: kind",
    lambda: Database(TABLES, kinds={"people.age": "number"}),
    "...`kinds` is 'number', which there is not",
)
case(
    "database: two columns",
    lambda: Database({"t": pd.DataFrame([[1, 2]], columns=["a", "a"])}),
    "`tables['t']` has two columns called 'a'\n  help: rename one of them",
)
case(
    "database: triples",
    lambda: Database.from_triples(3),
    "`triples` is 3\n  help: give tuples of subject, relation and object",
)
case(
    "database: triple",
    lambda: Database.from_triples([("a", "b")]),
    "`triples[0]` is ('a', 'b')\n  help: give tuples of subject, relation and object",
)
case("database: no triples", lambda: Database.from_triples([]), "`triples` is empty\n  help: give at least one")
case(
    "database: half a triple",
    lambda: Database.from_triples([("a", "b", None)]),
    "`triples[0]` is ('a', 'b', None)\n  help: leave out triples with a part that is not known",
)
case(
    "database: triples of two columns",
    lambda: Database.from_triples(pl.DataFrame({"a": ["x"], "b": ["y"]})),
    "`triples` has 2 columns\n  help: give three: subject, relation and object",
)
# The estimator's parameters.
case("classifier: cost", lambda: fit(X, cost="mld"), "`cost` is 'mld', which there is not\n  help: did you mean 'mdl'?")
case("classifier: method", lambda: fit(X, method=3), "...`method` is 3\n  help: give one of")
case("classifier: database", lambda: fit(X, database=3), "`database` is 3\n  help: give a symsnap.Database")
case(
    "classifier: key alone",
    lambda: fit(X, key="people"),
    "`key` is 'people', but there is no `database`\n  help: give one, or leave out `key`",
)
case(
    "classifier: key",
    lambda: fit(["p1", "p2"], [0, 1], database=database(), key="human"),
    "`key` is 'human', which there is not\n  help: there are 'people', 'pets'",
)
case(
    "classifier: table without a key",
    lambda: fit(["a", "b"], [0, 1], database=Database({"t": {"x": [1, 1], "y": ["u", "u"]}})),
    "the table 't' of `database` has no key\n  help: say which column it is: keys={'t': ...}",
)
case(
    "classifier: jobs",
    lambda: fit(X, n_jobs=0),
    "`n_jobs` is 0\n  help: give a whole number of threads, or None for all cores",
)
case("classifier: max_body", lambda: fit(X, max_body=-1), "`max_body` is -1\n  help: give a whole number from 1 to 250")
case(
    "classifier: class_weight",
    lambda: fit(X, class_weight="even"),
    "`class_weight` is 'even'\n  help: give 'balanced', or a dictionary of classes and numbers",
)
case(
    "classifier: class_weight label",
    lambda: fit(X, class_weight={7: 2}),
    "`class_weight` has 7, which is no class\n  help: there are [0, 1]",
)
case(
    "classifier: class_weight value",
    lambda: fit(X, class_weight={1: -2}),
    "`class_weight` gives 1 the weight -2\n  help: give numbers from 0 on",
)
# Its data.
case(
    "fit: no y",
    lambda: fit(X, None),
    "RuleEnsembleClassifier requires y to be passed, but the target y is None\n  help: give the classes as `y`",
)
case(
    "fit: one class",
    lambda: fit(X, [1, 1, 1, 1]),
    "`y` has one class only, 1: there is nothing to tell apart\n  help: give examples of at least two classes",
)
case(
    "fit: y with gaps",
    lambda: fit(X, [0.0, 1.0, float("nan"), 1.0]),
    "Input y contains NaN: `y` has no value in row 2\n  help: leave out rows without a class",
)
case(
    "fit: y with None",
    lambda: fit(X, np.array(["a", None, "b", "a"], dtype=object)),
    "Input y contains NaN: `y` has no value in row 1\n  help: leave out rows without a class",
)
case(
    "fit: y infinite",
    lambda: fit(X, [0.0, 1.0, float("inf"), 1.0]),
    "Input y contains infinity: `y` has inf in row 2\n  help: give finite numbers or names",
)
case(
    "fit: mixed y",
    lambda: fit(X, np.array(["a", 1, "b", 2], dtype=object)),
    "`y` has values of several types, 'a' in row 0 and 1 in row 1\n  help: give classes of one type",
)
case(
    "fit: truth and numbers",
    lambda: fit(X, np.array([True, 0, True, 0], dtype=object)),
    "`y` has values of several types, True in row 0 and 0 in row 1\n  help: give classes of one type",
)
case(
    "fit: dates of Python",
    lambda: fit(X, [datetime.date(2024, 1, day) for day in (1, 1, 2, 2)]),
    "Unknown label type: date: `y` has datetime.date(2024, 1, 1) in row 0\n  help: classes are texts, whole numbers, truth values or dates of NumPy (datetime64); give the texts, [str(label) for label in y], or what each of them stands for",
)
case("fit: decimals", lambda: fit(X, [Decimal(1), Decimal(2)] * 2), "...Unknown label type: Decimal: `y` has Decimal('1')")
case("fit: complex", lambda: fit(X, np.array([1j, 2, 1j, 2])), "...Unknown label type: complex: `y` has 1j in row 0")
case("fit: list of complex", lambda: fit(X, [1, 2j, 1, 2j]), "...Unknown label type: complex: `y` has 2j in row 1")
case(
    "fit: bytes as labels",
    lambda: fit(X, np.array([b"a", b"b"] * 2)),
    "Unknown label type: bytes: `y` has b'a' in row 0\n  help: classes are texts, whole numbers, truth values or dates of NumPy (datetime64); decode the bytes",
)
case("fit: objects of bytes", lambda: fit(X, np.array([b"a", b"b"] * 2, dtype=object)), "...help: classes are texts")
case(
    "fit: huge labels",
    lambda: fit(X, [2**70, 1, 2**70, 1]),
    "`y` has 1180591620717411303424 in row 0, and whole numbers have at most 63 bits\n  help: make texts of the classes",
)
case(
    "fit: quantities",
    lambda: fit(X, [1.0, 2.5, 1.0, 2.5]),
    "Unknown label type: continuous: `y` has 2.5 in row 1, which is a quantity and no class\n  help: make two classes of it, as `y > 2.5` does, or more, with pandas.cut",
)
case(
    "fit: y with NA",
    lambda: fit(X, pd.Series([True, None, False, True], dtype="boolean")),
    "Input y contains NaN: `y` has no value in row 1\n  help: leave out rows without a class",
)
case(
    "fit: y with NaT",
    lambda: fit(X, np.array(["2024-01-01", "2024-01-02", "NaT", "2024-01-01"], dtype="M8[D]")),
    "Input y contains NaN: `y` has no value in row 2\n  help: leave out rows without a class",
)
case(
    "fit: class_weight leaves one class",
    lambda: fit(X, np.array(["hi", "hi", "lo", "lo"]), class_weight={"hi": 0}),
    "`class_weight` leaves one class only, 'lo': there is nothing to tell apart\n  help: give examples of at least two classes a weight above 0",
)
case(
    "fit: sample_weight leaves one class",
    lambda: classifier().fit(X, Y, [1, 1, 0, 0]),
    "`sample_weight` leaves one class only, 0: there is nothing to tell apart\n  help: give examples of at least two classes a weight above 0",
)
case("fit: y empty", lambda: fit(X, []), "`y` has no values\n  help: give the class of each row of `X`")
case(
    "fit: X infinite",
    lambda: fit(pd.DataFrame({"a": [1.0, np.inf, 2.0, 3.0]})),
    "Input X contains infinity: `X` has it in row 1\n  help: give finite numbers; NaN is a missing value",
)
case(
    "fit: infinite in polars",
    lambda: fit(pl.DataFrame({"a": [1.0, float("inf"), 2.0, 3.0]})),
    "...in row 1 of X: `inf` in column `a` is not a float",
)
case(
    "fit: empty pandas",
    lambda: fit(FRAME[:0], []),
    "Found array with 0 sample(s) (shape=(0, 2)): `X` has no rows\n  help: give at least one",
)
case(
    "fit: no columns",
    lambda: fit(FRAME[[]]),
    "Found array with 0 feature(s) (shape=(4, 0)): `X` has no columns\n  help: give some",
)
case("fit: empty polars", lambda: fit(pl.DataFrame({"a": []}), []), "`X` has no rows\n  help: give at least one")
case("fit: nested", lambda: fit(pl.DataFrame({"a": [[1], [2], [3], [4]]})), "...column `a` is nested (")
case("fit: struct", lambda: fit(pa.table({"a": [{"b": 1}] * 4})), "...column `a` is nested (")
case(
    "fit: nested objects",
    lambda: fit(pd.DataFrame({"a": [[1], [2], [3], [4]]})),
    "column 'a' has [1] in row 0, which is nested\n  help: make a table of its own of it, linked by a key, or leave it out",
)
case(
    "fit: bytes",
    lambda: fit(pa.table({"a": [b"x", b"y", b"x", b"y"]})),
    "column `a` has the type Binary, which rules cannot speak of\n  help: make numbers, texts, truth values or dates of it, or leave it out",
)
case(
    "fit: durations",
    lambda: fit(pd.DataFrame({"a": pd.to_timedelta([1, 2, 3, 4], "s")})),
    "...column 'a' has the type timedelta64[",
)
case(
    "fit: mixed types",
    lambda: fit(pd.DataFrame({"a": ["x", 1, "y", 2]})),
    "column 'a' has a value of type text in row 0 and one of type integer in row 1\n  help: make all of them the same",
)
case(
    "fit: huge integers",
    lambda: fit(pd.DataFrame({"a": [2**70, 1, 2, 3]})),
    "column 'a' has 1180591620717411303424, and whole numbers have at most 63 bits\n  help: make floats or texts of them",
)
case(
    "fit: large unsigned",
    lambda: fit({"a": np.array([2**63, 1, 2, 3], dtype="u8")}),
    "column 'a' has 9223372036854775808, and whole numbers have at most 63 bits\n  help: make floats or texts of them",
)
case(
    "fit: large unsigned arrow",
    lambda: fit(pa.table({"a": np.array([2**63, 1, 2, 3], dtype="u8")})),
    "column `a` has 9223372036854775808, and whole numbers have at most 63 bits\n  help: make floats or texts of them",
)
case(
    "fit: two titles",
    lambda: fit(pa.table([[1, 2, 3, 4], [1, 2, 3, 4]], names=["a", "a"])),
    "X: columns 0 and 1 are both called `a`\n  help: rename one of them",
)
case(
    "fit: two titles of pandas",
    lambda: fit(pd.DataFrame([[1, 2]] * 4, columns=["a", "a"])),
    "`X` has two columns called 'a'\n  help: rename one of them",
)
case("fit: no title", lambda: fit({"": [1, 2, 3, 4]}), "X: column 0 has no title\n  help: give it one")
case(
    "fit: title of another type",
    lambda: fit({1: [1, 2, 3, 4]}),
    "`X` has a column called 1\n  help: titles of columns are strings",
)
case(
    "fit: cursor",
    lambda: fit(sqlite3.connect(":memory:").cursor()),
    "`X` is a cursor that has selected nothing\n  help: execute a SELECT first",
)
case(
    "fit: rows",
    lambda: fit([{"a": 1}, {"b": 1}]),
    "row 1 of `X` has other columns than the first\n  help: give all the same",
)
case(
    "fit: weights",
    lambda: classifier().fit(X, Y, [1, 2]),
    "`sample_weight` has the shape (2,), but there are 4 examples\n  help: give a number for each example",
)
case(
    "fit: negative weight",
    lambda: classifier().fit(X, Y, [1, 1, -1, 1]),
    "`sample_weight[2]` is -1.0, which is negative\n  help: weights are numbers from 0 on",
)
case(
    "fit: no weight",
    lambda: classifier().fit(X, Y, [1, 1, np.nan, 1]),
    "`sample_weight[2]` is nan, which is not finite\n  help: weights are numbers from 0 on",
)
case(
    "fit: texts as weights",
    lambda: classifier().fit(X, Y, ["a"] * 4),
    "`sample_weight` is ['a', 'a', 'a', 'a']\n  help: give a number for each example",
)
case(
    "fit: all weights zero",
    lambda: classifier().fit(X, Y, [0] * 4),
    "all weights of examples are zero\n  help: give some of them a `sample_weight` above 0",
)
case(
    "fit: key that is not there",
    lambda: fit(["p1", "p9"], ["a", "b"], database=database()),
    "`X` has a key that is not in column 'id' of the table 'people' of `database`: 'p9' in row 1\n  help: give keys that are there, such as 'p1'",
)
case(
    "fit: keys of a frame that are not there",
    lambda: fit(pl.DataFrame({"who": ["p8", "p1", "p9"]}), ["a", "b", "b"], database=database()),
    "column 'who' of `X` has 2 keys that are not in column 'id' of the table 'people' of `database`: the first is 'p8' in row 0\n  help: give keys that are there, such as 'p1'",
)
case(
    "fit: keys of a cursor twice",
    lambda: fit(sqlite3.connect(":memory:").execute("select 'p1' as who union all select 'p1'"), [0, 1], database=database()),
    "`X` has the key 'p1' in row 0 and again in row 1\n  help: give each key once; `sample_weight` makes an example count more than once",
)
case(
    "fit: keys of another type",
    lambda: fit(pd.Series([1.5, 2.5], name="n"), [0, 1], database=Database({"t": {"id": [1, 2], "v": [1, 2]}})),
    "column 'n' of `X` has 2 keys that are not in column 'id' of the table 't' of `database`: the first is '1.5' in row 0\n  help: give keys that are there, such as '1'; those of `X` have the type float, those of the table integer",
)
case(
    "fit: no key",
    lambda: fit(["p1", None], ["a", "b"], database=database()),
    "`X` has no key in row 1\n  help: leave the row out",
)
case(
    "fit: keys twice",
    lambda: fit(["p1", "p1", "p2"], ["a", "b", "b"], database=database()),
    "`X` has the key 'p1' in row 0 and again in row 1\n  help: give each key once; `sample_weight` makes an example count more than once",
)
case(
    "fit: table for keys",
    lambda: fit(FRAME, database=database()),
    "`X` has 2 columns, but with a database it has keys\n  help: give one column with the keys",
)
case(
    "fit: array for keys",
    lambda: fit(X, database=database()),
    "...help: give one key for each example, as there is a database",
)
case("fit: no keys", lambda: fit([], [], database=database()), "`X` has no rows\n  help: give at least one")
# Prediction.
case(
    "predict: column of another type",
    lambda: fitted().predict(FRAME.assign(a=["u", "v", "w", "x"])),
    "in row 0 of X: `u` in column `a` is not a float, nor are 3 other values\n  help: expected a finite number, with a point before its fraction; a missing value is an empty cell",
)
case(
    "predict: missing column",
    lambda: classifier().fit(pl.from_pandas(FRAME), Y).predict(pl.DataFrame({"a": [1.0]})),
    "the columns of `X` are not those that it was fitted with; missing: b\n  help: give a, b",
)
case(
    "predict: new column",
    lambda: classifier().fit(pl.from_pandas(FRAME), Y).predict(pl.DataFrame({"a": [1.0], "b": ["x"], "c": [1]})),
    "the columns of `X` are not those that it was fitted with; new: c\n  help: give a, b",
)
case(
    "predict: other order",
    lambda: classifier().fit(pl.from_pandas(FRAME), Y).predict(pl.DataFrame({"b": ["x"], "a": [1.0]})),
    "the columns of `X` are not those that it was fitted with; they are in another order\n  help: give a, b",
)
case(
    "predict: pandas without a column",
    lambda: fitted().predict(FRAME[["a"]]),
    "...The feature names should match those that were passed during fit.",
)
case("explain: row", lambda: fitted().explain(FRAME, 4), "`row` is 4\n  help: give a whole number from 0 to 3")
case(
    "explain: class",
    lambda: fit(np.arange(9.0)[:, None], [0, 0, 0, 1, 1, 1, 2, 2, 2]).explain(np.zeros((1, 1)), label=5),
    "...`label` is 5, which is no class",
)
case("save: path", lambda: fitted().save(3), "`path` is 3\n  help: give the path of the file to write")  # type: ignore[arg-type]
case(
    "fit: a column of intervals",
    lambda: fit(pd.DataFrame({"a": pd.interval_range(0, 4)})),
    "column 'a' has Interval(0, 1, closed='right') in row 0, of type Interval\n  help: leave it out",
)
case(
    "fit: random_state",
    lambda: fit(X, random_state="a"),
    "`random_state` is 'a'\n  help: give a whole number, a RandomState of NumPy, or None for the usual seed",
)
case("fit: progress", lambda: fit(X, progress="bar"), "`progress` is 'bar'\n  help: give True or False")
# Half of a surrogate pair, which no file can hold.
HALF = "\ud800"
MEND = (
    ", which has half of a surrogate pair and cannot be written as UTF-8\n"
    "  help: mend the text, for example with text.encode('utf-8', 'replace').decode()"
)
for _where, _do, _said in (
    ("task", lambda: Task(HALF), "`path` is '\\ud800'"),
    ("texts of a task", lambda: Task.from_text(bk=HALF, exs="", bias=""), "`bk` is '\\ud800'"),
    ("learn", lambda: learn(HALF), "`task` is '\\ud800'"),
    ("settings", lambda: fit(X, settings={HALF: 1}), "`settings` has a setting called '\\ud800'"),
    ("load", lambda: Model.load(HALF), "`path` is '\\ud800'"),
    ("text of a model", lambda: Model.from_json(HALF), "`text` is '\\ud800'"),
    ("example", lambda: model().predict(["f(a)", HALF]), "`examples[1]` is '\\ud800'"),
    ("argument", lambda: model().predict([("a", HALF)]), "`examples[0]` is ('a', '\\ud800')"),
    ("explained", lambda: model().explain(HALF), "`example` is '\\ud800'"),
    ("background", lambda: model().predict(["f(a)"], background=HALF), "`background` is '\\ud800'"),
    ("page", lambda: model().report(name=HALF), "`name` is '\\ud800'"),
    ("table", lambda: Database({HALF: {"id": [1]}}), "`tables` has a table called '\\ud800'"),
    (
        "cell of a table",
        lambda: Database({"t": {"id": ["a", HALF]}}),
        "column 'id' of `tables['t']` has '\\ud800' in row 1",
    ),
    ("link", lambda: Database(TABLES, {"pets.name": HALF}), "`links` names '\\ud800'"),
    ("triple", lambda: Database.from_triples([("a", HALF, "b")]), "`triples[0]` is ('a', '\\ud800', 'b')"),
    (
        "column of pandas",
        # Indices that are not of objects are written as UTF-8 by pandas itself.
        lambda: fit(FRAME.set_axis(pd.Index(["a", HALF], dtype=object), axis=1)),
        "`X` has a column called '\\ud800'",
    ),
    ("column", lambda: fit({"a": [1, 2, 3, 4], HALF: [1, 2, 3, 4]}), "`X` has a column called '\\ud800'"),
    (
        "cell of pandas",
        lambda: fit(pd.DataFrame({"a": pd.Series(["x", None, HALF, "y"], dtype=object)})),
        "column 'a' of `X` has '\\ud800' in row 2",
    ),
    ("cell of an array", lambda: fit(np.array([["a"], ["b"], ["c"], [HALF]])), "column 'x0' of `X` has '\\ud800' in row 3"),
    ("key", lambda: fit(["p1", HALF], [0, 1], database=database()), "`X` has '\\ud800' in row 1"),
    ("label", lambda: fit(X, ["a", "b", HALF, "a"]), "`y` has '\\ud800' in row 2"),
    ("name of labels", lambda: fit(X, pd.Series(Y, name=HALF)), "`y` has a column called '\\ud800'"),
    ("save", lambda: fitted().save(HALF), "`path` is '\\ud800'"),
):
    case(f"half a letter: {_where}", _do, _said + MEND)
case(
    "non-ASCII",
    lambda: Database({"größe": {"ключ": ["ä"]}}, {"größe.ключи": "größe"}),
    "`links` names a column 'ключи' of 'größe', which there is not\n  help: did you mean 'ключ'?",
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_wrong_arguments_are_told(name: str) -> None:
    do, message = CASES[name]
    with pytest.raises(ValueError) as raised:
        do()
    said = str(raised.value)
    if message.startswith("..."):
        # Where the rest is the system's, scikit-learn's, or a list that grows.
        assert message[3:] in said, said
    else:
        assert isinstance(raised.value, symsnap.SymsnapError), said
        assert said == message
        assert raised.value.diagnostics and all(each.severity == "error" for each in raised.value.diagnostics)


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 120


def test_unfitted_estimators_say_so() -> None:
    with pytest.raises(ValueError, match="not fitted yet"):
        classifier().predict(X)


def test_errors_in_files_have_their_place(tmp_path: Path) -> None:
    for name, text in {
        "bk": "p(a).\np(b\n",
        "exs": "pos(f(a)).\n",
        "bias": "head_pred(f,1).\nbody_pred(p,1).\n",
    }.items():
        (tmp_path / f"{name}.pl").write_text(text)
    with pytest.raises(symsnap.SymsnapError) as raised:
        Task(tmp_path)
    found = raised.value.diagnostics[0]
    assert found.file == str(tmp_path / "bk.pl") and found.line in (2, 3) and re.search(r"bk\.pl:\d+:\d+", str(found))


def test_nothing_is_half_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(symsnap.SymsnapError):
        model().save(tmp_path / "folder")
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"] and not list((tmp_path / "folder").iterdir())
