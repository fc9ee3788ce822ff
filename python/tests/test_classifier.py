"""The estimator: what scikit-learn asks of one, and what rules add to it."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import DataConversionWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import symsnap
from symsnap import Database, RuleEnsembleClassifier

COMPOUNDS = Path("../examples/compounds")


def fast(**more: Any) -> RuleEnsembleClassifier:
    return RuleEnsembleClassifier(**{"ticks": 3000, "timeout": None, **more})


def checks() -> list[Any]:
    made = []
    for estimator, check in estimator_checks_generator(fast()):
        name = getattr(check, "func", check).__name__
        made.append(pytest.param(estimator, check, id=f"{name}{getattr(check, 'keywords', None) or ''}"))
    return made


@pytest.mark.parametrize("estimator, check", checks())
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_finds_nothing_wrong(estimator: Any, check: Any) -> None:
    """All checks of check_estimator."""
    check(estimator)


def compounds() -> tuple[Database, pd.Series, pd.Series]:
    tables = {name: pd.read_csv(COMPOUNDS / f"{name}.csv") for name in ("molecules", "atoms", "bonds")}
    molecules = tables["molecules"]
    tables["molecules"] = molecules.drop(columns="active")
    return Database(tables), molecules["id"], molecules["active"]


def test_linked_tables_give_the_rule_that_files_give() -> None:
    database, keys, active = compounds()
    fitted = RuleEnsembleClassifier(database, ticks=2_000_000, timeout=None, cost="errorsize", method="single").fit(
        keys, active
    )
    assert fitted.rules_[0].text == (
        "active(V0) :- mol_id(V1,V0), element(V1,n), bonds(V1,V3,double), element(V3,o), charge(V1,V2), V2 >= 0.32."
    )
    assert fitted.score(keys, active) == 1.0
    for form in (
        keys.to_numpy(),
        keys.tolist(),
        keys.to_frame(),
        pl.Series("id", keys.tolist()),
        pl.DataFrame({"id": keys.tolist()}),
    ):
        assert (fitted.predict(form) == fitted.predict(keys)).all()
    assert (fitted.predict(keys[::-1]) == fitted.predict(keys)[::-1]).all()
    assert (fitted.predict([keys[0], keys[0], keys[1]]) == fitted.predict(keys)[[0, 0, 1]]).all()


def test_a_model_of_frames_is_that_of_the_program_on_files(program: str, tmp_path: Path) -> None:
    frame = pd.read_csv("../examples/penguins/penguins.csv").drop(columns=["seen"])
    frame.to_csv(tmp_path / "X.csv", index=False)
    fitted = fast().fit(frame.drop(columns="species"), frame["species"])
    fitted.save(tmp_path / "ours.json")
    said = subprocess.run(
        [program, "predict", str(tmp_path / "ours.json"), "--table", str(tmp_path / "X.csv"), "--json"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert said.count("Gentoo") >= 54
    shown = subprocess.run(
        [program, "show", str(tmp_path / "ours.json"), "--class", "Gentoo"], check=True, capture_output=True, text=True
    )
    assert "species_Gentoo" in shown.stdout


def test_probabilities_and_decisions_agree_with_predictions() -> None:
    X, y = load_iris(return_X_y=True)
    fitted = fast(ticks=30000).fit(X, y)
    said = fitted.predict_proba(X)
    assert said.shape == (150, 3) and np.allclose(said.sum(axis=1), 1)
    assert (fitted.classes_[said.argmax(axis=1)] == fitted.predict(X)).all()
    assert fitted.score(X, y) > 0.9 and fitted.decision_function(X).shape == (150, 3)
    X, y = load_breast_cancer(return_X_y=True)
    fitted = fast().fit(X, y)
    assert ((fitted.decision_function(X) > 0) == fitted.predict(X)).all() and fitted.score(X, y) > 0.9


def test_cloning_pickling_pipelines_and_searches_work() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    fitted = fast(random_state=3).fit(X, y)
    assert list(fitted.feature_names_in_) == list(X.columns)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.model_ == fitted.model_ and (again.predict_proba(X) == fitted.predict_proba(X)).all()
    assert clone(fitted).get_params() == fitted.get_params()
    assert cross_val_score(fast(), X, y, cv=3).mean() > 0.85
    pipe = make_pipeline(StandardScaler(), fast(ticks=30000)).set_output(transform="pandas").fit(X, y)
    assert pipe.score(X, y) > 0.9 and "sepal" in pipe[-1].rules_[0].text + pipe[-1].rules_[1].text + str(
        pipe[-1].rules_
    )
    search = GridSearchCV(fast(), {"cost": ["mdl", "errorsize"], "max_body": [2, 4]}, cv=2, error_score="raise").fit(
        X, y
    )
    assert search.best_score_ > 0.85


def test_a_database_is_shared_by_clones_and_searched_with() -> None:
    database, keys, active = compounds()
    assert clone(RuleEnsembleClassifier(database)).database is database
    again = pickle.loads(pickle.dumps(database))
    assert repr(again.schema) == repr(database.schema) and again.tables == database.tables
    start = fast(database=database, ticks=20000, cost="errorsize")
    search = GridSearchCV(start, {"max_body": [3, 5]}, cv=2, error_score="raise").fit(keys, active)
    assert 0.5 < search.best_score_ <= 1


def test_weights_are_repetitions() -> None:
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = fast().fit(X, y, sample_weight=weights)
    repeated = fast().fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert weighted.model_.to_json() == repeated.model_.to_json()


def test_the_order_of_rows_does_not_matter() -> None:
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(1).permutation(len(y))
    assert fast().fit(X, y).model_ == fast().fit(X[order], y[order]).model_


def test_class_weights_find_rare_classes() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(600, 2))
    y = ((X[:, 0] > 1.6) & (random.random(600) < 0.6)).astype(int)
    plain, balanced = fast(cost="mdl").fit(X, y), fast(cost="mdl", class_weight="balanced").fit(X, y)
    recall = [
        fitted.predict(X)[y == 1].mean()
        for fitted in (plain, balanced, fast(cost="mdl", class_weight={1: 30}).fit(X, y))
    ]
    assert 0 < y.sum() < 40 and recall[1] > 0.9 and recall[2] > 0.9 and recall[1] >= recall[0]


def test_missing_values_and_categories_are_no_trouble() -> None:
    frame = pd.DataFrame({"a": [1.0, None, 3.0, None, 5.0, 6.0] * 5, "b": ["x", "y", None, "x", "y", "y"] * 5})
    y = np.array([0, 1, 0, 0, 1, 1] * 5)
    fitted = fast().fit(frame, y)
    assert fitted.score(frame, y) > 0.8
    with pytest.warns(symsnap.SymsnapWarning, match="has not seen: `z`"):
        fitted.predict(frame.replace({"b": {"x": "z"}}))


def test_labels_of_all_kinds_come_back_as_they_were() -> None:
    X = np.array([[1.0], [2.0], [3.0], [10.0], [11.0], [12.0]])
    for labels in ([0, 1], [1.0, 2.0], ["no", "yes"], [False, True], ["ä b", "'c"], [-1, 1]):
        y = np.array([labels[0]] * 3 + [labels[1]] * 3)
        said = fast().fit(X, y).predict(X)
        assert said.dtype == y.dtype and (said == y).all()


def test_labels_of_frames_keep_their_types() -> None:
    X = np.arange(12.0)[:, None]
    truth = np.arange(12) > 5
    arrow = pa.array(truth)
    forms: list[tuple[Any, np.ndarray[Any, Any]]] = [
        *[(pd.Series(truth, dtype=kind), truth) for kind in ("boolean", "bool[pyarrow]", "category")],
        *[(pd.Series(truth * 3, dtype=kind), truth * 3) for kind in ("Int64", "UInt8", "int16[pyarrow]", "category")],
        *[(pd.Series(truth).map(str).astype(kind), truth.astype(str)) for kind in ("string", "string[pyarrow]", "str")],
        (pd.Series(truth, dtype=object), truth),
        (pd.DataFrame({"y": pd.Series(truth * 1, dtype="Int64")}), truth * 1),
        (pd.array(truth.tolist(), dtype="boolean"), truth),
        ((truth * 1).astype(object), truth * 1),
        (truth.astype(str).astype(np.dtypes.StringDType()), truth.astype(str)),
        (pl.Series(truth), truth),
        (pl.DataFrame({"y": truth * 1}), truth * 1),
        (pl.DataFrame({"y": truth}), truth),
        (arrow, truth),
        (pa.chunked_array([arrow]), truth),
        (np.where(truth, np.datetime64("2024-05-01"), np.datetime64("2023-01-01")), np.array([])),
    ]
    for y, plain in forms:
        with warnings.catch_warnings():
            # A table with one column is taken, with a word about it.
            warnings.simplefilter("ignore", DataConversionWarning)
            fitted = fast().fit(X, y)
            assert fitted.score(X, y) == 1.0
        said = fitted.predict(X)
        if len(plain):
            kinds = {"U": "UO", "i": "iu"}.get(plain.dtype.kind, plain.dtype.kind)
            assert said.dtype.kind in kinds and fitted.classes_.dtype == said.dtype, (y, said)
            assert said.tolist() == plain.tolist()
        else:
            assert (said == y).all() and said.dtype == y.dtype and "2023" in str(fitted.model_.to_json())


def test_logarithms_are_those_of_probabilities() -> None:
    X, y = load_iris(return_X_y=True)
    fitted = fast().fit(X, y)
    assert np.array_equal(np.exp(fitted.predict_log_proba(X)), np.exp(np.log(fitted.predict_proba(X))))


def test_rules_and_explanations_are_shown() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    fitted = fast().fit(X, y)
    assert len(fitted.rules_) >= 3 and fitted.rules_[0].label in (0, 1, 2) and 0 < fitted.rules_[0].weight <= 1 + 1e-9
    assert len(fitted.estimators_) == len(fitted.weights_)
    assert '<div class="symsnap">' in fitted.rules_._repr_html_()
    why = fitted.explain(X, 0)
    assert why.label and why.proofs and "1" in why.proofs[0].head
    assert fitted.explain(X, 149, label=0).label is False


def test_several_classes_learn_within_one_limit() -> None:
    X, y = load_iris(return_X_y=True)
    begun = time.monotonic()
    RuleEnsembleClassifier(timeout=2).fit(X, y)
    assert time.monotonic() - begun < 10


def test_nothing_learned_is_told_and_predicts_the_most_frequent_class() -> None:
    X = np.zeros((20, 2))
    y = np.array([0] * 14 + [1] * 6)
    with pytest.warns(symsnap.SymsnapWarning, match="nothing was learned"):
        fitted = fast().fit(X, y)
    assert (fitted.predict(X) == 0).all() and len(fitted.rules_) == 0


def test_ctrl_c_ends_fit_with_the_best_so_far() -> None:
    random = np.random.default_rng(0)
    X, y = random.normal(size=(1500, 12)), random.integers(0, 2, 1500)
    stamps: list[float] = []

    def press() -> None:
        time.sleep(3)
        stamps.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    fitted = RuleEnsembleClassifier(timeout=60, cost="errorsize").fit(X, y)
    took = time.monotonic() - stamps[0]
    thread.join()
    assert fitted.interrupted_ and fitted.estimators_ and took < 2, took


def said_in(do: Callable[[], object]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        do()
    return [str(each.message) for each in caught if issubclass(each.category, symsnap.SymsnapWarning)]


def test_columns_that_say_what_labels_say_are_told() -> None:
    random = np.random.default_rng(0)
    y = random.choice(["a", "b", "c"], 60)
    X = pd.DataFrame({"n": random.normal(size=60), "copy": y, "few": random.choice(["u", "v", "w"], 60)})
    X["words"] = X["copy"].map({"a": 10, "b": 20, "c": 30})
    advice = "leave it out if it is not known before the class is"
    one = f"column 'copy' of `X` says what `y` says, in the same or other words\n  help: {advice}"
    assert said_in(lambda: fast().fit(X[["n", "few"]], y)) == []
    assert said_in(lambda: fast().fit(X[["n", "copy"]], y)) == [one]
    assert said_in(lambda: fast().fit(pl.from_pandas(X[["n", "copy"]]), y)) == [one]
    both = one.replace("column 'copy' of `X` says", "columns 'copy', 'words' of `X` say").replace(
        "leave it out if it is", "leave them out if they are"
    )
    assert said_in(lambda: fast().fit(X, y)) == [both]
    weights = random.random(60)
    assert said_in(lambda: fast().fit(X, y, sample_weight=weights)) == [both]
    assert said_in(lambda: fast().fit(X["words"].to_numpy()[:, None], y)) == [one.replace("'copy'", "'x0'")]
    gaps = X[["n", "copy"]].assign(copy=X["copy"].where(X.index > 2))
    assert said_in(lambda: fast().fit(gaps, y)) == [one]
    assert said_in(lambda: fast().fit(X[["n", "copy"]].assign(copy=np.where(X.index == 30, "d", y)), y)) == []


def test_large_tables_are_looked_at_in_part() -> None:
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 60_000)
    X = {"copy": y, **{f"n{at}": random.integers(0, 2, 60_000) for at in range(20)}}
    assert said_in(lambda: fast(ticks=50).fit(X, y))[0] == (
        "column 'copy' of `X` says what `y` says, in the same or other words\n"
        "  help: leave it out if it is not known before the class is"
    )


def test_labels_that_stayed_in_a_database_are_told() -> None:
    _, keys, active = compounds()
    database = Database({name: pd.read_csv(COMPOUNDS / f"{name}.csv") for name in ("molecules", "atoms", "bonds")})
    [said] = said_in(lambda: fast(database=database).fit(keys, active))
    assert said == (
        "column 'active' of the table 'molecules' of `database` says what `y` says, in the same or other words\n"
        "  help: if that is not known before the class is, database.edited(kinds={'molecules.active': 'ignore'}) leaves it out"
    )
    edited = database.edited(kinds={"molecules.active": "ignore"})
    assert not any("active" in each for each in said_in(lambda: fast(database=edited).fit(keys, active)))


def test_advice_is_about_frames_and_not_about_files() -> None:
    rows = 60
    frame = pd.DataFrame({"n": range(rows), "note": [f"note {at}" for at in range(rows)]})
    frame["comma"] = [f"{at},5" for at in range(rows)]
    frame["odd"] = [str(at) for at in range(rows - 1)] + ["?"]
    for said in (
        said_in(lambda: fast(ticks=50).fit(frame, np.arange(rows) > 30)),
        said_in(lambda: Database({"t": frame.assign(id=range(rows))})),
    ):
        assert len(said) == 3 and not any("schema" in each for each in said), said
        assert "kinds={'t" in said[0] and ".note': 'category'}" in said[0]
        assert "frame['comma'].str.replace(',', '.')" in said[1] and "give None in its place" in said[2]


def test_keys_that_are_not_there_are_told_with_their_rows() -> None:
    database = Database({"t": {"id": list(range(20)), "v": list(range(20))}})
    fitted = fast(database=database).fit(list(range(20)), [at > 9 for at in range(20)])
    X = pd.Series([1, 1, 77, 1, 77], name="who")
    advice = "\n  help: give keys that are there, such as '0'"
    lacks = "not in column 'id' of the table 't' of `database`: "
    assert said_in(lambda: fitted.predict(X)) == [
        f"column 'who' of `X` has 2 keys that are {lacks}the first is '77' in row 2{advice}"
    ]
    assert said_in(lambda: fitted.explain(X, 4)) == [
        f"column 'who' of `X` has a key that is {lacks}'77' in row 4{advice}"
    ]
    assert said_in(lambda: fitted.explain(X, 3)) == []


def test_whole_numbers_that_a_gap_made_fractions_are_keys_and_links() -> None:
    rows = 40
    molecules = pd.DataFrame({"id": range(rows)})
    # The last atom is of no molecule, so pandas keeps the column as numbers with fractions.
    atoms = pd.DataFrame({"id": range(rows + 1), "mol_id": [*range(rows), None], "size": [*range(rows), 0]})
    database = Database({"molecules": molecules, "atoms": atoms})
    assert [each.name for each in database.schema.tables["atoms"] if each.kind == "link"] == ["mol_id"]
    y = [at >= 20 for at in range(rows)]
    keys = pd.Series(range(rows), name="id")
    model = RuleEnsembleClassifier(database, ticks=20_000, random_state=0).fit(keys.astype(float), y)
    assert model.predict(keys.astype(float)).tolist() == y
    assert model.predict(keys).tolist() == y


def test_triples_are_a_database() -> None:
    people = [f"p{i}" for i in range(30)]
    triples = [(people[i], "likes", people[(i * 7 + 1) % 30]) for i in range(30)]
    triples += [(people[i], "is", "tall") for i in range(0, 30, 3)]
    database = Database.from_triples(triples)
    tall = {(i * 7 + 1) % 30 for i in range(30)}
    y = np.array(["yes" if (i * 7 + 1) % 30 % 3 == 0 else "no" for i in range(30)])
    assert tall and database.tables["entities"] == 31
    fitted = fast(database=database, ticks=20000, method="single").fit(people, y)
    assert fitted.score(people, y) == 1.0
    again = Database.from_triples(pl.DataFrame(triples, schema=["s", "p", "o"], orient="row"))
    assert again.tables == database.tables


def test_relations_have_any_names() -> None:
    people = [f"p{i}" for i in range(12)]
    y = [i % 2 for i in range(12)]
    for relation in ("http://ex.org/likes", "r.1", "", "entities", "X", "Likes", "=<", "not", "it's", "\n"):
        triples = [(person, relation, f"q{at % 2}") for at, person in enumerate(people)]
        database = Database.from_triples([*triples, ("p0", "entities_", "p1"), ("p0", "unnamed", "q0")])
        assert sorted(database.tables.values()) == [1, 1, 12, 14], relation
        fitted = fast(database=database).fit(people, y)
        assert fitted.score(people, y) == 1.0 and fitted.explain(people, 1).votes
        assert repr(pickle.loads(pickle.dumps(database)).schema) == repr(database.schema)


def test_many_relations_take_little_time() -> None:
    begun = time.monotonic()
    database = Database.from_triples([(f"e{i % 50}", f"r{i % 800}", f"e{i * 7 % 50}") for i in range(3200)])
    assert len(database.tables) == 801 and time.monotonic() - begun < 10


def test_points_in_names_are_no_trouble() -> None:
    tables = {"a": {"id": [1, 2], "b.c": [1, 2]}, "a.b": {"id": [3, 4], "d": [1, 2]}}
    database = Database(tables, {"a.b.d": "a"}, kinds={"a.b.c": "category"})
    assert [column.kind for column in database.schema.tables["a"]] == ["key", "category"]
    assert database.schema.tables["a.b"][1].to == "a"
    assert Database({**tables, "a.b": {"id": [3, 4], "c": [1, 2]}}, {"a.b.c": "a"}).schema.tables["a.b"][1].to == "a"


def test_schemas_are_edited() -> None:
    database, _, _ = compounds()
    edited = database.edited(kinds={"atoms.charge": "ignore"})
    assert "charge: ignore" in repr(edited.schema) and "charge: float" in repr(database.schema)
    assert "<table>" in edited._repr_html_() and "atoms" in edited.schema._repr_html_()
