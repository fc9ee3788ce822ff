"""Learning from task folders: what comes of it, in which forms, and that it is what the program learns."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest

import symsnap

FAMILY = "../examples/family"


@pytest.mark.parametrize("name", ["family", "trains", "evens", "molecules", "stones"])
def test_a_model_is_byte_for_byte_that_of_the_program(name: str, program: str, tmp_path: Path) -> None:
    folder = f"../examples/{name}"
    theirs, ours = tmp_path / "theirs.json", tmp_path / "ours.json"
    command = [program, "learn", folder, "--ticks", "3000", "--threads", "1", "--quiet", "-o", str(theirs)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    learned = symsnap.learn(folder, ticks=3000, threads=2)
    assert learned.model is not None
    learned.model.save(ours)
    assert ours.read_bytes() == theirs.read_bytes()


def test_every_method_and_cost_gives_the_model_of_the_program(program: str, tmp_path: Path) -> None:
    compared = 0
    for method, cost in [("paper", "mdl"), ("single", "errorsize"), ("tuned", "error"), ("bagging", "mdl")]:
        if method not in symsnap.METHODS or cost not in symsnap.COSTS:
            continue
        file = tmp_path / f"{method}.json"
        options = ["--ticks", "2000", "--method", method, "--cost", cost, "--seed", "7", "--quiet", "-o", str(file)]
        subprocess.run([program, "learn", "../examples/trains", *options], check=True, stdout=subprocess.DEVNULL)
        learned = symsnap.learn("../examples/trains", ticks=2000, method=method, cost=cost, seed=7)
        assert learned.model is not None and learned.model.to_json() == file.read_text()
        compared += 1
    assert compared >= 2


def test_a_run_says_how_it_ended() -> None:
    learned = symsnap.learn(FAMILY, ticks=1000)
    assert learned.optimal and learned.value == (0, 3) and learned.stop == "proved"
    assert learned.best is not None and learned.best.confusion == (16, 0, 30, 0)
    assert learned.rules == ("grandmother(V0,V1) :- mother(V0,V2), parent(V2,V1).",)
    assert not learned.interrupted and learned.why == [] and len(learned.pool) >= 1
    assert "grandmother" in str(learned) and "proved optimal" in repr(learned)


def test_a_callback_hears_of_every_snapshot_in_order() -> None:
    heard: list[symsnap.Snapshot] = []
    learned = symsnap.learn("../examples/trains", ticks=3000, cost="errorsize", callback=heard.append)
    assert [each.rules for each in heard] == [each.rules for each in learned.pool]
    values = [each.value for each in heard]
    assert values == sorted(values, reverse=True) and len(values) > 1


def test_a_callback_ends_the_run_by_returning_false(hard: symsnap.Task) -> None:
    learned = symsnap.learn(hard, timeout=60, callback=lambda snapshot: False)
    assert learned.stop == "cancelled" and not learned.interrupted and learned.best is not None


def test_what_a_callback_raises_reaches_the_caller() -> None:
    def fail(snapshot: symsnap.Snapshot) -> None:
        raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        symsnap.learn(FAMILY, ticks=1000, callback=fail)


def test_live_snapshots_are_those_of_the_pool() -> None:
    run = symsnap.learn("../examples/trains", ticks=3000, cost="errorsize", live=True)
    seen = list(run)
    learned = run.result()
    assert run.result() is learned
    assert [each.rules for each in seen] == [each.rules for each in learned.pool]


def test_a_live_run_can_be_stopped(hard: symsnap.Task) -> None:
    run = symsnap.learn(hard, timeout=60, live=True)
    next(run)
    run.stop()
    learned = run.result()
    assert learned.stop == "cancelled" and learned.best is not None


def test_tasks_come_from_texts_too() -> None:
    folder = Path(FAMILY)
    texts = {name: (folder / f"{name}.pl").read_text() for name in ("bk", "exs", "bias")}
    from_text = symsnap.learn(symsnap.Task.from_text(**texts), ticks=1000)
    from_folder = symsnap.learn(FAMILY, ticks=1000)
    assert from_text.rules == from_folder.rules
    assert from_text.model is not None and from_text.model.predict([("ada", "ines")]).tolist() == [True]


def test_limits_on_rules_are_kept_and_said_to_be_why() -> None:
    learned = symsnap.learn(FAMILY, ticks=1000, max_body=1)
    assert learned.best is None or all(rule.count("(") <= 2 for rule in learned.rules)
    assert not learned.optimal or learned.value > (0, 3)


def test_nothing_learned_says_why() -> None:
    task = symsnap.Task.from_text(bk="p(a). p(b).", exs="pos(f(a)). neg(f(b)).", bias="head_pred(f,1). body_pred(p,1).")
    learned = symsnap.learn(task, ticks=1000)
    assert learned.best is None and learned.rules == () and learned.why
    assert str(learned).startswith("No hypothesis is better than the empty one")
    assert learned.model is not None and not learned.model.predict([("a",)])[0]


def test_ensembles_are_made_of_a_pool_later() -> None:
    pool = symsnap.learn("../examples/trains", ticks=3000, method=None).pool
    for method in ("paper", "single", "resampled"):
        model = symsnap.ensemble(pool, method=method)
        assert model.method == method and abs(sum(each.weight for each in model.members) - 1) < 1e-9
    bagging = symsnap.ensemble(pool, method="bagging", settings={"bags": 2}, timeout=20)
    assert bagging.settings["bags"] == 2


def test_a_model_reads_back_and_predicts_the_same(tmp_path: Path) -> None:
    learned = symsnap.learn(FAMILY, ticks=1000)
    model, file = learned.model, tmp_path / "model.json"
    assert model is not None
    model.save(file)
    again = symsnap.Model.load(file)
    atoms = ["grandmother(ada,ines)", "grandmother(ines,ada)", "grandmother(ada,ada)"]
    for other in (again, pickle.loads(pickle.dumps(model)), symsnap.Model.from_json(model.to_json())):
        assert other == model and hash(other) == hash(model)
        assert np.array_equal(other.predict(atoms), model.predict(atoms))
    rows = [("ada", "ines"), ("ines", "ada"), ("ada", "ada")]
    assert np.array_equal(model.predict_proba(rows), model.predict_proba(atoms))
    assert np.array_equal(model.predict(rows, background=Path(FAMILY) / "bk.pl"), model.predict(rows))
    assert np.array_equal(model.predict(rows, background=symsnap.Task(FAMILY)), model.predict(rows))


def test_a_model_is_asked_over_other_backgrounds() -> None:
    model = symsnap.learn(FAMILY, ticks=1000).model
    assert model is not None
    text = "mother(x,y). parent(y,z)."
    assert model.predict([("x", "z"), ("y", "z")], background=text).tolist() == [True, False]


def test_explanations_are_proofs_and_how_far_rules_came() -> None:
    model = symsnap.learn(FAMILY, ticks=1000).model
    assert model is not None
    yes, no = model.explain("grandmother(ada,ines)"), model.explain(("ines", "ada"))
    assert yes.label and yes.proofs[0].head == "grandmother(ada,ines)"
    assert [step.by for step in yes.proofs[0].body] == ["fact", "background"]
    assert not no.label and no.proofs == [] and no.votes[0].closest is not None and no.votes[0].fails is not None
    assert "fails" in str(no) and "because" in str(yes.proofs[0])
    for shown in (yes, no, yes.proofs[0]):
        assert "<script" not in shown._repr_html_() and "grandmother" in shown._repr_html_()


def test_models_are_exported_and_reported(tmp_path: Path) -> None:
    model = symsnap.learn(FAMILY, ticks=1000).model
    assert model is not None
    assert "symsnap_label" in model.export("prolog")
    assert "CREATE" in model.export("sql", facts=True).upper()
    assert symsnap.Model.from_json(model.export("json")).members == model.members
    page = model.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page and "<html" in page


def test_constants_that_nothing_knows_are_warned_of() -> None:
    model = symsnap.learn(FAMILY, ticks=1000).model
    assert model is not None
    with pytest.warns(symsnap.SymsnapWarning, match="nobody"):
        assert model.predict([("nobody", "ines")]).tolist() == [False]


def test_a_changed_background_is_warned_of(tmp_path: Path) -> None:
    for name in ("bk", "exs", "bias"):
        (tmp_path / f"{name}.pl").write_text((Path(FAMILY) / f"{name}.pl").read_text())
    learned = symsnap.learn(tmp_path, ticks=1000)
    assert learned.model is not None
    learned.model.save(tmp_path / "model.json")
    with (tmp_path / "bk.pl").open("a") as file:
        file.write("mother(zoe,ada).\n")
    with pytest.warns(symsnap.SymsnapWarning, match="has changed since the model was learned"):
        assert symsnap.Model.load(tmp_path / "model.json").predict([("ada", "ines")]).tolist() == [True]


def test_warnings_about_a_task_are_python_warnings() -> None:
    task = symsnap.Task.from_text(
        bk="p(a).", exs="pos(f(a)). neg(f(b)).", bias="head_pred(f,1). body_pred(p,1). body_pred(nowhere,1)."
    )
    assert task.warnings
    with pytest.warns(symsnap.SymsnapWarning, match="nowhere"):
        symsnap.learn(task, ticks=10)


def test_pictures_for_notebooks_hold_what_they_show() -> None:
    learned = symsnap.learn("../examples/trains", ticks=3000, cost="errorsize")
    assert learned.model is not None
    for shown in (learned, learned.model, learned.pool, learned.task, learned.pool[0], learned.model.members[0]):
        page = shown._repr_html_()
        assert page.startswith('<div class="symsnap">') and page.count("<div") == page.count("</div>")
    assert "<svg" in learned.pool._repr_html_()
